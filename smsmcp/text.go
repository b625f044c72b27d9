package smsmcp

import (
	"time"

	"readback/smsmcp/untrusted"
)

// TextID names a text in the store, in the order in which texts were stored.
type TextID int64

// Direction says who wrote a text.
type Direction uint8

// The directions.
const (
	Received Direction = iota + 1
	Sent
)

// Kind is a carrier's kind of text. Carriers number each kind on its own, so a text's key is (carrier, kind, id).
type Kind string

// The kinds.
const (
	SMS       Kind = "sms"
	MMS       Kind = "mms"
	Voicemail Kind = "voicemail" // what a caller left: always received and unverified, and in no carrier's list
)

// Key names a text at its carrier: what makes the same text by two paths one text (invariant 8).
type Key struct {
	Carrier string
	Kind    Kind
	ID      string
}

// BodyLost is the delivery state of a received text that came without its words, where no list has them.
const BodyLost = "body_lost"

// HandedOver is the delivery state of a sent text that its carrier passed on, and of which it will never say whether it arrived.
const HandedOver = "handed_over"

// Text is one SMS or MMS, received or sent, or a voicemail.
type Text struct {
	ID        TextID
	Key       Key
	Direction Direction
	Peer      Peer
	Body      untrusted.Text
	At        time.Time // when, by the carrier's clock; UTC, whole seconds
	Images    int       // how many media came with it
	Delivery  string    // the carrier's delivery state, reduced by Reduce; empty if it tells none

	// Unverified says that Peer is a claim: nothing but a datagram says so, which anyone can write. It is a stranger's text, whatever number
	// it claims, until the carrier's list has it too. Only a received text can be.
	Unverified bool
}
