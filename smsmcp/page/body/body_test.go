package body

import (
	"strings"
	"testing"

	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
)

// flat writes lines as a reader sees them: marks in ⟦⟧.
func flat(all []Line) string {
	var b strings.Builder
	for i, l := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		if l.Folded != "" {
			b.WriteString("⟦" + l.Folded + "⟧")
		}
		for _, p := range l.Pieces {
			b.WriteString(p.Text)
			if p.Mark != "" {
				b.WriteString("⟦" + p.Mark + "⟧")
			}
		}
	}
	return b.String()
}

func TestInvariant14WhatIsBlankIsMarked(t *testing.T) {
	for body, want := range map[string]string{
		"one two":                       "one two",
		"À 18 h\u202f!\nOui":            "À 18 h\u202f!\nOui",
		" a":                            "⟦␣⟧a",
		"a ":                            "a⟦␣⟧",
		"a  b":                          "a  b",
		"a   b":                         "a⟦␣␣␣⟧b",
		"a \u00a0\u202fb":               "a⟦␣␣␣⟧b",
		"a\n\nb":                        "a\n\nb",
		"a\n\n\n\n\nb":                  "a\n⟦4 empty lines⟧\nb",
		"a\n \n \n \nb":                 "a\n⟦3 empty lines⟧\nb",
		"a\n\n\n\n":                     "a\n⟦4 empty lines⟧",
		"👨‍👩‍👧 ok":                      "👨‍👩‍👧 ok",
		"می‌خواهم":                      "می‌خواهم",
		"a\u2003b":                      "a⟦U+2003⟧b",
		"x\u202ey":                      "x⟦U+202E⟧y",
		"a\u200db":                      "a⟦U+200D⟧b",
		"\x1b[1mx":                      "⟦U+001B⟧[1mx",
		"a\tb\rc":                       "a⟦U+0009⟧b⟦U+000D⟧c",
		"a\xffb":                        "a⟦\\xff⟧b",
		"a\ufffdb":                      "a\ufffdb",
		"\u3164a":                       "⟦U+3164⟧a",
		"a\U000e0041b":                  "a⟦U+E0041⟧b",
		"(4 empty lines)\n␣ U+202E  ok": "(4 empty lines)\n␣ U+202E  ok",
	} {
		if got := flat(Lines(lang.EN, body)); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

// FuzzLines: a body that may be sent is shown whole: with the marks undone, what is shown is the body.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"a b", " a\n\n\n\nb  ", "👨‍👩‍👧", "\u202e", "a\xffb", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var b strings.Builder
		marked := false
		for i, l := range Lines(lang.EN, body) {
			if i > 0 {
				b.WriteString("\n")
			}
			for _, p := range l.Pieces {
				if strings.ContainsAny(p.Text, "\n\r\x1b\u202e\u2028") {
					t.Errorf("%q: %q is shown as it is", body, p.Text)
				}
				b.WriteString(p.Text)
				marked = marked || p.Mark != ""
			}
			marked = marked || l.Folded != ""
		}
		if clean.Drawable(body) == nil && !marked && b.String() != body {
			t.Errorf("%q is shown as %q", body, b.String())
		}
	})
}
