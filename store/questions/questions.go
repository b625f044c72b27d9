// Package questions is the table of what was asked in a client itself, by a question of the protocol or by a card, and may be answered there once.
//
// It keeps the hashes of the secrets that answers come with, and no secret (invariant 11). An answer is one transaction, so once is once, for two
// answers as for two processes (invariant 5). It says what an answer was for; whether the yes counts is the desk's to say.
//
// Floor 2: imports smsmcp and store/engine.
package questions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

// What an answer can find.
var (
	ErrNone  = errors.New("no question has that secret")
	ErrOther = errors.New("the question was asked in another way, of another client or by another call")
	ErrUsed  = errors.New("the question was answered before")
	ErrLate  = errors.New("the question's time is past")
)

const (
	kept = 24 * time.Hour // after its time: an answer meanwhile finds ErrLate, and ErrNone later
	most = 4096           // are kept; beyond that the first to end goes
)

// Question is what was asked.
type Question struct {
	Channel   smsmcp.Channel
	Send      smsmcp.SendID
	Digest    [32]byte // of the draft that was shown
	Principal string   // the ID of who was asked
	Call      [32]byte // the digest of the arguments of the tool call that asked
	Expires   time.Time
}

// Book is the table.
type Book struct{ db *engine.DB }

// New gives the table of a store.
func New(db *engine.DB) *Book { return &Book{db} }

// Put keeps a question under the SHA-256 of its secret, and lets go of those whose time is long past; engine.ErrTaken if one has that hash, engine.ErrInvalid if a field is
// empty.
func (b *Book) Put(ctx context.Context, now time.Time, hash [32]byte, q Question) error {
	return b.db.Write(ctx, "keep a question", func(t *engine.Tx) error {
		if _, err := t.Exec(`DELETE FROM questions WHERE expires < ?`, now.Add(-kept).UnixMilli()); err != nil {
			return err
		}
		if _, err := t.Exec(`INSERT INTO questions (hash, channel, send, digest, principal, call, expires, used) VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
			hash[:], string(q.Channel), string(q.Send), q.Digest[:], q.Principal, q.Call[:], q.Expires.UnixMilli()); err != nil {
			return err
		}
		_, err := t.Exec(`DELETE FROM questions WHERE hash IN (SELECT hash FROM questions WHERE hash <> ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`, hash[:], most-1)
		return err
	})
}

// Take spends a question, once, and gives it. ErrNone if there is none; ErrOther, of which nothing is told or spent, if its channel, principal and call are not want's; ErrUsed or
// ErrLate if it was spent before or its time is past.
func (b *Book) Take(ctx context.Context, now time.Time, hash [32]byte, want Question) (q Question, err error) {
	// Anybody may try what is not there, or not theirs: that takes no turn of the one writer.
	if q, err = b.Look(ctx, now, hash, want); err != nil {
		return q, err
	}
	err = b.db.Write(ctx, "answer a question", func(t *engine.Tx) (err error) {
		if q, err = open(t, now, hash, want); err != nil {
			return err
		}
		_, err = t.Exec(`UPDATE questions SET used = ? WHERE hash = ?`, max(1, now.UnixMilli()), hash[:])
		return err
	})
	if err != nil {
		return Question{}, err
	}
	return q, nil
}

// Look gives a question that Take would give, with the same errors, and spends nothing: for an answer that may come twice, such as a no.
func (b *Book) Look(ctx context.Context, now time.Time, hash [32]byte, want Question) (Question, error) {
	q, err := open(b.db.Read(ctx), now, hash, want)
	if err != nil {
		return Question{}, fmt.Errorf("look for a question: %w", err)
	}
	return q, nil
}

func open(r engine.Reader, now time.Time, hash [32]byte, want Question) (q Question, err error) {
	var digest, call []byte
	var expires, used int64
	found, err := engine.One(r, `SELECT channel, send, digest, principal, call, expires, used FROM questions WHERE hash = ?`, []any{hash[:]},
		&q.Channel, &q.Send, &digest, &q.Principal, &call, &expires, &used)
	if err != nil {
		return q, err
	}
	copy(q.Digest[:], digest)
	copy(q.Call[:], call)
	q.Expires = time.UnixMilli(expires).UTC()
	switch {
	case !found:
		return q, ErrNone
	case q.Channel != want.Channel, q.Principal != want.Principal, q.Call != want.Call:
		return q, ErrOther
	case used != 0:
		return q, ErrUsed
	case now.UnixMilli() >= expires:
		return q, ErrLate
	}
	return q, nil
}
