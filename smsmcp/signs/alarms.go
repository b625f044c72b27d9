package signs

import (
	"regexp"
	"strings"

	"readback/smsmcp/fold"
)

// Alarm is a mark of a disguise; [a-z]+.
type Alarm string

// The alarms, in the order in which they are given.
const (
	Template  Alarm = "template"  // imitates how texts, or a program's messages, are shown
	Assistant Alarm = "assistant" // speaks to an assistant
	Secrecy   Alarm = "secrecy"   // asks for secrecy
	Ignore    Alarm = "ignore"    // says to ignore instructions
)

// Alarms gives the alarms that a clean text rings, in English, French and Spanish. Case, accents, look-alike letters and punctuation do not
// matter to the phrases; they do to the template.
func Alarms(s string) (out []Alarm) {
	saw := glance(s)
	for _, t := range templates {
		if saw.holdsOne(t.needs) && t.re.MatchString(s) {
			out = append(out, Template)
			break
		}
	}
	said := ""
	for _, p := range phrases {
		if !saw.holdsOne(p.needs) {
			continue
		}
		if said == "" {
			said = " " + strings.Join(fold.Words(latin.Replace(s)), " ") + " "
		}
		if p.re.MatchString(said) {
			out = append(out, p.alarm)
		}
	}
	return out
}

// phrases are asked for if the text holds all the words of one of needs.
var phrases = []struct {
	alarm Alarm
	needs []sight
	re    *regexp.Regexp
}{
	{Assistant, []sight{assistantWord}, oneOf(assistantPhrases)},
	{Secrecy, []sight{secrecyWord, secrecyVerb | secrecyNot}, oneOf(secrecyPhrases)},
	{Ignore, []sight{ignoreVerb | ignoreObject}, oneOf(ignorePhrases)},
}

var (
	upTo    = regexp.MustCompile(`~(\d)`)
	doubled = regexp.MustCompile(`\n+`)
)

// oneOf makes one expression of a list of phrases.
func oneOf(list string) *regexp.Regexp {
	list = upTo.ReplaceAllString(list, `(?: [^ ]+){0,$1}`)
	return regexp.MustCompile(` (?:` + doubled.ReplaceAllString(strings.TrimSpace(list), "|") + `) `)
}

// latin brings the Cyrillic and Greek letters, and a few others, that are drawn like Latin ones to these. It garbles Russian and Greek, which
// the phrases do not speak.
var latin = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ѕ", "s", "ј", "j", "һ", "h", "ԁ", "d", "ԛ", "q", "ԝ", "w",
	"к", "k", "м", "m", "т", "t", "в", "b", "н", "h", "г", "r", "п", "n", "А", "A", "Е", "E", "О", "O", "Р", "P", "С", "C", "У", "Y", "Х", "X", "І", "I", "Ѕ", "S", "Ј", "J",
	"К", "K", "М", "M", "Т", "T", "В", "B", "Н", "H", "α", "a", "ο", "o", "ν", "v", "ρ", "p", "ι", "i", "υ", "u", "τ", "t", "κ", "k", "ε", "e",
	"Α", "A", "Β", "B", "Ε", "E", "Η", "H", "Ι", "I", "Κ", "K", "Μ", "M", "Ν", "N", "Ο", "O", "Ρ", "P", "Τ", "T", "Υ", "Y", "Χ", "X", "Ζ", "Z",
	"ɑ", "a", "ɡ", "g", "ı", "i", "ł", "l", "ø", "o", "đ", "d", "ʟ", "l", "ɪ", "i", "ʀ", "r", "ɴ", "n", "0", "o", "@", "a",
)
