package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/fold"
	"readback/smsmcp/untrusted"
	"readback/store/engine"
	"readback/store/pages"
)

// maxLimit is the most rows that a page has.
const maxLimit = 500

// Texts answers a query: the newest Limit rows that match, oldest first, and how much of strangers' was folded away. A row finds its
// contact by its whole number alone. The contacts that rows point to are shared: they are read, never changed.
func (s *Store) Texts(ctx context.Context, q smsmcp.Query) (smsmcp.Page, error) {
	p, version, ok, err := s.pages.Get(ctx, q)
	if errors.Is(err, pages.ErrClosed) {
		err = ErrClosed
	}
	if err == nil && !ok {
		if p, err = s.page(ctx, q); err == nil {
			s.pages.Put(q, version, p)
		}
	}
	if err != nil {
		return smsmcp.Page{}, fmt.Errorf("texts: %w", engine.Known(err))
	}
	return p, nil
}

// inTime is the part of every query that bounds it in time: ?1 to before (?2, ?3), in the order of (at, id). ?4 is the limit.
const inTime = `x.at >= ?1 AND x.at <= ?2 AND (x.at < ?2 OR x.id < ?3) AND x.group_of IS NULL`

var window = map[bool]string{false: inTime, true: inTime + ` AND x.images > 0 AND x.direction = 1`} // by Query.Images

// whose is one of a text's peer, and senders counts them. A claim of a number and that number are two: each use goes with x.unverified.
const (
	whose   = `coalesce(x.number, x.claim, x.code, x.label, x'')`
	senders = `count(DISTINCT CASE x.unverified WHEN 0 THEN ` + whose + ` END) + count(DISTINCT CASE x.unverified WHEN 1 THEN ` + whose + ` END)`
)

const newestFirst = ` ORDER BY x.at DESC, x.id DESC LIMIT ?4`

func (s *Store) page(ctx context.Context, q smsmcp.Query) (p smsmcp.Page, err error) {
	if q.Limit < 1 || q.Limit > maxLimit {
		return p, fmt.Errorf("limit %d: %w", q.Limit, ErrInvalid)
	}
	r := s.read(ctx)
	args := []any{ms(q.Since), int64(math.MaxInt64), int64(0), q.Limit + 1}
	if !q.Before.At.IsZero() || q.Before.ID != 0 {
		args[1], args[2] = ms(q.Before.At), int64(q.Before.ID)
	}
	where := window[q.Images]
	if q.Contains != "" {
		where += ` AND instr(x.folded, ?5) > 0`
		args = append(args, []byte(fold.Key(clean.Body(q.Contains).Text)))
	}
	switch {
	case q.Contact != 0:
		p.Rows, err = s.ofContact(r, q.Contact, where, args)
	case q.Strangers:
		p.Rows, err = s.rows(r, `LEFT JOIN contact_numbers n ON n.number = x.number WHERE `+where+newestFirst, args...)
	default:
		p.Rows, err = s.rows(r, `CROSS JOIN contact_numbers n ON n.number = x.number WHERE `+where+newestFirst, args...)
	}
	if err != nil {
		return p, err
	}
	if q.Contact == 0 && !q.Strangers {
		_, err = engine.One(r, `SELECT count(*), `+senders+`
			FROM texts x INDEXED BY texts_received WHERE `+where+` AND x.direction = 1 AND ?4 > 0
			AND (x.number IS NULL OR x.number NOT IN (SELECT number FROM contact_numbers))`, args, &p.FoldedTexts, &p.FoldedStrangers)
		if err != nil {
			return p, err
		}
	}
	if len(p.Rows) > q.Limit {
		p.Rows, p.Older = p.Rows[:q.Limit], true
	}
	slices.Reverse(p.Rows)
	return p, nil
}

// ofContact walks each of a contact's numbers by its own index, and merges: newest first, as many as the limit.
func (s *Store) ofContact(r engine.Reader, id smsmcp.ContactID, where string, args []any) (all []smsmcp.Row, err error) {
	var numbers []string
	if err := engine.Each(r, `SELECT number FROM contact_numbers WHERE contact = ?`, []any{id}, func(rows *sql.Rows) error {
		var n string
		err := rows.Scan(&n)
		numbers = append(numbers, n)
		return err
	}); err != nil {
		return nil, err
	}
	for _, n := range numbers {
		if len(args) == 4 {
			args = append(args, nil) // ?5, the words looked for
		}
		some, err := s.rows(r, `LEFT JOIN contact_numbers n ON n.number = x.number WHERE x.number = ?6 AND `+where+newestFirst,
			append(args[:5:5], n)...)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b smsmcp.Row) int {
		return cmp.Or(b.Text.At.Compare(a.Text.At), cmp.Compare(b.Text.ID, a.Text.ID))
	})
	return all[:min(len(all), args[3].(int))], nil
}

// rows gives the texts that a clause selects, each with its contact.
func (s *Store) rows(r engine.Reader, clause string, args ...any) (list []smsmcp.Row, err error) {
	type owner struct {
		id       smsmcp.ContactID
		revision int64
	}
	var owners []owner
	err = engine.Each(r, `SELECT x.id, x.carrier, x.kind, x.ref, x.direction, coalesce(x.number, x.claim, x.code, x.label),
		x.number IS NOT NULL OR x.claim IS NOT NULL, x.code IS NOT NULL, x.unverified, x.body, x.at, x.images, x.delivery, coalesce(n.contact, 0),
		coalesce((SELECT c.revision FROM contacts c WHERE c.id = n.contact), 0) FROM texts x `+clause, args, func(rows *sql.Rows) error {
		var x smsmcp.Text
		var peer, body sql.RawBytes
		var isNumber, isCode bool
		var at int64
		var o owner
		if err := rows.Scan(&x.ID, &x.Key.Carrier, &x.Key.Kind, &x.Key.ID, &x.Direction, &peer, &isNumber, &isCode, &x.Unverified, &body, &at,
			&x.Images, &x.Delivery, &o.id, &o.revision); err != nil {
			return err
		}
		switch {
		case isNumber:
			x.Peer = smsmcp.NumberPeer(smsmcp.Number(peer))
		case isCode:
			x.Peer = smsmcp.Peer{Kind: smsmcp.PeerCode, Code: string(peer)}
		default:
			x.Peer = smsmcp.LabelPeer(string(peer))
		}
		x.Body, x.At = untrusted.New(string(body)), fromMS(at)
		list, owners = append(list, smsmcp.Row{Text: x}), append(owners, o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := map[smsmcp.ContactID]*smsmcp.Contact{}
	for i, o := range owners {
		if o.id == 0 {
			continue
		}
		if found[o.id] == nil {
			c, err := s.contact(r, o.id, o.revision)
			if err != nil {
				return nil, err
			}
			if c.ID == 0 {
				continue // removed since: a stranger's text now
			}
			found[o.id] = &c
		}
		list[i].Contact = found[o.id]
	}
	return list, nil
}
