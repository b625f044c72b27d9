package page

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/page/seal"
)

type contactView struct {
	Name, To      string
	Aliases, Also []string
}

func (p *Page) contacts(w http.ResponseWriter, r *http.Request, v visit) {
	all, err := p.o.Store.Contacts(r.Context())
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	out := make([]contactView, 0, len(all))
	for _, c := range all {
		one := contactView{Name: c.Name, To: string(c.To), Aliases: c.Aliases}
		for _, n := range c.Numbers {
			if n != c.To {
				one.Also = append(one.Also, string(n))
			}
		}
		out = append(out, one)
	}
	slices.SortStableFunc(out, func(a, b contactView) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	p.show(w, r, http.StatusOK, "contacts", view{Title: "contacts_title", visit: &v, Contacts: out})
}

type tokenView struct {
	Name, Made, Revoked string
	MayConfirm          bool
}

func (p *Page) tokens(w http.ResponseWriter, r *http.Request, v visit) {
	all, err := p.o.Store.Tokens(r.Context())
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	l := p.speaks(r)
	out := make([]tokenView, 0, len(all))
	for _, t := range all {
		out = append(out, tokenView{t.Name, p.stamp(l, t.Created), p.stamp(l, t.Revoked), t.MayConfirm})
	}
	p.show(w, r, http.StatusOK, "tokens", view{Title: "tokens_title", visit: &v, Tokens: out})
}

func (p *Page) revoke(w http.ResponseWriter, r *http.Request, v visit) {
	if err := p.o.Store.RevokeToken(r.Context(), p.o.Now(), r.PostForm.Get("name")); err != nil {
		p.failWith(w, r, err)
		return
	}
	p.o.Log.Info("page: a token was revoked", "proof", v.proof)
	http.Redirect(w, r, "/tokens", http.StatusSeeOther)
}

type keyView struct{ ID, Name, Added, Used string }

func (p *Page) passkeys(w http.ResponseWriter, r *http.Request, v visit) {
	ring, err := p.ring(r.Context())
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	l := p.speaks(r)
	out := make([]keyView, 0, len(ring.Keys))
	for _, k := range ring.Keys {
		out = append(out, keyView{k.id(), k.Name, p.stamp(l, k.Added), p.stamp(l, k.Used)})
	}
	_, off := p.party(r)
	p.show(w, r, http.StatusOK, "passkeys", view{
		Title: "passkeys_title", visit: &v, Keys: out, Off: off != nil, Unlocked: seal.Within(v.adding, p.o.Now(), fresh),
	})
}

// unlock comes after the passphrase that it asks for, each time: it opens the way to one new passkey.
func (p *Page) unlock(w http.ResponseWriter, r *http.Request, v visit) {
	p.sessions.allow(v.key, p.o.Now())
	http.Redirect(w, r, "/passkeys", http.StatusSeeOther)
}

var errNoKey = errors.New("no passkey has that id")

func (p *Page) aboutRemove(r *http.Request, l lang.Lang) (asking, error) {
	ring, err := p.ring(r.Context())
	if err != nil {
		return asking{}, err
	}
	for _, k := range ring.Keys {
		if k.id() == r.PostForm.Get("key") {
			return asking{Title: screen.Page(l, "remove"), Text: screen.Page(l, "remove_ask"), Name: k.Name}, nil
		}
	}
	return asking{}, errNoKey
}

// removePasskey forgets a passkey, signs out every other browser, and ends the calls: one of them may be of the device that was lost.
func (p *Page) removePasskey(w http.ResponseWriter, r *http.Request, v visit) {
	p.keys.Lock()
	defer p.keys.Unlock()
	ring, err := p.ring(r.Context())
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	n := len(ring.Keys)
	ring.Keys = slices.DeleteFunc(ring.Keys, func(k passkey) bool { return k.id() == r.PostForm.Get("key") })
	if len(ring.Keys) == n {
		p.failWith(w, r, errNoKey)
		return
	}
	if err := p.keep(r.Context(), ring); err != nil {
		p.failWith(w, r, err)
		return
	}
	p.sessions.endAll(v.key)
	p.o.Log.Info("page: a passkey was removed", "proof", v.proof)
	p.notify(Notice{What: PasskeyRemoved})
	p.endCallsThen(w, r, "/passkeys")
}

func (p *Page) stamp(l lang.Lang, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return lang.Stamp(l, t.In(p.o.Zone))
}

// channel names how a yes came.
func channel(l lang.Lang, c smsmcp.Channel) string {
	switch c {
	case smsmcp.CommandLine:
		return lang.CLIChannelCommandLine.In(l)
	case smsmcp.PageChannel:
		return screen.Page(l, "channel_page")
	}
	if known := screen.Page(l, "channel_"+string(c)); known != "" {
		return known
	}
	return string(c)
}
