package agent

import (
	"readback/voice"
)

// show has something shown to the owner, where the call has a screen. Nothing here looks at what becomes of it: a screen that breaks ends nothing, and no answer comes by one.
func (c *conversation) show(s voice.Shown) {
	if c.call.Screen == nil || !c.known {
		return
	}
	defer func() {
		if recover() != nil {
			c.crashed()
		}
	}()
	c.call.Screen.Show(s)
}

// showTurn shows what was said. A key that was pressed as one of a PIN stands in no transcript, and is not shown.
func (c *conversation) showTurn(t voice.Turn) {
	if t.Number() > 0 {
		c.show(voice.ShownTurn{Turn: t})
	}
}

// showDraft shows what is read back from now on.
func (c *conversation) showDraft(d *draft, s voice.ShownDraft) {
	if !d.shown {
		d.shown = true
		c.show(s)
	}
	c.showStage(d, voice.StageReading)
}

// showStage shows how far a draft is, if that was shown.
func (c *conversation) showStage(d *draft, s voice.Stage) {
	if d.shown {
		c.listens.stop()
		c.show(voice.ShownStage{Stage: s})
	}
}

// showListening shows that an answer counts, once a question was spoken: not before one does, and not where it is another question by now.
func (c *conversation) showListening(d *draft, question int) {
	c.set(&c.listens, max(0, d.opens.Sub(c.o.Now())), func() {
		if _, waits := c.machine.Deadline(); waits && c.draft == d && d.question == question {
			c.showStage(d, voice.StageListening)
		}
	})
}
