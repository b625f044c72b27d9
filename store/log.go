package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/signs"
	"readback/smsmcp/untrusted"
	"readback/store/engine"
)

// Begin reads the contact and what need asks of the log, lets decide rule, and writes the ruling, in one immediate transaction: what
// decide counted is still so when its send is reserved. An error means that nothing was written and nothing may be sent.
func (s *Store) Begin(ctx context.Context, now time.Time, to smsmcp.Recipient, need guard.Need, decide func(guard.State) smsmcp.Ruling) error {
	return s.write(ctx, "begin a send", func(t *tx) error {
		st, err := t.state(now, to, need)
		if err != nil {
			return err
		}
		r := decide(st)
		for _, c := range r.Close {
			old, err := send(t, c.ID)
			if err != nil {
				return err
			}
			from := old.State
			if c.State != smsmcp.Expired && c.State != smsmcp.Void && c.State != smsmcp.Cancelled {
				return fmt.Errorf("close as %s: %w", c.State, ErrState)
			}
			old.State, old.Ended = c.State, now
			if err := t.update(old, from); err != nil {
				return err
			}
		}
		if r.Insert == nil {
			return nil
		}
		return t.insert(*r.Insert, st)
	})
}

// Answer lets decide answer a send that waits, as Begin does. A send that waits no more is given as it is, and decide is not called.
func (s *Store) Answer(ctx context.Context, now time.Time, id smsmcp.SendID, need func(smsmcp.Send) guard.Need,
	decide func(smsmcp.Send, guard.State) smsmcp.Send,
) (got smsmcp.Send, err error) {
	err = s.write(ctx, "answer a send", func(t *tx) error {
		if got, err = send(t, id); err != nil || got.State != smsmcp.Waiting {
			return err
		}
		st, err := t.state(now, smsmcp.Recipient{ID: got.Draft.Contact()}, need(got))
		if err != nil {
			return err
		}
		next := decide(got, st)
		if next.ID != got.ID || next.Draft != got.Draft {
			return fmt.Errorf("answer: another draft: %w", ErrDraft)
		}
		if next.State == smsmcp.Waiting {
			return nil
		}
		if next.State == smsmcp.Reserved {
			if next.Reserved.IsZero() {
				next.Reserved = now
			}
			if err := t.current(next, st); err != nil {
				return err
			}
		}
		if err := t.update(next, smsmcp.Waiting); err != nil {
			return err
		}
		got, err = send(t, id)
		return err
	})
	if err != nil {
		return smsmcp.Send{}, err
	}
	return got, nil
}

// Record writes how a send came out. The same outcome twice is one; another one than the first is ErrState, but that what failed because it
// was not listed, or by the owner's word, may turn out to be Done. Done stores the sent text and its links' hosts in the same transaction, once if the carrier listed
// it before.
//
// A carrier that answers with the key of another text took this one all the same: it is Done, with no key of its own (smsmcp.KeyTaken). What
// is settled later than that must be a text that is nobody's: else it is ErrTaken.
//
// A send that Recover or RecoverStale gave up while its process was alive is Unknown when the carrier's answer comes (Outcome.Handed): what nobody has settled meanwhile, that settles.
func (s *Store) Record(ctx context.Context, id smsmcp.SendID, o smsmcp.Outcome) (got smsmcp.Send, err error) {
	err = s.write(ctx, "record an outcome", func(t *tx) error {
		if got, err = t.outgoing(id); err != nil {
			return err
		}
		from := got
		if from.State == o.State && (o.State != smsmcp.Done || sameKey(from, o.Key)) {
			return nil
		}
		if o.State != smsmcp.Done && o.State != smsmcp.Failed && o.State != smsmcp.Unknown {
			return fmt.Errorf("outcome %s: %w", o.State, ErrState)
		}
		got.State, got.Delivery, got.Failure = o.State, o.Delivery, o.Failure
		if o.Key.ID != "" {
			got.Key = o.Key
		}
		if !o.State.Open() {
			got.Ended = fromMS(ms(o.At))
		}
		if err := t.mayRecord(from, o); err != nil {
			return err
		}
		if o.State == smsmcp.Done {
			if got, err = t.sent(got, o.At, from.State == smsmcp.Reserved || o.Handed); err != nil {
				return err
			}
		}
		return t.settle(got, from.State, o.Reached || o.State != smsmcp.Failed)
	})
	if err != nil {
		return smsmcp.Send{}, err
	}
	return got, nil
}

// sent stores the text that a send became, or takes the listed one that it is, and gives the send with the key that it has then. told says that the carrier itself has just told the key.
func (t *tx) sent(s smsmcp.Send, at time.Time, told bool) (smsmcp.Send, error) {
	key := s.Key
	if key.ID == "" {
		key = smsmcp.Key{Kind: s.Kind, ID: string(s.ID)}
	}
	_, added, err := t.addText(at, smsmcp.Text{
		Key: key, Direction: smsmcp.Sent, Peer: smsmcp.NumberPeer(s.Draft.To()), Body: untrusted.New(s.Draft.Body()), At: at, Delivery: s.Delivery,
	}, nil, nil, string(s.ID))
	if err != nil || added {
		return s, err
	}
	n, err := t.Exec(`UPDATE texts SET send = ? WHERE carrier = ? AND kind = ? AND ref = ? AND direction = 2 AND send IS NULL`,
		string(s.ID), key.Carrier, string(key.Kind), key.ID)
	if err != nil || n == 1 {
		return s, err
	}
	if !told || s.Key.ID == "" {
		return s, fmt.Errorf("the carrier's key: %w", ErrTaken)
	}
	s.Key.ID, s.Failure = "", smsmcp.KeyTaken
	return t.sent(s, at, told)
}

// sameKey says whether a send that went has this key. One whose key was taken has none, whatever the carrier called it.
func sameKey(s smsmcp.Send, k smsmcp.Key) bool {
	return s.Key == k || s.Key.ID == "" && (k.ID == "" || s.Failure == smsmcp.KeyTaken)
}

// mayRecord says whether a send may come out so. The owner's word that it failed yields to the carrier's list alone: to a text that is stored, and
// nobody's.
func (t *tx) mayRecord(s smsmcp.Send, o smsmcp.Outcome) error {
	if s.State != smsmcp.Failed || o.State != smsmcp.Done {
		return step(s.State, o.State)
	}
	switch s.Failure {
	case smsmcp.NotListed:
		return nil
	case smsmcp.OwnerSaid:
		listed, err := engine.One(t, `SELECT 1 FROM texts WHERE carrier = ? AND kind = ? AND ref = ? AND direction = 2 AND send IS NULL`,
			[]any{o.Key.Carrier, string(o.Key.Kind), o.Key.ID}, new(int))
		if err != nil || listed {
			return err
		}
	}
	return step(s.State, o.State)
}

// hosts remembers the hosts of a sent text's links.
func (t *tx) hosts(body string) error {
	for _, h := range signs.Hosts(body) {
		if _, err := t.Exec(`INSERT INTO hosts (host) VALUES (?) ON CONFLICT DO NOTHING`, h); err != nil {
			return err
		}
	}
	return nil
}

// next lists where a send may go from each state. Reserved is entered once, from Waiting or as a new send: invariant 7.
var next = map[smsmcp.SendState][]smsmcp.SendState{
	"":              {smsmcp.Refused, smsmcp.Waiting, smsmcp.Reserved},
	smsmcp.Waiting:  {smsmcp.Declined, smsmcp.Expired, smsmcp.Cancelled, smsmcp.Void, smsmcp.Refused, smsmcp.Reserved},
	smsmcp.Reserved: {smsmcp.Done, smsmcp.Failed, smsmcp.Unknown},
	smsmcp.Unknown:  {smsmcp.Done, smsmcp.Failed},
}

func step(from, to smsmcp.SendState) error {
	for _, s := range next[from] {
		if s == to {
			return nil
		}
	}
	return fmt.Errorf("from %q to %q: %w", from, to, ErrState)
}

// current says whether the draft is for the contact as it was found (invariant 2), and who judged it may still do so (invariant 9).
func (t *tx) current(s smsmcp.Send, st guard.State) error {
	if !st.Known || s.Draft.Contact() != st.Contact.ID || s.Draft.Revision() != st.Contact.Revision || s.Draft.To() != st.Contact.To {
		return ErrDraft
	}
	return t.s.holds.Stand(t)
}

func (t *tx) insert(s smsmcp.Send, st guard.State) error {
	if err := step("", s.State); err != nil {
		return err
	}
	if s.State != smsmcp.Refused {
		if err := t.current(s, st); err != nil {
			return err
		}
	}
	reasons, err := reasonsJSON(s.Reasons)
	if err != nil {
		return err
	}
	if s.State == smsmcp.Reserved && s.Reserved.IsZero() || s.State == smsmcp.Waiting && s.Expires.IsZero() {
		return fmt.Errorf("a %s send without its time: %w", s.State, ErrInvalid)
	}
	digest, words, body := s.Draft.Digest(), smsmcp.BodyDigest(s.Draft.Body()), s.Draft.Body()
	if s.State == smsmcp.Refused {
		body = clip(body, maxRefusedBody)
	}
	_, err = t.Exec(`INSERT INTO sends (id, contact, revision, number, body, digest, body_digest, name, state, reasons, strong, by, scope,
		kind, segments, created, expires, answered, reserved, ended, confirmed_by, key_carrier, key_kind, key_ref, delivery, failure, tally,
		only_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		string(s.ID), s.Draft.Contact(), s.Draft.Revision(), string(s.Draft.To()), []byte(body), digest[:], words[:], s.Name,
		string(s.State), reasons, flag(s.Strong), s.By, string(s.Scope), string(s.Kind), s.Segments, ms(s.Created), ms(s.Expires),
		ms(s.Answered), ms(s.Reserved), ms(s.Ended), string(s.ConfirmedBy), s.Key.Carrier, string(s.Key.Kind), "", s.Delivery,
		s.Failure, tally(s.State, false), string(s.Only))
	if err == nil {
		t.s.memo.began(s, words)
	}
	return err
}

// update writes what can change of a send, if it is still in from and may go from there to its new state.
func (t *tx) update(s smsmcp.Send, from smsmcp.SendState) error {
	if err := step(from, s.State); err != nil {
		return err
	}
	reasons, err := reasonsJSON(s.Reasons)
	if err != nil {
		return err
	}
	t.s.memo.log = nil
	n, err := t.Exec(`UPDATE sends SET state = ?, reasons = ?, strong = ?, kind = ?, segments = ?, answered = ?, reserved = ?, ended = ?,
		confirmed_by = ?, key_carrier = ?, key_kind = ?, failure = ?, tally = ?, answer = nullif(?, x'') WHERE id = ? AND state = ?`,
		string(s.State), reasons, flag(s.Strong), string(s.Kind), s.Segments, ms(s.Answered), ms(s.Reserved), ms(s.Ended), string(s.ConfirmedBy),
		s.Key.Carrier, string(s.Key.Kind), s.Failure, tally(s.State, false), []byte(clip(s.Answer.RawForStore(), maxAnswer)), string(s.ID), string(from))
	return moved(s, from, n, err)
}

// settle writes what Record learnt: a narrow update, which leaves the other indexes alone.
func (t *tx) settle(s smsmcp.Send, from smsmcp.SendState, counts bool) error {
	n, err := t.Exec(`UPDATE sends SET state = ?, ended = ?, key_carrier = ?, key_kind = ?, key_ref = ?, delivery = ?, failure = ?, tally = ?
		WHERE id = ? AND state = ?`,
		string(s.State), ms(s.Ended), s.Key.Carrier, string(s.Key.Kind), s.Key.ID, s.Delivery, s.Failure, tally(s.State, counts),
		string(s.ID), string(from))
	if err = moved(s, from, n, err); err == nil {
		t.s.memo.settled(s, counts)
	}
	return err
}

func moved(s smsmcp.Send, from smsmcp.SendState, n int64, err error) error {
	if err == nil && n != 1 {
		return fmt.Errorf("%s is not %s any more: %w", s.ID, from, ErrState)
	}
	return err
}

// tally is how a send is found again: while it is open, and afterwards if it counts against the limits.
func tally(s smsmcp.SendState, counts bool) int64 {
	if s.Open() {
		return 2
	}
	return flag(counts)
}

func reasonsJSON(r []smsmcp.Reason) (string, error) {
	if len(r) == 0 {
		return "[]", nil
	}
	b, err := json.Marshal(r)
	return string(b), err
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
