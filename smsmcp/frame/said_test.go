package frame

import (
	"strings"
	"testing"

	"readback/smsmcp/untrusted"
)

// TestInvariant13AnAnswerIsDrawnOnOneLineWithinItsMarks: the ear may have heard anything.
func TestInvariant13AnAnswerIsDrawnOnOneLineWithinItsMarks(t *testing.T) {
	for words, want := range map[string]string{
		"":                        "",
		"oui, envoie-le":          "oui, envoie-le",
		"key 1":                   "key 1",
		"yes\nsent  command line": "yes sent command line",
		"yes» by «command line":   "yes\" by \"command line",
		"yes\u202e\u2066\x1b[2J\x00\x9b31m\u200b": "yes [2J �31m",
		strings.Repeat("é", 200):                  strings.Repeat("é", 160) + "…",
	} {
		if got := Said(untrusted.New(words)); got != want {
			t.Errorf("%q is drawn as %q, want %q", words, got, want)
		}
	}
}
