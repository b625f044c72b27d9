package talks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"readback/store/engine"
)

// Errors of [Leases].
var (
	ErrLed  = errors.New("somebody leads the call of this room")
	ErrLost = errors.New("the lease of this room is gone")
)

// Lease says who leads the call of a room.
type Lease struct {
	SID  string // the room's, as the LiveKit server names it: another room by the same name has another
	Room string // its name, by which it is ended; foreign, and opens nothing: who joins needs a token that the server's key signed
	By   string // who leads: our own name of the job
	beat int64  // how often it was renewed
}

// Leases is the table of rooms whose call somebody leads. A room has one lease, whichever process asks, and nobody else gets it for being late: no time is in it, so no clock makes two leaders.
// One that is not renewed any more is its process's that is gone, and what it left is a room with a caller and nobody else in it: Left finds it, that room is ended, and only then the lease.
type Leases struct {
	db *engine.DB

	mu    sync.Mutex
	found map[string]seen // by room
}

// seen is how often a lease had been renewed when it was looked at, and since when it has been so.
type seen struct {
	by    string
	beat  int64
	since time.Time
}

// NewLeases gives the table of a store.
func NewLeases(db *engine.DB) *Leases { return &Leases{db: db} }

// Take has the one who asks lead the call of a room; ErrLed where somebody does. After any other error nobody knows who does.
func (l *Leases) Take(ctx context.Context, of Lease) error {
	err := l.db.Write(ctx, "take a lease", func(x *engine.Tx) error {
		_, err := x.Exec(`INSERT INTO leases (sid, room, by, beat) VALUES (?, ?, ?, 0)`, of.SID, of.Room, of.By)
		return err
	})
	if errors.Is(err, engine.ErrTaken) {
		return fmt.Errorf("take a lease: %w", ErrLed)
	}
	return err
}

// Renew says that who leads a call is there; ErrLost where the room was ended meanwhile, because it was not heard of.
func (l *Leases) Renew(ctx context.Context, of Lease) error {
	return l.db.Write(ctx, "renew a lease", func(x *engine.Tx) error {
		n, err := x.Exec(`UPDATE leases SET beat = beat + 1 WHERE sid = ? AND by = ?`, of.SID, of.By)
		if err == nil && n == 0 {
			err = ErrLost
		}
		return err
	})
}

// GiveBack ends a lease, where it is there still.
func (l *Leases) GiveBack(ctx context.Context, of Lease) error {
	return l.db.Write(ctx, "give a lease back", func(x *engine.Tx) error {
		_, err := x.Exec(`DELETE FROM leases WHERE sid = ? AND by = ?`, of.SID, of.By)
		return err
	})
}

// Left gives the leases that were not renewed for so long, as it has itself seen: it is called every so often, by one process alone. now is to be of a clock that nobody sets, as time.Now's is
// between two calls, and which stands still while the machine sleeps, as all who lead do.
func (l *Leases) Left(ctx context.Context, now time.Time, older time.Duration) (left []Lease, err error) {
	rows, err := l.db.Read(ctx).Query(`SELECT sid, room, by, beat FROM leases ORDER BY sid`)
	if err != nil {
		return nil, fmt.Errorf("look for leases: %w", engine.Known(err))
	}
	defer func() { _ = rows.Close() }()
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[string]seen{}
	for rows.Next() {
		var x Lease
		if err := rows.Scan(&x.SID, &x.Room, &x.By, &x.beat); err != nil {
			return nil, fmt.Errorf("look for leases: %w", engine.Known(err))
		}
		is, ok := l.found[x.SID]
		if !ok || is.by != x.By || is.beat != x.beat || is.since.After(now) { // a clock that was set back says nothing of how long
			is = seen{x.By, x.beat, now}
		}
		found[x.SID] = is
		if now.Sub(is.since) >= older {
			left = append(left, x)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look for leases: %w", engine.Known(err))
	}
	l.found = found
	return left, nil
}

// Drop forgets a lease that was left, once its room was ended. One that was renewed since is for its leader to give back.
func (l *Leases) Drop(ctx context.Context, of Lease) error {
	return l.db.Write(ctx, "drop a lease", func(x *engine.Tx) error {
		_, err := x.Exec(`DELETE FROM leases WHERE sid = ? AND by = ? AND beat = ?`, of.SID, of.By, of.beat)
		return err
	})
}
