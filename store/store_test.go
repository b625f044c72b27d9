package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
	"readback/store/engine"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// blank is the file that Open makes where there is none, byte for byte. To make it costs more than most tests do with it, so it is made once.
var blank = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "readback-store")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := Open(context.Background(), filepath.Join(dir, "readback.db"))
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(s.file)
})

// newStore opens a fresh file. What is tested of the making itself begins at openStore.
func newStore(t testing.TB) *Store {
	t.Helper()
	file := filepath.Join(t.TempDir(), "readback.db")
	b, err := blank()
	ok(t, err)
	ok(t, os.WriteFile(file, b, 0o600))
	return openStore(t, file)
}

func openStore(t testing.TB, file string) *Store {
	t.Helper()
	s, err := Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func addContact(t testing.TB, s *Store, name string, numbers ...smsmcp.Number) smsmcp.Contact {
	t.Helper()
	c, err := s.AddContact(t.Context(), smsmcp.Contact{Name: name, Numbers: numbers, To: numbers[0]}, func([]smsmcp.Contact) error { return nil })
	ok(t, err)
	return c
}

func received(id string, peer smsmcp.Peer, body string, at time.Time) smsmcp.Text {
	return smsmcp.Text{
		Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: id}, Direction: smsmcp.Received, Peer: peer, Body: untrusted.New(body), At: at,
	}
}

func storeTexts(t testing.TB, s *Store, now time.Time, texts ...smsmcp.Text) []smsmcp.Text {
	t.Helper()
	added, err := s.StoreTexts(t.Context(), now, texts)
	ok(t, err)
	return added
}

func needFor(body string, now time.Time) guard.Need {
	return guard.Need{Body: body, LogSince: now.Add(-24 * time.Hour), HeardSince: now.Add(-24 * time.Hour)}
}

// draft is a send of body to c as it is made at now.
func draft(id string, c smsmcp.Contact, body string, state smsmcp.SendState, now time.Time) smsmcp.Send {
	s := smsmcp.Send{
		ID: smsmcp.SendID(id), Draft: smsmcp.NewDraft(c, body), Name: c.Name, State: state, By: "test", Scope: smsmcp.MCP, Kind: smsmcp.SMS, Segments: 1,
		Created: now,
	}
	switch state {
	case smsmcp.Reserved:
		s.Reserved = now
	case smsmcp.Waiting:
		s.Expires = now.Add(10 * time.Minute)
	}
	return s
}

// begin inserts a send and gives the state that it was decided on.
func begin(t testing.TB, s *Store, send smsmcp.Send, now time.Time) (st guard.State) {
	t.Helper()
	ok(t, s.Begin(t.Context(), now, smsmcp.Recipient{ID: send.Draft.Contact()}, needFor(send.Draft.Body(), now), func(got guard.State) smsmcp.Ruling {
		st = got
		return smsmcp.Ruling{Insert: &send}
	}))
	return st
}

// look gives the state for a recipient and writes nothing.
func look(t testing.TB, s *Store, to smsmcp.Recipient, need guard.Need, now time.Time) (st guard.State) {
	t.Helper()
	ok(t, s.Begin(t.Context(), now, to, need, func(got guard.State) smsmcp.Ruling { st = got; return smsmcp.Ruling{} }))
	return st
}

func done(at time.Time, id string) smsmcp.Outcome {
	return smsmcp.Outcome{State: smsmcp.Done, At: at, Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: id}, Reached: true}
}

// do runs a statement as no method does.
func do(t testing.TB, s *Store, statement string) error {
	t.Helper()
	return s.write(t.Context(), "test", func(t *tx) error { _, err := t.Exec(statement); return err })
}

// scan gives what a query of one row says.
func scan(t testing.TB, s *Store, query string, dest ...any) error {
	t.Helper()
	found, err := engine.One(s.read(t.Context()), query, nil, dest...)
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	return err
}
