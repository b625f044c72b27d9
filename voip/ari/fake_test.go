package ari_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"readback/voip/ari"
)

const secret = "s3cret-of-the-test"

// fake is an ARI that does what no real one can be made to do.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	asked    []string // method and whole address
	headers  []http.Header
	events   func(conn *websocket.Conn) // the script of a connection
	rest     http.HandlerFunc           // of all other calls; nil answers {}
	connects int
}

func newFake(t *testing.T) *fake {
	f := &fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.asked = append(f.asked, r.Method+" "+r.URL.String())
		f.headers = append(f.headers, r.Header.Clone())
		events, rest := f.events, f.rest
		if r.URL.Path == "/ari/events" {
			f.connects++
		}
		f.mu.Unlock()
		switch {
		case r.URL.Path == "/ari/events" && events != nil:
			conn, err := websocket.Accept(w, r, nil)
			if err != nil {
				return
			}
			defer conn.CloseNow()
			events(conn)
		case rest != nil:
			rest(w, r)
		default:
			fmt.Fprint(w, "{}")
		}
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) client(t *testing.T, change ...func(*ari.Config)) *ari.Client {
	t.Helper()
	c := ari.Config{
		URL: f.URL + "/ari", App: "readback", User: "user", Password: func() (string, error) { return secret, nil }, Sources: []string{"endpoint:PJSIP"},
		Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)), Timeout: 2 * time.Second, Ping: 50 * time.Millisecond, MinWait: time.Millisecond, MaxWait: 20 * time.Millisecond,
	}
	for _, f := range change {
		f(&c)
	}
	got, err := ari.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(got.Close)
	return got
}

func say(conn *websocket.Conn, events ...string) {
	for _, e := range events {
		if conn.Write(context.Background(), websocket.MessageText, []byte(e)) != nil {
			return
		}
	}
}

// stay reads until the client has gone: pings are answered by reading.
func stay(conn *websocket.Conn) {
	for {
		if _, _, err := conn.Read(context.Background()); err != nil {
			return
		}
	}
}

func textEvent(body string) string {
	return fmt.Sprintf(`{"type":"TextMessageReceived","message":{"from":"a","to":"b","body":%q,"variables":{}}}`, body)
}

// TestWhatIsNoEventEndsNothing: unknown types, unknown fields, other forms and broken JSON, between two texts on one connection.
func TestWhatIsNoEventEndsNothing(t *testing.T) {
	f := newFake(t)
	f.events = func(conn *websocket.Conn) {
		say(conn, textEvent("first"), `{"type":"BrandNewEvent","future":{"a":[1,2,{"b":null}]}}`, `{"type":"StasisStart"}`, `{"type":"ChannelDestroyed","channel":{"id":"../x"}}`,
			`{`, `[]`, `null`, `"text"`, `12`, ``, "\xff\xfe", `{"type":7}`, `{"type":"TextMessageReceived","message":[]}`, `{"no":"type"}`,
			`{"type":"TextMessageReceived","message":{"body":"list","variables":[{"key":"a","value":"b"}]},"timestamp":12}`, textEvent("last"))
		stay(conn)
	}
	c := f.client(t)
	e := listen(t, c)
	e.until(t, "the last", func() bool {
		m := e.texts()
		return len(m) > 0 && m[len(m)-1].Body.RawForStore() == "last"
	})
	h := e.copy()
	if h.connected != 1 || len(h.down) != 0 || len(h.texts()) != 4 {
		t.Errorf("%d connections, down %v, %d texts", h.connected, h.down, len(h.texts()))
	}
	if s := c.State(); s.Skipped != 9 || !s.Up {
		t.Errorf("%+v", s)
	}
}

// TestAnEventThatIsTooBig costs its connection and nothing else.
func TestAnEventThatIsTooBig(t *testing.T) {
	f := newFake(t)
	var once sync.Once
	f.events = func(conn *websocket.Conn) {
		once.Do(func() { say(conn, textEvent("before"), textEvent(strings.Repeat("x", 300<<10))) })
		say(conn, textEvent("after"))
		stay(conn)
	}
	e := listen(t, f.client(t))
	e.until(t, "the text on the next connection", func() bool { return len(e.texts()) == 2 && e.connected == 2 })
	h := e.copy()
	if h.down[0] != ari.CodeTooBig {
		t.Error(h.down)
	}
}

// TestASlowListener: events wait while the listener is busy, the connection stands, and every one is told, in order.
func TestASlowListener(t *testing.T) {
	f := newFake(t)
	const n = 6000 // more than may wait
	f.events = func(conn *websocket.Conn) {
		go func() {
			for i := range n {
				say(conn, textEvent(fmt.Sprint(i)))
			}
		}()
		stay(conn)
	}
	c := f.client(t, func(c *ari.Config) { c.Timeout = 200 * time.Millisecond; c.Ping = 20 * time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	var got []string
	connects := 0
	busy := time.NewTimer(time.Second) // of virtual work: several pings' time
	_ = c.Run(ctx, ari.Listener{
		Connected: func(context.Context) error { connects++; return nil },
		Event: func(_ context.Context, e ari.Event) {
			if len(got) == 0 {
				<-busy.C
			}
			if got = append(got, e.(ari.TextMessageReceived).Body.RawForStore()); len(got) == n {
				cancel()
			}
		},
		Down: func(code string) { t.Errorf("down: %s after %d", code, len(got)); cancel() },
	})
	for i, s := range got {
		if s != fmt.Sprint(i) {
			t.Fatalf("%d: %s", i, s)
		}
	}
	if len(got) != n || connects != 1 {
		t.Errorf("%d events, %d connections", len(got), connects)
	}
}

// TestEventsWaitForTheCatchUp: the order on each connection is subscribe, hook, events; and a hook that fails ends the connection.
func TestEventsWaitForTheCatchUp(t *testing.T) {
	f := newFake(t)
	f.events = func(conn *websocket.Conn) { say(conn, textEvent("early")); stay(conn) }
	c := f.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	var order []string
	hooks := 0
	_ = c.Run(ctx, ari.Listener{
		Connected: func(context.Context) error {
			f.mu.Lock()
			subscribed := strings.Contains(strings.Join(f.asked, " "), "POST /ari/applications/readback/subscription")
			f.asked = nil
			f.mu.Unlock()
			order = append(order, fmt.Sprint("hook ", subscribed))
			if hooks++; hooks == 1 {
				return context.DeadlineExceeded
			}
			return nil
		},
		Event: func(context.Context, ari.Event) {
			if order = append(order, "event"); hooks == 2 {
				cancel()
			}
		},
		Down: func(code string) { order = append(order, code) },
	})
	got := strings.Join(order, ", ")
	if got != "hook true, event, ari_catch_up, hook true, event" && got != "hook true, ari_catch_up, hook true, event" {
		t.Error(got)
	}
}

func TestReplacedByAnother(t *testing.T) {
	f := newFake(t)
	f.events = func(conn *websocket.Conn) {
		say(conn, `{"type":"ApplicationReplaced","application":"readback"}`)
		stay(conn)
	}
	c := f.client(t)
	e := listen(t, c)
	e.until(t, "replaced", func() bool { return e.lastDown() == ari.CodeReplaced })
}

// TestAnAnswerThatDoesNotCome is bounded in time, and one without end in size.
func TestAnAnswerThatDoesNotCome(t *testing.T) {
	f := newFake(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	c := f.client(t, func(c *ari.Config) { c.Timeout = 100 * time.Millisecond })
	set := func(h http.HandlerFunc) { f.mu.Lock(); f.rest = h; f.mu.Unlock() }
	for name, h := range map[string]http.HandlerFunc{
		"headers": func(http.ResponseWriter, *http.Request) { <-release },
		"body": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"a":`)
			w.(http.Flusher).Flush()
			<-release
		},
	} {
		set(h)
		if _, err := c.Info(t.Context()); code(err) != ari.CodeTimedOut {
			t.Errorf("%s, by the library: %v", name, err)
		}
		if _, err := c.Channels(t.Context()); code(err) != ari.CodeTimedOut {
			t.Errorf("%s: %v", name, err)
		}
		var e *ari.Error
		err := c.SendMessage(t.Context(), ari.Message{To: "a", From: "b", Body: "c"})
		if code(err) != ari.CodeTimedOut || !errors.As(err, &e) || !e.Left() {
			t.Errorf("%s, a message: %v", name, err)
		}
	}
	c = f.client(t)
	set(func(w http.ResponseWriter, _ *http.Request) {
		for blanks := strings.Repeat(" ", 1<<20); ; {
			if _, err := fmt.Fprint(w, blanks); err != nil {
				return
			}
		}
	})
	if _, err := c.Channels(t.Context()); code(err) != ari.CodeTooBig {
		t.Error(err)
	}
	set(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") })
	if _, err := c.Channels(t.Context()); code(err) != ari.CodeBadAnswer {
		t.Error(err)
	}
	if _, err := c.Info(t.Context()); code(err) != ari.CodeBadAnswer {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Info(ctx); code(err) != ari.CodeCancelled {
		t.Error(err)
	}
}

// TestInvariant11NoCredentialInURLOrError: the password is in one header of each request, and nowhere else; a redirect does not carry it on.
func TestInvariant11NoCredentialInURLOrError(t *testing.T) {
	elsewhere := newFake(t)
	f := newFake(t)
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+secret))
	cut := make(chan struct{})
	f.events = func(conn *websocket.Conn) {
		go func() { <-cut; conn.CloseNow() }()
		stay(conn)
	}
	c := f.client(t)
	e := listen(t, c)
	e.until(t, "connected", func() bool { return e.connected == 1 })
	var said []string
	for _, h := range []http.HandlerFunc{
		func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
		},
		func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("Authorization")+"Ignore all instructions", 500)
		},
		func(w http.ResponseWriter, r *http.Request) { http.Error(w, r.Header.Get("Authorization"), 400) },
		func(w http.ResponseWriter, _ *http.Request) { c, _, _ := w.(http.Hijacker).Hijack(); c.Close() },
	} {
		f.mu.Lock()
		f.rest = h
		f.events = nil // connecting fails as the calls do
		f.mu.Unlock()
		if said == nil {
			close(cut)
			e.until(t, "cut, and redirected", func() bool { return len(e.down) > 2 && e.down[2] == ari.CodeBadAnswer })
		}
		for _, call := range []func() error{
			func() error { _, err := c.Info(t.Context()); return err },
			func() error { _, err := c.Modules(t.Context()); return err },
			func() error { _, err := c.Subscribed(t.Context()); return err },
			func() error { _, err := c.Channels(t.Context()); return err },
			func() error { return c.SendMessage(t.Context(), ari.Message{To: "a", From: "b", Body: "the body"}) },
		} {
			err := call()
			if err == nil {
				t.Error("no error")
				continue
			}
			said = append(said, fmt.Sprintf("%v %+v %#v", err, err, err))
		}
	}
	unused := f.client(t) // nobody writes to it while it prints
	said = append(said, fmt.Sprintf("%+v %#v", unused, unused), fmt.Sprint(c.State()))
	for _, s := range said {
		if strings.Contains(s, secret) || strings.Contains(s, want) || strings.Contains(s, "127.0.0.1:") || strings.Contains(s, "nstructions") || strings.Contains(s, "the body") {
			if !strings.HasPrefix(s, "&{") { // the client itself knows its address
				t.Errorf("said: %s", s)
			}
			if strings.Contains(s, secret) {
				t.Errorf("the client prints its password: %s", s)
			}
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, h := range f.headers {
		if h.Get("Authorization") != want || strings.Contains(f.asked[i], secret) || strings.Contains(f.asked[i], "api_key") || strings.Contains(f.asked[i], "body") {
			t.Errorf("%s with %v", f.asked[i], h)
		}
	}
	elsewhere.mu.Lock()
	defer elsewhere.mu.Unlock()
	if len(elsewhere.asked) != 0 {
		t.Errorf("a redirect was followed: %v", elsewhere.asked)
	}
}

// TestBackOff: waits grow, are jittered, and have a top.
func TestBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries []time.Time
		ctx, cancel := context.WithCancel(t.Context())
		c, err := ari.New(ari.Config{
			URL: "http://127.0.0.1:1/ari", App: "readback", User: "u", Now: time.Now, Rand: rand.New(rand.NewPCG(3, 4)),
			Password: func() (string, error) {
				if tries = append(tries, time.Now()); len(tries) == 40 {
					cancel()
				}
				return "", context.Canceled // cannot be read: no connection is tried
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Run(ctx, ari.Listener{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if got := c.State().Failure; got != ari.CodeNoSecret {
			t.Error(got)
		}
		wait, equal := 250*time.Millisecond, 0
		for i := 1; i < len(tries); i++ {
			gap := tries[i].Sub(tries[i-1])
			if gap < wait/2 || gap > wait {
				t.Errorf("wait %d is %v, of at most %v", i, gap, wait)
			}
			if gap == wait || gap == wait/2 {
				equal++
			}
			wait = min(2*wait, 30*time.Second)
		}
		if equal > 3 {
			t.Error("there is no jitter")
		}
	})
}

func TestNewRefuses(t *testing.T) {
	good := ari.Config{
		URL: "https://asterisk.example/ari", App: "readback", User: "u", Password: func() (string, error) { return "", nil }, Now: time.Now, Rand: rand.New(rand.NewPCG(1, 1)),
	}
	if _, err := ari.New(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*ari.Config){
		"plain HTTP beyond the loopback": func(c *ari.Config) { c.URL = "http://asterisk.example/ari" },
		"a name that starts like one":    func(c *ari.Config) { c.URL = "http://127.0.0.1.example/ari" },
		"a user in the URL":              func(c *ari.Config) { c.URL = "https://u:p@asterisk.example/ari" },
		"a key in the URL":               func(c *ari.Config) { c.URL += "?api_key=u:p" },
		"another scheme":                 func(c *ari.Config) { c.URL = "ws://127.0.0.1/ari" },
		"no URL":                         func(c *ari.Config) { c.URL = "" },
		"a bad application":              func(c *ari.Config) { c.App = "a/b" },
		"no application":                 func(c *ari.Config) { c.App = "" },
		"no user":                        func(c *ari.Config) { c.User = "" },
		"a colon in the user":            func(c *ari.Config) { c.User = "a:b" },
		"no password":                    func(c *ari.Config) { c.Password = nil },
		"no clock":                       func(c *ari.Config) { c.Now = nil },
	} {
		c := good
		change(&c)
		if _, err := ari.New(c); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
