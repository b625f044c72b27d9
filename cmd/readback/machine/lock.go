package machine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"readback/smsmcp/lang"
)

const (
	joinFor = 5 * time.Second       // how long Join waits for who works on the folder alone
	again   = 20 * time.Millisecond // how soon a lock is tried again
	renamed = 10                    // times that a lock's name may become another file's while it is taken
)

// opened is called between the open of a lock's file and its lock; a test's.
var opened func()

// Held is a lock that is held, until it is released or the process ends, however it ends.
type Held struct {
	f    *os.File
	path string
}

// Release gives the lock back. It may be called more than once.
func (h *Held) Release() { _ = h.f.Close() }

// Stands is ErrLost once the lock's name is another file's, or nobody's: the next process then locks a file of its own, and nothing keeps the two apart. Who holds the folder for long looks again
// and again. A name that cannot be looked at now says nothing.
func (h *Held) Stands() error {
	mine, err := h.f.Stat()
	if err != nil {
		return ErrLost
	}
	there, err := os.Stat(h.path) //nolint:gosec // a file of the data folder
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(mine, there) {
		return ErrLost
	}
	return nil
}

// Join takes the data folder's store beside the server, for as long as it is not released; others may too. While it holds, nobody replaces the store or brings it up to
// date. It waits a little for who does so just now, and is ErrLocked then, or the error of ctx.
func (d Folder) Join(ctx context.Context) (*Held, error) {
	ctx, cancel := context.WithTimeout(ctx, joinFor)
	defer cancel()
	held, err := d.wait(ctx, WorkersFile, syscall.LOCK_SH)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, ErrLocked
	}
	return held, err
}

// LockWorkers keeps anybody from joining; ErrWorkers if somebody has. The caller holds the folder's lock. It waits no longer than patience for who has joined to end: one that finds the store
// unready does, after milliseconds.
func (d Folder) LockWorkers(ctx context.Context, patience time.Duration) (release func(), err error) {
	held, err := d.flock(WorkersFile, syscall.LOCK_EX)
	if errors.Is(err, ErrLocked) && patience > 0 {
		soon, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if held, err = d.wait(soon, WorkersFile, syscall.LOCK_EX); errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = ErrLocked
		}
	}
	switch {
	case errors.Is(err, ErrLocked):
		return nil, ErrWorkers
	case err != nil:
		return nil, err
	}
	return held.Release, nil
}

// LockAlone is Lock for who puts another store in the place of the one that is there: nobody has joined it either. ErrLocked or ErrWorkers if somebody holds it, or has.
func (d Folder) LockAlone() (release func(), err error) {
	folder, err := d.Lock()
	if err != nil {
		return nil, err
	}
	workers, err := d.LockWorkers(context.Background(), 0)
	if err != nil {
		folder()
		return nil, err
	}
	return func() { workers(); folder() }, nil
}

// OneAtATime has the processes on the data folder do something one at a time, by name, such as pin: what it gives waits for its turn, or for the end of ctx, and the turn lasts until it
// is released. They take turns: who has just had one gets the next only if no other waits for it. In one process it is asked for by one at a time.
func (d Folder) OneAtATime(name string) func(ctx context.Context) (release func(), err error) {
	return func(ctx context.Context) (func(), error) {
		// Who waits next holds the second file: who comes back from its turn finds that taken, however quick it is.
		next, err := d.wait(ctx, name+".next", syscall.LOCK_EX)
		if err != nil {
			return nil, err
		}
		defer next.Release()
		turn, err := d.wait(ctx, name+".lock", syscall.LOCK_EX)
		if err != nil {
			return nil, err
		}
		return turn.Release, nil
	}
}

// wait takes a lock once it is free.
func (d Folder) wait(ctx context.Context, name string, how int) (*Held, error) {
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if held, err := d.flock(name, how); !errors.Is(err, ErrLocked) {
			return held, err
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// flock takes the lock of a file of the folder, which stays: removing it would let two processes hold two files of one name. One that lost its name between its open and its lock is no lock,
// and the file that has the name now is taken instead; where even that does not last, somebody else is at work. The kernel lets go when the process ends, however it ends.
func (d Folder) flock(name string, how int) (*Held, error) {
	for range renamed {
		held, err := d.lock(name, how)
		if err != nil {
			return nil, err
		}
		if held.Stands() == nil {
			return held, nil
		}
		held.Release()
	}
	return nil, ErrLocked
}

func (d Folder) lock(name string, how int) (*Held, error) {
	f, err := os.OpenFile(d.Path(name), os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // a file of the data folder
	if err != nil {
		return nil, lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
	}
	if opened != nil {
		opened()
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB) //nolint:gosec // a descriptor is small
	if err == nil {
		return &Held{f, d.Path(name)}, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrLocked
	}
	return nil, lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
}
