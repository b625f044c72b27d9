package signs

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Alarms gives the alarms that a clean text rings, in English, French and Spanish. Case, accents and punctuation do not matter to the
// phrases; they do to the template.
func Alarms(s string) (out []Alarm) {
	look, say := glance(s)
	if look && template(s) {
		out = append(out, Template)
	}
	if !say {
		return out
	}
	said := " " + strings.Join(fold.Words(s), " ") + " "
	for _, p := range phrases {
		if p.re.MatchString(said) {
			out = append(out, p.alarm)
		}
	}
	return out
}

var phrases = []struct {
	alarm Alarm
	re    *regexp.Regexp
}{
	{Assistant, any(assistantPhrases)},
	{Secrecy, any(secrecyPhrases)},
	{Ignore, any(ignorePhrases)},
}

// any makes one expression of many phrases, of whole words.
func any(list string) *regexp.Regexp {
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		all = append(all, strings.TrimSpace(line))
	}
	return regexp.MustCompile(` (?:` + strings.Join(all, "|") + `) `)
}

// template looks for the imitation of a list of texts, or of a program's turns.
func template(s string) bool {
	for _, re := range templates {
		if re.MatchString(s) {
			return true
		}
	}
	return false
}

// glance reads a text once, without folding it, and says whether the expressions could match at all: look for the template, say for the
// phrases. Most texts end here.
func glance(s string) (look, say bool) {
	const base, prime = 14695981039346656037, 1099511628211
	h := uint64(base)
	inWord := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size - 1
			if r < 0x100 {
				c = latin1[r-0x80]
			} else {
				if !skips(r) {
					return true, true
				}
				c = ' '
			}
		}
		switch {
		case c >= 'a' && c <= 'z':
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		default:
			if inWord && triggers[h] {
				say = true
			}
			h, inWord = base, false
			if c == ':' || c == '"' || c == '{' || c == '[' || c == '<' || c == '|' || c == '#' || c == '(' {
				look = true
			}
			continue
		}
		h, inWord = (h^uint64(c))*prime, true
	}
	return look, say || inWord && triggers[h]
}

// skips says that a code point above Latin-1 neither folds to a letter of the three languages nor opens a template.
func skips(r rune) bool {
	return r >= 0x2E80 && r < 0xF900 || r >= 0x1F300 && r < 0x1FB00 || r >= 0x2013 && r <= 0x2026 || r == 0x20AC ||
		r >= 0x2600 && r < 0x27C0 || r == 0xFE0F || r == 0x200D || r == 0x202F || r >= 0xFF01 && r < 0xFF10
}

// latin1 folds the upper half of Latin-1 to the letter without its accent, or a space.
var latin1 = func() (t [0x80]byte) {
	for i := range t {
		t[i] = ' '
		if f := fold.Key(string(rune(i + 0x80))); f != "" && f[0] < utf8.RuneSelf && unicode.IsLetter(rune(f[0])) {
			t[i] = f[0]
		}
	}
	return t
}()

// triggers are the hashes of the words of which every phrase holds at least one.
var triggers = func() map[uint64]bool {
	out := map[uint64]bool{}
	for w := range set(triggerWords) {
		h := uint64(14695981039346656037)
		for i := 0; i < len(w); i++ {
			h = (h ^ uint64(w[i])) * 1099511628211
		}
		out[h] = true
	}
	return out
}()
