package clean

import (
	"strings"
	"unicode/utf8"
)

// Lines is UpTo for a place that draws line breaks: each line is sanitised by itself, and of several empty lines one is left. No line break
// but the line feed stands in what it gives. It is idempotent.
func Lines(s string, limit int) (out Result) {
	for {
		one := lines(s)
		out.add(one)
		s = one.Text
		n := utf8.RuneCountInString(s)
		if limit <= 0 || n <= limit {
			out.Text = s
			return out
		}
		out.Cut += n - limit
		s = head(s, limit)
	}
}

var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

func lines(s string) (out Result) {
	var b strings.Builder
	empty := true // as at the start
	for line := range strings.SplitSeq(breaks.Replace(s), "\n") {
		one := UpTo(line, 0)
		out.add(one)
		if one.Text == "" && empty {
			continue
		}
		empty = one.Text == ""
		b.WriteString(one.Text)
		b.WriteByte('\n')
	}
	out.Text = strings.TrimRight(b.String(), "\n")
	return out
}

func (r *Result) add(x Result) {
	r.Hidden += x.Hidden
	r.Reordering += x.Reordering
	r.Controls += x.Controls
	r.Quotes += x.Quotes
	r.Marks += x.Marks
	r.Broken += x.Broken
}
