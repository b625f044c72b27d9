package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/gate"
)

// byPhone has the call come from a telephone whose number is the owner's, with a PIN.
func byPhone(w *world) {
	w.call.Owner = false
	w.gate.known, w.gate.pin = w.call.Caller.Number, "246813"
}

func stranger(w *world) { w.call.Owner = false }

const tone = "after the tone"

// leaves says that the call is a stranger's now, that nothing of the owner's was touched, and gives what was left.
func (w *world) leavesAMessage() {
	w.t.Helper()
	w.hears(tone)
	w.until("the tone", func() bool { return w.ears.recording() != nil })
	w.ears.says("this is joe, call me back")
	w.ears.says("it is about the roof")
	w.ears.presses("#")
	w.isOver()
	<-w.hungUp
	if len(w.mail.kept) != 1 {
		w.t.Fatalf("%d messages were kept", len(w.mail.kept))
	}
	m := w.mail.kept[0]
	if !m.Words.Equal(untrusted.New("this is joe, call me back it is about the roof")) || m.Call != "call1" || m.Caller != w.call.Caller || len(m.Sound.Samples) == 0 || m.At.IsZero() {
		w.t.Errorf("kept %+v", m)
	}
	if n := len(w.model.requests()); n > 0 {
		w.t.Errorf("the model was asked %d times", n)
	}
	if w.counted(smsmcp.CallAnswered, "stranger") != 1 || w.counted(smsmcp.CallAnswered, "owner") != 0 {
		w.t.Error("not counted as a stranger's")
	}
	for _, s := range w.mouth.said(true) {
		if strings.Contains(s, "Marie") || strings.Contains(s, "Paul") {
			w.t.Errorf("a stranger heard %q", s)
		}
	}
}

func TestInvariant10AStrangerLeavesAMessageAndNothingElse(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.leavesAMessage()
		if w.heard("code") > 0 {
			t.Error("a stranger was asked for the code")
		}
	}, stranger, func(w *world) {
		w.options.Book, w.options.Box, w.options.Door, w.options.Desk, w.options.LLM = nil, nil, nil, nil, nil // whoever asks one of them ends the test
	})
}

func TestAStrangersMessageEnds(t *testing.T) {
	for name, c := range map[string]struct {
		play func(w *world)
		kept string
	}{
		"by hanging up":     {func(w *world) { w.ears.says("it is joe"); w.ears.hangsUp() }, "it is joe"},
		"by a pause":        {func(w *world) { w.ears.says("it is joe") }, "it is joe"},
		"by saying nothing": {func(*world) {}, ""},
		"by going on and on": {func(w *world) {
			for range 40 {
				w.ears.says("it is joe and i have all the time that there is in the world to tell")
			}
		}, "it is joe"},
		"by a key in the last word": {func(w *world) {
			u := w.ears.begins()
			time.Sleep(time.Second)
			w.ears.presses("#")
			w.ears.ends(u, "it is joe")
		}, "it is joe"},
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.hears(tone)
				w.until("the tone", func() bool { return w.ears.recording() != nil })
				c.play(w)
				w.isOver()
				if len(w.mail.kept) != 1 || !strings.HasPrefix(w.mail.kept[0].Words.RawForStore(), c.kept) || w.ears.recording().stops != 1 {
					t.Errorf("kept %d", len(w.mail.kept))
				}
			}, stranger)
		})
	}
}

func TestAStrangerWhoHangsUpBeforeTheToneLeavesNothing(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts(tone)
		w.ears.says("yes, send it")
		w.ears.presses("1")
		w.ends()
		if len(w.mail.kept) != 0 {
			t.Error("something was kept")
		}
		if w.counted(smsmcp.CallEnded, "caller") != 1 {
			t.Error("it ended otherwise")
		}
	}, stranger)
}

func TestTheOwnersNameIsSaidWhereItIsConfigured(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears("This is the voicemail of Alex Roy.")
	}, stranger, func(w *world) { w.options.OwnerName = "Alex Roy" })
}

func TestThePINOpensTheConversation(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts("Key in your code.")
		w.ears.says("two four six eight one three") // never spoken: it opens nothing
		w.ears.presses("99*246813")
		w.hears("What can I do")
		w.model.then("Hello.")
		w.ears.says("hello my friend")
		w.hears("Hello.", 2)
		if !slices.Equal(w.gate.tries, []string{"246813"}) {
			t.Errorf("tried %q", w.gate.tries)
		}
		if told := w.told(); len(told) != 1 {
			t.Errorf("the model was told %q", told)
		}
		for _, turn := range w.script.Turns() {
			if strings.ContainsAny(turn.Words().RawForStore(), "0123456789") {
				t.Error("the transcript's words have digits")
			}
		}
		if strings.Contains(w.log.String(), "246813") {
			t.Error("the log has the PIN")
		}
		if w.counted(smsmcp.CallAnswered, "owner") != 1 {
			t.Error("not counted")
		}
	}, byPhone)
}

func TestInvariant10AWrongPINOpensNothing(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts("Key in your code.")
		for i, pin := range []string{"111111", "222222", "333333"} {
			w.ears.presses(pin)
			w.hears("That is not the code.", i+1)
		}
		w.leavesAMessage()
	}, byPhone)
}

func TestInvariant10AGateThatFailsOpensNothing(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts("Key in your code.")
		w.ears.presses("246813")
		w.hears("cannot be checked")
		w.leavesAMessage()
	}, byPhone, func(w *world) { w.gate.err = errTest })
}

func TestInvariant10BeforeThePINNothingCounts(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts("Key in your code.")
		w.ears.says("text marie that i will be late")
		w.ears.presses("2468")
		w.hears("Key in your code.", 1) // no key for a while: from the beginning
		w.ears.presses("13")
		w.hears("Key in your code.", 1)
		w.leavesAMessage()
		if len(w.gate.tries) > 0 {
			t.Errorf("tried %q", w.gate.tries)
		}
	}, byPhone)
}

func TestWhoseNumberItIsMayLeaveAMessage(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts("Key in your code.")
		w.ears.presses("#")
		w.starts(tone)
		if w.ears.isDeaf() {
			t.Error("who begins before the tone is not heard")
		}
		w.leavesAMessage()
	}, byPhone)
}

func TestASlowGateIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, byPhone, func(w *world) { w.gate.delay = 30 * time.Second })
		w.begins()
		w.starts("Key in your code.")
		w.ears.presses("246813")
		w.ears.presses("123456") // while it is looked at, no key counts
		w.hears("What can I do")
		if len(w.gate.tries) != 1 {
			t.Errorf("tried %q", w.gate.tries)
		}
		n := 0
		for _, h := range w.mouth.played() {
			if h.part.Sound == voice.Thinking {
				n++
			}
		}
		if n < 5 {
			t.Errorf("%d thinking sounds", n)
		}
		w.ends()
	})
}

// TestAForgerHoldsNoCall by keys that try nothing: the whole of the PIN takes two minutes, and then the call is a stranger's, which a pause ends.
func TestAForgerHoldsNoCall(t *testing.T) {
	for name, key := range map[string]string{"anew": "*", "digits and anew": "1234*"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, byPhone)
			w.begins()
			began := time.Now()
			for open := true; open; {
				select {
				case <-w.over:
					open = false
				case <-time.After(8 * time.Second):
					w.ears.presses(key)
				}
				if time.Since(began) > 10*time.Minute {
					t.Fatalf("%s: held for ever", name)
				}
			}
			if d := time.Since(began); d < 2*time.Minute || d > 3*time.Minute || len(w.gate.tries) > 0 {
				t.Errorf("%s: held for %v, tried %q", name, d, w.gate.tries)
			}
		})
	}
}

// waiter is a gate at which no turn comes.
type waiter struct{ *keeper }

func (w waiter) Try(ctx context.Context, _, _ string) (gate.Answer, error) {
	<-ctx.Done()
	return gate.Wrong, ctx.Err()
}

// TestATryThatGetsNoTurnEndsWithThePIN, and who calls may leave a message.
func TestATryThatGetsNoTurnEndsWithThePIN(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts("Key in your code.")
		began := time.Now()
		w.ears.presses("246813")
		w.hears("cannot be checked")
		if d := time.Since(began); d > 2*time.Minute+5*time.Second {
			t.Errorf("after %v", d)
		}
		w.leavesAMessage()
	}, byPhone, func(w *world) { w.options.Gate = waiter{w.gate} })
}

// TestATryThatIsLookedAtWhenTheTimeEndsIsAnswered: the right one opens, another leads to voicemail.
func TestATryThatIsLookedAtWhenTheTimeEndsIsAnswered(t *testing.T) {
	for _, pin := range []string{"246813", "111111"} {
		inCall(t, func(t *testing.T, w *world) {
			w.starts("Key in your code.")
			w.ears.presses(pin)
			if pin == "246813" {
				w.hears("What can I do")
				if w.ears.isDeaf() {
					t.Error("the owner is not heard")
				}
				return
			}
			w.hears("That is not the code.")
			w.leavesAMessage()
		}, byPhone, func(w *world) { w.gate.delay = 130 * time.Second })
	}
}

// TestInvariant11ThePINStandsNowhere: not in the transcript, not in the log; and nobody's speech goes to a recogniser while it is asked for.
func TestInvariant11ThePINStandsNowhere(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.starts("Key in your code.")
		if !w.ears.isDeaf() {
			t.Error("the ears hear while the PIN is asked for")
		}
		w.ears.presses("13*111111")
		w.hears("That is not the code.")
		w.starts("Key in your code.")
		if !w.ears.isDeaf() {
			t.Error("the ears hear while it is asked for again")
		}
		w.ears.presses("246813")
		w.hears("What can I do")
		if w.ears.isDeaf() {
			t.Error("the owner is not heard")
		}
		for _, turn := range w.script.Turns() {
			if turn.Key() != 0 {
				t.Errorf("key %c is in the transcript", turn.Key())
			}
		}
		if strings.Contains(w.log.String(), "246813") || strings.Contains(w.log.String(), "111111") {
			t.Error("the log has it")
		}
		w.ears.presses("9")
		w.hears("Nous parlons")
		if all := w.script.Turns(); !slices.ContainsFunc(all, func(x voice.Turn) bool { return x.Key() == '9' }) {
			t.Error("the owner's keys are not in the transcript")
		}
	}, byPhone)
}

// TestWithoutAVoiceTheOwnerMayLeaveAMessageToo: nobody can be asked for a PIN.
func TestWithoutAVoiceTheOwnerMayLeaveAMessageToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, byPhone)
		w.mouth.breaks(func(s string) error {
			if s != "" {
				return errTest
			}
			return nil
		})
		w.begins()
		w.until("the recording", func() bool { return w.ears.recording() != nil })
		if w.ears.isDeaf() {
			t.Error("nobody is heard")
		}
		w.ears.says("it is joe")
		w.ears.hangsUp()
		w.isOver()
		if len(w.mail.kept) != 1 || w.mail.kept[0].Words.RawForStore() != "it is joe" {
			t.Errorf("kept %d", len(w.mail.kept))
		}
	})
}
