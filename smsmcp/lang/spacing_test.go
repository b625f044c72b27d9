package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// spoken are texts that somebody sends, as a telephone writes them, and commands to copy.
var spoken = []string{"DemoMarieWrites", "DemoAlexWrites", "DemoDisguised", "DemoYes", "DemoHello", "DemoCode", "DemoThursday", "CLIGreetTryReceive"}

// TestFrenchSpaces: what the command line says in French breaks no line before ? ! ; : and within « ». A narrow no-break space (U+202F) stands
// there, and a no-break space (U+00A0) before a colon.
func TestFrenchSpaces(t *testing.T) {
	plain := regexp.MustCompile(` [?!;:»]|« `)
	names, err := filepath.Glob("cli*.go")
	if err != nil {
		t.Fatal(err)
	}
	aloud, err := filepath.Glob("spoken/*.go")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, aloud...)
	commands, err := filepath.Glob("command/*.go")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, commands...)
	seen := 0
	for _, name := range append(names, "finding/finding.go", "guard.go", "carrier.go", "carrier_ari.go", "inbox.go", "contacts.go", "ntfy.go", "livekit.go", "screen/page.go", "screen/push.go", "screen/consent.go", "screen/talk.go") {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && slices.Contains(spoken, v.Names[0].Name) {
				return false
			}
			l, ok := n.(*ast.CompositeLit)
			if !ok || len(l.Elts) != 2 {
				return true
			}
			second := l.Elts[1]
			if kv, ok := second.(*ast.KeyValueExpr); ok {
				second = kv.Value
			}
			if fr, ok := second.(*ast.BasicLit); ok {
				seen++
				if s, err := strconv.Unquote(fr.Value); err != nil || plain.MatchString(s) {
					t.Errorf("%s: %q has a plain space before a sign, or within « »", fset.Position(fr.Pos()), s)
				}
			}
			return true
		})
	}
	if seen < 200 {
		t.Errorf("%d messages seen", seen)
	}
}
