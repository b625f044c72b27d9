package parts

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
	"readback/smsmcp/oauth"
)

// TestClientsComeByAPublicAddressAlone: with one they are told how to ask, also from a page of another site; without one, or where the owner wants none, all is as with tokens alone.
func TestClientsComeByAPublicAddressAlone(t *testing.T) {
	for name, c := range map[string]struct {
		public  string
		enabled bool
		on      bool
	}{
		"public": {"https://texts.example", true, true}, "here": {"http://localhost:8787", true, true},
		"here, by address": {"http://127.0.0.1:8787", true, true}, "here, by another": {"http://127.0.0.2:8787", true, false}, "here, IPv6": {"http://[::1]:8787", true, true},
		"nowhere": {"", true, false}, "not wanted": {"https://texts.example", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			conf := config.Defaults()
			conf.Data, conf.Zone, conf.PublicURL, conf.OAuth.Enabled = t.TempDir(), time.UTC, c.public, c.enabled
			conf.PublicHosts = []string{"texts.example"}
			a, err := Open(t.Context(), Options{Config: conf, Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = a.Close(t.Context()) })
			if _, err := a.Connect(t.Context()); err != nil {
				t.Fatal(err)
			}
			h, err := a.Web()
			if err != nil {
				t.Fatal(err)
			}
			ask := func(method, path, body string) *httptest.ResponseRecorder {
				r := httptest.NewRequest(method, "http://localhost:8787"+path, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				if path != "/mcp" {
					r.Header.Set("Origin", "https://elsewhere.example")
				}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				return w
			}
			w := ask("POST", "/mcp", `{}`)
			challenge := w.Header().Get("WWW-Authenticate")
			if w.Code != http.StatusUnauthorized || strings.Contains(challenge, `resource_metadata="`+c.public+`/.well-known/oauth-protected-resource/mcp"`) != c.on {
				t.Errorf("%d, %s", w.Code, challenge)
			}
			for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"} {
				w := ask("GET", path, "")
				if b, _ := io.ReadAll(w.Body); (w.Code == http.StatusOK) != c.on || strings.Contains(string(b), `"`+c.public+`"`) != c.on && c.public != "" || (w.Header().Get("Access-Control-Allow-Origin") == "*") != c.on {
					t.Errorf("%s: %d %s", path, w.Code, b)
				}
			}
			if w := ask("POST", "/oauth/register", `{"redirect_uris":["https://claude.ai/api/mcp/auth_callback"]}`); (w.Code == http.StatusCreated) != c.on {
				t.Errorf("to register: %d", w.Code)
			}
			if w := ask("POST", "/oauth/register", `{"redirect_uris":["https://elsewhere.example/"]}`); w.Code == http.StatusCreated {
				t.Error("anybody's site is sent to")
			}
		})
	}
}

func TestWhatThePhoneIsToldOfClients(t *testing.T) {
	ended := func(why oauth.Why) oauth.Grant {
		return oauth.Grant{Name: "Claude", To: "claude.ai", Ended: time.Unix(1, 0), Why: why}
	}
	for i, c := range []struct {
		g    oauth.Grant
		says string
	}{
		{oauth.Grant{Name: "Claude", To: "claude.ai"}, "claude.ai: a program that calls itself “Claude” was let in."},
		{oauth.Grant{To: "claude.ai"}, "claude.ai: a program without a name was let in."},
		{ended(oauth.CodeTwice), "claude.ai: a program that calls itself “Claude” was put out"}, {ended(oauth.RefreshTwice), "was put out"},
		{ended(oauth.ByOwner), ""}, {ended(oauth.ByClient), ""}, {ended(oauth.Unused), ""}, {ended(oauth.TooMany), ""},
	} {
		if got := told(lang.EN, c.g); !strings.Contains(got, c.says) || (got == "") != (c.says == "") {
			t.Errorf("%d: %q", i, got)
		}
	}
}

// TestNoHostIsNoneOfTheUsualOnes: an owner who names no host lets none be sent to but their own machine.
func TestNoHostIsNoneOfTheUsualOnes(t *testing.T) {
	for i, hosts := range [][]string{nil, {}} {
		conf := config.Defaults()
		conf.Data, conf.Zone, conf.PublicURL, conf.OAuth.Hosts = t.TempDir(), time.UTC, "http://localhost:8787", hosts
		a, err := Open(t.Context(), Options{Config: conf, Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close(t.Context()) })
		if err := a.makeOAuth(); err != nil {
			t.Fatal(err)
		}
		for to, code := range map[string]int{"https://claude.ai/api/mcp/auth_callback": http.StatusBadRequest, "http://localhost/": http.StatusCreated} {
			r := httptest.NewRequest("POST", "/oauth/register", strings.NewReader(`{"redirect_uris":["`+to+`"]}`))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			a.oauth.Handler().ServeHTTP(w, r)
			if w.Code != code {
				t.Errorf("%d: %s: %d", i, to, w.Code)
			}
		}
	}
}
