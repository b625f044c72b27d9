package smsmcp

import (
	"errors"
	"time"
)

// ErrNoSend says that no send has that id.
var ErrNoSend = errors.New("no send has that id")

// Recipient names whom a draft is for: by ID, or, where ID is 0, by a whole name or alias, compared as fold.Key (invariant 2).
type Recipient struct {
	ID   ContactID
	Name string
}

// Ruling is what a decision makes of the log, written in the transaction that it was read in.
type Ruling struct {
	Insert *Send // the new send, in Refused, Waiting or Reserved; nil for none
	Close  []Closing
}

// Closing ends a send that waits: as Expired, Void or Cancelled.
type Closing struct {
	ID    SendID
	State SendState
}

// Outcome is how a reserved or unknown send came out.
type Outcome struct {
	State    SendState // Done, Failed or Unknown
	At       time.Time
	Key      Key    // of Done, where the carrier told one
	Delivery string // reduced
	Failure  string // of Failed and Unknown: reduced
	Reached  bool   // it reached, or may have reached, the carrier: it counts against the limits
	Handed   bool   // it is the carrier's own answer, told by who handed the send over: what nobody has settled meanwhile it settles
}
