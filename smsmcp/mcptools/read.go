package mcptools

import (
	"context"
	"io"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/frame"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
)

// Reader is the one way in (inbox.Box): it has committed what it shows, and the holds that follow, before it returns.
type Reader interface {
	Read(ctx context.Context, r inbox.Request) (inbox.Answer, error)
}

// reading is what a framed tool has.
type reading struct {
	voice
	book      Book
	box       Reader
	now       func() time.Time
	random    io.Reader
	memo      frame.Memo
	maskCodes bool
	maxChars  int
	bodyChars int
}

func readTexts(ctx context.Context, in *reading, a args) (frame.Framed, error) {
	q := smsmcp.Query{
		Since:     smsmcp.Midnight(in.now(), in.zone, a.whole("days", 1)),
		Contains:  a.text("query"),
		Strangers: a.truth("strangers"),
		Limit:     a.whole("limit", usualTexts),
	}
	if before := a.text("before"); before != "" {
		var err error
		if q.Before, err = frame.ParseCursor(before); err != nil {
			return frame.Framed{}, refusal(lang.ToolPattern.In(in.lang, "before"))
		}
	}
	var with *smsmcp.Contact
	if asked := a.text("contact"); asked != "" {
		c, err := in.contact(ctx, asked)
		if err != nil {
			return frame.Framed{}, err
		}
		q.Contact, with = c.ID, &c
	}
	got, err := in.box.Read(ctx, inbox.Request{Query: q, Scope: smsmcp.MCP})
	if err != nil {
		return frame.Framed{}, err
	}
	if q.Contains != "" {
		// How many texts of strangers hold the words is told to nobody who does not see them: asked letter by letter, it would spell them out.
		got.Page.FoldedTexts, got.Page.FoldedStrangers = 0, 0
	}
	return frame.Render(
		frame.List{Page: got.Page, Query: q, Contact: with, Now: got.Now, Sync: got.Sync},
		frame.Options{Lang: in.lang, Zone: in.zone, MaskCodes: in.maskCodes, Rand: in.random, MaxChars: in.maxChars, BodyCap: in.bodyChars, Memo: &in.memo},
	), nil
}

// contact finds whom a whole name or alias means (invariant 2).
func (in *reading) contact(ctx context.Context, asked string) (smsmcp.Contact, error) {
	all, err := in.book.Contacts(ctx)
	if err != nil {
		return smsmcp.Contact{}, err
	}
	if c, ok := contacts.Whole(all, asked); ok {
		return c, nil
	}
	near, err := near(ctx, in.book, in.voice, asked)
	if err != nil {
		return smsmcp.Contact{}, err
	}
	return smsmcp.Contact{}, refusal(lang.ToolNoContact.In(in.lang) + near)
}
