package owner

import (
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"readback/smsmcp/lang"
	"readback/smsmcp/secret"
	"readback/store"
	calls "readback/voice/gate"
)

// MinPassphrase is the shortest passphrase that is taken, in characters.
const MinPassphrase = 10

// secretHash is under what name the store keeps the passphrase's hash.
const secretHash = "passphrase"

// Secrets keeps small values by name; a name that was never set gives store.ErrNoSecret.
type Secrets interface {
	Secret(ctx context.Context, name string) ([]byte, error)
	SetSecret(ctx context.Context, name string, v []byte) error
}

// gate checks the owner's passphrase.
type gate struct {
	store Secrets
	real  bool // texts go to people: without a passphrase nothing passes
	rand  io.Reader
	cost  secret.Cost
	turns secret.Turns // one hash at a time: each takes 64 MiB
	spent secret.Memory
}

// isSet says whether there is a passphrase.
func (g *gate) isSet(ctx context.Context) (bool, error) {
	h, err := g.read(ctx, secretHash)
	return len(h) > 0, err
}

// read gives nil for a name that was never set.
func (g *gate) read(ctx context.Context, name string) ([]byte, error) {
	b, err := g.store.Secret(ctx, name)
	if errors.Is(err, store.ErrNoSecret) {
		return nil, nil
	}
	return b, err
}

// pass lets the right passphrase through, and everything where none is set and no text goes to people; with first, also where texts do:
// the first passphrase must come from somewhere. Caller is who asks: see turns.
func (g *gate) pass(ctx context.Context, caller, given string, first bool) error {
	kept, err := g.read(ctx, secretHash)
	switch {
	case err != nil:
		return err
	case len(kept) == 0 && g.real && !first:
		return fail(CodeNoPassphrase, lang.OwnerNoPassphrase)
	case len(kept) == 0:
		return nil
	case given == "":
		return fail(CodePassphrase, lang.OwnerNeedsPassphrase)
	}
	if err := g.turns.Take(ctx, caller); err != nil {
		return err
	}
	wrong := true
	defer func() {
		g.spent.Used()
		g.turns.Done(caller, wrong)
	}()
	// Read again: it may have been changed while this waited.
	if kept, err = g.read(ctx, secretHash); err != nil {
		return err
	}
	ok, err := secret.Verify(string(kept), given)
	if err != nil {
		return err
	}
	if !ok {
		return fail(CodePassphrase, lang.OwnerWrongPassphrase)
	}
	wrong = false
	return nil
}

// Weak says that a passphrase is too short to be taken, or too long.
func Weak(fresh string) bool {
	return utf8.RuneCountInString(strings.TrimSpace(fresh)) < MinPassphrase || len(fresh) > secret.MaxLen
}

// CheckPIN says why a PIN of calls is not taken; nil for one that is.
func CheckPIN(pin string) error {
	switch err := calls.Check(pin); {
	case errors.Is(err, calls.ErrTrivial):
		return lang.Say(lang.GateTrivial)
	case err != nil:
		return lang.Say(lang.GateForm)
	}
	return nil
}

// Prove checks a passphrase against what a store keeps, where no handler stands before it; one that keeps none lets everything through. The
// error of a wrong one is an [*Error] in l.
func Prove(ctx context.Context, s Secrets, l lang.Lang, given string) error {
	g := gate{store: s}
	err := g.pass(ctx, "", given, true)
	var f *failure
	if errors.As(err, &f) {
		return &Error{f.code, f.say.In(l, f.args...)}
	}
	return err
}

// HasPassphrase says whether a store keeps one.
func HasPassphrase(ctx context.Context, s Secrets) (bool, error) { return (&gate{store: s}).isSet(ctx) }

// set takes a new passphrase. Whether the old one was given is checked before.
func (g *gate) set(ctx context.Context, fresh string) error {
	if Weak(fresh) {
		return fail(CodeWeak, lang.OwnerWeakPassphrase, MinPassphrase)
	}
	if err := g.turns.Take(ctx, ""); err != nil {
		return err
	}
	defer func() {
		g.spent.Used()
		g.turns.Done("", false)
	}()
	h, err := secret.Hash(fresh, g.rand, g.cost)
	if err != nil {
		return err
	}
	return g.store.SetSecret(ctx, secretHash, []byte(h))
}
