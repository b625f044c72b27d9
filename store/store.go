// Package store keeps contacts, texts, sends, holds and tokens in one SQLite file.
//
// It is the durable half of the invariants: a decision is made inside the transaction that reads the log and reserves the send (1, 9),
// a send moves only along its states and reaches Reserved once (7), a received text is one row by its carrier's key (8), and times in
// the future are part of every window (12). Every commit is synced before it is acknowledged (WAL, synchronous=FULL).
//
// One connection writes, in immediate transactions, one at a time; a pool of query-only connections reads beside it.
//
// Floor 3: imports smsmcp, smsmcp/signs, smsmcp/guard, store/pages and floor 0. SQLite is imported nowhere else.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"readback/smsmcp"
	"readback/store/pages"
)

const (
	busyWait  = 15 * time.Second // how long one process waits for another's transaction
	readers   = 4
	walPages  = 1000     // pages in the log before SQLite moves them to the file
	walRemain = 16 << 20 // bytes that the log's file keeps at most
)

// Store is an open database. Its methods may be called from any goroutine.
type Store struct {
	file string

	writer *sql.DB   // of one connection
	conn   *sql.Conn // that one
	turn   chan struct{}
	stmts  map[string]*sql.Stmt // of conn; held with turn
	memo   memo                 // held with turn
	heard  heard                // held with turn

	pool  *sql.DB
	mu    sync.Mutex
	reads map[string]*sql.Stmt
	known map[smsmcp.ContactID]smsmcp.Contact // as last read; right where the revision is right
	marks marks
	pages pages.Cache

	wake atomic.Pointer[func()] // set: received texts get a row in the outbox
}

// Open opens the database in file, and makes it, readable by its owner alone, if there is none. The error wraps ErrNewer, ErrCorrupt,
// ErrForeign, ErrReadOnly, ErrFull or ErrBusy where one of them is the cause.
func Open(ctx context.Context, file string) (_ *Store, err error) {
	file, err = filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("open the database %s: %w", file, known(err))
		}
	}()
	// Locks that outlive an unrelated close of the file (a backup program's, say). Only where the kernel has them.
	_, _ = sqlite.OFDLocking(true)
	if err := private(file); err != nil {
		return nil, err
	}
	s := &Store{
		file: file, turn: make(chan struct{}, 1), stmts: map[string]*sql.Stmt{},
		reads: map[string]*sql.Stmt{}, known: map[smsmcp.ContactID]smsmcp.Contact{},
	}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	if s.writer, err = sql.Open("sqlite", dsn(file, [2]string{"_txlock", "immediate"})); err != nil {
		return nil, err
	}
	s.writer.SetMaxOpenConns(1)
	if s.conn, err = s.writer.Conn(ctx); err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, err
	}
	if err := s.restored(ctx); err != nil {
		return nil, err
	}
	if s.pool, err = sql.Open("sqlite", dsn(file, [2]string{"_pragma", "query_only(1)"})); err != nil {
		return nil, err
	}
	s.pool.SetMaxOpenConns(readers + 1) // one of them watches for changes
	s.pool.SetMaxIdleConns(readers + 1)
	return s, s.pages.Open(ctx, s.pool)
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

// dsn gives the address by which every connection gets its settings, so that none can be opened without them.
func dsn(file string, more ...[2]string) string {
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

// Close moves the log into the file and closes the database. It may be called on nil, and more than once.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	errs := []error{s.pages.Close()}
	s.mu.Lock()
	if s.pool != nil {
		errs = append(errs, s.pool.Close())
	}
	s.pool, s.reads = nil, nil
	s.mu.Unlock()
	if s.conn != nil {
		for _, st := range s.stmts { // the pool does not know those of a held connection, and SQLite stays open with them
			errs = append(errs, st.Close())
		}
		s.stmts = nil
		var busy, log, moved int
		row := s.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
		errs = append(errs, row.Scan(&busy, &log, &moved), s.conn.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
	}
	s.conn, s.writer = nil, nil
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the database: %w", known(err))
	}
	return nil
}

// tx is one write transaction, and the one user of the writing connection while it runs.
type tx struct {
	s   *Store
	ctx context.Context
}

// write runs fn in an immediate transaction and commits it; an error or a panic writes nothing. ctx bounds the wait for the other
// writers of this process. From then on it counts no more: a commit that was cut short is a commit of which nobody knows.
func (s *Store) write(ctx context.Context, what string, fn func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	}
	if s.conn == nil {
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.transact(ctx, fn); err != nil {
		return fmt.Errorf("%s: %w", what, known(err))
	}
	return nil
}

func (s *Store) transact(ctx context.Context, fn func(*tx) error) error {
	t := &tx{s, ctx}
	begun, done := false, false
	defer func() {
		if done {
			return
		}
		s.memo = memo{} // it may hold what was never committed
		if begun {
			_, _ = t.exec("ROLLBACK")
		}
	}()
	if _, err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	begun = true
	if err := fn(t); err != nil {
		return err
	}
	_, err := t.exec("COMMIT")
	done = err == nil
	return err
}

// stmt prepares a query once for the life of the connection. The statement runs inside the transaction that is open on it.
func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if st, ok := t.s.stmts[query]; ok {
		return st, nil
	}
	st, err := t.s.conn.PrepareContext(t.ctx, query)
	if err == nil {
		t.s.stmts[query] = st
	}
	return st, err
}

func (t *tx) exec(query string, args ...any) (int64, error) {
	st, err := t.stmt(query) //nolint:sqlclosecheck // kept for the life of the connection
	if err != nil {
		return 0, err
	}
	r, err := st.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t *tx) query(query string, args ...any) (*sql.Rows, error) {
	st, err := t.stmt(query) //nolint:sqlclosecheck // kept for the life of the connection
	if err != nil {
		return nil, err
	}
	return st.QueryContext(t.ctx, args...)
}

// reader is what a query runs on: the open transaction, or the pool.
type reader interface {
	query(query string, args ...any) (*sql.Rows, error)
}

type pooled struct {
	s   *Store
	ctx context.Context
}

func (p pooled) query(query string, args ...any) (*sql.Rows, error) {
	st, err := p.s.readStmt(p.ctx, query) //nolint:sqlclosecheck // kept for the life of the pool
	if err != nil {
		return nil, err
	}
	return st.QueryContext(p.ctx, args...)
}

func (s *Store) readStmt(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pool == nil {
		return nil, ErrClosed
	}
	if st, ok := s.reads[query]; ok {
		return st, nil
	}
	st, err := s.pool.PrepareContext(ctx, query) //nolint:gosec,sqlclosecheck // put together from constants alone; closed with the pool
	if err == nil {
		s.reads[query] = st
	}
	return st, err
}

func (s *Store) read(ctx context.Context) pooled { return pooled{s, ctx} }

// each runs a query and fn on every row of it.
func each(r reader, query string, args []any, fn func(*sql.Rows) error) error {
	rows, err := r.query(query, args...)
	if err != nil {
		return known(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return known(err)
		}
	}
	return known(rows.Err())
}

// one runs a query and scans its first row; false if there is none.
func one(r reader, query string, args []any, dest ...any) (found bool, err error) {
	err = each(r, query, args, func(rows *sql.Rows) error {
		found = true
		return rows.Scan(dest...)
	})
	return found && err == nil, err
}

// ms is a time as it is stored.
func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMS(v int64) time.Time {
	if v == 0 {
		return time.Time{}
	}
	return time.UnixMilli(v).UTC()
}
