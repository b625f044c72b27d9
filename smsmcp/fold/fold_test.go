package fold_test

import (
	"slices"
	"testing"

	"readback/smsmcp/fold"
)

func TestKey(t *testing.T) {
	for _, same := range [][]string{
		{"Marie-Ève", "marie-eve", " MARIE‑ÈVE ", "Marie-E\u0300ve"},
		{"L’Heureux", "l'heureux"},
		{"Jean  Paul", "jean paul", "Jean\u00a0Paul", "Jean\tPaul"},
		{"Cœur", "coeur", "CŒUR"},
		{"Straße", "STRASSE"},
	} {
		for _, s := range same {
			if fold.Key(s) != fold.Key(same[0]) {
				t.Errorf("%q and %q differ: %q, %q", s, same[0], fold.Key(s), fold.Key(same[0]))
			}
		}
	}
	for _, differ := range [][2]string{{"Marie", "Mario"}, {"Jean Paul", "Jean-Paul"}, {"की", "का"}, {"Ann", "Anne"}, {"Marie", "Marie T"}} {
		if fold.Key(differ[0]) == fold.Key(differ[1]) {
			t.Errorf("%q and %q are one", differ[0], differ[1])
		}
	}
}

func TestWords(t *testing.T) {
	if got := fold.Words("Dis à Marie: «viens!» à 6h"); !slices.Equal(got, []string{"dis", "a", "marie", "viens", "a", "6h"}) {
		t.Error(got)
	}
}

func TestWordsWithoutSpaces(t *testing.T) {
	for text, want := range map[string][]string{
		"我到了 ok":    {"我", "到", "了", "ok"},
		"ขอบคุณ":    {"ข", "อ", "บ", "คุ", "ณ"},
		"a你b":       {"a", "你b"},
		"मैं आ गया": {"मैं", "आ", "गया"},
	} {
		if got := fold.Words(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func FuzzKeyIsAFixedPoint(f *testing.F) {
	f.Add("Marie-Ève  L’Œuvre")
	f.Fuzz(func(t *testing.T, s string) {
		if k := fold.Key(s); fold.Key(k) != k {
			t.Fatalf("%q → %q → %q", s, k, fold.Key(k))
		}
	})
}
