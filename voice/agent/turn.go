package agent

import (
	"context"
	"time"
	"unicode/utf8"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/agent/sentences"
)

// The bounds of one turn of the model's: all that it says and does until it is the caller's turn again.
const (
	turnTime   = time.Minute
	mostRounds = 8    // requests
	mostCalls  = 8    // of tools, in one answer
	mostSaid   = 1200 // characters that are spoken
	mostTokens = 1000 // of one answer
)

// turn is what the model is at. Its fields belong to the loop, but for ctx.
type turn struct {
	ctx    context.Context
	cancel context.CancelFunc
	rounds int
	spoken int    // characters
	said   *entry // the answer that comes
	words  sentences.Cutter
	calls  []voice.ToolCall
	limit  alarm
}

// think asks the model, as soon as nothing else leads the call.
func (c *conversation) think() {
	c.drop()
	if _, pending := c.machine.Pending(); pending || c.recording || c.reading != nil {
		c.due = true
		return
	}
	c.due = false
	t := &turn{}
	t.ctx, t.cancel = context.WithCancel(c.ctx)
	c.turn = t
	c.set(&t.limit, turnTime, func() { c.giveUp(t, spoken.TooSlow) })
	c.round(t)
}

// resume asks the model what it is still to be asked.
func (c *conversation) resume() {
	if c.due && c.over == "" {
		c.think()
	}
}

// drop ends the model's turn. What it has said stays said; what it wanted to call is not called.
func (c *conversation) drop() {
	if t := c.turn; t != nil {
		c.turn = nil
		t.limit.stop()
		t.cancel()
	}
}

// giveUp ends a turn with a sentence.
func (c *conversation) giveUp(t *turn, why lang.Message) {
	if c.turn == t {
		c.drop()
		c.tell(why)
	}
}

// round sends one request, and has its answer taken as it comes.
func (c *conversation) round(t *turn) {
	if t.rounds++; t.rounds > mostRounds {
		c.giveUp(t, spoken.TooManySteps)
		return
	}
	request := voice.Request{System: c.system(), Messages: c.history.messages(c.lang), Tools: toolDefs(c.lang), MaxTokens: mostTokens}
	t.said, t.words, t.calls = c.history.agent(), sentences.Cutter{Link: spoken.Link.In(c.lang)}, nil
	c.help(func() func() {
		for d, err := range c.o.LLM.Reply(t.ctx, request) {
			if err != nil {
				return func() { c.failed(t, err) }
			}
			if t.ctx.Err() != nil || !c.post(func() { c.delta(t, d) }) {
				return nil
			}
			if d.Call != nil && d.Call.Name == prepareText {
				break // the program leads from here; what else the model has to say is not heard
			}
		}
		return func() { c.answered(t) }
	})
}

// delta takes a piece of an answer. Sentences are said as soon as they are whole.
func (c *conversation) delta(t *turn, d voice.Delta) {
	if c.turn != t {
		return
	}
	for _, s := range t.words.Add(d.Text) {
		c.sentence(t, s)
	}
	if d.Call != nil {
		if t.calls = append(t.calls, *d.Call); len(t.calls) > mostCalls {
			c.giveUp(t, spoken.TooManySteps)
		}
	}
}

func (c *conversation) sentence(t *turn, s string) {
	if c.turn != t {
		return
	}
	if t.spoken += utf8.RuneCountInString(s); t.spoken > mostSaid {
		c.giveUp(t, spoken.TooMuch)
		return
	}
	c.hushed = 0
	t.said.said = append(t.said.said, c.say([]voice.Part{{Text: s}}, nil))
}

func (c *conversation) failed(t *turn, err error) {
	if c.turn == t {
		c.log.Warn("the model failed", "code", code(err))
		c.giveUp(t, spoken.NoModel)
	}
}

// answered takes the end of an answer: its tools are called, or it is the caller's turn.
func (c *conversation) answered(t *turn) {
	for _, s := range t.words.Rest() {
		c.sentence(t, s)
	}
	switch {
	case c.turn != t:
	case len(t.calls) > 0:
		c.use(t, c.history.called(t.said, t.calls, c.lang), 0)
	case t.spoken == 0:
		c.giveUp(t, spoken.NoWords)
	default:
		c.drop()
	}
}

// system are the model's instructions.
func (c *conversation) system() string {
	l := c.lang
	s := lang.AgentSystem.In(l, lang.Stamp(l, c.o.Now().In(c.o.Zone)), c.o.Zone.String())
	if c.o.OwnerName != "" {
		s += lang.AgentOwner.In(l, c.o.OwnerName)
	}
	return s
}
