package page

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
)

func secure(o *Options) { o.PublicURL = "https://readback.example" }

// TestNobodyElseSeesAnything: without a session there is the way to sign in, and nothing else.
func TestNobodyElseSeesAnything(t *testing.T) {
	h := build(t)
	s := h.draft("Marie Tremblay", "Private.")
	b := h.browser()
	for _, path := range []string{"/", "/sends/" + string(s.ID), "/history", "/contacts", "/tokens", "/passkeys", "/freeze"} {
		w := b.get(path)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/sign-in?next="+url.QueryEscape(path) {
			t.Errorf("%s: %d %s", path, w.Code, w.Header().Get("Location"))
		}
		hasNot(t, w, "Marie", "Private")
	}
	for _, path := range []string{"/sends/" + string(s.ID) + "/yes", "/sends/" + string(s.ID) + "/no", "/freeze", "/thaw", "/tokens/revoke", "/passkeys/remove", "/sign-out"} {
		if w := b.post(path, url.Values{"csrf": {""}}); w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/sign-in") {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if f, _ := h.store.Frozen(t.Context()); f || h.state(s.ID) != smsmcp.Waiting {
		t.Error("a stranger changed something")
	}
	has(t, b.get("/sign-in?next=/sends/"+string(s.ID)), 200, `value="/sends/`+string(s.ID)+`"`)
	has(t, b.get("/nothing"), http.StatusNotFound, "Nothing is here.")
	if w := b.post("/sign-in", url.Values{"passphrase": {theWords}, "next": {"/sends/" + string(s.ID)}}); w.Header().Get("Location") != "/sends/"+string(s.ID) {
		t.Error(w.Header())
	}
}

func TestOnlyPathsOfThisPageAreGoneTo(t *testing.T) {
	for next, want := range map[string]string{
		"/history": "/history", "/sends/abc": "/sends/abc", "": "/", "//evil": "/", "//evil.example": "/", `/\evil.example`: "/", "https://evil.example": "/",
		"/oauth/authorize": "/oauth/authorize", "/oauth/authorize?": "/", "/oauth/authorize?a=b&c=%20'(|)": "/oauth/authorize?a=b&c=%20'(|)",
		"/oauth/authorize?x#y": "/", "/oauth/authorize?x y": "/", "/oauth/authorize?x\n": "/", "/oauth/authorize?\"><b>": "/", "/oauth/authorize?é": "/",
		"/oauth/authorize/yes?x": "/", "//oauth/authorize?x": "/", "/oauth/authorize?" + strings.Repeat("a", 9<<10): "/", "/oauth/authorizes?x": "/", "/oauth/../oauth/authorize?x": "/",
		"/a//b": "/", "/\t/evil": "/", "/%2f": "/", "/history?x": "/", "/" + strings.Repeat("a", 200): "/", "/history\n": "/",
	} {
		if got := safe(next); got != want {
			t.Errorf("%q: %q", next, got)
		}
	}
}

// TestSessionFixation: the id that a browser has before it signs in is not the one that it has afterwards, and no id of another's making is taken.
func TestSessionFixation(t *testing.T) {
	h := build(t)
	b := h.browser()
	b.cookies[sessionCookie] = "planted"
	b.signIn()
	first := b.cookies[sessionCookie]
	if first == "planted" || len(first) != 43 {
		t.Fatal(first)
	}
	b.signIn()
	second := b.cookies[sessionCookie]
	thief := h.browser()
	for _, id := range []string{"planted", first} {
		thief.cookies[sessionCookie] = id
		if w := thief.get("/"); w.Code != http.StatusSeeOther {
			t.Errorf("the id %q is taken: %d", id, w.Code)
		}
	}
	if second == first {
		t.Error("a sign-in gave the old id")
	}
	has(t, b.get("/"), 200)
	// Two cookies of one name mean that somebody set one beside ours.
	for _, order := range [][2]string{{"planted", second}, {second, "planted"}} {
		r := httptest.NewRequest(http.MethodGet, b.base+"/", nil)
		for _, id := range order {
			r.AddCookie(&http.Cookie{Name: sessionCookie, Value: id})
		}
		if w := h.browser().do(r); w.Code != http.StatusSeeOther {
			t.Errorf("of two cookies one is taken: %d", w.Code)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	h := build(t)
	out := func(b *browser) bool { return b.get("/").Code == http.StatusSeeOther }
	b := h.browser().signIn()
	h.now = h.now.Add(idle - time.Second)
	if out(b) {
		t.Error("it ends before 12 hours of rest")
	}
	h.now = h.now.Add(idle)
	if !out(b) {
		t.Error("it lasts through 12 hours of rest")
	}
	b.signIn()
	end := h.now.Add(whole)
	for ; h.now.Before(end); h.now = h.now.Add(10 * time.Hour) {
		if out(b) {
			t.Fatal("it ends before 30 days")
		}
	}
	if !out(b) {
		t.Error("it lasts longer than 30 days")
	}
	b.signIn()
	h.now = h.now.Add(-2 * time.Minute)
	if !out(b) {
		t.Error("a clock that is set back lets it live longer")
	}

	b.signIn()
	kept := b.cookies[sessionCookie]
	b.press(b.get("/"), "/sign-out")
	if b.cookies[sessionCookie] = kept; !out(b) {
		t.Error("a signed-out session still works")
	}
	b.signIn()
	c := h.browser().signIn()
	c.press(c.get("/"), "/sign-out", "everywhere", "1")
	if !out(b) {
		t.Error("signing out everywhere leaves one in")
	}
	b.signIn()
	h.page.EndSessions()
	if !out(b) {
		t.Error("EndSessions leaves one in")
	}
}

func TestSessionsAreBounded(t *testing.T) {
	h := build(t)
	first := h.browser().signIn()
	second := h.browser()
	for i := range mostSessions {
		h.now = h.now.Add(time.Second)
		b := h.browser().signIn()
		if i == 0 {
			second = b
		}
		first.get("/") // in use
	}
	if n := len(h.page.sessions.all); n != mostSessions {
		t.Errorf("%d sessions", n)
	}
	has(t, first.get("/"), 200)
	if second.get("/").Code == 200 {
		t.Error("the one that was used least lately stays")
	}
}

// TestInvariant11SessionsAreKeptHashed: neither memory nor log holds what a thief could use.
func TestInvariant11SessionsAreKeptHashed(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	b.post("/sign-in", url.Values{"passphrase": {"a wrong secret"}})
	kept := fmt.Sprintf("%v %+v", h.page.sessions.all, h.page.tries)
	for _, s := range h.page.sessions.all {
		kept += fmt.Sprintf("%+v", s)
	}
	for _, secret := range []string{b.cookies[sessionCookie], theWords, "a wrong secret"} {
		if strings.Contains(kept+h.log.String(), secret) {
			t.Errorf("%q is kept or logged", secret)
		}
	}
	if !strings.Contains(h.log.String(), "a wrong passphrase") {
		t.Error("a failed try is not logged")
	}
}

func TestCookies(t *testing.T) {
	for name, h := range map[string]*house{"readback": build(t), "__Host-readback": build(t, secure)} {
		b := h.browser()
		w := b.post("/sign-in", url.Values{"passphrase": {theWords}})
		c := w.Result().Cookies()
		if len(c) != 1 {
			t.Fatal(c)
		}
		if c[0].Name != name || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != "/" || c[0].Domain != "" ||
			c[0].Secure != strings.HasPrefix(name, "__Host-") {
			t.Errorf("%v", c[0])
		}
	}
}

// TestClickjackingAndWhatAPageMayLoad: every answer forbids frames, and lets a page load nothing that is not its own.
func TestClickjackingAndWhatAPageMayLoad(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	stranger := h.browser()
	foreign := h.browser()
	foreign.base = "http://evil.example"
	for _, w := range []*httptest.ResponseRecorder{
		b.get("/"), b.get("/nothing"), b.get("/page/style.css"), b.get("/page/passkey.js"), stranger.get("/"), stranger.get("/sign-in"), foreign.get("/"),
		b.post("/freeze", nil), b.post("/prove/options", nil), b.get("/freeze/x"), b.do(httptest.NewRequest(http.MethodDelete, b.base+"/", nil)),
	} {
		csp := w.Header().Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			if !strings.Contains(csp, part) {
				t.Errorf("no %s: %q", part, csp)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") || strings.Contains(csp, "*") {
			t.Error(csp)
		}
		for name, want := range map[string]string{
			"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if !strings.Contains(w.Header().Get("Permissions-Policy"), "camera=()") {
			t.Error("no Permissions-Policy")
		}
	}
	// Nothing stands inline, and nothing is loaded from elsewhere.
	h.draft("Marie Tremblay", "Hm.")
	for _, path := range []string{"/", "/history", "/contacts", "/tokens", "/passkeys", "/freeze"} {
		hasNot(t, b.get(path), "<style", " style=", "<script>", " onclick", "javascript:", "http://", "https://", `"//`)
	}
	for name := range assets {
		body, err := files.ReadFile("assets/" + name)
		if err != nil || strings.Contains(strings.ReplaceAll(string(body), "http://www.w3.org/2000/svg", ""), "://") {
			t.Errorf("%s: %v, or it names another site", name, err)
		}
	}
}

// TestCrossSiteRequestsDoNothing: from another site, with the owner's cookies and even with the token, nothing is done; nor is it without a token.
func TestCrossSiteRequestsDoNothing(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	s := h.draft("Marie Tremblay", "Hm.")
	list := b.get("/")
	good, err := form(list, yesPath(s))
	if err != nil {
		t.Fatal(err)
	}
	actions := []string{yesPath(s), "/sends/" + string(s.ID) + "/no", "/freeze", "/thaw", "/tokens/revoke", "/passkeys/remove", "/sign-out"}
	for _, header := range []http.Header{
		{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Sec-Fetch-Site": {"cross-site"}, "Origin": {b.base}},
		{"Origin": {"https://evil.example"}}, {"Origin": {"null"}}, {"Origin": {"http://localhost:9999"}}, {},
	} {
		for _, action := range append(actions, "/sign-in", "/language", "/prove/options", "/sign-in/passkey") {
			r := b.request(action, good)
			r.Header.Del("Sec-Fetch-Site")
			for name, v := range header {
				r.Header[name] = v
			}
			if w := b.do(r); w.Code != http.StatusForbidden || len(w.Result().Cookies()) != 0 {
				t.Errorf("%v %s: %d", header, action, w.Code)
			}
		}
	}
	other := h.browser().signIn()
	theirs, _ := form(other.get("/"), "/freeze")
	for _, token := range []string{"", "x", theirs.Get("csrf"), good.Get("csrf") + "x"} {
		for _, action := range actions {
			f := url.Values{"csrf": {token}, "digest": good["digest"], "name": {"laptop"}}
			has(t, b.post(action, f), http.StatusForbidden, "earlier visit")
		}
	}
	if f, _ := h.store.Frozen(t.Context()); f || h.state(s.ID) != smsmcp.Waiting {
		t.Fatal("something was done")
	}
	has(t, b.get("/"), 200)
	// An older browser that names no site names its origin.
	r := b.request(yesPath(s), good)
	r.Header.Del("Sec-Fetch-Site")
	r.Header.Set("Origin", b.base)
	if w := b.do(r); w.Code != http.StatusSeeOther || h.state(s.ID) != smsmcp.Done {
		t.Error(w.Code, h.state(s.ID))
	}
}

// TestRebinding: a stranger's name that points here is not answered.
func TestRebinding(t *testing.T) {
	h, pub := build(t), build(t, secure)
	for host, want := range map[string]bool{
		"localhost:8787": true, "LOCALHOST": true, "127.0.0.1:8787": true, "[::1]:8787": true, "127.9.9.9": true,
		"evil.example": false, "evil.example:8787": false, "localhost.evil.example": false, "192.168.1.5:8787": false, "": false, "readback.example": false,
	} {
		if got := h.page.knows(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	for host, want := range map[string]bool{"readback.example": true, "Readback.Example": true, "localhost:1": true, "readback.example:444": false, "a.readback.example": false} {
		if got := pub.page.knows(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	b := h.browser()
	b.base = "http://evil.example"
	has(t, b.get("/sign-in"), http.StatusForbidden, "not known by that host name")
	if w := b.post("/sign-in", url.Values{"passphrase": {theWords}}); w.Code != http.StatusForbidden || h.prover.count() != 0 {
		t.Error(w.Code, "a passphrase is judged for a stranger's name")
	}
}

// TestBruteForce: an address gets five tries, then one every twelve seconds; others are not kept waiting; and a session is counted for itself.
func TestBruteForce(t *testing.T) {
	addr := netip.MustParseAddr("203.0.113.7")
	h := build(t, func(o *Options) { o.Address = func(*http.Request) netip.Addr { return addr } })
	guess := func() int { return h.browser().post("/sign-in", url.Values{"passphrase": {"guess"}}).Code }
	owner := h.browser().signIn()
	for range triesPerMinute {
		if c := guess(); c != http.StatusForbidden {
			t.Fatal(c)
		}
	}
	n := h.prover.count()
	for range 20 {
		if c := guess(); c != http.StatusTooManyRequests {
			t.Fatal(c)
		}
	}
	if h.prover.count() != n {
		t.Error("what is refused is judged all the same")
	}
	has(t, h.browser().post("/sign-in", url.Values{"passphrase": {theWords}}), http.StatusTooManyRequests, "Too many tries")
	// The owner, who is signed in at the same address, still proves.
	h.now = h.now.Add(fresh)
	if err := h.store.Freeze(t.Context(), h.now, smsmcp.PageChannel); err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(-fresh)
	for range 20 {
		guess()
	}
	h.now = h.now.Add(10 * time.Second)
	if c := guess(); c != http.StatusTooManyRequests {
		t.Error(c)
	}
	h.now = h.now.Add(2 * time.Second)
	if c := guess(); c != http.StatusForbidden {
		t.Error("after twelve seconds there is no try:", c)
	}
	h.now = h.now.Add(-time.Hour) // a clock that is set back, and comes forward again, gives none
	guess()
	h.now = h.now.Add(time.Hour)
	if c := guess(); c != http.StatusTooManyRequests {
		t.Error(c)
	}
	h.now = h.now.Add(fresh)
	for range triesPerMinute {
		guess()
	}
	if w := owner.press(owner.get("/freeze"), "/thaw", "passphrase", theWords); w.Code != http.StatusSeeOther {
		t.Error("who guesses at the owner's address keeps the owner waiting:", w.Code)
	}
	addr = netip.MustParseAddr("203.0.113.8")
	if c := guess(); c != http.StatusForbidden {
		t.Error("another address waits too:", c)
	}
	if !strings.Contains(h.log.String(), "203.0.113.7/32") {
		t.Error("the log does not say where from")
	}
	// All addresses of one host are one.
	addr = netip.MustParseAddr("2001:db8::1")
	for i := range triesPerMinute {
		addr = netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i+1))
		guess()
	}
	addr = netip.MustParseAddr("2001:db8::ffff")
	if c := guess(); c != http.StatusTooManyRequests {
		t.Error(c)
	}
}

func TestWhatAProverAnswers(t *testing.T) {
	h := build(t)
	b := h.browser()
	for _, c := range []struct {
		err    error
		status int
		say    string
	}{
		{ErrWait, http.StatusTooManyRequests, "Too many tries"}, {ErrNoPassphrase, http.StatusForbidden, "readback passphrase"},
		{fmt.Errorf("wrapped: %w", ErrWrong), http.StatusForbidden, "not the passphrase"}, {errors.New("disk"), http.StatusInternalServerError, "Its log says why"},
	} {
		h.prover.err = c.err
		has(t, b.post("/sign-in", url.Values{"passphrase": {theWords}}), c.status, c.say)
	}
	if b.get("/").Code == 200 {
		t.Error("signed in")
	}
	n := h.prover.count()
	has(t, b.post("/sign-in", url.Values{}), http.StatusForbidden, "Give the passphrase.")
	if h.prover.count() != n {
		t.Error("nothing is judged as a passphrase")
	}
}

// TestStrangersDoNotPileUp: many who try at once are turned away, while who is signed in is not.
func TestStrangersDoNotPileUp(t *testing.T) {
	i := 0
	h := build(t, func(o *Options) {
		o.Address = func(*http.Request) netip.Addr { i++; return netip.AddrFrom4([4]byte{198, 51, byte(i >> 8), byte(i)}) }
	})
	for range strangersAtOnce {
		h.page.proving <- struct{}{}
	}
	has(t, h.browser().post("/sign-in", url.Values{"passphrase": {theWords}}), http.StatusTooManyRequests)
	<-h.page.proving
	h.browser().signIn()
	if len(h.page.proving) != strangersAtOnce-1 {
		t.Error("a place is not given back")
	}
}

func TestFormsAreBounded(t *testing.T) {
	h := build(t)
	b := h.browser()
	for _, w := range []*httptest.ResponseRecorder{
		b.post("/sign-in", url.Values{"passphrase": {theWords}, "x": {strings.Repeat("a", formBytes)}}),
		func() *httptest.ResponseRecorder {
			r := b.request("/sign-in", url.Values{"passphrase": {theWords}})
			r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
			return b.do(r)
		}(),
		b.do(func() *http.Request {
			r := httptest.NewRequest(http.MethodPost, b.base+"/sign-in", strings.NewReader("passphrase=%zz"))
			r.Header = b.request("/", nil).Header
			return r
		}()),
	} {
		has(t, w, http.StatusBadRequest, "could not be read")
	}
	// What stands in the address is no field of a form.
	has(t, b.post("/sign-in?passphrase="+url.QueryEscape(theWords), url.Values{}), http.StatusForbidden)
	if h.prover.count() != 0 || len(h.page.sessions.all) != 0 {
		t.Error("something was judged")
	}
}

// TestALinkFromElsewhere: ntfy's own page is another site, and a SameSite=Strict cookie does not come along from there.
func TestALinkFromElsewhere(t *testing.T) {
	h := build(t)
	r := httptest.NewRequest(http.MethodGet, "http://localhost:8787/sends/aaaaaaaaaa", nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w := h.browser().do(r)
	has(t, w, 200, `http-equiv="refresh" content="0"`, `href="/sends/aaaaaaaaaa"`)
	hasNot(t, w, "No send")
}

func TestOptions(t *testing.T) {
	h := build(t)
	for u, host := range map[string]string{
		"https://a.example": "a.example", "https://a.example/": "a.example", "https://A.example:443": "a.example", "https://a.example:8443": "a.example:8443",
		"http://10.0.0.2:80": "10.0.0.2",
		"a.example":          "", "ftp://a.example": "", "https://": "", "https://a.example/x": "", "https://u@a.example": "", "https://a.example/?x": "", "https://a.example#x": "",
	} {
		o := h.page.o
		o.PublicURL = u
		p, err := New(o)
		if (err == nil) != (host != "") || err != nil && !errors.Is(err, ErrPublicURL) {
			t.Errorf("%q: %v", u, err)
		} else if err == nil && (p.public.Host != host || p.o.Secure != strings.HasPrefix(u, "https")) {
			t.Errorf("%q: %q %v", u, p.public.Host, p.o.Secure)
		}
	}
	o := h.page.o
	o.Rand = strings.NewReader("short")
	if _, err := New(o); err == nil {
		t.Error("without randomness there is a page")
	}
}

func TestLanguages(t *testing.T) {
	h := build(t)
	b := h.browser()
	has(t, b.get("/sign-in"), 200, `<html lang="en"`, "Sign in")
	b.header.Set("Accept-Language", "fr-CA,fr;q=0.9,en;q=0.8")
	has(t, b.get("/sign-in"), 200, `<html lang="fr"`, "Se connecter")
	b.press(b.get("/sign-in"), "/language", "language", "en")
	has(t, b.get("/sign-in"), 200, `<html lang="en"`)
	b.signIn()
	h.draft("Marie Tremblay", "Hm.")
	b.press(b.get("/"), "/language", "language", "fr")
	has(t, b.get("/"), 200, "1 texto attend votre oui.", "Ne pas envoyer", "Vous avez demandé à confirmer chaque texto.")
	if w := b.post("/language", url.Values{"language": {"en"}}); w.Code != http.StatusForbidden {
		t.Error("the session's token is not asked for:", w.Code)
	}
	for header, want := range map[string]lang.Lang{
		"": "x", "de": "x", "en": lang.EN, "EN-us": lang.EN, "de, fr;q=0.2, en;q=0.1": lang.FR, "en;q=0.1,fr": lang.FR, "fr;q=0,en": lang.EN,
		"fr;q=0": "x", "fr;q=2": "x", "fr;q=NaN": "x", ";,;q=,": "x", "french": "x", strings.Repeat("fr,", 1000): "x", "*": "x",
	} {
		if got := screen.Accepted(header, "x"); got != want {
			t.Errorf("%q: %q", header, got)
		}
	}
	if page := maps.Collect(maps.All(h.page.render)); len(page) != 2 {
		t.Error("a language has no pages")
	}
}

func FuzzWhatABrowserSends(f *testing.F) {
	for _, s := range []string{"fr-CA,fr;q=0.9", "en;q=", "/sends/abc", "//x", "q=NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if l := screen.Accepted(s, lang.EN); l != lang.EN && l != lang.FR {
			t.Errorf("%q: %q", s, l)
		}
		if u, err := url.Parse(safe(s)); err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") {
			t.Errorf("%q: %v", s, u)
		}
	})
}
