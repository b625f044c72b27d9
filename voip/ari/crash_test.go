package ari_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"readback/voip/ari"
)

// TestAPanicEndsAConnectionAndNotTheProgram: in what reads events, and in what pings. Where it was is told, and never with what; then the client connects again.
func TestAPanicEndsAConnectionAndNotTheProgram(t *testing.T) {
	for what, c := range map[string]struct {
		decode func([]byte) (ari.Event, error)
		ping   time.Duration
		where  string
	}{
		"reading": {func([]byte) (ari.Event, error) { panic("the words of a stranger") }, time.Hour, "ari.(*Client).read"},
		"pinging": {nil, -1, "ari.(*Client).ping"},
	} {
		f := newFake(t)
		f.events = func(conn *websocket.Conn) { say(conn, textEvent("one")); stay(conn) }
		client := f.client(t)
		client.Break(c.decode, c.ping)
		ctx, cancel := context.WithCancel(t.Context())
		var broke []string
		downs := 0
		_ = client.Run(ctx, ari.Listener{
			Connected: func(context.Context) error { return nil },
			Event:     func(context.Context, ari.Event) {},
			Broke:     func(stack string) { broke = append(broke, stack) },
			Down: func(code string) {
				if code != ari.CodeCrashed || client.State().Failure != ari.CodeCrashed {
					t.Errorf("%s: down with %s", what, code)
				}
				if downs++; downs == 2 {
					cancel()
				}
			},
		})
		cancel()
		if len(broke) != 2 || !strings.Contains(broke[0], c.where) || strings.Contains(broke[0], "stranger") {
			t.Errorf("%s: %d times: %q", what, len(broke), broke)
		}
	}
}

// full is a fake that sends more texts than may wait, an ARI client of it, and what is closed once the reader can pass on no more.
func full(t *testing.T, change ...func(*ari.Config)) (client *ari.Client, decoded *atomic.Int64, stuck chan struct{}) {
	t.Helper()
	const most = 1 + 4096 + 1 // one is told, those that may wait do, and the reader holds one
	f := newFake(t)
	f.events = func(conn *websocket.Conn) {
		gone := make(chan struct{})
		go func() { defer close(gone); stay(conn) }()
		one := textEvent("one")
		for range most + 100 {
			say(conn, one)
		}
		<-gone
	}
	client, decoded, stuck = f.client(t, change...), &atomic.Int64{}, make(chan struct{})
	client.Break(func(b []byte) (ari.Event, error) {
		if decoded.Add(1) == most {
			close(stuck)
		}
		return ari.Decode(b)
	}, time.Hour)
	return client, decoded, stuck
}

// TestAListenerThatPanicsEndsRun: whoever called Run gets the panic, though more events came than may wait.
func TestAListenerThatPanicsEndsRun(t *testing.T) {
	client, _, stuck := full(t)
	ended := make(chan any)
	go func() {
		defer func() { ended <- recover() }()
		_ = client.Run(t.Context(), ari.Listener{
			Connected: func(context.Context) error { return nil },
			Event:     func(context.Context, ari.Event) { <-stuck; panic("oops") },
		})
	}()
	select {
	case got := <-ended:
		if got != "oops" {
			t.Errorf("%v", got)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it hangs")
	}
}

// TestWhatNobodyWasToldOfIsCounted: every text that was read and not told, once, and only at the end.
func TestWhatNobodyWasToldOfIsCounted(t *testing.T) {
	client, decoded, stuck := full(t, func(c *ari.Config) { c.Linger = 20 * time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var dropped []int
	_ = client.Run(ctx, ari.Listener{
		Connected: func(context.Context) error { return nil },
		Event: func(ctx context.Context, _ ari.Event) {
			<-stuck
			cancel()
			<-ctx.Done()
		},
		Dropped: func(texts int) { dropped = append(dropped, texts) },
	})
	if len(dropped) != 1 || int64(dropped[0]) != decoded.Load()-1 {
		t.Errorf("%v of %d", dropped, decoded.Load())
	}
}
