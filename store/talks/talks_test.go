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

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const rounds = 50

// The test binary is its own second process: it takes every pass of the file that READBACK_TALKS_FILE names, or every lease of the one that READBACK_LEASES_FILE does.
func TestMain(m *testing.M) {
	for name, do := range map[string]func(file string) error{"READBACK_TALKS_FILE": take, "READBACK_LEASES_FILE": lead} {
		if file := os.Getenv(name); file != "" {
			if err := do(file); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, file string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	ok(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func count(t *testing.T, s *store.Store) (n int) {
	t.Helper()
	_, err := engine.One(s.DB().Read(t.Context()), `SELECT count(*) FROM talks`, nil, &n)
	ok(t, err)
	return n
}

func TestInvariant05APassIsTakenOnceForItsRoom(t *testing.T) {
	b := talks.New(open(t, filepath.Join(t.TempDir(), "a.db")).DB())
	ok(t, b.Add(t.Context(), noon, "talk-one", "owner-one"))
	ok(t, b.Add(t.Context(), noon, "talk-two", "owner-two"))
	if err := b.Add(t.Context(), noon, "talk-one", "owner-other"); !errors.Is(err, engine.ErrTaken) {
		t.Errorf("the same room twice: %v", err)
	}
	if err := b.Add(t.Context(), noon, "talk-three", ""); !errors.Is(err, engine.ErrInvalid) {
		t.Errorf("nobody: %v", err)
	}
	for i, c := range []struct{ room, identity string }{
		{"", ""}, {"talk-three", ""}, {"owner-one", ""}, {"talk-on", ""}, {"talk-one ", ""}, {"TALK-ONE", ""},
		{"talk-one", "owner-one"}, {"talk-one", ""}, {"talk-two", "owner-two"}, {"talk-two", ""},
	} {
		got, err := b.Take(t.Context(), noon, c.room)
		if got != c.identity || (c.identity == "") != errors.Is(err, talks.ErrNone) || c.identity != "" && err != nil {
			t.Errorf("%d: %q, %v", i, got, err)
		}
	}
}

// TestInvariant12AClockSetBackGivesNoPass: one is good for two minutes; what was found to be too late, or from a future that is none, is gone, whatever the clock says then.
func TestInvariant12AClockSetBackGivesNoPass(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	b := talks.New(s.DB())
	for i, c := range []struct {
		after time.Duration
		good  bool
	}{
		{0, true},
		{2*time.Minute - time.Millisecond, true},
		{2 * time.Minute, false},
		{time.Hour, false},
		{-time.Minute, true}, // clocks are corrected by a little
		{-time.Minute - time.Millisecond, false},
		{-24 * time.Hour, false},
	} {
		ok(t, b.Add(t.Context(), noon, "talk", "owner"))
		if got, err := b.Take(t.Context(), noon.Add(c.after), "talk"); (err == nil) != c.good || (got != "") != c.good || err != nil && !errors.Is(err, talks.ErrNone) {
			t.Errorf("%d: %q, %v", i, got, err)
		}
		if got, err := b.Take(t.Context(), noon, "talk"); got != "" || !errors.Is(err, talks.ErrNone) {
			t.Errorf("%d, again: %q, %v", i, got, err)
		}
		for name, forget := range map[string]func(time.Time) error{
			"a sweep":      func(now time.Time) error { return b.Prune(t.Context(), now) },
			"another pass": func(now time.Time) error { return b.Add(t.Context(), now, fmt.Sprint("another", i, now), "owner") },
		} {
			ok(t, b.Add(t.Context(), noon, "talk", "owner"))
			ok(t, forget(noon.Add(c.after)))
			if got, err := b.Take(t.Context(), noon, "talk"); (err == nil) != c.good {
				t.Errorf("%d, after %s: %q, %v", i, name, got, err)
			}
			ok(t, s.DB().Write(t.Context(), "clear", func(x *engine.Tx) error { return x.Script(`DELETE FROM talks`) }))
		}
	}
}

func TestWhatIsPastIsForgotten(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	b := talks.New(s.DB())
	for i := range 100 {
		ok(t, b.Add(t.Context(), noon.Add(time.Duration(i)*time.Minute), fmt.Sprint(i), "owner"))
		if n := count(t, s); n > 2 {
			t.Fatalf("%d are kept", n)
		}
	}
	ok(t, b.Prune(t.Context(), noon.Add(100*time.Minute)))
	ok(t, b.Prune(t.Context(), noon.Add(101*time.Minute)))
	if n := count(t, s); n != 0 {
		t.Errorf("%d are kept", n)
	}
}

// TestInvariant05APassTakenManyTimesAtOnceIsTakenOnce: by goroutines, and by processes that have joined the store.
func TestInvariant05APassTakenManyTimesAtOnceIsTakenOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.db")
	b := talks.New(open(t, file).DB())
	for i := range rounds {
		ok(t, b.Add(t.Context(), noon, fmt.Sprint(i), fmt.Sprint("owner-", i)))
	}
	var wg sync.WaitGroup
	var total atomic.Int64
	for range 2 {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env, cmd.Stderr = append(os.Environ(), "READBACK_TALKS_FILE="+file), os.Stderr
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
		t.Errorf("%d were taken, of %d", total.Load(), rounds)
	}
}

// take has eight goroutines take every pass, and prints how many were theirs.
func take(file string) error {
	ctx := context.Background()
	s, err := store.Join(ctx, file)
	if err != nil {
		return err
	}
	b := talks.New(s.DB())
	var wg sync.WaitGroup
	var taken atomic.Int64
	errs := make(chan error, 8)
	for range 8 {
		wg.Go(func() {
			for i := range rounds {
				switch got, err := b.Take(ctx, noon, fmt.Sprint(i)); {
				case err == nil && got == fmt.Sprint("owner-", i):
					taken.Add(1)
				case !errors.Is(err, talks.ErrNone):
					errs <- fmt.Errorf("%q: %w", got, err)
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

// TestARestoredBackupBringsNoPass: it may have been taken since it was made.
func TestARestoredBackupBringsNoPass(t *testing.T) {
	dir := t.TempDir()
	file, copied := filepath.Join(dir, "a.db"), filepath.Join(dir, "copy.db")
	s := open(t, file)
	ok(t, talks.New(s.DB()).Add(t.Context(), noon, "talk", "owner"))
	ok(t, s.Backup(t.Context(), copied))
	ok(t, restore.Genuine(t.Context(), copied))
	_, err := restore.Inherit(t.Context(), noon, copied, file)
	ok(t, err)
	if _, err := talks.New(open(t, copied).DB()).Take(t.Context(), noon, "talk"); !errors.Is(err, talks.ErrNone) {
		t.Error(err)
	}
	if got, err := talks.New(s.DB()).Take(t.Context(), noon, "talk"); got != "owner" || err != nil {
		t.Error(got, err)
	}
}

// TestInvariant11TheNameOfARoomIsKeptHashed: who reads the file, or a backup, has no room to go to.
func TestInvariant11TheNameOfARoomIsKeptHashed(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "a.db"))
	ok(t, talks.New(s.DB()).Add(t.Context(), noon, "talk-abcdefghijklmnopqrstuvwxyz", "owner-x"))
	ok(t, s.Backup(t.Context(), filepath.Join(dir, "copy.db")))
	ok(t, s.Close())
	for _, name := range []string{"a.db", "copy.db"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		ok(t, err)
		if strings.Contains(string(b), "talk-abc") || !strings.Contains(string(b), "owner-x") {
			t.Error(name)
		}
	}
}
