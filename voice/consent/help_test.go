package consent

import (
	"os"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/untrusted"
	"readback/voice"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// spoken makes the caller's turn of some words, which began and ended when it says.
func spoken(words string, began, ended time.Time) voice.Turn {
	now := began
	_, ear := voice.NewTranscript(func() time.Time { return now })
	u, err := ear.Begin(0)
	if err != nil {
		panic(err)
	}
	now = ended
	turn, err := u.Final(untrusted.New(words))
	if err != nil {
		panic(err)
	}
	return turn
}

// pressed makes the caller's turn of a key, which went down when it says.
func pressed(key rune, began, ended time.Time) voice.Turn {
	_, ear := voice.NewTranscript(func() time.Time { return ended })
	turn, err := ear.Key(key, ended.Sub(began))
	if err != nil {
		panic(err)
	}
	return turn
}

// sample is a row of the project's own list.
type sample struct{ label, lang, words, why string }

// answers reads the project's own list.
func answers(t testing.TB) (out []sample) {
	t.Helper()
	b, err := os.ReadFile("testdata/answers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 || f[3] == "" {
			t.Fatalf("a row of %d cells: %q", len(f), line)
		}
		out = append(out, sample{f[0], f[1], f[2], f[3]})
	}
	return out
}
