package llm

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// Error is anything that went wrong between Readback and a model, as a code. Causes are dropped: what a transport or a service says can hold addresses, the key or
// anybody's words.
type Error struct {
	code  string
	again bool // may be tried again, if nothing of the answer came
	is    error
}

// Code is in the form [a-z_]{1,40}.
func (e *Error) Code() string { return e.code }

func (e *Error) Error() string { return "llm: " + e.code }

// Unwrap gives the context's error of one that was given up.
func (e *Error) Unwrap() error { return e.is }

// The errors of an engine. lang.LLMSays says them in a sentence.
var (
	ErrUnreachable  = &Error{code: "llm_unreachable", again: true}  // no connection, or it broke before anything came
	ErrUnauthorized = &Error{code: "llm_unauthorized"}              // the key is not accepted
	ErrNoKey        = &Error{code: "llm_no_key"}                    // there is none to be had
	ErrNoModel      = &Error{code: "llm_no_model"}                  // the service knows none of this name
	ErrNoCredit     = &Error{code: "llm_no_credit"}                 // the account has nothing left
	ErrRefused      = &Error{code: "llm_refused"}                   // the model, or a filter, does not answer this
	ErrBadRequest   = &Error{code: "llm_bad_request"}               // the service does not take what was asked
	ErrRateLimited  = &Error{code: "llm_rate_limited", again: true} // too many requests
	ErrOverloaded   = &Error{code: "llm_overloaded", again: true}   // the service is too busy
	ErrServer       = &Error{code: "llm_server", again: true}       // another fault of the service's
	ErrTimedOut     = &Error{code: "llm_timed_out"}                 // past a bound of time
	ErrBadAnswer    = &Error{code: "llm_bad_answer"}                // not of the form that it must have
	ErrTooBig       = &Error{code: "llm_too_big"}                   // past a bound of size
	ErrCut          = &Error{code: "llm_cut"}                       // it ended in the middle: the connection broke, or the tokens were used up
	ErrCancelled    = &Error{code: "llm_cancelled", is: context.Canceled}
	ErrAddress      = &Error{code: "llm_address"} // of a configuration: not a base URL that may be used
)

// later is an error that came with the service's wish to be left alone for a time.
type later struct {
	err   *Error
	after time.Duration
}

func (l later) Error() string { return l.err.Error() }

func (l later) Unwrap() error { return l.err }

// settled gives the error of a request that failed: the caller's own end first, then ours, then what the engine said.
func settled(caller, ours context.Context, err error) *Error {
	var e *Error
	switch {
	case errors.Is(caller.Err(), context.Canceled):
		return ErrCancelled
	case caller.Err() != nil:
		return ErrTimedOut
	case errors.As(context.Cause(ours), &e):
		return e
	case errors.As(err, &e):
		return e
	}
	return ErrBadAnswer
}

// statuses are those that say more than their class does.
var statuses = map[int]*Error{
	http.StatusUnauthorized:       ErrUnauthorized,
	http.StatusForbidden:          ErrUnauthorized,
	http.StatusPaymentRequired:    ErrNoCredit,
	http.StatusNotFound:           ErrNoModel,
	http.StatusTooManyRequests:    ErrRateLimited,
	http.StatusServiceUnavailable: ErrOverloaded,
	529:                           ErrOverloaded, // Anthropic's own
}

// words are the codes and types of errors, of OpenAI's form and of Anthropic's, that say more than the status, or come without one.
var words = map[string]*Error{
	"insufficient_quota":       ErrNoCredit,
	"billing_error":            ErrNoCredit,
	"content_filter":           ErrRefused,
	"content_policy_violation": ErrRefused,
	"model_not_found":          ErrNoModel,
	"not_found_error":          ErrNoModel,
	"authentication_error":     ErrUnauthorized,
	"permission_error":         ErrUnauthorized,
	"invalid_api_key":          ErrUnauthorized,
	"rate_limit_error":         ErrRateLimited,
	"rate_limit_exceeded":      ErrRateLimited,
	"overloaded_error":         ErrOverloaded,
	"server_error":             ErrServer,
	"api_error":                ErrServer,
	"timeout_error":            ErrServer,
	"invalid_request_error":    ErrBadRequest,
	"request_too_large":        ErrBadRequest,
}

// Answered gives the error of a status, with the body that came with it, or nil for 200 to 299.
func Answered(status int, body []byte) *Error {
	if status >= 200 && status < 300 {
		return nil
	}
	named := Named(body)
	switch e, known := statuses[status]; {
	case status == http.StatusTooManyRequests && named == ErrNoCredit:
		return named
	case known:
		return e
	case status >= 500:
		return ErrServer
	case status >= 400 && named != nil && !named.again:
		return named
	case status >= 400:
		return ErrBadRequest
	}
	return ErrBadAnswer // redirects are not followed
}

// Named gives the error that a body {"error": {"type": …, "code": …}} names, or nil.
func Named(body []byte) *Error {
	var b struct {
		Error struct {
			Type json.RawMessage `json:"type"`
			Code json.RawMessage `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &b) // what is none names nothing
	for _, raw := range []json.RawMessage{b.Error.Code, b.Error.Type} {
		var word string
		if json.Unmarshal(raw, &word) == nil && words[word] != nil {
			return words[word]
		}
	}
	return nil
}
