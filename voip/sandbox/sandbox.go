// Package sandbox is the embedded carrier: it takes every text and sends it to nobody. With it Readback runs on a machine that has no account
// anywhere, with the limits of voip.ms so that what it shows is true.
//
// Its texts live in one file of the data folder, a line of JSON each. A line is one append, made whole or not at all for a reader, so two
// processes can write at once, and a line that a crash cut off is passed over: nothing received is lost (invariant 8). A send that
// did not become a whole line is smsmcp.ErrNotSent, and no text of it is ever listed (invariant 7).
//
// Floor 3: imports smsmcp, voip/segments and floor 0.
package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
	"readback/voip/segments"
)

// The limits, in bytes.
const (
	maxSMS  = 160
	maxMMS  = 2048
	maxBody = 64 << 10 // of a text that arrives
)

// Carrier is the sandbox on one file. It is safe for concurrent use, and so is the file for several processes.
type Carrier struct {
	file *os.File
	now  func() time.Time

	mu    sync.Mutex
	read  int64         // how far into the file the index reaches: the end of a whole line
	index []smsmcp.Text // ordered by time, then as they stand in the file
}

// Open opens the file, and makes it (0600) where there is none; its folder must exist.
func Open(file string, now func() time.Time) (*Carrier, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600) //nolint:gosec // a file of the data folder
	if err != nil {
		return nil, fmt.Errorf("open the sandbox's file: %w", err)
	}
	return &Carrier{file: f, now: now}, nil
}

// Close closes the file.
func (c *Carrier) Close() error { return c.file.Close() }

// Name is the first part of every key.
func (c *Carrier) Name() string { return "sandbox" }

// Plan carries up to 160 bytes as an SMS and up to 2048 as an MMS, as voip.ms does.
func (c *Carrier) Plan(body string) (smsmcp.Plan, error) {
	return segments.Plan(body, maxSMS, maxMMS)
}

// Send keeps one text as sent.
func (c *Carrier) Send(ctx context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	plan, err := c.Plan(body)
	if err != nil {
		return smsmcp.Receipt{}, failed("sms_toolong", err, smsmcp.ErrNotSent)
	}
	if body == "" || !utf8.ValidString(body) {
		return smsmcp.Receipt{}, failed("bad_body", smsmcp.ErrNotSent)
	}
	if _, err := smsmcp.ParseNumber(string(to)); err != nil {
		return smsmcp.Receipt{}, failed("invalid_dst", err, smsmcp.ErrNotSent)
	}
	if err := ctx.Err(); err != nil {
		return smsmcp.Receipt{}, failed("cancelled", err, smsmcp.ErrNotSent)
	}
	t := smsmcp.Text{
		Key: c.key(plan.Kind), Direction: smsmcp.Sent, Peer: smsmcp.NumberPeer(to),
		Body: untrusted.New(body), At: c.now(), Delivery: delivered,
	}
	if err := c.append(t); err != nil {
		return smsmcp.Receipt{}, failed("sandbox_file", err, smsmcp.ErrNotSent)
	}
	return smsmcp.Receipt{Key: t.Key, Delivery: delivered}, nil
}

// delivered is the state of every text that was sent.
const delivered = "delivered"

// Receive makes a text come in: of any peer, up to 64 KiB, at any time of the years 1970 to 9999. Bytes that are not UTF-8 become
// U+FFFD, as they do on the way through a real carrier's JSON. More than 160 bytes, or an image, make it an MMS.
func (c *Carrier) Receive(ctx context.Context, from smsmcp.Peer, body string, at time.Time, images int) (smsmcp.Key, error) {
	switch {
	case ctx.Err() != nil:
		return smsmcp.Key{}, ctx.Err()
	case len(body) > maxBody || from.Label.Len() > maxBody:
		return smsmcp.Key{}, smsmcp.ErrTooLong
	case at.Unix() < 0 || at.Unix() > maxTime || images < 0 || images > maxImages:
		return smsmcp.Key{}, errors.New("receive in the sandbox: the time or the number of images is out of range")
	}
	kind := smsmcp.SMS
	if len(body) > maxSMS || images > 0 {
		kind = smsmcp.MMS
	}
	t := smsmcp.Text{
		Key: c.key(kind), Direction: smsmcp.Received, Peer: from, Body: untrusted.New(body), At: at, Images: images,
	}
	if err := c.append(t); err != nil {
		return smsmcp.Key{}, fmt.Errorf("receive in the sandbox: %w", err)
	}
	return t.Key, nil
}

// Check asks whether the file can be read.
func (c *Carrier) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return failed("cancelled", err)
	}
	if _, err := c.file.Stat(); err != nil {
		return failed("sandbox_file", err, smsmcp.ErrDown)
	}
	return nil
}

// key makes a new key: 64 random bits, so that two processes need not agree.
func (c *Carrier) key(kind smsmcp.Kind) smsmcp.Key {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program first
	return smsmcp.Key{Carrier: c.Name(), Kind: kind, ID: hex.EncodeToString(b[:])}
}

// fault is an error with a code (smsmcp.Coded).
type fault struct {
	code  string
	wraps []error
}

func failed(code string, wraps ...error) *fault { return &fault{code, wraps} }

func (e *fault) Code() string    { return e.code }
func (e *fault) Error() string   { return "sandbox: " + e.code + ": " + errors.Join(e.wraps...).Error() }
func (e *fault) Unwrap() []error { return e.wraps }
