package media

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/rtp"

	"readback/voice"
)

// far is the other end of a call, on a socket of its own.
type far struct {
	t    *testing.T
	conn *net.UDPConn
	h    rtp.Header
}

func newFar(t *testing.T) *far {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &far{t, conn, rtp.Header{Version: 2, SSRC: 77, SequenceNumber: 65530, Timestamp: 0xfffffe00}}
}

func (f *far) addr() netip.AddrPort { return plain(f.conn.LocalAddr().(*net.UDPAddr).AddrPort()) }

func (f *far) send(p *Port, payload []byte) {
	raw, err := (&rtp.Packet{Header: f.h, Payload: payload}).Marshal()
	if err != nil {
		f.t.Fatal(err)
	}
	f.h.SequenceNumber++
	f.h.Timestamp += uint32(len(payload))
	f.raw(p, raw)
}

func (f *far) raw(p *Port, b []byte) {
	if _, err := f.conn.WriteToUDPAddrPort(b, p.Addr()); err != nil {
		f.t.Error(err)
	}
}

func (f *far) read() (rtp.Packet, time.Time) {
	f.t.Helper()
	buf := make([]byte, 2000)
	f.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	n, _, err := f.conn.ReadFromUDPAddrPort(buf)
	at := time.Now()
	if err != nil {
		f.t.Fatal(err)
	}
	var p rtp.Packet
	if err := p.Unmarshal(buf[:n]); err != nil {
		f.t.Fatal(err)
	}
	return p, at
}

func open(t *testing.T, o Options) *Port {
	t.Helper()
	o.Local, o.Now = netip.MustParseAddrPort("127.0.0.1:0"), time.Now
	p, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("the port ended with %v", err)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return p
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s in vain", what)
		}
	}
}

// levels keeps whether anything loud was ever heard.
type levels struct{ loud, slots atomic.Int64 }

func (l *levels) slot(s Slot) {
	l.slots.Add(1)
	for _, v := range s.Near {
		if v > 500 || v < -500 {
			l.loud.Add(1)
			return
		}
	}
}

var loud = law(-12) // a µ-law code far from silence

func TestOnlyThePeerIsHeard(t *testing.T) {
	for name, learn := range map[string]bool{"named": false, "learned": true} {
		t.Run(name, func(t *testing.T) {
			var l levels
			peer, thief := newFar(t), newFar(t)
			o := Options{OnSlot: l.slot, Learn: learn}
			if !learn {
				o.Peer = peer.addr()
			}
			p := open(t, o)
			quiet := make([]byte, FrameSamples)
			for i := range quiet {
				quiet[i] = 0xff
			}
			peer.send(p, quiet)
			until(t, "the peer's packet", func() bool { return p.Stats().Received == 1 })
			thief.h = peer.h // it guesses everything but the address
			for range 30 {
				thief.send(p, loud)
			}
			until(t, "the packets of a stranger", func() bool { return p.Stats().Foreign == 30 })
			from := l.slots.Load()
			until(t, "ten slots", func() bool { return l.slots.Load() > from+10 })
			if l.loud.Load() > 0 {
				t.Error("a stranger was heard")
			}
			until(t, "the peer", func() bool { peer.send(p, loud); return l.loud.Load() > 0 })
		})
	}
}

func TestNothingIsHeardBeforeAPeerIsNamed(t *testing.T) {
	var l levels
	early, peer := newFar(t), newFar(t)
	p := open(t, Options{OnSlot: l.slot})
	early.send(p, loud)
	until(t, "the early packet", func() bool { return p.Stats().Foreign == 1 })
	p.Lock(peer.addr())
	peer.send(p, loud)
	until(t, "the peer", func() bool { return l.loud.Load() > 0 })
	if s := p.Stats(); s.Received != 1 || s.Foreign != 1 {
		t.Errorf("%+v", s)
	}
}

// whoever names nobody has heard enough: no source is learned any more.
func TestNobodyIsLearnedAfterALock(t *testing.T) {
	other := newFar(t)
	p := open(t, Options{Learn: true})
	p.Lock(netip.AddrPort{})
	other.send(p, loud)
	until(t, "the packet", func() bool { return p.Stats().Foreign == 1 })
}

// what a first source sent is forgotten when another is named.
func TestANamedPeerTakesThePlaceOfALearnedOne(t *testing.T) {
	var l levels
	thief, peer := newFar(t), newFar(t)
	p := open(t, Options{OnSlot: l.slot, Learn: true, Jitter: 400 * time.Millisecond})
	for range 10 {
		thief.send(p, loud)
	}
	until(t, "the first source", func() bool { return p.Stats().Received == 10 })
	p.Lock(peer.addr())
	from := l.slots.Load()
	until(t, "what would have been heard", func() bool { return l.slots.Load() > from+35 })
	if l.loud.Load() > 0 {
		t.Error("what was sent before the peer was named is heard after it")
	}
	pkt, _ := peer.read()
	if pkt.SSRC == 0 {
		t.Error("nothing is sent to the named peer")
	}
}

func TestWhatIsNoSoundIsCounted(t *testing.T) {
	peer := newFar(t)
	p := open(t, Options{Peer: peer.addr()})
	peer.raw(p, []byte("x"))
	peer.raw(p, []byte{0x40, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}) // version 1
	peer.send(p, nil)
	peer.h.PayloadType = 101
	peer.send(p, []byte{1, 0x80, 0, 160})
	until(t, "four packets", func() bool { s := p.Stats(); return s.Bad == 3 && s.OtherType == 1 })
}

// a new SSRC is followed at its second packet, and what straggles from the old one does not bring it back.
func TestStreamsFollowOneAnother(t *testing.T) {
	peer := newFar(t)
	p := open(t, Options{Peer: peer.addr()})
	peer.send(p, law(1))
	peer.send(p, law(1))
	old := peer.h
	peer.h.SSRC, peer.h.SequenceNumber, peer.h.Timestamp = 99, 5, 12345
	for range 3 {
		peer.send(p, law(2))
	}
	until(t, "the second stream", func() bool { s := p.Stats(); return s.Streams == 1 && s.Received == 4 })
	next := peer.h
	peer.h = old
	peer.send(p, law(1))
	peer.h = next
	peer.send(p, law(2))
	until(t, "the straggler to be left out", func() bool { return p.Stats().Received == 5 })
	if p.Stats().Streams != 1 {
		t.Errorf("%+v", p.Stats())
	}
}

// silence leaves at an even pace from the first moment; numbers and times follow one another, and the schedule does not drift.
func TestPaceIsEvenWhenIdle(t *testing.T) {
	peer := newFar(t)
	p := open(t, Options{Peer: peer.addr()})
	first, began := peer.read()
	if !first.Marker || first.PayloadType != 0 || len(first.Payload) != FrameSamples {
		t.Errorf("first packet: %+v", first.Header)
	}
	last, at := first, began
	for range 50 {
		last, at = peer.read()
		for _, b := range last.Payload {
			if decode(b) != 0 {
				t.Fatal("silence is not silent")
			}
		}
	}
	slots := (last.Timestamp - first.Timestamp) / FrameSamples
	if n := last.SequenceNumber - first.SequenceNumber; n != 50 || last.SSRC != first.SSRC || last.Marker {
		t.Errorf("%d packets, %+v", n, last.Header)
	}
	if off := at.Sub(began) - time.Duration(slots)*FrameTime; off > 100*time.Millisecond || off < -100*time.Millisecond {
		t.Errorf("%d slots took %v", slots, at.Sub(began))
	}
	if s := p.Stats(); s.Refused > 0 {
		t.Errorf("%+v", s)
	}
}

// after a long stall the time that was lost is silence for the peer, but for its last 60 ms: no long burst, no number left out; and the peer's own sound of that time is not lost.
func TestAStallIsFollowedByNoLongBurst(t *testing.T) {
	peer := newFar(t)
	release := make(chan struct{})
	var stalled sync.Once
	var heardPackets, slots atomic.Int64
	in := make(chan struct{})
	var last time.Time
	p := open(t, Options{Peer: peer.addr(), OnSlot: func(s Slot) {
		if !last.IsZero() && s.At.Sub(last) != FrameTime {
			t.Errorf("a slot at %v after one at %v: the peer's sound lost time", s.At, last)
		}
		last = s.At
		if slots.Add(1) == 10 {
			stalled.Do(func() { close(in); <-release })
		}
		if s.Heard {
			heardPackets.Add(1)
		}
	}})
	if err := p.Playback().Play(t.Context(), sound(time.Second)); err != nil {
		t.Fatal(err)
	}
	<-in
	for range 15 {
		peer.send(p, loud)
	}
	until(t, "the packets of the stall", func() bool { return p.Stats().Received == 15 })
	began := time.Now()
	until(t, "300 ms", func() bool { return time.Since(began) > 300*time.Millisecond })
	close(release)
	var seq uint16
	var ts uint32
	gaps, begun := uint32(0), false
	var times []time.Time
	for i := range 40 {
		pkt, at := peer.read()
		if i > 0 {
			if pkt.SequenceNumber != seq+1 {
				t.Fatalf("number %d after %d", pkt.SequenceNumber, seq)
			}
			gaps += (pkt.Timestamp-ts)/FrameSamples - 1
		}
		seq, ts = pkt.SequenceNumber, pkt.Timestamp
		times = append(times, at)
		if is := decode(pkt.Payload[0]) != 0; is {
			begun = true
		} else if begun {
			t.Fatalf("packet %d is silent: sound was lost in the stall", i)
		}
	}
	if gaps < 11 || uint64(gaps) > p.Stats().Skipped {
		t.Errorf("%d slots were left out, counted %d", gaps, p.Stats().Skipped)
	}
	// What came out of 40 packets' time: at least that of all but those before the stall, and those that leave at once behind it and, on a busy machine, at the end.
	if span := times[39].Sub(times[12]); span < 20*FrameTime-15*time.Millisecond {
		t.Errorf("27 packets came within %v", span)
	}
	until(t, "the peer's sound", func() bool { return heardPackets.Load() == 15 })
}

// a pace that trembles tears no hole into what is said, and a mark in it is answered no sooner than in the next 20 ms.
func TestInvariant10APaceThatTrembles(t *testing.T) {
	peer := newFar(t)
	began := time.Now()
	var ahead, slots atomic.Int64 // the clock stands but for the test
	p, err := Open(Options{
		Local: netip.MustParseAddrPort("127.0.0.1:0"), Peer: peer.addr(), OnSlot: func(Slot) { slots.Add(1) },
		Now: func() time.Time { return began.Add(time.Duration(ahead.Load()) * FrameTime) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = p.Run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
	last, _ := peer.read()
	until(t, "the first slot", func() bool { return p.Stats().Sent == 1 })
	pass := func(frames int64) (packets, holes int) {
		t.Helper()
		from := p.Stats()
		ahead.Add(frames)
		until(t, "the slots", func() bool { return slots.Load() == ahead.Load()+1 })
		until(t, "what was sent", func() bool { s := p.Stats(); return s.Sent+s.Skipped-from.Sent-from.Skipped == uint64(frames) })
		for range p.Stats().Sent - from.Sent {
			next, _ := peer.read()
			packets, holes = packets+1, holes+int((next.Timestamp-last.Timestamp)/FrameSamples)-1
			last = next
		}
		return packets, holes
	}
	if err := p.Playback().Play(ctx, sound(7*FrameTime)); err != nil {
		t.Fatal(err)
	}
	within := p.Playback().Mark()
	if err := p.Playback().Play(ctx, sound(FrameTime)); err != nil {
		t.Fatal(err)
	}
	mark := p.Playback().Mark()
	for _, frames := range []int{1, 2, 4} {
		if packets, holes := pass(int64(frames)); packets != frames || holes != 0 {
			t.Errorf("%d slots at once: %d packets and %d slots of silence", frames, packets, holes)
		}
	}
	silent(t, within) // its last frame has left, and has not sounded
	if packets, holes := pass(10); packets != 4 || holes != 6 {
		t.Errorf("ten slots at once: %d packets and %d slots of silence", packets, holes)
	}
	answer(t, within)
	silent(t, mark) // it left at the beginning of this burst
	pass(1)
	if got := answer(t, mark); !got.Played {
		t.Errorf("%+v", got)
	}
}

func TestInvariant10NothingIsPlayedToNobody(t *testing.T) {
	var l levels
	p := open(t, Options{OnSlot: l.slot})
	if err := p.Playback().Play(t.Context(), sound(40*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	m := p.Playback().Mark()
	until(t, "ten slots", func() bool { return l.slots.Load() > 10 })
	silent(t, m)
	peer := newFar(t)
	p.Lock(peer.addr())
	pkt, _ := peer.read()
	if decode(pkt.Payload[0]) < 500 {
		t.Error("the sound does not begin when there is somebody to hear it")
	}
	select {
	case got := <-m:
		if !got.Played {
			t.Errorf("%+v", got)
		}
	case <-time.After(5 * time.Second):
		t.Error("no answer")
	}
}

// a network that takes nothing (an address that cannot be reached from here) plays nothing.
func TestInvariant10APeerThatCannotBeReachedHearsNothing(t *testing.T) {
	p := open(t, Options{Peer: netip.MustParseAddrPort("[2001:db8::1]:4000")}) // a socket of IPv4 cannot send there
	if err := p.Playback().Play(t.Context(), sound(40*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-p.Playback().Mark():
		if got.Played {
			t.Errorf("%+v", got)
		}
	case <-time.After(5 * time.Second):
		t.Error("no answer")
	}
	if p.Stats().Refused == 0 {
		t.Errorf("%+v", p.Stats())
	}
}

func TestAPortThatEndsAnswers(t *testing.T) {
	p, err := Open(Options{Local: netip.MustParseAddrPort("127.0.0.1:0"), Now: time.Now, Peer: netip.MustParseAddrPort("127.0.0.1:9")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.Run(ctx) }()
	if err := p.Playback().Play(ctx, sound(time.Second)); err != nil {
		t.Fatal(err)
	}
	m := p.Playback().Mark()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := <-m; got.Played {
		t.Errorf("%+v", got)
	}
	if _, err := Open(Options{Local: netip.MustParseAddrPort("192.0.2.1:0"), Now: time.Now}); err == nil {
		t.Error("a port opened on an address that is not here")
	}
}

func TestInletKeepsTheNewest(t *testing.T) {
	in := NewInlet(3)
	for k := range 5 {
		f := Frame{int16(k)}
		in.Put(&f)
	}
	in.Close()
	for _, want := range []int16{2, 3, 4} {
		f, err := in.Hear(t.Context())
		if err != nil || f.Samples[0] != want || f.Rate != Rate {
			t.Errorf("%v, %v", f.Samples[0], err)
		}
	}
	for range 2 {
		if _, err := in.Hear(t.Context()); !errors.Is(err, voice.ErrHungUp) {
			t.Error(err)
		}
	}
	if in.Lost() != 2 {
		t.Errorf("%d lost", in.Lost())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewInlet(1).Hear(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzPacket(f *testing.F) {
	good, _ := (&rtp.Packet{Header: rtp.Header{Version: 2, SSRC: 5, CSRC: []uint32{1, 2}, Timestamp: 160}, Payload: law(1)}).Marshal()
	f.Add(good)
	f.Add(good[:12])
	from := netip.MustParseAddrPort("127.0.0.1:4000")
	f.Fuzz(func(t *testing.T, b []byte) {
		p := &Port{o: Options{Now: time.Now}, peer: from, jitter: NewJitter(40 * time.Millisecond)}
		var pkt rtp.Packet
		for range 3 {
			p.take(&pkt, b, from)
		}
		if s := p.stats; s.Bad+s.OtherType+s.Received != 3 {
			t.Errorf("%+v", s)
		}
		var out Frame
		p.jitter.Next(&out)
	})
}

// BenchmarkSlot is all that a call costs in 20 ms: one packet taken in, one frame handed out, one encoded and sent.
func BenchmarkSlot(b *testing.B) {
	sink, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		b.Fatal(err)
	}
	defer sink.Close()
	peer := plain(sink.LocalAddr().(*net.UDPAddr).AddrPort())
	p, err := Open(Options{Local: netip.MustParseAddrPort("127.0.0.1:0"), Now: time.Now, Peer: peer, OnSlot: func(Slot) {}})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	raw, _ := (&rtp.Packet{Header: rtp.Header{Version: 2, SSRC: 5}, Payload: law(1)}).Marshal()
	c, pkt, at := newPacer(p), rtp.Packet{}, time.Now()
	b.ReportAllocs()
	ts := uint32(0)
	for b.Loop() {
		ts += FrameSamples
		raw[4], raw[5], raw[6], raw[7] = byte(ts>>24), byte(ts>>16), byte(ts>>8), byte(ts)
		p.take(&pkt, raw, peer)
		c.tick(at)
		p.out.Slot(at)
		c.send()
		c.hear()
	}
}
