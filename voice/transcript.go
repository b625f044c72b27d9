package voice

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"readback/smsmcp/untrusted"
)

// What an [Ear] and an [Utterance] may answer.
var (
	ErrNoTranscript = errors.New("this ear belongs to no transcript")
	ErrEnded        = errors.New("this utterance has ended")
	ErrNoWords      = errors.New("an utterance without words is no turn")
	ErrNoKey        = errors.New("not a key of a telephone")
)

// Transcript is what was said in one call: a list of turns that only grows. It may be used by several goroutines.
type Transcript struct {
	now func() time.Time

	mu      sync.Mutex
	turns   []Turn
	current *Utterance // what the caller is saying, as far as an interim transcript has told
	interim untrusted.Text
}

// NewTranscript makes an empty transcript, and its only [Ear]. Who gets the Ear can add what the caller said: that is the code that reads
// the leg, alone. The clock is read once for each thing that is added.
func NewTranscript(now func() time.Time) (*Transcript, *Ear) {
	t := &Transcript{now: now}
	return t, &Ear{t}
}

// Agent adds what the program has said, in its own words or the model's. A sentence that is cut short is added as far as it was heard.
func (t *Transcript) Agent(words untrusted.Text) Turn { return t.add(Turn{role: Agent, words: words}) }

// Tool adds what a tool answered to the model.
func (t *Transcript) Tool(words untrusted.Text) Turn { return t.add(Turn{role: Tool, words: words}) }

// Turns gives the turns so far: a copy.
func (t *Transcript) Turns() []Turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.turns)
}

// Interim gives what the caller is saying just now, where a recogniser has told some of it.
func (t *Transcript) Interim() (Interim, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == nil {
		return Interim{}, false
	}
	return Interim{t.current.began, t.interim}, true
}

func (t *Transcript) add(turn Turn) Turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.append(turn)
}

// append numbers and dates a turn. A clock that jumped back does not make it end before it began.
func (t *Transcript) append(turn Turn) Turn {
	turn.number, turn.ended = len(t.turns)+1, t.now()
	if turn.began.IsZero() || turn.began.After(turn.ended) {
		turn.began = turn.ended
	}
	t.turns = append(t.turns, turn)
	return turn
}

// Ear is the right to add what the caller said to one transcript. It comes from [NewTranscript] alone; the zero value adds nothing.
type Ear struct{ t *Transcript }

// Begin starts an utterance, when speech is detected. ago is for how long it has been heard already: a detector needs some sound before it is sure. An earlier
// beginning is the safer one, for a turn that begins before the end of a read-back counts for nothing; less than 0 is 0.
func (e *Ear) Begin(ago time.Duration) (*Utterance, error) {
	if e == nil || e.t == nil {
		return nil, ErrNoTranscript
	}
	return &Utterance{t: e.t, began: e.t.now().Add(-max(0, ago))}, nil
}

// Key adds a key that the caller pressed. held is for how long it was down until now: a line tells of a key when it comes up again.
func (e *Ear) Key(key rune, held time.Duration) (Turn, error) {
	if err := e.takes(key); err != nil {
		return Turn{}, err
	}
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	turn := e.t.append(Turn{role: Caller, key: key})
	last := &e.t.turns[len(e.t.turns)-1]
	last.began = turn.ended.Add(-max(0, held))
	return *last, nil
}

// Secret makes a turn of a key that is nobody's business: one of a PIN. It is the caller's, has no number, and is not in the transcript.
func (e *Ear) Secret(key rune) (Turn, error) {
	if err := e.takes(key); err != nil {
		return Turn{}, err
	}
	now := e.t.now()
	return Turn{role: Caller, began: now, ended: now, key: key}, nil
}

func (e *Ear) takes(key rune) error {
	switch {
	case e == nil || e.t == nil:
		return ErrNoTranscript
	case !strings.ContainsRune(Keys, key):
		return ErrNoKey
	}
	return nil
}

// Utterance is something that the caller is saying. It becomes one turn, or none.
type Utterance struct {
	t     *Transcript
	began time.Time
	ended bool // guarded by t.mu
}

// Began is when its first sound was heard.
func (u *Utterance) Began() time.Time { return u.began }

// Interim keeps what a recogniser believes so far, in place of what it believed before.
func (u *Utterance) Interim(words untrusted.Text) {
	u.t.mu.Lock()
	defer u.t.mu.Unlock()
	if !u.ended {
		u.t.current, u.t.interim = u, words
	}
}

// Final ends the utterance and adds it as a turn. It can be done once. Without words there is no turn: [ErrNoWords].
func (u *Utterance) Final(words untrusted.Text) (Turn, error) {
	u.t.mu.Lock()
	defer u.t.mu.Unlock()
	if u.ended {
		return Turn{}, ErrEnded
	}
	u.end()
	if words.Len() == 0 {
		return Turn{}, ErrNoWords
	}
	return u.t.append(Turn{role: Caller, began: u.began, words: words}), nil
}

// Drop ends the utterance without a turn: it was a noise, or the recogniser failed.
func (u *Utterance) Drop() {
	u.t.mu.Lock()
	defer u.t.mu.Unlock()
	u.end()
}

func (u *Utterance) end() {
	u.ended = true
	if u.t.current == u {
		u.t.current, u.t.interim = nil, untrusted.Text{}
	}
}
