package page

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/oauth"
	"readback/smsmcp/page/seal"
)

// Clients judges what programs ask to be let in, and keeps which are. *oauth.Server is one.
type Clients interface {
	Authorize(ctx context.Context, query string, from netip.Addr) oauth.Asked
	Grant(ctx context.Context, c oauth.Consent, principal string) (location string, err error)
	Deny(c oauth.Consent) string
	Grants(ctx context.Context) ([]oauth.Grant, error)
	Revoke(ctx context.Context, id string) error
	SetMayConfirm(ctx context.Context, id string, may bool) error
}

var _ Clients = (*oauth.Server)(nil)

// theOwner is who agrees here: there is one.
const theOwner = "owner"

// Where the two answers go. What is asked stays in the query, and is judged anew each time.
const (
	allowPath = oauth.AuthorizePath + "/yes"
	denyPath  = oauth.AuthorizePath + "/no"
)

// inQuery is what a browser writes in a query, within the bound that OAuth's parameters have together.
var inQuery = regexp.MustCompile(`^[!$-;=?-~]+$`)

const longQuery = 8 << 10

// asks says whether a path, or what safe lets through, is of a program that asks to be let in.
func asks(where string) bool {
	rest, ok := strings.CutPrefix(where, oauth.AuthorizePath)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '?')
}

// question is the page that shows what a request asks, or its answer is about. Without a query it is one that asks nothing.
func question(r *http.Request) string {
	if !plain(r.URL.RawQuery) {
		return oauth.AuthorizePath
	}
	return oauth.AuthorizePath + "?" + r.URL.RawQuery
}

func plain(query string) bool { return len(query) <= longQuery && inQuery.MatchString(query) }

// inPopup keeps the pages by which a program is let in connected with the window that opened theirs: the program waits there for the answer, and would be told that the window is
// closed. They take no message, hold no frame, and need a proof that no click gives.
func inPopup(w http.ResponseWriter, where string) {
	if asks(where) {
		w.Header().Set("Cross-Origin-Opener-Policy", "unsafe-none")
	}
}

// phrase is a sentence around a word that is not ours.
type phrase struct{ Before, Word, After string }

func around(l lang.Lang, m lang.Message, word string) phrase {
	before, after, _ := strings.Cut(m.In(l, "\x00"), "\x00")
	return phrase{before, word, after}
}

// consentView is what a program asks, as the owner sees it.
type consentView struct {
	Named, To, From phrase // without a word, Named and From are not shown
	May             []string
	Digest, Shown   string
	Allow, Deny     string
}

func (p *Page) consentView(r *http.Request, v visit, c oauth.Consent) *consentView {
	l, digest := p.speaks(r), c.Digest()
	out := &consentView{
		Named: around(l, screen.ConsentNamed, c.Name), To: around(l, screen.ConsentTo, c.To), From: around(l, screen.ConsentFrom, c.From), May: may(l, c.Scopes), Digest: hex.EncodeToString(digest[:]), Shown: p.seals(v, digest),
		Allow: allowPath + "?" + r.URL.RawQuery, Deny: denyPath + "?" + r.URL.RawQuery,
	}
	if c.Here {
		out.To = around(l, screen.ConsentHere, c.To)
	}
	return out
}

// may says in words what a program may do.
func may(l lang.Lang, scopes oauth.Scopes) (out []string) {
	for _, name := range scopes.Names() {
		out = append(out, screen.Consent(l, "scope_"+strings.ReplaceAll(name, ":", "_")))
	}
	return out
}

// wants gives what a program asks. Where there is nothing to agree to it answers: in words, or by the way back that it is told of.
func (p *Page) wants(w http.ResponseWriter, r *http.Request) (oauth.Consent, bool) {
	out := oauth.Asked{Problem: oauth.BadRequest}
	if plain(r.URL.RawQuery) {
		out = p.o.Clients.Authorize(r.Context(), r.URL.RawQuery, p.address(r))
	}
	switch {
	case out.Consent != nil:
		return *out.Consent, true
	case out.Problem == "":
		p.lead(w, r, out.Back)
	default:
		status := http.StatusBadRequest
		switch out.Problem {
		case oauth.TryLater:
			status = http.StatusServiceUnavailable
		case oauth.Broken:
			status = http.StatusInternalServerError
		}
		p.fail(w, r, status, "clients.problem_title", "clients.problem_"+string(out.Problem))
	}
	return oauth.Consent{}, false
}

// lead has the browser go to where a program takes its answer. A redirect would be the end of a form's way, on which browsers hold each site to what the form's page lets forms go to
// (form-action), also those that the program sends it on to, which nobody here knows. So the page answers, and its header leads on: what the address holds stands nowhere
// else, and no policy is the wider for it.
func (p *Page) lead(w http.ResponseWriter, r *http.Request, location string) {
	host := ""
	if u, err := url.Parse(location); err == nil {
		host = u.Hostname()
	}
	w.Header().Set("Refresh", "0; url="+location)
	p.show(w, r, http.StatusOK, "lead", view{Title: "bounce_title", Lead: around(p.speaks(r), screen.ConsentBack, host)})
}

// authorize shows what a program asks.
func (p *Page) authorize(w http.ResponseWriter, r *http.Request, v visit) {
	if c, ok := p.wants(w, r); ok {
		p.showConsent(w, r, v, c, http.StatusOK, "")
	}
}

func (p *Page) showConsent(w http.ResponseWriter, r *http.Request, v visit, c oauth.Consent, status int, why string) {
	p.show(w, r, status, "consent", view{
		Title: "clients.title", visit: &v, Consent: p.consentView(r, v, c), Error: screen.Consent(p.speaks(r), why),
	})
}

// allow lets a program in: by a yes to what was shown, once, with a proof that was given for that and for nothing else.
func (p *Page) allow(w http.ResponseWriter, r *http.Request) {
	v, ok := p.ours(w, r)
	if !ok {
		return
	}
	c, ok := p.wants(w, r)
	if !ok {
		return
	}
	yes, err := digest(r)
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	if yes != c.Digest() {
		p.showConsent(w, r, v, c, http.StatusConflict, "changed")
		return
	}
	shown, err := p.seal.When(r.PostForm.Get("shown"), v.key, yes, p.o.Now(), whole)
	once := "shown " + string(shown.Key[:])
	if err != nil || p.seal.Was(once) {
		p.showConsent(w, r, v, c, http.StatusConflict, "again")
		return
	}
	p.carry(w, r, v, deed{
		need:  itsOwn,
		shown: func(*http.Request, visit) (seal.Shown, error) { return shown, nil },
		about: func(r *http.Request, l lang.Lang) (asking, error) {
			return asking{Title: screen.Consent(l, "allow"), Consent: p.consentView(r, v, c), Action: allowPath + "?" + r.URL.RawQuery}, nil
		},
		do: func(w http.ResponseWriter, r *http.Request, v visit) {
			if !p.seal.Once(once, shown.At.Add(whole), p.o.Now()) {
				p.showConsent(w, r, v, c, http.StatusConflict, "again")
				return
			}
			// The browser may go away: the yes has been given.
			to, err := p.o.Clients.Grant(context.WithoutCancel(r.Context()), c, theOwner)
			if err != nil {
				p.failWith(w, r, err)
				return
			}
			p.o.Log.Info("page: yes to a program", "proof", v.proof)
			p.lead(w, r, to)
		},
	})
}

// deny tells a program of the owner's no.
func (p *Page) deny(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.ours(w, r); !ok {
		return
	}
	if c, ok := p.wants(w, r); ok {
		p.o.Log.Info("page: no to a program")
		p.lead(w, r, p.o.Clients.Deny(c))
	}
}
