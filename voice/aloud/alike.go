package aloud

import (
	"slices"
	"strings"
	"unicode"

	"readback/smsmcp"
	"readback/smsmcp/fold"
)

// alike says whether two names could be taken for each other on a telephone, in English or French: they sound the same, or are one sound apart (a sound more, another consonant, a
// vowel near it), or one is how the other begins. Short names are no exception: Bo and Jo. It asks for the last digits too often rather than too seldom: they take two seconds.
func alike(a, b string) bool {
	x, y := words(a), words(b)
	if len(x) == 0 || len(y) == 0 {
		return len(x) == len(y)
	}
	if len(x) == len(y) {
		if slices.Equal(x, y) {
			return true
		}
		one, other := soundings(x), soundings(y)
		for i := range one {
			if near(one[i], other[i]) {
				return true
			}
		}
		return false
	}
	short, long := x, y
	if len(x) > len(y) {
		short, long = y, x
	}
	one, other := soundings(short), soundings(long[:len(short)])
	for i := range one {
		if one[i] == other[i] {
			return true
		}
	}
	joined, whole := soundings([]string{strings.Join(short, "")}), soundings([]string{strings.Join(long, "")}) // Jean Paul, Jeanpaul
	return near(joined[0], whole[0]) || near(joined[1], whole[1])
}

// words are the folded words of a name. The cedilla is kept as the sound that it makes.
func words(name string) []string { return fold.Words(cedilla.Replace(name)) }

var cedilla = strings.NewReplacer("ç", "ss", "Ç", "ss", "c\u0327", "ss", "C\u0327", "ss")

// soundings are how a name sounds: in French, with vowels through the nose, and in English.
func soundings(words []string) [2]string {
	var out [2]string
	for _, w := range words {
		out[0] += sound(w, true)
		out[1] += sound(w, false)
	}
	return out
}

// odd are names that no rule would give.
var odd = map[string]string{
	"sean": "shon", "shawn": "shon", "shaun": "shon", "geoff": "jef", "geoffrey": "jefri", "leigh": "li", "ian": "ian", "yann": "ian", "iain": "ian", "hugh": "iu", "niamh": "niv", "siobhan": "shivon",
	"jean": "jan", "jeanne": "jan", "gene": "jin", "aaron": "erin", "aron": "erin", "yves": "iv", "guy": "gi", "thomas": "toma", "matthew": "matiu", "mathew": "matiu", "xavier": "zavie", "xavie": "zavie", "loic": "louik", "ben": "benn", "ken": "kenn", "dan": "dann", "jen": "jenn", "jacques": "jak", "jake": "jak", "gilles": "jil", "joan": "jon", "vivien": "vivian", "stephen": "stiven",
}

// rule turns letters to a sound, where its conditions hold.
type rule struct {
	from, to string
	before   string // one of these letters follows; "^": none of vowels, "$": the end
}

const vowels = "aeiouy"

// rules are tried in order. The sounds in capitals are S for sh and ch, and I, A, O for the vowels through the nose (in, an, on).
var rules = []rule{
	{"eigh", "e", ""}, {"ough", "o", ""}, {"augh", "o", ""}, {"igh", "i", ""}, {"kn", "n", ""}, {"wr", "r", ""}, {"dge", "j", ""}, {"dg", "j", "eiy"}, {"tch", "S", ""}, {"mb", "m", "$"}, {"mps", "ms", ""}, {"ew", "u", ""},
	{"oey", "oi", "$"}, {"oe", "o", "$"}, {"ae", "e", "$"}, {"ah", "a", "$"}, {"cque", "k", ""},
	{"eaux", "o", "$"}, {"eaud", "o", "$"}, {"eau", "o", ""}, {"aux", "o", "$"}, {"aud", "od", ""}, {"ault", "o", "$"}, {"au", "o", ""}, {"aw", "o", ""},
	{"ph", "f", ""}, {"sch", "S", ""}, {"sh", "S", ""}, {"chr", "kr", ""}, {"chl", "kl", ""}, {"ch", "S", ""}, {"th", "t", ""}, {"gh", "g", ""}, {"ck", "k", ""}, {"qu", "k", ""}, {"q", "k", ""},
	{"cc", "k", "ao"}, {"c", "s", "eiy"}, {"c", "k", ""}, {"gu", "g", "eiy"}, {"gn", "n", ""}, {"g", "j", "eiy"}, {"x", "ks", ""}, {"w", "v", ""},
	{"ey", "i", "$"}, {"ie", "i", "$"}, {"ee", "i", "$"}, {"ee", "i", "^"}, {"oy", "ua", ""}, {"y", "i", ""},
	{"aie", "e", "$"}, {"ai", "e", ""}, {"ei", "e", ""}, {"ay", "e", ""}, {"er", "e", "$"}, {"ez", "e", "$"}, {"et", "e", "$"}, {"eu", "e", ""}, {"oe", "e", ""},
	{"ou", "u", ""}, {"oo", "u", ""}, {"oi", "ua", ""},
}

// english are rules of English alone.
var english = []rule{{"ea", "ia", "$"}, {"eah", "ia", "$"}, {"ea", "i", ""}}

// nasal are rules of French alone: the vowels through the nose, not before a vowel, nor before another n or m; the soft double l, and ends that are silent.
var nasal = []rule{
	{"ill", "i", "eiao"}, {"ee", "e", "$"}, {"oux", "u", "$"}, {"oix", "ua", "$"}, {"eux", "e", "$"}, {"ohn", "O", "^"},
	{"ain", "I", "^"}, {"aim", "I", "^"}, {"ein", "I", "^"}, {"in", "I", "^"}, {"im", "I", "^"}, {"yn", "I", "^"}, {"ym", "I", "^"}, {"un", "I", "^"}, {"ien", "iI", "$"},
	{"ean", "A", "^"}, {"an", "A", "^"}, {"am", "A", "^"}, {"en", "A", "^"}, {"em", "A", "^"}, {"on", "O", "^"}, {"om", "O", "^"},
}

// sound is how a folded word sounds.
func sound(w string, nose bool) string {
	if s, ok := odd[w]; ok {
		w = s
	}
	var b strings.Builder
	for i := 0; i < len(w); {
		if w[i] >= 0x80 { // of another script: as it is written
			b.WriteByte(w[i])
			i++
			continue
		}
		r, ok := find(w[i:], nose)
		if !ok {
			if w[i] != 'h' {
				b.WriteByte(w[i])
			}
			i++
			continue
		}
		b.WriteString(r.to)
		i += len(r.from)
	}
	s := squeeze(b.String())
	last := len(s) - 1
	switch {
	case last < 2:
	case s[last] == 'e':
		return s[:last]
	case nose && strings.ContainsRune("stdzp", rune(s[last])) && strings.ContainsRune("aeiouIAOr", rune(s[last-1])): // French does not say it
		return s[:last]
	}
	return s
}

func find(w string, nose bool) (rule, bool) {
	own := english
	if nose {
		own = nasal
	}
	for _, list := range [][]rule{own, rules} {
		for _, r := range list {
			if r.fits(w) {
				return r, true
			}
		}
	}
	return rule{}, false
}

func (r rule) fits(w string) bool {
	rest, ok := strings.CutPrefix(w, r.from)
	switch {
	case !ok:
		return false
	case r.before == "":
		return true
	case r.before == "$":
		return rest == ""
	case r.before == "^":
		return rest == "" || !strings.ContainsRune(vowels+"nmh", rune(rest[0]))
	}
	return rest != "" && strings.ContainsRune(r.before, rune(rest[0]))
}

// squeeze makes one of what stands twice.
func squeeze(s string) string {
	var last rune
	return strings.Map(func(r rune) rune {
		if r == last {
			return -1
		}
		last = r
		return r
	}, s)
}

// near says whether two soundings are at most one sound apart, two where they are long.
func near(a, b string) bool {
	if a == b {
		return true
	}
	x, y := []rune(a), []rune(b)
	limit := 1
	switch {
	case len(x) == 0 || len(y) == 0 || len(x) > maxSound || len(y) > maxSound:
		return false
	case min(len(x), len(y)) >= 14:
		limit = 2
	}
	return distance(x, y) <= limit
}

const maxSound = 64

// distance is by how many sounds two soundings differ.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0]++
		for j := range b {
			cost := min(diagonal+swap(a[i], b[j]), row[j]+1, row[j+1]+1)
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// pairs are vowels that a line makes one.
var pairs = []string{"ei", "IA", "AO", "eI", "aA", "oO", "ou", "ea"}

// swap is what a sound in another's place counts: consonants are what a line loses first, and vowels are what it carries, so that those far apart count as two sounds. So do k and
// j or n: a click and a hum.
func swap(a, b rune) int {
	switch {
	case a == b:
		return 0
	case a == 'k' && (b == 'j' || b == 'n'), (a == 'j' || a == 'n') && b == 'k':
		return 2
	case !isVowel(a) && !isVowel(b):
		return 1
	case slices.ContainsFunc(pairs, func(p string) bool { return strings.ContainsRune(p, a) && strings.ContainsRune(p, b) }):
		return 1
	}
	return 2
}

func isVowel(r rune) bool { return strings.ContainsRune("aeiouIAO", r) }

// sayable says whether a voice of ours can say a name: letters that it knows, and the punctuation of names.
func sayable(name string) bool {
	n, letters := 0, 0
	for _, r := range name {
		switch {
		case known(r):
			letters++
		case r == ' ' || r == '-' || r == '\'' || r == '’' || r == '.' || r == ',':
		default:
			return false
		}
		n++
	}
	return letters > 0 && n <= maxName && unicode.IsLetter([]rune(name)[0])
}

// rivals are the other contacts whose name or alias sounds like a name, or who cannot be told from its owner because no voice can say either.
func rivals(name string, number smsmcp.Number, all []smsmcp.Contact) (out []smsmcp.Contact) {
	said := sayable(name)
	for _, c := range all {
		if c.To == number && fold.Key(c.Name) == fold.Key(name) {
			continue
		}
		if !said {
			if !sayable(c.Name) {
				out = append(out, c)
			}
			continue
		}
		if slices.ContainsFunc(append([]string{c.Name}, c.Aliases...), func(other string) bool { return alike(name, other) }) {
			out = append(out, c)
		}
	}
	return out
}
