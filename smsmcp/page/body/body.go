// Package body shows what a text says on a page: whole (invariant 14), with a mark for whatever a screen would not show.
//
// Floor 2: imports smsmcp/clean, smsmcp/lang and smsmcp/lang/screen.
package body

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
)

// Line is a line of a body, or many empty ones in a row.
type Line struct {
	Pieces []Piece
	Folded string // says how many empty lines stand here
}

// Piece is a run of a line: its words, or a mark for what would not be seen, with what to call it.
type Piece struct{ Text, Mark, Label string }

// folded is how many empty lines in a row are shown as such: more would push what follows out of sight.
const folded = 2

// Lines shows a body whole (invariant 14). What cannot be seen is marked, and a mark is no text: no body can write one. In a body that waits,
// only blanks are ever marked: the guard refused all else. One from the history may hold anything.
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

func pieces(l lang.Lang, s string, plain bool) (out []Piece) {
	start := len(s)
	flush := func(text *strings.Builder) {
		if text.Len() > 0 {
			out = append(out, Piece{Text: text.String()})
			text.Reset()
		}
	}
	var text strings.Builder
	for s != "" {
		if run := s[:len(s)-len(strings.TrimLeftFunc(s, blank))]; run != "" {
			n := utf8.RuneCountInString(run)
			// Blanks that begin or end a line, or are three, would be mistaken for none, or for fewer.
			if first, last := len(s) == start, len(s) == len(run); first || last || n >= 3 {
				flush(&text)
				out = append(out, Piece{Mark: strings.Repeat("␣", n), Label: screen.PageSpaces.In(l, n)})
			} else {
				text.WriteString(run)
			}
			s = s[len(run):]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		if code := unseen(r, n, s[0], plain); code != "" {
			flush(&text)
			out = append(out, Piece{Mark: code, Label: code})
		} else {
			text.WriteRune(r)
		}
		s = s[n:]
	}
	flush(&text)
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
