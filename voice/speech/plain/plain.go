// Package plain makes of a text what an engine may be given to speak: its words, with nothing that an engine would read as something else (invariant 4). Double
// brackets begin phonemes for espeak-ng and for Piper, brackets and slashes do for Kokoro, angle brackets begin markup and moods, control characters are commands.
//
// Floor 2: imports the standard library alone.
package plain

import (
	"errors"
	"strings"
	"unicode"
)

// MaxRunes is the longest text that is spoken at once.
const MaxRunes = 4000

// ErrTooLong is what a longer text is answered with: it is refused, and never cut (invariant 10).
var ErrTooLong = errors.New("the text is too long to be spoken at once")

// Text is the text as an engine may be given it. It is empty if nothing in it can be spoken.
func Text(s string) (string, error) {
	if len(s) > 4*MaxRunes {
		return "", ErrTooLong
	}
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range strings.ToValidUTF8(s, " ") {
		if r = spoken(r); r < 0 {
			continue
		}
		if r == ' ' {
			gap = runes > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			runes++
		}
		gap = false
		b.WriteRune(r)
		if runes++; runes > MaxRunes {
			return "", ErrTooLong
		}
	}
	return b.String(), nil
}

// Sounds says whether a text that was made plain must be heard: an engine that is silent about it has failed.
func Sounds(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// spoken is what stands for a character: itself, a parenthesis, a space, or nothing (-1).
func spoken(r rune) rune {
	switch r {
	case '[', '\uff3b':
		return '('
	case ']', '\uff3d':
		return ')'
	case '<', '>', '\uff1c', '\uff1e':
		return ' '
	case unicode.ReplacementChar:
		return -1
	}
	switch {
	case unicode.IsSpace(r), unicode.Is(unicode.Cc, r):
		return ' '
	case unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs):
		return -1
	}
	return r
}
