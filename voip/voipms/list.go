package voipms

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"readback/smsmcp"
)

const (
	pageSize    = 1000     // texts that one call asks for; voip.ms gives 50 unless asked
	maxPageSize = 64_000   // and at most, for one day
	maxList     = 32 << 20 // bytes of rows of one kind that one list keeps
	minBound    = 64 << 10 // and with less of them left, no more is asked for
	maxDays     = 90       // of one call; 92 at most by its documents
	maxWindow   = 5 * 366
)

// List gives the texts, received and sent, of the whole Eastern days from one time to another, oldest first. Rows that cannot be read, and
// those of a day that holds too many, are left out and told of by an error that wraps smsmcp.ErrPartial.
func (c *Carrier) List(ctx context.Context, from, to time.Time) ([]smsmcp.Text, error) {
	first, last := dayOf(from, c.opt.Zone), dayOf(to, c.opt.Zone)
	if last.before(first) || first.daysUntil(last) > maxWindow {
		return nil, newFault(codeBadWindow)
	}
	var all []smsmcp.Text
	var lacks partial
	for _, kind := range []smsmcp.Kind{smsmcp.SMS, smsmcp.MMS} {
		l := listing{c: c, kind: kind, left: maxList, seen: map[string]bool{}}
		// The newest days come first: they are the ones to have where not all can be had.
		for end := last; !end.before(first); end = end.add(-maxDays) {
			begin := end.add(1 - maxDays)
			if begin.before(first) {
				begin = first
			}
			if err := l.days(ctx, begin, end); err != nil {
				return nil, err
			}
		}
		all = append(all, l.texts...)
		lacks.rows, lacks.full = lacks.rows+l.bad, lacks.full || l.full
	}
	slices.SortStableFunc(all, func(a, b smsmcp.Text) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(len(a.Key.ID), len(b.Key.ID)), cmp.Compare(a.Key.ID, b.Key.ID))
	})
	c.countImages(ctx, all)
	if lacks != (partial{}) {
		return all, &lacks
	}
	return all, nil
}

// listing is the work on the texts of one kind.
type listing struct {
	c     *Carrier
	kind  smsmcp.Kind
	texts []smsmcp.Text
	seen  map[string]bool // ids
	left  int             // bytes of rows that may still be kept
	bad   int             // rows that cannot be read
	full  bool            // some texts were not even read
}

// days lists some days. A page that is full, or too big to read, lacks some texts: then the days are halved, and for one day more is read.
func (l *listing) days(ctx context.Context, first, last day) error {
	if l.left < minBound {
		l.full = true
		return nil
	}
	many := first.before(last)
	q := query{kind: l.kind, first: first, last: last, limit: pageSize, bound: l.left, timeout: l.c.opt.ListTimeout}
	if many {
		q.bound = min(q.bound, maxAnswer)
	}
	p, err := l.c.page(ctx, q)
	var f *fault
	switch {
	case many && (p.full || p.cut || errors.As(err, &f) && f.code == codeTooBig):
		middle := first.add(first.daysUntil(last) / 2)
		if err := l.days(ctx, middle.add(1), last); err != nil {
			return err
		}
		return l.days(ctx, first, middle)
	case err != nil:
		return err
	case p.full:
		if p = l.grow(ctx, q, p); ctx.Err() != nil {
			return broken(ctx, codeCancelled, true)
		}
	}
	l.keep(p)
	return nil
}

// grow asks for more of a day whose page was full. Where no more can be had, the page stands as it is, and is still full. Each try has a
// part of the time that a call may take, so that a day that is too much for the line leaves some for the rest.
func (l *listing) grow(ctx context.Context, q query, p page) page {
	q.timeout /= 3
	for q.limit < maxPageSize && p.full {
		q.limit *= 4
		more, err := l.c.page(ctx, q)
		// No more rows than before: the carrier gives no larger pages, whatever it is asked for. Or the day has just so many: that cannot
		// be told apart, and a list that is said to lack something is the lesser harm.
		if err != nil || more.rows <= p.rows {
			break
		}
		p = more
	}
	return p
}

func (l *listing) keep(p page) {
	for _, t := range p.texts {
		if !l.seen[t.Key.ID] {
			l.seen[t.Key.ID] = true
			l.texts = append(l.texts, t)
		}
	}
	l.left -= p.cost
	l.bad += p.bad
	l.full = l.full || p.full || p.cut
}
