package page

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often a passphrase may be tried from one address, or within one session; from one network of those that a provider gives out whole; and by all who are not
// signed in together, so that many addresses are not many more guesses. The last lets few through at once: the terminal waits behind these.
const (
	triesPerMinute        = 5
	networkTriesPerMinute = 10
	allTriesPerMinute     = 30
	allTriesAtOnce        = 10
	mostTriers            = 4096
)

// tries holds a bucket for each who has been wrong. When there are too many, those that are full again go first; if none is, any goes.
type tries struct {
	mu     sync.Mutex
	all    map[string]*rate.Limiter
	limit  rate.Limit
	burst  int
	latest time.Time // a clock that is set back stands still here: it must not fill buckets by coming forward again (invariant 12)
}

func newTries(perMinute, burst int) *tries {
	return &tries{all: map[string]*rate.Limiter{}, limit: rate.Limit(float64(perMinute) / 60), burst: burst}
}

// take takes one try.
func (t *tries) take(who string, now time.Time) bool {
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

func (t *tries) makeRoom(now time.Time) {
	if len(t.all) < mostTriers {
		return
	}
	for who, b := range t.all {
		if b.TokensAt(now) >= float64(t.burst) {
			delete(t.all, who)
		}
	}
	for who := range t.all {
		if len(t.all) < mostTriers {
			return
		}
		delete(t.all, who)
	}
}

// forget clears what is held against somebody who was right.
func (t *tries) forget(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.all, who)
}

// places are the addresses from which the owner signed in lately: guesses from elsewhere do not keep them out there. What is tried from one of these still
// draws on its own bucket.
type places struct {
	mu  sync.Mutex
	all map[string]time.Time
}

func (k *places) add(from string, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = map[string]time.Time{}
	}
	k.all[from] = now
	for len(k.all) > mostSessions {
		oldest := from
		for one, at := range k.all {
			if at.Before(k.all[oldest]) {
				oldest = one
			}
		}
		delete(k.all, oldest)
	}
}

func (k *places) has(from string, now time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return within(k.all[from], now, whole)
}
