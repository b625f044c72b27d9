package store

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

// BenchmarkSend is a whole durable send with a carrier that takes no time: reserve it, record it. The log's day is as full as the guard lets
// it be. To compare with BenchmarkTwoCommits.
func BenchmarkSend(b *testing.B) {
	s := newStore(b)
	c := addContact(b, s, "Marie", "+15145550101")
	now := noon
	send := func(i int) {
		now = now.Add(16 * time.Minute) // 90 a day
		body := fmt.Sprintf("The train leaves at %d, see you there", i)
		x := draft(fmt.Sprintf("s%09d", i), c, body, smsmcp.Reserved, now)
		err := s.Begin(b.Context(), now, smsmcp.Recipient{Name: "marie"}, needFor(body, now), func(guard.State) smsmcp.Ruling { return smsmcp.Ruling{Insert: &x} })
		if err == nil {
			_, err = s.Record(b.Context(), x.ID, done(now, string(x.ID)))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	for i := range 100 {
		send(i)
	}
	b.ResetTimer()
	for i := range b.N {
		send(100 + i)
	}
}

// BenchmarkTwoCommits is two commits of one row each with the same settings: the least that two durable steps can cost.
func BenchmarkTwoCommits(b *testing.B) {
	db, err := sql.Open("sqlite", dsn(filepath.Join(b.TempDir(), "bare.db"), "_txlock", "immediate"))
	ok(b, err)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE rows (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL) STRICT`)
	ok(b, err)
	st, err := db.Prepare(`INSERT INTO rows (at, body) VALUES (?, ?)`)
	ok(b, err)
	body := []byte("The train leaves at 100, see you there")
	b.ResetTimer()
	for i := range b.N {
		for range 2 {
			if _, err := st.Exec(i, body); err != nil {
				b.Fatal(err)
			}
		}
	}
}
