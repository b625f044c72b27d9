package hostile

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/agent"
	"readback/voice/listen"
	"readback/voice/llm"
	"readback/voice/llm/llmtest"
	"readback/voice/speak"
)

// patience is how long anything may take on a busy machine.
const patience = 60 * time.Second

// exchange connects callers with the program.
type exchange interface {
	calls(ctx context.Context, seed uint64, w wish) (*connection, error)
}

// wish is what a call is to be like, where it can be.
type wish struct {
	page   bool // the caller is a browser, which is known to be the owner's
	others bool // somebody else is there, who says yes and presses keys
}

// connection is a call, from both ends.
type connection struct {
	leg    voice.Leg
	far    far
	number smsmcp.Number // that the caller's network says
	page   bool          // see wish
	over   func()        // the program has done with it
}

const (
	onLegs  = 20 // calls
	atOnce  = 12
	faulted = 4 // of 100 sentences that the engine begins, how often it fails
)

// playOnLeg plays calls in real time, several at once.
func playOnLeg(t *testing.T, first uint64, x exchange) {
	n, atOnce := onLegs, atOnce
	if testing.Short() || raced { // the detector takes ten times the processor
		n, atOnce = 4, 4
	}
	f := newFixture(t)
	counts := &tally{n: map[string]int{}}
	set := settings{
		scale: 0.4, least: 30, long: 15, slack: 1500 * time.Millisecond,
		wire: func(w llmtest.Wire, f func(llmtest.Request) []llmtest.Step) (*llmtest.Server, func()) {
			s := llmtest.Start(t, w, f)
			return s, s.Transport.CloseIdleConnections
		},
		limit: llm.Limits{First: 2 * time.Second, Between: time.Second, Whole: 4 * time.Second},
	}
	queue(t, seeds(t, first, n), atOnce, func(t *testing.T, seed uint64) { playsOnLeg(t, f, seed, set, counts, x) })
	t.Logf("what happened:\n%s", counts.tells())
	if alone() || n < onLegs || t.Failed() {
		return
	}
	for what, least := range map[string]int{"texts that went": 2, "read-backs that were heard whole": 10, "a yes over a quote": 1} {
		if counts.n[what] < least {
			t.Errorf("%s: %d, which is less than %d: these calls are too tame", what, counts.n[what], least)
		}
	}
}

// playsOnLeg plays one call, and looks at it.
func playsOnLeg(t *testing.T, f *fixture, seed uint64, set settings, counts *tally, x exchange) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w, stop := newWorld(ctx, t, f, seed, set, counts, r)
	defer stop()
	w.jumps = false // the leg has a clock of its own
	w.mind.eager = 40
	asking, asked := context.WithTimeout(ctx, patience)
	defer asked()
	line, err := x.calls(asking, seed, wish{page: r.IntN(2) == 0, others: r.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	defer line.over()
	defer line.far.HangUp()

	o := &onLeg{t: t, far: line.far, r: w.random(5), faulty: []int{0, faulted, faulted, 3 * faulted}[r.IntN(4)], news: make(chan news, 4096), lead: time.Hour}
	c := &caller{
		t: t, r: w.random(6), scale: set.scale, gone: line.far.Done(), ends: line.far.HangUp, news: o.news, last: o.last, pin: pin, brisk: true, leg: o,
		until: time.Now().Add(time.Duration(set.least+r.IntN(set.long)) * time.Second),
	}
	o.keep, o.trip = c.keep, line.leg.RoundTrip
	seen := &witness{pin: pin, books: []book{{people: people}}, slack: set.slack, ear: true, loose: 400 * time.Millisecond}
	w.owner = line.number
	l := []lang.Lang{lang.EN, lang.EN, lang.FR}[r.IntN(3)]
	script, ear := voice.NewTranscript(w.now)
	ears := listen.New(listen.Options{Leg: line.leg, Ear: ear, STT: o, Lang: l, Now: w.now})
	mouth := speak.New(speak.Options{Leg: line.leg, TTS: o, Now: w.now})
	call := agent.Call{ID: line.leg.ID(), Caller: line.leg.Caller(), Transcript: script, Ears: ears, Mouth: mouth, HangUp: line.leg.HangUp}
	before, stranger := (*caller).proves, false
	switch n := r.IntN(16); {
	case line.page:
		call.Owner, call.NoKeys, seen.proven = true, true, true
		before = func(*caller) {}
	case n == 0:
		before, stranger = (*caller).guesses, true
	case n == 1:
		w.owner, stranger = owner, true
		before = (*caller).guesses
	}
	a := w.agent(l)

	living, die := context.WithCancel(ctx)
	defer die()
	answering, shutDown := context.WithCancel(living)
	defer shutDown()
	var hears, talks, parts sync.WaitGroup
	parts.Go(func() { _ = ears.Run(living) })
	parts.Go(func() { _ = mouth.Run(living) })
	hears.Go(func() { o.hears() })
	talks.Go(func() { c.calls(before) })
	talks.Go(func() { w.meddles(ctx, c, seen, shutDown) })
	if line.page || seed%2 == 0 {
		talks.Go(func() { o.meddles(c, w.random(8)) })
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		a.Answer(answering, call)
	}()
	select {
	case <-over:
	case <-time.After(5 * time.Minute):
		stacks := make([]byte, 1<<20)
		t.Fatalf("seed %d: the call does not end\n%s\n%s", seed, w.log, stacks[:runtime.Stack(stacks, true)])
	}
	line.far.HangUp()
	talks.Wait()
	die()
	parts.Wait()
	hears.Wait()
	seen.speech, seen.given, seen.said = o.speeches(), o.given, c.turns()
	for _, s := range seen.speech {
		if len(s.parts) > 1 && s.whole {
			counts.add("read-backs that were heard whole", 1)
		}
	}
	w.judges(seen, stranger)
}
