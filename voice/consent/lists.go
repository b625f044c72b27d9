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

	doubts, murmurs = listOf(doubtRows), listOf(murmurRows)
	noes, masks     = listOf(noRows), listOf(maskRows)
	changes         = listOf(changeRows)
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

func listOf(rows []row) list {
	l := list{}
	for _, phrase := range phrases(rows) {
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
