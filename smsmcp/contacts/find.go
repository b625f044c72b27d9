package contacts

import (
	"slices"
	"strings"

	"readback/smsmcp"
	"readback/smsmcp/fold"
)

// Found is the most names that Find gives.
const Found = 5

// Whole finds whom a whole name or alias means, compared as fold.Key: nobody is guessed (invariant 2).
func Whole(all []smsmcp.Contact, name string) (smsmcp.Contact, bool) {
	key := fold.Key(name)
	for _, c := range all {
		if slices.ContainsFunc(called(c), func(known string) bool { return fold.Key(known) == key }) {
			return c, true
		}
	}
	return smsmcp.Contact{}, false
}

// Find gives the names, at most 5, of the contacts that a word of a name or an alias points at: first where the whole name is meant, then
// whole words, then beginnings of words, then words that are nearly it (two letters off, one in a word of up to four). It is for showing
// candidates and never decides whom a text goes to; it never gives or takes a number.
func Find(all []smsmcp.Contact, word string) []string {
	asked := fold.Words(word)
	if len(asked) == 0 || len(word) > 1024 || len(asked) > MaxName {
		return nil
	}
	type hit struct {
		rank int
		name string
	}
	var hits []hit
	for _, c := range all {
		best := none
		for _, name := range called(c) {
			best = min(best, rank(asked, fold.Words(name)))
		}
		if best < none {
			hits = append(hits, hit{best, c.Name})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return strings.Compare(fold.Key(a.name), fold.Key(b.name))
	})
	var names []string
	for _, h := range hits[:min(len(hits), Found)] {
		names = append(names, h.name)
	}
	return names
}

// The ranks of a hit, best first.
const (
	exact = iota
	wholeWords
	beginnings
	nearly
	none
)

// rank is the worst rank of any word asked for: all of them must be in the name.
func rank(asked, name []string) int {
	if slices.Equal(asked, name) {
		return exact
	}
	worst := wholeWords
	for _, a := range asked {
		best := none
		for _, n := range name {
			switch {
			case a == n:
				best = min(best, wholeWords)
			case strings.HasPrefix(n, a):
				best = min(best, beginnings)
			case near([]rune(a), []rune(n)):
				best = min(best, nearly)
			}
		}
		worst = max(worst, best)
	}
	return worst
}

// near says whether two words are within the edit distance that a slip makes: 2, but 1 for words of 3 or 4 letters, 0 for less.
func near(a, b []rune) bool {
	limit := 2
	switch short := min(len(a), len(b)); {
	case short < 3:
		return false
	case short < 5:
		limit = 1
	}
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > MaxName {
		return false
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)] <= limit
}
