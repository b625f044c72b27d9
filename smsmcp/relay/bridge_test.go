package relay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

const drawing = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}},"elicitation":{"url":{}},"roots":"odd"}`

// what the server answers in the modern era and in the older ones, as it was measured.
var answersOfBothEras = []struct{ method, params, modern, older string }{
	{
		"tools/list", "",
		`"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"readback","version":"devel","title":"Readback"}},"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"_meta":{"ui":{"visibility":["app"]}},"name":"answer_send"}]}`,
		`"result":{"tools":[{"_meta":{"ui":{"visibility":["app"]}},"name":"answer_send"}]}`,
	},
	{
		"resources/list", `{"cursor":"c"}`,
		`"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"readback","version":"devel","title":"Readback"}},"resultType":"complete","ttlMs":0,"cacheScope":"private","resources":[{"_meta":{"ui":{"prefersBorder":true}},"uri":"ui://readback/send.html","name":"send"}]}`,
		`"result":{"resources":[{"_meta":{"ui":{"prefersBorder":true}},"uri":"ui://readback/send.html","name":"send"}]}`,
	},
	{
		"resources/templates/list", `{}`,
		`"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"readback","version":"devel","title":"Readback"}},"resultType":"complete","ttlMs":0,"cacheScope":"private","resourceTemplates":[]}`,
		`"result":{"resourceTemplates":[]}`,
	},
	{
		"resources/read", `{"uri":"ui://readback/send.html"}`,
		`"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"readback","version":"devel","title":"Readback"}},"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[{"uri":"ui://readback/send.html","text":"\u003c!doctype html\u003e\u0026#39;"}]}`,
		`"result":{"contents":[{"uri":"ui://readback/send.html","text":"\u003c!doctype html\u003e\u0026#39;"}]}`,
	},
	{
		"resources/read", `{"uri":"ui://x"}`,
		`"error":{"code":-32602,"message":"The parameters are not valid, or there is no such tool."}`,
		`"error":{"code":-32002,"message":"The parameters are not valid, or there is no such tool."}`,
	},
	{
		"tools/call", `{"name":"send_text","arguments":{"to":"Papa","body":"hello"},"_meta":{"progressToken":3}}`,
		`"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"readback","version":"devel","title":"Readback"},"readback/card":{"secret":"s"}},"content":[{"type":"text","text":"Not sent yet"}],"resultType":"complete"}`,
		`"result":{"_meta":{"readback/card":{"secret":"s"}},"content":[{"type":"text","text":"Not sent yet"}]}`,
	},
	{
		"tools/call", `{"name":"nope"}`,
		`"error":{"code":-32602,"message":"The parameters are not valid, or there is no such tool."}`,
		`"error":{"code":-32602,"message":"The parameters are not valid, or there is no such tool."}`,
	},
}

// TestCardsOfAnOlderClient: of two clients with one token, the one that declared that it draws cards says so in each request for which that matters, and hears what it would hear in its own
// era; the other is left as it is.
func TestCardsOfAnOlderClient(t *testing.T) {
	const plain = `"result":{"plain":true}`
	url := server(t, func(w http.ResponseWriter, r *http.Request, body string) {
		var m struct {
			Method string
			Params struct {
				Name, URI, Cursor string
				Meta              map[string]json.RawMessage `json:"_meta"`
			}
		}
		_ = json.Unmarshal([]byte(body), &m) // some parameters are of no form
		answer := func(rest string) { answerJSON(w, 200, `{"jsonrpc":"2.0","id":7,`+rest+`}`) }
		if m.Method == "initialize" {
			answer(`"result":{"protocolVersion":"2025-11-25","capabilities":{}}`)
			return
		}
		if m.Params.Meta[versionKey] == nil {
			answer(plain)
			return
		}
		if got := string(m.Params.Meta[capabilitiesKey]); got != `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}` || string(m.Params.Meta[infoKey]) != `{"name":"old","version":"1"}` ||
			r.Header.Get("MCP-Protocol-Version") != modernVersion || r.Header.Get("Mcp-Method") != m.Method || r.Header.Get("Mcp-Name") != m.Params.Name+m.Params.URI {
			t.Errorf("%s: %v", body, r.Header)
		}
		for _, c := range answersOfBothEras {
			var p struct{ Name, URI, Cursor string }
			_ = json.Unmarshal([]byte(c.params), &p)
			if c.method == m.Method && p.Name == m.Params.Name && p.URI == m.Params.URI && p.Cursor == m.Params.Cursor {
				answer(c.modern)
				return
			}
		}
		t.Errorf("what was asked for is another: %s", body)
	})
	draws, other := start(t, url, nil), start(t, url, nil)
	hello := func(r *rig, capabilities string) {
		r.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"clientInfo":{"name":"old","version":"1"}}}`)
		r.hear()
	}
	hello(draws, drawing)
	hello(other, `{"elicitation":{},"extensions":{"a/b":{}}}`)
	for _, c := range answersOfBothEras {
		params := ""
		if c.params != "" {
			params = `,"params":` + c.params
		}
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q%s}`, c.method, params)
		draws.say(line)
		got, err := draws.out.ReadString('\n')
		if err != nil || !sameJSON(got, `{"jsonrpc":"2.0","id":7,`+c.older+`}`) {
			t.Errorf("%s: %s %v", c.method, got, err)
		}
		if c.method == "tools/call" {
			continue // the other can be asked
		}
		other.say(line)
		if m := other.hear(); string(m.Result) != `{"plain":true}` {
			t.Errorf("%s of a client that draws no cards: %s", c.method, m.Result)
		}
	}
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":null}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","Params":{}}`,
	} {
		draws.say(line)
		if m := draws.hear(); string(m.Result) != `{"plain":true}` {
			t.Errorf("%s: %s", line, m.Result)
		}
	}
	hello(draws, `{}`)
	draws.say(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	if m := draws.hear(); string(m.Result) != `{"plain":true}` {
		t.Errorf("what it declared before is remembered: %s", m.Result)
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// TestAClientOfCardsAloneIsNotAsked: what a server asks of it all the same is answered by nobody.
func TestAClientOfCardsAloneIsNotAsked(t *testing.T) {
	r := asking(t, &asker{}, drawing)
	r.say(sendCall)
	if got := text(t, r.hear()); got != cancelled {
		t.Error(got)
	}
}

// TestIDsComeBackAsTheyWere, whatever the server made of them, and what else an answer holds stays.
func TestIDsComeBackAsTheyWere(t *testing.T) {
	var back, rest string
	url := server(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		if strings.Contains(body, `"stream"`) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n\n", back, rest)
			return
		}
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":`+back+`,`+rest+`}`)
	})
	r := start(t, url, nil)
	for id, changed := range map[string]string{
		"9007199254740993": "9007199254740992", "1e3": "1000", `"é\u0061"`: `"éa"`, "1.0": "1", "5": "null", "-0": "0",
	} {
		for _, method := range []string{"tools/call", "stream"} {
			for _, rest = range []string{`"result":{"n":9007199254740993}`, `"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}`} {
				back = changed
				r.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}`)
				line, err := r.out.ReadString('\n')
				if err != nil || !strings.Contains(line, `"id":`+id) || !strings.Contains(line, rest) {
					t.Errorf("%s: %s %v", id, line, err)
				}
			}
		}
	}
}

// TestWhatIsCancelled: the requests of that id alone, and none where no id is named.
func TestWhatIsCancelled(t *testing.T) {
	r := newRelay(Options{}, func(error) {})
	var ended []string
	for _, id := range []string{"7", `"7"`, "8", ""} {
		m := &message{}
		if id != "" {
			m.id = json.RawMessage(id)
		}
		r.flight[m] = func() { ended = append(ended, id) }
	}
	r.cancel(nil)
	r.cancel(json.RawMessage("9"))
	if r.cancel(json.RawMessage("7")); len(ended) != 1 || ended[0] != "7" {
		t.Errorf("%q", ended)
	}
}

// TestNobodyWaitsForANotification: what the server says of one is not handed on.
func TestNobodyWaitsForANotification(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		answerJSON(w, 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}`)
	})
	out := &lockedBuilder{}
	r := start(t, url, func(o *Options) { o.Out = out })
	r.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if err := r.end(); err != nil || out.String() != "" || r.err.String() != "" {
		t.Errorf("%v: %s%s", err, out, r.err)
	}
}
