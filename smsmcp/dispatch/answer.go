package dispatch

import (
	"context"
	"errors"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
)

// Errors of Confirm and Spoken. Each means that the answer changed nothing.
var (
	ErrAltered      = errors.New("this is not the draft that was shown")
	ErrTooWeak      = errors.New("this draft needs a stronger channel")
	ErrOtherChannel = errors.New("this draft takes its yes by another channel")
	ErrNoWords      = errors.New("a spoken yes has words")
)

// Confirm takes the owner's yes to the draft with this digest, which is what the owner was shown (invariant 14), on a channel of this
// strength. It judges the draft again and sends it. A send that does not wait any more is returned as it stands, so that
// the first answer wins and a replay changes nothing. The voice says no yes here, and a draft that waits for its yes takes no other: ErrOtherChannel. No tool that a
// model can call reaches this (invariant 5).
func (d *Door) Confirm(ctx context.Context, id smsmcp.SendID, digest [32]byte, channel smsmcp.Channel, strong bool) (smsmcp.Send, error) {
	if channel == smsmcp.Voice {
		return smsmcp.Send{}, ErrOtherChannel
	}
	return d.confirm(ctx, id, yes{digest: digest, channel: channel, strong: strong})
}

// Spoken is Confirm for the owner's voice, or a key, on a call, which answers the drafts that were made for it alone: ErrOtherChannel for all others. answer is what
// was judged to be the yes, such as "yes send it", or "key 1"; it is kept with the send. ErrNoWords if it is empty.
func (d *Door) Spoken(ctx context.Context, id smsmcp.SendID, digest [32]byte, answer untrusted.Text) (smsmcp.Send, error) {
	if answer.Len() == 0 {
		return smsmcp.Send{}, ErrNoWords
	}
	return d.confirm(ctx, id, yes{digest: digest, channel: smsmcp.Voice, strong: true, answer: answer})
}

// yes is the owner's yes to a draft.
type yes struct {
	digest  [32]byte
	channel smsmcp.Channel
	strong  bool
	answer  untrusted.Text
}

// mayAnswer says whether a yes by this channel is one that a send takes (invariant 10): made for a channel, it takes that one alone; the voice answers no other.
func mayAnswer(s smsmcp.Send, by smsmcp.Channel) bool {
	return s.Only == by || s.Only == smsmcp.NoChannel && by != smsmcp.Voice
}

func (d *Door) confirm(ctx context.Context, id smsmcp.SendID, y yes) (smsmcp.Send, error) {
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
		if !mayAnswer(s, y.channel) {
			refused = ErrOtherChannel
			return s
		}
		if over(s, now) {
			s.State, s.Ended = smsmcp.Expired, now
			answered = true
			return s
		}
		if s.Draft.Digest() != y.digest {
			refused = ErrAltered
			return s
		}
		plan, fits := d.Carrier.Plan(s.Draft.Body())
		v := d.Guard.Check(guard.Attempt{Draft: s.Draft, Scope: s.Scope, Only: s.Only, Fits: fits, Confirmed: true}, state, now)
		switch {
		case v.Decision == guard.Deny:
			answered, denied = true, true
			s.State, s.Ended, s.Reasons = smsmcp.Refused, now, v.Reasons
			if len(v.Reasons) == 1 && v.Reasons[0].Rule == guard.RuleChanged {
				s.State = smsmcp.Void
			}
			return s
		case (s.Strong || v.Strong) && !y.strong:
			refused = ErrTooWeak
			return s
		}
		s.State, s.Answered, s.Reserved, s.ConfirmedBy, s.Answer = smsmcp.Reserved, now, now, y.channel, y.answer
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
				d.Observe.Count(smsmcp.Answered, string(y.channel))
			}
		}
		err = refused
	}
	if err != nil || !mine {
		return send, err
	}
	send, err = d.hand(ctx, send, now)
	d.Log.Info("confirmed", "id", send.ID, "state", send.State, "channel", y.channel)
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
