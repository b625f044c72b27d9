package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

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
		for i, words := range []string{"Usage: Flags Examples", "Emploi Options Exemples"} {
			other := strings.Fields([]string{"Emploi Exemples", "Usage: Flags: Examples"}[i])
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
	if out := h.ok("--version"); !strings.HasPrefix(out, "readback ") {
		t.Error(out)
	}
}

func TestClientsAreFoundByWhatTheyWereStartedAs(t *testing.T) {
	file := func(args ...string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Join(args, "\x00") + "\x00")}
	}
	names, ok := clientsOf(fstest.MapFS{
		"1/cmdline":  file("/sbin/init"),
		"10/cmdline": file("/usr/bin/claude", "--resume"),
		"11/cmdline": file("node", "--max-old-space-size=4096", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
		"12/cmdline": file("node", "server.js", "claude"),
		"13/cmdline": file("vim", "claude.txt"),
		"14/cmdline": file("/opt/Claude/claude-desktop"),
		"15/cmdline": file("claude"), // this process
		"16/cmdline": {},
		"self":       file("claude"),
	}, 0, 15)
	if got := strings.Join(names, " "); !ok || got != "claude (10) claude (11) claude (14)" {
		t.Errorf("%v %q", ok, got)
	}
	if _, ok := clientsOf(fstest.MapFS{}, 0, 0); ok {
		t.Error("a system without /proc tells nothing")
	}
}

// TestInvariant14NoLineOfABodyPassesForOurs: what a terminal would obey is escaped, and each line stands behind the bar.
func TestInvariant14NoLineOfABodyPassesForOurs(t *testing.T) {
	got := drawn("one\n  - two\x1b[2J\r\u202e\u0007three \xff👩‍👩‍👧 é\u00a0!")
	want := "  │ one\n  │   - two\\x1b[2J\\r\\u202e\\athree \\ufffd👩‍👩‍👧 é\u00a0!\n"
	if got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}
