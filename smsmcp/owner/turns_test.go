package owner

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
)

const hashing = 200 * time.Millisecond

// guess has a caller try wrong passphrases, so many at once, each again as soon as it is answered, until ctx ends.
func guess(ctx context.Context, t *turns, caller string, atOnce int, judged *atomic.Int64) {
	for range atOnce {
		go func() {
			for ctx.Err() == nil {
				if t.take(ctx, caller) == nil {
					time.Sleep(hashing)
					judged.Add(1)
					t.done(caller, true)
				}
			}
		}()
	}
}

// TestAGuesserDelaysTheOwnerByOneGuess: however often one process asks, a passphrase of another is judged after the guess in hand.
func TestAGuesserDelaysTheOwnerByOneGuess(t *testing.T) {
	for guessers, most := range map[int]time.Duration{1: hashing, 20: 20 * hashing} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			line, judged := &turns{}, &atomic.Int64{}
			for i := range guessers {
				guess(ctx, line, strconv.Itoa(i), 100, judged)
			}
			for range 10 {
				time.Sleep(1700 * time.Millisecond)
				asked := time.Now()
				if err := line.take(ctx, "owner"); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(asked); took > most {
					t.Errorf("%d guessers: the owner waits %v", guessers, took)
				}
				line.done("owner", false)
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

func TestOnePassphraseIsJudgedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := &turns{}
		var now, all atomic.Int64
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+time.Duration(i%2)*time.Hour)
				defer cancel()
				if line.take(ctx, "") != nil {
					return
				}
				if now.Add(1) > 1 {
					t.Error("two at once")
				}
				time.Sleep(time.Second)
				now.Add(-1)
				all.Add(1)
				line.done("", true)
			})
		}
		wg.Wait()
		if all.Load() < 25 {
			t.Errorf("%d of 50 were judged: who gave up held up the others", all.Load())
		}
	})
}

// from carries requests to a handler as a process of that name would.
type from struct {
	http.Handler
	name string
}

func (f from) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.RemoteAddr = f.name
	f.Handler.ServeHTTP(w, r)
}

func TestTheOwnerGetsThroughAFlood(t *testing.T) {
	w := newWorld(t, false)
	w.setPassphrase()
	ctx, cancel := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	for range 20 {
		flood.Go(func() {
			cl := Local(from{w.handler, "guesser"}, lang.EN)
			for ctx.Err() == nil {
				if _, err := Thaw.Do(ctx, cl, None{}, bad); err == nil {
					t.Error("a wrong passphrase passed")
				}
			}
		})
	}
	for range 5 {
		asked := time.Now()
		if _, err := Thaw.Do(t.Context(), Local(from{w.handler, "owner"}, lang.EN), None{}, good); err != nil {
			t.Errorf("the owner: %v", err)
		}
		if took := time.Since(asked); took > rest {
			t.Errorf("the owner waited %v", took)
		}
	}
	cancel()
	flood.Wait()
}
