package browser

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/mcptools"
	"readback/smsmcp/web"
	"readback/store"
	"readback/store/questions"
	"readback/voip/sandbox"
)

// chat is Readback's /mcp on loopback, with the real store, door, desk and sandbox carrier behind it, and a client of MCP Apps in a real browser: the reference host's
// bridge, the SDK's client, and a sandbox of another origin (testdata/card).
type chat struct {
	*tab
	store *store.Store
	desk  *confirm.Desk
	file  string // the carrier's
	url   string
	box   string // the sandbox's origin
	token string
	log   bytes.Buffer
	ahead atomic.Int64
}

func (c *chat) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// handler gives the tools over HTTP.
func (c *chat) handler(l lang.Lang) http.Handler {
	dir := c.t.TempDir()
	var err error
	c.store, err = store.Open(c.t.Context(), filepath.Join(dir, "readback.db"))
	must(c.t, err)
	c.file = filepath.Join(dir, "sandbox")
	carrier, err := sandbox.Open(c.file, c.now)
	must(c.t, err)
	var mu sync.Mutex
	log := slog.New(slog.NewTextHandler(locked{&mu, &c.log}, nil))
	c.desk = confirm.New(c.store, c.now, log, append(confirm.Weak(), confirm.Channel{Name: smsmcp.CommandLine, Strong: true, Reachable: func() bool { return true }})...)
	door := dispatch.New(dispatch.Options{
		Carrier: carrier, Ledger: c.store, Now: c.now, Timeout: 10 * time.Second, Tell: func(smsmcp.Send) {}, Reachable: c.desk.Reachable, Log: log,
		Guard: guard.Settings{
			Confirm: guard.ConfirmAlways, PerHour: 100, PerDay: 1000, UnconfirmedPerHour: 100, UnconfirmedPerDay: 1000, Duplicate: 2 * time.Minute,
			FanOut: 30, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8, NewHosts: true,
			Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 30, AsksPerHour: 600,
		},
	})
	c.desk.Bind(door)
	for _, who := range []struct{ name, number string }{{"Marie Tremblay", "5145550142"}, {"Alex Roy", "5145550143"}} {
		made, err := contacts.New(who.name, nil, []string{who.number}, "CA")
		must(c.t, err)
		_, err = c.store.AddContact(c.t.Context(), made, func([]smsmcp.Contact) error { return nil })
		must(c.t, err)
	}
	id, token, hash, err := web.NewToken(crand.Reader)
	must(c.t, err)
	must(c.t, c.store.AddToken(c.t.Context(), c.now(), "claude", id, hash))
	must(c.t, c.store.SetTokenMayConfirm(c.t.Context(), "claude", true))
	c.token = token
	tools, err := mcptools.New(mcptools.Options{
		Book: c.store, Door: door, Who: alone, Now: c.now, Random: crand.Reader, Lang: l, Zone: time.UTC, Version: "1", Log: log, MaxChars: 100_000, BodyChars: 4000,
		Questions: questions.New(c.store.DB()), Desk: c.desk, Wait: 20 * time.Second,
	})
	must(c.t, err)
	c.t.Cleanup(func() {
		door.Close(context.Background())
		c.store.Close()
		carrier.Close()
	})
	return web.New(web.Options{MCP: tools, Tokens: c.store, NoToken: store.ErrNoToken, Now: time.Now, Log: log, Lang: l, RequestsPerMinute: 100_000, Burst: 10_000})
}

type locked struct {
	mu *sync.Mutex
	to *bytes.Buffer
}

func (l locked) Write(p []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.to.Write(p) }

// The policy of a document that asks for nothing (MCP Apps, "Restrictive Default"), and what the sandbox of a host adds.
const restricted = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; " +
	"frame-src 'none'; object-src 'none'; base-uri 'self'"

// alone is whose token a request came with, as if the owner had let it in by a browser: it is one client's alone, so that one of an older era is known to draw cards.
func alone(ctx context.Context) smsmcp.Principal {
	who := web.Who(ctx)
	who.Alone = true
	return who
}

// chats starts all of it.
func chats(t *testing.T, l lang.Lang) *chat {
	t.Helper()
	folder, err := modules()
	if errors.Is(err, errNoNPM) && os.Getenv("CI") != "true" {
		t.Skip("left out: the card in the reference host of MCP Apps: ", err)
	}
	must(t, err)
	c := &chat{tab: &tab{t: t}}
	mux := http.NewServeMux()
	mux.Handle("/mcp", c.handler(l))
	mux.Handle("GET /modules/", http.StripPrefix("/modules/", http.FileServer(http.Dir(folder))))
	for name, policy := range map[string]string{"host.html": "", "host.mjs": "", "sandbox.html": restricted} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			if policy != "" {
				w.Header().Set("Content-Security-Policy", policy)
			}
			http.ServeFile(w, r, filepath.Join("testdata", "card", name))
		})
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	srv := &http.Server{Handler: mux}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	must(t, err)
	c.url, c.box = "http://localhost:"+port, "http://127.0.0.1:"+port
	t.Cleanup(func() {
		srv.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	// A frame of another origin runs in a process of its own, where this browser's driver does not look by itself.
	c.tab = open(t, c.url, chromedp.Flag("disable-site-isolation-trials", true), chromedp.Flag("disable-features", "IsolateOrigins,site-per-process,IsolateSandboxedIframes"))
	c.other = []string{c.box}
	return c
}

// enter opens a new chat; more are parameters of the host's page: era, how, theme, draws.
func (c *chat) enter(more string) {
	c.t.Helper()
	c.visit("/host.html?sandbox=" + c.box + "&" + more + "#" + c.token)
	c.wait(`!!window.chat`)
}

// does runs a script of the chat that gives a promise, and what it gives as JSON.
func does[T any](c *chat, script string) (out T) {
	c.t.Helper()
	var raw string
	c.within(func(ctx context.Context) (err error) {
		raw, err = chromedp.Run(ctx, chromedp.Evaluate[string](`(async () => JSON.stringify(await (`+script+`) ?? null))()`, chromedp.EvalAwaitPromise))
		return err
	})
	must(c.t, json.Unmarshal([]byte(raw), &out))
	return out
}

func js(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// sends has the model call send_text, and the host draw the card; options are the host's (see host.mjs). It gives which card of the chat that is, from 0.
func (c *chat) sends(to, body, options string) int {
	c.t.Helper()
	if options == "" {
		options = "{}"
	}
	return does[int](c, fmt.Sprintf(`chat.send(%s, %s).then(() => chat.cards.length - 1)`, js(map[string]string{"to": to, "body": body}), options))
}

// card evaluates something in a card's document, in a world of its own, beside the document's script.
func (c *chat) card(n int, expression string) string {
	c.t.Helper()
	frames := call(c.tab, page.GetFrameTree, struct{}{}).FrameTree.ChildFrames
	if n >= len(frames) || len(frames[n].ChildFrames) != 1 {
		c.t.Fatalf("there is no card %d of %d", n, len(frames))
	}
	yes := true
	world := call(c.tab, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frames[n].ChildFrames[0].Frame.ID}).ExecutionContextID
	out := call(c.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: "(async () => JSON.stringify(await (" + expression + ") ?? null))()", ContextID: world, AwaitPromise: &yes, ReturnByValue: &yes})
	if out.ExceptionDetails != nil {
		c.t.Fatalf("%s: %+v", expression, out.ExceptionDetails)
	}
	var quoted string
	must(c.t, json.Unmarshal(out.Result.Value, &quoted))
	var s string
	if json.Unmarshal([]byte(quoted), &s) == nil {
		return s
	}
	return quoted
}

// awaits waits until a card shows something.
func (c *chat) awaits(n int, text string) {
	c.t.Helper()
	said := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if said = c.card(n, `document.body.innerText`); strings.Contains(said, text) {
			return
		}
	}
	c.t.Fatalf("the card does not say %q:\n%s", text, said)
}

// buttons gives the buttons that can be pressed on a card.
func (c *chat) buttons(n int) string {
	c.t.Helper()
	return c.card(n, `[...document.querySelectorAll("button")].filter((b) => b.offsetHeight && !b.disabled).map((b) => b.id).join(" ")`)
}

// presses clicks a button of a card with the mouse, once the host has made room for the card.
func (c *chat) presses(n int, button string) {
	c.t.Helper()
	type point struct{ X, Y float64 }
	var at, frame point
	for end, last := time.Now().Add(patience), ""; ; time.Sleep(20 * time.Millisecond) {
		raw := c.card(n, `(({left, top, width, height}) => ({X: left + width / 2, Y: top + height / 2}))(document.getElementById(`+js(button)+`).getBoundingClientRect())`)
		must(c.t, json.Unmarshal([]byte(raw), &at))
		whole := c.card(n, `innerHeight >= document.documentElement.getBoundingClientRect().height`) == "true"
		eval[bool](c.tab, fmt.Sprintf(`chat.cards[%d].frame.scrollIntoView({block: "end"}), true`, n))
		raw += eval[string](c.tab, fmt.Sprintf(`JSON.stringify((({left, top}) => ({X: left + 1, Y: top + 1}))(chat.cards[%d].frame.getBoundingClientRect()))`, n))
		if whole && raw == last {
			must(c.t, json.Unmarshal([]byte(raw[strings.LastIndex(raw, "{"):]), &frame))
			break
		}
		if last = raw; time.Now().After(end) {
			c.t.Fatalf("the card does not come to rest: %s", raw)
		}
	}
	must(c.t, chromedp.Do(c.ctx, chromedp.MouseClickXY(frame.X+at.X, frame.Y+at.Y)))
}

// only gives the one send.
func (c *chat) only() smsmcp.Send {
	c.t.Helper()
	all, err := c.store.Sends(c.t.Context(), 50)
	must(c.t, err)
	if len(all) != 1 {
		c.t.Fatalf("%d sends", len(all))
	}
	return all[0]
}

// sent gives what the carrier was handed.
func (c *chat) sent() (bodies []string) {
	c.t.Helper()
	raw, err := os.ReadFile(c.file)
	must(c.t, err)
	for line := range strings.Lines(string(raw)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var text struct{ Body string }
		must(c.t, json.Unmarshal([]byte(line), &text))
		bodies = append(bodies, text.Body)
	}
	return bodies
}

// keepsSecret fails where a secret stands in what the model was given, or in the log.
func (c *chat) keepsSecret(secrets ...string) {
	c.t.Helper()
	model := does[string](c, `JSON.stringify(chat.model)`)
	for _, s := range append(secrets, "answer_send", "readback/card") {
		if strings.Contains(model, s) || s != "answer_send" && strings.Contains(c.log.String(), s) {
			c.t.Errorf("%q reached the model or the log", s)
		}
	}
}
