package inbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
)

// run starts the poller in a bubble and gives what stops it.
func run(t *testing.T, b *Box) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { b.Run(ctx); close(done) }()
	synctest.Wait()
	return func() { cancel(); <-done }
}

// slow is a list that takes its time and heeds its context.
func slow(d time.Duration) func(context.Context, int) ([]smsmcp.Text, error) {
	return func(ctx context.Context, _ int) ([]smsmcp.Text, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(d):
			return nil, nil
		}
	}
}

func TestRunSyncsAtOnceThenEveryThirtySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lister{}
		b := newBox(newShelf(), l)
		defer run(t, b)()
		if n := l.count(); n != 1 {
			t.Fatalf("%d lists at once", n)
		}
		time.Sleep(5*time.Minute + time.Second)
		if n := l.count(); n != 11 {
			t.Fatalf("%d lists in five minutes", n)
		}
	})
}

func TestManyNudgesAreOneSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lister{}
		b := newBox(newShelf(), l)
		defer run(t, b)()
		for range 1000 {
			b.Nudge()
		}
		time.Sleep(14 * time.Second)
		if n := l.count(); n != 1 {
			t.Fatalf("%d lists within 14 s", n)
		}
		time.Sleep(2 * time.Second)
		if n := l.count(); n != 2 {
			t.Fatalf("%d lists after 16 s", n)
		}
		time.Sleep(14 * time.Second)
		if n := l.count(); n != 2 {
			t.Fatalf("%d lists: nudges were kept", n)
		}
		// Nudged all the time, it syncs every 15 s.
		at := l.count()
		for range 60 {
			b.Nudge()
			time.Sleep(time.Second)
		}
		if n := l.count() - at; n > 5 || n < 3 {
			t.Fatalf("%d lists in a minute of nudges", n)
		}
	})
}

func TestANudgeDuringASyncIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lister{list: slow(10 * time.Second)}
		b := newBox(newShelf(), l)
		defer run(t, b)()
		time.Sleep(5 * time.Second)
		b.Nudge()
		time.Sleep(21 * time.Second)
		if n := l.count(); n != 2 {
			t.Fatalf("%d lists", n)
		}
	})
}

func TestSyncCallsShareOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lister{list: slow(time.Second)}
		b := newBox(newShelf(), l)
		var all sync.WaitGroup
		sync := func() { all.Go(func() { must(t, b.Sync(t.Context())) }) }
		sync()
		synctest.Wait()
		for range 50 { // these came while one runs that began before them: they share the next
			sync()
		}
		all.Wait()
		if n := l.count(); n != 2 {
			t.Fatalf("%d lists for 51 calls", n)
		}
	})
}

func TestSyncThatItsCallerBreaksOffIsNobodyElses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lister{list: slow(10 * time.Second)}
		s := newShelf()
		b := newBox(s, l)
		first, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { must(t, b.Sync(t.Context())) }) // has the turn
		synctest.Wait()
		all.Go(func() {
			if err := b.Sync(first); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		all.Go(func() { must(t, b.Sync(t.Context())) })
		time.Sleep(11 * time.Second)
		cancel()
		all.Wait()
		for _, st := range s.states {
			if st.Failure != "" {
				t.Errorf("a broken-off sync is kept as %q", st.Failure)
			}
		}
	})
}

func TestACarrierThatHangsIsLeft(t *testing.T) {
	for name, heeds := range map[string]bool{"heeding its context": true, "heeding nothing": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				back := make(chan struct{})
				l := &lister{list: func(ctx context.Context, n int) ([]smsmcp.Text, error) {
					if n > 1 {
						return []smsmcp.Text{received("1", smsmcp.NumberPeer(anna), "hi", start)}, nil
					}
					if heeds {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					<-back
					return []smsmcp.Text{received("late", smsmcp.NumberPeer(anna), "late", start)}, nil
				}}
				s := newShelf()
				s.page = smsmcp.Page{FoldedTexts: 1}
				b := newBox(s, l)
				begin := time.Now()
				if err := b.Sync(t.Context()); !errors.Is(err, ErrCarrier) || time.Since(begin) != map[bool]time.Duration{true: 28 * time.Second, false: 30 * time.Second}[heeds] {
					t.Fatalf("%v after %s", err, time.Since(begin))
				}
				if s.state.Failure != "time_out" {
					t.Errorf("kept as %q", s.state.Failure)
				}
				if a, err := b.Read(t.Context(), Request{Scope: smsmcp.MCP}); err != nil || a.Sync.Failure != "time_out" || a.Page.FoldedTexts != 1 {
					t.Errorf("reading stopped: %+v, %v", a, err)
				}
				if !heeds {
					if err := b.Sync(t.Context()); !errors.Is(err, errHanging) || l.count() != 1 {
						t.Errorf("a second list was begun: %v", err)
					}
					if s.state.Failure != "hanging" {
						t.Errorf("kept as %q", s.state.Failure)
					}
					close(back)
					synctest.Wait()
				}
				must(t, b.Sync(t.Context()))
				if len(s.texts) != 1 || s.state.Failure != "" {
					t.Errorf("%d texts, %q", len(s.texts), s.state.Failure)
				}
			})
		})
	}
}

// coded is an error with a code that must not be kept as it is.
type coded string

func (c coded) Error() string { return "secret words of the carrier" }
func (c coded) Code() string  { return string(c) }

func TestFailuresAreKeptReducedAndBackedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := []error{coded("Bad <b>Code</b> 42!"), fmt.Errorf("%w: secret", smsmcp.ErrDown), errors.New("secret")}
		l := &lister{}
		l.list = func(_ context.Context, n int) ([]smsmcp.Text, error) {
			if n <= len(answers) {
				return nil, answers[n-1]
			}
			if n == 4 {
				panic("secret")
			}
			if n < 16 {
				return nil, smsmcp.ErrDown
			}
			return nil, nil
		}
		s := newShelf()
		b := newBox(s, l)
		stop := run(t, b)
		time.Sleep(3 * time.Hour)
		stop()
		var codes []string
		for _, st := range s.states[:5] {
			codes = append(codes, st.Failure)
		}
		if want := []string{"bad_b_code_b_", "down", "no_clear_answer", "client_crashed", "down"}; !slices.Equal(codes, want) {
			t.Errorf("codes %q", codes)
		}
		for i := 1; i < 16; i++ {
			gap := l.calls[i].at.Sub(l.calls[i-1].at)
			most := min(30*time.Second<<min(i, 10), 10*time.Minute)
			if gap < most/2 || gap > most {
				t.Errorf("gap %d is %s, of at most %s", i, gap, most)
			}
		}
		if gap := l.calls[17].at.Sub(l.calls[16].at); gap != 30*time.Second {
			t.Errorf("after it came back: %s", gap)
		}
	})
}

func TestWindow(t *testing.T) {
	day := 24 * time.Hour
	for _, c := range []struct {
		name string
		good time.Duration // before now; 0 for never
		send time.Duration // an unknown one, before now
		want time.Duration
	}{
		{"first", 0, 0, 3 * day},
		{"usual", time.Minute, 0, 3 * day},
		{"a good one in the future", -5 * day, 0, 90 * day},
		{"a good one a moment ahead", -time.Minute, 0, 3 * day},
		{"a short outage", 2*day - time.Second, 0, 3 * day},
		{"a long outage", 20 * day, 0, 21 * day},
		{"longer than carriers list", 200 * day, 0, 90 * day},
		{"an old unknown send", time.Minute, 6 * day, 7 * day},
		{"a very old one", time.Minute, 8 * day, 3 * day},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				now := time.Now().UTC()
				s, l := newShelf(), &lister{}
				if c.good != 0 {
					s.state.Good = now.Add(-c.good)
				}
				if c.send != 0 {
					s.sends["a"] = unknown("a", "hi", now.Add(-c.send))
				}
				must(t, newBox(s, l).Sync(t.Context()))
				if got := now.Sub(l.calls[0].from); got != c.want {
					t.Errorf("looks back %s, want %s", got, c.want)
				}
				if !l.calls[0].to.After(now.Add(time.Hour)) {
					t.Errorf("ends at %s: a carrier whose clock is ahead is not heard", l.calls[0].to)
				}
			})
		})
	}
}

// A sync is good only after all of it is stored: the next one looks as far back.
func TestInvariant08NothingIsAcknowledgedBeforeItIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := newShelf(), &lister{list: func(context.Context, int) ([]smsmcp.Text, error) {
			return []smsmcp.Text{received("1", smsmcp.NumberPeer(anna), "hi", start)}, nil
		}}
		good := time.Now().UTC().Add(-10 * 24 * time.Hour)
		s.state.Good = good
		b := newBox(s, l)
		s.fail["store"] = errors.New("disk full")
		if err := b.Sync(t.Context()); !errors.Is(err, ErrStore) {
			t.Fatal(err)
		}
		if !s.state.Good.Equal(good) || s.state.Failure != "store_failed" {
			t.Fatalf("%+v", s.state)
		}
		if err := b.Receive(t.Context(), received("2", smsmcp.NumberPeer(anna), "yo", start)); !errors.Is(err, ErrStore) {
			t.Fatalf("a push is acknowledged: %v", err)
		}
		delete(s.fail, "store")
		s.did = nil
		must(t, b.Sync(t.Context()))
		if i, j := slices.Index(s.did, "store"), slices.Index(s.did, "synced"); i < 0 || j < i {
			t.Errorf("order %q", s.did)
		}
		if from := l.calls[len(l.calls)-1].from; !from.Before(good) {
			t.Errorf("looks back to %s only", from)
		}
		must(t, b.Receive(t.Context(), received("2", smsmcp.NumberPeer(anna), "yo", start)))
		if len(s.texts) != 2 {
			t.Errorf("%d texts", len(s.texts))
		}
	})
}

func TestWithoutALister(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		b := newBox(s, nil)
		b.o.Carrier = nil
		must(t, b.Sync(t.Context()))
		stop := run(t, b)
		b.Nudge()
		b.Nudge()
		time.Sleep(time.Hour)
		stop()
		if len(s.did) != 0 {
			t.Errorf("%q", s.did)
		}
	})
}
