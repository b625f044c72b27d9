package agent

import (
	"strings"
	"time"

	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/gate"
)

const (
	keyTime      = 10 * time.Second // between two keys of a PIN
	mostPrompted = 2                // how often it is asked for, where nothing comes

	keyAnew      = '*'
	keyVoicemail = '#'
)

// askPIN asks for the PIN. Only keys count, and they go to the gate alone: not to a model, a log or the history.
func (c *conversation) askPIN() {
	c.asked, c.pin = c.asked+1, ""
	c.stage = stage{hears: c.hearPIN, patience: keyTime, tired: c.noPIN}
	c.tell(spoken.PIN)
}

func (c *conversation) hearPIN(h voice.Heard) {
	said, ok := h.(voice.Said)
	if !ok || said.Turn.Key() == 0 || c.trying {
		return // speech opens nothing, and nobody is to be brought to say a PIN aloud
	}
	c.call.Mouth.Stop()
	c.idle.stop() // it begins anew
	switch key := said.Turn.Key(); {
	case key == keyAnew:
		c.pin = ""
	case key == keyVoicemail:
		c.stranger()
	case strings.ContainsRune("0123456789", key):
		if c.pin += string(key); len(c.pin) == gate.Digits {
			c.try()
		}
	}
}

// try asks the gate. It may take a while.
func (c *conversation) try() {
	pin := c.pin
	c.pin, c.trying = "", true
	c.help(func() func() {
		answer, err := c.o.Gate.Try(c.ctx, c.call.ID, pin)
		return func() {
			c.trying = false
			switch {
			case err != nil:
				c.log.Warn("the PIN could not be checked", "code", code(err))
				c.tell(spoken.PINFailed)
				c.stranger()
			case answer == gate.Right:
				c.owner()
			case answer == gate.OutOfTries:
				c.tell(spoken.PINWrong)
				c.stranger()
			default:
				c.tell(spoken.PINWrong)
				c.asked = 0
				c.askPIN()
			}
		}
	})
}

// noPIN is what follows when no key came for a while.
func (c *conversation) noPIN() {
	if c.asked < mostPrompted {
		c.askPIN()
		return
	}
	c.stranger()
}
