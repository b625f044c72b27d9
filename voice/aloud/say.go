package aloud

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/signs"
)

// Bounds of what is said of one body.
const (
	maxEmoji  = 8    // in a draft
	fewEmoji  = 5    // in a text: the rest is left out
	maxLetter = 30   // in one word
	maxSaid   = 2000 // code points, of a draft's body as it is said
	maxHeard  = 900  // words, of a read-back as it could be heard: more, and every answer would pass for an echo (voice/consent)
	maxName   = 40
)

// kind is what a piece of a saying is.
type kind uint8

const (
	plain  kind = iota // a word
	figure             // a number in figures: two of them never touch
	name               // of a sign
	face               // an emoji: a pause on either side
	pause              // one of . , ! ? ; :
)

// piece is what is said of a part of a body.
type piece struct {
	kind  kind
	text  string
	heard string // what a recogniser could write instead, if anything
	run   string // of a figure that is said as one number: its digits
}

// sayer turns a body to what is said of it. It never gives anything but letters, digits, spaces and , . ; : ! ? ' - so that no voice finds markup or a command in it.
type sayer struct {
	l       lang.Lang
	lenient bool // what cannot be said is left out, and told of
	bare    bool // there are no words: pauses are named
	s       string
	i       int
	codes   []signs.Span // to be said digit by digit
	pieces  []piece
	spaces  bool // since the last piece nothing but spaces
	emoji   int
	length  int // of what is said so far, in bytes
	rest    int // code points that were left off, if lenient

	why                               reason // of the refusal
	noScript, noSign, noEmoji, noLink bool   // left out
}

// say gives the pieces of a body: of a draft, or, if lenient, of a text. Digits in codes are said one by one; the spans are of body, which is NFC.
func say(l lang.Lang, body string, lenient bool, codes []signs.Span) *sayer {
	s := &sayer{l: l, lenient: lenient, s: body, codes: codes}
	s.run()
	if s.why == sayableAll && !slices.ContainsFunc(s.pieces, func(p piece) bool { return p.kind != pause }) {
		had := *s
		*s = sayer{l: l, lenient: lenient, bare: true, s: body, noScript: had.noScript, noSign: had.noSign, noEmoji: had.noEmoji, noLink: had.noLink}
		s.run()
		switch {
		case len(s.pieces) > 0:
		case !lenient:
			s.refuse(badSign)
		default:
			s.noSign = s.noSign || body != "" && !s.noScript && !s.noEmoji && !s.noLink
		}
	}
	return s
}

func (s *sayer) run() {
	for s.i < len(s.s) && s.why == sayableAll {
		if s.lenient && s.length > maxSaid {
			s.rest = utf8.RuneCountInString(s.s[s.i:])
			return
		}
		before := s.i
		s.step()
		if s.i == before { // never: each step takes something
			s.refuse(badSign)
			return
		}
	}
}

func (s *sayer) refuse(why reason) {
	if s.why == sayableAll {
		s.why = why
	}
}

// step says what stands next.
func (s *sayer) step() {
	rest := s.s[s.i:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '\n':
		s.i += size
		s.stop('.')
	case unicode.IsSpace(r):
		s.i += size
		s.spaces = true
	case s.token() && s.link(), s.inner(rest), s.emoticon(rest), s.emojiAt(rest), s.amount(rest), s.number(rest):
	case s.l == lang.FR && ordinal.MatchString(rest) && s.token():
		s.i += len(ordinal.FindString(rest))
		s.say(spoken.No)
	case unicode.IsLetter(r):
		s.word(rest)
	default:
		before, _ := utf8.DecodeLastRuneInString(s.s[:s.i])
		after, _ := utf8.DecodeRuneInString(rest[size:])
		if s.mark(r, before, after) {
			return
		}
		s.i += size
		s.sign(r, before, after)
	}
}

// token says whether something begins here that nothing stands before.
func (s *sayer) token() bool {
	r, _ := utf8.DecodeLastRuneInString(s.s[:s.i])
	return s.i == 0 || unicode.IsSpace(r) || strings.ContainsRune("([{\"'«“‘,;:<", r)
}

func (s *sayer) add(k kind, text, heard string) {
	if k == figure && s.spaces && len(s.pieces) > 0 && s.pieces[len(s.pieces)-1].kind == figure {
		s.stop(',') // 20 5 is not 25
	}
	if k == face {
		s.stop(',')
	}
	s.pieces = append(s.pieces, piece{kind: k, text: text, heard: heard})
	s.length += len(text) + 1
	if k == face {
		s.stop(',')
	}
	s.spaces = false
}

func (s *sayer) say(m lang.Message) { s.add(name, m.In(s.l), "") }

// ordinal is how French writes "number" before one.
var ordinal = regexp.MustCompile(`^[nN][°º]`)

// strength is the order of pauses.
const strength = ",:;.!?"

// stop adds a pause; of several, the strongest stays.
func (s *sayer) stop(r rune) {
	s.spaces = true
	if len(s.pieces) == 0 {
		return
	}
	last := &s.pieces[len(s.pieces)-1]
	if last.kind != pause {
		s.pieces = append(s.pieces, piece{kind: pause, text: string(r)})
	} else if strings.IndexRune(strength, r) > strings.Index(strength, last.text) {
		last.text = string(r)
	}
}

// sign says what is neither letter nor digit.
func (s *sayer) sign(r, before, after rune) {
	if s.bare {
		if m, ok := spoken.Stops[r]; ok {
			s.add(name, m.In(s.l), "")
			s.stop(',')
			return
		}
	}
	switch {
	case strings.ContainsRune(hyphens, r) && alnum(before) && alnum(after):
		s.spaces = true
	case strings.ContainsRune(dashes+bullets+brackets+quotes+"…", r):
		s.stop(',')
	case strings.ContainsRune(pausing, r):
		s.stop(r)
	case strings.ContainsRune("'’‘ʼ‛‚", r):
		s.spaces = true
	case strings.ContainsRune("¿¡", r):
		s.spaces = true
	case r == 0xFE0F || r == 0xFE0E: // how a sign is drawn
	default:
		if m, ok := spoken.Signs[r]; ok {
			s.add(name, m.In(s.l), string(r)) // ½ may come back as 1/2
			return
		}
		s.cannot(r)
	}
}

// cannot refuses what has no name, or leaves it out.
func (s *sayer) cannot(r rune) {
	script := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
	switch {
	case !s.lenient && script:
		s.refuse(badScript)
	case !s.lenient:
		s.refuse(badSign)
	case script:
		s.noScript = true
		s.stop(',')
	default:
		s.noSign = true
		s.stop(',')
	}
}

// word says a word: letters, with the apostrophes, hyphens and stops within it, or letters and digits in a mixture.
func (s *sayer) word(rest string) {
	n, letters, run := 0, 0, 0
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		next, _ := utf8.DecodeRuneInString(rest[n+size:])
		switch {
		case known(r):
			letters++
			run++
		case r >= '0' && r <= '9':
			s.mixture(rest)
			return
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			if n > 0 && s.lenient { // what came before is said
				s.letters(rest[:n], letters)
				return
			}
			s.i += size
			s.cannot(r)
			return
		case strings.ContainsRune("'’‘ʼ", r) && hostIn(rest[n+size:]) != "": // d'example.com
			s.letters(rest[:n], letters)
			return
		case strings.ContainsRune("'’‘ʼ-‐‑", r) && n > 0 && known(next), r == '.' && run == 1 && known(next) && !s.dottedWord(rest[n+size:]):
			run = 0
		default:
			s.letters(rest[:n], letters)
			return
		}
		n += size
	}
	s.letters(rest, letters)
}

// dottedWord says whether more than one letter follows a stop: M.Roy is not p.m.
func (s *sayer) dottedWord(rest string) bool {
	_, size := utf8.DecodeRuneInString(rest)
	next, _ := utf8.DecodeRuneInString(rest[size:])
	return alnum(next)
}

var straight = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "‐", "-", "‑", "-")

func (s *sayer) letters(w string, letters int) {
	s.i += len(w)
	if letters <= maxLetter || strings.ContainsAny(w, "-'") && letters <= 2*maxLetter {
		s.add(plain, straight.Replace(w), "")
		return
	}
	if !s.lenient {
		s.refuse(badWord)
		return
	}
	for r := range slices.Chunk([]rune(straight.Replace(w)), maxLetter) {
		s.add(plain, strings.Trim(string(r), "-'."), "")
	}
}

// emoticon says a face that is made of punctuation.
func (s *sayer) emoticon(rest string) bool {
	for n := min(4, len(rest)); n > 1; n-- {
		m, ok := spoken.Emoticons[rest[:n]]
		if !ok {
			continue
		}
		after, _ := utf8.DecodeRuneInString(rest[n:])
		last := rest[n-1]
		before, _ := utf8.DecodeLastRuneInString(s.s[:s.i])
		if alnum(rune(last)) && alnum(after) || last == '3' && unicode.IsDigit(before) || last == '/' && after == '/' || last == '*' && after == '*' {
			continue
		}
		s.i += n
		s.add(face, m.In(s.l), "")
		return true
	}
	return false
}

// emojiAt says an emoji by its name.
func (s *sayer) emojiAt(rest string) bool {
	n, key := cluster(rest)
	if n == 0 {
		return false
	}
	s.i += n
	s.emoji++
	m, ok := spoken.Emoji[key]
	switch {
	case s.lenient && s.emoji > fewEmoji, s.lenient && !ok:
		s.noEmoji = true
		s.stop(',')
	case !ok || s.emoji > maxEmoji:
		s.refuse(badEmoji)
	default:
		s.add(face, spoken.AnEmoji.In(s.l)+" "+m.In(s.l), "")
	}
	return true
}

const (
	joiner = 0x200D
	keycap = 0x20E3
)

// cluster gives the length of the emoji that s begins with, 0 if it begins with none, and what it is without selectors and skin tones.
func cluster(s string) (n int, key string) {
	r, size := utf8.DecodeRuneInString(s)
	next, width := utf8.DecodeRuneInString(s[size:])
	second, _ := utf8.DecodeRuneInString(s[size+width:])
	if !pictured(r) && !(next == 0xFE0F && !alnum(r) && r > 0x7F) && !(next == keycap || next == 0xFE0F && second == keycap) {
		return 0, ""
	}
	var b strings.Builder
	b.WriteRune(r)
	n = size
	flag := regional(r)
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case r == 0xFE0F || r == 0xFE0E, r >= 0x1F3FB && r <= 0x1F3FF:
		case r == joiner:
			b.WriteRune(r)
			n += size
			r, size = utf8.DecodeRuneInString(s[n:])
			b.WriteRune(r)
		case r == keycap, r >= 0xE0020 && r <= 0xE007F:
			b.WriteRune(r)
		case flag && regional(r):
			b.WriteRune(r)
			flag = false
		default:
			return n, b.String()
		}
		n += size
	}
	return n, b.String()
}

func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// pictured says whether a code point is in the blocks of pictures.
func pictured(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r >= 0x2B00 && r <= 0x2BFF || r >= 0x2300 && r <= 0x23FF
}

func alnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// known says whether a letter is one that a voice of English or French knows: Latin, and itself or what is under its accents one of a to z, or one of a few more. The
// others look like letters, and are skipped or spelled.
func known(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return true
	case r < 0xC0 || r == 'ſ' || !unicode.IsLetter(r) || !unicode.Is(unicode.Latin, r):
		return false
	case strings.ContainsRune("œŒæÆßøØłŁđĐðÐþÞı", r):
		return true
	}
	d := norm.NFD.String(string(r))
	return len(d) > 1 && (d[0] >= 'a' && d[0] <= 'z' || d[0] >= 'A' && d[0] <= 'Z')
}

// text is all that is said, in one line.
func (s *sayer) text() string {
	var b strings.Builder
	for i, p := range s.pieces {
		if i > 0 && p.kind != pause {
			b.WriteByte(' ')
		}
		if i == len(s.pieces)-1 && p.text == "," {
			p.text = "."
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// heard is all that could be heard: each piece, and what it could be written as.
func (s *sayer) heard() string {
	var b strings.Builder
	for _, p := range s.pieces {
		if p.kind != pause {
			b.WriteString(p.text)
			b.WriteByte(' ')
			if p.heard != "" {
				b.WriteString(p.heard)
				b.WriteByte(' ')
			}
		}
	}
	return strings.TrimSpace(b.String())
}
