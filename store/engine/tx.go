package engine

import (
	"context"
	"database/sql"
	"fmt"
)

// Tx is one write transaction, and the one user of the writing connection while it runs.
type Tx struct {
	d   *DB
	ctx context.Context
}

// Write runs fn in an immediate transaction and commits it; an error or a panic writes nothing. ctx bounds the wait for the other
// writers of this process. From then on it counts no more: a commit that was cut short is a commit of which nobody knows.
func (d *DB) Write(ctx context.Context, what string, fn func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	}
	if d.conn == nil {
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
	if err := (&Tx{d, context.WithoutCancel(ctx)}).run(fn); err != nil {
		return fmt.Errorf("%s: %w", what, Known(err))
	}
	return nil
}

func (t *Tx) run(fn func(*Tx) error) error {
	begun, done := false, false
	defer func() {
		if done {
			return
		}
		t.d.undone()
		if begun {
			_, _ = t.Exec("ROLLBACK")
		}
	}()
	if _, err := t.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	begun = true
	if err := fn(t); err != nil {
		return err
	}
	_, err := t.Exec("COMMIT")
	done = err == nil
	return err
}

// stmt prepares a query once for the life of the connection. The statement runs inside the transaction that is open on it.
func (t *Tx) stmt(query string) (*sql.Stmt, error) {
	if st, ok := t.d.stmts[query]; ok {
		return st, nil
	}
	st, err := t.d.conn.PrepareContext(t.ctx, query)
	if err == nil {
		t.d.stmts[query] = st
	}
	return st, err
}

// Exec runs a statement and says how many rows it changed.
func (t *Tx) Exec(query string, args ...any) (int64, error) {
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

// Query runs a query inside the transaction.
func (t *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	st, err := t.stmt(query) //nolint:sqlclosecheck // kept for the life of the connection
	if err != nil {
		return nil, err
	}
	return st.QueryContext(t.ctx, args...)
}

// Script runs many statements, once.
func (t *Tx) Script(script string) error {
	_, err := t.d.conn.ExecContext(t.ctx, script)
	return err
}

// Reader is what a query runs on: the open transaction, or the pool.
type Reader interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

type pooled struct {
	d   *DB
	ctx context.Context
}

// Read gives what queries run on beside the writer.
func (d *DB) Read(ctx context.Context) Reader { return pooled{d, ctx} }

func (p pooled) Query(query string, args ...any) (*sql.Rows, error) {
	st, err := p.d.readStmt(p.ctx, query) //nolint:sqlclosecheck // kept for the life of the pool
	if err != nil {
		return nil, err
	}
	return st.QueryContext(p.ctx, args...)
}

func (d *DB) readStmt(ctx context.Context, query string) (*sql.Stmt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool == nil {
		return nil, ErrClosed
	}
	if st, ok := d.reads[query]; ok {
		return st, nil
	}
	st, err := d.pool.PrepareContext(ctx, query) //nolint:gosec,sqlclosecheck // put together from constants alone; closed with the pool
	if err == nil {
		d.reads[query] = st
	}
	return st, err
}

// Each runs a query and fn on every row of it.
func Each(r Reader, query string, args []any, fn func(*sql.Rows) error) error {
	rows, err := r.Query(query, args...)
	if err != nil {
		return Known(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return Known(err)
		}
	}
	return Known(rows.Err())
}

// One runs a query and scans its first row; false if there is none.
func One(r Reader, query string, args []any, dest ...any) (found bool, err error) {
	err = Each(r, query, args, func(rows *sql.Rows) error {
		found = true
		return rows.Scan(dest...)
	})
	return found && err == nil, err
}
