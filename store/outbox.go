package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

// A text in the outbox waits (state 0), is held back for a summary (1), or was told, by itself (2) or in a summary (3). One that was told by itself as
// a claim, and is a contact's since, waits for a notification with the name (4). It keeps the time when it was told: no limit counts it anew.

// toldFor is how long it is kept that the owner was told of a text. Limits look back less.
const toldFor = 24 * time.Hour

// mostTallies is how many senders a summary names.
const mostTallies = 8

// Outbox has every text that StoreTexts adds from now on, and that was received, wait for its notification. wake is called after each commit that
// added some; it must not block. Texts of before are not told of, and those that wait outlast the program.
func (s *Store) Outbox(wake func()) { s.wake.Store(&wake) }

// owe puts a received text into the outbox, unless it is a further leg of a group message.
func (t *tx) owe(id smsmcp.TextID) error {
	_, err := t.Exec(`INSERT INTO outbox (text, state, at) SELECT id, 0, 0 FROM texts WHERE id = ? AND group_of IS NULL`, int64(id))
	return err
}

// Owed says what is in the outbox.
func (s *Store) Owed(ctx context.Context) (o smsmcp.Owed, err error) {
	defer outbox(&err)
	r := s.read(ctx)
	var due int64
	if _, err = engine.One(r, `SELECT (SELECT count(*) FROM outbox WHERE state = 0), count(*), coalesce(min(at), 0) FROM outbox WHERE state = 1`, nil,
		&o.Waiting, &o.Held, &due); err != nil {
		return o, err
	}
	o.Due = fromMS(due)
	if o.First, o.Stored, err = s.oldest(r, 0); err == nil {
		o.Known, o.KnownStored, err = s.oldest(r, 4)
	}
	return o, err
}

// oldest gives the first text in a state, and when it was stored; nil if there is none.
func (s *Store) oldest(r engine.Reader, state int) (*smsmcp.Row, time.Time, error) {
	var id, stored int64
	found, err := engine.One(r, `SELECT x.id, x.stored FROM outbox o JOIN texts x ON x.id = o.text WHERE o.state = ? ORDER BY o.at, o.text LIMIT 1`,
		[]any{state}, &id, &stored)
	if err != nil || !found {
		return nil, time.Time{}, err
	}
	rows, err := s.rows(r, `LEFT JOIN contact_numbers n ON n.number = x.number WHERE x.id = ?`, id)
	if err != nil || len(rows) == 0 {
		return nil, time.Time{}, err
	}
	return &rows[0], fromMS(stored), nil
}

// outbox says of an error where it comes from.
func outbox(err *error) {
	if *err != nil {
		*err = fmt.Errorf("outbox: %w", *err)
	}
}

// Pace counts the notifications given after from and up to to, of the sender of x and of all senders of its kind. Who claims a number is not who has
// it, and is a stranger: a flood of claims holds back no text of the contact whose number it is.
func (s *Store) Pace(ctx context.Context, x smsmcp.Text, from, to time.Time) (p smsmcp.Pace, err error) {
	defer outbox(&err)
	var c columns
	c.peer(x)
	const same = `x.number IS ?3 AND x.code IS ?4 AND x.label IS ?5 AND x.claim IS ?6 AND x.unverified = ?7`
	const known = `EXISTS (SELECT 1 FROM contact_numbers WHERE number = x.number)`
	const told = ` FROM outbox o CROSS JOIN texts x ON x.id = o.text WHERE o.state IN (2, 4) AND o.at > ?1 AND o.at <= ?2 AND `
	_, err = engine.One(s.read(ctx), `SELECT (SELECT count(*)`+told+same+`),
		(SELECT count(*)`+told+known+` = EXISTS (SELECT 1 FROM contact_numbers WHERE number = ?3)),
		EXISTS (SELECT 1 FROM outbox o CROSS JOIN texts x ON x.id = o.text WHERE o.state = 1 AND `+same+`)`,
		[]any{ms(from), ms(to), c.number, c.code, c.label, c.claim, flag(x.Unverified)}, &p.Sender, &p.Kind, &p.Held)
	return p, err
}

// Told takes a text that waits, or that waits for its name, out of those: the owner has its notification.
func (s *Store) Told(ctx context.Context, now time.Time, id smsmcp.TextID) error {
	return s.told(ctx, now, `UPDATE outbox SET at = CASE state WHEN 0 THEN ?2 ELSE at END, state = 2 WHERE text = ?1 AND state IN (0, 4)`, id)
}

// ToldClaim is Told of a text that was told of as a claim. One that turned out to be a contact's meanwhile waits for its name.
func (s *Store) ToldClaim(ctx context.Context, now time.Time, id smsmcp.TextID) error {
	return s.told(ctx, now, `UPDATE outbox SET at = ?2, state = CASE WHEN EXISTS (SELECT 1 FROM texts x JOIN contact_numbers n ON n.number = x.number
		WHERE x.id = ?1 AND x.unverified = 0) THEN 4 ELSE 2 END WHERE text = ?1 AND state = 0`, id)
}

// told does what is told, and drops what no limit looks back to, and names that come too late.
func (s *Store) told(ctx context.Context, now time.Time, update string, id smsmcp.TextID) error {
	return s.write(ctx, "outbox", func(t *tx) error {
		_, err := t.Exec(update, int64(id), ms(now))
		if err == nil {
			_, err = t.Exec(`UPDATE outbox SET state = 2 WHERE state = 4 AND at < ?`, ms(now.Add(-renameWithin)))
		}
		if err == nil {
			_, err = t.Exec(`DELETE FROM outbox WHERE state IN (2, 3) AND at < ?`, ms(now.Add(-toldFor)))
		}
		return err
	})
}

// Hold holds a text that waits back for the summary. One that is held already keeps its own time.
func (s *Store) Hold(ctx context.Context, id smsmcp.TextID, due time.Time) error {
	return s.write(ctx, "outbox", func(t *tx) error {
		_, err := t.Exec(`UPDATE outbox SET state = 1, at = ?2 WHERE text = ?1 AND state = 0`, int64(id), ms(due))
		return err
	})
}

// HoldAllBut holds all that wait back for the summary, but for the newest keep.
func (s *Store) HoldAllBut(ctx context.Context, keep int, due time.Time) error {
	return s.write(ctx, "outbox", func(t *tx) error {
		_, err := t.Exec(`UPDATE outbox SET state = 1, at = ?2 WHERE state = 0
			AND text NOT IN (SELECT text FROM outbox WHERE state = 0 ORDER BY at DESC, text DESC LIMIT ?1)`, keep, ms(due))
		return err
	})
}

// Summary counts what is held back.
func (s *Store) Summary(ctx context.Context) (sum smsmcp.Summary, err error) {
	defer outbox(&err)
	r := s.read(ctx)
	// The last of each sender's texts stands for its sender.
	const bySender = `SELECT count(*) AS n, min(o.text) AS first, max(o.text) AS last FROM outbox o CROSS JOIN texts x ON x.id = o.text
		WHERE o.state = 1 GROUP BY ` + whose + `, x.unverified`
	if _, err = engine.One(r, `SELECT coalesce(min(first), 0), coalesce(max(last), 0), coalesce(sum(n), 0), count(*) FROM (`+bySender+`)`, nil,
		&sum.First, &sum.Last, &sum.Texts, &sum.Senders); err != nil {
		return sum, err
	}
	var last []smsmcp.TextID
	err = engine.Each(r, `SELECT last, n FROM (`+bySender+`) ORDER BY n DESC, last LIMIT ?`, []any{mostTallies}, func(rows *sql.Rows) error {
		var id smsmcp.TextID
		var t smsmcp.Tally
		err := rows.Scan(&id, &t.Texts)
		last, sum.Most = append(last, id), append(sum.Most, t)
		return err
	})
	for i := 0; err == nil && i < len(last); i++ {
		var row []smsmcp.Row
		if row, err = s.rows(r, `LEFT JOIN contact_numbers n ON n.number = x.number WHERE x.id = ?`, int64(last[i])); err == nil && len(row) > 0 {
			sum.Most[i].From = smsmcp.Row{Contact: row[0].Contact, Text: smsmcp.Text{
				Direction: smsmcp.Received, Peer: row[0].Text.Peer, Unverified: row[0].Text.Unverified,
			}}
		}
	}
	return sum, err
}

// Summed takes what is held back, up to the text last, out of that: a summary has told of it.
func (s *Store) Summed(ctx context.Context, now time.Time, last smsmcp.TextID) error {
	return s.told(ctx, now, `UPDATE outbox SET state = 3, at = ?2 WHERE state = 1 AND text <= ?1`, last)
}
