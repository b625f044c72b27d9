package oauth

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/outside"
)

func TestRegistering(t *testing.T) {
	w := newWorld(t)
	for body, want := range map[string]string{
		``: invalidMetadata, `[]`: invalidMetadata, `null`: invalidMetadata, `"a"`: invalidMetadata, `{`: invalidMetadata, `{}`: invalidMetadata, `{"redirect_uris":[]}`: invalidMetadata,
		`{"redirect_uris":"` + callback + `"}`: invalidMetadata, `{"redirect_uris":[1]}`: invalidMetadata, `{"Redirect_URIs":["` + callback + `"]}`: invalidMetadata,
		`{"redirect_uris":["` + callback + `"]} {}`:                                                  invalidMetadata,
		`{"redirect_uris":["` + callback + `"]}]`:                                                    invalidMetadata,
		`{"redirect_uris":["` + callback + `"],"redirect_uris":["https://evil.example/"]}`:           invalidMetadata,
		`{"redirect_uris":["` + callback + `"],"client_name":7}`:                                     invalidMetadata,
		`{"redirect_uris":["` + callback + `"],"client_name":"` + strings.Repeat("a", 10<<10) + `"}`: invalidRequest,
		`{"redirect_uris":["` + strings.Repeat(callback+`","`, 16) + callback + `"]}`:                invalidMetadata,
		"{\"redirect_uris\":[\"" + callback + "\"],\"client_name\":\"\xff\"}":                        invalidMetadata,
		`{"redirect_uris":["https://evil.example/cb"]}`:                                              invalidRedirect,
		`{"redirect_uris":["` + callback + `","https://evil.example/cb"]}`:                           invalidRedirect,
		`{"redirect_uris":["http://claude.ai/cb"]}`:                                                  invalidRedirect,
		`{"redirect_uris":["https://evil.claude.ai/cb"]}`:                                            invalidRedirect,
		`{"redirect_uris":["https://claude.ai"]}`:                                                    "",
		`{"redirect_uris":["https://claude.ai/cb#x"]}`:                                               invalidRedirect,
		`{"redirect_uris":["https://claude.ai/cb?x"]}`:                                               invalidRedirect,
		`{"redirect_uris":["https://claude.ai\u0000/"]}`:                                             invalidRedirect,
		`{"redirect_uris":["https://claude.ai/` + strings.Repeat("a", longRedirect) + `"]}`:          invalidRedirect,
		`{"redirect_uris":["javascript:alert(1)"]}`:                                                  invalidRedirect,
		`{"redirect_uris":["cursor://anysphere/cb"]}`:                                                invalidRedirect,
		`{"redirect_uris":["http://10.0.0.1/cb"]}`:                                                   invalidRedirect,
		`{"redirect_uris":["http://localhost:8080/cb","http://[::1]/cb"]}`:                           "",
		`{"redirect_uris":["` + callback + `"],"token_endpoint_auth_method":"client_secret_post"}`:   "",
	} {
		w.restart() // its buckets are full again
		code, out := w.post(registerPath, jsonType, body)
		if got, _ := out["error"].(string); got != want || want == "" && (code != 201 || out["token_endpoint_auth_method"] != "none" || out["client_secret"] != nil) || want != "" && code != 400 {
			t.Errorf("%.100s: %d, %v", body, code, out)
		}
	}
	if code, _ := w.post(registerPath, formType, "a=b"); code != 400 {
		t.Errorf("as a form: %d", code)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"Claude": "Claude", "Claude-Code_2": "Claude-Code_2", "L'app d'Édith": "L'app d'Édith", "Ứng dụng": "Ứng dụng", "": "",
		"Claude Code (sms)": "Claude Code (sms)", "Claude (claude.ai)": "", "claude.ai": "", "App 2.0": "", "claude·ai": "", "claude\ua78fai": "", "claude\uff0eai": "", "ｃlaude": "", strings.Repeat("a", 40): strings.Repeat("a", 40), strings.Repeat("a", 41): "",
		" Claude": "", "Claude  Code": "", "Claude\n": "", "<b>Claude</b>": "", "Сlaude": "", "Claude\u202e": "", "Claude ✓": "", "claude.ai → you": "", "Claude\u00a0Code": "",
	} {
		if got := known(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// Anybody may register: not often, and not so many that it matters. Those that the owner agreed to stay.
func TestManyRegister(t *testing.T) {
	w := newWorld(t)
	mine, _ := w.in()
	once := w.registered(callback)
	if _, err := w.Grant(t.Context(), w.consents(asks(once)), "owner"); err != nil { // agreed to, and then left
		t.Fatal(err)
	}
	n := 0
	for ; n < 100; n++ {
		if code, _ := w.post(registerPath, jsonType, `{"redirect_uris":["`+callback+`"]}`); code == 429 {
			break
		}
	}
	if n != 8 { // with the two from before
		t.Errorf("%d at once from one address", n)
	}
	all := 0
	for n := range 100 {
		w.from = fmt.Sprintf("10.0.%d.1:1", n)
		if code, _ := w.post(registerPath, jsonType, `{"redirect_uris":["`+callback+`"]}`); code != 429 {
			all++
		}
	}
	if all > 20 {
		t.Errorf("%d at once from many", all)
	}
	var last string
	for n := range 300 {
		w.pass(10 * time.Second)
		w.from = fmt.Sprintf("10.1.%d.1:1", n%250)
		last = w.registered(callback)
	}
	if got := len(w.store.state.clients); got != mostWaiting+2 {
		t.Errorf("%d clients are kept", got)
	}
	w.consents(asks(mine))
	w.consents(asks(once))
	w.consents(asks(last))
	w.pass(waitingKept)
	w.registered(callback)
	if got := len(w.store.state.clients); got != 3 {
		t.Errorf("%d clients are kept after a week", got)
	}
	w.pass(agreedKept)
	w.registered(callback)
	w.consents(asks(mine)) // its grant has not ended
	if a := w.Authorize(t.Context(), asks(once), somewhere); a.Problem != BadClient {
		t.Errorf("a client that was agreed to long ago: %+v", a)
	}
}

// TestNoNetworkClosesTheDoor: whatever a site's networks do, and however long, others can register.
func TestNoNetworkClosesTheDoor(t *testing.T) {
	for _, site := range []string{"[2001:db8:0:%x::1]:1", "192.0.2.%d:1"} {
		w := newWorld(t)
		good := 0
		for range 60 {
			w.pass(time.Minute)
			for n := range 30 {
				w.from = fmt.Sprintf(site, n%10)
				w.post(registerPath, jsonType, `{"redirect_uris":["`+callback+`"]}`)
			}
			w.from = "203.0.113.9:1"
			if code, _ := w.post(registerPath, jsonType, `{"redirect_uris":["`+callback+`"]}`); code == 201 {
				good++
			}
		}
		if good != 60 {
			t.Errorf("%s: others could register in %d of 60 minutes", site, good)
		}
	}
}

// TestAClientThatJustCameStays: its question may be on the owner's screen.
func TestAClientThatJustCameStays(t *testing.T) {
	w := newWorld(t)
	for n := range mostWaiting {
		id := fmt.Sprintf("%s%d", clientPrefix, n)
		w.store.state.clients[id] = Client{ID: id, Redirects: []string{callback}, Created: noon.Add(time.Duration(n) * time.Millisecond)}
	}
	first := w.consents(asks(clientPrefix + "0"))
	w.docs.at[document] = paper()
	w.pass(youngFor - time.Second)
	if code, _ := w.post(registerPath, jsonType, `{"redirect_uris":["`+callback+`"]}`); code != 429 {
		t.Errorf("one more: %d", code)
	}
	if a := w.Authorize(t.Context(), asks(document), somewhere); a.Problem != TryLater {
		t.Errorf("one more, by its document: %+v", a)
	}
	w.pass(time.Second)
	w.registered(callback)
	if _, has := w.store.state.clients[clientPrefix+"0"]; has || len(w.store.state.clients) != mostWaiting {
		t.Errorf("%d clients are kept", len(w.store.state.clients))
	}
	if _, err := w.Grant(t.Context(), first, "owner"); err == nil {
		t.Error("a client that went is agreed to")
	}
	second := w.consents(asks(clientPrefix + "1"))
	if _, err := w.Grant(t.Context(), second, "owner"); err != nil {
		t.Error(err)
	}
}

func paper(change ...func(map[string]any)) outside.Doc {
	m := map[string]any{"client_id": document, "client_name": "Claude", "redirect_uris": []string{callback, "https://claude.com/api/mcp/auth_callback"}, "token_endpoint_auth_method": "none"}
	for _, c := range change {
		c(m)
	}
	b, _ := json.Marshal(m)
	return outside.Doc{Body: b, Type: "application/json"}
}

func TestAClientByItsDocument(t *testing.T) {
	w := newWorld(t)
	w.docs.at[document] = paper()
	c := w.consents(asks(document))
	if c.From != "claude.ai" || c.Name != "Claude" || c.To != "claude.ai" || c.Client != document {
		t.Errorf("%+v", c)
	}
	got, fault := w.exchange(document, w.code(asks(document)))
	if fault != "" || !w.works(got.access) || w.docs.asked != 1 {
		t.Errorf("%q, asked %d times", fault, w.docs.asked)
	}
	w.pass(leastFresh - 1)
	if w.consents(asks(document)); w.docs.asked != 1 {
		t.Error("a fresh copy was asked for again")
	}
	w.pass(1)
	doc := paper(func(m map[string]any) { m["client_name"] = "Claude 2" })
	doc.Fresh, doc.Type = 300*time.Hour, "application/cimd+json"
	w.docs.at[document] = doc
	if c := w.consents(asks(document)); w.docs.asked != 2 || c.Name != "Claude 2" {
		t.Errorf("%d, %+v", w.docs.asked, c)
	}
	w.pass(mostFresh - 1)
	if w.consents(asks(document)); w.docs.asked != 2 {
		t.Error("a fresh copy was asked for again")
	}
	w.pass(1)
	if w.consents(asks(document)); w.docs.asked != 3 {
		t.Error("a copy is never asked for again")
	}
	if k, _, _ := w.store.state.Client(document); !k.Created.Equal(noon) || k.Granted.IsZero() {
		t.Errorf("%+v", k)
	}
	w.pass(-48 * time.Hour)
	if w.consents(asks(document)); w.docs.asked != 4 {
		t.Error("a clock set back keeps a copy fresh")
	}
}

// Where the document cannot be had its last good copy holds for a while; where there is none, nothing does.
func TestADocumentInAnOutage(t *testing.T) {
	outages := []error{outside.ErrTime, outside.ErrUnreachable, outside.ErrName, outside.ErrServer, outside.ErrCertificate, outside.ErrBroken, outside.ErrRefused, outside.ErrRedirect, outside.ErrCancelled}
	for _, err := range outages {
		w := newWorld(t)
		w.docs.err = err
		if a := w.Authorize(t.Context(), asks(document), somewhere); a.Problem != TryLater {
			t.Errorf("%v: %+v", err, a)
		}
		w.docs.err, w.docs.at[document] = nil, paper()
		w.pass(notAgainBefore)
		w.consents(asks(document))
		w.docs.err = err
		w.pass(lastGoodKept - 1)
		w.restart()
		w.consents(asks(document))
		w.pass(1)
		if a := w.Authorize(t.Context(), asks(document), somewhere); a.Problem != TryLater {
			t.Errorf("%v, a month later: %+v", err, a)
		}
	}
	for _, err := range []error{outside.ErrGone, outside.ErrAddress, outside.ErrTooBig, outside.ErrEncoding, outside.ErrHost} {
		w := newWorld(t)
		w.docs.at[document] = paper()
		w.consents(asks(document))
		w.docs.err = err
		w.pass(leastFresh)
		if a := w.Authorize(t.Context(), asks(document), somewhere); a.Problem != BadClient {
			t.Errorf("%v: %+v", err, a)
		}
	}
}

// An outage signs nobody out: a refresh asks for no document.
func TestARefreshNeedsNoDocument(t *testing.T) {
	w := newWorld(t)
	w.docs.at[document] = paper()
	got, _ := w.exchange(document, w.code(asks(document)))
	w.docs.err = outside.ErrGone
	w.pass(48 * time.Hour)
	if got, fault := w.refreshes(document, got.refresh); fault != "" || !w.works(got.access) {
		t.Error(fault)
	}
}

func TestAttackADocumentThatLies(t *testing.T) {
	set := func(name string, v any) func(map[string]any) { return func(m map[string]any) { m[name] = v } }
	raw := func(s string) outside.Doc { return outside.Doc{Body: []byte(s), Type: "application/json"} }
	html := paper()
	html.Type = "text/html"
	plainText := paper()
	plainText.Type = ""
	for name, doc := range map[string]outside.Doc{
		"of another":             paper(set("client_id", "https://claude.ai/other")),
		"nearly the same":        paper(set("client_id", document+"/")),
		"of nobody":              paper(set("client_id", "")),
		"no string":              paper(set("client_id", 7)),
		"sends elsewhere":        paper(set("redirect_uris", []string{"https://evil.example/"})),
		"sends nowhere":          paper(set("redirect_uris", []string{})),
		"without redirects":      paper(func(m map[string]any) { delete(m, "redirect_uris") }),
		"with a secret":          paper(set("client_secret", "x")),
		"proves by a secret":     paper(set("token_endpoint_auth_method", "client_secret_basic")),
		"proves by a key":        paper(set("token_endpoint_auth_method", "private_key_jwt")),
		"a page":                 html,
		"of no type":             plainText,
		"no JSON":                raw("hello"),
		"two ids":                raw(`{"client_id":"https://claude.ai/other","client_id":"` + document + `","redirect_uris":["` + callback + `"]}`),
		"two ids, the other way": raw(`{"client_id":"` + document + `","redirect_uris":["` + callback + `"],"client_id":"` + document + `"}`),
		"an id by another case":  raw(`{"Client_ID":"` + document + `","redirect_uris":["` + callback + `"]}`),
		"too long":               raw(`{"client_id":"` + document + `","redirect_uris":["` + callback + `"],"x":"` + strings.Repeat("a", longMetadata) + `"}`),
		"many members":           raw(`{` + many(mostMembers) + `"client_id":"` + document + `","redirect_uris":["` + callback + `"]}`),
	} {
		w := newWorld(t)
		w.docs.at[document] = doc
		if a := w.Authorize(t.Context(), asks(document), somewhere); a.Problem != BadClient || len(w.store.state.clients) != 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
	// Of what it names only what is allowed here counts; and what it named before does not.
	w := newWorld(t)
	w.docs.at[document] = paper(set("redirect_uris", []string{"https://evil.example/", "vscode://x", "http://localhost/callback"}))
	w.consents(asks(document, "redirect_uri", "http://localhost:7/callback"))
	for _, to := range []string{"https://evil.example/", "vscode://x", callback} {
		if a := w.Authorize(t.Context(), asks(document, "redirect_uri", to), somewhere); a.Problem != BadRedirect {
			t.Errorf("%s: %+v", to, a)
		}
	}
	w.pass(leastFresh)
	w.docs.at[document] = paper(set("redirect_uris", []string{"https://claude.com/cb"}))
	if a := w.Authorize(t.Context(), asks(document, "redirect_uri", "http://localhost:7/callback"), somewhere); a.Problem != BadRedirect {
		t.Errorf("%+v", a)
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"m%d":0,`, i)
	}
	return b.String()
}

// Nobody makes this server ask somebody else often, nor at hosts that nobody named.
func TestAttackFetchesAreFew(t *testing.T) {
	w := newWorld(t)
	for n := range 100 {
		w.Authorize(t.Context(), asks(fmt.Sprintf("https://claude.ai/%d", n)), somewhere)
		w.Authorize(t.Context(), asks(fmt.Sprintf("https://evil%d.example/x", n)), somewhere)
	}
	if w.docs.asked != 10 {
		t.Errorf("%d fetches for one address", w.docs.asked)
	}
	w.restart()
	w.docs.asked, w.docs.err = 0, outside.ErrTime
	for range 100 {
		w.Authorize(t.Context(), asks(document), somewhere)
	}
	if w.docs.asked != 1 {
		t.Errorf("%d fetches of what could not be had", w.docs.asked)
	}
	for n := range 2 * mostBad {
		w.remember(fmt.Sprint(n), w.now)
	}
	n := 0
	w.bad.Range(func(any, any) bool { n++; return true })
	if n > mostBad+1 {
		t.Errorf("%d are remembered", n)
	}
}
