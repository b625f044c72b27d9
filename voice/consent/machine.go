package consent

import (
	"time"

	"readback/voice"
)

// The times and counts of the machine.
const (
	// Margin is added to the leg's round trip: an answer that begins sooner after a read-back, or the question, left is no answer to it.
	Margin = 300 * time.Millisecond
	// Window is how long an answer is waited for, after the question and again after the second one; after the read-back, as long as no end of the question is known.
	Window = 15 * time.Second
	// MaxRestarts is how often the read-back of one draft starts again.
	MaxRestarts = 2
)

// Prompts are the questions, as they are spoken, for telling an echo from an answer.
type Prompts struct {
	Ask    string // after the read-back
	Keypad string // the one that names the keypad
}

// Machine is the state of the yes in one call. It is a value, compares with ==, and does nothing by itself: [Machine.Step] takes an event and answers
// with the next state and what is to be done. A machine that is not idle has a draft, and the caller is the owner.
type Machine struct {
	prompts Prompts
	owner   bool
	over    bool
	last    time.Time // of the event before

	stage    stage
	draft    Digest
	words    string // its read-back, as it is spoken
	reading  int    // the number of the last read-back; none is used twice
	started  bool   // it is being spoken
	restarts int
	keypad   bool // only a key counts

	prompt string    // what the caller heard last
	opens  time.Time // an answer that begins sooner is none: it was given into the read-back
	until  time.Time // an answer that comes later is none
	begun  bool      // an utterance has begun since opens, and goes on
	asked  bool      // for the second time

	question int       // the number of the last question; none is used twice
	free     time.Time // speech that begins sooner is no answer: the question may still come back; zero until the question was heard to its end
	held     bool      // the caller has said something and was saying more: what they say next answers
}

type stage uint8

const (
	idle    stage = iota
	reading       // the draft is being read back, or about to be
	asking        // it was read back to its end, and an answer is waited for
)

// New makes the machine of a call whose caller is not known yet.
func New(p Prompts) Machine { return Machine{prompts: p} }

// Pending is the draft that waits for a yes, if there is one. Until it is gone, the model is silent.
func (m Machine) Pending() (Digest, bool) { return m.draft, m.stage != idle }

// Deadline is when Silence is due, if an answer is waited for.
func (m Machine) Deadline() (time.Time, bool) { return m.until, m.stage == asking }

// KeysAlone says that speech counts no more for the draft that is pending: the caller has spoken into each of its read-backs, and it is not read again.
func (m Machine) KeysAlone() bool { return m.keypad }

// Step takes an event, at the time at which it is handed over. Events come in the order in which they happened.
func (m Machine) Step(at time.Time, e Event) (Machine, []Effect) {
	if m.over {
		return m, nil
	}
	s := step{Machine: m, at: at}
	if at.Before(m.last) {
		s.void(ClockBack)
	}
	s.last = at
	s.take(e)
	return s.Machine, s.out
}

// step is a machine on its way to the next state.
type step struct {
	Machine
	at  time.Time
	out []Effect
}

func (s *step) take(e Event) {
	switch e := e.(type) {
	case Owner:
		if s.owner = e.Known; !s.owner {
			s.void(NotOwner)
		}
	case Prepared:
		s.void(Replaced)
		s.prepare(e)
	case Withdrawn:
		s.void(TakenBack)
	case Started:
		if s.stage != idle && e.Reading == s.reading {
			if s.started = true; e.Draft != s.draft {
				s.void(OtherDraft)
			}
		}
	case Played:
		if s.stage == reading && s.started && e.Reading == s.reading {
			s.played(max(0, e.RoundTrip))
		}
	case Asked:
		if s.stage == asking && e.Question == s.question && s.free.IsZero() {
			s.free, s.until = s.at, s.at.Add(Window)
		}
	case Interrupted:
		if s.stage != idle && e.Reading == s.reading {
			s.again(true)
		}
	case ModelSpoke:
		if s.heard() {
			s.again(true)
		}
	case Begun:
		s.begun = s.stage == asking && !s.at.Before(s.opens)
	case Dropped:
		deaf := e.Failed && s.begun // to what may have been an answer: the keys still work, and the caller is told so at once
		s.begun = false
		if s.held || deaf {
			s.missed()
		}
	case Final:
		if e.Turn.Role() == voice.Caller {
			s.final(e.Turn, e.More)
		}
	case Silence:
		if s.stage == asking {
			s.unclear()
		}
	case HungUp:
		s.void(CallEnded)
		s.over = true
	}
}

// maySend is invariant 10: the only way to a Send. That the caller is the owner, and that this very draft was spoken to its end and is still the one, is what asking stands for.
func (s *step) maySend(t voice.Turn, more bool, verdict Verdict, echo bool) bool {
	return s.stage == asking &&
		!t.Began().Before(s.opens) && // it began after the caller heard the end
		(t.Key() != 0 || s.begun) && // and was seen to
		!s.soon(t) &&
		!more && // which may be a no: any no before the dispatch wins
		(t.Key() != 0 || !s.keypad) &&
		!s.at.After(s.until) &&
		!echo &&
		verdict == Yes
}

// soon says that speech began before all of the question had left, or where that never was. It may be the question's own echo, of which a recogniser can make any word: an echo
// begins as long after the question's beginning as the way there and back takes, and that is shorter than a question. So who answers into the question is not heard, and is asked
// once more by one that names the keypad: the first is a second long, and few do. No more is waited than that: the ears date speech a little early, and people answer fast. A key is no echo.
func (s *step) soon(t voice.Turn) bool {
	return s.stage == asking && t.Key() == 0 && (s.free.IsZero() || t.Began().Before(s.free))
}

func (s *step) final(t voice.Turn, more bool) {
	verdict, echo, soon := Judge(t), Echo(t, s.prompt), s.soon(t)
	send := s.maySend(t, more, verdict, echo)
	early := s.stage == reading || t.Began().Before(s.opens) || t.Key() == 0 && !s.begun
	if t.Key() == 0 {
		s.begun, s.held = false, false
	}
	switch {
	case send:
		s.out = append(s.out, Stop{}, Send{s.draft, t})
		s.clear()
	case s.stage == idle:
		s.hand(t)
	case verdict == No && !echo:
		s.void(Declined)
		if Change(t) {
			s.hand(t)
		}
	case early && s.heard():
		s.again(false)
	case early: // the read-back is yet to come
	case Change(t) && !echo:
		s.void(Changed)
		s.hand(t)
	case more: // no question is put into what they are saying
		s.held = true
	case soon:
		s.missed()
	default:
		s.unclear()
	}
}

// hand gives speech to the model. A key is none of its business.
func (s *step) hand(t voice.Turn) {
	if t.Key() == 0 {
		s.out = append(s.out, Hand{t})
	}
}

func (s *step) prepare(e Prepared) {
	if !s.owner {
		s.out = append(s.out, Void{e.Draft, NotOwner})
		return
	}
	s.draft, s.words = e.Draft, e.Words
	s.read()
}

// read starts a read-back.
func (s *step) read() {
	s.reading++
	s.stage, s.started, s.begun, s.asked, s.held, s.free, s.prompt = reading, false, false, false, false, time.Time{}, s.words
	s.out = append(s.out, ReadBack{s.draft, s.reading})
}

// heard says that the caller has heard something of the read-back.
func (s *step) heard() bool { return s.stage == asking || s.stage == reading && s.started }

// again starts the read-back again. After the last restart, speech counts no more; a read-back that was cut then is never heard whole.
func (s *step) again(cut bool) {
	switch {
	case s.restarts < MaxRestarts:
		s.restarts++
		s.out = append(s.out, Stop{})
		s.read()
	case cut:
		s.void(Cut)
	default:
		if s.keypad = true; s.stage == asking {
			s.unclear()
		}
	}
}

// played opens the window for the answer: when the caller has heard the end. Speech has to wait for the end of the question.
func (s *step) played(roundTrip time.Duration) {
	s.stage, s.opens = asking, s.at.Add(roundTrip+Margin)
	s.until = s.opens.Add(Window)
	s.prompt = s.words + " " + s.prompts.Ask
	if s.keypad {
		s.prompt = s.words + " " + s.prompts.Keypad
	}
	s.ask(s.keypad)
}

func (s *step) ask(keypad bool) {
	s.question++
	s.free = time.Time{}
	s.out = append(s.out, Ask{s.draft, s.question, keypad})
}

// missed is for what cannot count and may have been an answer, or the question's echo: it is asked once more, and never the last word. A line that brings back each
// question would else end the draft before a key could be pressed.
func (s *step) missed() {
	s.held = false
	if !s.asked {
		s.unclear()
	}
}

// unclear asks once more, naming the keypad, and then gives up.
func (s *step) unclear() {
	if s.asked {
		s.void(NoAnswer)
		return
	}
	s.asked, s.prompt, s.until = true, s.prompts.Keypad, s.at.Add(Window)
	s.ask(true)
}

// void drops the draft, if there is one.
func (s *step) void(why Reason) {
	if s.stage == idle {
		return
	}
	s.out = append(s.out, Stop{}, Void{s.draft, why})
	s.clear()
}

// clear forgets the draft. The numbers of the last reading and question stay: what still comes of them belongs to nothing.
func (s *step) clear() {
	s.Machine = Machine{prompts: s.prompts, owner: s.owner, over: s.over, last: s.last, reading: s.reading, question: s.question}
}
