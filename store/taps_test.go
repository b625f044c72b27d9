package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
)

func tap(token string, expires time.Time) smsmcp.Tap {
	return smsmcp.Tap{Hash: sha256.Sum256([]byte(token)), Send: "abcdefghij", Digest: [32]byte{1, 2, 3}, Action: smsmcp.TapSend, Expires: expires}
}

func TestATapIsGoodOnceAndInItsTime(t *testing.T) {
	s := newStore(t)
	a, b := tap("a", noon.Add(10*time.Minute)), tap("b", noon.Add(10*time.Minute))
	ok(t, s.AddTaps(t.Context(), noon, []smsmcp.Tap{a, b}))
	if err := s.AddTaps(t.Context(), noon, []smsmcp.Tap{tap("c", noon.Add(time.Hour)), a}); !errors.Is(err, ErrTaken) {
		t.Errorf("the same tap twice: %v", err)
	}
	for i, c := range []struct {
		now  time.Time
		tap  smsmcp.Tap
		want smsmcp.Tap
		err  error
	}{
		{noon, a, a, nil}, {noon, a, a, ErrTapUsed}, {noon.Add(-time.Hour), a, a, ErrTapUsed}, {noon, tap("c", noon), smsmcp.Tap{}, ErrNoTap},
		{b.Expires, b, b, ErrTapLate}, {b.Expires.Add(-time.Millisecond), b, b, nil}, {b.Expires, b, b, ErrTapUsed},
	} {
		if got, err := s.UseTap(t.Context(), c.now, c.tap.Hash); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%d: %+v, %v", i, got, err)
		}
	}
	ok(t, s.AddTaps(t.Context(), noon.Add(25*time.Hour), []smsmcp.Tap{tap("d", noon.Add(26*time.Hour))}))
	var left int
	ok(t, scan(t, s, `SELECT count(*) FROM taps`, &left))
	if left != 1 {
		t.Errorf("%d are kept", left)
	}
}

// TestInvariant05AButtonPressedManyTimesAtOnceIsPressedOnce: by goroutines, and by processes.
func TestInvariant05AButtonPressedManyTimesAtOnceIsPressedOnce(t *testing.T) {
	s := newStore(t)
	var taps []smsmcp.Tap
	for i := range presses {
		taps = append(taps, tap(fmt.Sprint(i), noon.Add(time.Minute)))
	}
	ok(t, s.AddTaps(t.Context(), noon, taps))
	var wg sync.WaitGroup
	var total atomic.Int64
	for range 2 {
		cmd := child(t, "press", s.file)
		wg.Go(func() {
			out, err := cmd.Output()
			var n int64
			if _, scan := fmt.Sscan(string(out), &n); err != nil || scan != nil {
				t.Error(err, scan)
			}
			total.Add(n)
		})
	}
	wg.Wait()
	if total.Load() != presses {
		t.Errorf("%d presses counted, of %d buttons", total.Load(), presses)
	}
}

const presses = 50

// press has eight goroutines press every button, and prints how many presses counted.
func press(file string) error {
	ctx := context.Background()
	s, err := Open(ctx, file)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	var counted atomic.Int64
	errs := make(chan error, 8)
	for range 8 {
		wg.Go(func() {
			for i := range presses {
				switch _, err := s.UseTap(ctx, noon, sha256.Sum256([]byte(fmt.Sprint(i)))); {
				case err == nil:
					counted.Add(1)
				case !errors.Is(err, ErrTapUsed):
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(counted.Load())
	close(errs)
	return errors.Join(<-errs, s.Close())
}

// TestARestoredBackupKnowsNoButton: they may have been pressed since it was made.
func TestARestoredBackupKnowsNoButton(t *testing.T) {
	s := newStore(t)
	ok(t, s.AddTaps(t.Context(), noon, []smsmcp.Tap{tap("a", noon.Add(time.Hour))}))
	copied := filepath.Join(t.TempDir(), "copy.db")
	ok(t, s.Backup(t.Context(), copied))
	if _, err := openStore(t, copied).UseTap(t.Context(), noon, tap("a", noon).Hash); !errors.Is(err, ErrNoTap) {
		t.Error(err)
	}
	if x, err := s.UseTap(t.Context(), noon, tap("a", noon).Hash); err != nil || bytes.Equal(x.Digest[:], make([]byte, 32)) {
		t.Error(x, err)
	}
}
