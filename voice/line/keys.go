package line

import (
	"sync"
	"time"

	"readback/voice"
	"readback/voip/ari"
)

// maxKeys is how many keys may wait for somebody to come for them.
const maxKeys = 64

// gap is the least time between two presses of one key: the pause that ITU-T Q.24 has between two. A key that seems to have gone down again sooner is the same one
// told again: an application that is subscribed to the endpoints too, as for texts, is told everything of their channels twice; and of keys that follow each other
// within 45 ms Asterisk tells some twice.
const gap = 40 * time.Millisecond

// again is how often the age of a key that waits is told anew.
const again = 20 * time.Millisecond

// keys holds the keys of one call until somebody comes for them, and knows for how long each has been on its way: a key that waited, in Asterisk, in the network or
// here, must not pass for one that was pressed later (invariant 10).
type keys struct {
	now func() time.Time

	mu      sync.Mutex
	waiting []pressed
	up      map[byte]time.Time // when each key last came up, by Asterisk's clock
	some    chan struct{}      // holds one value while some wait
	fastest time.Duration      // the shortest way from Asterisk's clock to ours that an event of this call had: what is longer was late
	known   bool
}

// pressed is a key, and when it went down by our clock.
type pressed struct {
	digit rune
	down  time.Time
}

// newKeys begins with the event by which the call began, sent at a time by Asterisk's clock.
func newKeys(now func() time.Time, sent time.Time) *keys {
	k := &keys{now: now, some: make(chan struct{}, 1), up: map[byte]time.Time{}}
	k.late(now(), sent)
	return k
}

// late says by how much more than the fastest event of this call one took to arrive. The two clocks need not show the same time. If Asterisk's is set back, its keys
// seem to be late for the rest of the call, which makes them earlier, and never later.
func (k *keys) late(now, sent time.Time) time.Duration {
	if sent.IsZero() {
		return 0
	}
	took := now.Sub(sent)
	if !k.known || took < k.fastest {
		k.known, k.fastest = true, took
	}
	return took - k.fastest
}

// add takes a key, unless too many wait. One that is told again is taken once.
func (k *keys) add(e ari.ChannelDtmfReceived) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	if k.again(e) {
		return true
	}
	down := now.Add(-e.Duration - k.late(now, e.At))
	if len(k.waiting) == maxKeys {
		return false
	}
	k.waiting = append(k.waiting, pressed{rune(e.Digit), down})
	select {
	case k.some <- struct{}{}:
	default:
	}
	return true
}

// again says whether a key is one that was told already.
func (k *keys) again(e ari.ChannelDtmfReceived) bool {
	if e.At.IsZero() {
		return false
	}
	last, ok := k.up[e.Digit]
	since := e.At.Sub(last)
	if ok && since > -time.Second && since-e.Duration < gap { // a clock that was set back makes no copies
		k.up[e.Digit] = later(last, e.At)
		return true
	}
	k.up[e.Digit] = e.At
	return false
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (k *keys) first() (pressed, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) == 0 {
		return pressed{}, false
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
