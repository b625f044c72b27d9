package worker

import (
	"context"
	"time"

	"github.com/livekit/protocol/livekit"
)

// Times are those of a test; what is left at zero is as usual.
type Times struct{ Dial, Promise, Status, Ping, Write, Steady, Min, Max time.Duration }

// Hurry changes how long things take, before Run.
func (w *Worker) Hurry(t Times) {
	for from, to := range map[*time.Duration]*time.Duration{
		&t.Dial: &w.times.dial, &t.Promise: &w.times.promise, &t.Status: &w.times.status, &t.Ping: &w.times.ping, &t.Write: &w.times.write, &t.Steady: &w.times.steady,
		&t.Min: &w.times.min, &t.Max: &w.times.max,
	} {
		if *from != 0 {
			*to = *from
		}
	}
}

// Socket is a connection as it is used.
type Socket = socket

// Connect makes a connection as it is made.
func (w *Worker) Connect(ctx context.Context) (Socket, error) { return w.connect(ctx) }

// Dial has connections made in another way.
func (w *Worker) Dial(dial func(context.Context) (Socket, error)) { w.dial = dial }

// Places says how many are taken, and how many of them are promised.
func (w *Worker) Places() (busy, promised int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.busy(), len(w.promised)
}

// Open says whether Run takes jobs.
func (w *Worker) Open() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

// EndAll does what Run does when there is no more time.
func (w *Worker) EndAll() {
	w.lapse(func(*promise) bool { return true })
	w.endAll(ErrDrained)
}

// Heed takes one message as a connection does, which is kept and says nothing.
func (w *Worker) Heed(m *livekit.ServerMessage) {
	w.mu.Lock()
	if w.conn == nil {
		_, end := context.WithCancelCause(context.Background())
		w.conn = &conn{w: w, out: make(chan *livekit.WorkerMessage, 1), end: end}
	}
	c := w.conn
	w.mu.Unlock()
	c.heed(m)
	select {
	case <-c.out:
	default:
	}
}
