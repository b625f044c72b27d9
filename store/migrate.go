package store

import (
	"context"
	"embed"
	"fmt"

	"readback/store/engine"
)

//go:embed schema.sql
var schema string

// Frozen holds schema.sql as it was at each version: testdata/v1.sql and so on.
//
//go:embed testdata/v*.sql
var Frozen embed.FS

// application marks the file as ours (PRAGMA application_id): "Read" in ASCII.
const application = 0x52656164

// steps[i] brings a database of version i+1 to version i+2. A change of schema.sql appends one, and freezes what schema.sql was in
// testdata.
var steps = []string{
	// 2: the outbox. Texts that were stored before it are told of nowhere.
	`CREATE TABLE outbox (
		text  INTEGER PRIMARY KEY REFERENCES texts,
		state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
		at    INTEGER NOT NULL
	) STRICT;
	CREATE INDEX outbox_state ON outbox (state, at);`,
}

// version is that of schema.sql.
func version() int { return 1 + len(steps) }

// migrate makes the schema, or brings an older one up to date, in one transaction. It refuses a newer one.
func (s *Store) migrate(ctx context.Context) error {
	return s.write(ctx, "schema", func(t *tx) error {
		var has, app, tables int
		_, err := engine.One(t, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id),
			(SELECT count(*) FROM sqlite_schema)`, nil, &has, &app, &tables)
		switch {
		case err != nil:
			return err
		case tables > 0 && app != application:
			return ErrForeign
		case has > version():
			return fmt.Errorf("schema version %d, and this one knows %d: %w", has, version(), ErrNewer)
		case tables > 0 && has == version():
			return nil
		case tables > 0 && has < 1:
			return fmt.Errorf("schema without a version: %w", ErrCorrupt)
		}
		todo := []string{schema, fmt.Sprintf("PRAGMA application_id = %d", application)}
		if tables > 0 {
			todo = steps[has-1:]
		}
		for _, script := range append(todo, fmt.Sprintf("PRAGMA user_version = %d", version())) {
			if err := t.Script(script); err != nil {
				return err
			}
		}
		return nil
	})
}
