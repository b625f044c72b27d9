// Package grants keeps what smsmcp/oauth knows, in the store's file: clients, codes, what the owner agreed to, and the hashes of the tokens that were given for it
// (invariant 11).
//
// A change is one immediate transaction, so two processes change one after the other, and what was answered is on the disk; a look is one read transaction
// beside the writer.
//
// Floor 4: imports smsmcp/oauth and store/engine.
package grants

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"readback/smsmcp/oauth"
	"readback/store/engine"
)

// Store is the tables. It is safe for concurrent use.
type Store struct{ db *engine.DB }

// New gives the tables of a store.
func New(db *engine.DB) *Store { return &Store{db} }

// View runs do on one state of the store. An error that is not do's wraps the one of engine that fits.
func (s *Store) View(ctx context.Context, do func(oauth.Tx) error) error {
	pool := s.db.Pool()
	if pool == nil {
		return fmt.Errorf("look at grants: %w", engine.ErrClosed)
	}
	t, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("look at grants: %w", engine.Known(err))
	}
	defer func() { _ = t.Rollback() }()
	return do(&tx{look: looking{ctx, t}})
}

// Update runs do alone, once, and writes all of it or nothing.
func (s *Store) Update(ctx context.Context, do func(oauth.Tx) error) (err error) {
	var of error
	err = s.db.Write(ctx, "change grants", func(t *engine.Tx) error {
		of = do(&tx{look: t, exec: t.Exec})
		return of
	})
	if of != nil {
		return of
	}
	return err
}

type looking struct {
	ctx context.Context
	t   *sql.Tx
}

func (l looking) Query(query string, args ...any) (*sql.Rows, error) {
	return l.t.QueryContext(l.ctx, query, args...)
}

var errLook = errors.New("a look writes nothing")

// tx is what a do reads and writes; exec is nil where it may only look.
type tx struct {
	look engine.Reader
	exec func(query string, args ...any) (int64, error)
}

func (t *tx) write(query string, args ...any) error {
	if t.exec == nil {
		return errLook
	}
	_, err := t.exec(query, args...)
	return engine.Known(err)
}
