package owner

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/secret"
	"readback/store"
)

const good, bad = "four words nobody knows", "four words somebody knows"

// cheap is for tests of anything but the cost itself.
var cheap = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}

// carrier takes every text and counts them.
type carrier struct {
	mu   sync.Mutex
	sent []string
	fail error // of the next send
}

func (c *carrier) Name() string { return "fake" }
func (c *carrier) Plan(body string) (smsmcp.Plan, error) {
	return smsmcp.Plan{Kind: smsmcp.SMS, Segments: 1}, nil
}
func (c *carrier) Check(context.Context) error { return nil }
func (c *carrier) Send(_ context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, string(to)+" "+body)
	if err := c.fail; err != nil {
		return smsmcp.Receipt{}, err
	}
	return smsmcp.Receipt{Key: smsmcp.Key{Carrier: "fake", Kind: smsmcp.SMS, ID: string(rune('a' + len(c.sent)))}}, nil
}

// world is the owner's calls over a real store, desk and door.
type world struct {
	t       *testing.T
	store   *store.Store
	door    *dispatch.Door
	carrier *carrier
	options Options
	handler http.Handler
	client  *Client
	mu      sync.Mutex
	at      time.Time
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

func newWorld(t *testing.T, real bool) *world {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "readback.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &world{t: t, store: s, carrier: &carrier{}, at: time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)}
	log := slog.New(slog.DiscardHandler)
	desk := confirm.New(s, w.now, log, confirm.Channel{Name: smsmcp.CommandLine, Strong: true, Reachable: func() bool { return true }})
	w.door = dispatch.New(dispatch.Options{
		Carrier: w.carrier, Ledger: s, Now: w.now, Timeout: time.Second, Reachable: desk.Reachable, Tell: func(smsmcp.Send) {}, Log: log,
		Guard: guard.Settings{
			Confirm: guard.ConfirmAlways, PerHour: 30, PerDay: 90, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20, FanOut: 3, RepeatWords: 8,
			Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 6,
		},
	})
	desk.Bind(w.door)
	w.options = Options{
		Store: s, Desk: desk, Carrier: w.carrier, Real: real, Region: "CA", Now: w.now, Rand: rand.Reader, Log: log,
		cost: cheap,
		Mint: func(io.Reader) (string, string, [32]byte, error) { return "id", "rb_id_secret", [32]byte{1}, nil },
	}
	w.handler = New(w.options)
	w.client = Local(w.handler, lang.EN)
	return w
}

// wait has a text wait for the owner's yes.
func (w *world) wait(body string) Send {
	w.t.Helper()
	if _, err := AddContact.Do(w.t.Context(), w.client, Contact{Name: "Marie", Numbers: []string{"+14185550123"}}, good); err != nil && !is(err, CodeContact) {
		w.t.Fatal(err)
	}
	a, err := w.door.Send(w.t.Context(), dispatch.Request{To: "Marie", Body: body, By: "test", Scope: smsmcp.MCP})
	if err != nil || a.Send.State != smsmcp.Waiting {
		w.t.Fatalf("%v %v", a.Send.State, err)
	}
	all, err := ListWaiting.Do(w.t.Context(), w.client, None{}, "")
	if err != nil || len(all) == 0 {
		w.t.Fatalf("%v %v", all, err)
	}
	return all[len(all)-1]
}

func (w *world) setPassphrase() {
	w.t.Helper()
	if _, err := SetPassphrase.Do(w.t.Context(), w.client, Secret{good}, ""); err != nil {
		w.t.Fatal(err)
	}
}

func is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

func TestApproveSendsWhatWasShown(t *testing.T) {
	w := newWorld(t, false)
	s := w.wait("See you at 6.")
	if s.Contact != "Marie" || s.Number != "+14185550123" || s.Body != "See you at 6." || s.Segments != 1 || len(s.Reasons) == 0 || s.Expires.IsZero() {
		t.Errorf("what is shown is not whole: %+v", s)
	}
	done, err := Approve.Do(t.Context(), w.client, Answer{ID: s.ID, Digest: s.Digest}, "")
	if err != nil || done.State != smsmcp.Done || done.ConfirmedBy != smsmcp.CommandLine {
		t.Fatalf("%+v %v", done, err)
	}
	again, err := Approve.Do(t.Context(), w.client, Answer{ID: s.ID, Digest: s.Digest}, "")
	if err != nil || again.State != smsmcp.Done {
		t.Errorf("a replay: %+v %v", again, err)
	}
	if got := strings.Join(w.carrier.sent, "|"); got != "+14185550123 See you at 6." {
		t.Errorf("sent %q", got)
	}
}

func TestInvariant14ApproveOfAnotherDraftSendsNothing(t *testing.T) {
	w := newWorld(t, false)
	s := w.wait("See you at 6.")
	other := strings.Repeat("ab", 32)
	for digest, code := range map[string]Code{other: CodeChanged, "": CodeBadRequest, s.Digest[2:]: CodeBadRequest, s.Digest + "00": CodeBadRequest, "zz" + s.Digest[2:]: CodeBadRequest} {
		if _, err := Approve.Do(t.Context(), w.client, Answer{ID: s.ID, Digest: digest}, ""); !is(err, code) {
			t.Errorf("digest %q: %v", digest, err)
		}
	}
	if len(w.carrier.sent) != 0 {
		t.Errorf("sent %q", w.carrier.sent)
	}
}

func TestDenyAndFreezeNeverAskForThePassphrase(t *testing.T) {
	w := newWorld(t, false)
	w.setPassphrase()
	s := w.wait("See you at 6.")
	if no, err := Deny.Do(t.Context(), w.client, Answer{ID: s.ID}, ""); err != nil || no.State != smsmcp.Declined {
		t.Errorf("deny: %+v %v", no, err)
	}
	if _, err := Freeze.Do(t.Context(), w.client, None{}, ""); err != nil {
		t.Errorf("freeze: %v", err)
	}
	if st, err := GetState.Do(t.Context(), w.client, None{}, ""); err != nil || !st.Frozen || !st.Passphrase {
		t.Errorf("state: %+v %v", st, err)
	}
}

// guarded makes every guarded call, with one passphrase.
func (w *world) guarded(pass string) map[string]error {
	ctx, cl, out := w.t.Context(), w.client, map[string]error{}
	_, out["approve"] = Approve.Do(ctx, cl, Answer{ID: "aaaaaaaaaa", Digest: strings.Repeat("ab", 32)}, pass)
	_, out["settle"] = Settle.Do(ctx, cl, Settlement{ID: "aaaaaaaaaa"}, pass)
	_, out["thaw"] = Thaw.Do(ctx, cl, None{}, pass)
	_, out["contacts/add"] = AddContact.Do(ctx, cl, Contact{Name: "Alex", Numbers: []string{"+15145550145"}}, pass)
	_, out["contacts/import"] = Import.Do(ctx, cl, ImportFile{Format: "csv", Data: []byte("name,number\nLea,+15145550146\n")}, pass)
	_, out["contacts/remove"] = RemoveContact.Do(ctx, cl, Name{"Alex"}, pass)
	_, out["contacts/clear-stop"] = ClearStop.Do(ctx, cl, Name{"Lea"}, pass)
	_, out["tokens/new"] = NewToken.Do(ctx, cl, Name{"laptop"}, pass)
	_, out["tokens/may-confirm"] = MarkToken.Do(ctx, cl, Mark{Name: "laptop", May: true}, pass)
	_, out["tokens/revoke"] = RevokeToken.Do(ctx, cl, Name{"laptop"}, pass)
	_, out["pin"] = SetPIN.Do(ctx, cl, Secret{"481516"}, pass)
	_, out["pin/remove"] = RemovePIN.Do(ctx, cl, None{}, pass)
	_, out["backup"] = Backup.Do(ctx, cl, File{filepath.Join(w.t.TempDir(), "copy.db")}, pass)
	_, out["passphrase"] = SetPassphrase.Do(ctx, cl, Secret{"another one, quite long"}, pass)
	return out
}

func TestGuardedCallsNeedThePassphrase(t *testing.T) {
	w := newWorld(t, false)
	w.setPassphrase()
	for call, err := range w.guarded("") {
		if !is(err, CodePassphrase) {
			t.Errorf("%s without a passphrase: %v", call, err)
		}
	}
	for call, err := range w.guarded(bad) {
		if !is(err, CodePassphrase) {
			t.Errorf("%s with a wrong one: %v", call, err)
		}
	}
	if all, err := w.store.Contacts(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("contacts came in: %v %v", all, err)
	}
	w.pass(time.Minute)
	for call, err := range w.guarded(good) {
		if is(err, CodePassphrase) {
			t.Errorf("%s with the right one: %v", call, err)
		}
	}
}

func TestARealCarrierNeedsAPassphrase(t *testing.T) {
	w := newWorld(t, true)
	for call, err := range w.guarded("") {
		if want := call == "passphrase"; is(err, CodeNoPassphrase) == want {
			t.Errorf("%s: %v", call, err)
		}
	}
}

func TestInvariant11ThePassphraseTravelsInTheBodyAlone(t *testing.T) {
	w := newWorld(t, false)
	w.setPassphrase()
	spy := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if head := r.URL.String() + r.RequestURI; strings.Contains(head, "words") {
			t.Errorf("in the URL: %s", head)
		}
		for k, v := range r.Header {
			if strings.Contains(k+strings.Join(v, ""), "words") {
				t.Errorf("in the header %s", k)
			}
		}
		w.handler.ServeHTTP(rw, r)
	})
	if _, err := Thaw.Do(t.Context(), Local(spy, lang.EN), None{}, good); err != nil {
		t.Error(err)
	}
	_, err := Thaw.Do(t.Context(), Local(http.NotFoundHandler(), lang.EN), None{}, good)
	if err == nil || strings.Contains(err.Error(), "words") {
		t.Errorf("error: %v", err)
	}
	w.options.cost = secret.Cost{}
	if _, err := SetPassphrase.Do(t.Context(), Local(New(w.options), lang.EN), Secret{good}, good); err != nil {
		t.Fatal(err)
	}
	kept, err := w.store.Secret(t.Context(), secretHash)
	if err != nil || strings.Contains(string(kept), "words") || !strings.HasPrefix(string(kept), "$argon2id$v=19$m=65536,t=3,p=4$") {
		t.Errorf("kept: %s %v", kept, err)
	}
}

func TestPassphraseForms(t *testing.T) {
	w := newWorld(t, false)
	for _, short := range []string{"", "short", "          spaces          ", strings.Repeat("x", secret.MaxLen+1)} {
		if _, err := SetPassphrase.Do(t.Context(), w.client, Secret{short}, ""); !is(err, CodeWeak) {
			t.Errorf("%.20q: %v", short, err)
		}
	}
}

func TestContactsAndImport(t *testing.T) {
	w := newWorld(t, false)
	ctx := t.Context()
	got, err := Import.Do(ctx, w.client, ImportFile{Format: "csv", Data: []byte("name,number\nLéa Roy,514-555-0146\nBad,12\nLea Roy,514-555-0147\n")}, "")
	if err != nil || len(got.Added) != 1 || len(got.Refused) != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	if got.Added[0].To != "+15145550146" || got.Refused[0].At != 3 || got.Refused[1].At != 4 || got.Refused[0].Why == "" {
		t.Errorf("%+v", got)
	}
	if _, err := AddContact.Do(ctx, w.client, Contact{Name: "Someone", Numbers: []string{"(514) 555-0146"}}, ""); !is(err, CodeContact) || !strings.Contains(err.Error(), "Léa Roy") {
		t.Errorf("a taken number: %v", err)
	}
	if _, err := RemoveContact.Do(ctx, w.client, Name{"Léa"}, ""); !is(err, CodeNoContact) || !strings.Contains(err.Error(), "Léa Roy") {
		t.Errorf("half a name: %v", err)
	}
	if gone, err := RemoveContact.Do(ctx, w.client, Name{"LEA ROY"}, ""); err != nil || gone.Name != "Léa Roy" {
		t.Errorf("%+v %v", gone, err)
	}
}

func TestErrorsSpeakTheAskersLanguage(t *testing.T) {
	w := newWorld(t, false)
	_, err := GetSend.Do(t.Context(), Local(w.handler, lang.FR), Answer{ID: "aaaaaaaaaa"}, "")
	if !is(err, CodeNoSend) || err.Error() != lang.OwnerNoSend.FR {
		t.Errorf("%v", err)
	}
}

func TestHandlerRefusesWhatItDoesNotKnow(t *testing.T) {
	w := newWorld(t, false)
	for name, body := range map[string]string{
		"no JSON": "hello", "an unknown field": `{"ask":{},"yes":true}`, "too large": `{"passphrase":"` + strings.Repeat("x", maxAsk) + `"}`,
	} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://owner/v1/freeze", strings.NewReader(body))
		resp, err := InProcess(w.handler).RoundTrip(req)
		if err != nil || resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %v %v", name, resp.StatusCode, err)
		}
	}
	if st, _ := GetState.Do(t.Context(), w.client, None{}, ""); st.Frozen {
		t.Error("frozen all the same")
	}
}
