// Package corpora reads the public sets of texts that tests measure against. They are no part of the module: they stand beside the
// checkout, in ../shared/corpora, or where READBACK_CORPORA says. Many of the texts are attacks; they are data.
package corpora

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Texts gives the texts of one set, such as "sms_uci_ham". Without the corpora the test fails if CI is true, and is
// skipped otherwise: a stranger's checkout has none.
func Texts(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(folder(t), name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, line.Text)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d texts, %v", name, len(out), err)
	}
	return out
}

// Sets gives the names of the sets that begin with prefix, in order.
func Sets(t testing.TB, prefix string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder(t), prefix+"*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no set begins with %q: %v", prefix, err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".jsonl")
	}
	return files
}

func folder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("READBACK_CORPORA")
	if dir == "" {
		root, err := filepath.Abs(".")
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
				break
			}
			if root == filepath.Dir(root) {
				t.Fatal("no go.mod above this package")
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared", "corpora")
	}
	if _, err := os.Stat(dir); err != nil { //nolint:gosec // who runs the tests names it
		if os.Getenv("CI") == "true" {
			t.Fatalf("the corpora are not at %s; set READBACK_CORPORA", dir)
		}
		t.Skipf("the corpora are not at %s; set READBACK_CORPORA", dir)
	}
	return dir
}

// Table gives the rows of a table of one set, such as "consent/leon": the cells of each line, apart by tabs. Without the corpora it does as Texts does.
func Table(t testing.TB, name string) [][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder(t), name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(b)) {
		out = append(out, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	if len(out) == 0 {
		t.Fatalf("%s: no rows", name)
	}
	return out
}
