// Package browser shows the owner's page in a real browser: Debian's Chromium, headless, driven over its own protocol, with its virtual
// authenticator for passkeys, and axe-core for what a screen reader or a keyboard would stumble on. Most tests have the page alone; one has the whole program, voip.ms
// played on its real wire, and a real ntfy (see test/testbed); a call is had in rooms of a real LiveKit server, with a Readback of the tests (make livekit): test/talk has the real one.
//
// READBACK_BROWSER_SHOTS names a folder for a screenshot of every state of the page. Without Chromium (see install.sh) these tests fail in
// CI (CI=true) and are skipped elsewhere, with the reason; without npm, so is what axe-core judges.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// chromium gives the browser's program.
func chromium(t *testing.T) string {
	t.Helper()
	name := os.Getenv("READBACK_CHROMIUM")
	if name == "" {
		name = "chromium"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("Chromium is not installed: test/browser/install.sh does that: ", err)
		}
		t.Skip("left out: the owner's page in a real browser, because Chromium is not installed: ", err)
	}
	return path
}

// tab is a browser with one page open.
type tab struct {
	t     *testing.T
	base  string
	words string // the owner's passphrase there
	ctx   context.Context

	mu      sync.Mutex
	other   []string // other sites that it may ask
	trouble []string // what the page did that it may not, or could not do
}

// starts is how often a browser is started that a busy machine gave no process, before the page was asked for anything.
const starts = 3

// begun starts a browser.
func begun(t *testing.T, path string, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	for try := 1; ; try++ {
		options := []chromedp.ExecAllocatorOption{
			chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Headless, chromedp.NoFirstRun, chromedp.UserDataDir(t.TempDir()),
			chromedp.WSURLReadTimeout(time.Minute),
		}
		for _, flag := range []string{"disable-gpu", "disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "hide-scrollbars"} {
			options = append(options, chromedp.Flag(flag, true))
		}
		ctx, stop := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
		t.Cleanup(stop)
		ctx, end := chromedp.NewContext(ctx)
		t.Cleanup(end)
		err := chromedp.Do(ctx)
		if err == nil {
			return ctx
		}
		if try == starts {
			t.Fatal(err)
		}
		t.Log("the browser is started once more: ", err)
		end()
		stop()
	}
}

// open starts a browser of its own, without a passkey.
func open(t *testing.T, base string, more ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	b := &tab{t: t, base: base, words: theWords, ctx: begun(t, chromium(t), more...)}
	b.watch()
	return b
}

// watch notes what the page may not do.
func (b *tab) watch() {
	b.t.Helper()
	must(b.t, chromedp.Listen(b.ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := ev.(type) {
		case *network.EventRequestWillBeSent:
			if !slices.ContainsFunc(slices.Concat(b.other, []string{b.base}), func(site string) bool { return strings.HasPrefix(e.Request.URL, site+"/") }) && !strings.HasPrefix(e.Request.URL, "about:") {
				b.trouble = append(b.trouble, "it asks another site: "+e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			b.trouble = append(b.trouble, "a script failed: "+e.ExceptionDetails.Text)
		case *cdplog.EventEntryAdded:
			// The browser notes each answer of 400 and above; these are meant. A breach of the policy is a note of its own.
			// And of a field that was typed into before the browser had put the cursor there by itself: on a busy machine a test is the sooner.
			if e.Entry.Source != cdplog.EntrySourceNetwork && !strings.HasPrefix(e.Entry.Text, "Autofocus processing was blocked") {
				b.trouble = append(b.trouble, "the console says: "+e.Entry.Text)
			}
		}
	}))
}

// may lets it ask other sites, and no others than these.
func (b *tab) may(ask ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.other = ask
}

// opens does something that opens another window, and gives that.
func (b *tab) opens(base string, do func()) *tab {
	b.t.Helper()
	made := chromedp.WaitNewTarget(b.ctx, func(*target.Info) bool { return true })
	do()
	ctx, end := chromedp.NewContext(b.ctx, chromedp.WithTargetID(<-made))
	b.t.Cleanup(end)
	p := &tab{t: b.t, base: base, words: b.words, ctx: ctx}
	p.watch()
	return p
}

// clean fails where the page did what it may not.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.trouble {
		b.t.Error(s)
	}
	b.trouble = nil
}

func call[P, R any](b *tab, c cdp.Command[P, R], p P) R {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, c, p) })
	must(b.t, err)
	return out
}

// authenticator gives the browser a keeper of passkeys that verifies its user by itself.
func (b *tab) authenticator() webauthn.AuthenticatorID {
	b.t.Helper()
	call(b, webauthn.Enable, webauthn.EnableParams{})
	return call(b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}}).AuthenticatorID
}

// patience is how long the browser may take for one step.
const patience = time.Minute

func (b *tab) within(f func(ctx context.Context) error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := f(ctx); err != nil {
		b.t.Fatalf("%v\nthe page: %s", err, eval[string](b, `location.href + "\n" + document.body.innerText`))
	}
}

// visit loads a page and gives the status of the answer.
func (b *tab) visit(path string) int64 {
	b.t.Helper()
	var status int64
	b.within(func(ctx context.Context) error {
		r, err := chromedp.RunResponse(ctx, chromedp.Navigate(b.base+path))
		if err == nil {
			status = r.Status
		}
		return err
	})
	return status
}

// press clicks what leads to another page, and gives the status of that.
func (b *tab) press(selector string) int64 {
	b.t.Helper()
	var status int64
	b.within(func(ctx context.Context) error {
		r, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector)))
		if err == nil {
			status = r.Status
		}
		return err
	})
	return status
}

// write types into a field.
func (b *tab) write(selector, words string) {
	b.t.Helper()
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

func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	must(b.t, err)
	return out
}

// says fails where the page does not say something.
func (b *tab) says(want ...string) {
	b.t.Helper()
	text := eval[string](b, "document.body.innerText")
	for _, s := range want {
		if !strings.Contains(text, s) {
			b.t.Fatalf("%q is not on the page:\n%s", s, text)
		}
	}
}

func (b *tab) at(path string) {
	b.t.Helper()
	if got := eval[string](b, "location.pathname"); got != path {
		b.t.Fatalf("at %s, not %s:\n%s", got, path, eval[string](b, "document.body.innerText"))
	}
}

// signIn signs in by the passphrase.
func (b *tab) signIn() {
	b.t.Helper()
	b.visit("/sign-in")
	b.write("#passphrase", b.words)
	if s := b.press("main form button"); s != 200 {
		b.t.Fatal(s)
	}
	b.at("/")
}

// addKey adds a passkey by the page's own way.
func (b *tab) addKey(name string) {
	b.t.Helper()
	b.visit("/passkeys")
	if eval[bool](b, `!!document.querySelector("form[action='/passkeys/unlock']")`) {
		b.press("form[action='/passkeys/unlock'] button")
		b.write("#passphrase", b.words)
		b.press("main form .yes")
	}
	b.write("#name", name)
	b.press("[data-add] button")
	b.says(name)
}

func yes(id any) string { return fmt.Sprintf("form[action='/sends/%s/yes'] button", id) }
func no(id any) string  { return fmt.Sprintf("form[action='/sends/%s/no'] button", id) }

// clicks clicks something that leads to no other page.
func clicks(selector string) func(context.Context) error {
	return func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))) }
}

// keys types where the focus is.
func (b *tab) keys(s string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.KeyEvent(s)) })
}

// turns does something that leads to another page, and waits for that.
func (b *tab) turns(do func()) {
	b.t.Helper()
	b.within(func(ctx context.Context) error {
		_, err := chromedp.RunResponse(ctx, func(context.Context, *chromedp.Target) (chromedp.Void, error) { do(); return chromedp.Void{}, nil })
		return err
	})
}
