package page

import (
	"sync"
	"time"
)

// How often a passphrase may be tried from one address, or within one session; from one network of those that a provider gives out whole; and by all who are not
// signed in together, so that many addresses are not many more guesses. The last lets few through at once: the terminal waits behind these.
const (
	triesPerMinute        = 5
	networkTriesPerMinute = 10
	allTriesPerMinute     = 30
	allTriesAtOnce        = 10
)

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
