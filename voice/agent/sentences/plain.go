package sentences

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	linked  = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\n]*\)`)
	address = regexp.MustCompile(`(?i)\b(https?://|www\.)\S*[^\s.,;:!?)\]»”"']`)
	leader  = regexp.MustCompile(`^\s*(#{1,6}\s+|>\s*|[-*+•]\s+)+`)
	rule    = regexp.MustCompile(`^\s*([-*_=]\s*){3,}$`)
	fence   = regexp.MustCompile("^\\s*```.*$")
)

// plain makes of what a model writes what can be spoken: no markup, no address, no sign that no voice says. It is empty if nothing is left to say.
func plain(s, link string) string {
	if rule.MatchString(s) || fence.MatchString(s) {
		return ""
	}
	s = leader.ReplaceAllString(s, "")
	s = linked.ReplaceAllString(s, "$1")
	s = address.ReplaceAllString(s, link)
	var b strings.Builder
	said := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			said = true
			b.WriteRune(r)
		case unicode.IsMark(r) && !unicode.Is(unicode.Variation_Selector, r) && !unicode.Is(unicode.Me, r), unicode.Is(unicode.Sc, r), strings.ContainsRune(spokenSigns, r):
			b.WriteRune(r)
		default: // a sign that is dropped parts words
			b.WriteByte(' ')
		}
	}
	if !said {
		return ""
	}
	return spaced.ReplaceAllString(strings.TrimSpace(b.String()), " ")
}

// spokenSigns are what a voice says or minds, besides letters, digits and currencies. The spaces that break no line are French.
const spokenSigns = ".,;:!?…'’\"«»“”()-–—/%+=&@°\u00a0\u202f"

var spaced = regexp.MustCompile(` {2,}`)
