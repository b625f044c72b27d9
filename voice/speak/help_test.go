package speak

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/voicetest"
)

// less is set under the race detector.
var less bool

var errEngine = errors.New("the words of a stranger")

// script is an engine: what it does with each text.
type script struct {
	mu   sync.Mutex
	asks []string
	does map[string]deed
	all  deed
}

// deed is so much sound of one value, in frames that come each after a wait, and how it ends.
type deed struct {
	rate   int           // 8000
	value  int16         // 1000
	lasts  time.Duration // 500 ms
	frame  time.Duration // 100 ms
	wait   time.Duration
	err    error
	panics bool
	hold   chan struct{} // it then stalls, and does not even mind its context
	hangs  time.Duration // it then stalls until ctx ends
	other  bool          // the second frame has another rate
}

func (s *script) Speak(ctx context.Context, _ lang.Lang, _ voice.Voice, text string) iter.Seq2[voice.Frame, error] {
	return func(yield func(voice.Frame, error) bool) {
		s.mu.Lock()
		s.asks = append(s.asks, text)
		d, ok := s.does[text]
		s.mu.Unlock()
		if !ok {
			d = s.all
		}
		if d.rate == 0 {
			d.rate = 8000
		}
		if d.value == 0 {
			d.value = 1000
		}
		if d.lasts == 0 {
			d.lasts = 500 * time.Millisecond
		}
		if d.frame == 0 {
			d.frame = 100 * time.Millisecond
		}
		for i := time.Duration(0); i < d.lasts; i += d.frame {
			if d.wait > 0 {
				select {
				case <-time.After(d.wait):
				case <-ctx.Done():
					yield(voice.Frame{}, ctx.Err())
					return
				}
			}
			f := voice.Frame{Rate: d.rate, Samples: level(d.value, min(d.frame, d.lasts-i), d.rate)}
			if d.other && i > 0 {
				f.Rate *= 2
			}
			if !yield(f, nil) {
				return
			}
		}
		if d.lasts < 0 && d.wait > 0 {
			time.Sleep(d.wait)
		}
		switch {
		case d.panics:
			panic("the words of a stranger")
		case d.hold != nil:
			<-d.hold
		case d.hangs > 0:
			<-ctx.Done()
			yield(voice.Frame{}, ctx.Err())
		case d.err != nil:
			yield(voice.Frame{}, d.err)
		}
	}
}

func (s *script) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asks...)
}

// level is sound of one value, which is found again in what the leg has played.
func level(v int16, d time.Duration, rate int) []int16 {
	out := make([]int16, int(d*time.Duration(rate)/time.Second))
	for i := range out {
		out[i] = v
	}
	return out
}

// begin runs a mouth over a leg in memory until the test ends.
func begin(t *testing.T, o Options) (*Mouth, *voicetest.Leg) { return beginOver(t, o, nil) }

// beginOver does so with something between the leg and the mouth.
func beginOver(t *testing.T, o Options, wrap func(voice.Leg) voice.Leg) (*Mouth, *voicetest.Leg) {
	t.Helper()
	leg := voicetest.New(voicetest.Options{})
	o.Leg, o.Now = leg, time.Now
	if wrap != nil {
		o.Leg = wrap(leg)
	}
	m := New(o)
	ended := make(chan error, 1)
	go func() { ended <- m.Run(t.Context()) }()
	t.Cleanup(func() {
		_ = leg.HangUp(context.Background())
		if err := <-ended; !errors.Is(err, voice.ErrHungUp) && !errors.Is(err, context.Canceled) {
			t.Errorf("the mouth ended with %v", err)
		}
	})
	return m, leg
}

func words(texts ...string) (out []voice.Part) {
	for _, s := range texts {
		out = append(out, voice.Part{Text: s})
	}
	return out
}

// outcome waits for it, and that there is one alone.
func outcome(t *testing.T, s voice.Speech) voice.Outcome {
	t.Helper()
	select {
	case o := <-s.Done():
		select {
		case <-s.Done():
			t.Error("two outcomes")
		default:
		}
		return o
	case <-time.After(2 * time.Minute):
		t.Fatal("no outcome")
		return voice.Outcome{}
	}
}

// runs is what was played, silence left out, as runs of one value.
type stretch struct {
	value int16
	n     int
}

func runs(pcm []int16) (out []stretch) {
	for _, v := range pcm {
		if len(out) == 0 || out[len(out)-1].value != v {
			out = append(out, stretch{value: v})
		}
		out[len(out)-1].n++
	}
	return out
}

// loud leaves out the silence of runs.
func loud(all []stretch) (out []stretch) {
	for _, r := range all {
		if r.value != 0 {
			out = append(out, r)
		}
	}
	return out
}
