package oauth

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// buckets holds one bucket for each key, and at most size of them: when full, those that have filled up again go first; if none has, any goes.
type buckets[K comparable] struct {
	mu     sync.Mutex
	all    map[K]*rate.Limiter
	limit  rate.Limit
	burst  int
	size   int
	latest time.Time // a clock that is set back stands still here: it must not fill buckets by coming forward again (invariant 12)
}

func newBuckets[K comparable](perMinute float64, burst, size int) *buckets[K] {
	return &buckets[K]{all: map[K]*rate.Limiter{}, limit: rate.Limit(perMinute / 60), burst: burst, size: size}
}

// take takes one from the key's bucket, if there is one.
func (b *buckets[K]) take(key K, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Before(b.latest) {
		now = b.latest
	}
	b.latest = now
	one := b.all[key]
	if one == nil {
		b.makeRoom(now)
		one = rate.NewLimiter(b.limit, b.burst)
		b.all[key] = one
	}
	return one.AllowN(now, 1)
}

func (b *buckets[K]) makeRoom(now time.Time) {
	if len(b.all) < b.size {
		return
	}
	for k, one := range b.all {
		if one.TokensAt(now) >= float64(b.burst) {
			delete(b.all, k)
		}
	}
	for k := range b.all {
		if len(b.all) < b.size {
			return
		}
		delete(b.all, k)
	}
}

// wide is what counts as one network, of which many addresses are one's: the /48 of IPv6 that a site has, a /24 of IPv4.
func wide(p netip.Prefix) netip.Prefix {
	bits := 24
	if p.Addr().Is6() {
		bits = 48
	}
	w, err := p.Addr().Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return w
}

// network is what counts as one address: an IPv4 address, or the /64 that an IPv6 host can choose from freely.
func network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 32
	if a.Is6() {
		bits = 64
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}
