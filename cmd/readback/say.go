package main

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/store"
)

// sentence is an error that is a sentence of the catalogue. Arguments that are messages are said in the same language.
type sentence struct {
	m    lang.Message
	args []any
}

func say(m lang.Message, args ...any) error { return &sentence{m, args} }

func (s *sentence) Error() string { return s.in(lang.EN) }

func (s *sentence) in(l lang.Lang) string {
	args := make([]any, len(s.args))
	for i, a := range s.args {
		switch a := a.(type) {
		case lang.Message:
			args[i] = a.In(l)
		default:
			args[i] = a
		}
	}
	return s.m.In(l, args...)
}

// errSaid ends a command that has already said what is wrong.
var errSaid = errors.New("said already")

var errTooBig = errors.New("too big")

// sentenceOf gives the one sentence for an error.
func sentenceOf(l lang.Lang, err error) string {
	var s *sentence
	var o *owner.Error
	switch {
	case errors.As(err, &s):
		return s.in(l)
	case errors.As(err, &o):
		return o.Text
	case errors.Is(err, context.Canceled):
		return lang.CLIStopped.In(l)
	}
	if f := flagError(l, err); f != "" {
		return f
	}
	for _, k := range storeErrors {
		if errors.Is(err, k.err) {
			return k.say.In(l)
		}
	}
	return lang.CLIUnexpected.In(l, strings.Join(strings.Fields(err.Error()), " "))
}

var storeErrors = []struct {
	err error
	say lang.Message
}{
	{store.ErrNewer, lang.CLIStoreNewer},
	{store.ErrForeign, lang.CLIStoreForeign},
	{store.ErrCorrupt, lang.OwnerStoreDamaged},
	{store.ErrFull, lang.OwnerStoreFull},
	{store.ErrReadOnly, lang.OwnerReadOnly},
	{store.ErrBusy, lang.OwnerBusy},
	{owner.ErrLongPath, lang.CLILongPath},
}

// flagError says what is wrong with a flag; empty for another error.
func flagError(l lang.Lang, err error) string {
	var (
		unknown *pflag.NotExistError
		bare    *pflag.ValueRequiredError
		bad     *pflag.InvalidValueError
		form    *pflag.InvalidSyntaxError
	)
	switch {
	case errors.As(err, &unknown):
		return lang.CLIFlagUnknown.In(l, quoted(unknown.GetSpecifiedName()))
	case errors.As(err, &bare):
		return lang.CLIFlagBare.In(l, bare.GetSpecifiedName())
	case errors.As(err, &bad):
		return lang.CLIFlagValue.In(l, bad.GetFlag().Name, quoted(bad.GetValue()))
	case errors.As(err, &form):
		return lang.CLIFlagUnknown.In(l, quoted(form.GetSpecifiedFlag()))
	}
	return ""
}

// reasonOf says in a few words why a file could not be used.
func reasonOf(l lang.Lang, err error) string {
	m := lang.CLIFileOther
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m = lang.CLIFileMissing
	case errors.Is(err, fs.ErrPermission):
		m = lang.CLIFileForbidden
	case errors.Is(err, syscall.EISDIR):
		m = lang.CLIFileIsFolder
	case errors.Is(err, syscall.ENOTDIR):
		m = lang.CLIFileNoFolder
	case errors.Is(err, syscall.EROFS):
		m = lang.CLIFileReadOnly
	case errors.Is(err, syscall.ENOSPC):
		m = lang.CLIFileFull
	case errors.Is(err, errTooBig):
		m = lang.CLIFileTooBig
	}
	return m.In(l)
}

// quoted shows a value that a person typed or set, safe to draw: what is no plain character is escaped, and a long one is cut.
func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// peek finds a flag's value before the flags are parsed; empty if it is not there.
func peek(args []string, flag string) string {
	for i, a := range args {
		switch v, ok := strings.CutPrefix(a, flag+"="); {
		case a == "--":
			return ""
		case ok:
			return v
		case a == flag && i+1 < len(args):
			return args[i+1]
		}
	}
	return ""
}
