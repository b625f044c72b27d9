package clean

import (
	"strings"
	"unicode"
)

const (
	zwnj = 0x200C
	zwj  = 0x200D
)

// kind is what a code point does to a line.
type kind uint8

const (
	letter   kind = iota // is drawn: letters, digits, punctuation, symbols, no-break spaces
	mark                 // is drawn on what stands before it
	space                // white space and line breaks
	control              // any other control
	reorders             // Bidi_Control
	joiner               // ZWJ and ZWNJ
	selector             // VS15 and VS16
	blank                // is drawn as nothing, but takes room
	hidden               // is drawn as nothing
)

// class says what a code point does. The hidden ones are Default_Ignorable_Code_Point (Unicode 17.0, DerivedCoreProperties.txt), format and private-use
// characters, noncharacters, the planes without any assignment, and a few that only look like something in the tables.
func class(r rune) kind {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0:
		if r >= '\t' && r <= '\r' || r >= 0x1C && r <= 0x1F || r == 0x85 {
			return space
		}
		return control
	case r < 0x300:
		if r == 0xAD {
			return hidden
		}
		return letter
	case r >= 0x3041 && r <= 0x3096, r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3:
		return letter
	case r == 0x2028, r == 0x2029:
		return space
	case r == 0x061C, r == 0x200E, r == 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return reorders
	case r == zwj, r == zwnj:
		return joiner
	case r == 0xFE0E, r == 0xFE0F:
		return selector
	case r == 0x2800: // BRAILLE PATTERN BLANK
		return blank
	case ignorable(r), private(r):
		return hidden
	case r == 0xFFFC, r == 0x1D159, r >= 0x13430 && r <= 0x13440: // object replacement, null notehead, hieroglyph joiners
		return hidden
	case r == 0x2D7F, r == 0x16FE4, r == 0x1BC9D: // marks that only tell a font how to draw: Tifinagh joiner, Khitan filler, Duployan selector
		return hidden
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.Zs, r):
		if r == 0x202F { // narrow no-break space, as French sets before ; ! ?
			return letter
		}
		return space
	case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return hidden
	}
	return letter
}

func ignorable(r rune) bool {
	switch {
	case r < 0x1000:
		return r == 0x34F
	case r < 0x3000:
		return r == 0x115F || r == 0x1160 || r == 0x17B4 || r == 0x17B5 || r >= 0x180B && r <= 0x180F || r >= 0x200B && r <= 0x200F ||
			r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F
	case r < 0x10000:
		return r == 0x3164 || r >= 0xFE00 && r <= 0xFE0F || r == 0xFEFF || r == 0xFFA0 || r >= 0xFFF0 && r <= 0xFFF8
	}
	return r >= 0x1BCA0 && r <= 0x1BCA3 || r >= 0x1D173 && r <= 0x1D17A || r >= 0xE0000 && r <= 0xE0FFF
}

// private says that a code point has no meaning that two people share: private use, noncharacters, and the planes without any
// assignment. Unassigned ones elsewhere may be the letters and emoji of a newer Unicode, and are kept.
func private(r rune) bool {
	return r >= 0xE000 && r <= 0xF8FF || r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE || r >= 0x40000
}

// flags are the three tag sequences of emoji-sequences.txt: England, Scotland, Wales.
var flags = [...]string{tagged("gbeng"), tagged("gbsct"), tagged("gbwls")}

func tagged(region string) string {
	var b strings.Builder
	b.WriteRune(0x1F3F4)
	for _, c := range region {
		b.WriteRune(0xE0000 + c)
	}
	b.WriteRune(0xE007F)
	return b.String()
}

// flag gives the length of the tag sequence that s begins with, or 0.
func flag(s string) int {
	for _, f := range flags {
		if strings.HasPrefix(s, f) {
			return len(f)
		}
	}
	return 0
}
