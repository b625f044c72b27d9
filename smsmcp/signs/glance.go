package signs

import (
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/fold"
)

// sight is a set of things that a text holds: what the expressions need before they can match at all. Most texts hold too little of it,
// and are done with after one glance.
type sight uint32

const (
	clockTime   sight = 1 << iota // 14:05 or 14h05
	colon                         // a colon that no digit follows
	doubleQuote                   // any quotation mark but an apostrophe
	bracket                       // ( or [
	brace                         // {
	angle                         // <
	hash                          // #
	receiveWord
	contactWord
	roleWord
	assistantWord
	secrecyWord
	secrecyVerb
	secrecyNot
	ignoreVerb
	ignoreObject
	everything sight = 1<<iota - 1
)

func (s sight) holds(need sight) bool { return s&need == need }

func (s sight) holdsOne(needs []sight) bool {
	for _, n := range needs {
		if s.holds(n) {
			return true
		}
	}
	return false
}

// words says what a word's hash is a sight of.
var words = func() map[uint64]sight {
	out := map[uint64]sight{}
	for s, list := range map[sight]string{
		receiveWord: receiveWords, contactWord: contactWords, roleWord: roleWords, assistantWord: assistantTriggers,
		secrecyWord: secrecyAlone, secrecyVerb: secrecyVerbs, secrecyNot: secrecyNots, ignoreVerb: ignoreVerbs, ignoreObject: ignoreObjects,
	} {
		for w := range set(list) {
			h := uint64(hashBase)
			for i := 0; i < len(w); i++ {
				h = (h ^ uint64(w[i])) * hashPrime
			}
			out[h] |= s
		}
	}
	return out
}()

// FNV-1a.
const (
	hashBase  = 14695981039346656037
	hashPrime = 1099511628211
)

// glance reads a text once, folding nothing but Latin-1. A text with letters that need more folding than that is a sight of everything.
func glance(s string) (saw sight) {
	h := uint64(hashBase)
	inWord, afterApostrophe, apostrophe := false, false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			i += size - 1
			switch {
			case r < 0x100:
				c = latin1[r-0x80]
			case r == '’':
				c = '\''
			case r >= '‘' && r <= '‟', r == '″', r == '「', r == '『', r == '〝':
				c = '"'
			case skips(r):
				c = ' '
			default:
				return everything
			}
		}
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
			fallthrough
		case c >= 'a' && c <= 'z':
			if !inWord {
				afterApostrophe = apostrophe
			}
			h, inWord = (h^uint64(c))*hashPrime, true
			continue
		}
		if inWord {
			if h != hashAI || !afterApostrophe { // « j'ai » is no AI
				saw |= words[h]
			}
			h, inWord = hashBase, false
		}
		apostrophe = c == '\''
		switch c {
		case ':':
			switch next := at(s, i+1); {
			case isDigit(next):
				if isDigit(at(s, i-1)) {
					saw |= clockTime
				}
			case next == ' ' || next == 0 || next == '"' || next == '\'' || next|0x20 >= 'a': // no smiley
				saw |= colon
			}
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			if next := at(s, i+1); next|0x20 == 'h' || next == ' ' && at(s, i+2)|0x20 == 'h' {
				saw |= clockTime // 14h05, 14 h 05
			}
		case '"':
			saw |= doubleQuote
		case '(', '[':
			saw |= bracket
		case '{':
			saw |= brace
		case '<':
			saw |= angle
		case '#':
			saw |= hash
		}
	}
	if inWord {
		saw |= words[h]
	}
	return saw
}

// at gives a byte of s, or 0 outside.
func at(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

var hashAI = func() uint64 {
	h := uint64(hashBase)
	h = (h ^ 'a') * hashPrime
	return (h ^ 'i') * hashPrime
}()

// skips says that a code point above Latin-1 neither folds to a letter of the three languages nor opens a template.
func skips(r rune) bool {
	return r >= 0x0590 && r < 0x1D00 || r >= 0x2E80 && r < 0xF900 || r >= 0x1F300 && r < 0x1FB00 || r >= 0x2013 && r <= 0x2026 || r == 0x20AC ||
		r >= 0x2600 && r < 0x27C0 || r == 0xFE0F || r == 0x200D || r == 0x202F || r == 0x20E3 || r >= 0xFF01 && r < 0xFF10
}

// latin1 folds the upper half of Latin-1 to the letter without its accent, or a space.
var latin1 = func() (t [0x80]byte) {
	for i := range t {
		t[i] = ' '
		if f := fold.Key(string(rune(i + 0x80))); f != "" && f[0] < utf8.RuneSelf && unicode.IsLetter(rune(f[0])) {
			t[i] = f[0]
		}
	}
	return t
}()
