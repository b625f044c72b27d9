package dispatch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
)

// between is a ledger that lets something happen between the commit that reserves a send, or answers it, and what follows.
type between struct {
	dispatch.Ledger
	happens func()
}

func (b *between) Begin(ctx context.Context, now time.Time, to smsmcp.Recipient, need guard.Need, decide func(guard.State) smsmcp.Ruling) error {
	err := b.Ledger.Begin(ctx, now, to, need, decide)
	b.happens()
	return err
}

func (b *between) Answer(ctx context.Context, now time.Time, id smsmcp.SendID, need func(smsmcp.Send) guard.Need,
	decide func(smsmcp.Send, guard.State) smsmcp.Send,
) (smsmcp.Send, error) {
	s, err := b.Ledger.Answer(ctx, now, id, need, decide)
	b.happens()
	return s, err
}

// TestInvariant07WhatWasGivenUpIsNotHandedOver by a process that was stopped before it could: another may have settled it, and the owner sent the words anew.
func TestInvariant07WhatWasGivenUpIsNotHandedOver(t *testing.T) {
	for name, c := range map[string]struct {
		stopped time.Duration
		givenUp func(b *bench) error
		sent    int
		want    smsmcp.SendState
		failure string
	}{
		"at once":              {0, nil, 1, smsmcp.Done, ""},
		"late":                 {25 * time.Second, nil, 0, smsmcp.Failed, "not_reached"}, // after that the owner may say what became of it, at any moment
		"late, and given up":   {time.Hour, func(b *bench) error { _, err := b.store.Recover(t.Context(), b.clock()); return err }, 0, smsmcp.Failed, "not_reached"},
		"late, and called off": {time.Hour, (*bench).callOff, 0, smsmcp.Failed, smsmcp.NotListed},
		// What is given up while it is handed over, in its time, is settled by the carrier's answer.
		"soon, and called off": {4 * time.Second, (*bench).callOff, 0, smsmcp.Failed, smsmcp.NotListed},
		"soon, and given up":   {4 * time.Second, func(b *bench) error { _, err := b.store.Recover(t.Context(), b.clock()); return err }, 1, smsmcp.Done, ""},
	} {
		for _, spoken := range []bool{false, true} {
			var l *between
			b := newBench(t, func(b *bench) { l = &between{Ledger: b.store, happens: func() {}}; b.ledger = l })
			stop := func() {
				b.pass(c.stopped)
				if c.givenUp != nil {
					if err := c.givenUp(b); err != nil {
						t.Fatal(err)
					}
				}
			}
			var s smsmcp.Send
			if spoken {
				draft := b.drafted("Marie", "hi")
				l.happens = stop
				s = b.said(draft)
			} else {
				l.happens = stop
				s = b.send("Marie", "hi")
			}
			b.want(s, c.want, c.sent)
			if s.Failure != c.failure {
				t.Errorf("%s: %q", name, s.Failure)
			}
		}
	}
}

// TestInvariant07WordsThatWereSettledAreNotHandedOver: a process is held up for less than a hand-over may take, another gives the send up, and it is settled as not sent and asked for anew. The words go
// once.
func TestInvariant07WordsThatWereSettledAreNotHandedOver(t *testing.T) {
	var l *between
	b := newBench(t, func(b *bench) { l = &between{Ledger: b.store, happens: func() {}}; b.ledger = l })
	var second smsmcp.Send
	l.happens = func() {
		l.happens = func() {}
		b.pass(4 * time.Second)
		if err := b.callOff(); err != nil {
			t.Fatal(err)
		}
		second = b.send("Marie", "hi")
	}
	first := b.send("Marie", "hi")
	if second.State != smsmcp.Done {
		t.Errorf("sent anew it is %s, %v", second.State, second.Reasons)
	}
	b.want(first, smsmcp.Failed, 1)
}

// blind is a ledger in which nobody sees how a send stands.
type blind struct{ dispatch.Ledger }

func (blind) Stands(context.Context, smsmcp.SendID) (smsmcp.SendState, string, error) {
	return smsmcp.Reserved, "", errors.New("the disk")
}

// slow is a ledger in which a look takes its time.
type slow struct {
	dispatch.Ledger
	b *bench
}

func (s slow) Stands(ctx context.Context, id smsmcp.SendID) (smsmcp.SendState, string, error) {
	state, failure, err := s.Ledger.Stands(ctx, id)
	s.b.pass(25 * time.Second)
	return state, failure, err
}

// TestInvariant07ALookThatTookLongSaysNothing: what it saw is no longer so.
func TestInvariant07ALookThatTookLongSaysNothing(t *testing.T) {
	b := newBench(t, func(b *bench) { b.ledger = slow{b.store, b} })
	b.want(b.send("Marie", "hi"), smsmcp.Failed, 0)
}

// TestInvariant07WhatCannotBeLookedAtIsNotHandedOver: nobody knows whether it may be.
func TestInvariant07WhatCannotBeLookedAtIsNotHandedOver(t *testing.T) {
	b := newBench(t, func(b *bench) { b.ledger = blind{b.store} })
	s := b.send("Marie", "hi")
	b.want(s, smsmcp.Failed, 0)
	if s.Failure != "not_reached" {
		t.Error(s.Failure)
	}
}

// callOff has the list say that what was reserved never went.
func (b *bench) callOff() error {
	if _, err := b.store.Recover(b.t.Context(), b.clock()); err != nil {
		return err
	}
	open, err := b.store.Unsettled(b.t.Context())
	for _, s := range open {
		if _, e := b.store.Record(b.t.Context(), s.ID, smsmcp.Outcome{State: smsmcp.Failed, At: b.clock(), Failure: smsmcp.NotListed, Reached: true}); e != nil {
			err = e
		}
	}
	return err
}

// TestWhatWasSettledMeanwhileStands: the list, or the owner, knew before the carrier answered this process, which another had taken for dead. Nobody hears then that the log could not be written.
func TestWhatWasSettledMeanwhileStands(t *testing.T) {
	b := newBench(t)
	b.carrier.send = func(context.Context, int) error {
		open, err := b.store.Unsettled(t.Context())
		if err != nil || len(open) != 1 {
			t.Fatal(open, err)
		}
		if _, err := b.store.Recover(t.Context(), b.clock()); err != nil {
			t.Fatal(err)
		}
		if _, err := b.store.Record(t.Context(), open[0].ID, smsmcp.Outcome{State: smsmcp.Failed, At: b.clock(), Failure: smsmcp.OwnerSaid, Reached: true}); err != nil {
			t.Fatal(err)
		}
		return errors.New("no answer")
	}
	a, err := b.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP})
	if err != nil || a.Send.State != smsmcp.Failed || a.Send.Failure != smsmcp.OwnerSaid {
		t.Fatal(a.Send.State, a.Send.Failure, err)
	}
	b.want(a.Send, smsmcp.Failed, 1)
	if err := b.door.Retry(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAHandOverWhoseTimeIsPastIsNone: the carrier is not asked to begin.
func TestAHandOverWhoseTimeIsPastIsNone(t *testing.T) {
	b := newBench(t)
	o := b.door.Options
	o.Timeout = time.Nanosecond
	b.door = dispatch.New(o)
	s := b.send("Marie", "hi")
	b.want(s, smsmcp.Failed, 0)
	if s.Failure != "time_out" {
		t.Error(s.Failure)
	}
}

// sameKey is a carrier that gives every text one key.
type sameKey struct{ *carrier }

func (c sameKey) Send(ctx context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	_, err := c.carrier.Send(ctx, to, body)
	return smsmcp.Receipt{Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: "1"}}, err
}

// TestInvariant07TheCarriersAnswerSettlesWhatWasGivenUp also where the key that it tells is another text's: it took this one all the same.
func TestInvariant07TheCarriersAnswerSettlesWhatWasGivenUp(t *testing.T) {
	b := newBench(t)
	o := b.door.Options
	o.Carrier = sameKey{b.carrier}
	b.door = dispatch.New(o)
	b.want(b.send("Marie", "hi"), smsmcp.Done, 1)
	b.carrier.send = func(context.Context, int) error {
		n, err := b.store.Recover(t.Context(), b.clock())
		if n != 1 {
			t.Error(n)
		}
		return err
	}
	s := b.send("Paul", "hello")
	b.want(s, smsmcp.Done, 2)
	if s.Failure != smsmcp.KeyTaken || s.Key.ID != "" {
		t.Errorf("%q %+v", s.Failure, s.Key)
	}
}
