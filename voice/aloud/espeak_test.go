package aloud

import (
	"os/exec"
	"strings"
	"testing"

	"readback/smsmcp/lang"
	"readback/voice/media/mediatest"
	speech "readback/voice/speech/plain"
)

// phonemes are the sounds that a real voice makes of a text, without stress and pauses.
func phonemes(t testing.TB, l lang.Lang, text string) string {
	t.Helper()
	plainText, err := speech.Text(text)
	if err != nil || plainText != text {
		t.Fatalf("%q is given to the voice as %q, %v", text, plainText, err)
	}
	return strings.Join(strings.Fields(spokenBy(t, l, text)), " ")
}

// spokenBy is what a real voice makes of a text, a line for each sentence that stands alone.
func spokenBy(t testing.TB, l lang.Lang, text string) string {
	t.Helper()
	name := "en-us"
	if l == lang.FR {
		name = "fr"
	}
	cmd := exec.Command(mediatest.Program(t, "espeak-ng"), "-q", "-x", "-b", "1", "-v", name, "--stdin")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("'", "", ",", "", "|", "", ":", "").Replace(string(out))
}

// TestInvariant14AVoiceSaysBodiesApart says pairs by a real voice: what is easily taken for each other sounds different, or is the same line of text.
func TestInvariant14AVoiceSaysBodiesApart(t *testing.T) {
	for _, c := range []struct {
		l        lang.Lang
		one, two string
	}{
		{lang.FR, "20 5", "25"}, {lang.FR, "60 10", "70"}, {lang.FR, "4 20", "80"}, {lang.FR, "8 h 5", "8 h 50"}, {lang.FR, "2 mille", "2"}, {lang.FR, "j'ai 1,5", "j'ai 15"}, {lang.FR, "1.5", "1,5"},
		{lang.FR, "je viens +", "je viens"}, {lang.FR, "10 000", "10"}, {lang.FR, "le 0102", "le 102"}, {lang.FR, "12345", "12 345"}, {lang.FR, "va sur a.ca", "va sur a-b.ca"}, {lang.FR, "5 % oui", "5 oui"},
		{lang.EN, "20 5", "25"}, {lang.EN, "20, 5", "25"}, {lang.EN, "100 5", "105"}, {lang.EN, "2 100", "200"}, {lang.FR, "2, 100", "200"}, {lang.FR, "60, 12", "72"}, {lang.FR, "4, 20", "80"}, {lang.FR, "100 5", "105"}, {lang.EN, "1.5", "15"}, {lang.EN, "10-12", "10 12"}, {lang.EN, "-5", "5"}, {lang.EN, "007", "7"}, {lang.EN, "12,345", "12.345"}, {lang.EN, "1,500", "1.500"}, {lang.EN, "$20", "20"},
		{lang.EN, "6:05", "6:50"}, {lang.EN, "see a.com", "see a-a.com"}, {lang.EN, "ok :)", "ok :("}, {lang.EN, "ok 👍", "ok 👎"}, {lang.EN, "a/b", "a b"}, {lang.EN, "user_name", "user-name"}, {lang.EN, "x<y", "x>y"},
		{lang.EN, "A4F9K2", "A4S9K2"}, {lang.EN, "xK9aB7q", "xk9ab7q"}, {lang.EN, "paypa1.com", "paypal.com"}, {lang.EN, "50% off", "50 off"}, {lang.EN, "1/2", "12"}, {lang.EN, "?", "!"},
		{lang.EN, "it is -$500", "it is $500"}, {lang.FR, "solde −$500", "solde $500"}, {lang.EN, "it is - 20", "it is 20"}, {lang.EN, "it is —20", "it is, 20"}, {lang.FR, "il fait - 20", "il fait 20"},
		{lang.EN, "100 - 20", "100, 20"}, {lang.EN, "100 - 20", "100 -20"}, {lang.EN, "10-20", "1020"}, {lang.EN, "6'2", "6\"2"}, {lang.EN, "6' long", "6 long"}, {lang.FR, "6\" de long", "6 de long"},
		{lang.FR, "desjardins.com", "desjardin.com"}, {lang.EN, "interac.com", "interack.com"}, {lang.EN, "paypal.com", "paypall.com"}, {lang.EN, "my-bank.com", "mybank.com"}, {lang.FR, "marie@a.ca", "marry@a.ca"},
		{lang.FR, "celui d’desjardins.com", "celui d’desjardin.com"}, {lang.EN, "-interac.com👍", "-interack.com👍"}, {lang.EN, "bit.ly/cat", "bit.ly/kat"}, {lang.EN, ".5", "5"}, {lang.FR, "3:1", "3, 1"}, {lang.EN, "1000-2000", "1000 2000"}, {lang.EN, "owed ($500)", "owed $500"},
	} {
		one, two := body(c.l, c.one), body(c.l, c.two)
		if a, b := phonemes(t, c.l, one), phonemes(t, c.l, two); a == "" || a == b {
			t.Errorf("%s: %q and %q both sound %q (%q, %q)", c.l, c.one, c.two, a, one, two)
		}
	}
}

// All that is said can be said: nothing of it is silent.
func TestAVoiceSaysAllOfIt(t *testing.T) {
	for _, row := range table(t) {
		said := body(row.l, row.body)
		if said == "" {
			continue
		}
		if phonemes(t, row.l, said) == "" {
			t.Errorf("%q is silent", said)
		}
	}
}

// What is spelled is heard letter by letter: no two letters or digits sound alike.
func TestInvariant14LettersSoundApart(t *testing.T) {
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		seen := map[string]rune{}
		for _, r := range alphabet {
			p := phonemes(t, l, "x "+string(r)+" x")
			if other, ok := seen[p]; ok {
				t.Errorf("%s: %c and %c sound %q", l, r, other, p)
			}
			seen[p] = r
		}
	}
}
