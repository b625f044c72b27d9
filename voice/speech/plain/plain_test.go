package plain

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestInvariant04WhatIsSpokenIsPlain: nothing that an engine reads as something else than words is left.
func TestInvariant04WhatIsSpokenIsPlain(t *testing.T) {
	for text, want := range map[string]string{
		"  Hello,\n\tthere! ":               "Hello, there!",
		"[[j'Es]]":                          "((j'Es))",
		"[\u200b[j'Es]\u200b]":              "((j'Es))",
		"［［j'Es］］":                          "((j'Es))",
		"[pause:9s](/x/)":                   "(pause:9s)(/x/)",
		"a<break time=\"9s\"/>b":            "a break time=\"9s\"/ b",
		"＜laugh＞":                           "laugh",
		"a\x00\x01b\u0085c":                 "a b c",
		"a\u202eb\ue000c\u00add":            "abcd",
		"a\xffb\ufffdc":                     "a bc",
		"Été à 9 h, ça roule\u202f?\u00a0»": "Été à 9 h, ça roule ? »",
		"<>":                                "", "": "", "\u200b": "",
	} {
		if got, err := Text(text); got != want || err != nil {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
	for _, text := range []string{strings.Repeat("é", MaxRunes+1), strings.Repeat("a ", MaxRunes), strings.Repeat("\u200b", 1<<20)} {
		if got, err := Text(text); !errors.Is(err, ErrTooLong) || got != "" {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
	if got, err := Text(" " + strings.Repeat("é", MaxRunes) + "  "); err != nil || utf8.RuneCountInString(got) != MaxRunes {
		t.Errorf("%v", err)
	}
	if !Sounds("?a") || !Sounds("9") || Sounds("?! …") || Sounds("") {
		t.Error("what sounds")
	}
}

func FuzzText(f *testing.F) {
	f.Add("hello [[x]] <b> \x01 \u200b")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Text(text)
		if err != nil {
			return
		}
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > MaxRunes || strings.ContainsAny(got, "[]<>［］＜＞\n\r") || strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Errorf("%q", got)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) }) {
			t.Errorf("%q", got)
		}
		if again, err := Text(got); err != nil || again != got {
			t.Errorf("%q became %q, %v", got, again, err)
		}
	})
}
