package machine

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"

	"readback/smsmcp/lang"
)

// joinFor is how long Join waits for who works on the folder alone, and again is how soon a lock is tried again.
const (
	joinFor = 5 * time.Second
	again   = 20 * time.Millisecond
)

// Join takes the data folder's store beside the server, for as long as it is not released; others may too. While it holds, nobody replaces the store or brings it up to
// date. It waits a little for who does so just now, and is ErrLocked then, or the error of ctx.
func (d Folder) Join(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, joinFor)
	defer cancel()
	release, err = d.wait(ctx, WorkersFile, syscall.LOCK_SH)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, ErrLocked
	}
	return release, err
}

// LockWorkers keeps anybody from joining; ErrWorkers if somebody has. The caller holds the folder's lock.
func (d Folder) LockWorkers() (release func(), err error) {
	release, err = d.flock(WorkersFile, syscall.LOCK_EX)
	if errors.Is(err, ErrLocked) {
		return nil, ErrWorkers
	}
	return release, err
}

// LockAlone is Lock for who puts another store in the place of the one that is there: nobody has joined it either. ErrLocked or ErrWorkers if somebody holds it, or has.
func (d Folder) LockAlone() (release func(), err error) {
	folder, err := d.Lock()
	if err != nil {
		return nil, err
	}
	workers, err := d.LockWorkers()
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
		defer next()
		return d.wait(ctx, name+".lock", syscall.LOCK_EX)
	}
}

// wait takes a lock once it is free.
func (d Folder) wait(ctx context.Context, name string, how int) (release func(), err error) {
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if release, err = d.flock(name, how); !errors.Is(err, ErrLocked) {
			return release, err
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// flock takes the lock of a file of the folder, which stays: removing it would let two processes hold two files of one name. The kernel lets go when the process ends,
// however it ends.
func (d Folder) flock(name string, how int) (release func(), err error) {
	f, err := os.OpenFile(d.Path(name), os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // a file of the data folder
	if err != nil {
		return nil, lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB) //nolint:gosec // a descriptor is small
	if err == nil {
		return func() { _ = f.Close() }, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrLocked
	}
	return nil, lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
}
