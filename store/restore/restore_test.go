package restore

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/store"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func raw(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	ok(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func opened(t *testing.T, file string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	ok(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func addContact(t *testing.T, s *store.Store, name string, number smsmcp.Number) smsmcp.Contact {
	t.Helper()
	c, err := s.AddContact(t.Context(), smsmcp.Contact{Name: name, Numbers: []smsmcp.Number{number}, To: number}, func([]smsmcp.Contact) error { return nil })
	ok(t, err)
	return c
}

// versions is how many there are.
func versions(t *testing.T) int {
	t.Helper()
	all, err := store.Frozen.ReadDir("testdata")
	ok(t, err)
	return len(all)
}

// TestGenuine: a file that has more than a store's tables and indexes, or other ones, is none of ours, at any version.
func TestGenuine(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "present.db"))
	copied := filepath.Join(t.TempDir(), "copy.db")
	ok(t, s.Backup(t.Context(), copied))
	ok(t, Genuine(t.Context(), copied))
	n := 0
	made := func(v int, more string) string {
		n++
		file := filepath.Join(t.TempDir(), fmt.Sprint(n, ".db"))
		script, err := store.Frozen.ReadFile(fmt.Sprintf("testdata/v%d.sql", v))
		ok(t, err)
		db := raw(t, file)
		_, err = db.Exec(string(script) + fmt.Sprintf(";PRAGMA application_id = %d; PRAGMA user_version = %d;", application, v) + more)
		ok(t, err)
		ok(t, db.Close())
		return file
	}
	for v := 1; v <= versions(t); v++ {
		file := made(v, "")
		ok(t, Genuine(t.Context(), file))
		s := opened(t, file) // brought up to date, it has other gaps
		ok(t, s.Close())
		ok(t, Genuine(t.Context(), file))
		for _, more := range []string{
			`CREATE TRIGGER q AFTER INSERT ON flags WHEN NEW.name = 'frozen' BEGIN DELETE FROM flags WHERE name = 'frozen'; END`,
			`CREATE VIEW v AS SELECT 1`, `CREATE TABLE more (a)`, `CREATE VIRTUAL TABLE more USING fts5(a)`,
			`CREATE INDEX more ON contacts (name)`, `DROP INDEX tokens_name`, `DROP INDEX tokens_name; CREATE UNIQUE INDEX tokens_name ON tokens (name)`,
			`ALTER TABLE tokens ADD COLUMN more INTEGER`, `DROP TABLE flags; CREATE TABLE flags (name TEXT, at INTEGER, by TEXT) STRICT`, `PRAGMA user_version = 0`,
		} {
			if err := Genuine(t.Context(), made(v, more)); !errors.Is(err, ErrAltered) {
				t.Errorf("version %d, %s: %v", v, more, err)
			}
		}
	}
	if err := Genuine(t.Context(), made(1, fmt.Sprintf("PRAGMA user_version = %d", versions(t)+1))); !errors.Is(err, store.ErrNewer) {
		t.Errorf("newer: %v", err)
	}
	if err := Genuine(t.Context(), made(1, "PRAGMA application_id = 1")); !errors.Is(err, store.ErrForeign) {
		t.Errorf("foreign: %v", err)
	}
	ok(t, os.WriteFile(copied, make([]byte, 8192), 0o600))
	if err := Genuine(t.Context(), copied); err == nil {
		t.Error("no database")
	}
}

// TestInherit: what was taken away since the backup stays away, and the passphrase since then holds.
func TestInherit(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "present.db"))
	for i, name := range []string{"kept", "revoked", "forged"} {
		ok(t, s.AddToken(t.Context(), noon, name, name, [32]byte{byte(i)}))
	}
	ok(t, s.SetSecret(t.Context(), "passphrase", []byte("then")))
	ok(t, s.SetSecret(t.Context(), "other", []byte("then")))
	addContact(t, s, "Marie", "+15145550101")
	bob := addContact(t, s, "Bob", "+15145550102")
	alex := addContact(t, s, "Alex", "+15145550103")
	dir := t.TempDir()
	present, first, second := filepath.Join(dir, "present.db"), filepath.Join(dir, "first.db"), filepath.Join(dir, "second.db")
	ok(t, s.Backup(t.Context(), first))
	ok(t, s.Backup(t.Context(), second))
	a, b := opened(t, first), opened(t, second)
	ok(t, s.RevokeToken(t.Context(), noon, "revoked"))
	ok(t, s.AddToken(t.Context(), noon, "since", "since", [32]byte{9}))
	ok(t, s.SetSecret(t.Context(), "passphrase", []byte("now")))
	_, err := raw(t, first).Exec(`UPDATE tokens SET hash = zeroblob(32) WHERE id = 'forged'`)
	ok(t, err)
	for _, c := range []smsmcp.Contact{bob, alex} {
		ok(t, s.RemoveContact(t.Context(), c.ID))
	}
	addContact(t, s, "Alex", "+15145550109")
	addContact(t, s, "New", "+15145550104")

	ok(t, s.Backup(t.Context(), present))
	in, err := Inherit(t.Context(), noon, first, present)
	ok(t, err)
	if want := (Inherited{Read: true, Secrets: true, Revoked: 2, Missing: 2, Contacts: 3}); in != want {
		t.Errorf("%+v, want %+v", in, want)
	}
	for id, works := range map[string]bool{"kept": true, "revoked": false, "forged": false, "since": false} {
		if _, _, _, err := a.Token(t.Context(), id); (err == nil) != works {
			t.Errorf("%s: %v", id, err)
		}
	}
	for name, want := range map[string]string{"passphrase": "now", "other": "then"} {
		if got, err := a.Secret(t.Context(), name); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}

	in, err = Inherit(t.Context(), noon, second, "")
	ok(t, err)
	if want := (Inherited{Revoked: 3}); in != want {
		t.Errorf("%+v, want %+v", in, want)
	}
	if got, err := b.Secret(t.Context(), "passphrase"); err != nil || string(got) != "then" {
		t.Errorf("%q %v", got, err)
	}
}
