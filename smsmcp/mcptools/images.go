package mcptools

import (
	"context"
	"encoding/base64"

	"github.com/mark3labs/mcp-go/mcp"

	"readback/smsmcp"
	"readback/smsmcp/frame"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/store/images"
)

// showImages shows a model what came with a text. It is served only where the owner configured it.
var showImages = tool{
	name: "show_images", title: lang.ShowImagesTitle, about: lang.ShowImages,
	params: []param{
		{name: "contact", about: lang.ShowImagesContact, kind: text, min: 1, max: mostWord},
		{name: "before", about: lang.ReadTextsBefore, kind: text, min: 3, max: 32, pattern: cursor},
		{name: "strangers", about: lang.ReadTextsStrangers, kind: truth},
	},
	origin: strangersWords, reach: staysIn,
	hints: hints{readOnly: true, idempotent: true, openWorld: true},
	serve: pictured(seeImages),
}

// Images fetches and keeps what came with texts. *images.Box of smsmcp is one.
type Images interface {
	Fetch(ctx context.Context, id smsmcp.TextID) error
	Of(ctx context.Context, id smsmcp.TextID) ([]images.Image, error)
	Open(ctx context.Context, id smsmcp.TextID, n int) (content []byte, kind string, err error)
}

// viewing is what a pictured tool has.
type viewing struct {
	*reading
	images Images
}

// picture is an image as it goes to a model.
type picture struct {
	content []byte
	kind    string // its media type
}

// pictured serves a tool whose answer carries a stranger's words and images: the words through the frame, then a sentence of ours, then the images.
type pictured func(ctx context.Context, in *viewing, a args) (f frame.Framed, says string, all []picture, err error)

func (f pictured) run(ctx context.Context, s *server, a args) (reply, error) {
	framed, says, all, err := f(ctx, &viewing{&s.reading, s.images}, a)
	if err != nil {
		return reply{}, err
	}
	out := mcp.NewToolResultText(framed.Text)
	if says != "" {
		out.Content = append(out.Content, mcp.NewTextContent(says))
	}
	for _, p := range all {
		out.Content = append(out.Content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(p.content), p.kind))
	}
	return reply{result: out}, nil
}

// mostSeen bounds the bytes of images in one answer: Claude takes 5 MB of base64 for one, and a client on stdio 8 MB for the whole.
const mostSeen = 3_500_000

// seeImages shows the newest text with images that is asked for. That its words and its images are shown is committed, and the hold that they start, before anything is fetched.
func seeImages(ctx context.Context, in *viewing, a args) (framed frame.Framed, says string, all []picture, err error) {
	q := smsmcp.Query{Images: true, Strangers: a.truth("strangers"), Limit: 1}
	if before := a.text("before"); before != "" {
		if q.Before, err = frame.ParseCursor(before); err != nil {
			return framed, "", nil, refusal(lang.ToolPattern.In(in.lang, "before"))
		}
	}
	var with *smsmcp.Contact
	if asked := a.text("contact"); asked != "" {
		c, err := in.contact(ctx, asked)
		if err != nil {
			return framed, "", nil, err
		}
		q.Contact, with = c.ID, &c
	}
	got, err := in.box.Read(ctx, inbox.Request{Query: q, Scope: smsmcp.MCP})
	if err != nil {
		return framed, "", nil, err
	}
	framed = frame.Render(
		frame.List{Page: got.Page, Query: q, Contact: with, Now: got.Now, Sync: got.Sync},
		frame.Options{Lang: in.lang, Zone: in.zone, MaskCodes: in.maskCodes, Rand: in.random, MaxChars: in.maxChars, BodyCap: in.bodyChars, Memo: &in.memo},
	)
	if len(got.Page.Rows) == 0 {
		return framed, "", nil, nil
	}
	says, all = in.see(ctx, got.Page.Rows[0].Text.ID)
	return framed, says, all, nil
}

// see fetches what came with a text, and gives what of it can be shown, and says what follows.
func (in *viewing) see(ctx context.Context, id smsmcp.TextID) (says string, all []picture) {
	failed := in.images.Fetch(ctx, id) // which has logged why
	known, err := in.images.Of(ctx, id)
	left, size := 0, 0
	for _, x := range known {
		content, kind, err := in.images.Open(ctx, id, x.N)
		if err != nil || size+len(content) > mostSeen {
			left++
			continue
		}
		size += len(content)
		all = append(all, picture{content, kind})
	}
	says = lang.ImagesFollow.In(in.lang, len(all))
	if left > 0 {
		says += lang.ImagesLeft.In(in.lang, left)
	}
	if failed != nil || err != nil {
		says += lang.ImagesFailed.In(in.lang)
	}
	return says, all
}
