package segments

import (
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"empty", "", 1},
		{"one letter", "a", 1},
		{"160 septets", strings.Repeat("a", 160), 1},
		{"161 septets", strings.Repeat("a", 161), 2},
		{"306 septets", strings.Repeat("a", 306), 2},
		{"307 septets", strings.Repeat("a", 307), 3},
		{"160 e acute", strings.Repeat("é", 160), 1},
		{"80 euros, two septets each", strings.Repeat("€", 80), 1},
		{"81 euros", strings.Repeat("€", 81), 2},
		{"70 e circumflex", strings.Repeat("ê", 70), 1},
		{"71 e circumflex", strings.Repeat("ê", 71), 2},
		{"an apostrophe forces UCS-2", strings.Repeat("a", 70) + "’", 2},
		{"a dash forces UCS-2", strings.Repeat("a", 70) + "—", 2},
		{"a guillemet forces UCS-2", strings.Repeat("a", 70) + "«", 2},
		{"35 emoji, two units each", strings.Repeat("😀", 35), 1},
		{"36 emoji", strings.Repeat("😀", 36), 2},
		{"not UTF-8", "\xff\xfe", 1},
		{"over 64 KiB", strings.Repeat("a", maxBody+1), 0},
	} {
		if got := Count(c.body); got != c.want {
			t.Errorf("%s: Count is %d, want %d", c.name, got, c.want)
		}
	}
}

func FuzzCount(f *testing.F) {
	f.Add("salut")
	f.Add("\xff\x00😀")
	f.Fuzz(func(t *testing.T, body string) {
		if n := Count(body); n < 0 || n > 255 {
			t.Fatalf("Count is %d", n)
		}
	})
}
