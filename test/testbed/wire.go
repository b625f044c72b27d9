package testbed

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Wire is a TCP connection's way to a program of the bed, which a test can cut.
type Wire struct {
	Address string
	mu      sync.Mutex
	conns   map[net.Conn]bool
}

// NewWire leads to an address until the test ends.
func NewWire(t testing.TB, to string) *Wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Wire{Address: l.Addr().String(), conns: map[net.Conn]bool{}}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			w.mu.Lock()
			w.conns[near], w.conns[far] = true, true
			w.mu.Unlock()
			pass := func(from, to net.Conn) {
				_, _ = io.Copy(to, from)
				w.mu.Lock()
				delete(w.conns, from)
				w.mu.Unlock()
				_ = from.Close()
				_ = to.Close()
			}
			all.Go(func() { pass(near, far) })
			all.Go(func() { pass(far, near) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); w.Cut(); all.Wait() })
	return w
}

// Cut breaks what stands, in the middle of whatever is on its way, and says how many connections that were.
func (w *Wire) Cut() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		if t, ok := c.(*net.TCPConn); ok {
			_ = t.SetLinger(0)
		}
		_ = c.Close()
	}
	return len(w.conns) / 2
}
