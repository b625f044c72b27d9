package speak

import (
	"context"
	"errors"
	"sync"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
)

// Why something could not be said. None of them holds anything of its words, and each is a code that may be shown or logged.
var (
	ErrNoEngine = errors.New("no_voice")      // there is none
	ErrStalled  = errors.New("voice_stalled") // no sound came in time
	ErrCrashed  = errors.New("voice_crashed") // it panicked
	ErrEngine   = errors.New("voice_failed")  // it ended with an error, which is wrapped, and not printed
	ErrShort    = errors.New("voice_short")   // it gave less sound than so many words can have, and no error
	ErrEndless  = errors.New("voice_endless") // it did not end
	ErrSound    = errors.New("voice_rate")    // its sound has a rate that is not one of speech, or changes
	ErrLeg      = errors.New("leg_refused")   // the leg did not take the sound
	ErrFull     = errors.New("mouth_full")    // too much was to be said
)

// Options are what a mouth is made of.
type Options struct {
	Leg voice.Leg
	TTS voice.TTS // nil: words cannot be said
	// Second speaks what TTS cannot, if nothing of it was given to the leg yet. nil: none.
	Second voice.TTS
	Now    func() time.Time

	Patience time.Duration // for an engine's next piece of sound; 0 for 5 s
	Ahead    time.Duration // how much sound of words is made before the leg takes it; 0 for 8 s
	Again    time.Duration // for how long Second speaks everything once TTS has failed; 0 for 30 s, less than 0 for none
}

// most is how much may wait to be said.
const most = 512

// Mouth is a voice.Mouth over a leg.
type Mouth struct {
	o      Options
	sounds map[voice.Sound][]int16

	mu     sync.Mutex
	over   bool
	queue  []*speech     // what has no outcome yet, in the order in which it was given
	marks  []mark        // what the leg is still to answer
	ahead  int           // samples of words that were made and not given to the leg
	rested time.Time     // when TTS is tried again
	wake   chan struct{} // closed, and made anew, when something changed
}

var _ voice.Mouth = (*Mouth)(nil)

// New makes the mouth of one call. What is given to it waits until Run.
func New(o Options) *Mouth {
	if o.Patience <= 0 {
		o.Patience = 5 * time.Second
	}
	if o.Ahead <= 0 {
		o.Ahead = 8 * time.Second
	}
	if o.Again == 0 {
		o.Again = 30 * time.Second
	}
	return &Mouth{o: o, sounds: sounds(o.Leg.Rate()), wake: make(chan struct{})}
}

// speech is a voice.Speech.
type speech struct {
	l       lang.Lang
	parts   []voice.Part
	ctx     context.Context // ends when it is over
	cancel  context.CancelFunc
	started chan struct{}
	done    chan voice.Outcome

	// Guarded by the mouth's mutex.
	pieces []piece // made, and not given to the leg
	ready  bool    // words of it, or all, are made: it may be given
	made   bool    // all that there will be
	err    error   // why that is not all of it
	given  bool    // the leg was given something of it, or is just being
	fed    bool    // the leg was given all that there is
	any    bool    // the leg took a sample
	cut    bool    // the leg did not take all
	whole  int     // parts that were played, from the first on
	lost   bool    // one was not
	over   bool    // its outcome is known
}

// piece is some sound of a part, and whether it is the last of it.
type piece struct {
	pcm   []int16
	words bool
	end   bool
}

// mark is a mark of the leg. The one behind the last sample tells the outcome.
type mark struct {
	s    *speech
	ch   <-chan voice.Mark
	kind kind
}

type kind int

const (
	before kind = iota // a speech: what was lost before it is none of it
	behind             // a part
	last               // a speech
)

func (s *speech) Started() <-chan struct{}   { return s.started }
func (s *speech) Done() <-chan voice.Outcome { return s.done }

// Say implements voice.Mouth. When too much waits already, or the call is over, the outcome is there at once. A speech without any sound is not played.
func (m *Mouth) Say(l lang.Lang, what ...voice.Part) voice.Speech {
	ctx, cancel := context.WithCancel(context.Background())
	s := &speech{l: l, parts: append([]voice.Part(nil), what...), ctx: ctx, cancel: cancel, started: make(chan struct{}), done: make(chan voice.Outcome, 1)}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.over:
		m.settle(s, false, m.o.Now())
	case len(m.queue) >= most:
		s.err = ErrFull
		m.settle(s, false, m.o.Now())
	default:
		m.queue = append(m.queue, s)
		m.stir()
	}
	return s
}

// Stop implements voice.Mouth. What is just leaving the leg is not called back; it is not played either way. What is given to Say after Stop has begun, from another
// goroutine, may be among what is stopped; after it has returned, not.
func (m *Mouth) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.o.Now()
	for _, s := range append([]*speech(nil), m.queue...) {
		s.err = nil
		m.settle(s, false, at)
	}
	m.o.Leg.Clear() // under the lock: nothing that comes later is cleared
}

// settle gives a speech its outcome; m.mu is held.
func (m *Mouth) settle(s *speech, played bool, at time.Time) {
	if s.over {
		return
	}
	s.over = true
	m.forget(s)
	for i, o := range m.queue {
		if o == s {
			m.queue = append(m.queue[:i], m.queue[i+1:]...)
			break
		}
	}
	s.cancel()
	s.done <- voice.Outcome{Played: played, At: at, RoundTrip: m.o.Leg.RoundTrip(), Whole: s.whole, Err: s.err}
	m.stir()
}

// forget throws away what was made of a speech and not given; m.mu is held.
func (m *Mouth) forget(s *speech) {
	for _, p := range s.pieces {
		m.count(p, -1)
	}
	s.pieces = nil
}

func (m *Mouth) count(p piece, sign int) {
	if p.words {
		m.ahead += sign * len(p.pcm)
	}
}

// stir wakes those who wait; m.mu is held.
func (m *Mouth) stir() {
	close(m.wake)
	m.wake = make(chan struct{})
}

// Run speaks until the call is over or ctx ends; then all that is not said has its outcome. It is called once, and answers voice.ErrHungUp or ctx's error.
func (m *Mouth) Run(ctx context.Context) error {
	run, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	wg.Go(func() { m.compose(run) })
	wg.Go(func() { m.feed(run) })
	wg.Go(func() { m.judge(run) })
	err, over := voice.ErrHungUp, true
	select {
	case <-m.o.Leg.Done():
	case <-ctx.Done():
		err, over = ctx.Err(), false
	}
	m.mu.Lock()
	m.over = true
	at := m.o.Now()
	for _, s := range append([]*speech(nil), m.queue...) {
		s.err = nil
		m.settle(s, false, at)
	}
	if !over {
		m.o.Leg.Clear()
	}
	m.mu.Unlock()
	stop()
	wg.Wait()
	return err
}
