package sentences

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentences(t *testing.T) {
	for in, want := range map[string][]string{
		"Hello. How are you? Fine! Well… Yes.":       {"Hello.", "How are you?", "Fine!", "Well…", "Yes."},
		"Elle arrive à 18 h 30. Ensuite on mange.":   {"Elle arrive à 18 h 30.", "Ensuite on mange."},
		"Ça va\u202f? Oui\u202f! Bien.":              {"Ça va\u202f?", "Oui\u202f!", "Bien."},
		"Dr. Roy and Mrs. Hall, i.e. both. Good.":    {"Dr. Roy and Mrs. Hall, i.e. both.", "Good."},
		"M. Roy a dit «\u00a0Non.\u00a0» Puis rien.": {"M. Roy a dit «\u00a0Non.\u00a0»", "Puis rien."},
		"She said \"no.\" Then left.":                {"She said \"no.\"", "Then left."},
		"It costs 3.50 dollars. Or 4.":               {"It costs 3.50 dollars.", "Or 4."},
		"Wait... what?! No way.":                     {"Wait...", "what?!", "No way."},
		"1. Marie\n2. Paul":                          {"1. Marie", "2. Paul"},
		"One\nTwo\n\nThree":                          {"One", "Two", "Three"},
		"**Bold.** Not bold.":                        {"Bold.", "Not bold."},
		"See www.example.com. There.":                {"See a link.", "There."},
		"no end":                                     {"no end"},
		"":                                           nil,
		"... --- ***":                                nil,
	} {
		for _, step := range []int{1, 2, 3, 7, 1000} {
			s, got := Cutter{Link: "a link"}, []string(nil)
			for rest := in; rest != ""; {
				n := min(step, len(rest))
				for n < len(rest) && !utf8.RuneStart(rest[n]) {
					n++
				}
				got = append(got, s.Add(rest[:n])...)
				rest = rest[n:]
			}
			if got = append(got, s.Rest()...); !slices.Equal(got, want) {
				t.Errorf("%q by %d: %q, want %q", in, step, got, want)
			}
		}
	}
}

func TestALongSentenceIsParted(t *testing.T) {
	s := Cutter{}
	got := s.Add(strings.Repeat("word ", 30) + "pause, " + strings.Repeat("word ", 60))
	got = append(got, s.Rest()...)
	for _, g := range got {
		if utf8.RuneCountInString(g) > longestSentence {
			t.Errorf("%d characters", len(g))
		}
	}
	if len(got) != 3 || !strings.HasSuffix(got[0], "pause,") {
		t.Errorf("%q", got)
	}
	s = Cutter{}
	if got := s.Add(strings.Repeat("x", 1000)); len(got) != 5 {
		t.Errorf("%d pieces", len(got))
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"## A *title* with `code`":            "A title with code",
		"- a point":                           "a point",
		"> quoted":                            "quoted",
		"[the map](https://x.example/y?z=1).": "the map.",
		"see https://x.example/y_z, then":     "see a link, then",
		"![image](x.png) there":               "image there",
		"I ❤️ it 🎉":                           "I it",
		"5 % off: 3 + 4 = 7 €":                "5 % off: 3 + 4 = 7 €",
		"a|b\u200b|c\x00":                     "a b c",
		"Cote-Nord, l’été & l'hiver":          "Cote-Nord, l’été & l'hiver",
		"```go":                               "",
		"---":                                 "",
		"🎉":                                   "",
		"e\u0301te\u0301 قهوة":                "e\u0301te\u0301 قهوة",
	} {
		if got := plain(in, "a link"); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("Hello. How are you? **Fine**\n", 3)
	f.Add("«\u00a0Non.\u00a0» Puis [x](http://y) 1. 2. …", 1)
	f.Fuzz(func(t *testing.T, in string, step int) {
		if len(in) > 5000 || step < 1 {
			return
		}
		s, out := Cutter{Link: "a link"}, ""
		for rest := in; rest != ""; {
			n := min(step, len(rest))
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n++
			}
			for _, g := range s.Add(rest[:n]) {
				check1(t, g)
				out += g
			}
			if utf8.RuneCountInString(s.buffer) > longestSentence {
				t.Fatalf("%d characters wait", len(s.buffer))
			}
			rest = rest[n:]
		}
		for _, g := range s.Rest() {
			check1(t, g)
		}
	})
}

func check1(t *testing.T, g string) {
	if g == "" || !utf8.ValidString(g) || strings.ContainsAny(g, "*#`|<>[]\n\x00") || utf8.RuneCountInString(g) > longestSentence+len("a link") {
		t.Fatalf("%q", g)
	}
}
