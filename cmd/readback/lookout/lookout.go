// Package lookout watches what a process on the data folder stands on, beside all else: the folder's lock, and for a worker the server's bounds, which the server leaves in the store.
//
// Floor 4: imports cmd/readback/machine, cmd/readback/supervise, smsmcp/lang and store. Clocks are passed in; it waits by timers.
package lookout

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"time"

	"readback/cmd/readback/machine"
	"readback/cmd/readback/supervise"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/command"
	"readback/store"
)

// every is how often who holds the data folder looks whether that still keeps anybody away, and a worker whether it still has the server's bounds.
const every = 2 * time.Second

// Name is that of the secret under which the server says what its bounds are (config.Bounds).
const Name = "config"

// Options are what a Lookout is made of. All but May are needed.
type Options struct {
	Data string                      // the folder, for what is said
	Held *machine.Held               // its lock
	May  func(context.Context) error // whether to go on (Same); nil for one that asks nobody
	Now  func() time.Time
	Log  *slog.Logger
}

// Lookout watches until Stop.
type Lookout struct {
	On   context.Context // ends when nothing more is to be begun
	Over context.Context // ends when what goes on is to end too, at once
	Lost context.Context // ends when nothing more is to be written either
	Stop func()          // ends the watch
}

// Watch begins to look. On ends with ctx, and the watch does not: what goes on then stands on the same.
func Watch(ctx context.Context, o Options) *Lookout {
	on, end := context.WithCancelCause(ctx)
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	over, cut := context.WithCancelCause(watching)
	lost, lose := context.WithCancelCause(watching)
	look := func(ctx context.Context) error {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
			}
			if o.Held.Stands() != nil {
				err := lang.Say(command.FolderLost, o.Data)
				o.Log.Error("the lock of the data folder has been removed or replaced")
				end(err)
				lose(err)
			}
			if o.May == nil || over.Err() != nil {
				continue
			}
			if err := o.May(ctx); final(err) {
				o.Log.Warn("the server has other limits or owners now: nothing more is sent, and calls end")
				end(err)
				cut(err)
			}
		}
	}
	group := supervise.New(supervise.Options{Now: o.Now, Log: o.Log})
	group.Go(lost, "folder", look, nil)
	return &Lookout{On: on, Over: over, Lost: lost, Stop: func() { stop(); group.Wait(); end(nil); cut(nil); lose(nil) }}
}

// Why is why the lookout ended what ran; nil where something else did.
func (l *Lookout) Why() error {
	for _, c := range []context.Context{l.Lost, l.Over, l.On} {
		if err := context.Cause(c); final(err) {
			return err
		}
	}
	return nil
}

// Wait waits until what wait waits for is over, given On, or the lock is lost: what calls would still write then may go into a store that another has replaced. It gives Why.
func (l *Lookout) Wait(wait func(context.Context)) error {
	over := make(chan struct{})
	go func() { defer close(over); wait(l.On) }()
	select {
	case <-over:
	case <-l.Lost.Done():
	}
	return l.Why()
}

// final says whether an error is a reason to end. A store that cannot be read at the moment is none: what it is wanted for fails by itself.
func final(err error) bool {
	var said *lang.Said
	return errors.As(err, &said) || errors.Is(err, store.ErrUnready)
}

// Tell has those who join the folder know what bounds the server.
func Tell(ctx context.Context, s *store.Store, mine []byte) error {
	if said, err := s.Secret(ctx, Name); err == nil && bytes.Equal(said, mine) {
		return nil
	}
	return s.SetSecret(ctx, Name, mine)
}

// Bound holds a process beside the server to the server's bounds: while the store says others than mine it sends nothing (store.HoldTo), and what it gives says so (Same).
func Bound(s *store.Store, data string, mine []byte) func(context.Context) error {
	s.HoldTo(Name, mine)
	return func(ctx context.Context) error { return Same(ctx, s, data, mine) }
}

// Same refuses to work beside a server that has other bounds than mine, or has not said yet which it has.
func Same(ctx context.Context, s *store.Store, data string, mine []byte) error {
	said, err := s.Secret(ctx, Name)
	switch {
	case errors.Is(err, store.ErrNoSecret):
		return store.ErrUnready
	case err != nil:
		return err
	case !bytes.Equal(said, mine):
		return lang.Say(command.WorkerBounds, data)
	}
	return nil
}

// workersEnd is how long workers that cannot work with the store as it is may take to end.
const workersEnd = 2 * time.Second

// Alone is to be held while the store is opened, by who holds the folder: where it is to be brought up to date no worker may have joined it, nor join it meanwhile. One that has joined it to
// find that out ends in a moment, and is waited for.
func Alone(ctx context.Context, d machine.Folder) (release func(), err error) {
	release, err = d.LockWorkers(ctx, 0)
	if !errors.Is(err, machine.ErrWorkers) {
		return release, err
	}
	old, err := store.Outdated(ctx, d.Path(machine.StoreFile))
	if !old {
		return func() {}, err
	}
	if release, err = d.LockWorkers(ctx, workersEnd); errors.Is(err, machine.ErrWorkers) {
		err = lang.Say(command.WorkersOld, string(d))
	}
	return release, err
}
