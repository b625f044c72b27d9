package room

import (
	"sync"
	"time"

	"github.com/pion/rtcp"
)

const (
	gap       = 10  // more packets lost between two reports are more than a fifth of what is said: 200 ms of a second
	unsaid    = 125 // so many packets without a report are two and a half seconds: the server sends one each 50 to 52, and one that is lost is no break
	firstWord = 150 // the first report may take so much longer
)

// reports are what the server says of our sound: how much of it arrived. That no packet of it does, the library says after ten seconds, and not at all where they come again before. The
// zero value is that of a call that begins.
type reports struct {
	mu    sync.Mutex
	asked bool // none has come since somebody asked
	sent  int  // packets since the last one
	at    time.Time
	known bool
	ssrc  uint32 // of the stream that was last reported on
	total uint32 // packets of it that were ever lost
}

// ask says that it is not known whether our sound arrives: until a report says so.
func (r *reports) ask() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = true
}

// arrives says whether a report has said that our sound does, since somebody asked.
func (r *reports) arrives() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.asked
}

// left notes that a packet has.
func (r *reports) left() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent++
}

// begin begins to count what leaves, as behind a break.
func (r *reports) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = 0
}

// missing says whether reports do not come, and when the last one did.
func (r *reports) missing() (last time.Time, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at, r.sent > unsaid
}

// take takes a report, and says whether sound was lost since the one before, and when that came.
func (r *reports) take(now time.Time, b rtcp.ReceptionReport) (last time.Time, lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A total has 24 bits, and falls where a packet comes twice.
	lost = r.known && r.ssrc == b.SSRC && int32((b.TotalLost-r.total)<<8)>>8 > gap
	if last = r.at; !lost {
		r.asked = false
	}
	r.known, r.ssrc, r.total, r.at, r.sent = true, b.SSRC, b.TotalLost, now, 0
	return last, lost
}

// reported takes what the server says of our sound. What was lost was not played (invariant 10).
func (c *Call) reported(p rtcp.Packet) {
	c.lost.report(c.o.Now())
	all, ok := p.(*rtcp.ReceiverReport)
	if !ok {
		return
	}
	for _, b := range all.Reports {
		if last, lost := c.reports.take(c.o.Now(), b); lost {
			c.doubt(last)
		}
	}
}
