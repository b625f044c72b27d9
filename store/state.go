package store

import (
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
)

// memo is what the writer read in its last transaction and what no other connection has changed since.
type memo struct {
	texts any
}

// The log in one round trip: rows of one shape, told apart by the first column. A time after ?1 includes one in the future, a hold counts until
// it is over whenever it began: a clock set back opens nothing (invariant 12).
const stateQuery = `
SELECT 0, reserved, contact, confirmed_by <> '', id, state, body_digest FROM sends WHERE counts = 1 AND reserved > ?1
UNION ALL SELECT 1, created, 0, 0, '', '', NULL FROM sends WHERE expires <> 0 AND created > ?1
UNION ALL SELECT * FROM (SELECT 2, answered, 0, 0, '', state, NULL FROM sends WHERE answered <> 0 ORDER BY answered DESC, n DESC LIMIT 2)
UNION ALL SELECT 3, until, since, 0, scope, kind, NULL FROM holds WHERE until > ?2
UNION ALL SELECT 4, 0, 0, 0, '', '', NULL FROM flags WHERE name = 'frozen'`

// state reads what guard.State says, inside the transaction.
func (t *tx) state(now time.Time, to smsmcp.Recipient, need guard.Need) (st guard.State, err error) {
	if err := t.recipient(to, &st); err != nil {
		return st, err
	}
	if need.Body == "" && need.LogSince.IsZero() && need.HeardSince.IsZero() {
		st.Frozen, err = one(t, `SELECT 1 FROM flags WHERE name = 'frozen'`, nil, new(int))
		return st, err
	}
	err = each(t, stateQuery, []any{ms(need.LogSince), ms(now)}, func(rows *sql.Rows) error {
		var what, at, n int64
		var yes bool
		var a, b string
		var digest sql.RawBytes
		if err := rows.Scan(&what, &at, &n, &yes, &a, &b, &digest); err != nil {
			return err
		}
		switch what {
		case 0:
			p := guard.Past{ID: smsmcp.SendID(a), Contact: smsmcp.ContactID(n), At: fromMS(at), State: smsmcp.SendState(b), Confirmed: yes}
			copy(p.Body[:], digest)
			st.Log = append(st.Log, p)
		case 1:
			st.Asked = append(st.Asked, fromMS(at))
		case 2:
			st.Answers = append(st.Answers, guard.Answer{At: fromMS(at), Yes: smsmcp.SendState(b) != smsmcp.Declined})
		case 3:
			st.Holds = append(st.Holds, smsmcp.Hold{Scope: smsmcp.Scope(a), Kind: smsmcp.HoldKind(b), From: fromMS(n), Until: fromMS(at)})
		case 4:
			st.Frozen = true
		}
		return nil
	})
	if err != nil {
		return st, err
	}
	slices.SortStableFunc(st.Log, func(a, b guard.Past) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(st.Asked, time.Time.Compare)
	slices.SortStableFunc(st.Answers, func(a, b guard.Answer) int { return b.At.Compare(a.At) })

	digest := smsmcp.BodyDigest(need.Body)
	list, err := sends(t, `WHERE `+open+` AND (s.state = 'waiting' OR s.contact = ? AND s.body_digest = ?) ORDER BY s.n`,
		st.Contact.ID, digest[:])
	if err != nil {
		return st, err
	}
	for _, s := range list {
		if s.State == smsmcp.Waiting {
			st.Waiting = append(st.Waiting, s)
		} else {
			st.Unsettled = append(st.Unsettled, s)
		}
	}
	if st.NewHosts, err = t.newHosts(need.Hosts); err != nil {
		return st, err
	}
	st.Heard, err = t.heard(need.HeardSince)
	return st, err
}

const recipientQuery = `SELECT c.id, c.revision, EXISTS (SELECT 1 FROM contact_numbers m JOIN texts x ON x.number = m.number AND x.stop = 1
	AND x.id > c.stop_cleared WHERE m.contact = c.id) FROM `

// recipient looks the contact up: by id, or by one whole folded name or alias (invariant 2).
func (t *tx) recipient(to smsmcp.Recipient, st *guard.State) error {
	query, arg := recipientQuery+`contacts c WHERE c.id = ?`, any(to.ID)
	if to.ID == 0 {
		key := fold.Key(to.Name)
		if key == "" {
			return nil
		}
		query, arg = recipientQuery+`contact_names k JOIN contacts c ON c.id = k.contact WHERE k.key = ?`, key
	}
	var id smsmcp.ContactID
	var revision int64
	found, err := one(t, query, []any{arg}, &id, &revision, &st.Stopped)
	if !found || err != nil {
		return err
	}
	st.Known = true
	st.Contact, err = t.s.contact(t, id, revision)
	return err
}

// newHosts are those of hosts that no sent text ever held.
func (t *tx) newHosts(hosts []string) (fresh []string, err error) {
	if len(hosts) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(hosts)
	if err != nil {
		return nil, err
	}
	err = each(t, `SELECT DISTINCT value FROM json_each(?) WHERE value NOT IN (SELECT host FROM hosts)`, []any{string(list)},
		func(rows *sql.Rows) error {
			var h string
			err := rows.Scan(&h)
			fresh = append(fresh, h)
			return err
		})
	return fresh, err
}

// heard are the received texts that were stored or shown after since. A shown mark may be up to shownSlack older than the last showing.
func (t *tx) heard(since time.Time) (list []guard.Heard, err error) {
	err = each(t, `SELECT coalesce(n.contact, 0), x.body, x.stored, coalesce(w.at, 0) FROM (
			SELECT id FROM texts WHERE direction = 1 AND group_of IS NULL AND stored > ?1 UNION SELECT text FROM shown WHERE at > ?2) h
		JOIN texts x ON x.id = h.id LEFT JOIN shown w ON w.text = h.id LEFT JOIN contact_numbers n ON n.number = x.number`,
		[]any{ms(since), ms(since.Add(-shownSlack))}, func(rows *sql.Rows) error {
			var h guard.Heard
			var body sql.RawBytes
			var at, shown int64
			if err := rows.Scan(&h.Contact, &body, &at, &shown); err != nil {
				return err
			}
			h.Body, h.At, h.Shown = untrusted.New(string(body)), fromMS(at), fromMS(shown)
			list = append(list, h)
			return nil
		})
	return list, err
}
