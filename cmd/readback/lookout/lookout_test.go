package lookout

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/store"
)

// on gives a lookout of a folder that is held, and that folder.
func on(t *testing.T, ctx context.Context, may func(context.Context) error) (*Lookout, machine.Folder) { //nolint:revive // the test's own context is another
	t.Helper()
	d := machine.Folder(t.TempDir())
	held, err := d.Hold()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(held.Release)
	l := Watch(ctx, Options{Data: string(d), Held: held, May: may, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(l.Stop)
	return l, d
}

func ended(t *testing.T, c context.Context) { //nolint:revive // it is what is looked at
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
}

// TestALostLockIsNotOutlived: what goes on then is not waited for, also where it was told to end long before.
func TestALostLockIsNotOutlived(t *testing.T) {
	for _, told := range []bool{false, true} {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		l, d := on(t, ctx, nil)
		never := make(chan struct{})
		defer close(never)
		if told {
			end()
		}
		got := make(chan error, 1)
		go func() { got <- l.Wait(func(context.Context) { <-never }) }()
		if err := os.Remove(d.Path(machine.LockFile)); err != nil {
			t.Fatal(err)
		}
		ended(t, l.On)
		ended(t, l.Lost)
		select {
		case err := <-got:
			if err == nil || !strings.Contains(err.Error(), "a lock file of the data folder "+string(d)) {
				t.Error(told, err)
			}
		case <-time.After(time.Minute):
			t.Fatal("it waits for what goes on")
		}
	}
}

// TestInvariant09OtherBoundsBeginNothingMore, and what goes on is waited for.
func TestInvariant09OtherBoundsBeginNothingMore(t *testing.T) {
	for _, why := range []error{lang.Say(lang.CLIStopped), store.ErrUnready} {
		l, _ := on(t, t.Context(), func(context.Context) error { return why })
		err := l.Wait(func(on context.Context) {
			ended(t, on)
			if l.Lost.Err() != nil {
				t.Error("its calls are not waited for")
			}
		})
		if !errors.Is(err, why) {
			t.Error(err)
		}
	}
}

// TestWhatCannotBeReadNowEndsNothing, nor does the end of the context have a reason of ours.
func TestWhatCannotBeReadNowEndsNothing(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var asked atomic.Int64
	l, _ := on(t, ctx, func(context.Context) error {
		if asked.Add(1) == 2 {
			end()
		}
		return store.ErrBusy
	})
	if err := l.Wait(func(on context.Context) { ended(t, on) }); err != nil || asked.Load() < 2 {
		t.Error(err, asked.Load())
	}
}
