package agent

import (
	"context"
	"errors"
	"strings"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/frame"
	"readback/smsmcp/guard"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/aloud"
	"readback/voice/consent"
)

// The bounds of what is read.
const (
	mostTexts = 20     // read aloud at once
	mostFrame = 12_000 // characters of the frame that the model gets
	mostBody  = 1_000  // of each body in it
)

// errand is one call of a tool. It knows nothing of the conversation but this.
type errand struct {
	o       Options
	ctx     context.Context // of the turn
	lasting context.Context // of what has to be written down, whatever becomes of the turn
	scope   smsmcp.Scope
	lang    lang.Lang
	args    args
}

// result is what came of an errand.
type result struct {
	text   string // for the model
	failed bool
	draft  *draft         // to be read back
	texts  [][]voice.Part // to be read aloud
	counts aloud.Counts   // of them
	ends   bool           // the call
}

func refused(sentence string) result { return result{text: sentence, failed: true} }

// broken is what the model is told of an error: nothing of the error's own words (invariant 13).
func (e *errand) broken(err error) result {
	switch {
	case errors.Is(err, inbox.ErrNotHeld):
		return refused(lang.InboxNotHeld.In(e.lang))
	case errors.Is(err, inbox.ErrUnread):
		return refused(lang.InboxUnread.In(e.lang))
	}
	return refused(lang.ToolBroken.In(e.lang))
}

func find(e *errand) result {
	all, err := e.o.Book.Contacts(e.ctx)
	if err != nil {
		return e.broken(err)
	}
	if names := contacts.Find(all, e.args.text("word")); len(names) > 0 {
		return result{text: lang.ContactsFound.In(e.lang, e.list(names))}
	}
	return result{text: lang.ContactsNone.In(e.lang)}
}

// list joins names by what no name holds: a comma stands in some.
func (e *errand) list(names []string) string {
	return strings.Join(names, lang.ContactsNext.In(e.lang))
}

// prepare has a draft written down, to wait for the yes of this call. It is not written down if it could not be read aloud.
func prepare(e *errand) result {
	to, body := e.args.text("to"), e.args.text("body")
	all, err := e.o.Book.Contacts(e.ctx)
	if err != nil {
		return e.broken(err)
	}
	if c, ok := contacts.Whole(all, to); ok {
		if _, err := aloud.Draft(e.lang, c.Name, c.To, body, all); err != nil {
			return refused(lang.SendRefused.In(e.lang, aloud.Explain(e.lang, err)))
		}
	}
	answer, err := e.o.Door.Send(e.lasting, dispatch.Request{To: to, Body: body, By: byCall, Scope: e.scope, Only: smsmcp.Voice})
	if err != nil {
		return e.broken(err)
	}
	s := answer.Send
	if s.State != smsmcp.Waiting {
		return refused(lang.SendRefused.In(e.lang, e.reasons(s.Reasons, all, to)))
	}
	r, err := aloud.Draft(e.lang, s.Name, s.Draft.To(), s.Draft.Body(), all)
	d := &draft{id: s.ID, digest: consent.Digest(s.Draft.Digest()), name: s.Name, words: r.Words}
	if err != nil {
		_, _ = e.o.Door.Cancel(e.lasting, s.ID) // where that fails it waits until it expires: it was read to nobody
		return refused(lang.SendRefused.In(e.lang, aloud.Explain(e.lang, err)))
	}
	return result{draft: d}
}

// byCall is who asks for a send, in the log.
const byCall = "call"

// reasons says why a draft was refused, and whom a name that is no contact's may have meant.
func (e *errand) reasons(why []smsmcp.Reason, all []smsmcp.Contact, to string) string {
	var out []string
	for _, r := range why {
		out = append(out, guard.ExplainAloud(e.lang, spoken.Until(e.lang, r.Until.In(e.o.Zone), e.o.Now().In(e.o.Zone)), r))
		if r.Rule == guard.RuleRecipient {
			if names := contacts.Find(all, to); len(names) > 0 {
				out = append(out, lang.ToolNear.In(e.lang, e.list(names)))
			}
		}
	}
	return strings.Join(out, " ")
}

// read reads texts: for the model, in a frame, and to be spoken. That they are shown is written down before (inbox.Box.Read).
func read(e *errand) result {
	q := smsmcp.Query{Since: smsmcp.Midnight(e.o.Now(), e.o.Zone, e.args.whole("days", 1)), Strangers: e.args.truth("strangers"), Limit: mostTexts}
	var with *smsmcp.Contact
	if asked := e.args.text("contact"); asked != "" {
		all, err := e.o.Book.Contacts(e.ctx)
		if err != nil {
			return e.broken(err)
		}
		c, ok := contacts.Whole(all, asked)
		if !ok {
			sentence := lang.ToolNoContact.In(e.lang)
			if names := contacts.Find(all, asked); len(names) > 0 {
				sentence += " " + lang.ToolNear.In(e.lang, e.list(names))
			}
			return refused(sentence)
		}
		q.Contact, with = c.ID, &c
	}
	got, err := e.o.Box.Read(e.ctx, inbox.Request{Query: q, Scope: e.scope})
	if err != nil {
		return e.broken(err)
	}
	framed := frame.Render(
		frame.List{Page: got.Page, Query: q, Contact: with, Now: got.Now, Sync: got.Sync},
		frame.Options{Lang: e.lang, Zone: e.o.Zone, MaskCodes: e.o.MaskCodes, Rand: e.o.Rand, MaxChars: mostFrame, BodyCap: mostBody},
	)
	r := result{text: framed.Text}
	for _, row := range got.Page.Rows[len(got.Page.Rows)-framed.Shown:] {
		if row.Text.Direction == smsmcp.Received {
			r.texts = append(r.texts, aloud.Text(e.lang, e.o.Zone, got.Now, row, e.o.MaskCodes))
		}
	}
	r.counts = aloud.Counts{Texts: len(r.texts), Older: !framed.Next.At.IsZero(), FoldedTexts: got.Page.FoldedTexts, FoldedStrangers: got.Page.FoldedStrangers}
	return r
}

func hangUp(e *errand) result { return result{text: lang.AgentEnding.In(e.lang), ends: true} }
