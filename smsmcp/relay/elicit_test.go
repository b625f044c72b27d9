package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
)

// asker is a server that asks of each tool call once what its client answers, and tells of the answer.
type asker struct {
	mu     sync.Mutex
	bodies []string // of tool calls
	always bool     // it asks again and again
	other  string   // it answers so, which is no question
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
	case a.other != "":
		answer(a.other)
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

// asks is a client that can be asked.
var asks = func() *declared {
	d := &declared{}
	d.Capabilities.Elicitation = json.RawMessage(`{}`)
	return d
}()

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
	if m := r.hear(); m.Error == nil || m.Error.Message != lang.RelayAsks.EN || string(m.ID) != "7" || len(a.bodies) != mostRounds+1 {
		t.Error(m, len(a.bodies))
	}
	for result, name := range map[string]string{
		`{"resultType":"input_required","requestState":"s","inputRequests":{"owner":{"method":"sampling/createMessage","params":{}}}}`: "what is no question",
		`{"resultType":"input_required","requestState":"s"}`:                                                                           "nothing",
		`{"resultType":"input_required","requestState":"s","inputRequests":{}}`:                                                        "nothing, in an empty list",
	} {
		a := &asker{other: result}
		r = asking(t, a, `{"elicitation":{}}`)
		r.say(sendCall)
		if m := r.hear(); m.Error == nil || m.Error.Message != lang.RelayAsks.EN || string(m.ID) != "7" || len(a.bodies) != 1 {
			t.Error(name, m, len(a.bodies))
		}
	}
}

// TestOneIDTwice: a client that uses an id for two requests can take the second back still when the first is over.
func TestOneIDTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		defer client.Close()
		out, leave := &lockedBuilder{}, make(held)
		close(leave)
		r := newRelay(Options{In: in, Out: out, Err: io.Discard, Token: func() (string, error) { return "t", nil }}, nil)
		r.asked.settle(asks)
		r.client.Transport = asksOnce{leave}
		go func() { _ = r.readAll(t.Context()) }()
		say := func(line string) {
			_, _ = io.WriteString(client, line+"\n")
			synctest.Wait()
		}
		say(sendCall)
		say(sendCall)
		say(`{"jsonrpc":"2.0","id":"readback-1","result":{"action":"cancel"}}`)
		if got := out.String(); strings.Count(got, createMethod) != 2 || strings.Count(got, `"result"`) != 1 {
			t.Fatal(got)
		}
		say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		if got := out.String(); !strings.HasSuffix(got, `"method":"notifications/cancelled","params":{"requestId":"readback-2"}}`+"\n") || len(r.flight) != 0 {
			t.Error(got, len(r.flight))
		}
	})
}

// TestQuestionsOfAClientThatIsGone: what the server asks for after the client's last line is answered by nobody at once, so that the relay ends.
func TestQuestionsOfAClientThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, leave := &lockedBuilder{}, make(held)
		r := newRelay(Options{In: strings.NewReader(sendCall + "\n"), Out: out, Err: io.Discard, Token: func() (string, error) { return "t", nil }}, nil)
		r.asked.settle(asks)
		r.client.Transport = asksOnce{leave}
		begin := time.Now()
		if err := r.readAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		close(leave)
		r.pending.Wait()
		if d := time.Since(begin); d != 0 || strings.Contains(out.String(), createMethod) || !strings.Contains(out.String(), `"result"`) {
			t.Errorf("after %s: %s", d, out)
		}
	})
}

// asksOnce asks once it is let go, and is content with any answer.
type asksOnce struct{ held }

func (a asksOnce) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil || strings.Contains(string(body), "inputResponses") {
		return a.held.RoundTrip(r)
	}
	resp, err := a.held.RoundTrip(r)
	resp.Body = io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"owner":{"method":"elicitation/create","params":{}}}}}`))
	return resp, err
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
		r.asked.settle(asks)
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
		`{"id":1,"method":"tools/call","Params":{"name":"a"}}`, `{"id":"\u2028","method":"tools/call","params":{"name":"\n"}}`, `{"id":1,"method":"tools/list"}`,
		`{"id":1,"method":"tools/call","params":{"name":"a"},"Params":{"inputResponses":{}}}`} {
		f.Add([]byte(s))
	}
	can := &declared{Info: json.RawMessage(`{"name":"old"}`)}
	can.Capabilities.Elicitation, can.Capabilities.Extensions = json.RawMessage(`{}`), json.RawMessage(`{"`+cardsExtension+`":{}}`)
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
		var top map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal(b.line, &p), json.Unmarshal(b.line, &top)); err != nil {
			t.Fatal(err)
		}
		for name := range top {
			if name != "params" && strings.EqualFold(name, "params") {
				t.Fatalf("%q has two kinds of parameters", b.line)
			}
		}
		for name := range p.Params {
			if strings.EqualFold(name, "requestState") || strings.EqualFold(name, "inputResponses") {
				t.Fatalf("%q brings an answer", b.line)
			}
		}
	})
}
