package agent

import (
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/voicemail"
)

const (
	longestMessage = 2 * time.Minute
	messagePause   = 10 * time.Second // without speech, after which a message is over
	mostWords      = 200              // turns of a message that are kept in words
	keyDone        = '#'
)

// message is what a stranger leaves.
type message struct {
	at    time.Time
	sound voice.Recording
	words []untrusted.Text
}

// stranger takes a message, and does nothing else: no model is asked, and nobody is looked up.
func (c *conversation) stranger() {
	c.o.Observe.Count(smsmcp.CallAnswered, "stranger")
	c.log.Info("call answered", "who", "stranger")
	c.stage = stage{hears: func(voice.Heard) {}} // nothing counts before the tone
	greeting := spoken.Greeting.In(c.lang)
	if c.o.OwnerName != "" {
		greeting = spoken.GreetingFor.In(c.lang, c.o.OwnerName)
	}
	c.say([]voice.Part{{Text: greeting}, {Sound: voice.Beep}}, func(out voice.Outcome) {
		if !out.Played {
			c.over = byFault
			return
		}
		c.record()
	})
}

func (c *conversation) record() {
	m := &message{at: c.o.Now(), sound: c.call.Ears.Record(longestMessage)}
	c.message = m
	c.stage = stage{hears: c.hearStranger, patience: messagePause, tired: c.thank}
	c.help(func() func() {
		select {
		case <-m.sound.Full():
			return c.thank
		case <-c.ended:
			return nil
		}
	})
}

func (c *conversation) hearStranger(h voice.Heard) {
	switch h := h.(type) {
	case voice.Begun:
		c.hearing = true
	case voice.Dropped:
		c.hearing = false
	case voice.Said:
		switch {
		case h.Turn.Key() == keyDone:
			c.thank()
		case h.Turn.Key() != 0:
		default:
			c.hearing = false
			if len(c.message.words) < mostWords {
				c.message.words = append(c.message.words, h.Turn.Words())
			}
		}
	}
}

// thank ends the call. What the caller is still saying is waited for, since its words come late.
func (c *conversation) thank() {
	if c.closing == "" {
		c.tell(spoken.Thanks)
		c.close(byAgent)
	}
}

// keep keeps the message, however the call ended.
func (c *conversation) keep() {
	m := c.message
	if m == nil {
		return
	}
	words := make([]string, len(m.words))
	for i, w := range m.words {
		words[i] = strings.TrimSpace(w.RawForStore())
	}
	ctx, stop := c.lasting(dispatchTime)
	defer stop()
	err := c.o.Voicemail.Keep(ctx, voicemail.Message{
		Call: c.call.ID, Caller: c.call.Caller, At: m.at, Sound: m.sound.Stop(), Words: untrusted.New(strings.Join(words, " ")),
	})
	if err != nil {
		c.log.Error("a message was not kept", "code", code(err))
	}
}
