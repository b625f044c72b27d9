package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"readback/smsmcp/lang"
)

func (p *program) print(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format, args...) }

func (p *program) line(m lang.Message, args ...any) { p.print("%s\n", m.In(p.lang, args...)) }

// done says that something was done, unless err says otherwise.
func (p *program) done(err error, m lang.Message, args ...any) error {
	if err == nil {
		p.line(m, args...)
	}
	return err
}

// drawn shows a body for a terminal: each line of it behind a bar, so that no line of it can pass for one of ours. What is sent was
// checked to be drawable; what is not drawable all the same is escaped.
func drawn(body string) string {
	var b strings.Builder
	for _, l := range strings.Split(body, "\n") {
		b.WriteString("  │ ")
		for _, r := range l {
			if r == utf8.RuneError || !strconv.IsPrint(r) && !joins(r) {
				b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
				continue
			}
			b.WriteRune(r)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// joins says whether a rune only shapes the letters or signs beside it, which a terminal may be given: joiners and variation selectors,
// and the spaces that French and web pages write.
func joins(r rune) bool {
	switch r {
	case '\u200c', '\u200d', '\ufe0e', '\ufe0f', '\u00a0', '\u202f', '\u2009':
		return true
	}
	return false
}

// width is how wide a paragraph is set, in characters.
const width = 100

// hung sets a paragraph behind a mark: its first line follows the mark, the others stand below it.
func hung(mark, text string) string {
	blank := strings.Repeat(" ", utf8.RuneCountInString(mark))
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		at := width                                     // a new line comes first
		for _, word := range strings.Split(line, " ") { // a no-break space breaks no line
			if n := utf8.RuneCountInString(word); at+1+n > width {
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(mark)
				mark, at = blank, utf8.RuneCountInString(blank)
				b.WriteString(word)
				at += n
				continue
			}
			b.WriteString(" " + word)
			at += 1 + utf8.RuneCountInString(word)
		}
	}
	return b.String() + "\n"
}

// margin sets a block of lines in by so much.
func margin(by, block string) string {
	return by + strings.ReplaceAll(strings.TrimRight(block, "\n"), "\n", "\n"+by) + "\n"
}

// table writes rows in columns; the last column is as wide as it likes.
func (p *program) table(rows [][]string) {
	var wide []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", wide[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		p.print("%s\n", strings.TrimRight(b.String(), " "))
	}
}

func heads(l lang.Lang, all ...lang.Message) []string {
	out := make([]string, len(all))
	for i, m := range all {
		out[i] = m.In(l)
	}
	return out
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
