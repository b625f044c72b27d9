package show

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/page/body"
	"readback/voice"
)

// MostBytes is how long a message is at most: less than what every data channel takes whole.
const MostBytes = 12 << 10

// The kinds of messages, each of which begins with its number, from 1 on.
type (
	head struct {
		N    int    `json:"n"`
		Kind string `json:"kind"`
	}
	turn struct {
		head
		Role  string `json:"role"`
		Lines []line `json:"lines"`
		Cut   bool   `json:"cut,omitempty"`
	}
	draft struct {
		head
		Draft    int    `json:"draft"` // which of the call's it is, from 1 on
		To       string `json:"to"`
		Number   string `json:"number"`
		Segments int    `json:"segments"`
		Lines    []line `json:"lines"`
	}
	stage struct {
		head
		Draft int         `json:"draft"` // that is so far
		Stage voice.Stage `json:"stage"`
	}
	others struct {
		head
		Count int `json:"count"`
	}

	line struct {
		Pieces []piece `json:"pieces,omitempty"`
		Folded string  `json:"folded,omitempty"`
	}
	piece struct {
		Text  string `json:"t,omitempty"`
		Mark  string `json:"m,omitempty"`
		Label string `json:"l,omitempty"`
	}
)

// message writes what is shown, with a number; nil for what is not to be.
func message(l lang.Lang, n int, w waiting) []byte {
	switch s := w.shown.(type) {
	case voice.ShownTurn:
		return said(l, n, s.Turn)
	case voice.ShownDraft:
		return encode(draft{head{n, "draft"}, w.draft, flat(l, s.Name), flat(l, s.Number), s.Segments, lines(l, s.Body)})
	case voice.ShownStage:
		return encode(stage{head{n, "stage"}, w.draft, s.Stage})
	case voice.ShownOthers:
		return encode(others{head{n, "others"}, s.Count})
	}
	return nil
}

// said writes a turn, as far as it fits.
func said(l lang.Lang, n int, t voice.Turn) []byte {
	if t.Role() != voice.Caller && t.Role() != voice.Agent {
		return nil
	}
	m := turn{head: head{n, "turn"}, Role: t.Role().String()}
	if t.Key() != 0 { // which one is nobody's business who looks at the screen
		m.Lines = []line{{Pieces: []piece{{Mark: "⌨", Label: screen.ShownKey.In(l)}}}}
		return encode(m)
	}
	words := t.Words().RawForPerson()
	for most := MostBytes; ; most = min(most, len(words)) * 3 / 4 {
		if len(words) > most {
			words, m.Cut = upTo(words, most), true
		}
		m.Lines = lines(l, words)
		if b := encode(m); len(b) <= MostBytes {
			return b
		}
	}
}

// upTo cuts words to so many bytes at most, between two characters.
func upTo(words string, most int) string {
	for most > 0 && !utf8.RuneStart(words[most]) {
		most--
	}
	return words[:most]
}

func lines(l lang.Lang, words string) []line {
	all := body.Lines(l, words)
	out := make([]line, len(all))
	for i, from := range all {
		out[i].Folded = from.Folded
		for _, p := range from.Pieces {
			out[i].Pieces = append(out[i].Pieces, piece{p.Text, p.Mark, p.Label})
		}
	}
	return out
}

// flat is a name or a number on one line. Neither holds anything to be marked: a contact's was checked when it was written down.
func flat(l lang.Lang, s string) string {
	var b strings.Builder
	for i, line := range body.Lines(l, s) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line.Folded)
		for _, p := range line.Pieces {
			b.WriteString(p.Text)
			b.WriteString(p.Mark)
		}
	}
	return b.String()
}

func encode(m any) []byte {
	b, _ := json.Marshal(m) // strings and numbers cannot fail
	return b
}
