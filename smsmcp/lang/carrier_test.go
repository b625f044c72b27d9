package lang

import (
	"regexp"
	"strings"
	"testing"
)

func TestCarrierSentences(t *testing.T) {
	code := regexp.MustCompile(`^[a-z_]{1,40}$`)
	for c, m := range carrierCodes {
		if !code.MatchString(c) {
			t.Errorf("%q is no code", c)
		}
		for _, l := range []Lang{EN, FR} {
			s := CarrierSays(l, c)
			if !strings.HasSuffix(s, ".") || strings.Contains(s, "%") || strings.Contains(s, c) {
				t.Errorf("%s, %s: %q", c, l, s)
			}
		}
		if m.EN == m.FR {
			t.Errorf("%s is said the same in both languages", c)
		}
	}
	for l, want := range map[Lang]string{EN: "answered something_new,", FR: "répondu something_new,"} {
		if s := CarrierSays(l, "something_new"); !strings.Contains(s, want) || CarrierKnows("something_new") {
			t.Errorf("%s: %q", l, s)
		}
	}
}
