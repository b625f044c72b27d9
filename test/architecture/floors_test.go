// Package architecture asserts what ARCHITECTURE.md says of the code: floors, doors, clocks and who may hold a stranger's words.
package architecture

import (
	"go/ast"
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "readback/"

// floors gives each package its floor: it imports only lower ones.
var floors = map[string]int{
	"smsmcp/untrusted": 0, "smsmcp/lang": 0, "smsmcp/fold": 0, "smsmcp/clean": 0, "smsmcp/secret": 0, "smsmcp/page/tries": 0, "smsmcp/page/seal": 0, "voice/agent/sentences": 0, "smsmcp/page/talk": 0,
	"smsmcp": 1, "smsmcp/signs": 1, "cmd/readback/draw": 1, "cmd/readback/model": 1, "store/engine": 1, "voice": 1, "smsmcp/lang/spoken": 1, "smsmcp/lang/screen": 1, "smsmcp/lang/finding": 1, "smsmcp/lang/command": 1,
	"smsmcp/page/body": 2, "smsmcp/guard": 2, "smsmcp/frame": 2, "smsmcp/contacts": 2, "voip/segments": 2, "voip/ari": 2, "store/pages": 2, "store/schema": 2, "store/talks": 2, "cmd/readback/supervise": 2, "store/taps": 2, "store/questions": 2, "store/images": 2, "store/tokens": 2, "store/outbox": 2, "smsmcp/metrics": 2, "smsmcp/outside": 2, "voice/consent": 2,
	"voice/media": 2, "voice/media/rate": 2, "voice/speech/plain": 2, "voice/media/ear": 2, "voice/aloud": 2, "voice/llm": 2, "cmd/readback/talk": 2,
	"smsmcp/dispatch": 3, "smsmcp/card": 3, "smsmcp/oauth": 3, "smsmcp/images": 3, "smsmcp/page/gallery": 3, "voice/gate": 3, "voice/voicemail": 3, "smsmcp/inbox": 3, "smsmcp/confirm": 3, "smsmcp/ntfy": 3, "smsmcp/push": 3, "store": 3, "voice/line": 3, "voice/room": 3, "voice/show": 3, "voice/worker": 3, "voice/invite": 3, "voice/listen": 3, "voice/media/silero": 3, "voice/speak": 3, "voice/speech/espeak": 3, "voice/speech/wyoming": 3, "voice/speech/openai": 3, "voice/llm/openai": 3, "voice/llm/anthropic": 3, "voice/llm/scripted": 3, "voip/voipms": 3, "voip/sandbox": 3, "voip/sipmsg": 3, "cmd/readback/machine": 3,
	"cmd/readback/lookout": 4, "smsmcp/mcptools": 4, "smsmcp/web": 4, "smsmcp/page": 4, "smsmcp/owner": 4, "smsmcp/relay": 4, "store/restore": 4, "store/grants": 4,
	"voice/agent": 4, "cmd/readback/config": 4, "cmd/readback/checkup": 4,
	"cmd/readback/parts": 5, "cmd/readback/say": 5, "cmd/readback": 6,
}

// helpers are packages for tests alone: nothing but tests may import them.
var helpers = map[string]bool{
	"smsmcp/frame/frametest": true, "smsmcp/oauth/oauthtest": true, "voip/carriertest": true, "voip/voipms/voipmstest": true,
	"voice/media/mediatest": true, "voice/speech/wyoming/wyomingtest": true, "voice/voicetest": true, "voice/llm/llmtest": true,
}

// owners says which package may import a vendor's module; several, divided by spaces, where one module is for several ends.
var owners = map[string]string{
	"github.com/mark3labs/mcp-go":      "smsmcp/mcptools",
	"modernc.org/sqlite":               "store/engine",
	"github.com/nyaruka/phonenumbers":  "smsmcp/contacts",
	"github.com/emersion/go-vcard":     "smsmcp/contacts",
	"github.com/mtibben/confusables":   "smsmcp/contacts",
	"github.com/warthog618/sms":        "voip/segments",
	"github.com/spf13/cobra":           "cmd/readback",
	"github.com/rivo/uniseg":           "cmd/readback/draw",
	"github.com/pelletier/go-toml/v2":  "cmd/readback/config",
	"github.com/CyCoreSystems/ari":     "voip/ari",
	"github.com/coder/websocket":       "voip/ari voice/worker",
	"github.com/go-webauthn/webauthn":  "smsmcp/page",
	"github.com/prometheus":            "smsmcp/metrics",
	"github.com/pion/rtcp":             "voice/room",
	"github.com/pion/rtp":              "voice/media voice/room",
	"github.com/pion/webrtc":           "voice/room",
	"github.com/livekit/server-sdk-go": "voice/room",
	"github.com/livekit/protocol":      "voice/room voice/worker voice/invite",
	"github.com/twitchtv/twirp":        "voice/room",
	"github.com/thesyncim/gopus":       "voice/room",
	"github.com/zaf/g711":              "voice/media",
	"github.com/yalue/onnxruntime_go":  "voice/media/silero",
	"github.com/openai/openai-go":      "voice/speech/openai voice/llm/openai",
	"github.com/anthropics":            "voice/llm/anthropic",
	"golang.org/x/crypto/argon2":       "smsmcp/secret",
	"golang.org/x/image":               "smsmcp/images",
}

// raw says which packages may take a stranger's words out, by each method (invariant 4).
var raw = map[string][]string{
	"RawForModel":  {"smsmcp/frame", "voice/agent"},
	"RawForPerson": {"smsmcp/frame", "voice/show"},
	"RawForRules":  {"smsmcp/guard", "smsmcp/inbox", "store", "voice/consent"},
	"RawForSpeech": {"voice/aloud"},
	"RawForStore":  {"store", "voice/agent", "voice/line", "voice/voicemail", "voip/sandbox", "voip/sipmsg", "voip/voipms"},
}

var load = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Mode: packages.LoadSyntax,
		Dir:  "../..",
	}, "./...")
})

// product gives the module's packages without those that hold only tests.
func product(t *testing.T) []*packages.Package {
	t.Helper()
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(all) > 0 {
		t.Fatal("the module does not build")
	}
	var out []*packages.Package
	for _, p := range all {
		if path := strings.TrimPrefix(p.PkgPath, module); !strings.HasPrefix(path, "test/") {
			p.PkgPath = path
			out = append(out, p)
		}
	}
	if len(out) < len(floors) {
		t.Fatalf("%d packages found, %d have a floor", len(out), len(floors))
	}
	return out
}

func TestFloors(t *testing.T) {
	for _, p := range product(t) {
		floor, ok := floors[p.PkgPath]
		if helpers[p.PkgPath] {
			continue
		}
		if !ok {
			t.Errorf("%s has no floor", p.PkgPath)
		}
		for path := range p.Imports {
			mine, inside := strings.CutPrefix(path, module)
			switch {
			case inside && helpers[mine]:
				t.Errorf("%s imports %s, which is for tests", p.PkgPath, mine)
			case inside && floors[mine] >= floor:
				t.Errorf("%s (floor %d) imports %s (floor %d)", p.PkgPath, floor, mine, floors[mine])
			}
			for vendor, owner := range owners {
				if (path == vendor || strings.HasPrefix(path, vendor+"/")) && !slices.Contains(strings.Fields(owner), p.PkgPath) {
					t.Errorf("%s imports %s: only %s may", p.PkgPath, path, owner)
				}
			}
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range product(t) {
		doc := ""
		for _, f := range p.Syntax {
			doc += f.Doc.Text()
		}
		if doc == "" {
			t.Errorf("%s has no package comment", p.PkgPath)
		}
		if !helpers[p.PkgPath] && !strings.Contains(doc, "Floor") && p.Name != "main" {
			t.Errorf("%s does not name its floor", p.PkgPath)
		}
	}
}

func TestFilesStaySmall(t *testing.T) {
	for _, p := range product(t) {
		whole := 0
		for _, name := range p.GoFiles {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n := strings.Count(string(src), "\n")
			whole += n
			if n > 500 {
				t.Errorf("%s has %d lines", name, n)
			}
		}
		if whole > 2500 {
			t.Errorf("%s has %d lines: it is two packages", p.PkgPath, whole)
		}
	}
}

// uses calls f for every use of a function or method in the product.
func uses(t *testing.T, f func(in string, at string, fn *types.Func)) {
	for _, p := range product(t) {
		for id, obj := range p.TypesInfo.Uses {
			if fn, ok := obj.(*types.Func); ok {
				f(p.PkgPath, p.Fset.Position(id.Pos()).String(), fn)
			}
		}
	}
}

// TestInvariant01OnlyDispatchCallsTheCarrier looks for every call of a method Send of a carrier, by its interface or by its own type.
func TestInvariant01OnlyDispatchCallsTheCarrier(t *testing.T) {
	var carrier *types.Interface
	for _, p := range product(t) {
		if p.PkgPath == "smsmcp" {
			carrier = p.Types.Scope().Lookup("Carrier").Type().Underlying().(*types.Interface)
		}
	}
	seen := 0
	uses(t, func(in, at string, fn *types.Func) {
		recv := fn.Signature().Recv()
		if fn.Name() != "Send" || recv == nil || !is(recv.Type(), carrier) {
			return
		}
		seen++
		if in != "smsmcp/dispatch" && !helpers[in] {
			t.Errorf("%s: %s sends past the one door out", at, in)
		}
	})
	if seen == 0 {
		t.Error("the door itself was not found: this test sees nothing")
	}
}

func TestInvariant04OnlyNamedRenderersTakeWordsOut(t *testing.T) {
	seen := map[string]bool{}
	uses(t, func(in, at string, fn *types.Func) {
		recv := fn.Signature().Recv()
		if recv == nil || fn.Pkg() == nil || fn.Pkg().Path() != module+"smsmcp/untrusted" || !strings.HasPrefix(fn.Name(), "Raw") {
			return
		}
		seen[fn.Name()] = true
		for _, ok := range raw[fn.Name()] {
			if in == ok {
				return
			}
		}
		if !helpers[in] {
			t.Errorf("%s: %s takes a stranger's words out with %s", at, in, fn.Name())
		}
	})
	for name := range raw {
		if !seen[name] {
			t.Errorf("nobody calls %s: this test sees nothing", name)
		}
	}
}

func TestInvariant12OnlyTheProgramReadsTheClock(t *testing.T) {
	seen := false
	uses(t, func(in, at string, fn *types.Func) {
		if fn.Pkg() == nil || fn.Pkg().Path() != "time" || fn.Signature().Recv() != nil {
			return
		}
		switch fn.Name() {
		case "Now", "Since", "Until":
			seen = true
			if in != "cmd/readback" && !helpers[in] {
				t.Errorf("%s: %s reads the clock", at, in)
			}
		}
	})
	if !seen {
		t.Error("nobody reads the clock: this test sees nothing")
	}
}

// TestTextsThatPeopleReadAreInTheCatalogue catches the plain case: a French sentence anywhere else.
func TestTextsThatPeopleReadAreInTheCatalogue(t *testing.T) {
	for _, p := range product(t) {
		if p.PkgPath == "smsmcp/lang" || strings.HasPrefix(p.PkgPath, "smsmcp/lang/") || helpers[p.PkgPath] {
			continue
		}
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok {
					if named, ok := p.TypesInfo.TypeOf(lit).(*types.Named); ok && named.Obj().Name() == "Message" && named.Obj().Pkg().Path() == module+"smsmcp/lang" {
						t.Errorf("%s: a message outside the catalogue", p.Fset.Position(lit.Pos()))
					}
				}
				return true
			})
		}
	}
}

func is(t types.Type, i *types.Interface) bool {
	return types.Implements(t, i) || types.Implements(types.NewPointer(t), i)
}
