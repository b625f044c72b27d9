package page

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/page/talk"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/consent"
)

const ticket = "a.ticket.of-a-call"

// lets lets browsers into calls, and counts them, and how often they were ended.
type lets struct {
	n, ended  int
	url       string
	err       error
	stays     error  // of an end
	meanwhile func() // while one begins
}

func (l *lets) Begin(context.Context) (talk.Visit, error) {
	if l.err != nil {
		return talk.Visit{}, l.err
	}
	l.n++
	if l.meanwhile != nil {
		l.meanwhile()
	}
	return talk.Visit{URL: l.url, Token: ticket}, nil
}

func (l *lets) End(context.Context) error {
	l.ended++
	return l.stays
}

func withTalk(t *testing.T) (*house, *lets) {
	t.Helper()
	l := &lets{url: "wss://livekit.example:7443"}
	return build(t, func(o *Options) { o.Talk = l }), l
}

// begins begins a call, with a proof for it.
func (b *browser) begins() *httptest.ResponseRecorder {
	b.h.t.Helper()
	w := b.get("/talk")
	b.h.now = b.h.now.Add(time.Second) // which each showing has another of
	return b.press(w, "/talk", "passphrase", theWords)
}

// TestInvariant05ACallTakesAProofOfItsOwn, since it lasts longer than a proof counts: neither the sign-in nor any other is one, and one makes one call. Before it, nothing is begun.
func TestInvariant05ACallTakesAProofOfItsOwn(t *testing.T) {
	h, l := withTalk(t)
	b := h.browser().signIn() // a proof, a moment ago
	w := b.get("/talk")
	has(t, w, http.StatusOK, "Talk to Readback", "only your voice gives it", `aria-current="page">Talk`)
	hasNot(t, w, ticket, "livekit")
	w = b.press(w, "/talk")
	has(t, w, http.StatusForbidden, "Is it you?", "Start a call", `href="/talk">Back`)
	w = b.press(w, "/talk", "passphrase", "not the words")
	has(t, w, http.StatusForbidden, "That is not the passphrase")
	if l.n != 0 {
		t.Fatal("a call is begun without a proof")
	}
	h.now = h.now.Add(time.Second)
	w = b.press(w, "/talk", "passphrase", theWords)
	has(t, w, http.StatusOK, `data-server="wss://livekit.example:7443"`, `data-ticket="`+ticket+`"`, "/page/livekit.js", "/page/talk.js", "Only your voice answers")
	if l.n != 1 {
		t.Fatalf("%d calls", l.n)
	}
	// From this page another begins, with another proof.
	has(t, b.press(w, "/talk"), http.StatusForbidden, "Is it you?", "It counts for this alone.")
	if l.n != 1 {
		t.Fatal("one proof makes two calls")
	}
	if again := b.press(w, "/talk", "passphrase", theWords); again.Code != http.StatusOK || l.n != 2 {
		t.Errorf("%d, %d calls", again.Code, l.n)
	}
	// A browser that is made to send the same form again has the passphrase in it.
	has(t, b.press(w, "/talk", "passphrase", theWords), http.StatusConflict, "was answered already")
	// Nor does a showing that is none of this one's.
	theirs, err := form(h.browser().signIn().get("/talk"), "/talk")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "x", theirs.Get("shown")} {
		has(t, b.press(b.get("/talk"), "/talk", "shown", bad, "passphrase", theWords), http.StatusConflict, "shown to another visit")
	}
	if l.n != 2 {
		t.Errorf("%d calls", l.n)
	}
}

// TestInvariant05APasskeysProofOfACallIsForItAlone: for the one showing of the question that it was given for, once, within two minutes.
func TestInvariant05APasskeysProofOfACallIsForItAlone(t *testing.T) {
	h, l := withTalk(t)
	b := h.browser().signIn()
	a := newAuthenticator(t)
	has(t, b.addKey(a, "phone"), http.StatusOK)
	prove := func(about string) {
		t.Helper()
		options := b.script("/prove/options", map[string]string{"for": about})
		has(t, options, http.StatusOK)
		has(t, b.script("/prove/passkey", a.sign(options.Body.Bytes())), http.StatusOK)
	}
	showing := func() (*httptest.ResponseRecorder, string) {
		t.Helper()
		h.now = h.now.Add(time.Second)
		w := b.get("/talk")
		has(t, w, http.StatusOK, `data-prove="shown"`)
		f, err := form(w, "/talk")
		if err != nil {
			t.Fatal(err)
		}
		return w, f.Get("shown")
	}
	none := func(w *httptest.ResponseRecorder) {
		t.Helper()
		if n := l.n; b.press(w, "/talk").Code != http.StatusForbidden || l.n != n {
			t.Errorf("a call without a proof for it: %d", l.n-n)
		}
	}
	one, of := showing()
	prove("") // for anything else
	none(one)
	other, ofOther := showing()
	prove(ofOther)
	none(one)
	prove(of)
	none(other)
	h.now = h.now.Add(fresh)
	none(one)
	prove(of)
	if w := b.press(one, "/talk"); w.Code != http.StatusOK || l.n != 1 || !strings.Contains(w.Body.String(), `data-prove="shown" data-again`) {
		t.Fatalf("%d, %d calls", w.Code, l.n)
	}
	none(one)
	prove(of) // for a question that has its call
	has(t, b.press(one, "/talk"), http.StatusConflict, "was answered already")
	if l.n != 1 {
		t.Errorf("%d calls", l.n)
	}
}

// TestSigningOutEndsCalls: here, everywhere, by another passphrase, and by removing a passkey, whose device may have one open; also one that begins at that moment.
func TestSigningOutEndsCalls(t *testing.T) {
	h, l := withTalk(t)
	b := h.browser()
	remove := func() *httptest.ResponseRecorder {
		return b.press(b.get("/passkeys"), "/passkeys/remove", "passphrase", theWords)
	}
	for i, out := range []func(){
		func() { b.press(b.get("/"), "/sign-out") },
		func() { b.press(b.get("/"), "/sign-out", "everywhere", "1") },
		h.page.EndSessions,
		func() { has(t, b.addKey(newAuthenticator(t), "lost"), http.StatusOK); remove() },
	} {
		b.signIn()
		if out(); l.ended != i+1 {
			t.Fatalf("%d: the calls were ended %d times", i, l.ended)
		}
	}
	b.signIn()
	l.meanwhile = h.page.EndSessions
	w := b.begins()
	if w.Code != http.StatusSeeOther || l.n != 1 || l.ended != 6 {
		t.Errorf("%d, %d begun, ended %d times", w.Code, l.n, l.ended)
	}
	hasNot(t, w, ticket)

	b.signIn()
	has(t, b.addKey(newAuthenticator(t), "lost"), http.StatusOK)
	l.stays = errors.New("hunter2")
	w = remove()
	has(t, w, http.StatusInternalServerError, "Its log says why.")
	hasNot(t, w, "hunter2")
	hasNot(t, b.get("/passkeys"), "lost")
	w = b.press(b.get("/"), "/sign-out")
	has(t, w, http.StatusInternalServerError, "Its log says why.")
	hasNot(t, w, "hunter2", "/sign-out")
	if !strings.Contains(h.log.String(), "the calls were not ended") || b.get("/").Code != http.StatusSeeOther {
		t.Error("nothing tells of it, or they are still in")
	}
}

// TestInvariant11AnInvitationStandsInItsAnswerAlone, as far as it is ours: not in a log, an address, a cookie or another page. From there the browser takes it to the LiveKit server in the address
// of its WebSocket, as livekit-client does; a proxy before that server must not log it (deploy/livekit/README.md).
func TestInvariant11AnInvitationStandsInItsAnswerAlone(t *testing.T) {
	h, _ := withTalk(t)
	b := h.browser().signIn()
	w := b.begins()
	if n := strings.Count(w.Body.String(), ticket); n != 1 {
		t.Errorf("it stands %d times in its answer", n)
	}
	for name, values := range w.Header() {
		if strings.Contains(strings.Join(values, " "), ticket) {
			t.Errorf("it stands in %s", name)
		}
	}
	if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Referrer-Policy") != "no-referrer" {
		t.Error(w.Header())
	}
	for _, path := range []string{"/talk", "/", "/history"} {
		hasNot(t, b.get(path), ticket)
	}
	if strings.Contains(h.log.String(), ticket) {
		t.Error("it is logged")
	}
}

// TestOnlyACallMayUseTheMicrophone, and connect to the LiveKit server and nothing else beside the page itself.
func TestOnlyACallMayUseTheMicrophone(t *testing.T) {
	h, l := withTalk(t)
	b := h.browser().signIn()
	for _, path := range []string{"/talk", "/", "/passkeys", "/page/talk.js", "/nothing"} {
		w := b.get(path)
		if got := w.Header().Get("Content-Security-Policy"); got != policy {
			t.Errorf("%s: %s", path, got)
		}
		if got := w.Header().Get("Permissions-Policy"); got != permissions {
			t.Errorf("%s: %s", path, got)
		}
	}
	w := b.begins()
	want := strings.Replace(policy, "connect-src 'self';", "connect-src 'self' wss://livekit.example:7443 https://livekit.example:7443;", 1)
	if got := w.Header().Values("Content-Security-Policy"); len(got) != 1 || got[0] != want || want == policy {
		t.Errorf("%q", got)
	}
	got := w.Header().Get("Permissions-Policy")
	for _, part := range []string{"microphone=(self)", "autoplay=(self)", "camera=()", "display-capture=()"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in %s", part, got)
		}
	}
	if strings.ReplaceAll(strings.ReplaceAll(got, "microphone=(self)", "microphone=()"), "autoplay=(self)", "autoplay=()") != permissions {
		t.Errorf("more is allowed: %s", got)
	}
	l.url = "wss://a;script-src *"
	w = b.begins()
	has(t, w, http.StatusInternalServerError, "Its log says why.")
	if w.Header().Get("Content-Security-Policy") != policy {
		t.Error(w.Header())
	}
}

func TestNoCallCanBegin(t *testing.T) {
	h, l := withTalk(t)
	b := h.browser().signIn()
	l.err = talk.ErrAway
	has(t, b.begins(), http.StatusServiceUnavailable, "cannot reach its LiveKit server now", "readback doctor")
	l.err = errors.New("hunter2")
	w := b.begins()
	has(t, w, http.StatusInternalServerError, "Its log says why.")
	hasNot(t, w, "hunter2")
}

func TestACallIsTheOwnersAlone(t *testing.T) {
	h, l := withTalk(t)
	in := h.browser().signIn()
	f, err := form(in.get("/talk"), "/talk")
	if err != nil {
		t.Fatal(err)
	}
	out := h.browser()
	for name, w := range map[string]*httptest.ResponseRecorder{"nobody's page": out.get("/talk"), "nobody's form": out.post("/talk", f)} {
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/sign-in?next=%2Ftalk" {
			t.Errorf("%s: %d, %s", name, w.Code, w.Header())
		}
	}
	if w := in.post("/talk", map[string][]string{"csrf": {"x"}}); w.Code != http.StatusForbidden {
		t.Errorf("a form without the token: %d", w.Code)
	}
	r := in.request("/talk", f)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := in.do(r); w.Code != http.StatusForbidden {
		t.Errorf("another site: %d", w.Code)
	}
	if l.n != 0 {
		t.Errorf("%d calls", l.n)
	}
}

func TestWithoutTalkThereIsNone(t *testing.T) {
	b := build(t).browser().signIn()
	hasNot(t, b.get("/"), "/talk")
	for _, path := range []string{"/talk", "/page/talk.js", "/page/livekit.js"} {
		if w := b.get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	f, err := form(b.get("/"), "/sign-out")
	if err != nil {
		t.Fatal(err)
	}
	if w := b.post("/talk", f); w.Code == http.StatusOK {
		t.Errorf("POST /talk: %d", w.Code)
	}
}

// TestInvariant10WhatAScreenReaderSaysOfACallIsNoYes: it says how the call stands, perhaps into the microphone. Before an answer was judged no part of that would be a yes; nor would what
// the page says besides, which may be read at any time.
func TestInvariant10WhatAScreenReaderSaysOfACallIsNoYes(t *testing.T) {
	h, _ := withTalk(t)
	b := h.browser().signIn()
	tags, states := regexp.MustCompile(`<[^>]*>`), regexp.MustCompile(`data-(is_[a-z_]+|draft_[a-z_]+|cut|missing|caller|agent|segment|segments)="([^"]*)"`)
	yes := func(words string) bool {
		_, ear := voice.NewTranscript(func() time.Time { return h.now })
		u, err := ear.Begin(0)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := u.Final(untrusted.New(words))
		if err != nil {
			t.Fatal(err)
		}
		return consent.Judge(turn) == consent.Yes
	}
	if !yes("yes") {
		t.Fatal("a yes is none")
	}
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		b.header.Set("Accept-Language", string(l))
		_, page, _ := strings.Cut(b.begins().Body.String(), "<main")
		page, _, _ = strings.Cut(page, "</main>")
		all := map[string]string{}
		for _, m := range states.FindAllStringSubmatch(page, -1) {
			all[m[1]] = html.UnescapeString(m[2])
		}
		if len(all) < 30 || all["is_reading"] != screen.Talk(l, "is_reading") {
			t.Fatal(all)
		}
		for i, s := range strings.Split(tags.ReplaceAllString(page, "\n"), "\n") {
			all["text "+string(rune('A'+i%26))+s] = html.UnescapeString(s)
		}
		for name, s := range all {
			if name == "is_yes" || name == "draft_yes" { // once it was judged
				continue
			}
			words := strings.Fields(s)
			for i := range words {
				for j := i + 1; j <= len(words); j++ {
					if part := strings.Join(words[i:j], " "); yes(part) {
						t.Errorf("%s, %s: %q is a yes", l, name, part)
					}
				}
			}
		}
	}
}
