package parts

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"readback/cmd/readback/config"
	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/untrusted"
	"readback/test/testbed"
)

// patience is how long anything may take on a busy machine.
const patience = 90 * time.Second

// note is what a telephone is told.
type note struct {
	Topic    string
	Sequence string `json:"sequence_id"`
	Title    string
	Message  string
	Priority int
}

// ntfyServer is one that takes what is published with its token, as ntfy does.
type ntfyServer struct {
	*httptest.Server
	mu     sync.Mutex
	notes  []note
	anyone string // may read, or write: what those without a token may do
}

const ntfyToken = "tk_test"

func newNtfy(t *testing.T) *ntfyServer {
	t.Helper()
	s := &ntfyServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		var n note
		switch known := r.Header.Get("Authorization") == "Bearer "+ntfyToken; {
		case !known && r.Method == http.MethodGet && s.anyone == "read":
		case !known && r.Method == http.MethodPost && s.anyone == "write":
			w.WriteHeader(http.StatusBadRequest) // of the time that is none
		case !known:
			w.WriteHeader(http.StatusForbidden)
		case r.Method == http.MethodGet:
			_, _ = io.WriteString(w, "{}")
		case json.NewDecoder(r.Body).Decode(&n) != nil:
			w.WriteHeader(http.StatusBadRequest)
		default:
			s.notes = append(s.notes, n)
			_ = json.NewEncoder(w).Encode(map[string]string{"id": "x", "event": "message", "topic": n.Topic})
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// lets says what those without a token may do.
func (s *ntfyServer) lets(anyone string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.anyone = anyone
}

// got is what a telephone was told of something, by its name; of everything for "".
func (s *ntfyServer) got(sequence string) (out []note) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.notes {
		if sequence == "" || n.Sequence == sequence {
			out = append(out, n)
		}
	}
	return out
}

// tells has an owner's telephone be reached by an ntfy server.
func tells(t *testing.T, c *config.Config, url, token string) {
	t.Helper()
	c.Ntfy.URL, c.Ntfy.Topic, c.Ntfy.Approvals, c.Ntfy.TokenFile = url, "texts", "approvals", filepath.Join(t.TempDir(), "ntfy")
	c.PublicURL = "https://texts.example.com"
	if err := os.WriteFile(c.Ntfy.TokenFile, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// beside opens what a worker has on the data folder of a server, with the same configuration. It is not started.
func beside(t *testing.T, server *App, now func() time.Time, log io.Writer) *App {
	t.Helper()
	o := server.o
	c := *o.Config
	o.Config, o.Now, o.Joins, o.Log = &c, now, true, slog.New(slog.NewTextHandler(log, nil))
	w, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.WithoutCancel(t.Context())) })
	return w
}

// attends makes what a worker has.
func attends(t *testing.T, server *App) *App {
	t.Helper()
	w := beside(t, server, time.Now, t.Output())
	if err := w.Attend(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	return w
}

// starts runs the parts until the test ends, or the function that it gives is called.
func (a *App) starts(t *testing.T) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	a.Start(ctx)
	end = sync.OnceFunc(func() { cancel(); a.Wait(ctx) })
	t.Cleanup(end)
	return end
}

// people are contacts: one for each text of a test, since each may be told once what it is told.
func people(t *testing.T, a *App) (names []string) {
	t.Helper()
	for i, name := range []string{"Marie", "Robert", "Julie", "Patrick"} {
		c, err := contacts.New(name, nil, []string{fmt.Sprint("514555010", i)}, "CA")
		if err == nil {
			_, err = a.Store.AddContact(t.Context(), c, func([]smsmcp.Contact) error { return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// drafts makes a text on a call, which waits for its yes there.
func (a *App) drafts(ctx context.Context, to string) (smsmcp.Send, error) {
	d, err := a.door.Send(ctx, dispatch.Request{To: to, Body: "I am on my way, " + to, By: "voice", Only: smsmcp.Voice})
	if err == nil && d.Send.State != smsmcp.Waiting {
		err = fmt.Errorf("the draft is %s: %v", d.Send.State, d.Send.Reasons)
	}
	return d.Send, err
}

// says has the caller say yes to it.
func (a *App) says(ctx context.Context, s smsmcp.Send) (smsmcp.Send, error) {
	return a.desk.Spoken(ctx, s.ID, s.Draft.Digest(), untrusted.New("yes"))
}

// texts is both.
func (a *App) texts(ctx context.Context, to string) (smsmcp.Send, error) {
	s, err := a.drafts(ctx, to)
	if err != nil {
		return s, err
	}
	return a.says(ctx, s)
}

// stands is how the store has a send.
func (a *App) stands(t *testing.T, id smsmcp.SendID) smsmcp.SendState {
	t.Helper()
	s, err := a.Store.Send(context.WithoutCancel(t.Context()), id)
	if err != nil {
		t.Fatal(err)
	}
	return s.State
}

// names of the parts that run.
func (a *App) names() (out []string) {
	for _, p := range a.Parts() {
		out = append(out, p.Name)
	}
	slices.Sort(out)
	return out
}

// held is a carrier that does not answer until it is let go, or the hand-over's time is over.
type held struct {
	smsmcp.Carrier
	handed chan smsmcp.Number
	letGo  chan struct{}
}

func hold(a *App) *held {
	h := &held{a.door.Carrier, make(chan smsmcp.Number, 4), make(chan struct{})}
	a.door.Carrier, a.door.Timeout = h, time.Hour
	return h
}

func (h *held) Send(ctx context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	h.handed <- to
	select {
	case <-h.letGo:
		return h.Carrier.Send(ctx, to, body)
	case <-ctx.Done():
		return smsmcp.Receipt{}, ctx.Err()
	}
}

func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	testbed.Until(t, patience, what, so)
}
