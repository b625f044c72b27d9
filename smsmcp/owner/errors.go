package owner

import (
	"errors"
	"net/http"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/lang"
	"readback/store"
	calls "readback/voice/gate"
)

// Code says what kind of error an answer is.
type Code string

// The codes.
const (
	CodeBadRequest   Code = "bad_request"
	CodeNoSend       Code = "no_send"
	CodeNoContact    Code = "no_contact"
	CodeContact      Code = "contact_refused"
	CodeToken        Code = "token_refused"
	CodeSandboxOnly  Code = "sandbox_only"
	CodeTooLong      Code = "too_long"
	CodeChanged      Code = "changed" // the draft is not the one that was shown
	CodePassphrase   Code = "wrong_passphrase"
	CodeNoPassphrase Code = "no_passphrase"
	CodeWeak         Code = "weak_passphrase"
	CodePIN          Code = "pin_refused"
	CodeFile         Code = "file_refused"
	CodeTooWeak      Code = "channel_too_weak"
	CodeOtherChannel Code = "other_channel" // of a draft that was made on a call
	CodeClosing      Code = "closing"
	CodeNotRecorded  Code = "not_recorded"
	CodeInFlight     Code = "in_flight" // a send that is being handed over now
	CodeSettled      Code = "settled"   // a send of which the log knows what became of it
	CodeStore        Code = "store"
	CodeInternal     Code = "internal"
)

// Error is an answer that is an error: a code for programs and a sentence for the owner, in the language that was asked for.
type Error struct {
	Code Code   `json:"code"`
	Text string `json:"text"`
}

// Error gives the sentence.
func (e *Error) Error() string { return e.Text }

func (e *Error) status() int {
	switch e.Code {
	case CodePassphrase, CodeNoPassphrase:
		return http.StatusForbidden
	case CodeNoSend, CodeNoContact:
		return http.StatusNotFound
	case CodeInternal, CodeStore, CodeNotRecorded:
		return http.StatusInternalServerError
	case CodeBadRequest:
		return http.StatusBadRequest
	default:
		return http.StatusConflict
	}
}

// failure is an Error before its language is known.
type failure struct {
	code Code
	say  lang.Message
	args []any
}

func (f *failure) Error() string { return f.say.In(lang.EN, f.args...) }

func fail(code Code, say lang.Message, args ...any) error { return &failure{code, say, args} }

// errorOf gives the answer for an error of any part below.
func (h *handler) errorOf(err error, l lang.Lang) *Error {
	var f *failure
	var r *contacts.Refusal
	switch {
	case errors.As(err, &f):
		return &Error{f.code, f.say.In(l, f.args...)}
	case errors.As(err, &r):
		return &Error{CodeContact, contacts.Sentence(l, err)}
	}
	for _, k := range known {
		if errors.Is(err, k.err) {
			return &Error{k.code, k.say.In(l)}
		}
	}
	return &Error{CodeInternal, lang.OwnerInternal.In(l)}
}

// known are the errors from below that have a sentence of their own.
var known = []struct {
	err  error
	code Code
	say  lang.Message
}{
	{smsmcp.ErrNoSend, CodeNoSend, lang.OwnerNoSend},
	{smsmcp.ErrTooLong, CodeTooLong, lang.OwnerTooLong},
	{dispatch.ErrAltered, CodeChanged, lang.OwnerAltered},
	{dispatch.ErrTooWeak, CodeTooWeak, lang.OwnerTooWeak},
	{dispatch.ErrOtherChannel, CodeOtherChannel, lang.OwnerOtherChannel},
	{dispatch.ErrClosed, CodeClosing, lang.OwnerClosing},
	{dispatch.ErrNotRecorded, CodeNotRecorded, lang.OwnerNotRecorded},
	{store.ErrState, CodeSettled, lang.OwnerSettled}, // somebody else was faster
	{store.ErrTokenName, CodeToken, lang.OwnerTokenTaken},
	{store.ErrNoToken, CodeToken, lang.OwnerNoToken},
	{store.ErrNoContact, CodeNoContact, lang.OwnerNoContact},
	{calls.ErrForm, CodePIN, lang.GateForm},
	{calls.ErrTrivial, CodePIN, lang.GateTrivial},
	{store.ErrExists, CodeFile, lang.OwnerFileThere},
	{store.ErrFull, CodeStore, lang.OwnerStoreFull},
	{store.ErrReadOnly, CodeStore, lang.OwnerReadOnly},
	{store.ErrBusy, CodeStore, lang.OwnerBusy},
	{store.ErrCorrupt, CodeStore, lang.OwnerStoreDamaged},
}
