// Package taps is the table of what the buttons on the owner's phone stand for: each may be used once.
//
// It keeps the hashes of tokens and no token (invariant 11). A press is one transaction, so once is once, for two presses of one button as for two
// processes (invariant 5).
//
// Floor 2: imports smsmcp and store/engine.
package taps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

// What a press can find.
var (
	ErrUsed = errors.New("the button was pressed before")
	ErrLate = errors.New("the button's time is past")
	ErrNone = errors.New("no button has that token")
)

// kept is how long a tap is kept after its time: a press meanwhile finds ErrLate, and ErrNone later.
const kept = 24 * time.Hour

// Add keeps taps, all or none, and lets go of those whose time is long past.
func Add(ctx context.Context, db *engine.DB, now time.Time, all []smsmcp.Tap) error {
	return db.Write(ctx, "keep buttons", func(t *engine.Tx) error {
		if _, err := t.Exec(`DELETE FROM taps WHERE expires < ?`, now.Add(-kept).UnixMilli()); err != nil {
			return err
		}
		for _, x := range all {
			if _, err := t.Exec(`INSERT INTO taps (hash, send, digest, action, expires, used) VALUES (?, ?, ?, ?, ?, 0)`,
				x.Hash[:], string(x.Send), x.Digest[:], string(x.Action), x.Expires.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Use marks a tap as used and gives it. Of one that was used before it gives the tap and ErrUsed; of one whose time is past, the tap and ErrLate; of one that is not
// there, ErrNone.
func Use(ctx context.Context, db *engine.DB, now time.Time, hash [32]byte) (x smsmcp.Tap, err error) {
	// Anybody may ask for what is not there: that takes no turn of the one writer.
	found, err := engine.One(db.Read(ctx), `SELECT 1 FROM taps WHERE hash = ?`, []any{hash[:]}, new(int))
	if err != nil {
		return x, fmt.Errorf("look for a button: %w", err)
	}
	if !found {
		return x, ErrNone
	}
	err = db.Write(ctx, "press a button", func(t *engine.Tx) (err error) { x, err = use(t, now, hash); return err })
	return x, err
}

func use(t *engine.Tx, now time.Time, hash [32]byte) (x smsmcp.Tap, err error) {
	var digest []byte
	var expires, used int64
	found, err := engine.One(t, `SELECT send, digest, action, expires, used FROM taps WHERE hash = ?`, []any{hash[:]}, &x.Send, &digest, &x.Action, &expires, &used)
	switch {
	case err != nil:
		return smsmcp.Tap{}, err
	case !found:
		return smsmcp.Tap{}, ErrNone
	}
	x.Hash, x.Expires = hash, time.UnixMilli(expires).UTC()
	copy(x.Digest[:], digest)
	switch {
	case used != 0:
		return x, ErrUsed
	case now.UnixMilli() >= expires:
		return x, ErrLate
	}
	_, err = t.Exec(`UPDATE taps SET used = ? WHERE hash = ?`, max(1, now.UnixMilli()), hash[:])
	return x, err
}
