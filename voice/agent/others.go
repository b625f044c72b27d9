package agent

import (
	"time"

	"readback/smsmcp/lang/spoken"
	"readback/voice"
)

const (
	lookTime = time.Second      // how often it is looked at who else is there
	warnTime = time.Minute      // before who was told of is told of again: who comes and goes is not to fill the call, nor to keep it from ending in silence
	cutTime  = 10 * time.Second // before a warning is given again that the caller, or a draft, has cut
)

// around is who else is connected, as far as the owner knows.
type around struct {
	shown int // how many, on the screen
	told  int // and aloud
	most  int // that was ever told of

	telling          bool
	look, pause, cut alarm
}

// lookAround shows how many others are connected, and says so when there are more than before. It is not said before each read-back: whoever else is there has no way to a yes, and what is
// said each time is no longer heard.
func (c *conversation) lookAround() {
	if c.call.Others == nil {
		return
	}
	a, n := &c.around, max(0, c.call.Others())
	if n != a.shown {
		a.shown = n
		c.show(voice.ShownOthers{Count: n})
	}
	a.told = min(a.told, n)
	if n > a.told && (n > a.most || !a.pause.set()) && !a.cut.set() && c.mayWarn() {
		a.telling = true
		c.say([]voice.Part{{Text: spoken.Overheard.In(c.lang)}}, func(out voice.Outcome) {
			a.telling = false
			if !out.Played && out.Err == nil {
				c.set(&a.cut, cutTime, func() {})
				return
			}
			c.set(&a.pause, warnTime, func() {})
			a.told, a.most = n, max(a.most, n)
		})
	}
	c.set(&a.look, lookTime, c.lookAround)
}

// mayWarn says whether a warning would cut into nothing: no draft or what becomes of it, nothing that the caller says or the model answers.
func (c *conversation) mayWarn() bool {
	_, pending := c.machine.Pending()
	return !pending && !c.recording && !c.hearing && c.turn == nil && c.closing == "" && !c.around.telling
}
