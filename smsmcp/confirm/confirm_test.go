package confirm_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/untrusted"
	"readback/store"
)

// door writes down what reaches it.
type door struct{ got []string }

func (d *door) Confirm(_ context.Context, id smsmcp.SendID, _ [32]byte, channel smsmcp.Channel, strong bool) (smsmcp.Send, error) {
	word := "weak"
	if strong {
		word = "strong"
	}
	d.got = append(d.got, "yes "+string(id)+" "+string(channel)+" "+word)
	return smsmcp.Send{}, nil
}

func (d *door) Spoken(_ context.Context, id smsmcp.SendID, _ [32]byte, answer untrusted.Text) (smsmcp.Send, error) {
	d.got = append(d.got, "spoken "+string(id)+" "+answer.RawForRules())
	return smsmcp.Send{}, nil
}

func (d *door) Decline(_ context.Context, id smsmcp.SendID, channel smsmcp.Channel) (smsmcp.Send, error) {
	d.got = append(d.got, "no "+string(id)+" "+string(channel))
	return smsmcp.Send{}, nil
}

func (d *door) Retry(context.Context) error { d.got = append(d.got, "retry"); return nil }

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "readback.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestChannels(t *testing.T) {
	var cli, page bool
	d := &door{}
	desk := confirm.New(open(t), time.Now, slog.New(slog.DiscardHandler),
		confirm.Channel{Name: smsmcp.CommandLine, Strong: true, Reachable: func() bool { return cli }},
		confirm.Channel{Name: smsmcp.PageChannel, Reachable: func() bool { return page }})
	desk.Bind(d)
	ctx, digest := t.Context(), [32]byte{1}

	if desk.Reachable(false) || desk.Reachable(true) {
		t.Error("no channel is open, and one can be reached")
	}
	page = true
	if !desk.Reachable(false) || desk.Reachable(true) {
		t.Error("a weak channel counts as strong, or not at all")
	}
	if _, err := desk.Yes(ctx, "a", digest, smsmcp.PageChannel); err != nil {
		t.Error(err)
	}
	if _, err := desk.Yes(ctx, "b", digest, smsmcp.CommandLine); !errors.Is(err, confirm.ErrNoChannel) {
		t.Errorf("a yes where none can be taken: %v", err)
	}
	if _, err := desk.No(ctx, "b", smsmcp.CommandLine); err != nil { // it only tightens
		t.Error(err)
	}
	for _, closed := range []smsmcp.Channel{"", "other"} {
		if _, err := desk.Yes(ctx, "b", digest, closed); !errors.Is(err, confirm.ErrNoChannel) {
			t.Errorf("a yes on %q: %v", closed, err)
		}
		if _, err := desk.No(ctx, "b", closed); !errors.Is(err, confirm.ErrNoChannel) {
			t.Errorf("a no on %q: %v", closed, err)
		}
		if err := desk.Freeze(ctx, closed); !errors.Is(err, confirm.ErrNoChannel) {
			t.Errorf("freeze on %q: %v", closed, err)
		}
	}
	cli = true
	if _, err := desk.Yes(ctx, "c", digest, smsmcp.CommandLine); err != nil {
		t.Error(err)
	}
	if _, err := desk.No(ctx, "d", smsmcp.PageChannel); err != nil {
		t.Error(err)
	}
	want := []string{"yes a page weak", "no b command_line", "yes c command_line strong", "no d page"}
	if !slices.Equal(d.got, want) {
		t.Errorf("the door got %q, want %q", d.got, want)
	}
}

func TestAnyChannelFreezesAndAStrongOneThaws(t *testing.T) {
	yes := func() bool { return true }
	desk := confirm.New(open(t), time.Now, slog.New(slog.DiscardHandler),
		confirm.Channel{Name: smsmcp.CommandLine, Strong: true, Reachable: yes}, confirm.Channel{Name: smsmcp.PageChannel, Reachable: yes})
	frozen := func() bool {
		is, err := desk.Frozen(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	if err := desk.Freeze(t.Context(), smsmcp.PageChannel); err != nil || !frozen() {
		t.Fatal(err, frozen())
	}
	if err := desk.Thaw(t.Context(), smsmcp.PageChannel); !errors.Is(err, confirm.ErrNoChannel) || !frozen() {
		t.Fatal(err, frozen())
	}
	if err := desk.Thaw(t.Context(), smsmcp.CommandLine); err != nil || frozen() {
		t.Fatal(err, frozen())
	}
}

// sweeps counts what Run does to a store.
type sweeps struct {
	confirm.Store
	n int
}

func (s *sweeps) Expire(context.Context, time.Time) ([]smsmcp.Send, error) { s.n++; return nil, nil }

func TestRunSweepsUntilItIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, d := &sweeps{}, &door{}
		desk := confirm.New(s, time.Now, slog.New(slog.DiscardHandler))
		desk.Bind(d)
		ctx, stop := context.WithCancel(t.Context())
		go desk.Run(ctx, time.Second)
		time.Sleep(3500 * time.Millisecond) // of the bubble's clock
		stop()
		synctest.Wait()
		if s.n != 3 || len(d.got) != 3 {
			t.Errorf("%d sweeps, %d retries, want 3 each", s.n, len(d.got))
		}
	})
}

// TestWaitsThatEndAreCounted: by the sweep and by who looks, each once.
func TestWaitsThatEndAreCounted(t *testing.T) {
	s := &ending{Store: open(t), gone: []int{2, 0, 1}}
	desk := confirm.New(s, time.Now, slog.New(slog.DiscardHandler))
	counts := map[string]int{}
	desk.Observe(func(e smsmcp.Event, label string) { counts[string(e)+" "+label]++ })
	told := 0
	desk.Tell(func(smsmcp.Send) { told++ })
	for range 4 {
		if _, err := desk.Waiting(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(counts) != 2 || counts["answered expired"] != 3 || counts["send_ended expired"] != 3 || told != 3 {
		t.Error(counts, told)
	}
}

func TestAChannelThatIsOpenedLaterTakesAnswers(t *testing.T) {
	d := &door{}
	desk := confirm.New(open(t), time.Now, slog.New(slog.DiscardHandler))
	desk.Bind(d)
	if _, err := desk.Yes(t.Context(), "a", [32]byte{}, smsmcp.Phone); !errors.Is(err, confirm.ErrNoChannel) || desk.Reachable(false) {
		t.Error(err)
	}
	desk.Open(confirm.Channel{Name: smsmcp.Phone, Strong: true, Reachable: func() bool { return true }})
	if _, err := desk.Yes(t.Context(), "a", [32]byte{}, smsmcp.Phone); err != nil || !desk.Reachable(true) || len(d.got) != 1 {
		t.Error(err, d.got)
	}
}

// ending is a store in which so many waits end at each sweep.
type ending struct {
	confirm.Store
	gone []int
}

func (s *ending) Expire(context.Context, time.Time) ([]smsmcp.Send, error) {
	if len(s.gone) == 0 {
		return nil, nil
	}
	n := s.gone[0]
	s.gone = s.gone[1:]
	return make([]smsmcp.Send, n), nil
}

// TestInvariant06WhatAClientAnswersHoldsNoDraftUp: its channels take answers, weak ones, and make no draft wait that nothing else could answer.
func TestInvariant06WhatAClientAnswersHoldsNoDraftUp(t *testing.T) {
	d := &door{}
	desk := confirm.New(open(t), time.Now, slog.New(slog.DiscardHandler), confirm.Weak()...)
	desk.Bind(d)
	if desk.Reachable(false) || desk.Reachable(true) {
		t.Error("a draft waits for a client's question alone")
	}
	for _, c := range []smsmcp.Channel{smsmcp.Elicitation, smsmcp.Card} {
		if _, err := desk.Yes(t.Context(), "a", [32]byte{}, c); err != nil {
			t.Error(err)
		}
		if _, err := desk.No(t.Context(), "a", c); err != nil {
			t.Error(err)
		}
		if err := desk.Thaw(t.Context(), c); !errors.Is(err, confirm.ErrNoChannel) {
			t.Errorf("%s lifts a freeze: %v", c, err)
		}
	}
	if want := []string{"yes a elicitation weak", "no a elicitation", "yes a card weak", "no a card"}; !slices.Equal(d.got, want) {
		t.Errorf("the door got %q", d.got)
	}
}
