package listen

import (
	"time"

	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/rate"
)

// zero is where the time of the sound begins: the first sample of the call. Utterances are found by this time, which no clock moves and no delay stretches.
var zero = time.Unix(0, 0)

// reframer brings a leg's frames to the rate of a telephone line.
type reframer struct {
	rate int
	conv *rate.Converter
	rest []int16
}

// take gives the sound so far: what was kept, and the frame.
func (r *reframer) take(f voice.Frame) ([]int16, error) {
	if f.Rate != r.rate {
		conv, err := rate.New(f.Rate, media.Rate)
		if err != nil {
			return nil, err
		}
		r.rate, r.conv = f.Rate, conv
	}
	r.rest = r.conv.Convert(r.rest, f.Samples)
	return r.rest, nil
}

// keep keeps what was not yet a whole frame.
func (r *reframer) keep(rest []int16) { r.rest = r.rest[:copy(r.rest, rest)] }

// ring holds the last frames.
type ring struct {
	frames [kept][]int16
	n      int           // frames so far
	barred time.Duration // what was heard before belongs to the utterance before
}

// add takes the next frame, and says at what time of the sound it begins.
func (r *ring) add(f []int16) time.Duration {
	r.frames[r.n%kept] = f
	r.n++
	return time.Duration(r.n-1) * media.FrameTime
}

// bar keeps what was heard before a time out of the next utterance: a word that was said once must not be heard twice, the second time as something said later.
func (r *ring) bar(until time.Duration) { r.barred = max(r.barred, until) }

// since gives the frames from a time of the sound on, and when the first of them begins.
func (r *ring) since(from time.Duration) (time.Duration, [][]int16) {
	from = max(from, r.barred)
	k := max(0, int(from/media.FrameTime), r.n-kept)
	if start := time.Duration(k) * media.FrameTime; start < r.barred {
		k++ // the end of the utterance before stands in it
	}
	k = min(k, r.n-1)
	var out [][]int16
	for i := k; i < r.n; i++ {
		out = append(out, r.frames[i%kept])
	}
	return time.Duration(k) * media.FrameTime, out
}

// lateness knows when the sound that is read was heard, in the clock's time. What is read at once, without a wait, lay in the leg for a while: the first word of an
// utterance may have been there for as long, and a beginning that is told too late could make an answer of what was none. So the time of the first sample is that of the
// frame which came the soonest. When sound was lost, or the clock jumped ahead, this makes beginnings too early, and is put right only when for two seconds sound had to be
// waited for again and again: then nothing lay anywhere.
type lateness struct {
	now    func() time.Time
	known  bool
	start  time.Time     // of the first sample, so far as is known
	heard  time.Duration // sound so far
	asked  time.Time
	atOnce time.Duration // sound since a frame was waited for
	run    time.Duration // sound for which waiting was never long ago
	soon   time.Time     // the soonest start that it allows
}

const (
	patient = 2 * time.Second        // for how long sound must have been waited for
	wait    = 5 * time.Millisecond   // what is a wait: half of the shortest frame
	seldom  = 200 * time.Millisecond // a leg may bring some frames at once, but no more than this
)

func newLateness(now func() time.Time) *lateness { return &lateness{now: now} }

// waiting is called before a frame is waited for.
func (l *lateness) waiting() { l.asked = l.now() }

// took is called when it came.
func (l *lateness) took(d time.Duration) {
	at := l.now()
	l.heard += d
	start := at.Add(-l.heard)
	if !l.known || start.Before(l.start) {
		l.known, l.start = true, start
	}
	if l.atOnce += d; at.Sub(l.asked) >= wait {
		l.atOnce = 0
	}
	if l.atOnce > seldom {
		l.run = 0
		return
	}
	if l.run == 0 || start.Before(l.soon) {
		l.soon = start
	}
	if l.run += d; l.run >= patient {
		l.start, l.run = l.soon, 0
	}
}

// ago is for how long the sound at a time of the sound has been heard.
func (l *lateness) ago(at time.Duration) time.Duration {
	return max(0, l.now().Sub(l.start.Add(at)))
}

// tape is a recording.
type tape struct {
	e    *Ears
	left int
	pcm  []int16
	full chan struct{}
}

// Record implements voice.Ears. What is kept has the rate of a telephone line; no recording is longer than ten minutes.
func (e *Ears) Record(d time.Duration) voice.Recording {
	d = min(max(d, 0), longest)
	t := &tape{e: e, left: int(d * media.Rate / time.Second), full: make(chan struct{})}
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.left == 0 {
		close(t.full)
	} else {
		e.tapes = append(e.tapes, t)
	}
	return t
}

// record adds a frame to the recordings.
func (e *Ears) record(f []int16) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, t := range e.tapes {
		k := min(t.left, len(f))
		t.pcm = append(t.pcm, f[:k]...)
		if t.left -= k; t.left == 0 {
			close(t.full)
			continue
		}
		e.tapes[n] = t
		n++
	}
	clear(e.tapes[n:])
	e.tapes = e.tapes[:n]
}

// Full implements voice.Recording. A call that ends before fills nothing.
func (t *tape) Full() <-chan struct{} { return t.full }

// Stop implements voice.Recording. When it is called again there is nothing more.
func (t *tape) Stop() voice.Frame {
	t.e.mu.Lock()
	defer t.e.mu.Unlock()
	for i, o := range t.e.tapes {
		if o == t {
			t.e.tapes = append(t.e.tapes[:i], t.e.tapes[i+1:]...)
			break
		}
	}
	f := voice.Frame{Rate: media.Rate, Samples: t.pcm}
	t.pcm = nil
	return f
}
