package agent

import (
	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/consent"
)

// The owner's keys, outside a draft that is pending. Those of a reading are in reading.go.
const (
	keyRead     = '1'
	keyLanguage = '9'
)

// mostAsked is how often a silent owner is asked whether they are there.
const mostAsked = 1

// owner begins the conversation. Who calls is known to be the owner.
func (c *conversation) owner() {
	c.o.Observe.Count(smsmcp.CallAnswered, "owner")
	c.log.Info("call answered", "who", "owner")
	c.asked, c.known = 0, true
	c.step(consent.Owner{Known: true})
	c.stage = stage{hears: c.hearOwner, patience: patience, tired: c.noOwner}
	c.tell(spoken.Hello)
	c.lookAround()
}

// hearOwner takes what the owner says and does. The machine is told all of it, in the order in which it came.
func (c *conversation) hearOwner(h voice.Heard) {
	_, pending := c.machine.Pending()
	switch h := h.(type) {
	case voice.Begun:
		c.hearing = true
		c.step(consent.Begun{})
	case voice.Barged:
		if !pending {
			c.barged()
		}
	case voice.Dropped:
		c.hearing = false
		c.step(consent.Dropped{Failed: h.Err != nil})
		switch {
		case !pending:
			c.dropped(h.Err)
		case h.Err != nil:
			c.log.Warn("not understood", "code", code(h.Err))
		}
	case voice.Said:
		key := h.Turn.Key()
		if key == 0 {
			c.hearing = false
		}
		c.asked = 0
		c.barge = false
		c.showTurn(h.Turn)
		c.step(consent.Final{Turn: h.Turn, More: h.More})
		if key != 0 && !pending {
			c.key(key)
		}
	}
}

// barged stops whoever speaks: the caller does.
func (c *conversation) barged() {
	c.call.Mouth.Stop()
	c.barge = true
	if c.turn != nil {
		c.due = c.turn.said != nil // perhaps what they say is nothing
		c.drop()
	}
}

// dropped goes on where an utterance that came to nothing cut in.
func (c *conversation) dropped(err error) {
	barged := c.barge
	c.barge = false
	switch {
	case err != nil:
		c.log.Warn("not understood", "code", code(err))
		c.tell(c.keyed(spoken.NotHeard, spoken.HardToHear))
	case c.reading != nil && barged:
		c.readOn()
	case c.due:
		c.resume()
	case barged:
		c.tell(spoken.Pardon)
	}
}

// hand takes a turn that is no answer to a draft: a word that leads the reading, or something for the model.
func (c *conversation) hand(t voice.Turn) {
	if c.reading != nil && c.lead(t.Words()) {
		return
	}
	if c.reading != nil {
		c.reading = nil
		c.call.Mouth.Stop()
	}
	if c.freeze(t.Words()) || !c.history.caller(t.Words()) {
		return
	}
	c.reopen()
	c.think()
}

// reopen takes back that the call ends: the owner goes on.
func (c *conversation) reopen() {
	c.closing = ""
	c.last.stop()
}

// key takes a key that is no answer to a draft. None does anything until what became of an answer was said: who presses 1 twice wants no texts read over it.
func (c *conversation) key(k rune) {
	switch {
	case c.recording || c.outcome != nil:
	case c.reading != nil:
		c.leadByKey(k)
	case k == keyRead:
		c.reopen()
		c.drop()
		c.call.Mouth.Stop()
		c.readNew()
	case k == keyLanguage:
		c.drop()
		c.call.Mouth.Stop()
		c.speak(other(c.lang))
		c.step(consent.Owner{Known: true})
		c.tell(spoken.Language)
	}
}

func other(l lang.Lang) lang.Lang {
	if l == lang.FR {
		return lang.EN
	}
	return lang.FR
}

// noOwner is what follows a long silence: a question, and then the end.
func (c *conversation) noOwner() {
	if c.asked++; c.asked <= mostAsked {
		c.tell(spoken.StillThere)
		return
	}
	c.tell(spoken.Goodbye)
	c.close(bySilence)
}
