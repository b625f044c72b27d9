package store

import (
	"context"
	"time"

	"readback/smsmcp"
	"readback/store/taps"
)

// AddTaps keeps what the buttons of a question stand for, all or none.
func (s *Store) AddTaps(ctx context.Context, now time.Time, all []smsmcp.Tap) error {
	return taps.Add(ctx, s.db, now, all)
}

// UseTap marks a tap as used, once. Of one that was used before it gives the tap and ErrTapUsed; of one whose time is past, the tap and ErrTapLate; of one that is not known, ErrNoTap.
func (s *Store) UseTap(ctx context.Context, now time.Time, hash [32]byte) (smsmcp.Tap, error) {
	return taps.Use(ctx, s.db, now, hash)
}
