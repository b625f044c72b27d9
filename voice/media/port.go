package media

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/pion/rtp"
)

// pcmu is RTP's number for µ-law.
const pcmu = 0

// maxPacket is the longest packet that is read: 100 ms of sound are 800 bytes.
const maxPacket = 2048

// Options are what a Port is made of.
type Options struct {
	Local netip.AddrPort // where to listen: an address, and a port or 0 for any
	Now   func() time.Time

	// Peer is the one source that is heard, and where our sound goes. It may be named later, by Lock. With Learn, the first source of a valid packet is the peer,
	// until one is named: for a network on which nobody else sends. Without both, nothing is heard.
	Peer  netip.AddrPort
	Learn bool

	Jitter time.Duration // how long what comes is held back; 0 for 40 ms

	// OnTick is called every 20 ms, before the frame that leaves in the same 20 ms is taken from the queue; OnSlot once for each of them, in their order, when the peer's
	// sound of it has come or is no longer waited for, 400 ms later at most. One goroutine calls both. They must return within a few milliseconds, and may not keep the frames.
	OnTick func()
	OnSlot func(Slot)
}

// Slot is 20 ms of a call.
type Slot struct {
	At    time.Time // its beginning, on the even pace of the port, whenever it is handed out
	Near  *Frame    // what the peer sent, gaps covered
	Heard bool      // the peer's own sound stands in Near: it is neither silence nor what covers a gap
	Far   *Frame    // what we sent in the 20 ms before
}

// Stats counts what came and went.
type Stats struct {
	Received, Sent uint64
	Foreign        uint64 // packets from another source than the peer
	Bad            uint64 // what was no RTP of version 2, or held nothing
	OtherType      uint64 // packets of another kind than µ-law
	Streams        uint64 // times that the peer began another stream
	Refused        uint64 // frames that the network did not take
	Skipped        uint64 // slots in which nothing was sent, because the program came too late
	LastHeard      time.Time
	JitterStats
}

// Port is a UDP socket that carries the sound of one call. It may be used by several goroutines.
type Port struct {
	o    Options
	conn *net.UDPConn
	out  *Playback

	mu     sync.Mutex
	peer   netip.AddrPort
	jitter *Jitter
	stream source
	stats  Stats
}

// source follows the stream of the peer by its SSRC.
type source struct {
	known   bool
	ssrc    uint32
	waiting bool   // one packet of another stream came last
	other   uint32 // its SSRC
	next    uint16 // the number that its next packet has
}

// follow says whether a packet is one of the stream, and whether the stream is another than before. Another is believed at its second packet on end: what straggles
// from the one before does not throw the sound to and fro.
func (s *source) follow(ssrc uint32, seq uint16) (mine, changed bool) {
	switch {
	case !s.known:
		*s = source{known: true, ssrc: ssrc}
		return true, false
	case ssrc == s.ssrc:
		s.waiting = false
		return true, false
	case s.waiting && ssrc == s.other && seq == s.next:
		*s = source{known: true, ssrc: ssrc}
		return true, true
	}
	s.waiting, s.other, s.next = true, ssrc, seq+1
	return false, false
}

// Open binds the socket.
func Open(o Options) (*Port, error) {
	if o.Jitter <= 0 {
		o.Jitter = 2 * FrameTime
	}
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(o.Local))
	if err != nil {
		return nil, err
	}
	return &Port{o: o, conn: conn, out: NewPlayback(o.Now), peer: plain(o.Peer), jitter: NewJitter(o.Jitter)}, nil
}

// plain writes an address of IPv4 in one way.
func plain(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// Addr is where the port listens.
func (p *Port) Addr() netip.AddrPort {
	return plain(p.conn.LocalAddr().(*net.UDPAddr).AddrPort())
}

// Playback is the queue of what is played to the peer. While there is no peer, nothing is taken from it.
func (p *Port) Playback() *Playback { return p.out }

// Lock names the peer. If it was another, what that one sent is forgotten.
func (p *Port) Lock(peer netip.AddrPort) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if peer = plain(peer); peer != p.peer {
		p.peer, p.stream = peer, source{}
		p.jitter.Reset()
	}
	p.o.Learn = false
}

// Stats gives the counts so far.
func (p *Port) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.JitterStats = p.jitter.Stats
	return s
}

// Run reads and sends, a frame each 20 ms, until ctx ends or the socket fails; then it closes the queue and the socket. It is called once.
func (p *Port) Run(ctx context.Context) error {
	failed := make(chan error, 1)
	var wg sync.WaitGroup
	wg.Go(func() { failed <- p.read() })
	stop := context.AfterFunc(ctx, func() { _ = p.conn.Close() })
	pace := newPacer(p)
	err := pace.run(ctx, failed)
	stop()
	p.Close()
	wg.Wait()
	return err
}

// Close ends a port; one that never ran, too. Marks that wait answer that their sound was not played.
func (p *Port) Close() {
	p.out.Close()
	_ = p.conn.Close()
}

// read takes in packets until the socket is closed.
func (p *Port) read() error {
	buf := make([]byte, maxPacket)
	var packet rtp.Packet
	for {
		n, from, err := p.conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		p.take(&packet, buf[:n], from)
	}
}

// take looks at one packet. Who sent it is looked at first: what another source sends is not even parsed.
func (p *Port) take(packet *rtp.Packet, raw []byte, from netip.AddrPort) {
	p.mu.Lock()
	defer p.mu.Unlock()
	from = plain(from)
	known := p.peer.IsValid() && p.peer.Port() != 0
	if known && from != p.peer || !known && !p.o.Learn {
		p.stats.Foreign++
		return
	}
	if !parse(packet, raw) {
		p.stats.Bad++
		return
	}
	if packet.PayloadType != pcmu {
		p.stats.OtherType++
		return
	}
	p.peer = from
	mine, changed := p.stream.follow(packet.SSRC, packet.SequenceNumber)
	if !mine {
		return
	}
	if changed {
		p.stats.Streams++
		p.jitter.Reset()
	}
	p.stats.Received++
	p.stats.LastHeard = p.o.Now()
	p.jitter.Put(packet.Timestamp, packet.Payload)
}

// parse reads a packet into one that is used again.
func parse(packet *rtp.Packet, raw []byte) bool {
	return packet.Unmarshal(raw) == nil && packet.Version == 2 && len(packet.Payload) > 0
}
