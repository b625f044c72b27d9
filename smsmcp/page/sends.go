package page

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"regexp"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/confirm"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/oauth"
	"readback/smsmcp/page/gallery"
	"readback/smsmcp/page/seal"
	"readback/store"
)

// lastSends is how many the history shows.
const lastSends = 100

var sendID = regexp.MustCompile(`^[a-z2-7]{10}$`)

func (p *Page) waiting(w http.ResponseWriter, r *http.Request, v visit) {
	all, err := p.o.Desk.Waiting(r.Context())
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	p.show(w, r, http.StatusOK, "waiting", view{Title: "waiting_title", visit: &v, Sends: p.sendViews(r, all)})
}

func (p *Page) history(w http.ResponseWriter, r *http.Request, v visit) {
	all, err := p.o.Store.Sends(r.Context(), lastSends)
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	p.show(w, r, http.StatusOK, "history", view{Title: "history_title", visit: &v, Sends: p.sendViews(r, all)})
}

func (p *Page) send(w http.ResponseWriter, r *http.Request, v visit) {
	s, err := p.o.Store.Send(r.Context(), smsmcp.SendID(r.PathValue("id")))
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	p.showSend(w, r, v, s, http.StatusOK, "")
}

// showSend shows one send as it is, with what there is to say of an answer to it.
func (p *Page) showSend(w http.ResponseWriter, r *http.Request, v visit, s smsmcp.Send, status int, why string) {
	l := p.speaks(r)
	shown := p.sendView(l, s)
	p.show(w, r, status, "send", view{Title: "send_title", visit: &v, Send: &shown, Error: screen.Page(l, why)})
}

var errForm = errors.New("the form names no digest")

// digest gives what the form says was shown.
func digest(r *http.Request) (d [32]byte, err error) {
	b, err := hex.DecodeString(r.PostForm.Get("digest"))
	if err != nil || len(b) != len(d) {
		return d, errForm
	}
	copy(d[:], b)
	return d, nil
}

// aboutYes shows the text again, whole, where the proof is asked for. A form that was about another text gets no further.
func (p *Page) aboutYes(r *http.Request, l lang.Lang) (asking, error) {
	shown, err := digest(r)
	if err != nil {
		return asking{}, err
	}
	s, err := p.o.Store.Send(r.Context(), smsmcp.SendID(r.PathValue("id")))
	if err != nil {
		return asking{}, err
	}
	if s.Draft.Digest() != shown {
		return asking{}, dispatch.ErrAltered
	}
	out := p.sendView(l, s)
	return asking{Title: screen.Page(l, "send"), Send: &out}, nil
}

// asked says whether the last proof is no older than when a yes began to be asked for, by any channel: one given before was not given for it. Times tell this: sessions.get forgets a
// proof once the clock was set back.
func (p *Page) asked(r *http.Request, v visit) (bool, error) {
	s, err := p.o.Store.Send(r.Context(), smsmcp.SendID(r.PathValue("id")))
	return !v.proved.Before(s.Created), err
}

// yes is the owner's yes to what was shown: the desk compares the digest with the draft that waits (invariant 14).
func (p *Page) yes(w http.ResponseWriter, r *http.Request, v visit) {
	shown, err := digest(r)
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	s, err := p.o.Store.Send(r.Context(), smsmcp.SendID(r.PathValue("id")))
	switch {
	case err != nil:
		p.failWith(w, r, err)
		return
	case s.State != smsmcp.Waiting:
		p.showSend(w, r, v, s, http.StatusConflict, "over")
		return
	case clean.Drawable(s.Draft.Body()) != nil:
		p.showSend(w, r, v, s, http.StatusConflict, "hidden_body")
		return
	}
	// The browser may go away: the yes has been given, and what follows is recorded either way.
	_, err = p.o.Desk.Yes(context.WithoutCancel(r.Context()), s.ID, shown, smsmcp.PageChannel)
	if err != nil {
		p.answered(w, r, v, s.ID, err)
		return
	}
	p.o.Log.Info("page: yes", "id", s.ID, "proof", v.proof)
	http.Redirect(w, r, "/sends/"+string(s.ID), http.StatusSeeOther)
}

// answered shows a send whose answer changed nothing, and why.
func (p *Page) answered(w http.ResponseWriter, r *http.Request, v visit, id smsmcp.SendID, err error) {
	status, why := said(err)
	s, gone := p.o.Store.Send(r.Context(), id)
	if gone != nil || status == http.StatusInternalServerError {
		p.failWith(w, r, err)
		return
	}
	p.showSend(w, r, v, s, status, why)
}

func (p *Page) no(w http.ResponseWriter, r *http.Request, v visit) {
	s, err := p.o.Store.Send(r.Context(), smsmcp.SendID(r.PathValue("id")))
	switch {
	case err != nil:
		p.failWith(w, r, err)
		return
	case s.State != smsmcp.Waiting:
		p.showSend(w, r, v, s, http.StatusConflict, "over")
		return
	}
	now, err := p.o.Desk.No(r.Context(), s.ID, smsmcp.PageChannel)
	switch {
	case err != nil:
		p.answered(w, r, v, s.ID, err)
	case now.State != smsmcp.Declined:
		p.showSend(w, r, v, now, http.StatusConflict, "late")
	default:
		http.Redirect(w, r, "/sends/"+string(s.ID), http.StatusSeeOther)
	}
}

func (p *Page) freezeState(w http.ResponseWriter, r *http.Request, v visit) {
	p.show(w, r, http.StatusOK, "freeze", view{Title: "nav_freeze", visit: &v})
}

func (p *Page) freeze(w http.ResponseWriter, r *http.Request, _ visit) {
	if err := p.o.Desk.Freeze(r.Context(), smsmcp.PageChannel); err != nil {
		p.failWith(w, r, err)
		return
	}
	p.o.Log.Info("page: frozen")
	http.Redirect(w, r, safe(r.PostForm.Get("next")), http.StatusSeeOther) //nolint:gosec // safe lets only paths of this page through
}

func (p *Page) thaw(w http.ResponseWriter, r *http.Request, v visit) {
	if err := p.o.Desk.Thaw(r.Context(), smsmcp.PageChannel); err != nil {
		p.failWith(w, r, err)
		return
	}
	p.o.Log.Info("page: thawed", "proof", v.proof)
	http.Redirect(w, r, "/freeze", http.StatusSeeOther)
}

// said gives the status and the words for an error of any part below.
func said(err error) (status int, key string) {
	for _, k := range known {
		if errors.Is(err, k.err) {
			return k.status, k.key
		}
	}
	return http.StatusInternalServerError, "broken"
}

var known = []struct {
	err    error
	status int
	key    string
}{
	{errForm, http.StatusBadRequest, "bad_request"},
	{smsmcp.ErrNoSend, http.StatusNotFound, "no_send"},
	{dispatch.ErrAltered, http.StatusConflict, "altered"},
	{dispatch.ErrTooWeak, http.StatusConflict, "too_weak"},
	{dispatch.ErrOtherChannel, http.StatusConflict, "other_channel"},
	{dispatch.ErrClosed, http.StatusServiceUnavailable, "closed"},
	{dispatch.ErrNotRecorded, http.StatusInternalServerError, "not_recorded"},
	{confirm.ErrNoChannel, http.StatusConflict, "channel_shut"},
	{gallery.ErrNone, http.StatusNotFound, "not_found"},
	{errNoKey, http.StatusNotFound, "no_passkey"},
	{store.ErrNoToken, http.StatusNotFound, "no_token"},
	{oauth.ErrNoGrant, http.StatusNotFound, "clients.gone"},
	{seal.ErrShown, http.StatusConflict, "clients.again"},
	{store.ErrFull, http.StatusInternalServerError, "store_full"},
	{store.ErrReadOnly, http.StatusInternalServerError, "store_read_only"},
	{store.ErrBusy, http.StatusServiceUnavailable, "store_busy"},
}
