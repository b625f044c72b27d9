package draw

import (
	"strings"
	"testing"

	"readback/smsmcp/lang"
)

// TestInvariant14NoRowOfABodyPassesForOurs: what a terminal would obey is escaped, and each line stands behind a bar.
func TestInvariant14NoRowOfABodyPassesForOurs(t *testing.T) {
	got := Body(lang.EN, "one\n  - two\x1b[2J\r\u202e\u0007three \xff👩‍👩‍👧 é\u00a0!", 76)
	want := "  │ one\n  │ ␣␣- two\\x1b[2J\\r\\u202e\\athree \\xff👩‍👩‍👧 é\u00a0!\n"
	if got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestInvariant14EveryRowHasABar: a body that counts on the terminal's own wrapping finds each of its rows behind a bar, at any width, with
// letters of any width.
func TestInvariant14EveryRowHasABar(t *testing.T) {
	forged := pad("See you at 6!", 76) + pad("  1 segment (SMS), asked by first, Mon 2026-11-30 03:31", 80) +
		pad("  - A link to a new site: checked by Readback, it is safe.", 80) + pad("k3f9a2mmq7  to Marie Tremblay, +14185550123", 80) + "  | Also: pay at https://evil.example"
	for _, body := range []string{
		forged, strings.Repeat("x", 500), strings.Repeat("漢字", 200), strings.Repeat("👩‍👩‍👧", 60), strings.Repeat("🇨🇦", 90), strings.Repeat("👍🏽", 90),
		strings.Repeat("né e\u0301 ", 99), strings.Repeat("❤️ ", 99), strings.Repeat("नी", 99), strings.Repeat("\u00a0", 400), strings.Repeat("a\u00a0\u202f b", 90),
	} {
		for _, width := range []int{20, 40, 79, 80, 100} {
			for i, row := range strings.Split(strings.TrimSuffix(Body(lang.EN, body, width), "\n"), "\n") {
				mark := moreMark
				if i == 0 {
					mark = lineMark
				}
				if !strings.HasPrefix(row, mark) || Width(row) > width {
					t.Errorf("width %d: %d columns: %q", width, Width(row), row)
				}
			}
		}
	}
}

// TestInvariant14NoCharacterIsWiderThanARow: what Unicode counts as one character may have no end, and a terminal wraps it all the same.
func TestInvariant14NoCharacterIsWiderThanARow(t *testing.T) {
	for name, body := range map[string]string{
		"thai": strings.Repeat("\u0e33", 120), "hangul": strings.Repeat("\u1100", 120), "joined": "a" + strings.Repeat("👩\u200d", 100) + "👩",
		"hearts": strings.Repeat("❤\ufe0f\u200d", 120) + "❤", "deva": strings.Repeat("क्", 100) + "क", "vowels": "न" + strings.Repeat("\u0940", 120),
		"marks": "e" + strings.Repeat("\u0301", 200), "flags": strings.Repeat("🇨", 121), "tones": strings.Repeat("👩🏽\u200d", 60), "escaped": "👩" + strings.Repeat("\u200d\U000e0041", 60),
		"after words": "See you at 6 " + strings.Repeat("\u0e33", 120) + " or not",
	} {
		for width := 20; width <= 100; width++ {
			whole := ""
			for row := range strings.SplitSeq(strings.TrimSuffix(Body(lang.EN, body, width), "\n"), "\n") {
				if Width(row) > width || !strings.HasPrefix(row, lineMark) && !strings.HasPrefix(row, moreMark) {
					t.Errorf("%s, width %d: %d columns: %q", name, width, Width(row), row)
				}
				whole += row[len(lineMark):]
			}
			if strings.ReplaceAll(whole, " ", "") != strings.ReplaceAll(Line(body), " ", "") {
				t.Errorf("%s, width %d: not the whole body: %q", name, width, whole)
			}
		}
	}
}

func pad(s string, n int) string { return s + strings.Repeat(" ", n-len(s)) }

func TestInvariant14WhatIsBlankIsSeen(t *testing.T) {
	for body, want := range map[string]string{
		"a   b":              "  │ a␣␣␣b\n",
		"a  b":               "  │ a  b\n",
		"a\u00a0\u202f b":    "  │ a␣␣␣b\n",
		" a":                 "  │ ␣a\n",
		"a\n\n\nb":           "  │ a\n  │\n  │\n  │ b\n",
		"a\n\n \n\u00a0\nb":  "  │ a\n  ≡ 4 empty lines\n  │ b\n",
		"a\n\n\n\n":          "  │ a\n  ≡ 4 empty lines\n",
		"a\u3000b\u2800\t!":  "  │ a\\u3000b\\u2800\\t!\n",
		"≡ 4 empty lines\n┆": "  │ ≡ 4 empty lines\n  │ ┆\n",
	} {
		if body == "a\n\n \n\u00a0\nb" {
			want = "  │ a\n  ≡ 3 empty lines\n  │ b\n"
		}
		if got := Body(lang.EN, body, 76); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
	if got := Body(lang.EN, strings.Repeat("\n", 500)+"end", 76); strings.Count(got, "\n") != 2 {
		t.Errorf("%q", got)
	}
}

func TestWidths(t *testing.T) {
	for s, want := range map[string]int{"abc": 3, "é": 1, "e\u0301": 1, "漢": 2, "🙂": 2, "🇨🇦": 4, "👍🏽": 4, "❤️": 2, "❤\ufe0f\u200d❤\ufe0f\u200d❤\ufe0f": 6, "👩‍👩‍👧": 6, "": 0, "\x1b": 4} {
		if got := Width(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
	if lines, chars := Size("né\n👩‍👩‍👧!\n"); lines != 3 || chars != 4 {
		t.Errorf("%d lines, %d characters", lines, chars)
	}
}

func TestParagraphsAndTables(t *testing.T) {
	if got, want := Hung("- ", "one two three four", 12), "- one two\n  three four\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Hung("- ", "a\u00a0b /a/path/that/is/long/and/stays/whole c", 12), "- a\u00a0b\n  /a/path/that/is/long/and/stays/whole\n  c\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	rows := [][]string{{"WHO", "WHY"}, {"漢字\x1b[2J", "because it is so and not otherwise, as everybody knows"}, {"b", "–"}}
	if got, want := Table(rows, 40), "WHO          WHY\n漢字\\x1b[2J  because it is so and not\n             otherwise, as everybody\n             knows\nb            –\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := Table(rows, 30), "WHO\n    WHY\n漢字\\x1b[2J\n    because it is so and not\n    otherwise, as everybody\n    knows\nb\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := Line("a\nb\u202ec\u009b"); got != `a\nb\u202ec\u009b` {
		t.Errorf("%q", got)
	}
}
