package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/voice"
	"readback/voice/voicemail"
)

// shelf is a voicemail box that takes its time, and fails as a test says.
type shelf struct {
	mu    sync.Mutex
	slow  time.Duration
	fails []error // of each try, the first first
	tries []time.Time
	kept  []voicemail.Message
}

func (s *shelf) Keep(_ context.Context, m voicemail.Message) error {
	time.Sleep(s.slow)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries = append(s.tries, time.Now())
	if len(s.fails) > 0 {
		err := s.fails[0]
		s.fails = s.fails[1:]
		if err != nil {
			return err
		}
	}
	s.kept = append(s.kept, m)
	return nil
}

func (s *shelf) held() []voicemail.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}

var (
	errLater = fmt.Errorf("%w: %w", voicemail.ErrStore, errTest)
	errLost  = fmt.Errorf("%w: %w", voicemail.ErrLost, errLater)
)

// leaves has a stranger leave a message, to its end by a key.
func (w *world) leaves() {
	w.t.Helper()
	w.hears(tone)
	w.until("the tone", func() bool { return w.ears.recording() != nil })
	w.ears.says("this is the hospital, call us back at once")
	w.ears.presses("#")
}

const thanks = "Thank you. Goodbye."

// TestInvariant08ThanksComeAfterTheMessageIsKept: who is thanked has left something.
func TestInvariant08ThanksComeAfterTheMessageIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		slow   time.Duration
		fails  []error
		hears  string
		never  string
		tries  int
		sounds int // thinking sounds at least
	}{
		"at once":                      {0, nil, thanks, "could not be kept", 1, 0},
		"slowly":                       {10 * time.Second, nil, thanks, "could not be kept", 1, 2},
		"the third time":               {0, []error{errLost, errLost}, thanks, "could not be kept", 3, 0},
		"on the disk first":            {0, []error{errLater, errLater, errLater, errLater}, thanks, "could not be kept", 5, 0},
		"never":                        {0, slices.Repeat([]error{errLost}, 99), "could not be kept", thanks, 7, 5},
		"never, and it is on the disk": {0, slices.Repeat([]error{errLater}, 99), thanks, "could not be kept", 7, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &shelf{slow: c.slow, fails: c.fails}
				w := newWorld(t, stranger, func(w *world) { w.options.Voicemail = s })
				w.begins()
				w.leaves()
				pressed := time.Now()
				w.hears(c.hears)
				w.isOver()
				said, _ := w.lasts(c.hears)
				if w.heard(c.never) > 0 {
					t.Errorf("heard %q", w.mouth.said(false))
				}
				if len(s.tries) != c.tries {
					t.Errorf("%d tries", len(s.tries))
				}
				for i := 2; i < len(s.tries); i++ {
					if s.tries[i].Sub(s.tries[i-1]) <= s.tries[i-1].Sub(s.tries[i-2]) {
						t.Errorf("tried at %v: not longer apart each time", s.tries)
					}
				}
				switch later := len(c.fails) > 0 && errors.Is(c.fails[0], errLater) && !errors.Is(c.fails[0], voicemail.ErrLost); {
				case later && said.Sub(pressed) > 5*time.Second:
					t.Errorf("thanked %v late for something that is on the disk", said.Sub(pressed))
				case !later && c.hears == thanks && said.Before(s.tries[len(s.tries)-1]):
					t.Error("thanked for what was not kept yet")
				}
				n := 0
				for _, h := range w.mouth.played() {
					if h.part.Sound == voice.Thinking {
						n++
					}
				}
				if n < c.sounds {
					t.Errorf("%d thinking sounds", n)
				}
				if kept := s.held(); len(c.fails) < 99 && (len(kept) != 1 || kept[0].Words.RawForStore() != "this is the hospital, call us back at once") {
					t.Errorf("kept %d", len(kept))
				}
				if strings.Contains(w.log.String(), "hospital") {
					t.Error("the log has the words")
				}
			})
		})
	}
}

// TestInvariant08WhoHangsUpLosesNothing: the message is kept before our side hangs up, and tried again when it has.
func TestInvariant08WhoHangsUpLosesNothing(t *testing.T) {
	for name, hang := range map[string]func(w *world){
		"in the message":      func(w *world) { w.ears.says("it is joe") },
		"while it is kept":    func(w *world) { w.ears.says("it is joe"); w.ears.presses("#"); time.Sleep(time.Second) },
		"before it is tried":  func(w *world) { w.ears.says("it is joe"); w.ears.presses("#") },
		"and is kept the 3rd": func(w *world) { w.ears.says("it is joe") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &shelf{slow: 3 * time.Second}
				late := name == "and is kept the 3rd"
				if late {
					s.fails = []error{errLost, errLater}
				}
				w := newWorld(t, stranger, func(w *world) { w.options.Voicemail = s })
				atHangUp := -1
				hangUp := w.call.HangUp
				w.call.HangUp = func(ctx context.Context) error {
					atHangUp = len(s.held())
					return hangUp(ctx)
				}
				w.begins()
				w.hears(tone)
				w.until("the tone", func() bool { return w.ears.recording() != nil })
				hang(w)
				w.ends()
				kept := s.held()
				if len(kept) != 1 || kept[0].Words.RawForStore() != "it is joe" || (atHangUp != 1) != late {
					t.Errorf("kept %d, %d when our side hung up", len(kept), atHangUp)
				}
			})
		})
	}
}

// TestInvariant08ABoxThatHangsEndsTheCallAllTheSame, for who waits and who has gone.
func TestInvariant08ABoxThatHangsEndsTheCallAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{slow: time.Minute}
		w := newWorld(t, stranger, func(w *world) { w.options.Voicemail = s })
		w.begins()
		w.hears(tone)
		w.until("the tone", func() bool { return w.ears.recording() != nil })
		w.ears.says("it is joe")
		w.ears.hangsUp()
		gone := time.Now()
		<-w.hungUp
		if d := time.Since(gone); d > 16*time.Second {
			t.Errorf("our side hung up after %v", d)
		}
		w.isOver()
		if len(s.held()) != 1 {
			t.Error("it was not kept")
		}
	})
}

// TestALateWordIsOfTheMessage: one that is not understood yet when the caller is done.
func TestALateWordIsOfTheMessage(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears(tone)
		w.until("the tone", func() bool { return w.ears.recording() != nil })
		u := w.ears.begins()
		w.ears.presses("##")
		time.Sleep(8 * time.Second)
		w.ears.ends(u, "the first")
		w.ears.ends(w.ears.begins(), "the second")
		w.isOver()
		if len(w.mail.kept) != 1 || w.mail.kept[0].Words.RawForStore() != "the first the second" {
			t.Errorf("kept %d", len(w.mail.kept))
		}
	}, stranger)
}

// TestWithoutAVoiceAMessageCanBeLeft: the tone says enough; and where not even that sounds, who speaks is heard.
func TestWithoutAVoiceAMessageCanBeLeft(t *testing.T) {
	for _, all := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, stranger)
			w.mouth.breaks(func(s string) error {
				if s != "" || all {
					return errTest
				}
				return nil
			})
			w.begins()
			w.until("the recording", func() bool { return w.ears.recording() != nil })
			beeps := 0
			for _, h := range w.mouth.played() {
				if h.part.Sound == voice.Beep {
					beeps++
				}
			}
			if (beeps == 1) == all {
				t.Errorf("%d tones", beeps)
			}
			w.ears.says("it is joe")
			w.ears.presses("#")
			w.isOver()
			if len(w.mail.kept) != 1 || w.mail.kept[0].Words.RawForStore() != "it is joe" {
				t.Errorf("kept %d", len(w.mail.kept))
			}
		})
	}
}

// TestHowLongAMessageMayBe is the owner's choice.
func TestHowLongAMessageMayBe(t *testing.T) {
	for most, want := range map[time.Duration]time.Duration{0: 2 * time.Minute, 20 * time.Second: 20 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, stranger, func(w *world) { w.options.MaxMessage = most })
			w.begins()
			w.until("the recording", func() bool { return w.ears.recording() != nil })
			began := time.Now()
			for len(w.mouth.said(false)) < 2 && time.Since(began) < 5*time.Minute {
				w.ears.says("and so on and on")
			}
			if d := time.Since(began); d < want || d > want+13*time.Second {
				t.Errorf("it ended after %v, want %v", d, want)
			}
			w.isOver()
		})
	}
}

// TestATextThatCannotBeSaidIsSkipped, and the caller is told.
func TestATextThatCannotBeSaidIsSkipped(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.received(marie, "The first text.")
		w.received(paul, "unspeakable")
		w.received(marie, "The third text, which matters.")
		w.mouth.breaks(func(s string) error {
			if strings.Contains(s, "unspeakable") {
				return errTest
			}
			return nil
		})
		w.hears("What can I do")
		w.ears.presses("1")
		w.hears("The first text.")
		w.hears("The third text")
		w.quiet()
		if w.heard("could not be read aloud") != 1 || w.heard("My voice failed") != 0 {
			t.Errorf("heard %q", w.mouth.said(false))
		}
	})
}

// TestAVoiceThatIsGoneEndsTheReading, and the call.
func TestAVoiceThatIsGoneEndsTheReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for i := range 5 {
			w.received(marie, fmt.Sprint("text ", i))
		}
		w.begins()
		w.hears("What can I do")
		w.mouth.breaks(func(string) error { return errTest })
		w.ears.presses("1")
		w.isOver()
		if w.counted(smsmcp.CallEnded, "fault") != 1 {
			t.Errorf("it ended otherwise: %s", w.log)
		}
	})
}
