package speak

import (
	"context"
	"errors"
	"time"

	"readback/voice"
)

// feed gives the leg what is made. It is the only one that plays and marks.
func (m *Mouth) feed(ctx context.Context) {
	for {
		s, p, ok := m.next(ctx)
		if !ok {
			return
		}
		var err error
		if len(p.pcm) > 0 {
			err = m.o.Leg.Play(s.ctx, voice.Frame{Rate: m.o.Leg.Rate(), Samples: p.pcm})
		}
		m.passed(s, p, err)
	}
}

// next waits for the next piece of the first speech of which not all was given. A speech is given once the first of its words, or all of it, is made: an engine
// that fails before has cost nothing that was heard.
func (m *Mouth) next(ctx context.Context) (*speech, piece, bool) {
	for {
		m.mu.Lock()
		if s := m.due(); s != nil {
			p := s.pieces[0]
			s.pieces[0] = piece{}
			s.pieces = s.pieces[1:]
			if !s.given {
				s.given = true
				m.mark(s, before)
			}
			m.mu.Unlock()
			return s, p, true
		}
		wake := m.wake
		m.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, piece{}, false
		}
	}
}

// due is the speech that is to be given next, if a piece of it is there. Those of which all was given are marked on the way. m.mu is held.
func (m *Mouth) due() *speech {
	for i := 0; i < len(m.queue); i++ {
		s := m.queue[i]
		switch {
		case s.fed:
		case s.ready && len(s.pieces) > 0:
			return s
		case !s.made:
			return nil
		case !s.any: // nothing of it can be heard
			m.settle(s, false, m.o.Now())
			i--
		default:
			s.fed = true
			m.mark(s, last)
		}
	}
	return nil
}

// mark sets a mark; m.mu is held, so that no stop comes between.
func (m *Mouth) mark(s *speech, k kind) {
	m.marks = append(m.marks, mark{s: s, ch: m.o.Leg.Mark(), kind: k})
	m.stir()
}

// passed is told of a piece that the leg took, or did not.
func (m *Mouth) passed(s *speech, p piece, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count(p, -1)
	switch {
	case s.over:
		if len(p.pcm) > 0 {
			m.o.Leg.Clear() // it may have come to the leg behind the stop, and nothing else is there yet
		}
		return
	case err != nil:
		// Not ctx's: that is over. A call that is over is no fault of anybody's, and Run tells of it.
		if !errors.Is(err, voice.ErrHungUp) {
			s.err = ErrLeg
		}
		s.cut = true
		s.made, s.ready = true, true
		m.forget(s)
	case len(p.pcm) > 0 && !s.any:
		s.any = true
		close(s.started)
	}
	if err == nil && p.end {
		m.mark(s, behind)
	}
	m.stir()
}

// judge takes the answers of the marks, in order, and gives the outcomes.
func (m *Mouth) judge(ctx context.Context) {
	for {
		m.mu.Lock()
		wake, some := m.wake, len(m.marks) > 0
		var k mark
		if some {
			k = m.marks[0]
			m.marks[0] = mark{}
			m.marks = m.marks[1:]
		}
		m.mu.Unlock()
		if !some {
			select {
			case <-wake:
			case <-ctx.Done():
				return
			}
			continue
		}
		select {
		case answer := <-k.ch:
			m.answered(k, answer)
		case <-k.s.ctx.Done(): // it was stopped: its marks are of no matter
		}
	}
}

func (m *Mouth) answered(k mark, a voice.Mark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := k.s
	switch {
	case s.over || k.kind == before:
	case k.kind == behind && a.Played && !s.lost:
		s.whole++
	case k.kind == behind:
		s.lost = true
	default:
		at := a.At
		if at.IsZero() {
			at = m.o.Now()
		}
		m.settle(s, s.played(a), at)
	}
}

// played is what invariant 10 asks of a read-back: made whole and without an error, taken by the leg, and heard of it, part for part, that it left.
func (s *speech) played(a voice.Mark) bool {
	return s.err == nil && !s.cut && s.any && !s.lost && a.Played && s.whole == len(s.parts)
}

// silence is so many samples of nothing, in pieces.
func (m *Mouth) silence(d time.Duration) []int16 {
	return make([]int16, int(min(d, longestPause)*time.Duration(m.o.Leg.Rate())/time.Second))
}
