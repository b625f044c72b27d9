// Package fold reduces words to what makes them the same to a person: case, accents, spaces and punctuation apart.
//
// Names are looked up by [Key] (invariant 2) and bodies compared by [Words].
//
// Floor 0: imports no other package of the project.
package fold

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Key folds a name for an exact comparison of the whole: NFKD, the Latin, Greek and Cyrillic accents dropped (marks of other
// scripts are letters of theirs and stay), case folded, white space trimmed and made
// one space. Punctuation stays, but for the apostrophes and hyphens, each brought to one form.
func Key(s string) string {
	return strings.Join(strings.FieldsFunc(fold(s), unicode.IsSpace), " ")
}

// Words folds a text and splits it into its words: runs of letters, marks and digits. In scripts that write no spaces, each letter is a word.
func Words(s string) []string {
	words := strings.FieldsFunc(fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	for i, w := range words {
		if strings.IndexFunc(w, unspaced) >= 0 {
			return append(words[:i:i], letters(words[i:])...)
		}
	}
	return words
}

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// letters splits words at each letter of an unspaced script; its marks stay with it.
func letters(words []string) (out []string) {
	for _, w := range words {
		start := 0
		for i, r := range w {
			if i > start && unspaced(r) && !unicode.IsMark(r) {
				out, start = append(out, w[start:i]), i
			}
		}
		out = append(out, w[start:])
	}
	return out
}

var ligatures = strings.NewReplacer("œ", "oe", "æ", "ae")

func fold(s string) string {
	s = cases.Fold().String(norm.NFKD.String(s))
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x300 && r <= 0x36F:
			return -1
		case r == '’' || r == 'ʼ' || r == '‘':
			return '\''
		case r == '‐' || r == '‑' || r == '–':
			return '-'
		}
		return r
	}, ligatures.Replace(s))
}
