package owner

import (
	"context"
	"errors"
	"io"

	"readback/smsmcp/lang"
	"readback/smsmcp/secret"
)

// Gate checks the owner's passphrase, one at a time, for every face by which the owner comes: so a guesser at one gains nothing at the other.
type Gate struct{ g gate }

// NewGate makes the gate. With real, texts go to people: then without a passphrase nothing that is guarded passes.
func NewGate(s Secrets, real bool, random io.Reader) *Gate {
	return &Gate{gate{store: s, real: real, rand: random, cost: secret.Recommended}}
}

// Is says whether a passphrase is set.
func (g *Gate) Is(ctx context.Context) (bool, error) { return g.g.isSet(ctx) }

// Prove is nil for the right passphrase. Where none is set it is never right, whatever may pass without one. Caller is who tries: who was wrong waits its turn. The code
// of an error is CodePassphrase or CodeNoPassphrase, see CodeOf.
func (g *Gate) Prove(ctx context.Context, caller, given string) error {
	set, err := g.Is(ctx)
	switch {
	case err != nil:
		return err
	case !set:
		return fail(CodeNoPassphrase, lang.OwnerNoPassphrase)
	}
	return g.g.pass(ctx, caller, given, false)
}

// CodeOf gives the code of an error of a Gate's; empty for another's.
func CodeOf(err error) Code {
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return ""
}
