package page

import (
	"crypto/sha256"
	"net/http"
	"net/url"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/oauth"
	"readback/smsmcp/page/seal"
)

// clientView is a program that was let in.
type clientView struct {
	ID, To, In, Used string
	Named, From      phrase // as of consentView
	May              []string
	MayConfirm       bool
	Ended, Why       string
	Trust, Revoke    string // when the two questions were shown
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
			ID: g.ID, To: g.To, Named: around(l, screen.ConsentNamed, g.Name), From: around(l, screen.ConsentFrom, documentHost(g.Client)), In: p.stamp(l, g.Created), Used: p.stamp(l, g.Used), May: may(l, g.Scopes), MayConfirm: g.MayConfirm,
			Ended: p.stamp(l, g.Ended), Why: screen.Consent(l, "why_"+string(g.Why)),
			Trust: p.seals(v, doing("trust", g.ID)), Revoke: p.seals(v, doing("revoke", g.ID)),
		})
	}
	p.show(w, r, http.StatusOK, "clients", view{Title: "clients.nav_clients", visit: &v, Clients: out})
}

// doing names the question whether to do something to a program.
func doing(what, id string) [32]byte { return sha256.Sum256([]byte(what + " " + id)) }

// documentHost is the host whose document says who a client is; "" for one that registered itself.
func documentHost(client string) string {
	if u, err := url.Parse(client); err == nil && u.Scheme == "https" {
		return u.Hostname()
	}
	return ""
}

// seals says, for a form to bring back, that a question is shown to a visit now.
func (p *Page) seals(v visit, question [32]byte) string {
	return p.seal.Show(v.key, question, p.o.Now(), v.proofs)
}

// shown gives a question of the list as it was shown.
func (p *Page) shown(what string) func(*http.Request, visit) (seal.Shown, error) {
	return func(r *http.Request, v visit) (seal.Shown, error) {
		return p.seal.When(r.PostForm.Get("shown"), v.key, doing(what, r.PostForm.Get("id")), p.o.Now(), whole)
	}
}

// sinceShown says whether a proof was given since a question of the list was shown: the last one from before was not given for it.
func (p *Page) sinceShown(what string) func(*http.Request, visit) (bool, error) {
	return func(r *http.Request, v visit) (bool, error) {
		q, err := p.shown(what)(r, v)
		return v.proofs > q.Proofs, err
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
					name = screen.ClientSays.In(l, g.To, g.Name)
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
