package lookout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/guard"
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

// TestInvariant09OtherBoundsBeginNothingMore: what goes on is told to end, and waited for.
func TestInvariant09OtherBoundsBeginNothingMore(t *testing.T) {
	for _, why := range []error{lang.Say(lang.CLIStopped), store.ErrUnready} {
		l, _ := on(t, t.Context(), func(context.Context) error { return why })
		err := l.Wait(func(on context.Context) {
			ended(t, on)
			ended(t, l.Over)
			if l.Lost.Err() != nil {
				t.Error("its calls are not waited for")
			}
		})
		if !errors.Is(err, why) {
			t.Error(err)
		}
	}
}

// TestInvariant09OtherBoundsAreSeenByWhoWasToldToEnd long before, and whose calls go on: server and worker may be begun again at once.
func TestInvariant09OtherBoundsAreSeenByWhoWasToldToEnd(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	var others atomic.Bool
	asked, why := make(chan struct{}, 100), lang.Say(lang.CLIStopped)
	l, _ := on(t, ctx, func(context.Context) error {
		asked <- struct{}{}
		if others.Load() {
			return why
		}
		return nil
	})
	err := l.Wait(func(on context.Context) {
		ended(t, on)
		for range 2 {
			select {
			case <-asked:
			case <-time.After(time.Minute):
				t.Error("it does not look any more")
				return
			}
		}
		if l.Over.Err() != nil {
			t.Error("calls are ended where nothing is new")
		}
		others.Store(true)
		select {
		case <-l.Over.Done():
		case <-time.After(time.Minute):
			t.Error("its calls go on")
		}
	})
	if !errors.Is(err, why) {
		t.Error(err)
	}
}

// TestInvariant09WhoIsBoundByTheServerSendsNothingByOtherBounds, whether it has looked or not.
func TestInvariant09WhoIsBoundByTheServerSendsNothingByOtherBounds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readback.db")
	server, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	c, err := server.AddContact(t.Context(), smsmcp.Contact{Name: "Marie", Numbers: []smsmcp.Number{"+15145550101"}, To: "+15145550101"}, func([]smsmcp.Contact) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	worker, err := store.Join(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = worker.Close() }()
	same := Bound(worker, "the folder", []byte("mine"))
	now := time.Now()
	for i, says := range []string{"", "mine", "others", "mine"} {
		if says != "" {
			if err := Tell(t.Context(), server, []byte(says)); err != nil {
				t.Fatal(err)
			}
		}
		x := smsmcp.Send{ID: smsmcp.SendID(fmt.Sprint("send", i)), Draft: smsmcp.NewDraft(c, "hi"), State: smsmcp.Reserved, By: "call", Scope: smsmcp.CallScope + "1", Kind: smsmcp.SMS, Segments: 1, Created: now, Reserved: now}
		err := worker.Begin(t.Context(), now, smsmcp.Recipient{ID: c.ID}, guard.Need{Body: "hi"}, func(guard.State) smsmcp.Ruling { return smsmcp.Ruling{Insert: &x} })
		if (err == nil) != (says == "mine") || err != nil && !errors.Is(err, store.ErrBounds) {
			t.Errorf("the server says %q: %v", says, err)
		}
		if err := same(t.Context()); (err == nil) != (says == "mine") {
			t.Errorf("the server says %q: %v", says, err)
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
