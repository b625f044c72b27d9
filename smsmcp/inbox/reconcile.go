package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"readback/smsmcp"
)

// reconcile settles the sends that were unknown before a sync began, by what the carrier listed (invariant 7).
//
// A text to that number with those words, sent since the send was reserved, that no other send has as its own, is that send: the guard lets no
// second send with those words go to that number meanwhile. Where there is one all the same, on its way or unknown, neither is judged: that text
// may be either's.
//
// One that is not in the list has failed if it was reserved more than Grace before the sync began, and if nothing in the list is in doubt. In doubt
// is every text to that number, from a day before the send on, that no send has as its own: the carrier may have changed the words, or stamp them
// by another clock than ours, and that text may be the one. Such a send stays unknown until the owner settles it. So does one that this carrier
// did not take, and one from before what the list holds. With partial, something is missing from the list: then nothing has failed.
//
// A list may also be late. What failed within the last days because it was not listed, or by the owner's word, is Done once a text is that, of a
// time before it was judged.
func (b *Box) reconcile(ctx context.Context, begin, from time.Time, before []smsmcp.Send, partial bool) error {
	// As it is after the list was asked for: whatever the list shows was reserved, or recorded, by now.
	open, err := b.o.Store.Unsettled(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	late, err := b.o.Store.Unlisted(ctx, begin.Add(-doubtful))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	var failed []error
	settle := func(s smsmcp.Send, o smsmcp.Outcome, err error) {
		if err == nil && o.State == "" {
			return
		}
		if err == nil {
			s, err = b.o.Store.Record(ctx, s.ID, o)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%w: settle a send: %w", ErrStore, err))
			return
		}
		b.o.Log.Info("unknown send settled", "id", s.ID, "state", s.State)
		b.o.Settled(s)
	}
	for _, s := range open {
		if unknownIn(before, s.ID) && b.mine(s) && !rivalled(s, open) {
			o, err := b.judge(ctx, s, begin, from, partial)
			settle(s, o, err)
		}
	}
	for _, s := range late {
		if b.mine(s) && !rivalled(s, open) {
			texts, err := b.o.Store.Unclaimed(ctx, s.Draft.To(), s.Reserved.Add(-skew))
			o, _ := b.find(s, texts, s.Ended.Add(skew), begin)
			settle(s, o, err)
		}
	}
	return errors.Join(failed...)
}

// judge says how an unknown send came out; the zero Outcome if that cannot be said yet.
func (b *Box) judge(ctx context.Context, s smsmcp.Send, begin, from time.Time, partial bool) (smsmcp.Outcome, error) {
	since := s.Reserved.Add(-overlap)
	near, err := b.o.Store.Unclaimed(ctx, s.Draft.To(), since)
	if err != nil {
		return smsmcp.Outcome{}, err
	}
	o, doubt := b.find(s, near, time.Time{}, begin)
	if o.State != "" || doubt || partial || begin.Sub(s.Reserved) <= b.o.Grace || from.After(since) {
		return o, nil
	}
	return smsmcp.Outcome{State: smsmcp.Failed, At: begin, Failure: smsmcp.NotListed, Reached: true}, nil
}

// find looks for a send among the texts to its number, oldest first, and says what it came to. doubt says that one of the others may be it. A time
// that is not zero bounds it.
func (b *Box) find(s smsmcp.Send, texts []smsmcp.Text, until, now time.Time) (o smsmcp.Outcome, doubt bool) {
	since, words := s.Reserved.Add(-skew).Truncate(time.Second), smsmcp.BodyDigest(s.Draft.Body())
	for _, t := range texts {
		switch {
		case t.Key.Carrier != b.o.Name && s.Key.Carrier != "": // not who took the send
		case t.Key.Carrier != b.o.Name, t.At.Before(since), !until.IsZero() && t.At.After(until),
			smsmcp.BodyDigest(t.Body.RawForRules()) != words:
			doubt = true
		default:
			return smsmcp.Outcome{State: smsmcp.Done, At: now, Key: t.Key, Delivery: t.Delivery, Reached: true}, false
		}
	}
	return smsmcp.Outcome{}, doubt
}

// mine says whether a send was this carrier's to take. An old one may not say whose it was.
func (b *Box) mine(s smsmcp.Send) bool { return s.Key.Carrier == "" || s.Key.Carrier == b.o.Name }

func unknownIn(all []smsmcp.Send, id smsmcp.SendID) bool {
	for _, s := range all {
		if s.ID == id {
			return s.State == smsmcp.Unknown
		}
	}
	return false
}

// rivalled says whether another send that may have gone has the same number and words.
func rivalled(s smsmcp.Send, open []smsmcp.Send) bool {
	words := smsmcp.BodyDigest(s.Draft.Body())
	for _, o := range open {
		if o.ID != s.ID && o.Draft.To() == s.Draft.To() && smsmcp.BodyDigest(o.Draft.Body()) == words {
			return true
		}
	}
	return false
}
