package consent

import (
	"slices"
	"strings"
)

// entry is a phrase of the words of a yes, by its first word.
type entry struct {
	rest []string
	kind kind
}

// list is a set of phrases, by their first words.
type list map[string][][]string

var (
	entries = map[string][]entry{}
	known   = map[string]bool{} // every word of every list

	doubts, murmurs = listOf(doubtRows, alike), listOf(murmurRows, alike)
	noes, masks     = listOf(noRows, exact), listOf(maskRows, exact)
	changes         = listOf(changeRows, exact)
)

func init() {
	for k, rows := range map[kind][]row{
		core: yesRows, please: pleaseRows, send: sendRows, bare: bareRows,
		polite: politeRows, haste: hasteRows, answer: answerRows, support: supportRows, opener: openerRows, joiner: joinerRows,
	} {
		for _, phrase := range phrases(rows) {
			entries[phrase[0]] = append(entries[phrase[0]], entry{phrase[1:], k})
		}
	}
}

// phrases gives the phrases of some rows. "c est …" is also written "cest …" and "c …", and "that s" "thats".
func phrases(rows []row) (out [][]string) {
	for _, r := range rows {
		for phrase := range strings.SplitSeq(r.words, ",") {
			phrase = strings.TrimSpace(phrase)
			out = append(out, strings.Fields(phrase))
			for _, as := range [][2]string{{"c est ", "cest "}, {"c est ", "c "}, {"that s ", "thats "}, {"let s ", "lets "}, {"it s ", "its "}} {
				if after, ok := strings.CutPrefix(phrase, as[0]); ok {
					out = append(out, strings.Fields(as[1]+after))
				}
			}
		}
	}
	for _, phrase := range out {
		for i, w := range phrase {
			phrase[i] = squeeze(w)
			known[phrase[i]] = true
		}
	}
	return out
}

func exact(words []string) []string { return words }

// spellings of what murmurs and doubts are made of.
var spellings = map[string]string{
	"okay": "ok", "okey": "ok", "oki": "ok", "oh": "ah",
	"um": "uh", "er": "uh", "erm": "uh", "hmm": "uh", "hm": "uh", "mm": "uh", "hum": "uh", "euh": "uh", "heu": "uh",
}

// alike writes words of one sound, or of one use, as one: ok however it is written or split, an ah or oh, with bon or ben behind it or not, and hums, of which several are one.
func alike(words []string) (out []string) {
	for i := 0; i < len(words); i++ {
		w, next, last := words[i], "", ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		if split := w == "o" && (next == "k" || next == "kay") || w == "oh" && next == "kay"; split {
			w = "ok"
			i++
		} else if to, ok := spellings[w]; ok {
			w = to
		}
		switch {
		case w == "uh" && last == "uh":
		case last == "ah" && slices.Contains([]string{"ah", "bon", "ben", "bin", "bah", "beh"}, w):
		default:
			out = append(out, w)
		}
	}
	return out
}

// listOf makes a list of some rows, as its words are to be seen.
func listOf(rows []row, as func([]string) []string) list {
	l := list{}
	for _, phrase := range phrases(rows) {
		phrase = as(phrase)
		l[phrase[0]] = append(l[phrase[0]], phrase)
	}
	return l
}

// at gives the length of the longest phrase that words begin with, or 0.
func (l list) at(words []string) int {
	longest := 0
	for _, phrase := range l[words[0]] {
		if len(phrase) > longest && len(phrase) <= len(words) && slices.Equal(phrase, words[:len(phrase)]) {
			longest = len(phrase)
		}
	}
	return longest
}

// anywhere says whether a phrase of the list stands in words.
func (l list) anywhere(words []string) bool {
	for i := range words {
		if l.at(words[i:]) > 0 {
			return true
		}
	}
	return false
}

// whole says whether words are one phrase of the list.
func (l list) whole(words []string) bool {
	return len(words) > 0 && l.at(words) == len(words)
}
