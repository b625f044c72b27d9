package browser

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/page"
	"readback/store"
	"readback/voip/sandbox"
)

const theWords = "three quiet geese at noon"

// house is the page on loopback, with the real store, door, desk and sandbox behind it. Each send waits for a yes.
type house struct {
	t     *testing.T
	url   string
	store *store.Store
	door  *dispatch.Door
	page  *page.Page
	ahead atomic.Int64 // how far its clock is ahead
}

// prover knows one passphrase.
type prover struct{}

func (prover) Prove(_ context.Context, _, given string) error {
	if given != theWords {
		return page.ErrWrong
	}
	return nil
}

func (h *house) now() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }

// later moves the clock forward.
func (h *house) later(d time.Duration) { h.ahead.Add(int64(d)) }

func build(t *testing.T, with ...func(*page.Options)) *house {
	t.Helper()
	h := &house{t: t}
	dir := t.TempDir()
	var err error
	h.store, err = store.Open(t.Context(), filepath.Join(dir, "readback.db"))
	must(t, err)
	carrier, err := sandbox.Open(filepath.Join(dir, "sandbox"), h.now)
	must(t, err)
	log := slog.New(slog.DiscardHandler)
	desk := confirm.New(h.store, h.now, log, confirm.Channel{Name: smsmcp.PageChannel, Strong: true, Reachable: func() bool { return true }})
	h.door = dispatch.New(dispatch.Options{
		Carrier: carrier, Ledger: h.store, Now: h.now, Timeout: 10 * time.Second, Tell: func(smsmcp.Send) {}, Reachable: desk.Reachable, Log: log,
		Guard: guard.Settings{
			Confirm: "always", PerHour: 100, PerDay: 1000, UnconfirmedPerHour: 100, UnconfirmedPerDay: 1000, Duplicate: 2 * time.Minute,
			FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8, NewHosts: true,
			Zone: time.UTC, Expiry: 24 * time.Hour, MaxWaiting: 3, AsksPerHour: 60,
		},
	})
	desk.Bind(h.door)
	for _, c := range []struct {
		name, alias string
		numbers     []string
	}{
		{"Marie Tremblay", "maman", []string{"5145550142", "5145550199"}}, {"Alex Roy", "", []string{"5145550143"}},
		{"Jean-Christophe de la Rochefoucauld", "", []string{"5145550144"}},
	} {
		var also []string
		if c.alias != "" {
			also = []string{c.alias}
		}
		made, err := contacts.New(c.name, also, c.numbers, "CA")
		must(t, err)
		_, err = h.store.AddContact(t.Context(), made, func([]smsmcp.Contact) error { return nil })
		must(t, err)
	}
	must(t, h.store.AddToken(t.Context(), h.now(), "laptop", "id1", [32]byte{1}))
	must(t, h.store.AddToken(t.Context(), h.now(), "old-phone", "id2", [32]byte{2}))
	must(t, h.store.RevokeToken(t.Context(), h.now(), "old-phone"))

	o := page.Options{Desk: desk, Store: h.store, Prover: prover{}, Lang: lang.EN, Zone: time.UTC, Now: h.now, Log: log}
	for _, f := range with {
		f(&o)
	}
	h.page, err = page.New(o)
	must(t, err)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	srv := &http.Server{Handler: h.page}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	must(t, err)
	h.url = "http://localhost:" + port
	t.Cleanup(func() {
		srv.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
		h.door.Close(context.Background())
		h.store.Close()
		carrier.Close()
	})
	return h
}

// draft makes a send that waits.
func (h *house) draft(to, body string) smsmcp.Send {
	h.t.Helper()
	a, err := h.door.Send(h.t.Context(), dispatch.Request{To: to, Body: body, By: "laptop", Scope: smsmcp.MCP})
	must(h.t, err)
	if a.Send.State != smsmcp.Waiting {
		h.t.Fatal(a.Send.State, a.Send.Reasons)
	}
	return a.Send
}

func (h *house) state(id smsmcp.SendID) smsmcp.SendState {
	h.t.Helper()
	s, err := h.store.Send(h.t.Context(), id)
	must(h.t, err)
	return s.State
}

func (h *house) freeze(on bool) {
	h.t.Helper()
	if on {
		must(h.t, h.store.Freeze(h.t.Context(), h.now(), smsmcp.PageChannel))
	} else {
		must(h.t, h.store.Thaw(h.t.Context()))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
