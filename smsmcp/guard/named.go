package guard

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/fold"
)

// RuleNamed is the code of the rule on recipients that somebody else's text named.
const RuleNamed smsmcp.Rule = "named_by_another"

// everyday are first names that are words as well, in folded form. They count only where they are written with a capital: "I will"
// names nobody.
var everyday = map[string]bool{
	"art": true, "bill": true, "dawn": true, "drew": true, "grace": true, "grant": true, "hope": true, "jack": true, "joy": true, "mark": true,
	"may": true, "pat": true, "rob": true, "rose": true, "sue": true, "will": true, "mom": true, "dad": true, "aime": true, "blanche": true,
	"claire": true, "france": true, "fleur": true, "marin": true, "parfait": true, "pierre": true, "maman": true, "papa": true,
}

// named asks before a text to somebody whom another sender's shown text spoke of: "tell Marie that…" is how a text steers.
func named(g Settings, _ Attempt, s State, now time.Time) []smsmcp.Reason {
	if !s.Known {
		return nil
	}
	names := spoken(s.Contact)
	for _, h := range s.Heard {
		if h.Contact == s.Contact.ID || h.Shown.IsZero() || !within(h.Shown, g.Named, now) {
			continue
		}
		words := h.found().words
		for _, name := range names {
			if follows(words, name) && (len(name) > 1 || !everyday[name[0]] || capital(h.Body.RawForRules(), name[0])) {
				return one(smsmcp.Reason{Rule: RuleNamed, Until: h.Shown.Add(g.Named)})
			}
		}
	}
	return nil
}

// spoken lists what a contact may be called, as folded words: the name, each alias, and the first name alone.
func spoken(c smsmcp.Contact) (out [][]string) {
	for _, n := range append([]string{c.Name}, c.Aliases...) {
		words := fold.Words(n)
		if len(words) == 0 {
			continue
		}
		out = append(out, words)
		if len(words) > 1 && utf8.RuneCountInString(words[0]) > 2 {
			out = append(out, words[:1])
		}
	}
	return out
}

// follows says whether words holds run, in a row.
func follows(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

func capital(raw, folded string) bool {
	for _, w := range strings.FieldsFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) && fold.Key(w) == folded {
			return true
		}
	}
	return false
}
