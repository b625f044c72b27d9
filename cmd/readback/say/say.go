// Package say gives the one sentence that the command line says of an error, in the owner's language.
//
// Floor 5: imports smsmcp/owner, store, cmd/readback/draw and smsmcp/lang.
package say

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"readback/cmd/readback/draw"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/command"
	"readback/smsmcp/owner"
	"readback/store"
)

// Error gives the one sentence for an error, drawn: paths and what others typed are in it.
func Error(l lang.Lang, err error) string { return draw.Line(sentence(l, err)) }

func sentence(l lang.Lang, err error) string {
	if s, ok := lang.Heard(l, err); ok {
		return s
	}
	var o *owner.Error
	switch {
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
	{store.ErrUnready, command.StoreUnready},
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
		return lang.CLIFlagUnknown.In(l, draw.Quoted(unknown.GetSpecifiedName()))
	case errors.As(err, &bare):
		return lang.CLIFlagBare.In(l, bare.GetSpecifiedName())
	case errors.As(err, &bad):
		return lang.CLIFlagValue.In(l, bad.GetFlag().Name, draw.Quoted(bad.GetValue()))
	case errors.As(err, &form):
		return lang.CLIFlagUnknown.In(l, draw.Quoted(form.GetSpecifiedFlag()))
	}
	return ""
}
