package talks_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/store"
	"readback/store/engine"
	"readback/store/restore"
	"readback/store/talks"
)

const goneAfter = time.Minute

func lease(n int) talks.Lease {
	return talks.Lease{SID: fmt.Sprint("RM_", n), Room: fmt.Sprint("call-", n), By: "readback-a"}
}

func (l looks) left(t *testing.T, after time.Duration) (rooms []string) {
	t.Helper()
	all, err := l.Left(t.Context(), noon.Add(after), goneAfter)
	ok(t, err)
	for _, x := range all {
		rooms = append(rooms, x.Room)
	}
	return rooms
}

type looks struct{ *talks.Leases }

// TestInvariant10ARoomIsLedByOne: whoever asks second does not lead, however long ago the first was heard of, until it is given back by who has it.
func TestInvariant10ARoomIsLedByOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.db")
	a, b := talks.NewLeases(open(t, file).DB()), talks.NewLeases(open(t, file).DB())
	mine, other := lease(1), lease(1)
	other.By = "readback-b"
	ok(t, a.Take(t.Context(), mine))
	for _, again := range []talks.Lease{mine, other} {
		if err := b.Take(t.Context(), again); !errors.Is(err, talks.ErrLed) {
			t.Errorf("%s: %v", again.By, err)
		}
	}
	ok(t, b.Take(t.Context(), lease(2)))
	ok(t, a.Renew(t.Context(), mine))
	if err := b.Renew(t.Context(), other); !errors.Is(err, talks.ErrLost) {
		t.Errorf("who does not lead renews: %v", err)
	}
	ok(t, b.GiveBack(t.Context(), other))
	if err := b.Take(t.Context(), other); !errors.Is(err, talks.ErrLed) {
		t.Errorf("who does not lead gave it back: %v", err)
	}
	ok(t, a.GiveBack(t.Context(), mine))
	if err := a.Renew(t.Context(), mine); !errors.Is(err, talks.ErrLost) {
		t.Errorf("what was given back is renewed: %v", err)
	}
	ok(t, b.Take(t.Context(), other))
	ok(t, a.GiveBack(t.Context(), mine))
	if err := a.Take(t.Context(), mine); !errors.Is(err, talks.ErrLed) {
		t.Errorf("the next one's was given back by the last: %v", err)
	}
	for _, bad := range []talks.Lease{{Room: "call-3", By: "readback-a"}, {SID: "RM_3", By: "readback-a"}, {SID: "RM_3", Room: "call-3"}} {
		if err := a.Take(t.Context(), bad); !errors.Is(err, engine.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestInvariant12ALeaseIsLeftWhenItWasSeenSoForLong: and not by what any clock says; who looks only now has seen nothing. What is renewed, or is another's, begins anew.
func TestInvariant12ALeaseIsLeftWhenItWasSeenSoForLong(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "a.db")).DB()
	l := looks{talks.NewLeases(db)}
	ok(t, l.Take(t.Context(), lease(1)))
	ok(t, l.Take(t.Context(), lease(2)))
	none := func(after time.Duration, why string) {
		t.Helper()
		if got := l.left(t, after); len(got) != 0 {
			t.Errorf("%s: %q", why, got)
		}
	}
	none(24*time.Hour, "it was never seen")
	none(0, "the clock was set back by a day")
	none(goneAfter-1, "it is not so long yet")
	ok(t, l.Renew(t.Context(), lease(1)))
	if got := l.left(t, goneAfter); len(got) != 1 || got[0] != "call-2" {
		t.Errorf("%q", got)
	}
	none(-time.Hour, "set back again")
	none(-time.Hour+goneAfter-1, "not long since then")
	ok(t, l.GiveBack(t.Context(), lease(2)))
	next := lease(2)
	next.By = "readback-b"
	ok(t, l.Take(t.Context(), next))
	if got := l.left(t, -time.Hour+goneAfter); len(got) != 1 || got[0] != "call-1" {
		t.Errorf("%q", got)
	}
	if got := (looks{talks.NewLeases(db)}).left(t, 24*time.Hour); len(got) != 0 {
		t.Errorf("who looks first has seen %q for long", got)
	}
}

// TestWhatIsLeftIsDroppedUnlessItsLeaderIsBack: who is heard of again, while the room is being ended, gives it back.
func TestWhatIsLeftIsDroppedUnlessItsLeaderIsBack(t *testing.T) {
	l := looks{talks.NewLeases(open(t, filepath.Join(t.TempDir(), "a.db")).DB())}
	for n := range 2 {
		ok(t, l.Take(t.Context(), lease(n)))
	}
	l.left(t, 0)
	all, err := l.Left(t.Context(), noon.Add(goneAfter), goneAfter)
	ok(t, err)
	if len(all) != 2 {
		t.Fatal(all)
	}
	ok(t, l.Renew(t.Context(), lease(0)))
	for _, x := range all {
		ok(t, l.Drop(t.Context(), x))
	}
	ok(t, l.Renew(t.Context(), lease(0)))
	if err := l.Renew(t.Context(), lease(1)); !errors.Is(err, talks.ErrLost) {
		t.Errorf("%v", err)
	}
}

// TestInvariant10ARoomThatProcessesRaceForIsLedOnce: by goroutines, and by processes that have joined the store.
func TestInvariant10ARoomThatProcessesRaceForIsLedOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.db")
	l := talks.NewLeases(open(t, file).DB())
	var wg sync.WaitGroup
	var total atomic.Int64
	for range 2 {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env, cmd.Stderr = append(os.Environ(), "READBACK_LEASES_FILE="+file), os.Stderr
			out, err := cmd.Output()
			var n int64
			if _, scan := fmt.Sscan(strings.TrimSpace(string(out)), &n); err != nil || scan != nil {
				t.Error(err, scan)
			}
			total.Add(n)
		})
	}
	wg.Wait()
	if total.Load() != rounds {
		t.Errorf("%d are led, of %d", total.Load(), rounds)
	}
	for n := range rounds {
		if err := l.Take(t.Context(), lease(n)); !errors.Is(err, talks.ErrLed) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// lead has eight goroutines take the lease of every room, and prints how many they got.
func lead(file string) error {
	ctx := context.Background()
	s, err := store.Join(ctx, file)
	if err != nil {
		return err
	}
	l := talks.NewLeases(s.DB())
	var wg sync.WaitGroup
	var taken atomic.Int64
	errs := make(chan error, 8)
	for i := range 8 {
		wg.Go(func() {
			for n := range rounds {
				of := lease(n)
				of.By = fmt.Sprint("readback-", os.Getpid(), "-", i)
				switch err := l.Take(ctx, of); {
				case err == nil:
					taken.Add(1)
				case !errors.Is(err, talks.ErrLed):
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(taken.Load())
	close(errs)
	return errors.Join(<-errs, s.Close())
}

// TestARestoredBackupLeadsNoCall: those that were going on when it was made are over.
func TestARestoredBackupLeadsNoCall(t *testing.T) {
	dir := t.TempDir()
	file, copied := filepath.Join(dir, "a.db"), filepath.Join(dir, "copy.db")
	s := open(t, file)
	ok(t, talks.NewLeases(s.DB()).Take(t.Context(), lease(1)))
	ok(t, s.Backup(t.Context(), copied))
	ok(t, restore.Genuine(t.Context(), copied))
	_, err := restore.Inherit(t.Context(), noon, copied, file)
	ok(t, err)
	ok(t, talks.NewLeases(open(t, copied).DB()).Take(t.Context(), lease(1)))
}
