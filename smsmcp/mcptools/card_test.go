package mcptools

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"readback/smsmcp"
	"readback/smsmcp/card"
	"readback/smsmcp/lang"
)

const (
	drawsCards = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	drawsOther = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`
)

// as sends a message of the modern era with these capabilities.
func (f *fixture) as(t *testing.T, capabilities, method, params string) rpc {
	t.Helper()
	if params != "" {
		params += ","
	}
	params += `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
	return f.raw(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%s,"params":{%s}}`, quoted(method), params), func(r *http.Request) {
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", method)
		var p struct{ Name, URI string }
		if json.Unmarshal([]byte("{"+params+"}"), &p) == nil && p.Name+p.URI != "" {
			r.Header.Set("Mcp-Name", p.Name+p.URI)
		}
	})
}

// alone makes the client that asks the only one with its token, as one is that the owner let in by a browser.
func (w *world) alone() { w.be(func(p *smsmcp.Principal) { p.Alone = true }) }

// initialize has a client of an older era say what it draws.
func (f *fixture) initialize(t *testing.T, capabilities string) rpc {
	t.Helper()
	return f.post(t, false, "initialize", `"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"t","version":"1"}`, nil)
}

// handed gives what a result's _meta holds for the card.
func handed(t *testing.T, m rpc) (d card.Data, over bool) {
	t.Helper()
	var in struct {
		Result struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		}
	}
	if err := json.Unmarshal([]byte(m.raw), &in); err != nil {
		t.Fatal(err, m.raw)
	}
	var end struct{ Over bool }
	if raw, ok := in.Result.Meta[card.MetaKey]; ok {
		if err := json.Unmarshal(raw, &d); err != nil || json.Unmarshal(raw, &end) != nil {
			t.Fatal(err, m.raw)
		}
	}
	return d, end.Over
}

func only(t *testing.T, m rpc) string {
	t.Helper()
	if m.Error != nil || len(m.Result.Content) != 1 || m.Result.Content[0].Type != "text" || m.Result.StructuredContent != nil {
		t.Fatalf("not one text: %s", m.raw)
	}
	return m.Result.Content[0].Text
}

// shows drafts a text, and gives the card's data and what the model reads.
func (w *world) shows(t *testing.T, arguments string) (card.Data, string) {
	t.Helper()
	m := w.as(t, drawsCards, "tools/call", `"name":"send_text","arguments":`+arguments)
	d, _ := handed(t, m)
	if len(d.Secret) != 43 || strings.Count(m.raw, d.Secret) != 1 {
		t.Fatalf("no secret, or more than one: %s", m.raw)
	}
	said := only(t, m)
	if strings.Contains(said, d.Secret) {
		t.Fatal("the model reads the secret: ", said)
	}
	return d, said
}

// presses is the card's button.
func (w *world) presses(t *testing.T, id any, secret, answer string) (said string, bad, over bool) {
	t.Helper()
	m := w.as(t, drawsCards, "tools/call", fmt.Sprintf(`"name":"answer_send","arguments":{"id":%s,"secret":%s,"answer":%s}`, quoted(fmt.Sprint(id)), quoted(secret), quoted(answer)))
	_, over = handed(t, m)
	if secret != "" && strings.Contains(m.raw, secret) {
		t.Error("the secret comes back: ", m.raw)
	}
	return only(t, m), m.Result.IsError, over
}

// TestACardIsHandedWhatTheTextSaysAndTheSecret: and the model reads what it would read without a card, word for word.
func TestACardIsHandedWhatTheTextSaysAndTheSecret(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Wait = 20 * time.Second }) // a card is answered at once: nobody can press before it is drawn
	begin := time.Now()
	d, said := w.shows(t, bonjour)
	if time.Since(begin) > 10*time.Second {
		t.Error("the card waited for a yes elsewhere")
	}
	s := w.only(t)
	if d.ID != s.ID || d.To != "Élodie Tremblay" || d.Number != "+15145550101" || len(d.Body) != 1 || d.Body[0].Pieces[0].Text != "On dîne à 18 h ?" || d.Instead != "" ||
		d.Left != s.Expires.Sub(w.clock()).Milliseconds() || len(d.Reasons) != len(s.Reasons) {
		t.Errorf("%+v of %+v", d, s)
	}
	other := newWorld(t)
	plain := only(t, other.as(t, asksNone, "tools/call", `"name":"send_text","arguments":`+bonjour))
	if strings.ReplaceAll(said, string(d.ID), "") != strings.ReplaceAll(plain, string(other.only(t).ID), "") {
		t.Errorf("%s\nand without a card: %s", said, plain)
	}
	again, _ := w.shows(t, bonjour) // another card of the same send, with a secret of its own
	if again.ID != d.ID || again.Secret == d.Secret {
		t.Errorf("%+v", again)
	}
	// A text that waits for nobody has no card's data.
	if d, _ := handed(t, w.as(t, drawsCards, "tools/call", `"name":"send_text","arguments":{"to":"nobody","body":"x"}`)); d.Secret != "" {
		t.Errorf("%+v", d)
	}
	for _, word := range []string{d.Secret, again.Secret, "dîne", "Élodie", "514555"} {
		if strings.Contains(w.log.String(), word) {
			t.Errorf("%q is in the log", word)
		}
	}
}

// lists gives what a client is told: its tools, and those of them that its model is given.
func lists(t *testing.T, m rpc) (all, models []string, raw string) {
	t.Helper()
	for _, one := range m.Result.Tools {
		var tl struct {
			Name string
			Meta struct {
				UI struct {
					Visibility  []string
					ResourceURI string
				}
			} `json:"_meta"`
		}
		if err := json.Unmarshal(one, &tl); err != nil {
			t.Fatal(err)
		}
		all = append(all, tl.Name)
		ui := tl.Meta.UI
		if ui.Visibility == nil || slices.Contains(ui.Visibility, "model") {
			models = append(models, tl.Name)
		} else if !slices.Equal(ui.Visibility, []string{"app"}) {
			t.Errorf("%s is for %v", tl.Name, ui.Visibility)
		}
		if want := map[string]string{"send_text": card.URI}[tl.Name]; ui.ResourceURI != want && ui.ResourceURI != "" {
			t.Errorf("%s is drawn by %s", tl.Name, ui.ResourceURI)
		}
	}
	return all, models, m.raw
}

// TestInvariant05WhoHearsOfTheCardsTool: no model does; and a client that draws no card hears of nothing that has to do with one, and gets no secret, whoever else has its token.
func TestInvariant05WhoHearsOfTheCardsTool(t *testing.T) {
	var mine []string
	for _, tl := range tools {
		mine = append(mine, tl.name)
	}
	slices.Sort(mine)
	modern := func(capabilities string) func(*testing.T, *world, string, string) rpc {
		return func(t *testing.T, w *world, method, params string) rpc { return w.as(t, capabilities, method, params) }
	}
	legacy := func(before func(*testing.T, *world)) func(*testing.T, *world, string, string) rpc {
		return func(t *testing.T, w *world, method, params string) rpc {
			before(t, w)
			return w.post(t, false, method, params, nil)
		}
	}
	for name, c := range map[string]struct {
		draws bool
		send  func(*testing.T, *world, string, string) rpc
	}{
		"modern": {true, modern(drawsCards)}, "modern, without": {false, modern(asksNone)}, "modern, of another type": {false, modern(drawsOther)},
		"modern, of no form": {false, modern(`{"extensions":{"io.modelcontextprotocol/ui":"yes"}}`)},
		"modern, elsewhere":  {false, modern(`{"experimental":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`)},
		"modern, after an older one with the same token": {false, func(t *testing.T, w *world, method, params string) rpc {
			w.initialize(t, drawsCards)
			return w.as(t, asksNone, method, params)
		}},
		"older":                 {true, legacy(func(t *testing.T, w *world) { w.alone(); w.initialize(t, drawsCards) })},
		"older, without":        {false, legacy(func(t *testing.T, w *world) { w.alone(); w.initialize(t, asksNone) })},
		"older, without a word": {false, legacy(func(_ *testing.T, w *world) { w.alone() })},
		"older, not any more":   {false, legacy(func(t *testing.T, w *world) { w.alone(); w.initialize(t, drawsCards); w.initialize(t, drawsOther) })},
		"older, another's word": {false, legacy(func(t *testing.T, w *world) {
			w.be(func(p *smsmcp.Principal) { p.ID, p.Alone = "c2", true })
			w.initialize(t, drawsCards)
			w.be(func(p *smsmcp.Principal) { p.ID = "c1" })
		})},
		// A token that the owner made by hand, in two programs: one that draws no card said so first, and then one came that does.
		"older, after another with the same token": {false, legacy(func(t *testing.T, w *world) { w.initialize(t, asksNone); w.initialize(t, drawsCards) })},
		"older, with a token made by hand":         {false, legacy(func(t *testing.T, w *world) { w.initialize(t, drawsCards) })},
	} {
		w := newWorld(t)
		all, models, raw := lists(t, c.send(t, w, "tools/list", ""))
		if !slices.Equal(models, mine) {
			t.Errorf("%s: the model is given %v", name, models)
		}
		doc := c.send(t, w, "resources/read", `"uri":"ui://readback/send.html"`)
		send := c.send(t, w, "tools/call", `"name":"send_text","arguments":`+bonjour)
		d, _ := handed(t, send)
		press := c.send(t, w, "tools/call", fmt.Sprintf(`"name":"answer_send","arguments":{"id":%q,"secret":%q,"answer":"dont"}`, w.only(t).ID, strings.Repeat("x", 43)))
		if only(t, press) != lang.AnswerSendNone.EN || w.only(t).State != smsmcp.Waiting { // a card on the screen outlives what is known of its client: the secret is the lock
			t.Errorf("%s: %s", name, press.raw)
		}
		if !c.draws {
			if len(all) != len(mine) || strings.Contains(raw, `"ui"`) || d.Secret != "" || strings.Contains(send.raw, "_meta\":{\"readback") {
				t.Errorf("%s: %v\n%s\n%s", name, all, raw, send.raw)
			}
			continue
		}
		if len(all) != len(mine)+1 || !slices.Contains(all, card.Tool) || d.Secret == "" {
			t.Errorf("%s: %v\n%s", name, all, send.raw)
		}
		var read struct {
			Result struct {
				Contents []struct{ URI, MIMEType, Text string }
			}
		}
		if err := json.Unmarshal([]byte(doc.raw), &read); err != nil || len(read.Result.Contents) != 1 || read.Result.Contents[0].Text != card.Document(lang.EN) ||
			read.Result.Contents[0].MIMEType != "text/html;profile=mcp-app" || read.Result.Contents[0].URI != card.URI {
			t.Errorf("%s: %v %.200s", name, err, doc.raw)
		}
	}
	// Without a book there is nothing to answer with, so there are no cards.
	f := setUp(t, nil)
	if all, _, _ := lists(t, f.as(t, drawsCards, "tools/list", "")); len(all) != len(mine) {
		t.Errorf("%v", all)
	}
}

// TestACardIsNegotiated: who draws cards is told of the extension and of a list of resources that never changes; nobody else is.
func TestACardIsNegotiated(t *testing.T) {
	w := newWorld(t)
	byHand := w.initialize(t, drawsCards) // the requests that follow may be of the modern era, as package relay's are
	w.alone()
	for name, m := range map[string]rpc{"modern": w.as(t, drawsCards, "server/discover", ""), "older": w.initialize(t, drawsCards), "older, with a token made by hand": byHand} {
		if !strings.Contains(m.raw, `"extensions":{"io.modelcontextprotocol/ui":{}}`) || !strings.Contains(m.raw, `"resources":{}`) || strings.Contains(m.raw, "listChanged\":true") {
			t.Errorf("%s: %s", name, m.raw)
		}
	}
	for name, m := range map[string]rpc{"modern": w.as(t, asksNone, "server/discover", ""), "older": w.initialize(t, asksNone)} {
		if strings.Contains(m.raw, "extensions") || strings.Contains(m.raw, "resources") {
			t.Errorf("%s: %s", name, m.raw)
		}
	}
}

// TestWhoDrawsCardsIsRememberedWithinBounds: past them all are forgotten, and nobody is taken for one who draws.
func TestWhoDrawsCardsIsRememberedWithinBounds(t *testing.T) {
	var d drawers
	body := []byte(`{"method":"initialize","params":{"capabilities":` + drawsCards + `}}`)
	draws := func(i int, method mcp.MCPMethod, body []byte) bool {
		return d.draws(smsmcp.Principal{ID: fmt.Sprint(i), Alone: true}, method, http.Header{}, body)
	}
	for i := range mostDrawers + 1 {
		if !draws(i, "initialize", body) {
			t.Fatal(i)
		}
	}
	if len(d.legacy) != 1 || draws(0, "tools/list", []byte(`{}`)) || !draws(mostDrawers, "tools/list", []byte(`{}`)) {
		t.Errorf("%d are remembered", len(d.legacy))
	}
}

// TestDefinitionsForCards: beside the card's tool and its link, a client that draws cards is told what all are.
func TestDefinitionsForCards(t *testing.T) {
	asks := newWorld(t, func(o *Options) { o.Prompt = true })
	for _, raw := range asks.as(t, drawsCards, "tools/list", "").Result.Tools {
		// A client that had its user agree to what the user just pressed would ask twice.
		if s := string(raw); strings.Contains(s, "requiresUserInteraction") != strings.Contains(s, `"name":"send_text"`) {
			t.Error(s)
		}
	}
	w := newWorld(t)
	var got []string
	for _, raw := range w.as(t, drawsCards, "tools/list", "").Result.Tools {
		if s := strings.ReplaceAll(string(raw), `"_meta":{"ui":{"resourceUri":"ui://readback/send.html"}},`, ""); !strings.Contains(s, `"name":"answer_send"`) {
			got = append(got, s)
		} else if !strings.Contains(s, `"_meta":{"ui":{"visibility":["app"]}}`) || !strings.Contains(s, string(schema(lang.EN, answerSend.params))) {
			t.Error(s)
		}
	}
	var want []string
	for _, raw := range w.as(t, asksNone, "tools/list", "").Result.Tools {
		want = append(want, string(raw))
	}
	if len(got) != len(tools) || !slices.Equal(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestInvariant14WhatNoCardIsHanded: a draft that was made on a call, and one that cannot be drawn, if ever one came this far.
func TestInvariant14WhatNoCardIsHanded(t *testing.T) {
	s := newServer(Options{})
	ctx := context.WithValue(t.Context(), drawsKey{}, true)
	good := smsmcp.Send{State: smsmcp.Waiting, Draft: smsmcp.NewDraft(people[0], "ok")}
	call, hidden, ended := good, good, good
	call.Only = smsmcp.Voice
	hidden.Draft = smsmcp.NewDraft(people[0], "a\u202eb")
	ended.State = smsmcp.Done
	if !s.draws(ctx, good) || s.draws(ctx, call) || s.draws(ctx, hidden) || s.draws(ctx, ended) || s.draws(t.Context(), good) {
		t.Error("a card is drawn of what it may not show, or of nothing")
	}
}

// TestInvariant05WhatACardAnswers: each button does what it says, and the text goes once at most. After a yes nothing counts; a no and a freeze only tighten, and may come again.
func TestInvariant05WhatACardAnswers(t *testing.T) {
	for answer, c := range map[string]struct {
		says   string
		state  smsmcp.SendState
		bodies []string
		then   string // what is said when a no, and then a yes, comes after it
	}{
		"send":   {"was sent", smsmcp.Done, []string{"On dîne à 18 h ?"}, lang.AnswerSendNone.EN},
		"dont":   {"said no", smsmcp.Declined, nil, "said no"},
		"freeze": {lang.AnswerSendFrozen.EN, smsmcp.Waiting, nil, "said no"},
	} {
		w := newWorld(t)
		d, _ := w.shows(t, bonjour)
		if said, bad, _ := w.presses(t, d.ID, d.Secret, answer); bad || !strings.Contains(said, c.says) {
			t.Errorf("%s: %s", answer, said)
		}
		s := w.only(t)
		if s.State != c.state || answer == "send" && s.ConfirmedBy != smsmcp.Card {
			t.Errorf("%s: %s by %q", answer, s.State, s.ConfirmedBy)
		}
		if frozen, err := w.desk.Frozen(t.Context()); err != nil || frozen != (answer == "freeze") {
			t.Errorf("%s: frozen %v %v", answer, frozen, err)
		}
		spent := answer == "send"
		for _, more := range []string{"dont", "send"} {
			if said, bad, over := w.presses(t, d.ID, d.Secret, more); bad != spent || over != spent || !strings.Contains(said, c.then) {
				t.Errorf("%s, then %s: %s", answer, more, said)
			}
		}
		for _, more := range []string{"send", "dont", "freeze"} { // a yes came
			if said, bad, over := w.presses(t, d.ID, d.Secret, more); !bad || !over || said != lang.AnswerSendNone.EN {
				t.Errorf("%s, then %s: %s", answer, more, said)
			}
		}
		if s := w.only(t); s.State != c.state && answer != "freeze" || s.State == smsmcp.Done && !spent {
			t.Errorf("%s, and once more: %s", answer, s.State)
		}
		w.carrier.is(t, c.bodies)
	}
}

// TestInvariant05AttacksOnACard: whatever a model does that has the client's token and calls the card's tool itself, without the secret nothing happens; and all
// that is told of it is the one sentence.
func TestInvariant05AttacksOnACard(t *testing.T) {
	for name, attack := range map[string]func(t *testing.T, w *world, d card.Data) (said string, bad bool){
		"a guess": func(t *testing.T, w *world, d card.Data) (string, bool) {
			said, bad, _ := w.presses(t, d.ID, strings.Repeat("A", 43), "send")
			return said, bad
		},
		"all but one bit": func(t *testing.T, w *world, d card.Data) (string, bool) {
			said, bad, _ := w.presses(t, d.ID, flip(d.Secret), "send")
			return said, bad
		},
		"another send's secret": func(t *testing.T, w *world, d card.Data) (string, bool) {
			other, _ := w.shows(t, `{"to":"Papa","body":"other"}`)
			said, bad, _ := w.presses(t, d.ID, other.Secret, "send")
			return said, bad
		},
		"another client": func(t *testing.T, w *world, d card.Data) (string, bool) {
			w.be(func(p *smsmcp.Principal) { p.ID = "c2" })
			said, bad, _ := w.presses(t, d.ID, d.Secret, "send")
			return said, bad
		},
		"late": func(t *testing.T, w *world, d card.Data) (string, bool) {
			w.pass(10 * time.Minute)
			said, bad, _ := w.presses(t, d.ID, d.Secret, "send")
			return said, bad
		},
		"the state of a question": func(t *testing.T, w *world, d card.Data) (string, bool) {
			q := w.ask(t, `{"to":"Papa","body":"asked"}`)
			said, bad, _ := w.presses(t, w.ids(t, "asked"), q.state, "send")
			return said, bad
		},
		"with an answer to a question": func(t *testing.T, w *world, d card.Data) (string, bool) {
			m := w.as(t, drawsCards, "tools/call", fmt.Sprintf(
				`"name":"answer_send","arguments":{"id":%q,"secret":%q,"answer":"send"},"requestState":%q,"inputResponses":{"owner":%s}`, d.ID, strings.Repeat("A", 43), d.Secret, acceptSend))
			if only(t, m) == lang.ElicitNoQuestion.EN { // it is taken for an answer of the other kind, and is none
				return lang.AnswerSendNone.EN, m.Result.IsError
			}
			return only(t, m), m.Result.IsError
		},
		"the secret as the state of a question": func(t *testing.T, w *world, d card.Data) (string, bool) {
			out := w.answer(t, d.Secret, bonjour, acceptSend)
			if out.text(t) == lang.ElicitNoQuestion.EN {
				return lang.AnswerSendNone.EN, out.Result.IsError
			}
			return out.text(t), out.Result.IsError
		},
	} {
		w := newWorld(t)
		d, _ := w.shows(t, bonjour)
		if said, bad := attack(t, w, d); !bad || said != lang.AnswerSendNone.EN {
			t.Errorf("%s: %s", name, said)
		}
		w.carrier.want(t)
		if frozen, err := w.desk.Frozen(t.Context()); err != nil || frozen {
			t.Errorf("%s: frozen %v %v", name, frozen, err)
		}
		if name == "late" {
			continue
		}
		// Nothing of it spent the secret: the card's own button is good still.
		w.be(func(p *smsmcp.Principal) { p.ID = "c1" })
		if said, bad, _ := w.presses(t, d.ID, d.Secret, "send"); bad || !strings.Contains(said, "was sent") {
			t.Errorf("%s, and then the button: %s", name, said)
		}
	}
	w := newWorld(t)
	d, _ := w.shows(t, bonjour)
	for _, arguments := range []string{
		`{}`, `{"id":"` + string(d.ID) + `","answer":"send"}`, `{"id":"` + string(d.ID) + `","secret":"","answer":"send"}`, `{"id":"` + string(d.ID) + `","secret":null,"answer":"send"}`,
		`{"id":"` + string(d.ID) + `","secret":"` + d.Secret + `","answer":"yes"}`, `{"id":"` + string(d.ID) + `","secret":"` + d.Secret + `","answer":"send","also":1}`,
		`{"id":"` + string(d.ID) + `","secret":["` + d.Secret + `"],"answer":"send"}`, `{"secret":"` + d.Secret + `","answer":"send"}`,
	} {
		if m := w.as(t, drawsCards, "tools/call", `"name":"answer_send","arguments":`+arguments); !m.Result.IsError || strings.Contains(m.raw, d.Secret) {
			t.Errorf("%s: %s", arguments, m.raw)
		}
	}
	w.carrier.want(t)
}

// ids gives the id of the send with a body.
func (w *world) ids(t *testing.T, body string) smsmcp.SendID {
	t.Helper()
	all, err := w.store.Sends(t.Context(), 50)
	for _, s := range all {
		if s.Draft.Body() == body {
			return s.ID
		}
	}
	t.Fatal(body, err)
	return ""
}

// TestInvariant05WhoseYesByACardCounts: not that of a client that the owner did not mark, nor against an alarm, when the card is drawn and when it is answered. No, and freeze, only
// tighten.
func TestInvariant05WhoseYesByACardCounts(t *testing.T) {
	unmarked := func(w *world) { w.be(func(p *smsmcp.Principal) { p.MayConfirm = false }) }
	for name, c := range map[string]struct {
		before, after func(*world)
		instead       lang.Message
		says          lang.Message
		over          bool
	}{
		"an unmarked client": {before: unmarked, instead: lang.CardMayNot, says: lang.CardMayNot},
		"one unmarked since": {after: unmarked, says: lang.CardMayNot},
		"an alarm":           {before: (*world).alarm, instead: lang.CardStrong, says: lang.CardStrong, over: true},
		"an alarm since":     {after: (*world).alarm, says: lang.CardStrong, over: true},
	} {
		for _, answer := range []string{"send", "dont", "freeze"} {
			w := newWorld(t)
			if c.before != nil {
				c.before(w)
			}
			d, _ := w.shows(t, bonjour)
			if d.Instead != c.instead.EN {
				t.Errorf("%s: the card says %q", name, d.Instead)
			}
			if c.after != nil {
				c.after(w)
			}
			said, bad, over := w.presses(t, d.ID, d.Secret, answer)
			s := w.only(t)
			if answer == "send" {
				if !bad || said != c.says.EN || over != c.over || s.State != smsmcp.Waiting {
					t.Errorf("%s: %s: %q, %s", name, answer, said, s.State)
				}
				if said, bad, _ := w.presses(t, d.ID, d.Secret, "dont"); bad != c.over {
					t.Errorf("%s: and then a no: %s", name, said)
				}
			} else if frozen, _ := w.desk.Frozen(t.Context()); bad || frozen != (answer == "freeze") || (s.State == smsmcp.Declined) != (answer == "dont") {
				t.Errorf("%s: %s: %q, %s, %v", name, answer, said, s.State, frozen)
			}
			w.carrier.want(t)
		}
	}
}

// TestAnAnswerThatCouldNotBeLookedUp: it is none, and nothing tells the card that it is over. A card whose secret could not be kept has no buttons.
func TestAnAnswerThatCouldNotBeLookedUp(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.Questions = fullBook{} })
	m := w.as(t, drawsCards, "tools/call", `"name":"send_text","arguments":`+bonjour)
	if d, _ := handed(t, m); d.Secret != "" || !strings.Contains(only(t, m), "Not sent yet") {
		t.Errorf("%s", m.raw)
	}
	if said, bad, over := w.presses(t, w.only(t).ID, strings.Repeat("x", 43), "send"); !bad || over || said != lang.ToolStore.EN {
		t.Errorf("%q %v", said, over)
	}
	w.carrier.want(t)
}

// TestInvariant13TheCardsToolEchoesNothing: nor does what serves its document.
func TestInvariant13TheCardsToolEchoesNothing(t *testing.T) {
	const mark = "ZQXZQX"
	w := newWorld(t)
	w.alone()
	w.initialize(t, drawsCards)
	for _, c := range [][2]string{
		{"tools/call", `"name":"answer_send","arguments":{"id":"` + mark + `"}`}, {"tools/call", `"name":"answer_send","arguments":{"` + mark + `":1}`},
		{"tools/call", `"name":"answer_send","arguments":{"id":"abcdefghij","secret":"` + strings.Repeat(mark, 7) + `x","answer":"send"}`},
		{"tools/call", `"name":"answer_send","arguments":{"id":"abcdefghij","secret":"x","answer":"` + mark + `"}`},
		{"resources/read", `"uri":"ui://` + mark + `"`}, {"resources/read", `"uri":["` + mark + `"]`}, {"resources/list", `"cursor":"` + mark + `"`},
		{"resources/templates/list", `"cursor":"` + mark + `"`}, {"resources/subscribe", `"uri":"ui://` + mark + `"`}, {"resources/unsubscribe", `"uri":"` + mark + `"`},
	} {
		for _, m := range []rpc{w.as(t, drawsCards, c[0], c[1]), w.post(t, false, c[0], c[1], nil)} {
			if strings.Contains(m.raw, mark) || m.Error == nil && !m.Result.IsError {
				t.Errorf("%s {%s}: %s", c[0], c[1], m.raw)
			}
		}
	}
	if strings.Contains(w.log.String(), mark) {
		t.Error(w.log.String())
	}
}
