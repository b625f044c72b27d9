package gate_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/cmd/readback/machine"
	"readback/store"
	"readback/voice/gate"
)

// alone is what several processes share, in memory.
type alone chan struct{}

func (a alone) take(ctx context.Context) (func(), error) {
	select {
	case a <- struct{}{}:
		return func() { <-a }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestInvariant09ManyProcessesGiveNoMoreTries: k of them that share a store judge as many wrong PINs in a time as one does.
func TestInvariant09ManyProcessesGiveNoMoreTries(t *testing.T) {
	for _, processes := range []int{1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			one := make(alone, 1)
			var ends []time.Duration
			begin := time.Now()
			w.shelf.wrote = func() { ends = append(ends, time.Since(begin)) }
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			var wg sync.WaitGroup
			for p := range processes {
				g := gate.New(gate.Options{Secrets: w.shelf, None: errNone, Now: time.Now, Rand: rand.Reader, Cost: cheap, Alone: one.take})
				for i := range 4 {
					wg.Go(func() {
						for n := 0; ctx.Err() == nil; n++ {
							_, _ = g.Try(ctx, fmt.Sprint("guesser ", p, i, n), wrong)
						}
					})
				}
			}
			wg.Wait()
			if !slices.IsSorted(ends) || len(ends) < 10 {
				t.Fatalf("%d processes: %v", processes, ends)
			}
			for i := 1; i < len(ends); i++ {
				if want := slower[min(i, len(slower)-1)]; ends[i]-ends[i-1] < want {
					t.Errorf("%d processes: try %d came %v after the one before, not %v", processes, i+1, ends[i]-ends[i-1], want)
				}
			}
			if kept := w.shelf.kept["pin_tries"]; !strings.HasPrefix(kept, fmt.Sprint(len(ends), " ")) {
				t.Errorf("%d processes: %d tries, and %q is kept", processes, len(ends), kept)
			}
		})
	}
}

// TestTheOwnerIsNotLockedOutOfOneProcess by who calls another: the wait is that of who is before.
func TestTheOwnerIsNotLockedOutOfOneProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		one := make(alone, 1)
		var gates []*gate.Gate
		for range 2 {
			gates = append(gates, gate.New(gate.Options{Secrets: w.shelf, None: errNone, Now: time.Now, Rand: rand.Reader, Cost: cheap, Alone: one.take}))
		}
		w.wrongs(20)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for n := 0; ctx.Err() == nil; n++ {
				_, _ = gates[0].Try(ctx, fmt.Sprint("guesser ", n), wrong)
			}
		}()
		time.Sleep(5 * time.Minute)
		begin := time.Now()
		got, err := gates[1].Try(t.Context(), "mine", pin)
		if took := time.Since(begin); got != gate.Right || err != nil || took > 2*time.Minute {
			t.Errorf("%v %v after %v", got, err, took)
		}
		cancel()
	})
}

// TestInvariant09NobodyGetsInWhoseTurnIsNotKnown: where the processes cannot be told apart, nothing is tried.
func TestInvariant09NobodyGetsInWhoseTurnIsNotKnown(t *testing.T) {
	w := newWorld(t)
	fail := errDisk
	held := 0
	g := gate.New(gate.Options{Secrets: w.shelf, None: errNone, Now: time.Now, Rand: rand.Reader, Cost: cheap, Alone: func(ctx context.Context) (func(), error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if fail != nil {
			return nil, fail
		}
		held++
		return func() { held-- }, nil
	}})
	if got, err := g.Try(t.Context(), "mine", pin); got != gate.Wrong || !errors.Is(err, gate.ErrStore) || !errors.Is(err, errDisk) || w.shelf.writes != 0 {
		t.Errorf("%v %v, %d writes", got, err, w.shelf.writes)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.shelf.wrote = func() {
		if held != 1 {
			t.Errorf("written while %d hold the turn", held)
		}
	}
	fail = nil
	if got, err := g.Try(ctx, "mine", wrong); got != gate.Wrong || err != nil || held != 0 {
		t.Errorf("%v %v, %d hold", got, err, held)
	}
	if got, err := g.Try(ctx, "mine", pin); got != gate.Right || err != nil || held != 0 {
		t.Errorf("%v %v, %d hold", got, err, held)
	}
	w.shelf.fail = func(int) bool { return true }
	if got, err := g.Try(ctx, "mine", pin); got != gate.Wrong || !errors.Is(err, gate.ErrStore) || held != 0 {
		t.Errorf("%v %v, %d hold", got, err, held)
	}
	cancel()
	if got, err := g.Try(ctx, "other", pin); got != gate.Wrong || !errors.Is(err, context.Canceled) || errors.Is(err, gate.ErrStore) || held != 0 {
		t.Errorf("%v %v, %d hold", got, err, held)
	}
}

// each is how many wrong tries a child makes.
const each = 100

// guess is a process of its own that tries wrong PINs, by a clock on which every wait is over at once.
func guess(file string) error {
	s, err := store.Join(context.Background(), file)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	ms, err := strconv.ParseInt(os.Getenv(guesses), 10, 64)
	if err != nil {
		return err
	}
	begun := time.UnixMilli(ms) // the same for all: two seconds pass in a microsecond
	fast := func() time.Time { return begun.Add(time.Duration(time.Since(begun).Microseconds()) * 2 * time.Second) }
	g := gate.New(gate.Options{Secrets: s, None: store.ErrNoSecret, Now: fast, Rand: rand.Reader, Cost: cheap, Alone: machine.Folder(filepath.Dir(file)).OneAtATime("pin")})
	for i := range each {
		if got, err := g.Try(context.Background(), strconv.Itoa(i), wrong); got != gate.Wrong || err != nil {
			return fmt.Errorf("%v: %w", got, err)
		}
	}
	return nil
}

// TestInvariant09ProcessesCountEveryTry: of many that two of them judge, none is counted over another.
func TestInvariant09ProcessesCountEveryTry(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readback.db")
	s := open(t, file)
	if err := realGate(s, time.Now, cheap).Set(t.Context(), pin); err != nil {
		t.Fatal(err)
	}
	begun := fmt.Sprint("=", time.Now().UnixMilli())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c := exec.CommandContext(t.Context(), os.Args[0])
			c.Env = append(os.Environ(), child+"="+file, guesses+begun)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	wg.Wait()
	if b, err := s.Secret(t.Context(), "pin_tries"); err != nil || !strings.HasPrefix(string(b), fmt.Sprint(2*each, " ")) {
		t.Errorf("%q, %v", b, err)
	}
}
