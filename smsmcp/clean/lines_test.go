package clean_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"readback/smsmcp/clean"
)

func TestLines(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"\n \n", ""}, {"one\r\ntwo\rthree\u2028four\u2029five\u0085six", "one\ntwo\nthree\nfour\nfive\nsix"},
		{"\n\na\n\n\n \n\nb\n\n", "a\n\nb"}, {" a  b \n c", "a b\nc"}, {"a\x1b[31m\vb", "a [31m b"}, {"« a »\n<<b>>", "\" a \"\n\"b\""},
		{"a\u200b\n\u202eb", "a\nb"}, {"👩\u200d👩\u200d👧\nمرحبا", "👩\u200d👩\u200d👧\nمرحبا"},
	} {
		if got := clean.Lines(c.in, 0).Text; got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
	if got := clean.Lines("abc\n\ndef", 4); got.Text != "abc" || got.Cut != 4 {
		t.Errorf("%+v", got)
	}
	if got := clean.Lines("ab👩\u200d👩", 4); got.Text != "ab👩" || got.Hidden != 1 {
		t.Errorf("%+v", got)
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range []string{"a\nb", "\r\n\r", "a\u200d\nb", "\xff\n", "e\n\u0301", "🏴\U000e0067\nx", "a\u0085b"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := clean.Lines(s, limit)
		if !utf8.ValidString(got.Text) || strings.Contains(got.Text, "\n\n\n") || strings.ContainsAny(got.Text, "\r\u2028\u2029\u0085«»") {
			t.Fatalf("%q: %q", s, got.Text)
		}
		if limit > 0 && utf8.RuneCountInString(got.Text) > limit {
			t.Fatalf("%q at %d: %q", s, limit, got.Text)
		}
		if again := clean.Lines(got.Text, limit); again.Text != got.Text {
			t.Fatalf("%q: %q, then %q", s, got.Text, again.Text)
		}
	})
}
