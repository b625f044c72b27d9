package listen

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"readback/voice"
	"readback/voice/media/ear"
	"readback/voice/media/mediatest"
	"readback/voice/media/rate"
	"readback/voice/voicetest"
)

// stalling is a leg whose reader is held up: it stands for a program that gets no processor.
type stalling struct {
	voice.Leg
	until <-chan time.Duration
}

func (s stalling) Hear(ctx context.Context) (voice.Frame, error) {
	select {
	case d := <-s.until:
		time.Sleep(d)
	default:
	}
	return s.Leg.Hear(ctx)
}

// TestInvariant10AReaderThatIsLateMakesNoTurnLater holds up the reader for up to three seconds, at many moments around a word: what it then reads at once was said
// before, and is said to have been.
func TestInvariant10AReaderThatIsLateMakesNoTurnLater(t *testing.T) {
	clip := mediatest.Prompts(t, "en")[0].PCM
	for _, stall := range some([]time.Duration{700 * time.Millisecond, 300 * time.Millisecond, 990 * time.Millisecond}, 3) {
		step := 150 * time.Millisecond
		if less {
			step *= 4
		}
		for before := -600 * time.Millisecond; before <= 1200*time.Millisecond; before += step {
			synctest.Test(t, func(t *testing.T) {
				until := make(chan time.Duration, 1)
				stt := &recogniser{}
				c := dial(t, Options{STT: stt}, voicetest.Options{}, func(l voice.Leg) voice.Leg { return stalling{l, until} })
				time.AfterFunc(3*time.Second-before, func() { until <- stall })
				c.say(line(3*time.Second, 1))
				start := len(c.sent)
				c.say(over(clip, 2))
				c.say(line(3*time.Second, 3))
				if c.leg.Lost() > 0 || len(c.turns()) != 1 {
					t.Fatalf("%d frames lost, %v", c.leg.Lost(), c.names())
				}
				turn, from := c.turns()[0], c.find(stt.heard()[0].pcm)
				if from < 0 || turn.Began().After(c.at(from)) {
					t.Errorf("held up %v, %v before the word: heard from %v on, and said to have begun at %v", stall, before, c.at(from), turn.Began())
				}
				if early := c.at(start + first(c.sent[start:])).Sub(turn.Began()); early > 500*time.Millisecond {
					t.Errorf("held up %v, %v before the word: said to have begun %v too early", stall, before, early)
				}
			})
		}
	}
}

// sound that was lost makes the next beginnings too early, which is safe; some seconds later they are right again.
func TestBeginningsAreRightAgainAfterALoss(t *testing.T) {
	clip := mediatest.Prompts(t, "en")[0].PCM
	synctest.Test(t, func(t *testing.T) {
		until := make(chan time.Duration, 1)
		c := dial(t, Options{STT: &recogniser{}}, voicetest.Options{}, func(l voice.Leg) voice.Leg { return stalling{l, until} })
		c.say(line(2*time.Second, 1))
		until <- 6 * time.Second
		c.say(line(6500*time.Millisecond, 1))
		if c.leg.Lost() < 200 {
			t.Fatalf("%d frames were lost", c.leg.Lost())
		}
		for i, most := range []time.Duration{6 * time.Second, 500 * time.Millisecond} {
			start := len(c.sent)
			c.say(over(clip, 2))
			c.say(line(4*time.Second, 3))
			turn := c.turns()[i]
			if early := c.at(start + first(c.sent[start:])).Sub(turn.Began()); early < 0 || early > most {
				t.Errorf("turn %d: said to have begun %v before its first sound", i+1, early)
			}
		}
	})
}

// a clock that jumps makes a beginning earlier, or leaves it as it is.
func TestInvariant12AClockThatJumpsMakesNoTurnLater(t *testing.T) {
	at := time.Unix(1000, 0)
	l := newLateness(func() time.Time { return at })
	step := func(n int) {
		for range n {
			l.waiting()
			at = at.Add(20 * time.Millisecond)
			l.took(20 * time.Millisecond)
		}
	}
	step(50)
	if ago := l.ago(900 * time.Millisecond); ago != 100*time.Millisecond {
		t.Errorf("100 ms ago is %v", ago)
	}
	for _, jump := range []time.Duration{time.Hour, -time.Hour, -time.Second, time.Second} {
		at = at.Add(jump)
		step(1)
		if ago := l.ago(l.heard - 100*time.Millisecond); ago < 100*time.Millisecond {
			t.Errorf("after a jump of %v, 100 ms ago is %v", jump, ago)
		}
		step(200)
		if ago := l.ago(l.heard - 100*time.Millisecond); ago < 100*time.Millisecond || ago > 150*time.Millisecond {
			t.Errorf("4 s after a jump of %v, 100 ms ago is %v", jump, ago)
		}
	}
	// A leg that brings three frames at once is as good.
	at = at.Add(time.Second)
	for range 60 {
		l.waiting()
		at = at.Add(60 * time.Millisecond)
		l.took(20 * time.Millisecond)
		for range 2 {
			l.waiting()
			l.took(20 * time.Millisecond)
		}
	}
	if ago := l.ago(l.heard - 100*time.Millisecond); ago < 100*time.Millisecond || ago > 150*time.Millisecond {
		t.Errorf("3.6 s after a jump, in frames that come by threes, 100 ms ago is %v", ago)
	}
	// Frames that lay somewhere are not waited for, and put nothing right.
	at = at.Add(time.Second)
	for range 500 {
		l.waiting()
		l.took(20 * time.Millisecond)
		at = at.Add(20 * time.Millisecond)
	}
	if ago := l.ago(l.heard - 100*time.Millisecond); ago < time.Second {
		t.Errorf("what lay for a second is said to have been heard %v ago", ago)
	}
}

// TestInvariant10NothingIsHeardTwice has somebody speak without end, so that turns are cut: no sound of one is in another, or a word would count for later than it was said.
func TestInvariant10NothingIsHeardTwice(t *testing.T) {
	for _, l := range []ear.Limits{{Longest: 2 * time.Second}, {Silence: 160 * time.Millisecond}} {
		synctest.Test(t, func(t *testing.T) {
			stt := &recogniser{}
			c := dial(t, Options{STT: stt, Limits: l}, voicetest.Options{}, nil)
			c.say(line(time.Second, 1))
			c.say(over(mediatest.Readers(t)[0].PCM[:6*second], 2))
			c.say(line(2*time.Second, 3))
			turns, all := c.turns(), stt.heard()
			if len(turns) < 3 || len(turns) != len(all) {
				t.Fatalf("%d turns of %d utterances: %v", len(turns), len(all), c.names())
			}
			end := 0
			for i, h := range all {
				from := c.find(h.pcm)
				// What is only the silence behind a turn may stand before the next as well. One that was cut has none.
				if from < 0 || from < end-int(l.Silence*second/time.Second) {
					t.Errorf("turn %d is samples %d to %d, and the one before went to %d", i+1, from, from+len(h.pcm), end)
				}
				if turns[i].Began().After(c.at(from)) {
					t.Errorf("turn %d began at %v, and was heard from %v on", i+1, turns[i].Began(), c.at(from))
				}
				end = from + len(h.pcm)
			}
		})
	}
}

// frames of any length and rate are heard alike.
func TestOtherLegs(t *testing.T) {
	clip := mediatest.Prompts(t, "en")[0].PCM
	for _, o := range some([]voicetest.Options{{Rate: 16000, Frame: 60 * time.Millisecond}, {Frame: 10 * time.Millisecond}, {Frame: 60 * time.Millisecond}, {Rate: 48000}, {Rate: 44100, Frame: 30 * time.Millisecond}}, 3) {
		t.Run(fmt.Sprint(o.Rate, o.Frame), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stt := &recogniser{}
				c := dial(t, Options{STT: stt}, o, nil)
				sound := append(append(line(time.Second, 1), over(clip, 2)...), line(2*time.Second, 3)...).PCM()
				if o.Rate != 0 {
					conv, err := rate.New(8000, o.Rate)
					if err != nil {
						t.Fatal(err)
					}
					sound = conv.Flush(conv.Convert(nil, sound))
				}
				<-c.leg.Speak(sound)
				time.Sleep(time.Second)
				if got := c.names(); !slices.Equal(got, []string{"begun", "barged", "said utterance 1"}) {
					t.Fatalf("%v", got)
				}
				if early := c.began.Add(time.Second).Sub(c.turns()[0].Began()); early < 200*time.Millisecond || early > 600*time.Millisecond {
					t.Errorf("it began %v too early", early)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, Options{}, voicetest.Options{Rate: 4000}, nil)
		if err := <-c.ended; err == nil {
			t.Error("a rate that is none of speech is heard")
		}
		<-c.closed
	})
}

// an ear of no transcript adds nothing, and an event of speech is not told.
func TestWithoutAnEar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leg := voicetest.New(voicetest.Options{})
		ears := New(Options{Leg: leg, STT: &recogniser{}, Now: time.Now})
		ended := make(chan error, 1)
		go func() { ended <- ears.Run(t.Context()) }()
		leg.Press("1", 0)
		<-leg.Speak(append(append(line(time.Second, 1), sentence(t)...), line(time.Second, 2)...).PCM())
		_ = leg.HangUp(t.Context())
		<-ended
		for h := range ears.Heard() {
			t.Errorf("%s", short(h))
		}
	})
}

// mad is a leg that panics.
type mad struct{ voice.Leg }

func (mad) Hear(context.Context) (voice.Frame, error) { panic("the leg") }

func TestAPanicClosesTheEars(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leg := voicetest.New(voicetest.Options{})
		defer func() { _ = leg.HangUp(t.Context()) }()
		_, e := voice.NewTranscript(time.Now)
		ears := New(Options{Leg: mad{leg}, Ear: e, Now: time.Now})
		panicked := make(chan any, 1)
		go func() {
			defer func() { panicked <- recover() }()
			_ = ears.Run(t.Context())
		}()
		for h := range ears.Heard() {
			t.Errorf("%s", short(h))
		}
		if <-panicked == nil {
			t.Error("the panic is swallowed")
		}
	})
}
