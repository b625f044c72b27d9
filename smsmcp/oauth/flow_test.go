package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

// From a request without a token to a call, a refresh and a revocation, by what each answer says.
func TestTheWholeWay(t *testing.T) {
	w := newWorld(t)
	_, err := w.Check(t.Context(), "")
	status, challenge := w.Challenge(err, All)
	at := issuer + "/.well-known/oauth-protected-resource/mcp"
	if want := `Bearer realm="readback", resource_metadata="` + at + `", scope="texts:read texts:send"`; status != 401 || challenge != want {
		t.Errorf("%d, %s", status, challenge)
	}
	_, r, _ := w.do(httptest.NewRequest("GET", strings.TrimPrefix(at, issuer), nil))
	if r["resource"] != resource || fmt.Sprint(r["authorization_servers"]) != "["+issuer+"]" || fmt.Sprint(r["scopes_supported"]) != "[texts:read texts:send]" {
		t.Errorf("%v", r)
	}
	_, m, _ := w.do(httptest.NewRequest("GET", "/.well-known/oauth-authorization-server", nil))
	for name, want := range map[string]string{
		"issuer": issuer, "code_challenge_methods_supported": "[S256]", "token_endpoint_auth_methods_supported": "[none]", "client_id_metadata_document_supported": "true",
		"authorization_response_iss_parameter_supported": "true", "scopes_supported": "[texts:read texts:send]", "response_types_supported": "[code]",
		"grant_types_supported": "[authorization_code refresh_token]", "authorization_endpoint": issuer + AuthorizePath,
	} {
		if fmt.Sprint(m[name]) != want {
			t.Errorf("%s is %v", name, m[name])
		}
	}
	path := func(name string) string { return strings.TrimPrefix(m[name].(string), issuer) }
	code, client := w.post(path("registration_endpoint"), jsonType, `{"client_name":"Claude","redirect_uris":["`+callback+`"],"grant_types":["authorization_code"],"other":{"a":[1]}}`)
	id, _ := client["client_id"].(string)
	if code != 201 || client["token_endpoint_auth_method"] != "none" || client["client_name"] != "Claude" || client["client_secret"] != nil || !strings.HasPrefix(id, clientPrefix) {
		t.Fatalf("%d, %v", code, client)
	}

	c := w.consents(asks(id))
	want := Consent{Client: id, Name: "Claude", To: "claude.ai", Scopes: All, Resource: resource, redirect: callback, challenge: s256(verifier), state: "st&te =1"}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v", c)
	}
	back, err := w.Grant(t.Context(), c, "owner")
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(back)
	if q := u.Query(); !strings.HasPrefix(back, callback+"?") || q.Get("iss") != issuer || q.Get("state") != "st&te =1" || len(q) != 3 {
		t.Errorf("sent back to %s", back)
	}
	var out map[string]any
	code, out = w.form(path("token_endpoint"), "grant_type", "authorization_code", "client_id", id, "code", u.Query().Get("code"), "redirect_uri", callback, "code_verifier", verifier, "resource", resource)
	if code != 200 || out["scope"] != "texts:read texts:send" {
		t.Fatalf("%d, %v", code, out)
	}
	got, _ := w.tokens(code, out)
	a, err := w.Check(t.Context(), got.access)
	g := w.only()
	if err != nil || a.Scopes != All || a.MayConfirm || a.Principal != "owner" || a.Name != "Claude" || a.Client != id || a.Grant != g.ID || a.Caller() != "app-"+g.ID {
		t.Fatalf("%+v, %v", a, err)
	}
	if g.To != "claude.ai" || g.MayConfirm || !g.Created.Equal(noon) || len(w.told) != 1 || w.told[0].ID != g.ID {
		t.Errorf("%+v, told %v", g, w.told)
	}

	w.pass(AccessLife - time.Second)
	if !w.works(got.access) {
		t.Error("the access token is over too early")
	}
	w.pass(time.Second)
	if w.works(got.access) {
		t.Error("the access token outlives its hour")
	}
	next, fault := w.refreshes(id, got.refresh)
	if fault != "" || !w.works(next.access) {
		t.Fatal(fault)
	}
	if code, out := w.form(path("revocation_endpoint"), "token", next.access, "client_id", id); code != 200 || len(out) != 0 || w.works(next.access) {
		t.Errorf("%d, %v", code, out)
	}
	if next, fault = w.refreshes(id, next.refresh); fault != "" {
		t.Fatal("an access token took the grant along: ", fault)
	}
	if code, _ := w.form(path("revocation_endpoint"), "token", next.refresh, "client_id", id, "token_type_hint", "access_token"); code != 200 || w.works(next.access) {
		t.Error("a revoked grant works")
	}
	if _, fault := w.refreshes(id, next.refresh); fault != invalidGrant || w.only().Why != ByClient || len(w.told) != 2 {
		t.Errorf("%s, %+v", fault, w.only())
	}
}

func TestScopes(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback)
	for asked, want := range map[string]Scopes{"": All, "texts:read": Read, "texts:send openid": Send, "offline_access texts:send texts:read": All} {
		if got := w.consents(asks(id, "scope", asked)).Scopes; got != want {
			t.Errorf("%q: %v", asked, got)
		}
	}
	got, _ := w.exchange(id, w.code(asks(id, "scope", "texts:read")))
	a, err := w.Check(t.Context(), got.access)
	if err != nil || a.Need(Read) != nil || !errors.Is(a.Need(Send), ErrScope) || !errors.Is(a.Need(All), ErrScope) {
		t.Errorf("%+v, %v", a, err)
	}
	status, challenge := w.Challenge(a.Need(Send), Send)
	if status != 403 || challenge != `Bearer realm="readback", error="insufficient_scope", resource_metadata="`+issuer+`/.well-known/oauth-protected-resource/mcp", scope="texts:send"` {
		t.Errorf("%d, %s", status, challenge)
	}
	for _, more := range []string{"texts:send", "texts:read texts:send", "other"} {
		if _, fault := w.refreshes(id, got.refresh, "scope", more); fault != invalidScope {
			t.Errorf("%s on refresh: %q", more, fault)
		}
	}
	if got, fault := w.refreshes(id, got.refresh, "scope", "texts:read"); fault != "" || !w.works(got.access) {
		t.Error(fault)
	}

	id, got = w.in()
	less, fault := w.refreshes(id, got.refresh, "scope", "texts:read")
	a, err = w.Check(t.Context(), less.access)
	if fault != "" || err != nil || a.Scopes != Read {
		t.Errorf("%s, %v, %v", fault, a.Scopes, err)
	}
	all, _ := w.refreshes(id, less.refresh)
	if a, _ := w.Check(t.Context(), all.access); a.Scopes != All {
		t.Errorf("after less, %v", a.Scopes)
	}
}

func TestTheOwnersList(t *testing.T) {
	w := newWorld(t)
	_, got := w.in()
	g := w.only()
	if err := w.SetMayConfirm(t.Context(), g.ID, true); err != nil {
		t.Fatal(err)
	}
	if a, err := w.Check(t.Context(), got.access); err != nil || !a.MayConfirm {
		t.Errorf("%+v, %v", a, err)
	}
	if err := w.Revoke(t.Context(), g.ID); err != nil || w.works(got.access) || w.only().Why != ByOwner || len(w.told) != 2 || len(w.store.state.tokens) != 1 { // its refresh token is known, as one that is over
		t.Errorf("%v, %+v", err, w.only())
	}
	for _, id := range []string{g.ID, "", "none"} {
		if err := w.Revoke(t.Context(), id); !errors.Is(err, ErrNoGrant) {
			t.Errorf("%q: %v", id, err)
		}
		if err := w.SetMayConfirm(t.Context(), id, true); !errors.Is(err, ErrNoGrant) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A grant that ended gives nothing, also where its tokens are still there.
func TestAGrantThatEnded(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	g := w.only()
	g.Ended = noon
	w.store.state.grants[g.ID] = g
	if w.works(got.access) {
		t.Error("an access token works")
	}
	if _, fault := w.refreshes(id, got.refresh); fault != invalidGrant {
		t.Errorf("a refresh token works: %q", fault)
	}
}

// A grant that ends while a call is judged lets it in no more.
func TestAGrantThatEndsMeanwhile(t *testing.T) {
	w := newWorld(t)
	_, got := w.in()
	w.store.first = func() {
		if err := w.Revoke(t.Context(), w.only().ID); err != nil {
			t.Error(err)
		}
	}
	if w.works(got.access) || w.store.first != nil || w.only().Why != ByOwner {
		t.Error("a call was let in")
	}
}

func TestTheOwnersNo(t *testing.T) {
	w := newWorld(t)
	u, _ := url.Parse(w.Deny(w.consents(asks(w.registered(callback)))))
	if q := u.Query(); q.Get("error") != "access_denied" || q.Get("iss") != issuer || q.Get("state") != "st&te =1" || q.Has("code") {
		t.Error(u)
	}
	for _, who := range []string{"", strings.Repeat("a", 65)} {
		if _, err := w.Grant(t.Context(), w.consents(asks(w.registered(callback))), who); !errors.Is(err, ErrPrincipal) {
			t.Error(err)
		}
	}
	if _, err := w.Grant(t.Context(), Consent{}, "owner"); err == nil {
		t.Error("a consent that nobody asked for was granted")
	}
}

// A yes names the digest of what was shown: whatever differs has another.
func TestADigestCoversAll(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback, "https://claude.com/cb", "http://localhost/cb")
	seen := map[[32]byte]string{}
	for _, q := range []string{
		asks(id), asks(id, "scope", "texts:read"), asks(id, "state", "2"), asks(id, "redirect_uri", "https://claude.com/cb"), asks(id, "redirect_uri", "http://localhost:1/cb"),
		asks(id, "redirect_uri", "http://localhost:2/cb"), asks(id, "code_challenge", s256("other")),
	} {
		d := w.consents(q).Digest()
		if was, has := seen[d]; has {
			t.Errorf("%s and %s have one digest", was, q)
		}
		if seen[d] = q; w.consents(q).Digest() != d {
			t.Error("a digest changes by itself")
		}
	}
	c := w.consents(asks(id))
	for _, change := range []func(*Consent){
		func(c *Consent) { c.Client += "x" }, func(c *Consent) { c.Name = "Other" }, func(c *Consent) { c.From = "x.example" }, func(c *Consent) { c.To = "x.example" }, func(c *Consent) { c.Resource = "x" },
		func(c *Consent) { c.Name, c.From = "", c.Name },
	} {
		o := c
		if change(&o); o.Digest() == c.Digest() {
			t.Errorf("%+v has the digest of %+v", o, c)
		}
	}
}

// Trouble of ours is never told as a token that does not work: a client would give it up.
func TestAStoreThatFailsSignsNobodyOut(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	w.store.fail = func() error { return errors.New("no space left, and rbr_secret") }
	if _, err := w.Check(t.Context(), got.access); err == nil || errors.Is(err, ErrToken) {
		t.Errorf("check: %v", err)
	}
	code, out := w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh)
	if code != 503 || out["error"] != "temporarily_unavailable" {
		t.Errorf("%d, %v", code, out)
	}
	if a := w.Authorize(t.Context(), asks(id), somewhere); a.Consent == nil { // it only reads
		t.Errorf("%+v", a)
	}
	w.store.fail = nil
	if next, fault := w.refreshes(id, got.refresh); fault != "" || !w.works(next.access) {
		t.Error(fault)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Check(ctx, got.access); err != nil && errors.Is(err, ErrToken) {
		t.Error("a call that was given up is a token that does not work")
	}
}

func TestOptions(t *testing.T) {
	good := Options{Issuer: issuer, Path: "/mcp", Store: newMemory()}
	for _, s := range []string{"", "readback.example", "http://readback.example", "https://readback.example/", "https://readback.example/a", "https://u@readback.example", "https://READBACK.example", "https://readback.example?a", "ftp://localhost", "http://127.0.0.1.example"} {
		o := good
		if o.Issuer = s; !fails(o, ErrIssuer) {
			t.Errorf("issuer %q", s)
		}
	}
	for _, s := range []string{"", "mcp", "/mcp/", "/m cp", "/", "/mcp?a"} {
		o := good
		if o.Path = s; !fails(o, ErrPath) {
			t.Errorf("path %q", s)
		}
	}
	for _, s := range []string{"", "Claude.ai", "claude.ai:443", "*", "*.claude.ai", "localhost", "127.0.0.1", "claude.ai/", "claude.ai@evil.example"} {
		o := good
		if o.Hosts = []string{s}; !fails(o, ErrHosts) {
			t.Errorf("host %q", s)
		}
	}
	for _, s := range []string{issuer, "https://readback.example:8443", "http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:8080"} {
		o := good
		if o.Issuer = s; fails(o, nil) {
			t.Errorf("issuer %q", s)
		}
	}
}

func fails(o Options, want error) bool {
	_, err := New(o)
	return err != nil && (want == nil || errors.Is(err, want))
}
