package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/livekit/protocol/livekit"

	"readback/test/testbed"
)

// shown is what the page shows of a call.
func (b *tab) shown(part string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`(e => e.hidden ? "" : e.innerText.replace(/\n+/g, "\n"))(document.querySelector("#call [data-%s]"))`, part))
}

// showing waits until a part of the call holds some words.
func (b *tab) showing(part, want string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`(e => !e.hidden && e.innerText.includes(%q))(document.querySelector("#call [data-%s]"))`, want, part))
}

func (g *guest) gone(t *testing.T) {
	t.Helper()
	select {
	case <-g.left:
	case <-time.After(patience):
		t.Fatal("the browser is still in the room")
	}
}

// TestACallFromTheBrowser is the page in a whole call: its own microphone, Readback's voice alone, what is said, a draft that is read back and answered, and the end.
func TestACallFromTheBrowser(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	s.begins(b)
	b.says("Press Talk", "Only your voice answers")
	b.dials()
	b.stands("connecting")
	r := s.readback()
	b.stands("talk")
	testbed.Until(t, patience, "the microphone is heard", r.heard)
	b.wait(`(a => a.length == 1 && !a[0].paused && a[0].currentTime > 0.2)(document.querySelectorAll("#call audio"))`)

	const hostile = `<img src=x onerror="alert(1)"><a href="https://evil.example">https://evil.example</a> <script>alert(1)</script>`
	r.said("agent", "Hello. What can I do for you?")
	r.said("caller", "Text Marie that dinner is ready.")
	r.tells("turn", fields{"role": "agent", "lines": []fields{{"pieces": []fields{{"t": hostile}, {"m": "␣␣␣", "l": "3 spaces"}}}, {"folded": "4 empty lines"}, {}}, "cut": true})
	b.showing("said", "4 empty lines")
	if got := b.shown("said"); !strings.Contains(got, "Readback\nHello. What can I do for you?") || !strings.Contains(got, "You\nText Marie that dinner is ready.") || !strings.Contains(got, hostile) || !strings.Contains(got, "The rest is not shown.") {
		t.Error(got)
	}
	if n := eval[int](b, `document.querySelectorAll("#call a, #call img, #call script, #call iframe").length`); n != 0 {
		t.Errorf("%d things that are no words", n)
	}
	if label := eval[string](b, `document.querySelector("#call [data-said] [role=img]").ariaLabel`); label != "3 spaces" {
		t.Error(label)
	}

	// While a draft waits for its answer, nothing that was said is read out by a screen reader.
	live := func() string { return eval[string](b, `document.querySelector("#call [data-log]").ariaLive`) }
	r.drafts("Marie Tremblay", "+15145550142", 2, []fields{{"pieces": []fields{{"m": "␣␣␣", "l": "3 spaces"}, {"t": hostile}}}})
	b.stands("reading")
	b.says("To Marie Tremblay", "+15145550142", "␣␣␣"+hostile, "2 segments", "Being read back", "An answer does not count before the end.")
	for _, stage := range []string{"listening", "unclear", "listening", "reading", "listening", "yes"} {
		r.stage(stage)
		b.stands(stage)
		if live() != "off" {
			t.Errorf("at %s the list is live", stage)
		}
	}
	r.said("caller", "Yes, send it.")
	b.showing("said", "Yes, send it.")
	if eval[string](b, `document.querySelector("#call").dataset.state`) != "yes" {
		t.Error("a turn is taken for the draft's end")
	}
	r.stage("left")
	b.stands("left")
	b.says("Marie Tremblay · Sent")
	if live() != "polite" {
		t.Error("the list stays silent")
	}
	r.stage("no") // of a draft that is over
	r.said("agent", "The text to Marie has left.")
	b.stands("talk")
	b.showing("outcome", "Sent")

	r.tells("others", fields{"count": 1})
	b.showing("others", "Somebody else is in this call.")
	r.tells("others", fields{"count": 0})
	b.wait(`document.querySelector("#call [data-others]").hidden`)

	// Hanging up in a read-back.
	r.drafts("Alex Roy", "+15145550143", 1, plain("Demain ?"))
	b.stands("reading")
	b.hangsUp()
	b.stands("hung_up")
	r.gone(t)
	b.says("You hung up.", "Alex Roy · The call ended while it was read back: see History", "Start a new call")
	if n := eval[int](b, `document.querySelectorAll("#call audio").length`); n != 0 {
		t.Error("the sound stays")
	}

	// And once more, from the same page.
	s.again(b, "[data-again] button")
	b.stands("ready")
	b.dials()
	b.stands("connecting")
	r = s.readback()
	b.stands("talk")
	b.visit("/history") // as closing the tab does
	r.gone(t)
	b.clean()
}

// forged is user data that says that somebody else sent it.
type forged struct {
	payload []byte
	from    string
}

func (f forged) ToProto() *livekit.DataPacket {
	topic := "readback"
	//nolint:staticcheck // the older fields are what a client could still look at
	return &livekit.DataPacket{ParticipantIdentity: f.from, Kind: livekit.DataPacket_RELIABLE, Value: &livekit.DataPacket_User{User: &livekit.UserPacket{
		Payload: f.payload, ParticipantIdentity: f.from, Topic: &topic,
	}}}
}

// TestInvariant10WhatOthersInTheRoomTellIsNotShown: nothing that is not Readback's own, or not in the form of its messages, changes what the page shows.
func TestInvariant10WhatOthersInTheRoomTellIsNotShown(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	s.begins(b)
	eval[bool](b, `(() => {
		const emit = livekit.Room.prototype.emit;
		window.came = 0;
		livekit.Room.prototype.emit = function (kind, ...rest) { const out = emit.call(this, kind, ...rest); if (kind === "dataReceived") came++; return out; };
		return true;
	})()`)
	stranger := s.enter("readback-zero", livekit.ParticipantInfo_STANDARD) // there before anybody
	stranger.sings()
	assistant := s.enter("assistant-readback-one", livekit.ParticipantInfo_AGENT) // the server's owner has other agents, too
	assistant.sings()
	b.dials()
	b.stands("connecting")
	stranger.said("agent", "BAD")
	assistant.said("agent", "BAD")
	r := s.readback()
	b.stands("talk")
	second := s.enter("readback-two", livekit.ParticipantInfo_AGENT)
	second.sings()
	r.said("agent", "Hello.")
	b.showing("said", "Hello.")
	before := eval[string](b, `document.querySelector("#call").outerHTML`)
	came := eval[int](b, "came")
	sent := 0
	send := func(g *guest, b []byte, topic string) { sent++; g.sends(b, topic) }

	turn := fields{"n": 100, "kind": "turn", "role": "caller", "lines": plain("BAD")}
	draft := fields{"n": 101, "kind": "draft", "draft": 1, "to": "BAD", "number": "BAD", "segments": 1, "lines": plain("BAD")}
	marshal := func(v any) []byte {
		out, err := json.Marshal(v)
		must(t, err)
		return out
	}
	for _, m := range []any{turn, draft, fields{"n": 102, "kind": "stage", "draft": 1, "stage": "left"}, fields{"n": 103, "kind": "others", "count": 1}} {
		send(stranger, marshal(m), "readback")
		send(second, marshal(m), "readback")
		send(assistant, marshal(m), "readback")
		send(r, marshal(m), "readback2")
		send(r, marshal(m), "")
		sent++
		must(t, stranger.room.LocalParticipant.PublishDataPacket(forged{marshal(m), "readback-one"}))
	}
	with := func(m fields, kv ...any) fields {
		out := fields{}
		for k, v := range m {
			out[k] = v
		}
		for i := 0; i < len(kv); i += 2 {
			out[kv[i].(string)] = kv[i+1]
			if kv[i+1] == nil {
				delete(out, kv[i].(string))
			}
		}
		return out
	}
	for _, m := range []any{
		nil, 1, "BAD", []any{}, fields{}, with(turn, "n", nil), with(turn, "n", 0), with(turn, "n", 1), with(turn, "n", -5), with(turn, "n", 2.5), with(turn, "n", "9"), with(turn, "n", 1e300),
		with(turn, "kind", "BAD"), with(turn, "kind", "toString"), with(turn, "kind", "__proto__"), with(turn, "kind", nil), with(turn, "role", "tool"), with(turn, "role", nil), with(turn, "lines", nil), with(turn, "lines", "BAD"),
		with(turn, "lines", []any{nil}), with(turn, "lines", []any{"BAD"}), with(turn, "lines", []any{fields{"pieces": "BAD"}}), with(turn, "lines", []any{fields{"pieces": []any{nil}}}),
		with(turn, "lines", []any{fields{"pieces": []any{"BAD"}}}), with(turn, "lines", []any{fields{"pieces": []any{fields{"t": 1}}}}), with(turn, "lines", []any{fields{"pieces": []any{fields{"m": "BAD"}}}}),
		with(turn, "lines", []any{fields{"pieces": []any{fields{"m": "BAD", "l": "BAD", "t": "BAD"}}}}), with(turn, "lines", []any{fields{"folded": 4}}), with(turn, "lines", []any{fields{"folded": "BAD", "pieces": []any{}}}),
		with(turn, "cut", "BAD"), with(turn, "cut", false), with(draft, "to", nil), with(draft, "to", fields{"BAD": 1}), with(draft, "number", 1), with(draft, "segments", "1"), with(draft, "segments", -1), with(draft, "lines", nil), with(draft, "draft", nil), with(draft, "draft", -1), with(draft, "draft", "1"),
		fields{"n": 104, "kind": "stage", "draft": 1, "stage": "listening"}, fields{"n": 4, "kind": "stage", "draft": 1, "stage": "BAD"}, fields{"n": 4, "kind": "stage", "draft": 1, "stage": "toString"}, fields{"n": 4, "kind": "stage", "draft": 1}, fields{"n": 4, "kind": "stage", "stage": "left"},
		fields{"n": 4, "kind": "others", "count": "1"}, fields{"n": 4, "kind": "others", "count": -1}, fields{"n": 4, "kind": "others"}, with(turn, "lines", plain("BAD"+strings.Repeat(" ", 12<<10))),
	} {
		if f, ok := m.(fields); ok && f["stage"] == "listening" { // in form, and about no draft: it takes its number, and shows nothing
			f["n"] = 2
		}
		send(r, marshal(m), "readback")
	}
	for _, raw := range []string{"", "BAD", `{"n":9,"kind":"turn"`, "{\"n\":9,\"kind\":\"turn\",\"role\":\"agent\",\"lines\":[{\"pieces\":[{\"t\":\"BAD\xff\"}]}]}", "\x00\x01"} {
		send(r, []byte(raw), "readback")
	}
	b.wait(fmt.Sprintf("came >= %d", came+sent))
	if after := eval[string](b, `document.querySelector("#call").outerHTML`); after != before {
		t.Errorf("the page was\n%s\nand is\n%s", before, after)
	}
	if n := eval[int](b, `document.querySelectorAll("#call audio").length`); n != 1 {
		t.Errorf("%d voices are played", n)
	}
	r.n = 2
	r.said("agent", "Still here.")
	b.showing("said", "Still here.")
	if got := b.shown("said"); got != "Readback\nHello.\nReadback\nStill here." {
		t.Errorf("%q", got)
	}
	r.n = 5
	r.said("agent", "After two that are missing.")
	b.showing("said", "not shown here.\n")
	b.clean()
}

// TestACallThatDoesNotComeAbout: each time it is said why, and another can begin.
func TestACallThatDoesNotComeAbout(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	over := func(state, words string) {
		t.Helper()
		b.stands(state)
		b.says(words, "Start a new call")
	}
	b.microphone(cdpbrowser.PermissionSettingDenied)
	s.begins(b)
	b.dials()
	over("refused", "The microphone was refused.")
	b.microphone(cdpbrowser.PermissionSettingGranted)

	// Of a token that it does not know the server says the same as of one that is over: the page tells by how long it was good.
	s.secret = "another, of which the server knows nothing"
	s.again(b, "[data-again] button")
	b.stands("ready")
	b.dials()
	over("not_let_in", "did not let this browser in")
	s.again(b, "[data-again] button")
	b.stands("ready")
	eval[bool](b, `(() => { const now = Date.now; Date.now = () => now() + 110e3; return true; })()`)
	b.dials()
	over("expired", "This invitation is over")
	s.secret = s.kit.Secret

	// Times that are long pass at once: two minutes in which nobody talks, and half of one in which nobody comes.
	at := b.hurries(110e3)
	s.again(b, "[data-again] button")
	over("expired", "it lasts two minutes")
	b.hurriesNot(at)
	at = b.hurries(30e3)
	s.again(b, "[data-again] button")
	b.stands("ready")
	b.dials()
	over("nobody", "Nobody took the call.")
	b.hurriesNot(at)

	s.server = "ws://127.0.0.1:1"
	s.again(b, "[data-again] button")
	b.stands("ready")
	b.dials()
	over("unreachable", "does not reach the LiveKit server")
	s.server = s.kit.URL

	s.again(b, "[data-again] button")
	b.stands("ready")
	b.dials()
	b.stands("connecting")
	r := s.readback()
	b.stands("talk")
	r.room.Disconnect()
	over("ended", "Readback ended the call.")

	s.again(b, "[data-again] button")
	b.stands("ready")
	b.dials()
	b.stands("connecting")
	r = s.readback()
	b.stands("talk")
	r.drafts("Alex Roy", "+15145550143", 1, plain("Demain ?"))
	r.stage("listening")
	b.stands("listening")
	s.kit.Server.Kill()
	b.stands("reconnecting")
	b.says("The connection broke.")
	b.stands("lost")
	b.says("Alex Roy · May have been sent: see History")
}

// hurries has a time of so many milliseconds pass at once on the pages that are loaded from now on.
func (b *tab) hurries(ms int) cdppage.ScriptIdentifier {
	b.t.Helper()
	return call(b, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(`{
		const later = setTimeout;
		window.setTimeout = (f, ms, ...rest) => later(f, ms === %d ? 0 : ms, ...rest);
	}`, ms)}).Identifier
}

func (b *tab) hurriesNot(id cdppage.ScriptIdentifier) {
	b.t.Helper()
	call(b, cdppage.RemoveScriptToEvaluateOnNewDocument, cdppage.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: id})
}

// TestPressingTwiceIsPressingOnce: a double click on Talk does not hang up; a press after that does.
func TestPressingTwiceIsPressingOnce(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	s.begins(b)
	eval[bool](b, `(p => { p.click(); p.click(); return true; })(document.querySelector("#call [data-press]"))`)
	b.stands("connecting")
	s.readback()
	b.stands("talk")
	b.hangsUp()
	b.stands("hung_up")
	b.clean()
}

// TestTheKeyboardIsEnoughForACall, from the list of pages to the end of the call.
func TestTheKeyboardIsEnoughForACall(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	to := func(what string) {
		t.Helper()
		for range 40 {
			b.keys("\t")
			if got := eval[string](b, `(document.activeElement.textContent || "").trim()`); got == what {
				if eval[string](b, `getComputedStyle(document.activeElement).outlineStyle`) == "none" {
					t.Errorf("%q shows no focus", what)
				}
				return
			}
		}
		t.Fatalf("the keyboard does not reach %q", what)
	}
	to("Talk")
	b.turns(func() { b.keys("\r") })
	b.at("/talk")
	to("Start a call")
	b.turns(func() { b.keys("\r") })
	b.keys(b.words) // the field has the focus
	b.turns(func() { b.keys("\r") })
	b.stands("ready")
	to("Talk") // of the pages
	to("Talk")
	b.keys("\r")
	b.stands("connecting")
	s.readback()
	b.stands("talk")
	if held := eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true }))`); held {
		t.Error("a key that is held presses again")
	}
	b.wait(`document.activeElement.ariaDisabled === null`)
	b.keys("\r") // the focus stays where it was
	b.stands("hung_up")
	if got := eval[string](b, `document.activeElement.textContent`); got != "You hung up." { // not at the head of the page
		t.Errorf("the focus is at %q", got)
	}
	to("Start a new call")
	b.clean()
}

// TestEveryStateOfACall looks at the page of a call as TestEveryStateOfThePage does at the others.
func TestEveryStateOfACall(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	for _, l := range looks(os.Getenv(shots) != "") {
		b.looked(l)
		n := 0
		keep := func(state string) {
			t.Helper()
			n++
			b.keep(fmt.Sprintf("talk-%02d-%s", n, state), l)
		}
		b.visit("/talk")
		keep("start")
		s.begins(b)
		keep("ready")
		b.dials()
		b.stands("connecting")
		keep("connecting")
		r := s.readback()
		b.stands("talk")
		keep("talk")
		words := map[string][]string{
			"en": {"Hello. What can I do for you?", "Text Marie that dinner is ready, and that the door is open.", "This is the text to Marie.", "Shall I let it leave?", "Yes, send it.", "The text to Marie has left."},
			"fr": {"Bonjour. Que puis-je faire pour vous ?", "Écris à Marie que le souper est prêt et que la porte est ouverte.", "Voici le texto pour Marie.", "Est-ce que je le laisse partir ?", "Oui, envoie-le.", "Le texto pour Marie est parti."},
		}[l.lang]
		r.said("agent", words[0])
		r.said("caller", words[1])
		r.said("agent", words[2])
		b.showing("said", words[2])
		keep("transcript")
		r.drafts("Marie Tremblay", "+15145550142", 1, []fields{
			{"pieces": []fields{{"t": "Dinner is ready"}, {"m": "␣␣␣", "l": "3 spaces"}, {"t": "and the door is open."}}}, {"folded": "4 empty lines"}, {"pieces": []fields{{"t": "À tantôt, https://exemple.example/une/adresse/tres/longue/qui/ne/tient/pas/sur/une/ligne"}}},
		})
		b.stands("reading")
		keep("reading")
		r.said("agent", words[3])
		r.stage("listening")
		b.stands("listening")
		keep("listening")
		r.tells("others", fields{"count": 1})
		b.wait(`!document.querySelector("#call [data-others]").hidden`)
		keep("others")
		r.tells("others", fields{"count": 0})
		r.stage("unclear")
		b.stands("unclear")
		keep("unclear")
		r.stage("listening")
		r.said("caller", words[4])
		r.stage("yes")
		b.stands("yes")
		keep("yes")
		r.stage("left")
		b.stands("left")
		keep("sent")
		r.said("agent", words[5])
		b.showing("said", words[5])
		b.hangsUp()
		b.stands("hung_up")
		keep("hung-up")
		r.gone(t)
	}
}
