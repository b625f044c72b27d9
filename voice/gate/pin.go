package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"readback/smsmcp/secret"
)

// Digits is how many digits a PIN has.
const Digits = 6

// Errors of a new PIN.
var (
	ErrForm    = errors.New("gate: a PIN has six digits")
	ErrTrivial = errors.New("gate: a PIN that is guessed first")
)

// keptPIN is under what name the store keeps the PIN's hash.
const keptPIN = "pin"

// removed stands for a PIN that was taken away: it is kept, so that a backup that is restored does not bring an older one back.
const removed = "-"

// Check says whether a PIN may be set: nil, ErrForm, or ErrTrivial for one that is guessed first.
func Check(pin string) error {
	if len(pin) != Digits || strings.Trim(pin, "0123456789") != "" {
		return ErrForm
	}
	if trivial(pin) {
		return ErrTrivial
	}
	return nil
}

// trivial says whether six digits follow from a few of them: one or two digits alone; a run, up or down, by steps of any size; three digits twice, or mirrored; each
// digit twice; or a year and its end.
func trivial(p string) bool {
	step, run, pairs, kinds := (p[1]-p[0]+10)%10, true, true, map[byte]bool{}
	for i := range len(p) {
		kinds[p[i]] = true
		run = run && (i == 0 || (p[i]-p[i-1]+10)%10 == step)
		pairs = pairs && p[i] == p[i&^1]
	}
	mirror := p[0] == p[5] && p[1] == p[4] && p[2] == p[3]
	return len(kinds) <= 2 || run || pairs || mirror || p[:3] == p[3:] || p[:2] == p[2:4] && p[2:4] == p[4:] ||
		isYear(p[:4]) && p[2:4] == p[4:] || isYear(p[2:]) && p[:2] == p[4:]
}

func isYear(s string) bool { return s[:2] == "19" || s[:2] == "20" }

// IsSet says whether there is a PIN. The error is ErrStore.
func (g *Gate) IsSet(ctx context.Context) (bool, error) {
	_, err := g.hash(ctx)
	if errors.Is(err, ErrNoPIN) {
		return false, nil
	}
	return err == nil, err
}

// hash gives the PIN's hash; ErrNoPIN if there is none.
func (g *Gate) hash(ctx context.Context) (string, error) {
	h, ok, err := g.kept(ctx, keptPIN)
	if err == nil && (!ok || h == removed) {
		err = ErrNoPIN
	}
	return h, err
}

// Set sets the PIN; who may is the caller's care. Wrong tries stay counted until the right one. The error is that of Check, or ErrStore.
func (g *Gate) Set(ctx context.Context, pin string) error {
	if err := Check(pin); err != nil {
		return err
	}
	g.one.Lock()
	h, err := secret.Hash(pin, g.o.Rand, g.o.Cost)
	g.one.Unlock()
	g.spent.Used()
	if err != nil {
		return err
	}
	return g.keep(ctx, keptPIN, []byte(h))
}

// Remove takes the PIN away: then nobody who calls is the owner. The error is ErrStore.
func (g *Gate) Remove(ctx context.Context) error { return g.keep(ctx, keptPIN, []byte(removed)) }

func (g *Gate) keep(ctx context.Context, name string, v []byte) error {
	if err := g.o.Secrets.SetSecret(ctx, name, v); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	return nil
}

// kept gives a secret; false if it was never set.
func (g *Gate) kept(ctx context.Context, name string) (string, bool, error) {
	b, err := g.o.Secrets.Secret(ctx, name)
	switch {
	case err == nil:
		return string(b), true, nil
	case errors.Is(err, g.o.None):
		return "", false, nil
	}
	return "", false, fmt.Errorf("%w: %w", ErrStore, err)
}
