package aloud

import (
	"slices"
	"strings"
	"testing"

	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
)

func TestSignsOfNumbers(t *testing.T) {
	for _, c := range []struct{ body, en, fr string }{
		{"Balance: -$500.", "Balance: minus 500 dollars.", "Balance: moins 500 dollars."},
		{"−$500", "minus 500 dollars", "moins 500 dollars"},
		{"-€20", "minus 20 euros", "moins 20 euros"},
		{"- 20 €", "minus 20 euros", "moins 20 euros"},
		{"-$ 500", "minus 500 dollars", "moins 500 dollars"},
		{"$-5", "dollar sign minus 5", "signe de dollar moins 5"},
		{"it is - 20", "it is minus 20", "it is moins 20"},
		{"it is —20", "it is minus 20", "it is moins 20"},
		{"it is – 20", "it is minus 20", "it is moins 20"},
		{"it is — 20", "it is dash 20", "it is tiret 20"},
		{"(-20)", "in brackets minus 20.", "entre parenthèses moins 20."},
		{"10-20", "10 dash 20", "10 tiret 20"},
		{"10–20", "10 dash 20", "10 tiret 20"},
		{"10—20", "10 dash 20", "10 tiret 20"},
		{"100 - 20", "100 dash 20", "100 tiret 20"},
		{"100 — 20", "100 dash 20", "100 tiret 20"},
		{"100 −20", "100 minus 20", "100 moins 20"},
		{"5−3", "5 minus 3", "5 moins 3"},
		{"it was 10 -20", "it was 10 minus 20", "it was 10 moins 20"},
		{"10 20", "1 0, 2 0", "1 0, 2 0"},
		{"1020", "1020", "1020"},
		{"$5-$10", "5 dollars dash 10 dollars", "5 dollars tiret 10 dollars"},
		{"-.5", "minus point 5", "moins point 5"},
		{"it is .5", "it is point 5", "it is point 5"},
		{"it is ,5", "it is comma 5", "it is virgule 5"},
		{"x-5", "x dash 5", "x tiret 5"},
		{"5- ok", "5 dash ok", "5 tiret ok"},
		{"6' long", "6 apostrophe long", "6 apostrophe long"},
		{`6" long`, "6 quote mark long", "6 guillemet long"},
		{"6 long", "6 long", "6 long"},
		{"6'2", "6 apostrophe 2", "6 apostrophe 2"},
		{`6"2`, "6 quote mark 2", "6 guillemet 2"},
		{`6'2"`, "6 apostrophe 2 quote mark", "6 apostrophe 2 guillemet"},
		{"6’2”", "6 apostrophe 2 quote mark", "6 apostrophe 2 guillemet"},
		{"6′2″", "6 apostrophe 2 quote mark", "6 apostrophe 2 guillemet"},
		{"6''", "6 apostrophe apostrophe", "6 apostrophe apostrophe"},
		{`a gap of 6 "`, "a gap of 6 quote mark", "a gap of 6 guillemet"},
		{`5½"`, "5 one half quote mark", "5 un demi guillemet"},
		{"the 90's", "the 90 apostrophe s", "the 90 apostrophe s"},
		{"1'500", "1 apostrophe 500", "1 apostrophe 500"},
		{`he said "no" and 'yes'`, "he said, no, and yes", "he said, no, and yes"},
		{"owed ($500)", "owed in brackets 500 dollars.", "owed entre parenthèses 500 dollars."},
		{"(see me)", "see me.", "see me."},
		{"3:1", "3 colon 1", "3 deux-points 1"},
		{"5…7", "5 dots 7", "5 points de suspension 7"},
		{"5...7", "5 dots 7", "5 points de suspension 7"},
		{"5·7", "5 dot 7", "5 point 7"},
		{"1000 - 2000", "1 0 0 0 dash 2 0 0 0", "1 0 0 0 tiret 2 0 0 0"},
		{"1000-2000", "1 0 0 0 dash 2 0 0 0", "1 0 0 0 tiret 2 0 0 0"},
		{"-514-555-0101", "minus 5 1 4, 5 5 5, 0 1 0 1", "moins 5 1 4, 5 5 5, 0 1 0 1"},
	} {
		if en, fr := body(lang.EN, c.body), body(lang.FR, c.body); en != c.en || fr != c.fr {
			t.Errorf("%q: %q, %q", c.body, en, fr)
		}
	}
}

// TestInvariant14EverySignOfANumberIsHeard puts each sign at each place: two bodies that differ in that sign alone are said in other words, or refused, but for what the package's
// comment lists. Pauses do not count.
func TestInvariant14EverySignOfANumberIsHeard(t *testing.T) {
	signs := strings.Split("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~−–—―‒‐‑′″‘’‚‛“”„‟«»‹›…·•‣◦⋅±×÷°¬´¨¦§¶†‡‰€£¥¢½¼¾²³ªº≠≈≤≥→←↑↓№⁄∕․﹣－＋", "")
	const (
		pauses  = ",.;:!?…()[]{}\"“”„‟«»‹›'‘’‚‛•·‣◦⋅"
		joining = pauses + "-‐‑–—―‒" // beside a word
	)
	places := []struct {
		before, after string
		silent        string // what may be heard as nothing, or as another of these
	}{
		{"it is ", "500 now", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"it is ", "$500 now", pauses},
		{"it is ", " 500 now", pauses},
		{"it is ", " $500 now", pauses},
		{"it is ", "500 $ now", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"it is ", "5.5 now", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"it is ", "5:30 now", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"it is ", "5% now", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"it is ", "1,500 now", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"it is ", "514-555-0101 now", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"it is 5", " now", ",.;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is 5", "", ",.;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is 500", "5 now", "()[]{}«»‹›"},
		{"it is 5", "2 now", "()[]{}«»‹›"},
		{"it is $500", " now", ",.;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is 500$", " now", ",.;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is 500", "$ now", ",.;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is $", "500 now", "()[]{}«»‹›"},
		{"it is 5 ", " 30 now", ",.;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is 1000 ", " 2000 now", ",.;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is 1000", "2000 now", "()[]{}«»‹›"},
		{"it is x", "5 now", strings.Replace(pauses, ".", "", 1)},
		{"it is 5", "x now", ",;:!?…()[]{}«»‹›•·‣◦⋅"},
		{"it is a", "b now", joining},
		{"it is ", "no now", joining},
		{"it is no", " now", joining},
		{"it is ", " no", joining},
		{"", "5", strings.NewReplacer(",", "", ".", "").Replace(pauses)},
		{"", "$5", pauses},
	}
	one := [][]string{ // signs of one sense, or of none
		strings.Split("-‐‑–—―‒", ""), strings.Split("'‘’‚‛′´`", ""), strings.Split("\"“”„‟″", ""), strings.Split(".·•‣◦⋅", ""), strings.Split("‐-‑–‒−—―", ""),
	}
	compared := 0
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		for _, p := range places {
			by := map[string][]string{}
			for _, sign := range append([]string{""}, signs...) {
				b := p.before + sign + p.after
				if said := body(l, b); said != "" {
					key := strings.Join(fold.Words(said), " ")
					by[key] = append(by[key], sign)
				}
			}
			for key, all := range by {
				var loud []string
				quiet := false
				for _, sign := range all {
					if sign == "" || strings.Contains(p.silent, sign) {
						quiet = true
					} else {
						loud = append(loud, sign)
					}
				}
				compared += len(loud)
				if len(loud) == 0 || !quiet && len(loud) == 1 {
					continue
				}
				if !quiet && slices.ContainsFunc(one, func(same []string) bool {
					return !slices.ContainsFunc(loud, func(s string) bool { return !slices.Contains(same, s) })
				}) {
					continue
				}
				t.Errorf("%s: %q with %q are all said %q (silence is one: %v)", l, p.before+"…"+p.after, all, key, quiet)
			}
		}
	}
	if compared < 1500 {
		t.Errorf("%d signs were compared", compared)
	}
}

// The names of signs sound different, and like no number.
func TestInvariant14NamesOfSignsAreHeardApart(t *testing.T) {
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		seen := map[string]string{}
		for _, m := range []lang.Message{spoken.Minus, spoken.Dash, spoken.Dot, spoken.Comma, spoken.Apostrophe, spoken.QuoteMark, spoken.InBrackets, spoken.Stops[':'], spoken.Stops[';'], spoken.Stops['…'], spoken.Stops['?'], spoken.Stops['!']} {
			seen[phonemes(t, l, m.In(l))] = m.In(l)
		}
		if len(seen) != 12 {
			t.Errorf("%s: %q", l, seen)
		}
		for r, m := range spoken.Signs {
			p := phonemes(t, l, m.In(l))
			if other, ok := seen[p]; ok || p == "" {
				t.Errorf("%s: %q sounds as %q does", l, r, other)
			}
			seen[p] = m.In(l)
		}
	}
}
