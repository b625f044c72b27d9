package consent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/fold"
	"readback/voice"
)

// Verdict is what a turn says to "Send it?". The zero value is Unclear.
type Verdict int

// The verdicts.
const (
	Unclear Verdict = iota
	Yes
	No
)

// String names the verdict, for logs.
func (v Verdict) String() string {
	switch v {
	case Yes:
		return "yes"
	case No:
		return "no"
	}
	return "unclear"
}

// The keys that answer.
const (
	YesKey = '1'
	NoKey  = '2'
)

// Bounds of what is read at all. A longer turn is Unclear; a turn of more words than a yes takes is none.
const (
	maxBytes    = 4096
	maxYesWords = 16
	manyUnknown = 4 // so many words of none of the lists are a request, whatever they are
)

// Judge says what a turn answers. Only the caller's turn answers anything; a key is judged by itself (it has no words), and speech by its words alone: case, accents, spaces and
// punctuation change nothing, but that a question mark takes a yes away.
func Judge(t voice.Turn) Verdict {
	switch {
	case t.Role() != voice.Caller:
		return Unclear
	case t.Key() == YesKey:
		return Yes
	case t.Key() == NoKey:
		return No
	}
	return judge(t.Words().RawForRules())
}

// Change says that a turn that is no yes asks for something: a change, or a new request. It goes to the model.
func Change(t voice.Turn) bool {
	return t.Role() == voice.Caller && change(t.Words().RawForRules())
}

func judge(s string) Verdict {
	if len(s) > maxBytes {
		return Unclear
	}
	words := split(s)
	switch {
	case refuses(words):
		return No
	case strings.ContainsAny(s, "?？؟") || foreign(s):
		return Unclear
	case len(words) > maxYesWords || doubts.anywhere(alike(words)) || murmurs.whole(alike(words)):
		return Unclear
	case consents(words):
		return Yes
	}
	return Unclear
}

// refuses looks for a refusal outside the phrases that only look like one.
func refuses(words []string) bool {
	for i := 0; i < len(words); {
		if n := masks.at(words[i:]); n > 0 {
			i += n
			continue
		}
		if noes.at(words[i:]) > 0 {
			return true
		}
		i++
	}
	return false
}

func change(s string) bool {
	if len(s) > maxBytes {
		return true
	}
	words, unknown := split(s), 0
	for i, w := range words {
		if !known[w] {
			unknown++
		}
		if changes.at(words[i:]) > 0 && !accepted(words) {
			return true
		}
	}
	return unknown >= manyUnknown
}

func accepted(words []string) bool { return len(words) <= maxYesWords && consents(words) }

// split folds a turn to words. A letter that is drawn out is one: yesss.
func split(s string) []string {
	words := fold.Words(s)
	for i, w := range words {
		words[i] = squeeze(w)
	}
	return words
}

// squeeze makes one of three and more of a letter in a row.
func squeeze(w string) string {
	runes := []rune(w)
	out := runes[:0]
	for i := 0; i < len(runes); {
		n := i + 1
		for n < len(runes) && runes[n] == runes[i] {
			n++
		}
		out = append(out, runes[i])
		if n-i == 2 {
			out = append(out, runes[i])
		}
		i = n
	}
	return string(out)
}

// foreign says that s holds what is no speech: signs that mean something (a thumb down), controls, broken text. Splitting would drop them.
func foreign(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsSymbol(r) || !unicode.IsGraphic(r) && !unicode.IsSpace(r)
	})
}

// kind is what an entry of the lists may do in a yes.
type kind uint8

const (
	start kind = iota
	core       // makes it a yes
	send       // makes it a yes
	bare       // the rest make nothing
	please
	polite
	haste
	answer
	support
	opener
	joiner
	kinds
)

// follows says whether an entry of kind next may stand after one of kind last.
func follows(last, next kind) bool {
	switch {
	case last == bare:
		return next == bare || next == please || next == haste
	case last == joiner:
		return next == send || next == bare
	case next == joiner:
		return last == core || last == please
	case next == haste:
		return last == send || last == haste
	case next == answer:
		return last == core
	}
	return true
}

// What the entries so far amount to.
const (
	nothing = iota
	agreed
	sums
)

// sum adds an entry.
func sum(so int, next kind) int {
	if next == core || next == send || so == agreed {
		return agreed
	}
	return nothing
}

// consents says whether words can be cut into entries of the lists such that they amount to a yes, each may follow the one before, and the last does not
// wait for more.
func consents(words []string) bool {
	// reached[i] holds how the first i words can be cut: by what they amount to, a bit for each kind of the last entry.
	reached := make([][sums]uint16, len(words)+1)
	reached[0][nothing] = 1 << start
	for i, w := range words {
		for _, e := range entries[w] {
			end := i + 1 + len(e.rest)
			if end > len(words) || !slices.Equal(e.rest, words[i+1:end]) {
				continue
			}
			for so := range sums {
				for last := range kinds {
					if reached[i][so]&(1<<last) != 0 && follows(last, e.kind) {
						reached[end][sum(so, e.kind)] |= 1 << e.kind
					}
				}
			}
		}
	}
	return reached[len(words)][agreed]&^(1<<start|1<<opener|1<<joiner) != 0
}
