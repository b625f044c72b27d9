package listen

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media/ear"
	"readback/voice/media/mediatest"
	"readback/voice/voicetest"
)

const second = 8000

// first is the first sample of a sound that is well above the noise.
func first(pcm []int16) int {
	for i := 0; i+80 <= len(pcm); i += 80 {
		if mediatest.From(pcm[i:i+80]).Level() > -42 {
			return i
		}
	}
	return len(pcm)
}

// TestInvariant10ATurnBeganBeforeAllThatWasRecognised has people speak, and looks at when each turn is said to have begun: not after its first sound, nor after the first
// sample that the recogniser was given; and nothing is missing.
func TestInvariant10ATurnBeganBeforeAllThatWasRecognised(t *testing.T) {
	clips := append(mediatest.Prompts(t, "en")[:8], mediatest.Prompts(t, "fr")[:8]...)
	for i, clip := range some(clips, 7) {
		synctest.Test(t, func(t *testing.T) {
			stt := &recogniser{}
			c := dial(t, Options{STT: stt}, voicetest.Options{}, nil)
			c.say(line(time.Second, uint64(i)))
			start := len(c.sent)
			c.say(over(clip.PCM, uint64(i)+100))
			c.say(line(2*time.Second, uint64(i)+200))
			time.Sleep(time.Second)
			if got := c.names(); len(got) < 3 || got[0] != "begun" || got[1] != "barged" || got[2] != "said utterance 1" {
				t.Fatalf("%s: %v", clip.Name, got)
			}
			turn, h := c.turns()[0], stt.heard()[0]
			from := c.find(h.pcm)
			if from < 0 {
				t.Fatalf("%s: the recogniser was given what nobody said", clip.Name)
			}
			if turn.Began().After(c.at(from)) {
				t.Errorf("%s: sound from %v was recognised, and it is said to have begun at %v", clip.Name, c.at(from), turn.Began())
			}
			sound := start + first(c.sent[start:])
			if early := c.at(sound).Sub(turn.Began()); early < 0 || early > 800*time.Millisecond {
				t.Errorf("%s: it is said to have begun %v before its first sound", clip.Name, early)
			}
			if from > max(0, sound-2000) || from+len(h.pcm) < start+len(clip.PCM)-second {
				t.Errorf("%s: samples %d to %d of %d to %d were recognised", clip.Name, from, from+len(h.pcm), sound, start+len(clip.PCM))
			}
			if spoken := c.said.Turns(); len(spoken) == 0 || spoken[0] != turn {
				t.Errorf("%s: the transcript has %v", clip.Name, spoken)
			}
		})
	}
}

func TestInvariant10NoiseIsNoTurn(t *testing.T) {
	n := 10 * second
	if less {
		n = 3 * second
	}
	for name, s := range map[string]mediatest.Sound{
		"silence": make(mediatest.Sound, n), "white": mediatest.White(n, 1).At(-20), "pink": mediatest.Pink(n, 1).At(-20), "a car": mediatest.Car(n, 1).At(-22),
		"hum": mediatest.Hum(n, 60).At(-25), "keys": mediatest.Keys(n), "ringing": mediatest.Ring(n),
	} {
		synctest.Test(t, func(t *testing.T) {
			stt := &recogniser{}
			c := dial(t, Options{STT: stt}, voicetest.Options{}, nil)
			c.say(s.Line())
			if got := c.names(); len(got) > 0 || len(stt.heard()) > 0 || len(c.said.Turns()) > 0 {
				t.Errorf("%s: %v, and the recogniser was asked %d times", name, got, len(stt.heard()))
			}
		})
	}
}

// TestInvariant10TheAgentsOwnVoiceIsNoTurn plays prompts into an echo, with the guard that a line has, and without.
func TestInvariant10TheAgentsOwnVoiceIsNoTurn(t *testing.T) {
	prompts := some(mediatest.Prompts(t, "en")[:8], 3)
	for _, guarded := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var g ear.Guard
			noise, at := mediatest.Pink(60*second, 7).At(-50).PCM(), 0
			c := dial(t, Options{STT: &recogniser{}}, voicetest.Options{Echo: 0.25, Late: 50 * time.Millisecond, Filter: func(near, far []int16) {
				for i := range near {
					near[i] += noise[at]
					at = (at + 1) % len(noise)
				}
				if guarded {
					g.Frame(near, far)
				}
			}}, nil)
			time.Sleep(time.Second)
			for _, p := range prompts {
				pcm := append(mediatest.From(p.PCM).At(-22).PCM(), make([]int16, second)...)
				if err := c.leg.Play(t.Context(), voice.Frame{Rate: 8000, Samples: pcm}); err != nil {
					t.Fatal(err)
				}
			}
			<-c.leg.Mark()
			time.Sleep(2 * time.Second)
			if got := len(c.turns()); guarded && (got > 0 || len(c.names()) > 0) || !guarded && got == 0 {
				t.Errorf("guarded %v: %d turns, %v", guarded, got, c.names())
			}
		})
	}
}

// sentence is one that is a single turn: "activated".
func sentence(t *testing.T) mediatest.Sound {
	t.Helper()
	return over(mediatest.Prompts(t, "en")[0].PCM, 3)
}

// utterances are so many on end, each a turn.
func (c *call) utterances(n int) {
	s := sentence(c.t)
	for i := range n {
		c.say(s)
		c.say(line(1200*time.Millisecond, uint64(i)+9))
	}
}

// a recogniser that is slow with one utterance does not change the order, nor lose one that is said meanwhile.
func TestUtterancesStayInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stt := &recogniser{deeds: []deed{{slow: 9 * time.Second}, {slow: time.Second}, {none: true}}}
		c := dial(t, Options{STT: stt}, voicetest.Options{}, nil)
		c.say(line(time.Second, 1))
		c.utterances(3)
		if got := c.names(); !slices.Equal(got, []string{"begun", "barged"}) {
			t.Errorf("before the first is recognised: %v", got)
		}
		c.utterances(1)
		time.Sleep(10 * time.Second)
		if got := c.names(); !slices.Equal(got, []string{"begun", "barged", "said utterance 1", "begun", "barged", "said utterance 2", "begun", "barged", "dropped", "begun", "barged", "said utterance 4"}) {
			t.Errorf("%v", got)
		}
		turns := c.turns()
		for i := range turns[1:] {
			if turns[i+1].Number() <= turns[i].Number() || !turns[i+1].Began().After(turns[i].Began()) {
				t.Errorf("turn %d: %v after %v", i+1, turns[i+1].Began(), turns[i].Began())
			}
		}
	})
}

// a turn tells that the caller has begun to say something else, though nobody is told what before it is settled: also where it comes to nothing, and where the call ends in it.
func TestInvariant10ATurnTellsThatThereIsMore(t *testing.T) {
	for name, k := range map[string]struct {
		deeds []deed
		after func(t *testing.T, c *call)
		want  []bool
	}{
		"nothing else": {nil, func(_ *testing.T, c *call) { c.utterances(1) }, []bool{false, false}},
		"understood sooner": {[]deed{{slow: 8 * time.Second}, {}}, func(_ *testing.T, c *call) {
			c.utterances(1)
			time.Sleep(10 * time.Second)
		}, []bool{true, false}},
		"nothing": {[]deed{{slow: 8 * time.Second}, {none: true}}, func(_ *testing.T, c *call) {
			c.utterances(1)
			time.Sleep(10 * time.Second)
		}, []bool{true}},
		"going on": {[]deed{{slow: 1500 * time.Millisecond}, {}}, func(t *testing.T, c *call) {
			c.say(sentence(t))
			c.say(line(1200*time.Millisecond, 7))
		}, []bool{true, false}},
		"cut by the end of the call": {[]deed{{slow: 4 * time.Second}, {}}, func(t *testing.T, c *call) {
			c.say(sentence(t))
			_ = c.leg.HangUp(t.Context())
			<-c.closed
		}, []bool{true}},
		"a key": {[]deed{{slow: 4 * time.Second}, {}}, func(_ *testing.T, c *call) {
			c.leg.Press("1", 0)
			time.Sleep(6 * time.Second)
		}, []bool{false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t, Options{STT: &recogniser{deeds: k.deeds}}, voicetest.Options{}, nil)
				c.say(line(time.Second, 1))
				c.utterances(1)
				k.after(t, c)
				synctest.Wait()
				c.mu.Lock()
				defer c.mu.Unlock()
				var got []bool
				for _, e := range c.events {
					if s, ok := e.h.(voice.Said); ok {
						got = append(got, s.More)
					}
				}
				if !slices.Equal(got, k.want) {
					t.Errorf("%v, want %v", got, k.want)
				}
			})
		})
	}
}

// a key does not wait for a recogniser.
func TestAKeyComesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, Options{STT: &recogniser{deeds: []deed{{slow: 5 * time.Second}}}}, voicetest.Options{}, nil)
		c.say(line(time.Second, 1))
		c.utterances(1)
		pressed := time.Now()
		c.leg.Press("1x#", 80*time.Millisecond)
		if got := c.names(); !slices.Equal(got, []string{"begun", "barged", "key 1", "key #"}) {
			t.Errorf("%v", got)
		}
		key := c.said.Turns()[0]
		if !key.Began().Equal(pressed.Add(-80*time.Millisecond)) || !key.Ended().Equal(pressed) {
			t.Errorf("pressed at %v: %v to %v", pressed, key.Began(), key.Ended())
		}
		time.Sleep(6 * time.Second)
		if got := c.names(); got[len(got)-1] != "said utterance 1" {
			t.Errorf("%v", got)
		}
	})
}

// whatever an engine does, it costs the one utterance.
func TestAnEngineThatFailsCostsOneUtterance(t *testing.T) {
	for name, k := range map[string]struct {
		deed deed
		err  error
	}{
		"Listen fails":           {deed{listen: errEngine}, ErrEngine},
		"Listen panics":          {deed{panicListen: true}, ErrCrashed},
		"Write fails":            {deed{write: errEngine}, ErrEngine},
		"Write panics":           {deed{panicWrite: true}, ErrCrashed},
		"Finish fails":           {deed{finish: errEngine}, ErrEngine},
		"Finish panics":          {deed{boom: true}, ErrCrashed},
		"Finish is slow":         {deed{slow: time.Hour}, ErrSlow},
		"Finish does not listen": {deed{slow: 15 * time.Second, deaf: true}, ErrSlow},
		"Listen hangs":           {deed{hold: make(chan struct{})}, ErrSlow},
		"no words":               {deed{none: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if k.deed.hold != nil {
					k.deed.hold = make(chan struct{})
					defer close(k.deed.hold)
				}
				stt := &recogniser{deeds: []deed{k.deed}}
				c := dial(t, Options{STT: stt, Patience: 4 * time.Second}, voicetest.Options{}, nil)
				c.say(line(time.Second, 1))
				c.say(sentence(t))
				if got := c.names(); slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "dropped") }) {
					t.Errorf("it is dropped while it is being said: %v", got)
				}
				rest := 1200 * time.Millisecond
				if errors.Is(k.err, ErrSlow) {
					rest = 5 * time.Second // its patience, and the silence
				}
				c.say(line(rest, 2))
				c.utterances(1)
				time.Sleep(time.Second)
				want := "dropped"
				if k.err != nil {
					want += ": " + k.err.Error()
				}
				if got := c.names(); !slices.Equal(got, []string{"begun", "barged", want, "begun", "barged", "said utterance 2"}) {
					t.Errorf("%v", got)
				}
				dropped := c.events[2].h.(voice.Dropped)
				if !errors.Is(dropped.Err, k.err) || errors.Is(k.err, ErrEngine) && !errors.Is(dropped.Err, errEngine) {
					t.Errorf("%v", dropped.Err)
				}
				if len(c.said.Turns()) != 1 {
					t.Errorf("%d turns", len(c.said.Turns()))
				}
				if k.deed.deaf {
					time.Sleep(k.deed.slow) // it ends by itself
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, Options{}, voicetest.Options{}, nil)
		c.say(line(time.Second, 1))
		c.utterances(1)
		if got := c.names(); !slices.Equal(got, []string{"begun", "barged", "dropped: no_recogniser"}) {
			t.Errorf("without an engine: %v", got)
		}
	})
}

// an interim transcript is kept, and is no turn.
func TestInvariant10AnInterimIsNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, Options{STT: &recogniser{deeds: []deed{{interims: []string{"yes"}, none: true}}}}, voicetest.Options{}, nil)
		c.say(line(time.Second, 1))
		c.say(sentence(t))
		synctest.Wait()
		if i, ok := c.said.Interim(); !ok || i.Words.RawForStore() != "yes" {
			t.Errorf("no interim words: %v", ok)
		}
		c.say(line(2*time.Second, 2))
		if _, ok := c.said.Interim(); ok || len(c.said.Turns()) > 0 || len(c.turns()) > 0 {
			t.Errorf("what an engine took back stays: %v", c.names())
		}
	})
}

func TestTheLanguageIsThatOfTheNextUtterance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stt := &recogniser{}
		c := dial(t, Options{STT: stt}, voicetest.Options{}, nil)
		c.say(line(time.Second, 1))
		c.utterances(1)
		c.ears.Speak(lang.FR)
		c.utterances(1)
		if h := stt.heard(); len(h) != 2 || h[0].lang != lang.EN || h[1].lang != lang.FR {
			t.Errorf("%d utterances", len(h))
		}
	})
}

// the call ends while somebody speaks, while a recogniser works, and while one never ends.
func TestTheEndOfTheCall(t *testing.T) {
	t.Run("in the middle of an utterance", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			stt := &recogniser{}
			c := dial(t, Options{STT: stt}, voicetest.Options{}, nil)
			c.say(line(time.Second, 1))
			c.say(sentence(t))
			_ = c.leg.HangUp(t.Context())
			<-c.closed
			if err := <-c.ended; !errors.Is(err, voice.ErrHungUp) {
				t.Errorf("Run answered %v", err)
			}
			if got := c.names(); !slices.Equal(got, []string{"begun", "barged", "dropped"}) || len(c.said.Turns()) > 0 {
				t.Errorf("%v, %d turns", got, len(c.said.Turns()))
			}
			if h := stt.heard()[0]; !h.cancelled || h.ended {
				t.Error("the recogniser was not told that it was given up")
			}
		})
	})
	for name, k := range map[string]struct {
		slow time.Duration
		last string
		took time.Duration
	}{
		"while it is recognised":       {2 * time.Second, "said utterance 1", 1500 * time.Millisecond},
		"while it is never recognised": {time.Hour, "dropped: recogniser_slow", 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t, Options{STT: &recogniser{deeds: []deed{{slow: k.slow}}}}, voicetest.Options{}, nil)
				c.say(line(time.Second, 1))
				c.utterances(1)
				c.leg.Press("7", 0)
				_ = c.leg.HangUp(t.Context())
				at := time.Now()
				<-c.closed
				if got := c.names(); !slices.Equal(got, []string{"begun", "barged", "key 7", k.last}) || time.Since(at) > k.took {
					t.Errorf("%v, after %v", got, time.Since(at))
				}
			})
		})
	}
	t.Run("by its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			leg := voicetest.New(voicetest.Options{})
			defer func() { _ = leg.HangUp(context.Background()) }()
			_, e := voice.NewTranscript(time.Now)
			ears := New(Options{Leg: leg, Ear: e, STT: &recogniser{deeds: []deed{{slow: time.Hour}}}, Now: time.Now})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- ears.Run(ctx) }()
			<-leg.Speak(append(line(time.Second, 1), append(sentence(t), line(time.Second, 2)...)...).PCM())
			at := time.Now()
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(at) > 0 {
				t.Errorf("%v after %v", err, time.Since(at))
			}
			var got []string
			for h := range ears.Heard() {
				got = append(got, short(h))
			}
			if !slices.Equal(got, []string{"begun", "barged", "dropped"}) {
				t.Errorf("%v", got)
			}
		})
	})
}

// who does not take what is heard holds up nothing; and when too much waits, the call ends and not a turn is lost without a word.
func TestNobodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leg := voicetest.New(voicetest.Options{})
		said, e := voice.NewTranscript(time.Now)
		ears := New(Options{Leg: leg, Ear: e, STT: &recogniser{}, Now: time.Now})
		ended := make(chan error, 1)
		go func() { ended <- ears.Run(t.Context()) }()
		for range backlog - 6 {
			leg.Press("5", 0)
			time.Sleep(10 * time.Millisecond)
		}
		<-leg.Speak(append(line(time.Second, 1), append(sentence(t), line(time.Second, 2)...)...).PCM())
		if leg.Lost() > 0 {
			t.Errorf("%d frames were lost", leg.Lost())
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended too soon: %v", err)
		case <-time.After(time.Second):
		}
		leg.Press("5555", 0)
		if err := <-ended; !errors.Is(err, ErrBehind) {
			t.Errorf("%v", err)
		}
		<-leg.Done()
		turns := 0
		for h := range ears.Heard() {
			if _, ok := h.(voice.Said); ok {
				turns++
			}
		}
		if n := len(said.Turns()); n-turns > 1 {
			t.Errorf("%d turns, of which %d were handed over", n, turns)
		}
	})
}

func TestTheCallersSoundIsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, Options{STT: &recogniser{}}, voicetest.Options{}, nil)
		c.say(line(time.Second, 1))
		time.Sleep(10 * time.Millisecond)
		short, long, none := c.ears.Record(500*time.Millisecond), c.ears.Record(time.Minute), c.ears.Record(-1)
		<-none.Full()
		began := time.Now()
		go c.leg.Speak(sentence(t).PCM())
		<-short.Full()
		if d := time.Since(began); d < 480*time.Millisecond || d > 540*time.Millisecond {
			t.Errorf("half a second took %v", d)
		}
		time.Sleep(time.Second)
		a, b := short.Stop(), long.Stop()
		if a.Rate != 8000 || len(a.Samples) != 4000 || len(b.Samples) < 8000 || len(b.Samples) > 13000 || !slices.Equal(a.Samples, b.Samples[:4000]) {
			t.Errorf("%d and %d samples", len(a.Samples), len(b.Samples))
		}
		if want := sentence(t).PCM()[:3000]; !slices.Equal(b.Samples[:3000], want) {
			t.Error("the recording is not what the caller said")
		}
		select {
		case <-long.Full():
			t.Error("a recording that was stopped is full")
		default:
		}
		if len(long.Stop().Samples) > 0 || len(none.Stop().Samples) > 0 {
			t.Error("a recording gives its sound twice")
		}
		late := c.ears.Record(time.Minute)
		time.Sleep(time.Second)
		_ = c.leg.HangUp(t.Context())
		<-c.closed
		if n := len(late.Stop().Samples); n < 7800 || n > 8200 {
			t.Errorf("a call that ended after a second left %d samples", n)
		}
	})
}
