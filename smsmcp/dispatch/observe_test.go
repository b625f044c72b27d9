package dispatch_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
)

// TestWhatIsCounted plays one journey of a send at a time, and looks at all that was counted.
func TestWhatIsCounted(t *testing.T) {
	type counts = map[string]int
	asked := func(more counts) counts {
		out := counts{"send_judged confirm": 1, "asked ": 1}
		maps.Copy(out, more)
		return out
	}
	for name, tt := range map[string]struct {
		set  func(*bench)
		play func(*bench)
		want counts
	}{
		"sent":    {nil, func(b *bench) { b.send("Marie", "hi") }, counts{"send_judged allow": 1, "send_ended sent": 1}},
		"refused": {nil, func(b *bench) { b.send("nobody", "hi") }, counts{"send_judged deny": 1, "send_ended refused": 1}},
		"no channel": {
			func(b *bench) { always(b); b.open = false },
			func(b *bench) { b.send("Marie", "hi") }, counts{"send_judged confirm": 1, "send_ended refused": 1},
		},
		"waiting, and asked for again": {always, func(b *bench) { b.send("Marie", "hi"); b.send("Marie", "hi") }, asked(nil)},
		"twenty say yes": {always, func(b *bench) {
			s := b.send("Marie", "hi")
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() { _, _ = b.yes(s) })
			}
			wg.Wait()
		}, asked(counts{"answered command_line": 1, "send_ended sent": 1})},
		"no, and no, and yes": {always, func(b *bench) {
			s := b.send("Marie", "hi")
			for range 2 {
				_, _ = b.door.Decline(b.t.Context(), s.ID, smsmcp.CommandLine)
			}
			_, _ = b.yes(s)
		}, asked(counts{"answered declined": 1, "send_ended declined": 1})},
		"a yes too late": {always, func(b *bench) {
			s := b.send("Marie", "hi")
			b.pass(10 * time.Minute)
			_, _ = b.yes(s)
			_, _ = b.yes(s)
			_, _ = b.door.Check(b.t.Context(), s.ID)
		}, asked(counts{"answered expired": 1, "send_ended expired": 1})},
		"looked at too late": {always, func(b *bench) {
			s := b.send("Marie", "hi")
			b.pass(10 * time.Minute)
			_, _ = b.door.Check(b.t.Context(), s.ID)
			_, _ = b.door.Check(b.t.Context(), s.ID)
		}, asked(counts{"answered expired": 1, "send_ended expired": 1})},
		"a new draft instead": {
			always,
			func(b *bench) { b.send("Marie", "hi"); b.send("Marie", "hello") },
			counts{"send_judged confirm": 2, "asked ": 2, "send_ended void": 1},
		},
		"cancelled": {always, func(b *bench) {
			s := b.send("Marie", "hi")
			for range 2 {
				_, _ = b.door.Cancel(b.t.Context(), s.ID)
			}
		}, asked(counts{"send_ended cancelled": 1})},
		"a yes to something else": {always, func(b *bench) {
			s := b.send("Marie", "hi")
			_, _ = b.door.Confirm(b.t.Context(), s.ID, [32]byte{}, smsmcp.CommandLine, true)
		}, asked(nil)},
		"a yes that is refused": {always, func(b *bench) {
			s := b.send("Marie", "hi")
			_ = b.store.Freeze(b.t.Context(), b.clock(), smsmcp.CommandLine)
			_, _ = b.yes(s)
		}, asked(counts{"send_judged deny": 1, "answered command_line": 1, "send_ended refused": 1})},
		"the carrier says no": {func(b *bench) {
			b.carrier.send = func(context.Context, int) error { return coded{smsmcp.ErrRefused, "Invalid Dst!"} }
		}, func(b *bench) { b.send("Marie", "hi") }, counts{"send_judged allow": 1, "carrier_failed invalid_dst_": 1, "send_ended failed": 1}},
		"the carrier says nothing": {func(b *bench) {
			b.carrier.send = func(context.Context, int) error { return context.DeadlineExceeded }
		}, func(b *bench) { b.send("Marie", "hi") }, counts{"send_judged allow": 1, "carrier_failed time_out": 1, "send_ended unknown": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(b *bench) {
				if tt.set != nil {
					tt.set(b)
				}
			})
			tt.play(b)
			if !maps.Equal(b.counts, tt.want) {
				t.Errorf("counted %v, want %v", b.counts, tt.want)
			}
		})
	}
}

// TestWhatWasNotWrittenIsNotCounted: nothing where the record failed; unknown, and then what it became, where the outcome came late.
func TestWhatWasNotWrittenIsNotCounted(t *testing.T) {
	f := &failing{begin: errors.New("disk full")}
	b := newBench(t, func(b *bench) { f.Ledger = b.store; b.ledger = f })
	if _, err := b.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP}); err == nil || len(b.counts) != 0 {
		t.Fatal(err, b.counts)
	}
	f.mu.Lock()
	f.begin, f.record = nil, errors.New("disk full")
	f.mu.Unlock()
	if _, err := b.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP}); !errors.Is(err, dispatch.ErrNotRecorded) {
		t.Fatal(err)
	}
	if want := map[string]int{"send_judged allow": 1, "send_ended unknown": 1}; !maps.Equal(b.counts, want) {
		t.Fatal(b.counts)
	}
	f.mu.Lock()
	f.record = nil
	f.mu.Unlock()
	for range 2 {
		if err := b.door.Retry(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if want := map[string]int{"send_judged allow": 1, "send_ended unknown": 1, "send_ended sent": 1}; !maps.Equal(b.counts, want) {
		t.Fatal(b.counts)
	}
}
