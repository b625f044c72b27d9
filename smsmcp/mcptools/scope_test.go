package mcptools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"readback/smsmcp"
)

// TestScopes: what a client must have been let in for is known for every tool, from the body of a request alone and once more before the tool runs.
func TestScopes(t *testing.T) {
	want := map[string][2]bool{
		"read_texts": {true, false}, "find_contact": {}, "send_text": {false, true}, "check_send": {false, true}, "cancel_send": {false, true},
		"show_images": {true, false},
	}
	all := append(slices.Clone(tools), showImages)
	if len(all) != len(want) {
		t.Errorf("%d tools", len(all))
	}
	for _, tool := range all {
		w, known := want[tool.name]
		read, send := Needs(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, tool.name))
		if !known || read != w[0] || send != w[1] {
			t.Errorf("%s needs %v %v", tool.name, read, send)
		}
		for i := range 4 {
			p := smsmcp.Principal{Read: i&1 != 0, Send: i&2 != 0}
			if tool.allowed(p) != ((p.Read || !w[0]) && (p.Send || !w[1])) {
				t.Errorf("%s with %+v: %v", tool.name, p, tool.allowed(p))
			}
			s := newServer(Options{Who: func(context.Context) smsmcp.Principal { return p }})
			_, err := s.call(t.Context(), tool, mcp.CallToolParams{Arguments: map[string]any{"no such": 1}})
			if err == nil || strings.Contains(err.Error(), "let in") == tool.allowed(p) {
				t.Errorf("%s with %+v runs, or is refused for another reason: %v", tool.name, p, err)
			}
		}
	}
	for body, w := range map[string][2]bool{
		``: {}, `{`: {}, `[]`: {}, `{"method":"tools/list"}`: {}, `{"method":"initialize","params":{"name":"send_text"}}`: {},
		`{"method":"tools/call","params":{"name":"no_such_tool"}}`:                                    {false, true},
		`{"method":"tools/call","params":{"name":"answer_send"}}`:                                     {false, true},
		`{"method":"tools/call"}`:                                                                     {false, true},
		`{"method":"tools/list","method":"tools/call","params":{"name":"x","name":"read_texts"}}`:     {true, false},
		`{"METHOD":"tools/call","Params":{"name":"send_text"},"params":{"arguments":{"a":"\u0000"}}}`: {false, true},
	} {
		if read, send := Needs([]byte(body)); read != w[0] || send != w[1] {
			t.Errorf("%s needs %v %v", body, read, send)
		}
	}
}
