package owner

import (
	"context"
	"crypto/rand"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/secret"
	"readback/store"
)

// restEvery is how often secret.Memory gives back at most.
const restEvery = 3 * time.Second

// secrets keeps them in memory.
type secrets map[string][]byte

func (s secrets) Secret(_ context.Context, name string) ([]byte, error) {
	if v, ok := s[name]; ok {
		return v, nil
	}
	return nil, store.ErrNoSecret
}

func (s secrets) SetSecret(_ context.Context, name string, v []byte) error { s[name] = v; return nil }

// TestWhatHashesTookIsGivenBack at once, and after many of them every three seconds and once more at the end.
func TestWhatHashesTookIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var freed atomic.Int64
		g := &gate{store: secrets{}, rand: rand.Reader, cost: secret.Cost{Memory: 8, Passes: 1, Lanes: 1}}
		g.spent.Free = func() { freed.Add(1) }
		expect := func(what string, n int64) {
			t.Helper()
			if synctest.Wait(); freed.Load() != n {
				t.Errorf("%s: it was given back %d times, not %d", what, freed.Load(), n)
			}
		}
		if err := g.set(t.Context(), "three quiet geese"); err != nil {
			t.Fatal(err)
		}
		expect("a new passphrase", 1)
		time.Sleep(restEvery)
		expect("nothing more", 1)
		for range 20 {
			if err := g.pass(t.Context(), "", "wrong", false); CodeOf(err) != CodePassphrase {
				t.Fatal(err)
			}
		}
		expect("twenty guesses", 2)
		time.Sleep(restEvery)
		expect("a while after", 3)
		if err := g.pass(t.Context(), "", "three quiet geese", false); err != nil {
			t.Fatal(err)
		}
		expect("one that is right, too early", 3)
		time.Sleep(restEvery)
		expect("in its turn", 4)
		time.Sleep(10 * restEvery)
		expect("at rest", 4)
	})
}
