package relay

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// asker is a server that asks of each tool call once what its client answers, and tells of the answer.
type asker struct {
	mu     sync.Mutex
	bodies []string // of tool calls
	always bool     // it asks again and again
	other  bool     // it asks for what is no question
}

func (a *asker) serve(w http.ResponseWriter, r *http.Request, body string) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			InputResponses map[string]json.RawMessage
			RequestState   string
			Meta           map[string]json.RawMessage `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(body), &m)
	answer := func(result string) {
		answerJSON(w, 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
	}
	if m.Method == "initialize" {
		answer(`{"protocolVersion":"2025-11-25","capabilities":{}}`)
		return
	}
	a.mu.Lock()
	a.bodies = append(a.bodies, body)
	a.mu.Unlock()
	said := m.Params.InputResponses["owner"]
	switch {
	case m.Params.Meta[versionKey] == nil:
		answer(`{"content":[{"type":"text","text":"not asked"}]}`)
	case r.Header.Get("MCP-Protocol-Version") != "2026-07-28" || r.Header.Get("Mcp-Method") != "tools/call" || r.Header.Get("Mcp-Name") != "send_text":
		answerJSON(w, 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"headers"}}`)
	case a.other:
		answer(`{"resultType":"input_required","requestState":"s","inputRequests":{"owner":{"method":"sampling/createMessage","params":{}}}}`)
	case said == nil || a.always:
		answer(`{"resultType":"input_required","content":[],"requestState":"s-1","inputRequests":{"owner":{"method":"elicitation/create","params":{"message":"Send «é»?","requestedSchema":{"type":"object"}}}}}`)
	case m.Params.RequestState != "s-1":
		answer(`{"resultType":"complete","content":[{"type":"text","text":"lost the state"}]}`)
	default:
		answer(`{"resultType":"complete","content":[{"type":"text","text":` + string(mustJSON(string(said))) + `}]}`)
	}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

const sendCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"send_text","arguments":{"to":"Papa","body":"é"},"_meta":{"progressToken":3}}}`

// asking starts a relay whose client declared so much in initialize.
func asking(t *testing.T, a *asker, capabilities string) *rig {
	t.Helper()
	r := start(t, server(t, a.serve), nil)
	r.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"clientInfo":{"name":"old","version":"1"}}}`)
	if m := r.hear(); m.Result == nil {
		t.Fatal(m)
	}
	return r
}

// question is what the client is asked.
func (r *rig) question() (id string, params string) {
	r.t.Helper()
	line, err := r.out.ReadString('\n')
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	if err != nil || json.Unmarshal([]byte(line), &m) != nil || m.Method != "elicitation/create" {
		r.t.Fatalf("no question: %q %v", line, err)
	}
	return string(m.ID), string(m.Params)
}

func text(t *testing.T, m reply) string {
	t.Helper()
	var result struct {
		Content    []struct{ Text string }
		ResultType string
	}
	if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) != 1 || result.ResultType != "" || string(m.ID) != "7" {
		t.Fatalf("%s: %s", m.ID, m.Result)
	}
	return result.Content[0].Text
}

func TestAnOlderClientIsAsked(t *testing.T) {
	const accept = `{"action":"accept","content":{"answer":"send"}}`
	for answer, want := range map[string]string{
		`"result":` + accept:                             accept,
		`"result":{"action":"decline"}`:                  `{"action":"decline"}`,
		`"result":{"action":"cancel"}`:                   `{"action":"cancel"}`,
		`"error":{"code":-32603,"message":"broke"}`:      cancelled,
		`"result":null`:                                  `null`,
		`"error":{"code":1,"message":"x"},"result":null`: `null`,
	} {
		a := &asker{}
		r := asking(t, a, `{"elicitation":{},"extensions":{"a/b":{"c":1}},"sampling":"odd"}`)
		r.say(sendCall)
		id, params := r.question()
		if params != `{"message":"Send «é»?","requestedSchema":{"type":"object"}}` {
			t.Errorf("what is asked: %s", params)
		}
		r.say(`{"jsonrpc":"2.0","id":` + id + `,` + answer + `}`)
		if got := text(t, r.hear()); got != want {
			t.Errorf("%s: the server hears %s", answer, got)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
		var m struct {
			Params struct {
				Name      string
				Arguments json.RawMessage
				Meta      map[string]json.RawMessage `json:"_meta"`
			}
		}
		for _, body := range a.bodies {
			if err := json.Unmarshal([]byte(body), &m); err != nil || string(m.Params.Arguments) != `{"to":"Papa","body":"é"}` || string(m.Params.Meta["progressToken"]) != "3" ||
				string(m.Params.Meta[infoKey]) != `{"name":"old","version":"1"}` || string(m.Params.Meta[capabilitiesKey]) != `{"elicitation":{},"extensions":{"a/b":{"c":1}}}` {
				t.Errorf("%s", body)
			}
		}
		if len(a.bodies) != 2 {
			t.Errorf("%d calls", len(a.bodies))
		}
	}
}

func TestWhoIsNotAsked(t *testing.T) {
	for _, capabilities := range []string{`{}`, `{"elicitation":null}`, `{"elicitation":{"url":{}}}`, `{"elicitation":true}`, `{"elicitation":[]}`, `[]`, `{"Xelicitation":{}}`} {
		a := &asker{}
		r := asking(t, a, capabilities)
		r.say(sendCall)
		if got := text(t, r.hear()); got != "not asked" || a.bodies[0] != sendCall {
			t.Errorf("%s: %s %s", capabilities, got, a.bodies)
		}
	}
	for name, line := range map[string]string{
		"a call of the modern era": strings.Replace(sendCall, `"progressToken":3`, `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, 1),
		"another method":           strings.Replace(sendCall, "tools/call", "tools/list", 1),
		"parameters of no form":    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`,
		"odd _meta":                `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":4}}`,
	} {
		a := &asker{}
		r := asking(t, a, `{"elicitation":{}}`)
		r.say(line)
		r.hear()
		if a.bodies[0] != line {
			t.Errorf("%s: %s", name, a.bodies)
		}
	}
}

// TestAnOlderClientBringsNoAnswer: what it puts beside its arguments is not taken for an answer.
func TestAnOlderClientBringsNoAnswer(t *testing.T) {
	a := &asker{}
	r := asking(t, a, `{"elicitation":{}}`)
	r.say(strings.Replace(sendCall, `"name"`, `"RequestState":"s-1","InputResponses":{"owner":{"action":"accept"}},"requestState":"s-1","inputResponses":{"owner":{"action":"accept","content":{"answer":"send"}}},"name"`, 1))
	id, _ := r.question()
	r.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"cancel"}}`)
	if got := text(t, r.hear()); got != cancelled {
		t.Error(got)
	}
}

func TestAServerThatAsksTooMuch(t *testing.T) {
	a := &asker{always: true}
	r := asking(t, a, `{"elicitation":{}}`)
	r.say(sendCall)
	for range mostRounds {
		id, _ := r.question()
		r.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"}}`)
	}
	if m := r.hear(); m.Error == nil || string(m.ID) != "7" {
		t.Error(m)
	}
	r = asking(t, &asker{other: true}, `{"elicitation":{}}`)
	r.say(sendCall)
	if m := r.hear(); m.Error == nil || string(m.ID) != "7" {
		t.Error(m)
	}
}

// TestACancelledCallTakesItsQuestionBack, and what is answered to it later goes to nobody.
func TestACancelledCallTakesItsQuestionBack(t *testing.T) {
	a := &asker{}
	r := asking(t, a, `{"elicitation":{}}`)
	r.say(sendCall)
	id, _ := r.question()
	r.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	line, err := r.out.ReadString('\n')
	if err != nil || !strings.Contains(line, `"notifications/cancelled"`) || !strings.Contains(line, `"requestId":`+id) {
		t.Fatal(line, err)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if len(a.bodies) != 1 {
		t.Errorf("%d calls", len(a.bodies))
	}
}

// TestQuestionsAreBounded: more of them than a client may have open are answered by nobody, other calls go on, and nothing waits for a client that is gone.
func TestQuestionsAreBounded(t *testing.T) {
	a := &asker{}
	r := asking(t, a, `{"elicitation":{}}`)
	for i := range mostAsked {
		r.say(strings.Replace(sendCall, `"id":7`, fmt.Sprintf(`"id":%d`, 100+i), 1))
		r.question()
	}
	r.say(sendCall)
	if got := text(t, r.hear()); got != cancelled {
		t.Error(got)
	}
	for range 2 * mostTaken {
		r.say(sendCall)
		if got := text(t, r.hear()); got != cancelled {
			t.Fatal(got)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, r.out) }()
	if err := r.end(); err != nil {
		t.Error(err)
	}
}

// TestAQuestionThatNobodyAnswers ends by itself.
func TestAQuestionThatNobodyAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &lockedBuilder{}
		r := newRelay(Options{Out: out}, func(error) {})
		begin := time.Now()
		if got := string(r.put(t.Context(), json.RawMessage(`{}`))); got != cancelled || time.Since(begin) != askedFor {
			t.Errorf("%s after %s", got, time.Since(begin))
		}
		if !strings.Contains(out.String(), "notifications/cancelled") || len(r.asked.open) != 0 {
			t.Error(out.String(), r.asked.open)
		}
	})
}

// TestANewInitializeForgetsTheOld: what is asked is what the client declared last.
func TestANewInitializeForgetsTheOld(t *testing.T) {
	a := &asker{}
	r := asking(t, a, `{"elicitation":{}}`)
	r.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
	r.hear()
	r.say(sendCall)
	if got := text(t, r.hear()); got != "not asked" {
		t.Error(got)
	}
}

func FuzzBridge(f *testing.F) {
	for _, s := range []string{sendCall, `{"id":1,"method":"tools/call","params":{}}`, `{"id":1,"method":"tools/call","params":null}`, `{"id":1,"method":"tools/call","params":{"_meta":null,"INPUTRESPONSES":1}}`,
		`{"id":1,"method":"tools/call","Params":{"name":"a"}}`, `{"id":"\u2028","method":"tools/call","params":{"name":"\n"}}`} {
		f.Add([]byte(s))
	}
	can := &declared{Info: json.RawMessage(`{"name":"old"}`)}
	can.Capabilities.Elicitation = json.RawMessage(`{}`)
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := parse(line)
		if err != nil {
			return
		}
		r := newRelay(Options{}, func(error) {})
		r.asked.settle(can)
		b := r.bridge(m)
		if !b.bridged {
			if string(b.line) != string(m.line) {
				t.Fatal("changed, and not put into the modern era")
			}
			return
		}
		again, err := parse(b.line)
		if err != nil || again.version != modernVersion || string(again.id) != string(m.id) || again.name != m.name || strings.ContainsAny(string(b.line), "\n\r") {
			t.Fatalf("%q: %q %v", line, b.line, err)
		}
		var p struct {
			Params map[string]json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(b.line, &p); err != nil {
			t.Fatal(err)
		}
		for name := range p.Params {
			if strings.EqualFold(name, "requestState") || strings.EqualFold(name, "inputResponses") {
				t.Fatalf("%q brings an answer", b.line)
			}
		}
	})
}
