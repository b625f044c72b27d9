package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the baseline's driver is the store's

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
	"readback/store"
	"readback/voip/sandbox"
)

// sends measures a whole durable send, through the door: the guard's state read, the row reserved, the sandbox called, the outcome recorded. The
// clock goes on 16 minutes a send, so that the log is as full as the guard lets it be, and 200 received texts of the day are heard. The
// baseline is two commits of one row.
func sends(ctx context.Context, dir string) ([]row, error) {
	db, err := store.Open(ctx, filepath.Join(dir, "sends.db"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	now := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	carrier, err := sandbox.Open(filepath.Join(dir, "sends.sandbox"), clock)
	if err != nil {
		return nil, err
	}
	defer func() { _ = carrier.Close() }()
	marie := smsmcp.Contact{Name: "Marie Tremblay", Numbers: []smsmcp.Number{"+15145550101"}, To: "+15145550101"}
	if _, err := db.AddContact(ctx, marie, func([]smsmcp.Contact) error { return nil }); err != nil {
		return nil, err
	}
	var heard []smsmcp.Text
	for i := range 200 {
		heard = append(heard, smsmcp.Text{
			Key: smsmcp.Key{Carrier: "sandbox", Kind: smsmcp.SMS, ID: fmt.Sprint("h", i)}, Direction: smsmcp.Received, At: now,
			Peer: smsmcp.NumberPeer("+15145550102"), Body: untrusted.New(fmt.Sprintf("Text %d, of the usual length: see you at the station at noon.", i)),
		})
	}
	if _, err := db.StoreTexts(ctx, now.Add(1000*time.Hour), heard); err != nil { // heard all through the run
		return nil, err
	}
	door := dispatch.New(dispatch.Options{
		Carrier: carrier, Ledger: db, Now: clock, Timeout: time.Second,
		Reachable: func(bool) bool { return true }, Tell: func(smsmcp.Send) {},
		Guard: guard.Settings{
			Confirm: guard.ConfirmNever, PerHour: 30, PerDay: 100, KeptForConfirmed: 0, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20, Duplicate: 2 * time.Minute,
			FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8, NewHosts: true, Zone: time.UTC,
		},
	})
	i := 0
	send := func() error {
		now, i = now.Add(16*time.Minute), i+1
		a, err := door.Send(ctx, dispatch.Request{To: "marie tremblay", Body: fmt.Sprintf("The train leaves at %d, see you there, and bring the keys please", i), By: "bench", Scope: smsmcp.MCP})
		if err == nil && a.Send.State != smsmcp.Done {
			err = fmt.Errorf("a send of the benchmark is %s: %v", a.Send.State, a.Send.Reasons)
		}
		return err
	}
	commits, end, err := twoCommits(ctx, filepath.Join(dir, "commits.db"))
	if err != nil {
		return nil, err
	}
	defer end()
	if _, err := byTurns(100, send, commits); err != nil { // a day's log, and warm
		return nil, err
	}
	m, err := byTurns(1000, send, commits)
	if err != nil {
		return nil, err
	}
	return []row{{"a durable send, against two bare commits", short(m[0]), short(m[1]), times(m[0], m[1]), "≤ 1.5"}}, nil
}

// twoCommits is the least that two durable steps can cost, at the store's own settings.
func twoCommits(ctx context.Context, file string) (func() error, func(), error) {
	db, err := sql.Open("sqlite", "file:"+file+"?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `CREATE TABLE rows (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL) STRICT`); err != nil {
		return nil, nil, err
	}
	insert, err := db.PrepareContext(ctx, `INSERT INTO rows (at, body) VALUES (?, ?)`)
	if err != nil {
		return nil, nil, err
	}
	body := []byte("The train leaves at 100, see you there, and bring the keys please")
	commit := func() error {
		for range 2 {
			if _, err := insert.ExecContext(ctx, 1, body); err != nil {
				return err
			}
		}
		return nil
	}
	return commit, func() { _ = insert.Close(); _ = db.Close() }, nil
}
