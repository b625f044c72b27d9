package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/config"
	"readback/cmd/readback/lookout"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/command"
)

func (p *program) worker() *cobra.Command {
	c := p.command("worker", command.Worker, command.WorkerLong, groupRun)
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error { return p.workUntil(ctx) })
}

// workUntil takes calls in rooms until ctx ends, and those that go on then have ended too; or until the server's bounds are no longer this worker's, which ends them; or until the folder's lock is lost.
func (p *program) workUntil(ctx context.Context) (err error) {
	c := &p.cfg.LiveKit
	switch {
	case !p.cfg.LiveKitOn():
		return lang.Say(command.WorkerNoLiveKit)
	case c.Dispatch == config.ByWebhook:
		return lang.Say(command.WorkerWebhook)
	}
	if err := p.data().Prepare(); err != nil {
		return err
	}
	held, err := p.data().Join(ctx)
	if errors.Is(err, machine.ErrLocked) {
		return lang.Say(command.WorkerAlone, p.cfg.Data)
	}
	if err != nil {
		return err
	}
	defer held.Release()
	log := p.log(p.cfg.Level())
	o := p.options(log)
	o.Joins = true
	a, err := parts.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	same := lookout.Bound(a.Store, p.cfg.Data, p.cfg.Bounds())
	if err := same(ctx); err != nil {
		return err
	}
	if _, err := p.mayServe(ctx, a); err != nil {
		return err
	}
	if err := a.Attend(ctx, c.Drain.Duration); err != nil {
		return err
	}
	l := lookout.Watch(ctx, lookout.Options{Data: p.cfg.Data, Held: held, May: same, Now: time.Now, Log: log})
	defer l.Stop()
	a.EndCalls(l.Over)
	a.Start(l.On)
	p.line(command.WorkerRuns, c.URL, c.Agent, c.MaxCalls, p.cfg.Data)
	log.Info("working", "agent", c.Agent, "carrier", a.Carrier.Name())
	return l.Wait(a.Wait)
}
