package frame

import (
	"testing"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// The blocks hold every letter of a right-to-left script and no other.
func TestLeftward(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		p, _ := bidi.LookupRune(r)
		if want := p.Class() == bidi.R || p.Class() == bidi.AL; unicode.IsLetter(r) && leftward(r) != want {
			t.Errorf("U+%04X: %v", r, !want)
		}
	}
}
