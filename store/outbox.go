package store

import (
	"context"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
	"readback/store/outbox"
)

// Outbox has every text that StoreTexts adds from now on, and that was received, wait for its notification. wake is called after each commit that
// added some; it must not block. Texts of before are not told of, and those that wait outlast the program.
func (s *Store) Outbox(wake func()) { s.wake.Store(&wake) }

// Owed says what is in the outbox. Contacts' texts come first.
func (s *Store) Owed(ctx context.Context) (o smsmcp.Owed, err error) {
	r := s.read(ctx)
	o, first, known, err := outbox.Owed(r)
	if err == nil {
		o.First, err = s.one(r, first)
	}
	if err == nil {
		o.Known, err = s.one(r, known)
	}
	return o, err
}

// one gives a text with its contact; nil for none.
func (s *Store) one(r engine.Reader, id smsmcp.TextID) (*smsmcp.Row, error) {
	if id == 0 {
		return nil, nil
	}
	rows, err := s.rows(r, `LEFT JOIN contact_numbers n ON n.number = x.number WHERE x.id = ?`, int64(id))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// Pace counts the notifications given after from and up to to, of the sender of x and of all senders of its kind.
func (s *Store) Pace(ctx context.Context, x smsmcp.Text, from, to time.Time) (smsmcp.Pace, error) {
	return outbox.Pace(s.read(ctx), senderOf(x), from, to)
}

// Told takes a text that waits, or that waits for its name, out of those: the owner has its notification.
func (s *Store) Told(ctx context.Context, now time.Time, id smsmcp.TextID) error {
	return outbox.Told(ctx, s.db, now, id)
}

// ToldClaim is Told of a text that was told of as a claim. One that turned out to be a contact's meanwhile waits for its name.
func (s *Store) ToldClaim(ctx context.Context, now time.Time, id smsmcp.TextID) error {
	return outbox.ToldClaim(ctx, s.db, now, id)
}

// Hold holds back all that wait of the sender of x, as x was read: what it was found to be since is judged anew.
func (s *Store) Hold(ctx context.Context, x smsmcp.Text, due time.Time) error {
	return outbox.Hold(ctx, s.db, senderOf(x), due)
}

// HoldStrangers holds back all that wait and are no contact's.
func (s *Store) HoldStrangers(ctx context.Context, due time.Time) error {
	return outbox.HoldStrangers(ctx, s.db, due)
}

// HoldAllBut holds back all that wait, but for the newest keep: of contacts' first, and then of the others.
func (s *Store) HoldAllBut(ctx context.Context, keep int, due time.Time) error {
	return outbox.HoldAllBut(ctx, s.db, keep, due)
}

// Summary counts what is held back.
func (s *Store) Summary(ctx context.Context) (smsmcp.Summary, error) {
	r := s.read(ctx)
	sum, last, err := outbox.Summary(r)
	for i := 0; err == nil && i < len(last); i++ {
		var row *smsmcp.Row
		if row, err = s.one(r, last[i]); err == nil && row != nil {
			sum.Most[i].From = smsmcp.Row{Contact: row.Contact, Text: smsmcp.Text{Direction: smsmcp.Received, Peer: row.Text.Peer, Unverified: row.Text.Unverified}}
		}
	}
	if err != nil {
		return sum, fmt.Errorf("summary: %w", err)
	}
	return sum, nil
}

// Summed takes what is held back, up to the text last, out of that: a summary has told of it.
func (s *Store) Summed(ctx context.Context, now time.Time, last smsmcp.TextID) error {
	return outbox.Summed(ctx, s.db, now, last)
}
