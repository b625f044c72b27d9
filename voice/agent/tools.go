package agent

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/aloud"
)

// The tools, by name.
const (
	findContact = "find_contact"
	prepareText = "prepare_text"
	readTexts   = "read_texts"
	endCall     = "end_call"
)

const (
	mostWord = 100  // characters of a name or a word of one: an alias has 40 at most
	mostDays = 3650 // of read_texts
	mostArgs = 8192 // bytes of all arguments
)

// tool is something that the model may have done. Its work is that of a helper: it may wait, and touches nothing of the conversation's.
type tool struct {
	name   string
	about  lang.Message
	params []param
	work   func(*errand) result
}

// tools is the table. None takes a number or a yes (invariants 2 and 5), and none sends.
var tools = []tool{
	{name: findContact, about: lang.AgentFind, work: find,
		params: []param{{name: "word", about: lang.FindContactWord, kind: text, min: 1, max: mostWord, required: true}}},
	{name: prepareText, about: lang.AgentPrepare, work: prepare,
		params: []param{
			{name: "to", about: lang.AgentPrepareTo, kind: text, min: 1, max: mostWord, required: true},
			{name: "body", about: lang.AgentPrepareBody, kind: text, min: 1, max: aloud.MaxRunes, required: true},
		}},
	{name: readTexts, about: lang.AgentRead, work: read,
		params: []param{
			{name: "contact", about: lang.AgentReadContact, kind: text, min: 1, max: mostWord},
			{name: "days", about: lang.AgentReadDays, kind: whole, min: 0, max: mostDays},
			{name: "strangers", about: lang.AgentReadStrangers, kind: truth},
		}},
	{name: endCall, about: lang.AgentEnd, work: hangUp},
}

func toolDefs(l lang.Lang) []voice.ToolDef {
	out := make([]voice.ToolDef, len(tools))
	for i, t := range tools {
		out[i] = voice.ToolDef{Name: t.name, Description: t.about.In(l), Schema: schema(l, t.params)}
	}
	return out
}

// named gives the tool that is called so.
func named(name string) (tool, bool) {
	for _, t := range tools {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}

func toolNames() string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	return strings.Join(names, ", ")
}

type kind uint8

const (
	text  kind = iota + 1 // of min to max characters
	whole                 // a whole number from min to max
	truth
)

// param is one argument of a tool. The schema that the model reads and the check that a call goes through are both made of it.
type param struct {
	name     string
	about    lang.Message
	kind     kind
	min, max int
	required bool
}

// schema is the JSON Schema of some arguments.
func schema(l lang.Lang, params []param) json.RawMessage {
	properties, required := map[string]any{}, []string{}
	for _, p := range params {
		s := map[string]any{"description": p.about.In(l)}
		switch p.kind {
		case text:
			s["type"], s["minLength"], s["maxLength"] = "string", p.min, p.max
		case whole:
			s["type"], s["minimum"], s["maximum"] = "integer", p.min, p.max
		case truth:
			s["type"] = "boolean"
		}
		properties[p.name] = s
		if p.required {
			required = append(required, p.name)
		}
	}
	out, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}) // strings and numbers cannot fail
	return out
}

// args are arguments that went through check.
type args map[string]any

func (a args) text(name string) string { s, _ := a[name].(string); return s }
func (a args) truth(name string) bool  { v, _ := a[name].(bool); return v }
func (a args) whole(name string, fallback int) int {
	if v, ok := a[name].(float64); ok {
		return int(v)
	}
	return fallback
}

// check lets through exactly what the schema allows. Its refusal, which is empty otherwise, names arguments of the table alone: nothing that was passed in (invariant 13).
func check(l lang.Lang, params []param, raw json.RawMessage) (args, string) {
	given := map[string]any{}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 {
		if len(raw) > mostArgs || raw[0] != '{' || json.Unmarshal(raw, &given) != nil {
			return nil, lang.ToolNoArguments.In(l)
		}
	}
	known, names := 0, make([]string, len(params))
	for i, p := range params {
		names[i] = p.name
		v, ok := given[p.name]
		switch {
		case ok:
			known++
			if sentence := p.refuse(l, v); sentence != "" {
				return nil, sentence
			}
		case p.required:
			return nil, lang.ToolNeeds.In(l, p.name)
		}
	}
	if known != len(given) {
		return nil, lang.ToolUnknownArgument.In(l, strings.Join(names, ", "))
	}
	return given, ""
}

func (p param) refuse(l lang.Lang, v any) string {
	switch p.kind {
	case text:
		s, ok := v.(string)
		if n := utf8.RuneCountInString(s); !ok || n < p.min || n > p.max {
			return lang.ToolText.In(l, p.name, p.min, p.max)
		}
	case whole:
		f, ok := v.(float64)
		if !ok || f != float64(int(f)) || int(f) < p.min || int(f) > p.max {
			return lang.ToolNumber.In(l, p.name, p.min, p.max)
		}
	case truth:
		if _, ok := v.(bool); !ok {
			return lang.ToolTruth.In(l, p.name)
		}
	}
	return ""
}
