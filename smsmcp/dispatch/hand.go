package dispatch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"readback/smsmcp"
)

// hand gives a send that was reserved since then to the carrier, once, and records how it came out. It goes on when the caller goes away: a send in flight
// must reach the log.
func (d *Door) hand(ctx context.Context, s smsmcp.Send, since time.Time) (smsmcp.Send, error) {
	flight, done := context.WithTimeout(d.life, d.Timeout)
	defer done()
	receipt, err := smsmcp.Receipt{}, d.late(ctx, s.ID, since)
	if err == nil {
		receipt, err = d.carry(flight, s)
	}
	o := outcome(receipt, err, d.Now())
	if o.Failure != "" {
		d.Observe.Count(smsmcp.CarrierFailed, o.Failure)
	}
	log := context.WithoutCancel(ctx)
	recorded, err := d.Ledger.Record(log, s.ID, o)
	if err != nil {
		if now, e := d.Ledger.Send(log, s.ID); e == nil && !now.State.Open() {
			// Another process took this one for dead, and the list, or the owner, has settled it meanwhile.
			return now, nil
		}
		d.Log.Error("the log could not be written after a hand-over", "id", s.ID, "state", o.State, "error", err)
		d.keep(s.ID, o)
		s.State = smsmcp.Unknown
		d.ended(s.State)
		d.Tell(s)
		return s, fmt.Errorf("%w: %w", ErrNotRecorded, err)
	}
	d.ended(recorded.State)
	d.Tell(recorded)
	return recorded, nil
}

// late keeps a send from the carrier that is not this process's to hand over any more. Between its record and now this one may have been stopped, by a debugger or a machine that was short of
// everything, and another have given the send up, the owner have said what became of it, and have had the words sent anew. So the log is looked at each time, and what anybody has settled is
// not handed over; nor is anything whose time is past, by the clock that runs on while the machine sleeps too. What is merely given up still goes: nobody may settle that yet (owner.settles).
//
// What remains is a stop between this look and the carrier's call. It opens nothing while it is shorter than what settling waits for, less this time-out; a longer one the hand-over's own
// time-out ends, which the carrier's client sees before it writes. A stop inside that client, after it last looked and before its bytes have left, for minutes, with the owner's word in
// between: against that there is no look, and no carrier that would know the text again.
func (d *Door) late(ctx context.Context, id smsmcp.SendID, since time.Time) error {
	state, failure, err := d.Ledger.Stands(context.WithoutCancel(ctx), id)
	if now := d.Now(); now.Sub(since) >= d.Timeout || now.Round(0).Sub(since.Round(0)) >= d.Timeout { // the look may have taken long too
		return errGivenUp
	}
	if err == nil && (state == smsmcp.Reserved || state == smsmcp.Unknown && failure == smsmcp.Interrupted) {
		return nil
	}
	return errGivenUp
}

func (d *Door) carry(ctx context.Context, s smsmcp.Send) (r smsmcp.Receipt, err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	if err := ctx.Err(); err != nil { // for carriers that would begin all the same
		return r, errors.Join(smsmcp.ErrNotSent, err)
	}
	return d.Carrier.Send(ctx, s.Draft.To(), s.Draft.Body())
}

var (
	errPanic   = errors.New("the carrier's client crashed")
	errGivenUp = fmt.Errorf("%w: it was given up", smsmcp.ErrNotSent)
)

// outcome reads a carrier's answer. Whatever is not certain is unknown (invariant 7).
func outcome(r smsmcp.Receipt, err error, at time.Time) smsmcp.Outcome {
	o := smsmcp.Outcome{At: at, Reached: true, Handed: true, Failure: code(err)}
	switch {
	case err == nil:
		o.State, o.Key, o.Failure = smsmcp.Done, r.Key, ""
		if r.Delivery != "" {
			o.Delivery = smsmcp.Reduce(r.Delivery)
		}
	case errors.Is(err, smsmcp.ErrNotSent):
		o.State, o.Reached = smsmcp.Failed, false
	case errors.Is(err, smsmcp.ErrRefused):
		o.State = smsmcp.Failed
	default:
		o.State = smsmcp.Unknown
	}
	return o
}

// code keeps of a foreign error a known form only (invariant 13).
func code(err error) string {
	var c smsmcp.Coded
	switch {
	case err == nil:
		return ""
	case errors.As(err, &c):
		return smsmcp.Reduce(c.Code())
	case errors.Is(err, context.DeadlineExceeded):
		return "time_out"
	case errors.Is(err, context.Canceled):
		return "shut_down"
	case errors.Is(err, errPanic):
		return "client_crashed"
	case errors.Is(err, smsmcp.ErrNotSent):
		return "not_reached"
	}
	return "no_clear_answer"
}

func (d *Door) keep(id smsmcp.SendID, o smsmcp.Outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unlogged[id] = o
}

// Retry writes the outcomes that the log could not take when they came. It calls no carrier.
func (d *Door) Retry(ctx context.Context) error {
	d.mu.Lock()
	late := maps.Clone(d.unlogged) // sends go on while the log is slow
	d.mu.Unlock()
	var failed []error
	for id, o := range late {
		s, err := d.Ledger.Record(ctx, id, o)
		if err != nil {
			// What the owner has settled meanwhile stays as the owner said.
			if s, e := d.Ledger.Send(ctx, id); e != nil || s.State.Open() {
				failed = append(failed, fmt.Errorf("write a late outcome: %w", err))
				continue
			}
		}
		d.mu.Lock()
		_, first := d.unlogged[id]
		delete(d.unlogged, id)
		d.mu.Unlock()
		if err == nil {
			if first && s.State != smsmcp.Unknown { // which it was counted as
				d.ended(s.State)
			}
			d.Tell(s)
		}
	}
	return errors.Join(failed...)
}

// enter lets a send in unless the door is closing.
func (d *Door) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.flying.Add(1)
	return true
}

// Close lets nothing more in, waits for the sends in flight, ends those that outlast ctx (they are recorded as unknown), and tries
// once more to write what the log could not take.
func (d *Door) Close(ctx context.Context) error {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	landed := make(chan struct{})
	go func() { d.flying.Wait(); close(landed) }()
	select {
	case <-landed:
	case <-ctx.Done():
		d.stop()
		<-landed
	}
	d.stop()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTry)
	defer cancel()
	return d.Retry(last)
}

// lastTry bounds the last try to write outcomes: what the log does not take then is reserved there, and unknown at the next start.
const lastTry = 300 * time.Millisecond
