package media

import "time"

// The bounds of the jitter buffer, in samples.
const (
	ringSamples = 8192 // about a second: what lies further ahead is another stream's clock
	fadeFrames  = 3    // a gap is covered with what was heard last for so long, then with silence
	stray       = 3    // so many packets on end beside the buffer, and the stream has jumped
	window      = 100  // packets over which the mean of what waits is taken
	waits       = 20   // frames that may be handed out later than their time, where they are late: 400 ms
)

// Jitter puts the packets of a stream into the order of their timestamps and holds them back by a fixed time, so that those that come late are still in time. It is
// bounded: about a second of sound, whatever comes. Packets may hold any number of samples. Who calls Next each 20 ms gets sound at an even pace, and what comes too late is lost; who calls
// Tick, and Next as often as it is Due, gets it as it comes. It is not safe for concurrent use.
type Jitter struct {
	target   int64
	pcm      [ringSamples]int16
	there    [ringSamples]bool
	begun    bool
	base     uint32 // the timestamp that stands for place 0
	head     int64  // the place of the next sample to be played
	newest   int64  // the place behind the last sample that came
	strays   int    // packets on end beside the buffer
	straying int64  // where the head was at the first of them
	last     Frame  // what was heard last, to cover a gap with
	covered  int    // gaps on end that were covered
	sum      int64  // of what waited at each packet, in this window
	counted  int64
	skew     int64 // frames to leave out (more than 0) or to put in (less)
	owed     int   // frames whose time has come by Tick, and that are not handed out
	quiet    bool  // the stream has sent nothing for so long that nothing is waited for

	Stats JitterStats
}

// JitterStats counts what became of packets and frames.
type JitterStats struct {
	Late    uint64 // packets that came when their time had passed, or were a second copy
	Jumps   uint64 // times that the stream's clock jumped and the buffer began anew
	Covered uint64 // frames of which a part was missing while the stream went on
	Skewed  uint64 // frames left out or put in because the peer's clock runs otherwise
}

// NewJitter makes a buffer that holds sound back by target, from 0 to half a second.
func NewJitter(target time.Duration) *Jitter {
	return &Jitter{target: int64(samples(min(max(target, 0), 500*time.Millisecond)))}
}

// Reset forgets the stream and all of its sound, for the next one.
func (j *Jitter) Reset() { *j = Jitter{target: j.target, owed: j.owed, Stats: j.Stats} }

// begin begins anew at a packet. It lies at place target, and the head at 0: so long is it held back.
func (j *Jitter) begin(ts uint32) {
	*j = Jitter{target: j.target, last: j.last, covered: j.covered, owed: j.owed, Stats: j.Stats, begun: true, base: ts, newest: j.target}
}

// Put takes the µ-law of one packet.
func (j *Jitter) Put(ts uint32, ulaw []byte) {
	if len(ulaw) > ringSamples/4 {
		return
	}
	var pcm [ringSamples / 4]int16
	j.PutPCM(ts, pcm[:DecodeULaw(pcm[:], ulaw)])
}

// PutPCM takes the sound of one packet, a quarter of a second at most. The timestamp counts samples of a telephone line.
func (j *Jitter) PutPCM(ts uint32, pcm []int16) {
	n := int64(len(pcm))
	if n == 0 || n > ringSamples/4 {
		return
	}
	if !j.begun {
		j.begin(ts)
	}
	// Its place, by the shorter way round from the newest sample: a timestamp wraps after six days.
	newest := j.base + uint32(j.newest-j.target)
	at := j.newest + int64(int32(ts-newest))
	switch {
	case at+n <= j.head: // all of it is late
		if !j.jumped() {
			j.Stats.Late++
			return
		}
		j.begin(ts)
		at = j.target
	case at+n > j.head+ringSamples: // too far ahead
		if !j.jumped() {
			return
		}
		j.begin(ts)
		at = j.target
	}
	j.strays = 0
	second := true
	for i, v := range pcm {
		if p := at + int64(i); p >= j.head {
			k := p & (ringSamples - 1)
			if !j.there[k] {
				second = false
				j.there[k] = true
				j.pcm[k] = v
			}
		}
	}
	if second {
		j.Stats.Late++
		return
	}
	j.newest = max(j.newest, at+n)
	if due := j.head + int64(j.owed)*FrameSamples; at+n > due { // what was late tells of a stall, and not of a clock
		j.measure(at - due)
	}
}

// jumped notes a packet beside the buffer and says whether the stream's clock has jumped: a burst of late packets comes at once, and those that follow it are in
// time; after a jump all are beside it, for as long as one looks.
func (j *Jitter) jumped() bool {
	if j.strays == 0 {
		j.straying = j.head
	}
	if j.strays++; j.strays < stray || j.head-j.straying < (stray-1)*FrameSamples {
		return false
	}
	j.Stats.Jumps++
	return true
}

// measure compares what waits, in the mean, with the target: a peer whose clock is a little faster than ours would fill the buffer for ever, and one that is slower would
// empty it.
func (j *Jitter) measure(ahead int64) {
	j.sum += ahead
	if j.counted++; j.counted < window {
		return
	}
	mean := j.sum / j.counted
	j.sum, j.counted = 0, 0
	switch {
	case mean > j.target+FrameSamples+FrameSamples/2:
		j.skew = 1
	case mean < j.target/2-FrameSamples/2:
		j.skew = -1
	}
}

// Tick says that 20 ms have passed, for who hands out sound a little late rather than lose it: who only listens need not be given it at an even pace. What is late, of a stream that went on
// until just now, is then waited for, for 400 ms. Where nothing comes for so long, nothing more is waited for until something does.
func (j *Jitter) Tick() { j.owed++ }

// Due says whether Next is to be called: the time of its 20 ms has come, by Tick, and their sound, or that of later ones, is there or not waited for.
func (j *Jitter) Due() bool {
	if j.owed == 0 {
		return false
	}
	if !j.begun {
		return true
	}
	if j.head+FrameSamples <= j.newest {
		j.quiet = false
		return true
	}
	j.quiet = j.quiet || j.owed > waits
	return j.quiet
}

// Next gives the next 20 ms, gaps covered, and says whether the peer's sound stands in it: false for silence and for what covers a gap.
func (j *Jitter) Next(out *Frame) bool {
	j.owed = max(0, j.owed-1)
	if !j.begun {
		*out = Frame{}
		return false
	}
	switch {
	case j.skew > 0:
		j.take(out)
		j.Stats.Skewed++
	case j.skew < 0:
		j.skew = 0
		j.Stats.Skewed++
		j.cover(out)
		return false
	}
	j.skew = 0
	missing := j.take(out)
	if missing == 0 {
		j.last, j.covered = *out, 0
		return true
	}
	if j.head < j.newest && j.last != (Frame{}) { // the stream goes on: this is a gap and not its beginning or end
		j.Stats.Covered++
	}
	if missing == FrameSamples {
		j.cover(out)
		return false
	}
	return true
}

// take moves the next 20 ms out of the ring. What is missing is silence, and is counted.
func (j *Jitter) take(out *Frame) (missing int) {
	for i := range out {
		k := (j.head + int64(i)) & (ringSamples - 1)
		if j.there[k] {
			out[i], j.there[k] = j.pcm[k], false
		} else {
			out[i] = 0
			missing++
		}
	}
	j.head += FrameSamples
	return missing
}

// cover fills a gap with what was heard last, softer each time, then with silence.
func (j *Jitter) cover(out *Frame) {
	if j.covered++; j.covered > fadeFrames {
		*out = Frame{}
		return
	}
	for i, v := range j.last {
		out[i] = v >> j.covered
	}
}
