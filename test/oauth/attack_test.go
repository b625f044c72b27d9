package oauth

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"readback/smsmcp/owner"
	"readback/test/testbed/program"
)

// TestAttacksOverTheWire: each is refused by the running program, and what was let in rightly goes on.
func TestAttacksOverTheWire(t *testing.T) {
	t.Parallel()
	s := run(t)
	p := s.signsIn(t)
	client := s.registers(t, "Claude", callback)
	other := s.registers(t, "Claude", callback, "http://localhost/callback")
	good := p.lets(client)
	read := p.lets(other, "scope", "texts:read")

	t.Run("another place to be sent to", func(t *testing.T) {
		for _, to := range []string{
			"https://evil.example/", "https://claude.ai.evil.example/api/mcp/auth_callback", "https://claude.ai@evil.example/api/mcp/auth_callback",
			"https://evil.example\\@claude.ai/api/mcp/auth_callback", "//evil.example/", "https:evil.example", "javascript:alert(1)", "data:text/html,evil", "claude://evil",
			callback + "/", callback + "/../evil", callback + "?next=https://evil.example", callback + "#evil", callback + "%2f", "HTTPS" + callback[5:], "http" + callback[5:],
			"https://claude.ai:8443/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback", "https://claude.ai/evil", "http://localhost.evil.example/callback",
			"http://localhost@evil.example/callback", "http://127.0.0.1.evil.example/callback", "http://localhost:1/callback", "http://2130706433/callback", " " + callback, callback + "\r\nLocation: https://evil.example/", "",
		} {
			r := p.get(s.asks(client, "redirect_uri", to))
			if r.status != 400 || led(r) != "" || strings.Contains(r.body, "evil") {
				t.Errorf("%q: leads to %q: %s", to, led(r), r)
			}
			if r := p.post(strings.Replace(s.asks(client, "redirect_uri", to), "authorize?", "authorize/no?", 1)); led(r) != "" {
				t.Errorf("%q: no leads to %q", to, led(r))
			}
		}
		two := s.asks(client) + "&redirect_uri=" + url.QueryEscape("https://evil.example/")
		if r := p.get(two); r.status == 200 || strings.Contains(led(r), "evil.example/") {
			t.Errorf("two places: leads to %q: %s", led(r), r)
		}
	})
	t.Run("another place, after the sign-in", func(t *testing.T) {
		for _, next := range []string{"https://evil.example/", "//evil.example/", "/\\evil.example/", "/oauth/authorize/../../\\evil.example", "/%2f/evil.example", "javascript:alert(1)"} {
			if r := p.post("/sign-in", "next", next, "passphrase", program.Passphrase); r.status != 303 || strings.HasPrefix(led(r), "//") || !strings.HasPrefix(led(r), "/") || strings.Contains(led(r), "\\") {
				t.Errorf("%q: leads to %q: %s", next, led(r), r)
			}
		}
	})
	t.Run("another issuer", func(t *testing.T) {
		for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"} {
			for _, host := range []string{"evil.example", "localhost.evil.example", "readback.example:443"} {
				r := s.do(t, s.alone(nil), http.MethodGet, path, "", "Host", host, "X-Forwarded-Host", "evil.example", "Forwarded", "host=evil.example")
				if r.status == 200 || strings.Contains(r.body, "example") {
					t.Errorf("%s as %s: %s", path, host, r)
				}
			}
			r := s.do(t, s.alone(nil), http.MethodGet, path, "", "X-Forwarded-Host", "evil.example", "X-Forwarded-Proto", "https", "Forwarded", "host=evil.example")
			if r.status != 200 || strings.Contains(r.body, "evil") || r.field("issuer")+r.field("resource") != s.public+strings.TrimPrefix(r.field("resource"), s.public) {
				t.Errorf("%s: %s", path, r)
			}
		}
		if iss := p.agrees(s.asks(client))["iss"]; len(iss) != 1 || iss[0] != s.public {
			t.Errorf("the answer is from %q", iss)
		}
	})
	t.Run("PKCE taken out", func(t *testing.T) {
		for name, kv := range map[string][]string{
			"none": {"code_challenge", "", "code_challenge_method", ""}, "no method": {"code_challenge_method", ""}, "plain": {"code_challenge_method", "plain", "code_challenge", verifier},
			"no challenge": {"code_challenge", ""}, "lower case": {"code_challenge_method", "s256"}, "a short one": {"code_challenge", "abc"}, "both": {"code_challenge_method", "S256 plain"},
		} {
			r := p.get(s.asks(client, kv...))
			if q := told(t, r); q.Get("error") != "invalid_request" || q.Has("code") || q.Get("iss") != s.public {
				t.Errorf("%s: %v", name, q)
			}
		}
		if r := p.get(s.asks(client) + "&code_challenge_method=plain"); told(t, r).Get("error") != "invalid_request" {
			t.Errorf("two methods: %s", r)
		}
		for name, kv := range map[string][]string{"no verifier": {"code_verifier", ""}, "the challenge itself": {"code_verifier", s256(verifier)}, "another": {"code_verifier", verifier + "x"}} {
			code := p.agrees(s.asks(client)).Get("code")
			if got := s.exchanges(t, client, code, kv...); !got.refused() {
				t.Errorf("%s: it is let in", name)
			}
		}
	})
	t.Run("a code twice", func(t *testing.T) {
		code := p.agrees(s.asks(client)).Get("code")
		first := s.exchanges(t, client, code)
		if first.fault != "" || !s.works(t, first.access) {
			t.Fatal(first.fault)
		}
		if again := s.exchanges(t, client, code); !again.refused() {
			t.Errorf("%+v", again)
		}
		if s.works(t, first.access) || !s.refreshes(t, client, first.refresh).refused() {
			t.Error("what a code gave that two have still works")
		}
	})
	t.Run("another client's code", func(t *testing.T) {
		for name, try := range map[string]func(code string) tokens{
			"by another client": func(code string) tokens { return s.exchanges(t, other, code) },
			"in another's session": func(code string) tokens {
				return s.exchanges(t, client, code, "code_verifier", "another-verifier-of-another-session-of-this-one")
			},
			"with another place to be sent to": func(code string) tokens {
				return s.exchanges(t, client, code, "redirect_uri", "http://localhost/callback")
			},
			"by another client, and its address": func(code string) tokens {
				return s.exchanges(t, other, code, "redirect_uri", "http://localhost/callback")
			},
			"for another resource": func(code string) tokens { return s.exchanges(t, client, code, "resource", "https://evil.example/mcp") },
		} {
			code := p.agrees(s.asks(client)).Get("code")
			if got := try(code); !got.refused() {
				t.Errorf("%s: %q", name, got.fault)
			}
			if got := s.exchanges(t, client, code); !got.refused() {
				t.Errorf("%s, and then it still works: %q", name, got.fault)
			}
		}
	})
	t.Run("for another resource", func(t *testing.T) {
		for _, of := range []string{"https://evil.example/mcp", s.public, s.public + "/mcp/x", s.public + "/MCP", strings.Replace(s.public, "localhost", "127.0.0.1", 1) + "/mcp"} {
			if q := told(t, p.get(s.asks(client, "resource", of))); q.Get("error") != "invalid_target" {
				t.Errorf("%s: %v", of, q)
			}
			if got := s.refreshes(t, client, good.refresh, "resource", of); !got.refused() {
				t.Errorf("%s: a token", of)
			}
		}
	})
	t.Run("what the owner did not press", func(t *testing.T) {
		path := s.asks(client)
		yes := strings.Replace(path, "authorize?", "authorize/yes?", 1)
		page := p.get(path)
		var kv []string
		for _, in := range inputs.FindAllStringSubmatch(page.body, -1) {
			kv = append(kv, in[1], in[2])
		}
		body := pairs(append(kv, "passphrase", program.Passphrase)).Encode()
		for name, header := range map[string][]string{
			"from another site": {"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, "from a frame of nobody's": {"Origin", "null", "Sec-Fetch-Site", "cross-site"},
			"from a neighbour": {"Origin", "http://localhost:1", "Sec-Fetch-Site", "same-site"},
		} {
			if r := s.do(t, p.c, http.MethodPost, yes, body, append([]string{"Content-Type", formType}, header...)...); led(r) != "" || r.status != 403 {
				t.Errorf("%s: %q, %s", name, led(r), r)
			}
		}
		if r := p.post(yes, "passphrase", program.Passphrase); strings.Contains(led(r), "code=") {
			t.Errorf("without the page's own token: %q", led(r))
		}
		if r := s.do(t, s.alone(nil), http.MethodPost, yes, body, "Content-Type", formType, "Origin", s.public, "Sec-Fetch-Site", "same-origin"); strings.Contains(led(r), "code=") {
			t.Errorf("signed out: %q", led(r))
		}
		// A yes to one client is none to another, nor to more than was shown.
		for name, to := range map[string]string{
			"to another client": s.asks(other), "with another challenge": s.asks(client, "code_challenge", s256("the attacker's own verifier, which is long enough")),
			"with another state": s.asks(client, "state", "x"), "with less": s.asks(client, "scope", "texts:read"),
		} {
			if r := p.post(strings.Replace(to, "authorize?", "authorize/yes?", 1), append(kv, "passphrase", program.Passphrase)...); strings.Contains(led(r), "code=") {
				t.Errorf("%s: %q", name, led(r))
			}
		}
		if r := p.get(path); !strings.Contains(r.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("it may stand in a frame: %v", r.header)
		}
	})
	t.Run("a token that reads, sends", func(t *testing.T) {
		before := s.sent()
		if !s.works(t, read.access) {
			t.Error("it does not read")
		}
		args := map[string]string{"to": contact, "body": "Hello."}
		r := s.tool(t, read.access, "send_text", args)
		if h := r.header.Get("WWW-Authenticate"); r.status != 403 || !strings.Contains(h, `error="insufficient_scope"`) || !strings.Contains(h, "texts:send") {
			t.Errorf("%s, %q", r, h)
		}
		// Two readers of one body must not see two tools.
		call := `{"to":"` + contact + `","body":"Hello."}`
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_texts","name":"send_text","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","name":"read_texts","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_texts","arguments":{}},"params":{"name":"send_text","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","arguments":` + call + `},"params":{"name":"read_texts"}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","Name":"read_texts","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Name":"send_text","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"send_text","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"ping","params":{"name":"send_text","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools\/call","params":{"n\u0061me":"send\u005ftext","arguments":` + call + `}}`,
			`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","arguments":` + call + `}}]`,
			"\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","arguments":` + call + `}}`,
			`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"send_text","arguments":` + call + `}}`,
		} {
			for _, version := range []string{"2025-11-25", "2026-07-28"} {
				if r := s.mcp(t, read.access, body, "Mcp-Protocol-Version", version, "Mcp-Method", "tools/call", "Mcp-Name", "read_texts"); strings.Contains(r.body, "Sent to") {
					t.Errorf("%s: %s", body, r)
				}
			}
		}
		if n := s.sent(); n != before {
			t.Errorf("%d were sent", n-before)
		}
		// No refresh makes more of it, and no code carries more than the owner agreed to.
		if got := s.refreshes(t, other, read.refresh, "scope", "texts:read texts:send"); !got.refused() {
			t.Error("more by a refresh")
		}
		if r := s.tool(t, good.access, "send_text", args); !strings.Contains(r.body, "Sent to") || s.sent() != before+1 {
			t.Errorf("who may does not: %s", r)
		}
	})
	t.Run("what is no access token", func(t *testing.T) {
		list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		for name, token := range map[string]string{
			"a refresh token": good.refresh, "a client's id": client, "one more character": good.access + "a", "upper case": strings.ToUpper(good.access), "nothing": "", "a space": " ", "quoted": `"` + good.access + `"`,
		} {
			r := s.mcp(t, token, list)
			if r.status != 401 || !strings.Contains(r.header.Get("WWW-Authenticate"), `resource_metadata="`+s.public+`/.well-known/oauth-protected-resource/mcp"`) {
				t.Errorf("%s: %s, %v", name, r, r.header)
			}
		}
		if r := s.do(t, s.alone(nil), http.MethodPost, "/mcp?access_token="+good.access, list, "Content-Type", jsonType, "Accept", "application/json, text/event-stream"); r.status != 401 {
			t.Errorf("in the address: %s", r)
		}
		if got := s.refreshes(t, client, good.access); !got.refused() {
			t.Error("an access token refreshes")
		}
		if got := s.refreshes(t, other, good.refresh); !got.refused() {
			t.Error("another client refreshes")
		}
	})
	t.Run("a refresh token twice", func(t *testing.T) {
		a := p.lets(client)
		b := s.refreshes(t, client, a.refresh)
		c := s.refreshes(t, client, b.refresh)
		d := s.refreshes(t, client, c.refresh)
		if d.fault != "" || !s.works(t, d.access) {
			t.Fatal(d.fault)
		}
		if thief := s.refreshes(t, client, a.refresh); !thief.refused() {
			t.Errorf("%+v", thief)
		}
		for _, one := range []tokens{a, b, c, d} {
			if s.works(t, one.access) || !s.refreshes(t, client, one.refresh).refused() {
				t.Error("the family goes on")
			}
		}
	})
	t.Run("a client that was sent away", func(t *testing.T) {
		have := p.lets(client)
		page := p.get("/clients")
		for strings.Contains(page.body, `action="/clients/revoke"`) {
			r := p.press(page, "/clients/revoke")
			if r.status == 403 {
				r = p.press(r, "/clients/revoke", "passphrase", program.Passphrase)
			}
			if r.status != 303 {
				t.Fatal(r)
			}
			page = p.get("/clients")
		}
		for name, one := range map[string]tokens{"its last": have, "the first": good, "who reads": read} {
			if s.works(t, one.access) {
				t.Errorf("%s still works", name)
			}
		}
		if got := s.refreshes(t, client, have.refresh); !got.refused() {
			t.Error("it refreshes")
		}
	})
}

// TestBruteForce: guesses at codes, tokens and the passphrase are slowed down soon; who has a good code or token is not.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	s := run(t)
	p := s.signsIn(t)
	client := s.registers(t, "Claude", callback)
	have := p.lets(client)
	letters := strings.Repeat("abcdefghijklmnopqrstuvwxyz234567", 2)
	guess := func(like string, i int) string {
		return like[:len(like)-6] + letters[i%32:i%32+3] + letters[i/32:i/32+3]
	}
	code := p.agrees(s.asks(client)).Get("code")
	for what, try := range map[string]func(i int) reply{
		"codes": func(i int) reply {
			return s.form(t, "/oauth/token", "grant_type", "authorization_code", "client_id", client, "code", guess(code, i), "redirect_uri", callback, "code_verifier", verifier)
		},
		"refresh tokens": func(i int) reply {
			return s.form(t, "/oauth/token", "grant_type", "refresh_token", "client_id", client, "refresh_token", guess(have.refresh, i))
		},
		"tokens to end": func(i int) reply {
			return s.form(t, "/oauth/revoke", "client_id", client, "token", guess(have.refresh, i))
		},
	} {
		held := 0
		for i := range 60 {
			switch r := try(i); {
			case r.status == 429:
				if held++; r.header.Get("Retry-After") == "" {
					t.Errorf("%s: no Retry-After", what)
				}
			case r.status != 400 && what != "tokens to end" || r.field("access_token") != "":
				t.Errorf("%s: %s", what, r)
			}
		}
		if held < 30 {
			t.Errorf("%s: of 60 guesses %d were held up", what, held)
		}
	}
	// From the very same address.
	if got := s.exchanges(t, client, code); got.fault != "" || !s.works(t, got.access) {
		t.Errorf("who has the code is held up: %q", got.fault)
	}
	if got := s.refreshes(t, client, have.refresh); got.fault != "" || !s.works(t, got.access) {
		t.Errorf("who has the token is held up: %q", got.fault)
	}

	held := 0
	for i := range 12 {
		r := s.do(t, s.alone(nil), http.MethodPost, "/sign-in", pairs([]string{"next", s.asks(client), "passphrase", fmt.Sprint("a guess ", i)}).Encode(), "Content-Type", formType, "Origin", s.public, "Sec-Fetch-Site", "same-origin")
		if r.status == 429 {
			held++
		} else if r.status != 403 {
			t.Errorf("a wrong passphrase: %s", r)
		}
		if len(r.header.Values("Set-Cookie")) != 0 && strings.Contains(r.header.Get("Set-Cookie"), "session") {
			t.Error("a wrong passphrase signs in")
		}
	}
	if held < 5 {
		t.Errorf("of 12 guesses at the passphrase %d were held up", held)
	}
	if _, err := owner.ListContacts.Do(t.Context(), s.owner(), owner.None{}, ""); err != nil {
		t.Error(err)
	}

	// Nobody fills the list of clients for ever.
	held = 0
	for range 25 {
		if s.register(t, "x", callback).status == 429 {
			held++
		}
	}
	if held < 10 {
		t.Errorf("of 25 registrations %d were held up", held)
	}
	if r := s.register(t, "x", "https://evil.example/"); r.status == 201 {
		t.Error(r)
	}
}

// TestATokenForAnotherResource: the server gets another public address, and what was given for the old one is nothing there.
func TestATokenForAnotherResource(t *testing.T) {
	t.Parallel()
	s := run(t)
	client := s.registers(t, "Claude", callback)
	have := s.signsIn(t).lets(client)
	if !s.works(t, have.access) {
		t.Fatal("it does not work")
	}
	s.program.Stop()
	s.start() // at the same address: it is the store that knows
	if !s.works(t, have.access) {
		t.Fatal("it does not outlast a restart")
	}
	s.program.Stop()
	s.program.Rewrite("public_url = \"http://localhost:1\"\n"+settings, nil)
	s.start()
	if s.works(t, have.access) {
		t.Error("a token for another resource works")
	}
	if got := s.refreshes(t, client, have.refresh); !got.refused() {
		t.Error("and refreshes")
	}
}
