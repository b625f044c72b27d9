package agent_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
)

const (
	overheard    = "Only what your own microphone hears counts"
	overheardFR  = "Seul compte ce que votre propre micro entend"
	wasOverheard = "was connected meanwhile"
)

// beside gives a call others, of whom a test says how many there are.
func beside(n *atomic.Int64) func(w *world) {
	return func(w *world) { w.call.Others = func() int { return int(n.Load()) } }
}

// TestTheOwnerHearsWhoElseIsConnected: once for each rise of the count, in either language.
func TestTheOwnerHearsWhoElseIsConnected(t *testing.T) {
	var n atomic.Int64
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		w.quiet()
		if w.heard(overheard) > 0 {
			t.Error("nobody is there, and it is said")
		}
		n.Store(1)
		w.hears(overheard)
		w.quiet()
		w.ears.presses("9")
		w.hears("français")
		n.Store(2)
		w.hears(overheardFR)
		n.Store(0)
		w.quiet()
		time.Sleep(5 * time.Second)
		if w.heard(overheard) != 1 || w.heard(overheardFR) != 1 {
			t.Errorf("heard %q", w.mouth.said(true))
		}
		s.is(t, false, "others: 1", "others: 2", "others: 0")
	}, beside(&n), func(w *world) { s = onScreen(w) })
}

// TestWhoIsThereAtTheBeginningIsSaidBehindHello, and then no more, however long they stay.
func TestWhoIsThereAtTheBeginningIsSaidBehindHello(t *testing.T) {
	var n atomic.Int64
	n.Store(3)
	inCall(t, func(t *testing.T, w *world) {
		w.hears(overheard)
		if got := w.mouth.said(true); len(got) != 2 || !strings.Contains(got[0], "What can I do") {
			t.Errorf("heard %q", got)
		}
		for range 10 {
			w.model.then("Yes?")
			w.ears.says("are you there")
			time.Sleep(15 * time.Second)
		}
		if w.heard(overheard) != 1 {
			t.Errorf("heard %q", w.mouth.said(true))
		}
		n.Store(0)
		time.Sleep(3 * time.Second)
		n.Store(3) // and whoever comes again later is told of again
		w.hears(overheard, 2)
	}, beside(&n))
}

// TestInvariant10NobodyIsWarnedIntoADraft: who comes while one is pending is told of after what became of it.
func TestInvariant10NobodyIsWarnedIntoADraft(t *testing.T) {
	var n atomic.Int64
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts("This is the text to")
		n.Store(1)
		w.hears(question)
		time.Sleep(5 * time.Second)
		w.ledger.breaks(nil, nil, 10*time.Second) // the yes takes its time
		w.ears.says("yes")
		w.hears("has left")
		w.hears(overheard)
		got := w.mouth.said(false)
		if i, j := slices.IndexFunc(got, func(s string) bool { return strings.Contains(s, "has left") }), slices.IndexFunc(got, func(s string) bool { return strings.Contains(s, overheard) }); j != i+1 || len(got) != j+1 {
			t.Errorf("heard %q", got)
		}
		w.states(smsmcp.Done)
	}, beside(&n))
}

// TestAWarningThatWasCutIsGivenAgain: a draft, or the caller, comes before it.
func TestAWarningThatWasCutIsGivenAgain(t *testing.T) {
	var n atomic.Int64
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		w.quiet()
		n.Store(1)
		w.starts(overheard)
		time.Sleep(300 * time.Millisecond)
		w.model.then("Go on.")
		w.ears.says("i was about to say something")
		w.hears("Go on.")
		if w.heard(overheard) > 0 {
			t.Fatal("it was not cut")
		}
		time.Sleep(5 * time.Second)
		if w.heard(overheard) > 0 || w.mouth.speaking() {
			t.Error("it comes again at once")
		}
		for range 3 {
			w.model.then("Yes?")
			w.ears.says("are you there")
			time.Sleep(20 * time.Second)
		}
		if w.heard(overheard) != 1 {
			t.Errorf("heard %q", w.mouth.said(true))
		}
	}, beside(&n))
}

// TestInvariant10WhoIsThereForADraftAloneIsToldOfAfterIt: they may have heard it, and be gone by then.
func TestInvariant10WhoIsThereForADraftAloneIsToldOfAfterIt(t *testing.T) {
	for _, before := range []int64{0, 1} { // of whom it was told
		var n atomic.Int64
		n.Store(before)
		inCall(t, func(t *testing.T, w *world) {
			w.model.then(prepares("Marie", late))
			w.hears("What can I do")
			w.quiet()
			w.ears.says("text marie that i will be late")
			w.starts("This is the text to")
			n.Store(before + 2)
			w.hears(question)
			time.Sleep(3 * time.Second)
			n.Store(before)
			time.Sleep(2 * time.Second)
			w.ears.says("yes")
			w.hears("has left")
			w.hears(wasOverheard)
			time.Sleep(20 * time.Second)
			if w.heard(wasOverheard) != 1 || w.heard(overheard) != int(before) {
				t.Errorf("heard %q", w.mouth.said(true))
			}
			n.Store(before + 3) // and if more come later, it is said, too
			w.hears(overheard, int(before)+1)
		}, beside(&n))
	}
	t.Run("French", func(t *testing.T) {
		var n atomic.Int64
		inCall(t, func(_ *testing.T, w *world) {
			w.hears("Que puis-je faire")
			w.model.then(prepares("Marie", "Je serai en retard."))
			w.ears.says("écris à marie")
			w.hears("laisse partir")
			n.Store(1)
			time.Sleep(3 * time.Second)
			n.Store(0)
			w.ears.says("non")
			w.hears("était connecté entre-temps")
		}, french, beside(&n))
	})
}

// TestWhoComesWhileAnotherIsToldOfIsToldOfToo.
func TestWhoComesWhileAnotherIsToldOfIsToldOfToo(t *testing.T) {
	var n atomic.Int64
	inCall(t, func(_ *testing.T, w *world) {
		w.hears("What can I do")
		w.quiet()
		n.Store(1)
		w.starts(overheard)
		n.Store(2)
		time.Sleep(1500 * time.Millisecond)
		n.Store(1)
		w.hears(overheard)
		w.hears(wasOverheard)
	}, beside(&n))
}

// TestAWarningThatNoEngineCouldSayIsGivenAgain, and not for ever.
func TestAWarningThatNoEngineCouldSayIsGivenAgain(t *testing.T) {
	var n atomic.Int64
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		w.quiet()
		var tried atomic.Int64
		broken := func(works int64) {
			tried.Store(0)
			w.mouth.breaks(func(text string) error {
				if strings.Contains(text, overheard) && tried.Add(1) < works {
					return errTest
				}
				return nil
			})
		}
		talks := func() {
			for range 8 { // two minutes
				w.model.then("Yes?")
				w.ears.says("are you there")
				time.Sleep(15 * time.Second)
			}
		}
		broken(3)
		n.Store(1)
		w.hears(overheard)
		talks()
		if w.heard(overheard) != 1 || tried.Load() != 3 {
			t.Errorf("tried %d times, heard %q", tried.Load(), w.mouth.said(true))
		}
		broken(1000)
		n.Store(2)
		talks()
		if tried.Load() != 3 {
			t.Errorf("tried %d times", tried.Load())
		}
		broken(3) // whoever comes after that is told of as often
		n.Store(3)
		talks()
		if w.heard(overheard) != 2 || tried.Load() != 3 {
			t.Errorf("tried %d times, heard %q", tried.Load(), w.mouth.said(true))
		}
	}, beside(&n))
}

// TestWhoComesAndGoesFillsNoCall: they are told of once a minute at most, and the call ends in silence all the same.
func TestWhoComesAndGoesFillsNoCall(t *testing.T) {
	var n atomic.Int64
	inCall(t, func(t *testing.T, w *world) {
		began := time.Now()
		go func() {
			for {
				select {
				case <-w.over:
					return
				case <-time.After(1500 * time.Millisecond):
					n.Store(1 - n.Load())
				}
			}
		}()
		w.isOver()
		if took := time.Since(began); took > 2*time.Minute || w.heard(overheard)+w.heard(wasOverheard) > 2 {
			t.Errorf("it took %v, and was said %d times", took, w.heard(overheard))
		}
	}, beside(&n))
}

// TestAStrangerHearsNothingOfOthers.
func TestAStrangerHearsNothingOfOthers(t *testing.T) {
	var n atomic.Int64
	n.Store(1)
	inCall(t, func(t *testing.T, w *world) {
		w.leavesAMessage()
		if w.heard("connected") > 0 {
			t.Errorf("heard %q", w.mouth.said(true))
		}
	}, stranger, beside(&n))
}
