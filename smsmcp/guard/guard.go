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
	"readback/smsmcp/untrusted"
)

// Decision is what may happen to a draft.
type Decision uint8

// The decisions; the zero value is Deny.
const (
	Deny Decision = iota
	Confirm
	Allow
)

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
	Waiting   []smsmcp.Send // every send in Waiting, oldest first
	Unsettled []smsmcp.Send // every send in Reserved or Unknown with this draft's body and contact, whatever its age
	Asked     []time.Time   // when the owner was asked, after Need.LogSince, oldest first
	Answers   []Answer      // the owner's last two answers (yes or no), newest first

	Holds    []smsmcp.Hold // not over at now, of every scope
	Heard    []Heard       // received texts that were stored or shown after Need.HeardSince
	NewHosts []string      // of Need.Hosts, those that no sent text ever held
}

// Past is a send that reached, or may have reached, the carrier.
type Past struct {
	ID        smsmcp.SendID
	Contact   smsmcp.ContactID
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

// Heard is a received text that the model may repeat or be steered by.
type Heard struct {
	Contact smsmcp.ContactID // of the sender; 0 for a stranger
	Body    untrusted.Text
	At      time.Time // when it was stored
	Shown   time.Time // when a model was last shown it; zero if never
}

// Need is what Check wants read for a draft.
type Need struct {
	Body       string
	Hosts      []string // hosts of the links in the body
	LogSince   time.Time
	HeardSince time.Time
}

// Settings are the guard's part of the configuration.
type Settings struct {
	Confirm            string // ConfirmAuto, ConfirmAlways or ConfirmNever
	PerHour            int    // texts in an hour that reach the carrier
	PerDay             int
	KeptForConfirmed   int // of PerDay, kept for sends that the owner confirmed
	UnconfirmedPerHour int
	UnconfirmedPerDay  int
	Duplicate          time.Duration // same body, same contact
	FanOut             int           // contacts who may get the same body in an hour
	Hold               time.Duration
	Alarm              time.Duration
	Named              time.Duration
	Repeats            time.Duration
	RepeatWords        int    // how many words in a row are a long run
	NewHosts           bool   // ask before a link to a host that was never sent
	QuietFrom, QuietTo string // "HH:MM"; both empty: off
	Zone               *time.Location

	Expiry       time.Duration // of a wait for a yes
	MaxWaiting   int
	AsksPerHour  int
	PauseAfterNo time.Duration // after two No in a row
}

// The values of Settings.Confirm.
const (
	ConfirmAuto   = "auto"
	ConfirmAlways = "always"
	ConfirmNever  = "never"
)
