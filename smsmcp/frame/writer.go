package frame

import (
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/smsmcp/signs"
)

// writer holds an answer while it is written.
type writer struct {
	l      List
	o      Options
	tag    string
	offset bool // stamps name their offset from UTC
	claims bool // a text that is shown is unverified
	b      []byte
	more   bool            // the line has a remark already
	known  *smsmcp.Contact // the last one whose name could stand without quotes
}

func (w *writer) say(m lang.Message, args ...any) { w.b = append(w.b, m.In(w.o.Lang, args...)...) }

func (w *writer) count(p lang.Plural, n int, args ...any) {
	w.b = append(w.b, p.In(w.o.Lang, n, args...)...)
}

// stamp writes a time in the owner's zone.
func (w *writer) stamp(t time.Time) {
	t = t.In(w.o.Zone)
	w.b = lang.AppendStamp(w.b, w.o.Lang, t)
	if w.offset {
		w.b = t.AppendFormat(w.b, " -07:00")
	}
}

func (w *writer) head(f Framed) {
	w.b = append(append(w.b, w.tag...), ' ')
	w.count(lang.FrameTexts, f.Shown)
	if w.l.Contact != nil {
		w.say(lang.FrameWith, w.subject(w.l.Contact))
		if w.claims {
			w.say(lang.FrameClaimed)
		}
	}
	if q := w.l.Query.Contains; q != "" {
		w.say(lang.FrameHolding, clean.UpTo(q, searchCap).Text)
	}
	if since := w.l.Query.Since; !since.IsZero() {
		at := writer{o: w.o, offset: w.offset}
		at.stamp(since)
		w.say(lang.FrameSince, string(at.b))
	}
	w.say(lang.FrameHead, w.zone(), w.tag)
	w.b = append(w.b, '\n')
}

// zone names the owner's zone.
func (w *writer) zone() string {
	if name := w.o.Zone.String(); name != "Local" && name != "" {
		return name
	}
	return w.l.Now.In(w.o.Zone).Format("UTC-07:00")
}

func (w *writer) text(r *smsmcp.Row) {
	t := &r.Text
	w.b = append(append(w.b, w.tag...), ' ')
	w.stamp(t.At)
	w.peer(r)
	body := w.o.Memo.of(question{body: t.Body.RawForModel(), cap: w.o.BodyCap, received: t.Direction != smsmcp.Sent, mask: w.o.MaskCodes})
	w.say(lang.FrameColon)
	w.b = append(w.b, body.Text...)
	w.b = append(w.b, "»"...)
	w.remarks(t, body)
	w.b = append(w.b, '\n')
}

// remarks are what the server has to say of a text, after its closing quote.
func (w *writer) remarks(t *smsmcp.Text, body finding) {
	w.more = false
	if t.Key.Kind == smsmcp.Voicemail {
		w.remark()
		w.b = append(w.b, voicemail(t, w.o.Lang)...)
	}
	if len(body.alarms) > 0 {
		w.remark()
		what := alarmWords[body.alarms[0]].In(w.o.Lang)
		for i, a := range body.alarms[1:] {
			if i == len(body.alarms)-2 {
				what += lang.FrameAnd.In(w.o.Lang)
			} else {
				what += ", "
			}
			what += alarmWords[a].In(w.o.Lang)
		}
		w.say(lang.FrameAlarm, what)
	}
	if t.Direction == smsmcp.Received && t.Delivery == smsmcp.BodyLost {
		w.remark()
		w.say(lang.FrameBodyLost)
	}
	for _, c := range [...]struct {
		n    int
		what *lang.Plural
	}{
		{t.Images, &lang.FrameImages}, {body.masked, &lang.FrameMasked}, {body.Hidden, &lang.FrameHidden}, {body.Reordering, &lang.FrameReordering},
		{body.Controls, &lang.FrameControls}, {body.Marks, &lang.FrameMarks}, {body.Broken, &lang.FrameBroken},
		{body.Quotes, &lang.FrameQuotes}, {body.Cut, &lang.FrameCut},
	} {
		if c.n > 0 {
			w.remark()
			w.count(*c.what, c.n)
		}
	}
	if w.more {
		w.b = append(w.b, ']')
	}
}

// voicemail is what there is to say of what a caller left: how long it is, and whether its words are known and its sound is kept.
func voicemail(t *smsmcp.Text, l lang.Lang) string {
	seconds, lost := t.Sound()
	what := lang.VoicemailAlone.In(l)
	if seconds > 0 {
		what = lang.VoicemailOf.In(l, seconds)
	}
	what += pick(t.Body.Len() > 0, lang.VoicemailHeard, lang.VoicemailUnheard).In(l)
	if lost {
		what += lang.VoicemailLost.In(l)
	}
	return what
}

func (w *writer) remark() {
	if w.more {
		w.say(lang.FrameNext)
	} else {
		w.b = append(w.b, " ["...)
	}
	w.more = true
}

var alarmWords = map[signs.Alarm]lang.Message{
	signs.Template: lang.FrameTemplate, signs.Assistant: lang.FrameAssistant, signs.Secrecy: lang.FrameSecrecy, signs.Ignore: lang.FrameIgnore,
}

func (w *writer) foot(f Framed) {
	w.b = append(w.b, w.tag...)
	w.count(lang.FrameEnd, f.Shown)
	if w.claims {
		w.say(lang.FrameClaims)
	}
	if f.Next != (smsmcp.Cursor{}) {
		w.say(lang.FrameOlder, FormatCursor(f.Next))
	}
	if p := w.l.Page; p.FoldedTexts > 0 {
		w.count(lang.FrameFolded, p.FoldedTexts, lang.FrameStrangers.In(w.o.Lang, p.FoldedStrangers))
	}
	w.carrier()
}

// carrier says what may be missing: the last sync failed, or a list came of which not all could be read.
func (w *writer) carrier() {
	s := w.l.Sync
	if s.Failure == "" {
		return
	}
	last, partial := s.Good, !s.Partial.IsZero() // of the lists that came
	if partial {
		last = s.Asked
	}
	at := writer{o: w.o, offset: w.offset}
	at.stamp(last)
	switch {
	case last.IsZero():
		w.say(lang.FrameNever, smsmcp.Reduce(s.Failure))
	case !partial || !s.Tried.Equal(s.Asked):
		w.say(lang.FrameStale, smsmcp.Reduce(s.Failure), string(at.b))
	}
	if partial {
		w.say(lang.FramePartial, string(at.b))
	}
}
