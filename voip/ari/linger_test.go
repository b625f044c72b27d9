package ari_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/coder/websocket"

	"readback/voip/ari"
)

// TestWhatWasReadIsToldAfterTheEnd: the events that wait when Run is to end, and the one that is being told, have a context that lives.
func TestWhatWasReadIsToldAfterTheEnd(t *testing.T) {
	f := newFake(t)
	const n = 50
	read := make(chan struct{})
	f.events = func(conn *websocket.Conn) {
		gone := make(chan struct{})
		go func() { defer close(gone); stay(conn) }()
		for i := range n {
			say(conn, textEvent(fmt.Sprint(i)))
		}
		if conn.Ping(context.Background()) == nil { // answered by who has read what stood before it
			close(read)
		}
		<-gone
	}
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "kept"))
	defer cancel()
	var got []string
	err := f.client(t).Run(ctx, ari.Listener{
		Connected: func(context.Context) error { return nil },
		Event: func(told context.Context, e ari.Event) {
			if len(got) == 0 {
				<-read
				cancel()
			}
			if told.Err() != nil || told.Value(key{}) != "kept" {
				t.Errorf("%d is told with %v", len(got), told)
			}
			got = append(got, e.(ari.TextMessageReceived).Body.RawForStore())
		},
	})
	if !errors.Is(err, context.Canceled) || len(got) != n {
		t.Errorf("%v, %d of %d", err, len(got), n)
	}
	for i, body := range got {
		if body != fmt.Sprint(i) {
			t.Fatalf("%d is %s", i, body)
		}
	}
}

type key struct{}

// TestTheEndIsBounded: a listener that is not done in time is told so, and of nothing more.
func TestTheEndIsBounded(t *testing.T) {
	f := newFake(t)
	f.events = func(conn *websocket.Conn) {
		say(conn, textEvent("one"), textEvent("two"), textEvent("three"))
		stay(conn)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := 0
	began := time.Now()
	_ = f.client(t, func(c *ari.Config) { c.Linger = 50 * time.Millisecond }).Run(ctx, ari.Listener{
		Connected: func(context.Context) error { return nil },
		Event: func(ctx context.Context, _ ari.Event) {
			told++
			cancel()
			<-ctx.Done()
		},
	})
	if told != 1 || time.Since(began) > 5*time.Second {
		t.Errorf("%d were told, in %v", told, time.Since(began))
	}
}
