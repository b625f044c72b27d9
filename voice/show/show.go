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

	mu     sync.Mutex
	queue  []waiting
	turns  int  // among them
	drafts int  // that there were
	busy   bool // somebody hands it on
	over   bool // the call is

	n     int     // of the last message that was handed on, or went missing. This and what follows belongs to who hands on
	ended waiting // the last stage of the last draft that is over
	open  waiting // the draft that is not
	stage waiting // of it
	count waiting // of others
	broke bool    // since they were handed on
}

// waiting is something to be shown; nothing, where there is none.
type waiting struct {
	shown  voice.Shown
	draft  int // the last until then
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
	if _, ok := x.(voice.ShownDraft); ok {
		s.drafts++
	}
	s.queue = append(s.queue, waiting{shown: x, draft: s.drafts})
	switch {
	case isTurn:
		if s.turns++; s.turns > mostTurns {
			s.miss(slices.IndexFunc(s.queue, func(w waiting) bool { _, ok := w.shown.(voice.ShownTurn); return ok }), 1)
			s.turns--
		}
	case isCount: // the last one is enough: nobody misses another
		if i := slices.IndexFunc(s.queue[:len(s.queue)-1], func(w waiting) bool { _, ok := w.shown.(voice.ShownOthers); return ok }); i >= 0 {
			s.miss(i, 0)
		}
	}
	if !s.busy {
		s.busy = true
		go s.handOn()
	}
}

// miss leaves something out, behind which there is something else, and which counts as so many that are missed.
func (s *Screen) miss(i, count int) {
	s.queue[i+1].missed += s.queue[i].missed + count
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
		if !s.put(w) {
			s.end()
			return
		}
		switch x := w.shown.(type) {
		case voice.ShownDraft:
			s.open, s.stage = w, waiting{}
		case voice.ShownStage:
			if s.stage = w; last[x.Stage] {
				s.ended, s.open, s.stage = w, waiting{}, waiting{}
			}
		case voice.ShownOthers:
			s.count = w
		}
	}
}

// last are the stages after which a draft is no longer open.
var last = map[voice.Stage]bool{voice.StageLeft: true, voice.StageHanded: true, voice.StageNotLeft: true, voice.StageNotKnown: true, voice.StageWithdrawn: true}

// put hands one thing on, as often as it takes, and says whether the call goes on. After a break, what may have been lost in it and still matters comes first.
func (s *Screen) put(w waiting) bool {
	for {
		list := []waiting{w}
		if s.broke {
			list = []waiting{s.ended, s.open, s.stage, s.count, w}
		}
		err := s.all(list)
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

func (s *Screen) all(list []waiting) error {
	for _, w := range list {
		m := message(s.lang, s.n+1, w)
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
