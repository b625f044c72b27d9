package voice

// Screen is where a call is shown as it goes on, to its own caller: the owner's browser, beside the sound. It shows, and takes nothing: no answer comes by it (invariant 10).
type Screen interface {
	// Show shows what has happened, after all that it was given before. It must not block.
	Show(s Shown)
}

// Shown is what is shown of a call.
type Shown interface{ shown() }

// What is shown.
type (
	// ShownTurn is a turn of the caller's or of the agent's, once it is whole. Its words are an untrusted.Text: the agent reads strangers' texts aloud. Of a key no more is to be
	// shown than that it was one. A tool's turns are not shown, nor is a key of a PIN.
	ShownTurn struct{ Turn Turn }
	// ShownDraft is the draft that is read back from now on. What became of it is the last stage.
	ShownDraft struct {
		Name     string // of the contact
		Number   string // that it goes to, in E.164 with its plus
		Body     string // as it is spoken, and as it would be sent (invariant 14)
		Segments int    // that it would be sent in
	}
	// ShownStage is how far the draft is.
	ShownStage struct{ Stage Stage }
	// ShownOthers is how many are in the room besides the caller and us; told when that changes.
	ShownOthers struct{ Count int }
)

func (ShownTurn) shown()   {}
func (ShownDraft) shown()  {}
func (ShownStage) shown()  {}
func (ShownOthers) shown() {}

// Stage is how far a draft of a call is, as a code of [a-z_].
type Stage string

// The stages. A read-back may begin again, and a question be asked again; a draft that was shown ends with one of the last five, unless the call is over before.
const (
	StageReading   Stage = "reading"   // it is read back: an answer does not count yet
	StageListening Stage = "listening" // it was heard whole: an answer counts
	StageYes       Stage = "yes"       // as the answer was judged
	StageNo        Stage = "no"
	StageUnclear   Stage = "unclear" // or none came

	StageLeft      Stage = "left"      // it was sent
	StageHanded    Stage = "handed"    // the carrier has it, and never tells whether it arrives
	StageNotLeft   Stage = "not_left"  // in spite of a yes; nothing was sent
	StageNotKnown  Stage = "not_known" // whether it was sent
	StageWithdrawn Stage = "withdrawn" // without a yes; nothing was sent
)
