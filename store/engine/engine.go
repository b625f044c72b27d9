// Package engine is the one SQLite file as a program needs it: one connection that writes, in immediate transactions, one at a time, and a pool of
// query-only connections beside it. Every connection has the same settings, every commit is synced before it is acknowledged (WAL,
// synchronous=FULL), statements are prepared once, and what SQLite says is wrong has a name.
//
// It knows no table. It is what invariants 1, 8 and 9 stand on: what is committed is on the disk, and a transaction that fails wrote nothing.
//
// Floor 1: imports nothing of the module. SQLite is imported nowhere else.
package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"

	"modernc.org/sqlite"
)

const (
	busyWait  = 15 * time.Second // how long one process waits for another's transaction
	readers   = 4
	walPages  = 1000     // pages in the log before SQLite moves them to the file
	walRemain = 16 << 20 // bytes that the log's file keeps at most
)

// DB is an open file. Its methods may be called from any goroutine.
type DB struct {
	file   string
	undone func()

	writer *sql.DB   // of one connection
	conn   *sql.Conn // that one
	turn   chan struct{}
	stmts  map[string]*sql.Stmt // of conn; held with turn

	pool  *sql.DB
	mu    sync.Mutex
	reads map[string]*sql.Stmt
}

// Open opens the file, and makes it, readable by its owner alone, if there is none. The pool connects when it is first read: what is written before
// that is there for every reader. undone is called, in the writer's turn, after each transaction that was not committed.
func Open(ctx context.Context, file string, undone func()) (_ *DB, err error) {
	defer func() { err = Known(err) }()
	// Locks that outlive an unrelated close of the file (a backup program's, say). Only where the kernel has them.
	_, _ = sqlite.OFDLocking(true)
	if err := private(file); err != nil {
		return nil, err
	}
	d := &DB{file: file, undone: undone, turn: make(chan struct{}, 1), stmts: map[string]*sql.Stmt{}, reads: map[string]*sql.Stmt{}}
	defer func() {
		if err != nil {
			_ = d.Close()
		}
	}()
	if d.writer, err = sql.Open("sqlite", DSN(file, [2]string{"_txlock", "immediate"})); err != nil {
		return nil, err
	}
	d.writer.SetMaxOpenConns(1)
	if d.conn, err = d.writer.Conn(ctx); err != nil {
		return nil, err
	}
	if d.pool, err = sql.Open("sqlite", DSN(file, [2]string{"_pragma", "query_only(1)"})); err != nil {
		return nil, err
	}
	d.pool.SetMaxOpenConns(readers + 1) // one of them watches for changes
	d.pool.SetMaxIdleConns(readers + 1)
	return d, nil
}

// private makes the file with mode 0600, or takes from others the right to a file that is there. SQLite gives its log the same mode.
func private(file string) error {
	info, err := os.Stat(file) //nolint:gosec // the owner's configuration names it
	if errors.Is(err, fs.ErrNotExist) {
		f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // as above
		if err != nil {
			return err
		}
		return f.Close()
	}
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return os.Chmod(file, 0o600) //nolint:gosec // as above
}

// DSN gives the address by which every connection gets its settings, so that none can be opened without them.
func DSN(file string, more ...[2]string) string {
	q := url.Values{"_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"}}
	for _, p := range []string{
		"busy_timeout(" + strconv.FormatInt(busyWait.Milliseconds(), 10) + ")", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"trusted_schema(0)", "cell_size_check(1)", "temp_store(MEMORY)",
		fmt.Sprintf("wal_autocheckpoint(%d)", walPages), fmt.Sprintf("journal_size_limit(%d)", walRemain),
	} {
		q.Add("_pragma", p)
	}
	for _, m := range more {
		q.Add(m[0], m[1])
	}
	return (&url.URL{Scheme: "file", Path: file}).String() + "?" + q.Encode()
}

// Pool is what reads. It is closed with the DB.
func (d *DB) Pool() *sql.DB { return d.pool }

// Close moves the log into the file and closes it. It may be called more than once.
func (d *DB) Close() error {
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	var errs []error
	d.mu.Lock()
	if d.pool != nil {
		errs = append(errs, d.pool.Close())
	}
	d.pool, d.reads = nil, nil
	d.mu.Unlock()
	if d.conn != nil {
		for _, st := range d.stmts { // the pool does not know those of a held connection, and SQLite stays open with them
			errs = append(errs, st.Close())
		}
		d.stmts = nil
		var busy, log, moved int
		row := d.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
		errs = append(errs, row.Scan(&busy, &log, &moved), d.conn.Close())
	}
	if d.writer != nil {
		errs = append(errs, d.writer.Close())
	}
	d.conn, d.writer = nil, nil
	return Known(errors.Join(errs...))
}
