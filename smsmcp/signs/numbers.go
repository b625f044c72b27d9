package signs

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// form is what a part of a text that could be a code looks like.
type form uint8

const (
	plainNumber form = iota // 482913, 482-913
	yearNumber              // 1984: it could be a year
	webOTP                  // the last line of a text that a browser reads: @example.com #123456
	prefixed                // G482913
	named                   // code482913: the word is part of it
	mixture                 // A4F9K2
)

// number is a span that could be a code.
type number struct {
	Span
	kind form
}

// group is a run of digits between separators.
type group struct {
	Span
	n int // how many digits
}

// numbers finds the numbers of 4 to 8 digits that are no price, date, decimal or part of a longer one.
func numbers(s string) (out []number) {
	i := 0
	for i < len(s) && (s[i] < '0' || s[i] > '9') && s[i] < 0xC2 { // U+00B2, the first digit that is not ASCII, begins with it
		i++
	}
	for i < len(s) {
		d, size := digit(s[i:])
		if d < 0 {
			i += size
			continue
		}
		var groups []group
		dotted, year := 0, 0
		for {
			g := group{Span: Span{Start: i}}
			for i < len(s) {
				d, size := digit(s[i:])
				if d < 0 {
					break
				}
				year = year*10%100000 + d
				i += size
				i += marks(s[i:])
				g.n++
			}
			g.End = i
			groups = append(groups, g)
			size := separator(s[i:])
			if d, _ := digit(s[min(i+size, len(s)):]); size == 0 || d < 0 {
				break
			}
			if s[i] == '.' || s[i] == '/' {
				dotted++
			}
			i += size
		}
		out = append(out, codesIn(s, groups, dotted, year)...)
	}
	return out
}

// codesIn gives the numbers that could be codes in digits that separators join: the whole of them, or, where each is long enough by itself, each.
func codesIn(s string, groups []group, dotted, year int) (out []number) {
	whole := Span{groups[0].Start, groups[len(groups)-1].End}
	if likely(s, whole, groups, dotted) {
		n := number{Span: whole}
		switch {
		case forBrowser(s[max(0, whole.Start-256):whole.Start]):
			n.kind = webOTP
		case len(groups) == 1 && groups[0].n == 4 && year >= 1900 && year < 2100:
			n.kind = yearNumber
		}
		return []number{n}
	}
	for _, g := range groups {
		if len(groups) == 1 || dotted > 0 || g.n < 5 || g.n > 8 {
			return nil
		}
	}
	for _, g := range groups { // backup codes: 12345 67890
		out = append(out, number{Span: g.Span})
	}
	return out
}

// marks gives the length of the marks that s begins with: of keycaps, or whatever is piled on a digit.
func marks(s string) (n int) {
	for n < len(s) && s[n] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsMark(r) {
			break
		}
		n += size
	}
	return n
}

// separator gives the length of what s begins with if it may stand between the groups of a code.
func separator(s string) int {
	if s == "" {
		return 0
	}
	if c := s[0]; c < utf8.RuneSelf {
		if c == ' ' || c == '-' || c == '_' || c == '.' || c == '/' {
			return 1
		}
		return 0
	}
	switch r, size := utf8.DecodeRuneInString(s); {
	case r == 0xA0, r == 0x202F, r >= 0x2010 && r <= 0x2015, r == 0x2212, r == '·':
		return size
	}
	return 0
}

// forBrowser says that what stands before a number is @host and #, as in the last line of a text that a browser reads.
func forBrowser(before string) bool {
	if !strings.HasSuffix(before, " #") {
		return false
	}
	before = before[:len(before)-2]
	return strings.HasPrefix(before[strings.LastIndexAny(before, " \n")+1:], "@")
}

// digit gives the value of the digit that s begins with, or -1, and its size in bytes.
func digit(s string) (value, size int) {
	if s == "" {
		return -1, 0
	}
	if c := s[0]; c < utf8.RuneSelf {
		if c >= '0' && c <= '9' {
			return int(c - '0'), 1
		}
		return -1, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	return digitOf(r), size
}

// circled are the blocks of digits in circles, brackets and the like, each from 1 to 9, by their first.
var circled = [...]rune{'①', '⑴', '⒈', '⓵', '❶', '➀', '➊', 0x1F102}

// digitOf gives the value of a digit, or -1. Of any but ASCII's and those in circles the value says only that it is one.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r < 0x80:
		return -1
	case unicode.IsDigit(r):
		return int(r) % 10
	case !unicode.Is(unicode.No, r):
		return -1
	}
	for _, one := range circled {
		if r >= one && r < one+9 {
			return int(r-one) + 1
		}
	}
	switch {
	case r == '⓪', r == '⓿', r == 0x1F100, r == 0x1F101, r == '⁰', r == '₀', r == '¹', r == '²', r == '³', r >= '⁴' && r <= '⁹', r >= '₁' && r <= '₉':
		return int(r) % 10
	}
	return -1
}

func likely(s string, whole Span, groups []group, dotted int) bool {
	total := 0
	for _, g := range groups {
		total += g.n
	}
	if total < 4 || total > 8 {
		return false
	}
	for _, g := range groups {
		if len(groups) > 1 && len(groups) < total && (g.n < 2 || g.n > 4) || dotted > 0 && g.n < 3 {
			return false
		}
	}
	if len(groups) == 3 && groups[1].n == 2 && (groups[0].n == 4 && groups[2].n == 2 || groups[0].n == 2 && groups[2].n == 4) {
		return false // a date
	}
	start, end := whole.Start, whole.End
	if total == 5 && len(groups) == 1 && afterState.MatchString(s[max(0, start-4):start]) {
		return false // a ZIP code
	}
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, size := utf8.DecodeRuneInString(s[end:])
	beyond, _ := utf8.DecodeRuneInString(s[end+size:])
	switch {
	case start > 0 && (spaced(before) || strings.ContainsRune("$€£¥+.,:/'", before) && !startsAfterWord(s, start, before)):
		return false
	case end == len(s):
		return true
	case spaced(after), strings.ContainsRune("$€£¥%", after), (after == ' ' || after == 0xA0 || after == 0x202F) && strings.ContainsRune("$€£¥", beyond):
		return false
	case strings.ContainsRune(".,:/-", after) && digitOf(beyond) >= 0:
		return false
	}
	return true
}

// spaced says whether a rune is a letter of a script that puts spaces between words, so that a number beside it is part of a word.
func spaced(r rune) bool { return unicode.IsLetter(r) && r < unspaced }

var afterState = regexp.MustCompile(`(?:^|[^A-Za-z])[A-Z]{2} $`)

// startsAfterWord says that the punctuation before a number ends a word, as in "code:1234", and is no part of a longer number.
func startsAfterWord(s string, start int, mark rune) bool {
	if strings.ContainsRune("$€£¥+", mark) {
		return false
	}
	prior, _ := utf8.DecodeLastRuneInString(s[:start-utf8.RuneLen(mark)])
	return digitOf(prior) < 0
}
