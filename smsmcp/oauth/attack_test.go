package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// What is wrong with the client or with where it is sent back to is never a redirect.
func TestAttackOpenRedirect(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback, "http://localhost/callback", "http://127.0.0.1:9/cb")
	for _, to := range []string{
		"", "https://evil.example/", "https://claude.ai/", "https://claude.ai/api/mcp/auth_callback/", "https://claude.ai/api/mcp/auth_callback?x=1", "https://claude.ai/api/mcp/auth_callback#f",
		"https://claude.ai/api/mcp/../mcp/auth_callback", "https://claude.ai:443/api/mcp/auth_callback", "https://CLAUDE.ai/api/mcp/auth_callback", "http://claude.ai/api/mcp/auth_callback",
		"https://claude.ai.evil.example/api/mcp/auth_callback", "https://claude.ai@evil.example/api/mcp/auth_callback", "https://evil.example\\@claude.ai/api/mcp/auth_callback",
		"https://evil.example/https://claude.ai/api/mcp/auth_callback", "//claude.ai/api/mcp/auth_callback", "javascript://claude.ai/api/mcp/auth_callback", "data:text/html,x", " " + callback, callback + "\n",
		"https://claude.com/api/mcp/auth_callback", "http://localhost/other", "http://localhost:1/callback/", "http://127.0.0.1/callback", "http://localhost:99999/callback", "http://localhost:0/callback",
		"http://localhost:01/callback", "http://localhost:/callback", "http://localhost.evil.example/callback", "http://localhost@evil.example/callback", "https://localhost/callback", "http://127.0.0.2:9/cb", "http://[::1]/callback", "http://localhost:1@evil.example/callback",
		"http://LOCALHOST/callback",
	} {
		a := w.Authorize(t.Context(), asks(id, "redirect_uri", to, "response_type", "bad"), somewhere)
		if a.Back != "" || a.Consent != nil || a.Problem != BadRedirect {
			t.Errorf("%q: %+v", to, a)
		}
	}
	for _, to := range []string{callback, "http://localhost/callback", "http://localhost:3118/callback", "http://127.0.0.1:40000/cb", "http://127.0.0.1/cb"} {
		c := w.consents(asks(id, "redirect_uri", to))
		if at, err := w.Grant(t.Context(), c, "owner"); err != nil || !strings.HasPrefix(at, to+"?") || c.Here != strings.HasPrefix(to, "http:") {
			t.Errorf("%q: %s, %v", to, at, err)
		}
	}
	for _, who := range []string{"", "nobody", "rbclient_none", "rbclient_" + strings.Repeat("a", 300), "https://evil.example/doc", "http://claude.ai/doc", "https://claude.ai/none", "https://claude.ai/", "https://claude.ai", "https://claude.ai/a/../doc", "https://claude.ai/a%2f", "https://claude.ai/?doc"} {
		a := w.Authorize(t.Context(), asks(id, "client_id", who), somewhere)
		if a.Back != "" || a.Consent != nil || a.Problem != BadClient {
			t.Errorf("%q: %+v", who, a)
		}
	}
	if w.docs.asked != 1 { // for https://claude.ai/none
		t.Errorf("%d documents were asked for", w.docs.asked)
	}
}

// A redirect that the configuration no longer names is none, whoever registered it.
func TestAHostThatIsNoLongerAllowed(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback)
	s, err := New(Options{Issuer: issuer, Path: "/mcp", Store: w.store, Hosts: []string{"other.example"}, Now: func() time.Time { return w.now }, Log: w.Server.log})
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Authorize(t.Context(), asks(id), somewhere); a.Problem != BadRedirect {
		t.Errorf("%+v", a)
	}
}

func TestAttackParameters(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback)
	long := asks(id)
	for n := range 20 {
		long += fmt.Sprintf("&x%d=%s", n, strings.Repeat("a", 400))
	}
	for _, q := range []string{
		"%zz", "a;b=c", strings.Repeat("a=b&", 40), asks(id) + "&x=" + strings.Repeat("a", longWhole), asks(id, "state", "a\nb"), asks(id, "state", "é"), asks(id, "state", strings.Repeat("a", longState+1)),
		asks(id) + "&state=2", asks(id, "scope", "a\x00"), long, asks(id, "x", strings.Repeat("a", longOther+1)),
	} {
		if a := w.Authorize(t.Context(), q, somewhere); a.Problem != BadRequest || a.Back != "" || a.Consent != nil {
			t.Errorf("%.80q: %+v", q, a)
		}
	}
	if a := w.Authorize(t.Context(), asks(id)+"&client_id="+id, somewhere); a.Problem != BadClient {
		t.Errorf("%+v", a)
	}
	if a := w.Authorize(t.Context(), asks(id)+"&redirect_uri="+url.QueryEscape(callback), somewhere); a.Problem != BadRedirect {
		t.Errorf("%+v", a)
	}
	for q, want := range map[string]string{
		asks(id) + "&scope=texts:read":            invalidRequest,
		asks(id) + "&resource=" + resource:        invalidRequest,
		asks(id) + "&code_challenge_method=plain": invalidRequest,
		asks(id) + "&unknown=1&unknown=2":         invalidRequest,
		asks(id, "response_type", ""):             invalidRequest,
		asks(id, "response_type", "token"):        unsupportedResponse,
		asks(id, "response_type", "code token"):   unsupportedResponse,
		asks(id, "response_mode", "fragment"):     invalidRequest,
		asks(id, "response_mode", "form_post"):    invalidRequest,
		asks(id, "request", "eyJ"):                requestNotSupported,
		asks(id, "request_uri", "https://x"):      requestURINot,
		asks(id, "scope", "openid"):               invalidScope,
		asks(id, "prompt", "none"):                consentRequired,
		// PKCE, taken down.
		asks(id, "code_challenge", "", "code_challenge_method", ""):            invalidRequest,
		asks(id, "code_challenge_method", ""):                                  invalidRequest,
		asks(id, "code_challenge_method", "plain"):                             invalidRequest,
		asks(id, "code_challenge_method", "s256"):                              invalidRequest,
		asks(id, "code_challenge", ""):                                         invalidRequest,
		asks(id, "code_challenge", "short"):                                    invalidRequest,
		asks(id, "code_challenge", strings.Repeat("a", 44)):                    invalidRequest,
		asks(id, "code_challenge", strings.Repeat("=", 43)):                    invalidRequest,
		asks(id, "code_challenge", strings.Repeat("a", 42)+"b"):                invalidRequest, // bits after the last
		asks(id, "code_challenge", verifier, "code_challenge_method", "plain"): invalidRequest,
		// For somebody else.
		asks(id, "resource", "https://evil.example/mcp"):    invalidTarget,
		asks(id, "resource", issuer):                        invalidTarget,
		asks(id, "resource", resource+"/other"):             invalidTarget,
		asks(id, "resource", strings.ToUpper(resource)):     invalidTarget,
		asks(id, "resource", "http://readback.example/mcp"): invalidTarget,
	} {
		a := w.Authorize(t.Context(), q, somewhere)
		u, err := url.Parse(a.Back)
		if err != nil || a.Consent != nil || a.Problem != "" {
			t.Errorf("%s: %+v", q, a)
			continue
		}
		if v := u.Query(); !strings.HasPrefix(a.Back, callback+"?") || v.Get("error") != want || v.Get("state") != "st&te =1" || v.Get("iss") != issuer || v.Has("code") || len(v) != 3 {
			t.Errorf("%s: %s, want %s", q, a.Back, want)
		}
	}
	if w.consents(asks(id, "resource", "")).Resource != resource || w.consents(asks(id, "resource", resource+"/")).Resource != resource || w.consents(asks(id, "state", "")).state != "" {
		t.Error("a request that names no resource is not for ours")
	}
}

// Whoever answers says who it is, in each answer, as the metadata has it (RFC 9207): a client that asked another server can tell.
func TestAttackMixedUpIssuer(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback)
	c := w.consents(asks(id))
	yes, err := w.Grant(t.Context(), c, "owner")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{yes, w.Deny(c), w.Authorize(t.Context(), asks(id, "scope", "x"), somewhere).Back} {
		if u, err := url.Parse(at); err != nil || len(u.Query()["iss"]) != 1 || u.Query().Get("iss") != w.serverMetadata()["issuer"] {
			t.Errorf("%s", at)
		}
	}
}

func TestAttackCodeReuse(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback)
	code := w.code(asks(id))
	got, _ := w.exchange(id, code)
	if !w.works(got.access) {
		t.Fatal("the code gave nothing")
	}
	w.pass(time.Hour / 2)
	w.restart()
	if _, fault := w.exchange(id, code); fault != invalidGrant || w.works(got.access) {
		t.Errorf("again: %q", fault)
	}
	if _, fault := w.refreshes(id, got.refresh); fault != invalidGrant || w.only().Why != CodeTwice {
		t.Errorf("%q, %+v", fault, w.only())
	}
	if _, fault := w.exchange(id, code); fault != invalidGrant || len(w.told) != 2 {
		t.Errorf("once more: %q, told %v", fault, w.told)
	}
}

// Each wrong word about a code is refused, and uses it up.
func TestAttackCodeInjection(t *testing.T) {
	w := newWorld(t)
	id, other := w.registered(callback, "https://claude.com/cb"), w.registered(callback)
	for name, c := range map[string]struct {
		client string
		with   []string
		fault  string
	}{
		"another client's":    {other, nil, invalidGrant},
		"nobody's":            {"rbclient_x", nil, invalidGrant},
		"another redirect":    {id, []string{"redirect_uri", "https://claude.com/cb"}, invalidGrant},
		"another verifier":    {id, []string{"code_verifier", strings.Repeat("b", 43)}, invalidGrant},
		"the challenge":       {id, []string{"code_verifier", s256(verifier)}, invalidGrant},
		"a verifier too long": {id, []string{"code_verifier", strings.Repeat("b", 129)}, invalidGrant},
		"another resource":    {id, []string{"resource", "https://evil.example/mcp"}, invalidTarget},
	} {
		code := w.code(asks(id))
		p := map[string]string{"grant_type": "authorization_code", "client_id": c.client, "code": code, "redirect_uri": callback, "code_verifier": verifier, "resource": resource}
		for i := 0; i < len(c.with); i += 2 {
			p[c.with[i]] = c.with[i+1]
		}
		var kv []string
		for k, v := range p {
			kv = append(kv, k, v)
		}
		w.from = fmt.Sprintf("10.0.0.%d:1", len(name)) // a bucket of its own
		if _, fault := w.tokens(w.form(tokenPath, kv...)); fault != c.fault {
			t.Errorf("%s: %q", name, fault)
		}
		if _, fault := w.exchange(id, code); fault != invalidGrant {
			t.Errorf("%s: the code is still good: %q", name, fault)
		}
	}
	if all, _ := w.Grants(t.Context()); len(all) != 0 {
		t.Errorf("%d grants", len(all))
	}
	// A verifier that is too short is refused even where its challenge is right.
	code := w.code(asks(id, "code_challenge", s256("short")))
	if _, fault := w.exchange(id, code, "code_verifier", "short"); fault != invalidRequest { // twice
		t.Error(fault)
	}
	if _, fault := w.tokens(w.form(tokenPath, "grant_type", "authorization_code", "client_id", id, "code", code, "redirect_uri", callback, "code_verifier", "short")); fault != invalidGrant {
		t.Error(fault)
	}
	// Without a verifier the code is not even looked at.
	code = w.code(asks(id))
	for _, gone := range []string{"code_verifier", "redirect_uri", "code", "client_id", "grant_type"} {
		p := url.Values{"grant_type": {"authorization_code"}, "client_id": {id}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {verifier}}
		p.Set(gone, "")
		if _, fault := w.tokens(w.post(tokenPath, formType, p.Encode())); fault != invalidRequest {
			t.Errorf("without %s: %q", gone, fault)
		}
	}
	if _, fault := w.exchange(id, code); fault != "" {
		t.Error(fault)
	}
}

func TestACodeIsGoodForAMinute(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "", CodeLife - 1: "", CodeLife: invalidGrant, time.Hour: invalidGrant} {
		w := newWorld(t)
		id := w.registered(callback)
		code := w.code(asks(id))
		w.pass(d)
		if _, fault := w.exchange(id, code); fault != want {
			t.Errorf("after %v: %q", d, fault)
		}
	}
}

func TestAttackRefreshReuse(t *testing.T) {
	w := newWorld(t)
	id, first := w.in()
	w.pass(50 * time.Minute)
	second, fault := w.refreshes(id, first.refresh)
	if fault != "" || !w.works(second.access) { // it has the answer
		t.Fatal(fault)
	}
	w.pass(Grace)
	w.restart()
	if _, fault := w.refreshes(id, first.refresh); fault != invalidGrant {
		t.Errorf("a token that was exchanged, and whose successor is in use: %q", fault)
	}
	if _, fault := w.refreshes(id, second.refresh); fault != invalidGrant || w.works(second.access) || w.only().Why != RefreshTwice || len(w.told) != 2 {
		t.Errorf("the grant goes on: %q, %+v", fault, w.only())
	}
}

// A thief who has the refresh token that is good now takes one turn; the client's next ends both.
func TestAttackAStolenRefreshTokenServesTwoForOneTurn(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	theirs, _ := w.refreshes(id, got.refresh)
	if w.pass(time.Minute); !w.works(theirs.access) {
		t.Fatal("the thief has nothing")
	}
	w.pass(time.Hour)
	if _, fault := w.refreshes(id, got.refresh); fault != invalidGrant || w.works(theirs.access) {
		t.Errorf("%q", fault)
	}
	if _, fault := w.refreshes(id, theirs.refresh); fault != invalidGrant {
		t.Errorf("the thief goes on: %q", fault)
	}
}

func TestAttackTokensOfOthers(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	other := w.registered(callback)
	for _, who := range []string{other, "nobody", document} {
		if _, fault := w.refreshes(who, got.refresh); fault != invalidGrant {
			t.Errorf("%s refreshes: %q", who, fault)
		}
		for _, token := range []string{got.refresh, got.access} {
			if code, out := w.form(revokePath, "token", token, "client_id", who); code != 200 || len(out) != 0 || !w.works(got.access) {
				t.Errorf("%s revokes: %d, %v", who, code, out)
			}
		}
	}
	if _, fault := w.refreshes(id, got.access); fault != invalidGrant {
		t.Errorf("an access token refreshes: %q", fault)
	}
	for _, target := range []string{"https://evil.example/mcp", issuer} {
		if _, fault := w.tokens(w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh, "resource", target)); fault != invalidTarget {
			t.Errorf("for %s: %q", target, fault)
		}
	}
	for _, bad := range []string{"", got.refresh, got.access + "a", strings.ToUpper(got.access), "rba_", "rb_aaaaaaaa_" + got.access[4:], got.access[:len(got.access)-1] + "1"} {
		if _, err := w.Check(t.Context(), bad); err == nil {
			t.Errorf("%q is an access token", bad)
		}
	}
	// What was given for another address of this server is not for this one.
	s, err := New(Options{Issuer: "https://other.example", Path: "/mcp", Store: w.store, Now: func() time.Time { return w.now }, Log: w.Server.log})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Check(t.Context(), got.access); !errors.Is(err, ErrToken) {
		t.Errorf("another resource takes the token: %v", err)
	}
	code, mine := w.code(asks(id)), w.Server
	w.Server = s
	if _, fault := w.tokens(w.form(tokenPath, "grant_type", "authorization_code", "client_id", id, "code", code, "redirect_uri", callback, "code_verifier", verifier)); fault != invalidTarget {
		t.Errorf("another resource takes the code: %q", fault)
	}
	if _, fault := w.tokens(w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh)); fault != invalidGrant {
		t.Errorf("another resource refreshes: %q", fault)
	}
	w.Server = mine
	if a, err := w.Check(t.Context(), got.access); err != nil || a.Client != id {
		t.Error(err)
	}
}

// None but POST, one content type, a body alone, no secret, each parameter once.
func TestAttackTheTokenRequest(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	good := query("grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh)
	send := func(method, path, kind, body string, header ...string) (int, any) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		code, out, _ := w.do(r)
		return code, out["error"]
	}
	for _, path := range []string{tokenPath, revokePath} {
		if path == revokePath {
			good = query("token", got.refresh, "client_id", id)
		}
		for _, c := range []struct {
			method, path, kind, body string
			header                   []string
			code                     int
			fault                    any
		}{
			{"GET", path + "?" + good, formType, "", nil, 405, nil},
			{"PUT", path, formType, good, nil, 405, nil},
			{"POST", path + "?" + good, formType, "", nil, 400, invalidRequest},
			{"POST", path + "?client_id=" + id, formType, good, nil, 400, invalidRequest},
			{"POST", path, jsonType, good, nil, 400, invalidRequest},
			{"POST", path, "", good, nil, 400, invalidRequest},
			{"POST", path, formType, good + "&client_id=" + id, nil, 400, invalidRequest},
			{"POST", path, formType, good + "&x=1&x=2", nil, 400, invalidRequest},
			{"POST", path, formType, good + "&x=%zz", nil, 400, invalidRequest},
			{"POST", path, formType, good + "&x=" + strings.Repeat("a", longWhole), nil, 400, invalidRequest},
			{"POST", path, formType, good + "&x=" + strings.Repeat("a", longOther+1), nil, 400, invalidRequest},
			{"POST", path, formType, good + strings.Repeat("&", mostParams), nil, 400, invalidRequest},
			{"POST", path, formType, good + "&x=%00", nil, 400, invalidRequest},
			{"POST", path, formType, good + "&client_secret=x", nil, 401, invalidClient},
			{"POST", path, formType, good + "&client_assertion=x", nil, 401, invalidClient},
			{"POST", path, formType, "", nil, 400, invalidRequest},
		} {
			code, fault := send(c.method, c.path, c.kind, c.body, c.header...)
			if code != c.code || fault != c.fault {
				t.Errorf("%s %.60s %s %.60s: %d, %v", c.method, c.path, c.kind, c.body, code, fault)
			}
		}
	}
	for _, kind := range []string{"password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:device_code", "Refresh_Token"} {
		if _, fault := w.tokens(w.form(tokenPath, "grant_type", kind, "client_id", id, "refresh_token", got.refresh)); fault != unsupportedGrant {
			t.Errorf("%s: %q", kind, fault)
		}
	}
	if code, fault := send("POST", tokenPath, formType+"; charset=utf-8", query("grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh, "client_secret", "")); code != 200 {
		t.Errorf("%d, %v", code, fault)
	}
}

// Guessing gets slower, for the one who guesses alone.
func TestAttackBruteForce(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	guess := func() int {
		secret, _ := draw(w.o.Rand, refreshPrefix, secretBytes)
		code, _ := w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", secret)
		return code
	}
	for _, path := range []string{"token", "revoke"} {
		w.restart()
		n := 0
		for ; n < 1000; n++ {
			var code int
			if path == "token" {
				code = guess()
			} else {
				secret, _ := draw(w.o.Rand, refreshPrefix, secretBytes)
				code, _ = w.form(revokePath, "client_id", id, "token", secret)
			}
			if code == 429 {
				break
			}
		}
		if n != 20 {
			t.Errorf("%s: %d guesses at once", path, n)
		}
	}
	if w.pass(time.Minute); guess() == 429 {
		t.Error("it never ends")
	}
	for n := 0; n < 50; n++ {
		guess()
	}
	if _, fault := w.refreshes(id, got.refresh); fault != "" { // the same address
		t.Errorf("a client is held up by guesses from its address: %q", fault)
	}
	if w.pass(-time.Hour); guess() != 429 {
		t.Error("a clock set back gives guesses")
	}
	if w.pass(time.Hour); guess() != 429 {
		t.Error("a clock set back and right again gives guesses")
	}
	all := 0
	for n := range 400 {
		w.from = fmt.Sprintf("[2001:db8:%x::1]:1", n)
		if guess() != 429 {
			all++
		}
	}
	if all > 120 {
		t.Errorf("%d guesses at once from many addresses", all)
	}
}

func TestABucketAndAClockSetBack(t *testing.T) {
	b := newBuckets[string](1, 2, 8)
	for i, c := range []struct {
		at   time.Duration
		want bool
	}{{0, true}, {-time.Hour, true}, {-time.Hour, false}, {0, false}, {59 * time.Second, false}, {time.Minute, true}} {
		if got := b.take("a", noon.Add(c.at)); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
	for n := range 20 {
		b.take(string(rune('a'+n)), noon.Add(time.Minute))
	}
	if len(b.all) > 8 {
		t.Errorf("%d buckets are kept", len(b.all))
	}
}

func TestARefreshThatNeverStops(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	n := 0
	for ; n < 1000; n++ {
		code, out := w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh)
		if code == 429 {
			break
		}
		next, fault := w.tokens(code, out)
		if fault != "" {
			t.Fatal(fault)
		}
		got = next
	}
	if n != 60 {
		t.Errorf("%d refreshes at once", n)
	}
	if w.pass(time.Minute); w.only().Ended.IsZero() == false {
		t.Error("it ended the grant")
	}
	if _, fault := w.refreshes(id, got.refresh); fault != "" {
		t.Error(fault)
	}
}

// TestInvariant12AClockSetBackLetsNoClientIn: what was over stays over, and what is from the future does not work yet.
func TestInvariant12AClockSetBackLetsNoClientIn(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	code := w.code(asks(id))
	w.pass(-2 * time.Hour)
	if w.works(got.access) {
		t.Error("an access token from the future works")
	}
	if _, fault := w.exchange(id, code); fault != invalidGrant {
		t.Errorf("a code from the future: %q", fault)
	}
	next, fault := w.refreshes(id, got.refresh) // but the client is not signed out
	if fault != "" || !w.works(next.access) {
		t.Fatalf("%q", fault)
	}
	w.pass(2 * time.Hour)
	if w.works(next.access) {
		t.Error("an access token lived for two hours")
	}
	if next, fault = w.refreshes(id, next.refresh); fault != "" {
		t.Fatal(fault)
	}
	w.pass(Idle)
	if _, fault := w.refreshes(id, next.refresh); fault != invalidGrant || w.only().Why != Unused {
		t.Errorf("%q, %+v", fault, w.only())
	}
	w.pass(-Idle)
	if _, fault := w.refreshes(id, next.refresh); fault != invalidGrant || w.works(next.access) {
		t.Errorf("a clock set back opens what was over: %q", fault)
	}

	// What was seen to be over stays over; also a code that nobody came with meanwhile. A client that goes on goes on.
	id, got = w.in()
	code = w.code(asks(id))
	if w.pass(AccessLife); w.works(got.access) {
		t.Error("an access token lives too long")
	}
	if w.pass(-time.Second); w.works(got.access) {
		t.Error("an access token that was over works again")
	}
	w.pass(time.Second - AccessLife)
	if _, fault := w.exchange(id, code); fault != invalidGrant {
		t.Errorf("a code that was over for an hour: %q", fault)
	}
	if next, fault = w.refreshes(id, got.refresh); fault != "" || !w.works(next.access) {
		t.Errorf("%q", fault)
	}
	code = w.code(asks(id))
	w.pass(CodeLife)
	if _, fault := w.refreshes(id, next.refresh); fault != "" {
		t.Error(fault)
	}
	w.pass(-CodeLife)
	if _, fault := w.exchange(id, code); fault != invalidGrant {
		t.Errorf("a code that was over: %q", fault)
	}

	// The grace for what overtakes is over once the clock goes back by more.
	id, got = w.in()
	two, _ := w.refreshes(id, got.refresh)
	if !w.works(two.access) {
		t.Fatal("two")
	}
	w.pass(-Grace)
	if _, fault := w.refreshes(id, got.refresh); fault != invalidGrant {
		t.Errorf("%q", fault)
	}
}

// TestInvariant11NoTokenOfAClientInLogOrError: nor is one kept but hashed.
func TestInvariant11NoTokenOfAClientInLogOrError(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	code := w.code(asks(id))
	_, _ = w.exchange(id, code, "code_verifier", strings.Repeat("x", 50))
	_, _ = w.exchange(id, code)
	next, _ := w.refreshes(id, got.refresh)
	w.works(next.access)
	w.pass(time.Hour)
	_, _ = w.refreshes(id, got.refresh)
	_, err := w.Check(t.Context(), next.access)
	kept := fmt.Sprintf("%+v", w.store.state)
	for _, secret := range []string{code, got.access, got.refresh, next.access, next.refresh, verifier} {
		for _, part := range []string{secret, secret[4:], secret[len(secret)-12:]} {
			if strings.Contains(w.log.String(), part) || strings.Contains(fmt.Sprint(err), part) {
				t.Errorf("a secret is in the log, or in %v", err)
			}
			if strings.Contains(kept, part) {
				t.Error("a secret is kept")
			}
		}
	}
	if w.log.Len() == 0 {
		t.Error("nothing is logged: this test sees nothing")
	}
}

// TestInvariant13NothingOfAClientIsEchoed: what is refused is not said again.
func TestInvariant13NothingOfAClientIsEchoed(t *testing.T) {
	w := newWorld(t)
	const word = "hunter2"
	_, _ = w.form(tokenPath, "grant_type", word, "client_id", word)
	_, _ = w.form(tokenPath, "grant_type", "refresh_token", "client_id", word, "refresh_token", word)
	_, _ = w.form(tokenPath, word, word)
	_, _ = w.form(revokePath, "token", word, "client_id", word)
	_, _ = w.post(registerPath, jsonType, `{"redirect_uris":["https://`+word+`/"]}`)
	_, _ = w.post(registerPath, jsonType, `{"`+word)
	_, _ = w.post(registerPath, jsonType, `{"redirect_uris":["`+callback+`"],"client_name":"<`+word+`>","logo_uri":"`+word+`"}`)
	id := w.registered(callback)
	for _, q := range []string{asks(id, "scope", word), asks(id, "resource", word), asks(word), asks(id, "redirect_uri", word), asks("https://claude.ai/" + word)} {
		a := w.Authorize(t.Context(), q, somewhere)
		w.said.WriteString(a.Back + string(a.Problem))
	}
	if strings.Contains(w.said.String()+w.log.String(), word) || w.said.Len() == 0 {
		t.Errorf("%s\n%s", w.said.String(), w.log.String())
	}
}

// What was given to a client, and works no more, is known for what it is whatever strangers do: the client has to ask the owner again. What is shown too often is not.
func TestStrangersDoNotHideFromAClientThatItIsOut(t *testing.T) {
	for name, out := range map[string]func(*world, string) func() (int, map[string]any){
		"the owner's word": func(w *world, id string) func() (int, map[string]any) {
			got, _ := w.exchange(id, w.code(asks(id)))
			for range 70 { // of which it has one of the last
				w.pass(time.Minute)
				got, _ = w.refreshes(id, got.refresh)
			}
			if err := w.Revoke(w.t.Context(), w.only().ID); err != nil {
				w.t.Error(err)
			}
			return func() (int, map[string]any) {
				return w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh)
			}
		},
		"a scope that it has not": func(w *world, id string) func() (int, map[string]any) {
			got, _ := w.exchange(id, w.code(asks(id, "scope", "texts:read")))
			return func() (int, map[string]any) {
				return w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh, "scope", "texts:send")
			}
		},
		"a code that is over": func(w *world, id string) func() (int, map[string]any) {
			code := w.code(asks(id))
			w.pass(CodeLife)
			return func() (int, map[string]any) {
				return w.form(tokenPath, "grant_type", "authorization_code", "client_id", id, "code", code, "redirect_uri", callback, "code_verifier", verifier)
			}
		},
	} {
		w := newWorld(t)
		id := w.registered(callback)
		again := out(w, id)
		for n := range 13 {
			for range 12 {
				w.from = fmt.Sprintf("[2001:db8:0:%x::1]:1", n)
				secret, _ := draw(w.o.Rand, refreshPrefix, secretBytes)
				w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", secret)
			}
		}
		n := 0
		for ; n < 1000; n++ {
			code, _ := again()
			if code == 429 {
				break
			}
			if code != 400 {
				t.Fatalf("%s: %d", name, code)
			}
		}
		if n != 60 {
			t.Errorf("%s: told %d times", name, n)
		}
	}
}

// counting counts the turns of the one writer.
type counting struct {
	Store
	n int
}

func (c *counting) Update(ctx context.Context, do func(Tx) error) error {
	c.n++
	return c.Store.Update(ctx, do)
}

// TestAGuessTakesNoTurnOfTheWriter: sends wait for that.
func TestAGuessTakesNoTurnOfTheWriter(t *testing.T) {
	w := newWorld(t)
	id, got := w.in()
	other := w.registered(callback)
	c := &counting{Store: w.o.Store}
	w.o.Store = c
	secret := func(prefix string) string { s, _ := draw(w.o.Rand, prefix, secretBytes); return s }
	for range 30 {
		w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", secret(refreshPrefix))
		w.form(tokenPath, "grant_type", "refresh_token", "client_id", other, "refresh_token", got.refresh)
		w.form(tokenPath, "grant_type", "authorization_code", "client_id", id, "code", secret(codePrefix), "redirect_uri", callback, "code_verifier", verifier)
		w.form(revokePath, "client_id", id, "token", secret(refreshPrefix))
		w.form(revokePath, "client_id", id, "token", secret(accessPrefix))
		w.form(revokePath, "client_id", other, "token", got.refresh)
		w.works(secret(accessPrefix))
	}
	if c.n != 0 {
		t.Errorf("%d turns", c.n)
	}
	if next, fault := w.refreshes(id, got.refresh); fault != "" || c.n != 1 || !w.works(next.access) {
		t.Errorf("%q, %d turns", fault, c.n)
	}
	// Nor does what was given to a client and is over.
	if code, _ := w.form(revokePath, "client_id", id, "token", got.refresh); code != 200 {
		t.Error(code)
	}
	turns, told := c.n, len(w.told)
	for range 5 {
		w.form(tokenPath, "grant_type", "refresh_token", "client_id", id, "refresh_token", got.refresh)
		if code, _ := w.form(revokePath, "client_id", id, "token", got.refresh); code != 200 {
			t.Error(code)
		}
	}
	if c.n != turns || len(w.told) != told {
		t.Errorf("%d turns, %d told", c.n-turns, len(w.told)-told)
	}
}

// MostGrants work at once; then the least lately used ends.
func TestManyGrants(t *testing.T) {
	w := newWorld(t)
	id := w.registered(callback)
	var all []tokens
	for range MostGrants {
		w.pass(10 * time.Second)
		got, fault := w.exchange(id, w.code(asks(id)))
		if fault != "" {
			t.Fatal(fault)
		}
		all = append(all, got)
	}
	w.pass(time.Minute)
	all[0], _ = w.refreshes(id, all[0].refresh)
	last, fault := w.exchange(id, w.code(asks(id)))
	if fault != "" || !w.works(last.access) || !w.works(all[0].access) || !w.works(all[2].access) || w.works(all[1].access) {
		t.Errorf("%q", fault)
	}
	grants, _ := w.Grants(t.Context())
	if len(grants) != MostGrants+1 || grants[1].Why != TooMany {
		t.Errorf("%d grants", len(grants))
	}
	kept := len(w.store.state.tokens)
	w.pass(endedKept)
	if _, fault := w.exchange(id, w.code(asks(id))); fault != "" {
		t.Error(fault)
	}
	if got := len(w.store.state.tokens); got != kept { // two are new; of the one that ended long ago its refresh token went, and of the one that ends now its access token
		t.Errorf("%d tokens, before %d", got, kept)
	}
	if grants, _ = w.Grants(t.Context()); len(grants) != MostGrants+1 {
		t.Errorf("%d grants later", len(grants))
	}
}
