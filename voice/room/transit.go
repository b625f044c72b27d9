package room

import (
	"sync"
	"time"
)

const (
	grace    = 200 * time.Millisecond // of what the caller's way grows by: the bound for all beyond the server holds so much
	tooLate  = 600 * time.Millisecond // what is later than that is not heard
	stays    = 200 * time.Millisecond // for so long it is: what comes in a burst, behind a stall, is soon in time again
	drift    = 1000                   // one part in so many: clocks that differ by less are no way that grows
	counting = 20 * time.Millisecond  // packets of a telephone that come with so much more between them than their clock says
)

// transit measures what the way of the caller's sound has grown by: how much later packets come than their timestamps say, against the quickest of the call. A way that gets slower
// would make speech of before into speech of now (invariant 10). The zero value has grown by nothing.
type transit struct {
	mu    sync.Mutex
	known bool
	ts    uint32
	at    time.Time     // when the last packet came
	start time.Time     // when the first did
	place int64         // of the last, in units of the timestamps, from the first
	base  time.Duration // of the quickest
	grown time.Duration // of the last
	held  time.Duration // the most that counts: what is no more than tooLate above that is heard
	since time.Time     // when packets began to be later
	deaf  time.Time     // until then nothing is heard
}

// begin begins anew: another track has another clock. What the way had grown by stays.
func (t *transit) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = false
}

// came takes a packet, and says whether it is too late to be heard, and whether it has just turned out that the way has become slower. A telephone's clock counts samples: LiveKit's bridge
// lets it stand while nothing comes, of a silence or of what was lost, and no more is known of it than that it was slower.
func (t *transit) came(now time.Time, ts uint32, telephone bool) (late, slower bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.known {
		t.known, t.ts, t.at, t.start, t.place, t.base, t.grown, t.since = true, ts, now, now, 0, -t.held, t.held, time.Time{}
		return now.Before(t.deaf), false
	}
	step := int64(int32(ts - t.ts))
	if off := time.Duration(step) * time.Second / opusRate; off > time.Minute || off < -time.Minute {
		t.known = false // another beginning
		return now.Before(t.deaf), false
	}
	t.place += step
	more := now.Sub(t.at) - time.Duration(step)*time.Second/opusRate
	if telephone && more >= counting && step > 0 {
		t.base += more
	}
	t.base += max(0, now.Sub(t.at)) / drift
	t.ts, t.at = ts, now
	way := now.Sub(t.start) - time.Duration(t.place)*time.Second/opusRate
	t.base = min(t.base, way)
	t.grown = way - t.base
	t.held = min(t.held, max(t.grown, 0)) // quicker again
	if late = t.grown > t.held+tooLate; !late {
		t.since = time.Time{}
		return now.Before(t.deaf), false
	}
	if t.since.IsZero() || now.Before(t.since) {
		t.since = now
	}
	if now.Sub(t.since) < stays {
		return true, false
	}
	// It stays so. All that was said before this comes within that time, and is not heard.
	t.held, t.since, t.deaf = t.grown, time.Time{}, now.Add(t.grown+time.Second)
	return true, true
}

// more is what the way has grown by beyond what is held for all ways.
func (t *transit) more() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(0, max(t.grown, t.held)-grace)
}
