package talk

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"readback/test/testbed/program"
	"readback/voice/media"
	"readback/voice/speech/wyoming/wyomingtest"
)

//go:embed microphone.js
var microphone string

// patience is how long anything may take on a busy machine.
const patience = 90 * time.Second

// tab is a browser with the page open, whose owner is signed in.
type tab struct {
	t    testing.TB
	h    *house
	ctx  context.Context
	stop func()
}

// opens starts a browser, and signs in.
func (h *house) opens() *tab {
	h.t.Helper()
	b := &tab{t: h.t, h: h}
	for try := 1; ; try++ {
		options := []chromedp.ExecAllocatorOption{
			chromedp.ExecPath(chromium(h.t)), chromedp.NoSandbox, chromedp.Headless, chromedp.NoFirstRun, chromedp.UserDataDir(h.t.TempDir()), chromedp.WSURLReadTimeout(time.Minute),
			chromedp.Flag("use-fake-device-for-media-stream", true), chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("allow-loopback-in-peer-connection", true),
		}
		for _, flag := range []string{"disable-gpu", "disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "hide-scrollbars"} {
			options = append(options, chromedp.Flag(flag, true))
		}
		ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, end := chromedp.NewContext(ctx)
		err := chromedp.Do(ctx)
		b.ctx, b.stop = ctx, func() { end(); stop() }
		if err == nil {
			break
		}
		b.stop()
		if try == 3 { // a busy machine gave it no process
			h.t.Fatal(err)
		}
	}
	h.t.Cleanup(b.stop)
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: microphone})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}})
	call(b, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": "en"}})
	b.within(func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)) })
	b.within(func(ctx context.Context) error {
		_, err := chromedp.RunResponse(ctx, chromedp.Navigate(h.program.Base()+"/sign-in?next=/talk"))
		return err
	})
	b.within(func(ctx context.Context) error {
		return chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#passphrase"), program.Passphrase))
	})
	b.press("main form button")
	return b
}

func chromium(t testing.TB) string {
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
		t.Skip("left out: a call from a real browser, because Chromium is not installed: ", err)
	}
	return path
}

func call[P, R any](b *tab, c cdp.Command[P, R], p P) R {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, c, p) })
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

func (b *tab) within(f func(ctx context.Context) error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := f(ctx); err != nil {
		b.t.Fatalf("%v\nthe page: %s", err, eval[string](b, `location.href + "\n" + JSON.stringify(window.states) + "\n" + document.querySelector("main").innerText`))
	}
}

// press clicks what leads to another page.
func (b *tab) press(selector string) {
	b.t.Helper()
	b.submits(selector, 200)
}

// submits clicks what leads to a page of a status.
func (b *tab) submits(selector string, status int64) {
	b.t.Helper()
	b.within(func(ctx context.Context) error {
		r, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector)))
		if err == nil && r.Status != status {
			err = fmt.Errorf("%s leads to %d", selector, r.Status)
		}
		return err
	})
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))) })
}

func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// wait waits until something is true of the page.
func (b *tab) wait(expression string) {
	b.t.Helper()
	b.within(func(ctx context.Context) error {
		for {
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

// state is how the call stands.
func (b *tab) state() string {
	b.t.Helper()
	return eval[string](b, `document.querySelector("#call").dataset.state`)
}

// stood counts how often the call stood so.
func (b *tab) stood(state string) int {
	b.t.Helper()
	return eval[int](b, fmt.Sprintf(`states.filter(s => s == %q).length`, state))
}

// stands waits until the call stands in one of some ways, and says which.
func (b *tab) stands(states ...string) string {
	b.t.Helper()
	b.wait(fmt.Sprintf(`%q.split(" ").includes(document.querySelector("#call")?.dataset.state)`, strings.Join(states, " ")))
	return b.state()
}

// told waits until Readback was shown to say something.
func (b *tab) told(words string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`[...document.querySelectorAll("#call .turn.agent")].some(e => e.innerText.includes(%q))`, words))
}

func (b *tab) shows(part string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector("#call [data-%s]").innerText`, part))
}

// closes closes the tab, as its owner does: the browser goes on.
func (b *tab) closes() {
	b.t.Helper()
	c := chromedp.FromContext(b.ctx)
	if _, err := cdp.Call(b.ctx, c.Browser, target.CloseTarget, target.CloseTargetParams{TargetID: c.Target.TargetID}); err != nil {
		b.t.Fatal(err)
	}
}

// keep makes a picture, where they are made.
func (b *tab) keep(name string) {
	b.t.Helper()
	folder := os.Getenv("READBACK_BROWSER_SHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll(folder, 0o750)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "scene-"+name+".png"), picture, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// speaks says something into the microphone, by flite, to its end.
func (b *tab) speaks(words string) *utterance {
	b.t.Helper()
	u := &utterance{words: plain(words), from: len(b.h.hears.Heard())}
	b.h.said = append(b.h.said, u)
	var wav bytes.Buffer
	hz, pcm := wyomingtest.Say(b.t, "kal16", words)
	if err := media.WriteWAV(&wav, hz, pcm); err != nil {
		b.t.Fatal(err)
	}
	b.within(func(ctx context.Context) error {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf("said(%q)", base64.StdEncoding.EncodeToString(wav.Bytes())), chromedp.EvalAwaitPromise))
		return err
	})
	return u
}
