package browser

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"readback/smsmcp/oauth"
	"readback/smsmcp/outside"
	"readback/smsmcp/page"
	"readback/store"
	"readback/store/grants"
)

const (
	public   = "https://readback.example"
	claude   = "https://claude.ai"
	callback = claude + "/api/mcp/auth_callback"
	document = claude + "/oauth/mcp-oauth-client-metadata"
	verifier = "a-verifier-that-is-long-enough-for-rfc-7636-0001"
)

// reception is a house over TLS by its public name, with a real authorization server, and a site that plays claude.ai and claude.com.
type reception struct {
	*house
	*oauth.Server
	flags []chromedp.ExecAllocatorOption
	stays bool // what comes back is given no page, so that the browser stays where it is
	came  chan came
}

// came is what came back, and what else the browser said of where it came from.
type came struct {
	query   url.Values
	referer []string
}

func receive(t *testing.T) *reception {
	t.Helper()
	r := &reception{came: make(chan came, 1)}
	r.house = build(t, func(o *page.Options) {
		var err error
		r.Server, err = oauth.New(oauth.Options{
			Issuer: public, Path: "/mcp", Store: grants.New(o.Store.(*store.Store).DB()), Documents: r, Now: o.Now, Log: slog.New(slog.DiscardHandler),
		})
		must(t, err)
		o.Clients, o.PublicURL = r.Server, public
	})
	ours, theirs := httptest.NewTLSServer(r.page), httptest.NewTLSServer(http.HandlerFunc(r.elsewhere))
	t.Cleanup(ours.Close)
	t.Cleanup(theirs.Close)
	r.flags = []chromedp.ExecAllocatorOption{
		chromedp.Flag("host-resolver-rules", fmt.Sprintf("MAP readback.example:443 %s, MAP claude.ai:443 %[2]s, MAP claude.com:443 %[2]s", ours.Listener.Addr(), theirs.Listener.Addr())),
		chromedp.Flag("ignore-certificate-errors-spki-list", spki(ours.Certificate())),
	}
	return r
}

func spki(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Get gives the document of Claude.
func (r *reception) Get(context.Context, string) (outside.Doc, error) {
	body := fmt.Sprintf(`{"client_id":%q,"client_name":"Claude","redirect_uris":[%q]}`, document, callback)
	return outside.Doc{Body: []byte(body), Type: "application/json"}, nil
}

// elsewhere is the other sites. What comes back is sent on to another of them, as they do.
func (r *reception) elsewhere(w http.ResponseWriter, q *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch {
	case strings.HasSuffix(q.URL.Path, "callback"):
		r.came <- came{q.URL.Query(), q.Header["Referer"]}
		if r.stays {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		http.Redirect(w, q, "https://claude.com/done", http.StatusFound)
	case q.URL.Path == "/done":
		fmt.Fprint(w, `<!doctype html><title>done</title><link rel="icon" href="data:,"><p id="done">done</p><script>if (opener) opener.postMessage("connected", "*")</script>`)
	default:
		fmt.Fprintf(w, `<!doctype html><title>Claude</title><link rel="icon" href="data:,"><button id="add">Add</button><a id="go" href="%[1]s">Add here</a><script>
addEventListener("message", e => { window.said = e.data });
document.querySelector("#add").onclick = () => { window.popup = open("%[1]s", "popup", "width=500,height=700") };
</script>`, public+asks(document, callback))
	}
}

// back gives what comes back.
func (r *reception) back(t *testing.T) url.Values {
	t.Helper()
	select {
	case c := <-r.came:
		if len(c.referer) > 0 {
			t.Errorf("it is told where the browser came from: %q", c.referer)
		}
		return c.query
	case <-time.After(patience):
		t.Fatal("nothing came back")
		return nil
	}
}

// asks is the path at which a program asks, with changes: pairs of name and value.
func asks(client, redirect string, kv ...string) string {
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirect}, "state": {"st&te =1|'+"}, "scope": {"texts:read texts:send"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}, "resource": {public + "/mcp"},
	}
	for i := 0; i < len(kv); i += 2 {
		q.Set(kv[i], kv[i+1])
	}
	return "/oauth/authorize?" + q.Encode()
}

// registers gives the id of a program that registered itself.
func (r *reception) registers(t *testing.T, name, redirect string) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"client_name": name, "redirect_uris": []string{redirect}})
	must(t, err)
	return r.posts(t, "/oauth/register", "application/json", string(b), "client_id")
}

// enters exchanges a code for a token that works.
func (r *reception) enters(t *testing.T, client, redirect, code string) oauth.Access {
	t.Helper()
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirect}, "client_id": {client}, "code_verifier": {verifier}}
	a, err := r.Check(t.Context(), r.posts(t, "/oauth/token", "application/x-www-form-urlencoded", form.Encode(), "access_token"))
	must(t, err)
	return a
}

func (r *reception) posts(t *testing.T, path, kind, body, want string) string {
	t.Helper()
	q := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	q.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	r.Handler().ServeHTTP(w, q)
	var out map[string]any
	must(t, json.Unmarshal(w.Body.Bytes(), &out))
	s, _ := out[want].(string)
	if s == "" {
		t.Fatal(w.Code, w.Body)
	}
	return s
}

const allow, deny = "form[action^='/oauth/authorize/yes'] button", "form[action^='/oauth/authorize/no'] button"

// TestAProgramIsLetInFromAWindow as claude.ai opens one: the sign-in, the question and the proof come one after the other in it, the answer goes back to claude.ai and on from there,
// and the two windows have not lost each other.
func TestAProgramIsLetInFromAWindow(t *testing.T) {
	r := receive(t)
	b := open(t, claude, r.flags...)
	b.visit("/")
	p := b.opens(public, func() { b.within(clicks("#add")) })
	p.may(claude, "https://claude.com")
	together := func() {
		t.Helper()
		if eval[bool](b, "popup.closed") {
			t.Fatal("to the program its window is closed")
		}
	}
	p.wait(`location.pathname == "/sign-in" && !!document.querySelector("#passphrase")`)
	together()
	p.write("#passphrase", "not the words")
	p.press("main form button")
	together()
	p.write("#passphrase", theWords)
	p.press("main form button")
	p.at("/oauth/authorize")
	p.says("Let a program in?", "It is let in by way of claude.ai.", "It calls itself “Claude”.", "read the texts", "send texts")
	together()
	p.press("footer form[action='/language'] button")
	p.says("Laisser entrer un programme")
	p.press("footer form[action='/language'] button")
	together()
	if status := p.press(allow); status != http.StatusForbidden {
		t.Fatal(status)
	}
	p.says("Is it you?", "It is let in by way of claude.ai.", "read the texts")
	together()
	p.write("#passphrase", theWords)
	p.press("main form.card > button")
	p.wait(`location.href == "https://claude.com/done"`)
	b.wait(`window.said == "connected"`)
	came := r.back(t)
	if a := r.enters(t, document, callback, came.Get("code")); a.Scopes != oauth.All || a.MayConfirm || came.Get("state") != "st&te =1|'+" || came.Get("iss") != public {
		t.Error(a, came)
	}
	p.clean()
}

// TestEveryWayBack: to a site, and to a program on the same machine by each of its names; each sends the browser on to yet another place. The owner is signed in, and has a passkey.
func TestEveryWayBack(t *testing.T) {
	r := receive(t)
	b := open(t, public, r.flags...)
	b.authenticator()
	b.signIn()
	b.addKey("this phone")
	ways := map[string]string{document: callback}
	for _, at := range []string{"127.0.0.1", "::1"} {
		l, err := net.Listen("tcp", net.JoinHostPort(at, "0"))
		if err != nil {
			t.Log("left out: a program at ", at, ": ", err)
			continue
		}
		srv := httptest.NewUnstartedServer(http.HandlerFunc(r.elsewhere))
		srv.Listener.Close()
		srv.Listener = l
		srv.Start()
		defer srv.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		for name, host := range map[string]string{"IPv4": "127.0.0.1", "IPv6": "[::1]", "localhost": "localhost"} {
			if (name == "IPv6") == (at == "::1") {
				to := "http://" + host + ":" + port + "/callback"
				ways[r.registers(t, name, to)] = to
			}
		}
	}
	for client, to := range ways {
		u, err := url.Parse(to)
		must(t, err)
		b.may(claude, "https://claude.com", "http://"+u.Host)
		r.later(long)
		for what, c := range map[string]struct{ path, press, error string }{
			"yes": {asks(client, to), allow, ""}, "no": {asks(client, to), deny, "access_denied"}, "at fault": {asks(client, to, "response_type", "token"), "", "unsupported_response_type"},
		} {
			// By a link from elsewhere, as programs bring browsers here.
			b.within(func(ctx context.Context) error {
				return chromedp.Do(ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
					return chromedp.Navigate(claude+"/")(ctx, t)
				})
			})
			eval[bool](b, fmt.Sprintf(`document.querySelector("#go").href = %q, true`, public+c.path))
			b.within(clicks("#go"))
			if c.press != "" {
				b.wait(`!!document.querySelector("` + c.press + `")`)
				b.says("by way of", u.Hostname())
				b.within(clicks(c.press))
			}
			b.wait(`location.href == "https://claude.com/done"`)
			came := r.back(t)
			if came.Get("error") != c.error || came.Has("code") != (c.error == "") || came.Get("iss") != public || came.Get("state") != "st&te =1|'+" {
				t.Errorf("%s, %s: %v", to, what, came)
			}
			if c.error == "" {
				r.enters(t, client, to, came.Get("code"))
			}
			b.clean()
		}
	}
	b.visit("/clients")
	all, err := r.Grants(t.Context())
	must(t, err)
	if len(all) != len(ways) {
		t.Errorf("%d programs are in", len(all))
	}
	// Its yes is made to count, and not; its end is the end.
	r.later(long)
	b.press("form[action='/clients/trust'] button")
	b.at("/clients")
	b.says("Don't let its yes count")
	b.press("form[action='/clients/distrust'] button")
	for range ways {
		b.press("form[action='/clients/revoke'] button")
	}
	b.says("by you")
	b.clean()
	if all, err = r.Grants(t.Context()); err != nil || all[0].Ended.IsZero() || all[0].MayConfirm {
		t.Error(all, err)
	}
}

// TestEveryStateOfWhatAProgramAsks looks at them as TestEveryStateOfThePage does.
func TestEveryStateOfWhatAProgramAsks(t *testing.T) {
	r := receive(t)
	here := r.registers(t, "Claude Code", "http://localhost:9999/callback")
	unnamed := r.registers(t, "Имя", callback)
	r.stays = true
	b := open(t, public, r.flags...)
	b.signIn()
	script := func(expression string) { b.turns(func() { eval[bool](b, expression+", true") }) }
	for i, l := range looks(os.Getenv(shots) != "") {
		b.may()
		b.looked(l)
		n := 40
		keep := func(state string) {
			t.Helper()
			n++
			b.keep(fmt.Sprintf("%02d-%s", n, state), l)
		}
		b.visit("/clients")
		if i == 0 {
			keep("clients-none")
		}
		r.later(long)
		b.visit(asks(unnamed, callback, "scope", "texts:read"))
		keep("consent-unnamed")
		b.visit(asks(here, "http://localhost:9999/callback"))
		keep("consent-here")
		b.visit(asks(document, callback))
		keep("consent")
		eval[bool](b, `document.querySelector("[name=digest]").value = "00".repeat(32), true`)
		b.press(allow)
		keep("consent-changed")
		b.press(allow)
		keep("consent-ask")
		b.write("#passphrase", "not the words")
		b.press("main form.card > button")
		keep("consent-ask-wrong")
		b.write("#passphrase", theWords)
		b.may(claude)
		b.within(clicks("main form.card > button"))
		code := r.back(t).Get("code")
		b.wait(`!document.querySelector("main form") && document.querySelector("main p strong")?.textContent == "claude.ai"`)
		keep("lead")
		b.may()
		b.visit(asks("rbclient_aaaaaaaaaaaaaaaaaaaaaaaaaa", callback))
		keep("consent-problem")
		r.enters(t, document, callback, code)
		if i == 0 {
			all, err := r.Grants(t.Context())
			must(t, err)
			must(t, r.Revoke(t.Context(), all[0].ID))
			continue
		}
		b.visit("/clients")
		keep("clients")
		script(`document.querySelector("form[action='/clients/trust']").submit()`)
		keep("clients-ask-trust")
		b.visit("/clients")
		script(`document.querySelector("form[action='/clients/revoke']").submit()`)
		keep("clients-ask-revoke")
	}
}
