package agent_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/consent"
	"readback/voice/listen"
	"readback/voice/media/mediatest"
	"readback/voice/voicetest"
)

// understood is what a recogniser makes of an utterance, and how long that takes.
type understood struct {
	words string
	slow  time.Duration
}

// recogniser is a fake engine that hears what a test has written down, one utterance after the other.
type recogniser struct {
	mu   sync.Mutex
	left []understood
}

func (r *recogniser) Listen(context.Context, lang.Lang, int) (voice.Hearing, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := &utterance{interim: make(chan untrusted.Text)}
	if len(r.left) > 0 {
		h.understood, r.left = r.left[0], r.left[1:]
	}
	return h, nil
}

type utterance struct {
	understood
	interim chan untrusted.Text
}

func (u *utterance) Write(voice.Frame) error        { return nil }
func (u *utterance) Interim() <-chan untrusted.Text { return u.interim }
func (u *utterance) Cancel()                        {}
func (u *utterance) Finish(ctx context.Context) (untrusted.Text, error) {
	select {
	case <-time.After(u.slow):
		return untrusted.New(u.words), nil
	case <-ctx.Done():
		return untrusted.Text{}, ctx.Err()
	}
}

// still is a line on which nobody speaks.
func still(d time.Duration, seed uint64) []int16 {
	return mediatest.Pink(int(d*8000/time.Second), seed).At(-52).PCM()
}

// aloud is somebody who says something, whatever it is, for about a second.
func aloud(t *testing.T, n int) []int16 {
	s := mediatest.From(mediatest.Prompts(t, "en")[n].PCM).At(-22)
	for len(s) > 0 && s[:80].Level() < -38 {
		s = s[80:]
	}
	s = s[:min(len(s), 8000)/160*160]
	return s.Plus(mediatest.Pink(len(s), uint64(n)).At(-52), 0).PCM()
}

// onALine plays a call with the real ears, up to the end of the question. The caller has then asked for a text to Marie.
func onALine(t *testing.T, answers []understood, play func(t *testing.T, w *world, leg *voicetest.Leg)) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		leg := voicetest.New(voicetest.Options{})
		real := listen.New(listen.Options{Leg: leg, Ear: w.ears.ear, STT: &recogniser{left: append([]understood{{"text marie that i will be late", 0}}, answers...)}, Now: time.Now})
		w.call.Ears, w.call.HangUp = real, leg.HangUp
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = real.Run(ctx) }()
		w.model.then(prepares("Marie", late))
		w.begins()
		<-leg.Speak(still(4*time.Second, 1))
		<-leg.Speak(aloud(t, 0))
		w.hears(question)
		<-leg.Speak(still(time.Second, 2))
		play(t, w, leg)
		_ = leg.HangUp(ctx)
		w.isOver()
	})
}

// TestInvariant10ANoBeforeTheDispatchWins has a yes understood late, and the caller take it back meanwhile.
func TestInvariant10ANoBeforeTheDispatchWins(t *testing.T) {
	yes := understood{"yes", 5 * time.Second}
	for name, c := range map[string]struct {
		then  understood
		state smsmcp.SendState
		after func(t *testing.T, w *world, leg *voicetest.Leg)
	}{
		"a no that was understood": {understood{"no wait", 100 * time.Millisecond}, smsmcp.Declined, func(_ *testing.T, w *world, _ *voicetest.Leg) {
			w.hears("Dropped. Nothing has left.")
		}},
		"a no that is understood later": {understood{"no wait", 8 * time.Second}, smsmcp.Declined, func(_ *testing.T, w *world, _ *voicetest.Leg) {
			w.hears("Dropped. Nothing has left.")
		}},
		"a no, and the end of the call": {understood{"no wait", 100 * time.Millisecond}, smsmcp.Declined, func(t *testing.T, w *world, leg *voicetest.Leg) {
			time.Sleep(time.Second)
			_ = leg.HangUp(t.Context())
			w.isOver()
		}},
		"a no that nobody understands in time": {understood{"no wait", time.Hour}, smsmcp.Cancelled, func(t *testing.T, w *world, leg *voicetest.Leg) {
			time.Sleep(time.Second)
			_ = leg.HangUp(t.Context())
			w.isOver()
		}},
		"a yes again": {understood{"send it", 100 * time.Millisecond}, smsmcp.Done, func(_ *testing.T, w *world, _ *voicetest.Leg) {
			w.hears("has left")
		}},
		"a noise": {understood{"", 100 * time.Millisecond}, smsmcp.Cancelled, func(_ *testing.T, w *world, _ *voicetest.Leg) {
			w.hears(keypad)
			w.hears("no plain answer")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			onALine(t, []understood{yes, c.then}, func(t *testing.T, w *world, leg *voicetest.Leg) {
				<-leg.Speak(aloud(t, 1))
				<-leg.Speak(still(900*time.Millisecond, 3))
				<-leg.Speak(aloud(t, 2))
				<-leg.Speak(still(1200*time.Millisecond, 4))
				c.after(t, w, leg)
				w.states(c.state)
				if got := w.sent(); (len(got) > 0) != (c.state == smsmcp.Done) {
					t.Errorf("sent %q", got)
				}
			})
		})
	}
	t.Run("nothing more", func(t *testing.T) {
		onALine(t, []understood{yes}, func(t *testing.T, w *world, leg *voicetest.Leg) {
			<-leg.Speak(aloud(t, 1))
			<-leg.Speak(still(1200*time.Millisecond, 3))
			w.hears("has left")
			w.states(smsmcp.Done)
		})
	})
}

// TestInvariant10AnAnswerWaitsForTheEndOfTheQuestion: what is heard while the question can still come back may be its echo, whatever a recogniser makes of it.
func TestInvariant10AnAnswerWaitsForTheEndOfTheQuestion(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts(question)
		time.Sleep(700 * time.Millisecond) // past the end of the read-back, its round trip and margin
		w.ears.says("okay")
		w.starts(keypad)
		time.Sleep(560 * time.Millisecond)
		w.ears.says("okay") // and so does the second
		w.hears(keypad)
		w.nothingWent(smsmcp.Waiting)
		time.Sleep(5 * time.Second)
		w.ears.says("okay") // which is no echo
		w.hears("has left")
		w.states(smsmcp.Done)
	}, func(w *world) { w.mouth.trip = 300 * time.Millisecond })
}

func TestAKeyAnswersIntoTheQuestion(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts(question)
		time.Sleep(w.mouth.trip + consent.Margin + 80*time.Millisecond) // the key is held
		w.ears.presses("1")
		w.hears("has left")
		w.states(smsmcp.Done)
	})
}

// TestInvariant10AQuestionThatNobodyHeardHasNoSpokenAnswer has the engine fail at it: a key answers still.
func TestInvariant10AQuestionThatNobodyHeardHasNoSpokenAnswer(t *testing.T) {
	for name, answer := range map[string]func(t *testing.T, w *world){
		"speech": func(t *testing.T, w *world) {
			w.ears.says("yes")
			w.hears(keypad)
			w.nothingWent(smsmcp.Waiting)
			w.ears.says("yes")
			w.hears("has left")
		},
		"a key": func(t *testing.T, w *world) {
			w.ears.presses("1")
			w.hears("has left")
		},
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.mouth.breaks(func(text string) error {
					if text == question {
						return errTest
					}
					return nil
				})
				w.model.then(prepares("Marie", late))
				w.hears("What can I do")
				w.ears.says("text marie that i will be late")
				w.hears(late)
				time.Sleep(3 * time.Second)
				answer(t, w)
				w.states(smsmcp.Done)
			})
		})
	}
}

// TestAKeyThatIsPressedTwiceIsOneAnswer: the second 1 reads no texts over what became of the first, whether that is being found out or said.
func TestAKeyThatIsPressedTwiceIsOneAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		keys string
		slow time.Duration
		said string
	}{
		"yes": {"11", 0, "has left"}, "yes, and the log is slow": {"111111", 500 * time.Millisecond, "has left"}, "no, and then yes": {"21", 0, "Nothing has left."}, "and the language": {"19", 0, "has left"},
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.received(marie, "Are you there?")
				drafted(w)
				w.ledger.breaks(nil, nil, c.slow)
				w.ears.presses(c.keys)
				w.hears(c.said)
				w.quiet()
				if got := w.mouth.said(true); !strings.Contains(got[len(got)-1], c.said) {
					t.Errorf("heard %q", got[len(got)-2:])
				}
				w.ears.presses("1") // and from here on it reads them
				w.hears("Are you there?")
				w.quiet()
				if w.heard("Are you there?") != 1 || !slices.Contains([]int{0, 1}, len(w.sent())) {
					t.Errorf("heard %q, sent %q", w.mouth.said(true), w.sent())
				}
			})
		})
	}
}
