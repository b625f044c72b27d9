package consent

import (
	"time"

	"readback/voice"
)

// Digest names a draft: it is smsmcp.Draft's.
type Digest [32]byte

// Event is what happens in a call, as far as a draft is concerned.
type Event interface{ event() }

// The events.
type (
	// Owner tells that the caller is known to be the owner, or no longer is.
	Owner struct{ Known bool }
	// Prepared is a draft that the model has prepared. It replaces the one before, if there is any.
	Prepared struct {
		Draft Digest
		Words string // the read-back, as it will be spoken
	}
	// Withdrawn takes the draft back: its contact changed, an engine is dead, the owner stopped all sends.
	Withdrawn struct{}
	// Started is a read-back of which the first sound was given to the leg. Draft is the digest of the draft that is spoken, as the speaker has looked it up.
	Started struct {
		Reading int
		Draft   Digest
	}
	// Played is a read-back of which the leg's mark says that all of it left.
	Played struct {
		Reading   int
		RoundTrip time.Duration // the leg's
	}
	// Asked is a question of which the leg's mark says that all of it left. One that is cut, or that no engine could speak, never is.
	Asked struct{ Question int }
	// Interrupted is a read-back that was cut: the leg's mark says that not all of it left, or the engine failed. A question that is cut is none.
	Interrupted struct{ Reading int }
	// Begun is an utterance of the caller of which the first sound was detected.
	Begun struct{}
	// Dropped is an utterance that came to nothing: no words.
	Dropped struct {
		Failed bool // nobody knows what it was: the recogniser failed
	}
	// Final is a turn of the caller, whole: speech, or a key.
	Final struct {
		Turn voice.Turn
		More bool // the caller had begun to say something else before this was understood: a Begun of it, or a Final, is next
	}
	// Silence is a time-out: Deadline has passed.
	Silence struct{}
	// ModelSpoke is sound of the model's words, or any but the read-back and the question, that the caller heard.
	ModelSpoke struct{}
	// ToolAnswered is a tool's answer to the model.
	ToolAnswered struct{}
	// HungUp is the end of the call.
	HungUp struct{}
)

func (Owner) event()        {}
func (Prepared) event()     {}
func (Withdrawn) event()    {}
func (Started) event()      {}
func (Played) event()       {}
func (Asked) event()        {}
func (Interrupted) event()  {}
func (Begun) event()        {}
func (Dropped) event()      {}
func (Final) event()        {}
func (Silence) event()      {}
func (ModelSpoke) event()   {}
func (ToolAnswered) event() {}
func (HungUp) event()       {}

// Effect is what is to be done, in the order in which it is given.
type Effect interface{ effect() }

// The effects.
type (
	// Stop silences what is being played.
	Stop struct{}
	// ReadBack speaks the draft, from what is stored under its digest, and tells of it by Started, and Played or Interrupted, with this number.
	ReadBack struct {
		Draft   Digest
		Reading int
	}
	// Ask speaks the question, or the one that names the keypad, and tells of its end by Asked, with this number.
	Ask struct {
		Draft    Digest
		Question int
		Keypad   bool
	}
	// Void tells that the draft is no more, and why. Nothing was sent.
	Void struct {
		Draft Digest
		Why   Reason
	}
	// Hand gives a turn to the model, as a request.
	Hand struct{ Turn voice.Turn }
	// Send dispatches the draft. Turn is the yes, for the audit.
	Send struct {
		Draft Digest
		Turn  voice.Turn
	}
)

func (Stop) effect()     {}
func (ReadBack) effect() {}
func (Ask) effect()      {}
func (Void) effect()     {}
func (Hand) effect()     {}
func (Send) effect()     {}

// Reason is why a draft is void: a code of [a-z_].
type Reason string

// The reasons.
const (
	Declined   Reason = "declined"    // a clear no
	Changed    Reason = "changed"     // the caller asked for something else
	NoAnswer   Reason = "no_answer"   // asked twice, and nothing clear came
	Replaced   Reason = "replaced"    // another draft was prepared
	TakenBack  Reason = "withdrawn"   // the program took it back
	Cut        Reason = "cut"         // the read-back could not be heard whole
	OtherDraft Reason = "other_draft" // another draft than this was spoken
	NotOwner   Reason = "not_owner"   // the caller is not known to be the owner
	ClockBack  Reason = "clock_back"  // the clock jumped back
	CallEnded  Reason = "call_ended"  // the call is over
)
