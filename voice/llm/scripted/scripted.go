package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
)

// The tools that it calls.
const (
	findContact = "find_contact"
	prepareText = "prepare_text"
	readTexts   = "read_texts"
	endCall     = "end_call"
)

const (
	mostName  = 4    // words of a name
	mostHeard = 4096 // bytes of a turn
	mostSaid  = 300  // characters of a refusal that are said
)

// Engine is a voice.LLM. Its zero value answers in English where the instructions are in no language that it can tell.
type Engine struct {
	Lang lang.Lang
}

var _ voice.LLM = Engine{}

// Reply implements voice.LLM. It answers in the language of the instructions, and never fails but for a context that is over.
func (e Engine) Reply(ctx context.Context, r voice.Request) iter.Seq2[voice.Delta, error] {
	return func(yield func(voice.Delta, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(voice.Delta{}, err)
			return
		}
		said, calls := answer(r.Messages, e.language(r.System))
		if said != "" && !yield(voice.Delta{Text: said}, nil) {
			return
		}
		for i, c := range calls {
			c.ID = fmt.Sprintf("scripted_%d_%d", len(r.Messages), i)
			if !yield(voice.Delta{Call: &c}, nil) {
				return
			}
		}
	}
}

// language tells the language of the instructions by their commonest words.
func (e Engine) language(system string) lang.Lang {
	french, english := 0, 0
	for _, w := range fold.Words(system) {
		switch w {
		case "le", "la", "les", "de", "vous", "et", "est", "un", "une":
			french++
		case "the", "of", "you", "and", "is", "an", "to":
			english++
		}
	}
	switch {
	case french > english:
		return lang.FR
	case english > french:
		return lang.EN
	}
	return e.Lang
}

// answer gives what is to be said and called: after the caller's last turn, or after what the tools have answered since.
func answer(messages []voice.Message, l lang.Lang) (said string, calls []voice.ToolCall) {
	last := -1
	for i, m := range messages {
		if m.Role == voice.Caller {
			last = i
		}
	}
	if last < 0 {
		return "", nil
	}
	heard := understand(messages[last].Text)
	var made []voice.ToolCall
	answers := map[string]voice.Message{}
	for _, m := range messages[last+1:] {
		made = append(made, m.Calls...)
		if m.Role == voice.Tool {
			answers[m.CallID] = m
		}
	}
	if len(made) == 0 {
		if heard.want == wantMore {
			return again(heard, messages[:last], l)
		}
		return begin(heard, l)
	}
	if end := made[len(made)-1]; end.Name != findContact {
		if a := answers[end.ID]; a.Failed {
			return cut(a.Text), nil
		}
		return "", nil // the program itself reads aloud, and ends calls
	}
	var found []match
	for _, c := range made {
		var asked struct {
			Word string `json:"word"`
		}
		if c.Name == findContact && json.Unmarshal(c.Args, &asked) == nil {
			found = append(found, match{fold.Words(asked.Word), names(answers[c.ID])})
		}
	}
	return decide(heard, found, l)
}

// begin is the first answer to a turn.
func begin(u utterance, l lang.Lang) (string, []voice.ToolCall) {
	switch u.want {
	case wantBye:
		return "", []voice.ToolCall{call(endCall, map[string]any{})}
	case wantHelp:
		return spoken.ScriptedHelp.In(l), nil
	case wantStrangers:
		return "", []voice.ToolCall{call(readTexts, map[string]any{"strangers": true})}
	case wantTexts:
		if len(u.words) == 0 {
			return "", []voice.ToolCall{call(readTexts, map[string]any{})}
		}
	case wantSend:
		if u.longest() <= 0 {
			return spoken.ScriptedWords.In(l), nil
		}
	case wantNothing:
		return spoken.ScriptedLost.In(l), nil
	}
	var calls []voice.ToolCall
	for k := u.longest(); k >= u.shortest(); k-- {
		calls = append(calls, call(findContact, map[string]any{"word": u.name(k)}))
	}
	return "", calls
}

// again prepares a text to whom the last one was for.
func again(u utterance, before []voice.Message, l lang.Lang) (string, []voice.ToolCall) {
	body := u.body(1)
	if body == "" {
		return spoken.ScriptedWords.In(l), nil
	}
	for _, m := range slices.Backward(before) {
		for _, c := range slices.Backward(m.Calls) {
			var last struct {
				To string `json:"to"`
			}
			if c.Name == prepareText && json.Unmarshal(c.Args, &last) == nil && last.To != "" {
				return "", []voice.ToolCall{call(prepareText, map[string]any{"to": last.To, "body": body})}
			}
		}
	}
	return spoken.ScriptedNobody.In(l), nil
}

// match is what find_contact answered for a word.
type match struct {
	asked []string
	names []string
}

// decide takes the longest name that is one, of those that were asked for.
func decide(u utterance, found []match, l lang.Lang) (string, []voice.ToolCall) {
	for _, m := range found {
		k := len(m.asked)
		whole := m.meant()
		if len(whole) == 0 {
			continue
		}
		if len(whole) > 1 {
			return spoken.ScriptedWhich.In(l, strings.Join(whole, spoken.ScriptedOr.In(l))), nil
		}
		if u.want == wantTexts {
			return "", []voice.ToolCall{call(readTexts, map[string]any{"contact": whole[0]})}
		}
		body := u.body(k)
		if body == "" {
			return spoken.ScriptedWords.In(l), nil
		}
		return "", []voice.ToolCall{call(prepareText, map[string]any{"to": whole[0], "body": body})}
	}
	return spoken.ScriptedNobody.In(l), nil
}

// meant are the contacts that the words asked for may mean, and not just begin to: one whose name they are, else those that have them as whole words, else, if they are an alias or
// a single word that was misheard, those that were found. Words of which only some are a name mean nobody: "Marie a" is not yet Marie Arsenault.
func (m match) meant() (out []string) {
	loose := true
	for _, name := range m.names {
		words := fold.Words(name)
		if strings.Join(words, " ") == strings.Join(m.asked, " ") {
			return []string{name}
		}
		if all(m.asked, words, func(a, w string) bool { return a == w }) {
			out = append(out, name)
		}
		// A word of the name itself stands in what was asked, so no alias was: it is the name that is only nearly right.
		if some(m.asked, words) {
			loose = false
		}
	}
	if len(out) > 0 || !loose && len(m.asked) > 1 {
		return out
	}
	return m.names
}

func all(asked, words []string, same func(a, w string) bool) bool {
	for _, a := range asked {
		ok := false
		for _, w := range words {
			ok = ok || same(a, w)
		}
		if !ok {
			return false
		}
	}
	return len(asked) > 0
}

func some(asked, words []string) bool {
	for _, a := range asked {
		if all([]string{a}, words, func(a, w string) bool { return a == w }) {
			return true
		}
	}
	return false
}

// names reads what find_contact answers, in either language.
func names(m voice.Message) []string {
	if m.Failed {
		return nil
	}
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		before, after, _ := strings.Cut(lang.ContactsFound.In(l), "%s")
		if rest, ok := strings.CutPrefix(m.Text, before); ok {
			return strings.Split(strings.TrimSuffix(strings.TrimSpace(rest), after), lang.ContactsNext.In(l))
		}
	}
	return nil
}

func call(name string, args map[string]any) voice.ToolCall {
	b, _ := json.Marshal(args) // words and truths cannot fail
	return voice.ToolCall{Name: name, Args: b}
}

func cut(s string) string {
	if r := []rune(s); len(r) > mostSaid {
		return string(r[:mostSaid])
	}
	return s
}
