package aloud

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/lang/spoken"
)

// Marks that are a pause among words, and may change what a number says.
const (
	hyphens  = "-‐‑"
	dashes   = hyphens + "‒–−—―"
	ticks    = "'’‘ʼ‛‚`´′"
	quotes   = "\"“”„‟"
	inches   = quotes + "″"
	bullets  = "•·‣◦⋅"
	brackets = "()[]{}«»‹›"
	pausing  = ".,;:!?"
	spacing  = " \t\u00a0\u202f"
)

var (
	// leads is a number that begins here, with its currency or its decimals alone.
	leads = regexp.MustCompile(`^(?:[$€£¥¢][ \x{a0}\x{202f}]*)?[.,]?\d`)
	// enclosed is a number alone in round brackets: bookkeepers write what is owed so.
	enclosed = regexp.MustCompile(`^\([$€£¥¢+\-‐‑‒–−—―~ \x{a0}\x{202f}]*[.,]?\d[\d.,: \x{a0}\x{202f}]*[$€£¥¢%]?\)`)
	ellipsis = regexp.MustCompile(`^\.{2,}\d`)
)

// mark says a sign that is heard by name beside a number; false, if it is none of these, or no number is there. The sign begins at the place of s, and its neighbours are before and after.
func (s *sayer) mark(r, before, after rune) bool {
	rest := s.s[s.i:]
	behind, leading := digital(before), unicode.IsDigit(after)
	size := utf8.RuneLen(r)
	switch {
	case strings.ContainsRune(dashes, r):
		return s.dash(r, before, rest[size:])
	case strings.ContainsRune(ticks, r) && s.measure(rest[size:], ticks):
		s.say(spoken.Apostrophe)
	case strings.ContainsRune(inches, r) && s.measure(rest[size:], inches):
		s.say(spoken.QuoteMark)
	case r == '(' && enclosed.MatchString(rest):
		s.say(spoken.InBrackets)
	case r == '.' && behind && ellipsis.MatchString(rest):
		size = len(ellipsis.FindString(rest)) - 1
		s.say(spoken.Stops['…'])
	case r == '.' && alnum(before) && alnum(after):
		s.say(spoken.Dot)
	case r == '.' && leading && before != '.': // .5 is not 5
		s.say(spoken.Point)
	case r == ',' && leading && (unicode.IsDigit(before) || !alnum(before) && !unicode.IsDigit(s.last())):
		s.say(spoken.Comma)
	case behind && leading && strings.ContainsRune(bullets, r):
		s.say(spoken.Dot)
	case behind && leading && strings.ContainsRune(":;!?…", r): // 3:1
		s.say(spoken.Stops[r])
	default:
		return false
	}
	s.i += size
	return true
}

// dash says a dash beside a number. It is a minus where one can be meant: before a number that nothing but a space, a bracket or a quote stands before. Between two numbers it
// is a dash, however it is spaced: 10-20, 10 - 20; but 10 -20 holds a minus. Beside a word alone it is not said.
func (s *sayer) dash(r, before rune, rest string) bool {
	number := leads.MatchString(strings.TrimLeft(rest, spacing))
	spaced := rest == "" || strings.ContainsRune(spacing+"\n", firstOf(rest))
	m := spoken.Dash
	switch {
	case r == '−':
		m = spoken.Minus
	case number && (alnum(before) || digital(before) || strings.ContainsRune("°)]}", before)): // 10-20, covid-19, $5-$10
		if owed(s.s[:s.i], before) {
			m = spoken.Minus
		}
	case number && spaced && (digital(s.last()) || strings.ContainsRune("—―", r)):
	case number:
		m = spoken.Minus
	case digital(before):
	default:
		return false
	}
	s.say(m)
	s.i += utf8.RuneLen(r)
	return true
}

// owed says whether a currency that nothing is counted in ends a text: $-5.
func owed(s string, last rune) bool {
	if !strings.ContainsRune("$€£¥¢", last) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s[:len(s)-utf8.RuneLen(last)], spacing))
	return !digital(before)
}

// measure says whether a tick or quote is behind a number, and so feet, inches or minutes, or alone behind its space. One that may only close a quotation is said too.
func (s *sayer) measure(rest, of string) bool {
	told := strings.TrimRight(s.s[:s.i], of)
	before, _ := utf8.DecodeLastRuneInString(told)
	if digital(before) {
		return true
	}
	return told != "" && strings.ContainsRune(spacing, before) && digital(s.last()) && (rest == "" || strings.ContainsRune(spacing+"\n"+pausing, firstOf(rest)))
}

// last is what stands before in the line, but for spaces.
func (s *sayer) last() rune {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.s[:s.i], spacing))
	return r
}

func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// digital says whether a sign ends a number.
func digital(r rune) bool {
	return unicode.IsDigit(r) || strings.ContainsRune("½¼¾²³%‰$€£¥¢°", r)
}
