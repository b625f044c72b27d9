// Package untrusted makes a stranger's words a type (invariant 4).
//
// A [Text] holds what somebody else wrote: a body, or the label that came in place of a number. It has no String method,
// and fmt, encoding/json, encoding and log/slog show a placeholder instead of the words. The words come out
// only through the methods named Raw…, one for each place where they go; a test of the whole module lists the packages that
// may call each of them.
//
// Floor 0: imports the standard library alone.
package untrusted

import (
	"fmt"
	"io"
	"log/slog"
)

// Placeholder is what stands where a Text would have been printed.
const Placeholder = "[untrusted text]"

// Text is a stranger's words. The zero value is the empty text. The words sit behind a pointer so that fmt, which reads
// unexported fields by reflection without calling their methods, finds an address and not the words.
type Text struct{ p *string }

// New wraps words that came from outside.
func New(s string) Text {
	if s == "" {
		return Text{}
	}
	return Text{&s}
}

func (t Text) raw() string {
	if t.p == nil {
		return ""
	}
	return *t.p
}

// Len is the length in bytes.
func (t Text) Len() int { return len(t.raw()) }

// Equal says whether two texts hold the same bytes.
func (t Text) Equal(u Text) bool { return t.raw() == u.raw() }

// RawForModel hands the words to the renderer that frames them for a model.
func (t Text) RawForModel() string { return t.raw() }

// RawForPerson hands the words to the renderer that draws them for the owner's own eyes.
func (t Text) RawForPerson() string { return t.raw() }

// RawForSpeech hands the words to the renderer that says them aloud, in the voice of what is quoted.
func (t Text) RawForSpeech() string { return t.raw() }

// RawForRules hands the words to the pure rules that judge them: guard, signs.
func (t Text) RawForRules() string { return t.raw() }

// RawForStore hands the words to what keeps or moves them unseen: the store and the carriers.
func (t Text) RawForStore() string { return t.raw() }

// Format prints the placeholder for every verb and flag.
func (t Text) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Placeholder) }

// MarshalJSON gives the placeholder.
func (t Text) MarshalJSON() ([]byte, error) { return []byte(`"` + Placeholder + `"`), nil }

// MarshalText gives the placeholder.
func (t Text) MarshalText() ([]byte, error) { return []byte(Placeholder), nil }

// LogValue gives the placeholder.
func (t Text) LogValue() slog.Value { return slog.StringValue(Placeholder) }
