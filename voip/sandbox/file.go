package sandbox

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

const (
	maxLine   = 1 << 20 // bytes; a longer one was not written here, and is passed over
	maxTime   = 253402300799
	maxImages = 100
)

// line is a text as the file holds it.
type line struct {
	Kind   smsmcp.Kind `json:"kind"`
	ID     string      `json:"id"`
	Sent   bool        `json:"sent,omitempty"`
	Number string      `json:"number,omitempty"`
	Code   string      `json:"code,omitempty"`
	Label  string      `json:"label,omitempty"`
	At     int64       `json:"at"` // Unix seconds
	Images int         `json:"images,omitempty"`
	Body   string      `json:"body"`
}

// append writes a text in one write. It starts with a line break of its own, so that whatever another process left unfinished before it is
// a line apart.
func (c *Carrier) append(t smsmcp.Text) error {
	var b bytes.Buffer
	b.WriteByte('\n')
	enc := json.NewEncoder(&b) // ends the line
	enc.SetEscapeHTML(false)
	err := enc.Encode(line{
		Kind: t.Key.Kind, ID: t.Key.ID, Sent: t.Direction == smsmcp.Sent,
		Number: string(t.Peer.Number), Code: t.Peer.Code, Label: t.Peer.Label.RawForStore(),
		At: t.At.Unix(), Images: t.Images, Body: t.Body.RawForStore(),
	})
	if err != nil {
		return err
	}
	if n, err := c.file.Write(b.Bytes()); err != nil && n < b.Len()-1 { // without its last break it is still a whole line
		return err
	}
	return nil
}

// parse reads a line, and says false of one that holds no text.
func parse(b []byte) (smsmcp.Text, bool) {
	var l line
	if json.Unmarshal(b, &l) != nil {
		return smsmcp.Text{}, false
	}
	known := l.Kind == smsmcp.SMS || l.Kind == smsmcp.MMS
	if !known || l.ID == "" || len(l.ID) > 40 || strings.Trim(l.ID, "0123456789abcdef") != "" ||
		l.At < 0 || l.At > maxTime || l.Images < 0 || l.Images > maxImages || len(l.Body) > 3*maxBody {
		return smsmcp.Text{}, false
	}
	t := smsmcp.Text{
		Key: smsmcp.Key{Carrier: "sandbox", Kind: l.Kind, ID: l.ID}, Direction: smsmcp.Received, Peer: l.peer(),
		Body: untrusted.New(l.Body), At: time.Unix(l.At, 0).UTC(), Images: l.Images,
	}
	if l.Sent {
		t.Direction, t.Delivery = smsmcp.Sent, delivered
	}
	return t, true
}

// peer gives what one of the three fields names; a number that is none is a label.
func (l line) peer() smsmcp.Peer {
	if n, err := smsmcp.ParseNumber(l.Number); err == nil && l.Code == "" && l.Label == "" {
		return smsmcp.NumberPeer(n)
	}
	if l.Number == "" && l.Label == "" && l.Code != "" {
		return smsmcp.CodePeer(l.Code)
	}
	return smsmcp.LabelPeer(l.Label + l.Number)
}

// List gives the texts from one time to another, both whole seconds included.
func (c *Carrier) List(ctx context.Context, from, to time.Time) ([]smsmcp.Text, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed("cancelled", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.refresh(); err != nil {
		return nil, failed("sandbox_file", err, smsmcp.ErrDown)
	}
	after := func(t smsmcp.Text, at int64) int { return cmp.Compare(t.At.Unix(), at) }
	first, _ := slices.BinarySearchFunc(c.index, from.Unix(), after)
	last, _ := slices.BinarySearchFunc(c.index, to.Unix()+1, after)
	if first >= last {
		return nil, nil
	}
	return slices.Clone(c.index[first:last]), nil
}

// refresh reads what was appended since the last time, by whomever. The caller holds the lock.
func (c *Carrier) refresh() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < c.read { // emptied by hand
		c.read, c.index = 0, nil
	}
	if info.Size() == c.read {
		return nil
	}
	known := len(c.index)
	done, err := scan(io.NewSectionReader(c.file, c.read, info.Size()-c.read), func(b []byte) {
		if t, ok := parse(b); ok {
			c.index = append(c.index, t)
		}
	})
	if err != nil {
		c.index = c.index[:known]
		return err
	}
	c.read += done
	byTime := func(a, b smsmcp.Text) int { return a.At.Compare(b.At) }
	if !slices.IsSortedFunc(c.index[max(known-1, 0):], byTime) {
		slices.SortStableFunc(c.index, byTime)
	}
	return nil
}

// scan hands over every line that is ended, empty and overlong ones left out, and says how many bytes they were. What follows the last
// line break is unfinished, and read again when there is more.
func scan(r io.Reader, take func([]byte)) (done int64, err error) {
	br := bufio.NewReaderSize(r, 64<<10)
	var whole []byte // of a line longer than the buffer
	var pending int64
	for {
		part, err := br.ReadSlice('\n')
		pending += int64(len(part))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if len(whole) <= maxLine {
				whole = append(whole, part...)
			}
			continue
		case errors.Is(err, io.EOF):
			return done, nil
		case err != nil:
			return 0, err
		}
		if len(whole) > 0 {
			part = append(whole, part...)
		}
		if part = bytes.TrimSpace(part); len(part) > 0 && pending <= maxLine {
			take(part)
		}
		done, pending, whole = done+pending, 0, nil
	}
}
