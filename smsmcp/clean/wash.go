package clean

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds on combining marks in a row. Four is what UTS 39, section 5.4, takes for the most that a writing system needs of those that belong to no
// script; Burmese and Tibetan pile more of their own.
const (
	maxLoose = 4
	maxMarks = 8
)

// washer removes what hides and what reorders. It decides on what it has kept, never on what it will drop, so that washing twice
// changes nothing.
type washer struct {
	Result
	out []byte
	alt []byte

	prev    rune // the last code point kept
	base    rune // the last that was no mark, joiner or selector; 0 at the start, where spaces do not count
	pict    bool // base began an emoji that ZWJ may continue
	loose   int  // marks without a script since base
	marks   int  // marks since base
	waiting rune // a joiner or selector that the next code point must justify; 0 for none
	may     need // what would justify it
}

// need is a set of reasons for which a waiting code point is kept.
type need uint8

const (
	pictNext   need = 1 << iota // between two parts of an emoji (UAX 29, GB11)
	cursive                     // ZWNJ and ZWJ between cursive letters (UAX 31, A1)
	viramaNext                  // ZWJ before a virama: Bengali and Kannada ra
	letterNext                  // ZWNJ after a virama, before a letter (UAX 31, A2)
	endsWord                    // ZWJ after a virama (UAX 31, B)
	keycapNext                  // VS16 between a digit and U+20E3
)

func (w *washer) wash(s string) []byte {
	w.out = slices.Grow(w.out[:0], len(s))
	w.prev, w.base, w.pict, w.loose, w.marks, w.waiting = 0, 0, false, 0, 0, 0
	for i := 0; i < len(s); {
		if n := printable(s[i:]); n > 0 {
			w.keepASCII(s[i : i+n])
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == 0x1F3F4 {
			if n := flag(s[i:]); n > 0 {
				w.keep(r)
				w.out = append(w.out, s[i+size:i+n]...)
				w.prev, w.pict = 0xE007F, false
				i += n
				continue
			}
		}
		if r == utf8.RuneError && size == 1 {
			w.Broken++
		}
		w.take(r)
		i += size
	}
	w.settle(0)
	return w.out
}

func (w *washer) take(r rune) {
	switch class(r) {
	case letter:
		w.keep(r)
	case mark:
		loose := unicode.Is(unicode.Inherited, r)
		if w.base == 0 || w.marks >= maxMarks || loose && w.loose >= maxLoose {
			w.Marks++
			return
		}
		w.settle(r)
		w.out = utf8.AppendRune(w.out, r)
		w.prev, w.pict = r, false
		w.marks++
		if loose {
			w.loose++
		}
	case space:
		w.keep(' ')
	case control:
		w.Controls++
		w.keep(' ')
	case reorders:
		w.Reordering++
	case blank:
		w.Hidden++
		w.keep(' ')
	case joiner:
		w.wait(r, w.joins(r))
	case selector:
		switch {
		case w.waiting != 0 || !unicode.Is(selectable, w.prev):
			w.Hidden++
		case w.prev < utf8.RuneSelf:
			w.wait(r, keycapNext)
		default:
			w.out = utf8.AppendRune(w.out, r)
			w.prev = r
		}
	default:
		w.Hidden++
	}
}

// keep writes a code point that is no mark.
func (w *washer) keep(r rune) {
	if w.waiting != 0 {
		w.settle(r)
	}
	w.out = utf8.AppendRune(w.out, r)
	w.pict = r > 0xA0 && (unicode.Is(pictographic, r) || w.pict && r >= 0x1F3FB && r <= 0x1F3FF)
	w.prev, w.loose, w.marks = r, 0, 0
	if r != ' ' || w.base != 0 {
		w.base = r
	}
}

// keepASCII is keep for a run of printable ASCII, at once.
func (w *washer) keepASCII(run string) {
	w.settle(rune(run[0]))
	w.out = append(w.out, run...)
	last := rune(run[len(run)-1])
	w.prev, w.pict, w.loose, w.marks = last, false, 0, 0
	if w.base != 0 || strings.TrimLeft(run, " ") != "" {
		w.base = last
	}
}

// printable gives the length of the run of printable ASCII that s begins with.
func printable(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7F {
			return i
		}
	}
	return len(s)
}

func (w *washer) wait(r rune, may need) {
	if may == 0 || w.waiting != 0 || r == 0xFE0E {
		w.Hidden++
		return
	}
	w.waiting, w.may = r, may
}

// settle decides on what waits, now that the next code point is known; 0 is the end.
func (w *washer) settle(next rune) {
	if w.waiting == 0 {
		return
	}
	ok := w.may&endsWord != 0 ||
		w.may&pictNext != 0 && unicode.Is(pictographic, next) ||
		w.may&cursive != 0 && isCursive(next) ||
		w.may&viramaNext != 0 && isVirama(next) ||
		w.may&letterNext != 0 && (unicode.IsLetter(next) || unicode.IsMark(next)) ||
		w.may&keycapNext != 0 && next == 0x20E3
	if ok {
		w.out = utf8.AppendRune(w.out, w.waiting)
		w.prev = w.waiting
	} else {
		w.Hidden++
	}
	w.waiting = 0
}

// joins says what would justify a joiner after what has been kept.
func (w *washer) joins(r rune) (n need) {
	if w.prev == zwj || w.prev == zwnj {
		return 0
	}
	isZWJ := r == zwj
	if isZWJ && w.pict {
		n |= pictNext
	}
	if !unicode.IsLetter(w.base) {
		return n
	}
	if isCursive(w.base) {
		n |= cursive
	}
	switch {
	case isVirama(w.prev) && isZWJ:
		n |= endsWord
	case isVirama(w.prev):
		n |= letterNext
	case isZWJ && w.base >= 0x900:
		n |= viramaNext
	}
	return n
}

// isCursive says whether letters of r's script join one another.
func isCursive(r rune) bool {
	return r >= 0x600 && unicode.IsLetter(r) && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian,
		unicode.Adlam, unicode.Hanifi_Rohingya)
}

// isVirama says whether r suppresses a vowel: canonical combining class 9.
func isVirama(r rune) bool {
	if r < 0x900 {
		return false
	}
	var b [utf8.UTFMax]byte
	return norm.NFC.Properties(b[:utf8.EncodeRune(b[:], r)]).CCC() == 9
}
