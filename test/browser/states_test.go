package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
)

// look is how a page is looked at.
type look struct {
	name          string
	width, height int64
	scheme, lang  string
	judged        bool // by axe-core: of the eight, four that hold every pair of size, scheme and language
}

// looks gives all eight for pictures, and the four that are judged where none are made.
func looks(all bool) (out []look) {
	for i, size := range []look{{name: "phone", width: 360, height: 740}, {name: "desktop", width: 1280, height: 800}} {
		for j, scheme := range []string{"light", "dark"} {
			for k, l := range []string{"en", "fr"} {
				if judged := (i+j+k)%2 == 0; judged || all {
					out = append(out, look{size.name + "-" + scheme + "-" + l, size.width, size.height, scheme, l, judged})
				}
			}
		}
	}
	return out
}

// looked has the page looked at in one way from now on.
func (b *tab) looked(l look) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}})
	call(b, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": l.lang}})
	size := []chromedp.EmulateViewportOption{}
	if l.name[0] == 'p' {
		size = append(size, chromedp.EmulateMobile, chromedp.EmulateScale(2))
	}
	must(b.t, chromedp.Do(b.ctx, chromedp.EmulateViewport(l.width, l.height, size...)))
}

// shots names the variable that names a folder for pictures.
const shots = "READBACK_BROWSER_SHOTS"

// keep judges a state of the page as it is looked at, and makes a picture of it if pictures are made.
func (b *tab) keep(state string, l look) {
	b.t.Helper()
	name := state + "-" + l.name
	if got := eval[string](b, "document.documentElement.lang"); got != l.lang {
		b.t.Errorf("%s: the language is %q", name, got)
	}
	if wide := eval[int64](b, "document.documentElement.scrollWidth"); wide > l.width {
		b.t.Errorf("%s: it is %d wide, the screen %d", name, wide, l.width)
	}
	if small := eval[string](b, `[...document.querySelectorAll("button, nav a, input:not([type=hidden], .away)")].filter(e => e.offsetHeight && e.offsetHeight < 40).map(e => e.outerHTML).join("\n")`); small != "" {
		b.t.Errorf("%s: too small for a finger: %s", name, small)
	}
	if l.judged {
		b.judge(name)
	}
	b.clean()
	folder := os.Getenv(shots)
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	must(b.t, err)
	must(b.t, os.MkdirAll(folder, 0o755))
	must(b.t, os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644))
}

// TestEveryStateOfThePage looks at every state on a phone and on a desk, light and dark, in both languages: nothing sticks out of it, axe-core has
// nothing against it, and it loads nothing that is not its own. With READBACK_BROWSER_SHOTS it is kept as a picture.
func TestEveryStateOfThePage(t *testing.T) {
	h := build(t)
	b := open(t, h.url)
	b.authenticator()

	first := h.draft("Marie Tremblay", "Je passe te prendre à 18 h devant le théâtre !\nÀ tantôt,\nMaman")
	a, err := h.door.Send(t.Context(), dispatch.Request{To: "Alex Roy", Body: "pay \u202eevil\u202c now", By: "laptop", Scope: smsmcp.MCP})
	must(t, err)
	refused := a.Send

	var second smsmcp.Send
	for i, l := range looks(os.Getenv(shots) != "") {
		b.looked(l)
		n := 0
		keep := func(state string) {
			t.Helper()
			n++
			b.keep(fmt.Sprintf("%02d-%s", n, state), l)
		}

		b.visit("/sign-in")
		keep("sign-in")
		b.write("#passphrase", "not the words")
		b.press("main form button")
		keep("sign-in-wrong")
		b.signIn()
		if i == 0 {
			keep("waiting-one")
			b.visit("/passkeys")
			keep("passkeys-none")
			b.addKey("téléphone de Claire")
		} else {
			n += 2
		}
		b.visit("/passkeys")
		b.press("form[action='/passkeys/unlock'] button")
		b.write("#passphrase", theWords)
		b.press("main form .yes")
		b.at("/passkeys")
		keep("passkeys-unlocked")
		if i == 0 {
			second = h.draft("Jean-Christophe de la Rochefoucauld", "  Regarde https://exemple.example/une/adresse/tres/longue/qui/ne/tient/pas/sur/une/ligne?x=1   et <b>réponds</b>\n\n\n\n\nשלום 18:00 👨‍👩‍👧")
		}
		h.later(long)
		b.visit("/")
		keep("waiting-two")
		b.visit("/sends/" + string(second.ID))
		keep("send")
		// The form goes without the passkey, as it does where the owner gives none.
		eval[bool](b, `document.querySelectorAll("[data-prove]").forEach(f => f.addEventListener("submit", e => { e.stopImmediatePropagation() }, true)), true`)
		b.press(yes(second.ID))
		keep("ask-send")
		b.write("#passphrase", "not the words")
		b.press("main form.card > button")
		keep("ask-send-wrong")
		h.freeze(true)
		b.visit("/")
		keep("frozen-waiting")
		b.visit("/freeze")
		keep("frozen")
		b.turns(func() { eval[bool](b, `document.querySelector("main form[action='/thaw']").submit(), true`) })
		keep("ask-thaw")
		h.freeze(false)
		b.visit("/freeze")
		keep("not-frozen")
		b.visit("/history")
		keep("history")
		b.visit("/sends/" + string(refused.ID))
		keep("send-refused")
		b.visit("/contacts")
		keep("contacts")
		b.visit("/tokens")
		keep("tokens")
		b.turns(func() { eval[bool](b, `document.querySelector("form[action='/tokens/revoke']").submit(), true`) })
		keep("ask-revoke")
		b.visit("/passkeys")
		keep("passkeys")
		b.press("form[action='/passkeys/unlock'] button")
		keep("ask-words")
		b.visit("/nothing-here")
		keep("not-found")
		b.visit("/")
		b.press("footer form[action='/sign-out'] button")
		keep("signed-out")
	}
	if h.state(first.ID) != smsmcp.Waiting {
		t.Error("looking changed something")
	}
}
