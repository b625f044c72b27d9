package ari

import (
	"context"
	"errors"
	"net/http"
)

// Error is anything that went wrong between Readback and Asterisk, as a code. Causes are dropped: what a transport or Asterisk says can hold addresses,
// credentials or a stranger's words (invariants 11 and 13).
type Error struct {
	op   string
	code string
	left bool
}

// Code is in the form [a-z_]{1,40}.
func (e *Error) Code() string { return e.code }

// Left says whether a part of the request may have reached Asterisk. If not, it did nothing.
func (e *Error) Left() bool { return e.left }

func (e *Error) Error() string { return "ari: " + e.op + ": " + e.code }

// The codes. Those of Asterisk's answers come after the request left; a refusal (4xx) means that nothing was done.
const (
	CodeUnreachable  = "ari_unreachable"  // no connection was had
	CodeUntrusted    = "ari_untrusted"    // the certificate is not to be trusted
	CodeTimedOut     = "ari_timed_out"    // no whole answer in time
	CodeCancelled    = "ari_cancelled"    // the caller gave up
	CodeLost         = "ari_lost"         // the connection broke
	CodeSilent       = "ari_silent"       // pings were not answered
	CodeReplaced     = "ari_replaced"     // another program took the application over
	CodeUnauthorized = "ari_unauthorized" // wrong user or password
	CodeNotFound     = "ari_not_found"    // no such thing, or ARI is off
	CodeRefused      = "ari_refused"      // another 4xx
	CodeServer       = "ari_server"       // 5xx
	CodeBadAnswer    = "ari_bad_answer"   // of another form than ARI's
	CodeTooBig       = "ari_too_big"      // an answer or a message over its bound
	CodeNoSecret     = "ari_no_secret"    // the password cannot be read
	CodeBadValue     = "ari_bad_value"    // of ours: it could be read as something else on the way
	CodeHook         = "ari_catch_up"     // the hook after a connect failed
	CodeCrashed      = "ari_crashed"      // what reads events, or pings, panicked
	codeUnknown      = CodeBadAnswer      // of the library's own errors
)

// code gives the code of an error of this package, or CodeHook for any other.
func code(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.code
	}
	return CodeHook
}

// broken is the error of a request that had no whole answer.
func broken(ctx context.Context, parent context.Context, op, why string, left bool) *Error {
	switch {
	case parent.Err() != nil && errors.Is(parent.Err(), context.Canceled):
		why = CodeCancelled
	case ctx.Err() != nil:
		why = CodeTimedOut
	}
	return &Error{op, why, left}
}

// answered is the error of an HTTP status, or nil.
func answered(op string, status int) *Error {
	switch {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return &Error{op, CodeUnauthorized, true}
	case status == http.StatusNotFound:
		return &Error{op, CodeNotFound, true}
	case status >= 400 && status < 500:
		return &Error{op, CodeRefused, true}
	case status >= 500:
		return &Error{op, CodeServer, true}
	}
	return &Error{op, CodeBadAnswer, true} // redirects are not followed
}
