package voipms

import (
	"context"
	"errors"
	"fmt"

	"readback/smsmcp"
)

// StatusError is a status other than success by which voip.ms answered a call. It wraps smsmcp.ErrRefused where that status is only ever
// given before a text is handed on; any other status, known or not, leaves open whether the text went.
type StatusError struct {
	status  string // reduced
	refused bool
}

// Code is the status in [a-z_]{1,40}.
func (e *StatusError) Code() string { return e.status }

func (e *StatusError) Error() string { return "voip.ms answered " + e.status }

func (e *StatusError) Unwrap() error {
	if e.refused {
		return smsmcp.ErrRefused
	}
	return nil
}

// certain are the statuses of checks that come before the text is handed on. sms_failed is not one of them: people saw "not sent" for
// texts that arrived, and sent them again.
var certain = map[string]bool{
	"invalid_credentials": true, "invalid_username": true, "invalid_password": true, "missing_credentials": true,
	"missing_username": true, "ip_not_enabled": true, "api_not_enabled": true, "api_limit_exceeded": true,
	"missing_method": true, "invalid_method": true, "method_maintenance": true,
	"non_sufficient_funds": true, "limit_reached": true,
	"invalid_did": true, "missing_did": true, "invalid_dst": true, "invalid_contact": true,
	"sms_toolong": true, "message_empty": true, "missing_sms": true, "invalid_sms": true,
}

// newStatus judges the status as it came: one that only looks like a known one after it is reduced is not that one.
func newStatus(raw string) *StatusError {
	return &StatusError{status: smsmcp.Reduce(raw), refused: certain[raw]}
}

// fault is anything that went wrong but a status: in the network, or in the answer's form. Its cause is dropped: what a transport's error
// says can hold addresses and, through a proxy, credentials.
type fault struct {
	code  string
	wraps []error
}

func (e *fault) Code() string    { return e.code }
func (e *fault) Error() string   { return "voip.ms: " + e.code }
func (e *fault) Unwrap() []error { return e.wraps }

// The codes of faults; smsmcp/lang has a sentence for each.
const (
	codeUnreachable = "unreachable"      // no connection was had
	codeTimedOut    = "timed_out"        // no whole answer in time
	codeCancelled   = "cancelled"        // the caller gave up
	codeLost        = "connection_lost"  // the connection broke before the answer was whole
	codeRedirected  = "redirected"       // HTTP 3xx: never followed
	codeHTTP        = "http_error"       // another HTTP status than 200
	codeHTML        = "web_page"         // a page where an answer should be
	codeBadAnswer   = "bad_answer"       // JSON of another form, or none
	codeTooBig      = "answer_too_big"   // over its bound, and of no use in part
	codeListFull    = "list_full"        // more texts than could be read, of one day or in all
	codeBadRow      = "bad_row"          // some rows of a list make no text
	codeNoSecret    = "no_credentials"   // they cannot be read
	codeNotHere     = "not_us_or_canada" // voip.ms carries texts to no other country
	codeBadBody     = "bad_body"         // empty, or not UTF-8
	codeBadWindow   = "bad_window"       // List was asked for no days, or for too many
)

func newFault(code string, wraps ...error) *fault { return &fault{code, wraps} }

// partial is the error of a list that lacks something. It wraps smsmcp.ErrPartial.
type partial struct {
	rows int  // that cannot be read
	full bool // some texts were not even read
}

func (e *partial) Code() string {
	if e.full {
		return codeListFull
	}
	return codeBadRow
}

func (e *partial) Error() string {
	return fmt.Sprintf("voip.ms: the list is not whole: %s, %d rows cannot be read", e.Code(), e.rows)
}

func (e *partial) Unwrap() error { return smsmcp.ErrPartial }

// broken makes the fault of a call that failed in the network or by the clock.
func broken(ctx context.Context, code string, left bool) *fault {
	wraps := []error{smsmcp.ErrDown}
	switch err := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		code, wraps = codeTimedOut, append(wraps, context.DeadlineExceeded)
	case err != nil:
		code, wraps = codeCancelled, append(wraps, context.Canceled)
	}
	if !left {
		wraps = append(wraps, smsmcp.ErrNotSent)
	}
	return newFault(code, wraps...)
}
