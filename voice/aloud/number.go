package aloud

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
)

// maxFigures is the longest run of digits that is said as one number. A longer one is a code or a telephone number.
const maxFigures = 4

// minPhone is how many digits, in groups, are a telephone number.
const minPhone = 7

var (
	clock     = regexp.MustCompile(`^\d{1,2}:\d{2}(?::\d{2})?`)
	grouped   = map[lang.Lang]*regexp.Regexp{lang.EN: regexp.MustCompile(`^[1-9]\d{0,2}(?:,\d{3}){1,2}`), lang.FR: regexp.MustCompile(`^[1-9]\d{0,2}(?:[ \x{a0}\x{202f}]\d{3}){1,2}`)}
	phone     = regexp.MustCompile(`^\+?(?:\(\d{1,4}\)|\d{1,15})(?:(?:[ \x{a0}\x{202f}.\-‐‑]|\. |- | - )?(?:\(\d{1,4}\)|\d{1,15}))*`)
	decimals  = regexp.MustCompile(`^[.,]\d{1,2}(?:[^\d\pL.,]|[.,]?$|[.,]\D)`)
	dotted    = regexp.MustCompile(`^\+?\d{1,4}(?:\.\d{2,4}){2,}$`) // a telephone number, and no decimal or address of a machine
	figuresIn = regexp.MustCompile(`\d+`)
	groupsIn  = regexp.MustCompile(`[\pL\pM\d]+`)
	figures   = regexp.MustCompile(`^\d+`)
	oclock    = regexp.MustCompile(`^([01]?\d|2[0-4])[ \x{a0}\x{202f}]?[hH](?:[ \x{a0}\x{202f}]?(\d{2}))?`)
	currency  = regexp.MustCompile(`^[ \x{a0}\x{202f}]?([$€£])`)
)

// ends says whether what follows a number is no part of it.
func ends(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	if alnum(r) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[size:])
	return !strings.ContainsRune(".,:'’", r) || !unicode.IsDigit(next)
}

// number says a number: a code, a telephone number, a time, or any other.
func (s *sayer) number(rest string) bool {
	c := rest[0]
	digit := c >= '0' && c <= '9'
	if !digit && c != '+' && c != '(' {
		return false
	}
	if before, _ := utf8.DecodeLastRuneInString(s.s[:s.i]); alnum(before) && !digit {
		return false
	}
	if s.code(rest) || s.telephone(rest) {
		return true
	}
	if !digit {
		return false
	}
	if m := clock.FindString(rest); m != "" && ends(rest[len(m):]) {
		s.i += len(m)
		heard := strings.ReplaceAll(m, ":", "h") + " "
		for part := range strings.SplitSeq(m, ":") {
			heard += s.hear(part) + " "
		}
		s.add(figure, m, heard)
		return true
	}
	if s.l == lang.FR {
		if m := oclock.FindStringSubmatch(rest); m != nil && ends(rest[len(m[0]):]) && !strings.HasPrefix(rest[len(m[0]):], "/") {
			s.i += len(m[0])
			s.figures(m[1])
			if n, _ := strconv.Atoi(m[1]); n < 2 {
				s.say(spoken.Hour)
			} else {
				s.say(spoken.Hours)
			}
			s.pieces[len(s.pieces)-1].heard = "h"
			if m[2] != "" {
				s.figures(m[2])
			}
			s.pieces[len(s.pieces)-1].heard += " " + m[1] + "h" + m[2]
			return true
		}
	}
	if m := s.quantity(rest); m > 0 {
		s.i += m
		return true
	}
	s.mixture(rest)
	return true
}

// quantity says a number with its thousands and decimals, and gives its length; 0 if letters touch it.
func (s *sayer) quantity(rest string) int {
	n := 0
	if re, ok := grouped[s.l]; ok {
		if m := re.FindString(rest); m != "" && (ends(rest[len(m):]) || decimals.MatchString(rest[len(m):])) && !moreDigits(rest[len(m):]) {
			n = len(m)
			value, _ := strconv.Atoi(onlyDigits(m))
			s.add(figure, spoken.Number(s.l, value), onlyDigits(m)+" "+m)
		}
	}
	if n == 0 {
		n = len(figures.FindString(rest))
		if r, _ := utf8.DecodeRuneInString(rest[n:]); alnum(r) {
			return 0
		}
		s.figures(rest[:n])
	}
	for n+1 < len(rest) && (rest[n] == '.' || rest[n] == ',') && rest[n+1] >= '0' && rest[n+1] <= '9' {
		m := figures.FindString(rest[n+1:])
		if rest[n] == ',' {
			s.say(spoken.Comma)
		} else {
			s.say(spoken.Point)
		}
		if s.l != lang.FR || len(m) > 2 {
			s.spell(m)
		} else {
			s.figures(m)
		}
		n += 1 + len(m)
	}
	return n
}

// moreDigits says whether another group follows: then it was no number with thousands.
func moreDigits(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	next, _ := utf8.DecodeRuneInString(rest[size:])
	return (unicode.IsSpace(r) || r == '-' || r == 0x202F) && unicode.IsDigit(next)
}

// amount says a sum of money: the currency after the number, as one speaks.
func (s *sayer) amount(rest string) bool {
	sign, size := utf8.DecodeRuneInString(rest)
	unit, front := spoken.Money[sign]
	at := rest
	if front {
		at = strings.TrimLeft(rest[size:], " \u00a0\u202f")
	}
	if at == "" || at[0] < '0' || at[0] > '9' {
		return false
	}
	if before, _ := utf8.DecodeLastRuneInString(s.s[:s.i]); !front && alnum(before) {
		return false
	}
	try := sayer{l: s.l, pieces: slices.Clone(s.pieces), spaces: s.spaces}
	n := try.quantity(at)
	if n == 0 {
		return false
	}
	whole := len(rest) - len(at) + n
	if !front {
		m := currency.FindStringSubmatch(at[n:])
		if m == nil || len(m[0]) > 1 && startsNumber(at[n+len(m[0]):]) {
			return false
		}
		r, _ := utf8.DecodeRuneInString(m[1])
		unit = spoken.Money[r]
		whole += len(m[0])
	} else if !ends(at[n:]) {
		return false
	}
	s.i += whole
	s.pieces, s.spaces = try.pieces, false
	s.length += n
	if last := s.pieces[len(s.pieces)-1].text; s.l == lang.FR && (strings.HasSuffix(last, "million") || strings.HasSuffix(last, "millions")) {
		s.say(spoken.Of)
	}
	if at[:n] == "1" {
		s.say(unit[0])
	} else {
		s.say(unit[1])
	}
	return true
}

// startsNumber says whether digits follow: a sign between two numbers belongs to the second.
func startsNumber(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \u00a0\u202f"))
	return unicode.IsDigit(r)
}

// telephone says a telephone number, digit by digit and with a pause between its groups.
func (s *sayer) telephone(rest string) bool {
	m := phone.FindString(rest)
	if m == "" {
		return false
	}
	if re, ok := grouped[s.l]; ok && rest[0] != '+' && rest[0] != '(' {
		if g := re.FindString(rest); g != "" && len(g) >= len(m) { // thousands
			return false
		}
	}
	for !ends(rest[len(m):]) || strings.HasPrefix(strings.TrimLeft(rest[len(m):], " \u00a0\u202f"), "h") { // the last group is a time, or a decimal
		cut := strings.LastIndexAny(m, " \u00a0\u202f.-‐‑(")
		if cut < 0 {
			return false
		}
		m = strings.TrimRight(m[:cut], " \u00a0\u202f.-‐‑(")
	}
	if digits := onlyDigits(m); len(digits) < minPhone || len(digits) == len(m) || digits == "" || strings.Contains(m, ".") && !dotted.MatchString(m) {
		return false
	}
	if strings.Contains(m, "(") && !familiar(m) { // 1000(2000)
		return false
	}
	s.i += len(m)
	if m[0] == '+' {
		s.say(spoken.Plus)
	}
	quiet, end := familiar(m), 0
	for _, at := range figuresIn.FindAllStringIndex(m, -1) {
		if between := m[end:at[0]]; end > 0 {
			s.between(between, quiet && !strings.Contains(between, "- "))
		}
		s.spell(m[at[0]:at[1]])
		end = at[1]
	}
	s.pieces[len(s.pieces)-1].heard += " " + onlyDigits(m)
	return true
}

// familiar says whether a telephone number is written in a shape that nothing else has: what parts its groups is then not said.
func familiar(m string) bool {
	var shape strings.Builder
	for _, group := range figuresIn.FindAllString(m, -1) {
		shape.WriteString(strconv.Itoa(len(group)))
	}
	n := len(onlyDigits(m))
	return n >= 10 && m[0] == '+' || n == 10 && m[0] == '0' || shape.String() == "334" || shape.String() == "1334" && (m[0] == '1' || m[:2] == "(1")
}

// between says what stands between two groups of digits: by name, but where a telephone number has it.
func (s *sayer) between(text string, quiet bool) {
	switch {
	case quiet:
		s.stop(',')
	case strings.ContainsAny(text, hyphens):
		s.say(spoken.Dash)
	case strings.Contains(text, "."):
		s.say(spoken.Dot)
	default:
		s.stop(',')
	}
}

// code says a one-time code digit by digit.
func (s *sayer) code(rest string) bool {
	for _, c := range s.codes {
		if c.Start != s.i || c.End <= s.i || c.End > len(s.s) {
			continue
		}
		n := c.End - c.Start
		if strings.ContainsFunc(rest[:n], func(r rune) bool { return !known(r) && !strings.ContainsRune("0123456789 -\u00a0\u202f", r) }) {
			return false // what stands between its digits is to be said
		}
		end := 0
		for _, at := range groupsIn.FindAllStringIndex(rest[:n], -1) {
			if end > 0 {
				s.between(rest[end:at[0]], false)
			}
			s.spell(rest[at[0]:at[1]])
			end = at[1]
		}
		s.i += n
		return true
	}
	return false
}

// figures says a run of digits: as one number where it is short and begins like one, and digit by digit otherwise.
func (s *sayer) figures(run string) {
	if len(run) > maxFigures || len(run) > 1 && run[0] == '0' {
		s.spell(run)
		return
	}
	if before := s.beside(); before != nil && before.run != "" && (s.spaced(before) || joins(before.run, run)) {
		if len(before.run) > 1 {
			before.heard += " " + before.run
			before.text = spoken.Digits(before.run)
			for _, d := range before.run {
				before.heard += " " + string(d) + " " + spoken.Number(s.l, int(d-'0'))
			}
		}
		s.spell(run)
		s.pieces[len(s.pieces)-1].run = run
		return
	}
	s.add(figure, run, s.hear(run))
	s.pieces[len(s.pieces)-1].run = run
}

// beside is the figure before, with nothing but a slight pause since; nil if there is none.
func (s *sayer) beside() *piece {
	i := len(s.pieces) - 1
	if i > 0 && s.pieces[i].kind == pause && slices.Contains([]string{",", ";", ":"}, s.pieces[i].text) {
		i--
	}
	if i < 0 || s.pieces[i].kind != figure {
		return nil
	}
	return &s.pieces[i]
}

// spaced says whether nothing but spaces stands behind a figure.
func (s *sayer) spaced(p *piece) bool { return p == &s.pieces[len(s.pieces)-1] }

// joins says whether two numbers said one after the other sound like one: 20, 5 and 25; 100, 5 and 105; in French 60, 12 and 72; 4, 20 and 80; 2, 100 and 200.
func joins(a, b string) bool {
	zeros := len(a) - len(strings.TrimRight(a, "0"))
	return zeros > 0 && len(b) <= zeros+1 || b != "0" && strings.Trim(b[1:], "0") == "" && len(b) > 1
}

// spell says letters and digits one by one. Where there are capitals beside small letters, each capital is named.
func (s *sayer) spell(run string) {
	mixed := strings.ToLower(run) != run && strings.ToUpper(run) != run
	var said, heard strings.Builder
	for i, r := range run {
		if i > 0 {
			said.WriteByte(' ')
		}
		if mixed && unicode.IsUpper(r) {
			said.WriteString(spoken.Capital.In(s.l) + " ")
		}
		said.WriteRune(r)
		heard.WriteRune(r)
		heard.WriteByte(' ')
		if r >= '0' && r <= '9' {
			heard.WriteString(spoken.Number(s.l, int(r-'0')) + " ")
		}
	}
	s.add(figure, said.String(), heard.String()+run)
}

// mixture says letters and digits that touch: a code letter by letter, and anything else (6pm, 2nd, B12) as it is.
func (s *sayer) mixture(rest string) {
	n, digits, runs, broken := 0, 0, 0, false
	was := 0
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		is := 1
		switch {
		case r >= '0' && r <= '9':
			digits++
			is = 2
		case !known(r):
			broken = alnum(r) || unicode.IsMark(r)
			is = 0
		}
		if is == 0 {
			break
		}
		if is != was {
			runs++
			was = is
		}
		n += size
	}
	if broken && !s.lenient {
		s.refuse(badScript)
	}
	if n == 0 {
		_, size := utf8.DecodeRuneInString(rest)
		s.i += size
		s.refuse(badSign)
		return
	}
	s.i += n
	run := rest[:n]
	if utf8.RuneCountInString(run) > maxLetter && !s.lenient {
		s.refuse(badWord)
		return
	}
	if digits >= 2 && runs >= 3 && n >= 5 {
		s.spell(run)
		return
	}
	parts := split(run)
	asIs := true
	for _, p := range parts {
		if p[0] >= '0' && p[0] <= '9' && (len(p) > maxFigures || len(p) > 1 && p[0] == '0') {
			asIs = false
		}
	}
	if asIs {
		heard := ""
		if len(parts) > 1 {
			for _, p := range parts {
				heard += p + " "
				if p[0] >= '0' && p[0] <= '9' {
					heard += s.hear(p) + " "
				}
			}
		}
		s.add(figure, run, heard)
		return
	}
	for _, p := range parts {
		if p[0] >= '0' && p[0] <= '9' {
			s.figures(p)
		} else {
			s.add(plain, p, "")
		}
	}
	s.pieces[len(s.pieces)-1].heard += " " + run
}

// split parts letters from digits.
func split(run string) (out []string) {
	start := 0
	for i, r := range run {
		if i > start {
			before, _ := utf8.DecodeLastRuneInString(run[:i])
			if unicode.IsDigit(r) != unicode.IsDigit(before) {
				out, start = append(out, run[start:i]), i
			}
		}
	}
	return append(out, run[start:])
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// hear gives a short run of digits as it could be heard: in words, and in pairs or after the hundred, as years and prices are said.
func (s *sayer) hear(run string) string {
	n, err := strconv.Atoi(run)
	if err != nil || len(run) > maxFigures {
		return ""
	}
	words := spoken.Number(s.l, n)
	switch {
	case run[0] == '0' && len(run) > 1:
		words = spoken.Number(s.l, 0) + " oh " + words
	case len(run) == 3 && s.l != lang.FR:
		words += " " + spoken.Number(s.l, n/100) + " " + spoken.Number(s.l, n%100)
	case len(run) == 4 && n%1000 != 0:
		words += " " + spoken.Number(s.l, n/100) + " " + spoken.Number(s.l, n%100)
	}
	return words
}
