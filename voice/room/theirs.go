package room

import (
	"sync"
	"time"

	"github.com/pion/webrtc/v4"

	"readback/voice/media"
)

// deserted is after how long nothing comes any more of who is in a page, though they have not left: their microphone is muted, or their machine asleep.
const deserted = time.Minute

// theirs is what the packets of the caller's sound tell of their own way to the server: nothing else does. The zero value is that of a call that begins.
type theirs struct {
	lost lost // what they sent, keys among it

	mu     sync.Mutex
	begun  bool
	track  *webrtc.TrackRemote
	seq    uint16    // of the last packet
	last   time.Time // when one came last; before the first, since when it is waited for
	pauses bool      // a telephone that sends nothing in silences
}

// came takes a packet, and says whether so much before it is missing that what was sent to them meanwhile may be missing as well.
func (t *theirs) came(now time.Time, track *webrtc.TrackRemote, seq uint16) (torn bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	off, pause := int(int16(seq-t.seq)), now.Sub(t.last) > pausing
	switch {
	case !t.begun:
	case t.track != track: // nobody knows what was lost between them
		if torn = pause; torn {
			t.lost.missed(now, t.last)
		}
	case off <= 0 && off >= -maxOff: // it is late, or came twice
		t.last = now
		return false
	case off > gap || off <= 0:
		t.lost.missed(now, t.last)
		torn = time.Duration(off)*media.FrameTime > pausing || off <= 0
	case pause:
		t.pauses = true
	}
	t.begun, t.track, t.seq, t.last = true, track, seq, now
	return torn
}

// dated says when a key that comes now may have gone down, by what is missing: also where it comes before the sound that is behind it.
func (t *theirs) dated(now time.Time) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.lost.dated(now)
	if t.begun && !t.pauses && now.Sub(t.last) > pausing {
		at = earlier(at, t.last)
	}
	return at
}

// silence is for how long nothing has come.
func (t *theirs) silence(now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last.IsZero() {
		t.last = now
	}
	return now.Sub(t.last)
}

// came takes note of a packet of a track. Of a page whose packets are missing, what is on its way to it may be missing too: a browser sends one each 20 ms, as long as all is well.
func (c *Call) came(track *webrtc.TrackRemote, now time.Time, seq uint16) {
	c.mu.Lock()
	heard, sip := c.track == track, c.sip
	c.mu.Unlock()
	if heard && c.theirs.came(now, track, seq) && !sip {
		c.playback.Doubt()
	}
}

// silence is for how long nothing has come of a caller of whom something always does: of a page. Of a telephone, which may send nothing in silences, it is 0.
func (c *Call) silence(now time.Time) time.Duration {
	c.mu.Lock()
	sip := c.sip
	c.mu.Unlock()
	if sip {
		return 0
	}
	return c.theirs.silence(now)
}
