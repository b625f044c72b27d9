package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/oauth"
)

// yesMade says whether an answer leads back to a program with a code.
func yesMade(w *httptest.ResponseRecorder) bool {
	return strings.Contains(w.Header().Get("Refresh"), "code=")
}

// TestInvariant12AClockSetBackMakesNoProofNewer: what was proved before a question stays from before it, now and once the clock has caught up.
func TestInvariant12AClockSetBackMakesNoProofNewer(t *testing.T) {
	t.Run("a text", func(t *testing.T) {
		h := build(t)
		b := h.browser().signIn()
		h.now = h.now.Add(-30 * time.Second)
		s := h.draft("Marie Tremblay", "Oui.")
		list := b.get("/")
		has(t, b.press(list, yesPath(s)), http.StatusForbidden, "Is it you?")
		h.now = h.now.Add(31 * time.Second)
		has(t, b.press(list, yesPath(s)), http.StatusForbidden, "Is it you?")
		if h.state(s.ID) != smsmcp.Waiting {
			t.Fatal(h.state(s.ID))
		}
		if w := b.press(list, yesPath(s), "passphrase", theWords); w.Code != http.StatusSeeOther || h.state(s.ID) != smsmcp.Done {
			t.Error(w.Code, h.state(s.ID))
		}
	})
	t.Run("a program's end", func(t *testing.T) {
		h := receive(t)
		b := h.browser().signIn()
		token := h.enter(document, callback, h.let(b, ask(document, callback)).Get("code"))
		h.now = h.now.Add(-30 * time.Second)
		list := h.browser().signIn() // somewhere else, so that this visit's proof is not forgotten by a request
		has(t, list.get("/clients"), 200)
		h.now = h.now.Add(32 * time.Second)
		shown := b.get("/clients")
		h.now = h.now.Add(-time.Second / 20) // less than a clock that is set is told by
		has(t, b.press(shown, "/clients/revoke"), http.StatusConflict)
		h.now = h.now.Add(time.Second)
		has(t, b.press(shown, "/clients/revoke"), http.StatusForbidden, "Is it you?")
		if _, err := h.Check(t.Context(), token); err != nil {
			t.Error("it is out:", err)
		}
	})
	t.Run("the count", func(t *testing.T) { // whatever the times say
		h := receive(t)
		b := h.browser().signIn()
		h.enter(document, callback, h.let(b, ask(document, callback)).Get("code"))
		b.signIn()
		shown := b.get("/clients")
		has(t, b.press(shown, "/clients/revoke"), http.StatusForbidden, "Is it you?") // proved at the very time of the question, and before
		b.unlock(theWords)
		if w := b.press(shown, "/clients/revoke"); w.Code != http.StatusSeeOther {
			t.Error("a proof since does not count:", w.Code)
		}
	})
}

// TestOneProofIsForOneThing: what was given for a text, or for one program, lets in no other and has no program's yes count; nor does it count twice.
func TestOneProofIsForOneThing(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	token := h.enter(document, callback, h.let(b, ask(document, callback)).Get("code"))
	h.now = h.now.Add(fresh)
	other := h.registers("Claude", "http://127.0.0.1:9999/x")
	one, two := ask(other, "http://127.0.0.1:9999/x"), ask(other, "http://127.0.0.1:9999/x", "state", "b")
	first, second, list := b.get(one), b.get(two), b.get("/clients")
	h.now = h.now.Add(time.Second)
	s := h.draft("Marie Tremblay", "Oui.")
	b.press(b.press(b.get("/sends/"+string(s.ID)), yesPath(s)), yesPath(s), "passphrase", theWords)
	h.now = h.now.Add(time.Second)
	asks := func() {
		t.Helper()
		for _, w := range []*httptest.ResponseRecorder{b.press(second, yesTo(two)), b.press(list, "/clients/trust")} {
			has(t, w, http.StatusForbidden, "Is it you?", "It counts for this alone.")
			stays(t, w)
		}
		if a, err := h.Check(t.Context(), token); err != nil || a.MayConfirm {
			t.Error(a, err)
		}
	}
	has(t, b.press(first, yesTo(one)), http.StatusForbidden, "Is it you?")
	asks()
	if !yesMade(b.press(first, yesTo(one), "passphrase", theWords)) {
		t.Fatal("the passphrase that came with it does not count")
	}
	asks()
	if w := b.press(list, "/clients/trust", "passphrase", theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	// It was for that alone: a text that was asked about before it needs its own.
	h.now = h.now.Add(fresh)
	s = h.draft("Alex Roy", "Non.")
	h.now = h.now.Add(time.Second)
	b.press(second, yesTo(two), "passphrase", theWords)
	has(t, b.press(b.get("/"), yesPath(s)), http.StatusForbidden, "Is it you?")
}

// TestAPasskeyIsShownForOneThing: for the showing of the question that its challenge names, once, within two minutes.
func TestAPasskeyIsShownForOneThing(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	a := newAuthenticator(t)
	has(t, b.addKey(a, "phone"), 200)
	prove := func(about string) {
		t.Helper()
		options := b.script("/prove/options", map[string]string{"for": about})
		has(t, options, 200)
		has(t, b.script("/prove/passkey", a.sign(options.Body.Bytes())), 200)
	}
	sealOf := func(w *httptest.ResponseRecorder, action string) string {
		t.Helper()
		f, err := form(w, action)
		if err != nil {
			t.Fatal(err)
		}
		return f.Get("shown")
	}
	for _, bad := range []string{"x", "AAAA", "\n"} {
		has(t, b.script("/prove/options", map[string]string{"for": bad}), http.StatusBadRequest)
	}
	h.now = h.now.Add(fresh)
	path, other := ask(document, callback), ask(document, callback, "state", "x")
	page, elsewhere := b.get(path), b.get(other)
	has(t, page, 200, `data-prove="shown"`)
	h.now = h.now.Add(time.Second)
	again := b.get(path) // the same question, shown once more
	no := func(w *httptest.ResponseRecorder) {
		t.Helper()
		has(t, w, http.StatusForbidden, "Is it you?", `data-use-passkey="shown"`)
		stays(t, w)
	}
	prove("") // for anything else
	no(b.press(page, yesTo(path)))
	prove(sealOf(page, yesTo(path)))
	no(b.press(elsewhere, yesTo(other)))
	no(b.press(again, yesTo(path)))
	if !yesMade(b.press(page, yesTo(path))) {
		t.Fatal("a proof that was for it does not count")
	}
	has(t, b.press(page, yesTo(path)), http.StatusConflict, "was answered already")
	if !strings.Contains(h.log.String(), `msg="page: yes to a program" proof=passkey`) {
		t.Error("the log does not say how the owner proved it")
	}

	// One that was not used counts for two minutes, and not from a future.
	prove(sealOf(again, yesTo(path)))
	h.now = h.now.Add(fresh)
	no(b.press(again, yesTo(path)))
	prove(sealOf(again, yesTo(path)))
	h.now = h.now.Add(-time.Second)
	no(b.press(again, yesTo(path)))
	h.now = h.now.Add(time.Second)
	no(b.press(again, yesTo(path))) // for good

	// Nor is it one for a text.
	h.now = h.now.Add(fresh)
	s := h.draft("Marie Tremblay", "Oui.")
	h.now = h.now.Add(time.Second)
	prove(sealOf(again, yesTo(path)))
	has(t, b.press(b.get("/"), yesPath(s)), http.StatusForbidden, "Is it you?")

	// A program's yes is made to count by one for that, once.
	token := h.enter(document, callback, led(t, b.press(again, yesTo(path))).Get("code"))
	list := b.get("/clients")
	has(t, list, 200, `action="/clients/trust" data-prove="shown"`)
	prove(sealOf(list, "/clients/revoke"))
	no(b.press(list, "/clients/trust"))
	prove(sealOf(list, "/clients/trust"))
	if w := b.press(list, "/clients/trust"); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	if access, err := h.Check(t.Context(), token); err != nil || !access.MayConfirm {
		t.Error(access, err)
	}
	no(b.press(list, "/clients/trust"))
}

// TestOneYesIsOneCode however the form is written that says it.
func TestOneYesIsOneCode(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback)
	shown := b.get(path)
	if !yesMade(b.press(shown, yesTo(path), "passphrase", theWords)) {
		t.Fatal("no code")
	}
	f, err := form(shown, yesTo(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, tail := range []string{"", "\n", "\r\n", "\n\n", "=", "A"} {
		w := b.press(shown, yesTo(path), "shown", f.Get("shown")+tail, "passphrase", theWords)
		has(t, w, http.StatusConflict, "Look again")
		stays(t, w)
	}
	if n := codes(t, h.house); n != 1 {
		t.Errorf("%d codes", n)
	}
}

// leaves is a browser that goes away while a yes is carried out.
type leaves struct {
	Clients
	leave func()
}

func (l leaves) Grant(ctx context.Context, c oauth.Consent, principal string) (string, error) {
	l.leave()
	return l.Clients.Grant(ctx, c, principal)
}

// TestAYesToAProgramOutlivesItsBrowser: it was given, and what was given is written down.
func TestAYesToAProgramOutlivesItsBrowser(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback)
	f, err := form(b.get(path), yesTo(path))
	if err != nil {
		t.Fatal(err)
	}
	f.Set("passphrase", theWords)
	ctx, leave := context.WithCancel(t.Context())
	h.page.o.Clients = leaves{h.page.o.Clients, leave}
	w := b.do(b.request(yesTo(path), f).WithContext(ctx))
	if ctx.Err() == nil || !yesMade(w) || codes(t, h.house) != 1 {
		t.Error(ctx.Err(), w.Code, w.Header())
	}
}

// TestANameIsAProgramsOwnWord: whatever a program calls itself, the list has the host that it answers to first, and its name as its own word.
func TestANameIsAProgramsOwnWord(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	for _, name := range []string{"Claude", "Anthropic - verified by Readback"} {
		id := h.registers(name, "http://127.0.0.1:9999/x")
		h.enter(id, "http://127.0.0.1:9999/x", h.let(b, ask(id, "http://127.0.0.1:9999/x")).Get("code"))
		has(t, b.get("/clients"), 200, "<bdi>127.0.0.1</bdi></h2>\n<p>It calls itself “<strong><bdi>"+name+"</bdi></strong>”. Any program can choose any name. It registered itself: no site says who it is.")
	}
	hasNot(t, b.get("/clients"), "<bdi>claude.ai</bdi></h2>")
}

// TestOneYesThatComesTwiceAtOnceIsOneCode: both came before either was carried out, each with the passphrase.
func TestOneYesThatComesTwiceAtOnceIsOneCode(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback)
	f, err := form(b.get(path), yesTo(path))
	if err != nil {
		t.Fatal(err)
	}
	f.Set("passphrase", theWords)
	before := h.prover.count()
	h.prover.hold = make(chan struct{})
	answers := make(chan *httptest.ResponseRecorder, 2)
	for range 2 {
		r := b.request(yesTo(path), f)
		for name, value := range b.cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		go func() {
			w := httptest.NewRecorder()
			h.page.ServeHTTP(w, r)
			answers <- w
		}()
	}
	for h.prover.count() < before+2 {
		runtime.Gosched()
	}
	close(h.prover.hold)
	if one, two := <-answers, <-answers; yesMade(one) == yesMade(two) || codes(t, h.house) != 1 {
		t.Error(one.Code, two.Code, codes(t, h.house))
	}
}
