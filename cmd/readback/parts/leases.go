package parts

import (
	"context"
	"errors"
	"sync"
	"time"

	"readback/store/talks"
)

const (
	renewEvery = 15 * time.Second // between two times that who leads a call says so
	goneAfter  = time.Minute      // who has not said so for so long is gone
	endTime    = 5 * time.Second  // for ending a room
)

// keep renews a lease until it is told to end, for which it is waited. Where it is gone, lost ends the call: the server has held us to be gone, and has ended the room. One that cannot be renewed
// is tried again, since nobody gets the room while the lease is in the store.
func (r *rooms) keep(of talks.Lease, lost context.CancelCauseFunc) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(r.renew)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := r.leases.Renew(ctx, of); errors.Is(err, talks.ErrLost) {
				lost(talks.ErrLost)
				return
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

// leave ends the room of a call that is over, or that came to nothing, and gives its lease back: whoever is in the room still, such as a second caller, is not left in it with nobody there. Where
// that fails the lease stays, and the server ends the room later.
func (r *rooms) leave(ctx context.Context, of talks.Lease) {
	err := r.ended(ctx, of)
	if err == nil {
		err = r.leases.GiveBack(ctx, of)
	}
	if err != nil {
		r.a.o.Log.Warn("a room is left for the server to end", "job", of.By, "code", codeOf(err))
	}
}

func (r *rooms) ended(ctx context.Context, of talks.Lease) error {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	o := r.in
	o.Room = of.Room
	return r.end(ctx, o, of.SID)
}

// sweep ends, in the server alone, the rooms of calls whose process is gone: LiveKit dispatches nobody to them again, and a telephone would stay there in silence for ever. A room that cannot be
// ended is tried again at the next look, for as long as it takes: until then nobody leads it.
func (r *rooms) sweep(ctx context.Context) error {
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	said := false // that it fails
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		err := r.settle(ctx)
		if err != nil && !said && ctx.Err() == nil {
			r.a.o.Log.Error("end the rooms that another process left", "code", codeOf(err))
		}
		said = err != nil
	}
}

// settle ends what was left, up to the first room that cannot be ended: the next could not be either.
func (r *rooms) settle(ctx context.Context) error {
	left, err := r.leases.Left(ctx, r.a.o.Now(), goneAfter)
	for _, of := range left {
		if err == nil {
			err = r.ended(ctx, of)
		}
		if err == nil {
			err = r.leases.Drop(ctx, of)
		}
		if err == nil {
			r.a.o.Log.Warn("a call's process is gone; its room was ended", "job", of.By)
		}
	}
	return err
}
