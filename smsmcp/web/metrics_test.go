package web

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func measuring(o *Options) {
	o.PublicHosts = []string{"readback.example"}
	o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "a 1\n"+r.Header.Get("Authorization"))
	})
}

// scraped asks for /metrics, from a peer, without a token unless change shows one.
func (f *fixture) scraped(method, peer string, change func(*http.Request)) *httptest.ResponseRecorder {
	return f.do(method, "/metrics", "", func(r *http.Request) {
		r.Header.Del("Authorization")
		r.RemoteAddr = peer
		if change != nil {
			change(r)
		}
	})
}

const here, there = "127.0.0.1:4000", "203.0.113.7:4000"

// TestMetricsStayOnThisMachine: a program on this machine gets them; a proxy on it, another machine and a page under a name of its own get what a path gets
// that is not there, and the same as where nothing is measured.
func TestMetricsStayOnThisMachine(t *testing.T) {
	f := setUp(t, measuring)
	none := setUp(t, nil)
	header := func(name string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, "") }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for name, tt := range map[string]struct {
		peer   string
		change func(*http.Request)
		in     bool
	}{
		"here":                        {here, nil, true},
		"here, IPv6":                  {"[::1]:4000", host("[::1]:8787"), true},
		"here, IPv4 in IPv6":          {"[::ffff:127.0.0.1]:4000", host("127.0.0.1"), true},
		"there":                       {there, nil, false},
		"there, IPv4 in IPv6":         {"[::ffff:203.0.113.7]:4000", nil, false},
		"no address":                  {"", nil, false},
		"a unix socket":               {"@", nil, false},
		"by a public name":            {here, host("readback.example"), false},
		"by a name that points here":  {here, host("evil.example"), false},
		"by no name":                  {here, host(""), false},
		"Forwarded":                   {here, header("Forwarded"), false},
		"X-Forwarded-For":             {here, header("X-Forwarded-For"), false},
		"X-Forwarded-Proto":           {here, header("x-forwarded-proto"), false},
		"X-Real-IP":                   {here, header("X-Real-IP"), false},
		"Via":                         {here, header("Via"), false},
		"CF-Connecting-IP":            {here, header("CF-Connecting-IP"), false},
		"nginx as it is out of a box": {here, func(r *http.Request) { r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.0", 1, 0 }, false},
	} {
		w := f.scraped("GET", tt.peer, tt.change)
		if tt.in {
			if w.Code != 200 || w.Body.String() != "a 1\n" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
			continue
		}
		if nothing := f.do("GET", "/nothing", "", nil).Body.String(); refused(t, w, 404) == "" || w.Body.String() != nothing {
			t.Errorf("%s: %s, and elsewhere %s", name, w.Body, nothing)
		}
		if w := none.scraped("GET", tt.peer, tt.change); w.Code != 404 {
			t.Errorf("%s, where there are none: %d", name, w.Code)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		refused(t, f.scraped(method, here, nil), 404)
	}
	refused(t, none.scraped("GET", here, nil), 404)
}

func TestMetricsForWhoShowsAToken(t *testing.T) {
	f := setUp(t, measuring)
	show := func(token, host string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token); r.Host = host }
	}
	for _, host := range []string{"localhost:8787", "readback.example"} {
		if w := f.scraped("GET", there, show(f.token, host)); w.Code != 200 || w.Body.String() != "a 1\n" {
			t.Errorf("%s: %d %s", host, w.Code, w.Body)
		}
	}
	proxied := func(r *http.Request) {
		show(f.token, "readback.example")(r)
		r.Header.Set("X-Forwarded-For", "203.0.113.7")
	}
	if w := f.scraped("GET", here, proxied); w.Code != 200 {
		t.Errorf("through a proxy: %d %s", w.Code, w.Body)
	}
	wrong := f.token[:len(f.token)-4] + "aaaa"
	for name, change := range map[string]func(*http.Request){
		"another name": show(f.token, "evil.example"),
		"wrong":        show(wrong, "localhost"),
		"none":         nil,
		"two": func(r *http.Request) {
			show(f.token, "localhost")(r)
			r.Header.Add("Authorization", "Bearer "+f.token)
		},
		"basic": func(r *http.Request) { r.SetBasicAuth("a", f.token) },
	} {
		w := f.scraped("GET", there, change)
		refused(t, w, 404)
		if w.Header().Get("WWW-Authenticate") != "" {
			t.Errorf("%s: the answer tells that a token helps", name)
		}
	}
	f.tokens.err = errors.New("disk full")
	refused(t, f.scraped("GET", there, show(f.token, "localhost")), 404)
	if log := f.log.String(); !strings.Contains(log, "disk full") || !strings.Contains(log, "without a good token") || strings.Contains(log, f.token[20:]) || strings.Contains(log, wrong[20:]) {
		t.Error(log)
	}
}

// TestScrapesWithATokenAreLimited as all calls with it are; and those without a good one fill no log.
func TestScrapesWithATokenAreLimited(t *testing.T) {
	f := setUp(t, func(o *Options) { measuring(o); o.Burst, o.RequestsPerMinute = 3, 1 })
	show := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+f.token) }
	for range 3 {
		if w := f.scraped("GET", there, show); w.Code != 200 {
			t.Fatal(w.Code)
		}
	}
	w := f.scraped("GET", there, show)
	refused(t, w, 429)
	if w.Header().Get("Retry-After") == "" {
		t.Error(w.Header())
	}
	for range 100 {
		refused(t, f.scraped("GET", there, func(r *http.Request) { r.Header.Set("Authorization", "Bearer rb_no") }), 404)
	}
	if n := strings.Count(f.log.String(), "\n"); n != failuresBurst {
		t.Errorf("%d lines in the log", n)
	}
}
