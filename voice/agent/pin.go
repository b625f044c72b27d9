package agent

import (
	"context"
	"strings"
	"time"

	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/gate"
)

const (
	keyTime      = 10 * time.Second // between two keys of a PIN
	mostPrompted = 2                // how often it is asked for, where nothing comes
	pinTime      = 2 * time.Minute  // for all of it, with every wait: a call is not to be held by keys that try nothing

	keyAnew      = '*'
	keyVoicemail = '#'
)

// pinning is how far a caller is with the PIN.
type pinning struct {
	digits string // so far
	trying bool   // they are being looked at
	heard  bool   // somebody else was connected while they were: what comes of it counts for nothing
	limit  alarm  // for all of it
	look   alarm  // at who else is there
	ctx    context.Context
	end    context.CancelFunc
}

// askPIN asks for the PIN, where nobody else is connected: who is in a room hears the keys that are pressed in it. Only keys count, and they go to the gate alone: not to a model, a log, the
// transcript or the history. No recogniser hears anything meanwhile.
func (c *conversation) askPIN() {
	if c.others() > 0 {
		c.noPINHere()
		return
	}
	if c.pin.end == nil {
		c.pin.ctx, c.pin.end = context.WithCancel(c.ctx)
		c.set(&c.pin.limit, pinTime, c.pinOver)
		c.guardPIN()
	}
	c.asked, c.pin.digits = c.asked+1, ""
	c.stage = stage{hears: c.hearPIN, patience: keyTime, tired: c.noPIN}
	c.say([]voice.Part{{Text: spoken.PIN.In(c.lang)}}, func(out voice.Outcome) {
		if out.Err != nil && !c.pin.trying && c.pin.end != nil {
			c.leavePIN() // nobody can be asked: who calls may leave a message
		}
	})
}

// guardPIN looks at who else is there as long as the PIN is asked for, or looked at. A try that waits for its turn is given up, and was none.
func (c *conversation) guardPIN() {
	switch {
	case c.others() == 0:
		c.set(&c.pin.look, lookTime, c.guardPIN)
	case c.pin.trying:
		c.pin.heard = true
		c.pin.end()
	default:
		c.noPINHere()
	}
}

// noPINHere asks for no PIN, and throws away what was keyed, since somebody else may hear it. The caller is told why, and may leave a message. Who goes on keying is not heard before the tone.
func (c *conversation) noPINHere() {
	c.log.Info("no code is taken while somebody else is connected")
	c.pinDone()
	c.call.Mouth.Stop()
	c.tell(spoken.NoPIN)
	c.stranger()
}

// pinOver ends it. A try that waits for its turn is given up, and was none; one that is being looked at is answered.
func (c *conversation) pinOver() {
	if c.pin.trying {
		c.pin.end()
		return
	}
	c.leavePIN()
}

// pinDone ends what is there for the PIN alone, whatever comes of it; but the ears stay deaf.
func (c *conversation) pinDone() {
	c.pin.limit.stop()
	c.pin.look.stop()
	if c.pin.end != nil {
		c.pin.end()
	}
	c.pin = pinning{}
}

// leavePIN goes on with whoever is not known to be the owner.
func (c *conversation) leavePIN() {
	c.pinDone()
	c.call.Ears.Deaf(false)
	c.stranger()
}

func (c *conversation) hearPIN(h voice.Heard) {
	said, ok := h.(voice.Said)
	if !ok || said.Turn.Key() == 0 || c.pin.trying {
		return // speech opens nothing, and nobody is to be brought to say a PIN aloud
	}
	if c.others() > 0 { // since it was looked at last
		c.noPINHere()
		return
	}
	c.call.Mouth.Stop()
	c.idle.stop() // it begins anew
	switch key := said.Turn.Key(); {
	case key == keyAnew:
		c.pin.digits = ""
	case key == keyVoicemail:
		c.leavePIN()
	case strings.ContainsRune("0123456789", key):
		if c.pin.digits += string(key); len(c.pin.digits) == gate.Digits {
			c.try()
		}
	}
}

// try asks the gate. It may take a while.
func (c *conversation) try() {
	pin, ctx := c.pin.digits, c.pin.ctx
	c.pin.digits, c.pin.trying = "", true
	c.help(func() func() {
		answer, err := c.o.Gate.Try(ctx, c.call.ID, pin)
		return func() {
			c.pin.trying = false
			over := ctx.Err() != nil // the time for it is
			switch {
			case c.pin.heard || c.others() > 0: // whoever it is, they had it, and the answer is told to nobody
				c.noPINHere()
			case err != nil:
				c.log.Warn("the PIN could not be checked", "code", code(err))
				c.tell(spoken.PINFailed)
				c.leavePIN()
			case answer == gate.Right:
				c.pinDone()
				c.call.Ears.Deaf(false)
				c.owner()
			case answer == gate.OutOfTries || over:
				c.tell(spoken.PINWrong)
				c.leavePIN()
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
	c.leavePIN()
}
