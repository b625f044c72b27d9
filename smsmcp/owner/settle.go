package owner

import (
	"context"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// leftOver is how long after it was reserved a send cannot be on its way any more: a hand-over to the carrier begins within its time-out, and is cut off by it, long before.
const leftOver = 2 * time.Minute

// unknown serves the calls on sends of which the log does not know what became of them.
func (h *handler) unknown() {
	ListUnknown.handle(h, func(ctx context.Context, _ lang.Lang, _ None) ([]Send, error) {
		all, err := h.o.Store.Unsettled(ctx)
		var old []smsmcp.Send
		for _, s := range all {
			if s.State == smsmcp.Unknown || h.settles(s) {
				old = append(old, s)
			}
		}
		return views(old, err)
	})
	Settle.handle(h, h.settle)
}

// settles says whether the owner may say what became of a send: the program itself will not, or not soon. One that another process gave up may still be on its way in that which reserved it,
// as one that is reserved: an answer of the carrier, which nobody has given for either, would have made it something else. A clock that was set back only makes the wait longer.
func (h *handler) settles(s smsmcp.Send) bool {
	if s.State == smsmcp.Reserved || s.State == smsmcp.Unknown && s.Failure == smsmcp.Interrupted {
		return h.o.Now().Sub(s.Reserved) > leftOver
	}
	return s.State == smsmcp.Unknown
}

// settle takes the owner's word for what the carrier's list does not tell.
func (h *handler) settle(ctx context.Context, _ lang.Lang, a Settlement) (Send, error) {
	s, err := h.o.Store.Send(ctx, a.ID)
	switch {
	case err != nil:
		return Send{}, err
	case s.State != smsmcp.Reserved && s.State != smsmcp.Unknown:
		return Send{}, fail(CodeSettled, lang.OwnerSettled)
	case !h.settles(s):
		return Send{}, fail(CodeInFlight, lang.OwnerInFlight)
	}
	// It counts against the limits either way: it was handed over once.
	o := smsmcp.Outcome{State: smsmcp.Failed, At: h.o.Now(), Failure: smsmcp.OwnerSaid, Reached: true}
	if a.Sent {
		o.State = smsmcp.Done
		listed, _, err := h.o.Store.Listed(ctx, s)
		if err != nil {
			return Send{}, err
		}
		o.Key, o.Delivery = listed.Key, listed.Delivery
	}
	return view(h.o.Store.Record(ctx, a.ID, o))
}
