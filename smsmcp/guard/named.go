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

// everyday are names that are words as well, in folded form. They count only where they are written with a capital, or follow a teller:
// "I will" names nobody.
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
		f := h.found()
		for _, name := range names {
			if follows(f.words, name.words) && (!name.weak || told(f.words, name.words[0]) || name.capital && capital(f.text, name.words[0])) {
				return one(smsmcp.Reason{Rule: RuleNamed, Until: h.Shown.Add(g.Named)})
			}
		}
	}
	return nil
}

// called is a way to speak of somebody, as folded words. A weak one counts only behind a teller, or, if it is an everyday name, with a capital.
type called struct {
	words   []string
	weak    bool
	capital bool
}

// spoken lists what a contact may be called: the name, each alias, and the words of these alone. All but the first are weak: "Dr. Roy" is
// somebody else.
func spoken(c smsmcp.Contact) (out []called) {
	for _, n := range append([]string{c.Name}, c.Aliases...) {
		words := fold.Words(n)
		if len(words) == 1 {
			out = append(out, called{words: words, weak: everyday[words[0]], capital: true})
			continue
		}
		if len(words) > 1 {
			out = append(out, called{words: words})
		}
		for i, w := range words {
			if utf8.RuneCountInString(w) > 2 && !particles[w] {
				out = append(out, called{words: words[i : i+1], weak: i > 0 || everyday[w], capital: i == 0})
			}
		}
	}
	return out
}

// particles are parts of names that name nobody.
var particles = map[string]bool{
	"des": true, "del": true, "van": true, "von": true, "den": true, "der": true, "the": true, "bin": true, "ben": true, "saint": true, "ste": true,
	"grand": true, "petit": true, "oncle": true, "tante": true, "uncle": true, "aunt": true, "mon": true, "mes": true, "les": true,
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

// tellers are words after which an everyday word is a name: "tell will that…".
var tellers = map[string]bool{
	"tell": true, "text": true, "ask": true, "message": true, "msg": true, "write": true, "call": true, "warn": true, "remind": true, "contact": true,
	"dis": true, "dites": true, "ecris": true, "ecrivez": true, "demande": true, "demandez": true, "texte": true, "textez": true, "appelle": true,
	"appelez": true, "previens": true, "prevenez": true, "avise": true, "rappelle": true, "reponds": true, "repondez": true,
}

// told says whether a word stands behind a teller, or behind one and "à" or "to".
func told(words []string, name string) bool {
	for i, w := range words {
		if w == name && i > 0 && (tellers[words[i-1]] || i > 1 && (words[i-1] == "a" || words[i-1] == "to") && tellers[words[i-2]]) {
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
