package agent

import (
	"context"
	"encoding/json"
	"slices"

	"readback/smsmcp/fold"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/aloud"
)

// The keys that lead a reading.
const (
	keyNext   = '#'
	keyRepeat = '*'
	keyStop   = '0'
)

// reading is a list of texts on its way to be read aloud. The program reads them, and no model has a say in it.
type reading struct {
	texts  [][]voice.Part
	counts aloud.Counts
	at     int        // the text that is read
	now    *utterance // it is
}

// readNew reads the texts since yesterday, without a model. It is told of them as if it had asked.
func (c *conversation) readNew() {
	found, _ := named(readTexts)
	ctx, cancel := context.WithCancel(c.ctx)
	t := &turn{ctx: ctx, cancel: cancel}
	c.turn = t
	answer := c.history.called(c.history.agent(), []voice.ToolCall{{Name: readTexts, Args: json.RawMessage(`{}`)}}, c.lang)[0]
	c.run(ctx, found, args{}, func(r result) {
		if c.turn != t {
			return
		}
		c.drop()
		c.fill(answer, r)
		if r.failed {
			c.tell(spoken.CannotRead)
			return
		}
		c.readAloud(r)
	})
}

// readAloud begins a reading. What was being said goes on before it.
func (c *conversation) readAloud(r result) {
	c.say(aloud.Intro(c.lang, r.counts), nil)
	if len(r.texts) > 0 {
		c.reading = &reading{texts: r.texts, counts: r.counts}
		c.readOn()
	}
}

// readOn reads the text whose turn it is, and then the next, to the end.
func (c *conversation) readOn() {
	r := c.reading
	if r.at >= len(r.texts) {
		c.reading = nil
		c.say(aloud.End(c.lang, r.counts), nil)
		c.resume()
		return
	}
	var now *utterance
	now = c.say(r.texts[r.at], func(out voice.Outcome) {
		switch {
		case c.reading != r || r.now != now: // another one is read by now
		case out.Err != nil: // the others may be sayable; if nothing is, that this was not said is not either, and ends the call
			now.minor = true
			r.at++
			c.tell(spoken.Unread)
			c.readOn()
		case out.Played:
			r.at++
			c.readOn()
		}
	})
	r.now = now
}

// lead takes a word that leads the reading, and says whether it was one.
func (c *conversation) lead(words untrusted.Text) bool {
	said := fold.Words(words.RawForModel())
	for key, list := range map[rune][]string{keyNext: spoken.SayNext, keyRepeat: spoken.SayRepeat, keyStop: spoken.SayStop} {
		for _, word := range list {
			if slices.Equal(said, fold.Words(word)) {
				c.leadByKey(key)
				return true
			}
		}
	}
	return false
}

func (c *conversation) leadByKey(k rune) {
	switch k {
	case keyNext:
		c.reading.at++
	case keyRepeat:
	case keyStop:
		c.call.Mouth.Stop()
		c.reading = nil
		c.tell(spoken.ReadNo)
		return
	default:
		return
	}
	c.call.Mouth.Stop()
	c.readOn()
}
