package page

import (
	"crypto/sha256"
	"net/http"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/oauth"
)

// clientView is a program that was let in.
type clientView struct {
	ID, Name, To, In, Used string
	May                    []string
	MayConfirm             bool
	Ended, Why             string
	Trust, Revoke          string // when the two questions were shown
}

func (p *Page) clients(w http.ResponseWriter, r *http.Request, v visit) {
	all, err := p.o.Clients.Grants(r.Context())
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	l := p.speaks(r)
	out := make([]clientView, 0, len(all))
	for i := len(all) - 1; i >= 0; i-- { // newest first
		g := all[i]
		out = append(out, clientView{
			ID: g.ID, Name: g.Name, To: g.To, In: p.stamp(l, g.Created), Used: p.stamp(l, g.Used), May: may(l, g.Scopes), MayConfirm: g.MayConfirm,
			Ended: p.stamp(l, g.Ended), Why: screen.Consent(l, "why_"+string(g.Why)),
			Trust: p.seal.shown(v.key, doing("trust", g.ID), p.o.Now()), Revoke: p.seal.shown(v.key, doing("revoke", g.ID), p.o.Now()),
		})
	}
	p.show(w, r, http.StatusOK, "clients", view{Title: "clients.nav_clients", visit: &v, Clients: out})
}

// doing names the question whether to do something to a program.
func doing(what, id string) [32]byte { return sha256.Sum256([]byte(what + " " + id)) }

// shown gives when a question of the list was shown: a proof from before was not given for it.
func (p *Page) shown(what string) func(*http.Request, visit) (time.Time, error) {
	return func(r *http.Request, v visit) (time.Time, error) {
		return p.seal.when(r.PostForm.Get("shown"), v.key, doing(what, r.PostForm.Get("id")), p.o.Now())
	}
}

func (p *Page) aboutClient(title, text string) func(*http.Request, lang.Lang) (asking, error) {
	return func(r *http.Request, l lang.Lang) (asking, error) {
		all, err := p.o.Clients.Grants(r.Context())
		if err != nil {
			return asking{}, err
		}
		for _, g := range all {
			if g.ID == r.PostForm.Get("id") && g.Ended.IsZero() {
				name := g.To
				if g.Name != "" {
					name = g.Name + " · " + g.To
				}
				return asking{Title: screen.Consent(l, title), Text: screen.Consent(l, text), Name: name}, nil
			}
		}
		return asking{}, oauth.ErrNoGrant
	}
}

func (p *Page) trust(w http.ResponseWriter, r *http.Request, v visit) {
	p.marked(w, r, v, p.o.Clients.SetMayConfirm(r.Context(), r.PostForm.Get("id"), true))
}

func (p *Page) distrust(w http.ResponseWriter, r *http.Request, v visit) {
	p.marked(w, r, v, p.o.Clients.SetMayConfirm(r.Context(), r.PostForm.Get("id"), false))
}

func (p *Page) revokeClient(w http.ResponseWriter, r *http.Request, v visit) {
	p.marked(w, r, v, p.o.Clients.Revoke(r.Context(), r.PostForm.Get("id")))
}

// marked shows the list again, after a change to it.
func (p *Page) marked(w http.ResponseWriter, r *http.Request, v visit, err error) {
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	p.o.Log.Info("page: a program's mark was changed, or its end", "by", r.URL.Path, "proof", v.proof)
	http.Redirect(w, r, "/clients", http.StatusSeeOther)
}
