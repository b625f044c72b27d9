package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/lang"
)

var errNone = errors.New("no such token in the fake")

type row struct {
	name string
	hash [32]byte
	may  bool
}

type fakeTokens struct {
	rows map[string]row
	err  error
}

func (f *fakeTokens) Token(_ context.Context, id string) (string, [32]byte, bool, error) {
	if f.err != nil {
		return "", [32]byte{}, false, f.err
	}
	r, ok := f.rows[id]
	if !ok {
		return "", [32]byte{}, false, errNone
	}
	return r.name, r.hash, r.may, nil
}

type fixture struct {
	tokens  *fakeTokens
	token   string
	log     *lockedBuffer
	clock   time.Time
	server  *server
	handler http.Handler
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func setUp(t *testing.T, change func(*Options)) *fixture {
	t.Helper()
	f := &fixture{tokens: &fakeTokens{rows: map[string]row{}}, log: &lockedBuffer{}, clock: time.Now()}
	id, token, hash, err := NewToken(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f.token = token
	f.tokens.rows[id] = row{name: "laptop", hash: hash}
	o := Options{
		Tokens: f.tokens, NoToken: errNone, Lang: lang.EN,
		Now: func() time.Time { return f.clock },
		Log: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			w.Header().Set("Caller", Who(r.Context()).Name)
			w.Header().Set("Authorization-Seen", r.Header.Get("Authorization"))
			_, _ = w.Write(b)
		}),
	}
	if change != nil {
		change(&o)
	}
	f.server = newServer(o)
	f.handler = f.server.handler(o.MCP, o.Metrics, o.Routes)
	return f
}

func (f *fixture) do(method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:8787"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+f.token)
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	return w
}

// refused asserts that an answer is one that an MCP client can read, and that no browser will make more of it.
func refused(t *testing.T, w *httptest.ResponseRecorder, status int) string {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	var m struct {
		Version string           `json:"jsonrpc"`
		ID      *json.RawMessage `json:"id"`
		Error   struct {
			Code    int
			Message string
		} `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || m.Version != "2.0" || m.Error.Code == 0 || m.Error.Message == "" {
		t.Fatalf("not a JSON-RPC error: %s", w.Body)
	}
	h := w.Header()
	if h.Get("Content-Type") != "application/json" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" ||
		!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Fatalf("headers %v", h)
	}
	return m.Error.Message
}

func TestGoodToken(t *testing.T) {
	f := setUp(t, nil)
	w := f.do("POST", "/mcp", `{"a":1}`, nil)
	if w.Code != 200 || w.Body.String() != `{"a":1}` || w.Header().Get("Caller") != "laptop" {
		t.Fatal(w.Code, w.Body, w.Header())
	}
	if w.Header().Get("Authorization-Seen") != "" {
		t.Fatal("the token went on past its check")
	}
	for _, scheme := range []string{"bearer ", "BEARER ", "Bearer  "} {
		if w := f.do("POST", "/mcp", "{}", func(r *http.Request) { r.Header.Set("Authorization", scheme+f.token) }); w.Code != 200 {
			t.Fatalf("%q: %d", scheme, w.Code)
		}
	}
}

func TestBadTokens(t *testing.T) {
	f := setUp(t, nil)
	_, other, _, _ := NewToken(rand.Reader)
	id := f.token[3:11]
	for name, values := range map[string][]string{
		"none":           nil,
		"empty":          {""},
		"no scheme":      {f.token},
		"basic":          {"Basic " + f.token},
		"unknown id":     {"Bearer " + other},
		"wrong secret":   {"Bearer rb_" + id + "_" + other[12:]},
		"cut short":      {"Bearer " + f.token[:len(f.token)-1]},
		"with more":      {"Bearer " + f.token + "a"},
		"upper case":     {"Bearer " + strings.ToUpper(f.token)},
		"two headers":    {"Bearer " + f.token, "Bearer " + f.token},
		"in a list":      {"Bearer " + f.token + ", Bearer " + f.token},
		"id alone":       {"Bearer rb_" + id + "_"},
		"a long one":     {"Bearer " + strings.Repeat("rb_", 3000)},
		"control inside": {"Bearer " + f.token[:20] + "\x00" + f.token[21:]},
	} {
		t.Run(name, func(t *testing.T) {
			f.clock = f.clock.Add(time.Hour)
			w := f.do("POST", "/mcp", "{}", func(r *http.Request) { r.Header["Authorization"] = values })
			refused(t, w, 401)
			challenge := w.Header().Get("WWW-Authenticate")
			if !strings.HasPrefix(challenge, "Bearer ") || strings.Contains(challenge, "invalid_token") != (values != nil) {
				t.Fatalf("challenge %q", challenge)
			}
		})
	}
	// A token in the address is no token: addresses are logged everywhere.
	w := f.do("POST", "/mcp?access_token="+f.token+"&token="+f.token, "{}", func(r *http.Request) { r.Header.Del("Authorization") })
	refused(t, w, 401)
}

func TestInvariant11NoTokenInLogOrAnswer(t *testing.T) {
	f := setUp(t, nil)
	_, other, _, _ := NewToken(rand.Reader)
	secrets := []string{f.token, f.token[12:], other, other[12:]}
	var out strings.Builder
	for _, shown := range []string{f.token, other, f.token[:11] + "_" + other[12:], f.token + "x"} {
		for _, path := range []string{"/mcp", "/healthz", "/nothing"} {
			for _, method := range []string{"POST", "GET"} {
				w := f.do(method, path, "{}", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+shown) })
				out.WriteString(w.Body.String())
				for k, v := range w.Header() {
					out.WriteString(k + strings.Join(v, " "))
				}
			}
		}
	}
	f.tokens.err = errors.New("the store is closed")
	out.WriteString(f.do("POST", "/mcp", "{}", nil).Body.String())
	out.WriteString(f.log.String())
	if !strings.Contains(f.log.String(), "the store is closed") {
		t.Fatal("nothing was logged: the test looks at nothing")
	}
	for _, s := range secrets {
		if strings.Contains(out.String(), s) {
			t.Fatal("a secret was shown")
		}
	}
}

func TestStoreDownIsNot401(t *testing.T) {
	f := setUp(t, nil)
	f.tokens.err = errors.New("locked")
	w := f.do("POST", "/mcp", "{}", nil)
	refused(t, w, 503)
	if w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "locked") {
		t.Fatal(w.Header(), w.Body)
	}
}

func TestHost(t *testing.T) {
	f := setUp(t, func(o *Options) { o.PublicHosts = []string{"texts.example.org", "192.168.1.7:8787"} })
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8787": 200, "LOCALHOST.:1": 200, "127.0.0.1:8787": 200, "127.0.0.53": 200, "[::1]:8787": 200, "[::1]": 200,
		"texts.example.org": 200, "Texts.Example.org:443": 200, "192.168.1.7": 200,
		"": 403, "evil.example": 403, "evil.example:8787": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403,
		"10.0.0.1": 403, "[fe80::1%25lo]": 403, "localhost@evil.example": 403, "2130706433": 403, "0.0.0.0": 403, "x.texts.example.org": 403,
	} {
		w := f.do("POST", "/mcp", "{}", func(r *http.Request) { r.Host = host })
		if w.Code != want {
			t.Errorf("Host %q: %d, want %d", host, w.Code, want)
		}
		if want == 403 {
			refused(t, w, 403)
		}
	}
	// A browser's GET must not pass either.
	if w := f.do("GET", "/mcp", "", func(r *http.Request) { r.Host = "evil.example" }); w.Code != 403 {
		t.Fatal(w.Code)
	}
}

func TestOrigin(t *testing.T) {
	f := setUp(t, func(o *Options) { o.AllowedOrigins = []string{"https://app.example/", "chrome-extension://abc"} })
	for _, c := range []struct {
		origin []string
		want   int
	}{
		{nil, 200},
		{[]string{"http://localhost:8787"}, 200},
		{[]string{"https://app.example"}, 200},
		{[]string{"https://APP.example"}, 200},
		{[]string{"chrome-extension://abc"}, 200},
		{[]string{""}, 403},
		{[]string{"null"}, 403},
		{[]string{"http://localhost:9999"}, 403}, // another program's page on this machine
		{[]string{"http://localhost"}, 403},
		{[]string{"https://evil.example"}, 403},
		{[]string{"https://app.example.evil.example"}, 403},
		{[]string{"http://user@localhost:8787"}, 403},
		{[]string{"file://localhost:8787"}, 403},
		{[]string{"http://localhost:8787/path"}, 403},
		{[]string{"https://app.example", "https://evil.example"}, 403},
	} {
		w := f.do("POST", "/mcp", "{}", func(r *http.Request) { r.Header["Origin"] = c.origin })
		if w.Code != c.want {
			t.Errorf("Origin %q: %d, want %d", c.origin, w.Code, c.want)
		}
	}
}

func TestPathsAndMethods(t *testing.T) {
	f := setUp(t, nil)
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/healthz", 200}, {"POST", "/healthz", 404}, {"GET", "/", 404}, {"POST", "/", 404}, {"GET", "/mcp/", 404}, {"POST", "/mcp/x", 404},
		{"GET", "/.well-known/oauth-protected-resource", 404}, {"GET", "/mcp", 405}, {"DELETE", "/mcp", 405}, {"OPTIONS", "/mcp", 405}, {"PUT", "/mcp", 405},
	} {
		w := f.do(c.method, c.path, "", nil)
		if w.Code != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, w.Code, c.want)
		}
		if c.want == 405 && w.Header().Get("Allow") != "POST" {
			t.Errorf("Allow %q", w.Header().Get("Allow"))
		}
	}
	w := f.do("GET", "/healthz", "", func(r *http.Request) { r.Header.Del("Authorization"); r.Host = "10.1.2.3:8787" })
	if w.Code != 200 || w.Body.String() != `{"status":"ok","parts":{}}`+"\n" {
		t.Fatal(w.Code, w.Body)
	}
}

func TestRateOfAToken(t *testing.T) {
	f := setUp(t, func(o *Options) { o.RequestsPerMinute, o.Burst = 60, 5 })
	for i := range 5 {
		if w := f.do("POST", "/mcp", "{}", nil); w.Code != 200 {
			t.Fatal(i, w.Code)
		}
	}
	w := f.do("POST", "/mcp", "{}", nil)
	refused(t, w, 429)
	if w.Header().Get("Retry-After") != "1" {
		t.Fatal(w.Header())
	}
	f.clock = f.clock.Add(-time.Hour) // a clock set back opens nothing
	refused(t, f.do("POST", "/mcp", "{}", nil), 429)
	f.clock = f.clock.Add(time.Hour + time.Second)
	if w := f.do("POST", "/mcp", "{}", nil); w.Code != 200 {
		t.Fatal(w.Code)
	}
	refused(t, f.do("POST", "/mcp", "{}", nil), 429)
}

func TestFailuresOfAnAddress(t *testing.T) {
	f := setUp(t, nil)
	try := func(from string) int {
		return f.do("POST", "/mcp", "{}", func(r *http.Request) { r.Header.Del("Authorization"); r.RemoteAddr = from }).Code
	}
	for range failuresBurst {
		if c := try("192.0.2.1:1000"); c != 401 {
			t.Fatal(c)
		}
	}
	if c := try("192.0.2.1:2000"); c != 429 {
		t.Fatal(c)
	}
	if c := try("192.0.2.2:1000"); c != 401 {
		t.Fatal("another address:", c)
	}
	// The owner's client at that address goes on.
	if w := f.do("POST", "/mcp", "{}", func(r *http.Request) { r.RemoteAddr = "192.0.2.1:3000" }); w.Code != 200 {
		t.Fatal(w.Code)
	}
	// A host has its whole /64 to choose from.
	for i := range failuresBurst {
		if c := try("[2001:db8::" + string(rune('a'+i%6)) + "]:1"); c != 401 {
			t.Fatal(c)
		}
	}
	if c := try("[2001:db8::ffff]:1"); c != 429 {
		t.Fatal(c)
	}
	if c := try("[2001:db8:0:1::1]:1"); c != 401 {
		t.Fatal(c)
	}
}

func TestLimitsAreBounded(t *testing.T) {
	l := newLimits[int](60, 2, 100)
	now := time.Now()
	for i := range 1000 {
		l.take(i, now)
	}
	if n := len(l.buckets); n > 100 {
		t.Fatal(n)
	}
	// A bucket in use is kept while ones that have filled up again can go.
	l = newLimits[int](60, 2, 100)
	for i := range 99 {
		l.take(i, now)
	}
	now = now.Add(time.Hour)
	l.take(-1, now)
	l.take(-1, now)
	l.take(1000, now)
	if _, ok := l.take(-1, now); ok {
		t.Fatal("the bucket in use was forgotten")
	}
}

// TestToldTooLarge: a body whose length is told is refused before any of it is read.
func TestToldTooLarge(t *testing.T) {
	f := setUp(t, nil)
	w := f.do("POST", "/mcp", "", func(r *http.Request) { r.ContentLength, r.Body = 1<<20+1, io.NopCloser(untouchable{t}) })
	refused(t, w, 413)
}

type untouchable struct{ t *testing.T }

func (u untouchable) Read([]byte) (int, error) {
	u.t.Error("it was read")
	return 0, io.EOF
}

func TestBodyMustBeUTF8(t *testing.T) {
	f := setUp(t, nil)
	for _, body := range []string{"{\"a\":\"\xff\"}", "\xc3\x28", "{\"a\":\"\xed\xa0\x80\"}"} {
		refused(t, f.do("POST", "/mcp", body, nil), 400)
	}
	if w := f.do("POST", "/mcp", "{\"a\":\"\x00é👩‍👧\"}", nil); w.Code != 200 {
		t.Fatal(w.Code)
	}
}

func TestAPanicIsAnAnswer(t *testing.T) {
	f := setUp(t, func(o *Options) {
		o.MCP = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("what a stranger wrote") })
	})
	s := refused(t, f.do("POST", "/mcp", "{}", nil), 500)
	if strings.Contains(s, "stranger") || strings.Contains(f.log.String(), "stranger wrote") || !strings.Contains(f.log.String(), "web_test.go") {
		t.Fatal(s, f.log)
	}
}

func TestFrench(t *testing.T) {
	f := setUp(t, func(o *Options) { o.Lang = lang.FR })
	if s := refused(t, f.do("GET", "/rien", "", nil), 404); !strings.Contains(s, "rien") {
		t.Fatal(s)
	}
}
