package hostile

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/voice/llm"
	"readback/voice/llm/llmtest"
)

// alone says that one call is looked at.
func alone() bool { return os.Getenv("READBACK_SEED") != "" }

// seeds are those of the calls that are played.
func seeds(t *testing.T, first uint64, n int) (out []uint64) {
	if alone() {
		seed, err := strconv.ParseUint(os.Getenv("READBACK_SEED"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return []uint64{seed}
	}
	for i := range n {
		out = append(out, first+uint64(i))
	}
	return out
}

// TestInvariant10AHostileModelInAThousandCalls plays calls in memory, in which no real time goes by. The bubble of each sees that no goroutine is left.
func TestInvariant10AHostileModelInAThousandCalls(t *testing.T) {
	n := 1000
	if raced {
		n = 250
	}
	if testing.Short() {
		n = 60
	}
	counts := play(t, seeds(t, 1, n), settings{scale: 1, wire: llmtest.InMemory, least: 20, long: 150}, func(t *testing.T, f func(t *testing.T)) { synctest.Test(t, f) })
	if alone() || testing.Short() || t.Failed() {
		return
	}
	for what, least := range map[string]int{
		"texts that went": 100, "a yes by voice": 100, "a yes by key": 50, "a yes over a quote": 50, "a yes in the margin": 50,
		"draft_ended declined": 50, "draft_ended changed": 50, "draft_ended no_answer": 50, "draft_ended cut": 50, "draft_ended call_ended": 50, "draft_ended not_asked": 5, "draft_ended other_draft": 20, "draft_ended clock_back": 5,
		"told the model: no such tool": 50, "told the model: no arguments": 50, "told the model: argument missing": 50, "told the model: argument unknown": 50, "told the model: refused": 50, "told the model: texts, in a frame": 50,
	} {
		if raced {
			least = least * 2 / 10
		}
		if counts.n[what] < least {
			t.Errorf("%s: %d, which is less than %d: these calls are too tame", what, counts.n[what], least)
		}
	}
}

// TestInvariant10AHostileModelOverTCP plays some calls in real time, with real sockets: people in it speak faster than people do.
func TestInvariant10AHostileModelOverTCP(t *testing.T) {
	n := 24
	if testing.Short() {
		n = 4
	}
	before := runtime.NumGoroutine()
	t.Run("calls", func(t *testing.T) {
		play(t, seeds(t, 100_000, n), settings{
			scale: 0.1, least: 5, long: 10, slack: 1500 * time.Millisecond,
			wire: func(w llmtest.Wire, f func(llmtest.Request) []llmtest.Step) (*llmtest.Server, func()) {
				s := llmtest.Start(t, w, f)
				return s, s.Transport.CloseIdleConnections
			},
			limit: llm.Limits{First: 2 * time.Second, Between: time.Second, Whole: 4 * time.Second},
		}, func(t *testing.T, f func(t *testing.T)) { f(t) })
	})
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines are left of %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

func play(t *testing.T, seeds []uint64, set settings, in func(*testing.T, func(*testing.T))) *tally {
	f := newFixture(t)
	counts := &tally{n: map[string]int{}}
	workers := 3
	if set.slack > 0 {
		workers = 24
	}
	queue(t, seeds, workers, func(t *testing.T, seed uint64) { in(t, func(t *testing.T) { plays(t, f, seed, set, counts) }) })
	t.Logf("what happened:\n%s", counts.tells())
	return counts
}

// queue plays calls, so many at once, until one fails.
func queue(t *testing.T, seeds []uint64, atOnce int, one func(*testing.T, uint64)) {
	all := make(chan uint64, len(seeds))
	for _, s := range seeds {
		all <- s
	}
	close(all)
	var done sync.WaitGroup
	for range atOnce {
		done.Go(func() {
			for seed := range all {
				if t.Failed() {
					return
				}
				t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { one(t, seed) })
			}
		})
	}
	done.Wait()
}
