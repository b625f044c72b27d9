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
	counting = 15 * time.Millisecond  // packets of a telephone that come with so much more between them than their clock says, and than is usual
	usual    = 60 * time.Millisecond  // no packet counts for more in what is usual
	leap     = 40 * time.Millisecond  // a packet that is further ahead of its clock than that was made up for, or its clock was set
	still    = opusRate / 2           // a browser in silence sends a packet in less than that, in units of the timestamps
)

// transit measures what the way of the caller's sound has grown by: how much later packets come than their timestamps say, against the quickest of the call. A way that gets slower
// would make speech of before into speech of now (invariant 10). The zero value has grown by nothing.
type transit struct {
	mu    sync.Mutex
	known bool
	seq   uint16
	ts    uint32
	at    time.Time     // when the last packet came
	start time.Time     // when the first did
	place int64         // of the last, in units of the timestamps, from the first
	base  time.Duration // of the quickest
	grown time.Duration // of the last
	held  time.Duration // the most that counts: what is no more than tooLate above that is heard
	since time.Time     // when packets began to be later
	then  time.Duration // what the way had grown by
	deaf  time.Time     // what was spoken before then is not heard

	stood  time.Time     // when a telephone's clock seems to have stood still
	before time.Duration // the way of the packet before that
	was    time.Duration // the base before that
	jitter time.Duration // what is usual between a telephone's packets, more or less than their clock says
}

// begin begins anew: another track has another clock. What the way had grown by stays.
func (t *transit) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = false
}

// way is how late the last packet was, against the first.
func (t *transit) way() time.Duration {
	return t.at.Sub(t.start) - time.Duration(t.place)*time.Second/opusRate
}

// came takes a packet, and says whether it is too late to be heard, and whether it has just turned out that the way has become slower.
func (t *transit) came(now time.Time, seq uint16, ts uint32, telephone bool) (late, slower bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	step, packets := int64(int32(ts-t.ts)), int64(max(0, int16(seq-t.seq)))
	if off := time.Duration(step) * time.Second / opusRate; !t.known || off > time.Minute || off < -time.Minute { // another beginning
		t.known, t.seq, t.ts, t.at, t.start, t.place, t.base, t.grown = true, seq, ts, now, now, 0, -t.held, t.held
		t.since, t.stood = time.Time{}, time.Time{}
		return t.early(now), false
	}
	before, passed := t.way(), now.Sub(t.at)
	t.seq, t.ts, t.at, t.place = seq, ts, now, t.place+step
	way := t.way()
	if more := way - before; more < -leap && (step%perFrame != 0 || step > packets*still) {
		// A clock that was set, as LiveKit does behind a mute to one that is late: the way is as slow as it was. Where a way gets quick again, each packet that comes sooner is a whole number
		// of frames behind the one before it, and no more than there can be between so many packets.
		t.base += more
	}
	t.base += max(0, passed) / drift
	if telephone {
		t.stands(now, before, way, step)
	}
	t.base = min(t.base, way)
	t.grown = way - t.base
	t.held = min(t.held, t.grown) // quicker again
	if t.grown <= t.held+tooLate {
		t.since = time.Time{}
		return t.early(now), false
	}
	if t.since.IsZero() || now.Before(t.since) {
		t.since, t.then = now, t.grown
	}
	if now.Sub(t.since) < stays {
		return true, false
	}
	if t.grown < t.then-stays/2 { // what waited is worked off
		t.since, t.then = now, t.grown
		return true, false
	}
	// It stays so: what was spoken up to now is not heard.
	t.held, t.since, t.deaf = t.grown, time.Time{}, now.Add(grace)
	return true, true
}

// early says whether what comes now was spoken before it was known that the way had become slower.
func (t *transit) early(now time.Time) bool { return now.Add(-t.grown).Before(t.deaf) }

// stands bears with a telephone's clock. It counts samples: LiveKit's bridge lets it stand while nothing comes, of a silence or of what was lost, and no more is known of it than that it was
// slower. How long it stood is what the packets behind it do not make up for; those that only trembled do.
func (t *transit) stands(now time.Time, before, way time.Duration, step int64) {
	more := way - before
	counts := counting + t.jitter
	t.jitter += (min(more.Abs(), usual) - t.jitter) / 16
	if more >= counts && step > 0 {
		t.stood, t.before, t.was = now, before, t.base
		t.base += more
		return
	}
	if now.Sub(t.stood) >= stays {
		return
	}
	stood := way - t.before
	if stood < counts {
		stood = 0
	} else {
		stood += t.jitter
	}
	t.base = min(t.base, t.was+stood)
}

// more is what the way has grown by beyond what is held for all ways.
func (t *transit) more() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(0, max(t.grown, t.held)-grace)
}
