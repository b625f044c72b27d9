package llm_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/llm"
	. "readback/voice/llm/llmtest"
)

func said(r voice.Role, text string, calls ...voice.ToolCall) voice.Message {
	return voice.Message{Role: r, Text: text, Calls: calls}
}

func called(id, name, args string) voice.ToolCall {
	return voice.ToolCall{ID: id, Name: name, Args: json.RawMessage(args)}
}

func answered(id, text string, failed bool) voice.Message {
	return voice.Message{Role: voice.Tool, CallID: id, Text: text, Failed: failed}
}

// conversations, and what stands on the wire of each: a line for each message.
var conversations = map[string]struct {
	m    []voice.Message
	want string
}{
	"nothing at all": {nil, "caller (The call begins.)"},
	"a greeting first": {[]voice.Message{said(voice.Agent, "Hello."), said(voice.Caller, "hi")},
		"caller (The call begins.)|agent Hello.|caller hi"},
	"the agent last": {[]voice.Message{said(voice.Caller, "hi"), said(voice.Agent, "Hello.")},
		"caller hi|agent Hello.|caller (The caller waits.)"},
	"twice the same": {[]voice.Message{said(voice.Caller, "a"), said(voice.Caller, "b"), said(voice.Agent, "c"), said(voice.Agent, " d "), said(voice.Caller, " \n"), said(voice.Caller, "e")},
		"caller a\nb|agent c\nd|caller e"},
	"calls and answers": {[]voice.Message{said(voice.Caller, "a"), said(voice.Agent, "I look.", called("1", "find_contact", `{"word":"x"}`), called("2", "end_call", `{}`)), answered("1", "found", false), answered("2", "no", true), said(voice.Caller, "b")},
		`caller a|agent I look. 1 find_contact {"word":"x"} 2 end_call {}|tool 1 found|tool 2 no!|caller b`},
	"an answer that came late": {[]voice.Message{said(voice.Caller, "a"), said(voice.Agent, "", called("1", "f", `{}`)), said(voice.Caller, "b"), answered("1", "done", false)},
		`caller a|agent 1 f {}|tool 1 done|caller b`},
	"a call without an answer": {[]voice.Message{said(voice.Caller, "a"), said(voice.Agent, "I look.", called("1", "f", `{}`)), said(voice.Caller, "b")},
		"caller a|agent I look.|caller b"},
	"an answer without a call": {[]voice.Message{said(voice.Caller, "a"), answered("9", "what", false), said(voice.Caller, "b")},
		"caller a\nb"},
	"a call twice": {[]voice.Message{said(voice.Caller, "a"), said(voice.Agent, "", called("1", "f", `{}`)), answered("1", "x", false), said(voice.Agent, "b", called("1", "f", `{}`)), said(voice.Caller, "c")},
		"caller a|agent 1 f {}|tool 1 x|agent b|caller c"},
	"calls of no form": {[]voice.Message{said(voice.Caller, "a"), said(voice.Agent, "", called("1", "rm -rf", `nonsense`), called("2", "", `[1]`), called("3", "f", `null`)), answered("1", "no", true), answered("2", "no", true), answered("3", "", true)},
		`caller a|agent 1 unknown_tool {} 2 unknown_tool {} 3 f {}|tool 1 no!|tool 2 no!|tool 3 !`},
}

// line writes what stood on a wire. OpenAI's has no word for a refusal.
func line(w Wire, all []voice.Message) string {
	var out []string
	for _, m := range all {
		s := m.Role.String()
		for _, part := range []string{m.CallID, m.Text} {
			if part != "" {
				s += " " + part
			}
		}
		if m.Role == voice.Tool && m.Text == "" {
			s += " "
		}
		for _, c := range m.Calls {
			s += fmt.Sprintf(" %s %s %s", c.ID, c.Name, c.Args)
		}
		if m.Failed && w == Anthropic {
			s += "!"
		}
		out = append(out, s)
	}
	return strings.Join(out, "|")
}

func TestConversationsOnTheWire(t *testing.T) {
	each(t, llm.Limits{}, steps(Text("fine")), func(t *testing.T, s *Server, e engine) {
		w := Anthropic
		if strings.HasSuffix(s.URL, "/v1") {
			w = OpenAI
		}
		for name, c := range conversations {
			r := hello
			r.Messages, r.MaxTokens = c.m, 77
			if _, err := all(t.Context(), e, r); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			want := c.want
			if w == OpenAI {
				want = strings.ReplaceAll(want, "!", "")
			}
			asked := s.Asked()
			if got := asked[len(asked)-1]; line(w, got.Messages) != want || got.MaxTokens != 77 {
				t.Errorf("%s:\n got %s\nwant %s", name, line(w, got.Messages), want)
			}
		}
	})
}

// TestNoConversationIsRefused tells conversations that were thrown together: neither service refuses one.
func TestNoConversationIsRefused(t *testing.T) {
	each(t, llm.Limits{}, steps(Text("fine")), func(t *testing.T, _ *Server, e engine) {
		rng := rand.New(rand.NewPCG(7, 11))
		for range 150 {
			r := hello
			r.Messages = nil
			for i := range rng.IntN(12) {
				m := voice.Message{Role: voice.Role(rng.IntN(4)), Text: []string{"", " ", "a", "é\x00\n"}[rng.IntN(4)]}
				switch m.Role {
				case voice.Agent:
					for j := range rng.IntN(3) {
						m.Calls = append(m.Calls, called(fmt.Sprintf("c%d_%d", i, j), []string{"f", "", "é", "a b"}[rng.IntN(4)], []string{"", "{}", "[", "7", `{"a":1}`}[rng.IntN(5)]))
					}
				case voice.Tool:
					m.CallID, m.Failed = fmt.Sprintf("c%d_%d", rng.IntN(12), rng.IntN(2)), rng.IntN(2) == 0
				case voice.Nobody, voice.Caller:
				}
				r.Messages = append(r.Messages, m)
			}
			if got, err := all(t.Context(), e, r); err != nil || len(got) != 1 {
				t.Fatalf("%+v: %v", r.Messages, err)
			}
		}
	})
}

func TestTurnsInFrench(t *testing.T) {
	turns := llm.Turns(nil, lang.FR)
	if len(turns) != 1 || turns[0].Texts[0] != lang.LLMBegins.FR {
		t.Errorf("%+v", turns)
	}
}
