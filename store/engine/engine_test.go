package engine

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
)

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryConnectionHasItsSettings(t *testing.T) {
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "some.db"), func() {})
	ok(t, err)
	t.Cleanup(func() { ok(t, d.Close()) })
	ok(t, d.Write(t.Context(), "make", func(x *Tx) error { return x.Script(`CREATE TABLE things (a ANY) STRICT`) }))
	check := func(c *sql.Conn, queryOnly string) {
		for pragma, want := range map[string]string{
			"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": fmt.Sprint(busyWait.Milliseconds()), "query_only": queryOnly,
			"trusted_schema": "0", "cell_size_check": "1", "temp_store": "2", "wal_autocheckpoint": fmt.Sprint(walPages), "journal_size_limit": fmt.Sprint(walRemain),
		} {
			var got string
			ok(t, c.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got))
			if got != want {
				t.Errorf("%s is %s, want %s", pragma, got, want)
			}
		}
	}
	check(d.conn, "0")
	for range readers { // held together, so that they are different ones
		c, err := d.pool.Conn(t.Context())
		ok(t, err)
		defer func() { _ = c.Close() }()
		check(c, "1")
		if _, err := c.ExecContext(t.Context(), `DELETE FROM things`); err == nil {
			t.Error("a reader can write")
		}
	}
	if n := d.writer.Stats().MaxOpenConnections; n != 1 {
		t.Errorf("%d writers", n)
	}
}
