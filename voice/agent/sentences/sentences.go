// Package sentences cuts what a model writes, as it comes, into pieces to be spoken, and makes them plain.
//
// Floor 0: imports nothing of the module.
package sentences

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestSentence is how many characters are said at once. A longer sentence is parted, at a pause or a space.
const longestSentence = 200

// Cutter cuts what one model writes in one turn. It is not safe for concurrent use.
type Cutter struct {
	Link   string // what is said for an address
	buffer string
}

// Add takes more words, and gives the sentences that are whole now.
func (c *Cutter) Add(words string) (out []string) {
	c.buffer += strings.ToValidUTF8(words, "")
	for {
		end := sentenceEnd(c.buffer)
		if end == 0 {
			return out
		}
		out = c.take(out, end)
	}
}

// Rest gives what is left.
func (c *Cutter) Rest() (out []string) {
	for c.buffer != "" {
		end := sentenceEnd(c.buffer)
		if end == 0 {
			end = len(c.buffer)
		}
		out = c.take(out, end)
	}
	return out
}

func (c *Cutter) take(out []string, end int) []string {
	if p := plain(c.buffer[:end], c.Link); p != "" {
		out = append(out, p)
	}
	c.buffer = c.buffer[end:]
	return out
}

// sentenceEnd is where the first sentence ends; 0 as long as that is not known. A mark ends one only where a space follows, which may be yet to come.
func sentenceEnd(s string) int {
	var last rune
	runes, pause, space := 0, 0, 0 // behind the last space after a pause, and after any word
	for i, r := range s {
		after := i + utf8.RuneLen(r)
		next, size := utf8.DecodeRuneInString(s[after:])
		switch {
		case r == '\n', size > 0 && unicode.IsSpace(next) && !noBreak(next) && ends(s[:i], r):
			return after
		case r == ' ' && strings.ContainsRune(",;:—–", last):
			pause = after
		case r == ' ':
			space = after
		}
		last = r
		if runes++; runes < longestSentence {
			continue
		}
		switch {
		case pause > 0:
			return pause
		case space > 0:
			return space
		}
		return after
	}
	return 0
}

const marks = ".!?…"

// ends says whether a character behind what came before ends a sentence, if a space follows.
func ends(before string, r rune) bool {
	if closes(r) { // behind the mark
		before = strings.TrimRightFunc(before, func(r rune) bool { return closes(r) || unicode.IsSpace(r) })
		mark, size := utf8.DecodeLastRuneInString(before)
		return strings.ContainsRune(marks, mark) && ends(before[:len(before)-size], mark)
	}
	if r != '.' {
		return strings.ContainsRune(marks, r)
	}
	words := strings.Fields(before)
	if len(words) == 0 {
		return true
	}
	word := strings.ToLower(strings.TrimLeft(words[len(words)-1], "(\"«“'’*_-"))
	number := len(words) == 1 && strings.Trim(word, "0123456789") == "" // of a list
	initial := utf8.RuneCountInString(word) == 1 && unicode.IsLetter([]rune(word)[0])
	return !abbreviations[word] && !number && !initial
}

// closes says that a character may stand between a mark and the end of its sentence.
func closes(r rune) bool { return strings.ContainsRune(`)]"»”’'*_`, r) }

// noBreak says that a space stands before a mark, as French has it, and not behind a sentence.
func noBreak(r rune) bool { return r == '\u00a0' || r == '\u202f' }

// abbreviations are words that end in a point, without it. Those that are words as well are not here.
var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "st": true, "jr": true, "sr": true, "vs": true, "etc": true, "e.g": true, "i.e": true, "a.m": true, "p.m": true,
	"mme": true, "mmes": true, "mlle": true, "mlles": true, "ste": true, "p.ex": true, "tél": true, "boul": true,
}
