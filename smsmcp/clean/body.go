package clean

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Result is a sanitised text, and what was done to it. Every count is of code points.
type Result struct {
	Text       string
	Hidden     int // invisible characters removed
	Reordering int // characters that reorder the line removed
	Controls   int // controls, other than white space, made a space
	Quotes     int // marks that could pass for « or » made a plain "
	Marks      int // combining marks removed: piled too high, or on nothing
	Broken     int // bytes that are not UTF-8, each made U+FFFD
	Cut        int // left off at the end
}

// maxPasses bounds the search for the fixed point. No input is known that needs more than three; each pass gives a text that is safe to
// frame, so the bound costs at most idempotence.
const maxPasses = 8

// Body sanitises a text: what hides or reorders is removed, the rest brought to NFC, breaks and controls made a space, white space
// that runs on made one, marks like « and » made a plain ".
func Body(s string) Result { return UpTo(s, 0) }

// UpTo is Body for a place that has room for limit code points: the rest is left off. 0 is no limit.
func UpTo(s string, limit int) Result {
	s = strings.Trim(s, blanks)
	if plain(s) && (limit <= 0 || len(s) <= limit) {
		return Result{Text: s}
	}
	w := washer{}
	s = w.fix(s)
	if limit > 0 {
		for n := utf8.RuneCountInString(s); n > limit; n = utf8.RuneCountInString(s) {
			w.Cut += n - limit
			s = w.fix(head(s, limit)) // what was cut in two is no longer what its neighbours need
		}
	}
	w.Text = s
	return w.Result
}

// fix runs the passes until one changes nothing.
func (w *washer) fix(s string) string {
	for range maxPasses {
		b := w.wash(s)
		if !norm.NFC.IsNormal(b) {
			b = norm.NFC.Bytes(b)
		}
		b = w.dry(b)
		if string(b) == s {
			break
		}
		if s = string(b); plain(s) {
			break
		}
	}
	return s
}

// head gives the first n code points.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// blanks are the kinds of white space that are kept: space, no-break space, narrow no-break space.
const blanks = " \u00a0\u202f"

// plain is the way past everything else for what nearly all texts are: it says yes only to what no pass could change.
func plain(s string) bool {
	blank := true // at the start, and after a space
	var prev rune
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == ' ':
				if blank {
					return false
				}
				blank, prev = true, ' '
				i++
				continue
			case c < ' ' || c == 0x7F, (c == '<' || c == '>') && prev == rune(c):
				return false
			}
			blank, prev = false, rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == 0xA0, r == 0x202F:
			if blank {
				return false
			}
			blank = true
		case !inert(r):
			return false
		default:
			blank = false
		}
		prev = r
		i += size
	}
	return !blank || s == ""
}

// inert says that a code point above ASCII is a starter, normal, drawn, no kind of angle, and left alone by every neighbour that is
// inert too. It need not know all such.
func inert(r rune) bool {
	switch {
	case r < 0x300:
		return r > 0xA0 && r != 0xAB && r != 0xAD && r != 0xBB && r != 0x2C2 && r != 0x2C3
	case r < 0x2000:
		return r >= 0x1EA0 && r <= 0x1EFF || r >= 0x400 && r <= 0x481 || r >= 0x386 && r <= 0x3FF && r != 0x387
	case r < 0x3000:
		return r >= 0x2013 && r <= 0x2026 || r == 0x20AC || r == 0x2122 || r >= 0x2190 && r <= 0x21FF || r >= 0x2600 && r <= 0x275F
	case r < 0xF900:
		return r == 0x3001 || r == 0x3002 || r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FE ||
			r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3
	case r < 0x10000:
		return r >= 0xFF01 && r <= 0xFF5E && r != 0xFF1C && r != 0xFF1E
	}
	return r >= 0x1F300 && r <= 0x1FAFF
}
