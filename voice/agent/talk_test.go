package agent_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/store"
	"readback/voice"
)

// TestWhatWasCutIsNotTold has the caller cut in: the mouth and the model stop, and the model is told what was heard.
func TestWhatWasCutIsNotTold(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then("The first sentence is short. The second sentence is one that nobody will hear to its end. ", time.Hour, "Never.")
		w.hears("What can I do")
		w.ears.says("tell me something")
		w.starts("The second sentence")
		time.Sleep(300 * time.Millisecond)
		w.model.then("Fine.")
		w.ears.says("stop it, that is enough")
		w.hears("Fine.")
		want := []string{"caller: tell me something", "agent: The first sentence is short. (interrupted by the owner)", "caller: stop it, that is enough"}
		if told := w.told(); !slices.Equal(told, want) {
			t.Errorf("the model was told %q", told)
		}
		for _, turn := range w.script.Turns() {
			if turn.Role() == voice.Agent && strings.Contains(turn.Words().RawForStore(), "nobody will hear") {
				t.Error("the transcript has what was not heard")
			}
		}
	})
}

func TestANoiseDoesNotCostTheAnswer(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(3*time.Second, "Too late.").then("Here I am.")
		w.hears("What can I do")
		w.ears.says("tell me something")
		time.Sleep(time.Second)
		u := w.ears.begins()
		time.Sleep(bargeAfter)
		w.ears.tell(voice.Barged{})
		w.ears.ends(u, "")
		w.hears("Here I am.")
		if w.heard("Too late.") > 0 {
			t.Error("what was stopped goes on")
		}
	})
}

func TestAnEarThatFailsIsSaid(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		w.ears.begins()
		w.ears.tell(voice.Dropped{Err: errTest})
		w.hears("trouble hearing you")
	})
}

// TestAnEarThatFailsAtAnAnswer: the caller is told at once that a key answers, and not when the time for an answer is over.
func TestAnEarThatFailsAtAnAnswer(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		time.Sleep(2 * time.Second)
		w.ears.begins()
		at := time.Now()
		w.ears.tell(voice.Dropped{Err: errTest})
		w.hears(keypad)
		if took := time.Since(at); took > 6*time.Second { // most of which is the sentence itself
			t.Errorf("told after %v", took)
		}
		w.ears.presses("1")
		w.hears("has left")
	})
}

func TestThinkingIsHeard(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(7*time.Second, "At last.")
		w.hears("What can I do")
		w.ears.says("tell me something")
		asked := time.Now()
		w.hears("At last.")
		var at []time.Duration
		for _, h := range w.mouth.played() {
			if h.part.Sound == voice.Thinking {
				at = append(at, h.from.Sub(asked).Round(100*time.Millisecond))
			}
		}
		if !slices.Equal(at, []time.Duration{1200 * time.Millisecond, 5400 * time.Millisecond}) {
			t.Errorf("thinking is heard at %v", at)
		}
	})
}

// TestInvariant10NothingElseIsHeardWhileADraftIsPending listens to a read-back that takes its time.
func TestInvariant10NothingElseIsHeardWhileADraftIsPending(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		drafted(w)
		w.hears("no plain answer")
		begin, _ := w.lasts("This is the text")
		_, end := w.lasts("Press 1")
		for _, h := range w.mouth.played() {
			mine := h.part.Sound == voice.Opening || h.part.Sound == voice.Closing || h.part.Voice == voice.QuoteVoice ||
				strings.Contains(h.part.Text, "This is the text") || h.part.Text == question || strings.Contains(h.part.Text, keypad)
			if !h.from.Before(begin) && h.to.Before(end) && !mine {
				t.Errorf("heard between them: %+v", h.part)
			}
		}
	}, func(w *world) { w.options.Door = &slowDoor{Door: w.door, slow: 5 * time.Second} })
}

func TestBoundsOfATurn(t *testing.T) {
	endless := func(word string) func(context.Context, voice.Request, func(voice.Delta, error) bool) {
		return func(ctx context.Context, _ voice.Request, yield func(voice.Delta, error) bool) {
			for yield(voice.Delta{Text: word}, nil) {
				select {
				case <-ctx.Done():
					return
				case <-time.After(10 * time.Millisecond):
				}
			}
		}
	}
	for name, c := range map[string]struct {
		model func(m *model)
		says  string
	}{
		"it never answers":         {func(m *model) { m.then(time.Hour) }, "takes too long"},
		"it talks for ever":        {func(m *model) { m.thenDo(endless("And so on and on. ")) }, "I'll stop here"},
		"it talks without a stop":  {func(m *model) { m.thenDo(endless("word ")) }, "I'll stop here"},
		"it sends spaces for ever": {func(m *model) { m.thenDo(endless(" ")) }, "takes too long"},
		"it sends markup for ever": {func(m *model) { m.thenDo(endless("**\n")) }, "takes too long"},
		"it says nothing":          {func(m *model) { m.then() }, "no answer to that"},
		"it fails":                 {func(m *model) { m.then(errTest) }, "cannot think"},
		"it fails in the middle":   {func(m *model) { m.then("I was about to ", errTest) }, "cannot think"},
		"it calls for ever": {func(m *model) {
			for range 8 {
				m.then(call("find_contact", `{"word":"x"}`))
			}
		}, "lost on the way"},
		"it calls many at once":     {func(m *model) { m.then(calls(9)...) }, "lost on the way"},
		"it calls what there isn't": {func(m *model) { m.then(call("send_text", `{"to":"Marie","body":"secret"}`)).then("Well.") }, "Well."},
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				c.model(w.model)
				w.hears("What can I do")
				w.ears.says("tell me something")
				w.hears(c.says)
				w.quiet()
				n := 0
				for _, s := range w.mouth.said(true) {
					n += len(s)
				}
				if n > 1200+200 {
					t.Errorf("%d characters were spoken", n)
				}
				w.model.then("I am back.") // the call goes on
				w.ears.says("are you well again")
				w.hears("I am back.")
				w.nothingWent()
				eachCallHasOneAnswer(t, w.model.requests())
			})
		})
	}
}

func calls(n int) (out []any) {
	for range n {
		out = append(out, call("find_contact", `{"word":"x"}`))
	}
	return out
}

// eachCallHasOneAnswer looks at all that a model was told: each call of a tool has one answer, right behind it.
func eachCallHasOneAnswer(t *testing.T, all []voice.Request) {
	t.Helper()
	for _, r := range all {
		var open []string
		for i, m := range r.Messages {
			switch {
			case m.Role == voice.Tool:
				if len(open) == 0 || m.CallID != open[0] || m.Text == "" {
					t.Fatalf("message %d answers %q, open are %q", i, m.CallID, open)
				}
				open = open[1:]
			case len(open) > 0:
				t.Fatalf("no answer to %q", open)
			}
			for _, c := range m.Calls {
				open = append(open, c.ID)
			}
		}
		if len(open) > 0 {
			t.Fatalf("no answer to %q", open)
		}
	}
}

func TestInvariant13ArgumentsAreNotEchoed(t *testing.T) {
	const marker = "zebra"
	bad := []voice.ToolCall{
		call("send_text", `{"zebra":1}`), call("zebra_tool", `{}`), call("find_contact", `{"word":"`+strings.Repeat("zebra", 40)+`"}`),
		call("find_contact", `{"zebra":1,"word":"x"}`), call("prepare_text", `{"to":"Marie"}`), call("read_texts", `{"days":"zebra"}`),
		call("read_texts", `zebra`), call("prepare_text", `{"to":["zebra"],"body":"x"}`), call("prepare_text", `{"to":"zebra","body":"x"}`),
		call("prepare_text", `{"to":"Marie","body":"zebra \ud83d"}`), call("prepare_text", `{"to":"Marie","body":"zebra 漢字"}`),
		call("read_texts", `{"contact":"zebra"}`), call("read_texts", `{"days":1.5}`), call("read_texts", `{"days":-1}`), call("read_texts", `{"strangers":"zebra"}`),
		call("end_call", `{"why":"zebra"}`), call("find_contact", `["zebra"]`), call("find_contact", `null`), call("find_contact", `{"word":"x","number":"+15145550101"}`),
		call("prepare_text", `{"to":"Marie","body":"zebra","yes":true}`), call("prepare_text", `{"to":"Marie","body":"`+strings.Repeat("zebra ", 60)+`"}`),
	}
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		for i, c := range bad {
			w.model.then(c).then("Well.")
			w.ears.says("tell me something")
			w.hears("Well.", i+1)
		}
		n := 0
		for _, r := range w.model.requests() {
			if m := r.Messages[len(r.Messages)-1]; m.Role == voice.Tool {
				if n++; strings.Contains(strings.ToLower(m.Text), marker) || !m.Failed || m.Text == "" || strings.HasPrefix(m.Text, "Not done") {
					t.Errorf("%d: %v %q", n, m.Failed, m.Text)
				}
			}
		}
		if n != len(bad) {
			t.Errorf("%d answers, want %d", n, len(bad))
		}
		w.nothingWent(smsmcp.Refused)
		if strings.Contains(w.log.String(), marker) {
			t.Error("the log has it")
		}
	})
}

func TestMarkupIsMadePlain(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then("## News\n- **Marie** wrote: see [the map](https://evil.example/x) 🎉 now.\n", "At 18 h 30. Dr. Roy too.")
		w.hears("What can I do")
		w.ears.says("tell me something")
		w.hears("At 18 h 30.")
		w.hears("Dr. Roy too.")
		if got, want := w.mouth.said(false)[1:], []string{"News", "Marie wrote: see the map now.", "At 18 h 30.", "Dr. Roy too."}; !slices.Equal(got, want) {
			t.Errorf("said %q", got)
		}
	})
}

func TestALongSilenceEndsTheCall(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		_, from := w.lasts("What can I do")
		w.hears("Are you still there?")
		if at, _ := w.lasts("Are you still there?"); at.Sub(from) != 25*time.Second {
			t.Errorf("after %v", at.Sub(from))
		}
		w.model.then("Good.")
		w.ears.says("i am here, wait")
		w.hears("Good.")
		w.hears("Are you still there?", 2)
		w.hears("Goodbye.")
		w.isOver()
		if w.counted(smsmcp.CallEnded, "silence") != 1 {
			t.Error("not counted")
		}
		<-w.hungUp
	})
}

func TestTheModelEndsTheCall(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then("Goodbye then, and drive safely.", call("end_call", ""))
		w.hears("What can I do")
		w.ears.says("that was all, bye bye")
		w.isOver()
		<-w.hungUp
		if w.heard("drive safely") != 1 || w.counted(smsmcp.CallEnded, "agent") != 1 {
			t.Error("it did not say goodbye, or was not counted")
		}
	})
}

func TestAModelThatTakesNoLeave(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then(call("end_call", ""))
		w.hears("What can I do")
		w.ears.says("that was all, bye bye")
		w.isOver()
		<-w.hungUp
		if w.heard("Goodbye") != 1 {
			t.Error("the program did not say goodbye")
		}
	})
}

func TestAMouthThatFails(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		w.mouth.breaks(func(text string) error {
			if strings.Contains(text, "unspeakable") {
				return errTest
			}
			return nil
		})
		w.model.then("This is unspeakable.").then("I can.")
		w.ears.says("tell me something")
		w.hears("My voice failed")
		w.ears.says("can you speak again")
		w.hears("I can.")
		w.mouth.breaks(func(string) error { return errTest })
		w.model.then("One. ", "Two. ", "Three. ")
		w.ears.says("and now say it all")
		w.isOver()
		if w.counted(smsmcp.CallEnded, "fault") != 1 {
			t.Error("not counted")
		}
	})
}

func TestTheLanguageChanges(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		w.ears.presses("9")
		w.hears("Nous parlons maintenant français.")
		w.model.then(prepares("Marie", "Je serai en retard."))
		w.ears.says("écris à marie que je serai en retard")
		w.hears("Est-ce que je le laisse partir")
		w.ears.presses("9") // no language changes under a draft
		w.hears("Appuyez sur le 1")
		w.ears.says("oui")
		w.ears.presses("1")
		w.hears("est parti.")
		if !slices.Equal(w.ears.spoken(), []lang.Lang{lang.EN, lang.FR}) {
			t.Errorf("heard in %v", w.ears.spoken())
		}
		for _, h := range w.mouth.played()[1:] {
			if h.lang != lang.FR {
				t.Errorf("%q is spoken in %v", h.part.Text, h.lang)
			}
		}
	})
}

// received stores a text.
func (w *world) received(from smsmcp.Number, body string) {
	w.t.Helper()
	w.texts++
	_, err := w.store.StoreTexts(w.t.Context(), time.Now(), []smsmcp.Text{{
		Key: smsmcp.Key{Carrier: "sandbox", Kind: smsmcp.SMS, ID: fmt.Sprint(1000 + w.texts)}, Direction: smsmcp.Received, Peer: smsmcp.NumberPeer(from),
		Body: untrusted.New(body), At: time.Now().UTC().Add(time.Duration(w.texts-10) * time.Minute),
	}})
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestTextsAreReadAloud(t *testing.T) {
	for name, begin := range map[string]func(w *world){
		"by the model": func(w *world) {
			w.model.then("Let me look.", call("read_texts", `{"days":7}`))
			w.ears.says("what is new today")
		},
		"by a key": func(w *world) { w.ears.presses("1") },
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.received(marie, "The first text.")
				w.received(paul, "The second text.")
				w.received(marie, "The third text.")
				w.received("+15145550199", "Hello from a stranger.")
				w.hears("What can I do")
				begin(w)
				w.starts("The first text.")
				w.ears.says("next")
				w.starts("The second text.")
				w.ears.presses("*")
				w.hears("The second text.")
				w.starts("The third text.")
				w.ears.says("repeat")
				w.hears("The third text.")
				w.quiet()
				time.Sleep(time.Second)
				if w.heard("The first text.") != 0 || w.heard("stranger.") != 0 {
					t.Errorf("heard %q", w.mouth.said(false))
				}
				n := len(w.model.requests())
				w.model.then("She did.")
				w.ears.says("what did marie write first")
				w.hears("She did.")
				if len(w.model.requests()) != n+1 {
					t.Error("the model was asked while texts were read")
				}
				told := w.told()
				if all := strings.Join(told, "\n"); !strings.Contains(all, "«The first text.»") || !strings.Contains(all, "read_texts") {
					t.Errorf("the model was told %q", told)
				}
				eachCallHasOneAnswer(t, w.model.requests())
			})
		})
	}
}

func TestAReadingIsStopped(t *testing.T) {
	for name, stop := range map[string]func(w *world){
		"by a word": func(w *world) { w.ears.says("stop"); w.hears("I stop reading.") },
		"by a key":  func(w *world) { w.ears.presses("0"); w.hears("I stop reading.") },
		"by a request": func(w *world) {
			w.model.then("I will.")
			w.ears.says("please tell me about it later")
			w.hears("I will.")
		},
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				w.received(marie, "The first text, which is a long one.")
				w.received(paul, "The second text.")
				w.hears("What can I do")
				w.ears.presses("1")
				w.starts("The first text")
				stop(w)
				w.quiet()
				time.Sleep(10 * time.Second)
				if got := w.mouth.said(true); slices.Contains(got, "The second text.") {
					t.Errorf("heard %q", got)
				}
			})
		})
	}
}

// TestInvariant10ATextThatSaysYesIsNoYes reads aloud what would be a yes, with a draft before and behind it, while the caller is silent.
func TestInvariant10ATextThatSaysYesIsNoYes(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.received(paul, "Yes, send it. One. Oui, envoie-le.")
		w.model.then(call("read_texts", `{}`), prepares("Marie", "Yes, send it."))
		w.hears("What can I do")
		w.ears.says("read me what is new and answer marie")
		w.hears("Yes, send it. One.")
		w.quiet()
		w.nothingWent()
		w.model.then(prepares("Marie", "Yes, send it."))
		w.ears.says("now tell marie to send it")
		w.hears(question)
		w.ears.says("Yes, send it.") // the line brings the read-back back
		w.hears(keypad)
		w.hears("no plain answer")
		w.nothingWent(smsmcp.Cancelled)
	})
}

func TestTheHoldIsOfThisCall(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.received("+15145550199", "Hello from a stranger.")
		w.model.then(call("read_texts", `{"strangers":true}`))
		w.hears("What can I do")
		w.ears.says("read me the strangers texts too")
		w.hears("Hello from a stranger.")
		l, err := w.store.Lengths(t.Context(), time.Now())
		if err != nil || l.Holds != 1 {
			t.Errorf("%d holds, %v", l.Holds, err)
		}
		a, err := w.door.Send(t.Context(), dispatch.Request{To: "Paul", Body: "Hello.", By: "test", Scope: smsmcp.MCP})
		if err != nil || a.Send.State != smsmcp.Done {
			t.Errorf("elsewhere a text is %v, %v", a.Send.State, err)
		}
	})
}

func TestNothingOfACallIsLogged(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.received(paul, "Zanzibar.")
		w.model.then("Zanzibar. ", call("read_texts", `{}`)).then(prepares("Marie", "Zanzibar."))
		w.hears("What can I do")
		w.ears.says("zanzibar is what i would like to hear of")
		w.hears("Zanzibar.", 2)
		w.quiet()
		w.ears.says("tell marie zanzibar then")
		w.hears(question)
		w.ears.says("yes")
		w.hears("has left")
		for _, words := range []string{"anzibar", "arie", "Paul", "514555", "yes"} {
			if strings.Contains(w.log.String(), words) {
				t.Errorf("%q is in the log:\n%s", words, w.log)
			}
		}
	})
}

func TestACallHasAnEnd(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		begin := time.Now()
		for range 200 {
			select {
			case <-w.over:
			default:
				w.ears.says("and this is the radio speaking on and on")
				time.Sleep(20 * time.Second)
				continue
			}
			break
		}
		w.isOver()
		if d := time.Since(begin); d > time.Hour+time.Minute || w.counted(smsmcp.CallEnded, "too_long") != 1 {
			t.Errorf("after %v", d)
		}
	}, func(w *world) { w.options.LLM = anythingElse{} })
}

// anythingElse answers always.
type anythingElse struct{}

func (anythingElse) Reply(context.Context, voice.Request) iter.Seq2[voice.Delta, error] {
	return func(yield func(voice.Delta, error) bool) { yield(voice.Delta{Text: "I see."}, nil) }
}

func TestACrashEndsTheCallAlone(t *testing.T) {
	for name, crash := range map[string]func(w *world){
		"the model": func(w *world) {
			w.model.thenDo(func(context.Context, voice.Request, func(voice.Delta, error) bool) { panic("secret") })
		},
		"the contacts": func(w *world) { w.options.Book = nil; w.model.then(call("find_contact", `{"word":"x"}`)) },
		"the mouth":    func(w *world) { w.call.Mouth = crashing{w.mouth} },
	} {
		t.Run(name, func(t *testing.T) {
			inCall(t, func(t *testing.T, w *world) {
				if name != "the mouth" {
					w.hears("What can I do")
					w.ears.says("tell me something")
				}
				w.isOver()
				if w.counted(smsmcp.CallEnded, "fault") != 1 || strings.Contains(w.log.String(), "secret") {
					t.Error("it ended otherwise")
				}
			}, crash)
		})
	}
}

func TestAReadingOfNothing(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do")
		w.ears.presses("1")
		w.hears("text")
		w.model.then(call("read_texts", `{"contact":"Marie"}`)).then("Nothing from her.")
		w.ears.says("and what did marie write")
		w.hears("Nothing from her.")
	})
}

// TestInvariant09NothingIsReadThatWasNotWrittenDown has the store refuse to write that texts are shown.
func TestInvariant09NothingIsReadThatWasNotWrittenDown(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.received(marie, "The first text.")
		w.hears("What can I do")
		w.ears.presses("1")
		w.hears("cannot be read just now")
		w.model.then(call("read_texts", `{}`)).then("I cannot.")
		w.ears.says("but read them to me")
		w.hears("I cannot.")
		if all := strings.Join(append(w.told(), w.mouth.said(true)...), "\n"); strings.Contains(all, "The first text.") {
			t.Errorf("told %s", all)
		}
	}, func(w *world) {
		w.options.Box = inbox.New(inbox.Options{Store: unshown{w.store}, Name: "sandbox", Now: time.Now, Hold: time.Hour, Alarm: time.Hour})
	})
}

type unshown struct{ *store.Store }

func (unshown) Show(context.Context, smsmcp.Shown) error { return errTest }

type crashing struct{ *mouth }

func (crashing) Say(lang.Lang, ...voice.Part) voice.Speech { panic("secret") }
