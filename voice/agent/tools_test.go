package agent

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

func TestInvariant02And05ParametersOfEveryTool(t *testing.T) {
	want := map[string][]string{
		"find_contact": {"word"},
		"prepare_text": {"to", "body"},
		"read_texts":   {"contact", "days", "strangers"},
		"end_call":     {},
	}
	suspect := regexp.MustCompile(`(?i)phone|number|numero|numéro|tel|msisdn|sms_?to|recipient|confirm|approve|consent|\byes\b|\boui\b|pass|pin|token|force|override|skip|send`)
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		defs := toolDefs(l)
		if len(defs) != len(want) {
			t.Fatalf("%d tools", len(defs))
		}
		for _, d := range defs {
			var s struct {
				Type                 string
				AdditionalProperties *bool
				Required             []string
				Properties           map[string]struct {
					Type                                   string
					Description                            string
					MinLength, MaxLength, Minimum, Maximum *int
				}
			}
			if err := json.Unmarshal(d.Schema, &s); err != nil {
				t.Fatal(err)
			}
			if s.Type != "object" || s.AdditionalProperties == nil || *s.AdditionalProperties || s.Required == nil || suspect.MatchString(d.Name) || d.Description == "" {
				t.Errorf("%s: %s", d.Name, d.Schema)
			}
			for name, p := range s.Properties {
				bounded := p.Type == "boolean" || p.Type == "string" && p.MaxLength != nil && p.MinLength != nil || p.Type == "integer" && p.Minimum != nil && p.Maximum != nil
				if suspect.MatchString(name) || !bounded || p.Description == "" {
					t.Errorf("%s.%s", d.Name, name)
				}
			}
			for _, name := range want[d.Name] {
				if _, ok := s.Properties[name]; !ok {
					t.Errorf("%s lacks %s", d.Name, name)
				}
				delete(s.Properties, name)
			}
			if len(s.Properties) > 0 {
				t.Errorf("%s also takes %v", d.Name, s.Properties)
			}
		}
	}
}

func TestCheckLetsThroughWhatTheSchemaAllows(t *testing.T) {
	for _, c := range []struct{ tool, args string }{
		{findContact, `{"word":"m"}`}, {prepareText, `{"to":"Marie","body":"` + strings.Repeat("é", 320) + `"}`},
		{readTexts, ``}, {readTexts, `{}`}, {readTexts, ` {"days":0,"strangers":false,"contact":"Marie"} `}, {readTexts, `{"days":3650}`}, {endCall, `{}`},
	} {
		found, _ := named(c.tool)
		if _, refusal := check(lang.EN, found.params, json.RawMessage(c.args)); refusal != "" {
			t.Errorf("%s(%s): %s", c.tool, c.args, refusal)
		}
	}
	found, _ := named(readTexts)
	for _, raw := range []string{`{"days":3651}`, `{"days":-1}`, `{"days":1e300}`, `{"days":"1"}`, `{"strangers":1}`, `{"contact":""}`, `{"contact":null}`, `[]`, `null`, `1`, `{`, `{} {}`, `{"x":` + strings.Repeat("1", 9000) + `}`} {
		if _, refusal := check(lang.FR, found.params, json.RawMessage(raw)); refusal == "" {
			t.Errorf("%.40s is let through", raw)
		}
	}
}

func TestHistoryIsBounded(t *testing.T) {
	h := &history{}
	for i := range 200 {
		h.caller(untrusted.New(fmt.Sprintf("request %d", i)))
		e := h.agent()
		for _, a := range h.called(e, []voice.ToolCall{{ID: "same", Name: readTexts}, {ID: "same", Name: findContact}}, lang.EN) {
			a.Text = strings.Repeat("x", 10+i%7*1000)
		}
		h.agent().said = []*utterance{{parts: []voice.Part{{Text: "There."}}}}
		got := h.messages(lang.EN)
		chars, open := 0, map[string]bool{}
		for j, m := range got {
			chars += len(m.Text)
			if j == 0 && m.Role != voice.Caller {
				t.Fatalf("after %d: it begins with the %v", i, m.Role)
			}
			for _, c := range m.Calls {
				if open[c.ID] {
					t.Fatalf("two calls are %s", c.ID)
				}
				open[c.ID] = true
			}
			if m.Role == voice.Tool {
				if !open[m.CallID] {
					t.Fatalf("after %d: an answer to nothing", i)
				}
				delete(open, m.CallID)
			}
		}
		if len(open) > 0 || len(got) > mostEntries || chars > mostTold+10_000 || !strings.HasSuffix(got[len(got)-5].Text, fmt.Sprint(" ", i)) {
			t.Fatalf("after %d: %d messages of %d characters, %d calls without an answer", i, len(got), chars, len(open))
		}
	}
	if len(h.entries) > 2*mostEntries {
		t.Errorf("%d entries are kept", len(h.entries))
	}
}

func TestWhatTheCallerSaidIsCleaned(t *testing.T) {
	h := &history{}
	if h.caller(untrusted.New(" \u200b\n ")) {
		t.Error("nothing was said")
	}
	h.caller(untrusted.New("tell\u202e Marie\n" + strings.Repeat("x", 5000)))
	if got := h.messages(lang.EN); len(got) != 1 || !strings.HasPrefix(got[0].Text, "tell Marie x") || len(got[0].Text) > mostHeard+10 {
		t.Errorf("%.60q", got[0].Text)
	}
}
