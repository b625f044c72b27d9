package aloud

import (
	"errors"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/voice"
)

// Why a draft cannot be read back. Explain has the sentence.
var (
	ErrTooLong     = errors.New("too_long_to_say")
	ErrUnspeakable = errors.New("unspeakable")
)

// MaxRunes is how many code points the body of a draft may have.
const MaxRunes = 320

// Reading is a draft as it is read back.
type Reading struct {
	Parts []voice.Part
	Words string // all of it, as a recogniser could hear it: for consent.Prepared
}

// Draft says a draft. The question is no part of it: the machine asks it. The error is one that Explain explains.
func Draft(l lang.Lang, name string, number smsmcp.Number, body string, all []smsmcp.Contact) (Reading, error) {
	return Reading{}, ErrUnspeakable
}

// Explain is the sentence for an error of Draft, for the model and the owner.
func Explain(l lang.Lang, err error) string { return "" }

// Text says a text that was received or sent. A nil zone is UTC.
func Text(l lang.Lang, zone *time.Location, now time.Time, row smsmcp.Row, maskCodes bool) []voice.Part {
	return []voice.Part{{Voice: voice.QuoteVoice, Text: row.Text.Body.RawForSpeech()}}
}

// Counts are what a list of texts holds.
type Counts struct {
	Texts           int  // that are read
	Older           bool // older ones exist
	FoldedTexts     int  // strangers' that are not read
	FoldedStrangers int  // and from how many senders
}

// Intro is said before a list of texts, and End behind it.
func Intro(l lang.Lang, c Counts) []voice.Part { return nil }

// End is said behind a list of texts.
func End(l lang.Lang, c Counts) []voice.Part { return nil }
