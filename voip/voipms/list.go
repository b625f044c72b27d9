package voipms

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"readback/smsmcp"
)

const (
	pageSize    = 1000   // texts that one call asks for; voip.ms gives 50 unless asked
	maxPageSize = 64_000 // and at most, for one day; the answer's bound in bytes comes first
	maxDays     = 90     // of one call; 92 at most by its documents
	maxWindow   = 5 * 366
	maxLookups  = 32 // calls for media in one list
	maxMemory   = 4096
)

// List gives the texts, received and sent, of the whole Eastern days from one time to another, oldest first.
func (c *Carrier) List(ctx context.Context, from, to time.Time) ([]smsmcp.Text, error) {
	first, last := dayOf(from, c.opt.Zone), dayOf(to, c.opt.Zone)
	if last.before(first) || first.daysUntil(last) > maxWindow {
		return nil, newFault(codeBadWindow)
	}
	var all []smsmcp.Text
	seen := map[smsmcp.Key]bool{}
	for _, kind := range []smsmcp.Kind{smsmcp.SMS, smsmcp.MMS} {
		for d := first; !last.before(d); d = d.add(maxDays) {
			end := d.add(maxDays - 1)
			if last.before(end) {
				end = last
			}
			rows, err := c.days(ctx, kind, d, end, pageSize)
			if err != nil {
				return nil, err
			}
			for _, r := range rows {
				t, err := c.text(kind, r, c.opt.Now())
				if err != nil {
					return nil, err
				}
				if !seen[t.Key] {
					seen[t.Key] = true
					all = append(all, t)
				}
			}
		}
	}
	c.countImages(ctx, all)
	slices.SortStableFunc(all, func(a, b smsmcp.Text) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(len(a.Key.ID), len(b.Key.ID)), cmp.Compare(a.Key.ID, b.Key.ID))
	})
	return all, nil
}

// days gives every row of some days. A page that is full, or too big to read, may lack some: then the days are halved, and for one day the page
// grows.
func (c *Carrier) days(ctx context.Context, kind smsmcp.Kind, first, last day, limit int) ([]row, error) {
	rows, err := c.page(ctx, kind, first, last, limit)
	var f *fault
	tooBig := errors.As(err, &f) && f.code == codeTooBig
	switch {
	case err == nil && len(rows) < limit:
		return rows, nil
	case err != nil && !tooBig:
		return nil, err
	case first.before(last):
		middle := first.add(first.daysUntil(last) / 2)
		a, err := c.days(ctx, kind, first, middle, limit)
		if err != nil {
			return nil, err
		}
		b, err := c.days(ctx, kind, middle.add(1), last, limit)
		if err != nil {
			return nil, err
		}
		return append(a, b...), nil
	case tooBig:
		return nil, err
	case limit >= maxPageSize:
		return nil, newFault(codeListFull)
	}
	return c.days(ctx, kind, first, last, limit*4)
}

// page makes one call. The parameter timezone is left out: it is a fixed offset that knows no summer time.
func (c *Carrier) page(ctx context.Context, kind smsmcp.Kind, first, last day, limit int) ([]row, error) {
	method := "getSMS"
	if kind == smsmcp.MMS {
		method = "getMMS"
	}
	a, err := c.call(ctx, c.list, c.opt.ListTimeout, method,
		field{"did", c.did}, field{"from", first.String()}, field{"to", last.String()}, field{"limit", strconv.Itoa(limit)})
	if empty(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return a.rows()
}

// countImages asks for the media of received MMS whose row told of none. It is a count for the eye: where it cannot be had, the text
// stands without.
func (c *Carrier) countImages(ctx context.Context, texts []smsmcp.Text) {
	lookups := 0
	for i := range texts {
		t := &texts[i]
		if t.Key.Kind != smsmcp.MMS || t.Direction != smsmcp.Received || t.Images > 0 {
			continue
		}
		c.mu.Lock()
		n, known := c.media[t.Key.ID]
		c.mu.Unlock()
		if !known {
			if lookups++; lookups > maxLookups {
				return
			}
			a, err := c.call(ctx, c.list, c.opt.ListTimeout, "getMediaMMS", field{"id", t.Key.ID}, field{"media_as_array", "1"})
			if err != nil {
				return
			}
			n = countMedia(a.Media)
			c.mu.Lock()
			if len(c.media) >= maxMemory {
				clear(c.media)
			}
			c.media[t.Key.ID] = n
			c.mu.Unlock()
		}
		t.Images = n
	}
}
