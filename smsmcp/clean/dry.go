package clean

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// dry makes white space that runs on one, trims it, and maps what could pass for « and ».
func (w *washer) dry(b []byte) []byte {
	out := slices.Grow(w.alt[:0], len(b))
	var prev rune
	gap := rune(0) // white space seen and not yet written
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		if r == ' ' || r == 0xA0 || r == 0x202F {
			if gap == 0 {
				gap = r
			}
			i += size
			continue
		}
		if gap != 0 && len(out) > 0 {
			out, prev = utf8.AppendRune(out, gap), gap
		}
		gap = 0
		switch side := angles(r); {
		case quotes(r):
			w.Quotes++
			r = '"'
			out = append(out, '"')
		case side != 0:
			n, bytes := run(b[i:], side)
			if n > 1 && !syllables(prev, b[i:i+bytes], b[i+bytes:]) {
				w.Quotes += n
				r = '"'
				out = append(out, '"')
			} else {
				out = append(out, b[i:i+bytes]...)
			}
			size = bytes
		case size == 1:
			out = append(out, byte(r))
		default:
			out = append(out, b[i:i+size]...)
		}
		prev = r
		i += size
	}
	w.alt = out
	return out
}

// quotes says that one such mark could pass for « or », or for half of one.
func quotes(r rune) bool {
	switch {
	case r < 0xAB:
		return false
	case r < 0x2000:
		return r == '«' || r == '»' || r == '˂' || r == '˃'
	}
	switch r {
	case '‹', '›', '≪', '≫', '⋘', '⋙', '⪡', '⪢', '⪣', '⪻', '⪼', '⫷', '⫸', '⨠', // single, and mathematical
		'⟨', '⟩', '⟪', '⟫', '⦑', '⦒', '⦓', '⦔', '⦕', '⦖', '⧼', '⧽', '⸨', '⸩', // brackets of mathematics and editors
		'〈', '〉', '《', '》', 0x2329, 0x232A, '︽', '︾', '︿', '﹀', '﹤', '﹥', '＜', '＞', // of East Asia
		'❬', '❭', '❮', '❯', '❰', '❱': // ornaments
		return true
	}
	return false
}

// angles says like what a code point is drawn of which two in a row could pass for « or »; 0 for anything else. Emoji are drawn like
// themselves: ⏩ and ⏪ are what people write for faster and back, and stay.
func angles(r rune) byte {
	switch r {
	case '<', '≮', '≺', 'ᐸ', 'ᚲ', '⋖', 0x1D236, 0x16F3F:
		return '<'
	case '>', '≯', '≻', 'ᐳ', '⋗', 0x1D237:
		return '>'
	case 'ᐊ':
		return 'a'
	case 'ᐅ':
		return 'o'
	case '❨', '❪':
		return '('
	case '❩', '❫':
		return ')'
	}
	return 0
}

// run counts the angles on one side that b begins with, in code points and in bytes. Marks between two of them do not part them: they
// are drawn on the first.
func run(b []byte, side byte) (n, size int) {
	for at := 0; at < len(b); {
		r, k := utf8.DecodeRune(b[at:])
		at += k
		switch {
		case angles(r) == side:
			n, size = n+1, at
		case !unicode.Is(unicode.M, r):
			return n, size
		}
	}
	return n, size
}

// syllables says that a doubled ᐸ (pa), ᐳ (pu), ᐊ (a) or ᐅ (u) is part of a word in Canadian syllabics.
func syllables(prev rune, run, rest []byte) bool {
	for i := 0; i < len(run); {
		r, size := utf8.DecodeRune(run[i:])
		if !unicode.Is(unicode.Canadian_Aboriginal, r) {
			return false
		}
		i += size
	}
	is, _ := utf8.DecodeRune(run)
	next, _ := utf8.DecodeRune(rest)
	other := func(r rune) bool {
		return r != 'ᐸ' && r != 'ᐳ' && r != is && unicode.Is(unicode.Canadian_Aboriginal, r)
	}
	return utf8.RuneCount(run) == 2 && (other(prev) || other(next))
}
