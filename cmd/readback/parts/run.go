package parts

import (
	"context"
	"net"
	"net/http"

	"readback/smsmcp/web"
)

// Face is where somebody reaches the program: an address, and who answers there.
type Face struct {
	Name    string
	Handler http.Handler
	Open    func(ctx context.Context) (net.Listener, error) // called again where the listener failed
	Closed  func()                                          // nobody listens there any more; nil for nothing to do
}

// Start runs everything that runs by itself, until ctx ends. What arrives from then on is stored, and the owner told of it.
func (a *App) Start(ctx context.Context, faces ...Face) {
	// The bridge is told by its own context to end: after what arrives.
	back, end := context.WithCancel(context.WithoutCancel(ctx))
	a.end = end
	if a.bridge != nil {
		a.Store.Outbox(a.bridge.Nudge) // before anything can arrive
		a.back.Go(back, "bridge", func(ctx context.Context) error { a.bridge.Run(ctx); return nil }, a.bridge.Part)
	}
	if a.asker != nil {
		a.back.Go(back, "push", func(ctx context.Context) error { a.asker.Run(ctx); return nil }, a.asker.Part)
	}
	desk := func(ctx context.Context) error { a.desk.Run(ctx, a.every); return nil }
	if a.o.Joins { // calls may go on for long after they are told to end, and what they send is recorded until then
		a.back.Go(back, "desk", desk, nil)
	} else {
		a.front.Go(ctx, "carrier", func(ctx context.Context) error { a.box.Run(ctx); return nil }, a.box.Part)
		a.front.Go(ctx, "desk", desk, nil)
		a.front.Go(ctx, "sweep", a.sweep, nil)
	}
	if a.line != nil {
		a.front.Go(ctx, "line", a.line.Run, a.line.Part)
		a.front.Go(ctx, "calls", a.calls.Run, nil)
	}
	if a.rooms != nil {
		a.front.Go(ctx, "livekit", a.rooms.worker.Run, a.rooms.worker.Part)
	}
	if a.rooms != nil && !a.o.Joins {
		a.front.Go(ctx, "rooms", a.rooms.sweep, nil)
	}
	if a.mail != nil && !a.o.Joins {
		a.front.Go(ctx, "voicemail", a.recoverMail, nil)
	}
	if a.certs != nil {
		a.front.Go(ctx, "tls", a.certs.Run, a.certs.Part)
	}
	for _, f := range faces {
		a.front.Go(ctx, f.Name, a.serve(f), nil)
	}
}

// Run is Start without a face, until ctx ends, and then Wait.
func (a *App) Run(ctx context.Context) {
	a.Start(ctx)
	a.Wait(ctx)
}

// Wait waits until the context of Start has ended and everything with it: nothing more is taken and sends in flight are recorded; then what was read is stored; then
// the bridge ends, and what asks on the phone. The store is still open. A worker takes no more calls then, and waits for those that go on, whose sends go out as before.
func (a *App) Wait(ctx context.Context) {
	<-ctx.Done()
	a.o.Log.Info("stopping")
	if !a.o.Joins {
		a.land(context.WithoutCancel(ctx)) // the door closes while the requests drain
	}
	a.front.Wait()
	a.end()
	a.back.Wait()
	a.o.Log.Info("stopped")
}

// serve answers at a face.
func (a *App) serve(f Face) func(context.Context) error {
	return func(ctx context.Context) error {
		ln, err := f.Open(ctx)
		if err == nil {
			err = web.Serve(ctx, ln, f.Handler, a.o.Log)
			if f.Closed != nil {
				f.Closed()
			}
		}
		if err != nil {
			a.o.Log.Warn("a listener ended", "face", f.Name, "error", err)
		}
		return err
	}
}
