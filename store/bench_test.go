package store

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/store/engine"
)

// sender gives a whole durable send with a carrier that takes no time: reserve it, look at it, record it. The log's day is as full as the guard lets it be.
func sender(b *testing.B) func() {
	s := newStore(b)
	addContact(b, s, "Marie", "+15145550101")
	now, i := noon, 0
	send := func() {
		now, i = now.Add(16*time.Minute), i+1 // 90 a day
		body := fmt.Sprintf("The train leaves at %d, see you there", i)
		id := smsmcp.SendID(fmt.Sprintf("s%09d", i))
		err := s.Begin(b.Context(), now, smsmcp.Recipient{Name: "marie"}, needFor(body, now), func(st guard.State) smsmcp.Ruling {
			x := draft(string(id), st.Contact, body, smsmcp.Reserved, now)
			return smsmcp.Ruling{Insert: &x}
		})
		if err == nil { // as before each hand-over
			_, _, err = s.Stands(context.WithoutCancel(b.Context()), id)
		}
		if err == nil {
			_, err = s.Record(b.Context(), id, done(now, string(id)))
		}
		ok(b, err)
	}
	for range 100 {
		send()
	}
	return send
}

// twoCommits gives two commits of one row each with the same settings: the least that two durable steps can cost.
func twoCommits(b *testing.B) func() {
	db, err := sql.Open("sqlite", engine.DSN(filepath.Join(b.TempDir(), "bare.db"), [2]string{"_txlock", "immediate"}))
	ok(b, err)
	b.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE rows (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL) STRICT`)
	ok(b, err)
	st, err := db.Prepare(`INSERT INTO rows (at, body) VALUES (?, ?)`) //nolint:sqlclosecheck // closed with its database
	ok(b, err)
	i, body := 0, []byte("The train leaves at 100, see you there")
	return func() {
		for range 2 {
			i++
			_, err := st.Exec(i, body)
			ok(b, err)
		}
	}
}

func BenchmarkSend(b *testing.B) {
	send := sender(b)
	b.ResetTimer()
	for range b.N {
		send()
	}
}

func BenchmarkTwoCommits(b *testing.B) {
	commit := twoCommits(b)
	b.ResetTimer()
	for range b.N {
		commit()
	}
}

// BenchmarkSendToTwoCommits does both by turns, so that the same disk and the same neighbours slow both, and reports the ratio of the medians.
func BenchmarkSendToTwoCommits(b *testing.B) {
	send, commit := sender(b), twoCommits(b)
	var sends, commits []time.Duration
	b.ResetTimer()
	for range b.N {
		t0 := time.Now()
		send()
		t1 := time.Now()
		commit()
		sends, commits = append(sends, t1.Sub(t0)), append(commits, time.Since(t1))
	}
	slices.Sort(sends)
	slices.Sort(commits)
	b.ReportMetric(float64(sends[b.N/2])/float64(commits[b.N/2]), "ratio")
}

// BenchmarkTexts reads the 50 newest of contacts' texts, out of 100,000 stored over a year, a third of them from strangers.
func BenchmarkTexts(b *testing.B) {
	s := newStore(b)
	var numbers []smsmcp.Number
	for i := range 200 {
		n := smsmcp.Number(fmt.Sprintf("+1514555%04d", i))
		addContact(b, s, fmt.Sprintf("Contact %c%c", 'a'+i/26, 'a'+i%26), n)
		numbers = append(numbers, n)
	}
	const stored = 100_000
	var texts []smsmcp.Text
	for i := range stored {
		peer := smsmcp.NumberPeer(numbers[i*7%200])
		switch i % 6 {
		case 0:
			peer = smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1438%07d", i%20_000)))
		case 1:
			peer = smsmcp.CodePeer(fmt.Sprintf("%05d", i%500))
		}
		at := noon.Add(-time.Duration(stored-i) * 5 * time.Minute)
		texts = append(texts, received(fmt.Sprint(i), peer, fmt.Sprintf("Text number %d, of the usual length: see you at the station at noon.", i), at))
	}
	storeTexts(b, s, noon, texts...)
	b.Run("again", func(b *testing.B) {
		for range b.N {
			p, err := s.Texts(b.Context(), smsmcp.Query{Since: noon.Add(-36 * time.Hour), Limit: 50})
			if err != nil || len(p.Rows) == 0 {
				b.Fatal(len(p.Rows), err)
			}
		}
	})
	for name, q := range map[string]smsmcp.Query{
		"since yesterday": {Since: noon.Add(-36 * time.Hour), Limit: 50},
		"strangers too":   {Since: noon.Add(-36 * time.Hour), Limit: 50, Strangers: true},
		"one contact":     {Contact: 7, Limit: 50},
		"a year":          {Since: noon.AddDate(-1, 0, 0), Limit: 50},
		"words in a year": {Since: noon.AddDate(-1, 0, 0), Limit: 50, Contains: "number 5001,"},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				p, err := s.page(b.Context(), q)
				if err != nil || len(p.Rows) == 0 {
					b.Fatal(len(p.Rows), err)
				}
			}
		})
	}
}

// BenchmarkStoreTexts stores texts as they come: one at a time, a list of three months that is known, and a list that is new.
func BenchmarkStoreTexts(b *testing.B) {
	text := func(i int) smsmcp.Text {
		peer := smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1514555%04d", i%200)))
		return received(fmt.Sprint(i), peer, fmt.Sprintf("Text number %d, of the usual length: see you at the station at noon.", i), noon.Add(time.Duration(i)*time.Second))
	}
	list := func(from, n int) (texts []smsmcp.Text) {
		for i := range n {
			texts = append(texts, text(from+i))
		}
		return texts
	}
	b.Run("one", func(b *testing.B) {
		s := newStore(b)
		storeTexts(b, s, noon, list(1_000_000, 20_000)...)
		s.Outbox(func() {})
		for i := 0; b.Loop(); i++ {
			storeTexts(b, s, noon, text(i))
		}
	})
	b.Run("3000 known", func(b *testing.B) {
		s, known := newStore(b), list(0, 3000)
		storeTexts(b, s, noon, known...)
		for b.Loop() {
			storeTexts(b, s, noon, known...)
		}
	})
	b.Run("3000 new", func(b *testing.B) {
		s := newStore(b)
		for i := 0; b.Loop(); i++ {
			storeTexts(b, s, noon, list(i*3000, 3000)...)
		}
	})
	b.Run("one by two ways", func(b *testing.B) { // two commits
		s := newStore(b)
		storeTexts(b, s, noon, list(1_000_000, 20_000)...)
		s.Outbox(func() {})
		for i := 0; b.Loop(); i++ {
			x := text(i)
			storeTexts(b, s, noon, claimed(x.Key.ID, x.Peer, x.Body.RawForStore(), x.At))
			storeTexts(b, s, noon, x)
		}
	})
}
