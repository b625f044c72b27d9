package agent

import (
	"errors"
	"strings"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/voicemail"
)

const (
	usualMessage = 2 * time.Minute
	messagePause = 10 * time.Second       // without speech, after which a message is over
	lastWords    = 500 * time.Millisecond // in which nothing is being understood, after which no more words come of it
	wordsTime    = 10 * time.Second       // for all of them: who goes on and on is not waited for
	mostWords    = 200                    // turns of a message that are kept in words
	keyDone      = '#'

	keepTime  = 30 * time.Second // in which keeping a message is tried again
	firstKeep = 250 * time.Millisecond
	hangTime  = 15 * time.Second // for the first try, once the caller has hung up, before our side does
)

// message is what a stranger leaves.
type message struct {
	at    time.Time
	sound voice.Recording
	words []untrusted.Text
}

// leaving is how far a stranger is with a message.
type leaving struct {
	begun   bool          // the call is a stranger's: a voice that fails ends nothing, since the tone says enough
	message *message      // that is being left, and is kept nowhere yet
	kept    chan struct{} // closed once it is known whether it is kept; nil before it is tried
	waits   bool          // for that
}

// stranger takes a message, and does nothing else: no model is asked, and nobody is looked up.
func (c *conversation) stranger() {
	c.o.Observe.Count(smsmcp.CallAnswered, "stranger")
	c.log.Info("call answered", "who", "stranger")
	c.mail.begun = true
	c.stage = stage{hears: func(voice.Heard) {}} // nothing counts before the tone
	greeting := c.keyed(spoken.Greeting, spoken.GreetingPlain).In(c.lang)
	if c.o.OwnerName != "" {
		greeting = c.keyed(spoken.GreetingFor, spoken.GreetingPlainFor).In(c.lang, c.o.OwnerName)
	}
	c.say([]voice.Part{{Text: greeting}, {Sound: voice.Beep}}, func(out voice.Outcome) {
		switch {
		case out.Played:
			c.record()
		case out.Err == nil:
			c.over = byFault
		default:
			c.beep()
		}
	})
}

// beep has a message begin without a greeting, where no engine can say one. What a caller leaves is taken, whether they heard the tone or not.
func (c *conversation) beep() {
	c.say([]voice.Part{{Sound: voice.Beep}}, func(out voice.Outcome) {
		if !out.Played && out.Err == nil {
			c.over = byFault
			return
		}
		c.record()
	})
}

func (c *conversation) record() {
	c.call.Ears.Deaf(false) // who came here out of a code that was being keyed in has gone on keying
	m := &message{at: c.o.Now(), sound: c.call.Ears.Record(c.o.MaxMessage)}
	c.mail.message = m
	c.stage = stage{hears: c.hearStranger, patience: messagePause, tired: c.done}
	c.help(func() func() {
		select {
		case <-m.sound.Full():
			return c.done
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
			c.done()
		case h.Turn.Key() != 0:
		default:
			c.hearing = false
			if m := c.mail.message; len(m.words) < mostWords {
				m.words = append(m.words, h.Turn.Words())
			}
		}
	}
}

// done ends a message. What the caller is still saying is waited for, since its words come late.
func (c *conversation) done() {
	if c.mail.message == nil || c.stage.patience == lastWords {
		return // it is done already
	}
	c.idle.stop()
	c.stage = stage{hears: c.hearStranger, patience: lastWords, tired: c.keepAndThank}
	c.set(&c.last, wordsTime, c.keepAndThank)
}

// keepAndThank has the message kept, and the caller told that it is: not before.
func (c *conversation) keepAndThank() {
	c.idle.stop()
	c.last.stop()
	c.stage = stage{hears: func(voice.Heard) {}}
	c.hearing = false
	c.mail.waits = true
	c.keep(func(kept bool) {
		c.mail.waits = false
		if kept {
			c.tell(spoken.Thanks)
		} else {
			c.tell(spoken.NotKept)
		}
		c.close(byAgent)
	})
}

// keep has the message kept, and goes on when the call is over. told is called in the loop, if there still is one, as soon as it is known whether that was done: a message that is on
// the disk, and no text yet, is kept, and may become one here, or with the next start.
func (c *conversation) keep(told func(kept bool)) {
	m, known := c.mail.message, make(chan struct{})
	c.mail.message, c.mail.kept = nil, known
	words := make([]string, len(m.words))
	for i, w := range m.words {
		words[i] = strings.TrimSpace(w.RawForStore())
	}
	v := voicemail.Message{
		Call: c.call.ID, Caller: c.call.Caller, At: m.at, Sound: m.sound.Stop(), Words: untrusted.New(strings.Join(words, " ")),
	}
	c.help(func() func() {
		var once sync.Once
		tell := func(kept bool) {
			once.Do(func() {
				close(known)
				c.post(func() { told(kept) })
			})
		}
		defer tell(false) // whatever becomes of it, the caller does not wait for ever
		tell(c.tryToKeep(v, tell) == nil)
		return nil
	})
}

// tryToKeep keeps a message, and tries again for a while, longer apart each time.
func (c *conversation) tryToKeep(v voicemail.Message, tell func(kept bool)) error {
	ctx, stop := c.lasting(keepTime)
	defer stop()
	for wait := firstKeep; ; wait *= 2 {
		err := c.o.Voicemail.Keep(ctx, v)
		if err == nil {
			return nil
		}
		if errors.Is(err, voicemail.ErrStore) && !errors.Is(err, voicemail.ErrLost) {
			tell(true)
		}
		again := time.NewTimer(wait)
		select {
		case <-again.C:
			c.log.Warn("a message is not stored yet", "code", code(err))
		case <-ctx.Done():
			again.Stop()
			c.log.Error("a message was not stored", "code", code(err))
			return err
		}
	}
}

// keepAfter keeps what a caller left who hung up, before our side hangs up: what a line does when its call is over is not ours.
func (c *conversation) keepAfter() {
	if c.mail.message != nil {
		c.keep(func(bool) {})
	}
	if c.mail.kept == nil {
		return
	}
	limit := time.NewTimer(hangTime)
	defer limit.Stop()
	select {
	case <-c.mail.kept:
	case <-limit.C:
	}
}
