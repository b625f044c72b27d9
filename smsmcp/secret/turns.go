package secret

import (
	"context"
	"slices"
	"sync"
	"time"
)

// rest is how long a caller waits after a wrong one before its next one is looked at.
const rest = time.Second

// Turns has secrets judged one at a time, in the order in which they came. Who was wrong rests, and others go before; nobody is turned away.
// So a guesser, however often it asks, delays the owner by the one guess that is being judged; many guessers, by one each.
//
// A caller is who asks, such as a process or a call. Its name is empty where nobody tells; it never rests then. The zero value is ready.
type Turns struct {
	mu      sync.Mutex
	busy    bool
	line    []*place
	resting map[string]bool
}

type place struct {
	caller string
	ready  chan struct{}
}

// Take waits for the caller's turn, or for the end of ctx. Whoever has had it calls Done.
func (t *Turns) Take(ctx context.Context, caller string) error {
	p := &place{caller, make(chan struct{})}
	t.mu.Lock()
	t.line = append(t.line, p)
	t.next()
	t.mu.Unlock()
	select {
	case <-p.ready:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.line, p); i >= 0 {
		t.line = slices.Delete(t.line, i, i+1)
	} else { // the turn came at the same moment
		t.busy = false
		t.next()
	}
	return ctx.Err()
}

// Done ends a turn.
func (t *Turns) Done(caller string, wrong bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if wrong && caller != "" {
		// All that it still asks goes behind what others ask.
		slices.SortStableFunc(t.line, func(a, b *place) int { return behind(a, caller) - behind(b, caller) })
		if t.resting == nil {
			t.resting = map[string]bool{}
		}
		t.resting[caller] = true
		time.AfterFunc(rest, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			delete(t.resting, caller)
			t.next()
		})
	}
	t.busy = false
	t.next()
}

func behind(p *place, caller string) int {
	if p.caller == caller {
		return 1
	}
	return 0
}

// next gives the turn to the first in the line who does not rest. The caller holds mu.
func (t *Turns) next() {
	if t.busy {
		return
	}
	for i, p := range t.line {
		if !t.resting[p.caller] {
			t.busy = true
			t.line = slices.Delete(t.line, i, i+1)
			close(p.ready)
			return
		}
	}
}
