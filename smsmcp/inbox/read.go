package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"readback/smsmcp"
)

// Errors of a read. No words come with either.
var (
	ErrUnread  = errors.New("the texts could not be read")
	ErrNoScope = errors.New("a read without a scope would start a hold that covers nothing")
	ErrNotHeld = errors.New("that these texts were shown could not be written down, so they are not shown")
)

// Request asks for texts on behalf of whom the scope names.
type Request struct {
	Query smsmcp.Query
	Scope smsmcp.Scope
}

// Answer is what a model may be shown, through the frame.
type Answer struct {
	Page smsmcp.Page
	Now  time.Time
	Sync smsmcp.SyncState // how old the list is; the zero Good if no sync has ever worked
}

// Read gives texts from the store alone, whatever the carrier does. Which received texts it gives, and the holds that this starts, are
// committed before it returns; if that fails there are no words (invariant 9).
func (b *Box) Read(ctx context.Context, r Request) (Answer, error) {
	if r.Scope == "" {
		return Answer{}, ErrNoScope
	}
	now := b.o.Now().UTC()
	sync, err := b.synced(ctx)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	page, err := b.o.Store.Texts(ctx, r.Query)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	if shown := b.shown(page, r, now); len(shown.Texts) > 0 {
		if err := b.o.Store.Show(ctx, shown); err != nil {
			return Answer{}, fmt.Errorf("%w: %w", ErrNotHeld, err)
		}
		for _, h := range shown.Holds {
			b.o.Observe.Count(smsmcp.HoldStarted, string(h.Kind))
		}
	}
	return Answer{Page: page, Now: now, Sync: sync}, nil
}

// shown is what a page will have shown, and the holds that this starts. What stands in an image, no rule can read, whoever sent it: it may be a stranger's words.
func (b *Box) shown(page smsmcp.Page, r Request, now time.Time) smsmcp.Shown {
	s := smsmcp.Shown{At: now}
	stranger, alarm := false, false
	for _, row := range page.Rows {
		if row.Text.Direction == smsmcp.Sent {
			continue
		}
		s.Texts = append(s.Texts, row.Text.ID)
		stranger = stranger || row.Contact == nil || r.Query.Images
		alarm = alarm || b.rings(row.Text)
	}
	if stranger {
		s.Holds = append(s.Holds, smsmcp.Hold{Scope: r.Scope, Kind: smsmcp.HoldStranger, From: now, Until: now.Add(b.o.Hold)})
	}
	if alarm {
		s.Holds = append(s.Holds, smsmcp.Hold{Scope: r.Scope, Kind: smsmcp.HoldAlarm, From: now, Until: now.Add(b.o.Alarm)})
	}
	return s
}

// rings says whether a text trips an alarm.
func (b *Box) rings(t smsmcp.Text) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := words{t.ID, t.Key}
	rung, known := b.rung[w]
	if !known {
		if len(b.rung) >= maxRung || b.rung == nil {
			b.rung = map[words]bool{}
		}
		rung = b.alarm(t.Peer, t.Body)
		b.rung[w] = rung
	}
	return rung
}

// synced gives how the last sync went. Who syncs knows it; where this box has nobody to ask, another process may, and writes it down.
func (b *Box) synced(ctx context.Context) (smsmcp.SyncState, error) {
	if b.o.Carrier == nil {
		return b.o.Store.SyncState(ctx, b.o.Name)
	}
	if s := b.state.Load(); s != nil {
		return *s, nil
	}
	s, err := b.o.Store.SyncState(ctx, b.o.Name)
	if err == nil {
		b.state.CompareAndSwap(nil, &s)
	}
	return s, err
}
