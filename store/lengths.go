package store

import (
	"context"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

// unconfirmed are the texts of which nothing says yet who they are from. Of a voicemail nothing ever will.
const unconfirmed = `texts WHERE unverified = 1 AND kind <> 'voicemail'`

// Unconfirmed counts the received texts, of those stored at or after since, of which nothing says yet who they are from.
func (s *Store) Unconfirmed(ctx context.Context, since time.Time) (n int, err error) {
	if _, err = engine.One(s.read(ctx), `SELECT count(*) FROM `+unconfirmed+` AND stored >= ?`, []any{ms(since)}, &n); err != nil {
		return 0, fmt.Errorf("unconfirmed texts: %w", err)
	}
	return n, nil
}

// Lengths says how much waits.
func (s *Store) Lengths(ctx context.Context, now time.Time) (l smsmcp.Lengths, err error) {
	if _, err = engine.One(s.read(ctx), `SELECT (SELECT count(*) FROM outbox WHERE state = 0), (SELECT count(*) FROM outbox WHERE state = 1),
		(SELECT count(*) FROM sends s WHERE `+open+` AND s.state = 'waiting' AND s.only_by = ''), (SELECT count(*) FROM sends s WHERE `+open+` AND s.state = 'unknown'),
		(SELECT count(*) FROM `+unconfirmed+` AND stored >= ?1), (SELECT count(*) FROM holds WHERE until > ?2)`,
		[]any{ms(now.Add(-24 * time.Hour)), ms(now)}, &l.Notices, &l.Held, &l.Asked, &l.Unknown, &l.Unverified, &l.Holds); err != nil {
		return smsmcp.Lengths{}, fmt.Errorf("lengths: %w", err)
	}
	return l, nil
}
