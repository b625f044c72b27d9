package guard

import (
	"strings"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/fold"
	"readback/smsmcp/signs"
	"readback/smsmcp/untrusted"
)

// Heard is a received text that the model may repeat or be steered by. What the rules look for in it is found once, when a rule first asks:
// the same texts are judged at every send of the day.
type Heard struct {
	Contact smsmcp.ContactID // of the sender; 0 for a stranger
	Body    untrusted.Text
	At      time.Time // when it was stored
	Shown   time.Time // when a model was last shown it; zero if never

	once *found
}

// found is what was found in a body. It stands behind a pointer, so that nothing prints the words.
type found struct {
	find  sync.Once
	text  string   // as the frame shows it: what hides from a reader must not hide from a rule
	words []string // folded
	codes []string // one-time codes: their digits alone, or, of those with letters too, folded
}

// NewHeard makes a Heard.
func NewHeard(contact smsmcp.ContactID, body untrusted.Text, at, shown time.Time) Heard {
	return Heard{Contact: contact, Body: body, At: at, Shown: shown, once: &found{}}
}

func (h Heard) found() *found {
	h.once.find.Do(func() {
		h.once.text = clean.Body(h.Body.RawForRules()).Text
		h.once.words, h.once.codes = fold.Words(h.once.text), codes(h.once.text)
	})
	return h.once
}

func codes(text string) (out []string) {
	for _, span := range signs.Codes(text) {
		code := text[span.Start:span.End]
		if mixed := fold.Key(code); isMixed(mixed) {
			out = append(out, mixed)
		} else if code = strings.Join(digits(code), ""); len(code) >= 4 {
			out = append(out, code)
		}
	}
	return out
}
