package agent_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/lang"
	"readback/voice"
)

const (
	late     = "I will be late."
	question = "Shall I let it leave?"
	keypad   = "Press 1"
)

// inCall plays a call in a bubble, whose time is the test's, and sees that nothing of it is left when it is over.
func inCall(t *testing.T, play func(t *testing.T, w *world), change ...func(*world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, change...)
		w.begins()
		play(t, w)
		w.ends()
	})
}

// drafted brings a call to where a draft of Marie's was read back and asked for.
func drafted(w *world) {
	w.t.Helper()
	w.model.then(prepares("Marie", late))
	w.hears("What can I do")
	w.ears.says("text marie that i will be late")
	w.hears(question)
}

func TestInvariant10TheWholeScene(t *testing.T) {
	for name, answer := range map[string]func(*ears){"speech": func(e *ears) { e.says("yes, send it") }, "a key": func(e *ears) { e.presses("1") }} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.model.then("Sure, ", "one moment.", prepares("Marie", late)).then("You're welcome.")
				w.hears("What can I do")
				w.ears.says("text marie that i will be late")
				w.hears("This is the text to Marie Tremblay")
				w.hears(late)
				w.hears(question)
				w.nothingWent(smsmcp.Waiting)
				answer(w.ears)
				w.hears("has left")
				if got := w.sent(); !slices.Equal(got, []string{string(marie) + " " + late}) {
					t.Errorf("sent %q", got)
				}
				w.states(smsmcp.Done)
				w.ears.says("thanks a lot")
				w.hears("welcome")
				if w.heard("one moment") > 0 {
					t.Error("the model's words went on before the read-back")
				}
				all, err := w.store.Sends(t.Context(), 1)
				if err != nil {
					t.Fatal(err)
				}
				want := "yes, send it"
				if name != "speech" {
					want = "key 1"
				}
				if s := all[0]; s.ConfirmedBy != smsmcp.Voice || s.Answer.RawForStore() != want || s.Only != smsmcp.Voice || s.Scope != smsmcp.CallScope+"call1" {
					t.Errorf("the audit has %v, %v, %v", s.ConfirmedBy, s.Only, s.Scope)
				}
				told := w.told()
				if len(told) != 4 || !strings.HasPrefix(told[0], "caller: text marie") || !strings.Contains(told[1], "prepare_text") || !strings.Contains(told[2], "was sent") || told[3] != "caller: thanks a lot" {
					t.Errorf("the model was told %q", told)
				}
				if w.counted(smsmcp.CallAnswered, "owner") != 1 || w.counted(smsmcp.DraftRead, "") != 1 || w.counted(smsmcp.DraftEnded, "sent") != 1 {
					t.Error("not counted")
				}
			})
		})
	}
}

func TestTheWholeSceneInFrench(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then("D'accord.", prepares("marie", "Je serai en retard."))
		w.hears("Que puis-je faire")
		w.ears.says("écris à marie que je serai en retard")
		w.hears("Voici le texto pour Marie Tremblay")
		w.hears("Est-ce que je le laisse partir")
		w.ears.says("oui, envoie-le")
		w.hears("est parti.")
		if got := w.sent(); !slices.Equal(got, []string{string(marie) + " Je serai en retard."}) {
			t.Errorf("sent %q", got)
		}
		if !strings.Contains(w.model.requests()[0].System, "Vous êtes la voix") || !slices.Equal(w.ears.spoken(), []lang.Lang{lang.FR}) {
			t.Error("not all is French")
		}
	}, french)
}

func TestANoIsWrittenDown(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.ears.says("no")
		w.hears("Dropped. Nothing has left.")
		w.nothingWent(smsmcp.Declined)
		w.model.then("All right.")
		w.ears.says("good night to you")
		w.hears("All right")
		if told := w.told(); !strings.Contains(told[2], "said no") {
			t.Errorf("the model was told %q", told)
		}
	})
}

func TestAChangeIsANewDraft(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.model.then(prepares("Marie", "I will be there at seven."))
		w.ears.says("no, tell her seven instead")
		w.hears("at seven")
		w.hears(question, 2)
		if told := w.told(); len(told) != 4 || !strings.Contains(told[2], "was not sent") || !strings.Contains(told[3], "seven instead") {
			t.Errorf("the model was told %q", told)
		}
		w.ears.says("yes")
		w.hears("has left")
		if got := w.sent(); !slices.Equal(got, []string{string(marie) + " I will be there at seven."}) {
			t.Errorf("sent %q", got)
		}
		w.states(smsmcp.Done, smsmcp.Declined)
	})
}

func TestInvariant10SilenceIsNoYes(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.hears(keypad)
		w.hears("no plain answer: nothing has left")
		w.nothingWent(smsmcp.Cancelled)
		if len(w.model.requests()) != 1 {
			t.Error("the model was asked while a draft was pending")
		}
	})
}

func TestASecondAnswerHasItsWholeTime(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		time.Sleep(8 * time.Second)
		w.ears.says("hm")
		asked := time.Now()
		w.hears("no plain answer")
		if from, _ := w.lasts("no plain answer"); from.Sub(asked) < 14*time.Second {
			t.Errorf("given up after %v", from.Sub(asked))
		}
	})
}

// TestInvariant10ATurnThatWasNotSeenToBeginIsNone has an utterance come to nothing, and then a turn of which the ears never told that it began.
func TestInvariant10ATurnThatWasNotSeenToBeginIsNone(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		time.Sleep(2 * time.Second)
		w.ears.says("")
		u, err := w.ears.ear.Begin(0)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		w.ears.ends(u, "yes")
		w.hears("I'll read it from the start.")
		w.nothingWent(smsmcp.Waiting)
	})
}

// TestInvariant10AHangUpAtAnyMomentSendsNothing hangs up at each moment of the scene, 250 ms apart, up to the yes.
func TestInvariant10AHangUpAtAnyMomentSendsNothing(t *testing.T) {
	for at := time.Duration(0); at < 12*time.Second; at += 250 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.model.then("One moment.", 300*time.Millisecond, prepares("Marie", late), 200*time.Millisecond)
			w.begins()
			go func() {
				time.Sleep(2 * time.Second)
				w.ears.says("text marie that i will be late")
			}()
			time.Sleep(at)
			w.ears.leaves()
			w.isOver()
			time.Sleep(5 * time.Second)
			if got := w.sent(); len(got) > 0 {
				t.Errorf("hung up at %v: sent %q", at, got)
			}
			all, err := w.store.Sends(t.Context(), 9)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all {
				if s.State != smsmcp.Cancelled {
					t.Errorf("hung up at %v: a draft is %v", at, s.State)
				}
			}
		})
	}
}

// TestInvariant10ADraftOfACallThatIsOverIsWithdrawn ends the call while the draft is being written down.
func TestInvariant10ADraftOfACallThatIsOverIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.model.then(prepares("Marie", late))
		w.ledger.breaks(nil, nil, 3*time.Second)
		w.begins()
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		time.Sleep(time.Second)
		w.ends()
		w.nothingWent(smsmcp.Cancelled)
	})
}

func TestAYesIsCarriedOutThoughTheCallerHangsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.begins()
		drafted(w)
		w.ledger.breaks(nil, nil, 3*time.Second)
		w.ears.presses("1")
		w.ends()
		w.states(smsmcp.Done)
		if got := w.sent(); len(got) != 1 {
			t.Errorf("sent %q", got)
		}
	})
}

func TestInvariant10AYesOverTheReadBackIsNone(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts("This is the text to")
		time.Sleep(500 * time.Millisecond)
		w.ears.says("yes")
		w.hears("I'll read it from the start.")
		w.hears(question)
		w.nothingWent(smsmcp.Waiting)
		w.ears.says("yes")
		w.hears("has left")
	})
}

// TestALongYesOverTheReadBackStartsItAgainOnce: that the caller cuts in is the machine's to judge, by the turn.
func TestALongYesOverTheReadBackStartsItAgainOnce(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late+" So start without me, and keep some of the soup for me, if there is any left."))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts("This is the text to")
		time.Sleep(500 * time.Millisecond)
		w.ears.says("yes yes yes, go ahead and send it")
		w.hears(question)
		n := 0
		for _, s := range w.mouth.said(true) {
			if s == "I'll read it from the start." {
				n++
			}
		}
		if n != 1 {
			t.Errorf("it was read again %d times", n)
		}
		w.nothingWent(smsmcp.Waiting)
	})
}

// TestTheSameDraftAgainWaitsForTheNo has the model prepare again what the caller has just said no to, while that is being written down.
func TestTheSameDraftAgainWaitsForTheNo(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.ledger.breaks(nil, nil, 2*time.Second)
		w.model.thenDo(func(_ context.Context, _ voice.Request, yield func(voice.Delta, error) bool) {
			w.ledger.breaks(nil, nil, 0)
			c := prepares("Marie", late)
			yield(voice.Delta{Call: &c}, nil)
		})
		w.ears.says("no, tell her seven instead")
		w.hears(question, 2)
		w.states(smsmcp.Waiting, smsmcp.Declined)
	})
}

func TestNoKeyDoesAnythingWhileAYesIsCarriedOut(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.received(marie, "The first text.")
		drafted(w)
		w.ledger.breaks(nil, nil, 5*time.Second)
		w.ears.says("yes")
		time.Sleep(time.Second)
		w.ears.presses("191")
		w.hears("has left")
		w.quiet()
		time.Sleep(10 * time.Second)
		if w.heard("The first text.") > 0 || len(w.ears.spoken()) != 1 {
			t.Errorf("heard %q", w.mouth.said(true))
		}
	})
}

func TestInvariant10AKeyPressedEarlyIsNone(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.starts("This is the text to")
		time.Sleep(500 * time.Millisecond)
		w.ears.presses("1")
		w.hears(question)
		w.nothingWent(smsmcp.Waiting)
		// After the answer's time, and the second one's, it is as late as any.
		w.hears("no plain answer")
		w.nothingWent(smsmcp.Cancelled)
	})
}

func TestInvariant10AKeyPressedLateIsNone(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.hears("no plain answer")
		w.ears.presses("1") // it has texts read by now
		w.model.then("Yes what?")
		w.ears.says("yes")
		w.hears("Yes what?")
		w.nothingWent(smsmcp.Cancelled)
	})
}

func TestInvariant10AReadBackThatNoEngineSpeaksIsNone(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.mouth.breaks(func(text string) error {
			if strings.Contains(text, late) {
				return errTest
			}
			return nil
		})
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.hears("could not read it to you whole: nothing has left")
		w.model.then("Yes what?")
		w.ears.says("yes")
		w.hears("Yes what?")
		w.nothingWent(smsmcp.Cancelled)
		if n := w.counted(smsmcp.DraftRead, ""); n != 0 {
			t.Errorf("%d read-backs are counted", n)
		}
	})
}

// TestInvariant10AMouthThatContradictsItselfHasReadNothing has a mouth say that all was played, and never that any was begun, or that an engine failed as well.
func TestInvariant10AMouthThatContradictsItselfHasReadNothing(t *testing.T) {
	for name, change := range map[string]func(*contradiction){
		"no beginning":     func(c *contradiction) { c.begun = nil },
		"an error as well": func(c *contradiction) { c.err = errTest },
		"no end":           func(c *contradiction) { c.cut = true },
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.model.then(prepares("Marie", late))
				w.hears("What can I do")
				w.ears.says("text marie that i will be late")
				w.hears("could not read it to you whole")
				w.nothingWent(smsmcp.Cancelled)
			}, func(w *world) { w.call.Mouth = &contradicting{w.mouth, change} })
		})
	}
}

type contradicting struct {
	*mouth
	change func(*contradiction)
}

func (m *contradicting) Say(l lang.Lang, what ...voice.Part) voice.Speech {
	s := m.mouth.Say(l, what...)
	if len(what) < 4 {
		return s
	}
	c := &contradiction{s: s, begun: s.Started()}
	m.change(c)
	return c
}

type contradiction struct {
	s     voice.Speech
	begun <-chan struct{}
	err   error
	cut   bool
	done  chan voice.Outcome
}

func (c *contradiction) Started() <-chan struct{} { return c.begun }
func (c *contradiction) Done() <-chan voice.Outcome {
	if c.done == nil {
		c.done = make(chan voice.Outcome, 1)
		go func() {
			out := <-c.s.Done()
			out.Err, out.Played = c.err, !c.cut
			c.done <- out
		}()
	}
	return c.done
}

// TestWhoSpeaksWhileADraftIsWrittenDownIsNotAskedForIt has the caller go on, with a new wish, before the read-back.
func TestWhoSpeaksWhileADraftIsWrittenDownIsNotAskedForIt(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.ledger.breaks(nil, nil, 3*time.Second)
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.model.then("Who then?")
		w.ears.says("oh wait, not marie")
		w.hears("Who then?")
		time.Sleep(20 * time.Second)
		if w.heard("This is the text") > 0 {
			t.Error("it was read back")
		}
		w.nothingWent(smsmcp.Cancelled)
		eachCallHasOneAnswer(t, w.model.requests())
	})
}

func TestInvariant10WhatTheModelSaysIsNoYes(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then("Yes, send it. ", prepares("Marie", late), "Yes. Send it.")
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.hears(question)
		w.hears(keypad)
		w.hears("no plain answer")
		w.nothingWent(smsmcp.Cancelled)
		if n := len(w.model.requests()); n != 1 {
			t.Errorf("the model was asked %d times", n)
		}
	})
}

func TestInvariant10ADraftInTheSameBreathWaitsForNothing(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late), prepares("Paul", "Send me money."), prepares("Marie", "Other words."))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.hears(question)
		w.ears.says("yes")
		w.hears("has left")
		if got := w.sent(); !slices.Equal(got, []string{string(marie) + " " + late}) {
			t.Errorf("sent %q", got)
		}
		w.states(smsmcp.Done)
	})
}

func TestTwoDraftsOneAfterTheOther(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.ears.says("yes")
		w.hears("has left")
		w.model.then(prepares("Paul", "Start without me."))
		w.ears.says("and paul that they start without me")
		w.hears("This is the text to Paul Gagnon")
		w.hears(question, 2)
		w.states(smsmcp.Waiting, smsmcp.Done)
		w.ears.presses("2")
		w.hears("Dropped.")
		w.states(smsmcp.Declined, smsmcp.Done)
		if got := w.sent(); len(got) != 1 {
			t.Errorf("sent %q", got)
		}
	})
}

func TestInvariant02AContactEditedSinceTheReadBackVoidsIt(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		all, err := w.store.Contacts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			if c.Name == "Marie Tremblay" {
				if err := w.store.RemoveContact(t.Context(), c.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
		w.ears.says("yes")
		w.hears("may not leave")
		if got := w.sent(); len(got) > 0 {
			t.Errorf("sent %q", got)
		}
	})
}

// TestADraftThatAnotherCallReplaced: the owner's second call has one for the same contact, and the yes to the first sends nothing.
func TestADraftThatAnotherCallReplaced(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		answer, err := w.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "I am on time.", By: "call", Scope: smsmcp.CallScope + "call2", Only: smsmcp.Voice})
		if err != nil || answer.Send.State != smsmcp.Waiting {
			t.Fatalf("%v, %v", answer.Send.State, err)
		}
		w.ears.says("yes")
		w.hears("took its place")
		if w.heard("may not leave") > 0 {
			t.Error("it is said that it may not leave")
		}
		w.states(smsmcp.Waiting, smsmcp.Void)
		if got := w.sent(); len(got) > 0 {
			t.Errorf("sent %q", got)
		}
	})
}

// TestATimeIsSaidAsPeopleSayIt: when the same words may go again is heard, and so it is no date of a log.
func TestATimeIsSaidAsPeopleSayIt(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.ears.says("yes")
		w.hears("has left")
		w.model.then(prepares("Marie", late)).then("I told her that already.")
		w.ears.says("text marie that i will be late")
		w.hears("already.")
		told := w.told()
		if last := told[len(told)-1]; !regexp.MustCompile(`not repeated before (tomorrow at )?\d+ (oh )?(\d+ )?[ap]m\.`).MatchString(last) {
			t.Errorf("the model was told %q", last)
		}
	})
}

func TestWhatTheGuardSaysIsSaid(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		if err := w.store.Freeze(t.Context(), time.Now(), smsmcp.CommandLine); err != nil {
			t.Fatal(err)
		}
		w.ears.says("yes")
		w.hears("may not leave")
		w.nothingWent(smsmcp.Refused)
		w.model.then("I am sorry.")
		w.ears.says("what a pity that is")
		w.hears("sorry")
		if told := w.told(); !strings.Contains(told[2], "may not be sent") {
			t.Errorf("the model was told %q", told)
		}
		// And before anything is read back, the model hears it.
		w.model.then(prepares("Paul", "Hello.")).then("It is frozen.")
		w.ears.says("then write hello to paul")
		w.hears("It is frozen.")
		if told := w.told(); !strings.Contains(told[len(told)-1], "Refused, nothing was sent") {
			t.Errorf("the model was told %q", told)
		}
	})
}

func TestAStoreThatFails(t *testing.T) {
	t.Run("when a draft is prepared", func(t *testing.T) {
		inCall(t, func(t *testing.T, w *world) {
			w.ledger.breaks(errTest, nil, 0)
			w.model.then(prepares("Marie", late)).then("It does not work.")
			w.hears("What can I do")
			w.ears.says("text marie that i will be late")
			w.hears("It does not work.")
			w.nothingWent()
			if told := w.told(); strings.Contains(strings.Join(told, ""), errTest.Error()) {
				t.Errorf("the model was told %q", told)
			}
		})
	})
	t.Run("when the yes comes", func(t *testing.T) {
		inCall(t, func(t *testing.T, w *world) {
			drafted(w)
			w.ledger.breaks(nil, errTest, 0)
			w.ears.says("yes")
			w.hears("could not leave. Nothing was sent out")
			if got := w.sent(); len(got) > 0 {
				t.Errorf("sent %q", got)
			}
		})
	})
	t.Run("when it is read back", func(t *testing.T) {
		inCall(t, func(t *testing.T, w *world) {
			w.model.then(prepares("Marie", late))
			w.hears("What can I do")
			w.ears.says("text marie that i will be late")
			w.hears("I drop this text. Nothing has left.")
			w.nothingWent(smsmcp.Cancelled)
		}, func(w *world) { w.options.Door = &slowDoor{Door: w.door, check: errTest} })
	})
}

// TestInvariant14ADraftThatIsNoLongerTheOneIsNotSpoken has the log answer the read-back with another draft, and with one that no longer waits.
func TestInvariant14ADraftThatIsNoLongerTheOneIsNotSpoken(t *testing.T) {
	for name, change := range map[string]func(*smsmcp.Send){
		"other words": func(s *smsmcp.Send) {
			s.Draft = smsmcp.RestoreDraft(s.Draft.Contact(), s.Draft.Revision(), s.Draft.To(), "Other words.")
		},
		"other number": func(s *smsmcp.Send) {
			s.Draft = smsmcp.RestoreDraft(s.Draft.Contact(), s.Draft.Revision(), "+15145550177", s.Draft.Body())
		},
		"other contact": func(s *smsmcp.Send) {
			s.Draft = smsmcp.RestoreDraft(99, s.Draft.Revision(), s.Draft.To(), s.Draft.Body())
		},
		"another name":  func(s *smsmcp.Send) { s.Name = "Paul Gagnon" },
		"not waiting":   func(s *smsmcp.Send) { s.State = smsmcp.Expired },
		"other channel": func(s *smsmcp.Send) { s.Only = smsmcp.NoChannel },
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.model.then(prepares("Marie", late))
				w.hears("What can I do")
				w.ears.says("text marie that i will be late")
				w.hears("I drop this text. Nothing has left.")
				for _, s := range w.mouth.said(true) {
					if strings.Contains(s, "Other words") || strings.Contains(s, "This is the text") {
						t.Errorf("%q was spoken", s)
					}
				}
				w.nothingWent(smsmcp.Cancelled)
			}, func(w *world) { w.options.Door = &slowDoor{Door: w.door, change: change} })
		})
	}
}

func TestInvariant10ADraftThatIsDeclinedBeforeItIsReadIsNotRead(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(prepares("Marie", late))
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		time.Sleep(2 * time.Second)
		w.ears.says("no")
		w.hears("Dropped.")
		time.Sleep(20 * time.Second)
		if slices.Contains(w.mouth.said(true), late) {
			t.Error("it was read")
		}
		w.nothingWent(smsmcp.Declined)
	}, func(w *world) { w.options.Door = &slowDoor{Door: w.door, slow: 5 * time.Second} })
}

// slowDoor is the door, until a test breaks what it tells of a draft.
type slowDoor struct {
	Door
	check  error
	slow   time.Duration
	change func(*smsmcp.Send)
}

func (d *slowDoor) Check(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	if d.check != nil {
		return smsmcp.Send{}, d.check
	}
	s, err := d.Door.Check(ctx, id)
	time.Sleep(d.slow)
	if d.change != nil {
		d.change(&s)
	}
	return s, err
}
