package checkup

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"readback/smsmcp/lang"
)

// TestHowItStandsWithApps: what is said is what holds, and whoever else answers at the public address is not taken for this Readback.
func TestHowItStandsWithApps(t *testing.T) {
	answer := func(body string, status int) string {
		var srv *httptest.Server
		srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/.well-known/oauth-authorization-server" {
				t.Error(r.URL)
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(strings.ReplaceAll(body, "ISSUER", srv.URL)))
		}))
		t.Cleanup(srv.Close)
		return srv.URL
	}
	good := answer(`{"issuer":"ISSUER"}`, 200)
	for i, c := range []struct {
		Apps
		status Status
		says   string
	}{
		{Apps{PublicURL: good, Passphrase: true, Running: true}, OK, "off ([oauth]"},
		{Apps{Enabled: true, Passphrase: true, Running: true}, OK, "no public_url"},
		{Apps{Enabled: true, PublicURL: good, Running: true}, Warn, "without a passphrase"},
		{Apps{Enabled: true, PublicURL: good, Passphrase: true}, OK, "while the server runs"},
		{Apps{Enabled: true, PublicURL: good, Passphrase: true, Running: true}, OK, "this machine alone"},
		{Apps{Enabled: true, PublicURL: answer(`{"issuer":"https://other.example"}`, 200), Passphrase: true, Running: true}, Warn, "does not answer as this Readback"},
		{Apps{Enabled: true, PublicURL: answer(`{"issuer":"ISSUER"}`, 502), Passphrase: true, Running: true}, Warn, "does not answer as this Readback"},
		{Apps{Enabled: true, PublicURL: answer(`<html>`, 200), Passphrase: true, Running: true}, Warn, "does not answer as this Readback"},
		{Apps{Enabled: true, PublicURL: "http://127.0.0.1:1", Passphrase: true, Running: true}, Warn, "does not answer as this Readback"},
	} {
		got := c.Examine(t.Context())
		if len(got) != 1 || got[0].Status != c.status || !strings.Contains(got[0].In(lang.EN), c.says) || got[0].In(lang.FR) == got[0].In(lang.EN) {
			t.Errorf("%d: %+v", i, got)
		}
	}
}
