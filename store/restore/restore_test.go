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
	"readback/smsmcp/oauth"
	"readback/store"
	"readback/store/grants"
	"readback/store/schema"
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
	all, err := schema.Frozen.ReadDir("testdata")
	ok(t, err)
	return len(all)
}

// TestGenuine: a file that has more than a store's tables and indexes, or other ones, is none of ours, at any version.
func TestGenuine(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "present.db"))
	copied := filepath.Join(t.TempDir(), "copy.db")
	ok(t, s.Backup(t.Context(), copied))
	ok(t, Genuine(t.Context(), copied))
	n, dir := 0, t.TempDir()
	made := func(v int, more string) string { // each in one commit: they cost more than all else here
		n++
		file := filepath.Join(dir, fmt.Sprint(n, ".db"))
		script, err := schema.Frozen.ReadFile(fmt.Sprintf("testdata/v%d.sql", v))
		ok(t, err)
		db := raw(t, file)
		_, err = db.Exec("BEGIN;" + string(script) + fmt.Sprintf(";PRAGMA application_id = %d; PRAGMA user_version = %d;", schema.Application, v) + more + ";COMMIT")
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
	if want := (Inherited{Dropped: 1, Revoked: 3}); in != want {
		t.Errorf("%+v, want %+v", in, want)
	}
	if got, err := b.Secret(t.Context(), "passphrase"); err != nil || string(got) != "then" {
		t.Errorf("%q %v", got, err)
	}
	if got, err := b.Secret(t.Context(), "other"); !errors.Is(err, store.ErrNoSecret) {
		t.Errorf("%q %v", got, err)
	}
}

// TestASecretThatTheBackupAloneHas: a passkey that was taken away since, or that who had the file put there, lets nobody in; whatever the present store has.
func TestASecretThatTheBackupAloneHas(t *testing.T) {
	for _, has := range []string{"passphrase", ""} {
		dir := t.TempDir()
		s := opened(t, filepath.Join(dir, "a.db"))
		if has != "" {
			ok(t, s.SetSecret(t.Context(), has, []byte("mine")))
		}
		first, present := filepath.Join(dir, "first.db"), filepath.Join(dir, "present.db")
		ok(t, s.Backup(t.Context(), first))
		ok(t, s.Backup(t.Context(), present))
		b := opened(t, first)
		for _, name := range []string{"passphrase", "passkeys", "pin"} {
			ok(t, b.SetSecret(t.Context(), name, []byte("another's")))
		}
		in, err := Inherit(t.Context(), noon, first, present)
		if want := (Inherited{Read: true, Secrets: has != ""}); err != nil || in != want {
			t.Errorf("%+v, %v, want %+v", in, err, want)
		}
		for _, name := range []string{"passphrase", "passkeys", "pin"} {
			v, err := b.Secret(t.Context(), name)
			if name == has && string(v) != "mine" || name != has && !errors.Is(err, store.ErrNoSecret) {
				t.Errorf("%s: %q, %v", name, v, err)
			}
		}
	}
}

// TestWhatAServerSaysOfItsLimitsIsNoSecret: none is said to hold or to be dropped for it, the backup's passphrase holds beside it, and a restored store waits for its server to say it again.
func TestWhatAServerSaysOfItsLimitsIsNoSecret(t *testing.T) {
	for _, read := range []bool{true, false} {
		dir := t.TempDir()
		s := opened(t, filepath.Join(dir, "a.db"))
		ok(t, s.SetSecret(t.Context(), config, []byte("present")))
		first, present := filepath.Join(dir, "first.db"), filepath.Join(dir, "present.db")
		ok(t, s.Backup(t.Context(), first))
		ok(t, s.Backup(t.Context(), present))
		b := opened(t, first)
		ok(t, b.SetSecret(t.Context(), "passphrase", []byte("mine")))
		if !read {
			present = ""
		}
		if in, err := Inherit(t.Context(), noon, first, present); err != nil || in != (Inherited{Read: read}) {
			t.Errorf("%+v, %v", in, err)
		}
		if v, err := b.Secret(t.Context(), config); !errors.Is(err, store.ErrNoSecret) {
			t.Errorf("%q, %v", v, err)
		}
		if _, err := b.Secret(t.Context(), "passphrase"); read != errors.Is(err, store.ErrNoSecret) {
			t.Errorf("read %v: the backup's passphrase: %v", read, err)
		}
	}
}

// TestInheritClients: a client is let in by a restored backup only where both stores let it in, and then as the present one knows it: by the tokens that it has now, and by none that it gave
// back since.
func TestInheritClients(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, filepath.Join(dir, "a.db"))
	book := grants.New(s.DB())
	put := func(do func(oauth.Tx) error) { t.Helper(); ok(t, book.Update(t.Context(), do)) }
	token := func(grant string, seq int64) oauth.Token {
		return oauth.Token{Hash: hash(grant, seq), Refresh: true, Grant: grant, Seq: seq, Created: noon}
	}
	for _, id := range []string{"both", "ended", "forged"} {
		put(func(tx oauth.Tx) error {
			return errors.Join(tx.PutClient(oauth.Client{ID: "of-" + id, Created: noon}), tx.PutGrant(oauth.Grant{ID: id, Client: "of-" + id, Created: noon}), tx.PutToken(token(id, 1)))
		})
	}
	put(func(tx oauth.Tx) error {
		return errors.Join(tx.DropGrant("forged"), tx.DropTokens("forged"), tx.PutCode(oauth.Code{Hash: oauth.Hash{9}, Created: noon}))
	})
	ok(t, s.AddToken(t.Context(), noon, "may", "may", [32]byte{1}))
	ok(t, s.AddToken(t.Context(), noon, "might", "might", [32]byte{2}))
	ok(t, s.SetTokenMayConfirm(t.Context(), "may", true))
	ok(t, s.SetTokenMayConfirm(t.Context(), "might", true))
	files := map[string]string{}
	for _, name := range []string{"first", "second"} {
		files[name] = filepath.Join(dir, name+".db")
		ok(t, s.Backup(t.Context(), files[name]))
		c := opened(t, files[name])
		ok(t, grants.New(c.DB()).Update(t.Context(), func(tx oauth.Tx) error { // by who had the file
			return errors.Join(tx.PutGrant(oauth.Grant{ID: "forged", Client: "of-forged", Created: noon, MayConfirm: true}), tx.PutToken(token("forged", 7)), tx.PutToken(token("both", 7)))
		}))
	}
	put(func(tx oauth.Tx) error { // what happened since
		return errors.Join(
			tx.PutGrant(oauth.Grant{ID: "both", Client: "of-both", Created: noon, Rotation: oauth.Rotation{Last: 3}}), tx.DropTokens("both"), tx.PutToken(token("both", 3)),
			tx.PutGrant(oauth.Grant{ID: "ended", Client: "of-ended", Created: noon, Ended: noon, Why: oauth.ByOwner}), tx.DropTokens("ended"),
			tx.PutGrant(oauth.Grant{ID: "since", Client: "of-since", Created: noon}), tx.PutToken(token("since", 1)), tx.PutClient(oauth.Client{ID: "of-since", Created: noon}),
		)
	})
	ok(t, s.SetTokenMayConfirm(t.Context(), "might", false))
	present := filepath.Join(dir, "present.db")
	ok(t, s.Backup(t.Context(), present))
	opened(t, present)

	for name, c := range map[string]struct {
		from    string
		want    Inherited
		works   string
		tokens  string
		clients int
		may     bool
	}{
		"first":  {present, Inherited{Read: true, Ended: 2, Out: 1}, "both ", "both3 ", 4, true},
		"second": {"", Inherited{Revoked: 2, Ended: 3}, "", "", 3, false},
	} {
		in, err := Inherit(t.Context(), noon, files[name], c.from)
		if err != nil || in != c.want {
			t.Errorf("%s: %+v, %v, want %+v", name, in, err, c.want)
		}
		b := opened(t, files[name])
		ok(t, grants.New(b.DB()).View(t.Context(), func(tx oauth.Tx) error {
			all, err := tx.Grants()
			works, tokens := "", ""
			for _, g := range all {
				if g.Ended.IsZero() {
					works += g.ID + " "
				}
			}
			for _, id := range []string{"both", "ended", "forged", "since"} {
				for seq := range int64(8) {
					if _, has, _ := tx.Token(hash(id, seq)); has {
						tokens += fmt.Sprint(id, seq, " ")
					}
				}
			}
			clients, err2 := tx.Clients()
			_, code, err3 := tx.Code(oauth.Hash{9})
			if works != c.works || tokens != c.tokens || len(clients) != c.clients || code {
				t.Errorf("%s: %q work, by %q, of %d clients; a code %v", name, works, tokens, len(clients), code)
			}
			return errors.Join(err, err2, err3)
		}))
		if _, _, may, err := b.Token(t.Context(), "may"); c.from != "" && (!may || err != nil) {
			t.Error(name, may, err)
		}
		if _, _, may, _ := b.Token(t.Context(), "might"); may {
			t.Errorf("%s: a yes by a token counts again", name)
		}
		list, err := b.Tokens(t.Context())
		ok(t, err)
		for _, i := range list {
			if i.MayConfirm && !c.may {
				t.Errorf("%s: %s is marked", name, i.Name)
			}
		}
	}
}

func hash(grant string, seq int64) (h oauth.Hash) {
	copy(h[:], fmt.Sprint(grant, seq))
	return h
}
