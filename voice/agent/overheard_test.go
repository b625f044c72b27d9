package agent_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/voice/gate"
)

const (
	noCode = "so I do not ask for the code"
	prompt = "Key in your code."
)

// noCodeTaken says that the caller hears why no code is taken, that what they key stands nowhere and opens nothing, and that they can leave a message.
func (w *world) noCodeTaken() {
	w.t.Helper()
	w.starts(noCode)
	w.ears.presses("246813") // they may go on, and on
	w.hears(noCode)
	w.ears.presses("246813")
	w.hears(tone)
	w.until("the tone", func() bool { return w.ears.recording() != nil })
	if w.ears.isDeaf() {
		w.t.Error("what is said behind the tone is not heard")
	}
	for _, turn := range w.script.Turns() {
		if turn.Key() != 0 {
			w.t.Errorf("key %c is in the transcript", turn.Key())
		}
	}
	w.leavesAMessage()
	if w.heard(noCode) != 1 {
		w.t.Errorf("heard %q", w.mouth.said(true))
	}
}

func (w *world) triesNone() {
	w.t.Helper()
	if len(w.gate.tries) > 0 {
		w.t.Errorf("tried %q", w.gate.tries)
	}
}

// TestInvariant10NoPINIsAskedForWhileAnybodyElseIsConnected: who is in a room hears the keys that are pressed in it.
func TestInvariant10NoPINIsAskedForWhileAnybodyElseIsConnected(t *testing.T) {
	for _, forGood := range []bool{true, false} {
		var n atomic.Int64
		n.Store(1)
		inCall(t, func(t *testing.T, w *world) {
			w.starts(noCode)
			if !forGood {
				n.Store(0)
			}
			w.noCodeTaken()
			w.triesNone()
			if got := w.mouth.said(true); !strings.Contains(got[0], noCode) {
				t.Errorf("heard %q", got)
			}
		}, byPhone, beside(&n))
	}
	t.Run("French", func(t *testing.T) {
		var n atomic.Int64
		n.Store(1)
		inCall(t, func(_ *testing.T, w *world) {
			w.hears("je ne demande donc pas le code")
			w.hears("après le signal")
		}, byPhone, french, beside(&n))
	})
}

// TestInvariant10WhoComesWhileThePINIsKeyedEndsIt: what was keyed is dropped, whether they are seen between two keys or at the next.
func TestInvariant10WhoComesWhileThePINIsKeyedEndsIt(t *testing.T) {
	for name, play := range map[string]func(w *world, n *atomic.Int64){
		"before a key": func(w *world, n *atomic.Int64) { n.Store(1) },
		"between two": func(w *world, n *atomic.Int64) {
			w.ears.presses("2468")
			n.Store(1)
		},
		"at the last": func(w *world, n *atomic.Int64) {
			w.ears.presses("24681")
			n.Store(1)
			w.ears.presses("3")
		},
		"while it is asked for again": func(w *world, n *atomic.Int64) {
			w.hears(prompt)
			w.starts(prompt)
			n.Store(1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			inCall(t, func(t *testing.T, w *world) {
				w.starts(prompt)
				play(w, &n)
				asked := w.heard(prompt)
				w.noCodeTaken()
				w.triesNone()
				if w.heard(prompt) != asked {
					t.Error("it is asked for to the end")
				}
			}, byPhone, beside(&n))
		})
	}
}

// TestInvariant10WhoComesBetweenTwoLooksIsSeenAtTheKey, the last one above all: nothing is tried.
func TestInvariant10WhoComesBetweenTwoLooksIsSeenAtTheKey(t *testing.T) {
	var there atomic.Bool
	inCall(t, func(t *testing.T, w *world) {
		w.starts(prompt)
		w.ears.presses("24681")
		there.Store(true) // for the next look, which is that at the key
		w.ears.presses("3")
		w.noCodeTaken()
		w.triesNone()
	}, byPhone, func(w *world) {
		w.call.Others = func() int {
			if there.CompareAndSwap(true, false) {
				return 1
			}
			return 0
		}
	})
}

// arrives is a gate at which somebody comes into the room when it has its answer.
type arrives struct {
	*keeper
	n *atomic.Int64
}

func (a arrives) Try(ctx context.Context, call, pin string) (gate.Answer, error) {
	answer, err := a.keeper.Try(ctx, call, pin)
	a.n.Store(1)
	return answer, err
}

// TestInvariant10WhoComesWhileThePINIsLookedAt: the right one opens nothing, and nobody hears whether it was.
func TestInvariant10WhoComesWhileThePINIsLookedAt(t *testing.T) {
	for _, pin := range []string{"246813", "111111"} {
		var n atomic.Int64
		inCall(t, func(t *testing.T, w *world) {
			w.starts(prompt)
			w.ears.presses(pin)
			time.Sleep(10 * time.Second)
			n.Store(1)
			time.Sleep(5 * time.Second)
			n.Store(0) // and goes again
			w.noCodeTaken()
			if w.heard("not the code")+w.heard("cannot be checked") > 0 {
				t.Errorf("heard %q", w.mouth.said(true))
			}
		}, byPhone, beside(&n), func(w *world) { w.gate.delay = 30 * time.Second })
		n.Store(0)
		inCall(t, func(_ *testing.T, w *world) {
			w.starts(prompt)
			w.ears.presses(pin)
			w.noCodeTaken()
		}, byPhone, beside(&n), func(w *world) { w.options.Gate = arrives{w.gate, &n} })
	}
}

// TestATryThatWaitsForItsTurnIsGivenUpWhenSomebodyComes, at once.
func TestATryThatWaitsForItsTurnIsGivenUpWhenSomebodyComes(t *testing.T) {
	var n atomic.Int64
	inCall(t, func(t *testing.T, w *world) {
		w.starts(prompt)
		w.ears.presses("246813")
		time.Sleep(5 * time.Second)
		came := time.Now()
		n.Store(1)
		w.starts(noCode)
		if d := time.Since(came); d > 5*time.Second {
			t.Errorf("after %v", d)
		}
		w.noCodeTaken()
		w.triesNone()
	}, byPhone, beside(&n), func(w *world) { w.options.Gate = waiter{w.gate} })
}

// TestWithNobodyElseInTheRoomThePINIsTaken, and who comes after it is told of as to any owner.
func TestWithNobodyElseInTheRoomThePINIsTaken(t *testing.T) {
	var n atomic.Int64
	inCall(t, func(_ *testing.T, w *world) {
		w.starts(prompt)
		w.ears.presses("246813")
		w.hears("What can I do")
		n.Store(1)
		w.hears(overheard)
		w.model.then("Hello.")
		w.ears.says("hello my friend")
		w.hears("Hello.", 2)
	}, byPhone, beside(&n))
}
