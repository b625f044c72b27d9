// Package talks is what is kept of calls in rooms, above all the table of passes: each lets the owner's browser into one room, once, and only just after the owner asked for it.
//
// Who takes a call in a room takes the pass of its name, and so learns as whom the owner's browser joins; a room without one has no owner's browser in it, whatever is said there. It keeps
// the hash of a room's name, and as whom the browser joins, which is random and opens nothing (invariant 11). Taking is one transaction that deletes, so once is once, for two calls as for
// two processes, and whatever a clock does (invariants 5 and 12).
//
// Beside it is the table of leases: which process leads the call of a room.
//
// Floor 2: imports store/engine.
package talks

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"readback/store/engine"
)

// ErrNone says that there is no pass for a room: there never was, it was taken, or its time is past.
var ErrNone = errors.New("no pass for this room")

const (
	good  = 2 * time.Minute // from when it was made
	ahead = time.Minute     // how far in the future it may have been made: then the clock was set back, and nobody knows how old it is
)

// Talks is the table.
type Talks struct{ db *engine.DB }

// New gives the table of a store.
func New(db *engine.DB) *Talks { return &Talks{db} }

// Add makes the pass of a room, as of now, and lets go of those whose time is past. engine.ErrTaken if the room has one, engine.ErrInvalid if there is no identity.
func (t *Talks) Add(ctx context.Context, now time.Time, room, identity string) error {
	key := sha256.Sum256([]byte(room))
	return t.db.Write(ctx, "make a pass", func(x *engine.Tx) error {
		if err := prune(x, now); err != nil {
			return err
		}
		_, err := x.Exec(`INSERT INTO talks (room, identity, made) VALUES (?, ?, ?)`, key[:], identity, now.UnixMilli())
		return err
	})
}

// Take takes the pass of a room, and gives as whom the owner's browser joins it; ErrNone if there is none. It is gone then, also where it was too late for it.
func (t *Talks) Take(ctx context.Context, now time.Time, room string) (identity string, err error) {
	key := sha256.Sum256([]byte(room))
	// Most rooms have none, such as those of telephones: that takes no turn of the one writer.
	const of = `SELECT identity, made FROM talks WHERE room = ?`
	var made int64
	found, err := engine.One(t.db.Read(ctx), of, []any{key[:]}, &identity, &made)
	if err == nil && !found {
		err = ErrNone
	}
	if err != nil {
		return "", fmt.Errorf("take a pass: %w", err)
	}
	err = t.db.Write(ctx, "take a pass", func(x *engine.Tx) error {
		if found, err = engine.One(x, of, []any{key[:]}, &identity, &made); err != nil || !found {
			return err
		}
		_, err := x.Exec(`DELETE FROM talks WHERE room = ?`, key[:])
		return err
	})
	switch {
	case err != nil:
		return "", err
	case !found, late(now, made):
		return "", fmt.Errorf("take a pass: %w", ErrNone)
	}
	return identity, nil
}

// late says that the time of a pass is past, or that nobody knows whether it is.
func late(now time.Time, made int64) bool {
	return made <= now.Add(-good).UnixMilli() || made > now.Add(ahead).UnixMilli()
}

// Prune lets go of the passes whose time is past. It is called every so often: what is gone, no clock that is set back brings back.
func (t *Talks) Prune(ctx context.Context, now time.Time) error {
	found, err := engine.One(t.db.Read(ctx), `SELECT 1 FROM talks LIMIT 1`, nil, new(int))
	if err != nil || !found { // an idle look takes no lock
		return err
	}
	return t.db.Write(ctx, "forget passes", func(x *engine.Tx) error { return prune(x, now) })
}

func prune(x *engine.Tx, now time.Time) error {
	_, err := x.Exec(`DELETE FROM talks WHERE made <= ? OR made > ?`, now.Add(-good).UnixMilli(), now.Add(ahead).UnixMilli())
	return err
}
