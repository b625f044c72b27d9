package room

import (
	"crypto/rand"
	"encoding/binary"
	"time"

	"github.com/pion/rtp"
	"github.com/thesyncim/gopus"

	"readback/voice/media"
	"readback/voice/media/ear"
)

// opusRate is what Opus counts its timestamps in, whatever the rate of the sound.
const opusRate = 48000

// perFrame is a frame's part of it.
const perFrame = opusRate / 50

// owed is how many slots of the caller's sound are caught up with after a stall: what the jitter buffer holds.
const owed = 50

// tardy is how many slots of our own sound are caught up with, as in voice/media: what buffers on the way hold, so that a pace that trembles tears no holes into what is said.
const tardy = 3

// sooner is how long before ours the caller's sound of the same 20 ms is handed out: what is answered to it at once, as by who stops because the caller speaks, is not 20 ms late.
const sooner = 5 * time.Millisecond

// pacer sends a frame each 20 ms and hands out what came. Slot n is at start + n × 20 ms, whatever became of those before: there is no drift.
type pacer struct {
	c         *Call
	near, far media.Frame
	sent      []media.Frame // of the slots whose sound of the caller is not handed out yet, what was sent in the 20 ms before
	guard     ear.Guard
	enc       *gopus.Encoder
	packet    [1276]byte // the longest of Opus
	h         rtp.Header
}

func newPacer(c *Call) (*pacer, error) {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: media.Rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		return nil, err
	}
	var seed [6]byte
	_, _ = rand.Read(seed[:]) // it never fails: crypto/rand ends the program instead
	return &pacer{c: c, enc: enc, h: rtp.Header{Version: 2, SequenceNumber: binary.BigEndian.Uint16(seed[:]), Timestamp: binary.BigEndian.Uint32(seed[2:])}}, nil
}

// pace paces until the call is over.
func (c *Call) pace() {
	p, err := newPacer(c)
	if err != nil {
		c.end(CodeCrashed)
		return
	}
	start := c.o.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n, heard := 0, 0; ; { // the next slot to send in, and the next whose sound of the caller is handed out
		select {
		case <-c.done:
			return
		case <-timer.C:
		}
		now := c.o.Now()
		at := now.Sub(start)
		if back := time.Duration(n)*media.FrameTime - at; back > 2*media.FrameTime { // the clock went back
			start, at = start.Add(-back), at+back
		}
		due := int(at / media.FrameTime) // the slot that it is time for
		// After a stall, the caller's sound is handed out to the last frame that is still held. Ours goes on where it was: a few frames at once, and before them the time is silence.
		if lost := due - owed - n; lost > 0 {
			p.skip(lost)
			n += lost
			heard = max(heard, n)
		}
		for ; time.Duration(heard)*media.FrameTime <= at+sooner; heard++ {
			p.tick()
			p.far = media.Frame{}
		}
		p.hear()
		for sounded := false; n <= due; n++ {
			if due-n > tardy {
				p.skip(1)
				continue
			}
			if !sounded { // what leaves now has not sounded to its end before the next 20 ms, though it is late (invariant 10)
				sounded = true
				c.slot(now)
			}
			p.send()
		}
		next := min(time.Duration(n)*media.FrameTime, time.Duration(heard)*media.FrameTime-sooner)
		timer.Reset(start.Add(next).Sub(c.o.Now()))
	}
}

// slot answers the marks whose sound has had its time. If nothing has come for a while they wait: either something comes, or it turns out that what they stand behind may be lost.
func (c *Call) slot(now time.Time) {
	if last, is := c.reports.missing(); is {
		c.doubt(last)
	}
	silence := c.silence(now)
	switch {
	case c.lost.is():
		c.playback.Doubt()
	case silence > deserted:
		c.end(CodeMediaLost)
		return
	case silence > broken: // what waits goes out at the pace of speech, and so they have the time to come back
		c.playback.Doubt()
	case silence > pausing, c.lost.pause(now) > 0:
		return
	}
	c.playback.Slot(now)
}

// skip lets slots pass in which nothing is sent.
func (p *pacer) skip(n int) { p.h.Timestamp += uint32(n * perFrame) }

// tick notes that it is time for the caller's next 20 ms.
func (p *pacer) tick() {
	p.sent = append(p.sent, p.far)
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	p.c.jitter.Tick()
}

// hear hands out what the caller sent, as far as it has come: what is late is better late than lost. Who listens counts the frames, and so knows when each was to come (invariant 10).
func (p *pacer) hear() {
	for len(p.sent) > 0 {
		p.c.mu.Lock()
		due := p.c.jitter.Due()
		if due {
			p.c.jitter.Next(&p.near)
		}
		p.c.mu.Unlock()
		if !due {
			return
		}
		p.guard.Frame(p.near[:], p.sent[0][:])
		p.sent = p.sent[:copy(p.sent, p.sent[1:])]
		p.c.inlet.Put(&p.near)
	}
}

// send sends our next 20 ms, sound or silence. While nobody listens it is silence, and what waits is thrown away: it was not played (invariant 10).
func (p *pacer) send() {
	out := p.c.playback
	if !p.c.listening() {
		out.Clear()
		p.far = media.Frame{}
		p.write()
		return
	}
	out.Next(&p.far)
	left := p.write() && p.c.listening()
	out.Sent(left)
	if !left {
		p.far = media.Frame{}
		return
	}
	p.c.reports.left()
}

// write sends one packet, and says whether it left.
func (p *pacer) write() bool {
	p.h.SequenceNumber++
	p.h.Timestamp += perFrame
	n, err := p.enc.EncodeInt16(p.far[:], p.packet[:])
	if err != nil {
		return false
	}
	return p.c.out.WriteRTP(&rtp.Packet{Header: p.h, Payload: append([]byte(nil), p.packet[:n]...)}, nil) == nil
}
