package ari_test

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"readback/test/testbed"
	"readback/voip/ari"
)

// client is a client of the bed that tries often and fast.
func client(t *testing.T, b *testbed.Bed, change ...func(*ari.Config)) *ari.Client {
	t.Helper()
	c := ari.Config{
		URL: b.ARI, App: b.App, User: b.User, Password: func() (string, error) { return b.Password, nil }, Roots: b.Roots,
		Sources: []string{"endpoint:PJSIP"}, Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)),
		Timeout: 15 * time.Second, Ping: 200 * time.Millisecond, MinWait: 20 * time.Millisecond, MaxWait: 200 * time.Millisecond,
	}
	for _, f := range change {
		f(&c)
	}
	got, err := ari.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(got.Close)
	return got
}

// ear listens to a client and keeps what it is told.
type ear struct {
	mu      sync.Mutex
	changed chan struct{}
	heard
}

// heard is what an ear was told. A test reads it inside until, or from a copy.
type heard struct {
	connected int
	events    []ari.Event
	down      []string
}

func (e *ear) copy() heard {
	e.mu.Lock()
	defer e.mu.Unlock()
	return heard{e.connected, slices.Clone(e.events), slices.Clone(e.down)}
}

func listen(t *testing.T, c *ari.Client) *ear {
	t.Helper()
	e := &ear{changed: make(chan struct{}, 1)}
	note := func(f func()) {
		e.mu.Lock()
		f()
		e.mu.Unlock()
		select {
		case e.changed <- struct{}{}:
		default:
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.Run(ctx, ari.Listener{
			Connected: func(context.Context) error { note(func() { e.connected++ }); return nil },
			Event:     func(_ context.Context, ev ari.Event) { note(func() { e.events = append(e.events, ev) }) },
			Down:      func(code string) { note(func() { e.down = append(e.down, code) }) },
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	return e
}

// until waits for something to hold of what was heard.
func (e *ear) until(t *testing.T, what string, f func() bool) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		e.mu.Lock()
		ok := f()
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-e.changed:
		case <-limit:
			e.mu.Lock()
			defer e.mu.Unlock()
			t.Fatalf("%s: not in time; connected %d times, down %v, %d events: %+v", what, e.connected, e.down, len(e.events), e.events)
		}
	}
}

func (e *heard) texts() (out []ari.TextMessageReceived) {
	for _, ev := range e.events {
		if m, ok := ev.(ari.TextMessageReceived); ok {
			out = append(out, m)
		}
	}
	return out
}

func (e *heard) lastDown() string {
	if len(e.down) == 0 {
		return ""
	}
	return e.down[len(e.down)-1]
}

func phone(t *testing.T, address string) *testbed.Phone {
	return testbed.NewPhone(t, netip.MustParseAddrPort(address), nil)
}

func text(t *testing.T, p *testbed.Phone, b *testbed.Bed, m testbed.SIPText) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	status, err := p.Text(ctx, b.SIP, m)
	if err != nil {
		t.Fatal(err)
	}
	return status
}
