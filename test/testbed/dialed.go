package testbed

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	"github.com/zaf/g711"
)

const (
	packetTime = 20 * time.Millisecond
	packetPCM  = 160 // samples at 8000 a second
	keyPackets = 5   // of a key that is down for 100 ms
	keyPause   = 4   // packets of sound between two keys
	echoAfter  = 480 // samples
)

// Dialed is a call that was answered. Its sound is 8000 samples a second, in µ-law on the way. Like a telephone, it sends silence while there is nothing to send.
type Dialed struct {
	c       *Caller
	session *sipgo.DialogClientSession
	sound   *net.UDPConn
	to      *net.UDPAddr
	done    chan struct{} // closed when the call is over
	once    sync.Once
	parts   sync.WaitGroup
	carry   func(*net.UDPConn, *net.UDPAddr) // see Ring

	mu       sync.Mutex
	queue    []int16
	keys     []*keyDown
	pause    int       // packets until the next key
	rest     time.Time // and when that may be: of packets that leave at once, late, Asterisk would take two keys for one
	muted    bool
	echo     float64 // of what is heard, in what is sent
	received []int16
	spoken   []int16 // what was sent, from the answer on
	began    time.Time
	stream   stream
	torn     int // packets that are missing in what was heard
}

// keyDown is a key on its way.
type keyDown struct {
	event   byte
	packets int // for which it is down
	sent    int
	begun   uint32 // its timestamp
	done    chan struct{}
}

// stream is where the packets of one source lie in what was received.
type stream struct {
	known bool
	ssrc  uint32
	ts    uint32
	at    int // of the sample with that timestamp
	next  int // behind the newest sample
}

func newDialed(c *Caller, s *sipgo.DialogClientSession, sound *net.UDPConn) *Dialed {
	return &Dialed{c: c, session: s, sound: sound, done: make(chan struct{})}
}

func (d *Dialed) begin() {
	d.mu.Lock()
	d.began = time.Now()
	d.mu.Unlock()
	if d.carry != nil {
		d.parts.Go(func() { d.carry(d.sound, d.to) })
		return
	}
	d.parts.Go(d.send)
	d.parts.Go(d.receive)
}

// over ends what the telephone does for a call.
func (d *Dialed) over() {
	d.once.Do(func() {
		close(d.done)
		_ = d.sound.Close()
		d.parts.Wait()
		d.c.mu.Lock()
		delete(d.c.calls, d.session.InviteRequest.CallID().Value())
		d.c.mu.Unlock()
	})
}

// Send adds sound to what is sent, at the pace of speech. It does not wait.
func (d *Dialed) Send(pcm []int16) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = append(d.queue, pcm...)
}

// SendAt is Send, and says where the sound begins in Spoken, unless a key is pressed before it.
func (d *Dialed) SendAt(pcm []int16) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := len(d.spoken) + len(d.queue)
	d.queue = append(d.queue, pcm...)
	return at
}

// Began is when the call was answered, which is the time of the first sample of Spoken and Received.
func (d *Dialed) Began() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.began
}

// Sent says whether all sound was sent.
func (d *Dialed) Sent() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queue) == 0
}

// Mute has the telephone send nothing at all, not even silence, or lets it go on.
func (d *Dialed) Mute(yes bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.muted = yes
}

// Echo has the telephone give back what it hears: after 60 ms, and so much softer (0 to 1; 0 for no more).
func (d *Dialed) Echo(gain float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.echo = gain
}

// Spoken is all that was sent since the answer, silence where nothing was. It has the times of Received.
func (d *Dialed) Spoken() []int16 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]int16(nil), d.spoken...)
}

// Received is all that was heard since the answer, silence where nothing came.
func (d *Dialed) Received() []int16 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]int16(nil), d.received...)
}

// ReceivedFrom is what was heard from a sample on.
func (d *Dialed) ReceivedFrom(at int) []int16 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]int16(nil), d.received[min(at, len(d.received)):]...)
}

// Torn is how many packets are missing in what was heard: lost, or left out by who sent them.
func (d *Dialed) Torn() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.torn
}

// Press presses a key for 100 ms, as RFC 4733 has it, and waits until it was sent.
func (d *Dialed) Press(key rune) { d.PressFor(key, keyPackets*packetTime) }

// PressFor presses a key for so long.
func (d *Dialed) PressFor(key rune, held time.Duration) {
	event := strings.IndexRune("0123456789*#ABCD", key)
	if event < 0 {
		panic("no key of a telephone")
	}
	k := &keyDown{event: byte(event), packets: max(int(held/packetTime), 1), done: make(chan struct{})}
	d.mu.Lock()
	d.keys = append(d.keys, k)
	d.mu.Unlock()
	select {
	case <-k.done:
	case <-d.done:
	}
}

// HangUp ends the call.
func (d *Dialed) HangUp() {
	select {
	case <-d.done:
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = d.session.Bye(ctx)
	_ = d.session.Close()
	d.over()
}

// Vanish ends the telephone without a word to anybody, as one does whose battery is empty.
func (d *Dialed) Vanish() { d.over() }

// Done is closed when the call is over, whoever ended it.
func (d *Dialed) Done() <-chan struct{} { return d.done }

// send sends a packet each 20 ms.
func (d *Dialed) send() {
	h := packet{ssrc: rand.Uint32(), seq: uint16(rand.Uint32()), ts: rand.Uint32()} //nolint:gosec // chance, not secrecy
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := time.Duration(0); ; n++ {
		select {
		case <-d.done:
			return
		case <-timer.C:
		}
		timer.Reset(time.Until(d.began.Add((n + 1) * packetTime)))
		d.slot(&h)
		h.ts += packetPCM
	}
}

// slot sends what belongs to 20 ms: a piece of a key, or sound.
func (d *Dialed) slot(h *packet) {
	d.mu.Lock()
	var k *keyDown
	var pcm [packetPCM]int16
	muted := d.muted
	d.pause = max(d.pause-1, 0)
	switch {
	case len(d.keys) > 0 && (d.keys[0].sent > 0 || d.pause == 0 && !time.Now().Before(d.rest)):
		k = d.keys[0]
	case !muted:
		n := copy(pcm[:], d.queue)
		d.queue = d.queue[n:]
		for i, from := 0, len(d.spoken)-echoAfter; d.echo > 0 && i < packetPCM; i++ {
			if at := from + i; at >= 0 && at < len(d.received) {
				pcm[i] = int16(max(-32768, min(32767, float64(pcm[i])+d.echo*float64(d.received[at]))))
			}
		}
	}
	d.spoken = append(d.spoken, pcm[:]...)
	d.mu.Unlock()
	switch {
	case k != nil:
		d.key(h, k)
	case !muted:
		ulaw := make([]byte, packetPCM)
		for i, s := range pcm {
			ulaw[i] = g711.EncodeUlawFrame(s)
		}
		d.write(h, 0, h.ts, ulaw, false)
	}
}

// key sends the next piece of a key; the last three times, so that one arrives.
func (d *Dialed) key(h *packet, k *keyDown) {
	if k.sent == 0 {
		k.begun = h.ts
	}
	k.sent++
	end, times := byte(0), 1
	if k.sent > k.packets {
		end, times = 0x80, 3
	}
	length := min(k.sent, k.packets) * packetPCM
	for range times {
		d.write(h, 101, k.begun, []byte{k.event, end | 10, byte(length >> 8), byte(length)}, k.sent == 1)
	}
	if end == 0 {
		return
	}
	close(k.done)
	d.mu.Lock()
	d.keys, d.pause, d.rest = d.keys[1:], keyPause, time.Now().Add(keyPause*packetTime)
	d.mu.Unlock()
}

// packet is the head of the packets that are sent.
type packet struct {
	ssrc uint32
	seq  uint16
	ts   uint32
}

func (d *Dialed) write(h *packet, kind byte, ts uint32, payload []byte, marker bool) {
	b := make([]byte, 12, 12+len(payload))
	b[0], b[1] = 0x80, kind
	if marker {
		b[1] |= 0x80
	}
	binary.BigEndian.PutUint16(b[2:], h.seq)
	binary.BigEndian.PutUint32(b[4:], ts)
	binary.BigEndian.PutUint32(b[8:], h.ssrc)
	h.seq++
	_, _ = d.sound.WriteToUDP(append(b, payload...), d.to)
}

// receive keeps what comes.
func (d *Dialed) receive() {
	b := make([]byte, 2048)
	for {
		n, _, err := d.sound.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		if n > 12 && b[0]&0xcf == 0x80 && b[1]&0x7f == 0 {
			head := 12
			d.take(binary.BigEndian.Uint32(b[8:]), binary.BigEndian.Uint32(b[4:]), b[head:n])
		}
	}
}

// take puts sound at its place: by its timestamp, or by when it came, where the stream is new or its clock has jumped.
func (d *Dialed) take(ssrc, ts uint32, ulaw []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := int(time.Since(d.began) * 8000 / time.Second)
	at := d.stream.at + int(int32(ts-d.stream.ts)) //nolint:gosec // a timestamp wraps
	if !d.stream.known || d.stream.ssrc != ssrc || at < now-8000 || at > now+8000 {
		d.stream = stream{known: true, ssrc: ssrc, ts: ts, at: max(now, len(d.received))}
		at, d.stream.next = d.stream.at, d.stream.at
	}
	if at > d.stream.next {
		d.torn += (at - d.stream.next) / packetPCM
	}
	d.stream.next = max(d.stream.next, at+len(ulaw))
	for i, b := range ulaw {
		p := at + i
		if p < 0 {
			continue
		}
		for p >= len(d.received) {
			d.received = append(d.received, 0)
		}
		d.received[p] = g711.DecodeUlawFrame(b)
	}
}
