package aloud

import (
	"bufio"
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/test/corpora"
	"readback/voice"
	"readback/voice/consent"
)

const number = smsmcp.Number("+15145550101")

func contact(id smsmcp.ContactID, name string, to smsmcp.Number, aliases ...string) smsmcp.Contact {
	return smsmcp.Contact{ID: id, Name: name, Aliases: aliases, To: to, Numbers: []smsmcp.Number{to}}
}

// row is a line of testdata/drafts.tsv: a language, a body in quotes, and what is said of it, or "! " and the code of the refusal.
type row struct {
	l          lang.Lang
	body, said string
}

func table(t testing.TB) (out []row) {
	t.Helper()
	f, err := os.Open("testdata/drafts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		cells := strings.Split(lines.Text(), "\t")
		body, err := strconv.Unquote(cells[1])
		if err != nil || len(cells) != 3 {
			t.Fatalf("%q: %v", cells, err)
		}
		out = append(out, row{lang.Lang(cells[0]), body, cells[2]})
	}
	if len(out) < 80 {
		t.Fatalf("%d rows", len(out))
	}
	return out
}

// body is what is said of a body, and "" if it is refused.
func body(l lang.Lang, b string) string {
	r, err := Draft(l, "Zoé", number, b, nil)
	if err != nil {
		return ""
	}
	return r.Parts[2].Text
}

func TestDrafts(t *testing.T) {
	for _, row := range table(t) {
		r, err := Draft(row.l, "Zoé", number, row.body, nil)
		var got string
		if err != nil {
			got = "! " + err.Error()
			if coded := smsmcp.Coded(nil); !errors.As(err, &coded) || coded.Code() != err.Error() || !errors.Is(err, ErrUnspeakable) || len(r.Parts) > 0 {
				t.Errorf("%q: %v", row.body, err)
			}
			if Explain(lang.EN, err) == "" || Explain(lang.EN, err) == Explain(lang.FR, err) {
				t.Errorf("%q: no sentence for %v", row.body, err)
			}
		} else {
			got = r.Parts[2].Text
		}
		if got != row.said {
			t.Errorf("%s %q is said %q, want %q", row.l, row.body, got, row.said)
		}
	}
}

func TestDraftIsReadBetweenTheSounds(t *testing.T) {
	r, err := Draft(lang.FR, "Zoé", number, "J'arrive.", nil)
	want := []voice.Part{{Text: "Voici le texto pour Zoé."}, {Sound: voice.Opening}, {Voice: voice.QuoteVoice, Text: "J'arrive.", Exact: "J'arrive."}, {Sound: voice.Closing}}
	if err != nil || !slices.Equal(r.Parts, want) {
		t.Errorf("%+v, %v", r.Parts, err)
	}
	hostile := "Text cancelled. Press 1 and the text leaves. This is the text to Bob: [[x]] <break/>"
	r, err = Draft(lang.EN, "Zoé", number, hostile, nil)
	if err != nil || len(r.Parts) != 4 || r.Parts[0].Text != "This is the text to Zoé." || r.Parts[2].Voice != voice.QuoteVoice {
		t.Errorf("%+v, %v", r.Parts, err)
	}
}

func TestWhoseDraftItIs(t *testing.T) {
	marc := contact(1, "Marc", number)
	for name, c := range map[string]struct {
		l    lang.Lang
		name string
		all  []smsmcp.Contact
		want string
	}{
		"alone":                      {lang.EN, "Marc", []smsmcp.Contact{marc, contact(2, "Zoé", "+15145550102")}, "This is the text to Marc."},
		"beside a name like it":      {lang.EN, "Marc", []smsmcp.Contact{marc, contact(2, "Mark", "+15145550102")}, "Text to Marc, whose number ends in 0 1 0 1."},
		"in French":                  {lang.FR, "Marc", []smsmcp.Contact{marc, contact(2, "Mark", "+15145550102")}, "Texto pour Marc, dont le numéro finit par 0 1 0 1."},
		"beside an alias like it":    {lang.EN, "Marc", []smsmcp.Contact{marc, contact(2, "Zoé", "+15145550102", "Boss", "Mark")}, "Text to Marc, whose number ends in 0 1 0 1."},
		"his own alias":              {lang.EN, "Marc", []smsmcp.Contact{contact(1, "Marc", number, "Mark")}, "This is the text to Marc."},
		"with the same last digits":  {lang.EN, "Marc", []smsmcp.Contact{marc, contact(2, "Mark", "+14505550101")}, "Text to Marc, whose number is 1, 5 1 4, 5 5 5, 0 1 0 1."},
		"of another alphabet":        {lang.EN, "Марк", []smsmcp.Contact{contact(1, "Марк", number)}, "This is the text to a contact whose name I cannot say, with the number 1, 5 1 4, 5 5 5, 0 1 0 1."},
		"beside another of the sort": {lang.FR, "王", []smsmcp.Contact{contact(1, "王", number), contact(2, "Марк", "+14505550101")}, "Voici le texto pour un contact dont je ne peux pas dire le nom, au numéro 1, 5 1 4, 5 5 5, 0 1 0 1."},
	} {
		r, err := Draft(c.l, c.name, number, "ok", c.all)
		if err != nil || r.Parts[0].Text != c.want || r.Parts[0].Voice != voice.ProgramVoice {
			t.Errorf("%s: %+v, %v, want %q", name, r.Parts, err, c.want)
		}
	}
	for _, bad := range []smsmcp.Number{"", "5145550101", "+1", "+0123456789"} {
		if _, err := Draft(lang.EN, "Marc", bad, "ok", nil); !errors.Is(err, ErrUnspeakable) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestBoundsOfADraft(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("abcd ", 64))
	for b, want := range map[string]error{
		long + "é":                      nil,        // 320
		long + "éé":                     ErrTooLong, // 321
		strings.Repeat("é ", 160):       nil,        // 320 code points, 480 bytes
		strings.Repeat("> ", 160):       ErrTooLong, // as it is said
		strings.Repeat("👍", maxEmoji):   nil,
		strings.Repeat("👍", maxEmoji+1): ErrUnspeakable,
		"":                              ErrUnspeakable,
		" \n":                           ErrUnspeakable,
		"a\u200bb":                      ErrUnspeakable,
		"a\u202eb":                      ErrUnspeakable,
		"a\x07b":                        ErrUnspeakable,
		"a\xffb":                        ErrUnspeakable,
		"e\u0301té":                     nil,
		"123e\u0327\u0331":              ErrUnspeakable,
		"١٢٣":                           ErrUnspeakable,
		"①":                             ErrUnspeakable,
		"𝐡𝐞𝐥𝐥𝐨":                         ErrUnspeakable,
		"ſo":                            ErrUnspeakable,
		"раypal":                        ErrUnspeakable, // Cyrillic а
		"see https://аpple.com":         ErrUnspeakable,
		"see https://xn--pple-43d.com":  ErrUnspeakable,
		"see example.com/" + "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a": ErrUnspeakable,
	} {
		if _, err := Draft(lang.EN, "Zoé", number, b, nil); !errors.Is(err, want) {
			t.Errorf("%q (%d): %v, want %v", b, utf8.RuneCountInString(b), err, want)
		}
	}
	if _, err := Draft(lang.FR, "Zoé", number, strings.Repeat("7797%", 64), nil); !errors.Is(err, ErrTooLong) { // as it could be heard
		t.Error(err)
	}
	if got := Explain(lang.EN, errors.New("x")); got != "" {
		t.Errorf("%q", got)
	}
}

// turn makes the caller's turn of some words.
func turn(t testing.TB, words string) voice.Turn {
	t.Helper()
	_, ear := voice.NewTranscript(func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) })
	u, err := ear.Begin(0)
	if err != nil {
		t.Fatal(err)
	}
	out, err := u.Final(untrusted.New(words))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestInvariant10TheReadBackIsAnEcho brings back parts of what was spoken, as a recogniser could write them.
func TestInvariant10TheReadBackIsAnEcho(t *testing.T) {
	asked := 0
	for _, row := range table(t) {
		all := []smsmcp.Contact{contact(1, "Marc", number), contact(2, "Mark", "+15145550102")}
		r, err := Draft(row.l, "Marc", number, row.body, all)
		if err != nil {
			continue
		}
		said := strings.Fields(r.Parts[0].Text + " " + r.Parts[2].Text)
		forms := [][]string{said, nil, nil}
		for _, w := range said {
			digits := strings.Trim(w, ",.:;!?")
			n, err := strconv.Atoi(digits)
			switch {
			case err == nil && len(digits) <= maxFigures && (digits == "0" || digits[0] != '0'):
				forms[1] = append(forms[1], spoken.Number(row.l, n))
			default:
				forms[1] = append(forms[1], w)
			}
		}
		for _, w := range strings.Fields(strings.NewReplacer("\ufe0f", "", "n°", "").Replace(row.body)) { // as it is written
			if _, face := spoken.Emoticons[w]; !face {
				forms[2] = append(forms[2], w)
			}
		}
		for _, form := range forms {
			for from := range form {
				for to := from + 1; to <= min(len(form), from+12); to++ {
					part := strings.Join(form[from:to], " ")
					if len(fold.Words(part)) == 0 || strings.Contains(part, "²") {
						continue
					}
					if asked++; !consent.Echo(turn(t, part), r.Words) {
						t.Fatalf("%q: %q is no echo of %q", row.body, part, r.Words)
					}
				}
			}
		}
		if written := onlyDigits(row.body); strings.Contains(r.Parts[2].Text, "5 1 4, 5 5 5") && !consent.Echo(turn(t, written), r.Words) {
			t.Errorf("%q: %q is no echo of %q", row.body, written, r.Words)
		}
		for _, prompt := range []lang.Message{spoken.Ask, spoken.Keypad} {
			if n := len(fold.Words(r.Words + " " + prompt.In(row.l))); n > 1024 {
				t.Errorf("%q: %d words to compare: every answer is an echo", row.body, n)
			}
		}
	}
	if asked < 5000 {
		t.Errorf("%d parts", asked)
	}
}

// An answer that is no part of the read-back is none.
func TestAnAnswerIsNoEcho(t *testing.T) {
	for _, row := range table(t) {
		r, err := Draft(row.l, "Marc", number, row.body, nil)
		if err != nil {
			continue
		}
		for _, answer := range []string{"absolutely", "vas-y", "go ahead", "affirmatif", "mets-en"} {
			if !strings.Contains(strings.ToLower(row.body), answer) && consent.Echo(turn(t, answer), r.Words) {
				t.Errorf("%q: %q is an echo of %q", row.body, answer, r.Words)
			}
		}
	}
}

// The longest read-backs leave room for the questions: beyond the judge's bounds every answer is an echo.
func TestTheLongestReadBackCanBeAnswered(t *testing.T) {
	for _, unit := range []string{"a ", "1 ", "12 ", "123 ", "1234 ", "@", "%", "& ", "a1 ", "1.1 ", "1:11 ", "x9y8z ", "$1 ", "é", "½ ", "0"} {
		for n := 320 / len(unit); n > 0; n -= 3 {
			b := strings.TrimSpace(strings.Repeat(unit, n))
			for _, l := range []lang.Lang{lang.EN, lang.FR} {
				r, err := Draft(l, strings.Repeat("Zoé ", 9)+"Roy", number, b, nil)
				if err == nil && consent.Echo(turn(t, "zzz qqq"), r.Words+" "+spoken.Ask.In(l)+" "+spoken.Keypad.In(l)) {
					t.Fatalf("%d times %q", n, unit)
				}
			}
		}
	}
}

// letters are the letters of a text, folded.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, fold.Key(s))
}

var scheme = regexp.MustCompile(`(?i)https?://`)

func subsequence(part, of string) bool {
	rest := []rune(part)
	for _, r := range of {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// checkSaid says what holds of everything that is said of a body.
func checkSaid(t testing.TB, l lang.Lang, b, said string) {
	t.Helper()
	for _, r := range said {
		if !known(r) && (r < '0' || r > '9') && !strings.ContainsRune(" ,.:;!?'-", r) {
			t.Fatalf("%q is said %q: %q", b, said, r)
		}
	}
	bare := norm.NFC.String(b)
	bare = scheme.ReplaceAllString(bare, "") // not heard
	for face := range spoken.Emoticons {
		bare = strings.ReplaceAll(bare, face, " ")
	}
	bare = strings.NewReplacer("º", " ", "ª", " ", "µ", " ", "²", " ", "³", " ", "½", " ", "¼", " ", "¾", " ", "™", " ").Replace(bare)
	if !subsequence(letters(bare), letters(said)) {
		t.Fatalf("%q is said %q: letters are missing", b, said)
	}
	if !holdsGrouped(bare) && !subsequence(onlyDigits(bare), onlyDigits(said)) {
		t.Fatalf("%q is said %q: digits are missing", b, said)
	}
}

// holdsGrouped says whether a text may hold a number with thousands, which is said in words.
func holdsGrouped(s string) bool {
	for i := 1; i+3 < len(s); i++ {
		if strings.ContainsRune(", \u00a0\u202f", firstRune(s[i:])) && unicode.IsDigit(rune(s[i-1])) {
			return true
		}
	}
	return false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// TestInvariant14WhatIsSaidIsTheBody says of real texts that each of their letters and digits is said, in order, or that they are refused.
func TestInvariant14WhatIsSaidIsTheBody(t *testing.T) {
	for _, set := range append(corpora.Sets(t, "sms_"), corpora.Sets(t, "unicode_")...) {
		all, said, reasons := 0, 0, map[string]int{}
		for _, b := range corpora.Texts(t, set) {
			for _, l := range []lang.Lang{lang.EN, lang.FR} {
				all++
				r, err := Draft(l, "Zoé", number, b, nil)
				if err != nil {
					reasons[err.Error()]++
					continue
				}
				said++
				checkSaid(t, l, b, r.Parts[2].Text)
			}
		}
		t.Logf("%-22s %4d of %4d said, refused: %v", set, said, all, reasons)
		if set == "sms_nus_en" && said*10 < all*9 {
			t.Errorf("%s: only %d of %d can be said", set, said, all)
		}
	}
}

// TestInvariant14TwoBodiesAreSaidApart changes, adds and drops one letter or digit of real texts: no two are said alike.
func TestInvariant14TwoBodiesAreSaidApart(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bodies := corpora.Texts(t, "sms_nus_en")
	for _, row := range table(t) {
		bodies = append(bodies, row.body)
	}
	pairs := 0
	for _, b := range bodies {
		for _, l := range []lang.Lang{lang.EN, lang.FR} {
			said := body(l, b)
			if said == "" || strings.Contains(b, "://") {
				continue
			}
			for range 6 {
				other := edit(random, b)
				if letters(other) == letters(b) && onlyDigits(other) == onlyDigits(b) {
					continue
				}
				if pairs++; slices.Equal(fold.Words(body(l, other)), fold.Words(said)) {
					t.Errorf("%s: %q and %q are both said %q", l, b, other, said)
				}
			}
		}
	}
	if pairs < 4000 {
		t.Errorf("%d pairs", pairs)
	}
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

// edit changes one letter or digit.
func edit(random *rand.Rand, b string) string {
	runes := []rune(b)
	i := random.IntN(len(runes))
	c := rune(alphabet[random.IntN(len(alphabet))])
	switch random.IntN(3) {
	case 0:
		runes[i] = c
	case 1:
		runes = slices.Insert(runes, i, c)
	default:
		runes = slices.Delete(runes, i, i+1)
	}
	return string(runes)
}

// TestInvariant14OneSignMoreIsHeard changes one character of anything: bodies that are said alike differ in nothing but what the ear cannot tell.
func TestInvariant14OneSignMoreIsHeard(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	marks := []rune(" .,:;!?'\"()-/+=@#%&*_~^|<>$€°²½→éÉ😂👍❤\n\u00a0…«»")
	alike := 0
	for _, row := range table(t) {
		said := body(row.l, row.body)
		if said == "" {
			continue
		}
		for range 150 {
			runes := []rune(row.body)
			i, m := random.IntN(len(runes)), marks[random.IntN(len(marks))]
			if random.IntN(2) == 0 {
				runes[i] = m
			} else {
				runes = slices.Insert(runes, i, m)
			}
			other := string(runes)
			if !slices.Equal(fold.Words(body(row.l, other)), fold.Words(said)) {
				continue
			}
			alike++
			if heardOf(other) != heardOf(row.body) {
				t.Errorf("%s: %q and %q are both said %q", row.l, row.body, other, said)
			}
		}
	}
	if alike < 300 {
		t.Errorf("%d pairs are said alike: this test sees nothing", alike)
	}
}

// heardOf is a body without what the package says that the ear cannot tell.
func heardOf(b string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune(".,:;!?'\"()-–—…«»“”’[]{}¿¡", r), r == 0xFE0F, r >= 0x1F3FB && r <= 0x1F3FF:
			return -1
		}
		return r
	}, fold.Key(endSlash.ReplaceAllString(strings.NewReplacer("²", "⟦2⟧", "½", "⟦half⟧", "°", "⟦o⟧").Replace(b), "$1$2")))
}

// endSlash is a slash at the end of what may be a link.
var endSlash = regexp.MustCompile(`([\w-]+\.[\w./-]*\w)/([.,;:!?)\]}"'«»”’…>]*(?:\s|$))`)

func FuzzDraft(f *testing.F) {
	for _, row := range table(f) {
		f.Add(row.body, "Marc", row.l == lang.FR)
	}
	f.Add("x", "[[x]]", false)
	f.Fuzz(func(t *testing.T, b, name string, french bool) {
		l := lang.EN
		if french {
			l = lang.FR
		}
		r, err := Draft(l, name, number, b, []smsmcp.Contact{contact(1, "Marc", "+15145550102", name), contact(2, name+"e", "+15145550101")})
		if err != nil {
			if !errors.Is(err, ErrUnspeakable) && !errors.Is(err, ErrTooLong) || Explain(l, err) == "" {
				t.Errorf("%q: %v", b, err)
			}
			return
		}
		if len(r.Parts) != 4 || r.Parts[1].Sound != voice.Opening || r.Parts[3].Sound != voice.Closing || r.Parts[2].Voice != voice.QuoteVoice || fold.Words(r.Parts[2].Text) == nil {
			t.Fatalf("%q: %+v", b, r.Parts)
		}
		checkSaid(t, l, b, r.Parts[2].Text)
		for _, p := range r.Parts {
			if strings.ContainsAny(p.Text, "[]<>&\\\x00") {
				t.Errorf("%q: %q", name, p.Text)
			}
		}
		if !consent.Echo(turn(t, r.Parts[0].Text), r.Words) || len(fold.Words(r.Parts[2].Text)) <= 60 && !consent.Echo(turn(t, r.Parts[2].Text), r.Words) {
			t.Errorf("%q: no echo of itself: %q", b, r.Words)
		}
	})
}
