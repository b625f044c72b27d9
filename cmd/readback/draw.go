package main

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/term"

	"readback/cmd/readback/draw"
	"readback/smsmcp/lang"
)

func (p *program) print(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format, args...) }

// line says a sentence. What is filled in was written by others, or is a path: it is drawn.
func (p *program) line(m lang.Message, args ...any) { p.print("%s\n", m.In(p.lang, drawnAll(args)...)) }

// done says that something was done, unless err says otherwise.
func (p *program) done(err error, m lang.Message, args ...any) error {
	if err == nil {
		p.line(m, args...)
	}
	return err
}

func drawnAll(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if s, ok := a.(string); ok {
			a = draw.Line(s)
		}
		out[i] = a
	}
	return out
}

// The width of what is written, in columns: the terminal's, but never more than reads well; and where there is none, one that fits everywhere.
const mostColumns, someColumns = 100, 76

func (p *program) width() int {
	if n := p.columns(); n > 0 {
		return min(n, mostColumns)
	}
	return someColumns
}

// columns is the terminal's width, 0 where there is no terminal or it does not tell.
func (p *program) columns() int {
	f, ok := p.out.(*os.File)
	if !ok {
		return 0
	}
	n, _, err := term.GetSize(int(f.Fd())) //nolint:gosec // a descriptor is small
	if err != nil {
		return 0
	}
	return n
}

// table writes rows in columns. Where a program reads them, each is one line, however long.
func (p *program) table(rows [][]string) {
	width := p.width()
	if p.columns() == 0 {
		width = math.MaxInt
	}
	p.print("%s", draw.Table(rows, width))
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
