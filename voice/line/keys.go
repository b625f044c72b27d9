package line

import (
	"sync"
	"time"

	"readback/voice/media"
	"readback/voip/ari"
)

// gap is the least time between two presses of one key: the pause that ITU-T Q.24 has between two. A key that seems to have gone down again sooner is the same one
// told again: an application that is subscribed to the endpoints too, as for texts, is told everything of their channels twice; and of keys that follow each other
// within 45 ms Asterisk tells some twice.
const gap = 40 * time.Millisecond

// keys holds the keys of one call until somebody comes for them, and knows for how long each has been on its way: a key that waited, in Asterisk, in the network or
// here, must not pass for one that was pressed later (invariant 10).
type keys struct {
	*media.Keys
	now func() time.Time

	mu      sync.Mutex
	up      map[byte]time.Time // when each key last came up, by Asterisk's clock
	fastest time.Duration      // the shortest way from Asterisk's clock to ours that an event of this call had: what is longer was late
	known   bool
}

// newKeys begins with the event by which the call began, sent at a time by Asterisk's clock.
func newKeys(now func() time.Time, sent time.Time) *keys {
	k := &keys{Keys: media.NewKeys(now), now: now, up: map[byte]time.Time{}}
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
	return k.Add(rune(e.Digit), now.Add(-e.Duration-k.late(now, e.At)))
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
