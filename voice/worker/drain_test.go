package worker_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"

	"readback/voice/worker"
)

// TestADrainedWorkerTakesNoMore: it says that it is full, goes on with its calls, waits for what it has agreed to, and ends when they have.
func TestADrainedWorkerTakesNoMore(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	p := s.next()
	p.give("AJ_1")
	one := h.call()
	promised := theJob("AJ_2", "two")
	if a := p.offer(promised); !a.Available {
		t.Fatal(a)
	}
	h.stop()
	p.status("it is full", full)
	if a := p.offer(theJob("AJ_3", "three")); a.Available {
		t.Error("it takes a job")
	}
	p.assign(promised)
	p.updated("AJ_2", livekit.JobStatus_JS_RUNNING, "")
	two := h.call()
	one.hangUp(nil)
	p.updated("AJ_1", livekit.JobStatus_JS_SUCCESS, "")
	if two.ctx.Err() != nil {
		t.Error("a call was ended")
	}
	select {
	case err := <-h.done:
		t.Fatalf("Run ends before the last call: %v", err)
	default:
	}
	two.hangUp(nil)
	p.updated("AJ_2", livekit.JobStatus_JS_SUCCESS, "") // was said before the connection ended
	h.ended()
	p.lost()
	if n := h.Counts(); n.Calls != 0 || n.Taken != 2 || n.Refused != 1 || n.Failed != 0 {
		t.Errorf("%+v", n)
	}
}

// TestCallsEndWhenThereIsNoMoreTime, and Run waits until their handlers have returned.
func TestCallsEndWhenThereIsNoMoreTime(t *testing.T) {
	s := newServer(t)
	slow := make(chan struct{})
	var seen *call
	h := start(t, s.URL, func(o *worker.Options, w *worker.Times) {
		o.Drain, w.Promise = 50*time.Millisecond, time.Hour
		inner := o.Handle
		o.Handle = func(ctx context.Context, j worker.Job) error {
			err := inner(ctx, j)
			<-slow
			return err
		}
	})
	p := s.next()
	p.give("AJ_1")
	seen = h.call()
	late := theJob("AJ_2", "two")
	if a := p.offer(late); !a.Available {
		t.Fatal(a)
	}
	h.stop()
	if err := seen.over(t); !errors.Is(err, worker.ErrDrained) {
		t.Errorf("it ended by %v", err)
	}
	select {
	case <-h.done:
		t.Error("Run ended before the handler")
	default:
	}
	until(t, "what was agreed to is not waited for", func() bool { return h.Counts().Lapsed == 1 })
	p.assign(late)
	p.updated("AJ_2", livekit.JobStatus_JS_FAILED, "not_promised")
	close(slow)
	p.updated("AJ_1", livekit.JobStatus_JS_FAILED, "job_drained")
	h.ended()
	p.lost()
}

// TestADrainedWorkerThatLostItsServerConnectsNoMore: it would be offered jobs. Its calls go on.
func TestADrainedWorkerThatLostItsServerConnectsNoMore(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	p := s.next()
	p.give("AJ_1")
	c := h.call()
	h.stop()
	p.status("it is full", full)
	p.ws.CloseNow()
	until(t, "it knows", func() bool { return h.Part().Failure == worker.CodeLost })
	if c.ctx.Err() != nil {
		t.Error("the call has ended")
	}
	c.hangUp(nil)
	h.ended()
	if n := len(s.requests()); n != 1 {
		t.Errorf("it connected %d times", n)
	}
}

// TestRunRunsOnce at a time, and again afterwards.
func TestRunRunsOnce(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	s.next()
	if err := h.Run(t.Context()); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a second Run gives %v", err)
	}
	h.stop()
	h.ended()
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-h.done; h.done <- h.Run(ctx) }()
	p := s.next()
	p.give("AJ_1")
	h.call().hangUp(nil)
	stop()
}
