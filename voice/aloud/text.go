package aloud

import (
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/signs"
	"readback/voice"
)

// Bounds of what is said of a text, in code points.
const (
	maxBody  = 600
	maxLabel = 40
)

// Text says a text that was received, or sent: who and when in the program's voice, the body in the other, between the two sounds, and in the program's voice again what there is
// to say of it. It never fails: what cannot be said is left out, and that is told. With maskCodes the one-time codes of a received text are left out. A nil zone is UTC.
func Text(l lang.Lang, zone *time.Location, now time.Time, row smsmcp.Row, maskCodes bool) []voice.Part {
	if zone == nil {
		zone = time.UTC
	}
	t := &row.Text
	parts := sender(l, &row, when(l, t.At.In(zone), now.In(zone)))
	body := clean.Lines(t.Body.RawForSpeech(), maxBody)
	received := t.Direction != smsmcp.Sent
	var alarms []signs.Alarm
	if received {
		alarms = signs.Alarms(clean.Body(body.Text).Text)
	}
	said, masked := body.Text, 0
	if received && maskCodes {
		said, masked = signs.Mask(said)
	}
	s := say(l, said, true, signs.Codes(said))
	parts = append(parts, quoted(s)...)
	for _, a := range alarms {
		parts = append(parts, program(alarmWords[a].In(l)))
	}
	lost := received && t.Delivery == smsmcp.BodyLost
	for _, r := range []struct {
		is   bool
		says string
	}{
		{lost, spoken.BodyLost.In(l)},
		{body.Text == "" && !lost && t.Images == 0, spoken.Wordless.In(l)},
		{t.Images > 0, spoken.Images.In(l, max(t.Images, 0))},
		{masked > 0, spoken.CodesLeft.In(l, masked)},
		{s.noScript, spoken.ScriptLeft.In(l)},
		{s.noEmoji, spoken.EmojiLeft.In(l)},
		{s.noSign || s.why != sayableAll || body.Broken > 0, spoken.SignsLeft.In(l)},
		{s.noLink, spoken.LinksLeft.In(l)},
		{body.Hidden+body.Reordering+body.Controls+body.Marks > 0, spoken.HiddenLeft.In(l)},
		{body.Cut+s.rest > 0, spoken.CutShort.In(l, body.Cut+s.rest)},
	} {
		if r.is {
			parts = append(parts, program(r.says))
		}
	}
	return parts
}

var alarmWords = map[signs.Alarm]lang.Message{
	signs.Template: spoken.Imitates, signs.Assistant: spoken.ToAssistant, signs.Secrecy: spoken.AsksSecrecy, signs.Ignore: spoken.SaysIgnore,
}

func program(text string) voice.Part { return voice.Part{Voice: voice.ProgramVoice, Text: text} }

// quoted is somebody's words between the sounds; nothing, if there are none that can be said.
func quoted(s *sayer) []voice.Part {
	text := s.text()
	if text == "" {
		return nil
	}
	return []voice.Part{{Sound: voice.Opening}, {Voice: voice.QuoteVoice, Text: text}, {Sound: voice.Closing}}
}

// byName says whether a text is told under the name of its row's contact, by the rule of the frame (smsmcp/frame.Known): never one of which nothing says that it is from that number.
func byName(r *smsmcp.Row) bool {
	return r.Contact != nil && r.Text.Peer.Kind == smsmcp.PeerNumber && !r.Text.Unverified
}

// sender says who a text is from or to. A label is the sender's own word, and stands between the sounds.
func sender(l lang.Lang, r *smsmcp.Row, when string) []voice.Part {
	p, sent, claim := &r.Text.Peer, r.Text.Direction == smsmcp.Sent, r.Text.Unverified
	form := func(from, claimed, wrote lang.Message) lang.Message {
		switch {
		case sent:
			return wrote
		case claim:
			return claimed
		}
		return from
	}
	switch {
	case byName(r):
		name := r.Contact.Name
		if !sayable(name) {
			said, _ := numberAloud(l, string(r.Contact.To))
			name = spoken.Nameless.In(l, said)
		}
		return []voice.Part{program(form(spoken.FromName, spoken.FromName, spoken.WroteName).In(l, name, when))}
	case p.Kind == smsmcp.PeerNumber && isNumber(string(p.Number)):
		said, _ := numberAloud(l, string(p.Number))
		return []voice.Part{program(form(spoken.FromNumber, spoken.ClaimNumber, spoken.WroteNumber).In(l, said, when))}
	case p.Kind == smsmcp.PeerCode && isCode(p.Code):
		return []voice.Part{program(form(spoken.FromCode, spoken.ClaimCode, spoken.WroteCode).In(l, spoken.Digits(p.Code), when))}
	}
	parts := []voice.Part{program(form(spoken.FromNone, spoken.ClaimNone, spoken.WroteNone).In(l, when))}
	raw := p.Label.RawForSpeech()
	switch p.Kind {
	case smsmcp.PeerNumber:
		raw = string(p.Number)
	case smsmcp.PeerCode:
		raw = p.Code
	}
	label := clean.UpTo(raw, maxLabel).Text
	if raw == "" || sent {
		return parts
	}
	name := quoted(say(l, label, true, nil))
	if name == nil {
		return append(parts, program(spoken.OddName.In(l)))
	}
	parts = append(append(parts, program(spoken.GoesBy.In(l))), name...)
	return append(parts, program(spoken.Writes.In(l)))
}

func isNumber(s string) bool {
	_, err := smsmcp.ParseNumber(s)
	return err == nil
}

func isCode(s string) bool { return len(s) >= 3 && len(s) <= 8 && strings.Trim(s, "0123456789") == "" }

// when says when something was, as people do: the day if it was not long ago, else the date. Both times are in the owner's zone.
func when(l lang.Lang, at, now time.Time) string {
	clock := spoken.Clock(l, at)
	switch days := spoken.DayNumber(now) - spoken.DayNumber(at); {
	case days == 0:
		return spoken.Today.In(l, clock)
	case days == 1:
		return spoken.Yesterday.In(l, clock)
	case days > 1 && days < 7:
		return spoken.OnWeekday.In(l, spoken.Weekdays[at.Weekday()].In(l), clock)
	}
	month := spoken.Months[at.Month()-1].In(l)
	if at.Year() == now.Year() {
		return spoken.OnDate.In(l, at.Day(), month, clock)
	}
	return spoken.OnOldDate.In(l, at.Day(), month, clock, at.Year())
}

// Counts are what a list of texts holds.
type Counts struct {
	Texts           int  // that are read aloud
	Older           bool // older ones match too
	FoldedTexts     int  // strangers' that are not read
	FoldedStrangers int  // and from how many senders
}

// Intro is said before a list of texts: how many, and what the caller may say.
func Intro(l lang.Lang, c Counts) []voice.Part {
	switch {
	case c.Texts <= 0:
		return append([]voice.Part{program(spoken.None.In(l))}, folded(l, c)...)
	case c.Texts == 1:
		return []voice.Part{program(spoken.Single.In(l))}
	}
	return []voice.Part{program(spoken.List.In(l, c.Texts))}
}

// End is said behind the last text of a list, and tells what was not read. After an empty list nothing is.
func End(l lang.Lang, c Counts) []voice.Part {
	if c.Texts <= 0 {
		return nil
	}
	var parts []voice.Part
	if c.Texts > 1 {
		parts = append(parts, program(spoken.Last.In(l)))
	}
	if c.Older {
		parts = append(parts, program(spoken.EarlierIs.In(l)))
	}
	return append(parts, folded(l, c)...)
}

func folded(l lang.Lang, c Counts) []voice.Part {
	if c.FoldedTexts <= 0 {
		return nil
	}
	return []voice.Part{program(spoken.Folded.In(l, c.FoldedTexts, spoken.Strangers.In(l, max(c.FoldedStrangers, 1))))}
}
