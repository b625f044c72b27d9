package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
	"readback/store/engine"
)

const sendColumns = `s.id, s.contact, s.revision, s.number, s.body, s.name, s.state, s.reasons, s.strong, s.by, s.scope, s.kind, s.segments,
	s.created, s.expires, s.answered, s.reserved, s.ended, s.confirmed_by, s.key_carrier, s.key_kind, s.key_ref, s.delivery, s.failure,
	s.only_by, s.answer`

func scanSend(rows *sql.Rows) (smsmcp.Send, error) {
	var (
		s                                           smsmcp.Send
		contact                                     smsmcp.ContactID
		revision                                    int64
		number                                      smsmcp.Number
		body, reasons, answer                       sql.RawBytes
		created, expires, answered, reserved, ended int64
	)
	if err := rows.Scan(&s.ID, &contact, &revision, &number, &body, &s.Name, &s.State, &reasons, &s.Strong, &s.By, &s.Scope, &s.Kind,
		&s.Segments, &created, &expires, &answered, &reserved, &ended, &s.ConfirmedBy, &s.Key.Carrier, &s.Key.Kind, &s.Key.ID,
		&s.Delivery, &s.Failure, &s.Only, &answer); err != nil {
		return s, err
	}
	if err := json.Unmarshal(reasons, &s.Reasons); err != nil {
		return s, engine.Fault{Kind: ErrCorrupt, Cause: err}
	}
	if len(s.Reasons) == 0 {
		s.Reasons = nil
	}
	s.Draft, s.Answer = smsmcp.RestoreDraft(contact, revision, number, string(body)), untrusted.New(string(answer))
	s.Created, s.Expires, s.Answered = fromMS(created), fromMS(expires), fromMS(answered)
	s.Reserved, s.Ended = fromMS(reserved), fromMS(ended)
	return s, nil
}

// sends gives the sends that a clause selects.
func sends(r engine.Reader, clause string, args ...any) (list []smsmcp.Send, err error) {
	err = engine.Each(r, `SELECT `+sendColumns+` FROM sends s `+clause, args, func(rows *sql.Rows) error {
		s, err := scanSend(rows)
		list = append(list, s)
		return err
	})
	return list, err
}

func send(r engine.Reader, id smsmcp.SendID) (smsmcp.Send, error) {
	list, err := sends(r, `WHERE s.id = ?`, string(id))
	switch {
	case err != nil:
		return smsmcp.Send{}, err
	case len(list) == 0:
		return smsmcp.Send{}, smsmcp.ErrNoSend
	}
	return list[0], nil
}

// Send gives one send; smsmcp.ErrNoSend if there is none.
func (s *Store) Send(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	got, err := send(s.read(ctx), id)
	if err != nil {
		return got, fmt.Errorf("send: %w", err)
	}
	return got, nil
}

// Stands gives how one send stands, and by what code it failed or is unknown; smsmcp.ErrNoSend if there is none. It is looked at before each hand-over, and so reads no more than that.
func (s *Store) Stands(ctx context.Context, id smsmcp.SendID) (state smsmcp.SendState, failure string, err error) {
	found, err := engine.One(s.read(ctx), `SELECT state, failure FROM sends WHERE id = ?`, []any{string(id)}, &state, &failure)
	if err == nil && !found {
		err = smsmcp.ErrNoSend
	}
	if err != nil {
		return "", "", fmt.Errorf("send: %w", err)
	}
	return state, failure, nil
}

// Sends gives the last sends, at most limit of them, newest first.
func (s *Store) Sends(ctx context.Context, limit int) ([]smsmcp.Send, error) {
	return s.list(ctx, `ORDER BY s.n DESC LIMIT ?`, limit)
}

const open = `s.tally = 2` // waiting, reserved or unknown

// Waiting gives the sends that wait for a yes, oldest first, but for those that a call alone can answer.
func (s *Store) Waiting(ctx context.Context) ([]smsmcp.Send, error) {
	return s.list(ctx, `WHERE `+open+` AND s.state = 'waiting' AND s.only_by = '' ORDER BY s.n`)
}

// Unsettled gives the sends of which nobody knows yet whether they went, in Reserved or Unknown, oldest first.
func (s *Store) Unsettled(ctx context.Context) ([]smsmcp.Send, error) {
	return s.list(ctx, `WHERE `+open+` AND s.state IN ('reserved', 'unknown') ORDER BY s.n`)
}

// Unlisted gives the sends that failed because the carrier did not list them, or by the owner's word, of those reserved after since, oldest first.
func (s *Store) Unlisted(ctx context.Context, since time.Time) ([]smsmcp.Send, error) {
	return s.list(ctx, `WHERE s.tally = 1 AND s.reserved > ? AND s.state = 'failed' AND s.failure IN (?, ?) ORDER BY s.n`,
		ms(since), smsmcp.NotListed, smsmcp.OwnerSaid)
}

func (s *Store) list(ctx context.Context, clause string, args ...any) ([]smsmcp.Send, error) {
	list, err := sends(s.read(ctx), clause, args...)
	if err != nil {
		return nil, fmt.Errorf("sends: %w", err)
	}
	return list, nil
}

// clockSlack is how far in the future a time may be before it means that the clock was set back.
const clockSlack = time.Minute

// Expire ends the sends whose wait is over, and gives them. One that was asked in the future goes too: nobody knows how long it has waited.
// It also forgets the oldest of the refused, where there are too many.
func (s *Store) Expire(ctx context.Context, now time.Time) (gone []smsmcp.Send, err error) {
	const due = `WHERE ` + open + ` AND s.state = 'waiting' AND (s.expires <= ?1 OR s.created > ?2) ORDER BY s.n`
	args := []any{ms(now), ms(now.Add(clockSlack))}
	if err := s.prune(ctx); err != nil {
		return nil, err
	}
	// Looked for beside the writer first: an idle sweep takes no lock.
	if gone, err = s.list(ctx, due, args...); err != nil || len(gone) == 0 {
		return nil, err
	}
	err = s.write(ctx, "expire", func(t *tx) error {
		if gone, err = sends(t, due, args...); err != nil {
			return err
		}
		for i := range gone {
			gone[i].State, gone[i].Ended = smsmcp.Expired, now.UTC()
			if err := t.update(gone[i], smsmcp.Waiting); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

// Recover turns what was reserved when the program stopped into unknown, and says how many. After a restore it says when that was, which Open
// cannot know. The caller holds the data folder's lock; a process that has joined it beside is taken for one that stopped, and what it records is taken all the same.
func (s *Store) Recover(ctx context.Context, now time.Time) (n int, err error) {
	if s.joins {
		return 0, ErrJoined
	}
	err = s.write(ctx, "recover", func(t *tx) error {
		if fresh, err := t.Exec(`UPDATE flags SET at = ? WHERE name = 'frozen' AND by = ? AND at = 0`, ms(now), string(smsmcp.ByRestore)); err != nil {
			return err
		} else if fresh > 0 {
			if _, err := t.Exec(`UPDATE sends SET ended = ? WHERE state = 'void' AND ended = 0`, ms(now)); err != nil {
				return err
			}
		}
		gone, err := t.interrupt(func(smsmcp.Send) bool { return true })
		n = len(gone)
		return err
	})
	return n, err
}

// Freeze stops all sends until Thaw.
func (s *Store) Freeze(ctx context.Context, now time.Time, by smsmcp.Channel) error {
	return s.write(ctx, "freeze", func(t *tx) error {
		t.s.memo.log = nil
		_, err := t.Exec(`INSERT INTO flags (name, at, by) VALUES ('frozen', ?, ?) ON CONFLICT DO NOTHING`, ms(now), string(by))
		return err
	})
}

// Thaw lifts the freeze.
func (s *Store) Thaw(ctx context.Context) error {
	return s.write(ctx, "thaw", func(t *tx) error {
		t.s.memo.log = nil
		_, err := t.Exec(`DELETE FROM flags WHERE name = 'frozen'`)
		return err
	})
}

// Frozen says whether all sends are stopped.
func (s *Store) Frozen(ctx context.Context) (bool, error) {
	_, found, err := s.frozen(ctx)
	return found, err
}

// Restored says whether all sends are stopped because a backup was restored.
func (s *Store) Restored(ctx context.Context) (bool, error) {
	by, found, err := s.frozen(ctx)
	return found && by == smsmcp.ByRestore, err
}

func (s *Store) frozen(ctx context.Context) (by smsmcp.Channel, found bool, err error) {
	if found, err = engine.One(s.read(ctx), `SELECT by FROM flags WHERE name = 'frozen'`, nil, &by); err != nil {
		return "", false, fmt.Errorf("frozen: %w", err)
	}
	return by, found, nil
}
