package oauth

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Whatever is asked for, the answer is a page, or a redirect to exactly where the client may be sent back to, with who answers, and nothing of the request but its state; a consent is for our
// resource, with a challenge, to such a place.
func FuzzAuthorize(f *testing.F) {
	w := newWorld(nil)
	c := Client{ID: "rbclient_a", Redirects: []string{callback, "http://localhost/callback"}}
	_ = w.store.Update(f.Context(), func(tx Tx) error { return tx.PutClient(c) })
	w.docs.at[document] = paper()
	for _, q := range []string{
		asks(c.ID), asks(c.ID, "redirect_uri", "http://localhost:1/callback"), asks(document), asks(c.ID) + "&state=2", asks(c.ID, "scope", "x"), asks(c.ID, "code_challenge_method", "plain"),
		asks(c.ID, "resource", "https://evil.example"), "client_id=" + c.ID + "&redirect_uri=" + url.QueryEscape(callback+"?x=1"), "%", "a;b",
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		a := w.Authorize(t.Context(), q, somewhere)
		set := 0
		if a.Problem != "" {
			set++
		}
		if a.Back != "" {
			set++
			u, err := url.Parse(a.Back)
			asked, _ := url.ParseQuery(q)
			bare, _, _ := strings.Cut(a.Back, "?")
			if _, may := w.hosts.sendsTo(bare, append(c.Redirects, "https://claude.com/api/mcp/auth_callback")); err != nil || !may || u.Fragment != "" || u.User != nil {
				t.Fatalf("%q: sent back to %s", q, a.Back)
			}
			v := u.Query()
			if len(v["iss"]) != 1 || v.Get("iss") != issuer || v.Get("error") == "" || v.Has("code") || v.Get("state") != asked.Get("state") {
				t.Fatalf("%q: sent back to %s", q, a.Back)
			}
		}
		if c := a.Consent; c != nil {
			set++
			if c.Resource != resource || !isChallenge(c.challenge) || c.Scopes == 0 || !All.Has(c.Scopes) || !slices.Contains([]string{"claude.ai", "claude.com", "localhost"}, c.To) || c.Here != (c.To == "localhost") {
				t.Fatalf("%q: %+v", q, c)
			}
		}
		if set != 1 {
			t.Fatalf("%q: %+v", q, a)
		}
	})
}

// Whatever is posted, nobody gets a token who has neither a code nor a refresh token.
func FuzzToken(f *testing.F) {
	w := newWorld(nil)
	for _, q := range []string{
		query("grant_type", "authorization_code", "client_id", "a", "code", "rbc_x", "redirect_uri", callback, "code_verifier", verifier),
		query("grant_type", "refresh_token", "client_id", "a", "refresh_token", refreshPrefix+strings.Repeat("a", 52)), "a=b&a=c", "client_secret=x&client_id=a", "%00", "=", "&&",
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{tokenPath, revokePath, registerPath} {
			r := httptest.NewRequest("POST", path, strings.NewReader(body))
			r.Header.Set("Content-Type", formType)
			if path == registerPath {
				r.Header.Set("Content-Type", jsonType)
			}
			rec := httptest.NewRecorder()
			w.Handler().ServeHTTP(rec, r)
			said := rec.Body.String()
			if strings.Contains(said, "access_token") || rec.Code >= 500 || rec.Code == 200 && path != revokePath || len(said) > 200 && rec.Code != 201 {
				t.Fatalf("%s %q: %d, %s", path, body, rec.Code, said)
			}
		}
	})
}

// What two readers of JSON could see in two ways is read in none; what is read is bounded and, where it is shown, plain.
func FuzzMetadata(f *testing.F) {
	for _, s := range []string{string(paper().Body), `{"redirect_uris":["https://claude.ai/"],"client_name":"é"}`, `{"a":{"a":[]},"a":1}`, `{}`, `[`} {
		f.Add([]byte(s))
	}
	h := hosts{"claude.ai": true}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMetadata(b)
		if err != nil {
			return
		}
		if len(m.redirects) == 0 || len(m.redirects) > mostRedirects || known(m.name) != m.name {
			t.Fatalf("%+v", m)
		}
		for _, one := range m.redirects {
			r, ok := h.redirect(one)
			if !ok {
				continue
			}
			u, err := url.Parse(one)
			if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
				t.Fatalf("%q: %+v, %v", one, u, err)
			}
			if r.here != (u.Scheme == "http") || !r.here && u.Host != "claude.ai" || r.here && !slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname()) {
				t.Fatalf("%q goes to %s", one, u.Host)
			}
		}
	})
}
