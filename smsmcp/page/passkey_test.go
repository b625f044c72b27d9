package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
)

// withKey is a house with a passkey, and an owner who is signed in and proved with it a while ago.
func withKey(t *testing.T, with ...func(*Options)) (*house, *browser, *authenticator) {
	t.Helper()
	h := build(t, with...)
	b := h.browser().signIn()
	a := newAuthenticator(t)
	if len(with) > 0 {
		a.origin, a.rpID = "https://readback.example", "readback.example"
	}
	if w := b.addKey(a, "phone"); w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	h.now = h.now.Add(fresh)
	return h, b, a
}

func TestPasskeys(t *testing.T) {
	for name, with := range map[string][]func(*Options){"on localhost": nil, "at a public address": {secure}} {
		t.Run(name, func(t *testing.T) {
			h, b, a := withKey(t, with...)
			w := b.get("/passkeys")
			has(t, w, 200, "phone", "never", "Add a passkey")
			has(t, h.browser().get("/sign-in"), 200, "Sign in with a passkey")

			c := h.browser()
			if w := c.show(a, "/sign-in"); w.Code != 200 || !strings.Contains(w.Body.String(), `{"to":"/"}`) {
				t.Fatal(w.Code, w.Body)
			}
			has(t, c.get("/passkeys"), 200, "Mon 2026-11-30 14:07")

			// A yes with a passkey, after the sign-in has become old.
			s := h.draft("Marie Tremblay", "Oui.")
			h.now = h.now.Add(fresh)
			list := c.get("/")
			has(t, list, 200, "data-prove")
			has(t, c.press(list, yesPath(s)), http.StatusForbidden, "Use a passkey", "Oui.")
			if w := c.show(a, "/prove"); w.Code != 200 {
				t.Fatal(w.Code, w.Body)
			}
			if w := c.press(list, yesPath(s)); w.Code != http.StatusSeeOther || h.state(s.ID) != smsmcp.Done {
				t.Fatal(w.Code, h.state(s.ID))
			}
			if !strings.Contains(h.log.String(), "id="+string(s.ID)+" proof=passkey") {
				t.Error("the log does not say how the owner proved it")
			}
			// The whole record is kept, and what a sign-in changes of it.
			var ring keyring
			kept, err := h.store.Secret(t.Context(), secretKeys)
			if err != nil || json.Unmarshal(kept, &ring) != nil {
				t.Fatal(err)
			}
			one := ring.Keys[0].Credential
			if one.Authenticator.SignCount != a.count || len(one.PublicKey) == 0 || len(one.Attestation.Object) == 0 || !one.Flags.UserVerified {
				t.Errorf("%+v", one)
			}
		})
	}
}

// TestAddingAPasskeyNeedsThePassphrase each time: neither a sign-in nor another passkey is a proof for it, nor a passphrase given longer ago than two minutes,
// nor one that another passkey used up.
func TestAddingAPasskeyNeedsThePassphrase(t *testing.T) {
	h, b, a := withKey(t)
	var told []Notice
	h.page.o.Notify = func(n Notice) { told = append(told, n) }
	if w := b.show(a, "/prove"); w.Code != 200 {
		t.Fatal(w.Code)
	}
	fresh2 := newAuthenticator(t)
	has(t, b.script("/passkeys/options", struct{}{}), http.StatusForbidden, "passphrase")
	w := b.press(b.get("/passkeys"), "/passkeys/unlock")
	has(t, w, http.StatusForbidden, "Is it you?")
	hasNot(t, w, "Use a passkey")
	if w = b.press(w, "/passkeys/unlock", "passphrase", theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	has(t, b.get("/passkeys"), 200, "data-add")
	options := b.script("/passkeys/options", struct{}{})
	answer := map[string]any{"name": "second", "credential": fresh2.create(options.Body.Bytes())}
	h.now = h.now.Add(fresh)
	has(t, b.script("/passkeys/add", answer), http.StatusForbidden, "two minutes")
	b.signIn()
	has(t, b.script("/passkeys/options", struct{}{}), http.StatusForbidden, "passphrase") // the sign-in's is not for this
	has(t, b.script("/passkeys/add", answer), http.StatusForbidden, "two minutes")
	hasNot(t, b.get("/passkeys"), "data-add")
	has(t, b.press(b.get("/passkeys"), "/passkeys/unlock"), http.StatusForbidden, "Is it you?")
	has(t, b.unlock("not the words"), http.StatusForbidden)
	has(t, b.script("/passkeys/options", struct{}{}), http.StatusForbidden, "passphrase")
	if w := b.unlock(theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	has(t, b.script("/passkeys/add", answer), http.StatusForbidden) // the challenge is past, and another session's
	if told != nil {
		t.Fatal(told)
	}
	has(t, b.addKey(fresh2, "second"), 200)
	if len(told) != 1 || told[0] != (Notice{What: PasskeyAdded}) {
		t.Error("the owner is told of", told)
	}
	has(t, b.script("/passkeys/options", struct{}{}), http.StatusForbidden, "passphrase") // one passphrase, one passkey
	hasNot(t, b.get("/passkeys"), "data-add")
	b.unlock(theWords) // nor do two that began with one passphrase both end
	one, two := newAuthenticator(t), newAuthenticator(t)
	first := one.create(b.script("/passkeys/options", struct{}{}).Body.Bytes())
	ticket := b.cookies[ticketCookie]
	second := two.create(b.script("/passkeys/options", struct{}{}).Body.Bytes())
	has(t, b.script("/passkeys/add", map[string]any{"name": "two", "credential": second}), 200)
	b.cookies[ticketCookie] = ticket
	has(t, b.script("/passkeys/add", map[string]any{"name": "one", "credential": first}), http.StatusForbidden)
	has(t, b.addKey(fresh2, "second"), http.StatusForbidden) // it is here already
	for _, name := range []string{"", "  ", strings.Repeat("a", 41), "a\u202eb", "a\nb", "\u200b"} {
		has(t, b.addKey(newAuthenticator(t), name), http.StatusBadRequest, "1 to 40")
	}
	for i := range mostKeys - 3 {
		has(t, b.addKey(newAuthenticator(t), fmt.Sprint("key ", i)), 200)
	}
	has(t, b.addKey(newAuthenticator(t), "one more"), http.StatusConflict, "20 passkeys")
}

// TestTwoAtOnceDoNotUseOnePassphrase: both were let in before either was written.
func TestTwoAtOnceDoNotUseOnePassphrase(t *testing.T) {
	h, b, _ := withKey(t)
	b.unlock(theWords)
	for i, want := range []error{nil, errLate} {
		h.page.sessions.allow(sha256.Sum256([]byte(b.cookies[sessionCookie])), h.now)
		options := b.script("/passkeys/options", struct{}{}).Body.Bytes()
		r := b.request("/passkeys/add", nil)
		for name, value := range b.cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		v, ok := h.page.visitor(r)
		body, err := json.Marshal(map[string]any{"name": "key", "credential": newAuthenticator(t).create(options)})
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if i > 0 && !h.page.sessions.spend(v.key, h.now) { // the other one is written meanwhile
			t.Fatal("nothing to spend")
		}
		if _, err := h.page.newKey(r, v, body); !errors.Is(err, want) {
			t.Error(err)
		}
	}
}

// TestAPasskeyIsRefused: each way in which an answer is not the owner's, here and now.
func TestAPasskeyIsRefused(t *testing.T) {
	h, owner, a := withKey(t)
	refused := func(what string, bend func(*authenticator), more ...func(*browser)) {
		t.Helper()
		bent := *a
		bend(&bent)
		b := h.browser()
		options := b.script("/sign-in/options", struct{}{}).Body.Bytes()
		answer := bent.sign(options)
		for _, f := range more {
			f(b)
		}
		if w := b.script("/sign-in/passkey", answer); w.Code != http.StatusForbidden || b.cookies[sessionCookie] != "" {
			t.Errorf("%s: %d %s", what, w.Code, w.Body)
		}
	}
	nothing := func(*authenticator) {}
	refused("another key", func(a *authenticator) { a.key = newAuthenticator(t).key })
	refused("an id that nobody has", func(a *authenticator) { a.id = []byte("0123456789abcdef") })
	refused("another owner", func(a *authenticator) { a.handle = []byte("somebody") })
	refused("no owner", func(a *authenticator) { a.handle = nil })
	refused("another site", func(a *authenticator) { a.origin = "https://evil.example" })
	refused("another port", func(a *authenticator) { a.origin = "http://localhost:9999" })
	refused("another relying party", func(a *authenticator) { a.rpID = "evil.example" })
	refused("a user who was not verified", func(a *authenticator) { a.unverified = true })
	refused("no ticket", nothing, func(b *browser) { delete(b.cookies, ticketCookie) })
	refused("a ticket of another browser's", nothing, func(b *browser) {
		c := h.browser()
		c.script("/sign-in/options", struct{}{})
		b.cookies[ticketCookie] = c.cookies[ticketCookie]
	})
	refused("a ticket that was changed", nothing, func(b *browser) {
		b.cookies[ticketCookie] = b.cookies[ticketCookie][:60] + "A" + b.cookies[ticketCookie][61:]
	})
	refused("after two minutes", nothing, func(*browser) { h.now = h.now.Add(fresh) })
	refused("before it began", nothing, func(*browser) { h.now = h.now.Add(-time.Second) })

	// A challenge for a sign-in proves nothing in a session, and the other way round.
	owner.signIn()
	h.now = h.now.Add(fresh)
	options := owner.script("/sign-in/options", struct{}{}).Body.Bytes()
	has(t, owner.script("/prove/passkey", a.sign(options)), http.StatusForbidden)
	options = owner.script("/prove/options", struct{}{}).Body.Bytes()
	has(t, owner.script("/sign-in/passkey", a.sign(options)), http.StatusForbidden)
	// Nor does one of another session.
	other := h.browser().signIn()
	options = other.script("/prove/options", struct{}{}).Body.Bytes()
	owner.cookies[ticketCookie] = other.cookies[ticketCookie]
	has(t, owner.script("/prove/passkey", a.sign(options)), http.StatusForbidden)

	// Once.
	b := h.browser()
	options = b.script("/sign-in/options", struct{}{}).Body.Bytes()
	ticket, answer := b.cookies[ticketCookie], a.sign(options)
	has(t, b.script("/sign-in/passkey", answer), 200)
	replay := h.browser()
	replay.cookies[ticketCookie] = ticket
	has(t, replay.script("/sign-in/passkey", answer), http.StatusForbidden)
	a.count += 5
	replay.cookies[ticketCookie] = ticket
	has(t, replay.script("/sign-in/passkey", a.sign(options)), http.StatusForbidden) // not even signed anew

	// A counter that goes back is a copy's.
	a.count = 1
	has(t, h.browser().show(a, "/sign-in"), http.StatusForbidden)
	a.count = 100
	has(t, h.browser().show(a, "/sign-in"), 200)

	if n := h.page.seal.Used(); n != 2+1 { // the owner's own: one to add, two to sign in
		t.Logf("%d tickets are remembered", n)
	}
	h.now = h.now.Add(fresh + time.Second)
	has(t, h.browser().show(a, "/sign-in"), 200)
	if n := h.page.seal.Used(); n != 1 {
		t.Errorf("%d tickets are remembered, though all but one are past", n)
	}
}

func TestRemovingAPasskey(t *testing.T) {
	h, b, a := withKey(t)
	var told []Notice
	h.page.o.Notify = func(n Notice) { told = append(told, n) }
	lost := h.browser()
	has(t, lost.show(a, "/sign-in"), 200)
	h.now = h.now.Add(fresh)
	list := b.get("/passkeys")
	w := b.press(list, "/passkeys/remove")
	has(t, w, http.StatusForbidden, "Is it you?", "phone")
	if w = b.press(w, "/passkeys/remove", "passphrase", theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	if len(told) != 1 || told[0] != (Notice{What: PasskeyRemoved}) {
		t.Error("the owner is told of", told)
	}
	hasNot(t, b.get("/passkeys"), "phone</bdi>")
	if lost.get("/").Code == 200 {
		t.Error("the browser that was lost is still signed in")
	}
	has(t, lost.show(a, "/sign-in"), http.StatusForbidden)
	has(t, b.press(list, "/passkeys/remove"), http.StatusNotFound, "not here any more")
	h.now = h.now.Add(fresh)
	has(t, b.press(list, "/passkeys/remove"), http.StatusNotFound, "not here any more")
	has(t, h.browser().get("/sign-in"), 200)
	hasNot(t, h.browser().get("/sign-in"), "Sign in with a passkey")
}

func TestRevokingAToken(t *testing.T) {
	h := build(t)
	if err := h.store.AddToken(t.Context(), h.now, "laptop", "id1", [32]byte{1}); err != nil {
		t.Fatal(err)
	}
	b := h.browser().signIn()
	h.now = h.now.Add(fresh)
	list := b.get("/tokens")
	has(t, list, 200, "laptop", "Made")
	w := b.press(list, "/tokens/revoke")
	has(t, w, http.StatusForbidden, "Is it you?", "laptop", "will not get in any more")
	if w = b.press(w, "/tokens/revoke", "passphrase", theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	w = b.get("/tokens")
	has(t, w, 200, "Revoked")
	if _, err := form(w, "/tokens/revoke"); err == nil {
		t.Error("a revoked token can be revoked")
	}
	has(t, b.press(list, "/tokens/revoke"), http.StatusNotFound, "No token")
}

// TestWherePasskeysDoNotWork: an address by number, or another name than the public one.
func TestWherePasskeysDoNotWork(t *testing.T) {
	for name, h := range map[string]*house{"by number": build(t), "by another name": build(t, func(o *Options) { o.PublicURL = "http://readback.example" })} {
		b := h.browser()
		b.base = "http://127.0.0.1:8787"
		b.signIn()
		has(t, b.get("/passkeys"), 200, "Passkeys need this page's own name")
		b.unlock(theWords)
		for _, path := range []string{"/passkeys/options", "/prove/options", "/sign-in/options"} {
			if w := b.script(path, struct{}{}); w.Code != http.StatusConflict {
				t.Errorf("%s: %s: %d", name, path, w.Code)
			}
		}
	}
}

func TestTheScriptNeedsTheSessionsToken(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	for _, path := range []string{"/prove/options", "/prove/passkey", "/passkeys/options", "/passkeys/add"} {
		r := b.request(path, nil)
		r.Header.Set("X-Readback-Token", "x")
		has(t, b.do(r), http.StatusForbidden, "not signed in")
	}
	// A form's kinds of content are not the script's, however good what they hold.
	h, _, a := withKey(t)
	c := h.browser()
	answer, err := json.Marshal(a.sign(c.script("/sign-in/options", struct{}{}).Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, c.base+"/sign-in/passkey", bytes.NewReader(answer))
	r.Header.Set("Content-Type", "text/plain")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	has(t, c.do(r), http.StatusForbidden)
}
