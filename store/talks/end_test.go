package talks_test

import (
	"errors"
	"path/filepath"
	"testing"

	"readback/store"
	"readback/store/talks"
)

// TestTheEndOfTheBrowsersCallsIsSeenByEveryProcess: no pass is left, and who leads a call hears of it, in this process and in those that joined.
func TestTheEndOfTheBrowsersCallsIsSeenByEveryProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.db")
	b := talks.New(open(t, file).DB())
	s, err := store.Join(t.Context(), file)
	ok(t, err)
	defer func() { ok(t, s.Close()) }()
	joined := talks.New(s.DB())
	for i := range int64(3) {
		for _, one := range []*talks.Talks{b, joined} {
			if n, err := one.Ends(t.Context()); n != i || err != nil {
				t.Fatalf("%d, %v", n, err)
			}
		}
		ok(t, b.Add(t.Context(), noon, "talk", "owner"))
		ok(t, []*talks.Talks{b, joined}[i%2].End(t.Context()))
		if _, err := joined.Take(t.Context(), noon, "talk"); !errors.Is(err, talks.ErrNone) {
			t.Fatal(err)
		}
	}
}
