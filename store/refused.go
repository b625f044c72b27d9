package store

import (
	"context"
	"fmt"
	"unicode/utf8"

	"readback/store/engine"
)

// What is kept of the refused: a model that asks for what it may not have must not fill the disk.
const (
	maxRefused     = 5_000
	maxRefusedBody = 2_048 // bytes of each
	pruneAtOnce    = 500
	maxAnswer      = 2_048 // bytes of a spoken yes
)

// clip cuts a body after at most limit bytes, at the end of a character.
func clip(body string, limit int) string {
	if len(body) <= limit {
		return body
	}
	for limit > 0 && !utf8.RuneStart(body[limit]) {
		limit--
	}
	return body[:limit]
}

// prune forgets the oldest of the refused beyond the newest maxRefused, a few at a time. One that the owner was asked about stays: asks and
// answers are counted.
func (s *Store) prune(ctx context.Context) error {
	var last int64
	found, err := engine.One(s.read(ctx), `SELECT n FROM sends WHERE state = 'refused' AND expires = 0 ORDER BY n DESC LIMIT 1 OFFSET ?`,
		[]any{maxRefused}, &last)
	if err != nil {
		return fmt.Errorf("refused: %w", err)
	}
	if !found {
		return nil
	}
	return s.write(ctx, "forget the refused", func(t *tx) error {
		_, err := t.Exec(`DELETE FROM sends WHERE n IN (SELECT n FROM sends WHERE state = 'refused' AND expires = 0 AND n <= ? ORDER BY n LIMIT ?)`,
			last, pruneAtOnce)
		return err
	})
}
