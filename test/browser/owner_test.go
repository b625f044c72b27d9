package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/cdproto/webauthn"

	"readback/smsmcp"
	"readback/smsmcp/page"
)

// long is longer than a proof counts.
const long = 3 * time.Minute

// TestTheOwnersDay is the whole of what the page is for, in a browser: sign in by the passphrase, add a passkey, sign in with it, say yes with a
// fresh proof, say no, freeze, thaw.
func TestTheOwnersDay(t *testing.T) {
	t.Run("plain", func(t *testing.T) { ownersDay(t, build(t)) })
	// With the cookies that TLS asks for, which browsers take from localhost too.
	t.Run("secure", func(t *testing.T) { ownersDay(t, build(t, func(o *page.Options) { o.Secure = true })) })
}

func ownersDay(t *testing.T, h *house) {
	b := open(t, h.url)
	keeper := b.authenticator()

	if s := b.visit("/"); s != 200 {
		t.Fatal(s)
	}
	b.at("/sign-in")
	b.write("#passphrase", "not the words")
	if s := b.press("main form button"); s != 403 {
		t.Fatal(s)
	}
	b.says("That is not the passphrase")
	b.signIn()
	b.says("Nothing waits for your yes.")

	h.later(long)
	b.addKey("this phone")
	b.press("footer form[action='/sign-out'] button")
	b.at("/sign-in")
	if s := b.press("[data-sign-in]"); s != 200 {
		t.Fatal(s)
	}
	b.at("/")

	// The passkey is asked for as soon as Send is pressed, once the last proof is old.
	s := h.draft("Marie Tremblay", "À 18 h devant le théâtre !\nÀ tantôt")
	h.later(long)
	b.visit("/sends/" + string(s.ID))
	b.says("To Marie Tremblay", "+15145550142", "À 18 h devant le théâtre !", "À tantôt", "You have asked to confirm every text.")
	b.press(yes(s.ID))
	if h.state(s.ID) != smsmcp.Done {
		t.Fatal(h.state(s.ID))
	}
	b.at("/sends/" + string(s.ID))
	b.says("sent", "this page")

	// Where the authenticator does not verify its user, there is the passphrase.
	call(b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: keeper, IsUserVerified: false})
	s = h.draft("Alex Roy", "Demain ?")
	h.later(long)
	b.visit("/")
	if status := b.press(yes(s.ID)); status != 403 {
		t.Fatal(status)
	}
	if h.state(s.ID) != smsmcp.Waiting {
		t.Fatal(h.state(s.ID))
	}
	b.says("Is it you?", "To Alex Roy", "Demain ?")
	b.within(clicks("[data-use-passkey]"))
	b.wait(`!document.querySelector("[data-problem]").hidden`)
	b.says("No passkey was given.")
	b.write("#passphrase", theWords)
	b.press("main form.card > button")
	if h.state(s.ID) != smsmcp.Done {
		t.Fatal(h.state(s.ID))
	}
	call(b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: keeper, IsUserVerified: true})

	// A no, and a freeze, without a proof.
	h.later(long)
	s = h.draft("Alex Roy", "Non.")
	b.visit("/")
	b.press(no(s.ID))
	b.says("you said no")
	s = h.draft("Alex Roy", "Plus tard.")
	b.visit("/sends/" + string(s.ID))
	b.press("main form[action='/freeze'] button")
	b.says("All sends are frozen")
	if frozen, err := h.store.Frozen(t.Context()); !frozen || err != nil {
		t.Fatal(frozen, err)
	}
	b.press(".frozen form[action='/thaw'] button") // the passkey
	b.at("/freeze")
	b.says("Sends are not frozen")
	if frozen, err := h.store.Frozen(t.Context()); frozen || err != nil {
		t.Fatal(frozen, err)
	}

	// Tokens and passkeys.
	h.later(long)
	b.visit("/tokens")
	b.press("form[action='/tokens/revoke'] button")
	b.at("/tokens")
	if tokens, err := h.store.Tokens(t.Context()); err != nil || tokens[0].Revoked.IsZero() {
		t.Fatal(tokens, err)
	}
	b.visit("/passkeys")
	b.press("form[action='/passkeys/remove'] button")
	b.says("There are no passkeys yet.")
	b.visit("/history")
	b.says("sent", "you said no", "waiting for your yes")
	b.clean()
}

// TestTheKeyboardIsEnough: signing in and saying yes without a pointer, in an order that makes sense.
func TestTheKeyboardIsEnough(t *testing.T) {
	h := build(t)
	s := h.draft("Marie Tremblay", "Oui.")
	b := open(t, h.url)
	b.visit("/sends/" + string(s.ID))
	b.at("/sign-in")
	b.keys(theWords)
	b.turns(func() { b.keys("\r") }) // the field has the focus
	b.at("/sends/" + string(s.ID))
	var seen []string
	for range 30 {
		b.keys("\t")
		what := eval[string](b, `(e => (e.textContent || e.name || "").trim())(document.activeElement)`)
		outline := eval[string](b, `getComputedStyle(document.activeElement).outlineStyle`)
		if outline == "none" {
			t.Errorf("%q shows no focus", what)
		}
		if seen = append(seen, what); what == "Send" {
			break
		}
	}
	if seen[0] != "Skip to the content" || seen[len(seen)-1] != "Send" {
		t.Fatalf("%q", seen)
	}
	b.turns(func() { b.keys("\r") })
	if h.state(s.ID) != smsmcp.Done {
		t.Fatal(h.state(s.ID))
	}
	b.clean()
}

// TestAnotherSite: a link from there, as from ntfy's own page, finds the owner signed in, though the cookie is SameSite=Strict. A form from there does
// nothing, and no page of ours stands in a frame of theirs.
func TestAnotherSite(t *testing.T) {
	h := build(t)
	s := h.draft("Marie Tremblay", "Oui.")
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><body><a id="link" href="%[1]s/sends/%[2]s">x</a>
<form method="post" action="%[1]s/freeze"><button id="go">x</button></form><iframe src="%[1]s/sends/%[2]s"></iframe></body>`, h.url, s.ID)
	}))
	defer elsewhere.Close() // at 127.0.0.1, which is another site than localhost
	b := open(t, h.url)
	b.signIn()
	away := &tab{t: t, base: elsewhere.URL, ctx: b.ctx}
	away.visit("/")
	if n := eval[int](b, `[...document.querySelectorAll("iframe")].filter(f => { try { return f.contentDocument } catch { return false } }).length`); n != 0 {
		t.Error("a page of ours stands in a frame")
	}
	b.within(clicks("#link"))
	b.wait(`location.pathname == "/sends/` + string(s.ID) + `" && (document.body?.innerText || "").includes("Oui.")`)

	away.visit("/")
	b.within(clicks("#go"))
	b.wait(`(document.body?.innerText || "").includes("That did not come from this page")`)
	if frozen, err := h.store.Frozen(t.Context()); frozen || err != nil {
		t.Fatal(frozen, err)
	}
	b.visit("/")
	b.says("1 text waits for your yes.")
}
