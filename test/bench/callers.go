package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/zaf/g711"

	"readback/test/testbed"
	"readback/voice/media"
)

// The callers are a process of their own, so that what they cost is not counted as the program's. They dial, say that they are up, begin at a line from their standard
// input, print what they found as one line of JSON, and hang up when the input ends. Their sound is made beforehand, and one goroutine sends it for all.

// ordered is what callers are to do.
type ordered struct {
	SIP   netip.AddrPort
	To    string        // the extension, or how the names of rooms begin
	Calls int           // at once
	For   time.Duration // from the beginning on
	Talk  bool          // they speak, and listen for the program's tone; else each of their frames is to come back

	Rooms, Key, Secret string // the LiveKit server, if it is that
}

// found is what callers found.
type found struct {
	Sent, Missing, Twice int      // frames that were to come back
	Round                []int64  // of each that did, µs
	Answer               []int64  // from the last packet of speech to the first of the answer, µs
	Stop                 []int64  // from the packet with which 0.3 s of speech were sent to the last that was not silent, µs
	Hushed               []hushed // the same stops, to be compared with when the program noticed
	Unheard              int      // times that speech was not answered
}

// hushed is a tone that ended because the caller spoke.
type hushed struct {
	Call int
	At   int64 // of its last packet, ns since 1970
}

const (
	head      = 12              // of a packet
	slot      = 160             // bytes of a packet's sound
	perSecond = 50              // packets
	straggle  = time.Second     // in which what was sent may still come back
	speechFor = 30              // packets of speech
	bargeAt   = 15              // packets that are 0.3 s
	toneFor   = 800             // ms of tone at least, before it is spoken over
	deaf      = 4 * time.Second // without an answer the caller speaks again
)

func callersMain(order string) error {
	var o ordered
	if err := json.Unmarshal([]byte(order), &o); err != nil {
		return err
	}
	t := newBench(context.Background())
	err := t.run(func() { callFor(t, o) })
	if ended := t.end(); err == nil {
		err = ended
	}
	return err
}

// end is the caller's end of one call.
type end interface {
	ready() <-chan struct{} // closed when it was answered
	send()                  // the next packet
	begin(at time.Time)
	report(to *found)
}

func callFor(t *bench, o ordered) {
	var far []end
	if o.Rooms != "" {
		for _, g := range visit(t, o) {
			far = append(far, g)
		}
	} else {
		for i := range o.Calls {
			far = append(far, &farEnd{o: o, n: i, ssrc: rand.Uint32(), opened: make(chan struct{})}) //nolint:gosec // chance, not secrecy
		}
	}
	stop := make(chan struct{})
	var pacing sync.WaitGroup
	pacing.Go(func() { pace(far, stop) })
	defer func() { close(stop); pacing.Wait() }()
	if o.Rooms == "" {
		defer dial(t, o, far)()
	}
	if t.Failed() {
		return
	}

	in := bufio.NewReader(os.Stdin)
	fmt.Println("up")
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	for _, f := range far {
		f.begin(begin)
	}
	time.Sleep(time.Until(begin.Add(o.For + straggle)))
	var f found
	for _, c := range far {
		c.report(&f)
	}
	out, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(string(out))
	_, _ = in.ReadString('\n')
}

// dial has telephones call, and gives what hangs them up.
func dial(t *bench, o ordered, far []end) (hangUp func()) {
	phone := (&testbed.Bed{SIP: o.SIP}).NewCaller(t)
	dialed := make([]*testbed.Dialed, o.Calls)
	var all sync.WaitGroup
	turn := make(chan struct{}, 8) // dialling at once
	for i, f := range far {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			var err error
			if dialed[i], err = phone.Dial(ctx, testbed.Ring{To: o.To, From: fromOf(i), Carry: f.(*farEnd).carry}); err != nil { //nolint:forcetypeassert // see callFor
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	all.Wait()
	return func() {
		for _, d := range dialed {
			if d != nil {
				all.Go(d.HangUp)
			}
		}
		all.Wait()
	}
}

// fromOf is the number of a caller, by which the program's side knows which call is whose.
func fromOf(i int) string { return fmt.Sprintf("+1514555%04d", 1000+i) }

// pace sends a packet of each call every 20 ms, the calls spread evenly over them, as those of people are.
func pace(far []end, stop <-chan struct{}) {
	start := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := 0; ; n++ {
		due := start.Add(time.Duration(n) * media.FrameTime / time.Duration(len(far)))
		if wait := time.Until(due); wait > 0 {
			timer.Reset(wait)
			select {
			case <-timer.C:
			case <-stop:
				return
			}
		}
		select {
		case <-stop:
			return
		default:
		}
		f := far[n%len(far)]
		select {
		case <-f.ready():
			f.send()
		default: // not answered yet
		}
	}
}

// farEnd is a caller's end of one call.
type farEnd struct {
	o      ordered
	n      int
	ssrc   uint32
	opened chan struct{}
	conn   *net.UDPConn
	to     netip.AddrPort

	packet [head + slot]byte
	seq    uint16
	ts     uint32

	mu         sync.Mutex
	begun      time.Time // zero before
	sent       []int64   // when each numbered frame was, ns since begun; 0 once it came back, below 0 where it came again
	round      []int64
	twice      int
	speaking   int       // packets of speech that are still to be sent
	speakAt    time.Time // when to begin; zero: not known yet
	spoken     time.Time // when the last packet of speech was sent; zero while it is not, or was answered
	barged     time.Time // when that with which 0.3 s were full was
	over       bool      // it was spoken over a tone, of which the end was not heard yet
	loud       time.Time // when the last packet came that was not silent
	first      bool      // the first answer is behind us
	answer     []int64
	stops      []int64
	hushed     []hushed
	unheard    int
	waitedFrom time.Time
}

// carry reads until the call is over.
func (f *farEnd) carry(conn *net.UDPConn, to *net.UDPAddr) {
	f.conn, f.to = conn, to.AddrPort()
	f.to = netip.AddrPortFrom(f.to.Addr().Unmap(), f.to.Port())
	f.packet[0] = 0x80
	binary.BigEndian.PutUint32(f.packet[8:], f.ssrc)
	close(f.opened)
	b := make([]byte, 2048)
	for {
		n, _, err := conn.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		if n < head+slot || b[1]&0x7f != 0 {
			continue
		}
		now := time.Now()
		f.mu.Lock()
		if f.o.Talk {
			f.hear(b[head:n], now)
		} else {
			f.back(b[head:n], now)
		}
		f.mu.Unlock()
	}
}

func (f *farEnd) ready() <-chan struct{} { return f.opened }

func (f *farEnd) begin(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	// They speak for the first time within two seconds, not all at once.
	f.begun, f.waitedFrom = at, at.Add(time.Duration(rand.IntN(2000))*time.Millisecond-deaf) //nolint:gosec // chance, not secrecy
}

// send sends the next packet.
func (f *farEnd) send() {
	f.mu.Lock()
	defer f.mu.Unlock()
	sound := f.packet[head:]
	now := time.Now()
	switch {
	case f.begun.IsZero() || now.Sub(f.begun) > f.o.For:
		copy(sound, quietFrame[:])
	case f.o.Talk:
		copy(sound, f.speak(now))
	default:
		number(sound, len(f.sent))
		f.sent = append(f.sent, int64(now.Sub(f.begun))+1)
	}
	binary.BigEndian.PutUint16(f.packet[2:], f.seq)
	binary.BigEndian.PutUint32(f.packet[4:], f.ts)
	f.seq++
	f.ts += slot
	_, _ = f.conn.WriteToUDPAddrPort(f.packet[:], f.to)
}

// The two sounds of which a frame's number is made: nothing, and what is softer than anybody hears. µ-law brings both back as they were.
const zeroSound, oneSound = 0xff, 0xfc

// sync marks a frame that has a number, and bits is how long that is.
var sync4 = [4]byte{oneSound, zeroSound, oneSound, oneSound}

const bits = 20

func number(sound []byte, n int) {
	copy(sound, quietFrame[:])
	copy(sound, sync4[:])
	for i := range bits {
		if n>>i&1 == 1 {
			sound[len(sync4)+i] = oneSound
		}
	}
}

// numberOf reads a frame's number; false where it has none, whole.
func numberOf(sound []byte) (n int, ok bool) {
	if [4]byte(sound[:4]) != sync4 {
		return 0, false
	}
	for i, b := range sound[len(sync4) : len(sync4)+bits] {
		switch b {
		case oneSound:
			n |= 1 << i
		case zeroSound:
		default:
			return 0, false
		}
	}
	return n, true
}

// back takes a frame that came back.
func (f *farEnd) back(sound []byte, now time.Time) {
	n, ok := numberOf(sound)
	if !ok || n >= len(f.sent) {
		return
	}
	if f.sent[n] <= 0 {
		f.twice++
		return
	}
	f.round = append(f.round, (int64(now.Sub(f.begun))+1-f.sent[n])/1000)
	f.sent[n] = 0
}

// speak gives the next 20 ms of what the caller says.
func (f *farEnd) speak(now time.Time) []byte {
	switch {
	case f.speaking > 0:
		k := speechFor - f.speaking
		f.speaking--
		switch {
		case k == bargeAt-1:
			f.barged = now
		case f.speaking == 0:
			f.spoken, f.waitedFrom = now, now
		}
		return speech[k*slot : (k+1)*slot]
	case !f.speakAt.IsZero() && now.After(f.speakAt):
		f.speaking, f.speakAt, f.barged, f.over = speechFor, time.Time{}, time.Time{}, now.Sub(f.loud) < 2*media.FrameTime
	case f.speakAt.IsZero() && now.Sub(f.waitedFrom) > deaf:
		if !f.spoken.IsZero() {
			f.unheard++
			f.spoken = time.Time{}
		}
		f.waitedFrom = now
		f.speaking, f.barged, f.over = speechFor, time.Time{}, false
	}
	return quietFrame[:]
}

// hear takes a packet of the program's tone, or of its silence.
func (f *farEnd) hear(sound []byte, now time.Time) {
	if f.begun.IsZero() {
		return
	}
	if !isLoud(sound) {
		// The tone has ended, for the caller speaks: what was heard last of it is known now.
		if f.over && !f.barged.IsZero() && now.Sub(f.loud) > 10*media.FrameTime {
			f.over = false
			if f.first && f.loud.After(f.barged) {
				f.stops = append(f.stops, int64(f.loud.Sub(f.barged)/1000))
				f.hushed = append(f.hushed, hushed{f.n, f.loud.UnixNano()})
			}
			f.barged = time.Time{}
		}
		return
	}
	fresh := now.Sub(f.loud) > 10*media.FrameTime
	f.loud = now
	if !fresh {
		return
	}
	if !f.spoken.IsZero() {
		if f.first { // before it, the line is set up and the ears have not learnt
			f.answer = append(f.answer, int64(now.Sub(f.spoken)/1000))
		}
		f.first = true
		f.spoken = time.Time{}
	}
	f.speakAt = now.Add(time.Duration(toneFor+rand.IntN(400)) * time.Millisecond) //nolint:gosec // chance, not secrecy
}

func isLoud(sound []byte) bool {
	for _, b := range sound {
		if s := g711.DecodeUlawFrame(b); s > 200 || s < -200 {
			return true
		}
	}
	return false
}

func (f *farEnd) report(to *found) {
	f.mu.Lock()
	defer f.mu.Unlock()
	to.Sent += len(f.sent)
	for _, at := range f.sent {
		if at > 0 {
			to.Missing++
		}
	}
	to.Twice += f.twice
	to.Unheard += f.unheard
	to.Round = append(to.Round, f.round...)
	to.Answer = append(to.Answer, f.answer...)
	to.Stop = append(to.Stop, f.stops...)
	to.Hushed = append(to.Hushed, f.hushed...)
}

var (
	quietFrame = [slot]byte(slices.Repeat([]byte{zeroSound}, slot))
	speech     = voiced(speechFor * slot)
)

// voiced is a sound like speech: a voice whose pitch and vowels glide. It begins and ends at once, so that one knows when.
func voiced(n int) []byte {
	out := make([]byte, n)
	phase := 0.0
	for i := range out {
		at := 2 * math.Pi * float64(i) / media.Rate
		pitch := 125 + 25*math.Sin(2.1*at)
		phase += 2 * math.Pi * pitch / media.Rate
		low, high := 550+250*math.Sin(3.3*at), 1500+500*math.Sin(2.7*at+1)
		v := 0.0
		for k := 1.0; k*pitch < 3400; k++ {
			v += (1/(1+square((k*pitch-low)/90)) + 0.6/(1+square((k*pitch-high)/120)) + 0.02) * math.Sin(k*phase)
		}
		out[i] = g711.EncodeUlawFrame(int16(4000 * v * min(1, float64(i)/80)))
	}
	return out
}

func square(x float64) float64 { return x * x }
