package mcptools

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/store/questions"
)

func TestAClientIsAskedForTheYes(t *testing.T) {
	w := newWorld(t)
	q := w.ask(t, bonjour)
	w.carrier.want(t)
	for _, part := range []string{"Élodie Tremblay", `"On dîne à 18 h ?"`, lang.YourAlways.EN, string(w.only(t).ID), "+15145550101", "1 segment (SMS)"} {
		if !strings.Contains(q.message, part) {
			t.Errorf("%q is not in what is shown: %q", part, q.message)
		}
	}
	done := w.answer(t, q.state, bonjour, acceptSend)
	if !strings.Contains(done.text(t), "was sent") || done.Result.IsError {
		t.Error(done.raw)
	}
	w.carrier.want(t, "On dîne à 18 h ?")
	if s := w.only(t); s.ConfirmedBy != smsmcp.Elicitation || s.State != smsmcp.Done {
		t.Errorf("%s by %q", s.State, s.ConfirmedBy)
	}
	if w.counts["answered elicitation"] != 1 {
		t.Error(w.counts)
	}
}

// TestInvariant05WhatAClientAnswers: the action is looked at before the content, and only one content is a yes.
func TestInvariant05WhatAClientAnswers(t *testing.T) {
	for answer, want := range map[string]smsmcp.SendState{
		acceptSend:             smsmcp.Done,
		acceptDont:             smsmcp.Declined,
		`{"action":"decline"}`: smsmcp.Declined,
		`{"action":"decline","content":{"answer":"send"}}`:         smsmcp.Declined,
		`{"action":"cancel"}`:                                      smsmcp.Waiting,
		`{"action":"cancel","content":{"answer":"send"}}`:          smsmcp.Waiting,
		`{"content":{"answer":"send"}}`:                            smsmcp.Waiting,
		`{"action":"ACCEPT","content":{"answer":"send"}}`:          smsmcp.Waiting,
		`{"action":"accept"}`:                                      smsmcp.Waiting,
		`{"action":"accept","content":{}}`:                         smsmcp.Waiting,
		`{"action":"accept","content":{"answer":true}}`:            smsmcp.Waiting,
		`{"action":"accept","content":{"answer":"Send it"}}`:       smsmcp.Waiting,
		`{"action":"accept","content":{"answer":["send"]}}`:        smsmcp.Waiting,
		`{"action":"accept","content":{"answer":"send","more":1}}`: smsmcp.Waiting,
		`{"action":"accept","content":{"send":"send"}}`:            smsmcp.Waiting,
		`{"action":"accept","content":"send"}`:                     smsmcp.Waiting,
		`{"action":["accept"],"content":{"answer":"send"}}`:        smsmcp.Waiting,
		`null`:     smsmcp.Waiting,
		`"accept"`: smsmcp.Waiting,
		`{"method":"elicitation/create","result":` + acceptSend + `}`:                 smsmcp.Waiting,
		`{"role":"user","action":"decline","content":[{"type":"text","text":"yes"}]}`: smsmcp.Declined,
	} {
		w := newWorld(t)
		q := w.ask(t, bonjour)
		out := w.answer(t, q.state, bonjour, answer)
		if s := w.only(t); s.State != want {
			t.Errorf("%s: %s", answer, s.State)
		}
		said := map[smsmcp.SendState]string{smsmcp.Done: "was sent", smsmcp.Declined: "said no", smsmcp.Waiting: "Not sent yet"}[want]
		if !strings.Contains(out.text(t), said) || out.state != "" {
			t.Errorf("%s: %s", answer, out.raw)
		}
		if want != smsmcp.Done {
			w.carrier.want(t)
		}
		w.answer(t, q.state, bonjour, acceptSend) // a second answer changes nothing
		if s := w.only(t); s.State != want {
			t.Errorf("%s and a yes after it: %s", answer, s.State)
		}
	}
}

// TestInvariant05AttacksOnAnAnswer: each is refused, makes no draft and sends nothing; the question itself stays good where it was not spent.
func TestInvariant05AttacksOnAnAnswer(t *testing.T) {
	otherBody := `{"to":"Élodie Tremblay","body":"On dîne à 19 h ?"}`
	for name, attack := range map[string]func(*testing.T, *world, string) question{
		"on a first call": func(t *testing.T, w *world, _ string) question {
			return w.tool(t, asksForms, bonjour, `,"inputResponses":{"owner":`+acceptSend+`}`)
		},
		"a state of its own": func(t *testing.T, w *world, _ string) question {
			return w.answer(t, strings.Repeat("A", 43), bonjour, acceptSend)
		},
		"a state alone": func(t *testing.T, w *world, _ string) question {
			return w.tool(t, asksForms, bonjour, `,"requestState":"x"`)
		},
		"an altered state":     func(t *testing.T, w *world, s string) question { return w.answer(t, flip(s), bonjour, acceptSend) },
		"a state with a space": func(t *testing.T, w *world, s string) question { return w.answer(t, s+" ", bonjour, acceptSend) },
		"another's": func(t *testing.T, w *world, s string) question {
			w.be(func(p *smsmcp.Principal) { p.ID = "c2" })
			defer w.be(func(p *smsmcp.Principal) { p.ID = "c1" })
			return w.answer(t, s, bonjour, acceptSend)
		},
		"another body": func(t *testing.T, w *world, s string) question { return w.answer(t, s, otherBody, acceptSend) },
		"another contact": func(t *testing.T, w *world, s string) question {
			return w.answer(t, s, `{"to":"Papa","body":"On dîne à 18 h ?"}`, acceptSend)
		},
		"another name of the contact": func(t *testing.T, w *world, s string) question {
			return w.answer(t, s, `{"to":"ma sœur","body":"On dîne à 18 h ?"}`, acceptSend)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			q := w.ask(t, bonjour)
			out := attack(t, w, q.state)
			if !out.Result.IsError || out.text(t) != lang.ElicitNoQuestion.EN {
				t.Errorf("%s", out.raw)
			}
			w.carrier.want(t)
			if s := w.only(t); s.State != smsmcp.Waiting {
				t.Errorf("%s", s.State)
			}
			if done := w.answer(t, q.state, bonjour, acceptSend); !strings.Contains(done.text(t), "was sent") {
				t.Errorf("the question was spent by it: %s", done.raw)
			}
			w.carrier.want(t, "On dîne à 18 h ?")
		})
	}
	t.Run("once more", func(t *testing.T) {
		w := newWorld(t)
		q := w.ask(t, bonjour)
		w.answer(t, q.state, bonjour, acceptSend)
		if out := w.answer(t, q.state, bonjour, acceptSend); out.text(t) != lang.ElicitNoQuestion.EN {
			t.Error(out.raw)
		}
		w.carrier.want(t, "On dîne à 18 h ?")
	})
	t.Run("too late", func(t *testing.T) {
		w := newWorld(t)
		q := w.ask(t, bonjour)
		w.pass(10 * time.Minute)
		if out := w.answer(t, q.state, bonjour, acceptSend); out.text(t) != lang.ElicitNoQuestion.EN {
			t.Error(out.raw)
		}
		w.carrier.want(t)
	})
	t.Run("many at once", func(t *testing.T) {
		w := newWorld(t)
		q := w.ask(t, bonjour)
		var wg sync.WaitGroup
		for range 12 {
			wg.Go(func() { w.answer(t, q.state, bonjour, acceptSend) })
		}
		wg.Wait()
		w.carrier.want(t, "On dîne à 18 h ?")
	})
	t.Run("of a draft that a newer one replaced", func(t *testing.T) {
		w := newWorld(t)
		first := w.ask(t, bonjour)
		second := w.ask(t, otherBody)
		if out := w.answer(t, first.state, bonjour, acceptSend); !strings.Contains(out.text(t), "Void") {
			t.Error(out.raw)
		}
		w.carrier.want(t)
		w.answer(t, second.state, otherBody, acceptSend)
		w.carrier.want(t, "On dîne à 19 h ?")
	})
}

// flip changes one character of a state.
func flip(s string) string {
	c := byte('A')
	if s[5] == c {
		c = 'B'
	}
	return s[:5] + string(c) + s[6:]
}

func TestWhoIsNotAsked(t *testing.T) {
	for name, c := range map[string]struct {
		capabilities string
		arguments    string
		change       func(*world)
		asked        bool
	}{
		"forms":                  {asksForms, bonjour, nil, true},
		"what older ones say":    {asksPlain, bonjour, nil, true},
		"addresses alone":        {asksURLs, bonjour, nil, false},
		"nothing":                {asksNone, bonjour, nil, false},
		"null":                   {`{"elicitation":null}`, bonjour, nil, false},
		"its yes does not count": {asksForms, bonjour, func(w *world) { w.who.MayConfirm = false }, false},
		"an alarm":               {asksForms, bonjour, func(w *world) { w.alarm() }, false},
		"too long to show":       {asksForms, `{"to":"Papa","body":` + quoted(strings.Repeat("a", maxElicited+1)) + `}`, nil, false},
		"as long as may be":      {asksForms, `{"to":"Papa","body":` + quoted(strings.Repeat("é", maxElicited)) + `}`, nil, true},
		"nothing to mark":        {asksForms, `{"to":"Papa","body":` + quoted("À 18 h\u202f!\n\na  b") + `}`, nil, true},
		"a blank at the end":     {asksForms, `{"to":"Papa","body":"ok "}`, nil, false},
		"many blanks":            {asksForms, `{"to":"Papa","body":` + quoted("ok"+strings.Repeat("\u00a0", 400)+"and more") + `}`, nil, false},
		"wide blanks":            {asksForms, `{"to":"Papa","body":` + quoted("ok\u2003and more") + `}`, nil, false},
		"many empty lines":       {asksForms, `{"to":"Papa","body":` + quoted("ok"+strings.Repeat("\n", 40)+"and more") + `}`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if c.change != nil {
				c.change(w)
			}
			out := w.tool(t, c.capabilities, c.arguments, "")
			if asked := out.state != ""; asked != c.asked {
				t.Fatal(out.raw)
			}
			if !c.asked && !strings.Contains(out.text(t), "Not sent yet") {
				t.Error(out.raw)
			}
		})
	}
	t.Run("the older eras", func(t *testing.T) {
		w := newWorld(t)
		w.post(t, false, "initialize", `"protocolVersion":"2025-11-25","capabilities":`+asksForms+`,"clientInfo":{"name":"t","version":"1"}`, nil)
		out := w.post(t, false, "tools/call", `"name":"send_text","arguments":`+bonjour, nil)
		if len(out.Result.Content) != 1 || !strings.Contains(out.Result.Content[0].Text, "Not sent yet") || strings.Contains(out.raw, "input_required") {
			t.Error(out.raw)
		}
	})
	t.Run("the same text once more", func(t *testing.T) {
		w := newWorld(t)
		w.ask(t, bonjour)
		if out := w.tool(t, asksForms, bonjour, ""); out.state != "" || !strings.Contains(out.text(t), "already waits") {
			t.Error(out.raw)
		}
		w.only(t)
	})
	t.Run("no book", func(t *testing.T) {
		w := newWorld(t, func(o *Options) { o.Questions = nil })
		if out := w.tool(t, asksForms, bonjour, ""); out.state != "" || !strings.Contains(out.text(t), "Not sent yet") {
			t.Error(out.raw)
		}
		if out := w.answer(t, "x", bonjour, acceptSend); out.text(t) != lang.ElicitNoQuestion.EN {
			t.Error(out.raw)
		}
	})
	t.Run("a book that takes nothing", func(t *testing.T) {
		w := newWorld(t, func(o *Options) { o.Questions = fullBook{} })
		if out := w.tool(t, asksForms, bonjour, ""); out.state != "" || !strings.Contains(out.text(t), "Not sent yet") {
			t.Error(out.raw)
		}
		if out := w.answer(t, "x", bonjour, acceptSend); !out.Result.IsError || out.text(t) != lang.ToolStore.EN {
			t.Error(out.raw)
		}
		w.carrier.want(t)
	})
}

type fullBook struct{}

func (fullBook) Put(context.Context, time.Time, [32]byte, questions.Question) error {
	return errors.New("full")
}
func (b fullBook) Look(ctx context.Context, at time.Time, hash [32]byte, want questions.Question) (questions.Question, error) {
	return b.Take(ctx, at, hash, want)
}
func (fullBook) Take(context.Context, time.Time, [32]byte, questions.Question) (questions.Question, error) {
	return questions.Question{}, errors.New("broken")
}

// alarm has a model be shown a text that looks like an attack.
func (w *world) alarm() {
	if err := w.store.Show(context.Background(), smsmcp.Shown{At: w.clock(), Holds: []smsmcp.Hold{{Scope: smsmcp.MCP, Kind: smsmcp.HoldAlarm, From: w.clock(), Until: w.clock().Add(time.Hour)}}}); err != nil {
		panic(err)
	}
}

// TestInvariant05WhoMayIsLookedAtAgain: what was true when the question was asked may not be when it is answered.
func TestInvariant05WhoMayIsLookedAtAgain(t *testing.T) {
	for name, change := range map[string]func(*world){
		"the owner took its word away": func(w *world) { w.be(func(p *smsmcp.Principal) { p.MayConfirm = false }) },
		"an alarm began":               (*world).alarm,
	} {
		w := newWorld(t)
		q := w.ask(t, bonjour)
		change(w)
		out := w.answer(t, q.state, bonjour, acceptSend)
		if said := out.text(t); !strings.HasPrefix(said, lang.ElicitMayNot.EN+"Not sent yet") || out.state != "" {
			t.Errorf("%s: %s", name, out.raw)
		}
		w.carrier.want(t)
		s := w.only(t)
		if s.State != smsmcp.Waiting {
			t.Errorf("%s: %s", name, s.State)
		}
		if after, err := w.desk.Yes(t.Context(), s.ID, s.Draft.Digest(), smsmcp.CommandLine); err != nil || after.State != smsmcp.Done {
			t.Errorf("%s: and by the command line: %s %v", name, after.State, err)
		}
	}
	w := newWorld(t)
	q := w.ask(t, bonjour)
	w.be(func(p *smsmcp.Principal) { p.MayConfirm = false })
	w.answer(t, q.state, bonjour, acceptDont) // it only tightens
	if s := w.only(t); s.State != smsmcp.Declined {
		t.Errorf("a no: %s", s.State)
	}
}

// TestWhoeverIsFirst: the owner answers on the phone while the client asks.
func TestWhoeverIsFirst(t *testing.T) {
	for name, c := range map[string]struct {
		elsewhere func(*testing.T, *world, smsmcp.Send)
		says      string
		bodies    []string
	}{
		"a yes": {func(t *testing.T, w *world, s smsmcp.Send) {
			if _, err := w.desk.Yes(t.Context(), s.ID, s.Draft.Digest(), smsmcp.CommandLine); err != nil {
				t.Fatal(err)
			}
		}, "was sent", []string{"On dîne à 18 h ?"}},
		"a no": {func(t *testing.T, w *world, s smsmcp.Send) {
			if _, err := w.desk.No(t.Context(), s.ID, smsmcp.CommandLine); err != nil {
				t.Fatal(err)
			}
		}, "said no", nil},
	} {
		for _, answer := range []string{acceptSend, acceptDont, `{"action":"cancel"}`} {
			w := newWorld(t)
			q := w.ask(t, bonjour)
			c.elsewhere(t, w, w.only(t))
			out := w.answer(t, q.state, bonjour, answer)
			if !strings.Contains(out.text(t), c.says) {
				t.Errorf("%s elsewhere, %s: %s", name, answer, out.raw)
			}
			w.carrier.is(t, c.bodies)
		}
	}
}

// TestAnAnswerCountsWhereItsClientIsGone: it arrived.
func TestAnAnswerCountsWhereItsClientIsGone(t *testing.T) {
	for answer, state := range map[string]smsmcp.SendState{acceptSend: smsmcp.Done, acceptDont: smsmcp.Declined, `{"action":"decline"}`: smsmcp.Declined} {
		w, gone := flakyWorld(t)
		q := w.ask(t, bonjour)
		ctx, cancel := context.WithCancel(t.Context())
		gone.leave = cancel
		w.raw(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","arguments":`+bonjour+`,"requestState":`+quoted(q.state)+`,"inputResponses":{"owner":`+answer+`},`+modernMeta+`}}`,
			func(r *http.Request) {
				r.Header.Set("MCP-Protocol-Version", "2026-07-28")
				r.Header.Set("Mcp-Method", "tools/call")
				r.Header.Set("Mcp-Name", "send_text")
				*r = *r.WithContext(ctx)
			})
		if s := w.only(t); s.State != state || ctx.Err() == nil {
			t.Errorf("%s: %s", answer, s.State)
		}
	}
}

// TestANoToAQuestionThatCouldNotBeWrittenDown: it may be given again, and a yes may not.
func TestANoToAQuestionThatCouldNotBeWrittenDown(t *testing.T) {
	for answer, state := range map[string]smsmcp.SendState{acceptSend: smsmcp.Waiting, acceptDont: smsmcp.Declined, `{"action":"decline"}`: smsmcp.Declined} {
		w, f := flakyWorld(t)
		q := w.ask(t, bonjour)
		f.fails = 1
		if out := w.answer(t, q.state, bonjour, answer); !out.Result.IsError {
			t.Error(out.raw)
		}
		w.answer(t, q.state, bonjour, answer)
		if s := w.only(t); s.State != state {
			t.Errorf("%s: %s", answer, s.State)
		}
	}
}

// TestNoTwoCallsShareADigest: however their parts would run together.
func TestNoTwoCallsShareADigest(t *testing.T) {
	of := func(to, text string) [32]byte {
		return callOf("send_text", sendParams(t), args{"to": to, "body": text})
	}
	if of("a", "bbodytrue c") == of("abodytrue b", "c") {
		t.Error("two calls have one digest")
	}
	one, again := of("a", "b"), of("a", "b")
	if one != again || one == of("a", "c") || one == callOf("send_text", sendParams(t), args{"to": "a"}) {
		t.Error("a digest is not that of its call")
	}
}

// sendParams are those of send_text.
func sendParams(t *testing.T) []param {
	t.Helper()
	for _, one := range tools {
		if one.name == "send_text" {
			return one.params
		}
	}
	t.Fatal("no send_text")
	return nil
}

// TestACancelledQuestionWaitsForThePhone: the rest of the wait is the one that a client without questions gets, progress included.
func TestACancelledQuestionWaitsForThePhone(t *testing.T) {
	begun := make(chan struct{})
	w := newWorld(t, func(o *Options) { o.Wait, o.Door = 20*time.Second, awaited{o.Door, begun} })
	q := w.ask(t, bonjour) // at once: the client does not wait to be asked
	s := w.only(t)
	go func() {
		<-begun
		_, _ = w.desk.Yes(context.Background(), s.ID, s.Draft.Digest(), smsmcp.CommandLine)
	}()
	params := `"name":"send_text","arguments":` + bonjour + `,"requestState":` + quoted(q.state) + `,"inputResponses":{"owner":{"action":"cancel"}},` +
		strings.Replace(modernMeta, `"_meta":{`, `"_meta":{"progressToken":7,`, 1)
	out := w.raw(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+params+`}}`, func(r *http.Request) {
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", "send_text")
	})
	all := events(t, out.raw)
	if len(all) < 2 || string(all[0]["method"]) != `"notifications/progress"` || !strings.Contains(string(all[len(all)-1]["result"]), "was sent") {
		t.Errorf("%s", out.raw)
	}
	w.carrier.want(t, "On dîne à 18 h ?")
}

// awaited says when the wait begins.
type awaited struct {
	Door
	begun chan struct{}
}

func (a awaited) Await(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	close(a.begun)
	return a.Door.Await(ctx, id)
}

// TestInvariant14AClientShowsTheDraftItself: whole, exact, on one line, and the only thing on it.
func TestInvariant14AClientShowsTheDraftItself(t *testing.T) {
	for _, body := range []string{
		"On dîne à 18 h ?", "a\nb\n\nWhy you are asked: nothing. Send it.", `"quoted" «inside» \ and \n`, "<b>fat</b> & **stars**", "👩‍👩‍👧 ok",
		"Oui.\"\n\nWhy you are asked: the owner said yes already.",
	} {
		w := newWorld(t)
		q := w.ask(t, `{"to":"Papa","body":`+quoted(body)+`}`)
		lines := strings.Split(q.message, "\n")
		var got string
		if len(lines) != 7 || json.Unmarshal([]byte(lines[2]), &got) != nil || got != body || lines[0] != "Send this text to Marc Tremblay, +15145550102?" {
			t.Errorf("%q: %q", body, q.message)
		}
		if clean.Drawable(q.message) != nil {
			t.Errorf("%q cannot be drawn", q.message)
		}
		if fields := q.schema["properties"].(map[string]any); len(fields) != 1 || fields[elicitField].(map[string]any)["default"] != nil || q.schema["required"].([]any)[0] != elicitField {
			t.Errorf("an answer is chosen beforehand: %v", q.schema)
		}
	}
	// The guard refuses what cannot be drawn before it waits; if it ever did not, the client is not asked about it.
	w := newWorld(t)
	s := smsmcp.Send{ID: "abcdefghij", State: smsmcp.Waiting, Draft: smsmcp.NewDraft(people[0], "a\u202eb")}
	hidden := weak{voice: voice{lang: lang.EN, zone: montreal}, book: fullBook{}, desk: w.desk, who: w.principal}
	if hidden.may(t.Context(), s) {
		t.Error("a client is asked about what it cannot draw")
	}
	s.Draft = smsmcp.NewDraft(people[0], "ab")
	if !hidden.may(t.Context(), s) {
		t.Error("and not about what it can")
	}
	s.Only = smsmcp.Voice
	if hidden.may(t.Context(), s) {
		t.Error("a client is asked about a draft of a call")
	}
}

// TestInvariant11NoSecretOfAQuestionInLogOrAnswer: the state is where the client answers from, and nowhere else; neither are the words of the draft in the log.
func TestInvariant11NoSecretOfAQuestionInLogOrAnswer(t *testing.T) {
	w := newWorld(t)
	q := w.ask(t, bonjour)
	if len(q.state) != 43 || strings.Count(q.raw, q.state) != 1 || strings.Contains(q.message, q.state) {
		t.Errorf("%s", q.raw)
	}
	for _, answer := range []string{`{"action":"cancel"}`, acceptSend, acceptSend} {
		if out := w.answer(t, q.state, bonjour, answer); strings.Contains(out.raw, q.state) {
			t.Errorf("%s", out.raw)
		}
	}
	for _, word := range []string{q.state, "dîne", "Élodie", "514555"} {
		if strings.Contains(w.log.String(), word) {
			t.Errorf("%q is in the log: %s", word, w.log.String())
		}
	}
}

func TestSendTextMaySayThatItsUserIsToAgree(t *testing.T) {
	for _, on := range []bool{true, false} {
		f := setUp(t, func(_ *fixture, o *Options) { o.Prompt = on })
		for _, raw := range f.post(t, true, "tools/list", "", nil).Result.Tools {
			says := strings.Contains(string(raw), `"_meta":{"anthropic/requiresUserInteraction":true}`)
			if want := on && strings.Contains(string(raw), `"name":"send_text"`); says != want {
				t.Errorf("%v: %s", on, raw)
			}
		}
	}
}
