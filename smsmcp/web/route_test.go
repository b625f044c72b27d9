package web

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func page(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			var large *http.MaxBytesError
			if !errors.As(err, &large) {
				http.Error(w, "read", http.StatusBadRequest)
				return
			}
			http.Error(w, "large", http.StatusRequestEntityTooLarge)
			return
		}
		_, deadline := r.Context().Deadline()
		if !deadline || r.Header.Get("Authorization") != "" || Who(r.Context()).ID != "" {
			panic("not as it should be")
		}
		_, _ = io.WriteString(w, name)
	})
}

func routes(o *Options) {
	o.PublicHosts, o.AllowedOrigins = []string{"texts.example.org"}, []string{"https://app.example"}
	o.Routes = []Route{
		{Pattern: "/", Handler: page("page")},
		{Pattern: "POST /tap", Handler: page("tap"), CrossSite: true},
		{Pattern: "/hooks/", Handler: page("hook"), BodyBytes: 10},
	}
}

func TestRoutes(t *testing.T) {
	f := setUp(t, routes)
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/", 200, "page"}, {"GET", "/sends/x", 200, "page"}, {"POST", "/freeze", 200, "page"}, {"POST", "/tap", 200, "tap"}, {"GET", "/tap", 200, "page"},
		{"GET", "/hooks/secret", 200, "hook"}, {"POST", "/healthz", 200, "page"}, {"GET", "/metrics", 200, "page"}, {"POST", "/mcp", 200, ""}, {"GET", "/mcp", 405, ""},
	} {
		w := f.do(c.method, c.path, "", nil)
		if w.Code != c.status || c.body != "" && w.Body.String() != c.body {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
	if w := f.do("GET", "/", "", nil); w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Error(w.Header())
	}
	if w := f.do("GET", "/healthz", "", nil); !strings.HasPrefix(w.Body.String(), `{"status":"ok"`) {
		t.Error(w.Body)
	}
	if w := f.do("POST", "/mcp", "{}", func(r *http.Request) { r.Header.Del("Authorization") }); w.Code != 401 {
		t.Error(w.Code)
	}
}

// TestOnlyASignedRouteSeesTheHeader: a token is behind no other, so that none there can print it; and a route that looks at one is asked for none by the server.
func TestOnlyASignedRouteSeesTheHeader(t *testing.T) {
	said := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Header.Get("Authorization")) })
	f := setUp(t, func(o *Options) {
		o.Routes = []Route{{Pattern: "/hooks/signed", Handler: said, Signed: true, CrossSite: true}, {Pattern: "/", Handler: said}}
	})
	sign := func(r *http.Request) { r.Header.Set("Authorization", "a signature") }
	for path, want := range map[string]string{"/hooks/signed": "a signature", "/hooks/other": ""} {
		if w := f.do("POST", path, "{}", sign); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
}

func TestRoutesAskForTheHostAndTheOrigin(t *testing.T) {
	f := setUp(t, routes)
	for _, c := range []struct {
		name, path, host string
		head             map[string]string
		want             int
	}{
		{"ours", "/", "texts.example.org", nil, 200},
		{"another name", "/", "evil.example", nil, 403},
		{"another name, where other sites may send", "/tap", "evil.example", nil, 403},
		{"another site", "/", "texts.example.org", map[string]string{"Origin": "https://evil.example"}, 403},
		{"another site that may", "/", "texts.example.org", map[string]string{"Origin": "https://app.example"}, 200},
		{"another site, where all may", "/tap", "texts.example.org", map[string]string{"Origin": "https://evil.example"}, 200},
		{"a form of a page without referrer", "/", "texts.example.org", map[string]string{"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200},
		{"one that hides where it is from", "/", "texts.example.org", map[string]string{"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403},
		{"of the same site only", "/", "texts.example.org", map[string]string{"Origin": "null", "Sec-Fetch-Site": "same-site"}, 403},
		{"our page", "/", "texts.example.org", map[string]string{"Origin": "https://texts.example.org"}, 200},
		{"a page in the clear", "/", "texts.example.org", map[string]string{"Origin": "http://texts.example.org"}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := f.do("POST", c.path, "", func(r *http.Request) {
				r.Host, r.TLS = c.host, &tls.ConnectionState{}
				for k, v := range c.head {
					r.Header.Set(k, v)
				}
			})
			if w.Code != c.want {
				t.Errorf("%d, want %d", w.Code, c.want)
			}
		})
	}
}

func TestRoutesAreBounded(t *testing.T) {
	f := setUp(t, routes)
	for _, c := range []struct {
		path string
		size int64
		want int
	}{{"/", routeBytes, 200}, {"/", routeBytes + 1, 413}, {"/hooks/x", 10, 200}, {"/hooks/x", 11, 413}} {
		for _, told := range []bool{true, false} {
			w := f.do("POST", c.path, "", func(r *http.Request) {
				if r.Body, r.ContentLength = io.NopCloser(blank(c.size)), -1; told {
					r.ContentLength = c.size
				}
			})
			if w.Code != c.want {
				t.Errorf("%s, %d bytes, told %v: %d", c.path, c.size, told, w.Code)
			}
		}
	}
	refused(t, f.do("POST", "/", "", func(r *http.Request) { r.ContentLength, r.Body = routeBytes+1, io.NopCloser(untouchable{t}) }), 413)
}

func TestARoutesPanicIsAnAnswer(t *testing.T) {
	f := setUp(t, func(o *Options) {
		o.Routes = []Route{{Pattern: "/x", Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("what a stranger wrote") })}}
	})
	refused(t, f.do("GET", "/x", "", nil), 500)
	refused(t, f.do("GET", "/", "", nil), 404)
	if strings.Contains(f.log.String(), "stranger wrote") {
		t.Fatal(f.log)
	}
}
