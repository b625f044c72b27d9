package voicetest

import (
	"time"

	"readback/voice"
)

// queue is what waits to be played, and marks in it, by the rules of media.Playback: a mark answers for the sound between the one before it and itself, when the frame
// with its end has had its time; it was played if none of that was cleared or refused. This one is moved by hand, and is not safe for concurrent use.
type queue struct {
	rate    int
	pcm     []int16
	gone    int // samples that were ever taken away
	leaving int // samples of the frame that is just sounding
	marks   []pending
	tail    int // samples behind the last mark that were lost
	blocked int // samples of those who wait in Play
	clears  int
	wake    chan struct{}
}

type pending struct {
	at, lost int
	ch       chan voice.Mark
}

// waiting is how many samples have not had their time yet.
func (q *queue) waiting() int { return len(q.pcm) + q.leaving }

// end is the place behind all that was taken.
func (q *queue) end() int { return q.gone + q.leaving + len(q.pcm) }

func (q *queue) answer(m pending, at time.Time, lost int) {
	m.ch <- voice.Mark{Played: lost == 0, At: at, Left: time.Duration(lost) * time.Second / time.Duration(q.rate)}
}

func (q *queue) mark(at time.Time, over bool) <-chan voice.Mark {
	m := pending{at: q.end(), lost: q.tail, ch: make(chan voice.Mark, 1)}
	q.tail = 0
	if over {
		m.ch <- voice.Mark{At: at}
		return m.ch
	}
	q.marks = append(q.marks, m)
	return m.ch
}

// slot ends the time of the frame that left last.
func (q *queue) slot(at time.Time) {
	q.gone += q.leaving
	q.leaving = 0
	for len(q.marks) > 0 && q.marks[0].at <= q.gone {
		q.answer(q.marks[0], at, q.marks[0].lost)
		q.marks = q.marks[1:]
	}
	q.stir()
}

// next takes the next frame.
func (q *queue) next(out []int16) {
	q.leaving = copy(out, q.pcm)
	q.pcm = q.pcm[q.leaving:]
}

// refuse loses the next frame.
func (q *queue) refuse(n int) {
	n = min(n, len(q.pcm))
	from := q.gone
	q.leaving, q.pcm = n, q.pcm[n:]
	begin := 0
	for i := range q.marks {
		if n > 0 && q.marks[i].at > from && begin < from+n {
			q.marks[i].lost += n
		}
		begin = q.marks[i].at
	}
	if n > 0 && begin < from+n {
		q.tail += n
	}
}

// clear throws away what waits; over says that the call is, and even the frame that just left will not sound to its end.
func (q *queue) clear(at time.Time, over bool) {
	keep := q.gone + q.leaving
	last := keep
	var left []pending
	for _, m := range q.marks {
		last = max(last, m.at)
		switch cut := max(0, m.at-keep); {
		case over:
			m.ch <- voice.Mark{At: at, Left: time.Duration(m.lost+cut) * time.Second / time.Duration(q.rate)}
		case cut > 0:
			q.answer(m, at, m.lost+cut)
		default:
			left = append(left, m)
		}
	}
	q.tail += q.end() - last + q.blocked
	q.marks, q.pcm, q.blocked = left, nil, 0
	q.clears++
	q.stir()
}

func (q *queue) stir() {
	close(q.wake)
	q.wake = make(chan struct{})
}
