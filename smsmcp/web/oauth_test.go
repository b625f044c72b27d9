package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"readback/smsmcp"
	"readback/smsmcp/oauth"
)

// fakeOAuth knows access tokens by what they give. Its challenges are those of the real one's form.
type fakeOAuth struct {
	known map[string]oauth.Access
	err   error
}

func (f *fakeOAuth) Check(_ context.Context, token string) (oauth.Access, error) {
	if f.err != nil {
		return oauth.Access{}, f.err
	}
	a, ok := f.known[token]
	if !ok {
		return a, oauth.ErrToken
	}
	return a, nil
}

func (f *fakeOAuth) Challenge(err error, scopes oauth.Scopes) (int, string) {
	status, code := http.StatusUnauthorized, "none"
	switch {
	case errors.Is(err, oauth.ErrScope):
		status, code = http.StatusForbidden, "insufficient_scope"
	case errors.Is(err, oauth.ErrToken):
		code = "invalid_token"
	}
	return status, "Bearer " + code + " " + scopes.String()
}

// open is a fixture where clients are let in: a reads, b sends, and c does both and may confirm. Its handler tells whom it sees, and what.
func open(t *testing.T, change func(*Options)) (*fixture, *fakeOAuth, *smsmcp.Principal) {
	t.Helper()
	seen := &smsmcp.Principal{}
	o := &fakeOAuth{known: map[string]oauth.Access{
		"rba_a": {Grant: "aaaaaaaa", Scopes: oauth.Read}, "rba_b": {Grant: "bbbbbbbb", Scopes: oauth.Send},
		"rba_c": {Grant: "cccccccc", Scopes: oauth.All, MayConfirm: true},
	}}
	f := setUp(t, func(opt *Options) {
		opt.OAuth = o
		opt.Needs = func(body []byte) (read, send bool) {
			return strings.Contains(string(body), "read"), strings.Contains(string(body), "send")
		}
		opt.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			*seen = Who(r.Context())
			b, _ := io.ReadAll(r.Body)
			w.Header().Set("Authorization-Seen", r.Header.Get("Authorization"))
			_, _ = w.Write(b)
		})
		if change != nil {
			change(opt)
		}
	})
	return f, o, seen
}

func with(token string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Del("Authorization")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}
}

func TestWhoAClientIsByItsToken(t *testing.T) {
	f, _, seen := open(t, nil)
	id, _, err := ParseToken(f.token)
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]smsmcp.Principal{
		f.token: {ID: id, Name: "laptop", Read: true, Send: true},
		"rba_a": {ID: "grant:aaaaaaaa", Name: "app-aaaaaaaa", Read: true, Alone: true},
		"rba_b": {ID: "grant:bbbbbbbb", Name: "app-bbbbbbbb", Send: true, Alone: true},
		"rba_c": {ID: "grant:cccccccc", Name: "app-cccccccc", Read: true, Send: true, MayConfirm: true, Alone: true},
	} {
		*seen = smsmcp.Principal{}
		w := f.do("POST", "/mcp", "{}", with(token))
		if w.Code != http.StatusOK || *seen != want || w.Body.String() != "{}" || w.Header().Get("Authorization-Seen") != "" {
			t.Errorf("%.6s: %d, %+v, want %+v", token, w.Code, *seen, want)
		}
	}
	r := f.tokens.rows[id]
	r.may = true
	f.tokens.rows[id] = r
	if f.do("POST", "/mcp", "{}", nil); !seen.MayConfirm {
		t.Error("a token's mark is lost")
	}
}

func TestWithoutAGoodTokenAClientIsToldHowToComeByOne(t *testing.T) {
	f, o, _ := open(t, nil)
	plain := setUp(t, nil)
	for token, want := range map[string]string{"": "none", "rba_x": "invalid_token", "rb_x": "invalid_token", "x": "invalid_token"} {
		w := f.do("POST", "/mcp", "{}", with(token))
		refused(t, w, http.StatusUnauthorized)
		if got := w.Header().Get("WWW-Authenticate"); got != "Bearer "+want+" texts:read texts:send" {
			t.Errorf("%q: %s", token, got)
		}
		w = plain.do("POST", "/mcp", "{}", with(token))
		refused(t, w, http.StatusUnauthorized)
		if got := w.Header().Get("WWW-Authenticate"); !strings.HasPrefix(got, `Bearer realm="readback"`) || strings.Contains(got, "resource_metadata") {
			t.Errorf("without OAuth, %q: %s", token, got)
		}
	}
	o.err = errors.New("the disk")
	if w := f.do("POST", "/mcp", "{}", with("rba_c")); w.Code != http.StatusServiceUnavailable || w.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("a store that fails: %d, which has a client give up what it has", w.Code)
	}
	if w := f.do("POST", "/mcp", "{}", nil); w.Code != http.StatusOK {
		t.Errorf("a token of the owner's: %d", w.Code)
	}
}

// TestStrangersDoNotKeepAClientFromAsking: at an address that many share, others' failures are no client's.
func TestStrangersDoNotKeepAClientFromAsking(t *testing.T) {
	f, _, _ := open(t, nil)
	plain := setUp(t, nil)
	for range failuresBurst + 5 {
		f.do("POST", "/mcp", "{}", with("rb_guess"))
		plain.do("POST", "/mcp", "{}", with("rb_guess"))
	}
	for range 2 * failuresBurst {
		for token, want := range map[string]string{"": "none", "rba_expired": "invalid_token"} {
			w := f.do("POST", "/mcp", "{}", with(token))
			refused(t, w, http.StatusUnauthorized)
			if got := w.Header().Get("WWW-Authenticate"); got != "Bearer "+want+" texts:read texts:send" {
				t.Fatalf("%q: %s", token, got)
			}
			refused(t, plain.do("POST", "/mcp", "{}", with(token)), http.StatusTooManyRequests) // there is nothing to ask for
		}
		for _, shown := range [][]string{{"Bearer rb_guess"}, {"Bearer x"}, {"Basic rba_expired"}, {"Bearer rba_a", "Bearer rba_b"}} {
			refused(t, f.do("POST", "/mcp", "{}", func(r *http.Request) { r.Header["Authorization"] = shown }), http.StatusTooManyRequests)
		}
	}
}

func TestAClientDoesOnlyWhatItWasLetInFor(t *testing.T) {
	f, _, seen := open(t, nil)
	for _, c := range []struct {
		token, body string
		asks        string // which scopes the refusal asks for; "": none
	}{
		{"rba_a", "list", ""},
		{"rba_a", "read", ""},
		{"rba_a", "send", "texts:read texts:send"},
		{"rba_b", "send", ""},
		{"rba_b", "read", "texts:read texts:send"},
		{"rba_b", "read and send", "texts:read texts:send"},
		{"rba_c", "read and send", ""},
		{f.token, "read and send", ""},
	} {
		*seen = smsmcp.Principal{}
		w := f.do("POST", "/mcp", c.body, with(c.token))
		if c.asks == "" {
			if w.Code != http.StatusOK || w.Body.String() != c.body {
				t.Errorf("%.6s, %s: %d %s", c.token, c.body, w.Code, w.Body)
			}
			continue
		}
		refused(t, w, http.StatusForbidden)
		if got := w.Header().Get("WWW-Authenticate"); got != "Bearer insufficient_scope "+c.asks || seen.ID != "" {
			t.Errorf("%.6s, %s: %s, and it was seen: %v", c.token, c.body, got, seen.ID != "")
		}
	}
}

// TestEachClientHasItsOwnRate: the grant counts, whatever token it shows, and no token of the owner's with the same id.
func TestEachClientHasItsOwnRate(t *testing.T) {
	f, o, _ := open(t, func(opt *Options) { opt.Burst = 3 })
	o.known["rba_a2"] = o.known["rba_a"]
	id, _, err := ParseToken(f.token)
	if err != nil {
		t.Fatal(err)
	}
	o.known["rba_same"] = oauth.Access{Grant: id, Scopes: oauth.All}
	for i, c := range []struct {
		token string
		code  int
	}{
		{"rba_a", 200}, {"rba_a2", 200}, {"rba_a", 200}, {"rba_a2", 429}, {"rba_b", 200},
		{"rba_same", 200}, {"rba_same", 200}, {"rba_same", 200}, {"rba_same", 429}, {f.token, 200},
	} {
		if w := f.do("POST", "/mcp", "{}", with(c.token)); w.Code != c.code {
			t.Errorf("%d: %.6s: %d, want %d", i, c.token, w.Code, c.code)
		}
	}
}

// TestAClientThatWasLetInIsShownNoMetrics: they are the owner's.
func TestAClientThatWasLetInIsShownNoMetrics(t *testing.T) {
	f, _, _ := open(t, func(o *Options) {
		o.PublicHosts = []string{"texts.example"}
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("counted")) })
	})
	for token, code := range map[string]int{"rba_c": 404, f.token: 200} {
		w := f.do("GET", "/metrics", "", func(r *http.Request) { with(token)(r); r.Host = "texts.example" })
		if w.Code != code {
			t.Errorf("%.6s: %d", token, w.Code)
		}
	}
}

// TestPagesThatMayCall: the owner's list opens /mcp to scripts, and to no other; what is opened to all is opened to all.
func TestPagesThatMayCall(t *testing.T) {
	f, _, _ := open(t, func(o *Options) {
		o.AllowedOrigins = []string{"https://app.example"}
		o.Routes = []Route{{Pattern: "/open", CrossSite: true, Handler: Open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }))}}
	})
	ask := func(method, path, from, token string, preflight bool) *httptest.ResponseRecorder {
		return f.do(method, path, "{}", func(r *http.Request) {
			with(token)(r)
			r.Header.Set("Origin", from)
			if preflight {
				r.Header.Set("Access-Control-Request-Method", "POST")
			}
		})
	}
	for i, c := range []struct {
		method, path, from, token string
		preflight                 bool
		code                      int
		to                        string
	}{
		{"OPTIONS", "/mcp", "https://app.example", "", true, 204, "https://app.example"},
		{"OPTIONS", "/mcp", "https://app.example", "", false, 405, "https://app.example"},
		{"POST", "/mcp", "https://app.example", "rba_c", false, 200, "https://app.example"},
		{"POST", "/mcp", "https://app.example", "", false, 401, "https://app.example"}, // its script must read how to ask
		{"OPTIONS", "/mcp", "https://evil.example", "", true, 403, ""},
		{"POST", "/mcp", "https://evil.example", "rba_c", false, 403, ""},
		{"OPTIONS", "/open", "https://evil.example", "", true, 204, "*"},
		{"POST", "/open", "https://evil.example", "", false, 418, "*"},
		{"GET", "/open", "https://app.example", "", false, 418, "*"},
	} {
		w := ask(c.method, c.path, c.from, c.token, c.preflight)
		h := w.Header()
		if w.Code != c.code || h.Get("Access-Control-Allow-Origin") != c.to || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%d: %d, to %q", i, w.Code, h.Get("Access-Control-Allow-Origin"))
		}
		if c.to != "" && !strings.Contains(h.Get("Access-Control-Expose-Headers"), "WWW-Authenticate") {
			t.Errorf("%d: its script cannot read the challenge", i)
		}
		if c.preflight && c.to != "" && !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") {
			t.Errorf("%d: it may show no token", i)
		}
	}
}

// TestEachClientHasItsOwnShare: what one takes of the server is its own, and not that of a token of the owner's that has the client's name.
func TestEachClientHasItsOwnShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _, _ := open(t, nil)
		id, _, err := ParseToken(f.token)
		if err != nil {
			t.Fatal(err)
		}
		r := f.tokens.rows[id]
		r.name = "app-aaaaaaaa"
		f.tokens.rows[id] = r
		mine, done := f.server.shares.of("grant:aaaaaaaa")
		defer done()
		for range readingEach {
			if _, ok := mine.read(t.Context()); !ok {
				t.Fatal("less than its share")
			}
		}
		for token, code := range map[string]int{"rba_a": 503, "rba_b": 200, f.token: 200} {
			if w := f.do("POST", "/mcp", "{}", with(token)); w.Code != code {
				t.Errorf("%.6s: %d, want %d", token, w.Code, code)
			}
		}
	})
}
