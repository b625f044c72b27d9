package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"readback/test/testbed/program"
)

const (
	callback = "https://claude.ai/api/mcp/auth_callback"
	verifier = "a-verifier-that-is-long-enough-for-rfc-7636-0001"
)

func s256(v string) string {
	sum := sha256.Sum256([]byte(v))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// reply is an answer, read whole.
type reply struct {
	status int
	header http.Header
	body   string
}

// field gives a member of the answer's JSON; "" where there is none.
func (r reply) field(name string) string {
	var all map[string]any
	if json.Unmarshal([]byte(r.body), &all) != nil {
		return ""
	}
	s, _ := all[name].(string)
	return s
}

func (r reply) String() string { return fmt.Sprintf("%d %.300s", r.status, r.body) }

// alone is a client that follows no redirect.
func (s *site) alone(jar http.CookieJar) *http.Client {
	return &http.Client{Jar: jar, Transport: s.carries, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (s *site) do(t *testing.T, c *http.Client, method, path, body string, header ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.public+path, strings.NewReader(body))
	must(t, err)
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := c.Do(req)
	must(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	must(t, err)
	return reply{resp.StatusCode, resp.Header, string(b)}
}

const formType, jsonType = "application/x-www-form-urlencoded", "application/json"

// form posts parameters: pairs of name and value.
func (s *site) form(t *testing.T, path string, kv ...string) reply {
	t.Helper()
	return s.do(t, s.alone(nil), http.MethodPost, path, pairs(kv).Encode(), "Content-Type", formType)
}

func pairs(kv []string) url.Values {
	q := url.Values{}
	for i := 0; i < len(kv); i += 2 {
		q.Add(kv[i], kv[i+1])
	}
	return q
}

// registers gives the id of a client that registered itself.
func (s *site) registers(t *testing.T, name string, redirects ...string) string {
	t.Helper()
	r := s.register(t, name, redirects...)
	if r.status != 201 {
		t.Fatal(r)
	}
	return r.field("client_id")
}

func (s *site) register(t *testing.T, name string, redirects ...string) reply {
	t.Helper()
	b, err := json.Marshal(map[string]any{"client_name": name, "redirect_uris": redirects, "token_endpoint_auth_method": "none"})
	must(t, err)
	return s.do(t, s.alone(nil), http.MethodPost, "/oauth/register", string(b), "Content-Type", jsonType)
}

// asks is the path at which a client asks, with changes: pairs of name and value; an empty one takes the parameter out.
func (s *site) asks(client string, kv ...string) string {
	q := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {callback}, "state": {"st&te =1"}, "scope": {"texts:read texts:send"},
		"code_challenge": {s256(verifier)}, "code_challenge_method": {"S256"}, "resource": {s.public + "/mcp"},
	}
	for i := 0; i < len(kv); i += 2 {
		if q.Set(kv[i], kv[i+1]); kv[i+1] == "" {
			q.Del(kv[i])
		}
	}
	return "/oauth/authorize?" + q.Encode()
}

// tokens is what an exchange gives, or the code of why not.
type tokens struct{ access, refresh, fault string }

// refused says that there is nothing but why not. After many tries that is that there were many.
func (t tokens) refused() bool {
	return t.access == "" && t.refresh == "" && strings.Contains("invalid_grant invalid_target invalid_scope invalid_request too_many_requests", t.fault) && t.fault != ""
}

func (s *site) tokens(r reply) tokens {
	return tokens{s.keeps(r.field("access_token")), s.keeps(r.field("refresh_token")), r.field("error")}
}

func (s *site) exchanges(t *testing.T, client, code string, kv ...string) tokens {
	t.Helper()
	q := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {client}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {verifier}, "resource": {s.public + "/mcp"},
	}
	for i := 0; i < len(kv); i += 2 {
		if q.Set(kv[i], kv[i+1]); kv[i+1] == "" {
			q.Del(kv[i])
		}
	}
	return s.tokens(s.do(t, s.alone(nil), http.MethodPost, "/oauth/token", q.Encode(), "Content-Type", formType))
}

func (s *site) refreshes(t *testing.T, client, token string, kv ...string) tokens {
	t.Helper()
	return s.tokens(s.form(t, "/oauth/token", append([]string{"grant_type", "refresh_token", "client_id", client, "refresh_token", token}, kv...)...))
}

// mcp posts a body to the endpoint with a token.
func (s *site) mcp(t *testing.T, token, body string, header ...string) reply {
	t.Helper()
	header = append([]string{"Content-Type", jsonType, "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-11-25"}, header...)
	if token != "" {
		header = append(header, "Authorization", "Bearer "+token)
	}
	return s.do(t, s.alone(nil), http.MethodPost, "/mcp", body, header...)
}

// tool calls a tool.
func (s *site) tool(t *testing.T, token, name string, arguments map[string]string) reply {
	t.Helper()
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name, "arguments": arguments}})
	must(t, err)
	return s.mcp(t, token, string(b))
}

// works says whether a token reads.
func (s *site) works(t *testing.T, token string) bool {
	t.Helper()
	r := s.tool(t, token, "read_texts", nil)
	if r.status != 200 && r.status != 401 {
		t.Error(r)
	}
	return r.status == 200
}

// person is the owner with a browser that runs no script.
type person struct {
	*site
	t *testing.T
	c *http.Client
}

// signsIn gives the owner, signed in.
func (s *site) signsIn(t *testing.T) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	p := &person{s, t, s.alone(jar)}
	if r := p.post("/sign-in", "next", "/", "passphrase", program.Passphrase); r.status != 303 {
		t.Fatal(r)
	}
	return p
}

func (p *person) get(path string) reply {
	p.t.Helper()
	return p.do(p.t, p.c, http.MethodGet, path, "", "Sec-Fetch-Site", "same-origin")
}

// post posts a form as this site's own pages do.
func (p *person) post(path string, kv ...string) reply {
	p.t.Helper()
	return p.do(p.t, p.c, http.MethodPost, path, pairs(kv).Encode(), "Content-Type", formType, "Origin", p.public, "Sec-Fetch-Site", "same-origin")
}

var (
	forms  = regexp.MustCompile(`(?s)<form[^>]* action="([^"]*)"[^>]*>.*?</form>`)
	inputs = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
)

// press sends the form of a page whose action begins so, with more fields: pairs.
func (p *person) press(page reply, action string, kv ...string) reply {
	p.t.Helper()
	for _, m := range forms.FindAllStringSubmatch(page.body, -1) {
		to := html.UnescapeString(m[1])
		if !strings.HasPrefix(to, action) {
			continue
		}
		for _, in := range inputs.FindAllStringSubmatch(m[0], -1) {
			kv = append(kv, html.UnescapeString(in[1]), html.UnescapeString(in[2]))
		}
		return p.post(to, kv...)
	}
	p.t.Fatalf("no form %s: %s", action, page)
	return reply{}
}

// agrees says yes to what a client asks, and gives what it is told.
func (p *person) agrees(path string) url.Values {
	p.t.Helper()
	page := p.get(path)
	if page.status != 200 {
		p.t.Fatal(page)
	}
	ask := p.press(page, "/oauth/authorize/yes")
	if ask.status != 403 { // the proof of the sign-in is from before the question
		p.t.Fatal(ask)
	}
	q := told(p.t, p.press(ask, "/oauth/authorize/yes", "passphrase", program.Passphrase))
	p.keeps(q.Get("code"))
	return q
}

// led is where an answer leads a browser; "" for nowhere.
func led(r reply) string {
	if to := r.header.Get("Location"); to != "" {
		return to
	}
	_, to, _ := strings.Cut(r.header.Get("Refresh"), "url=")
	return to
}

// told is what a client is told by an answer that leads back to it.
func told(t *testing.T, r reply) url.Values {
	t.Helper()
	to, q, _ := strings.Cut(led(r), "?")
	v, err := url.ParseQuery(q)
	if to != callback || err != nil || len(v["iss"]) != 1 {
		t.Fatalf("it leads to %q: %s", to, r)
	}
	return v
}

// lets gives the tokens of a client that the owner let in.
func (p *person) lets(client string, kv ...string) tokens {
	p.t.Helper()
	got := p.exchanges(p.t, client, p.agrees(p.asks(client, kv...)).Get("code"))
	if got.fault != "" || got.access == "" || got.refresh == "" {
		p.t.Fatal(got.fault)
	}
	return got
}
