package media

import (
	"context"
	"errors"
	"sync"
	"time"

	"readback/voice"
)

// ErrRate is what a queue answers to sound of another rate than its own.
var ErrRate = errors.New("the sound has another rate than the line")

// room is how much sound may wait before who brings more has to.
const room = Rate // a second

// Playback is what waits to be played: sound, and marks in it. It may be used by several goroutines.
//
// A mark answers for the sound between the mark before it and itself. So who wants to know that a sentence was played whole sets a mark before it, and one behind
// it: whatever was cleared in between, by anybody and even before the second mark was set, makes that one answer that it was not.
type Playback struct {
	now func() time.Time

	mu      sync.Mutex
	closed  bool
	chunks  [][]int16 // what waits; the first is begun at off
	first   int
	off     int
	written int64 // samples that were ever taken
	gone    int64 // of these, how many were played, cleared or lost
	leaving int   // samples of the frame that is just being sent
	played  int64
	marks   []mark
	tail    int64 // samples behind the last mark that were cleared or lost
	waiting int   // samples of those who wait in Play
	clears  uint64
	wake    chan struct{} // closed, and made anew, when those who wait shall look again
}

type mark struct {
	at   int64 // it is reached when so many samples are gone
	lost int64 // samples before it that were cleared or lost
	ch   chan voice.Mark
}

// NewPlayback makes an empty queue. The clock dates what is cleared.
func NewPlayback(now func() time.Time) *Playback {
	return &Playback{now: now, wake: make(chan struct{})}
}

// Play adds sound, once no more than a second of other sound waits. It takes the whole frame, or none and says why: ctx is over, or the call is. A frame that
// waited here when the queue was cleared is cleared too, and that is no error.
func (q *Playback) Play(ctx context.Context, f voice.Frame) error {
	if f.Rate != Rate {
		return ErrRate
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for began := q.clears; q.written-q.gone > room && !q.closed; {
		q.waiting += len(f.Samples)
		wake := q.wake
		q.mu.Unlock()
		var err error
		select {
		case <-wake:
		case <-ctx.Done():
			err = ctx.Err()
		}
		q.mu.Lock()
		if q.clears != began { // Clear has counted it, or Close
			if q.closed {
				return voice.ErrHungUp
			}
			return nil
		}
		q.waiting -= len(f.Samples)
		if err != nil {
			return err
		}
	}
	if q.closed {
		return voice.ErrHungUp
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(f.Samples) > 0 {
		q.chunks = append(q.chunks, f.Samples)
		q.written += int64(len(f.Samples))
	}
	return nil
}

// Mark sets a mark behind all sound that was taken so far. Its channel gives one answer: when the sound before it was played to its last sample, was cleared, or
// the call is over.
func (q *Playback) Mark() <-chan voice.Mark {
	q.mu.Lock()
	defer q.mu.Unlock()
	m := mark{at: q.written, lost: q.tail, ch: make(chan voice.Mark, 1)}
	q.tail = 0
	if q.closed {
		m.answer(q.now(), false, m.lost)
		return m.ch
	}
	q.marks = append(q.marks, m)
	return m.ch
}

// Clear throws away what waits, at once, and says how much that was. A frame that is just leaving is not called back.
func (q *Playback) Clear() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.clear()
}

func (q *Playback) clear() time.Duration {
	at := q.now()
	keep := q.gone + int64(q.leaving) // what has left, or is just leaving
	last, n := keep, 0
	for _, m := range q.marks {
		last = max(last, m.at)
		switch {
		case q.closed: // even what has left has not yet sounded to its end
			m.answer(at, false, m.lost+max(0, m.at-keep))
		case m.at > keep:
			m.answer(at, false, m.lost+m.at-keep)
		default: // all before it has left: it is answered with that frame
			q.marks[n] = m
			n++
		}
	}
	clear(q.marks[n:])
	q.marks = q.marks[:n]
	cut := q.written - keep
	q.tail += q.written - last + int64(q.waiting)
	q.written, q.waiting = keep, 0
	clear(q.chunks)
	q.chunks, q.first, q.off = q.chunks[:0], 0, 0
	q.clears++
	q.stir()
	return Duration(int(cut))
}

func (m *mark) answer(at time.Time, played bool, left int64) {
	m.ch <- voice.Mark{Played: played && left == 0, At: at, Left: Duration(int(left))}
}

func (q *Playback) stir() {
	close(q.wake)
	q.wake = make(chan struct{})
}

// Waiting is how much sound waits.
func (q *Playback) Waiting() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Duration(int(q.written - q.gone))
}

// Played is how much sound was ever played.
func (q *Playback) Played() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Duration(int(q.played))
}

// Close ends the queue: marks that wait answer that their sound was not played, and so does all that comes.
func (q *Playback) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.closed = true
	q.clear()
}

// Next gives the next 20 ms to be sent, filled up with silence, and says how many samples of it are sound. It is for who sends, alone: each slot of 20 ms begins with a Slot,
// and each Next is followed by one Sent.
func (q *Playback) Next(out *Frame) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < FrameSamples && q.first < len(q.chunks) {
		c := q.chunks[q.first][q.off:]
		k := copy(out[n:], c)
		n += k
		if q.off += k; k == len(c) {
			q.chunks[q.first] = nil
			q.first, q.off = q.first+1, 0
		}
	}
	if q.first == len(q.chunks) || q.first >= 64 { // a queue that is never empty must not grow
		m := copy(q.chunks, q.chunks[q.first:])
		clear(q.chunks[m:])
		q.chunks, q.first = q.chunks[:m], 0
	}
	clear(out[n:])
	q.leaving = n
	return n
}

// Sent says what became of the frame of the last Next: it left, or was lost.
func (q *Playback) Sent(left bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := int64(q.leaving)
	q.leaving = 0
	from := q.gone
	q.gone += n
	if left {
		q.played += n
	} else {
		q.lose(from, n)
	}
	if q.waiting > 0 && q.written-q.gone <= room {
		q.stir()
	}
}

// lose charges lost samples to each mark, and to the tail, whose sound they touch.
func (q *Playback) lose(from, n int64) {
	if n == 0 {
		return
	}
	begin := int64(0)
	for i := range q.marks {
		m := &q.marks[i]
		if m.at > from && begin < from+n {
			m.lost += n
		}
		begin = m.at
	}
	if begin < from+n && q.written > begin {
		q.tail += n
	}
}

// Doubt says that what has left may not arrive: marks that wait will answer that their sound was not played, and so will the next one, if it is set behind what has left.
func (q *Playback) Doubt() {
	q.mu.Lock()
	defer q.mu.Unlock()
	begin := int64(0)
	for i := range q.marks {
		m := &q.marks[i]
		m.lost = max(m.lost, FrameSamples)
		begin = m.at
	}
	if q.written > begin {
		q.tail = max(q.tail, FrameSamples)
	}
}

// Slot answers the marks whose sound has had its time: it is called at the beginning of each 20 ms, when the frame before has sounded to its end.
func (q *Playback) Slot(at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.marks) > 0 && q.marks[0].at <= q.gone {
		q.marks[0].answer(at, true, q.marks[0].lost)
		q.marks[0] = mark{}
		q.marks = q.marks[1:]
	}
}
