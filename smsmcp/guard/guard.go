// Package guard says whether a draft may go: Check(draft, state, now) is pure, one file a rule.
//
// The state is what the durable log says, read inside the transaction that reserves the send (invariant 9). The guard fails closed: the
// zero Verdict is Deny (invariant 6), and no rule can turn another's denial into anything else.
//
// Floor 2: imports smsmcp, smsmcp/signs and floor 0.
package guard

import (
	"time"

	"readback/smsmcp"
	"readback/smsmcp/signs"
)

// Decision is what may happen to a draft.
type Decision uint8

// The decisions; the zero value is Deny.
const (
	Deny Decision = iota
	Confirm
	Allow
)

// Attempt is what is to be judged.
type Attempt struct {
	Draft     smsmcp.Draft // zero, but for its body, where the recipient is not a contact
	Scope     smsmcp.Scope
	Only      smsmcp.Channel // the one channel whose yes counts, where there is but one: the draft is asked about there, always
	Fits      error          // the carrier's Plan of the body: nil where it can carry it
	Confirmed bool           // the owner said yes to this very draft
}

// Verdict is what the guard says of a draft, with every reason for it.
type Verdict struct {
	Decision Decision
	Strong   bool // of Confirm: only a strong channel will do
	Reasons  []smsmcp.Reason
}

// State is what the log says at the moment of reserving. Times in the future (a clock set back) are part of every window: a clock
// that jumps back opens nothing (invariant 12).
type State struct {
	Known   bool           // the recipient is a contact
	Contact smsmcp.Contact // as it is now
	Frozen  bool           // the owner's stop for all sends
	Stopped bool           // the contact's last word on it was STOP, and the owner has not cleared that

	Log       []Past        // every send with Reserved after Need.LogSince that reached or may have reached the carrier, oldest first
	Waiting   []smsmcp.Send // every send in Waiting, oldest first, whatever its Only
	Unsettled []smsmcp.Send // every send in Reserved or Unknown with this draft's body, to its contact or its number, whatever its age
	Asked     []time.Time   // when the owner was asked, after Need.LogSince, oldest first; of sends without an Only
	Answers   []Answer      // the owner's last two answers (yes or no) to sends without an Only, newest first

	Holds     []smsmcp.Hold // not over at now, of every scope
	Heard     []Heard       // received texts that were stored or shown after Need.HeardSince, the newest MaxHeard of them
	HeardMore bool          // and there are more
	NewHosts  []string      // of Need.Hosts, those that no sent text ever held
}

// MaxHeard bounds State.Heard: a model that reads everything must not slow every send. Past it the guard asks.
const MaxHeard = 5000

// Past is a send that reached, or may have reached, the carrier.
type Past struct {
	ID        smsmcp.SendID
	Contact   smsmcp.ContactID
	To        smsmcp.Number
	Body      [32]byte // smsmcp.BodyDigest
	At        time.Time
	State     smsmcp.SendState
	Confirmed bool // the owner said yes to it
}

// Answer is the owner's answer to an ask.
type Answer struct {
	At  time.Time
	Yes bool
}

// Need is what Check wants read for a draft. The zero Need wants nothing read but the contact and the freeze.
type Need struct {
	Body       string
	Hosts      []string // hosts of the links in the body
	LogSince   time.Time
	HeardSince time.Time
}

// Check judges an attempt. Every denial is reported together; where nothing denies, every reason to ask is.
func (g Settings) Check(a Attempt, s State, now time.Time) Verdict {
	var v Verdict
	never := g.Confirm == ConfirmNever && a.Only == smsmcp.NoChannel // nobody is ever asked
	asks := make([]smsmcp.Reason, 0, 4)
	for _, r := range rules {
		reasons := r.check(g, a, s, now)
		switch {
		case len(reasons) == 0:
		case r.decision == Deny || r.hard && never:
			v.Reasons = append(v.Reasons, reasons...)
		case !never:
			asks = append(asks, reasons...)
			v.Strong = v.Strong || r.strong
		}
	}
	switch {
	case len(v.Reasons) > 0:
		v.Strong = false
	case len(asks) > 0:
		v.Decision, v.Reasons = Confirm, asks
	default:
		v.Decision = Allow
	}
	return v
}

// Need says what Check wants read for a body.
func (g Settings) Need(body string, now time.Time) Need {
	return Need{
		Body:       body,
		Hosts:      signs.Hosts(body),
		LogSince:   now.Add(-day),
		HeardSince: now.Add(-max(g.Named, g.Repeats)),
	}
}

const (
	hour = time.Hour
	day  = 24 * time.Hour
)

// rule is one line of the table. A strong rule takes a strong channel only; a hard one denies where nobody is ever asked.
type rule struct {
	decision Decision
	strong   bool
	hard     bool
	check    func(Settings, Attempt, State, time.Time) []smsmcp.Reason
}

var rules = []rule{
	{decision: Deny, check: recipient},
	{decision: Deny, check: body},
	{decision: Deny, check: duplicate},
	{decision: Deny, check: unsettled},
	{decision: Deny, check: rate},
	{decision: Confirm, strong: true, check: readBack},
	{decision: Confirm, hard: true, check: kept},
	{decision: Confirm, check: unconfirmed},
	{decision: Confirm, check: fanOut},
	{decision: Confirm, check: hold},
	{decision: Confirm, strong: true, check: alarm},
	{decision: Confirm, check: named},
	{decision: Confirm, check: repeats},
	{decision: Confirm, check: heardMore},
	{decision: Confirm, check: newHost},
	{decision: Confirm, check: stopped},
	{decision: Confirm, check: quiet},
	{decision: Confirm, check: always},
}

func one(r smsmcp.Reason) []smsmcp.Reason { return []smsmcp.Reason{r} }
