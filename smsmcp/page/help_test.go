package page

import (
	"bytes"
	"context"
	"errors"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/store"
	"readback/voip/sandbox"
)

const theWords = "three quiet geese at noon"

// prover knows one passphrase, and writes down who tried.
type prover struct {
	mu    sync.Mutex
	tried []string
	err   error
	hold  chan struct{} // judged when it closes, if there is one
}

func (p *prover) Prove(ctx context.Context, caller, passphrase string) error {
	p.mu.Lock()
	p.tried = append(p.tried, caller)
	err, hold := p.err, p.hold
	p.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err == nil && passphrase != theWords {
		err = ErrWrong
	}
	return err
}

func (p *prover) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.tried)
}

// house is the page with the real store, door, desk and sandbox behind it. Each send waits for a yes.
type house struct {
	t       *testing.T
	page    *Page
	store   *store.Store
	door    *dispatch.Door
	carrier *sandbox.Carrier
	prover  *prover
	log     *bytes.Buffer
	now     time.Time
}

func build(t *testing.T, with ...func(*Options)) *house {
	t.Helper()
	h := &house{t: t, prover: &prover{}, log: &bytes.Buffer{}, now: time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)}
	clock := func() time.Time { return h.now }
	dir := t.TempDir()
	var err error
	if h.store, err = store.Open(t.Context(), filepath.Join(dir, "readback.db")); err != nil {
		t.Fatal(err)
	}
	if h.carrier, err = sandbox.Open(filepath.Join(dir, "sandbox"), clock); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(h.log, nil))
	desk := confirm.New(h.store, clock, log, confirm.Channel{Name: smsmcp.PageChannel, Strong: true, Reachable: func() bool { return true }})
	h.door = dispatch.New(dispatch.Options{
		Carrier: h.carrier, Ledger: h.store, Now: clock, Timeout: 10 * time.Second, Tell: func(smsmcp.Send) {}, Reachable: desk.Reachable, Log: log,
		Guard: guard.Settings{
			Confirm: "always", PerHour: 100, PerDay: 1000, UnconfirmedPerHour: 100, UnconfirmedPerDay: 1000, Duplicate: 2 * time.Minute,
			FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8, NewHosts: true,
			Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 60, PauseAfterNo: 30 * time.Minute,
		},
	})
	desk.Bind(h.door)
	t.Cleanup(func() {
		h.door.Close(context.Background())
		h.store.Close()
		h.carrier.Close()
	})
	for name, number := range map[string]string{"Marie Tremblay": "5145550142", "Alex Roy": "5145550143"} {
		c, err := contacts.New(name, nil, []string{number}, "CA")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.store.AddContact(t.Context(), c, func([]smsmcp.Contact) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Desk: desk, Store: h.store, Prover: h.prover, Lang: lang.EN, Zone: time.UTC, Now: clock, Log: log}
	for _, f := range with {
		f(&o)
	}
	if h.page, err = New(o); err != nil {
		t.Fatal(err)
	}
	return h
}

// draft makes a send that waits.
func (h *house) draft(to, body string) smsmcp.Send {
	h.t.Helper()
	a, err := h.door.Send(h.t.Context(), dispatch.Request{To: to, Body: body, By: "laptop", Scope: smsmcp.MCP})
	if err != nil || a.Send.State != smsmcp.Waiting {
		h.t.Fatal(err, a.Send.State, a.Send.Reasons)
	}
	return a.Send
}

func (h *house) state(id smsmcp.SendID) smsmcp.SendState {
	h.t.Helper()
	s, err := h.store.Send(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return s.State
}

// browser keeps cookies and says where its requests come from, as browsers do.
type browser struct {
	h       *house
	cookies map[string]string
	base    string
	header  http.Header
}

func (h *house) browser() *browser {
	base := "http://localhost:8787"
	if h.page.public != nil {
		base = h.page.public.String()
	}
	return &browser{h: h, cookies: map[string]string{}, base: base, header: http.Header{}}
}

func (b *browser) do(r *http.Request) *httptest.ResponseRecorder {
	b.h.t.Helper()
	for name, v := range b.header {
		r.Header[name] = v
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.h.page.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	return w
}

func (b *browser) get(path string) *httptest.ResponseRecorder {
	b.h.t.Helper()
	return b.do(httptest.NewRequest(http.MethodGet, b.base+path, nil))
}

func (b *browser) request(path string, form url.Values) *http.Request {
	r := httptest.NewRequest(http.MethodPost, b.base+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r
}

func (b *browser) post(path string, form url.Values) *httptest.ResponseRecorder {
	b.h.t.Helper()
	return b.do(b.request(path, form))
}

func (b *browser) signIn() *browser {
	b.h.t.Helper()
	if w := b.post("/sign-in", url.Values{"passphrase": {theWords}}); w.Code != http.StatusSeeOther {
		b.h.t.Fatal(w.Code, w.Body)
	}
	return b
}

var formIn = regexp.MustCompile(`(?s)<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>`)
var inputIn = regexp.MustCompile(`<(?:input|button)[^>]*? name="([^"]+)"[^>]*? value="([^"]*)"`)

// form gives the fields of the form on a page that goes to an action.
func form(w *httptest.ResponseRecorder, action string) (url.Values, error) {
	for _, m := range formIn.FindAllStringSubmatch(w.Body.String(), -1) {
		if html.UnescapeString(m[1]) != action {
			continue
		}
		out := url.Values{}
		for _, in := range inputIn.FindAllStringSubmatch(m[2], -1) {
			out.Set(in[1], html.UnescapeString(in[2]))
		}
		return out, nil
	}
	return nil, errors.New("no form goes to " + action)
}

// press presses the button of a form on a page, with more fields if need be.
func (b *browser) press(w *httptest.ResponseRecorder, action string, more ...string) *httptest.ResponseRecorder {
	b.h.t.Helper()
	f, err := form(w, action)
	if err != nil {
		b.h.t.Fatalf("%v:\n%s", err, w.Body)
	}
	for i := 0; i+1 < len(more); i += 2 {
		f.Set(more[i], more[i+1])
	}
	return b.post(action, f)
}

func has(t *testing.T, w *httptest.ResponseRecorder, status int, want ...string) {
	t.Helper()
	if w.Code != status {
		t.Errorf("status %d, want %d", w.Code, status)
	}
	for _, s := range want {
		if !strings.Contains(html.UnescapeString(w.Body.String()), s) {
			t.Errorf("%q is not on the page:\n%s", s, w.Body)
		}
	}
}

func hasNot(t *testing.T, w *httptest.ResponseRecorder, not ...string) {
	t.Helper()
	for _, s := range not {
		if strings.Contains(html.UnescapeString(w.Body.String()), s) {
			t.Errorf("%q is on the page:\n%s", s, w.Body)
		}
	}
}

func dispatchTo(to, body string) dispatch.Request {
	return dispatch.Request{To: to, Body: body, By: "laptop", Scope: smsmcp.MCP}
}

// other is a store in which one send has another body.
type other struct {
	Store
	id   smsmcp.SendID
	body string
}

func (o other) Send(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	s, err := o.Store.Send(ctx, id)
	if id == o.id {
		s.Draft = smsmcp.RestoreDraft(s.Draft.Contact(), s.Draft.Revision(), s.Draft.To(), o.body)
	}
	return s, err
}

// counted counts the yeses that reach a desk.
type counted struct {
	Desk
	yes int
}

func (c *counted) Yes(ctx context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error) {
	c.yes++
	return c.Desk.Yes(ctx, id, digest, on)
}
