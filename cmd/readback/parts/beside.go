package parts

import (
	"context"
	"errors"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/ntfy"
	"readback/store/talks"
)

// staleAfter is how long a send may be handed over by another process before it is held to be gone: well above handOver.
const staleAfter = 2 * time.Minute

// Attend makes what a worker has, beside a server on the same data folder: what takes calls in rooms, and what tells the owner's phone how their sends came out. When it is told to end, calls
// that go on have drain to end by themselves. It refuses what a server refuses. The sandbox's file, voip.ms and Asterisk's REST take sends of several processes; of Asterisk's events,
// which one process alone may have, a worker hears nothing.
func (a *App) Attend(ctx context.Context, drain time.Duration) error {
	c := a.o.Config
	if err := a.makeRooms(drain); err != nil {
		return err
	}
	if c.Ntfy.URL != "" { // what callers leave is told of by the server's bridge, which looks for it every so often
		a.Store.Outbox(func() {})
	}
	if c.Ntfy.Approvals == "" {
		return nil
	}
	topic, err := a.makeAsker()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, atStart)
	defer cancel()
	err = guarded(func() error { return topic.Check(ctx) })
	if errors.Is(err, ntfy.ErrAnonymous) || errors.Is(err, ntfy.ErrWritable) {
		return lang.Say(lang.CLIServeApprovals, c.Ntfy.Approvals)
	}
	return nil // one that cannot be had now is tried again
}

// EndCalls has the calls of a worker end at once when over does, whatever time they would have had. It is for before Start.
func (a *App) EndCalls(over context.Context) {
	lead := a.rooms.lead
	a.rooms.lead = func(ctx context.Context, leg roomLeg, owner bool) {
		ctx, end := context.WithCancel(ctx)
		defer end()
		stop := context.AfterFunc(over, end)
		defer stop()
		lead(ctx, leg, owner)
	}
}

// sweep settles every so often, in the server alone, what other processes on the data folder left: a send whose hand-over nobody recorded is unknown, and the owner is told of it; a pass whose
// time is past is forgotten.
func (a *App) sweep(ctx context.Context) error {
	passes := talks.New(a.Store.DB())
	tick := time.NewTicker(a.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		gone, err := a.Store.RecoverStale(ctx, a.o.Now(), staleAfter)
		for _, s := range gone {
			a.o.Log.Warn("a send was cut short in another process; it is unknown until the carrier says what became of it", "send", s.ID)
			a.metrics.Observe(smsmcp.SendEnded, string(s.State))
			a.tell(s)
		}
		if err = errors.Join(err, passes.Prune(ctx, a.o.Now())); err != nil && ctx.Err() == nil {
			a.o.Log.Error("settle what other processes left", "error", err)
		}
	}
}
