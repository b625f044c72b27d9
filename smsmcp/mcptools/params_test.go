package mcptools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"readback/smsmcp/lang"
)

// TestCheckIsTheSchema draws arguments, good and bad, and compares this package's check with a validator of JSON Schema.
func TestCheckIsTheSchema(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	values := []string{
		`null`, `true`, `false`, `0`, `1`, `-1`, `1.5`, `1.0`, `50`, `500`, `501`, `1e2`, `1e300`, `3650`, `3651`, `9223372036854775808`, `"1"`, `""`, `[]`, `{}`, `["a"]`,
		`"abcdefghij"`, `"abcdefghi1"`, `"ABCDEFGHIJ"`, `"abcdefghij\n"`, `"1780000000-42"`, `"1780000000-"`, `"1-1\n"`, `"é"`, `"\u0000"`, `"\ud83d\ude00"`, `"👩‍👧"`,
		quoted(strings.Repeat("é", 100)), quoted(strings.Repeat("é", 101)), quoted(strings.Repeat("x", 200)), quoted(strings.Repeat("x", 201)),
		quoted(strings.Repeat("👍", 2048)), quoted(strings.Repeat("x", 2049)),
	}
	agreed := map[bool]int{}
	for _, tl := range tools {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema(lang.EN, tl.params)))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("mem:///s.json", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("mem:///s.json")
		if err != nil {
			t.Fatal(err)
		}
		for range 4000 {
			var parts []string
			for _, p := range tl.params {
				if rnd.IntN(3) > 0 {
					parts = append(parts, fmt.Sprintf("%s:%s", quoted(p.name), values[rnd.IntN(len(values))]))
				}
			}
			if rnd.IntN(12) == 0 {
				parts = append(parts, `"confirm":true`)
			}
			raw := "{" + strings.Join(parts, ",") + "}"
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			var ours any
			if err := json.Unmarshal([]byte(raw), &ours); err != nil {
				t.Fatal(err)
			}
			want := s.Validate(v) == nil
			_, err = check(lang.EN, tl.params, ours)
			if (err == nil) != want {
				t.Fatalf("%s(%s): schema says %v, check says %v", tl.name, raw, want, err)
			}
			agreed[want]++
		}
	}
	if agreed[true] < 300 || agreed[false] < 300 {
		t.Fatalf("too few of a kind: %v", agreed)
	}
}

func TestArgumentsThatAreNoObject(t *testing.T) {
	for _, tl := range tools {
		for _, raw := range []any{[]any{}, "x", 1.0, true} {
			if _, err := check(lang.EN, tl.params, raw); err == nil {
				t.Errorf("%s takes %v", tl.name, raw)
			}
		}
	}
	if _, err := check(lang.EN, tools[0].params, nil); err != nil {
		t.Fatal(err) // read_texts needs none
	}
}

// TestInvariant13ArgumentsAreNotEchoed puts a mark into every place of a call that a client can write.
func TestInvariant13ArgumentsAreNotEchoed(t *testing.T) {
	const mark = "ZQXZQX"
	f := setUp(t, nil)
	f.door.send.State, f.door.send.Reasons = "refused", nil
	for _, modern := range []bool{true, false} {
		var calls [][2]string
		for _, tl := range tools {
			for _, p := range tl.params {
				for _, v := range []string{quoted(mark), quoted(strings.Repeat(mark, 1000)), `["` + mark + `"]`, `{"` + mark + `":1}`} {
					calls = append(calls, [2]string{"tools/call", fmt.Sprintf(`"name":%s,"arguments":{%s:%s}`, quoted(tl.name), quoted(p.name), v)})
				}
			}
			calls = append(calls,
				[2]string{"tools/call", fmt.Sprintf(`"name":%s,"arguments":{"%s":1}`, quoted(tl.name), mark)},
				[2]string{"tools/call", fmt.Sprintf(`"name":%s,"arguments":"%s"`, quoted(tl.name), mark)},
				[2]string{"tools/call", fmt.Sprintf(`"name":%s,"arguments":{"to":"%s","body":"%s"}`, quoted(tl.name), mark, mark)},
				[2]string{"tools/call", fmt.Sprintf(`"name":%s,"task":{"%s":1}`, quoted(tl.name), mark)},
			)
		}
		calls = append(calls,
			[2]string{"tools/call", `"name":"` + mark + `"`}, [2]string{"tools/call", `"name":["` + mark + `"]`},
			[2]string{mark, ""}, [2]string{"resources/read", `"uri":"x://` + mark + `"`}, [2]string{"prompts/get", `"name":"` + mark + `"`},
			[2]string{"tools/list", `"cursor":"` + mark + `"`}, [2]string{"initialize", `"protocolVersion":"` + mark + `","capabilities":{},"clientInfo":{"name":"` + mark + `","version":"1"}`},
			[2]string{"completion/complete", `"ref":"` + mark + `"`}, [2]string{"logging/setLevel", `"level":"` + mark + `"`}, [2]string{"subscriptions/listen", `"notifications":"` + mark + `"`},
			[2]string{"tasks/get", `"taskId":"` + mark + `"`}, [2]string{"resources/subscribe", `"uri":"` + mark + `"`},
		)
		refused := 0
		for _, c := range calls {
			m := f.post(t, modern, c[0], c[1], nil)
			// What was looked for stands in the frame's head, quoted as a stranger's words are: framed is not bare.
			if strings.Contains(strings.ReplaceAll(m.raw, "«"+mark+"»", ""), mark) {
				t.Errorf("%s {%s}: %s", c[0], c[1], m.raw)
			}
			if m.Error != nil || m.Result.IsError {
				refused++
			}
		}
		if refused < len(calls)/2 {
			t.Errorf("only %d of %d were refused", refused, len(calls))
		}
	}
	for _, raw := range []string{
		mark, `{"` + mark, `{"jsonrpc":"` + mark + `","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":["` + mark + `"]}`, `[{"` + mark + `":1}]`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-` + mark + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":"` + mark + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"` + mark + `":1}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"` + mark + `"}}`,
	} {
		if m := f.raw(t, raw, nil); strings.Contains(m.raw, mark) {
			t.Errorf("%s: %s", raw, m.raw)
		}
	}
	for _, h := range []string{"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID", "Content-Type", "Accept", "Mcp-Param-X"} {
		for _, modern := range []bool{true, false} {
			m := f.post(t, modern, "tools/call", `"name":"check_send","arguments":{"id":"abcdefghij"}`, func(r *http.Request) { r.Header.Set(h, mark) })
			if strings.Contains(m.raw, mark) {
				t.Errorf("%s: %s", h, m.raw)
			}
		}
	}
	if strings.Contains(f.log.String(), mark) {
		t.Errorf("log: %s", f.log.String())
	}
}
