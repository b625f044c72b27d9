package page

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp/oauth"
	"readback/smsmcp/outside"
	"readback/store"
	"readback/store/grants"
)

const (
	callback = "https://claude.ai/api/mcp/auth_callback"
	document = "https://claude.ai/oauth/mcp-oauth-client-metadata"
	verifier = "a-verifier-that-is-long-enough-for-rfc-7636-0001"
	issuer   = "http://localhost:8787"
)

// programs is a real authorization server behind a page, on the page's own store. It counts what it is asked.
type programs struct {
	*oauth.Server
	name  string // by which the document calls its client
	gone  error  // what becomes of a fetch
	asked atomic.Int64
	down  error // what the list says
}

func (p *programs) Get(context.Context, string) (outside.Doc, error) {
	body := fmt.Sprintf(`{"client_id":%q,"client_name":%q,"redirect_uris":[%q],"token_endpoint_auth_method":"none"}`, document, p.name, callback)
	return outside.Doc{Body: []byte(body), Type: "application/json"}, p.gone
}

func (p *programs) Authorize(ctx context.Context, query string, from netip.Addr) oauth.Asked {
	p.asked.Add(1)
	return p.Server.Authorize(ctx, query, from)
}

func (p *programs) Grants(ctx context.Context) ([]oauth.Grant, error) {
	all, err := p.Server.Grants(ctx)
	return all, errors.Join(err, p.down)
}

// reception is a house that programs ask to be let into.
type reception struct {
	*house
	*programs
}

func receive(t *testing.T, with ...func(*Options)) reception {
	p := &programs{name: "Claude"}
	h := build(t, append(with, func(o *Options) {
		var err error
		p.Server, err = oauth.New(oauth.Options{
			Issuer: issuer, Path: "/mcp", Store: grants.New(o.Store.(*store.Store).DB()), Documents: p, Now: o.Now, Log: o.Log,
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Clients = p
	})...)
	return reception{h, p}
}

// registers gives the id of a program that registered itself.
func (h reception) registers(name, redirect string) string {
	h.t.Helper()
	b, _ := json.Marshal(map[string]any{"client_name": name, "redirect_uris": []string{redirect}})
	r := httptest.NewRequest(http.MethodPost, issuer+"/oauth/register", strings.NewReader(string(b)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, r)
	var out struct {
		ID string `json:"client_id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || out.ID == "" {
		h.t.Fatal(w.Code, w.Body, err)
	}
	return out.ID
}

// ask is the path at which a program asks, with changes: pairs of name and value; an empty one takes the parameter out.
func ask(client, redirect string, kv ...string) string {
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirect}, "state": {`st&te =1|'+"`}, "scope": {"texts:read texts:send"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}, "resource": {issuer + "/mcp"},
	}
	for i := 0; i < len(kv); i += 2 {
		if q.Set(kv[i], kv[i+1]); kv[i+1] == "" {
			q.Del(kv[i])
		}
	}
	return "/oauth/authorize?" + q.Encode()
}

func yesTo(path string) string { return strings.Replace(path, "authorize?", "authorize/yes?", 1) }
func noTo(path string) string  { return strings.Replace(path, "authorize?", "authorize/no?", 1) }

// led is where an answer leads: by its header, and by no redirect, and nothing of the address stands in it.
func led(t *testing.T, w *httptest.ResponseRecorder) url.Values {
	t.Helper()
	to, ok := strings.CutPrefix(w.Header().Get("Refresh"), "0; url=")
	u, err := url.Parse(to)
	if !ok || err != nil || w.Code != 200 || w.Header().Get("Location") != "" {
		t.Fatalf("it leads nowhere: %d, %v\n%s", w.Code, w.Header(), w.Body)
	}
	q := u.Query()
	u.RawQuery = ""
	if u.String() != callback && !strings.HasPrefix(u.String(), "http://127.0.0.1:") {
		t.Errorf("it leads to %s", u)
	}
	if code := q.Get("code"); code != "" && strings.Contains(w.Body.String(), code) {
		t.Error("the code stands in the page")
	}
	return q
}

// stays fails where an answer leads anywhere.
func stays(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Header().Get("Location") != "" || w.Header().Get("Refresh") != "" {
		t.Errorf("it leads on: %v", w.Header())
	}
}

// let has a program let in by the owner, and gives its code.
func (h reception) let(b *browser, path string) url.Values {
	h.t.Helper()
	w := b.get(path)
	h.now = h.now.Add(time.Second)
	if w = b.press(w, yesTo(path)); w.Code == http.StatusForbidden {
		w = b.press(w, yesTo(path), "passphrase", theWords)
	}
	return led(h.t, w)
}

// enter exchanges a code.
func (h reception) enter(client, redirect, code string) string {
	h.t.Helper()
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirect}, "client_id": {client}, "code_verifier": {verifier}}
	r := httptest.NewRequest(http.MethodPost, issuer+"/oauth/token", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.Handler().ServeHTTP(w, r)
	var out struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || out.Token == "" {
		h.t.Fatal(w.Code, w.Body, err)
	}
	return out.Token
}

// TestAProgramIsLetIn: from the question to a token that works, by the two ways in which programs are known.
func TestAProgramIsLetIn(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	for _, c := range []struct{ client, to, says, name string }{
		{document, callback, "Who it is, it says at <strong><bdi>claude.ai</bdi></strong>.", "Claude"},
		{h.registers("Claude Code", "http://127.0.0.1:9999/callback"), "http://127.0.0.1:9999/callback", "a program on the device that shows this page (<strong><bdi>127.0.0.1</bdi></strong>)", "Claude Code"},
		{h.registers("Это не имя", callback), callback, "It gives no name that can be shown.", ""},
	} {
		path := ask(c.client, c.to)
		h.now = h.now.Add(time.Minute)
		w := b.get(path)
		has(t, w, 200, "Let a program in?", c.says, "read the texts that you received and sent, and find the names of your contacts", "send texts to your contacts", "180 days")
		hasNot(t, w, "Это")
		if c.name != "" {
			has(t, w, 200, "It calls itself “<strong><bdi>"+c.name+"</bdi></strong>”. Any program can choose any name.")
		}
		stays(t, w)
		h.now = h.now.Add(time.Second)
		w = b.press(w, yesTo(path))
		has(t, w, http.StatusForbidden, "Is it you?", c.says, "read the texts that you received and sent, and find the names of your contacts") // whole, where the proof is asked for
		stays(t, w)
		has(t, b.press(w, yesTo(path), "passphrase", "guess"), http.StatusForbidden, "That is not the passphrase")
		h.now = h.now.Add(time.Second)
		w = b.press(w, yesTo(path), "passphrase", theWords)
		q := led(t, w)
		if q.Get("state") != `st&te =1|'+"` || q.Get("iss") != issuer || q.Get("code") == "" {
			t.Fatal(q)
		}
		if strings.Contains(h.log.String(), q.Get("code")) {
			t.Error("the code is in the log")
		}
		has(t, w, 200, "You are on your way back to")
		access, err := h.Check(t.Context(), h.enter(c.client, c.to, q.Get("code")))
		if err != nil || access.MayConfirm || access.Name != c.name || access.Principal != "owner" {
			t.Error(access, err)
		}
	}
	list := b.get("/clients")
	has(t, list, 200, "Last came")
	for _, says := range []string{ // the host first, which is a fact; a name is its own word
		`<bdi>claude.ai</bdi></h2>
<p>It calls itself “<strong><bdi>Claude</bdi></strong>”. Any program can choose any name. Who it is, it says at <strong><bdi>claude.ai</bdi></strong>.</p>`,
		`<bdi>127.0.0.1</bdi></h2>
<p>It calls itself “<strong><bdi>Claude Code</bdi></strong>”. Any program can choose any name. It registered itself: no site says who it is.</p>`,
		`<bdi>claude.ai</bdi></h2>
<p>It gives no name that can be shown. It registered itself: no site says who it is.</p>`,
	} {
		has(t, list, 200, says)
	}
	if n := strings.Count(list.Body.String(), `class="card"`); n != 3 {
		t.Error(n)
	}
}

// TestOnlyWhatIsAskedForIsGiven: a program that asks to read is not said, or let, to send.
func TestOnlyWhatIsAskedForIsGiven(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback, "scope", "texts:read")
	w := b.get(path)
	has(t, w, 200, "read the texts")
	hasNot(t, w, "send texts to your contacts")
	q := h.let(b, path)
	access, err := h.Check(t.Context(), h.enter(document, callback, q.Get("code")))
	if err != nil || access.Scopes != oauth.Read {
		t.Error(access, err)
	}
}

// TestInvariant05AProofFromBeforeAProgramAskedDoesNotLetItIn, nor does one that is old, and one yes gives one code.
func TestInvariant05AProofFromBeforeAProgramAskedDoesNotLetItIn(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback)
	h.now = h.now.Add(time.Second)
	first := b.get(path)
	h.now = h.now.Add(time.Second)
	w := b.press(first, yesTo(path))
	has(t, w, http.StatusForbidden, "Is it you?")
	stays(t, w)

	// Nor does one that was given since, for something else.
	s := h.draft("Marie Tremblay", "Oui.")
	b.press(b.press(b.get("/"), yesPath(s)), yesPath(s), "passphrase", theWords)
	w = b.press(first, yesTo(path))
	has(t, w, http.StatusForbidden, "Is it you?", "It counts for this alone.")
	code := led(t, b.press(w, yesTo(path), "passphrase", theWords)).Get("code")

	// The form again, at once or later, with its proof or another, gives no other.
	again := b.press(first, yesTo(path))
	has(t, again, http.StatusConflict, "was answered already", "Let a program in?")
	stays(t, again)
	if w = b.press(again, "/language", "language", "en"); w.Header().Get("Location") != path { // the question stays
		t.Error(w.Header())
	}
	has(t, b.press(first, yesTo(path), "passphrase", theWords), http.StatusConflict, "was answered already")
	h.now = h.now.Add(time.Second)
	w = b.press(again, yesTo(path)) // which was shown after the proof
	has(t, w, http.StatusForbidden, "Is it you?")
	if other := led(t, b.press(w, yesTo(path), "passphrase", theWords)).Get("code"); other == "" || other == code {
		t.Error(other)
	}
}

// TestInvariant14AYesToAProgramIsForWhatItShowed: the form names the digest of what was shown, and when that was, to which visit.
func TestInvariant14AYesToAProgramIsForWhatItShowed(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback)
	shown := b.get(path)
	refuse := func(what string, status int, w *httptest.ResponseRecorder, says ...string) {
		t.Helper()
		if w.Code != status {
			t.Errorf("%s: %d", what, w.Code)
		}
		has(t, w, status, says...)
		stays(t, w)
	}
	// Each comes with the passphrase, so that a proof is not what is missing.
	press := func(w *httptest.ResponseRecorder, action string, kv ...string) *httptest.ResponseRecorder {
		t.Helper()
		return b.press(w, action, append(kv, "passphrase", theWords)...)
	}

	// Another question's form, brought to this one: every part of what a program asks counts.
	for _, kv := range [][2]string{{"state", "x"}, {"scope", "texts:read"}, {"code_challenge", strings.Repeat("A", 43)}} {
		other := ask(document, callback, kv[0], kv[1])
		f, err := form(shown, yesTo(path))
		if err != nil {
			t.Fatal(err)
		}
		f.Set("passphrase", theWords)
		refuse(kv[0], http.StatusConflict, b.post(yesTo(other), f), "has changed since this page was shown", "Let a program in?")
	}
	// The program calls itself otherwise meanwhile.
	h.name = "Something else"
	h.now = h.now.Add(25 * time.Hour)
	b.signIn()
	csrf, _ := form(b.get("/"), "/freeze")
	refuse("name", http.StatusConflict, press(shown, yesTo(path), "csrf", csrf.Get("csrf")), "has changed since", "Something else")

	// When it was shown is sealed: for this question, to this visit.
	shown = b.get(path)
	good, err := form(shown, yesTo(path))
	if err != nil {
		t.Fatal(err)
	}
	theirs := h.browser().signIn()
	foreign, _ := form(theirs.get(path), yesTo(path))
	elsewhere, _ := form(b.get(ask(document, callback, "state", "x")), yesTo(ask(document, callback, "state", "x")))
	forged := h.page.seal.Show([32]byte{}, [32]byte{}, h.now, 0)
	seal := good.Get("shown")
	for what, bad := range map[string]string{
		"none": "", "another visit's": foreign.Get("shown"), "another question's": elsewhere.Get("shown"), "forged": forged, "cut": seal[:len(seal)-2], "long": seal + "AA",
		"earlier": earlier(t, seal), "broken": seal + "\n", "broken within": seal[:20] + "\r\n" + seal[20:], "with other bits at its end": otherBits(t, seal), "long ago": "A" + seal[1:], "no base64": "!" + seal[1:], "short": "AAAA",
	} {
		refuse(what, http.StatusConflict, press(shown, yesTo(path), "shown", bad), "shown to another visit", "Let a program in?")
	}
	// A clock that was set back: the question is in the future.
	h.now = h.now.Add(-4 * time.Second)
	refuse("set back", http.StatusConflict, press(shown, yesTo(path)), "shown to another visit")
	h.now = h.now.Add(4 * time.Second)
	for _, bad := range []string{"", "00", strings.Repeat("g", 64), good.Get("digest") + "00"} {
		refuse("digest", http.StatusBadRequest, press(shown, yesTo(path), "digest", bad))
	}
	for _, bad := range []string{"", foreign.Get("csrf"), "x"} {
		refuse("csrf", http.StatusForbidden, press(shown, yesTo(path), "csrf", bad), "earlier visit")
		refuse("csrf", http.StatusForbidden, b.press(shown, noTo(path), "csrf", bad), "earlier visit")
	}
	if n := codes(t, h.house); n != 0 {
		t.Fatal("there are codes:", n)
	}
	led(t, press(shown, yesTo(path)))
	if n := codes(t, h.house); n != 1 {
		t.Fatal(n)
	}
}

// otherBits is a seal that says the same, for who reads base64 without looking at the bits that are left over.
func otherBits(t *testing.T, seal string) string {
	t.Helper()
	want, err := base64.RawURLEncoding.DecodeString(seal)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
		other := seal[:len(seal)-1] + string(c)
		if got, err := base64.RawURLEncoding.DecodeString(other); other != seal && err == nil && string(got) == string(want) {
			return other
		}
	}
	return "none" // the bytes fill their letters
}

// earlier is a seal whose time somebody set a second back.
func earlier(t *testing.T, seal string) string {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(seal)
	if err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint64(b, binary.BigEndian.Uint64(b)-uint64(time.Second))
	return base64.RawURLEncoding.EncodeToString(b)
}

// codes counts those that were made.
func codes(t *testing.T, h *house) (n int) {
	t.Helper()
	if err := h.store.DB().Pool().QueryRowContext(t.Context(), "SELECT count(*) FROM oauth_codes").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestProgramsThatCannotBeLetIn: what is wrong with one is said in words, and the browser goes nowhere.
func TestProgramsThatCannotBeLetIn(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	id := h.registers("Claude", callback)
	long := ask(id, callback) + "&x=" + strings.Repeat("a", 9<<10)
	for path, c := range map[string]struct {
		status int
		say    string
	}{
		"/oauth/authorize":      {400, "cannot be read"},
		"/oauth/authorize?":     {400, "cannot be read"},
		"/oauth/authorize?%zz=": {400, "cannot be read"},
		long:                    {400, "cannot be read"},
		ask("", callback):       {400, "not known here"},
		ask("rbclient_aaaaaaaaaaaaaaaaaaaaaaaaaa", callback):  {400, "not known here"},
		ask("https://evil.example/me", callback):              {400, "not known here"},
		ask(id, "https://claude.ai/other"):                    {400, "sent to where it may not be"},
		ask(id, "https://evil.example/api/mcp/auth_callback"): {400, "sent to where it may not be"},
		ask(id, ""): {400, "sent to where it may not be"},
		ask(id, callback) + "&redirect_uri=" + url.QueryEscape(callback): {400, "sent to where it may not be"},
		ask(id, "javascript:alert(1)"):                                   {400, "sent to where it may not be"},
	} {
		w := b.get(path)
		has(t, w, c.status, "This program cannot be let in", c.say)
		stays(t, w)
		csrf, _ := form(b.get("/"), "/freeze")
		for _, to := range []string{yesTo(path), noTo(path)} {
			if to == path {
				continue
			}
			w := b.post(to, url.Values{"csrf": csrf["csrf"], "digest": {strings.Repeat("0", 64)}, "shown": {"x"}})
			has(t, w, c.status)
			stays(t, w)
		}
	}
	h.gone = outside.ErrGone
	w := b.get(ask(document, callback))
	stays(t, w)
	h.gone = errors.New("no route")
	w = b.get(ask("https://claude.ai/oauth/claude-code-client-metadata", callback))
	has(t, w, 503, "cannot be had now")
	stays(t, w)
	h.store.Close()
	w = b.get(ask(id, callback))
	has(t, w, 500, "This program cannot be let in")
	stays(t, w)
}

// TestAProgramAtFaultIsToldSo: by the way that its own registration names.
func TestAProgramAtFaultIsToldSo(t *testing.T) {
	h := receive(t)
	path := ask(document, callback, "code_challenge_method", "plain")
	if w := h.browser().get(path); w.Header().Get("Refresh") != "" {
		t.Error("a stranger's browser is led on")
	}
	b := h.browser().signIn()
	if q := led(t, b.get(path)); q.Get("error") != "invalid_request" || q.Get("iss") != issuer || q.Has("code") {
		t.Error(q)
	}
}

func TestAProgramIsTurnedAway(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback)
	h.now = h.now.Add(fresh) // a no needs no proof
	if q := led(t, b.press(b.get(path), noTo(path))); q.Get("error") != "access_denied" || q.Get("state") != `st&te =1|'+"` || q.Has("code") {
		t.Error(q)
	}
	if n := codes(t, h.house); n != 0 {
		t.Error(n)
	}
}

// TestStrangersSeeNothingOfPrograms: without a session nothing is judged or fetched, and what was asked comes through the sign-in as it was.
func TestStrangersSeeNothingOfPrograms(t *testing.T) {
	h := receive(t)
	path := ask(document, callback)
	next := "/sign-in?next=" + url.QueryEscape(path)
	b := h.browser()
	for _, w := range []*httptest.ResponseRecorder{b.get(path), b.post(yesTo(path), url.Values{"csrf": {""}}), b.post(noTo(path), url.Values{"csrf": {""}})} {
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != next || w.Header().Get("Refresh") != "" {
			t.Error(w.Code, w.Header())
		}
		hasNot(t, w, "Claude")
	}
	// The query is no header's, whatever it holds: only what a browser would write is taken along.
	for _, bad := range []string{"?a=\x01", `?a="`, "?a=é", "?" + strings.Repeat("a", 9<<10), "?"} {
		r := httptest.NewRequest(http.MethodGet, issuer+"/oauth/authorize", nil)
		r.URL.RawQuery = bad[1:]
		if w := b.do(r); w.Header().Get("Location") != "/sign-in?next=%2Foauth%2Fauthorize" {
			t.Errorf("%q: %v", bad, w.Header())
		}
	}
	for _, to := range []string{"/clients", "/clients/trust", "/clients/distrust", "/clients/revoke"} {
		w := b.post(to, url.Values{"csrf": {""}, "id": {"aaaaaaaa"}})
		if to == "/clients" {
			w = b.get(to)
		}
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/sign-in?next=%2Fclients" {
			t.Error(to, w.Code, w.Header())
		}
	}
	if h.asked.Load() != 0 {
		t.Fatal("something was judged for a stranger")
	}
	// From another site a browser brings no SameSite=Strict cookie along: the page has it come once more, from here.
	r := httptest.NewRequest(http.MethodGet, issuer+path, nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w := b.do(r)
	has(t, w, 200, `http-equiv="refresh" content="0"`, `href="`)
	to := regexp.MustCompile(`<p><a href="([^"]*)"`).FindStringSubmatch(w.Body.String())
	if got, err := url.Parse(html.UnescapeString(to[1])); err != nil || got.Path != "/oauth/authorize" || got.Query().Encode() != strings.TrimPrefix(path, "/oauth/authorize?") {
		t.Error(to, err)
	}
	if h.asked.Load() != 0 {
		t.Fatal("something was judged for a stranger")
	}
	w = b.get(next)
	has(t, w, 200, `name="next"`)
	if w = b.press(w, "/sign-in", "passphrase", "guess"); w.Code != http.StatusForbidden {
		t.Fatal(w.Code)
	}
	if w = b.press(w, "/sign-in", "passphrase", theWords); w.Header().Get("Location") != path {
		t.Fatal(w.Header())
	}
	has(t, b.get(path), 200, "Let a program in?")
	if w = b.get(next); w.Header().Get("Location") != path {
		t.Error(w.Header())
	}
	// The language changes, and the question stays.
	if w = b.press(b.get(path), "/language"); w.Header().Get("Location") != path {
		t.Error(w.Header())
	}
	has(t, b.get(path), 200, "Laisser entrer un programme", "Il se nomme « <strong><bdi>Claude</bdi></strong> ». Tout programme")
}

// TestAskingChangesNothing: a GET shows; nothing else is done at these addresses by one.
func TestAskingChangesNothing(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	path := ask(document, callback)
	f, _ := form(b.get(path), yesTo(path))
	h.now = h.now.Add(time.Second)
	b.signIn()
	for _, to := range []string{yesTo(path), noTo(path), yesTo(path) + "&" + f.Encode(), "/clients/trust?id=x", "/clients/revoke", "/clients/distrust"} {
		w := b.get(to)
		if w.Code != http.StatusNotFound && w.Code != http.StatusMethodNotAllowed {
			t.Error(to, w.Code)
		}
		stays(t, w)
	}
	has(t, b.do(b.request(path, f)), http.StatusNotFound)
	r := b.request(yesTo(path), f)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	has(t, b.do(r), http.StatusForbidden, "did not come from this page")
	if n := codes(t, h.house); n != 0 {
		t.Error(n)
	}
}

// TestAWindowThatAProgramOpenedStaysItsOwn: on the whole way, and nowhere else; and what a page may load and send is no wider there.
func TestAWindowThatAProgramOpenedStaysItsOwn(t *testing.T) {
	h := receive(t)
	path := ask(document, callback)
	next := "/sign-in?next=" + url.QueryEscape(path)
	b, stranger := h.browser().signIn(), h.browser()
	away := httptest.NewRequest(http.MethodGet, issuer+path, nil)
	away.Header.Set("Sec-Fetch-Site", "cross-site")
	csrf, _ := form(b.get("/"), "/freeze")
	for i, w := range []*httptest.ResponseRecorder{
		stranger.get(path), h.browser().do(away), stranger.get(next), stranger.post("/sign-in", url.Values{"next": {path}, "passphrase": {"guess"}}),
		h.browser().post("/sign-in", url.Values{"next": {path}, "passphrase": {theWords}}), b.get(path), b.press(b.get(path), yesTo(path)), b.press(b.get(path), noTo(path)),
		b.get(next), b.post("/language", url.Values{"csrf": csrf["csrf"], "next": {path}, "language": {"en"}}), b.get(ask("x", callback)),
	} {
		if got := w.Header().Get("Cross-Origin-Opener-Policy"); got != "unsafe-none" {
			t.Error(i, w.Code, got)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != policy {
			t.Error(i, got)
		}
		if w.Header().Get("Referrer-Policy") != "no-referrer" || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("X-Frame-Options") != "DENY" {
			t.Error(i, w.Header())
		}
	}
	for i, w := range []*httptest.ResponseRecorder{
		stranger.get("/sign-in"), stranger.get("/sign-in?next=/clients"), stranger.get("/sign-in?next=" + url.QueryEscape("https://evil.example"+path)), b.get("/"), b.get("/clients"),
		b.post("/sign-in", url.Values{"passphrase": {theWords}}), b.get("/oauth/authorizes"), b.get("/oauth"),
	} {
		if got := w.Header().Get("Cross-Origin-Opener-Policy"); got != "same-origin" {
			t.Error(i, w.Code, got)
		}
	}
}

// TestTheListOfPrograms: what each may do, when it last came; its yes is made to count with a proof that was given after that was asked, made not to count without one; its end needs one.
func TestTheListOfPrograms(t *testing.T) {
	h := receive(t)
	b := h.browser().signIn()
	has(t, b.get("/clients"), 200, "No program was let in", `<a href="/clients" aria-current="page">Clients</a>`)
	q := h.let(b, ask(document, callback))
	token := h.enter(document, callback, q.Get("code"))
	may := func() bool {
		t.Helper()
		a, err := h.Check(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return a.MayConfirm
	}
	h.now = h.now.Add(time.Second)
	list := b.get("/clients")
	has(t, list, 200, "a model that drives it, could give it by itself", "Let its yes count", "A yes given in this program counts</dt><dd>no")
	h.now = h.now.Add(time.Second)
	w := b.press(list, "/clients/trust") // the proof is fresh, and from before
	has(t, w, http.StatusForbidden, "Is it you?", "Let its yes count", "could give it by itself", "claude.ai, which calls itself “Claude”")
	if may() {
		t.Fatal("it counts without a proof")
	}
	if w = b.press(w, "/clients/trust", "passphrase", theWords); w.Code != http.StatusSeeOther || !may() {
		t.Fatal(w.Code, may())
	}
	list = b.get("/clients")
	has(t, list, 200, "Don't let its yes count", "A yes given in this program counts</dt><dd>yes")
	h.now = h.now.Add(fresh)
	if w = b.press(list, "/clients/distrust"); w.Code != http.StatusSeeOther || may() {
		t.Fatal(w.Code, may())
	}
	// The seal is for one deed, one program and one visit.
	list = b.get("/clients")
	revoke, _ := form(list, "/clients/revoke")
	theirs, _ := form(h.browser().signIn().get("/clients"), "/clients/trust")
	for _, bad := range []string{"", revoke.Get("shown"), theirs.Get("shown")} {
		has(t, b.press(list, "/clients/trust", "shown", bad, "passphrase", theWords), http.StatusConflict, "shown to another visit")
	}
	if may() {
		t.Fatal("a seal of something else counts")
	}
	b.signIn()
	h.now = h.now.Add(time.Second)
	list = b.get("/clients")
	h.now = h.now.Add(time.Second)
	w = b.press(list, "/clients/revoke") // again a fresh proof from before
	has(t, w, http.StatusForbidden, "loses its access at once", "claude.ai, which calls itself “Claude”")
	may()
	if w = b.press(w, "/clients/revoke", "passphrase", theWords); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	if _, err := h.Check(t.Context(), token); !errors.Is(err, oauth.ErrToken) {
		t.Error("it is in still:", err)
	}
	ended := b.get("/clients")
	has(t, ended, 200, "Ended", "by you")
	hasNot(t, ended, "/clients/revoke", "/clients/trust")
	for _, after := range []time.Duration{0, fresh} { // with a proof, and where one is asked for
		h.now = h.now.Add(after)
		for _, action := range []string{"/clients/revoke", "/clients/trust"} {
			has(t, b.press(list, action), http.StatusNotFound, "No program that is in")
		}
	}
	h.down = errors.New("disk")
	has(t, b.get("/clients"), http.StatusInternalServerError)
}

// TestWithoutOAuthThereIsNoSuchPage.
func TestWithoutOAuthThereIsNoSuchPage(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	for _, path := range []string{ask(document, callback), "/clients"} {
		has(t, b.get(path), http.StatusNotFound)
	}
	hasNot(t, b.get("/"), "/clients")
}
