package signs

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/fold"
)

// Span is a part of a text, in bytes: s[Start:End].
type Span struct{ Start, End int }

// How far from a word a number is still what the word speaks of, in bytes.
const (
	farReach  = 100 // for words that speak of little else
	nearReach = 40  // for "code" and "PIN", which have other uses
	yearReach = 16  // for a number that could be a year
	notReach  = 24  // for the words that say what else a code is for
)

// Codes finds the one-time codes in a text: 4 to 8 digits, whole or in groups (123-456), near a word that speaks of one, in English,
// French or Spanish. A span begins and ends with a digit: of G-123456 it is 123456.
func Codes(s string) []Span {
	found := numbers(s)
	if len(found) == 0 {
		return nil
	}
	words := wordsOf(s)
	var out []Span
	for _, n := range found {
		for len(words) > 0 && words[0].End < n.Start-farReach {
			words = words[1:]
		}
		far, near := farReach, nearReach
		if n.year {
			far, near = yearReach, yearReach
		}
		if n.webOTP || speaksOf(words, n.Span, far, near) {
			out = append(out, n.Span)
		}
	}
	return out
}

// Mask puts a bullet for each digit of a one-time code, and counts the codes.
func Mask(s string) (string, int) {
	spans := Codes(s)
	if len(spans) == 0 {
		return s, 0
	}
	out := make([]byte, 0, len(s)+16)
	at := 0
	for _, span := range spans {
		out = append(out, s[at:span.Start]...)
		for _, r := range s[span.Start:span.End] {
			if r == '-' || r == ' ' {
				out = append(out, byte(r))
			} else {
				out = append(out, "•"...)
			}
		}
		at = span.End
	}
	return string(append(out, s[at:]...)), len(spans)
}

// number is a span that could be a code.
type number struct {
	Span
	year   bool
	webOTP bool // the last line of a text that a browser reads: @example.com #123456
}

// numbers finds the numbers of 4 to 8 digits that are no price, date, decimal or part of a longer one.
func numbers(s string) (out []number) {
	i := 0
	for i < len(s) && (s[i] < '0' || s[i] > '9') && s[i] < 0xD9 { // U+0660, the first digit that is not ASCII, begins with it
		i++
	}
	for i < len(s) {
		d, size := digit(s[i:])
		if d < 0 {
			i += size
			continue
		}
		start, groups := i, []int{0}
		var last, year int
		for i < len(s) { // groups of digits, joined by one hyphen or space
			d, size := digit(s[i:])
			if d >= 0 {
				groups[len(groups)-1]++
				year = year*10%100000 + d
				i += size
				last = i
				continue
			}
			if next, _ := digit(s[min(i+1, len(s)):]); (s[i] != '-' && s[i] != ' ') || next < 0 {
				break
			}
			groups = append(groups, 0)
			i++
		}
		if likely(s, start, last, groups) {
			out = append(out, number{
				Span:   Span{start, last},
				year:   len(groups) == 1 && groups[0] == 4 && year >= 1900 && year < 2100,
				webOTP: forBrowser(s[max(0, start-256):start]),
			})
		}
		i = max(i, last)
	}
	return out
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
	if !unicode.IsDigit(r) {
		return -1, size
	}
	return int(r) % 10, size // any other digit than ASCII's: what counts is that it is one
}

func likely(s string, start, end int, groups []int) bool {
	total := 0
	for _, n := range groups {
		total += n
		if len(groups) > 1 && (n < 2 && len(groups) < total || n > 4) && !allOnes(groups) {
			return false
		}
	}
	if total < 4 || total > 8 {
		return false
	}
	if len(groups) == 3 && groups[1] == 2 && (groups[0] == 4 && groups[2] == 2 || groups[0] == 2 && groups[2] == 4) {
		return false // a date
	}
	if total == 5 && len(groups) == 1 && afterState.MatchString(s[max(0, start-4):start]) {
		return false // a ZIP code
	}
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, size := utf8.DecodeRuneInString(s[end:])
	beyond, _ := utf8.DecodeRuneInString(s[end+size:])
	switch {
	case start > 0 && (unicode.IsLetter(before) || strings.ContainsRune("$€£¥+.,:/'", before) && !startsAfterWord(s, start, before)):
		return false
	case unicode.IsLetter(after) || strings.ContainsRune("$€£¥%", after) && end < len(s):
		return false
	case strings.ContainsRune(".,:/-", after) && end < len(s) && unicode.IsDigit(beyond):
		return false
	}
	return true
}

var afterState = regexp.MustCompile(`(?:^|[^A-Za-z])[A-Z]{2} $`)

func allOnes(groups []int) bool {
	for _, n := range groups {
		if n != 1 {
			return false
		}
	}
	return true
}

// startsAfterWord says that the punctuation before a number ends a word, as in "code:1234", and is no part of a longer number.
func startsAfterWord(s string, start int, mark rune) bool {
	if strings.ContainsRune("$€£¥+", mark) {
		return false
	}
	prior, _ := utf8.DecodeLastRuneInString(s[:start-utf8.RuneLen(mark)])
	return !unicode.IsDigit(prior)
}

// word is a folded word of a text and where it stands.
type word struct {
	text string
	Span
}

func wordsOf(s string) (out []word) {
	start := -1
	for i, r := range s + " " {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			if start < 0 {
				start = i
			}
		case start >= 0:
			out = append(out, word{foldWord(s[start:i]), Span{start, i}})
			start = -1
		}
	}
	return out
}

func foldWord(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return fold.Key(s)
		}
	}
	return strings.ToLower(s)
}

// speaksOf says whether a word of a one-time code stands within reach of a number.
func speaksOf(words []word, n Span, far, near int) bool {
	weak, other := false, false
	for i, w := range words {
		gap := max(n.Start-w.End, w.Start-n.End)
		if w.Start > n.End+far {
			break
		}
		if gap > far || gap < 0 {
			continue
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1].text
		}
		switch {
		case strongWords[w.text] || strongPairs[w.text] == next && next != "":
			return true
		case weakWords[w.text] && gap <= near:
			weak = true
		case otherWords[w.text] && gap <= notReach:
			other = true
		}
	}
	return weak && !other
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var (
	strongWords = set(`otp 2fa tfa mfa passcode verification verify verifying authentication authenticate authenticator onetime
		password login signin validation authentification authentifier identification nip
		verificacion verificar autenticacion contrasena validacion`)
	strongPairs = map[string]string{
		"one": "time", "log": "in", "sign": "in", "security": "code", "confirmation": "code", "access": "code", "not": "share", "never": "share",
		"usage": "unique", "mot": "de", "partagez": "jamais", "ne": "partagez", "communiquez": "jamais", "code": "secret",
		"un": "solo", "no": "compartas", "codigo": "secreto",
	}
	weakWords  = set(`code codes pin clave codigo codigos`)
	otherWords = set(`zip postal postcode promo promotion promotional rabais discount coupon voucher offer area country door gate porte portail
		garage building entry wifi alarm alarme puerta descuento`)
)
