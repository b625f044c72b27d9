package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
	"readback/store/schema"
	"readback/store/tokens"
)

// Join opens the database of a server for a process beside it, which neither makes it, nor brings it up to date, nor ends what is open in a restored one: ErrUnready where that
// is still to be done, and else the errors of Open. What others left is not for it to settle: Recover and RecoverStale are ErrJoined.
func Join(ctx context.Context, file string) (*Store, error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("join the database %s: %w", file, ErrUnready)
	}
	return load(ctx, file, (*Store).join)
}

func (s *Store) join(ctx context.Context) error {
	s.joins = true
	r := s.read(ctx)
	has, empty, err := schema.Stamp(r)
	if err == nil && (empty || has < schema.Version) {
		err = ErrUnready
	}
	if err != nil {
		return err
	}
	copied, err := engine.One(r, `SELECT 1 FROM flags WHERE name = 'copied'`, nil, new(int))
	if copied {
		err = ErrUnready
	}
	return err
}

// HoldTo has no send wait or be reserved, from then on, while the secret of that name is not v: ErrBounds, by the transaction that would do it. So who sends beside a server
// is held to what the server says there, from the very commit by which it does. It is for before the store is used.
func (s *Store) HoldTo(name string, v []byte) { s.holds = &tokens.Holds{Name: name, Value: v} }

// Outdated says whether Open would change the file under those who have joined it: then they have to end before.
func Outdated(ctx context.Context, file string) (bool, error) {
	s, err := Join(ctx, file)
	if errors.Is(err, ErrUnready) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, s.Close()
}

// RecoverStale turns into unknown what another process reserved and did not come back to, and gives it. It is called every so often, by the server alone. What it goes by is how
// long it has itself found a send reserved, and not what time was written with it: while that is less than older, which is well above the time of a hand-over, the process may be
// alive. So now is to be of a clock that nobody sets, as time.Now's is between two calls, and which stands still while the machine sleeps, as the other process does.
//
// What that process records all the same is taken: see Record.
func (s *Store) RecoverStale(ctx context.Context, now time.Time, older time.Duration) (gone []smsmcp.Send, err error) {
	if s.joins {
		return nil, ErrJoined
	}
	list, err := s.list(ctx, `WHERE `+open+` AND s.state = 'reserved'`)
	if err != nil {
		return nil, err
	}
	stale := s.stale(list, now, older)
	if len(stale) == 0 {
		return nil, nil
	}
	err = s.write(ctx, "recover", func(t *tx) error {
		gone, err = t.interrupt(func(x smsmcp.Send) bool { return stale[x.ID] })
		return err
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

// stale are those of reserved sends that were found so for that long.
func (s *Store) stale(list []smsmcp.Send, now time.Time, older time.Duration) map[smsmcp.SendID]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, stale := map[smsmcp.SendID]time.Time{}, map[smsmcp.SendID]bool{}
	for _, x := range list {
		since, ok := s.found[x.ID]
		if !ok || since.After(now) { // a clock that was set back says nothing of how long
			since = now
		}
		found[x.ID] = since
		if now.Sub(since) >= older {
			stale[x.ID] = true
		}
	}
	s.found = found
	return stale
}

// interrupt turns reserved sends into unknown, and gives them.
func (t *tx) interrupt(which func(smsmcp.Send) bool) (gone []smsmcp.Send, err error) {
	list, err := sends(t, `WHERE `+open+` AND s.state = 'reserved'`)
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		if !which(x) {
			continue
		}
		x.State, x.Failure = smsmcp.Unknown, smsmcp.Interrupted
		if err := t.update(x, smsmcp.Reserved); err != nil {
			return nil, err
		}
		gone = append(gone, x)
	}
	return gone, nil
}
