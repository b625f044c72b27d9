package mcptools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestEveryToolDeclaresOriginAndReach(t *testing.T) {
	for _, tl := range append(slices.Clone(tools), showImages) {
		if err := tl.declared(); err != nil {
			t.Error(err)
		}
	}
	show := framed(func(context.Context, *reading, args) (frame.Framed, error) { return frame.Framed{}, nil })
	say := plain(func(context.Context, *looking, args) (string, error) { return "", nil })
	send := outward(func(context.Context, *sending, args) (reply, error) { return reply{}, nil })
	for name, tl := range map[string]tool{
		"nothing declared":                 {serve: say},
		"no origin":                        {reach: staysIn, serve: say},
		"no reach":                         {origin: serversWords, serve: say},
		"unserved":                         {origin: serversWords, reach: staysIn},
		"a stranger's words unframed":      {origin: strangersWords, reach: staysIn, serve: say},
		"a stranger's words and outward":   {origin: strangersWords, reach: goesOut, serve: send},
		"frames what is not a stranger's":  {origin: serversWords, reach: staysIn, serve: show},
		"images that are not a stranger's": {origin: serversWords, reach: staysIn, serve: pictured(seeImages)},
		"images that go out":               {origin: strangersWords, reach: goesOut, serve: pictured(seeImages)},
		"outward past the door":            {origin: serversWords, reach: goesOut, serve: say},
		"the door for what stays in":       {origin: serversWords, reach: staysIn, serve: send},
		"read-only and outward":            {origin: serversWords, reach: goesOut, serve: send, hints: hints{readOnly: true}},
		"the desk for a model":             {origin: serversWords, reach: goesOut, serve: pressed(press)},
		"the desk for what stays in":       {origin: serversWords, reach: staysIn, serve: pressed(press), cards: true},
		"the door for the card":            {origin: serversWords, reach: goesOut, serve: send, cards: true},
	} {
		tl.name = name
		s := newServer(Options{})
		if err := s.register(mcpserver.NewMCPServer("t", "1"), tl, false); !errors.Is(err, errUndeclared) {
			t.Errorf("%s: registered (%v)", name, err)
		}
	}
}

// TestOnlyTheRendererFrames: nobody here makes a Framed that is not empty, and nobody but the table names a handler's kind, so
// that every handler is a plain function of the package.
func TestOnlyTheRendererFrames(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Framed" && len(n.Elts) > 0 {
					t.Errorf("%s makes a frame of its own", name)
				}
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if s, ok := l.(*ast.SelectorExpr); ok && s.Sel.Name == "Text" {
						t.Errorf("%s writes into a frame", name)
					}
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"framed", "plain", "outward", "pressed"}, id.Name) {
					if _, ok := n.Args[0].(*ast.Ident); !ok || name != map[bool]string{true: "card.go", false: "tools.go"}[id.Name == "pressed"] {
						t.Errorf("%s: a handler that is no plain function of the table", name)
					}
				}
			}
			return true
		})
	}
}

// TestInvariant02NoNumberGoesIn and 05: what the tools take is exactly this. A new parameter needs a look at both invariants first. The card's tool, which takes a yes, is none of them:
// TestInvariant05WhoHearsOfTheCardsTool.
func TestInvariant02And05ParametersOfEveryTool(t *testing.T) {
	want := map[string][]string{
		"read_texts":   {"contact", "days", "limit", "before", "query", "strangers"},
		"find_contact": {"word"},
		"send_text":    {"to", "body"},
		"check_send":   {"id"},
		"cancel_send":  {"id"},
		"show_images":  {"contact", "before", "strangers"},
	}
	suspect := regexp.MustCompile(`(?i)phone|number|numero|numéro|tel|msisdn|sms_?to|recipient|confirm|approve|consent|\byes\b|\boui\b|pass|pin|token|force|override|skip`)
	all := append(slices.Clone(tools), showImages)
	if len(all) != len(want) {
		t.Fatalf("%d tools", len(all))
	}
	if _, button := answerSend.serve.(pressed); !button || !answerSend.cards {
		t.Fatal("what takes a yes is not the card's alone")
	}
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		for _, tl := range all {
			var walk func(path string, v any)
			names := map[string]bool{}
			walk = func(path string, v any) {
				switch v := v.(type) {
				case map[string]any:
					if props, ok := v["properties"].(map[string]any); ok {
						for name := range props {
							names[name] = true
							if suspect.MatchString(name) {
								t.Errorf("%s%s.%s", tl.name, path, name)
							}
						}
						if v["additionalProperties"] != false {
							t.Errorf("%s%s takes more than it names", tl.name, path)
						}
					}
					if v["type"] == "string" && v["maxLength"] == nil || v["type"] == "integer" && (v["minimum"] == nil || v["maximum"] == nil) {
						t.Errorf("%s%s is not bounded", tl.name, path)
					}
					for k, x := range v {
						walk(path+"."+k, x)
					}
				case []any:
					for _, x := range v {
						walk(path+"[]", x)
					}
				}
			}
			var s any
			if err := json.Unmarshal(schema(l, tl.params), &s); err != nil {
				t.Fatal(err)
			}
			walk("", s)
			for _, p := range want[tl.name] {
				if !names[p] {
					t.Errorf("%s lacks %s", tl.name, p)
				}
				delete(names, p)
			}
			if len(names) > 0 {
				t.Errorf("%s also takes %v", tl.name, names)
			}
		}
	}
}

func TestNamesAndLengths(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z_]{0,63}$`)
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		if n := len(lang.ToolInstructions.In(l)); n > 2048 {
			t.Errorf("instructions in %s: %d bytes", l, n)
		}
		for _, tl := range append(slices.Clone(tools), showImages) {
			if !name.MatchString(tl.name) {
				t.Errorf("name %q", tl.name) // one bad name makes Claude's app reject all of them
			}
			if n := len(tl.about.In(l)); n == 0 || n > 2048 {
				t.Errorf("%s in %s: %d bytes", tl.name, l, n)
			}
			if tl.title.In(l) == "" {
				t.Errorf("%s in %s has no title", tl.name, l)
			}
			for _, p := range tl.params {
				if p.about.In(l) == "" {
					t.Errorf("%s.%s in %s has no description", tl.name, p.name, l)
				}
			}
		}
	}
}

// TestDefinitions compares what a client lists with what was agreed, order included.
func TestDefinitions(t *testing.T) {
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		f := setUp(t, func(_ *fixture, o *Options) { o.Lang = l })
		var got bytes.Buffer
		for _, modern := range []bool{true, false} {
			m := f.post(t, modern, "tools/list", "", nil)
			var list bytes.Buffer
			for _, tl := range m.Result.Tools {
				if err := json.Indent(&list, tl, "", "  "); err != nil {
					t.Fatal(err)
				}
				list.WriteByte('\n')
			}
			if got.Len() > 0 && !bytes.Equal(got.Bytes(), list.Bytes()) {
				t.Fatal("the eras list different tools")
			}
			got = list
		}
		file := filepath.Join("testdata", "tools."+string(l)+".json")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s differs from what clients are told; if that is meant: go test ./smsmcp/mcptools -run Definitions -update\n%s", file, got.Bytes())
		}
	}
}

func TestAnnotations(t *testing.T) {
	f := setUp(t, nil)
	type hint struct {
		Title                                                        string
		ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool
	}
	for _, raw := range f.post(t, true, "tools/list", "", nil).Result.Tools {
		var tl struct {
			Name, Title  string
			Annotations  hint
			OutputSchema json.RawMessage
		}
		if err := json.Unmarshal(raw, &tl); err != nil {
			t.Fatal(err)
		}
		a := tl.Annotations
		if a.ReadOnlyHint == nil || a.DestructiveHint == nil || a.IdempotentHint == nil || a.OpenWorldHint == nil || a.Title == "" || tl.Title == "" {
			t.Fatalf("%s: %s", tl.Name, raw)
		}
		if tl.OutputSchema != nil {
			t.Errorf("%s has an output schema: its answers would need structured content", tl.Name)
		}
		reads := map[string]bool{"read_texts": true, "find_contact": true, "check_send": true}[tl.Name]
		sends := tl.Name == "send_text"
		if *a.ReadOnlyHint != reads || *a.DestructiveHint != sends || sends && !*a.OpenWorldHint || sends && *a.IdempotentHint {
			t.Errorf("%s: %s", tl.Name, raw)
		}
	}
}

func TestInstructionsInBothEras(t *testing.T) {
	f := setUp(t, nil)
	legacy := f.post(t, false, "initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}`, nil)
	modern := f.post(t, true, "server/discover", "", nil)
	if legacy.Result.Instructions != lang.ToolInstructions.EN || modern.Result.Instructions != lang.ToolInstructions.EN {
		t.Fatalf("%s\n%s", legacy.raw, modern.raw)
	}
	for _, m := range []rpc{legacy, modern} {
		if strings.Contains(m.raw, `"listChanged":true`) || strings.Contains(m.raw, "elicitation") || strings.Contains(m.raw, "sampling") {
			t.Fatal(m.raw)
		}
	}
}
