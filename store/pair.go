package store

import (
	"crypto/sha256"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

// One text may come two ways: by a message that nothing vouches for, at once, and in the carrier's list a moment later, each with a key of its own.
// What came by two carriers, from one peer, with the same words, at nearly the same time, is one text (invariant 8). Each text is paired once at
// most, so that of two that are alike each finds its own, in whatever order the four of them come.

const (
	// pairWithin is how far apart the two may say that it was: a list without time zones is an hour off twice a year.
	pairWithin = 90 * time.Minute
	// renameWithin is how long after its notification the owner is still told whose a text was.
	renameWithin = time.Hour
)

// pairOf is what the same text has that came another way; nil if there can be none.
func pairOf(x smsmcp.Text) []byte {
	if x.Direction != smsmcp.Received {
		return nil
	}
	words := smsmcp.BodyDigest(x.Body.RawForRules())
	b := append(words[:], byte(x.Peer.Kind))
	switch x.Peer.Kind {
	case smsmcp.PeerNumber:
		b = append(b, x.Peer.Number...)
	case smsmcp.PeerCode:
		b = append(b, x.Peer.Code...)
	default:
		return nil
	}
	sum := sha256.Sum256(b)
	return sum[:16]
}

// near gives the two texts of other carriers that are nearest in time to ?4, before it and after it, with the distance.
func near(unverified string) string {
	const of = `SELECT * FROM (SELECT id, kind, unverified, abs(at - ?4) AS off FROM texts WHERE pair = ?1 AND carrier <> ?2 AND unverified = `
	return of + unverified + ` AND at BETWEEN ?3 AND ?4 ORDER BY at DESC LIMIT 1) UNION ALL ` +
		of + unverified + ` AND at BETWEEN ?4 AND ?5 ORDER BY at LIMIT 1)`
}

// An unverified text is only ever found to be one that the carrier vouched for: a claim does not vouch for another. The index has each side apart, so
// a flood of the one does not slow the search for the other.
var (
	nearVerified = near("0") + ` ORDER BY off LIMIT 1`
	nearAny      = near("1") + ` UNION ALL ` + near("0") + ` ORDER BY off LIMIT 1`
)

// other says whether a received text that is not stored under its key is one that came another way. What was a claim, and has been told of by itself a
// moment ago, is to be told of again where it turns out to be a contact's: named.
func (t *tx) other(now time.Time, x smsmcp.Text, pair []byte) (paired, named bool, err error) {
	at := x.At.Truncate(time.Second)
	query := nearAny
	if x.Unverified {
		query = nearVerified
	}
	var id int64
	var kind smsmcp.Kind
	var claim bool
	found, err := engine.One(t, query, []any{pair, x.Key.Carrier, ms(at.Add(-pairWithin)), ms(at), ms(at.Add(pairWithin))}, &id, &kind, &claim, new(int64))
	if !found || err != nil {
		return false, false, err
	}
	key := []any{x.Key.Carrier, string(x.Key.Kind), x.Key.ID}
	if known, err := engine.One(t, `SELECT 1 FROM texts WHERE carrier = ?1 AND kind = ?2 AND ref = ?3
		UNION ALL SELECT 1 FROM ways WHERE carrier = ?1 AND kind = ?2 AND ref = ?3 LIMIT 1`, key, new(int)); known || err != nil {
		return known, false, err
	}
	// A text with pictures is not replaced by one that cannot have any.
	if x.Unverified || !claim && kind == smsmcp.MMS {
		if _, err := t.Exec(`INSERT INTO ways (carrier, kind, ref, text) VALUES (?, ?, ?, ?)`, append(key, id)...); err != nil {
			return false, false, err
		}
		_, err := t.Exec(`UPDATE texts SET pair = NULL WHERE id = ?`, id)
		return true, false, err
	}
	if err := t.become(id, x); err != nil || !claim {
		return true, false, err
	}
	n, err := t.Exec(`UPDATE outbox SET state = 4 WHERE text = ?1 AND state = 2 AND at > ?2
		AND (SELECT number FROM texts WHERE id = ?1) IN (SELECT number FROM contact_numbers)`, id, ms(now.Add(-renameWithin)))
	return true, n > 0, err
}

// become gives a stored text what the carrier says of it. Its own key stays known. Since when it is here, and what was told and shown of it, stays.
func (t *tx) become(id int64, x smsmcp.Text) error {
	if _, err := t.Exec(`INSERT INTO ways (carrier, kind, ref, text) SELECT carrier, kind, ref, id FROM texts WHERE id = ?`, id); err != nil {
		return err
	}
	c := columnsOf(x)
	_, err := t.Exec(`UPDATE texts SET carrier = ?, kind = ?, ref = ?, number = ?, claim = ?, body = ?, folded = ?, at = ?, images = ?, delivery = ?,
		stop = ?, unverified = 0, pair = NULL WHERE id = ?`,
		x.Key.Carrier, string(x.Key.Kind), x.Key.ID, c.number, c.claim, c.body, c.folded, c.at, x.Images, x.Delivery, c.stop, id)
	t.s.memo.heard = nil
	return err
}
