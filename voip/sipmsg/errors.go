package sipmsg

import (
	"errors"

	"readback/smsmcp"
	"readback/voip/ari"
)

// What a message that came in can be, but a text. None of them holds a word of the message.
var (
	ErrLost     = errors.New("sipmsg: a text came without its body") // ask the carrier's list
	ErrNotTrunk = errors.New("sipmsg: a message came by another endpoint than the trunk's")
	ErrNoText   = errors.New("sipmsg: a message is no text") // of another content type, or empty by its own account
)

// fault is an error with a code; smsmcp/lang has a sentence for each.
type fault struct {
	code  string
	wraps []error
}

func fail(code string, wraps ...error) *fault { return &fault{code, wraps} }

func (e *fault) Code() string    { return e.code }
func (e *fault) Error() string   { return "sipmsg: " + e.code }
func (e *fault) Unwrap() []error { return e.wraps }

// judged says of an error of ARI's what it means for the text (invariant 7): it is certain that nothing went if no byte left, or if Asterisk refused.
func judged(err error) *fault {
	var e *ari.Error
	if !errors.As(err, &e) {
		return fail("no_clear_answer")
	}
	if !e.Left() {
		return fail(e.Code(), smsmcp.ErrNotSent, smsmcp.ErrDown)
	}
	switch e.Code() {
	case ari.CodeUnauthorized, ari.CodeNotFound, ari.CodeRefused:
		return fail(e.Code(), smsmcp.ErrRefused)
	}
	return fail(e.Code(), smsmcp.ErrDown)
}
