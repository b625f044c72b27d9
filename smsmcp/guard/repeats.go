package guard

import (
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/smsmcp/signs"
)

// The codes of the rules on bodies that carry a received text's words on.
const (
	RuleRepeatsCode  smsmcp.Rule = "repeats_code"
	RuleRepeatsWords smsmcp.Rule = "repeats_words"
)

// repeats asks before a body takes a one-time code, or RepeatWords words in a row, from one sender to another.
func repeats(g Settings, a Attempt, s State, now time.Time) (out []smsmcp.Reason) {
	numbers, words := digits(a.Draft.Body()), fold.Words(a.Draft.Body())
	runs := shingles(words, g.RepeatWords)
	if len(numbers) == 0 && len(runs) == 0 {
		return nil
	}
	var code, copied bool
	for _, h := range s.Heard {
		if h.Contact != 0 && h.Contact == s.Contact.ID || !within(later(h.At, h.Shown), g.Repeats, now) {
			continue
		}
		raw := h.Body.RawForRules()
		code = code || len(numbers) > 0 && holdsCode(numbers, raw)
		copied = copied || len(runs) > 0 && shares(runs, fold.Words(raw), g.RepeatWords)
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

func holdsCode(numbers []string, raw string) bool {
	for _, span := range signs.Codes(raw) {
		code := strings.Join(digits(raw[span.Start:span.End]), "")
		if len(code) < 4 {
			continue
		}
		for _, n := range numbers {
			if n == code || len(code) > 4 && strings.Contains(n, code) {
				return true
			}
		}
	}
	return false
}

func shingles(words []string, n int) map[string]bool {
	if n < 1 || len(words) < n {
		return nil
	}
	out := make(map[string]bool, len(words)-n+1)
	for i := 0; i+n <= len(words); i++ {
		out[strings.Join(words[i:i+n], " ")] = true
	}
	return out
}

func shares(runs map[string]bool, words []string, n int) bool {
	for i := 0; i+n <= len(words); i++ {
		if runs[strings.Join(words[i:i+n], " ")] {
			return true
		}
	}
	return false
}
