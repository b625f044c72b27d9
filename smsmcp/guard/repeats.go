package guard

import (
	"slices"
	"strings"
	"time"

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
	numbers, runs := digits(a.Draft.Body()), runsOf(fold.Words(a.Draft.Body()), g.RepeatWords)
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

// digits lists the numbers in a body as their digits alone: "123 456", "123-456" and "123456" are one.
func digits(body string) (out []string) {
	var run []byte
	gap := 0
	for _, r := range fold.Key(body) {
		switch {
		case r >= '0' && r <= '9':
			run, gap = append(run, byte(r)), 0
		case gap == 0 && len(run) > 0 && strings.ContainsRune(" -.,/", r):
			gap++
		default:
			if len(run) > 0 {
				out = append(out, string(run))
			}
			run, gap = nil, 0
		}
	}
	if len(run) > 0 {
		out = append(out, string(run))
	}
	return out
}

func holdsCode(numbers, codes []string) bool {
	for _, code := range codes {
		for _, n := range numbers {
			if n == code || len(code) > 4 && strings.Contains(n, code) {
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
