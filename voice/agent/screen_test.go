package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/consent"
	"readback/voice/show"
)

// screen keeps what is shown.
type screen struct {
	mu   sync.Mutex
	all  []voice.Shown
	when []time.Time
}

func (s *screen) Show(x voice.Shown) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all, s.when = append(s.all, x), append(s.when, time.Now())
}

// shows is what was shown, a line each; turns only where they are wanted.
func (s *screen) shows(turns bool) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.all {
		switch x := x.(type) {
		case voice.ShownTurn:
			if turns {
				out = append(out, x.Turn.Role().String()+": "+x.Turn.Words().RawForStore())
			}
		case voice.ShownDraft:
			out = append(out, fmt.Sprintf("draft: %s %s %q %d", x.Name, x.Number, x.Body, x.Segments))
		case voice.ShownStage:
			out = append(out, string(x.Stage))
		case voice.ShownOthers:
			out = append(out, fmt.Sprint("others: ", x.Count))
		}
	}
	return out
}

// first is when a stage was shown first.
func (s *screen) first(stage voice.Stage) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, x := range s.all {
		if x == (voice.ShownStage{Stage: stage}) {
			return s.when[i]
		}
	}
	return time.Time{}
}

func (s *screen) is(t *testing.T, turns bool, want ...string) {
	t.Helper()
	if got := s.shows(turns); !slices.Equal(got, want) {
		t.Errorf("it shows\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// onScreen gives a call a screen.
func onScreen(w *world) *screen {
	s := &screen{}
	w.call.Screen = s
	return s
}

const shownDraft = `draft: Marie Tremblay +15145550101 "I will be late." 1`

// TestTheOwnerIsShownTheCall: what was said, the draft, and how far it is, in their order.
func TestTheOwnerIsShownTheCall(t *testing.T) {
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.ears.says("yes, send it")
		w.hears("has left")
		w.quiet()
		w.ears.presses("2")
		time.Sleep(time.Second)
		s.is(t, true, "agent: Hello. What can I do for you?", "caller: text marie that i will be late", shownDraft, "reading", "agent: This is the text to Marie Tremblay. "+late,
			"agent: "+question, "listening", "caller: yes, send it", "yes", "left", "agent: The text to Marie Tremblay has left.", "caller: ")
	}, func(w *world) { s = onScreen(w) })
}

// TestInvariant10AnAnswerIsShownToCountWhenItDoes: what begins sooner is none, and what begins then is.
func TestInvariant10AnAnswerIsShownToCountWhenItDoes(t *testing.T) {
	for _, trip := range []time.Duration{100 * time.Millisecond, 3 * time.Second} { // longer than the question, too
		var s *screen
		inCall(t, func(t *testing.T, w *world) {
			w.model.then(prepares("Marie", late))
			w.hears("What can I do")
			w.ears.says("text marie that i will be late")
			w.until("an answer counts", func() bool { return !s.first(voice.StageListening).IsZero() })
			_, read := w.lasts(late)
			_, asked := w.lasts(question)
			at := s.first(voice.StageListening)
			if at.Before(read.Add(trip+consent.Margin)) || at.Before(asked) {
				t.Errorf("an answer is shown to count %v after the read-back and %v after the question", at.Sub(read), at.Sub(asked))
			}
			if at.Sub(asked) > trip+time.Second {
				t.Errorf("it is shown %v after the question", at.Sub(asked))
			}
			w.ears.says("yes")
			w.hears("has left")
		}, func(w *world) { s = onScreen(w); w.mouth.trip = trip })
	}
}

// TestInvariant10AnAnswerIntoTheQuestionIsShownAsNone: the end of that question makes nothing count, since another one is asked by then.
func TestInvariant10AnAnswerIntoTheQuestionIsShownAsNone(t *testing.T) {
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts(question)
		time.Sleep(w.mouth.trip + consent.Margin + 50*time.Millisecond)
		w.ears.says("yes")
		w.until("an answer counts", func() bool { return !s.first(voice.StageListening).IsZero() })
		s.is(t, false, shownDraft, "reading", "unclear", "listening")
		if _, asked := w.lasts(keypad); asked.IsZero() || s.first(voice.StageListening).Before(asked) {
			t.Errorf("an answer is shown to count at %v, and the question ended at %v", s.first(voice.StageListening), asked)
		}
		w.nothingWent(smsmcp.Waiting)
	}, func(w *world) { s = onScreen(w) })
}

// TestInvariant10AQuestionThatNobodyHeardIsShownToHaveNoSpokenAnswer: a key answers it, where there are keys.
func TestInvariant10AQuestionThatNobodyHeardIsShownToHaveNoSpokenAnswer(t *testing.T) {
	for _, without := range []bool{false, true} {
		var s *screen
		inCall(t, func(t *testing.T, w *world) {
			w.model.then(prepares("Marie", late))
			w.hears("What can I do")
			w.ears.says("text marie that i will be late")
			w.hears(map[bool]string{false: keypad, true: "in a word"}[without])
			want := []string{shownDraft, "reading", "listening", "unclear"}
			if without {
				want = []string{shownDraft, "reading", "unclear"}
			}
			if got := s.shows(false); !slices.Equal(got[:min(len(got), len(want))], want) || len(got) > len(want)+1 {
				t.Errorf("without keys %v: it shows %q", without, got)
			}
		}, func(w *world) {
			s = onScreen(w)
			w.call.NoKeys = without
			w.mouth.breaks(func(text string) error {
				if text == question {
					return errTest
				}
				return nil
			})
		})
	}
}

// TestEachEndOfADraftIsShown: exactly one, once it is known, and what the machine made of the answer before it.
func TestEachEndOfADraftIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		play func(w *world)
		want []string
	}{
		"a no":                              {func(w *world) { w.ears.says("no"); w.hears("Dropped") }, []string{"no", "withdrawn"}},
		"silence":                           {func(w *world) { w.hears("no plain answer") }, []string{"unclear", "listening", "unclear", "withdrawn"}},
		"a word that is neither, and a yes": {func(w *world) { w.ears.says("hm"); w.hears(keypad); w.ears.says("yes"); w.hears("has left") }, []string{"unclear", "listening", "yes", "left"}},
		"a change": {func(w *world) {
			w.model.then("As you wish.")
			w.ears.says("make it seven")
			w.hears("As you wish")
		}, []string{"withdrawn"}},
		"a yes that is not carried out": {func(w *world) {
			w.ledger.breaks(nil, errTest, 0)
			w.ears.says("yes")
			w.hears("could not leave")
		}, []string{"yes", "not_left"}},
		"a contact who is gone": {func(w *world) {
			all, err := w.store.Contacts(w.t.Context())
			if err != nil {
				w.t.Fatal(err)
			}
			for _, c := range all {
				if c.Name != "Marie Tremblay" {
					continue
				}
				if err := w.store.RemoveContact(w.t.Context(), c.ID); err != nil {
					w.t.Fatal(err)
				}
			}
			w.ears.says("yes")
			w.hears("may not leave")
		}, []string{"yes", "not_left"}},
		"somebody speaks over it, twice": {func(w *world) {
			w.ears.says("hm, what") // begins after the question: unclear
			w.hears(keypad)
			w.ears.says("no")
			w.hears("Dropped")
		}, []string{"unclear", "listening", "no", "withdrawn"}},
		"the end of the call": {func(w *world) { w.ears.hangsUp(); w.isOver() }, []string{"withdrawn"}},
	} {
		t.Run(name, func(t *testing.T) {
			var s *screen
			inCall(t, func(t *testing.T, w *world) {
				drafted(w)
				w.until("an answer counts", func() bool { return !s.first(voice.StageListening).IsZero() })
				c.play(w)
				s.is(t, false, append([]string{shownDraft, "reading", "listening"}, c.want...)...)
			}, func(w *world) { s = onScreen(w) })
		})
	}
}

// TestARestartIsShown, and the draft once.
func TestARestartIsShown(t *testing.T) {
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts("This is the text to")
		time.Sleep(500 * time.Millisecond)
		w.ears.says("yes")
		w.hears(question)
		w.until("an answer counts", func() bool { return !s.first(voice.StageListening).IsZero() })
		s.is(t, false, shownDraft, "reading", "reading", "listening")
	}, func(w *world) { s = onScreen(w) })
}

// TestInvariant14ShownIsSpokenIsSent: the body on the screen is that of the log, spoken, and then sent, byte for byte, marks and all.
func TestInvariant14ShownIsSpokenIsSent(t *testing.T) {
	const body = "Je serai là à 19 h 30 🙂, d'accord ?"
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", body))
		w.hears("What can I do")
		w.ears.says("text marie")
		w.hears(question)
		w.ears.says("yes")
		w.hears("has left")
		want := fmt.Sprintf("draft: Marie Tremblay %s %q 1", marie, body)
		if got := s.shows(false); got[0] != want {
			t.Errorf("it shows %s, want %s", got[0], want)
		}
		exact := ""
		for _, h := range w.mouth.played() {
			exact += h.part.Exact
		}
		if got := w.sent(); !slices.Equal(got, []string{string(marie) + " " + body}) || exact != body {
			t.Errorf("sent %q, spoken %q", got, exact)
		}
	}, func(w *world) { s = onScreen(w) })
}

// TestInvariant14ADraftThatIsNotSpokenIsNotShown: one that the log no longer holds as it was prepared.
func TestInvariant14ADraftThatIsNotSpokenIsNotShown(t *testing.T) {
	for name, change := range map[string]func(*smsmcp.Send){
		"other words": func(s *smsmcp.Send) {
			s.Draft = smsmcp.RestoreDraft(s.Draft.Contact(), s.Draft.Revision(), s.Draft.To(), "Other words.")
		},
		"other number": func(s *smsmcp.Send) {
			s.Draft = smsmcp.RestoreDraft(s.Draft.Contact(), s.Draft.Revision(), "+15145550177", s.Draft.Body())
		},
		"another name": func(s *smsmcp.Send) { s.Name = "Paul Gagnon" },
		"not waiting":  func(s *smsmcp.Send) { s.State = smsmcp.Expired },
	} {
		t.Run(name, func(t *testing.T) {
			var s *screen
			inCall(t, func(t *testing.T, w *world) {
				w.model.then(prepares("Marie", late))
				w.hears("What can I do")
				w.ears.says("text marie that i will be late")
				w.hears("I drop this text. Nothing has left.")
				s.is(t, false)
			}, func(w *world) {
				s = onScreen(w)
				w.options.Door = &slowDoor{Door: w.door, change: change}
			})
		})
	}
}

// TestInvariant11NothingOfThePINIsShown: no key of it, and nothing before it is right.
func TestInvariant11NothingOfThePINIsShown(t *testing.T) {
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.hears("Key in your code")
		w.ears.presses("135792")
		w.hears("not the code")
		w.ears.presses("246813")
		w.ears.tell(voice.Said{Turn: secret(t, w)}) // one that was on its way
		w.hears("What can I do")
		w.ears.presses("2")
		time.Sleep(time.Second)
		got := s.shows(true)
		if len(got) == 0 || got[len(got)-1] != "caller: " {
			t.Errorf("it shows %q", got)
		}
		for _, x := range s.all {
			if turn, ok := x.(voice.ShownTurn); ok && turn.Turn.Role() == voice.Caller && turn.Turn.Number() == 0 {
				t.Error("a key of the PIN is shown")
			}
		}
		if n := len(slices.DeleteFunc(got, func(l string) bool { return l != "caller: " })); n != 1 {
			t.Errorf("%d keys are shown", n)
		}
	}, byPhone, func(w *world) { s = onScreen(w) })
}

func secret(t *testing.T, w *world) voice.Turn {
	t.Helper()
	turn, err := w.ears.ear.Secret('7')
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

func TestAStrangerIsShownNothing(t *testing.T) {
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.leavesAMessage()
		s.is(t, true)
	}, stranger, func(w *world) { s = onScreen(w) })
}

// TestInvariant04AToolsFrameIsNotShown, and the text that is read aloud is the agent's turn, as a stranger's words.
func TestInvariant04AToolsFrameIsNotShown(t *testing.T) {
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.received(marie, "The soup is on.")
		w.model.then(call("read_texts", `{}`))
		w.hears("What can I do")
		w.ears.says("read my texts")
		w.hears("The soup is on.")
		w.quiet()
		aloud := 0
		for _, x := range s.all {
			if turn, ok := x.(voice.ShownTurn); ok {
				if turn.Turn.Role() == voice.Tool {
					t.Error("a tool's turn is shown")
				}
				if fmt.Sprint(turn.Turn.Words()) != untrusted.Placeholder {
					t.Error("words print")
				}
				if strings.Contains(turn.Turn.Words().RawForStore(), "The soup is on.") {
					aloud++
				}
			}
		}
		if aloud != 1 {
			t.Errorf("the text was shown %d times", aloud)
		}
	}, func(w *world) { s = onScreen(w) })
}

type panicking struct{ n int }

func (p *panicking) Show(voice.Shown) { p.n++; panic("the words of a stranger") }

// TestInvariant10AScreenChangesNothing: one that breaks at everything, and one whose page takes nothing and comes back to nobody. The call is the same, to its yes.
func TestInvariant10AScreenChangesNothing(t *testing.T) {
	p := &panicking{}
	for name, change := range map[string]func(*world){
		"none":   func(*world) {},
		"broken": func(w *world) { w.call.Screen = p },
		"stuck": func(w *world) {
			over, end := make(chan struct{}), w.call.HangUp
			w.call.Screen = show.New(func([]byte) error { <-over; return voice.ErrHungUp }, lang.EN)
			w.call.HangUp = func(ctx context.Context) error { close(over); return end(ctx) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				drafted(w)
				w.ears.says("yes")
				w.hears("has left")
				if got := w.sent(); len(got) != 1 {
					t.Errorf("sent %q", got)
				}
				if strings.Contains(w.log.String(), "stranger") {
					t.Errorf("the log has %s", w.log)
				}
			}, change)
		})
	}
	if p.n < 5 {
		t.Errorf("it was shown %d things", p.n)
	}
}

// noKeys has the call come from a browser.
func noKeys(w *world) { w.call.NoKeys = true }

// namesKeys are words by which something names keys to press.
var namesKeys = []string{"press", "key", "pound", "appuy", "touche", "carré"}

// namesNone checks that nothing that was said named a key.
func (w *world) namesNone() {
	w.t.Helper()
	for _, s := range w.mouth.said(true) {
		for _, k := range namesKeys {
			if strings.Contains(strings.ToLower(s), k) {
				w.t.Errorf("%q names keys", s)
			}
		}
	}
}

// TestWithoutKeysNoneIsNamed: in any sentence of a call, to its end.
func TestWithoutKeysNoneIsNamed(t *testing.T) {
	for name, play := range map[string]func(w *world){
		"the second question, and a yes to it": func(w *world) {
			drafted(w)
			w.ears.says("hm")
			w.hears("in a word")
			time.Sleep(w.mouth.trip + consent.Margin)
			w.ears.says("yes")
			w.hears("has left")
			w.states(smsmcp.Done)
		},
		"silence": func(w *world) {
			drafted(w)
			w.hears("in a word")
			w.hears("no plain answer")
			w.nothingWent(smsmcp.Cancelled)
		},
		"an ear that fails": func(w *world) {
			w.hears("What can I do")
			w.ears.tell(voice.Begun{})
			w.ears.tell(voice.Dropped{Err: errTest})
			w.hears("I have trouble hearing you.")
		},
		"an ear that fails at an answer": func(w *world) {
			drafted(w)
			w.ears.tell(voice.Begun{})
			w.ears.tell(voice.Dropped{Err: errTest})
			w.hears("in a word")
		},
		"texts": func(w *world) {
			w.received(marie, "The soup is on.")
			w.received(marie, "The soup is cold.")
			w.model.then(call("read_texts", `{}`))
			w.hears("What can I do")
			w.ears.says("read my texts")
			w.hears("soup is cold")
		},
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(_ *testing.T, w *world) {
				play(w)
				w.namesNone()
			}, noKeys)
		})
	}
	t.Run("French", func(t *testing.T) {
		inCall(t, func(_ *testing.T, w *world) {
			w.model.then(prepares("Marie", "Je serai en retard."))
			w.hears("Que puis-je faire")
			w.ears.says("écris à marie")
			w.hears("laisse partir")
			w.hears("en un mot")
			w.hears("rien n'est parti")
			w.namesNone()
		}, noKeys, french)
	})
}

// TestInvariant10WithoutKeysNoneCounts, whoever says that one was pressed.
func TestInvariant10WithoutKeysNoneCounts(t *testing.T) {
	inCall(t, func(_ *testing.T, w *world) {
		w.received(marie, "The soup is on.")
		drafted(w)
		time.Sleep(time.Second)
		w.ears.presses("1")
		w.hears("no plain answer")
		w.ears.presses("1")
		w.quiet()
		time.Sleep(5 * time.Second)
		if w.heard("The soup is on.") > 0 {
			w.t.Error("a key had texts read")
		}
		w.nothingWent(smsmcp.Cancelled)
	}, noKeys)
}

// TestInvariant10WithoutKeysNotOneOfThemCounts, wherever the call is: none answers a draft, leads a reading, has texts read or changes the language.
func TestInvariant10WithoutKeysNotOneOfThemCounts(t *testing.T) {
	const all = "1234567890*#"
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.ears.presses(all)
		w.ears.says("yes")
		w.hears("has left")
		w.states(smsmcp.Done)
		w.received(marie, "The soup is on.")
		w.quiet()
		before := len(w.mouth.said(true))
		for _, k := range all {
			w.ears.presses(string(k))
			time.Sleep(time.Second)
		}
		if got := w.mouth.said(true); len(got) != before {
			t.Errorf("a key had %q said", got[before:])
		}
		w.received(marie, "The soup is cold.")
		w.model.then(call("read_texts", `{}`))
		w.ears.says("read my texts")
		for _, text := range []string{"The soup is on.", "The soup is cold."} {
			w.starts(text)
			w.ears.presses("#*0")
			w.hears(text)
		}
		w.quiet()
		if w.heard("The soup is on.") != 1 || w.heard("The soup is cold.") != 1 || w.heard("I stop reading.") > 0 {
			t.Errorf("heard %q", w.mouth.said(true))
		}
	}, noKeys)
}

// TestWithoutKeysNobodyWaitsForOne: who is spoken over in each read-back hears soon that nothing has left, and the next draft is one like any.
func TestWithoutKeysNobodyWaitsForOne(t *testing.T) {
	var s *screen
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		for n := range 1 + consent.MaxRestarts {
			w.until("it is read", func() bool { return count(s.shows(false), "reading") == n+1 })
			w.starts("This is the text to")
			time.Sleep(500 * time.Millisecond)
			w.ears.says("yes")
		}
		w.hears("could not read it to you whole: nothing has left")
		if n := w.heard(question) + w.heard("in a word") + w.heard(keypad); n > 0 {
			t.Errorf("%d questions were asked that nothing could answer", n)
		}
		w.nothingWent(smsmcp.Cancelled)
		s.is(t, false, shownDraft, "reading", "reading", "reading", "withdrawn")
		w.model.then(prepares("Marie", late))
		w.ears.says("text marie that i will be late")
		w.hears(question)
		w.ears.says("yes")
		w.hears("has left")
	}, noKeys, func(w *world) { s = onScreen(w) })
}

func count(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

// TestWithoutKeysAndWithoutAPassAMessageMayBeLeft: nobody is asked for a code, since nobody is to say one aloud, whatever number they claim.
func TestWithoutKeysAndWithoutAPassAMessageMayBeLeft(t *testing.T) {
	for _, name := range []string{"", "Nora"} {
		inCall(t, func(t *testing.T, w *world) {
			w.hears(tone)
			w.until("the tone", func() bool { return w.ears.recording() != nil })
			w.ears.presses("#") // no key ends it
			w.ears.says("this is joe, call me back")
			w.hears(spoken.Thanks.EN)
			w.isOver()
			if len(w.mail.kept) != 1 || len(w.gate.tries) > 0 || w.heard("code") > 0 {
				t.Errorf("%d messages, %d tries", len(w.mail.kept), len(w.gate.tries))
			}
			w.namesNone()
		}, byPhone, noKeys, func(w *world) { w.options.OwnerName = name })
	}
}
