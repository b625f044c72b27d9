package main

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

// lookEvery is how often who holds the data folder looks whether that still keeps anybody away, and a worker whether it still has the server's bounds.
const lookEvery = 2 * time.Second

// boundsName is the secret under which the server says what its bounds are (config.Bounds).
const boundsName = "config"

// lookout watches, beside all else, what a process stands on.
type lookout struct {
	on   context.Context // ends when nothing more is to be begun, with the error for it as its cause
	lost context.Context // ends when nothing more is to be written either
	stop func()          // ends the watch
}

// watch looks whether held stands, and asks may, if there is one, whether to go on; until stop. It outlives ctx: what goes on then stands on the same.
func (p *program) watch(ctx context.Context, log *slog.Logger, held *machine.Held, may func(context.Context) error) *lookout {
	on, end := context.WithCancelCause(ctx)
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	lost, lose := context.WithCancelCause(watching)
	look := func(ctx context.Context) error {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
			}
			if held.Stands() != nil {
				err := lang.Say(command.FolderLost, p.cfg.Data)
				log.Error("the lock of the data folder has been removed or replaced")
				end(err)
				lose(err)
			}
			if may == nil || on.Err() != nil {
				continue
			}
			if err := may(ctx); final(err) {
				log.Warn("the server has other limits or owners now")
				end(err)
			}
		}
	}
	group := supervise.New(supervise.Options{Now: time.Now, Log: log})
	group.Go(lost, "folder", look, nil)
	return &lookout{on: on, lost: lost, stop: func() { stop(); group.Wait(); end(nil); lose(nil) }}
}

// why is why the lookout ended what ran; nil where something else did.
func (l *lookout) why() error {
	for _, c := range []context.Context{l.lost, l.on} {
		if err := context.Cause(c); final(err) {
			return err
		}
	}
	return nil
}

// final says whether an error is a reason to end. A store that cannot be read at the moment is none: what it is wanted for fails by itself.
func final(err error) bool {
	var said *lang.Said
	return errors.As(err, &said) || errors.Is(err, store.ErrUnready)
}

// tellBounds has those who join the folder know what bounds the server.
func (p *program) tellBounds(ctx context.Context, s *store.Store) error {
	mine := p.cfg.Bounds()
	if said, err := s.Secret(ctx, boundsName); err == nil && bytes.Equal(said, mine) {
		return nil
	}
	return s.SetSecret(ctx, boundsName, mine)
}

// sameBounds refuses to work beside a server that has other bounds than mine, or has not said yet which it has.
func (p *program) sameBounds(ctx context.Context, s *store.Store, mine []byte) error {
	said, err := s.Secret(ctx, boundsName)
	switch {
	case errors.Is(err, store.ErrNoSecret):
		return store.ErrUnready
	case err != nil:
		return err
	case !bytes.Equal(said, mine):
		return lang.Say(command.WorkerBounds, p.cfg.Data)
	}
	return nil
}
