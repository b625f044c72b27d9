package room

import (
	"strings"
	"sync"
	"time"

	"readback/voice"
)

const (
	maxKeys = 64                    // that wait for somebody to come for them
	again   = 20 * time.Millisecond // how often the age of a key that waits is told anew
)

// pressed takes a key, if the server says that the caller's own SIP participant sent it: anybody in the room can send one (invariant 10).
func (c *Call) pressed(digit, from string) {
	c.mu.Lock()
	theirs := c.sip && from != "" && from == c.identity
	c.mu.Unlock()
	if !theirs || len(digit) != 1 || strings.IndexByte(voice.Keys, digit[0]) < 0 {
		return
	}
	now := c.o.Now()
	c.lost.came(now)
	if !c.queue.add(rune(digit[0]), c.lost.dated(now)) {
		c.end(CodeKeysFull)
	}
}

// keys holds the keys of one call until somebody comes for them, and tells for how long each has been there: one that waited must not pass for one that was pressed later.
type keys struct {
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

func newKeys(now func() time.Time) *keys { return &keys{now: now, some: make(chan struct{}, 1)} }

// add takes a key, unless too many wait.
func (k *keys) add(digit rune, down time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) == maxKeys {
		return false
	}
	k.waiting = append(k.waiting, key{digit, down})
	select {
	case k.some <- struct{}{}:
	default:
	}
	return true
}

func (k *keys) first() (key, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) == 0 {
		return key{}, false
	}
	return k.waiting[0], true
}

func (k *keys) drop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waiting = append(k.waiting[:0], k.waiting[1:]...)
}

// hand hands the keys over until the call is over, and closes the channel.
func (k *keys) hand(done <-chan struct{}, to chan<- voice.Key) {
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
