// Package images is the table of what came with texts and was fetched: what it is, and in which file it is kept.
//
// It keeps no address: where a carrier has a thing is asked of it each time, since who has the address has what it holds (invariant 11).
//
// Floor 2: imports smsmcp and store/engine.
package images

import (
	"context"
	"database/sql"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

// State is what became of one thing that came with a text. The zero value is none: nothing was fetched yet.
type State string

// The states.
const (
	Kept    State = "kept"     // an image, in its file; Kind is "png" or "jpeg"
	Dropped State = "dropped"  // its file had to go for newer ones
	NoImage State = "no_image" // something else; Kind says what
	Refused State = "refused"  // an image that is not shown; Kind says why
	Failed  State = "failed"   // it did not come; Kind says why
)

// Image is one thing that came with a text.
type Image struct {
	Text          smsmcp.TextID
	N             int // its place among those of the text, from 1
	State         State
	Kind          string // a code of [a-z_]{1,40}
	Bytes         int64  // of the file
	Width, Height int    // in pixels, as kept
	File          string // its name
	At            time.Time
}

// Book is the table.
type Book struct{ db *engine.DB }

// New opens the book of a database.
func New(db *engine.DB) *Book { return &Book{db} }

// Key is what the carrier calls a received text that came with images; found is false where there is none such.
func (b *Book) Key(ctx context.Context, id smsmcp.TextID) (key smsmcp.Key, found bool, err error) {
	found, err = engine.One(b.db.Read(ctx), `SELECT carrier, kind, ref FROM texts WHERE id = ? AND direction = 1 AND images > 0`, []any{int64(id)}, &key.Carrier, &key.Kind, &key.ID)
	return key, found, err
}

// Put writes down what became of a thing, in place of what was written before.
func (b *Book) Put(ctx context.Context, x Image) error {
	return b.db.Write(ctx, "keep an image", func(t *engine.Tx) error {
		_, err := t.Exec(`INSERT INTO images (text, n, source, state, kind, bytes, width, height, file, at) VALUES (?, ?, '', ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET state = excluded.state, kind = excluded.kind, bytes = excluded.bytes, width = excluded.width, height = excluded.height,
			file = excluded.file, at = excluded.at`,
			int64(x.Text), x.N, string(x.State), x.Kind, x.Bytes, x.Width, x.Height, x.File, x.At.UnixMilli())
		return err
	})
}

const columns = `SELECT text, n, state, kind, bytes, width, height, file, at FROM images `

// Of gives what is known of a text, in order.
func (b *Book) Of(ctx context.Context, id smsmcp.TextID) ([]Image, error) {
	return b.list(ctx, columns+`WHERE text = ? ORDER BY n`, int64(id))
}

// Files gives all that have a file, the oldest first.
func (b *Book) Files(ctx context.Context) ([]Image, error) {
	return b.list(ctx, columns+`WHERE state = 'kept' ORDER BY at, text, n`)
}

func (b *Book) list(ctx context.Context, query string, args ...any) (all []Image, err error) {
	err = engine.Each(b.db.Read(ctx), query, args, func(rows *sql.Rows) error {
		var x Image
		var at int64
		err := rows.Scan(&x.Text, &x.N, &x.State, &x.Kind, &x.Bytes, &x.Width, &x.Height, &x.File, &at)
		x.At = time.UnixMilli(at).UTC()
		all = append(all, x)
		return err
	})
	return all, err
}
