// Package tokens keeps what lets somebody in: the tokens of MCP clients, and secrets such as the owner's passphrase, all hashed by who keeps them here
// (invariant 11).
//
// Floor 2: imports store/engine.
package tokens

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"readback/store/engine"
)

// What can be wrong with what is asked.
var (
	ErrName     = errors.New("a token has that name")
	ErrNone     = errors.New("no token has that name or id")
	ErrNoSecret = errors.New("no secret has that name")
)

// Info is what may be told of a token.
type Info struct {
	Name    string
	Created time.Time
	Revoked time.Time // zero: it works

	MayConfirm bool // a yes that comes by it counts, as a weak one
}

// Add keeps a token's id and the hash of its secret; ErrName if a token that works has the name, engine.ErrTaken if one has the id.
func Add(ctx context.Context, db *engine.DB, now time.Time, name, id string, hash [32]byte) error {
	return db.Write(ctx, "add a token", func(t *engine.Tx) error {
		found, err := engine.One(t, `SELECT 1 FROM tokens WHERE name = ? AND revoked = 0`, []any{name}, new(int))
		if err != nil {
			return err
		}
		if found {
			return ErrName
		}
		_, err = t.Exec(`INSERT INTO tokens (id, name, hash, created, revoked) VALUES (?, ?, ?, ?, 0)`, id, name, hash[:], now.UnixMilli())
		return err
	})
}

// Get gives what is known of a token that works, and its hash; ErrNone for any other.
func Get(ctx context.Context, db *engine.DB, id string) (name string, hash [32]byte, mayConfirm bool, err error) {
	var h []byte
	found, err := engine.One(db.Read(ctx), `SELECT name, hash, may_confirm FROM tokens WHERE id = ? AND revoked = 0`, []any{id}, &name, &h, &mayConfirm)
	switch {
	case err != nil:
		return "", hash, false, fmt.Errorf("token: %w", err)
	case !found:
		return "", hash, false, ErrNone
	}
	subtle.ConstantTimeCopy(1, hash[:], h)
	return name, hash, mayConfirm, nil
}

// List gives every token there ever was, oldest first.
func List(ctx context.Context, db *engine.DB) (list []Info, err error) {
	err = engine.Each(db.Read(ctx), `SELECT name, created, revoked, may_confirm FROM tokens ORDER BY rowid`, nil, func(rows *sql.Rows) error {
		var i Info
		var created, revoked int64
		err := rows.Scan(&i.Name, &created, &revoked, &i.MayConfirm)
		i.Created = time.UnixMilli(created).UTC()
		if revoked != 0 {
			i.Revoked = time.UnixMilli(revoked).UTC()
		}
		list = append(list, i)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return list, nil
}

// Revoke ends the token of that name; ErrNone if none works.
func Revoke(ctx context.Context, db *engine.DB, now time.Time, name string) error {
	return db.Write(ctx, "revoke a token", func(t *engine.Tx) error {
		n, err := t.Exec(`UPDATE tokens SET revoked = ? WHERE name = ? AND revoked = 0`, max(1, now.UnixMilli()), name)
		if err == nil && n == 0 {
			err = ErrNone
		}
		return err
	})
}

// SetMayConfirm says whether a yes that comes by the token of that name counts; ErrNone if none works.
func SetMayConfirm(ctx context.Context, db *engine.DB, name string, may bool) error {
	return db.Write(ctx, "mark a token", func(t *engine.Tx) error {
		n, err := t.Exec(`UPDATE tokens SET may_confirm = ? WHERE name = ? AND revoked = 0`, may, name)
		if err == nil && n == 0 {
			err = ErrNone
		}
		return err
	})
}

// Secret gives what SetSecret kept; ErrNoSecret if there is none. It is not read here: what may leak is kept hashed.
func Secret(ctx context.Context, db *engine.DB, name string) (v []byte, err error) {
	found, err := engine.One(db.Read(ctx), `SELECT value FROM secrets WHERE name = ?`, []any{name}, &v)
	if err == nil && !found {
		err = ErrNoSecret
	}
	if err != nil {
		return nil, fmt.Errorf("secret: %w", err)
	}
	return v, nil
}

// SetSecret keeps v under a name, in place of what was there. An empty v is engine.ErrInvalid.
func SetSecret(ctx context.Context, db *engine.DB, name string, v []byte) error {
	if name == "" || len(v) == 0 {
		return errors.Join(errors.New("keep a secret"), engine.ErrInvalid)
	}
	return db.Write(ctx, "keep a secret", func(t *engine.Tx) error {
		_, err := t.Exec(`INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`, name, v)
		return err
	})
}
