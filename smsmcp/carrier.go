package smsmcp

import (
	"context"
	"errors"
	"time"
)

// Errors that every carrier's errors wrap where they fit. An error of Send that wraps neither ErrNotSent nor ErrRefused means that
// the text may have gone: it is recorded as unknown (invariant 7).
var (
	ErrNotSent = errors.New("the text never left for the carrier")         // no byte of the request left
	ErrRefused = errors.New("the carrier refused the text")                // the carrier answered, and said no
	ErrTooLong = errors.New("the body is longer than the carrier carries") // of Plan
	ErrPartial = errors.New("the carrier's list is not whole")             // of List: what it gave is right, but more is missing
	ErrDown    = errors.New("the carrier cannot be reached")               // of List
)

// ErrNoLeave says of whom we speak with that it does not let us do what we ask, or lets everybody: no later try alone mends it.
var ErrNoLeave = errors.New("the other side's rights are not as they must be")

// Coded is an error with a code in a known form, [a-z_]{1,40}: all that is kept or shown of a foreign error (invariant 13).
type Coded interface {
	error
	Code() string
}

// Plan is how a carrier would carry a body.
type Plan struct {
	Kind     Kind
	Segments int // SMS segments (GSM 03.40), 1 for an MMS
}

// Receipt is a carrier's word that it took a text.
type Receipt struct {
	Key      Key
	Delivery string // reduced; empty if it tells none
}

// Carrier moves texts. Only smsmcp/dispatch calls Send (invariant 1). A carrier never sends twice by itself.
type Carrier interface {
	// Name is the first part of every key: [a-z]+.
	Name() string
	// Plan says how a body would go, or ErrTooLong. It does no I/O.
	Plan(body string) (Plan, error)
	// Send hands over one text, once. ctx bounds it.
	Send(ctx context.Context, to Number, body string) (Receipt, error)
	// Check asks the carrier whether the credentials work, at no cost.
	Check(ctx context.Context) error
}

// Lister is a carrier that can say what it holds. With one, unknown sends are reconciled and texts are polled for.
type Lister interface {
	// List gives the texts that the carrier holds, received and sent, between two times (a wider answer is fine), oldest first. An
	// error gives no list at all, but for one that wraps ErrPartial: that list is right and lacks texts that could not be read.
	List(ctx context.Context, from, to time.Time) ([]Text, error)
}

// MediaKeeper is a carrier that keeps what came with a text, and says where.
type MediaKeeper interface {
	// Media gives the addresses of what came with a received text, in the carrier's order; none where it has nothing, or nothing any more. Nothing is known of an
	// address but that the carrier gave it. Who has one has what it holds: it is in no log and goes to no model.
	Media(ctx context.Context, key Key) ([]string, error)
}
