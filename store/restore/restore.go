// Package restore looks at a file that is to become the store, and may have been written by another; and keeps it from giving back what was
// taken away since it was made. It works on copies, beside the store's own connections.
//
// Floor 4: imports store, which brings SQLite, and store/schema.
package restore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"time"

	"readback/store"
	"readback/store/schema"
)

// ErrAltered says that a file has other tables or indexes than a store of its version, or views, or triggers.
var ErrAltered = errors.New("the database does not have the schema of its version")

// open opens a file as store does, but for what is made for speed.
func open(file string) (*sql.DB, error) {
	q := url.Values{"_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"}, "_txlock": {"immediate"}}
	q["_pragma"] = []string{"busy_timeout(15000)", "trusted_schema(0)", "cell_size_check(1)", "temp_store(MEMORY)"}
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: file}).String()+"?"+q.Encode())
}

// known gives an error of SQLite's the name that store has for it.
func known(err error) error {
	var e interface {
		error
		Code() int
	}
	if errors.As(err, &e) {
		switch e.Code() & 0xff { // sqlite.org/rescode.html
		case 11, 26: // SQLITE_CORRUPT, SQLITE_NOTADB
			return errors.Join(store.ErrCorrupt, err)
		case 13: // SQLITE_FULL
			return errors.Join(store.ErrFull, err)
		}
	}
	return err
}

// Genuine looks at a file that another may have written, before [store.Open] runs anything on it: nil if it has the tables and indexes of its
// version and nothing else. ErrAltered for any other, such as one with a trigger, which would run inside our own transactions, or a view;
// store.ErrForeign, store.ErrNewer and store.ErrCorrupt as Open has them. SQLite may write a log beside the file.
func Genuine(ctx context.Context, file string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("look at %s: %w", file, known(err))
		}
	}()
	db, err := open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var has, app int
	err = db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id)`).Scan(&has, &app)
	switch {
	case err != nil:
		return err
	case app != schema.Application:
		return store.ErrForeign
	case has < 1:
		return ErrAltered
	}
	want, err := expected(ctx, has)
	if errors.Is(err, fs.ErrNotExist) {
		return store.ErrNewer
	}
	if err != nil {
		return err
	}
	got, err := layout(ctx, db)
	if err == nil && !maps.Equal(got, want) {
		err = ErrAltered
	}
	return err
}

// expected is the layout of a fresh database of a version.
func expected(ctx context.Context, version int) (_ map[string]int, err error) {
	script, err := schema.Frozen.ReadFile(fmt.Sprintf("testdata/v%d.sql", version))
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	if _, err := db.ExecContext(ctx, string(script)); err != nil {
		return nil, err
	}
	return layout(ctx, db)
}

// gaps are what may stand between two words of a schema. A database that was brought up to date has other ones than a fresh one.
var gaps = regexp.MustCompile(`(\s|--[^\n]*\n)+`)

// layout counts each thing that a schema holds, gaps apart.
func layout(ctx context.Context, db *sql.DB) (map[string]int, error) {
	rows, err := db.QueryContext(ctx, `SELECT json_array(type, name, tbl_name), coalesce(sql, '') FROM sqlite_schema`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	all := map[string]int{}
	for rows.Next() {
		var what, text string
		if err := rows.Scan(&what, &text); err != nil {
			return nil, err
		}
		all[what+gaps.ReplaceAllString(text, " ")]++
	}
	return all, rows.Err()
}

// Inherited is what [Inherit] did, and how the two stores differ.
type Inherited struct {
	Read     bool // there is a present store, and its tokens and contacts could be read
	Secrets  bool // secrets of the present store hold, and no other
	Dropped  int  // secrets of the backup that do not hold, for no present store could tell: all but the passphrase
	Revoked  int  // tokens that worked in the backup and do not any more
	Missing  int  // tokens that work in the present store and not in the backup
	Ended    int  // apps that the backup let in and that are not any more
	Out      int  // apps that the present store lets in and the backup does not
	Contacts int  // names under which one of the two has no contact, or another one
}

// held is what a store answers. A token is told by its id and hash: a name may be given again.
type held struct {
	working, marked, grants, secrets, contacts map[string]string

	rows map[string][]row // of the tables that are taken over, as they are
}

// Inherit keeps the backup from giving back what was taken away since: a token works in it only if it works in the present store, and its yes counts only if it does
// there; so with what clients were let in for, of which all that the present store knows is taken over, since the tokens that it gave last are the ones that its clients
// have; and the present store's secrets hold, and no other: a passkey or a PIN that the backup alone has was taken away since, or put there by who had the file. Both are files that are
// genuine or were opened. Without a present one (""), or with one that cannot be read, no token works, and of the backup's secrets the passphrase alone holds.
func Inherit(ctx context.Context, now time.Time, backup, present string) (in Inherited, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("inherit: %w", known(err))
		}
	}()
	var theirs held
	if present != "" {
		theirs, err = look(ctx, present)
		if err != nil && !errors.Is(known(err), store.ErrCorrupt) {
			return in, err
		}
		if in.Read = err == nil; !in.Read {
			theirs = held{secrets: theirs.secrets}
		}
	}
	in.Secrets = len(theirs.secrets) > 0
	mine, err := look(ctx, backup)
	if err != nil {
		return in, err
	}
	for token := range theirs.working {
		if _, ok := mine.working[token]; !ok {
			in.Missing++
		}
	}
	for grant := range theirs.grants {
		if _, ok := mine.grants[grant]; !ok {
			in.Out++
		}
	}
	if in.Read {
		in.Contacts = differ(mine.contacts, theirs.contacts)
	}
	db, err := open(backup)
	if err != nil {
		return in, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return in, err
	}
	defer func() { _ = tx.Rollback() }() // it does nothing after a commit
	if in.Dropped, err = secrets(ctx, tx, theirs.secrets, in.Read || in.Secrets); err != nil {
		return in, err
	}
	for token := range mine.working {
		if _, ok := theirs.working[token]; ok {
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE tokens SET revoked = ? WHERE json_array(id, hex(hash)) = ?`, max(1, now.UnixMilli()), token); err != nil {
			return in, err
		}
		in.Revoked++
	}
	for token := range mine.marked {
		if _, ok := theirs.marked[token]; ok {
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE tokens SET may_confirm = 0 WHERE json_array(id, hex(hash)) = ?`, token); err != nil {
			return in, err
		}
	}
	if in.Ended, err = clients(ctx, tx, now, mine, theirs, in.Read); err != nil {
		return in, err
	}
	return in, tx.Commit()
}

// passphrase is the name of the secret that a backup gives back where nothing tells whether it still holds: without one nobody could be asked for any.
const passphrase = "passphrase"

// config is the name of what a server says of its limits to those who work beside it. It is no secret of the owner's, and a restored store waits for its server to say so again.
const config = "config"

// secrets puts those of the present store in the place of the backup's; where they are not known, those of the backup go, but for its passphrase, and n is how many.
func secrets(ctx context.Context, tx *sql.Tx, theirs map[string]string, known bool) (n int, err error) {
	if _, err := tx.ExecContext(ctx, `DELETE FROM secrets WHERE name = ?`, config); err != nil {
		return 0, err
	}
	if !known {
		res, err := tx.ExecContext(ctx, `DELETE FROM secrets WHERE name <> ?`, passphrase)
		if err != nil {
			return 0, err
		}
		gone, err := res.RowsAffected()
		return int(gone), err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM secrets`); err != nil {
		return 0, err
	}
	for name, value := range theirs {
		if _, err := tx.ExecContext(ctx, `INSERT INTO secrets (name, value) VALUES (?, ?)`, name, []byte(value)); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// clients lets those clients in that both stores let in, as the present one knows them, and ends what the backup gave others; n of them worked.
func clients(ctx context.Context, tx *sql.Tx, now time.Time, mine, theirs held, read bool) (n int, err error) {
	do := func(query string, args ...any) {
		if err == nil {
			_, err = tx.ExecContext(ctx, query, args...)
		}
	}
	do(`DELETE FROM oauth_tokens`)
	if read { // who may ask is of no worth by itself; but a client that is known by a name keeps it
		do(`DELETE FROM oauth_clients`)
	}
	for grant := range mine.grants {
		if _, ok := theirs.grants[grant]; ok {
			do(`DELETE FROM oauth_grants WHERE id = ?`, grant)
			continue
		}
		do(`UPDATE oauth_grants SET ended = ?, why = 'owner' WHERE id = ?`, max(1, now.UnixMilli()), grant)
		n++
	}
	for table, rows := range theirs.rows {
		for _, r := range rows {
			if r.grant != "" {
				if _, ok := mine.grants[r.grant]; !ok {
					continue
				}
			}
			do(`INSERT INTO `+table+` VALUES (?`+strings.Repeat(", ?", len(r.values)-1)+`)`, r.values...) //nolint:gosec // one of the names below
		}
	}
	return n, err
}

// row is one of a table. grant is what it is part of; "" for a client's own.
type row struct {
	grant  string
	values []any
}

// taken are the tables of which rows are taken over, and which: of clients, and of what they were let in for as long as it works.
var taken = map[string]string{ //nolint:gosec // names of tables
	"oauth_clients": `SELECT '', * FROM oauth_clients`,
	"oauth_grants":  `SELECT id, * FROM oauth_grants WHERE ended = 0`,
	"oauth_tokens":  `SELECT of, t.* FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.of WHERE g.ended = 0`,
}

func whole(ctx context.Context, db *sql.DB, query string) (all []row, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		r := row{values: make([]any, len(names)-1)}
		to := []any{&r.grant}
		for i := range r.values {
			to = append(to, &r.values[i])
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// look asks a store. What could be read before an error is in the answer.
func look(ctx context.Context, file string) (h held, err error) {
	db, err := open(file)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, q := range []struct {
		query string
		to    *map[string]string
	}{
		{`SELECT name, value FROM secrets WHERE name <> '` + config + `'`, &h.secrets},
		{`SELECT json_array(id, hex(hash)), 1 FROM tokens WHERE revoked = 0`, &h.working},
		{`SELECT json_array(id, hex(hash)), 1 FROM tokens WHERE may_confirm = 1`, &h.marked},
		{`SELECT id, 1 FROM oauth_grants WHERE ended = 0`, &h.grants},
		{`SELECT name, json_array(aliases, numbers, send_to) FROM contacts`, &h.contacts},
	} {
		if *q.to, err = pairs(ctx, db, q.query); err != nil {
			return h, err
		}
	}
	h.rows = map[string][]row{}
	for table, query := range taken {
		if h.rows[table], err = whole(ctx, db, query); err != nil {
			return h, err
		}
	}
	return h, nil
}

func pairs(ctx context.Context, db *sql.DB, query string) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	all := map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, err
		}
		all[key] = value
	}
	return all, rows.Err()
}

// differ counts the keys that one of the two has not, or with another value.
func differ(a, b map[string]string) (n int) {
	for key, value := range a {
		if other, ok := b[key]; !ok || other != value {
			n++
		}
	}
	for key := range b {
		if _, ok := a[key]; !ok {
			n++
		}
	}
	return n
}
