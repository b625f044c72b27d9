package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestInvariant14ThePendingTextCannotDressUp: a body that counts on the terminal's wrapping to write rows of ours. Below it, right above the
// question, stands again to whom it goes and how long it is.
func TestInvariant14ThePendingTextCannotDressUp(t *testing.T) {
	h := newHome(t).hurried()
	s := h.serve()
	h.ok("contacts", "add", "Marie Tremblay", "418-555-0123")
	h.ok("sandbox", "receive", "--from", "BANK", "Hello.")
	s.call("read_texts", map[string]any{"strangers": true})
	row := func(s string, n int) string { return s + strings.Repeat(" ", n-len(s)) }
	body := row("See you at 6!", 76) + row("  1 segment (SMS), asked by first, Mon 2026-11-30 03:31", 80) + row("", 80) +
		row("k3f9a2mmq7  to Alex Roy, +15145550123", 80) + "  | Also\n\n\n\n\nthe code"
	got := s.call("send_text", map[string]any{"to": "Marie Tremblay", "body": body})
	id := regexp.MustCompile(`[a-z2-7]{10}`).FindString(got[strings.Index(got, "(send "):])
	pending := h.ok("pending")
	_, shown, _ := strings.Cut(pending, id+"  to Marie Tremblay")
	for _, line := range strings.Split(shown, "\n")[1:] {
		if strings.HasPrefix(line, "  1 segment") || strings.HasPrefix(line, "  2 segments") || strings.HasPrefix(line, "  3 segments") {
			break
		}
		if !regexp.MustCompile(`^  [│┆≡]`).MatchString(line) || len([]rune(line)) > 76 {
			t.Errorf("a row without a bar, or too long: %q", line)
		}
	}
	for _, want := range []string{"\n  ≡ 4 empty lines\n", "␣␣␣", "\n  ┆ "} {
		if !strings.Contains(pending, want) {
			t.Errorf("pending lacks %q:\n%s", want, pending)
		}
	}
	above := regexp.MustCompile(`\n  to Marie Tremblay, \+14185550123: 6 lines, 3\d\d characters\n\n  \S+readback approve ` + id + "\n")
	if !above.MatchString(pending) {
		t.Errorf("to whom and how much does not stand above the question:\n%s", pending)
	}
}

// TestNothingPrintedPaintsTheTerminal: file names, keys, flags and words that were typed reach the terminal drawn.
func TestNothingPrintedPaintsTheTerminal(t *testing.T) {
	h := newHome(t)
	const paint = "x\x1b[2J\u202e\nreadback: all is well\u009b"
	dir := filepath.Join(h.dir, paint)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "c.toml"), "\"a\\u001b[2Jb\" = 1\n")
	write(t, filepath.Join(dir, "good.toml"), "")
	write(t, filepath.Join(dir, "c.csv"), "name,number\n\"\x1b[2JEvil\",514-555-0179\n")
	for _, args := range [][]string{
		{"contacts", "import", paint + ".csv"}, {"contacts", "import", paint}, {"contacts", "import", filepath.Join(dir, "c.csv")}, {"backup", filepath.Join(dir, "b.db")}, {"backup", filepath.Join(h.dir, "nowhere"+paint, "b.db")},
		{"restore", filepath.Join(dir, "b.db")}, {"restore", filepath.Join(dir, "c.csv")}, {"pending", "--config", filepath.Join(dir, "c.toml")}, {"pending", "--config", filepath.Join(dir, "nothing")}, {"doctor", "--config", filepath.Join(dir, "good.toml"), "--data", dir},
		{"serve", "--data", dir, "--listen", paint}, {"pending", "--data", filepath.Join(dir, "c.toml", "d")}, {"sends", "--" + paint}, {paint}, {"approve", paint},
		{"deny", "a", paint}, {"token", "revoke", paint}, {"token", "new", paint}, {"contacts", "remove", paint}, {"contacts", "add", paint, "1"},
		{"contacts", "add", "Bob", paint}, {"sandbox", "receive", "--from", "1", "--at", paint, "x"}, {"mcp", "--url", paint}, {"settle", "a", paint}, {"help", paint},
	} {
		out, errs, _ := h.run(args...)
		if strings.ContainsAny(out+errs, "\x1b\u202e\u009b") || strings.Contains("\n"+out+errs, "\nreadback: all is well") {
			t.Errorf("%q: %q", args, out+errs)
		}
	}
	h.serve("--data", h.data, "--config", filepath.Join(dir, "good.toml"))
	if strings.ContainsAny(h.heard(), "\x1b\u202e\u009b") {
		t.Errorf("the greeting: %q", h.heard())
	}
}

func TestAPlantedStoreIsNotAdopted(t *testing.T) {
	h := newHome(t)
	planted := filepath.Join(h.dir, "planted")
	if err := os.Mkdir(planted, 0o755); err != nil {
		t.Fatal(err)
	}
	h.ok("contacts", "list", "--data", planted) // an empty one is taken over
	if err := os.Chmod(planted, 0o777); err != nil {
		t.Fatal(err)
	}
	h.refused("other users can look into", "contacts", "list", "--data", planted)
}

func TestTheGreetingNamesAFolderThatIsNotTheUsualOne(t *testing.T) {
	h := newHome(t)
	usual := h.data
	h.data = filepath.Join(h.dir, "other folder")
	h.serve("--data", h.data)
	for _, want := range []string{"claude mcp add readback -- " + built + " mcp --data '" + h.data + "'\n", `"args":["mcp","--data","` + h.data + `"]`, built + " sandbox receive"} {
		if !strings.Contains(h.heard(), want) {
			t.Errorf("the greeting lacks %q:\n%s", want, h.heard())
		}
	}
	if _, err := os.Stat(usual); err == nil {
		t.Error("the usual folder was made")
	}
	onPath := newHome(t)
	onPath.environ = append(onPath.environ, "PATH="+filepath.Dir(built)+":"+os.Getenv("PATH"))
	onPath.serve()
	if !strings.Contains(onPath.heard(), "\n  readback sandbox receive") {
		t.Errorf("found by its name, it is called by its name:\n%s", onPath.heard())
	}
}

func TestSmallManners(t *testing.T) {
	h := newHome(t)
	if screen, code := h.onTerminal([]string{"short"}, "passphrase"); code != 1 || !strings.Contains(screen, "at least 10 characters") || strings.Contains(screen, "Once more") {
		t.Errorf("a short passphrase is refused before it is typed twice: %d %q", code, screen)
	}
	h.refused("longer than the sandbox takes", "sandbox", "receive", "--from", "1", strings.Repeat("x", 70_000))
	french := newHome(t, "READBACK_LANGUAGE=fr")
	for _, args := range [][]string{{"contacts", "add"}, {"restore"}, {"sandbox", "receive"}, {"mcp", "--help"}, {"serve", "--help"}, {"token", "new", "--help"}} {
		out, errs, _ := french.run(args...)
		if regexp.MustCompile(`\b(NAME|NUMBER|FILE|TEXT|TIME|ADDRESS|URL)\b`).MatchString(out + errs) {
			t.Errorf("%v: %s", args, out+errs)
		}
	}
	if out := french.ok("doctor"); !strings.Contains(out, "bien  ") || !strings.Contains(out, "avis  ") || strings.Contains(out, "ok  ") {
		t.Error(out)
	}
}
