package parts

import (
	"context"
	"errors"
	"time"

	"readback/store/talks"
)

// lookEvery is how often a call of the owner's browser looks whether it is to end. The look is one read of one row.
const lookEvery = time.Second

// endCalls is for a write to the store, where the owner waits for it.
const endCalls = 10 * time.Second

// errSignedOut is why the ctx of a call ends.
var errSignedOut = errors.New("the owner signed out")

// End ends what the owner's browser was let into (page.Talk): passes that nobody took are good no more, and calls end, those of other processes too, each when it looks next.
func (r *rooms) End(ctx context.Context) error { return r.a.endTalks(ctx) }

func (a *App) endTalks(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endCalls)
	defer cancel()
	return talks.New(a.Store.DB()).End(ctx)
}

// ends gives a ctx that ends once End was called since it had been called so often. A look that fails ends nothing: then nothing can be sent either, and the next one tells.
func (a *App) ends(ctx context.Context, times int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		table := talks.New(a.Store.DB())
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if n, err := table.Ends(ctx); err == nil && n != times {
				a.o.Log.Info("a call of the owner's browser ends: they signed out")
				cancel(errSignedOut)
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
