// Package dispatch is the one door out (invariant 1): nothing else calls Carrier.Send.
//
// A draft goes through one transaction in which the guard judges it and its row is written, and only a row that is durably Reserved is handed to
// the carrier, once (invariant 7). The owner's yes enters by the same door: [Door.Confirm] and [Door.Spoken] judge the draft again, in a transaction
// that turns the waiting row into a reserved one, so that a crash between the yes and the carrier leaves one row that says what happened.
//
// Floor 3: imports smsmcp, smsmcp/guard and below. It knows the store as [Ledger] and the confirmation desk as two functions.
package dispatch

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

// Ledger is the durable log of sends. Begin and Answer read the state, call decide and write what it rules in one
// transaction; an error means that nothing was written.
type Ledger interface {
	Begin(ctx context.Context, now time.Time, to smsmcp.Recipient, need guard.Need, decide func(guard.State) smsmcp.Ruling) error
	Answer(ctx context.Context, now time.Time, id smsmcp.SendID, need func(smsmcp.Send) guard.Need,
		decide func(smsmcp.Send, guard.State) smsmcp.Send) (smsmcp.Send, error)
	Record(ctx context.Context, id smsmcp.SendID, o smsmcp.Outcome) (smsmcp.Send, error)
	Send(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
	Stands(ctx context.Context, id smsmcp.SendID) (state smsmcp.SendState, failure string, err error)
}

// Options are what a Door is made of. All but Log and Observe are needed.
type Options struct {
	Carrier   smsmcp.Carrier
	Ledger    Ledger
	Guard     guard.Settings
	Now       func() time.Time
	Timeout   time.Duration          // of one hand-over to the carrier
	Reachable func(strong bool) bool // is there a channel that can take the owner's yes, and a strong one if asked for?
	Tell      func(smsmcp.Send)      // told of each send that waits or ended; must not block
	Log       *slog.Logger           // states and codes, never a body, a name or a number
	Observe   smsmcp.Observe         // counts verdicts, what was asked and answered, how sends ended, and a carrier's failures
}

// Door is the one door out. Its methods are safe for concurrent use.
type Door struct {
	Options
	flying   sync.WaitGroup
	stop     context.CancelFunc
	life     context.Context
	mu       sync.Mutex
	closed   bool
	unlogged map[smsmcp.SendID]smsmcp.Outcome // outcomes that the log could not take yet
}

// ErrClosed says that the program is shutting down: nothing was written and nothing was sent.
var ErrClosed = errors.New("shutting down: nothing was sent")

// ErrNotRecorded says that a text was handed to the carrier but the log could not be written: it counts as unknown.
var ErrNotRecorded = errors.New("the text may have gone, and the log could not be written")

// New makes the door.
func New(o Options) *Door {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	life, stop := context.WithCancel(context.Background())
	return &Door{Options: o, life: life, stop: stop, unlogged: map[smsmcp.SendID]smsmcp.Outcome{}}
}

// Request is what a face asks for.
type Request struct {
	To    string // a whole name or alias
	Body  string
	By    string // whose token, or which face
	Scope smsmcp.Scope
	Only  smsmcp.Channel // smsmcp.Voice on a call: the draft waits, whatever the guard would allow, for the yes of that channel alone
}

// Answer is what became of a request.
type Answer struct {
	Send  smsmcp.Send
	Again bool // the same draft was already waiting: this is that send
}

// Send judges a draft and, where the guard allows it, sends it. An error means that nothing was sent, but for [ErrNotRecorded].
func (d *Door) Send(ctx context.Context, r Request) (Answer, error) {
	if !d.enter() {
		return Answer{}, ErrClosed
	}
	defer d.flying.Done()
	now := d.Now()
	plan, fits := d.Carrier.Plan(r.Body)
	var out Answer
	var ruling smsmcp.Ruling
	var verdict guard.Decision
	err := d.Ledger.Begin(ctx, now, smsmcp.Recipient{Name: r.To}, d.Guard.Need(r.Body, now), func(s guard.State) smsmcp.Ruling {
		ruling, out, verdict = d.rule(r, s, plan, fits, now)
		return ruling
	})
	if err != nil {
		return Answer{}, fmt.Errorf("record the send: %w", err)
	}
	for _, c := range ruling.Close {
		d.ended(c.State)
	}
	if !out.Again {
		d.judged(verdict)
		d.ended(out.Send.State)
	}
	switch out.Send.State {
	case smsmcp.Reserved:
		out.Send, err = d.hand(ctx, out.Send, now)
	case smsmcp.Waiting:
		if !out.Again {
			d.Observe.Count(smsmcp.Asked, "")
			d.Tell(out.Send)
		}
	}
	d.Log.Info("send", "id", out.Send.ID, "state", out.Send.State, "rules", rules(out.Send.Reasons))
	return out, err
}

// rule decides, inside the transaction, what becomes of a request. The decision is the guard's own, where it was asked.
func (d *Door) rule(r Request, s guard.State, plan smsmcp.Plan, fits error, now time.Time) (smsmcp.Ruling, Answer, guard.Decision) {
	draft := smsmcp.NewDraft(s.Contact, r.Body)
	send := smsmcp.Send{
		ID: newID(), Draft: draft, Name: s.Contact.Name, By: r.By, Scope: r.Scope, Only: r.Only,
		Kind: plan.Kind, Segments: plan.Segments, Created: now,
	}
	var ruling smsmcp.Ruling
	var waiting, replaced []smsmcp.SendID
	for _, w := range s.Waiting {
		switch {
		case over(w, now):
			ruling.Close = append(ruling.Close, smsmcp.Closing{ID: w.ID, State: smsmcp.Expired})
		case w.Only != r.Only: // who is asked there is not asked here: neither counts, nor stands in the way
		case s.Known && w.Draft == draft && w.Scope == r.Scope:
			return ruling, Answer{Send: w, Again: true}, guard.Deny
		case s.Known && w.Draft.Contact() == draft.Contact():
			replaced = append(replaced, w.ID)
		default:
			waiting = append(waiting, w.ID)
		}
	}
	v := d.Guard.Check(guard.Attempt{Draft: draft, Scope: r.Scope, Only: r.Only, Fits: fits}, s, now)
	send.Reasons, send.Strong = v.Reasons, v.Strong
	switch v.Decision {
	case guard.Allow:
		send.State, send.Reserved, send.Key = smsmcp.Reserved, now, d.key(plan)
	case guard.Confirm:
		send.State, send.Expires = smsmcp.Waiting, now.Add(d.Guard.Expiry)
		if why := d.mayAsk(r, s, v, len(waiting), now); why != nil {
			send.State, send.Expires = smsmcp.Refused, time.Time{}
			send.Reasons = append(send.Reasons, why...)
		}
	default:
		send.State = smsmcp.Refused
	}
	if send.State == smsmcp.Refused {
		send.Ended = now
	} else {
		for _, id := range replaced {
			ruling.Close = append(ruling.Close, smsmcp.Closing{ID: id, State: smsmcp.Void})
		}
	}
	ruling.Insert = &send
	return ruling, Answer{Send: send}, v.Decision
}

// mayAsk holds invariant 6: no channel, no send. On a call the call itself is the channel, and it is the owner who asks there: nobody is worn down.
func (d *Door) mayAsk(r Request, s guard.State, v guard.Verdict, waiting int, now time.Time) []smsmcp.Reason {
	if r.Only != smsmcp.NoChannel {
		return nil
	}
	if !d.Reachable(v.Strong) {
		return []smsmcp.Reason{{Rule: guard.RuleNoChannel}}
	}
	return d.Guard.Ask(s, waiting, now)
}

// over says that a wait is over: its time is past, or it began in the future, which means that the clock was set back
// and nobody can say how long it has waited.
func over(w smsmcp.Send, now time.Time) bool {
	return !now.Before(w.Expires) || w.Created.After(now.Add(time.Minute))
}

// Check gives a send as it stands.
func (d *Door) Check(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	s, err := d.Ledger.Send(ctx, id)
	if err == nil && s.State == smsmcp.Waiting && over(s, d.Now()) {
		return d.end(ctx, id, smsmcp.Expired)
	}
	return s, err
}

// Cancel withdraws a send that waits. Any other is returned as it stands.
func (d *Door) Cancel(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	return d.end(ctx, id, smsmcp.Cancelled)
}

func (d *Door) end(ctx context.Context, id smsmcp.SendID, state smsmcp.SendState) (smsmcp.Send, error) {
	now := d.Now()
	mine := false
	send, err := d.Ledger.Answer(ctx, now, id, noNeed, func(s smsmcp.Send, _ guard.State) smsmcp.Send {
		mine = true
		s.State, s.Ended = state, now
		if over(s, now) {
			s.State = smsmcp.Expired
		}
		return s
	})
	if err == nil && mine {
		d.ended(send.State)
	}
	return send, err
}

// key says whom a send was handed to. The carrier's own id for it comes with the receipt.
func (d *Door) key(p smsmcp.Plan) smsmcp.Key {
	return smsmcp.Key{Carrier: d.Carrier.Name(), Kind: p.Kind}
}

func noNeed(smsmcp.Send) guard.Need { return guard.Need{} }

func newID() smsmcp.SendID {
	var b [7]byte
	_, _ = rand.Read(b[:]) // crypto/rand.Read never fails: it ends the program instead
	return smsmcp.SendID(strings.ToLower(base32.StdEncoding.EncodeToString(b[:])[:10]))
}

func rules(reasons []smsmcp.Reason) []string {
	out := make([]string, len(reasons))
	for i, r := range reasons {
		out[i] = string(r.Rule)
	}
	return out
}
