package llm

import (
	"encoding/json"
	"regexp"
	"strings"

	"readback/smsmcp/lang"
	"readback/voice"
)

// Turn is what one side says before the other does, as every service takes it: the sides alternate, and the user's comes first and last.
type Turn struct {
	Agent   bool             // the model's own; otherwise the user's
	Answers []voice.Message  // of the user's: what tools answered, one for each call of the turn before
	Texts   []string         // what was said; none of them blank
	Calls   []voice.ToolCall // of the model's; each has an answer in the next turn
}

var (
	nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	noName   = "unknown_tool"
)

// Turns tells a conversation in turns. Services refuse a conversation in which a call has no answer, an answer no call, or a call a name or arguments of another form than
// theirs; a model may have made such a call, and a caller may have cut one off. So calls without an answer and answers without a call are left out, an answer stands right
// behind its call, and a call that no service would take back is told as one of no known tool, or without arguments.
func Turns(messages []voice.Message, l lang.Lang) []Turn {
	answers := map[string]voice.Message{}
	for _, m := range messages {
		if _, twice := answers[m.CallID]; m.Role == voice.Tool && !twice {
			answers[m.CallID] = m
		}
	}
	t := telling{}
	for _, m := range messages {
		switch m.Role {
		case voice.Caller:
			t.say(false, m.Text)
		case voice.Agent:
			t.say(true, m.Text)
			var got []voice.Message
			for _, c := range m.Calls {
				if a, ok := answers[c.ID]; ok {
					delete(answers, c.ID)
					last := t.turn(true)
					last.Calls = append(last.Calls, told(c))
					got = append(got, a)
				}
			}
			if len(got) > 0 {
				last := t.turn(false)
				last.Answers = append(last.Answers, got...)
			}
		case voice.Nobody, voice.Tool: // a tool's answer stands with its call
		}
	}
	if len(t) == 0 || t[0].Agent {
		t = append(telling{{Texts: []string{lang.LLMBegins.In(l)}}}, t...)
	}
	if t[len(t)-1].Agent {
		t.say(false, lang.LLMGoOn.In(l))
	}
	return t
}

type telling []Turn

func (t *telling) turn(agent bool) *Turn {
	if n := len(*t); n == 0 || (*t)[n-1].Agent != agent {
		*t = append(*t, Turn{Agent: agent})
	}
	return &(*t)[len(*t)-1]
}

func (t *telling) say(agent bool, text string) {
	if text = strings.TrimSpace(text); text != "" {
		last := t.turn(agent)
		last.Texts = append(last.Texts, text)
	}
}

func told(c voice.ToolCall) voice.ToolCall {
	if !nameForm.MatchString(c.Name) {
		c.Name = noName
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(c.Args, &object) != nil || object == nil {
		c.Args = json.RawMessage("{}")
	}
	return c
}
