package worker

import (
	"context"
	"errors"
	"time"
)

// Run takes jobs until ctx ends; then it takes no more but what it has agreed to, lets those that go on end by themselves for Drain, ends them, and waits for their handlers. It gives
// ctx's error.
func (w *Worker) Run(ctx context.Context) error {
	w.mu.Lock()
	if w.open {
		w.mu.Unlock()
		return errors.New("worker: it runs already")
	}
	w.open, w.draining = true, false
	w.mu.Unlock()
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		w.keep(ctx, life)
	}()
	defer func() {
		end()
		<-kept
		w.mu.Lock()
		w.open = false
		w.mu.Unlock()
	}()
	<-ctx.Done()

	w.mu.Lock()
	w.draining = true
	w.mu.Unlock()
	w.tell()
	limit := time.NewTimer(w.o.Drain)
	defer limit.Stop()
	if !w.idle(limit.C) {
		w.lapse(func(*promise) bool { return true })
		w.endAll(ErrDrained)
		w.idle(nil)
	}
	return ctx.Err()
}

// idle waits until there is no job and no promise of one. It says whether that came before the limit.
func (w *Worker) idle(limit <-chan time.Time) bool {
	for {
		w.mu.Lock()
		left := len(w.running) + len(w.promised)
		w.mu.Unlock()
		if left == 0 {
			return true
		}
		select {
		case <-w.news:
		case <-limit:
			return false
		}
	}
}

// tell has the server hear how full we are.
func (w *Worker) tell() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// freed tells of a place that has become free.
func (w *Worker) freed() {
	select {
	case w.news <- struct{}{}:
	default:
	}
	w.tell()
}

// keep keeps a connection until ctx ends; the last one lasts as long as life. No other is made then: it would be offered jobs.
func (w *Worker) keep(ctx, life context.Context) {
	if w.o.Agent == "" {
		return
	}
	wait := w.times.min
	for ctx.Err() == nil {
		good, err := w.session(ctx, life)
		if life.Err() != nil {
			return
		}
		w.stands(code(err))
		if good {
			wait = w.times.min
		}
		// Many workers that lost one server do not come back together.
		pause := time.NewTimer(wait + time.Duration(w.o.Rand.Int64N(int64(wait/2)+1)))
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		wait = min(2*wait, w.times.max*2/3)
	}
}

// stands notes how the connection stands, and logs it where that is new.
func (w *Worker) stands(failure string) {
	w.mu.Lock()
	was := w.part.Failure
	if was != failure {
		w.part.Failure, w.part.Since = failure, w.o.Now()
	}
	w.mu.Unlock()
	switch {
	case was == failure:
	case failure == "":
		w.o.Log.Info("registered with the LiveKit server")
	default:
		w.o.Log.Warn("no connection to the LiveKit server", "code", failure)
	}
}
