package speak

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/voicetest"
)

// three is an engine whose three texts have a value each.
func three() *script {
	return &script{does: map[string]deed{
		"one":   {value: 1000, lasts: 300 * time.Millisecond},
		"two":   {value: 2000, lasts: 400 * time.Millisecond},
		"three": {value: 3000, lasts: 500 * time.Millisecond},
	}}
}

func TestInvariant10PlayedIsHeardWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, leg := begin(t, Options{TTS: three()})
		began := time.Now()
		s := m.Say(lang.EN, voice.Part{Text: "one"}, voice.Part{Pause: 200 * time.Millisecond}, voice.Part{}, voice.Part{Text: "two", Voice: voice.QuoteVoice}, voice.Part{Text: "three"})
		<-s.Started()
		o := outcome(t, s)
		if !o.Played || o.Whole != 5 || o.Err != nil || o.RoundTrip != leg.RoundTrip() {
			t.Errorf("%+v", o)
		}
		want := []stretch{{1000, 2400}, {0, 1600}, {2000, 3200}, {3000, 4000}}
		heard := runs(leg.Listen())
		if len(heard) > 0 && heard[0].value == 0 {
			heard = heard[1:]
		}
		if !slices.Equal(heard[:min(4, len(heard))], want) {
			t.Errorf("heard %v", heard)
		}
		if d := o.At.Sub(began); d < 1400*time.Millisecond || d > 1500*time.Millisecond {
			t.Errorf("1.4 s of sound were played after %v", d)
		}
	})
}

// TestInvariant10AStopAtAnyMoment stops each 5 ms: what is said to be played was heard whole, what was not is told of at once, and what is said afterwards is heard
// whole, with nothing of the other.
func TestInvariant10AStopAtAnyMoment(t *testing.T) {
	played, step := 0, 5*time.Millisecond
	if less {
		step *= 7
	}
	for after := time.Duration(0); after < 1300*time.Millisecond; after += step {
		synctest.Test(t, func(t *testing.T) {
			m, leg := begin(t, Options{TTS: three()})
			s := m.Say(lang.EN, words("one", "two", "three")...)
			behind := m.Say(lang.EN, words("one")...)
			time.Sleep(after)
			had := leg.Listen()
			m.Stop()
			var o voice.Outcome
			select {
			case o = <-s.Done():
			default:
				t.Fatalf("after %v: a stop has no outcome", after)
			}
			var n, first int
			for _, r := range loud(runs(had)) {
				n += r.n
				if r.value == 1000 && first == 0 {
					first = r.n
				}
			}
			if o.Played {
				played++
				if n < 2400+3200+4000 {
					t.Errorf("after %v: %d samples were heard, and all is said to be played", after, n)
				}
			} else if o.Err != nil {
				t.Errorf("after %v: a stop is no fault: %v", after, o.Err)
			}
			if first < 2400 && o.Whole > 0 {
				t.Errorf("after %v: %d of the first part were heard, and %d parts are said to be whole", after, first, o.Whole)
			}
			if o := outcome(t, behind); o.Played {
				t.Errorf("after %v: what stood behind is said to be played", after)
			}
			next := m.Say(lang.EN, words("three")...)
			if o := outcome(t, next); !o.Played || o.Whole != 1 || o.Err != nil {
				t.Errorf("after %v: what is said next: %+v", after, o)
			}
			rest := loud(runs(leg.Listen()[len(had):]))
			if len(rest) > 0 && rest[0].n <= 160 && rest[0].value != 3000 {
				rest = rest[1:] // the frame that was just leaving
			}
			if want := (stretch{3000, 4000}); len(rest) == 0 || rest[len(rest)-1].n < want.n || rest[len(rest)-1].value != 3000 || len(rest) > 1 {
				t.Errorf("after %v: heard %v", after, rest)
			}
		})
	}
	if played == 0 {
		t.Error("no stop came too late: the last moments were not tried")
	}
}

// an engine that stalls and does not even mind its context holds up nobody.
func TestAnEngineThatHangsIsLeftToItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tts := three()
		hold := make(chan struct{})
		defer close(hold)
		tts.does["bad"] = deed{value: 2000, hold: hold}
		m, _ := begin(t, Options{TTS: tts, Patience: time.Second})
		if o := outcome(t, m.Say(lang.EN, words("bad")...)); o.Played || !errors.Is(o.Err, ErrStalled) {
			t.Errorf("%+v", o)
		}
		s := m.Say(lang.EN, words("bad")...)
		<-s.Started()
		m.Stop()
		if o := outcome(t, m.Say(lang.EN, words("one")...)); !o.Played {
			t.Errorf("the next: %+v", o)
		}
	})
}

// errors of an engine: what was heard before stays, nothing of the rest is said, nothing counts as played, and the next speech is said.
func TestInvariant10WhatAnEngineDidNotSayWasNotPlayed(t *testing.T) {
	for name, c := range map[string]struct {
		deed deed
		err  error
	}{
		"an error at once":        {deed{lasts: 1, err: errEngine}, ErrEngine},
		"an error in the middle":  {deed{value: 2000, err: errEngine}, ErrEngine},
		"it panics":               {deed{value: 2000, panics: true}, ErrCrashed},
		"it stalls":               {deed{value: 2000, hangs: time.Hour}, ErrStalled},
		"it ends without a sound": {deed{lasts: -1}, ErrShort},
		"it ends too soon":        {deed{lasts: 40 * time.Millisecond, value: 2000}, ErrShort},
		"no rate of speech":       {deed{rate: 1, lasts: time.Second, frame: time.Second}, ErrSound},
		"its rate changes":        {deed{other: true, value: 2000}, ErrSound},
		"it does not end":         {deed{value: 2000, lasts: time.Hour, frame: 10 * time.Second}, ErrEndless},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tts := three()
				tts.does["bad"] = c.deed
				m, leg := begin(t, Options{TTS: tts})
				s := m.Say(lang.EN, words("one", "bad", "three")...)
				next := m.Say(lang.EN, words("three")...)
				var o voice.Outcome
				if errors.Is(c.err, ErrEndless) {
					o = <-s.Done()
				} else {
					o = outcome(t, s)
				}
				if o.Played || o.Whole != 1 || !errors.Is(o.Err, c.err) {
					t.Errorf("%+v", o)
				}
				if o.Err != nil && o.Err.Error() != c.err.Error() {
					t.Errorf("the error prints %q", o.Err)
				}
				if errors.Is(c.err, ErrEngine) && !errors.Is(o.Err, errEngine) {
					t.Error("what the engine said cannot be found out")
				}
				if o := outcome(t, next); !o.Played {
					t.Errorf("the next: %+v", o)
				}
				heard := loud(runs(leg.Listen()))
				if heard[0] != (stretch{1000, 2400}) || heard[len(heard)-1] != (stretch{3000, 4000}) || len(heard) > 3 {
					t.Errorf("heard %v", heard)
				}
			})
		})
	}
}

func TestWithoutAnEngineThereAreSounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := begin(t, Options{})
		if o := outcome(t, m.Say(lang.EN, voice.Part{Sound: voice.Beep})); !o.Played || o.Whole != 1 {
			t.Errorf("a beep: %+v", o)
		}
		s := m.Say(lang.EN, voice.Part{Sound: voice.Opening}, voice.Part{Text: "one"})
		if o := outcome(t, s); o.Played || !errors.Is(o.Err, ErrNoEngine) {
			t.Errorf("words: %+v", o)
		}
		for _, nothing := range [][]voice.Part{nil, {{}}, {{Text: " \n"}}} {
			if o := outcome(t, m.Say(lang.EN, nothing...)); o.Played || o.Err != nil {
				t.Errorf("nothing: %+v", o)
			}
		}
	})
}

// punctuation of the program's own may be silent; what is quoted may not, or a text of nothing but marks would pass for spoken.
func TestWhatIsQuotedMustSound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := begin(t, Options{TTS: &script{does: map[string]deed{"...": {lasts: -1}, "☂": {lasts: -1}, "one": {}}}})
		for _, c := range []struct {
			p      voice.Part
			played bool
		}{{voice.Part{Text: "..."}, true}, {voice.Part{Text: "...", Voice: voice.QuoteVoice}, false}, {voice.Part{Text: "☂"}, false}} {
			if o := outcome(t, m.Say(lang.EN, voice.Part{Text: "one"}, c.p)); o.Played != c.played {
				t.Errorf("%+v: %+v", c.p, o)
			}
		}
	})
}

// three sentences whose engine takes 700 ms for the first sound of each are heard without a gap, and the first long before the last is made.
func TestSpeechStreamsWithoutGaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tts := &script{all: deed{rate: 22050, lasts: 3 * time.Second, frame: time.Second, wait: 700 * time.Millisecond}}
		m, leg := begin(t, Options{TTS: tts})
		began := time.Now()
		a, b := m.Say(lang.EN, words("first", "second")...), m.Say(lang.EN, words("third")...)
		<-a.Started()
		if d := time.Since(began); d > 800*time.Millisecond {
			t.Errorf("the first sound came after %v", d)
		}
		if !outcome(t, a).Played || !outcome(t, b).Played {
			t.Error("not played")
		}
		gap, in := 0, false
		pcm := leg.Listen()
		for i, v := range pcm {
			if v > 500 {
				if in && gap > 80 { // the edges of a sentence ring for some milliseconds
					t.Errorf("a gap of %d samples before %d", gap, i)
				}
				in, gap = true, 0
			} else {
				gap++
			}
		}
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("9 s took %v", d)
		}
	})
}

// an engine is not asked for more than what is soon to be said, and a speech that is stopped asks for no more at all.
func TestLittleIsMadeAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tts := &script{all: deed{lasts: 2 * time.Second}}
		m, _ := begin(t, Options{TTS: tts, Ahead: 3 * time.Second})
		var last voice.Speech
		for i := range 100 {
			last = m.Say(lang.EN, words(fmt.Sprint("sentence ", i))...)
		}
		time.Sleep(time.Second)
		if n := len(tts.asked()); n > 4 {
			t.Errorf("%d sentences were asked for within a second", n)
		}
		m.Stop()
		n := len(tts.asked())
		time.Sleep(time.Minute)
		if len(tts.asked()) != n {
			t.Errorf("and %d after a stop", len(tts.asked())-n)
		}
		if o := outcome(t, last); o.Played {
			t.Errorf("%+v", o)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.ahead != 0 {
			t.Errorf("%d samples are still counted", m.ahead)
		}
	})
}

func TestTheSecondEngineSaysAllOrNothing(t *testing.T) {
	second := func() *script {
		return &script{all: deed{value: 7000, lasts: 300 * time.Millisecond}}
	}
	bad := deed{value: 2000, lasts: 100 * time.Millisecond, err: errEngine}
	t.Run("nothing was heard", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tts := three()
			tts.does["bad"] = deed{lasts: -1, err: errEngine, wait: 300 * time.Millisecond}
			m, leg := begin(t, Options{TTS: tts, Second: second()})
			o := outcome(t, m.Say(lang.EN, voice.Part{Sound: voice.Opening}, voice.Part{Text: "bad"}, voice.Part{Text: "one"}))
			if !o.Played || o.Err != nil || o.Whole != 3 {
				t.Errorf("%+v", o)
			}
			if slices.ContainsFunc(runs(leg.Listen()), func(r stretch) bool { return r.value == 1000 && r.n > 100 }) {
				t.Error("two engines in one speech")
			}
			// For a while the second speaks everything, then the first is tried again.
			before := len(tts.asked())
			outcome(t, m.Say(lang.EN, words("one")...))
			if len(tts.asked()) != before {
				t.Error("an engine that has just failed is asked again")
			}
			time.Sleep(31 * time.Second)
			outcome(t, m.Say(lang.EN, words("one")...))
			if len(tts.asked()) != before+1 {
				t.Error("an engine that failed once is asked no more")
			}
		})
	})
	t.Run("something was heard", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tts := three()
			slow := bad
			slow.wait = 50 * time.Millisecond
			tts.does["bad"] = slow
			m, leg := begin(t, Options{TTS: tts, Second: second()})
			if o := outcome(t, m.Say(lang.EN, words("one", "bad", "three")...)); o.Played || o.Whole != 1 || !errors.Is(o.Err, ErrEngine) {
				t.Errorf("%+v", o)
			}
			if slices.ContainsFunc(loud(runs(leg.Listen())), func(r stretch) bool { return r.value == 7000 }) {
				t.Error("two engines in one speech")
			}
		})
	})
	t.Run("it stood behind another", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tts := three()
			tts.does["bad"] = bad
			m, leg := begin(t, Options{TTS: tts, Second: second()})
			a := m.Say(lang.EN, words("one", "two", "three")...)
			b := m.Say(lang.EN, words("one", "bad")...)
			if !outcome(t, a).Played || !outcome(t, b).Played {
				t.Error("not played")
			}
			if heard := loud(runs(leg.Listen())); !slices.Equal(heard, []stretch{{1000, 2400}, {2000, 3200}, {3000, 4000}, {7000, 4800}}) {
				t.Errorf("heard %v", heard)
			}
		})
	})
	t.Run("both fail", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			m, _ := begin(t, Options{TTS: &script{all: deed{lasts: -1, err: errEngine}}, Second: &script{all: deed{lasts: -1, hangs: 1}}})
			if o := outcome(t, m.Say(lang.EN, words("one")...)); o.Played || !errors.Is(o.Err, ErrStalled) {
				t.Errorf("%+v", o)
			}
		})
	})
}

// sound that is cleared by somebody else, or that the network refuses, was not played.
func TestInvariant10WhatTheLegLostWasNotPlayed(t *testing.T) {
	for name, lose := range map[string]func(*voicetest.Leg){
		"cleared": func(l *voicetest.Leg) { l.Clear() },
		"refused": func(l *voicetest.Leg) { l.Refuse(true); time.Sleep(20 * time.Millisecond); l.Refuse(false) },
	} {
		for after := 10 * time.Millisecond; after < 1150*time.Millisecond; after += 120 * time.Millisecond { // between two frames
			t.Run(fmt.Sprint(name, after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m, leg := begin(t, Options{TTS: three()})
					s := m.Say(lang.EN, words("one", "two", "three")...)
					time.Sleep(after)
					lose(leg)
					if o := outcome(t, s); o.Played || o.Err != nil {
						t.Errorf("%+v", o)
					}
					if o := outcome(t, m.Say(lang.EN, words("one")...)); !o.Played {
						t.Errorf("the next: %+v", o)
					}
				})
			})
		}
	}
}

func TestTheEndOfTheCallEndsAll(t *testing.T) {
	for name, end := range map[string]func(*voicetest.Leg, context.CancelFunc){
		"hung up": func(l *voicetest.Leg, _ context.CancelFunc) { _ = l.HangUp(context.Background()) },
		"stopped": func(_ *voicetest.Leg, stop context.CancelFunc) { stop() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				leg := voicetest.New(voicetest.Options{})
				defer func() { _ = leg.HangUp(context.Background()) }()
				m := New(Options{Leg: leg, TTS: &script{all: deed{lasts: 10 * time.Second}}, Now: time.Now})
				early := m.Say(lang.EN, words("before it runs")...)
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				ended := make(chan error, 1)
				go func() { ended <- m.Run(ctx) }()
				second := m.Say(lang.EN, words("another")...)
				<-early.Started()
				time.Sleep(time.Second)
				at := time.Now()
				end(leg, stop)
				if err := <-ended; err == nil || time.Since(at) > 0 {
					t.Errorf("Run ended with %v after %v", err, time.Since(at))
				}
				for _, s := range []voice.Speech{early, second, m.Say(lang.EN, words("too late")...)} {
					if o := outcome(t, s); o.Played || o.Err != nil || !o.At.Equal(at) {
						t.Errorf("%+v", o)
					}
				}
				m.Stop()
				heard := len(loud(runs(leg.Listen())))
				time.Sleep(time.Second)
				if now := len(loud(runs(leg.Listen()))); now != heard {
					t.Error("it speaks on")
				}
			})
		})
	}
}

func TestTooMuchIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := begin(t, Options{TTS: three()})
		var last voice.Speech
		for range most + 1 {
			last = m.Say(lang.EN, words("one")...)
		}
		if o := outcome(t, last); !errors.Is(o.Err, ErrFull) {
			t.Errorf("%+v", o)
		}
		m.Stop()
		if o := outcome(t, m.Say(lang.EN, words("one")...)); !o.Played {
			t.Errorf("%+v", o)
		}
	})
}

// TestInvariant10ManyWhoSpeakAndStop has four speak and one stop, for two minutes: each speech has one outcome, what is said to be played was heard whole and on end, and
// nothing was heard twice.
func TestInvariant10ManyWhoSpeakAndStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tts := &script{does: map[string]deed{}}
		m, leg := begin(t, Options{TTS: tts})
		many := 60
		if less {
			many = 15
		}
		var mu sync.Mutex
		value, played, cut := int16(0), map[int16]int{}, 0
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := range many {
					mu.Lock()
					value += 7
					v := value
					mu.Unlock()
					name := fmt.Sprint("w", v)
					d := deed{value: v, lasts: time.Duration(200+(i*37+g*91)%600) * time.Millisecond, wait: time.Duration(i%4) * 30 * time.Millisecond}
					tts.mu.Lock()
					tts.does[name] = d
					tts.mu.Unlock()
					o := outcome(t, m.Say(lang.EN, words(name)...))
					mu.Lock()
					if o.Played {
						played[v] = int(d.lasts * 8000 / time.Second)
					} else {
						cut++
					}
					mu.Unlock()
				}
			})
		}
		over := make(chan struct{})
		go func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				case <-time.After(time.Duration(300+i*531%1700) * time.Millisecond):
					m.Stop()
				}
			}
		}()
		wg.Wait()
		close(over)
		seen := map[int16]bool{}
		for _, r := range loud(runs(leg.Listen())) {
			if seen[r.value] {
				t.Errorf("%d was heard twice", r.value)
			}
			seen[r.value] = true
			if want, ok := played[r.value]; ok && r.n != want {
				t.Errorf("%d is said to be played, and %d of %d samples were heard on end", r.value, r.n, want)
			}
		}
		for v := range played {
			if !seen[v] {
				t.Errorf("%d is said to be played, and was not heard", v)
			}
		}
		if t.Logf("%d played, %d cut", len(played), cut); len(played) < many || cut < many {
			t.Error("too few of one kind")
		}
	})
}
