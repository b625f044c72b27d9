package store

import (
	"errors"

	"readback/store/engine"
	"readback/store/schema"
	"readback/store/taps"
	"readback/store/tokens"
)

// What can be wrong with the file. An error of every method wraps the one that fits.
var (
	ErrNewer    = schema.ErrNewer
	ErrForeign  = schema.ErrForeign
	ErrCorrupt  = engine.ErrCorrupt
	ErrFull     = engine.ErrFull
	ErrReadOnly = engine.ErrReadOnly
	ErrBusy     = engine.ErrBusy
	ErrClosed   = engine.ErrClosed
	ErrUnready  = errors.New("the database was not opened by a server of this version")
)

// What can be wrong with what is asked of it.
var (
	ErrTaken     = engine.ErrTaken
	ErrInvalid   = engine.ErrInvalid
	ErrExists    = engine.ErrExists
	ErrJoined    = errors.New("what other processes left is for the server to settle")
	ErrNoContact = errors.New("no contact has that id")
	ErrState     = errors.New("a send cannot go from its state to that one")
	ErrDraft     = errors.New("the draft is not for the contact as it is now")
	ErrBounds    = tokens.ErrBounds
	ErrTokenName = tokens.ErrName
	ErrNoToken   = tokens.ErrNone
	ErrNoSecret  = tokens.ErrNoSecret
	ErrTapUsed   = taps.ErrUsed
	ErrTapLate   = taps.ErrLate
	ErrNoTap     = taps.ErrNone
)
