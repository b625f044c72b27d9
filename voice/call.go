package voice

import (
	"context"
	"time"

	"readback/smsmcp/lang"
)

// Ears hear one call: they make turns of what the leg brings, and hold the call's [Ear]. A terminal has ears too, for what is typed.
type Ears interface {
	// Heard gives what happens, in the order in which it happened. Its channel is closed when the call is over.
	Heard() <-chan Heard
	// Speak says in which language the caller is to be understood from the next utterance on.
	Speak(l lang.Lang)
	// Deaf says whether nothing is to be understood for now: no sound goes to a recogniser, and a key is told of and stands in no transcript. So it is while a PIN is keyed in.
	Deaf(deaf bool)
	// Record begins to keep the caller's sound, from now on and for so long at most. Ears without sound keep none.
	Record(longest time.Duration) Recording
}

// Recording is the caller's sound, as it is kept.
type Recording interface {
	// Full is closed when the longest time is over.
	Full() <-chan struct{}
	// Stop ends it and gives the sound, one frame, which may be empty.
	Stop() Frame
}

// Heard is what happens on the caller's side of a call.
type Heard interface{ heard() }

// What is heard.
type (
	// Begun is an utterance of which the first sound was detected. Before the next one it is followed by one Said or one Dropped.
	Begun struct{}
	// Barged tells that the utterance has gone on for so long that who speaks against it should stop.
	Barged struct{}
	// Dropped is an utterance that came to nothing: no words, or Err, why the engine that hears could not tell them.
	Dropped struct{ Err error }
	// Said is a turn of the caller, whole: speech, or a key.
	Said struct {
		Turn Turn
		More bool // speech: the caller has begun to say something else by now, of which is told next
	}
)

func (Begun) heard()   {}
func (Barged) heard()  {}
func (Dropped) heard() {}
func (Said) heard()    {}

// Mouth speaks on one call: one thing after the other, in the order in which they were given. Its methods may be called from several goroutines and do not wait.
type Mouth interface {
	// Say adds something to what is to be said. All of it is in l.
	Say(l lang.Lang, what ...Part) Speech
	// Stop throws away all that was given so far and is not said yet, and silences what is being said, at once.
	Stop()
}

// Part is a piece of what is said: words, a sound, or a pause. The zero value is nothing.
type Part struct {
	Voice Voice
	Text  string        // as it is said
	Exact string        // what Text says, byte for byte, for a mouth that writes; "" where Text is it
	Sound Sound         // instead of words
	Pause time.Duration // instead of both
}

// Sound is one of the program's own sounds.
type Sound int

// The sounds.
const (
	NoSound  Sound = iota
	Opening        // before words that are quoted
	Closing        // behind them
	Beep           // speak now
	Thinking       // it goes on
)

// Speech is something on its way to be said.
type Speech interface {
	// Started is closed when the first sound of it was given to the leg; never, if none is.
	Started() <-chan struct{}
	// Done gives one Outcome, when all of it left the leg, or it will not.
	Done() <-chan Outcome
}

// Outcome is what became of something that was to be said.
type Outcome struct {
	Played    bool          // all of it, to its last sample, at the pace of speech
	At        time.Time     // when that was, or when it was cut
	RoundTrip time.Duration // the leg's, then
	Whole     int           // how many of its parts were said whole
	Err       error         // why an engine could not say it; nil if it was stopped
}

// HangUp ends a call.
type HangUp func(ctx context.Context) error
