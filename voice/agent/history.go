package agent

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

// The bounds of what a model is told of a call. What is older is left out, from one turn of the caller's to the next.
const (
	mostEntries = 80
	mostTold    = 48_000 // characters
	mostHeard   = 2_000  // of one turn of the caller's
)

// entry is one part of the conversation. What the agent said is known once it was heard, and what became of a tool's work once it is done, so it is written out anew for each request.
type entry struct {
	voice.Message
	said []*utterance // of an Agent's: its sentences
}

// history is the conversation as the model is told it. Each call of a tool in it has exactly one answer: that is made with it.
type history struct {
	entries []*entry
	calls   int // so far, which numbers them: a model may use one id twice
}

// caller adds what the caller said, and says whether there was anything in it.
func (h *history) caller(words untrusted.Text) bool {
	text := strings.TrimSpace(clean.UpTo(words.RawForModel(), mostHeard).Text)
	if text == "" {
		return false
	}
	h.add(&entry{Message: voice.Message{Role: voice.Caller, Text: text}})
	return true
}

// agent adds an answer of the model's that is on its way.
func (h *history) agent() *entry { return h.add(&entry{Message: voice.Message{Role: voice.Agent}}) }

// called adds to an answer, which is whole, the tools that it calls, and gives the entries of theirs. Until they are done they say that they are not.
func (h *history) called(e *entry, calls []voice.ToolCall, l lang.Lang) []*entry {
	answers := make([]*entry, len(calls))
	for i, c := range calls {
		h.calls++
		c.ID = fmt.Sprintf("call_%d", h.calls)
		e.Calls = append(e.Calls, c)
		answers[i] = h.add(&entry{Message: voice.Message{Role: voice.Tool, CallID: c.ID, Text: lang.AgentNotDone.In(l), Failed: true}})
	}
	return answers
}

func (h *history) add(e *entry) *entry {
	h.entries = append(h.entries, e)
	return e
}

// messages writes it out, and forgets what is too long ago.
func (h *history) messages(l lang.Lang) []voice.Message {
	out := make([]voice.Message, 0, len(h.entries))
	first, told := 0, 0
	for i := len(h.entries) - 1; i >= 0; i-- {
		if told += utf8.RuneCountInString(h.entries[i].Text); told > mostTold || len(h.entries)-i > mostEntries {
			first = i + 1
			break
		}
	}
	if first > 0 {
		h.entries = since(h.entries, first)
	}
	for _, e := range h.entries {
		m := e.Message
		if e.Role == voice.Agent {
			if m.Text = heard(e.said, l); m.Text == "" && len(m.Calls) == 0 {
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

// since is the conversation from the first turn of the caller's on that is at or behind i, or the last one, if there is none.
func since(entries []*entry, i int) []*entry {
	last := 0
	for j, e := range entries {
		if e.Role != voice.Caller {
			continue
		}
		if last = j; j >= i {
			break
		}
	}
	return entries[last:]
}

// heard is what the caller heard of some sentences.
func heard(said []*utterance, l lang.Lang) string {
	var words []string
	for _, u := range said {
		if w := u.words(); w != "" {
			words = append(words, w)
		}
		if u.cut {
			words = append(words, lang.AgentCut.In(l))
			break
		}
	}
	return strings.Join(words, " ")
}
