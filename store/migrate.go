package store

import (
	"context"
	"embed"
	"fmt"

	"readback/store/engine"
)

//go:embed schema.sql
var schema string

//go:embed steps/5.sql
var step5 string

// Frozen holds schema.sql as it was at each version: testdata/v1.sql and so on.
//
//go:embed testdata/v*.sql
var Frozen embed.FS

// application marks the file as ours (PRAGMA application_id): "Read" in ASCII.
const application = 0x52656164

// steps[i] brings a database of version i+1 to version i+2. A change of schema.sql appends one, a file of steps/, and freezes what schema.sql was in
// testdata.
var steps = []string{
	// 2: the outbox. Texts that were stored before it are told of nowhere.
	`CREATE TABLE outbox (
		text  INTEGER PRIMARY KEY REFERENCES texts,
		state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
		at    INTEGER NOT NULL
	) STRICT;
	CREATE INDEX outbox_state ON outbox (state, at);`,
	// 3: texts of which nothing says yet who they are from, and the further ways by which one came. What is stored has come one way alone, and a STOP has been
	// one since it was stored. A table's
	// check cannot be changed, and SQLite quotes the name of one that is renamed: the outbox is made anew. And the buttons on the owner's phone.
	`ALTER TABLE texts ADD COLUMN unverified INTEGER NOT NULL DEFAULT 0
		CHECK (unverified = 0 OR unverified = 1 AND direction = 1 AND number IS NULL AND stop = 0);
	ALTER TABLE texts ADD COLUMN claim TEXT
		CHECK (claim IS NULL OR claim GLOB '+[1-9]*' AND unverified = 1 AND code IS NULL AND label IS NULL);
	ALTER TABLE texts ADD COLUMN pair BLOB;
	DROP INDEX texts_received;
	CREATE INDEX texts_received ON texts (at, number, code, label, claim, unverified) WHERE direction = 1 AND group_of IS NULL;
	DROP INDEX texts_stored;
	CREATE INDEX texts_stored ON texts (stored) WHERE direction = 1 AND group_of IS NULL AND unverified = 0;
	DROP INDEX texts_stop;
	UPDATE texts SET stop = id WHERE stop = 1;
	CREATE INDEX texts_stop ON texts (number, stop) WHERE stop > 0;
	CREATE INDEX texts_unverified ON texts (stored) WHERE unverified = 1;
	CREATE INDEX texts_pair ON texts (pair, unverified, at) WHERE pair IS NOT NULL;
	CREATE TABLE ways (
		carrier TEXT    NOT NULL,
		kind    TEXT    NOT NULL,
		ref     TEXT    NOT NULL CHECK (ref <> ''),
		text    INTEGER NOT NULL REFERENCES texts,
		PRIMARY KEY (carrier, kind, ref)
	) STRICT, WITHOUT ROWID;
	CREATE TEMP TABLE old AS SELECT text, state, at FROM outbox;
	DROP TABLE outbox;
	CREATE TABLE outbox (
		text  INTEGER PRIMARY KEY REFERENCES texts,
		state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
		at    INTEGER NOT NULL,
		sender ANY    NOT NULL
	) STRICT;
	CREATE INDEX outbox_state ON outbox (state, at);
	CREATE INDEX outbox_sender ON outbox (state, sender);
	INSERT INTO outbox (text, state, at, sender) SELECT o.text, o.state, o.at, CASE WHEN x.number IS NOT NULL THEN x.number
		ELSE CAST(CASE WHEN x.code IS NOT NULL THEN '02' || x.code WHEN x.label IS NOT NULL THEN '03' || x.label ELSE '00' END AS BLOB) END
		FROM old o JOIN texts x ON x.id = o.text;
	DROP TABLE old;
	CREATE TABLE taps (
		hash    BLOB    NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
		send    TEXT    NOT NULL CHECK (send <> ''),
		digest  BLOB    NOT NULL CHECK (length(digest) = 32),
		action  TEXT    NOT NULL CHECK (action <> ''),
		expires INTEGER NOT NULL,
		used    INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE INDEX taps_expires ON taps (expires);`,
	// 4: drafts that are made on a call, for the yes of that channel alone, and the words of the yes. They count in no limit on asking.
	`ALTER TABLE sends ADD COLUMN only_by TEXT NOT NULL DEFAULT ''
		CHECK (only_by IN ('', 'voice') AND (confirmed_by = '' OR (confirmed_by = 'voice') = (only_by = 'voice')));
	ALTER TABLE sends ADD COLUMN answer BLOB;
	DROP INDEX sends_asked;
	CREATE INDEX sends_asked ON sends (created) WHERE expires <> 0 AND only_by = '';
	DROP INDEX sends_answered;
	CREATE INDEX sends_answered ON sends (answered) WHERE answered <> 0 AND only_by = '';`,
	// 5: clients that the owner let in by a browser, questions that are answered in a client, whether a yes by a token counts, and images.
	step5,
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
