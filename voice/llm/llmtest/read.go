package llmtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"readback/voice"
)

var tool = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// readOpenAI reads a request for chat completions, and says why the service would not take it, if so.
func readOpenAI(body []byte) (q Request, why string) {
	var in struct {
		Model     string `json:"model"`
		Stream    bool   `json:"stream"`
		MaxTokens int    `json:"max_tokens"`
		Most      int    `json:"max_completion_tokens"`
		Tools     []struct {
			Function struct {
				Name       string         `json:"name"`
				Parameters map[string]any `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
		Messages []struct {
			Role    string  `json:"role"`
			Content *string `json:"content"`
			ID      string  `json:"tool_call_id"`
			Calls   []struct {
				ID       string `json:"id"`
				Type     string `json:"type"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return q, "no JSON of a request"
	}
	q.Model, q.MaxTokens = in.Model, in.MaxTokens+in.Most
	for _, d := range in.Tools {
		q.Tools = append(q.Tools, d.Function.Name)
		if !tool.MatchString(d.Function.Name) || d.Function.Parameters["type"] != "object" {
			why = "a tool of a wrong form"
		}
	}
	for i, m := range in.Messages {
		text := ""
		if m.Content != nil {
			text = *m.Content
		}
		v := voice.Message{Text: text}
		switch m.Role {
		case "system":
			if i != 0 {
				why = "a system message that is not the first"
			}
			q.System = text
			continue
		case "user":
			v.Role = voice.Caller
		case "assistant":
			v.Role = voice.Agent
			for _, c := range m.Calls {
				if c.Type != "function" {
					why = "a call of no function"
				}
				v.Calls = append(v.Calls, voice.ToolCall{ID: c.ID, Name: c.Function.Name, Args: json.RawMessage(c.Function.Arguments)})
			}
			if m.Content == nil && len(m.Calls) == 0 {
				why = "an assistant who says nothing"
			}
		case "tool":
			v.Role, v.CallID = voice.Tool, m.ID
		default:
			why = "a role that there is not"
		}
		if m.Content == nil && m.Role != "assistant" {
			why = "a message without content"
		}
		q.Messages = append(q.Messages, v)
	}
	if w := wrong(q, in.Stream); w != "" {
		why = w
	}
	return q, why
}

// readAnthropic reads a request for a message.
func readAnthropic(body []byte) (q Request, why string) {
	type block struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		ID      string          `json:"id"`
		Name    string          `json:"name"`
		Input   json.RawMessage `json:"input"`
		Answers string          `json:"tool_use_id"`
		IsError bool            `json:"is_error"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	}
	var in struct {
		Model     string  `json:"model"`
		Stream    bool    `json:"stream"`
		MaxTokens int     `json:"max_tokens"`
		System    []block `json:"system"`
		Tools     []struct {
			Name   string         `json:"name"`
			Schema map[string]any `json:"input_schema"`
		} `json:"tools"`
		Messages []struct {
			Role    string  `json:"role"`
			Content []block `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return q, "no JSON of a request"
	}
	q.Model, q.MaxTokens = in.Model, in.MaxTokens
	for _, b := range in.System {
		q.System += b.Text
	}
	for _, d := range in.Tools {
		q.Tools = append(q.Tools, d.Name)
		if !tool.MatchString(d.Name) || d.Schema["type"] != "object" {
			why = "a tool of a wrong form"
		}
	}
	last := ""
	for _, m := range in.Messages {
		if m.Role == last {
			why = "two messages of one role"
		}
		last = m.Role
		if len(m.Content) == 0 {
			why = "an empty message"
		}
		said := voice.Message{Role: map[string]voice.Role{"user": voice.Caller, "assistant": voice.Agent}[m.Role]}
		var texts []string
		for _, b := range m.Content {
			switch {
			case b.Type == "text" && strings.TrimSpace(b.Text) != "":
				texts = append(texts, b.Text)
			case b.Type == "tool_use" && m.Role == "assistant":
				said.Calls = append(said.Calls, voice.ToolCall{ID: b.ID, Name: b.Name, Args: b.Input})
			case b.Type == "tool_result" && m.Role == "user" && len(texts) == 0:
				a := voice.Message{Role: voice.Tool, CallID: b.Answers, Failed: b.IsError}
				for _, c := range b.Content {
					if c.Text == "" {
						why = "an empty text in an answer"
					}
					a.Text += c.Text
				}
				q.Messages = append(q.Messages, a)
			default:
				why = "a block out of place: " + b.Type
			}
		}
		if said.Text = strings.Join(texts, "\n"); said.Text != "" || len(said.Calls) > 0 {
			q.Messages = append(q.Messages, said)
		}
	}
	if w := wrong(q, in.Stream); w != "" {
		why = w
	}
	return q, why
}

// wrong says what both services refuse: a call without its answer right behind it, an answer without a call, names and arguments of a wrong form, a conversation that
// does not begin and end on the user's side.
func wrong(q Request, streams bool) string {
	if q.Model != Model || !streams || q.MaxTokens <= 0 {
		return "no model, no stream, or no bound"
	}
	if len(q.Messages) == 0 || q.Messages[0].Role != voice.Caller || q.Messages[len(q.Messages)-1].Role == voice.Agent {
		return "it does not begin with the user's words, or ends with the model's"
	}
	owed := map[string]bool{}
	seen := map[string]bool{}
	for i, m := range q.Messages {
		if m.Role != voice.Tool && len(owed) > 0 {
			return "a call without an answer"
		}
		if i > 0 && m.Role == q.Messages[i-1].Role && m.Role != voice.Tool {
			return "two messages of one side"
		}
		for _, c := range m.Calls {
			var object map[string]any
			if c.ID == "" || seen[c.ID] || !tool.MatchString(c.Name) || json.Unmarshal(c.Args, &object) != nil || object == nil {
				return fmt.Sprintf("a call of a wrong form at %d", i)
			}
			owed[c.ID], seen[c.ID] = true, true
		}
		if m.Role == voice.Tool {
			if !owed[m.CallID] {
				return "an answer without a call"
			}
			delete(owed, m.CallID)
		}
	}
	if len(owed) > 0 {
		return "a call without an answer at the end"
	}
	return ""
}
