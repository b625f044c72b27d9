package agent

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/consent"
)

// The times of a call.
const (
	firstThought  = 1200 * time.Millisecond // until the first thinking sound
	nextThought   = 4 * time.Second         // until the next
	patience      = 25 * time.Second        // with an owner who is silent
	closeTime     = 20 * time.Second        // for the last words of a call
	longestCall   = time.Hour               // a radio that is left on would talk to the model for ever
	logTime       = 15 * time.Second        // for writing down that a draft is no more, and for ending the line
	dispatchTime  = time.Minute             // for carrying out a yes; the door has a bound of its own, below it
	longestSpeech = 5 * time.Minute         // a mouth that says nothing of an utterance for so long has failed
)

// conversation is one call. All of it belongs to the loop, but for ctx, events, ended and helpers.
//
// What the ears heard and what the mouth has said come by two ways, so the loop may take them in another order than that in which they happened. No order makes a yes of what was none:
// a turn carries the time at which it began, which the ears wrote down, and an answer may begin a while after the loop took the end of the read-back, and of the question, which is never
// before that end left. So where the loop takes that end late, it is only stricter; and a turn that it takes late, or whose beginning it took before that end, is too early, as it was. The
// beginning and the end of one read-back come by one way, in order. What a caller says after a yes that is not understood yet the loop does not know; that there is something the yes tells.
type conversation struct {
	o    Options
	call Call
	log  *slog.Logger

	outside context.Context // ended by who had the call answered
	ctx     context.Context // of helpers
	cancel  context.CancelFunc
	events  chan func()   // what helpers found out, to be called in the loop
	ended   chan struct{} // closed once the loop takes no more
	helpers sync.WaitGroup

	stage   stage
	lang    lang.Lang
	over    ending // why the call is over; empty as long as it is not
	closing ending // why it ends, once all is said
	asked   int    // how often the caller was asked for the PIN, or whether they are there

	hearing  bool // the caller is saying something
	barge    bool // and cut in
	speaking int  // utterances on their way
	sorry    bool // that something could not be said is being said
	hushed   int  // thinking sounds of one wait

	pin  pinning
	mail leaving

	machine   consent.Machine
	deadline  time.Time  // to which silence is set
	draft     *draft     // that the machine has
	recording bool       // what became of a draft is being carried out, and written down
	outcome   *utterance // what became of the last draft, on its way to be said

	history history
	turn    *turn    // what the model is at
	due     bool     // the model is to be asked, as soon as it may be
	reading *reading // texts that are being read aloud

	known  bool   // the caller is the owner, to whom the call is shown
	around around // who else is there

	silence, thinking, idle, last, whole, listens alarm
}

// stage is where a call is: what is done with what is heard, and when nothing is.
type stage struct {
	hears    func(voice.Heard)
	patience time.Duration // of a time in which nothing is said and nothing done; 0: endless
	tired    func()        // when it is over
}

// ending is why a call is over: a code.
type ending string

// The endings.
const (
	byCaller  ending = "caller"
	byAgent   ending = "agent"
	bySilence ending = "silence"
	byLength  ending = "too_long"
	byFault   ending = "fault"     // no engine could speak, or the program broke
	byProgram ending = "shut_down" // from outside
)

func newConversation(ctx context.Context, o Options, call Call) *conversation {
	c := &conversation{o: o, call: call, log: o.Log.With("call", call.ID), outside: ctx, events: make(chan func()), ended: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.speak(o.Lang)
	return c
}

// speak sets the language. No draft is pending then: the machine begins anew, with the questions of that language.
func (c *conversation) speak(l lang.Lang) {
	c.lang = l
	c.call.Ears.Speak(l)
	c.machine = consent.New(consent.Prompts{Ask: spoken.Ask.In(l), Keypad: c.keyed(spoken.Keypad, spoken.OneWord).In(l)})
}

func (c *conversation) begin() {
	c.set(&c.whole, longestCall, func() { c.over = byLength })
	if c.call.Owner {
		c.owner()
	} else {
		c.call.Ears.Deaf(true)                               // before it is looked up who calls: the first digits may come at once
		if !c.call.NoKeys && c.o.Gate.Known(c.call.Caller) { // without keys nobody can key in a code, and nobody is to say one aloud
			c.askPIN()
		} else {
			c.leavePIN()
		}
	}
	c.settle()
}

// keyed gives a sentence that names keys, or for a caller who has none the one in its place.
func (c *conversation) keyed(m, without lang.Message) lang.Message {
	if c.call.NoKeys {
		return without
	}
	return m
}

// loop takes what happens, one after the other, until the call is over. Nothing in it waits.
func (c *conversation) loop() {
	defer func() {
		if recover() != nil {
			c.crashed()
			c.over = byFault
		}
	}()
	c.begin()
	for c.over == "" {
		select {
		case h, ok := <-c.call.Ears.Heard():
			if !ok {
				c.over = byCaller
				break
			}
			if s, ok := h.(voice.Said); !ok || !c.call.NoKeys || s.Turn.Key() == 0 {
				c.stage.hears(h)
			}
		case found := <-c.events:
			found()
		case <-c.outside.Done():
			c.over = byProgram
		}
		c.settle()
	}
}

// end ends what is left. A draft that waits is withdrawn, a yes is carried out, a message is kept.
func (c *conversation) end() {
	c.step(consent.HungUp{})
	c.drop()
	for _, a := range []*alarm{&c.silence, &c.thinking, &c.idle, &c.last, &c.whole, &c.listens, &c.around.look, &c.around.pause, &c.around.again, &c.pin.limit, &c.pin.look} {
		a.stop()
	}
	close(c.ended)
	c.cancel()
	c.call.Mouth.Stop()
	c.keepAfter()
	c.hangUp()
	c.helpers.Wait()
	c.o.Observe.Count(smsmcp.CallEnded, string(c.over))
	c.log.Info("call ended", "why", string(c.over))
}

func (c *conversation) hangUp() {
	ctx, stop := c.lasting(logTime)
	defer stop()
	if err := c.call.HangUp(ctx); err != nil && !errors.Is(err, voice.ErrHungUp) {
		c.log.Warn("the line was not ended", "code", code(err))
	}
}

// close ends the call once all that is on its way was said.
func (c *conversation) close(why ending) {
	c.closing = why
	c.set(&c.last, closeTime, func() { c.over = why })
}

// settle sets the timers by what the conversation is at, after each thing that happened.
func (c *conversation) settle() {
	if c.call.NoKeys && c.machine.KeysAlone() { // who was spoken over three times waits for no key that cannot come
		c.step(consent.Interrupted{Reading: c.draft.reading})
	}
	_, pending := c.machine.Pending()
	still := c.speaking == 0 && !c.hearing && !pending
	busy := c.turn != nil || c.recording || c.pin.trying || c.mail.waits
	if c.closing != "" && still && !busy && c.over == "" {
		c.over = c.closing
	}
	at, waits := c.machine.Deadline()
	if !at.Equal(c.deadline) {
		c.silence.stop()
		c.deadline = at
	}
	c.during(waits, &c.silence, at.Sub(c.o.Now()), func() { c.step(consent.Silence{}) })

	thought := nextThought
	if !busy {
		c.hushed = 0
	}
	if c.hushed == 0 {
		thought = firstThought
	}
	c.during(still && busy, &c.thinking, thought, c.hum)
	c.during(still && !busy && c.closing == "" && c.stage.patience > 0, &c.idle, c.stage.patience, c.stage.tired)
}

// hum plays the sound that says that it goes on.
func (c *conversation) hum() {
	c.hushed++
	c.say([]voice.Part{{Sound: voice.Thinking}}, nil)
}

// lasting is a context for what goes on when the call has ended.
func (c *conversation) lasting(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.outside), d)
}

// help runs work in a goroutine of its own. What it answers is called in the loop, unless the call is over.
func (c *conversation) help(work func() (found func())) {
	c.helpers.Go(func() {
		defer func() {
			if recover() != nil { // in a goroutine of its own it would end the program
				c.crashed()
				c.post(func() { c.over = byFault })
			}
		}()
		if found := work(); found != nil {
			c.post(found)
		}
	})
}

// crashed logs where the program broke, and nothing of what it broke on.
func (c *conversation) crashed() { c.log.Error("a call broke", "stack", string(debug.Stack())) }

// post has the loop call something, and says whether it does: not once the call is over.
func (c *conversation) post(found func()) bool {
	select {
	case c.events <- found:
		return true
	case <-c.ended:
		return false
	}
}

// alarm is a timer that the loop hears. Timers keep their own time: no clock that is set makes one longer.
type alarm struct {
	timer *time.Timer
	live  *bool // false once it was stopped or rang
}

// set has an alarm ring after a while, and not when it was to ring before.
func (c *conversation) set(a *alarm, d time.Duration, ring func()) {
	a.stop()
	live := true
	a.live = &live
	a.timer = time.AfterFunc(d, func() {
		c.post(func() {
			if live {
				live = false
				ring()
			}
		})
	})
}

// during keeps an alarm set as long as something is so.
func (c *conversation) during(so bool, a *alarm, d time.Duration, ring func()) {
	switch {
	case !so:
		a.stop()
	case !a.set():
		c.set(a, d, ring)
	}
}

// set says whether it is to ring.
func (a *alarm) set() bool { return a.live != nil && *a.live }

func (a *alarm) stop() {
	if a.live != nil && *a.live {
		*a.live = false
		a.timer.Stop()
	}
}
