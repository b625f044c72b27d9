// Package gallery is what the owner's page shows of the images that came with texts: from whom and when, as the frame says it and nobody else, and each image at an address
// of its own, once it was asked for.
//
// What stands in an image is its sender's. Nothing else of a text is here but the name that a sender without a number gives itself, between « and ».
//
// Floor 3: imports smsmcp, smsmcp/frame, smsmcp/lang, smsmcp/lang/screen and store/images. It knows the box of images as [Box].
package gallery

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/store/images"
)

// Box fetches and keeps what came with texts. *images.Box of smsmcp is one. Errors of Fetch and Open are coded, and screen.Images has words for each code.
type Box interface {
	Fetch(ctx context.Context, id smsmcp.TextID) error
	Of(ctx context.Context, id smsmcp.TextID) ([]images.Image, error)
	Open(ctx context.Context, id smsmcp.TextID, n int) (content []byte, kind string, err error)
}

// Texts lists texts. *store.Store does.
type Texts interface {
	Texts(ctx context.Context, q smsmcp.Query) (smsmcp.Page, error)
}

// Gallery is made of all its fields.
type Gallery struct {
	Texts Texts
	Box   Box
	Zone  *time.Location // the owner's
}

// perPage is how many texts a page of the list shows.
const perPage = 20

// List is a page of the list, newest first.
type List struct {
	Items []Item
	Older string // the path of the next page; "" for none
}

// Item is a text that came with images.
type Item struct {
	ID              smsmcp.TextID
	From, At, Count string
	Things          []Thing
	Fetch           bool // there is something to ask for
	Known           bool // and it was asked for before
}

// Thing is one that came with a text: an image at a path, or why there is none to see.
type Thing struct {
	Src, Alt      string
	Width, Height int
	Why           string
}

// List gives a page of the list: the first for "", else what is older than a place, as in [List.Older]. A place in another form is the first.
func (g *Gallery) List(ctx context.Context, l lang.Lang, place string) (List, error) {
	q := smsmcp.Query{Images: true, Strangers: true, Limit: perPage}
	if before, err := frame.ParseCursor(place); err == nil {
		q.Before = before
	}
	page, err := g.Texts.Texts(ctx, q)
	if err != nil {
		return List{}, err
	}
	var out List
	for i := len(page.Rows) - 1; i >= 0; i-- {
		item, err := g.item(ctx, l, &page.Rows[i])
		if err != nil {
			return List{}, err
		}
		out.Items = append(out.Items, item)
	}
	if page.Older {
		out.Older = "/images/before/" + frame.FormatCursor(smsmcp.Cursor{At: page.Rows[0].Text.At, ID: page.Rows[0].Text.ID})
	}
	return out, nil
}

func (g *Gallery) item(ctx context.Context, l lang.Lang, r *smsmcp.Row) (Item, error) {
	t := &r.Text
	all, err := g.Box.Of(ctx, t.ID)
	if err != nil {
		return Item{}, err
	}
	out := Item{ID: t.ID, From: frame.From(r, l), At: lang.Stamp(l, t.At.In(g.Zone)), Count: screen.ImagesCount.In(l, t.Images), Known: len(all) > 0, Fetch: len(all) == 0}
	for i, x := range all {
		if x.State == images.Kept {
			out.Things = append(out.Things, Thing{
				Src: fmt.Sprintf("/images/%d/%d", t.ID, x.N), Alt: screen.ImagesAlt.In(l, i+1, len(all)), Width: x.Width, Height: x.Height,
			})
			continue
		}
		out.Fetch = out.Fetch || x.State != images.NoImage
		out.Things = append(out.Things, Thing{Why: screen.Images(l, why(x))})
	}
	return out, nil
}

// why gives the key of what is said of a thing that is not shown.
func why(x images.Image) string {
	key := string(x.State) + "_" + x.Kind
	switch {
	case x.State == images.Dropped:
		return "dropped"
	case screen.Images(lang.EN, key) != "":
		return key
	case x.State == images.NoImage:
		return "no_image_other"
	}
	return "failed"
}

var number = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)

// ErrNone says that there is no such text or image.
var ErrNone = errors.New("no such image")

func ids(text, n string) (smsmcp.TextID, int, error) {
	if !number.MatchString(text) || !number.MatchString(n) || len(n) > 3 {
		return 0, 0, ErrNone
	}
	id, _ := strconv.ParseInt(text, 10, 64)
	i, _ := strconv.Atoi(n)
	return smsmcp.TextID(id), i, nil
}

// Fetch asks for what came with a text. What it says is "" where that went well, else the key of what is wrong, of screen.Images. The error is ErrNone, or one that has no key.
func (g *Gallery) Fetch(ctx context.Context, text string) (says string, err error) {
	id, _, err := ids(text, "1")
	if err != nil {
		return "", err
	}
	err = g.Box.Fetch(ctx, id)
	var coded smsmcp.Coded
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &coded) && coded.Code() == "images_none":
		return "", ErrNone
	case errors.As(err, &coded) && screen.Images(lang.EN, coded.Code()) != "":
		return coded.Code(), nil
	}
	return "", err
}

// policy lets an image that is opened by itself do nothing, whatever a browser takes it for.
const policy = "default-src 'none'; sandbox"

// Image answers with the image that the values text and n of a request's path name, under a name of ours. It answers nothing where the error is ErrNone.
func (g *Gallery) Image(w http.ResponseWriter, r *http.Request) error {
	id, i, err := ids(r.PathValue("text"), r.PathValue("n"))
	if err != nil {
		return err
	}
	content, kind, err := g.Box.Open(r.Context(), id, i)
	end := map[string]string{"image/png": "png", "image/jpeg": "jpg"}[kind]
	if err != nil || end == "" {
		return ErrNone
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Disposition", fmt.Sprintf(`inline; filename="readback-%d-%d.%s"`, id, i, end))
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	_, _ = w.Write(content) //nolint:gosec // an image that our own encoder wrote, as its type says, in a sandbox
	return nil
}
