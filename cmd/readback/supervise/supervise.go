// Package supervise runs the parts of the program side by side, so that none takes another down: one that panics, or ends though nobody asked it to, is logged
// by a code, said to be down, and begun again, later each time.
//
// What a panic carries may be a stranger's words: only where it happened is logged (invariant 13).
//
// Floor 2: imports smsmcp. Clocks are passed in; it waits by timers.
package supervise

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"readback/smsmcp"
)

// The codes of a part that the group had to begin again.
const (
	Crashed = "part_crashed" // it panicked
	Ended   = "part_ended"   // it returned
)

// Options are what a Group is made of. A duration left at zero has its default.
type Options struct {
	Now func() time.Time
	Log *slog.Logger

	MinWait time.Duration // before a part is begun again; doubled for each time that follows: 500 ms
	MaxWait time.Duration // 1 min
	Steady  time.Duration // a part that ran so long is well again: 10 s
}

// Group is parts that run together. Its methods are safe for concurrent use.
type Group struct {
	o  Options
	wg sync.WaitGroup

	mu    sync.Mutex
	parts []*part
}

type part struct {
	name    string
	failure string
	since   time.Time
	own     func() smsmcp.Part
}

// New makes a group without parts.
func New(o Options) *Group {
	for d, usual := range map[*time.Duration]time.Duration{&o.MinWait: 500 * time.Millisecond, &o.MaxWait: time.Minute, &o.Steady: 10 * time.Second} {
		if *d <= 0 {
			*d = usual
		}
	}
	return &Group{o: o}
}

// Go runs a part until ctx ends. run is called once at a time, and again whenever it came back before; its error is not logged, so it says itself what it may. own
// says how the part stands by its own account; nil for one that has none.
func (g *Group) Go(ctx context.Context, name string, run func(context.Context) error, own func() smsmcp.Part) {
	p := &part{name: name, own: own}
	g.mu.Lock()
	g.parts = append(g.parts, p)
	g.mu.Unlock()
	g.wg.Go(func() { g.keep(ctx, p, run) })
}

// Wait waits until every part has ended, which each does with its context.
func (g *Group) Wait() { g.wg.Wait() }

// Parts says how the parts stand, in the order in which they were begun.
func (g *Group) Parts() []smsmcp.Part {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]smsmcp.Part, len(g.parts))
	for i, p := range g.parts {
		out[i] = smsmcp.Part{Name: p.name, Failure: p.failure, Since: p.since}
		if p.failure == "" && p.own != nil {
			own := p.own()
			out[i].Failure, out[i].Since = own.Failure, own.Since
		}
	}
	return out
}

// keep runs one part, again and again, until ctx ends.
func (g *Group) keep(ctx context.Context, p *part, run func(context.Context) error) {
	wait := g.o.MinWait
	for ctx.Err() == nil {
		noted := make(chan struct{})
		well := time.AfterFunc(g.o.Steady, func() { g.note(p, ""); close(noted) })
		code := g.once(ctx, p.name, run)
		steady := !well.Stop()
		if steady { // that it is well must not be noted after that it is not
			<-noted
		}
		if ctx.Err() != nil {
			return
		}
		g.note(p, code)
		if steady {
			wait = g.o.MinWait
		}
		g.o.Log.Error("a part of the program stopped; it is begun again", "part", p.name, "code", code, "in", wait)
		pause := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		wait = min(2*wait, g.o.MaxWait)
	}
}

// once runs a part one time, and says how it came back.
func (g *Group) once(ctx context.Context, name string, run func(context.Context) error) (code string) {
	defer func() {
		if recover() != nil {
			g.o.Log.Error("a part of the program broke", "part", name, "stack", string(debug.Stack()))
			code = Crashed
		}
	}()
	_ = run(ctx)
	return Ended
}

func (g *Group) note(p *part, failure string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.failure == failure {
		return
	}
	p.failure, p.since = failure, g.o.Now()
}
