package signs

import (
	"regexp"
	"strings"
)

const (
	leastMixed = 4 // letters and digits of a mixture, at least and at most
	mostMixed  = 12
)

// hasMixture says whether a letter and a digit stand side by side.
func hasMixture(s string) bool {
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) && (isMixed(s[max(0, i-1):i+1]) || isMixed(s[i:min(len(s), i+2)])) {
			return true
		}
	}
	return false
}

// mixtures finds the words of letters and digits that could be codes.
func mixtures(s string, words []word) (out []number) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w.End-w.Start > 24 {
			continue
		}
		raw := s[w.Start:w.End]
		if at := strings.IndexAny(raw, "0123456789"); at > 0 && isMixed(raw) && digits(raw[at:]) {
			if n := len(raw) - at; n >= 4 && n <= 8 {
				span := Span{w.Start + at, w.End}
				switch prefix := strings.ToLower(raw[:at]); {
				case strongWords[prefix] || weakWords[prefix]:
					out = append(out, number{span, named})
				case at <= 3:
					out = append(out, number{span, prefixed})
				}
				continue
			}
		}
		end, mixed := i, isMixed(raw)
		for end+1 < len(words) && words[end+1].Start == words[end].End+1 && s[words[end].End] == '-' && short(words[end]) && short(words[end+1]) {
			end++
			mixed = mixed || isMixed(s[words[end].Start:words[end].End])
		}
		whole := Span{w.Start, words[end].End}
		if token := strings.ReplaceAll(s[whole.Start:whole.End], "-", ""); mixed && len(token) >= leastMixed && len(token) <= mostMixed && !usual.MatchString(token) {
			out = append(out, number{whole, mixture})
		}
		i = end
	}
	return out
}

func short(w word) bool { return w.End-w.Start >= 2 && w.End-w.Start <= 6 }

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// isMixed says whether a word is of ASCII letters and digits, and holds both.
func isMixed(s string) bool {
	letters, numbers := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			numbers = true
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters = true
		default:
			return false
		}
	}
	return letters && numbers
}

// usual are the words of letters and digits that everybody writes: 10min, 18h30, 80s, 1080p, 2nd; covid19.
var usual = regexp.MustCompile(`^(?:\d{1,5}(?:[a-z]{1,5}|AM|PM|H)|\d{1,2}[hH:]\d{2}|[A-Za-z]{4,}\d{1,2})$`)
