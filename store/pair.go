package store

import (
	"crypto/sha256"
	"database/sql"
	"slices"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
	"readback/store/outbox"
)

// One text may come two ways: by a message that nothing vouches for, at once, and in the carrier's list a moment later, each with a key of its own.
// What came by two carriers, from one peer, with the same words, at nearly the same time, is one text (invariant 8). Each text is paired once at
// most, so that of two that are alike each finds its own, in whatever order the four of them come.

const (
	// pairWithin is how far apart the two may say that it was.
	pairWithin = 5 * time.Minute
	// zoneOff is how far off a list without time zones is, to the second, for hours of the year: where daylight saving begins and ends.
	zoneOff = time.Hour
)

// pairOf is what a carrier's word of a text is found by; nil if no other carrier can have one: of what we sent, and of what a caller said.
func pairOf(x smsmcp.Text, carrier string) []byte {
	if x.Direction != smsmcp.Received || x.Key.Kind == smsmcp.Voicemail {
		return nil
	}
	words := smsmcp.BodyDigest(x.Body.RawForRules())
	sum := sha256.Sum256(slices.Concat(words[:], peerOf(x.Peer), []byte{0}, []byte(carrier)))
	return sum[:16]
}

// carriers names those that have texts, by a few steps through the index of keys, and those of list.
func (t *tx) carriers(list []smsmcp.Text) (all []string, err error) {
	err = engine.Each(t, `WITH RECURSIVE c (name) AS (SELECT min(carrier) FROM texts UNION ALL
		SELECT (SELECT min(carrier) FROM texts WHERE carrier > c.name) FROM c WHERE c.name IS NOT NULL) SELECT name FROM c WHERE name <> ''`,
		nil, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			all = append(all, name)
			return err
		})
	for _, x := range list {
		if !slices.Contains(all, x.Key.Carrier) {
			all = append(all, x.Key.Carrier)
		}
	}
	return all, err
}

// near gives the two texts that are nearest in time to ?3, before it and after it, with the distance. The index holds those of one carrier that have not
// been paired in the order of time, so that a flood of the same words is as quickly looked through as one text.
func near(which string) string {
	const of = `SELECT * FROM (SELECT id, kind, unverified, abs(at - ?3) AS off FROM texts WHERE pair = ?1 AND `
	return of + which + ` AND at BETWEEN ?2 AND ?3 ORDER BY at DESC LIMIT 1) UNION ALL ` +
		of + which + ` AND at BETWEEN ?3 AND ?4 ORDER BY at LIMIT 1)`
}

// An unverified text is only ever found to be one that a carrier vouched for: a claim does not vouch for another. Nor does one come before a text that
// was vouched for. No claim is a message with pictures, or to a group: those come by the list alone.
const (
	verified = `unverified = 0`
	claims   = `unverified = 1`
)

var (
	nearListed   = near(verified+` AND kind <> 'mms'`) + ` ORDER BY off LIMIT 1`
	nearVerified = near(verified) + ` ORDER BY off LIMIT 1`
	nearAny      = near(verified) + ` UNION ALL ` + near(claims) + ` ORDER BY unverified, off LIMIT 1`
)

// twin is a stored text that is the same as one that came another way.
type twin struct {
	id    smsmcp.TextID
	kind  smsmcp.Kind
	claim bool
	off   int64 // how far apart in time they are, but for an hour
}

// nearest finds the twin of a received text among those of the other carriers.
func (t *tx) nearest(x smsmcp.Text, carriers []string) (best twin, found bool, err error) {
	query := nearAny
	switch {
	case x.Unverified:
		query = nearListed
	case x.Key.Kind == smsmcp.MMS:
		query = nearVerified
	}
	for _, zone := range []time.Duration{0, -zoneOff, zoneOff} {
		at := x.At.Truncate(time.Second).Add(zone)
		for _, c := range carriers {
			if c == x.Key.Carrier {
				continue
			}
			var w twin
			ok, err := engine.One(t, query, []any{pairOf(x, c), ms(at.Add(-pairWithin)), ms(at), ms(at.Add(pairWithin))}, &w.id, &w.kind, &w.claim, &w.off)
			if err != nil {
				return best, false, err
			}
			if ok && (!found || !w.claim && best.claim || w.claim == best.claim && w.off < best.off) {
				best, found = w, true
			}
		}
		if found {
			break // an hour off is worse than any other
		}
	}
	return best, found, nil
}

// other says whether a received text that is not stored under its key is one that came another way.
func (t *tx) other(now time.Time, x smsmcp.Text, carriers []string) (a arrival, paired bool, err error) {
	w, found, err := t.nearest(x, carriers)
	if !found || err != nil {
		return a, false, err
	}
	key := []any{x.Key.Carrier, string(x.Key.Kind), x.Key.ID}
	if known, err := engine.One(t, `SELECT 1 FROM texts WHERE carrier = ?1 AND kind = ?2 AND ref = ?3
		UNION ALL SELECT 1 FROM ways WHERE carrier = ?1 AND kind = ?2 AND ref = ?3 LIMIT 1`, key, new(int)); known || err != nil {
		return a, known, err
	}
	// A text with pictures is not replaced by one that cannot have any.
	if x.Unverified || !w.claim && w.kind == smsmcp.MMS {
		if _, err := t.Exec(`INSERT INTO ways (carrier, kind, ref, text) VALUES (?, ?, ?, ?)`, append(key, int64(w.id))...); err != nil {
			return a, false, err
		}
		_, err := t.Exec(`UPDATE texts SET pair = NULL WHERE id = ?`, int64(w.id))
		return arrival{absorbed: x.Unverified}, true, err
	}
	if err := t.become(w.id, x); err != nil || !w.claim {
		return a, true, err
	}
	a.owed, err = outbox.Confirmed(t.Tx, now, x.At, w.id, senderOf(x))
	return a, true, err
}

// become gives a stored text what the carrier says of it. Its own key stays known. Since when it is here, and what was told and shown of it, stays.
func (t *tx) become(id smsmcp.TextID, x smsmcp.Text) error {
	if _, err := t.Exec(`INSERT INTO ways (carrier, kind, ref, text) SELECT carrier, kind, ref, id FROM texts WHERE id = ?`, int64(id)); err != nil {
		return err
	}
	c := columnsOf(x)
	_, err := t.Exec(`UPDATE texts SET carrier = ?, kind = ?, ref = ?, number = ?, claim = ?, body = ?, folded = ?, at = ?, images = ?, delivery = ?,
		stop = CASE ? WHEN 0 THEN 0 WHEN stop > 0 THEN stop ELSE `+nextStop+` END, unverified = 0, pair = NULL WHERE id = ?`,
		x.Key.Carrier, string(x.Key.Kind), x.Key.ID, c.number, c.claim, c.body, c.folded, c.at, x.Images, x.Delivery, c.stop, int64(id))
	t.s.memo.heard = nil
	return err
}
