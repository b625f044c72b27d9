package mcptools

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"readback/smsmcp/lang"
)

type kind uint8

const (
	text  kind = iota + 1 // min and max count characters (code points)
	whole                 // a whole number from min to max
	truth
)

// param is one argument of a tool. The schema that clients read and the check that calls go through are both made of it.
type param struct {
	name     string
	about    lang.Message
	kind     kind
	min, max int
	pattern  *regexp.Regexp // of a text
	required bool
}

// schema writes the JSON Schema of the arguments, in the order of the table.
func schema(l lang.Lang, params []param) json.RawMessage {
	var b bytes.Buffer
	var required []string
	b.WriteString(`{"type":"object","properties":{`)
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoted(p.name) + `:` + p.schema(l))
		if p.required {
			required = append(required, p.name)
		}
	}
	b.WriteString(`}`)
	if len(required) > 0 {
		list, _ := json.Marshal(required) // strings cannot fail
		b.WriteString(`,"required":`)
		b.Write(list)
	}
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes()
}

func (p param) schema(l lang.Lang) string {
	s := struct {
		Type        string `json:"type"`
		Description string `json:"description"`
		MinLength   *int   `json:"minLength,omitempty"`
		MaxLength   *int   `json:"maxLength,omitempty"`
		Pattern     string `json:"pattern,omitempty"`
		Minimum     *int   `json:"minimum,omitempty"`
		Maximum     *int   `json:"maximum,omitempty"`
	}{Description: p.about.In(l)}
	switch p.kind {
	case text:
		s.Type, s.MinLength, s.MaxLength = "string", &p.min, &p.max
		if p.pattern != nil {
			s.Pattern = p.pattern.String()
		}
	case whole:
		s.Type, s.Minimum, s.Maximum = "integer", &p.min, &p.max
	case truth:
		s.Type = "boolean"
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // it holds strings and numbers alone
	return strings.TrimSpace(b.String())
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

// check lets through exactly what the schema allows. A refusal names arguments of the table only: nothing that was passed in.
func check(l lang.Lang, params []param, raw any) (args, error) {
	given, ok := raw.(map[string]any)
	if !ok && raw != nil {
		return nil, refusal(lang.ToolNoArguments.In(l))
	}
	known := 0
	for _, p := range params {
		v, ok := given[p.name]
		switch {
		case ok:
			known++
			if sentence := p.refuse(l, v); sentence != "" {
				return nil, refusal(sentence)
			}
		case p.required:
			return nil, refusal(lang.ToolNeeds.In(l, p.name))
		}
	}
	if known != len(given) {
		names := make([]string, len(params))
		for i, p := range params {
			names[i] = p.name
		}
		return nil, refusal(lang.ToolUnknownArgument.In(l, strings.Join(names, ", ")))
	}
	return given, nil
}

func (p param) refuse(l lang.Lang, v any) string {
	switch p.kind {
	case text:
		s, ok := v.(string)
		if n := utf8.RuneCountInString(s); !ok || n < p.min || n > p.max {
			return lang.ToolText.In(l, p.name, p.min, p.max)
		}
		if p.pattern != nil && !p.pattern.MatchString(s) {
			return lang.ToolPattern.In(l, p.name)
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

// quoted is s as a JSON string: on one line, exact, and closed by its own quote whatever it holds.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
