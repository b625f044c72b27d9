package agent

import (
	"errors"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

// errNoOutcome is of a mouth that does not tell what became of an utterance.
var errNoOutcome = errors.New("the mouth told nothing")

// utterance is something on its way to be said. Its fields belong to the loop.
type utterance struct {
	parts []voice.Part
	minor bool // that it could not be said is dealt with by who had it said
	cut   bool // it is over, and parts are those that were heard
}

// words are those that the caller heard; all of them as long as it is on its way.
func (u *utterance) words() string {
	var words []string
	for _, p := range u.parts {
		if p.Text != "" {
			words = append(words, p.Text)
		}
	}
	return strings.Join(words, " ")
}

// tell says a sentence of the program's.
func (c *conversation) tell(m lang.Message) {
	c.say([]voice.Part{{Text: m.In(c.lang)}}, nil)
}

// say says something that is neither a read-back nor its question: nothing, while a draft is pending. done may be nil.
func (c *conversation) say(parts []voice.Part, done func(voice.Outcome)) *utterance {
	if _, pending := c.machine.Pending(); pending {
		c.log.Error("something was to be said while a draft is pending")
		return &utterance{cut: true}
	}
	return c.utter(parts, func() {}, done)
}

// utter is the only way to the mouth. begun and done are called in the loop, in this order.
func (c *conversation) utter(parts []voice.Part, begun func(), done func(voice.Outcome)) *utterance {
	u := &utterance{parts: parts}
	speech := c.call.Mouth.Say(c.lang, parts...)
	c.speaking++
	c.help(func() func() {
		out := c.follow(speech, begun)
		return func() { c.said(u, out, done) }
	})
	return u
}

// follow waits for what becomes of a speech.
func (c *conversation) follow(s voice.Speech, begun func()) voice.Outcome {
	limit := time.NewTimer(longestSpeech)
	defer limit.Stop()
	started := s.Started()
	for {
		select {
		case <-started:
			started = nil
			c.post(begun)
		case out := <-s.Done():
			select {
			case <-started: // of two that are ready, a select takes either
				c.post(begun)
			default:
			}
			return out
		case <-limit.C:
			return voice.Outcome{Err: errNoOutcome}
		case <-c.ended:
			return voice.Outcome{}
		}
	}
}

// said takes what became of an utterance. What was heard of it is the agent's turn.
func (c *conversation) said(u *utterance, out voice.Outcome, done func(voice.Outcome)) {
	c.speaking--
	if !out.Played {
		u.cut, u.parts = true, u.parts[:min(max(0, out.Whole), len(u.parts))]
	}
	if words := u.words(); words != "" {
		c.showTurn(c.call.Transcript.Agent(untrusted.New(words)))
	}
	if done != nil {
		done(out)
	}
	if out.Err != nil {
		c.log.Warn("not said", "code", code(out.Err))
		if !u.minor {
			c.unsaid()
		}
	}
}

// unsaid is what follows when no engine could say something: a sentence of regret, and if that cannot be said either, the end of the call.
func (c *conversation) unsaid() {
	if _, pending := c.machine.Pending(); pending || c.sorry || c.mail.begun || c.over != "" {
		return // what is pending the machine has read again, or gives up
	}
	c.sorry = true
	c.say([]voice.Part{{Text: spoken.VoiceFailed.In(c.lang)}}, func(out voice.Outcome) {
		if c.sorry = false; out.Err != nil {
			c.over = byFault
		}
	})
}

// code is what may be logged of an error: its code, or its text, where that is nothing but a code (invariant 13).
func code(err error) string {
	var coded smsmcp.Coded
	switch s := err.Error(); {
	case errors.As(err, &coded):
		return smsmcp.Reduce(coded.Code())
	case s == smsmcp.Reduce(s):
		return s
	}
	return "failed"
}
