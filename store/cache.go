package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"

	"readback/smsmcp"
)

// The pages that are kept: few, and none of them large.
const (
	maxPages    = 16
	maxPageRows = 100
)

// pages keeps answers to queries for as long as nothing at all was committed to the file, by this process or another: a model reads the same
// list again and again, and SQLite says in a few microseconds (PRAGMA data_version, on a connection that never writes) that it still stands.
type pages struct {
	mu      sync.Mutex
	conn    *sql.Conn
	stmt    *sql.Stmt
	version int64
	kept    map[pageKey]smsmcp.Page
}

type pageKey struct {
	contact       smsmcp.ContactID
	since, before int64
	id            smsmcp.TextID
	contains      string
	strangers     bool
	limit         int
}

func keyOf(q smsmcp.Query) pageKey {
	return pageKey{q.Contact, ms(q.Since), ms(q.Before.At), q.Before.ID, q.Contains, q.Strangers, q.Limit}
}

func (p *pages) open(ctx context.Context, pool *sql.DB) (err error) {
	if p.conn, err = pool.Conn(ctx); err != nil {
		return err
	}
	p.stmt, err = p.conn.PrepareContext(ctx, `PRAGMA data_version`)
	return err
}

func (p *pages) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return nil
	}
	var err error
	if p.stmt != nil {
		err = p.stmt.Close()
	}
	err = errors.Join(err, p.conn.Close())
	p.conn = nil
	return err
}

// get gives the page that was kept, and the version to keep another under. It is taken before the page is read: what is committed meanwhile
// makes the page one of an older version.
func (p *pages) get(ctx context.Context, k pageKey) (page smsmcp.Page, version int64, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return page, 0, false, ErrClosed
	}
	if err := p.stmt.QueryRowContext(ctx).Scan(&version); err != nil {
		return page, 0, false, known(err)
	}
	if version != p.version || p.kept == nil {
		p.version, p.kept = version, map[pageKey]smsmcp.Page{}
	}
	page, ok = p.kept[k]
	page.Rows = slices.Clone(page.Rows)
	return page, version, ok, nil
}

func (p *pages) put(k pageKey, version int64, page smsmcp.Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if version != p.version || len(page.Rows) > maxPageRows {
		return
	}
	if len(p.kept) >= maxPages {
		clear(p.kept)
	}
	page.Rows = slices.Clone(page.Rows)
	p.kept[k] = page
}
