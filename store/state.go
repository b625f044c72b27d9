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
	"readback/store/engine"
)

// stateQuery is the log in one round trip: rows of one shape, told apart by the first column. A time after ?1 includes one in the future, and a
// hold counts until it is over whenever it began: a clock set back opens nothing (invariant 12). Of answers it gives the last two before ?2,
// which is now, and all that are later: those are none of the last two while there are others, or a yes given on a fast clock would end every
// pause after it. Sends that a call alone can answer are asked and answered apart.
const stateQuery = `
SELECT 0, reserved, contact, confirmed_by <> '', id, state, number, body_digest FROM sends
	WHERE tally IN (1, 2) AND reserved > ?1 AND state <> 'waiting'
UNION ALL SELECT 1, created, 0, 0, '', '', '', NULL FROM sends WHERE expires <> 0 AND only_by = '' AND created > ?1
UNION ALL SELECT * FROM (SELECT 2, answered, 0, 0, '', state, '', NULL FROM sends WHERE answered <> 0 AND only_by = '' AND answered <= ?2
	ORDER BY answered DESC, n DESC LIMIT 2)
UNION ALL SELECT * FROM (SELECT 2, answered, 0, 0, '', state, '', NULL FROM sends WHERE answered <> 0 AND only_by = '' AND answered > ?2 ORDER BY answered DESC, n DESC)
UNION ALL SELECT 3, until, since, 0, scope, kind, '', NULL FROM holds WHERE until > ?1
UNION ALL SELECT 4, 0, 0, 0, '', '', '', NULL FROM flags WHERE name = 'frozen'`

// state reads what guard.State says, inside the transaction. The zero Need wants the contact and the freeze alone.
func (t *tx) state(now time.Time, to smsmcp.Recipient, need guard.Need) (st guard.State, err error) {
	if err := t.recipient(to, &st); err != nil {
		return st, err
	}
	if need.Body == "" && need.LogSince.IsZero() && need.HeardSince.IsZero() {
		st.Frozen, err = engine.One(t, `SELECT 1 FROM flags WHERE name = 'frozen'`, nil, new(int))
		return st, err
	}
	if err := t.fresh(); err != nil {
		return st, err
	}
	m := &t.s.memo
	if since := min(ms(need.LogSince), ms(now)); m.log == nil || m.log.since > since || m.log.ahead(ms(now)) {
		if m.log, err = t.readLog(since, ms(now)); err != nil {
			return st, err
		}
	}
	m.log.fill(&st, now, need)
	if since := ms(need.HeardSince); m.heard == nil || m.heard.since > since {
		if m.heard, err = t.readHeard(since); err != nil {
			return st, err
		}
	}
	st.Heard, st.HeardMore = m.heard.after(ms(need.HeardSince))
	st.NewHosts, err = t.newHosts(need.Hosts)
	return st, err
}

func (t *tx) readLog(since, now int64) (*logMemo, error) {
	m := &logMemo{since: since, now: now}
	err := engine.Each(t, stateQuery, []any{since, now}, func(rows *sql.Rows) error {
		var what, at, n int64
		var yes bool
		var a, b, number string
		var digest sql.RawBytes
		if err := rows.Scan(&what, &at, &n, &yes, &a, &b, &number, &digest); err != nil {
			return err
		}
		switch what {
		case 0:
			p := guard.Past{
				ID: smsmcp.SendID(a), Contact: smsmcp.ContactID(n), To: smsmcp.Number(number), At: fromMS(at), State: smsmcp.SendState(b), Confirmed: yes,
			}
			copy(p.Body[:], digest)
			m.past = append(m.past, p)
		case 1:
			m.asked = append(m.asked, fromMS(at))
		case 2:
			m.answers = append(m.answers, guard.Answer{At: fromMS(at), Yes: smsmcp.SendState(b) != smsmcp.Declined})
		case 3:
			m.holds = append(m.holds, smsmcp.Hold{Scope: smsmcp.Scope(a), Kind: smsmcp.HoldKind(b), From: fromMS(n), Until: fromMS(at)})
		case 4:
			m.frozen = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(m.past, byTime)
	slices.SortStableFunc(m.asked, time.Time.Compare)
	slices.SortStableFunc(m.answers, func(a, b guard.Answer) int { return b.At.Compare(a.At) })
	list, err := sends(t, `WHERE `+open+` ORDER BY s.n`)
	for _, s := range list {
		m.open = append(m.open, openSend{s, smsmcp.BodyDigest(s.Draft.Body())})
	}
	return m, err
}

const recipientQuery = `SELECT c.id, c.revision, EXISTS (SELECT 1 FROM contact_numbers m JOIN texts x ON x.number = m.number AND x.stop > 0
	AND x.stop > c.stop_cleared WHERE m.contact = c.id) FROM `

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
	found, err := engine.One(t, query, []any{arg}, &id, &revision, &st.Stopped)
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
	err = engine.Each(t, `SELECT DISTINCT value FROM json_each(?) WHERE value NOT IN (SELECT host FROM hosts)`, []any{string(list)},
		func(rows *sql.Rows) error {
			var h string
			err := rows.Scan(&h)
			fresh = append(fresh, h)
			return err
		})
	return fresh, err
}

// readHeard gives the newest of the received texts that were stored or shown after since. One that is unverified counts once it is shown: nobody has
// heard of it before, and a burst of them is written in a second. The newest of all are among the newest of either
// kind, so it reads no more than those, however many there are.
func (t *tx) readHeard(since int64) (*heardMemo, error) {
	const limit = guard.MaxHeard + 1
	slack := shownSlack.Milliseconds()
	m, known := &heardMemo{since: since}, heard{}
	err := engine.Each(t, `SELECT x.id, x.pair IS NULL, coalesce(n.contact, 0), x.body, x.stored, coalesce(w.at + ?2, 0), max(x.stored, coalesce(w.at + ?2, 0)) AS newest FROM (
			SELECT id FROM (SELECT id FROM texts WHERE direction = 1 AND group_of IS NULL AND unverified = 0 AND stored > ?1 ORDER BY stored DESC, id DESC LIMIT ?3)
			UNION SELECT text FROM (SELECT text FROM shown WHERE at > ?1 - ?2 ORDER BY at DESC, text DESC LIMIT ?3)) h
		JOIN texts x ON x.id = h.id LEFT JOIN shown w ON w.text = h.id LEFT JOIN contact_numbers n ON n.number = x.number
		ORDER BY newest DESC, h.id DESC LIMIT ?3`,
		[]any{since, slack, limit}, func(rows *sql.Rows) error {
			var id heardKey
			var contact smsmcp.ContactID
			var body sql.RawBytes
			var at, shown, newest int64
			if err := rows.Scan(&id.text, &id.paired, &contact, &body, &at, &shown, &newest); err != nil {
				return err
			}
			if len(m.list) == guard.MaxHeard {
				m.left = newest
				return nil
			}
			h, ok := t.s.heard[id]
			if !ok {
				h = guard.NewHeard(contact, untrusted.New(string(body)), fromMS(at), fromMS(shown))
			}
			h.Contact, h.At, h.Shown = contact, fromMS(at), fromMS(shown)
			m.list, known[id] = append(m.list, h), h
			return nil
		})
	slices.Reverse(m.list)
	t.s.heard = known
	return m, err
}

// after gives what was stored or shown after since, and whether there was more of it.
func (m *heardMemo) after(since int64) (list []guard.Heard, more bool) {
	for _, h := range m.list {
		if max(ms(h.At), ms(h.Shown)) > since {
			list = append(list, h)
		}
	}
	return list, m.left > since
}
