package architecture

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThePageNamesTestsThatExist keeps ARCHITECTURE.md honest: each test that it names is there, and each invariant has one.
func TestThePageNamesTestsThatExist(t *testing.T) {
	const root = "../.."
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
			there[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(page), -1) {
		if !there[name[1]] {
			t.Errorf("ARCHITECTURE.md names %s, which is no test", name[1])
		}
	}
	for i := 1; i <= 14; i++ {
		if i != 10 && !regexp.MustCompile(fmt.Sprintf("(?m)^\\| %d \\|.*`(?:Test|Fuzz)", i)).Match(page) {
			t.Errorf("ARCHITECTURE.md names no test for invariant %d", i)
		}
	}
	for path, floor := range floors {
		if !regexp.MustCompile(fmt.Sprintf("(?m)^\\| %d \\|.*`%s`", floor, regexp.QuoteMeta(path))).Match(page) {
			t.Errorf("ARCHITECTURE.md does not place %s on floor %d", path, floor)
		}
	}
}
