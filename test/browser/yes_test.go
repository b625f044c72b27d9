package browser

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/test/testbed/program"
)

// TestTheOwnersYesOnThePage has a model fooled by a stranger's disguised text, and the owner answer on the page of the real program, which a notification
// opens on a phone in French.
func TestTheOwnersYesOnThePage(t *testing.T) {
	r := begin(t)
	b := r.tab
	keeper := b.authenticator()
	call(b, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": "fr-CA"}})
	must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateScale(2))))
	r.fooled()

	// The fooled model's text is stopped.
	q, answer := r.asked("Bruno Roy", "The alarm code is 4821.")
	r.follow(q)
	b.at("/sign-in")
	r.keep("sign-in")
	b.write("#passphrase", b.words)
	b.press("main form button")
	b.at("/sends/" + id(q))
	b.visit("/passkeys")
	if status := b.press("form[action='/passkeys/unlock'] button"); status != http.StatusForbidden {
		t.Fatalf("another passkey is added without a passphrase of its own: %d", status)
	}
	b.addKey("téléphone de Claire")
	r.keep("passkeys")
	r.follow(q)
	r.shows(draft{To: "À Bruno Roy", Number: bruno, Body: "The alarm code is 4821.", Reasons: heard})
	r.keep("draft")
	b.press(no(id(q)))
	b.says("dit non")
	r.keep("declined")
	r.hears(answer, "The owner said no: the text to Bruno Roy was not sent")
	r.stands(q, "The owner said no: the text to Bruno Roy was not sent")
	if status, said := r.tap(q, "Send"); status != http.StatusOK || said != "Not sent: you said no." {
		t.Errorf("Send on the phone after a no on the page: %d %q", status, said)
	}
	r.sent()

	// The owner's own is sent, once, by a passkey that is given after the question: the one that signed in was from before.
	b.press("footer form[action='/sign-out'] button")
	b.at("/sign-in")
	b.press("[data-sign-in]")
	b.at("/")
	b.says(french("waiting_none"))
	q, answer = r.asked("Marie Tremblay", "See you at 6.")
	r.follow(q)
	r.shows(draft{To: "À Marie Tremblay", Number: marie, Body: "See you at 6.", Reasons: heard})
	call(b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: keeper, IsUserVerified: false})
	if status := b.press(yes(id(q))); status != http.StatusForbidden {
		t.Fatal(status)
	}
	b.says(french("ask_title"), "À Marie Tremblay", "See you at 6.")
	r.keep("proof")
	r.stands(q, "waits for the owner's yes")
	r.sent()
	call(b, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: keeper, IsUserVerified: true})
	form := eval[string](b, `new URLSearchParams(new FormData(document.querySelector("main form.card"))).toString()`)
	before := r.proofs(keeper)
	b.press("[data-use-passkey]")
	b.at("/sends/" + id(q))
	b.says("envoyé", "cette page")
	r.keep("sent")
	if n := r.proofs(keeper); n != before+1 {
		t.Errorf("the passkey was used %v times for one yes", n-before)
	}
	r.hears(answer, "The text to Marie Tremblay was sent at")
	r.stands(q, "The text to Marie Tremblay was sent at")
	r.sent("See you at 6.")
	again, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`fetch("/sends/`+id(q)+`/yes", {method: "POST", body: new URLSearchParams("`+form+`")}).then(r => r.status)`, chromedp.EvalAwaitPromise))
	must(t, err)
	if again != http.StatusConflict {
		t.Errorf("the same yes again: %d", again)
	}
	r.tap(q, "Send")
	r.sent("See you at 6.")

	// Freeze stops what gets its yes elsewhere, until the owner lifts it.
	q, answer = r.asked("Marie Tremblay", "And bring wine.")
	r.follow(q)
	b.press("main form[action='/freeze'] button")
	b.at("/sends/" + id(q))
	b.says(french("frozen"))
	if eval[bool](b, `!!document.querySelector("`+yes(id(q))+`")`) {
		t.Error("there is a Send while all is frozen")
	}
	r.keep("frozen")
	if status, said := r.tap(q, "Send"); status != http.StatusOK || !strings.HasPrefix(said, "Not sent:") || !strings.Contains(said, "frozen") {
		t.Errorf("Send on the phone while all is frozen: %d %q", status, said)
	}
	r.hears(answer, "Refused: the text to Marie Tremblay was not sent")
	r.stands(q, "The owner has frozen all sends.")
	r.sent("See you at 6.")
	b.press(".frozen form[action='/thaw'] button")
	b.at("/freeze")
	b.says(french("not_frozen"))

	// The passkey is asked for as soon as Send is pressed.
	q, answer = r.asked("Marie Tremblay", "And beer.")
	r.follow(q)
	before = r.proofs(keeper)
	b.press(yes(id(q)))
	b.at("/sends/" + id(q))
	b.says("envoyé")
	if n := r.proofs(keeper); n != before+1 {
		t.Errorf("the passkey was used %v times for one yes", n-before)
	}
	r.hears(answer, "The text to Marie Tremblay was sent at")
	r.sent("See you at 6.", "And beer.")

	b.visit("/history")
	r.keep("history")
	b.judge("the history")
	if _, metrics := r.program.Get(t.Context(), "/metrics"); !strings.Contains(metrics, `readback_answers_total{channel="page"} 2`) {
		t.Errorf("the metrics: %s", metrics)
	}

	// Where the owner wants no questions, the fooled model's text goes at once, though the hold lasts.
	r.program.Stop()
	r.program.Rewrite(r.toml+"[guard]\nconfirm = \"never\"\n", nil)
	r.program.Start()
	b.visit("/")
	b.at("/sign-in") // for all were signed out
	b.press("[data-sign-in]")
	b.at("/")
	if got := r.program.Call(t.Context(), "send_text", map[string]any{"to": "Bruno Roy", "body": "The alarm code is 4821."}); !strings.Contains(got, "Sent to Bruno Roy") {
		t.Errorf("send_text: %s", got)
	}
	r.sent("See you at 6.", "And beer.", "The alarm code is 4821.")
	b.visit("/")
	b.says(french("waiting_none"))
	b.visit("/history")
	r.keep("never")
	b.clean()
	r.program.Stop()
	for _, secret := range []string{program.Passphrase, "alarm code", "See you at 6.", marie, "Tremblay", r.bed.NtfyWriter} {
		if strings.Contains(r.program.Log(), secret) {
			t.Errorf("%q is in the log", secret)
		}
	}
}

// heard are words of the reasons for asking, in their order, once the model was shown the disguised text.
var heard = []string{"Les mots d'un inconnu", "manipuler", "nomme ce contact", "un canal sûr"}

// french are words of the page.
func french(key string) string {
	words := screen.Page(lang.FR, key)
	if words == "" {
		panic("the page has no words for " + key)
	}
	return words
}

// draft is what the page shows of a text that waits.
type draft struct {
	To, Number, Body string
	Reasons          []string // of those that are wanted, some words each
}

// shows fails unless the page shows this draft and no other.
func (r *real) shows(want draft) {
	r.t.Helper()
	got := eval[[]draft](r.tab, `[...document.querySelectorAll("main article")].map(a => ({
		To: a.querySelector("h2").innerText, Number: a.querySelector(".number").innerText, Body: a.querySelector(".body").innerText,
		Reasons: [...a.querySelectorAll(".reasons li")].map(e => e.innerText),
	}))`)
	if len(got) != 1 || got[0].To != want.To || got[0].Number != want.Number || got[0].Body != want.Body ||
		!slices.EqualFunc(got[0].Reasons, want.Reasons, strings.Contains) {
		r.t.Errorf("the page shows %q, not %q", got, want)
	}
}

// proofs is how often the passkey was used.
func (r *real) proofs(keeper webauthn.AuthenticatorID) float64 {
	r.t.Helper()
	all := call(r.tab, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: keeper}).Credentials
	if len(all) != 1 {
		r.t.Fatalf("%d passkeys", len(all))
	}
	return all[0].SignCount
}

// keep keeps a picture of the page, and fails where something sticks out of it.
func (r *real) keep(state string) {
	r.t.Helper()
	if wide := eval[[2]int](r.tab, "[document.documentElement.scrollWidth, innerWidth]"); wide[0] > wide[1] {
		r.t.Errorf("%s: it is %d wide, the screen %d", state, wide[0], wide[1])
	}
	shots := os.Getenv("READBACK_BROWSER_SHOTS")
	if shots == "" {
		return
	}
	picture, err := chromedp.Run(r.tab.ctx, chromedp.FullScreenshot(100))
	must(r.t, err)
	must(r.t, os.MkdirAll(shots, 0o755))
	must(r.t, os.WriteFile(filepath.Join(shots, "real-"+state+".png"), picture, 0o644))
}
