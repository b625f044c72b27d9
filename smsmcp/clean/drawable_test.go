package clean

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

func TestInvariant14Drawable(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       error
		code       string
	}{
		{"plain", "On my way, 10 min.", nil, ""},
		{"lines", "one\ntwo\n\nthree", nil, ""},
		{"french", "L’été : où ça\u202f? Dès 18\u00a0h «\u00a0oui\u00a0»", nil, ""},
		{"guillemets are ours to send", "<< « » >>", nil, ""},
		{"emoji", "👨‍👩‍👧‍👦 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇨🇦", nil, ""},
		{"persian", "می‌خواهم", nil, ""},
		{"hindi", "क्‍ष", nil, ""},
		{"decomposed", "e\u0301te\u0301", nil, ""},
		{"wide spaces", "a\u3000b", nil, ""},
		{"empty", "", ErrEmpty, Empty},
		{"blank", " \n\u00a0\u3000", ErrEmpty, Empty},
		{"not UTF-8", "a\xff", ErrUTF8, NotUTF8},
		{"carriage return", "a\r\nb", ErrControl, Control},
		{"tab", "a\tb", ErrControl, Control},
		{"NUL", "a\x00", ErrControl, Control},
		{"escape", "\x1b[2Jhi", ErrControl, Control},
		{"delete", "a\x7f", ErrControl, Control},
		{"next line", "a\u0085b", ErrControl, Control},
		{"line separator", "a\u2028b", ErrControl, Control},
		{"override", "a\u202eb", ErrReorder, Reorder},
		{"isolate", "a\u2066b\u2069", ErrReorder, Reorder},
		{"mark of direction", "a\u200eb", ErrReorder, Reorder},
		{"zero width space", "a\u200bb", ErrHidden, Hidden},
		{"byte order mark", "\ufeffa", ErrHidden, Hidden},
		{"tags", "a\U000e0041\U000e0042", ErrHidden, Hidden},
		{"selectors", "😀\U000e0101\U000e0102", ErrHidden, Hidden},
		{"selector on a letter", "a\ufe0f", ErrHidden, Hidden},
		{"joiner on a letter", "a\u200db", ErrHidden, Hidden},
		{"soft hyphen", "a\u00adb", ErrHidden, Hidden},
		{"braille blank", "\u2800", ErrHidden, Hidden},
		{"filler", "\u3164", ErrHidden, Hidden},
		{"private use", "a\ue000", ErrHidden, Hidden},
		{"zalgo", "x" + strings.Repeat("\u0336", 9), ErrMarks, Marks},
		{"zalgo folded up", "x\u0344\u0344\u0344\u0344", ErrMarks, Marks},
		{"mark on nothing", "\u0301a", ErrMarks, Marks},
	} {
		err := Drawable(c.body)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if got := Why(err); got != c.code || !regexp.MustCompile(`^[a-z_0-9]{0,40}$`).MatchString(got) {
			t.Errorf("%s: code %q, want %q", c.name, got, c.code)
		}
	}
}
