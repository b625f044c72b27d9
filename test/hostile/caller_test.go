package hostile

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

// said is what the caller said, or keyed in, as they know it themselves.
type said struct {
	began, came time.Time // its first sound; its last, and its words, or the key going up
	line
	key rune
}

// ears are those of a call, on the real transcript. What is heard reaches the agent a while later at times, and always in order.
type ears struct {
	heard chan voice.Heard
	queue chan late
	gone  chan struct{}
	once  sync.Once
	ended sync.WaitGroup
}

type late struct {
	h     voice.Heard
	after time.Duration
}

func newEars() *ears {
	e := &ears{heard: make(chan voice.Heard), queue: make(chan late, 4096), gone: make(chan struct{})}
	e.ended.Go(func() {
		defer close(e.heard)
		for {
			select {
			case <-e.gone:
				return
			case l := <-e.queue:
				time.Sleep(l.after)
				select {
				case e.heard <- l.h:
				case <-e.gone:
					return
				}
			}
		}
	})
	return e
}

func (e *ears) Heard() <-chan voice.Heard { return e.heard }
func (e *ears) Speak(lang.Lang)           {}
func (e *ears) Deaf(bool)                 {}
func (e *ears) Record(longest time.Duration) voice.Recording {
	r := &recording{full: make(chan struct{})}
	r.timer = time.AfterFunc(longest, func() { close(r.full) })
	return r
}

// ends ends the call, whoever wants it.
func (e *ears) ends() { e.once.Do(func() { close(e.gone) }) }

type recording struct {
	full  chan struct{}
	timer *time.Timer
}

func (r *recording) Full() <-chan struct{} { return r.full }
func (r *recording) Stop() voice.Frame {
	r.timer.Stop()
	return voice.Frame{Rate: 8000, Samples: []int16{1}}
}

// caller is who calls. They listen to the mouth, and speak when they should and when they should not.
type caller struct {
	t     testing.TB
	r     *rand.Rand
	scale float64
	news  <-chan news
	last  func() *speech // that was heard, or is just heard
	gone  <-chan struct{}
	ends  func() // the call
	pin   string
	until time.Time // when they have had enough
	brisk bool      // real time goes by: they speak faster than people, and waste none of it

	// In memory, what they say is told to the ears; on a leg, it is sent.
	ear  *voice.Ear
	ears *ears
	lazy int // of 100, how often what they say reaches the agent late
	leg  *onLeg

	mu  sync.Mutex
	log []said
}

func (c *caller) pick(all ...string) string { return all[c.r.IntN(len(all))] }

// d is some time, at the pace of the test.
func (c *caller) d(least, most int) time.Duration {
	return time.Duration(float64(least+c.r.IntN(most-least+1)) * c.scale * float64(time.Millisecond))
}

// waits waits, and says whether the call goes on.
func (c *caller) waits(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.gone:
		return false
	}
}

func (c *caller) tell(h voice.Heard) {
	after := time.Duration(0)
	if c.r.IntN(100) < c.lazy {
		after = time.Duration(c.r.IntN(900)) * time.Millisecond
	}
	select {
	case c.ears.queue <- late{h, after}:
	default:
		c.t.Error("the caller says too much for this test")
	}
}

func (c *caller) keep(s said) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, s)
}

func (c *caller) turns() []said {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.log)
}

// says says something. Of a tenth nothing is recognised, or only after a long while. It is over when its words are told.
func (c *caller) says(l line, noticed time.Duration) {
	if c.leg != nil {
		c.leg.says(c, l)
		return
	}
	if !c.waits(noticed) {
		return
	}
	u, err := c.ear.Begin(noticed)
	if err != nil {
		c.t.Error(err)
		return
	}
	began := time.Now().Add(-noticed)
	c.tell(voice.Begun{})
	long := c.d(150, 400+40*len(l.words)) - noticed
	if cuts := c.d(300, 300); long > cuts {
		if !c.waits(cuts) {
			return
		}
		c.tell(voice.Barged{})
		long -= cuts
	}
	if !c.waits(max(0, long)) {
		return
	}
	switch c.r.IntN(18) {
	case 0:
		u.Drop()
		c.tell(voice.Dropped{})
		return
	case 1:
		u.Drop()
		c.tell(voice.Dropped{Err: errDeaf})
		return
	case 2, 3: // the recogniser takes its time, and they go on meanwhile
		c.goesOn(u, said{began: began, line: l})
		return
	case 4: // and they wait
		if !c.waits(c.d(100, 16_000)) {
			return
		}
	}
	came := time.Now()
	turn, err := u.Final(untrusted.New(l.words))
	if err != nil {
		c.tell(voice.Dropped{})
		return
	}
	c.keep(said{began: began, came: came, line: l})
	c.tell(voice.Said{Turn: turn})
}

// goesOn says something else before the first is understood. Of that nobody is told before the first.
func (c *caller) goesOn(u *voice.Utterance, first said) {
	if !c.waits(c.d(100, 2000)) {
		return
	}
	next := said{began: time.Now(), line: line{c.pick(yeses...), yes}}
	if c.r.IntN(4) > 0 {
		next.line = others[c.r.IntN(len(others))]
	}
	v, err := c.ear.Begin(0)
	if err != nil {
		c.t.Error(err)
		return
	}
	if !c.waits(c.d(150, 2000)) {
		return
	}
	next.came = time.Now()
	c.keep(next)
	if !c.waits(c.d(100, 6000)) {
		return
	}
	first.came = time.Now()
	for _, s := range []struct {
		u    *voice.Utterance
		said said
		more bool
	}{{u, first, true}, {v, next, false}} {
		if !s.more {
			c.tell(voice.Begun{})
		} else {
			c.keep(s.said)
		}
		turn, err := s.u.Final(untrusted.New(s.said.words))
		if err != nil {
			c.tell(voice.Dropped{})
			continue
		}
		c.tell(voice.Said{Turn: turn, More: s.more})
	}
}

var errDeaf = errors.New("nothing understood")

// presses holds a key for a while.
func (c *caller) presses(key rune, held time.Duration) {
	if c.leg != nil {
		c.leg.presses(c, key)
		return
	}
	if !c.waits(held) {
		return
	}
	came := time.Now()
	turn, err := c.ear.Key(key, held)
	if err != nil {
		c.t.Error(err)
		return
	}
	s := said{began: time.Now().Add(-held), came: came, key: key}
	if key == '1' {
		s.means = yes
	}
	if key == '2' {
		s.means = no
	}
	c.keep(s)
	c.tell(voice.Said{Turn: turn})
}

// notices is how long a detector needs.
func (c *caller) notices() time.Duration { return c.d(0, 1) * time.Duration(c.r.IntN(200)) }

// answers says something as people answer a question.
func (c *caller) answers() {
	switch n := c.r.IntN(100); {
	case n < 55:
		c.says(line{c.pick(yeses...), yes}, c.notices())
	case n < 67:
		c.presses('1', c.d(40, 200))
	case n < 70:
		c.presses('2', c.d(40, 200))
	case n < 94:
		c.says(others[c.r.IntN(len(others))], c.notices())
	case n < 97:
		c.echoes()
	default:
		c.presses([]rune("034567*#ABCD")[c.r.IntN(12)], c.d(40, 200))
	}
}

// echoes brings back a piece of what the agent said last.
func (c *caller) echoes() {
	last := c.last()
	if last == nil {
		return
	}
	words := strings.Fields(last.text())
	if len(words) == 0 {
		return
	}
	from := c.r.IntN(len(words))
	to := min(len(words), from+1+c.r.IntN(6))
	c.says(line{strings.Trim(strings.ToLower(strings.Join(words[from:to], " ")), ".,!?:; \u202f"), echo}, c.notices())
}

// idles does something while nothing happens.
func (c *caller) idles() {
	switch n := c.r.IntN(100); {
	case n < 60:
		c.says(line{c.pick(requests...), request}, c.notices())
	case n < 66:
		c.presses([]rune("1290*#51")[c.r.IntN(8)], c.d(40, 200))
	case n < 74:
		c.says(line{c.pick(yeses...), yes}, c.notices())
	case n < 80:
		c.echoes()
	case n < 88:
		c.says(line{}, c.notices())
	case n < 92:
		c.says(others[c.r.IntN(len(others))], c.notices())
	}
}

// calls is the whole call, from the caller's side.
func (c *caller) calls(before func(*caller)) {
	before(c)
	for time.Now().Before(c.until) {
		wait := c.d(500, 6000)
		if c.leg != nil { // a read-back takes its time
			wait += 2 * time.Second
		}
		n, ok := c.hears(wait)
		select {
		case <-c.gone:
			return
		default:
		}
		switch {
		case !ok:
			c.idles()
		case n.began && c.r.IntN(2) == 0 && (c.leg == nil || c.r.IntN(2) == 0):
			c.interferes(n.of)
		case n.began:
		case c.r.IntN(100) < 85:
			c.replies()
		}
	}
	if c.brisk || c.r.IntN(3) > 0 {
		c.ends()
	} // or they fall silent, and the agent ends it
}

// replies answers a question, at once or late.
func (c *caller) replies() {
	d := c.d(0, 3000)
	if c.r.IntN(7) == 0 {
		d = c.d(3000, 17_000)
	}
	if c.leg != nil && c.r.IntN(4) > 0 { // the way is not shorter for them either, and a call in real time has few questions
		d = c.leg.trip() + 400*time.Millisecond + c.d(0, 1500)
	} else if c.brisk && c.r.IntN(4) > 0 {
		d += 400 * time.Millisecond // which is no shorter for them
	}
	if c.waits(d) {
		c.answers()
	}
}

// hears waits for a read-back to begin, or something like a question to end; whoever speaks it.
func (c *caller) hears(most time.Duration) (news, bool) {
	t := time.NewTimer(most)
	defer t.Stop()
	for {
		select {
		case n := <-c.news:
			text := n.of.text()
			quotes := slices.ContainsFunc(n.of.parts, func(p voice.Part) bool { return p.Voice == voice.QuoteVoice })
			asks := strings.Contains(text, "?") || strings.Contains(text, "1")
			if n.began && quotes && n.of.ends.After(time.Now()) || !n.began && asks && !quotes {
				return n, true
			}
		case <-t.C:
			return news{}, false
		case <-c.gone:
			return news{}, false
		}
	}
}

// interferes does something at a bad moment of a read-back.
func (c *caller) interferes(s *speech) {
	end, opens := s.ends, s.ends.Add(s.trip+300*time.Millisecond)
	at := func(t time.Time) bool { return c.waits(time.Until(t)) }
	within := func(from, to time.Time) time.Time {
		if d := to.Sub(from); d > 0 {
			return from.Add(time.Duration(c.r.Int64N(int64(d))))
		}
		return from
	}
	switch n := c.r.IntN(100); {
	case n < 25: // over it
		if at(within(time.Now(), end)) {
			c.answers()
		}
	case n < 40: // just before its end, or behind it
		if at(end.Add(-c.d(0, 500))) {
			c.answers()
		}
	case n < 60: // in the margin
		if at(within(end, opens)) {
			c.answers()
		}
	case n < 72: // at its edge
		if at(opens.Add(time.Duration(c.r.IntN(3)-1) * []time.Duration{1, time.Millisecond, 20 * time.Millisecond}[c.r.IntN(3)])) {
			if c.r.IntN(2) == 0 {
				c.presses('1', 0)
			} else {
				c.says(line{c.pick(yeses...), yes}, 0)
			}
		}
	case n < 82: // from before its end to behind it
		if at(opens.Add(-c.d(1, 1500))) {
			c.presses('1', c.d(200, 2500))
		}
	case n < 90:
		if at(within(end.Add(-time.Second), opens.Add(time.Second))) {
			c.echoes()
		}
	case n < 94:
		if at(within(time.Now(), opens.Add(time.Second))) {
			c.ends()
		}
	case c.brisk:
	default: // around the end of the time for an answer
		if at(opens.Add(15*time.Second + c.d(0, 2000) - c.d(0, 2000))) {
			c.says(line{c.pick(yeses...), yes}, 0)
		}
	}
}

// keysIn keys in a PIN.
func (c *caller) keysIn(pin string) {
	for _, k := range pin {
		c.presses(k, c.d(40, 120))
		if !c.waits(c.d(100, 300)) {
			return
		}
	}
}

// proves is an owner who keys in the PIN; not always at once.
func (c *caller) proves() {
	c.waits(c.d(500, 3000))
	if c.r.IntN(3) == 0 {
		c.says(line{"yes", yes}, 0)
	}
	tries := c.r.IntN(3)
	if c.leg != nil {
		tries /= 2
	}
	for range tries {
		if c.r.IntN(2) == 0 {
			c.keysIn(c.wrong())
		} else {
			c.keysIn(c.wrong()[:3] + "*")
		}
		c.waits(c.d(4000, 6000))
	}
	c.keysIn(c.pin)
}

func (c *caller) wrong() string {
	for {
		if p := fmt.Sprintf("%06d", c.r.IntN(1_000_000)); p != c.pin {
			return p
		}
	}
}

// guesses is somebody who does not know the PIN.
func (c *caller) guesses() {
	for range 4 {
		c.waits(c.d(500, 6000))
		c.keysIn(c.wrong())
		c.says(line{c.pick(yeses...), yes}, 0)
	}
}

func (c *caller) hangUp(context.Context) error {
	c.ends()
	return nil
}
