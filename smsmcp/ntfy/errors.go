package ntfy

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"readback/smsmcp"
)

// Error is anything that went wrong between Readback and ntfy, as a code. Causes are dropped: what a transport or a server says can hold
// addresses, the token or a stranger's words (invariants 11 and 13).
type Error struct {
	op    string
	code  string
	after time.Duration // how long ntfy asked to wait; 0 if it did not
}

// Code is in the form [a-z_]{1,40}. smsmcp/lang has a sentence for each.
func (e *Error) Code() string { return e.code }

func (e *Error) Error() string { return "ntfy: " + e.op + ": " + e.code }

// Unwrap gives smsmcp.ErrDown where ntfy may do better later, and smsmcp.ErrNoLeave where rights must be set right first.
func (e *Error) Unwrap() error {
	switch e.code {
	case CodeUnreachable, CodeTimedOut, CodeLost, CodeServer, CodeTooMany:
		return smsmcp.ErrDown
	case CodeAnonymous, CodeWritable, CodeUnauthorized, CodeForbidden, CodeNoToken:
		return smsmcp.ErrNoLeave
	}
	return nil
}

// The codes.
const (
	CodeAnonymous    = "ntfy_anonymous"    // the topic can be read without a token
	CodeWritable     = "ntfy_writable"     // of Approvals: the topic can be written to without a token
	CodeUnauthorized = "ntfy_unauthorized" // 401: the token is not known
	CodeForbidden    = "ntfy_forbidden"    // 403: it may not write to the topic
	CodeTooLarge     = "ntfy_too_large"    // 413
	CodeTooMany      = "ntfy_too_many"     // 429
	CodeRefused      = "ntfy_refused"      // another 4xx
	CodeServer       = "ntfy_server"       // 5xx
	CodeUnreachable  = "ntfy_unreachable"  // no connection was had
	CodeUntrusted    = "ntfy_untrusted"    // the certificate is not to be trusted
	CodeTimedOut     = "ntfy_timed_out"    // no whole answer in time
	CodeLost         = "ntfy_lost"         // the connection broke before the answer
	CodeCancelled    = "ntfy_cancelled"    // the caller gave up
	CodeNoToken      = "ntfy_no_token"     //nolint:gosec // no credential: the token cannot be read
	CodeBadAnswer    = "ntfy_bad_answer"   // not of ntfy's form
	CodeStore        = "ntfy_store"        // of the bridge: the outbox could not be read or written
)

// ErrAnonymous says that anyone who knows the topic's name can read what is told there.
var ErrAnonymous error = &Error{op: "check", code: CodeAnonymous}

// ErrWritable says that anyone who knows the name of the topic for approvals can write there, and so pass for Readback.
var ErrWritable error = &Error{op: "check", code: CodeWritable}

// codeOf gives the code of an error of this package, or CodeStore: what else fails is the outbox.
func codeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.code
	}
	return CodeStore
}

// broken is the error of a request that had no whole answer.
func broken(ctx, parent context.Context, op, why string) *Error {
	switch {
	case parent.Err() != nil && errors.Is(parent.Err(), context.Canceled):
		why = CodeCancelled
	case ctx.Err() != nil:
		why = CodeTimedOut
	}
	return &Error{op: op, code: why}
}

// maxAfter bounds what is believed of a Retry-After, in seconds.
const maxAfter = 3600

// answered is the error of an HTTP answer, or nil.
func answered(op string, resp *http.Response) *Error {
	code := CodeBadAnswer // redirects are not followed
	switch s := resp.StatusCode; {
	case s == http.StatusOK:
		return nil
	case s == http.StatusUnauthorized:
		code = CodeUnauthorized
	case s == http.StatusForbidden:
		code = CodeForbidden
	case s == http.StatusRequestEntityTooLarge:
		code = CodeTooLarge
	case s == http.StatusTooManyRequests:
		code = CodeTooMany
	case s >= 400 && s < 500:
		code = CodeRefused
	case s >= 500:
		code = CodeServer
	}
	e := &Error{op: op, code: code}
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 {
		e.after = time.Duration(min(n, maxAfter)) * time.Second
	}
	return e
}
