package store

import (
	"context"
	"time"

	"readback/smsmcp"
	"readback/store/taps"
)

// AddTaps keeps what the buttons of a question stand for, all or none.
func (s *Store) AddTaps(ctx context.Context, now time.Time, all []smsmcp.Tap) error {
	return s.write(ctx, "keep buttons", func(t *tx) error { return taps.Add(t.Tx, now, all) })
}

// UseTap marks a tap as used, once. Of one that was used before it gives the tap and ErrTapUsed; of one that is not known, or whose time is past, ErrNoTap.
func (s *Store) UseTap(ctx context.Context, now time.Time, hash [32]byte) (x smsmcp.Tap, err error) {
	err = s.write(ctx, "press a button", func(t *tx) (err error) { x, err = taps.Use(t.Tx, now, hash); return err })
	return x, err
}
