// Package store keeps contacts, texts, sends, holds and tokens in one SQLite file.
//
// It is the durable half of the invariants: a decision is made inside the transaction that reads the log and reserves the send (1, 9),
// a send moves only along its states and reaches Reserved once (7), a received text is one row by its carrier's key, or by the words that came another
// way (8), and times in the future are part of every window (12). Every commit is synced before it is acknowledged.
//
// One connection writes, in immediate transactions, one at a time; a pool of query-only connections reads beside it: store/engine.
//
// Floor 3: imports smsmcp, smsmcp/signs, smsmcp/guard, store/engine, store/outbox, store/pages, store/schema, store/taps, store/tokens and floor 0.
package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
	"readback/store/pages"
	"readback/store/schema"
	"readback/store/tokens"
)

// Store is an open database. Its methods may be called from any goroutine.
type Store struct {
	file  string
	joins bool // see Join
	holds *tokens.Holds
	db    *engine.DB
	memo  memo  // the writer's
	heard heard // the writer's

	mu    sync.Mutex
	known map[smsmcp.ContactID]smsmcp.Contact // as last read; right where the revision is right
	marks marks
	found map[smsmcp.SendID]time.Time // see RecoverStale
	pages pages.Cache

	wake atomic.Pointer[func()] // set: received texts get a row in the outbox
}

// Open opens the database in file, and makes it, readable by its owner alone, if there is none. The error wraps ErrNewer, ErrCorrupt,
// ErrForeign, ErrReadOnly, ErrFull or ErrBusy where one of them is the cause.
func Open(ctx context.Context, file string) (*Store, error) {
	return load(ctx, file, (*Store).prepare)
}

func load(ctx context.Context, file string, prepare func(*Store, context.Context) error) (_ *Store, err error) {
	file, err = filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	s := &Store{file: file, known: map[smsmcp.ContactID]smsmcp.Contact{}}
	defer func() {
		if err != nil {
			_ = s.Close()
			err = fmt.Errorf("open the database %s: %w", file, engine.Known(err))
		}
	}()
	// What a transaction followed there was never committed.
	if s.db, err = engine.Open(ctx, file, func() { s.memo = memo{} }); err != nil {
		return nil, err
	}
	if err := prepare(s, ctx); err != nil {
		return nil, err
	}
	return s, s.pages.Open(ctx, s.db.Pool())
}

// prepare brings the schema up to date, and ends what was open in a copy.
func (s *Store) prepare(ctx context.Context) error {
	if err := schema.Migrate(ctx, s.db); err != nil {
		return err
	}
	return s.restored(ctx)
}

// Close moves the log into the file and closes the database. It may be called on nil, and more than once.
func (s *Store) Close() error {
	if s == nil || s.db == nil {
		return nil
	}
	if err := errors.Join(s.pages.Close(), s.db.Close()); err != nil {
		return fmt.Errorf("close the database: %w", engine.Known(err))
	}
	return nil
}

// DB is the open file, for the packages under store/ that keep tables of their own in it. It is closed with the store.
func (s *Store) DB() *engine.DB { return s.db }

// tx is one write transaction.
type tx struct {
	*engine.Tx
	s *Store
}

func (s *Store) write(ctx context.Context, what string, fn func(*tx) error) error {
	return s.db.Write(ctx, what, func(t *engine.Tx) error { return fn(&tx{t, s}) })
}

func (s *Store) read(ctx context.Context) engine.Reader { return s.db.Read(ctx) }

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
