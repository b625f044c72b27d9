package secret

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const hashing = 200 * time.Millisecond

// guess has a caller try wrong passphrases, so many at once, each again as soon as it is answered, until ctx ends.
func guess(ctx context.Context, t *Turns, caller string, atOnce int, judged *atomic.Int64) {
	for range atOnce {
		go func() {
			for ctx.Err() == nil {
				if t.Take(ctx, caller) == nil {
					time.Sleep(hashing)
					judged.Add(1)
					t.Done(caller, true)
				}
			}
		}()
	}
}

// TestAGuesserDelaysTheOwnerByOneGuess: however often one process asks, a secret of another is judged after the guess in hand.
func TestAGuesserDelaysTheOwnerByOneGuess(t *testing.T) {
	for guessers, most := range map[int]time.Duration{1: hashing, 20: 20 * hashing} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			line, judged := &Turns{}, &atomic.Int64{}
			for i := range guessers {
				guess(ctx, line, strconv.Itoa(i), 100, judged)
			}
			for range 10 {
				time.Sleep(1700 * time.Millisecond)
				asked := time.Now()
				if err := line.Take(ctx, "owner"); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(asked); took > most {
					t.Errorf("%d guessers: the owner waits %v", guessers, took)
				}
				line.Done("owner", false)
			}
			if n := judged.Load(); guessers == 1 && n > 20 {
				t.Errorf("one guesser was judged %d times in 17 s", n)
			}
			cancel()
			synctest.Wait()
			time.Sleep(2 * rest)
			synctest.Wait()
			if line.busy || len(line.line) != 0 || len(line.resting) != 0 {
				t.Errorf("left behind: %v %d %v", line.busy, len(line.line), line.resting)
			}
		})
	}
}

func TestOneSecretIsJudgedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := &Turns{}
		var now, all atomic.Int64
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+time.Duration(i%2)*time.Hour)
				defer cancel()
				if line.Take(ctx, "") != nil {
					return
				}
				if now.Add(1) > 1 {
					t.Error("two at once")
				}
				time.Sleep(time.Second)
				now.Add(-1)
				all.Add(1)
				line.Done("", true)
			})
		}
		wg.Wait()
		if all.Load() < 25 {
			t.Errorf("%d of 50 were judged: who gave up held up the others", all.Load())
		}
	})
}
