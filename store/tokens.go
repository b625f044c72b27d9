package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"readback/store/engine"
)

// TokenInfo is what may be told of a token.
type TokenInfo struct {
	Name    string
	Created time.Time
	Revoked time.Time // zero: it works
}

// AddToken keeps a token's id and the hash of its secret; ErrTokenName if a token that works has the name, ErrTaken if one has the id.
func (s *Store) AddToken(ctx context.Context, now time.Time, name, id string, hash [32]byte) error {
	return s.write(ctx, "add a token", func(t *tx) error {
		found, err := engine.One(t, `SELECT 1 FROM tokens WHERE name = ? AND revoked = 0`, []any{name}, new(int))
		if err != nil {
			return err
		}
		if found {
			return ErrTokenName
		}
		_, err = t.Exec(`INSERT INTO tokens (id, name, hash, created, revoked) VALUES (?, ?, ?, ?, 0)`, id, name, hash[:], ms(now))
		return err
	})
}

// Token gives the name and hash of a token that works; ErrNoToken for any other.
func (s *Store) Token(ctx context.Context, id string) (name string, hash [32]byte, err error) {
	var h []byte
	found, err := engine.One(s.read(ctx), `SELECT name, hash FROM tokens WHERE id = ? AND revoked = 0`, []any{id}, &name, &h)
	switch {
	case err != nil:
		return "", hash, fmt.Errorf("token: %w", err)
	case !found:
		return "", hash, ErrNoToken
	}
	subtle.ConstantTimeCopy(1, hash[:], h)
	return name, hash, nil
}

// Tokens gives every token there ever was, oldest first.
func (s *Store) Tokens(ctx context.Context) (list []TokenInfo, err error) {
	err = engine.Each(s.read(ctx), `SELECT name, created, revoked FROM tokens ORDER BY rowid`, nil, func(rows *sql.Rows) error {
		var i TokenInfo
		var created, revoked int64
		err := rows.Scan(&i.Name, &created, &revoked)
		i.Created, i.Revoked = fromMS(created), fromMS(revoked)
		list = append(list, i)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return list, nil
}

// RevokeToken ends the token of that name; ErrNoToken if none works.
func (s *Store) RevokeToken(ctx context.Context, now time.Time, name string) error {
	return s.write(ctx, "revoke a token", func(t *tx) error {
		n, err := t.Exec(`UPDATE tokens SET revoked = ? WHERE name = ? AND revoked = 0`, max(1, ms(now)), name)
		if err == nil && n == 0 {
			err = ErrNoToken
		}
		return err
	})
}

// Secret gives what SetSecret kept; ErrNoSecret if there is none. The store does not read it: what may leak is kept hashed.
func (s *Store) Secret(ctx context.Context, name string) (v []byte, err error) {
	found, err := engine.One(s.read(ctx), `SELECT value FROM secrets WHERE name = ?`, []any{name}, &v)
	if err == nil && !found {
		err = ErrNoSecret
	}
	if err != nil {
		return nil, fmt.Errorf("secret: %w", err)
	}
	return v, nil
}

// SetSecret keeps v under a name, in place of what was there. An empty v is refused.
func (s *Store) SetSecret(ctx context.Context, name string, v []byte) error {
	if name == "" || len(v) == 0 {
		return errors.Join(errors.New("keep a secret"), ErrInvalid)
	}
	return s.write(ctx, "keep a secret", func(t *tx) error {
		_, err := t.Exec(`INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`, name, v)
		return err
	})
}
