package contacts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
	"golang.org/x/text/unicode/norm"

	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
	"readback/smsmcp/signs"
)

// Name checks a name or an alias and brings it to its one form: NFC, trimmed, single spaces, plain apostrophes and hyphens. Otherwise
// nothing is mended. The error is a *Refusal.
//
// A name is letters and marks of one script, with space - ' . , between them. Of one script means that every letter is of one Script
// value, where Common and Inherited marks count as of any; Japanese may mix Han, Hiragana and Katakana (with its ー),
// Korean Hangul and Han, and Chinese Han and Bopomofo, which are the augmented scripts of UTS 39, section 5.1. The scripts are the
// recommended ones of UAX 31, table 5, and the Canadian syllabics.
func Name(raw string) (string, error) {
	if len(raw) > 1024 {
		return "", badName(raw, lang.NameTooLong)
	}
	if !utf8.ValidString(raw) {
		return "", badName(raw, lang.NameNotUTF8)
	}
	s := strings.Join(strings.FieldsFunc(norm.NFC.String(raw), func(r rune) bool { return r == ' ' }), " ")
	s = plain.Replace(s)
	switch {
	case s == "":
		return "", badName(raw, lang.NameEmpty)
	case utf8.RuneCountInString(s) > MaxName:
		return "", badName(raw, lang.NameTooLong)
	}
	for _, check := range []func(string) *lang.Message{letters, shape, oneScript, numberlike, frameWords, speech} {
		if why := check(s); why != nil {
			return "", badName(raw, *why)
		}
	}
	return s, nil
}

var plain = strings.NewReplacer("’", "'", "ʼ", "'", "‐", "-", "‑", "-", "–", "-")

// letters refuses every rune that is no plain letter, mark or allowed punctuation.
func letters(s string) *lang.Message {
	for _, r := range s {
		switch {
		case punct(r) || r == ' ':
		case unicode.IsDigit(r) || unicode.IsNumber(r):
			return &lang.NameDigit
		case hidden(r):
			return &lang.NameHidden
		case unicode.Is(unicode.Me, r) || !unicode.IsLetter(r) && !unicode.IsMark(r):
			return &lang.NameSign
		case strings.ContainsRune(signLetters, r) || !compatible(r):
			return &lang.NameSign
		}
	}
	if strings.Contains(s, "ᐸᐸ") || strings.Contains(s, "ᐳᐳ") { // the syllables pa and pu, doubled, are drawn like « and »
		return &lang.NameSign
	}
	return nil
}

func punct(r rune) bool { return r == '-' || r == '\'' || r == '.' || r == ',' }

// hidden says whether a rune is not drawn, or reorders what is: Cc, Cf and the default ignorable code points.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// signLetters are letters by their class that are drawn as signs: the clicks and the saltillos.
const signLetters = "ǀǁǂǃꞋꞌꞏ"

// compatible refuses letters that are another letter in a costume (ligatures, superscripts, mathematical and full-width forms): those
// that NFKC changes, but for the five that are the usual way to write Thai, Lao and Armenian.
func compatible(r rune) bool {
	return strings.ContainsRune("ำຳໜໝև", r) || norm.NFKC.String(string(r)) == norm.NFC.String(string(r))
}

// shape refuses punctuation that could pass for the frame's own, and marks piled higher than any script needs (UTS 39, section 5.4).
func shape(s string) *lang.Message {
	var prev rune
	marks := 0
	for i, r := range s {
		switch {
		case unicode.IsMark(r):
			marks++
			if i == 0 || prev == ' ' || punct(prev) || marks > 4 || marks > 1 && r == prev {
				return &lang.NameMarks
			}
		case i == 0 && !unicode.IsLetter(r):
			return &lang.NameStart
		case punct(r) && punct(prev) && (prev != '.' || r != '-' && r != ','): // J.-P. and Jr., and nothing like them
			return &lang.NamePunctuation
		case punct(r) && prev == ' ' && r != '\'': // Gerard 't Hooft
			return &lang.NamePunctuation
		}
		if !unicode.IsMark(r) {
			marks = 0
		}
		prev = r
	}
	if punct(prev) && prev != '.' {
		return &lang.NamePunctuation
	}
	return nil
}

var scripts = func() (out []*unicode.RangeTable) {
	for _, name := range strings.Fields("Latin Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati " +
		"Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan " +
		"Canadian_Aboriginal") {
		out = append(out, unicode.Scripts[name])
	}
	return out
}()

// mixed are the sets of scripts that one language writes together.
var mixed = [][]*unicode.RangeTable{
	{unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Han, unicode.Hangul},
	{unicode.Han, unicode.Bopomofo},
}

func oneScript(s string) *lang.Message {
	used := map[*unicode.RangeTable]bool{}
	for _, r := range s {
		switch {
		case r == ' ' || punct(r) || unicode.IsMark(r) && unicode.In(r, unicode.Inherited, unicode.Common):
		case r == 'ー':
			used[unicode.Katakana] = true // Common, but of Hiragana and Katakana alone
		default:
			t := script(r)
			if t == nil {
				return &lang.NameSign
			}
			used[t] = true
		}
	}
	if len(used) <= 1 {
		return nil
	}
	for _, set := range mixed {
		n := 0
		for _, t := range set {
			if used[t] {
				n++
			}
		}
		if n == len(used) {
			return nil
		}
	}
	return &lang.NameScripts
}

func script(r rune) *unicode.RangeTable {
	for _, t := range scripts {
		if unicode.Is(t, r) {
			return t
		}
	}
	return nil
}

// numberlike refuses seven letters or more that are all drawn like digits ("OllOllO") or are Han digits.
func numberlike(s string) *lang.Message {
	n := 0
	for _, r := range s {
		switch {
		case r == ' ' || punct(r):
		case strings.ContainsRune("oO一二三四五六七八九", r), strings.Trim(confusables.Skeleton(string(r)), "Ol23456789") == "":
			n++
		default:
			return nil
		}
	}
	if n >= 7 {
		return &lang.NameDigit
	}
	return nil
}

// frameWords refuses a name that is, in whole or between commas and stops, a word that the frame uses for somebody who is no
// contact, and one that holds a phrase of the frame's.
func frameWords(s string) *lang.Message {
	forms := looks(s)
	for _, form := range forms {
		for _, phrase := range framePhrases {
			if strings.Contains(form, phrase) {
				return &lang.NameFrame
			}
		}
	}
	if strings.ContainsAny(s, ",.") {
		for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '.' }) {
			forms = append(forms, looks(part)...)
		}
	}
	for _, form := range forms {
		if slices.Contains(frameAlone, form) {
			return &lang.NameFrame
		}
	}
	return nil
}

var framePhrases, frameAlone = lookAll(lang.FramePhrases), lookAll(lang.FrameWords)

func lookAll(words []string) (out []string) {
	for _, w := range words {
		out = append(out, looks(w)...)
	}
	return out
}

// speech refuses a name that says something: what stands in the server's own sentences must not make another one of them.
func speech(s string) *lang.Message {
	for _, form := range looks(s) {
		if slices.Contains(assistantAlone, form) {
			return &lang.NameSpeech
		}
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || punct(r) })
	for _, said := range spoken(words) {
		for _, phrase := range speechPhrases {
			if strings.Contains(said, phrase) {
				return &lang.NameSpeech
			}
		}
	}
	if len(signs.Alarms(s)) > 0 {
		return &lang.NameSpeech
	}
	return nil
}

// spoken gives the keys of the look of each word, with a space around each: by how it is written, and by its folded form.
func spoken(words []string) []string {
	written, folded := " ", " "
	for _, w := range words {
		written += look(w) + " "
		folded += look(fold.Key(w)) + " "
	}
	return []string{written, folded}
}

var assistantAlone = lookAll(lang.AssistantWords)

var speechPhrases = func() (out []string) {
	for _, p := range lang.SpeechPhrases {
		out = append(out, spoken(strings.Fields(p))...)
	}
	return out
}()

// looks gives the keys by which two names look alike; sharing any is enough. Two are the skeleton of UTS 39 (Unicode 13 data), without case,
// spaces and punctuation: one of the name as it is written (AIex with a capital i is Alex), one of its folded form (accents apart). The
// third is that of the name with drawn in place of what UTS 39 keeps apart.
func looks(name string) []string {
	out := []string{look(name)}
	for _, l := range []string{look(fold.Key(name)), look(fold.Key(drawn.Replace(name)))} {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// drawn are letters that a reader takes for others, though UTS 39 does not say so: of ß its name's fold says ss, but its look says b; the two
// ends of فاطمة are one name's. Letters that make two names of real families one (cl and d: Clara, Dara) are left apart.
var drawn = strings.NewReplacer("ß", "b", "ẞ", "B", "Ⱥ", "A", "ⱥ", "a", "Ɛ", "E", "ɛ", "e", "ĸ", "k", "vv", "w", "VV", "W", "Vv", "W", "ة", "ه")

func look(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || punct(r) {
			return -1
		}
		return r
	}, fold.Key(confusables.Skeleton(s)))
}
