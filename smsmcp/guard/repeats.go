package guard

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"readback/smsmcp"
	"readback/smsmcp/fold"
)

// The codes of the rules on bodies that carry a received text's words on.
const (
	RuleRepeatsCode  smsmcp.Rule = "repeats_code"
	RuleRepeatsWords smsmcp.Rule = "repeats_words"
)

// repeats asks before a body takes a one-time code, or RepeatWords words in a row, from one sender to another.
func repeats(g Settings, a Attempt, s State, now time.Time) (out []smsmcp.Reason) {
	words := fold.Words(a.Draft.Body())
	numbers, runs := append(digits(a.Draft.Body()), slices.DeleteFunc(slices.Clone(words), isPlain)...), runsOf(words, g.RepeatWords)
	if len(numbers) == 0 && len(runs) == 0 {
		return nil
	}
	var code, copied bool
	for _, h := range s.Heard {
		if h.Contact != 0 && h.Contact == s.Contact.ID || !within(later(h.At, h.Shown), g.Repeats, now) {
			continue
		}
		code = code || len(numbers) > 0 && holdsCode(numbers, h.found().codes)
		copied = copied || len(runs) > 0 && runs.in(h.found().words)
	}
	if code {
		out = append(out, smsmcp.Reason{Rule: RuleRepeatsCode})
	}
	if copied {
		out = append(out, smsmcp.Reason{Rule: RuleRepeatsWords})
	}
	return out
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// digits lists the numbers in a body as their ASCII digits alone: "123 456", "123-456", "1:2:3:4:5:6" and the same in another script's digits are
// one. Up to three characters that are no letters join two groups.
func digits(body string) (out []string) {
	var run []byte
	gap := 0
	flush := func() {
		if len(run) > 0 {
			out = append(out, string(run))
		}
		run, gap = nil, 0
	}
	for _, r := range norm.NFKC.String(body) {
		switch {
		case unicode.IsDigit(r):
			run, gap = append(run, '0'+value(r)), 0
		case len(run) > 0 && gap < 3 && !unicode.IsLetter(r) && r != '\n':
			gap++
		default:
			flush()
		}
	}
	flush()
	return out
}

// value is a decimal digit's value. Unicode has them in rows of ten, each in order from its zero (The Unicode Standard, 4.6).
func value(r rune) byte {
	v := byte(0)
	for r-1 >= 0 && v < 9 && unicode.IsDigit(r-1) {
		r--
		v++
	}
	return v
}

// isMixed says whether a word could be a code of letters and digits, as in A4F9K2.
func isMixed(word string) bool {
	return len(word) >= 4 && strings.ContainsAny(word, "0123456789") && strings.ContainsFunc(word, unicode.IsLetter)
}

func isPlain(word string) bool { return !isMixed(word) }

func holdsCode(numbers, codes []string) bool {
	for _, code := range codes {
		for _, n := range numbers {
			if strings.Contains(n, code) && (len(code) > 4 || len(n) <= len(code)+2) { // a short code is part of many a long number
				return true
			}
		}
	}
	return false
}

// runs are the runs of some length in a text, by their first word.
type runs map[string][][]string

func runsOf(words []string, n int) runs {
	if n < 1 || len(words) < n {
		return nil
	}
	out := make(runs, len(words)-n+1)
	for i := 0; i+n <= len(words); i++ {
		out[words[i]] = append(out[words[i]], words[i:i+n])
	}
	return out
}

// in says whether words holds one of the runs.
func (r runs) in(words []string) bool {
	for i, w := range words {
		for _, run := range r[w] {
			if i+len(run) <= len(words) && slices.Equal(words[i:i+len(run)], run) {
				return true
			}
		}
	}
	return false
}
