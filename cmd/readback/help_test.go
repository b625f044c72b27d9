package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"readback/smsmcp/lang"
)

// TestHelpSpeaksBothLanguages walks every command in English and in French.
func TestHelpSpeaksBothLanguages(t *testing.T) {
	seen := map[string][2]string{}
	for i, l := range []lang.Lang{lang.EN, lang.FR} {
		var out bytes.Buffer
		p := &program{in: strings.NewReader(""), out: &out, err: &out, lang: l}
		var walk func(c *cobra.Command)
		walk = func(c *cobra.Command) {
			out.Reset()
			p.help(c)
			both := seen[c.CommandPath()]
			both[i] = out.String()
			seen[c.CommandPath()] = both
			for _, sub := range c.Commands() {
				walk(sub)
			}
		}
		walk(p.root())
	}
	if len(seen) < 25 {
		t.Errorf("%d commands", len(seen))
	}
	for path, both := range seen {
		for i, words := range []string{"Usage: Flags Examples", "Utilisation Options Exemples"} {
			other := strings.Fields([]string{"Utilisation Exemples", "Usage: Flags: Examples"}[i])
			if !strings.Contains(both[i], strings.Fields(words)[0]) || !strings.Contains(both[i], path) {
				t.Errorf("%s: %s", path, both[i])
			}
			for _, o := range other {
				if strings.Contains(both[i], o) {
					t.Errorf("%s says %q in the other language:\n%s", path, o, both[i])
				}
			}
		}
		if both[0] == both[1] {
			t.Errorf("%s is not translated", path)
		}
	}
}

func TestUsageErrorsAreOneSentence(t *testing.T) {
	h := newHome(t)
	h.refused("no command here", "bogus")
	h.refused("no command here", "contacts", "bogus")
	h.refused("something is missing: readback approve ID", "approve")
	h.refused("one word too many", "deny", "a", "b")
	h.refused("no flag", "sends", "--jason")
	h.refused("needs a value", "serve", "--listen")
	h.refused("cannot be", "sends", "-n", "many")
	h.refused("--from NUMBER", "sandbox", "receive", "hi")
	h.refused("neither in .vcf nor in .csv", "contacts", "import", "file.txt")
	h.refused("there is no such file", "contacts", "import", "file.csv")
	h.refused("looks like a number", "contacts", "add", "42", "418-555-0123")
	h.refused("no contact is called exactly that", "contacts", "remove", "Nobody")
	french := newHome(t, "READBACK_LANGUAGE=fr")
	french.refused("n'est pas une commande", "bogus")
	french.refused("l'option", "sends", "--jason")
	// What is to be copied into a shell stands between the shell's own quotes, in French too.
	for _, l := range []*home{h, french} {
		l.refused(`"2026-11-30 14:05"`, "sandbox", "receive", "--from", "+15145550145", "--at", "noon", "hi")
		if out := l.ok("sandbox", "receive", "--help"); !strings.Contains(out, `"2026-11-30 14:05"`) {
			t.Errorf("%s", out)
		}
		if out := l.ok("mcp", "--help"); !strings.Contains(out, "https") {
			t.Errorf("it does not say who gets the token: %s", out)
		}
	}
	if out := h.ok("--version"); !strings.HasPrefix(out, "readback ") {
		t.Error(out)
	}
}
