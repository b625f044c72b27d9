package listen

import (
	"testing"
	"testing/synctest"
	"time"

	"readback/voice"
	"readback/voice/voicetest"
)

// TestInvariant11DeafEarsGiveNothingAway: while a PIN is keyed in no sound goes to a recogniser, and no key is in the transcript; both are as before when that is over.
func TestInvariant11DeafEarsGiveNothingAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recogniser{}
		c := dial(t, Options{STT: r}, voicetest.Options{}, nil)
		c.say(line(time.Second, 1))
		c.say(sentence(t)[:4000]) // it is being said when they become deaf
		c.ears.Deaf(true)
		c.say(sentence(t))
		c.say(line(2*time.Second, 2))
		r.mu.Lock()
		before := len(r.all)
		r.mu.Unlock()
		c.say(sentence(t))
		c.say(line(2*time.Second, 3))
		c.leg.Press("7", 0)
		synctest.Wait()
		r.mu.Lock()
		if before > 1 || len(r.all) != before {
			t.Errorf("the recogniser was asked %d times", len(r.all))
		}
		for _, h := range r.all {
			h.mu.Lock()
			if !h.cancelled {
				t.Error("what was being said went on to the recogniser")
			}
			h.mu.Unlock()
		}
		r.mu.Unlock()
		if n := len(c.said.Turns()); n != 0 {
			t.Errorf("%d turns in the transcript", n)
		}
		keys, begun := 0, 0
		c.mu.Lock()
		for _, e := range c.events {
			switch h := e.h.(type) {
			case voice.Begun:
				begun++
			case voice.Dropped:
				begun--
			case voice.Said:
				if h.Turn.Key() != '7' {
					t.Errorf("%v was said", h.Turn)
				}
				keys++
			}
		}
		c.mu.Unlock()
		if keys != 1 || begun != 0 {
			t.Errorf("%d keys were told of, and %d utterances have no end", keys, begun)
		}
		c.ears.Deaf(false)
		c.utterances(1)
		c.leg.Press("8", 0)
		synctest.Wait()
		if all := c.said.Turns(); len(all) != 2 || all[0].Key() != 0 || all[1].Key() != '8' {
			t.Errorf("%d turns when that is over", len(all))
		}
	})
}
