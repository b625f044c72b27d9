package signs

import (
	"cmp"
	"slices"
	"unicode"
)

// Span is a part of a text, in bytes: s[Start:End].
type Span struct{ Start, End int }

// Codes finds the one-time codes in a text, near a word that speaks of one, in English, French or Spanish, and by their commonest words in a few
// other languages: 4 to 8 digits, whole or in groups (123-456), and 4 to 10 letters and digits in a mixture (A4F9K2) that the word
// stands right beside. A span begins and ends with a digit or a letter: of G-123456 it is 123456. A span of digits holds their
// separators and marks too.
func Codes(s string) []Span {
	found := numbers(s)
	if found == nil && !hasMixture(s) {
		return nil
	}
	words := wordsOf(s)
	found = append(found, mixtures(s, words)...)
	slices.SortFunc(found, func(a, b number) int { return cmp.Compare(a.Start, b.Start) })
	var out []Span
	end := 0
	for _, n := range found {
		for len(words) > 0 && words[0].End < n.Start-farReach {
			words = words[1:]
		}
		if n.Start >= end && (n.kind == webOTP || speaksOf(s, words, n) && !placed(s, words, n.Span)) {
			out = append(out, n.Span)
			end = n.End
		}
	}
	return out
}

// Mask puts a bullet for each digit, and each letter, of a one-time code, and counts the codes. Marks on them (of keycaps) go with them.
func Mask(s string) (string, int) {
	spans := Codes(s)
	if len(spans) == 0 {
		return s, 0
	}
	out := make([]byte, 0, len(s)+16)
	at := 0
	for _, span := range spans {
		out = append(out, s[at:span.Start]...)
		for _, r := range s[span.Start:span.End] {
			switch {
			case digitOf(r) >= 0 || unicode.IsLetter(r):
				out = append(out, "•"...)
			case !unicode.IsMark(r):
				out = append(out, string(r)...)
			}
		}
		at = span.End
	}
	return string(append(out, s[at:]...)), len(spans)
}
