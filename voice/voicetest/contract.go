package voicetest

import (
	"context"
	"errors"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/voice"
)

// Far is the caller's end of a call.
type Far interface {
	Send(pcm []int16)      // the caller speaks, at the leg's rate, behind what was sent before; it does not wait
	Received() []int16     // all that the caller has heard so far, at the leg's rate, silence where nothing came
	Press(key rune)        // the caller presses a key, and lets go of it
	HangUp()               // the caller hangs up
	Done() <-chan struct{} // closed when the call is over for the caller
}

// Maker makes a call that goes on: the leg, and its caller. What it needs ends with t.
type Maker func(t *testing.T) (voice.Leg, Far)

// Rule is one thing that every leg does.
type Rule struct {
	Name  string
	Check func(t *testing.T, leg voice.Leg, far Far)
}

// soon is how long what happens at once may take on a busy machine. Nothing that waits for sound to be played would be so fast: there are more than two seconds of it.
const soon = time.Second

// Contract checks all rules, each with a call of its own, and that no goroutine of a package of voice is left of any. A maker that runs in virtual time goes through
// Rules itself.
func Contract(t *testing.T, one Maker) {
	for _, r := range Rules() {
		before := goroutines()
		t.Run(r.Name, func(t *testing.T) {
			leg, far := one(t)
			r.Check(t, leg, far)
		})
		limit := time.Now().Add(10 * time.Second)
		for goroutines() > before {
			if time.Now().After(limit) {
				t.Fatalf("%s: %d goroutines before, %d after:\n%s", r.Name, before, goroutines(), stacks())
			}
			runtime.Gosched()
			<-time.After(10 * time.Millisecond)
		}
	}
}

func stacks() string {
	buf := make([]byte, 4<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

// goroutines counts those in which code of voice runs, but for tests.
func goroutines() (n int) {
	for one := range strings.SplitSeq(stacks(), "\n\n") {
		if strings.Contains(one, "readback/voice/") && !strings.Contains(one, "testing.tRunner") {
			n++
		}
	}
	return n
}

// Rules are all rules. Who is given one has a call of its own for it.
func Rules() []Rule {
	return []Rule{
		{"it says what it is", saysWhatItIs},
		{"the caller is heard once, at the pace of speech", heardOnce},
		{"the caller hears once what is played", playedOnce},
		{"Play waits while more than a second waits", backPressure},
		{"a mark is answered when its sound was played", marks},
		{"Clear silences, and no mark answers that it was played", clears},
		{"keys come in their order", keys},
		{"we hang up", func(t *testing.T, leg voice.Leg, far Far) {
			ends(t, leg, func() {
				if err := leg.HangUp(t.Context()); err != nil {
					t.Errorf("hanging up: %v", err)
				}
			})
			select {
			case <-far.Done():
			case <-time.After(10 * time.Second):
				t.Error("the caller was never told")
			}
		}},
		{"the caller hangs up", func(t *testing.T, leg voice.Leg, far Far) { ends(t, leg, far.HangUp) }},
		{"what came before the end is not heard after it", func(t *testing.T, leg voice.Leg, far Far) {
			far.Send(Tone(leg.Rate(), 700, 2*time.Second))
			<-time.After(400 * time.Millisecond) // and nobody hears
			if err := leg.HangUp(t.Context()); err != nil {
				t.Errorf("hanging up: %v", err)
			}
			if f, err := leg.Hear(t.Context()); !errors.Is(err, voice.ErrHungUp) {
				t.Errorf("heard %v, %v", f.Duration(), err)
			}
		}},
		{"all at once", allAtOnce},
	}
}

var ids = regexp.MustCompile(`^[A-Za-z0-9._-]{1,150}$`)

func saysWhatItIs(t *testing.T, leg voice.Leg, _ Far) {
	if !ids.MatchString(leg.ID()) {
		t.Errorf("the name %q is none for a log", leg.ID())
	}
	if leg.Rate() < 8000 || leg.Rate() > 48000 {
		t.Errorf("a rate of %d", leg.Rate())
	}
	if rt := leg.RoundTrip(); rt <= 0 || rt > 2*time.Second {
		t.Errorf("a round trip of %v", rt)
	}
	select {
	case <-leg.Done():
		t.Error("it is over before it began")
	default:
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // what has come already may be given
		_, err := leg.Hear(ctx)
		if err == nil {
			continue
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("hearing when ctx is over: %v", err)
		}
		return
	}
	t.Error("it hears on when ctx is over")
}

// heardOnce sends five bursts and looks for five.
func heardOnce(t *testing.T, leg voice.Leg, far Far) {
	rate := leg.Rate()
	for range 5 {
		far.Send(Tone(rate, 700, 100*time.Millisecond))
		far.Send(Silence(rate, 200*time.Millisecond))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var all []int16
	began := time.Now()
	for time.Since(began) < 2500*time.Millisecond {
		f, err := leg.Hear(ctx)
		if err != nil {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
		if d := f.Duration(); f.Rate != rate || d < 10*time.Millisecond || d > 60*time.Millisecond {
			t.Fatalf("a frame of %v at %d", d, f.Rate)
		}
		all = append(all, f.Samples...)
	}
	// What came before the first Hear may be there as well, up to a second and a half.
	if heard := (voice.Frame{Rate: rate, Samples: all}).Duration(); heard < 2*time.Second || heard > 4*time.Second {
		t.Errorf("in %v were heard %v", time.Since(began), heard)
	}
	five(t, all, rate)
}

// five looks for five bursts of 100 ms.
func five(t *testing.T, pcm []int16, rate int) {
	t.Helper()
	got := Bursts(pcm, rate)
	if len(got) != 5 {
		t.Fatalf("five bursts of 100 ms came as %v", got)
	}
	for _, d := range got {
		if d < 70*time.Millisecond || d > 190*time.Millisecond {
			t.Errorf("five bursts of 100 ms came as %v", got)
		}
	}
}

func playedOnce(t *testing.T, leg voice.Leg, far Far) {
	rate := leg.Rate()
	for range 5 {
		play(t, leg, Tone(rate, 700, 100*time.Millisecond))
		play(t, leg, Silence(rate, 200*time.Millisecond))
	}
	if m := answer(t, leg.Mark(), 10*time.Second); !m.Played || m.Left != 0 {
		t.Errorf("the mark says %+v", m)
	}
	// Played means that it left: it arrives by the way to the caller.
	limit := time.Now().Add(5 * time.Second)
	for len(Bursts(far.Received(), rate)) < 5 && time.Now().Before(limit) {
		<-time.After(20 * time.Millisecond)
	}
	<-time.After(leg.RoundTrip()) // and nothing comes behind it
	five(t, far.Received(), rate)
}

func play(t *testing.T, leg voice.Leg, pcm []int16) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := leg.Play(ctx, voice.Frame{Rate: leg.Rate(), Samples: pcm}); err != nil {
		t.Fatalf("playing: %v", err)
	}
}

// answer waits for a mark's one answer.
func answer(t *testing.T, m <-chan voice.Mark, within time.Duration) voice.Mark {
	t.Helper()
	select {
	case got := <-m:
		return got
	case <-time.After(within):
		t.Errorf("a mark was not answered within %v", within)
		return voice.Mark{}
	}
}

func backPressure(t *testing.T, leg voice.Leg, _ Far) {
	rate := leg.Rate()
	began := time.Now()
	for range 6 {
		play(t, leg, Silence(rate, 500*time.Millisecond))
	}
	// The last was taken when no more than a second of the 2.5 s before it waited.
	if took := time.Since(began); took < 1400*time.Millisecond || took > 4*time.Second {
		t.Errorf("three seconds were taken within %v", took)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	before := leg.Mark()
	if err := leg.Play(ctx, voice.Frame{Rate: rate, Samples: Silence(rate, 10*time.Second)}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("what waited longer than its ctx: %v", err)
	}
	behind := leg.Mark()
	first, second := answer(t, before, 5*time.Second), answer(t, behind, 5*time.Second)
	if !first.Played || !second.Played || second.At.Sub(first.At) > time.Second {
		t.Errorf("a frame that was not taken was played, or lost another: %+v, %+v", first, second)
	}
	over, cancel2 := context.WithCancel(t.Context())
	cancel2()
	if err := leg.Play(over, voice.Frame{Rate: rate, Samples: Silence(rate, time.Second)}); !errors.Is(err, context.Canceled) {
		t.Errorf("playing when ctx is over: %v", err)
	}
}

func marks(t *testing.T, leg voice.Leg, _ Far) {
	rate := leg.Rate()
	if m := answer(t, leg.Mark(), soon); !m.Played || m.Left != 0 || m.At.IsZero() {
		t.Errorf("a mark behind nothing says %+v", m)
	}
	began := time.Now()
	before := leg.Mark()
	play(t, leg, Tone(rate, 700, 600*time.Millisecond))
	behind := leg.Mark()
	play(t, leg, Tone(rate, 700, 600*time.Millisecond))
	last := leg.Mark()
	first := answer(t, before, soon)
	select {
	case m := <-behind:
		t.Errorf("600 ms of sound are played after %v: %+v", time.Since(began), m)
	default:
	}
	second := answer(t, behind, 5*time.Second)
	third := answer(t, last, 5*time.Second)
	if took := time.Since(began); took < 1150*time.Millisecond {
		t.Errorf("1200 ms of sound were played within %v", took)
	}
	for _, m := range []voice.Mark{first, second, third} {
		if !m.Played || m.Left != 0 {
			t.Errorf("%+v", m)
		}
	}
	if d := second.At.Sub(first.At); d < 550*time.Millisecond {
		t.Errorf("600 ms of sound were played within %v", d)
	}
	if d := third.At.Sub(second.At); d < 550*time.Millisecond || d > 1500*time.Millisecond {
		t.Errorf("600 ms of sound were played within %v", d)
	}
}

func clears(t *testing.T, leg voice.Leg, far Far) {
	rate := leg.Rate()
	leg.Clear() // nothing, which is no harm
	play(t, leg, Tone(rate, 700, 3*time.Second))
	mark := leg.Mark()
	limit := time.Now().Add(5 * time.Second)
	for len(Bursts(far.Received(), rate)) == 0 && time.Now().Before(limit) {
		<-time.After(10 * time.Millisecond)
	}
	leg.Clear()
	if m := answer(t, mark, soon); m.Played || m.Left < time.Second || m.Left > 3*time.Second {
		t.Errorf("the mark of what was cleared says %+v", m)
	}
	if m := answer(t, leg.Mark(), soon); !m.Played {
		t.Errorf("a mark behind nothing, after the clearing was answered, says %+v", m)
	}
	<-time.After(300*time.Millisecond + leg.RoundTrip())
	heard := Bursts(far.Received(), rate)
	if len(heard) != 1 || heard[0] > 2*time.Second {
		t.Errorf("3 s that were cleared once they began were heard as %v", heard)
	}
	answer(t, leg.Mark(), soon)
	play(t, leg, Tone(rate, 700, time.Second))
	leg.Clear()
	if m := answer(t, leg.Mark(), soon); m.Played || m.Left == 0 {
		t.Errorf("a mark set after the clearing of the sound before it says %+v", m)
	}
	play(t, leg, Tone(rate, 700, 200*time.Millisecond))
	if m := answer(t, leg.Mark(), 5*time.Second); !m.Played || m.Left != 0 {
		t.Errorf("what was played after a clearing: %+v", m)
	}
}

func keys(t *testing.T, leg voice.Leg, far Far) {
	const pressed = "1234567890*#11"
	limit := time.After(30 * time.Second)
	for i, want := range pressed {
		began := time.Now()
		far.Press(want)
		select {
		case k, ok := <-leg.Keys():
			if !ok || k.Rune != want || k.Held < 0 || k.Held > time.Since(began)+100*time.Millisecond {
				t.Fatalf("key %d, %q, came as %q, held for %v, %v", i, want, k.Rune, k.Held, ok)
			}
		case <-limit:
			t.Fatalf("key %d, %q, did not come", i, want)
		}
	}
	select {
	case k := <-leg.Keys():
		t.Errorf("and %q came", k.Rune)
	case <-time.After(300 * time.Millisecond):
	}
}

// ends ends the call while all that can wait waits, and looks at what each is told.
func ends(t *testing.T, leg voice.Leg, end func()) {
	rate := leg.Rate()
	play(t, leg, Tone(rate, 700, 4*time.Second))
	mark := leg.Mark()
	type told struct {
		what string
		err  error
	}
	all := make(chan told, 8)
	var waiting sync.WaitGroup
	waiting.Go(func() {
		for {
			if _, err := leg.Hear(t.Context()); err != nil {
				all <- told{"Hear", err}
				return
			}
		}
	})
	waiting.Go(func() {
		all <- told{"Play", leg.Play(t.Context(), voice.Frame{Rate: rate, Samples: Silence(rate, time.Second)})}
	})
	waiting.Go(func() {
		for range leg.Keys() { //nolint:revive // to its end
		}
		all <- told{"Keys", voice.ErrHungUp}
	})
	done := make(chan struct{})
	go func() { defer close(done); end() }()
	select {
	case <-leg.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the call is not over")
	}
	limit := time.After(soon)
	for range 3 {
		select {
		case got := <-all:
			if !errors.Is(got.err, voice.ErrHungUp) {
				t.Errorf("%s was told %v", got.what, got.err)
			}
		case <-limit:
			t.Fatal("not all that waited was told at once that the call is over")
		}
	}
	waiting.Wait()
	if m := answer(t, mark, soon); m.Played || m.Left == 0 {
		t.Errorf("the mark of what was not played says %+v", m)
	}
	<-done
	began := time.Now()
	if _, err := leg.Hear(t.Context()); !errors.Is(err, voice.ErrHungUp) {
		t.Errorf("hearing afterwards: %v", err)
	}
	if err := leg.Play(t.Context(), voice.Frame{Rate: rate, Samples: Silence(rate, time.Second)}); !errors.Is(err, voice.ErrHungUp) {
		t.Errorf("playing afterwards: %v", err)
	}
	if m := answer(t, leg.Mark(), soon); m.Played {
		t.Errorf("a mark afterwards says %+v", m)
	}
	leg.Clear()
	if _, open := <-leg.Keys(); open {
		t.Error("a key came afterwards")
	}
	for range 2 {
		if err := leg.HangUp(t.Context()); err != nil {
			t.Errorf("hanging up again: %v", err)
		}
	}
	if took := time.Since(began); took > 2*soon {
		t.Errorf("what is asked afterwards took %v", took)
	}
	if leg.ID() == "" || leg.Rate() != rate {
		t.Error("it has forgotten what it is")
	}
}

// allAtOnce uses all of a leg from many goroutines while it ends: for the race detector, and for what would stand still.
func allAtOnce(t *testing.T, leg voice.Leg, far Far) {
	rate := leg.Rate()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				if _, err := leg.Hear(t.Context()); err != nil {
					return
				}
			}
		})
		wg.Go(func() {
			for leg.Play(t.Context(), voice.Frame{Rate: rate, Samples: Tone(rate, 500, 60*time.Millisecond)}) == nil {
				<-leg.Mark()
			}
		})
		wg.Go(func() {
			for {
				select {
				case <-leg.Done():
					return
				case <-time.After(15 * time.Millisecond):
					leg.Clear()
					leg.RoundTrip()
				}
			}
		})
	}
	far.Send(Tone(rate, 900, 500*time.Millisecond))
	<-time.After(500 * time.Millisecond)
	for range 4 {
		wg.Go(func() {
			if err := leg.HangUp(t.Context()); err != nil {
				t.Errorf("hanging up: %v", err)
			}
		})
	}
	wg.Go(far.HangUp)
	ended := make(chan struct{})
	go func() { defer close(ended); wg.Wait() }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatalf("not all has ended:\n%s", stacks())
	}
}
