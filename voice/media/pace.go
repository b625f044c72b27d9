package media

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/pion/rtp"
)

// header is how long the header of our packets is.
const header = 12

// owed is how many slots of the peer's sound are caught up with after a stall: what the jitter buffer holds.
const owed = 50

// tardy is how many slots of our own sound are caught up with: as much as the buffers of telephones hold, so that a pace that trembles on a busy machine tears no holes into
// what is said. What is later than that would be lost there.
const tardy = 3

// pacer sends a frame each 20 ms and hands out what came. Slot n is at start + n × 20 ms, whatever became of those before: there is no drift.
type pacer struct {
	p      *Port
	near   Frame
	far    Frame
	waits  []slot // whose sound of the peer is not handed out yet
	packet [header + FrameSamples]byte
	h      rtp.Header
	first  bool
}

// slot is 20 ms whose time has come, and what was sent in those before.
type slot struct {
	at  time.Time
	far Frame
}

func newPacer(p *Port) *pacer {
	var seed [10]byte
	_, _ = rand.Read(seed[:]) // it never fails: crypto/rand ends the program instead
	return &pacer{p: p, first: true, h: rtp.Header{
		Version: 2, PayloadType: pcmu,
		SSRC:           binary.BigEndian.Uint32(seed[:]),
		SequenceNumber: binary.BigEndian.Uint16(seed[4:]),
		Timestamp:      binary.BigEndian.Uint32(seed[6:]),
	}}
}

// run paces until ctx ends, or the reader fails.
func (c *pacer) run(ctx context.Context, failed <-chan error) error {
	start := c.p.o.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := 0; ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		case <-timer.C:
		}
		now := c.p.o.Now()
		due := int(now.Sub(start) / FrameTime) // the slot that it is time for
		if due < n {                           // the timer was early, or the clock went back
			back := time.Duration(n)*FrameTime - now.Sub(start)
			if back > 2*FrameTime {
				start, back = start.Add(-back), 0
			}
			timer.Reset(back)
			continue
		}
		// After a stall, the peer's sound is handed out to the last frame that is still held. Ours goes on where it was: a few frames at once, and before them the time is silence.
		if lost := due - owed - n; lost > 0 {
			c.skip(lost)
			n += lost
		}
		for sounded := false; n <= due; n++ {
			c.tick(start.Add(time.Duration(n) * FrameTime))
			if due-n > tardy {
				c.skip(1)
				c.far = Frame{}
				continue
			}
			if !sounded { // what leaves now has not sounded to its end before the next 20 ms, though it is late (invariant 10)
				sounded = true
				c.p.out.Slot(now)
			}
			c.send()
		}
		c.hear()
		timer.Reset(start.Add(time.Duration(n) * FrameTime).Sub(c.p.o.Now()))
	}
}

// skip lets slots pass in which nothing is sent.
func (c *pacer) skip(n int) {
	if !c.first {
		c.h.Timestamp += uint32(n * FrameSamples)
	}
	c.p.mu.Lock()
	c.p.stats.Skipped += uint64(n)
	c.p.mu.Unlock()
}

// tick notes that it is time for the peer's next 20 ms.
func (c *pacer) tick(at time.Time) {
	c.waits = append(c.waits, slot{at, c.far})
	c.p.mu.Lock()
	c.p.jitter.Tick()
	c.p.mu.Unlock()
	if c.p.o.OnTick != nil {
		c.p.o.OnTick()
	}
}

// hear hands out what the peer sent, as far as it has come: what is late is better late than lost.
func (c *pacer) hear() {
	for len(c.waits) > 0 {
		c.p.mu.Lock()
		due, heard := c.p.jitter.Due(), false
		if due {
			heard = c.p.jitter.Next(&c.near)
		}
		c.p.mu.Unlock()
		if !due {
			return
		}
		if c.p.o.OnSlot != nil {
			c.p.o.OnSlot(Slot{At: c.waits[0].at, Near: &c.near, Heard: heard, Far: &c.waits[0].far})
		}
		c.waits = c.waits[:copy(c.waits, c.waits[1:])]
	}
}

// send sends our next 20 ms, sound or silence.
func (c *pacer) send() {
	out := c.p.out
	c.p.mu.Lock()
	peer := c.p.peer
	c.p.mu.Unlock()
	if !peer.IsValid() || peer.Port() == 0 {
		c.far = Frame{}
		return
	}
	out.Next(&c.far)
	left := c.write(peer)
	out.Sent(left)
	if !left {
		c.far = Frame{}
	}
	c.p.mu.Lock()
	if left {
		c.p.stats.Sent++
	} else {
		c.p.stats.Refused++
	}
	c.p.mu.Unlock()
}

// write sends one packet. One that the network refuses is lost, as on a network: its number and time are used up.
func (c *pacer) write(peer netip.AddrPort) bool {
	c.h.Marker = c.first
	c.first = false
	_, err := c.h.MarshalTo(c.packet[:])
	c.h.SequenceNumber++
	c.h.Timestamp += FrameSamples
	if err != nil {
		return false
	}
	EncodeULaw(c.packet[header:], c.far[:])
	_, err = c.p.conn.WriteToUDPAddrPort(c.packet[:], peer)
	return err == nil
}
