package clients

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestSDK runs testdata/sdk.mjs, which uses the official TypeScript SDK: its client of the modern revision pinned to that, the same one
// as a legacy client, and the older line of the SDK that is in most programs today; each over HTTP and as the parent of `readback mcp`.
func TestSDK(t *testing.T) {
	k, s := clients(t), start(t)
	script, err := filepath.Abs(filepath.Join("testdata", "sdk.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, era := range []struct{ name, version string }{
		{"modern", "2026-07-28"}, {"auto", "2026-07-28"}, {"legacy", "2025-11-25"}, {"v1", "2025-11-25"},
	} {
		for _, transport := range []string{"http", "stdio"} {
			t.Run(era.name+"/"+transport, func(t *testing.T) {
				ask, err := json.Marshal(map[string]any{
					"modules": k.modules, "era": era.name, "transport": transport, "url": s.url, "token": s.token,
					"command": s.bin, "args": []string{"mcp", "--data", s.data},
				})
				if err != nil {
					t.Fatal(err)
				}
				out, code := k.run(t, nil, script, string(ask))
				var got struct {
					Version, Instructions, Unknown string
					Tools                          []string
					Read, Find, Number, Half, Bad  result
					Parallel                       int
				}
				if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
					t.Fatalf("exit %d, %v: %s", code, err, out)
				}
				if got.Version != era.version || !strings.Contains(got.Instructions, "read_texts answers in a frame") {
					t.Errorf("version %q, instructions %q", got.Version, got.Instructions)
				}
				if strings.Join(got.Tools, " ") != "cancel_send check_send find_contact read_texts send_text" {
					t.Errorf("tools %v", got.Tools)
				}
				if text := only(t, got.Read, false); strings.Count(text, "received from "+contactName) != 1 || strings.Contains(text, "« Signé") {
					t.Errorf("read_texts: %s", text)
				}
				if text := only(t, got.Find, false); !strings.Contains(text, contactName) || strings.Contains(text, "5145550101") {
					t.Errorf("find_contact: %s", text)
				}
				only(t, got.Number, true)
				only(t, got.Half, true)
				if text := only(t, got.Bad, true); strings.Contains(text, "zqxzqx") {
					t.Errorf("a refused argument was echoed: %s", text)
				}
				if got.Unknown == "" || strings.Contains(got.Unknown, "zqxzqx") {
					t.Errorf("unknown tool: %q", got.Unknown)
				}
				if got.Parallel != 20 {
					t.Errorf("of 20 calls at once %d were answered", got.Parallel)
				}
			})
		}
	}
}

// only gives the one text of a result.
func only(t *testing.T, r result, bad bool) string {
	t.Helper()
	if len(r.Content) != 1 || r.Content[0].Type != "text" || r.StructuredContent != nil || r.IsError != bad {
		t.Errorf("%+v", r)
		return ""
	}
	return r.Content[0].Text
}

// TestStdioWithoutServer: the client is told, and no store is opened in its place.
func TestStdioWithoutServer(t *testing.T) {
	k := clients(t)
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "sdk.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	ask, err := json.Marshal(map[string]any{
		"modules": k.modules, "era": "v1", "transport": "stdio", "command": bin, "args": []string{"mcp", "--data", filepath.Join(t.TempDir(), "none")},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, code := k.run(t, nil, script, string(ask))
	if code != 3 || !strings.Contains(out, "readback serve") {
		t.Fatalf("exit %d: %s", code, out)
	}
}
