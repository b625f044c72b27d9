// Package pages keeps the answers to queries of texts for as long as the file that they were read from stands as it is.
//
// Floor 2: imports smsmcp alone.
package pages

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"

	"readback/smsmcp"
)

// ErrClosed is of a cache that is not open.
var ErrClosed = errors.New("the pages are closed")

// The pages that are kept: few, and none of them large.
const (
	maxPages    = 16
	maxPageRows = 100
)

// Cache keeps answers to queries for as long as nothing at all was committed to the file, by this process or another: a model reads the same
// list again and again, and SQLite says in a few microseconds (PRAGMA data_version, on a connection that never writes) that it still stands.
type Cache struct {
	mu      sync.Mutex
	conn    *sql.Conn
	stmt    *sql.Stmt
	version int64
	kept    map[key]smsmcp.Page
}

type key struct {
	contact       smsmcp.ContactID
	since, before int64
	id            smsmcp.TextID
	contains      string
	strangers     bool
	images        bool
	limit         int
}

func keyOf(q smsmcp.Query) key {
	return key{q.Contact, q.Since.UnixMilli(), q.Before.At.UnixMilli(), q.Before.ID, q.Contains, q.Strangers, q.Images, q.Limit}
}

// Open takes a connection of the pool, on which nothing is ever written.
func (c *Cache) Open(ctx context.Context, pool *sql.DB) (err error) {
	if c.conn, err = pool.Conn(ctx); err != nil {
		return err
	}
	c.stmt, err = c.conn.PrepareContext(ctx, `PRAGMA data_version`)
	return err
}

// Close gives the connection back. It may be called more than once.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil
	}
	var err error
	if c.stmt != nil {
		err = c.stmt.Close()
	}
	err = errors.Join(err, c.conn.Close())
	c.conn = nil
	return err
}

// Get gives the page that was kept, and the version to keep another under. It is taken before the page is read: what is committed meanwhile
// makes the page one of an older version.
func (c *Cache) Get(ctx context.Context, q smsmcp.Query) (page smsmcp.Page, version int64, ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return page, 0, false, ErrClosed
	}
	if err := c.stmt.QueryRowContext(ctx).Scan(&version); err != nil {
		return page, 0, false, err
	}
	if version != c.version || c.kept == nil {
		c.version, c.kept = version, map[key]smsmcp.Page{}
	}
	page, ok = c.kept[keyOf(q)]
	page.Rows = slices.Clone(page.Rows)
	return page, version, ok, nil
}

// Put keeps a page that was read after Get gave this version.
func (c *Cache) Put(q smsmcp.Query, version int64, page smsmcp.Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version != c.version || len(page.Rows) > maxPageRows {
		return
	}
	if len(c.kept) >= maxPages {
		clear(c.kept)
	}
	page.Rows = slices.Clone(page.Rows)
	c.kept[keyOf(q)] = page
}
