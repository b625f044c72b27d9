package inbox

import (
	"context"
	"errors"
	"time"

	"readback/smsmcp"
)

// Expect says that a text came, or may have come, that is not in the store: the poller asks the carrier for it now, and again as for a text of which
// nothing says yet who it is from. It never blocks, and does nothing where the carrier cannot list.
func (b *Box) Expect() { b.wake(time.Time{}) }

// wake has the poller ask out of turn: for a text that was stored then, or, with a zero time, for one that was not.
func (b *Box) wake(since time.Time) {
	if b.o.Carrier == nil {
		return
	}
	b.mu.Lock()
	b.plan.wake(b.o.Now().UTC(), since)
	b.mu.Unlock()
	select {
	case b.woken <- struct{}{}:
	default:
	}
}

// poll is one sync of the poller's own.
func (b *Box) poll(ctx context.Context, woken bool) error {
	b.mu.Lock()
	b.plan.begin(b.o.Now().UTC(), woken)
	b.mu.Unlock()
	err := b.Sync(ctx)
	listed := err == nil || errors.Is(err, smsmcp.ErrPartial)
	b.mu.Lock()
	b.plan.end(b.o.Now().UTC(), listed)
	since, waits := b.plan.oldest()
	wakes := b.plan.wakes
	b.mu.Unlock()
	if listed && waits {
		if n, err := b.o.Store.Unconfirmed(ctx, since); err == nil && n == 0 {
			b.mu.Lock()
			b.plan.confirmed(wakes)
			b.mu.Unlock()
		}
	}
	return err
}

// rest waits from one poll to the next, and says whether that one is woken. A carrier that gave no list is left alone for its whole pause.
func (b *Box) rest(ctx context.Context, pause time.Duration, failing bool) (woken, goOn bool) {
	usual, soonest := time.NewTimer(max(pause, b.o.MinInterval)), time.NewTimer(b.o.MinInterval)
	defer usual.Stop()
	defer soonest.Stop()
	var nudge <-chan struct{}
	for {
		due := make(<-chan time.Time)
		stop := func() bool { return false }
		if !failing {
			b.mu.Lock()
			now := b.o.Now().UTC()
			at, ok := b.plan.next(now)
			b.mu.Unlock()
			if ok {
				t := time.NewTimer(max(at.Sub(now), 0))
				due, stop = t.C, t.Stop
			}
		}
		select {
		case <-ctx.Done():
		case <-usual.C:
			goOn = true
		case <-nudge:
			goOn = true
		case <-due:
			woken, goOn = true, true
		case <-soonest.C:
			nudge = b.nudge
		case <-b.woken:
		}
		stop()
		if goOn || ctx.Err() != nil {
			return woken, goOn && ctx.Err() == nil
		}
	}
}

// stored counts what was added at a time, and asks the carrier who wrote that of which nothing says so yet.
func (b *Box) stored(at time.Time, added []smsmcp.Text) {
	claims := false
	for _, t := range added {
		if t.Direction != smsmcp.Received {
			continue
		}
		b.o.Observe.Count(smsmcp.TextReceived, t.Key.Carrier)
		if t.Unverified && t.Key.Kind != smsmcp.Voicemail { // no list has a voicemail
			b.o.Observe.Count(smsmcp.TextUnverified, t.Key.Carrier)
			claims = true
		}
	}
	if claims {
		b.wake(at)
	}
}

// Part says how the carrier's list stands: the code of what keeps it from coming whole. It is well where there is none to ask for.
func (b *Box) Part() smsmcp.Part {
	p := smsmcp.Part{Name: "carrier"}
	state := b.state.Load()
	if b.o.Carrier == nil || state == nil {
		return p
	}
	p.Failure = state.Failure
	b.mu.Lock()
	p.Since = b.since
	b.mu.Unlock()
	if p.Since.IsZero() && p.Failure != "" { // it failed before this box was made
		if p.Since = state.Good; p.Since.IsZero() {
			p.Since = state.Tried
		}
	}
	return p
}
