package outbox

import (
	"database/sql"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

const (
	mostTallies = 8    // how many senders a summary names
	mostCounted = 1000 // how far is counted what waits, and what is held back: a flood is not to be counted anew with each text
)

// first is the text that is told of next: the oldest of contacts' that waits, and if none does the oldest of all. It is a step in an index for each number
// that a contact has, however many others wait.
const first = `coalesce((SELECT min(o.text) FROM contact_numbers n CROSS JOIN outbox o INDEXED BY outbox_sender ON o.state = 0 AND o.sender = n.number),
	(SELECT text FROM outbox WHERE state = 0 ORDER BY at, text LIMIT 1))`

// sizes counts no further than it is asked to.
const sizes = `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE state = 0 LIMIT ?1)), (SELECT count(*) FROM (SELECT 1 FROM outbox WHERE state = 1 LIMIT ?1)),
	coalesce((SELECT min(at) FROM outbox WHERE state = 1), 0)`

// Owed says what is in the outbox, and which texts are the First and the Known one, 0 for none.
func Owed(r engine.Reader) (o smsmcp.Owed, next, known smsmcp.TextID, err error) {
	defer wrap(&err)
	var due int64
	if _, err = engine.One(r, sizes, []any{mostCounted}, &o.Waiting, &o.Held, &due); err != nil {
		return o, 0, 0, err
	}
	if o.Held > 0 {
		o.Due = time.UnixMilli(due).UTC()
	}
	if next, o.Stored, err = text(r, first); err == nil {
		known, o.KnownStored, err = text(r, `(SELECT text FROM outbox WHERE state = 4 ORDER BY at, text LIMIT 1)`)
	}
	return o, next, known, err
}

// text gives a text that was looked for, and when it was stored.
func text(r engine.Reader, which string) (id smsmcp.TextID, stored time.Time, err error) {
	var at int64
	found, err := engine.One(r, `SELECT id, stored FROM texts WHERE id = `+which, nil, &id, &at)
	if found {
		stored = time.UnixMilli(at).UTC()
	}
	return id, stored, err
}

const pace = `SELECT count(*) FILTER (WHERE sender = ?3), count(*) FILTER (WHERE (sender IN ` + contacts + `) = (?3 IN ` + contacts + `)),
	EXISTS (SELECT 1 FROM outbox WHERE state = 1 AND sender = ?3) FROM outbox WHERE state IN (2, 4) AND at > ?1 AND at <= ?2`

// Pace counts the notifications given after from and up to to, of a sender and of all senders of its kind. Who claims a number is not who has it, and is a
// stranger: a flood of claims holds back no text of the contact whose number it is.
func Pace(r engine.Reader, sender any, from, to time.Time) (p smsmcp.Pace, err error) {
	defer wrap(&err)
	_, err = engine.One(r, pace, []any{ms(from), ms(to), sender}, &p.Sender, &p.Kind, &p.Held)
	return p, err
}

// Summary counts what is held back. The last of each sender's texts stands for its sender: they are given beside the tallies.
func Summary(r engine.Reader) (sum smsmcp.Summary, last []smsmcp.TextID, err error) {
	defer wrap(&err)
	const bySender = `SELECT sender, count(*) AS n, min(text) AS first, max(text) AS last FROM outbox WHERE state = 1 GROUP BY sender`
	if _, err = engine.One(r, `SELECT coalesce(min(first), 0), coalesce(max(last), 0), coalesce(sum(n), 0), count(*) FROM (`+bySender+`)`, nil,
		&sum.First, &sum.Last, &sum.Texts, &sum.Senders); err != nil {
		return sum, nil, err
	}
	err = engine.Each(r, `SELECT last, n FROM (`+bySender+`) ORDER BY sender IN `+contacts+` DESC, n DESC, last LIMIT ?`, []any{mostTallies}, func(rows *sql.Rows) error {
		var id smsmcp.TextID
		var t smsmcp.Tally
		err := rows.Scan(&id, &t.Texts)
		last, sum.Most = append(last, id), append(sum.Most, t)
		return err
	})
	return sum, last, err
}
