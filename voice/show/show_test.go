package show

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
)

// page takes what is handed on, when it may, and keeps it.
type page struct {
	t  *testing.T
	mu sync.Mutex
	// what it answers next, one after the other; nil once there is nothing more
	answers []error
	got     []string
	last    int
	slow    chan struct{} // nil: it is not
}

func (p *page) take(b []byte) error {
	if p.slow != nil {
		<-p.slow
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.answers) > 0 {
		err := p.answers[0]
		p.answers = p.answers[1:]
		if err != nil {
			return err
		}
	}
	s := read(p.t, b)
	if s.N <= p.last {
		p.t.Errorf("the number %d comes behind %d", s.N, p.last)
	}
	p.last = s.N
	words, _ := s.words(p.t)
	one := fmt.Sprint(s.N, " ", s.Kind, " ")
	switch {
	case s.Kind == "others":
		one += fmt.Sprint(s.Count)
	case s.Draft > 0:
		one += fmt.Sprint(s.Draft, " ")
	}
	p.got = append(p.got, one+words+s.Stage)
	return nil
}

func (p *page) is(want ...string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Equal(p.got, want) {
		p.t.Errorf("it got %q, want %q", p.got, want)
	}
	p.got = nil
}

func said2(t *testing.T, words string) voice.Shown {
	return voice.ShownTurn{Turn: turnOf(t, voice.Agent, words, 0)}
}

var aDraft = voice.ShownDraft{Name: "Marie", Number: "+15145550101", Body: "Late.", Segments: 1}

func at(s voice.Stage) voice.Shown { return voice.ShownStage{Stage: s} }

func TestWhatIsShownComesInItsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &page{t: t}
		s := New(p.take, lang.EN)
		for _, x := range []voice.Shown{said2(t, "Hello."), aDraft, at(voice.StageReading), voice.ShownOthers{Count: 1}} {
			s.Show(x)
		}
		synctest.Wait()
		s.Show(at(voice.StageListening))
		synctest.Wait()
		p.is("1 turn Hello.", "2 draft 1 Late.", "3 stage 1 reading", "4 others 1", "5 stage 1 listening")
	})
}

// TestASlowPageHoldsNobodyUp: what waits is bounded, turns go missing, which the numbers tell, and no draft and no stage 1 does.
func TestASlowPageHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &page{t: t, slow: make(chan struct{})}
		s := New(p.take, lang.EN)
		s.Show(said2(t, "first"))
		synctest.Wait() // it is being handed on
		var want []string
		want = append(want, "1 turn first")
		const rounds = 3 * mostTurns
		for n := range rounds {
			s.Show(said2(t, fmt.Sprint(n)))
			if n%10 == 0 {
				s.Show(aDraft)
				s.Show(at(voice.StageReading))
				s.Show(voice.ShownOthers{Count: n})
				s.Show(at(voice.StageWithdrawn))
			}
		}
		number := 1
		for n := range rounds {
			number++
			if n >= rounds-mostTurns {
				want = append(want, fmt.Sprint(number, " turn ", n))
			}
			if n%10 == 0 {
				k := n/10 + 1
				want = append(want, fmt.Sprint(number+1, " draft ", k, " Late."), fmt.Sprint(number+2, " stage ", k, " reading"))
				number += 2
				if n == rounds-10 { // of counts the last is enough, and nobody misses the others
					number++
					want = append(want, fmt.Sprint(number, " others ", n))
				}
				number++
				want = append(want, fmt.Sprint(number, " stage ", k, " withdrawn"))
			}
		}
		if waits := len(s.queue); waits != len(want)-1 {
			t.Errorf("%d wait", waits)
		}
		close(p.slow)
		synctest.Wait()
		p.is(want...)
	})
}

// TestWhatMayBeLostInABreakIsShownOnceMore: the end of the draft before, the draft that is open, how far it is, and how many others there are. What was not taken is handed on when it can be.
func TestWhatMayBeLostInABreakIsShownOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		p := &page{t: t}
		s := New(p.take, lang.EN)
		s.Show(aDraft)
		s.Show(at(voice.StageReading))
		synctest.Wait()
		p.is("1 draft 1 Late.", "2 stage 1 reading")
		p.answers = []error{broken, broken, nil, broken}
		s.Show(said2(t, "Hello."))
		s.Show(at(voice.StageListening))
		time.Sleep(10 * tryAgain)
		p.is("3 draft 1 Late.", "4 draft 1 Late.", "5 stage 1 reading", "6 turn Hello.", "7 stage 1 listening")
		s.Show(at(voice.StageLeft))
		s.Show(voice.ShownOthers{Count: 1})
		synctest.Wait()
		p.is("8 stage 1 left", "9 others 1")
		p.answers = []error{broken}
		s.Show(said2(t, "Bye."))
		time.Sleep(10 * tryAgain)
		p.is("10 stage 1 left", "11 others 1", "12 turn Bye.")
		s.Show(aDraft)
		s.Show(at(voice.StageReading))
		synctest.Wait()
		p.is("13 draft 2 Late.", "14 stage 2 reading")
		p.answers = []error{broken}
		s.Show(at(voice.StageListening))
		time.Sleep(10 * tryAgain)
		p.is("15 stage 1 left", "16 draft 2 Late.", "17 stage 2 reading", "18 others 1", "19 stage 2 listening")
	})
}

// TestAScreenEndsWithItsCall: nobody tries for ever, and nothing waits.
func TestAScreenEndsWithItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &page{t: t, answers: []error{errors.New("broken"), fmt.Errorf("so: %w", voice.ErrHungUp)}}
		s := New(p.take, lang.EN)
		s.Show(aDraft)
		s.Show(at(voice.StageReading))
		time.Sleep(10 * tryAgain)
		s.Show(at(voice.StageListening))
		synctest.Wait() // a goroutine that is left fails the test, too
		p.is()
		if len(s.queue) > 0 {
			t.Errorf("%d wait", len(s.queue))
		}
	})
}

// TestWhatBreaksInAScreenEndsNothing: not the program, and who shows something is not held up.
func TestWhatBreaksInAScreenEndsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		s := New(func([]byte) error { calls++; panic("broken") }, lang.EN)
		for range 3 {
			s.Show(aDraft)
			synctest.Wait()
		}
		if calls != 1 {
			t.Errorf("it was tried %d times", calls)
		}
	})
}
