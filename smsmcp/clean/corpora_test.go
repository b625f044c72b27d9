package clean

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"readback/test/corpora"
)

// marked says that a text holds a mark like the frame's own, or a hidden character: what Body is there to change. It is told here in
// another way than in the package.
func marked(s string) bool {
	return strings.Contains(s, "<<") || strings.Contains(s, ">>") || strings.ContainsFunc(s, func(r rune) bool {
		return strings.ContainsRune("«»‹›《》〈〉≪≫＜＞", r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
			unicode.Is(unicode.Cc, r) && !unicode.IsSpace(r)
	})
}

// squeezed is a text without its white space.
func squeezed(s string) string { return strings.Join(strings.Fields(norm.NFC.String(s)), "") }

// Of benign texts without such marks at least 99.5% come through unchanged but for white space.
func TestBenignTextsComeThrough(t *testing.T) {
	sets := append(corpora.Sets(t, "benign_"), "sms_nus_en", "sms_nus_zh", "sms_uci_ham")
	for _, set := range sets {
		all, asked, same := corpora.Texts(t, set), 0, 0
		for _, s := range all {
			if marked(s) {
				continue
			}
			asked++
			if got := Body(s).Text; squeezed(got) == squeezed(s) {
				same++
			} else {
				t.Logf("%s: %q became %q", set, s, got)
			}
		}
		t.Logf("%-20s %5d texts, %5d without marks, %5d of these unchanged", set, len(all), asked, same)
		if asked < len(all)*8/10 || same*1000 < asked*995 {
			t.Errorf("%s: %d of %d unchanged", set, same, asked)
		}
	}
}

func TestInvariant03CorporaAreSafe(t *testing.T) {
	for _, set := range corpora.Sets(t, "") {
		for _, s := range corpora.Texts(t, set) {
			once := Body(s)
			safe(t, once.Text)
			if again := Body(once.Text); again != (Result{Text: once.Text}) {
				t.Errorf("%s: %q changes again, to %q", set, once.Text, again.Text)
			}
		}
	}
}
