package page

import (
	"net/http"

	"readback/smsmcp/lang/screen"
)

// images shows the list, and why something on it was not fetched.
func (p *Page) images(status int, why string) func(http.ResponseWriter, *http.Request, visit) {
	return func(w http.ResponseWriter, r *http.Request, v visit) {
		list, err := p.o.Gallery.List(r.Context(), p.speaks(r), r.PathValue("before"))
		if err != nil {
			p.failWith(w, r, err)
			return
		}
		p.show(w, r, status, "images", view{Title: "images.title", visit: &v, Images: &list, Error: screen.Images(p.speaks(r), why)})
	}
}

// fetchImages has what came with a text come here: that the owner asked is all that it takes, since nothing leaves.
func (p *Page) fetchImages(w http.ResponseWriter, r *http.Request, v visit) {
	switch why, err := p.o.Gallery.Fetch(r.Context(), r.PathValue("text")); {
	case err != nil:
		p.failWith(w, r, err)
	case why != "":
		p.images(http.StatusBadGateway, why)(w, r, v)
	default:
		http.Redirect(w, r, safe(r.PostForm.Get("next")), http.StatusSeeOther) //nolint:gosec // as in signIn
	}
}
