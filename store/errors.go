package store

import (
	"errors"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What can be wrong with the file. An error of every method wraps the one that fits.
var (
	ErrNewer    = errors.New("the database was written by a newer version of Readback")
	ErrForeign  = errors.New("the file is another program's database")
	ErrCorrupt  = errors.New("the database is damaged, or is no database")
	ErrFull     = errors.New("the disk is full, and nothing was written")
	ErrReadOnly = errors.New("the database cannot be written: its file or folder is read-only or belongs to someone else")
	ErrBusy     = errors.New("another program holds the database")
	ErrClosed   = errors.New("the database is closed")
)

// What can be wrong with what is asked of it.
var (
	ErrTaken     = errors.New("a name, number or id is taken")
	ErrNoContact = errors.New("no contact has that id")
	ErrState     = errors.New("a send cannot go from its state to that one")
	ErrDraft     = errors.New("the draft is not for the contact as it is now")
	ErrInvalid   = errors.New("a field is missing or out of range")
	ErrTokenName = errors.New("a token has that name")
	ErrNoToken   = errors.New("no token has that name or id")
	ErrNoSecret  = errors.New("no secret has that name")
	ErrExists    = errors.New("the file is there already")
)

// fault is a foreign error with the error of ours that it amounts to.
type fault struct{ kind, cause error }

func (f fault) Error() string   { return f.kind.Error() + " (" + f.cause.Error() + ")" }
func (f fault) Unwrap() []error { return []error{f.kind, f.cause} }

// known gives an error of SQLite or of the file system its name among ours, once.
func known(err error) error {
	var kind error
	var f fault
	var e *sqlite.Error
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.As(err, &e):
		kind = kindOf(e.Code())
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		kind = ErrReadOnly
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		kind = ErrFull
	}
	if kind == nil {
		return err
	}
	return fault{kind, err}
}

func kindOf(code int) error {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrCorrupt
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_CONSTRAINT:
		if code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY {
			return ErrTaken
		}
		return ErrInvalid
	}
	return nil
}
