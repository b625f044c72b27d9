package page

import (
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
)

func yesPath(s smsmcp.Send) string { return "/sends/" + string(s.ID) + "/yes" }

func TestYesNoAndFreeze(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	has(t, b.get("/"), 200, "Nothing waits for your yes.")
	s := h.draft("Marie Tremblay", "À 18 h devant le théâtre !")
	list := b.get("/")
	has(t, list, 200, "1 text waits for your yes.", "Marie Tremblay", "+15145550142", "À 18 h devant le théâtre !", "1 segment", "(SMS)",
		"You have asked to confirm every text.", "Mon 2026-11-30 14:15", string(s.ID), "laptop", "1 line, 26 characters")
	has(t, b.get("/sends/"+string(s.ID)), 200, "Marie Tremblay", "À 18 h devant le théâtre !")

	// The sign-in was the proof.
	w := b.press(list, yesPath(s))
	if got, _ := h.store.Send(t.Context(), s.ID); w.Code != http.StatusSeeOther || got.State != smsmcp.Done || got.ConfirmedBy != smsmcp.PageChannel {
		t.Fatal(w.Code, got.State, got.ConfirmedBy)
	}
	has(t, b.get(w.Header().Get("Location")), 200, "sent", "this page")

	h.now = h.now.Add(3 * time.Minute)
	no := h.draft("Alex Roy", "Demain ?")
	w = b.press(b.get("/"), "/sends/"+string(no.ID)+"/no") // a no needs no proof
	if w.Code != http.StatusSeeOther || h.state(no.ID) != smsmcp.Declined {
		t.Fatal(w.Code, h.state(no.ID))
	}
	has(t, b.get("/history"), 200, "sent", "you said no", "À 18 h devant le théâtre !", "Demain ?")

	third := h.draft("Alex Roy", "Et jeudi ?")
	one := b.get("/sends/" + string(third.ID))
	if w = b.press(one, "/freeze"); w.Code != http.StatusSeeOther { // nor does a freeze
		t.Fatal(w.Code)
	}
	frozen := b.get("/")
	has(t, frozen, 200, "All sends are frozen")
	if _, err := form(frozen, yesPath(third)); err == nil {
		t.Error("Send is offered while all sends are frozen: a yes now would only end the wait")
	}
	// Lifting it does.
	w = b.press(frozen, "/thaw")
	has(t, w, http.StatusForbidden, "Is it you?")
	if f, _ := h.store.Frozen(t.Context()); !f {
		t.Fatal("thawed without a proof")
	}
	w = b.press(w, "/thaw", "passphrase", theWords)
	if f, _ := h.store.Frozen(t.Context()); f || w.Code != http.StatusSeeOther {
		t.Fatal(f, w.Code)
	}
	hasNot(t, b.get("/freeze"), "All sends are frozen")
	if !strings.Contains(h.log.String(), "msg=\"page: yes\" id="+string(s.ID)+" proof=passphrase") {
		t.Errorf("the log does not say how the owner proved it:\n%s", h.log)
	}
}

func TestAYesNeedsAFreshProof(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	s := h.draft("Marie Tremblay", "Oui.")
	h.now = h.now.Add(fresh)
	w := b.press(b.get("/"), yesPath(s))
	has(t, w, http.StatusForbidden, "Is it you?", "Marie Tremblay", "+15145550142", "Oui.") // asked beside what it is for
	for _, wrong := range []string{"", "something else"} {
		w = b.press(w, yesPath(s), "passphrase", wrong)
		has(t, w, http.StatusForbidden, "Oui.")
	}
	has(t, w, http.StatusForbidden, "That is not the passphrase")
	if h.state(s.ID) != smsmcp.Waiting {
		t.Fatal("sent without a proof")
	}
	if w = b.press(w, yesPath(s), "passphrase", theWords); w.Code != http.StatusSeeOther || h.state(s.ID) != smsmcp.Done {
		t.Fatal(w.Code, h.state(s.ID))
	}
	// It counts for two minutes, and not from a future that a clock set back makes.
	h.now = h.now.Add(10 * time.Second)
	two := h.draft("Marie Tremblay", "Deux.")
	page := b.get("/")
	if w = b.unlock(theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	h.now = h.now.Add(-20 * time.Second)
	has(t, b.press(page, yesPath(two)), http.StatusForbidden, "Is it you?")
	h.now = h.now.Add(20 * time.Second) // nor once the clock has caught up
	has(t, b.press(page, yesPath(two)), http.StatusForbidden, "Is it you?")
	if w = b.unlock(theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	h.now = h.now.Add(fresh - time.Second)
	if w = b.press(page, yesPath(two)); w.Code != http.StatusSeeOther || h.state(two.ID) != smsmcp.Done {
		t.Fatal(w.Code, h.state(two.ID))
	}
}

// TestInvariant05AProofFromBeforeAQuestionDoesNotAnswerIt: what the owner gave their passphrase for was something else.
func TestInvariant05AProofFromBeforeAQuestionDoesNotAnswerIt(t *testing.T) {
	h := build(t)
	b := h.browser().signIn() // to look at the history, say
	h.now = h.now.Add(90 * time.Second)
	s := h.draft("Alex Roy", "Send me the code.")
	for _, path := range []string{"/", "/sends/" + string(s.ID)} {
		w := b.press(b.get(path), yesPath(s))
		has(t, w, http.StatusForbidden, "Is it you?", "Alex Roy", "Send me the code.")
	}
	if h.state(s.ID) != smsmcp.Waiting {
		t.Fatal(h.state(s.ID))
	}
	two := h.draft("Marie Tremblay", "And the other one.")
	w := b.press(b.get("/"), yesPath(s))
	if w = b.press(w, yesPath(s), "passphrase", theWords); w.Code != http.StatusSeeOther || h.state(s.ID) != smsmcp.Done {
		t.Fatal(w.Code, h.state(s.ID))
	}
	// That was given while the second stood on the page too.
	if w = b.press(b.get("/"), yesPath(two)); w.Code != http.StatusSeeOther || h.state(two.ID) != smsmcp.Done {
		t.Fatal(w.Code, h.state(two.ID))
	}
}

// TestTheScriptAsksForAPasskeyWhereAYesNeedsOne: also where there is a fresh proof, from before the question.
func TestTheScriptAsksForAPasskeyWhereAYesNeedsOne(t *testing.T) {
	h, b, a := withKey(t)
	has(t, b.show(a, "/prove"), 200)
	h.now = h.now.Add(time.Second)
	s := h.draft("Marie Tremblay", "Oui.")
	has(t, b.get("/"), 200, `/yes" data-prove`)
	has(t, b.get("/sends/"+string(s.ID)), 200, `/yes" data-prove`)
	has(t, b.show(a, "/prove"), 200)
	hasNot(t, b.get("/"), "data-prove")
	if w := b.press(b.get("/"), yesPath(s)); w.Code != http.StatusSeeOther || h.state(s.ID) != smsmcp.Done {
		t.Fatal(w.Code, h.state(s.ID))
	}
}

// TestInvariant14AYesOnThePageIsForWhatItShowed: a form that carries another text's digest sends nothing, with or without a fresh proof.
func TestInvariant14AYesOnThePageIsForWhatItShowed(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	marie, alex := h.draft("Marie Tremblay", "See you at 6."), h.draft("Alex Roy", "See you at 6.")
	list := b.get("/")
	// Two that look alike are told apart by name, number and id, and by their digests.
	has(t, list, 200, "Marie Tremblay", "+15145550142", string(marie.ID), "Alex Roy", "+15145550143", string(alex.ID))
	one, err1 := form(list, yesPath(marie))
	two, err2 := form(list, yesPath(alex))
	if err1 != nil || err2 != nil || one.Get("digest") == two.Get("digest") {
		t.Fatal(err1, err2, one, two)
	}
	d := marie.Draft.Digest()
	if one.Get("digest") != hex.EncodeToString(d[:]) {
		t.Fatal("the form does not carry the digest of what it stands beside")
	}
	for _, after := range []time.Duration{0, fresh} {
		h.now = h.now.Add(after)
		has(t, b.press(list, yesPath(marie), "digest", two.Get("digest")), http.StatusConflict)
		for _, bad := range []string{"", "00", strings.Repeat("g", 64), one.Get("digest") + "00"} {
			has(t, b.press(list, yesPath(marie), "digest", bad), http.StatusBadRequest)
		}
	}
	if h.state(marie.ID) != smsmcp.Waiting || h.state(alex.ID) != smsmcp.Waiting {
		t.Fatal("a yes to another text was taken")
	}
}

func TestAReplayedFormChangesNothing(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	s := h.draft("Marie Tremblay", "Once.")
	list := b.get("/")
	b.press(list, yesPath(s))
	for _, action := range []string{yesPath(s), "/sends/" + string(s.ID) + "/no"} {
		has(t, b.press(list, action), http.StatusConflict, "over already")
	}
	if h.state(s.ID) != smsmcp.Done {
		t.Error(h.state(s.ID))
	}
	h.now = h.now.Add(10 * time.Second)
	late := h.draft("Alex Roy", "Too late.")
	h.now = h.now.Add(time.Minute)
	list = b.get("/")
	h.now = h.now.Add(10 * time.Minute)
	b.signIn()
	csrf, _ := form(b.get("/history"), "/freeze")
	w := b.press(list, yesPath(late), "csrf", csrf.Get("csrf"))
	if h.state(late.ID) != smsmcp.Expired {
		t.Error(w.Code, h.state(late.ID))
	}
	has(t, b.get("/sends/"+string(late.ID)), 200, "nobody answered in time")
	sent, err := h.store.Sends(t.Context(), 10)
	if err != nil || len(sent) != 2 {
		t.Fatal(err, len(sent))
	}
}

func TestAnExpiredSendIsNotOffered(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	s := h.draft("Marie Tremblay", "Hm.")
	h.now = h.now.Add(11 * time.Minute)
	w := b.get("/sends/" + string(s.ID)) // the desk's sweep has not come by
	has(t, w, 200, "nobody answered in time")
	if _, err := form(w, yesPath(s)); err == nil {
		t.Error("Send is offered for a text whose time is past")
	}
}

func TestNoSendHasThatNumber(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	for _, id := range []string{"aaaaaaaaaa", "AAAAAAAAAA", "x", "aaaaaaaaa1", "aaaaaaaaaa%0a"} {
		has(t, b.get("/sends/"+id), http.StatusNotFound, "No send has that number.")
	}
	csrf, _ := form(b.get("/"), "/freeze")
	for _, what := range []string{"yes", "no"} {
		w := b.post("/sends/aaaaaaaaaa/"+what, url.Values{"csrf": csrf["csrf"], "digest": {strings.Repeat("0", 64)}})
		has(t, w, http.StatusNotFound, "No send has that number.")
	}
}

// TestInvariant14ABodyStaysWhatItIs: no markup, no link, no code and no direction of a body is obeyed.
func TestInvariant14ABodyStaysWhatItIs(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	for body, want := range map[string]string{
		`<script>alert(1)</script><img src=x onerror=alert(1)>`: `&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;`,
		`</p></div><form action="https://evil.example/">`:       `&lt;/p&gt;&lt;/div&gt;&lt;form action=&#34;https://evil.example/&#34;&gt;`,
		`[ok](https://evil.example) **yes** https://a.example`:  `[ok](https://evil.example) **yes** https://a.example`,
		`{{.CSRF}} {{say "send"}}`:                              `{{.CSRF}} {{say &#34;send&#34;}}`,
		"שלום, 18:00 — مرحبا":                                   "שלום, 18:00 — مرحبا",
	} {
		s := h.draft("Marie Tremblay", body)
		for _, path := range []string{"/", "/sends/" + string(s.ID), "/history"} {
			w := b.get(path)
			if !strings.Contains(w.Body.String(), `<p dir="auto">`+want+`</p>`) {
				t.Errorf("%s: %q is not there as it is:\n%s", path, body, w.Body)
			}
			if strings.Contains(w.Body.String(), `href="http`) {
				t.Errorf("%s: %q made a link", path, body)
			}
		}
	}
	// What the guard refused is written out in the history, with codes for what a screen would obey.
	for _, body := range []string{"pay \u202eevil\u202c", "\x1b[2Jgone", "a\u200bb"} {
		if a, err := h.door.Send(t.Context(), dispatchTo("Alex Roy", body)); err != nil || a.Send.State != smsmcp.Refused {
			t.Fatal(err, a.Send.State)
		}
	}
	w := b.get("/history")
	has(t, w, 200, `aria-label="U+202E">U+202E<`, `aria-label="U+001B">U+001B<`, `aria-label="U+200B">U+200B<`)
	hasNot(t, w, "\u202e", "\x1b", "\u200b")
}

// TestInvariant14WhatCannotBeShownIsNotSent: were such a text to wait, the page would neither offer nor take a yes to it.
func TestInvariant14WhatCannotBeShownIsNotSent(t *testing.T) {
	h := build(t)
	s := h.draft("Marie Tremblay", "plain")
	h.page.o.Store = other{h.page.o.Store, s.ID, "a\u202eb"}
	desk := &counted{Desk: h.page.o.Desk}
	h.page.o.Desk = desk
	b := h.browser().signIn()
	w := b.get("/sends/" + string(s.ID))
	has(t, w, 200, "cannot be sent")
	if _, err := form(w, yesPath(s)); err == nil {
		t.Error("Send is offered")
	}
	csrf, _ := form(w, "/freeze")
	body, _ := h.page.o.Store.Send(t.Context(), s.ID)
	d := body.Draft.Digest()
	w = b.post(yesPath(s), url.Values{"csrf": csrf["csrf"], "digest": {hex.EncodeToString(d[:])}})
	has(t, w, http.StatusConflict, "cannot be sent")
	if h.state(s.ID) != smsmcp.Waiting || desk.yes != 0 {
		t.Error(h.state(s.ID), desk.yes)
	}
}

func TestAGetChangesNothing(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	s := h.draft("Marie Tremblay", "Hm.")
	if err := h.store.AddToken(t.Context(), h.now, "laptop", "id1", [32]byte{1}); err != nil {
		t.Fatal(err)
	}
	f, err := form(b.get("/"), yesPath(s))
	if err != nil {
		t.Fatal(err)
	}
	f.Set("name", "laptop")
	for _, path := range []string{
		yesPath(s), "/sends/" + string(s.ID) + "/no", "/freeze", "/thaw", "/tokens/revoke", "/passkeys/remove", "/passkeys/unlock", "/sign-out",
		"/language", "/prove/options", "/prove/passkey", "/passkeys/options", "/passkeys/add", "/sign-in/options", "/sign-in/passkey",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := b.do(httptest.NewRequest(method, b.base+path+"?"+f.Encode(), nil))
			if path != "/freeze" && w.Code < 400 {
				t.Errorf("%s %s: %d", method, path, w.Code)
			}
		}
	}
	frozen, err := h.store.Frozen(t.Context())
	tokens, err2 := h.store.Tokens(t.Context())
	if h.state(s.ID) != smsmcp.Waiting || frozen || err != nil || err2 != nil || !tokens[0].Revoked.IsZero() {
		t.Error(h.state(s.ID), frozen, tokens, err, err2)
	}
	has(t, b.get("/"), 200, "Hm.") // and it is still signed in
}
