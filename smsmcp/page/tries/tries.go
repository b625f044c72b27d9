// Package tries bounds how often somebody may try something, remembers where the right ones came from, and counts the wrong ones. A clock that is set back gives nobody more
// (invariant 12).
//
// Floor 0: imports nothing of ours.
package tries

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// most is how many are held.
const most = 4096

// Tries holds a bucket for each who has been wrong. When there are too many, those that are full again go first; if none is, any goes.
type Tries struct {
	mu     sync.Mutex
	all    map[string]*rate.Limiter
	limit  rate.Limit
	burst  int
	latest time.Time // a clock that is set back stands still here: it must not fill buckets by coming forward again (invariant 12)
}

// New lets each try so often a minute, and burst times at once.
func New(perMinute, burst int) *Tries {
	return &Tries{all: map[string]*rate.Limiter{}, limit: rate.Limit(float64(perMinute) / 60), burst: burst}
}

// Take takes one try, if there is one.
func (t *Tries) Take(who string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Before(t.latest) {
		now = t.latest
	}
	t.latest = now
	b := t.all[who]
	if b == nil {
		t.makeRoom(now)
		b = rate.NewLimiter(t.limit, t.burst)
		t.all[who] = b
	}
	return b.AllowN(now, 1)
}

func (t *Tries) makeRoom(now time.Time) {
	if len(t.all) < most {
		return
	}
	for who, b := range t.all {
		if b.TokensAt(now) >= float64(t.burst) {
			delete(t.all, who)
		}
	}
	for who := range t.all {
		if len(t.all) < most {
			return
		}
		delete(t.all, who)
	}
}

// Forget clears what is held against somebody who was right.
func (t *Tries) Forget(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.all, who)
}
