package oauth

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"readback/test/testbed/program"
)

// patience is how long one step may take on a busy machine.
const patience = time.Minute

// tab is the owner's browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

func browse(t *testing.T) *tab {
	t.Helper()
	name := os.Getenv("READBACK_CHROMIUM")
	if name == "" {
		name = "chromium"
	}
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("left out: the owner agrees in a real browser, because Chromium is not installed (test/browser/install.sh): ", err)
	}
	must(t, err)
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Headless, chromedp.NoFirstRun, chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(patience),
	}
	for _, flag := range []string{"disable-gpu", "disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	for try := 1; ; try++ { // a busy machine gives it no process now and then
		ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, end := chromedp.NewContext(ctx)
		if err = chromedp.Do(ctx); err == nil {
			t.Cleanup(func() { end(); stop() })
			return &tab{t, ctx}
		}
		end()
		stop()
		if try == 3 {
			t.Fatal(err)
		}
	}
}

func call[P, R any](b *tab, c cdp.Command[P, R], p P) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, c, p) })
	must(b.t, err)
}

// authenticator gives the browser a keeper of passkeys that verifies its user by itself.
func (b *tab) authenticator() {
	b.t.Helper()
	call(b, webauthn.Enable, webauthn.EnableParams{})
	call(b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
}

func (b *tab) within(f func(ctx context.Context) error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := f(ctx); err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
		b.t.Fatalf("%v\nthe page: %s", err, text)
	}
}

func (b *tab) visit(address string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error {
		_, err := chromedp.RunResponse(ctx, chromedp.Navigate(address))
		return err
	})
}

// press clicks something once it is there.
func (b *tab) press(selector string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`document.readyState == "complete" && !!document.querySelector(%q)`, selector))
	b.within(func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))) })
}

// write types into a field once it is there.
func (b *tab) write(selector, words string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`document.readyState == "complete" && !!document.querySelector(%q)`, selector))
	b.within(func(ctx context.Context) error {
		return chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS(selector), words))
	})
}

// wait waits until something is true of the page.
func (b *tab) wait(expression string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error {
		for {
			// An error is a page that is on its way out.
			if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); ok && err == nil {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s: %w", expression, ctx.Err())
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
}

// says waits until the page says all of this.
func (b *tab) says(want ...string) {
	b.t.Helper()
	for _, s := range want {
		b.wait(fmt.Sprintf(`(document.body?.innerText || "").includes(%q)`, s))
	}
}

func at(path string) string { return fmt.Sprintf(`location.pathname == %q`, path) }

// addKey signs in by the passphrase and adds a passkey, and signs out again.
func (b *tab) addKey(public string) {
	b.t.Helper()
	b.visit(public + "/sign-in")
	b.write("#passphrase", program.Passphrase)
	b.press("main form button")
	b.wait(at("/"))
	b.visit(public + "/passkeys")
	b.press("form[action='/passkeys/unlock'] button")
	b.write("#passphrase", program.Passphrase)
	b.press("main form .yes")
	b.write("#name", "this phone")
	b.press("[data-add] button")
	b.says("this phone")
	b.press("footer form[action='/sign-out'] button")
	b.wait(at("/sign-in"))
}

const allow = "form[action^='/oauth/authorize/yes'] button"

// agrees opens what a client asks, signs in there, reads the question and says yes to it: by the passkey that the browser has, or by the passphrase.
func (b *tab) agrees(address string, passkey bool, says ...string) {
	b.t.Helper()
	b.visit(address)
	b.wait(at("/sign-in"))
	if passkey {
		b.press("[data-sign-in]")
	} else {
		b.write("#passphrase", program.Passphrase)
		b.press("main form:not([action='/language']) button")
	}
	b.wait(at("/oauth/authorize"))
	b.says(append(says, "Let a program in?", "read the texts", "send texts")...)
	b.press(allow)
	if !passkey { // a passkey is asked for by the press itself
		b.says("Is it you?")
		b.write("#passphrase", program.Passphrase)
		b.press("main form.card > button")
	}
	b.wait(`!location.pathname.startsWith("/oauth/")`)
}

// text is what the page says.
func (b *tab) text() string {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.innerText"))
	must(b.t, err)
	return strings.TrimSpace(out)
}
