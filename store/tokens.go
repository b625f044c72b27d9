package store

import (
	"context"
	"time"

	"readback/store/tokens"
)

// TokenInfo is what may be told of a token.
type TokenInfo = tokens.Info

// AddToken keeps a token's id and the hash of its secret; ErrTokenName if a token that works has the name, ErrTaken if one has the id.
func (s *Store) AddToken(ctx context.Context, now time.Time, name, id string, hash [32]byte) error {
	return tokens.Add(ctx, s.db, now, name, id, hash)
}

// Token gives the name and hash of a token that works, and whether a yes that comes by it counts; ErrNoToken for any other.
func (s *Store) Token(ctx context.Context, id string) (name string, hash [32]byte, mayConfirm bool, err error) {
	return tokens.Get(ctx, s.db, id)
}

// Tokens gives every token there ever was, oldest first.
func (s *Store) Tokens(ctx context.Context) ([]TokenInfo, error) { return tokens.List(ctx, s.db) }

// RevokeToken ends the token of that name; ErrNoToken if none works.
func (s *Store) RevokeToken(ctx context.Context, now time.Time, name string) error {
	return tokens.Revoke(ctx, s.db, now, name)
}

// SetTokenMayConfirm says whether a yes that comes by the token of that name counts, as a weak one; ErrNoToken if none works.
func (s *Store) SetTokenMayConfirm(ctx context.Context, name string, may bool) error {
	return tokens.SetMayConfirm(ctx, s.db, name, may)
}

// Secret gives what SetSecret kept; ErrNoSecret if there is none.
func (s *Store) Secret(ctx context.Context, name string) ([]byte, error) {
	return tokens.Secret(ctx, s.db, name)
}

// SetSecret keeps v under a name, in place of what was there. An empty v is refused.
func (s *Store) SetSecret(ctx context.Context, name string, v []byte) error {
	return tokens.SetSecret(ctx, s.db, name, v)
}
