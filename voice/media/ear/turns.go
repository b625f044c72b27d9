package ear

import "time"

// Kind is what happened to a turn.
type Kind int

// What a frame may bring.
const (
	Nothing Kind = iota
	Begun        // somebody began to speak
	Barged       // and has spoken for so long that who speaks against it should stop
	Ended        // and has been silent for so long that it was all
)

// Event is what a frame brought.
type Event struct {
	Kind  Kind
	Began time.Time // of the turn: when its first sound was heard
	Last  time.Time // the end of its last sound so far
	Cut   bool      // of an Ended: it went on for ever, and was ended
}

// Limits are what turns are told by. A zero has its default.
type Limits struct {
	Silence time.Duration // that ends a turn: 700 ms
	Barge   time.Duration // of speech, from its first sound to its last, that is a barge-in: 300 ms
	Longest time.Duration // of a turn: 60 s
}

// Turns finds the turns in what a detector hears. It is pure: the times are the frames' own. It is not safe for concurrent use.
type Turns struct {
	l      Limits
	open   bool
	barged bool
	began  time.Time
	last   time.Time
	now    time.Time
}

// NewTurns begins in silence.
func NewTurns(l Limits) *Turns {
	for d, usual := range map[*time.Duration]time.Duration{&l.Silence: 700 * time.Millisecond, &l.Barge: 300 * time.Millisecond, &l.Longest: time.Minute} {
		if *d <= 0 {
			*d = usual
		}
	}
	return &Turns{l: l}
}

// step is the length of a frame.
const step = 20 * time.Millisecond

// Frame takes what was heard in the 20 ms from at on. Times that go back count as no time, and a gap in them as silence.
func (t *Turns) Frame(h Heard, at time.Time) Event {
	end := at.Add(step)
	if end.Before(t.now) {
		end = t.now
	}
	t.now = end
	if !t.open {
		if !h.Speech {
			return Event{}
		}
		began := at.Add(-time.Duration(h.Began) * step)
		if began.Before(t.last) { // a turn does not reach back into the one before
			began = t.last
		}
		t.open, t.barged, t.began, t.last = true, false, began, end
		return t.event(Begun)
	}
	if h.Sound && at.Sub(t.last) < t.l.Silence { // after a gap in the frames, what is heard is another turn, which the next frame begins
		t.last = end
	}
	switch {
	case !t.barged && t.last.Sub(t.began) >= t.l.Barge:
		t.barged = true
		return t.event(Barged)
	case end.Sub(t.last) >= t.l.Silence:
		t.open = false
		return t.event(Ended)
	case end.Sub(t.began) >= t.l.Longest:
		t.open = false
		e := t.event(Ended)
		e.Cut = true
		return e
	}
	return Event{}
}

func (t *Turns) event(k Kind) Event { return Event{Kind: k, Began: t.began, Last: t.last} }

// Open says whether somebody is speaking, and since when.
func (t *Turns) Open() (time.Time, bool) { return t.began, t.open }
