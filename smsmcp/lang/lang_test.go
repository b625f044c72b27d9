package lang

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The catalogue is whole: every Message in the package has both languages, and both take the same arguments; all forms of a Plural too.
func TestCatalogue(t *testing.T) {
	messages, plurals := 0, 0
	for dir, path := range map[string]string{
		".": "readback/smsmcp/lang", "spoken": "readback/smsmcp/lang/spoken", "screen": "readback/smsmcp/lang/screen",
		"finding": "readback/smsmcp/lang/finding", "command": "readback/smsmcp/lang/command",
	} {
		m, p := catalogue(t, dir, path)
		messages, plurals = messages+m, plurals+p
	}
	if messages < 20 || plurals == 0 {
		t.Errorf("%d messages and %d plurals found: this test sees too little", messages, plurals)
	}
	t.Logf("%d messages, %d plurals", messages, plurals)
}

func catalogue(t *testing.T, dir, path string) (messages, plurals int) {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check(path, fset, files, info); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			named, ok := info.Types[lit].Type.(*types.Named)
			if !ok {
				return true
			}
			at := fset.Position(lit.Pos())
			switch named.Obj().Name() {
			case "Message":
				messages++
				en, fr := formats(t, info, lit)
				if en == "" || fr == "" {
					t.Errorf("%s: a language is missing: %q, %q", at, en, fr)
				} else if !slices.Equal(verbs(en), verbs(fr)) {
					t.Errorf("%s: other arguments: %q, %q", at, en, fr)
				}
			case "Plural":
				plurals++
				var all [][]string
				for _, e := range lit.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						e = kv.Value
					}
					if form, ok := e.(*ast.CompositeLit); ok {
						en, _ := formats(t, info, form)
						all = append(all, verbs(en))
					}
				}
				if len(all) != 2 || !slices.Equal(all[0], all[1]) || len(all[0]) == 0 || !strings.HasSuffix(all[0][0], "d") {
					t.Errorf("%s: a plural needs two forms that take the same arguments, the count first: %v", at, all)
				}
			}
			return true
		})
	}
	return messages, plurals
}

// formats gives the two constant strings of a Message.
func formats(t *testing.T, info *types.Info, lit *ast.CompositeLit) (en, fr string) {
	t.Helper()
	for i, e := range lit.Elts {
		second := i == 1
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			second = kv.Key.(*ast.Ident).Name == "FR"
			e = kv.Value
		}
		v := info.Types[e].Value
		if v == nil || v.Kind() != constant.String {
			t.Errorf("a sentence is no constant")
			continue
		}
		if s := constant.StringVal(v); second {
			fr = s
		} else {
			en = s
		}
	}
	return en, fr
}

var verb = regexp.MustCompile(`%(?:%|[-+# 0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:\[(\d+)\])?([a-zA-Z]))`)

// verbs gives the arguments of a format, each as its number and its verb, in the order of the arguments.
func verbs(s string) []string {
	var out []string
	next := '1'
	for _, m := range verb.FindAllStringSubmatch(s, -1) {
		switch {
		case m[0] == "%%":
			continue
		case m[1] != "":
			next = rune(m[1][0])
		}
		if v := string(next) + m[2]; !slices.Contains(out, v) {
			out = append(out, v)
		}
		next++
	}
	slices.Sort(out)
	return out
}

func TestVerbs(t *testing.T) {
	for s, want := range map[string]string{"none, 100%%": "", "%s at %d": "1s 2d", "%[2]d of %[1]s": "1s 2d", "%d %s %d": "1d 2s 3d", "%.1f%%": "1f"} {
		if got := strings.Join(verbs(s), " "); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	p := Plural{Message{"%d text from %s", "%d texto de %s"}, Message{"%d texts from %s", "%d textos de %s"}}
	for _, c := range []struct {
		l    Lang
		n    int
		want string
	}{{EN, 0, "0 texts from x"}, {EN, 1, "1 text from x"}, {EN, 2, "2 texts from x"}, {FR, 0, "0 texto de x"}, {FR, 1, "1 texto de x"}, {FR, 2, "2 textos de x"}} {
		if got := p.In(c.l, c.n, "x"); got != c.want {
			t.Errorf("%s, %d: %q, want %q", c.l, c.n, got, c.want)
		}
	}
}

func TestStamp(t *testing.T) {
	at := time.Date(2026, 11, 30, 14, 5, 59, 0, time.UTC)
	if en, fr := Stamp(EN, at), Stamp(FR, at); en != "Mon 2026-11-30 14:05" || fr != "lun. 2026-11-30 14:05" {
		t.Errorf("%q, %q", en, fr)
	}
	if got := Stamp("xx", at); got != "Mon 2026-11-30 14:05" {
		t.Errorf("%q", got)
	}
}

func TestParse(t *testing.T) {
	if l, err := Parse("FR"); l != FR || err != nil {
		t.Errorf("%q, %v", l, err)
	}
	if _, err := Parse("de"); err == nil {
		t.Error("German is spoken")
	}
}
