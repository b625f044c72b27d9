package store

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/store/schema"
)

// raw opens a file as any program would.
func raw(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	ok(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

var spaces = regexp.MustCompile(`(\s|--[^\n]*\n)+`)

// schemaOf gives what there is in a database, layout and comments apart.
func schemaOf(t *testing.T, db *sql.DB) map[string]string {
	t.Helper()
	rows, err := db.Query(`SELECT type || ' ' || name || ' on ' || tbl_name, coalesce(sql, '') FROM sqlite_schema`)
	ok(t, err)
	defer func() { _ = rows.Close() }()
	all := map[string]string{}
	for rows.Next() {
		var name, text string
		ok(t, rows.Scan(&name, &text))
		all[name] = spaces.ReplaceAllString(text, " ")
	}
	ok(t, rows.Err())
	return all
}

func TestEveryFrozenSchemaMigratesToTheFreshOne(t *testing.T) {
	fresh := openStore(t, filepath.Join(t.TempDir(), "fresh.db"))
	want := schemaOf(t, raw(t, fresh.file))
	for v := 1; v <= schema.Version; v++ {
		script, err := schema.Frozen.ReadFile(fmt.Sprintf("testdata/v%d.sql", v))
		if err != nil {
			t.Fatalf("each version's schema is frozen in testdata: %v", err)
		}
		file := filepath.Join(t.TempDir(), "old.db")
		db := raw(t, file)
		_, err = db.Exec("BEGIN;" + string(script) + fmt.Sprintf(";PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", schema.Application, v))
		ok(t, err)
		ok(t, db.Close())
		s := openStore(t, file)
		got := schemaOf(t, raw(t, s.file))
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("from version %d, %s:\n%s\nwant\n%s", v, name, got[name], want[name])
			}
		}
		if len(got) != len(want) {
			t.Errorf("from version %d: %d things, want %d", v, len(got), len(want))
		}
		var has int
		ok(t, scan(t, s, "PRAGMA user_version", &has))
		if has != schema.Version {
			t.Errorf("version %d", has)
		}
	}
}

func TestEveryTableIsStrict(t *testing.T) {
	s := newStore(t)
	rows, err := s.db.Pool().Query(`SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%'`)
	ok(t, err)
	defer func() { _ = rows.Close() }()
	n := 0
	for ; rows.Next(); n++ {
		var name string
		var strict bool
		ok(t, rows.Scan(&name, &strict))
		if !strict {
			t.Errorf("%s is not STRICT", name)
		}
	}
	ok(t, rows.Err())
	if n != strings.Count(schema.SQL, "CREATE TABLE") {
		t.Errorf("%d tables", n)
	}
}

func TestANewerSchemaIsRefusedAndLeftAlone(t *testing.T) {
	s := newStore(t)
	file := s.file
	err := do(t, s, fmt.Sprintf("PRAGMA user_version = %d", schema.Version+1))
	ok(t, err)
	ok(t, s.Close())
	before, err := os.ReadFile(file)
	ok(t, err)
	if s, err := Open(t.Context(), file); !errors.Is(err, ErrNewer) || s != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(file)
	ok(t, err)
	if string(before) != string(after) {
		t.Error("the file was changed")
	}
}

func TestAnotherProgramsDatabaseIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "other.db")
	db := raw(t, file)
	_, err := db.Exec(`CREATE TABLE contacts (a)`)
	ok(t, err)
	ok(t, db.Close())
	if _, err := Open(t.Context(), file); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
}

func TestTheFileIsItsOwnersAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a b?c#d%20.db")
	ok(t, os.WriteFile(file, nil, 0o644))
	s := openStore(t, file)
	addContact(t, s, "Marie", "+15145550101")
	for _, f := range []string{file, file + "-wal", file + "-shm"} {
		info, err := os.Stat(f)
		ok(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", f, info.Mode().Perm())
		}
	}
}

// TestWhatAVersionOneHeldIsStillThere opens a database of version 1 with texts in it: they stay, and none of them is owed.
func TestWhatAVersionOneHeldIsStillThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.db")
	script, err := schema.Frozen.ReadFile("testdata/v1.sql")
	ok(t, err)
	db := raw(t, file)
	_, err = db.Exec(string(script) + fmt.Sprintf(`;PRAGMA application_id = %d; PRAGMA user_version = 1;
		INSERT INTO texts (carrier, kind, ref, direction, number, body, folded, at, stored, images, delivery, stop)
		VALUES ('test', 'sms', '1', 1, '+15145550101', x'6869', x'6869', 1000, 1000, 0, '', 0)`, schema.Application))
	ok(t, err)
	ok(t, db.Close())
	s := openStore(t, file)
	s.Outbox(func() {})
	storeTexts(t, s, noon, received("1", smsmcp.NumberPeer("+15145550101"), "hi", noon), received("2", smsmcp.NumberPeer("+15145550101"), "new", noon))
	p, err := s.Texts(t.Context(), smsmcp.Query{Strangers: true, Limit: 5})
	ok(t, err)
	o, err := s.Owed(t.Context())
	ok(t, err)
	if len(p.Rows) != 2 || o.Waiting != 1 || o.First.Text.Key.ID != "2" {
		t.Errorf("%d rows, %+v", len(p.Rows), o)
	}
}

// TestWhatAVersionTwoHeldIsStillThere opens a database of version 2: its outbox is as it was, and what is stored has come one way.
func TestWhatAVersionTwoHeldIsStillThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.db")
	script, err := schema.Frozen.ReadFile("testdata/v2.sql")
	ok(t, err)
	db := raw(t, file)
	_, err = db.Exec(string(script) + fmt.Sprintf(`;PRAGMA application_id = %d; PRAGMA user_version = 2;`, schema.Application))
	ok(t, err)
	for i := range 4 {
		_, err = db.Exec(`INSERT INTO texts (carrier, kind, ref, direction, number, body, folded, at, stored, images, delivery, stop)
			VALUES ('test', 'sms', ?1, 1, '+15145550101', x'6869', x'6869', ?2, ?2, 0, '', 0); INSERT INTO outbox VALUES (last_insert_rowid(), ?3, ?2)`,
			fmt.Sprint(i), noon.UnixMilli()+int64(i), i)
		ok(t, err)
	}
	ok(t, db.Close())
	s := openStore(t, file)
	s.Outbox(func() {})
	storeTexts(t, s, noon, received("1", marie, "hi", noon), claimed("s", marie, "hi", noon), received("9", marie, "new", noon), claimed("t", marie, "new", noon))
	p := page(t, s, smsmcp.Query{Strangers: true})
	for i, r := range p.Rows {
		if r.Text.Unverified != (r.Text.Key.Carrier == "sip") || !r.Text.Peer.Same(marie) {
			t.Errorf("%d: %+v", i, r.Text)
		}
	}
	o, err := s.Owed(t.Context())
	ok(t, err)
	if len(p.Rows) != 6 || o.Waiting != 3 || o.Held != 1 || o.First.Text.Key.ID != "s" || !o.Due.Equal(noon.Add(time.Millisecond)) {
		t.Errorf("%d rows, %+v", len(p.Rows), o)
	}
	var states string
	ok(t, scan(t, s, `SELECT group_concat(state || ':' || (at - 1796040000000), ' ') FROM (SELECT * FROM outbox WHERE text <= 4 ORDER BY text)`, &states))
	if states != "0:0 1:1 2:2 3:3" {
		t.Error(states)
	}
	ok(t, s.Check(t.Context()))
}

// TestWhatAVersionFourHeldIsStillThere opens a database of version 4: its tokens work, and no yes by one of them counts.
func TestWhatAVersionFourHeldIsStillThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.db")
	script, err := schema.Frozen.ReadFile("testdata/v4.sql")
	ok(t, err)
	db := raw(t, file)
	_, err = db.Exec(string(script) + fmt.Sprintf(`;PRAGMA application_id = %d; PRAGMA user_version = 4;
		INSERT INTO tokens (id, name, hash, created, revoked) VALUES ('a', 'laptop', zeroblob(32), 1000, 0), ('b', 'phone', zeroblob(32), 1000, 2000)`, schema.Application))
	ok(t, err)
	ok(t, db.Close())
	s := openStore(t, file)
	name, _, may, err := s.Token(t.Context(), "a")
	if name != "laptop" || may || err != nil {
		t.Error(name, may, err)
	}
	if _, _, _, err := s.Token(t.Context(), "b"); !errors.Is(err, ErrNoToken) {
		t.Error(err)
	}
	ok(t, s.SetTokenMayConfirm(t.Context(), "laptop", true))
	ok(t, s.Check(t.Context()))
}

// TestWhatAVersionTwoKnewOfSendersAndStops is known still: whose a text in the outbox is, and that a STOP was cleared.
func TestWhatAVersionTwoKnewOfSendersAndStops(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.db")
	script, err := schema.Frozen.ReadFile("testdata/v2.sql")
	ok(t, err)
	db := raw(t, file)
	_, err = db.Exec(string(script) + fmt.Sprintf(`;PRAGMA application_id = %d; PRAGMA user_version = 2;`, schema.Application))
	ok(t, err)
	peers := []smsmcp.Peer{marie, smsmcp.CodePeer("32665"), smsmcp.LabelPeer("32665 \x00\xff"), {}, smsmcp.NumberPeer("+15145550102")}
	for i, p := range peers {
		var c columns
		c.peer(smsmcp.Text{Peer: p})
		_, err = db.Exec(`INSERT INTO texts (carrier, kind, ref, direction, number, code, label, body, folded, at, stored, images, delivery, stop)
			VALUES ('test', 'sms', ?1, 1, ?2, ?3, ?4, x'73746f70', x'73746f70', 1000, 1000, 0, '', ?2 IS NOT NULL); INSERT INTO outbox VALUES (last_insert_rowid(), 1, 1)`,
			fmt.Sprint(i), c.number, c.code, c.label)
		ok(t, err)
	}
	for i, name := range []string{"Marie", "Anna"} {
		_, err = db.Exec(`INSERT INTO contacts (id, name, aliases, numbers, send_to, revision, stop_cleared) VALUES (?1, ?2, '[]', json_array(?3), ?3, 1, 4);
			INSERT INTO contact_numbers VALUES (?3, ?1)`, i+1, name, string(peers[i*4].Number))
		ok(t, err)
	}
	ok(t, db.Close())
	s := openStore(t, file)
	for _, p := range peers {
		if got, err := s.Pace(t.Context(), smsmcp.Text{Peer: p}, noon, noon); err != nil || !got.Held {
			t.Errorf("%+v: %+v, %v", p, got, err)
		}
		if got, err := s.Pace(t.Context(), smsmcp.Text{Peer: p, Unverified: true}, noon, noon); err != nil || got.Held {
			t.Errorf("%+v as a claim: %+v, %v", p, got, err)
		}
	}
	stopped := func() (all string) {
		for id := range 2 {
			all += fmt.Sprint(look(t, s, smsmcp.Recipient{ID: smsmcp.ContactID(id + 1)}, needFor("x", noon), noon).Stopped, " ")
		}
		return all
	}
	if got := stopped(); got != "false true " {
		t.Error(got)
	}
	storeTexts(t, s, noon, received("again", marie, "Stop", noon))
	if got := stopped(); got != "true true " {
		t.Error(got)
	}
	ok(t, s.ClearStop(t.Context(), 1))
	ok(t, s.ClearStop(t.Context(), 2))
	if got := stopped(); got != "false false " {
		t.Error(got)
	}
}
