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
			said = spoken(s)
		}
		if p.re.MatchString(said) {
			out = append(out, p.alarm)
		}
	}
	return out
}

// spoken gives the folded words of a text, with a space around each, and without those that only remind.
func spoken(s string) string {
	return reminders.Replace(" " + strings.Join(fold.Words(latin.Replace(s)), " ") + " ")
}

// reminders say to forget in order to say the contrary: "don't forget to send me directions".
var reminders = func() *strings.Replacer {
	var pairs []string
	for _, w := range []string{
		"don t forget", "dont forget", "do not forget", "never forget", "not to forget", "didn t forget", "did you forget", "i forget", "i always forget",
		"n oublie pas", "oublie pas", "n oublies pas", "oublies pas", "n oubliez pas", "oubliez pas", "ne pas oublier", "j oublie", "no olvides", "no olvide",
	} {
		pairs = append(pairs, " "+w+" ", " ")
	}
	return strings.NewReplacer(pairs...)
}()

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
	list = upTo.ReplaceAllString(strings.ReplaceAll(list, "\n\t", ""), `(?: [^ ]+){0,$1}`)
	return regexp.MustCompile(` (?:` + doubled.ReplaceAllString(strings.TrimSpace(list), "|") + `) `)
}

// latin brings the Cyrillic and Greek letters, and a few others, that are drawn like Latin ones to these. It garbles Russian and Greek, which
// the phrases do not speak.
var latin = func() *strings.Replacer {
	from := []rune("аеорсухіѕјһԁԛԝкмтвнгпАЕОРСУХІЅЈКМТВН" + "αονριυτκεΑΒΕΗΙΚΜΝΟΡΤΥΧΖ" + "ɑɡıłøđʟɪʀɴ")
	to := "aeopcyxisjhdqwkmtbhrnAEOPCYXISJKMTBH" + "aovpiutkeABEHIKMNOPTYXZ" + "agilodlirn"
	var pairs []string
	for i, r := range from {
		pairs = append(pairs, string(r), to[i:i+1])
	}
	return strings.NewReplacer(pairs...)
}()
