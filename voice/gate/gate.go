// Package gate knows the owner on a call: by a number, which is only what a network claims, and by a PIN of six digits, keyed in and never spoken.
//
// Tries are judged one at a time, over all calls together, and over all processes that share a store (Options.Alone). Each is written down as a wrong one before it is looked at, so that hanging up, or a crash, takes none back;
// where that cannot be written nobody gets in. After three wrong ones each next waits, longer each time and a minute at most, through restarts, whatever the
// clock says (invariant 12). Nobody is ever locked out, and the right PIN ends it.
//
// Floor 3: imports voice, smsmcp, smsmcp/secret and smsmcp/lang. It knows the store as [Secrets].
package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/secret"
	"readback/voice"
)

// Errors.
var (
	ErrNoPIN = errors.New("gate: no PIN is set")
	ErrStore = errors.New("gate: the store cannot be read or written")
)

// Secrets keeps small values by name (store.Store).
type Secrets interface {
	// Secret gives a value; of a name that was never set, an error that is Options.None.
	Secret(ctx context.Context, name string) ([]byte, error)
	SetSecret(ctx context.Context, name string, v []byte) error
}

// Options are what a Gate is made of. Warn, Log and Cost may be left out.
type Options struct {
	Secrets Secrets
	None    error           // of Secrets: store.ErrNoSecret
	Owners  []smsmcp.Number // the owner's own numbers
	// Alone has the processes that share Secrets judge one try at a time: it waits for this one's turn, or for the end of ctx, and the turn lasts until it is released. nil: no other
	// process shares them. One that fails lets nobody in.
	Alone func(ctx context.Context) (release func(), err error)
	Warn  func(tries int) // told of the third wrong try since the last right one, and of each tenth; must not block. See Notice
	Now   func() time.Time
	Rand  io.Reader // of salt: crypto/rand
	Log   *slog.Logger

	Cost secret.Cost // of a new PIN's hash; zero is secret.Recommended
}

// Answer is what became of a try. The zero value is Wrong.
type Answer int

// The answers.
const (
	Wrong Answer = iota
	Right
	OutOfTries // it was wrong, and the call has no further one
)

// TriesPerCall is how many tries a call has.
const TriesPerCall = 3

// The slow-down.
const (
	freeTries = 3 // wrong ones before any wait
	firstWait = 5 * time.Second
	longest   = time.Minute
)

// Of which wrong tries the owner is told.
const (
	firstTold = 3
	eachTold  = 10
)

// Known waits for the store no longer than this.
const knownFor = 2 * time.Second

// mostCalls bounds the calls of which it is known how often they were wrong.
const mostCalls = 4096

// Gate knows the owner. Its methods are safe for concurrent use.
type Gate struct {
	o     Options
	turns secret.Turns
	one   sync.Mutex // held while a hash is made: each takes 64 MiB
	spent secret.Memory
	last  struct { // the last try of this process, by a clock that nobody sets; owned by who has the turn
		kept string
		at   time.Time
	}

	mu    sync.Mutex
	wrong map[string]int // by call
	order []string       // of wrong, the oldest first
}

// New makes the gate.
func New(o Options) *Gate {
	if o.Cost == (secret.Cost{}) {
		o.Cost = secret.Recommended
	}
	if o.Warn == nil {
		o.Warn = func(int) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Gate{o: o, wrong: map[string]int{}}
}

// Known says whether a caller may be asked for the PIN: the number that the line tells is one of the owner's, and a PIN is set. It proves nothing.
func (g *Gate) Known(c voice.CallerID) bool {
	if c.Number == "" {
		return false
	}
	for _, n := range g.o.Owners {
		if string(n) != c.Number {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), knownFor)
		defer cancel()
		set, err := g.IsSet(ctx)
		if err != nil {
			g.o.Log.Warn("gate: nobody is known", "code", "store_failed")
		}
		return err == nil && set
	}
	return false
}

// Notice is what Options.Warn is told, in words for the owner's phone.
func Notice(l lang.Lang, tries int) (title, body string) {
	return lang.GateTitle.In(l), lang.GateTries.In(l, tries)
}

// Try tries a PIN in a call. It waits until it is its turn and the slow-down lets it; when ctx ends before, nothing was tried. A call that has had its tries is OutOfTries at once.
// The error is ErrNoPIN, ErrStore, secret.ErrHash or that of ctx, and then the answer is Wrong.
func (g *Gate) Try(ctx context.Context, call, pin string) (Answer, error) {
	if g.spentBy(call) {
		return OutOfTries, nil
	}
	if err := g.turns.Take(ctx, call); err != nil {
		return Wrong, err
	}
	wasWrong := false
	defer func() { g.turns.Done(call, wasWrong) }()
	if g.spentBy(call) { // by another try of the same call, meanwhile
		return OutOfTries, nil
	}
	// From the look at how many were wrong until it is written how many are, no other process looks: k of them would give k times the tries.
	release, err := g.alone(ctx)
	if err != nil {
		return Wrong, err
	}
	defer release()
	t, err := g.tries(ctx)
	if err != nil {
		return Wrong, err
	}
	if err := pause(ctx, g.wait(t)); err != nil {
		return Wrong, err
	}
	// From here on the caller may hang up: the try counts.
	ctx = context.WithoutCancel(ctx)
	kept, err := g.hash(ctx)
	if err != nil {
		return Wrong, err
	}
	t.wrong++
	if err := g.write(ctx, t.wrong); err != nil {
		return Wrong, err
	}
	right, err := g.verify(ctx, kept, pin)
	switch {
	case err != nil:
		return Wrong, err
	case right:
		if err := g.write(ctx, 0); err != nil {
			return Wrong, err
		}
		g.forget(call)
		return Right, nil
	}
	wasWrong = true
	g.o.Log.Warn("gate: a wrong PIN", "call", call, "tries", t.wrong)
	if t.wrong == firstTold || t.wrong%eachTold == 0 {
		g.o.Warn(t.wrong)
	}
	return g.count(call), nil
}

// alone waits for this process' turn. The error is that of ctx, or ErrStore.
func (g *Gate) alone(ctx context.Context) (release func(), err error) {
	if g.o.Alone == nil {
		return func() {}, nil
	}
	release, err = g.o.Alone(ctx)
	switch {
	case err == nil:
		return release, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%w: %w", ErrStore, err)
}

// verify says whether a PIN is the one whose hash was kept, and still is: one that was changed meanwhile is no longer right.
func (g *Gate) verify(ctx context.Context, kept, pin string) (bool, error) {
	g.one.Lock()
	ok, err := secret.Verify(kept, pin)
	g.one.Unlock()
	g.spent.Used()
	if err != nil || !ok {
		return false, err
	}
	now, err := g.hash(ctx)
	return err == nil && now == kept, err
}

// spentBy says whether a call has had its tries.
func (g *Gate) spentBy(call string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.wrong[call] >= TriesPerCall
}

// count counts a wrong try of a call.
func (g *Gate) count(call string) Answer {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wrong[call]++; g.wrong[call] == 1 {
		if g.order = append(g.order, call); len(g.order) > mostCalls {
			delete(g.wrong, g.order[0])
			g.order = g.order[1:]
		}
	}
	if g.wrong[call] >= TriesPerCall {
		return OutOfTries
	}
	return Wrong
}

// forget clears what is held against a call that was right.
func (g *Gate) forget(call string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.wrong, call)
	for i, c := range g.order {
		if c == call {
			g.order = append(g.order[:i], g.order[i+1:]...)
			return
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
