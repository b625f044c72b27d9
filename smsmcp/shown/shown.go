// Package shown cuts a body into what a screen draws, so that nothing of it hides (invariant 14): what would not be seen, or would be obeyed, becomes a mark. A mark
// is no text: where the two are drawn apart, no body can write one. Who draws it sets the words as text, never as HTML.
//
// Floor 1: imports lang and clean.
package shown

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
)

// Line is a line of a body, or many empty ones in a row.
type Line struct {
	Pieces []Piece `json:"pieces,omitempty"`
	Folded string  `json:"folded,omitempty"` // says how many empty lines stand here
}

// Piece is a run of a line: its words, or a mark for what would not be seen, with what to call it.
type Piece struct {
	Text  string `json:"text,omitempty"`
	Mark  string `json:"mark,omitempty"`
	Label string `json:"label,omitempty"`
}

// folded is how many empty lines in a row are shown as such: more would push what follows out of sight.
const folded = 2

// Lines shows a body whole. In a body that waits for a yes only blanks are ever marked: the guard refused all else. Any other may hold anything.
func Lines(l lang.Lang, body string) (out []Line) {
	plain := clean.Drawable(body) == nil
	all := strings.Split(body, "\n")
	for i := 0; i < len(all); i++ {
		n := i
		for n < len(all) && strings.TrimFunc(all[n], unicode.IsSpace) == "" {
			n++
		}
		if n-i > folded {
			out = append(out, Line{Folded: lang.CLIBlankLines.In(l, n-i)})
			i = n - 1
			continue
		}
		out = append(out, Line{Pieces: pieces(l, all[i], plain)})
	}
	return out
}

func pieces(l lang.Lang, line string, plain bool) (out []Piece) {
	var words strings.Builder
	mark := func(m, label string) {
		if words.Len() > 0 {
			out = append(out, Piece{Text: words.String()})
			words.Reset()
		}
		if m != "" {
			out = append(out, Piece{Mark: m, Label: label})
		}
	}
	for at := 0; at < len(line); {
		rest := line[at:]
		if run := rest[:len(rest)-len(strings.TrimLeftFunc(rest, blank))]; run != "" {
			// Blanks that begin or end a line, or are three, would be mistaken for none, or for fewer.
			if n := utf8.RuneCountInString(run); at == 0 || len(run) == len(rest) || n >= 3 {
				mark(strings.Repeat("␣", n), lang.ShownSpaces.In(l, n))
			} else {
				words.WriteString(run)
			}
			at += len(run)
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		if code := unseen(r, size, rest[0], plain); code != "" {
			mark(code, code)
		} else {
			words.WriteRune(r)
		}
		at += size
	}
	mark("", "")
	return out
}

// blank says that a rune is one of the spaces that people write; others are marked one by one.
func blank(r rune) bool { return r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\u2009' }

// unseen gives the code of what a screen would not show, or would obey; "" for what it shows.
func unseen(r rune, size int, first byte, plain bool) string {
	switch r {
	case '\u200c', '\u200d', '\ufe0e', '\ufe0f': // they shape the letters and signs beside them; where they do not, the body is not plain
		if plain {
			return ""
		}
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0': // letters that draw nothing
	case utf8.RuneError:
		if size == 1 {
			return `\x` + strconv.FormatUint(uint64(first)|0x100, 16)[1:]
		}
		return ""
	default:
		if strconv.IsPrint(r) {
			return ""
		}
	}
	return fmt.Sprintf("U+%04X", r)
}
