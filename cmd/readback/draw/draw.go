// Package draw is the one way of free text to a terminal: bodies, names, paths, what a person typed. What a terminal would obey is escaped,
// and no row of a body can pass for one of ours (invariant 14): each has a bar before it, also where the terminal would have wrapped it.
//
// Floor 1: imports smsmcp/lang. It alone imports the library of grapheme clusters and their widths.
package draw

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"readback/smsmcp/lang"
)

// The marks before a row of a body. A body cannot write there.
const (
	lineMark = "  │ " // a line begins
	moreMark = "  ┆ " // the line above goes on
	foldMark = "  ≡ " // not the body's words: what was left out
)

// space is how a blank is drawn that could be mistaken for nothing, or for the end of a line.
const space = "␣"

// folded is how many blank lines in a row are drawn as such.
const folded = 2

// least is the narrowest row, in columns.
const least = 8

// cell is what stands in one place: a grapheme cluster or an escape.
type cell struct {
	text  string
	wide  int // columns, at most
	blank bool
}

// Body shows a body in rows of at most width columns. Runs of blanks, blanks that begin a line, and many blank lines are said, so that
// nothing of it can be pushed out of sight.
func Body(l lang.Lang, body string, width int) string {
	var b strings.Builder
	lines := strings.Split(body, "\n")
	for i := 0; i < len(lines); i++ {
		n := i
		for n < len(lines) && blank(lines[n]) {
			n++
		}
		if n-i > folded {
			b.WriteString(foldMark + lang.CLIBlankLines.In(l, n-i) + "\n")
			i = n - 1
			continue
		}
		mark := lineMark
		for _, row := range rows(shown(cells(lines[i])), width-Width(lineMark), true) {
			b.WriteString(strings.TrimRight(mark+row, " ") + "\n")
			mark = moreMark
		}
	}
	return b.String()
}

// Size counts a body's lines and the characters in them, as a person would.
func Size(body string) (lines, chars int) {
	all := strings.Split(body, "\n")
	for _, line := range all {
		chars += uniseg.GraphemeClusterCount(line)
	}
	return len(all), chars
}

// Line shows a text on one line: a line break in it is escaped like all else that a terminal obeys.
func Line(s string) string {
	var b strings.Builder
	for _, c := range cells(s) {
		b.WriteString(c.text)
	}
	return b.String()
}

// Quoted shows a value that a person typed or set: what is no plain character is escaped, and a long one is cut.
func Quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// Width is how many columns a text takes at most.
func Width(s string) int {
	n := 0
	for _, c := range cells(s) {
		n += c.wide
	}
	return n
}

// Hung sets a paragraph of ours behind a mark: its first line follows the mark, the others stand below it. A word is kept whole.
func Hung(mark, text string, width int) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		for _, row := range rows(cells(line), width-Width(mark), false) {
			b.WriteString(strings.TrimRight(mark+row, " ") + "\n")
			mark = strings.Repeat(" ", Width(mark))
		}
	}
	return b.String()
}

// cells escapes a line and cuts it into what stands in one place each.
func cells(s string) []cell {
	out := make([]cell, 0, len(s))
	for state := -1; s != ""; {
		var cluster string
		var wide int
		cluster, s, wide, state = uniseg.FirstGraphemeClusterInString(s, state)
		c := cell{text: cluster, blank: true}
		sum := 0
		for _, r := range cluster {
			if !drawable(r) { // then the whole cluster is: its other characters may depend on this one
				c.text = escaped(cluster)
				sum, wide = len(c.text), 0
				c.blank = false
				break
			}
			c.blank = c.blank && unicode.IsSpace(r)
		}
		if sum == 0 {
			for _, p := range parts(cluster) {
				sum += p.wide
			}
		}
		// A terminal that knows no clusters draws their parts one beside the other. The greater of both is certain to fit.
		c.wide = max(sum, wide)
		out = append(out, c)
	}
	return out
}

func escaped(cluster string) string {
	var b strings.Builder
	for len(cluster) > 0 {
		r, n := utf8.DecodeRuneInString(cluster)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(cluster[0])|0x100, 16)[1:])
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		cluster = cluster[n:]
	}
	return b.String()
}

// drawable says whether a terminal may be given a rune: what is printed, and what only shapes the letters or signs beside it (joiners,
// variation selectors), and the spaces that French and web pages write. Letters that draw nothing are not.
func drawable(r rune) bool {
	switch r {
	case '\u200c', '\u200d', '\ufe0e', '\ufe0f', '\u00a0', '\u202f', '\u2009':
		return true
	case utf8.RuneError, '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0':
		return false
	}
	return strconv.IsPrint(r)
}

// width is how wide a rune is by itself, at most.
func width(r rune) int {
	switch {
	case r >= 0x1f1e6 && r <= 0x1f1ff, r >= 0x1f3fb && r <= 0x1f3ff: // letters of flags, tones of skin
		return 2
	case unicode.Is(unicode.Mc, r):
		return 1
	}
	return uniseg.StringWidth(string(r))
}

func blank(line string) bool { return strings.TrimFunc(line, unicode.IsSpace) == "" }

// shown makes blanks seen where they begin the line or come three in a row.
func shown(line []cell) []cell {
	for i := 0; i < len(line); {
		n := i
		for n < len(line) && line[n].blank {
			n++
		}
		for k := i; k < n && (i == 0 || n-i >= 3); k++ {
			line[k].text, line[k].wide = space, 1
		}
		i = max(n, i+1)
	}
	return line
}

// parted cuts a cell that is wider than a row into its parts, so that the terminal has nothing to wrap.
func parted(line []cell, columns int) []cell {
	for i := 0; i < len(line); i++ {
		if line[i].wide <= columns {
			continue
		}
		p := parts(line[i].text)
		line = slices.Replace(line, i, i+1, p...)
		i += len(p) - 1
	}
	return line
}

// parts cuts a cluster before each of its runes that takes room.
func parts(cluster string) (out []cell) {
	for _, r := range cluster {
		w := width(r)
		if n := len(out); n > 0 && w == 0 {
			p := &out[n-1]
			p.text += string(r)
			if r == '\ufe0f' { // it makes some signs wider
				p.wide = max(p.wide, uniseg.StringWidth(p.text))
			}
			continue
		}
		out = append(out, cell{text: string(r), wide: w})
	}
	return out
}

// rows cuts a line into rows of so many columns, after a blank where it can; a longer word, and a character that is wider than a row, is
// cut too where cut says so. There is one row at least.
func rows(line []cell, columns int, cut bool) []string {
	columns = max(columns, least)
	if cut {
		line = parted(line, columns)
	}
	var out []string
	for {
		n, after, wide := 0, 0, 0 // cells that fit, cells up to the last blank
		for n < len(line) && wide+line[n].wide <= columns {
			wide += line[n].wide
			n++
			if b := line[n-1]; b.blank && (cut || b.text == " ") {
				after = n
			}
		}
		switch {
		case n == len(line):
		case line[n].text == " ":
			n++
		case after > 0:
			n = after
		case !cut:
			for n < len(line) && line[n].text != " " {
				n++
			}
			n = min(n+1, len(line))
		default:
			n = max(n, 1)
		}
		var b strings.Builder
		for _, c := range line[:n] {
			b.WriteString(c.text)
		}
		out = append(out, b.String())
		if line = line[n:]; len(line) == 0 {
			return out
		}
	}
}
