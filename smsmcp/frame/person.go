package frame

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/smsmcp/signs"
)

// Card is a received text for the owner's own screen, such as a notification on a telephone. Nothing but what stands between « and » is the
// writer's, as in the frame, and one-time codes before it; line breaks are kept.
type Card struct {
	Text  string
	Code  bool // a one-time code stands first in Text, or would if words were shown
	Alarm bool // the words, or the label that stands for the sender, ring an alarm
}

// CardOptions say how a card is drawn.
type CardOptions struct {
	Lang lang.Lang
	Hide bool // draw none of the writer's words
	// Bytes and JSON bound Card.Text, as UTF-8 and as what stands within the quotes of a JSON string (", \ and line feed take two bytes there). The words are
	// cut, and a mark outside says so. 0 is no bound; one below 1,024 may not be held.
	Bytes, JSON int
}

const (
	maxCodes   = 3
	maxCodeLen = 12
)

// Person draws a received text for a person, without its sender, which From tells.
func Person(r *smsmcp.Row, o CardOptions) Card {
	raw := r.Text.Body.RawForPerson()
	f := finding{Result: clean.Lines(raw, 0), alarms: signs.Alarms(clean.Body(raw).Text)}
	found := codes(f.Text)
	c := Card{Code: len(found) > 0, Alarm: len(f.alarms) > 0 || len(signs.Alarms(clean.Body(r.Text.Peer.Label.RawForPerson()).Text)) > 0}
	if o.Hide {
		if c.Text = lang.PersonHidden.In(o.Lang); r.Text.Key.Kind == smsmcp.Voicemail {
			c.Text = lang.VoicemailHidden.In(o.Lang, voicemail(&r.Text, o.Lang))
		}
		return c
	}
	whole := utf8.RuneCountInString(f.Text)
	for {
		w := writer{o: Options{Lang: o.Lang}}
		w.card(&r.Text, f, found)
		c.Text = string(w.b)
		n := fewer(f.Text, overBytes(c.Text, o.Bytes), overJSON(c.Text, o.JSON))
		if n < 0 {
			return c
		}
		f.Text = clean.Lines(string([]rune(f.Text)[:n]), 0).Text // what was cut in two is no longer what its neighbours need
		f.Cut = whole - utf8.RuneCountInString(f.Text)
	}
}

// card writes the codes, the words and the remarks.
func (w *writer) card(t *smsmcp.Text, f finding, found []string) {
	if len(found) > 0 {
		w.say(lang.PersonCode, strings.Join(found, ", "))
		w.b = append(w.b, '\n')
	}
	if f.Text != "" || f.Cut > 0 {
		w.b = append(append(append(w.b, "«"...), f.Text...), "»"...)
	} else if t.Images == 0 {
		w.say(lang.PersonEmpty)
	}
	w.remarks(t, f)
	w.b = []byte(strings.TrimPrefix(string(w.b), " "))
}

// codes gives the one-time codes of a clean text as they are typed: letters and digits alone.
func codes(s string) (out []string) {
	for _, span := range signs.Codes(s) {
		code := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				return r
			}
			return -1
		}, s[span.Start:span.End])
		if code != "" && utf8.RuneCountInString(code) <= maxCodeLen && !strings.ContainsFunc(code, leftward) && !slices.Contains(out, code) {
			out = append(out, code)
		}
		if len(out) == maxCodes {
			break
		}
	}
	return out
}

// fewer gives how many code points of s remain without its last ones, that take so many bytes and so many of JSON; -1 if nothing is to go, or left to.
func fewer(s string, bytes, inJSON int) int {
	if bytes <= 0 && inJSON <= 0 || s == "" {
		return -1
	}
	n := utf8.RuneCountInString(s)
	for s != "" && (bytes > 0 || inJSON > 0) {
		r, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
		bytes -= size
		inJSON -= size + escape(r)
		n--
	}
	return n
}

func overBytes(s string, limit int) int {
	if limit <= 0 {
		return 0
	}
	return len(s) - limit
}

func overJSON(s string, limit int) int {
	if limit <= 0 {
		return 0
	}
	n := len(s)
	for _, r := range s {
		n += escape(r)
	}
	return n - limit
}

// escape is how many bytes more a code point takes in JSON. Others that JSON escapes are not in clean words.
func escape(r rune) int {
	if r == '"' || r == '\\' || r == '\n' {
		return 1
	}
	return 0
}

// From says who a received text is from, in the server's words, on one line. No two senders are called alike.
func From(r *smsmcp.Row, l lang.Lang) string {
	w := writer{o: Options{Lang: l}}
	p := &r.Text.Peer
	switch {
	case Known(r):
		return w.contact(r.Contact)
	case p.Kind == smsmcp.PeerNumber && isNumber(string(p.Number)):
		w.b = append(w.b, p.Number...)
		w.say(stranger(&r.Text))
	case p.Kind == smsmcp.PeerCode && isCode(p.Code):
		w.say(lang.PersonShortCode, p.Code)
		w.say(stranger(&r.Text))
	default:
		w.say(lang.PersonNone)
		w.say(stranger(&r.Text))
		w.label(p, p.Label.RawForPerson())
	}
	return string(w.b)
}
