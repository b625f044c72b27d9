package web

import (
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limits holds one bucket for each key, and at most size of them: when full, a bucket that has filled up again says nothing and goes
// first; if none has, any goes.
type limits[K comparable] struct {
	mu      sync.Mutex
	buckets map[K]*rate.Limiter
	limit   rate.Limit
	burst   int
	size    int
	latest  time.Time // a clock that is set back stands still here: it must not fill buckets by coming forward again (invariant 12)
}

func newLimits[K comparable](perMinute, burst, size int) *limits[K] {
	return &limits[K]{buckets: map[K]*rate.Limiter{}, limit: rate.Limit(float64(perMinute) / 60), burst: burst, size: size}
}

// take takes one from the key's bucket, or says how long until there is one again.
func (l *limits[K]) take(key K, now time.Time) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Before(l.latest) {
		now = l.latest
	}
	l.latest = now
	b := l.buckets[key]
	if b == nil {
		l.makeRoom(now)
		b = rate.NewLimiter(l.limit, l.burst)
		l.buckets[key] = b
	}
	r := b.ReserveN(now, 1)
	if !r.OK() {
		return time.Minute, false
	}
	if d := r.DelayFrom(now); d > 0 {
		r.CancelAt(now)
		return d, false
	}
	return 0, true
}

func (l *limits[K]) makeRoom(now time.Time) {
	if len(l.buckets) < l.size {
		return
	}
	for k, b := range l.buckets {
		if b.TokensAt(now) >= float64(l.burst) {
			delete(l.buckets, k)
		}
	}
	for k := range l.buckets {
		if len(l.buckets) < l.size {
			return
		}
		delete(l.buckets, k)
	}
}

// source is what counts as one address: an IPv4 address, or the /64 that an IPv6 host can choose from freely.
func source(r *http.Request) netip.Prefix {
	addr := Source(r)
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}
