package agent

import (
	"time"

	"readback/smsmcp/lang/spoken"
	"readback/voice"
)

const (
	lookTime  = time.Second      // how often it is looked at who else is there
	warnTime  = time.Minute      // before who was told of is told of again: who comes and goes is not to fill the call, nor to keep it from ending in silence
	againTime = 10 * time.Second // before a warning is given again that was not heard whole
	mostTried = 3                // times one is given that no engine can say; a voice that can say nothing at all ends the call by itself
)

// around is who else is connected, as far as the owner knows.
type around struct {
	shown int // how many, on the screen
	told  int // and aloud, of those who are still there
	owed  int // most that there were at once since then, of whom it is to be told, though they may have gone; 0: nothing is
	most  int // that was ever told of
	tried int // how often it could not be

	telling            bool
	look, pause, again alarm
}

// others is how many are connected besides the caller and us.
func (c *conversation) others() int {
	if c.call.Others == nil {
		return 0
	}
	return max(0, c.call.Others())
}

// lookAround shows how many others are connected, and says so when there are more than before, or were while nothing could be said. It is not said before each read-back: whoever else is
// there has no way to a yes, and what is said each time is no longer heard.
func (c *conversation) lookAround() {
	if c.call.Others == nil {
		return
	}
	a, n := &c.around, c.others()
	if n != a.shown {
		a.shown = n
		c.show(voice.ShownOthers{Count: n})
	}
	a.told = min(a.told, n)
	if n > a.told {
		a.owed = max(a.owed, n)
	}
	if a.owed > 0 && (a.owed > a.most || !a.pause.set()) && !a.again.set() && c.mayWarn() {
		c.warn(n)
	}
	c.set(&a.look, lookTime, c.lookAround)
}

// warn says that n others are connected, or that more were. What was not played whole was not said.
func (c *conversation) warn(n int) {
	a, owed, words := &c.around, c.around.owed, spoken.Overheard
	if n <= a.told {
		words = spoken.WasOverheard
	}
	a.telling = true
	c.say([]voice.Part{{Text: words.In(c.lang)}}, func(out voice.Outcome) {
		a.telling = false
		if !out.Played {
			if out.Err != nil {
				a.tried++
			}
			if a.tried < mostTried {
				c.set(&a.again, againTime, func() {})
				return
			}
			c.log.Error("the owner could not be told that others are connected")
		}
		c.set(&a.pause, warnTime, func() {})
		a.told, a.most, a.tried = n, max(a.most, owed), 0
		if a.owed == owed { // nobody came meanwhile
			a.owed = 0
		}
	})
}

// mayWarn says whether a warning would cut into nothing: no draft or what becomes of it, nothing that the caller says or the model answers.
func (c *conversation) mayWarn() bool {
	_, pending := c.machine.Pending()
	return !pending && !c.recording && !c.hearing && c.turn == nil && c.closing == "" && !c.around.telling
}
