package inbox

import (
	"slices"
	"time"
)

// The bounds of polls that are woken by what came.
const (
	wakeGap   = 2 * time.Second  // from the end of any poll to a woken one
	wakeEvery = 10 * time.Second // how often woken polls come where more are always asked for
	wakeBurst = 4                // how many may come sooner: so at most 10 in any minute
	wakeGrid  = time.Second      // later marks are brought together on it, so that many texts share their polls
)

// wakeAfter is how long after a text came the carrier's list is asked for.
var wakeAfter = [...]time.Duration{0, 2 * time.Second, 5 * time.Second, 15 * time.Second, 60 * time.Second}

// mark is a time at which a poll falls due.
type mark struct {
	at    time.Time
	since time.Time // when the oldest text was stored that it is for; zero if it is for none that the store can be asked about
	blind bool      // it is for something that the store cannot be asked about
}

// schedule says when the poller is to ask out of turn. It reads no clock, and holds at most a mark for each second of a minute. The zero value has none.
type schedule struct {
	marks []mark    // the earliest first, and one at most that is due
	grid  time.Time // the first wake's time: marks lie whole seconds from it
	taken *mark     // what the poll that runs is for
	last  time.Time // the end of the last poll
	full  time.Time // when woken polls may come in a burst again
	wakes int       // how many there were
}

// wake asks for the polls that something needs which came now: a text that was stored at since, or, with a zero time, one that
// the store has not.
func (s *schedule) wake(now, since time.Time) {
	s.settle(now)
	s.wakes++
	if len(s.marks) == 0 {
		s.grid = now
	}
	for i, after := range wakeAfter {
		at := now.Add(after)
		if off := at.Sub(s.grid) % wakeGrid; i > 0 && off > 0 {
			at = at.Add(wakeGrid - off)
		}
		s.add(mark{at: at, since: since, blind: since.IsZero()})
	}
	s.settle(now)
}

func (s *schedule) add(m mark) {
	i, same := slices.BinarySearchFunc(s.marks, m.at, func(x mark, at time.Time) int { return x.at.Compare(at) })
	if same {
		s.marks[i] = s.marks[i].with(m)
		return
	}
	s.marks = slices.Insert(s.marks, i, m)
}

// with is the mark with what another is for.
func (m mark) with(o mark) mark {
	if m.since.IsZero() || !o.since.IsZero() && o.since.Before(m.since) {
		m.since = o.since
	}
	m.blind = m.blind || o.blind
	return m
}

// settle makes one of the marks that are due, and takes back times that only a clock set back since can have put so far ahead (invariant 12).
func (s *schedule) settle(now time.Time) {
	if s.last.After(now) {
		s.last = now
	}
	if most := now.Add(wakeBurst * wakeEvery); s.full.After(most) {
		s.full = most
	}
	furthest := now.Add(wakeAfter[len(wakeAfter)-1] + wakeGrid)
	due := 0
	for due < len(s.marks) && !s.marks[due].at.After(now) {
		due++
	}
	for len(s.marks) > due && s.marks[len(s.marks)-1].at.After(furthest) {
		m := s.marks[len(s.marks)-1]
		m.at = now
		s.marks = slices.Insert(s.marks[:len(s.marks)-1], due, m)
		due++
	}
	for ; due > 1; due-- {
		s.marks[0] = s.marks[0].with(s.marks[1])
		s.marks = slices.Delete(s.marks, 1, 2)
	}
}

// next is when the next woken poll may be; false if none is asked for.
func (s *schedule) next(now time.Time) (time.Time, bool) {
	s.settle(now)
	if len(s.marks) == 0 {
		return time.Time{}, false
	}
	at := s.marks[0].at
	for _, t := range []time.Time{s.last.Add(wakeGap), s.full.Add(-(wakeBurst - 1) * wakeEvery)} {
		if t.After(at) {
			at = t
		}
	}
	return at, true
}

// begin is told of each poll before it asks: it serves what is due. woken says that it comes out of turn.
func (s *schedule) begin(now time.Time, woken bool) {
	s.settle(now)
	if woken {
		if s.full.Before(now) {
			s.full = now
		}
		s.full = s.full.Add(wakeEvery)
	}
	if len(s.marks) > 0 && !s.marks[0].at.After(now) {
		m := s.marks[0]
		s.taken, s.marks = &m, s.marks[1:]
	}
}

// end is told how that poll ended: what it was for is still due where the carrier gave no list.
func (s *schedule) end(now time.Time, listed bool) {
	if s.taken != nil && !listed {
		s.add(*s.taken)
	}
	s.taken, s.last = nil, now
	s.settle(now)
}

// oldest is the time of the oldest text that still waits for polls; false if none does.
func (s *schedule) oldest() (since time.Time, ok bool) {
	var all mark
	for _, m := range s.marks {
		all = all.with(m)
	}
	return all.since, !all.since.IsZero()
}

// confirmed ends what is asked for texts of the store, unless another wake came since there had been so many.
func (s *schedule) confirmed(wakes int) {
	if s.wakes != wakes {
		return
	}
	s.marks = slices.DeleteFunc(s.marks, func(m mark) bool { return !m.blind })
	for i := range s.marks {
		s.marks[i].since = time.Time{}
	}
}
