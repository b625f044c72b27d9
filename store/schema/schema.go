// Package schema is what stands in the store's file, and how an older one is brought up to date.
//
// Floor 2: imports store/engine.
package schema

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"readback/store/engine"
)

// SQL makes the tables and indexes of a fresh file.
//
//go:embed schema.sql
var SQL string

//go:embed steps/*.sql
var steps embed.FS

// Frozen holds schema.sql as it was at each version: testdata/v1.sql and so on.
//
//go:embed testdata/v*.sql
var Frozen embed.FS

// Application marks the file as ours (PRAGMA application_id): "Read" in ASCII.
const Application = 0x52656164

// Version is that of schema.sql. A change of that raises it, adds a file to steps, which brings a database up from the version before, and freezes what schema.sql then is
// in testdata.
const Version = 6

// What a file can be that is not for this program to read.
var (
	ErrNewer   = errors.New("the database was written by a newer version of Readback")
	ErrForeign = errors.New("the file is another program's database")
)

// Migrate makes the schema, or brings an older one up to date, in one transaction. It refuses a newer one.
func Migrate(ctx context.Context, db *engine.DB) error {
	return db.Write(ctx, "schema", func(t *engine.Tx) error {
		has, empty, err := Stamp(t)
		switch {
		case err != nil || has == Version && !empty:
			return err
		case has < 1 && !empty:
			return fmt.Errorf("schema without a version: %w", engine.ErrCorrupt)
		}
		todo := []string{SQL, fmt.Sprintf("PRAGMA application_id = %d", Application)}
		if !empty {
			todo = nil
			for v := has + 1; v <= Version; v++ {
				step, err := steps.ReadFile(fmt.Sprintf("steps/%d.sql", v))
				if err != nil {
					return err
				}
				todo = append(todo, string(step))
			}
		}
		for _, script := range append(todo, fmt.Sprintf("PRAGMA user_version = %d", Version)) {
			if err := t.Script(script); err != nil {
				return err
			}
		}
		return nil
	})
}

// Stamp gives a file's version, and whether there is nothing in it; ErrForeign or ErrNewer where it is not for this program to read.
func Stamp(r engine.Reader) (has int, empty bool, err error) {
	var app, things int
	_, err = engine.One(r, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_schema)`, nil, &has, &app, &things)
	switch {
	case err != nil:
	case things > 0 && app != Application:
		err = ErrForeign
	case has > Version:
		err = fmt.Errorf("schema version %d, and this one knows %d: %w", has, Version, ErrNewer)
	}
	return has, things == 0, err
}
