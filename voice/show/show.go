package show

import (
	"errors"
	"slices"
	"sync"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
)

const (
	mostTurns = 100                    // that wait
	tryAgain  = 250 * time.Millisecond // what could not be handed on
)

// Screen is a voice.Screen. A goroutine of its own hands on what waits, as long as something does.
type Screen struct {
	to   func([]byte) error
	lang lang.Lang

	mu    sync.Mutex
	queue []waiting
	turns int  // among them
	busy  bool // somebody hands it on
	over  bool // the call is

	n     int // of the last message that was handed on, or went missing. This and what follows belongs to who hands on
	open  *voice.ShownDraft
	stage voice.Stage // of it
	broke bool        // since they were handed on
}

// waiting is something to be shown.
type waiting struct {
	shown  voice.Shown
	missed int // of what was before it
}

var _ voice.Screen = (*Screen)(nil)

// New makes the screen of a call. to hands a message on, of MostBytes at most, and may wait; it is called by one goroutine at a time. What it refuses it is given again, in a while, until it
// answers [voice.ErrHungUp]: then the call is over.
func New(to func([]byte) error, l lang.Lang) *Screen { return &Screen{to: to, lang: l} }

// Show shows something. It does not wait.
func (s *Screen) Show(x voice.Shown) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	_, isTurn := x.(voice.ShownTurn)
	_, isCount := x.(voice.ShownOthers)
	s.queue = append(s.queue, waiting{shown: x})
	switch {
	case isTurn:
		if s.turns++; s.turns > mostTurns {
			s.miss(slices.IndexFunc(s.queue, func(w waiting) bool { _, ok := w.shown.(voice.ShownTurn); return ok }))
			s.turns--
		}
	case isCount: // the last one is enough
		if i := slices.IndexFunc(s.queue[:len(s.queue)-1], func(w waiting) bool { _, ok := w.shown.(voice.ShownOthers); return ok }); i >= 0 {
			s.miss(i)
		}
	}
	if !s.busy {
		s.busy = true
		go s.handOn()
	}
}

// miss leaves something out, behind which there is something else.
func (s *Screen) miss(i int) {
	s.queue[i+1].missed += s.queue[i].missed + 1
	s.queue = slices.Delete(s.queue, i, i+1)
}

// next takes what is to be shown next. Once there is nothing, nobody hands on any more.
func (s *Screen) next() (waiting, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.busy = false
		return waiting{}, false
	}
	w := s.queue[0]
	s.queue = slices.Delete(s.queue, 0, 1)
	if _, ok := w.shown.(voice.ShownTurn); ok {
		s.turns--
	}
	return w, true
}

// end ends it for good.
func (s *Screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over, s.busy, s.queue = true, false, nil
}

// handOn hands on what waits. If something in it breaks, no more is shown, and nothing else comes of it.
func (s *Screen) handOn() {
	defer func() {
		if recover() != nil {
			s.end()
		}
	}()
	for {
		w, ok := s.next()
		if !ok {
			return
		}
		s.n += w.missed
		if !s.put(w.shown) {
			s.end()
			return
		}
		switch x := w.shown.(type) {
		case voice.ShownDraft:
			s.open, s.stage = &x, ""
		case voice.ShownStage:
			if s.stage = x.Stage; last[x.Stage] {
				s.open = nil
			}
		}
	}
}

// last are the stages after which a draft is no longer open.
var last = map[voice.Stage]bool{voice.StageLeft: true, voice.StageHanded: true, voice.StageNotLeft: true, voice.StageNotKnown: true, voice.StageWithdrawn: true}

// put hands one thing on, as often as it takes, and says whether the call goes on. After a break what is open comes first.
func (s *Screen) put(x voice.Shown) bool {
	for {
		var again []voice.Shown
		if s.broke && s.open != nil {
			if again = append(again, *s.open); s.stage != "" {
				again = append(again, voice.ShownStage{Stage: s.stage})
			}
		}
		err := s.all(append(again, x))
		if err == nil {
			s.broke = false
			return true
		}
		if errors.Is(err, voice.ErrHungUp) {
			return false
		}
		s.broke = true
		time.Sleep(tryAgain)
	}
}

func (s *Screen) all(list []voice.Shown) error {
	for _, x := range list {
		m := message(s.lang, s.n+1, x)
		if m == nil {
			continue
		}
		if err := s.to(m); err != nil {
			return err
		}
		s.n++
	}
	return nil
}
