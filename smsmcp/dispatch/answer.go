package dispatch

import (
	"context"
	"errors"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

// Errors of Confirm. Each means that the answer changed nothing.
var (
	ErrAltered = errors.New("this is not the draft that was shown")
	ErrTooWeak = errors.New("this draft needs a stronger channel")
)

// Confirm takes the owner's yes to the draft with this digest, which is what the owner was shown (invariant 14), on a channel of this
// strength. It judges the draft again and sends it. A send that does not wait any more is returned as it stands, so that
// the first answer wins and a replay changes nothing. No tool that a model can call reaches this (invariant 5).
func (d *Door) Confirm(ctx context.Context, id smsmcp.SendID, digest [32]byte, channel smsmcp.Channel, strong bool) (smsmcp.Send, error) {
	if !d.enter() {
		return smsmcp.Send{}, ErrClosed
	}
	defer d.flying.Done()
	now := d.Now()
	var refused error
	var answered, denied, mine bool // this call ended the wait; the guard denied it now; this call is the one that sends
	need := func(s smsmcp.Send) guard.Need { return d.Guard.Need(s.Draft.Body(), now) }
	send, err := d.Ledger.Answer(ctx, now, id, need, func(s smsmcp.Send, state guard.State) smsmcp.Send {
		refused, answered, denied, mine = nil, false, false, false
		if over(s, now) {
			s.State, s.Ended = smsmcp.Expired, now
			answered = true
			return s
		}
		if s.Draft.Digest() != digest {
			refused = ErrAltered
			return s
		}
		plan, fits := d.Carrier.Plan(s.Draft.Body())
		v := d.Guard.Check(guard.Attempt{Draft: s.Draft, Scope: s.Scope, Fits: fits, Confirmed: true}, state, now)
		switch {
		case v.Decision == guard.Deny:
			answered, denied = true, true
			s.State, s.Ended, s.Reasons = smsmcp.Refused, now, v.Reasons
			if len(v.Reasons) == 1 && v.Reasons[0].Rule == guard.RuleChanged {
				s.State = smsmcp.Void
			}
			return s
		case (s.Strong || v.Strong) && !strong:
			refused = ErrTooWeak
			return s
		}
		s.State, s.Answered, s.Reserved, s.ConfirmedBy = smsmcp.Reserved, now, now, channel
		s.Kind, s.Segments, s.Key = plan.Kind, plan.Segments, d.key(plan)
		answered, mine = true, true
		return s
	})
	if err == nil {
		if denied { // else the verdict is the one that was counted when the draft came
			d.judged(guard.Deny)
		}
		if answered {
			d.ended(send.State)
			if send.State != smsmcp.Expired {
				d.Observe.Count(smsmcp.Answered, string(channel))
			}
		}
		err = refused
	}
	if err != nil || !mine {
		return send, err
	}
	send, err = d.hand(ctx, send)
	d.Log.Info("confirmed", "id", send.ID, "state", send.State, "channel", channel)
	return send, err
}

// Decline takes the owner's no. It wins over any yes that has not been recorded yet.
func (d *Door) Decline(ctx context.Context, id smsmcp.SendID, channel smsmcp.Channel) (smsmcp.Send, error) {
	now := d.Now()
	mine := false
	send, err := d.Ledger.Answer(ctx, now, id, noNeed, func(s smsmcp.Send, _ guard.State) smsmcp.Send {
		mine = true
		s.State, s.Answered, s.Ended = smsmcp.Declined, now, now // a no is a no, however late
		return s
	})
	if err == nil && mine {
		d.ended(send.State)
	}
	if err == nil {
		d.Log.Info("declined", "id", id, "state", send.State, "channel", channel)
	}
	return send, err
}
