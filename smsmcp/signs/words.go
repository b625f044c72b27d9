package signs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/fold"
)

// word is a folded word of a text and where it stands.
type word struct {
	text string
	Span
	strength, length int // as says gives them
}

// wordsOf splits a text into its words. Letters of a script without spaces are no word with others, or with digits.
func wordsOf(s string) (out []word) {
	start := -1
	end := func(at int) {
		if text := foldWord(s[start:at]); text != "" { // of a mark alone nothing is left
			out = append(out, word{text: text, Span: Span{start, at}})
		}
		start = -1
	}
	var prev rune
	for i, r := range s {
		is := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		if start >= 0 && (!is || (r >= unspaced) != (prev >= unspaced)) {
			end(i)
		}
		if is && start < 0 {
			start = i
		}
		prev = r
	}
	if start >= 0 {
		end(len(s))
	}
	for i := range out {
		out[i].strength, out[i].length = says(out[i:])
	}
	return out
}

// unspaced is the first code point of the scripts of East Asia, which put no space between words.
const unspaced = 0x2E80

func foldWord(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return fold.Key(s)
		}
	}
	return strings.ToLower(s)
}
