package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"readback/smsmcp"
)

// NotListed is the failure of an unknown send that the carrier does not list.
const NotListed = "not_listed"

// reconcile settles the sends that were unknown before a good sync began, by what the carrier listed (invariant 7).
//
// A text to that number with that body, sent since the send was reserved, that no other send has as its own, is that send. The guard lets
// no second send with that body go to that contact meanwhile, so there is at most one that it can be; each text settles one send only.
//
// One that is not in the list has failed if it was reserved more than Grace before the sync began. That is safe enough because the
// carrier's own list is what a person would look at too, and until then the same text to that contact is refused. It is put off, for a day from
// the send, while the list holds such a text from up to a day before the send: the carrier's times may then be in
// another zone than we were told, and that text may be the one.
func (b *Box) reconcile(ctx context.Context, begin, from time.Time, unsettled []smsmcp.Send) error {
	var failed []error
	for _, s := range unsettled {
		o, err := b.judge(ctx, s, begin, from)
		if err == nil && o.State == "" {
			continue
		}
		if err == nil {
			s, err = b.o.Store.Record(ctx, s.ID, o)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%w: settle a send: %w", ErrStore, err))
			continue
		}
		b.o.Log.Info("unknown send settled", "id", s.ID, "state", s.State)
		b.o.Settled(s)
	}
	return errors.Join(failed...)
}

// judge says how an unknown send came out; the zero Outcome if that cannot be said yet.
func (b *Box) judge(ctx context.Context, s smsmcp.Send, begin, from time.Time) (smsmcp.Outcome, error) {
	since := s.Reserved.Add(-skew)
	near, err := b.o.Store.Unclaimed(ctx, s.Draft.To(), s.Draft.Body(), s.Reserved.Add(-overlap))
	if err != nil {
		return smsmcp.Outcome{}, err
	}
	doubt := false
	for _, t := range near { // oldest first
		switch {
		case t.Key.Carrier != b.o.Name:
		case t.At.Before(since.Truncate(time.Second)):
			doubt = true
		default:
			return smsmcp.Outcome{State: smsmcp.Done, At: begin, Key: t.Key, Delivery: t.Delivery, Reached: true}, nil
		}
	}
	age := begin.Sub(s.Reserved)
	if age <= b.o.Grace || doubt && age <= overlap || from.After(since) {
		return smsmcp.Outcome{}, nil
	}
	return smsmcp.Outcome{State: smsmcp.Failed, At: begin, Failure: NotListed, Reached: true}, nil
}
