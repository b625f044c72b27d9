package media

import (
	"sync"
	"time"

	"readback/voice"
)

// MaxKeys is how many keys of a call may wait for somebody to come for them.
const MaxKeys = 64

// again is how often the age of a key that waits is told anew.
const again = 20 * time.Millisecond

// Keys holds the keys of one call until somebody comes for them, and tells for how long each has been there: one that waited must not pass for one that was pressed
// later (invariant 10).
type Keys struct {
	now func() time.Time

	mu      sync.Mutex
	waiting []key
	some    chan struct{} // holds one value while some wait
}

// key is one, and when it went down.
type key struct {
	digit rune
	down  time.Time
}

// NewKeys makes a queue without keys.
func NewKeys(now func() time.Time) *Keys { return &Keys{now: now, some: make(chan struct{}, 1)} }

// Add takes a key, one of [voice.Keys], that went down at a time, unless too many wait.
func (k *Keys) Add(digit rune, down time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) == MaxKeys {
		return false
	}
	k.waiting = append(k.waiting, key{digit, down})
	select {
	case k.some <- struct{}{}:
	default:
	}
	return true
}

func (k *Keys) first() (key, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) == 0 {
		return key{}, false
	}
	return k.waiting[0], true
}

func (k *Keys) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waiting = append(k.waiting[:0], k.waiting[1:]...)
}

// Hand hands the keys over, in their order, until the call is over, and closes the channel. Held is the time since a key went down, when it is handed over.
func (k *Keys) Hand(done <-chan struct{}, to chan<- voice.Key) {
	defer close(to)
	for {
		p, ok := k.first()
		if !ok {
			select {
			case <-k.some:
				continue
			case <-done:
				return
			}
		}
		anew := time.NewTimer(again)
		select {
		case to <- voice.Key{Rune: p.digit, Held: max(0, k.now().Sub(p.down))}:
			k.drop()
		case <-anew.C:
		case <-done:
			anew.Stop()
			return
		}
		anew.Stop()
	}
}
