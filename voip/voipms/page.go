package voipms

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"readback/smsmcp"
)

const (
	maxRow  = 8 << 20 // bytes of one row: three media of 1.2 MB may stand in it as they are
	rowCost = 256     // bytes that a row costs at least, once it is kept
)

// page is what one call for a list gave.
type page struct {
	texts []smsmcp.Text
	rows  int  // that were read, those that make no text among them
	bad   int  // that make no text
	cost  int  // of keeping the texts, in bytes
	full  bool // as many rows came as were asked for: there may be more
	cut   bool // the answer was longer than its bound, and the rest was not read
}

// query is one call for a list: a kind, some days, and how much of them.
type query struct {
	kind        smsmcp.Kind
	first, last day
	limit       int           // rows
	bound       int           // bytes of the answer
	timeout     time.Duration // to the end of the answer
}

// page makes one call. The parameter timezone is left out: it is a fixed offset that knows no summer time.
func (c *Carrier) page(ctx context.Context, q query) (page, error) {
	method := "getSMS"
	if q.kind == smsmcp.MMS {
		method = "getMMS"
	}
	var p page
	err := c.post(ctx, c.list, q.timeout, method, func(r io.Reader) (err error) {
		p, err = c.readPage(r, q)
		return err
	}, field{"did", c.did}, field{"from", q.first.String()}, field{"to", q.last.String()}, field{"limit", strconv.Itoa(q.limit)})
	if empty(err) {
		return page{}, nil
	}
	return p, err
}

// readPage reads an answer row by row. One that is cut or full is not read to its end, and need not have told its status yet.
func (c *Carrier) readPage(r io.Reader, q query) (page, error) {
	s := newStream(r, q.bound)
	if head, _ := s.r.Peek(16); webPage(head) {
		return page{}, newFault(codeHTML, smsmcp.ErrDown)
	}
	var p page
	var status scalar
	listed, now := false, c.opt.Now()
	err := s.members(func(name string) error {
		first, err := s.next()
		switch {
		case err != nil:
			return err
		case name == "sms" && first == '[':
			listed = true
			return s.each('[', ']', func() error {
				raw, whole, err := s.value(maxRow)
				if err != nil {
					return err
				}
				p.add(c, q.kind, raw, whole, now)
				if p.rows == q.limit {
					p.full = true
					return errEnough
				}
				return nil
			})
		case name == "status":
			raw, _, err := s.value(1 << 10)
			if err == nil && json.Unmarshal(raw, &status) != nil {
				err = errShape
			}
			return err
		}
		_, _, err = s.value(0)
		return err
	})
	p.cut = errors.Is(err, errBound)
	switch {
	case p.cut && !listed:
		return page{}, newFault(codeTooBig)
	case errors.Is(err, errShape), errors.Is(err, io.EOF):
		return page{}, newFault(codeBadAnswer)
	case err != nil && !p.cut && !p.full:
		return page{}, err
	case status != "success" && status != "":
		return page{}, newStatus(string(status))
	case !listed, status == "" && err == nil:
		return page{}, newFault(codeBadAnswer)
	}
	return p, nil
}

// add makes a text of a row. A row that makes none costs no other, and is counted: nothing is lost in silence.
func (p *page) add(c *Carrier, kind smsmcp.Kind, raw []byte, whole bool, now time.Time) {
	p.rows++
	var r row
	if whole && json.Unmarshal(raw, &r) == nil {
		if t, ok := c.text(kind, r, now); ok {
			p.texts = append(p.texts, t)
			p.cost += max(len(raw), rowCost)
			return
		}
	}
	p.bad++
}

func webPage(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n\ufeff")
	return len(b) > 0 && b[0] == '<'
}
