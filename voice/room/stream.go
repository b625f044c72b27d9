package room

import (
	"slices"
	"strings"
	"time"

	"github.com/pion/webrtc/v4"
	"github.com/thesyncim/gopus"

	"readback/voice/media"
)

const (
	longest  = 6 * media.FrameSamples // Opus has packets of 120 ms at most
	maxAhead = 2                      // packets that wait for one before them: no longer than two frames
	maxOff   = 100                    // a packet further off than that is of another beginning
	maxLate  = 10                     // so many late packets on end are as well
)

// decoder is a gopus.Decoder.
type decoder interface {
	DecodeInt16(data []byte, pcm []int16) (int, error)
}

// stream decodes the packets of one track. A decoder remembers: it has to have them in their order, so one that comes early waits a little for those before it. What is missing then is
// the jitter buffer's care, as are silences in which nothing is sent. It is bounded, and not safe for concurrent use.
type stream struct {
	dec   decoder
	begun bool
	next  uint16 // the number that comes next
	late  int
	ahead []packet // by their distance from next

	ts    uint32 // of the last packet
	place int64  // its place, from the first on
}

type packet struct {
	seq  uint16
	ts   uint32
	opus []byte
}

// take takes a packet, and puts the sound that it makes ready.
func (s *stream) take(p packet, put func(ts uint32, pcm []int16)) {
	if !s.begun {
		s.begin(p)
	}
	switch off := int(int16(p.seq - s.next)); {
	case off > maxOff, off < -maxOff:
		s.begin(p)
	case off < 0:
		if s.late++; s.late <= maxLate {
			return
		}
		s.begin(p)
	}
	s.late = 0
	at, there := slices.BinarySearchFunc(s.ahead, p, func(a, b packet) int { return int(a.seq-s.next) - int(b.seq-s.next) })
	if there {
		return
	}
	s.ahead = slices.Insert(s.ahead, at, p)
	if len(s.ahead) > maxAhead {
		s.next = s.ahead[0].seq // what is missing does not come any more
	}
	for len(s.ahead) > 0 && s.ahead[0].seq == s.next {
		s.decode(s.ahead[0], put)
		s.ahead = slices.Delete(s.ahead, 0, 1)
		s.next++
	}
}

// begin begins anew at a packet.
func (s *stream) begin(p packet) {
	if !s.begun {
		s.ts = p.ts
	}
	s.begun, s.next, s.late, s.ahead = true, p.seq, 0, s.ahead[:0]
}

// decode decodes one packet. One that is no Opus is silence.
func (s *stream) decode(p packet, put func(ts uint32, pcm []int16)) {
	s.place += int64(int32(p.ts - s.ts)) // a timestamp wraps after a day, and not at a whole number of our samples
	s.ts = p.ts
	if len(p.opus) == 0 {
		return // it only asks whether we are there
	}
	var pcm [longest]int16
	if n, err := s.dec.DecodeInt16(p.opus, pcm[:]); err == nil && n > 0 {
		put(uint32(s.place/(opusRate/media.Rate)), pcm[:min(n, longest)])
	}
}

// read takes in the packets of the caller's microphone, until the track ends. Of two tracks the later one is heard.
func (c *Call) read(track *webrtc.TrackRemote) {
	if !strings.EqualFold(track.Codec().MimeType, opus.MimeType) {
		return
	}
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(media.Rate, 1))
	if err != nil {
		c.end(CodeCrashed)
		return
	}
	s := stream{dec: dec}
	c.mu.Lock()
	c.track = track
	c.jitter.Reset()
	c.trip.begin()
	c.mu.Unlock()
	defer c.stir()
	for {
		p, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		now := c.o.Now()
		c.lost.came(now)
		c.came(track, now, p.SequenceNumber)
		if !c.heard.Swap(true) {
			c.stir()
		}
		if c.take(track, now, &s, packet{p.SequenceNumber, p.Timestamp, p.Payload}) {
			c.unplayed()
		}
	}
}

// take takes a packet, if it is of the track that is heard and not too late, and says whether the caller's way has become slower: what was played meanwhile they may answer too early.
func (c *Call) take(track *webrtc.TrackRemote, now time.Time, s *stream, p packet) (slower bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.track != track {
		return false
	}
	late, slower := c.trip.came(now, p.seq, p.ts, c.sip)
	if !late {
		s.take(p, c.jitter.PutPCM)
	}
	return slower
}
