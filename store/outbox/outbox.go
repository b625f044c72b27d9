// Package outbox is the table of the received texts of which the owner is to be told, each by a notification of its own or many by one summary.
//
// A text in it waits (state 0), is held back for a summary (1), or was told, by itself (2) or in a summary (3). One that was told by itself as a claim,
// and is a contact's since, waits for a notification with the name (4). It keeps the time when it was told: no limit counts it anew. Of what waits,
// the texts of contacts come first: whoever writes under many names, or under a contact's, keeps no contact's text from the owner (invariants 3 and 8).
//
// Whose a text is, its sender, is a number alone where the carrier vouches for that, as contacts have it, and bytes that are no number where it does
// not: so a claim of a number is another sender, in every query here.
//
// Floor 2: imports smsmcp and store/engine.
package outbox

import (
	"context"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

const (
	// renameWithin is how long after its notification the owner is still told whose a text was.
	renameWithin = time.Hour
	// laterBy is how much later than its notification a text may have been sent, by clocks that are not quite right.
	laterBy = 5 * time.Minute
	// toldFor is how long it is kept that the owner was told of a text. Limits look back less.
	toldFor = 24 * time.Hour
)

// contacts are the numbers that contacts have.
const contacts = `(SELECT number FROM contact_numbers)`

// Owe puts a received text into the outbox, unless it is a further leg of a group message.
func Owe(t *engine.Tx, id smsmcp.TextID, sender any) error {
	_, err := t.Exec(`INSERT INTO outbox (text, state, at, sender) SELECT id, 0, 0, ?2 FROM texts WHERE id = ?1 AND group_of IS NULL`, int64(id), sender)
	return err
}

// Confirmed follows a text that was a claim and is now known to be the sender's, who sent it at sent. What the owner has to hear of it is owed: its
// name, if it is a contact's that was told of just now; the text itself, if it is a contact's and was only held back or counted with others, or
// whoever's it is if what was told came well before it was sent, and so was not of it. wake says that something is.
func Confirmed(t *engine.Tx, now, sent time.Time, id smsmcp.TextID, sender any) (wake bool, err error) {
	if _, err := t.Exec(`UPDATE outbox SET sender = ?2 WHERE text = ?1`, int64(id), sender); err != nil {
		return false, err
	}
	if now.Before(sent) { // a list that is an hour off
		sent = now
	}
	anew, err := t.Exec(`UPDATE outbox SET state = 0, at = 0 WHERE text = ?1 AND (state IN (1, 3) AND ?2 IN `+contacts+` OR state IN (2, 3) AND at < ?3)`,
		int64(id), sender, ms(sent.Add(-laterBy)))
	if err != nil {
		return false, err
	}
	named, err := t.Exec(`UPDATE outbox SET state = 4 WHERE text = ?1 AND state = 2 AND at > ?3 AND ?2 IN `+contacts, int64(id), sender, ms(now.Add(-renameWithin)))
	return anew+named > 0, err
}

// Told takes a text that waits, or that waits for its name, out of those: the owner has its notification.
func Told(ctx context.Context, db *engine.DB, now time.Time, id smsmcp.TextID) error {
	return told(ctx, db, now, `UPDATE outbox SET at = CASE state WHEN 0 THEN ?2 ELSE at END, state = 2 WHERE text = ?1 AND state IN (0, 4)`, id)
}

// ToldClaim is Told of a text that was told of as a claim. One that turned out to be a contact's meanwhile waits for its name.
func ToldClaim(ctx context.Context, db *engine.DB, now time.Time, id smsmcp.TextID) error {
	return told(ctx, db, now, `UPDATE outbox SET at = ?2, state = CASE WHEN sender IN `+contacts+` THEN 4 ELSE 2 END WHERE text = ?1 AND state = 0`, id)
}

// Summed takes what is held back, up to the text last, out of that: a summary has told of it.
func Summed(ctx context.Context, db *engine.DB, now time.Time, last smsmcp.TextID) error {
	return told(ctx, db, now, `UPDATE outbox SET state = 3, at = ?2 WHERE state = 1 AND text <= ?1`, last)
}

// told does what is told, and drops what no limit looks back to, and names that come too late.
func told(ctx context.Context, db *engine.DB, now time.Time, update string, id smsmcp.TextID) error {
	return db.Write(ctx, "outbox", func(t *engine.Tx) error {
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

// Hold holds back all of a sender's texts that wait, until a summary that is due then.
func Hold(ctx context.Context, db *engine.DB, sender any, due time.Time) error {
	return hold(ctx, db, due, `sender = ?2`, sender)
}

// HoldStrangers holds back all that wait and are no contact's.
func HoldStrangers(ctx context.Context, db *engine.DB, due time.Time) error {
	return hold(ctx, db, due, `sender NOT IN `+contacts)
}

// HoldAllBut holds back all that wait but for keep of them: the newest of contacts', and then of the others.
func HoldAllBut(ctx context.Context, db *engine.DB, keep int, due time.Time) error {
	return hold(ctx, db, due, `text NOT IN (SELECT text FROM outbox WHERE state = 0 ORDER BY sender IN `+contacts+` DESC, text DESC LIMIT ?2)`, keep)
}

// hold holds back those that wait of which a condition holds. What is held already keeps its own time.
func hold(ctx context.Context, db *engine.DB, due time.Time, which string, args ...any) error {
	return db.Write(ctx, "outbox", func(t *engine.Tx) error {
		_, err := t.Exec(`UPDATE outbox SET state = 1, at = ?1 WHERE state = 0 AND `+which, append([]any{ms(due)}, args...)...)
		return err
	})
}

// ms is a time as it is stored.
func ms(t time.Time) int64 { return t.UnixMilli() }

// wrap says of an error where it comes from.
func wrap(err *error) {
	if *err != nil {
		*err = fmt.Errorf("outbox: %w", *err)
	}
}
