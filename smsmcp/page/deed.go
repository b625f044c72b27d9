package page

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/oauth"
	"readback/smsmcp/page/seal"
	"readback/smsmcp/page/tries"
)

// need is what a deed asks for beside the session.
type need int

const (
	nothing  need = iota
	anyProof      // a passkey or the passphrase, given within two minutes
	itsOwn        // a passkey or the passphrase, given within two minutes for this showing of this question, and used up by it
	words         // the passphrase itself, asked for each time: neither a passkey nor a sign-in makes another passkey
)

// has says whether a visit has what a deed needs.
func (n need) has(v visit, now time.Time) bool {
	switch n {
	case nothing:
		return true
	case words, itsOwn:
		return false
	}
	return seal.Within(v.proved, now, fresh)
}

// deed is what a form does.
type deed struct {
	need  need
	since func(*http.Request, visit) (bool, error)       // of anyProof: whether the last proof is not from before the question; nil: it need not be
	shown func(*http.Request, visit) (seal.Shown, error) // of itsOwn: the question, as it was shown
	about func(*http.Request, lang.Lang) (asking, error) // what is asked about, while the proof is asked for
	do    func(http.ResponseWriter, *http.Request, visit)
}

// asking is what a page says that asks for a proof. Its form does the deed again.
type asking struct {
	Title, Text, Name string
	Send              *sendView
	Consent           *consentView
	Action            string // where its form goes; empty: where it came from
	Fields            []field
	WordsOnly         bool
	ItsOwn            bool
	Error             string
	Back              string
}

type field struct{ Name, Value string }

// about makes what to say of a deed: a title, a sentence and what a field of the form names.
func about(title, text, named string) func(*http.Request, lang.Lang) (asking, error) {
	return func(r *http.Request, l lang.Lang) (asking, error) {
		return asking{Title: wording(l, title), Text: wording(l, text), Name: r.PostForm.Get(named)}, nil
	}
}

// signedIn lets in who is, and shows the others the way.
func (p *Page) signedIn(show func(http.ResponseWriter, *http.Request, visit)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, ok := p.visitor(r)
		switch {
		case ok:
			show(w, r, v)
		case p.cookie(r, sessionCookie) == "" && r.Header.Get("Sec-Fetch-Site") == "cross-site":
			// A link on another site, such as ntfy's own page, brings no SameSite=Strict cookie along. Loading the page once more from here does.
			p.show(w, r, http.StatusOK, "bounce", view{Title: "bounce_title", Next: here(r)})
		default:
			http.Redirect(w, r, "/sign-in?next="+url.QueryEscape(here(r)), http.StatusSeeOther)
		}
	}
}

// deed has a form do something: for who is signed in, with the session's token, and with the proof that it needs.
func (p *Page) deed(pattern string, d deed) {
	p.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if v, ok := p.ours(w, r); ok {
			p.carry(w, r, v, d)
		}
	})
}

// ours gives the session that a form of this page came from, and reads it. It answers where it cannot.
func (p *Page) ours(w http.ResponseWriter, r *http.Request) (visit, bool) {
	v, ok := p.visitor(r)
	if !ok {
		http.Redirect(w, r, "/sign-in?next="+url.QueryEscape(back(r)), http.StatusSeeOther)
		return v, false
	}
	if !p.form(w, r) {
		return v, false
	}
	if !same(r.PostForm.Get("csrf"), v.csrf) {
		p.o.Log.Warn("page: a form without this session's token")
		p.fail(w, r, http.StatusForbidden, "error_title", "stale")
		return v, false
	}
	return v, true
}

// carry carries a deed out, once it has the proof that it needs.
func (p *Page) carry(w http.ResponseWriter, r *http.Request, v visit, d deed) {
	proved, err := p.proved(r, &v, d)
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	if proved {
		d.do(w, r, v)
		return
	}
	given := r.PostForm.Get("passphrase")
	ask, err := d.about(r, p.speaks(r))
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	status, why := http.StatusForbidden, ""
	if given != "" || r.PostForm.Has("asked") {
		if err = p.prove(r, &v, d, given); err == nil {
			d.do(w, r, v)
			return
		}
		if status, why = p.unproved(err); status == http.StatusInternalServerError {
			p.failWith(w, r, err)
			return
		}
	}
	if ask.Action == "" {
		ask.Action = r.URL.Path
	}
	ask.Fields, ask.WordsOnly, ask.ItsOwn = kept(r.PostForm), d.need == words, d.need == itsOwn
	ask.Error, ask.Back = screen.Page(p.speaks(r), why), back(r)
	p.show(w, r, status, "ask", view{Title: "ask_title", visit: &v, Ask: &ask})
}

// proved says whether a visit has the proof that a deed needs, and uses up one that was for it alone.
func (p *Page) proved(r *http.Request, v *visit, d deed) (bool, error) {
	now := p.o.Now()
	if d.need == itsOwn {
		q, err := d.shown(r, *v)
		if err != nil || !p.sessions.take(v.key, q.Key, now) {
			return false, err
		}
		v.proof = byPasskey
		return true, nil
	}
	has := d.need.has(*v, now)
	if d.since == nil {
		return has, nil
	}
	after, err := d.since(r, *v)
	return has && after, err
}

// back is the page that a form stands on.
func back(r *http.Request) string {
	if id := r.PathValue("id"); sendID.MatchString(id) {
		return "/sends/" + id
	}
	switch first, _, more := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/"); {
	case more && (first == "tokens" || first == "passkeys" || first == "clients"):
		return "/" + first
	case asks(r.URL.Path):
		return question(r)
	case first == "thaw":
		return "/freeze"
	case first == "talk":
		return "/talk"
	}
	return "/"
}

// kept are the fields that a form is done again with.
func kept(form url.Values) (out []field) {
	for name, values := range form {
		if !slices.Contains([]string{"csrf", "passphrase", "asked", "username"}, name) {
			out = append(out, field{name, values[0]})
		}
	}
	slices.SortFunc(out, func(a, b field) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}

// form reads a form of a bounded size. It answers where it cannot.
func (p *Page) form(w http.ResponseWriter, r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	r.Body = http.MaxBytesReader(w, r.Body, formBytes)
	if err == nil && kind == "application/x-www-form-urlencoded" {
		if err = r.ParseForm(); err == nil {
			return true
		}
	}
	p.fail(w, r, http.StatusBadRequest, "error_title", "bad_request")
	return false
}

// same compares in constant time.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// proveFor bounds one judging of a passphrase, its wait for its turn included.
const proveFor = 20 * time.Second

// errEmpty says that no passphrase was given.
var errEmpty = errors.New("no passphrase was given")

// prove has the passphrase judged that came with a deed's form. Where the deed needs one of its own, it is that, and no more than that.
func (p *Page) prove(r *http.Request, v *visit, d deed, given string) error {
	err := p.judge(r, "session "+hex.EncodeToString(v.key[:8]), given)
	if err != nil {
		return err
	}
	if d.need != itsOwn {
		p.sessions.prove(v.key, p.o.Now(), byPassphrase)
	}
	*v, _ = p.visitor(r)
	v.proof = byPassphrase
	p.o.Log.Info("page: proved", "proof", byPassphrase)
	return nil
}

// judge has a passphrase judged, a few times a minute for each who tries. Shared are the buckets that others draw on too; the narrowest is asked first, so
// that one address alone does not empty them.
func (p *Page) judge(r *http.Request, who, given string, shared ...bucket) error {
	if given == "" {
		return errEmpty
	}
	took := p.tries.Take(who, p.o.Now())
	for _, b := range shared {
		took = took && b.of.Take(b.key, p.o.Now())
	}
	if !took {
		p.o.Log.Warn("page: too many passphrases", "from", p.from(r).String())
		return ErrWait
	}
	ctx, cancel := context.WithTimeout(r.Context(), proveFor)
	defer cancel()
	err := p.o.Prover.Prove(ctx, who, given)
	switch {
	case err == nil: // the owner signs in too rarely for others to gain by it
		p.tries.Forget(who)
		for _, b := range shared {
			b.of.Forget(b.key)
		}
	case errors.Is(err, ErrWrong):
		p.o.Log.Warn("page: a wrong passphrase", "from", p.from(r).String())
		if n, tell := p.wrongs.Add(p.o.Now()); tell {
			p.notify(Notice{What: WrongPassphrases, Count: n})
		}
	case errors.Is(err, context.DeadlineExceeded):
		err = ErrWait
	}
	return err
}

// bucket is one of many of a kind.
type bucket struct {
	of  *tries.Tries
	key string
}

// shared are the buckets that somebody who is not signed in shares with others, but where the owner was before. An IPv6 network of 48 bits is often one customer's.
func (p *Page) shared(r *http.Request) (out []bucket) {
	at := p.from(r)
	if p.places.Has(at.String(), p.o.Now()) {
		return nil
	}
	if at.Addr().Is6() {
		out = append(out, bucket{p.networks, netip.PrefixFrom(at.Addr(), 48).Masked().String()})
	}
	return append(out, bucket{p.together, ""})
}

// unproved says with which status and words to answer somebody whose passphrase did not do.
func (p *Page) unproved(err error) (status int, key string) {
	switch {
	case errors.Is(err, errEmpty):
		return http.StatusForbidden, "no_words"
	case errors.Is(err, ErrWrong):
		return http.StatusForbidden, "wrong"
	case errors.Is(err, ErrWait):
		return http.StatusTooManyRequests, "wait"
	case errors.Is(err, ErrNoPassphrase):
		return http.StatusForbidden, "no_passphrase"
	}
	return http.StatusInternalServerError, "broken"
}

func (p *Page) signInForm(w http.ResponseWriter, r *http.Request) {
	next := safe(r.URL.Query().Get("next"))
	inPopup(w, next)
	if _, ok := p.visitor(r); ok {
		http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // safe lets only paths of this page through
		return
	}
	p.show(w, r, http.StatusOK, "sign-in", view{Title: "sign_in", Next: next})
}

func (p *Page) signIn(w http.ResponseWriter, r *http.Request) {
	if !p.form(w, r) {
		return
	}
	next := safe(r.PostForm.Get("next"))
	inPopup(w, next)
	var status int
	var why string
	select {
	case p.proving <- struct{}{}:
		err := p.judge(r, "address "+p.from(r).String(), r.PostForm.Get("passphrase"), p.shared(r)...)
		<-p.proving
		if err == nil {
			if err = p.enter(w, r, byPassphrase); err == nil {
				http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // as above
				return
			}
		}
		if status, why = p.unproved(err); status == http.StatusInternalServerError {
			p.failWith(w, r, err)
			return
		}
	default:
		status, why = http.StatusTooManyRequests, "wait"
	}
	p.show(w, r, status, "sign-in", view{Title: "sign_in", Next: next, Error: screen.Page(p.speaks(r), why)})
}

func (p *Page) signOut(w http.ResponseWriter, r *http.Request, v visit) {
	p.sessions.end(v.key)
	if r.PostForm.Get("everywhere") != "" {
		p.sessions.endAll([32]byte{})
	}
	p.setCookie(w, sessionCookie, "", 0)
	p.endCallsThen(w, r, "/sign-in")
}

var path = regexp.MustCompile(`^/([a-z0-9-]+(/[a-z0-9-]+)*)?$`)

// safe gives a path of this page to go to, or what a program asks; "/" for anything else.
func safe(next string) string {
	if query, ok := strings.CutPrefix(next, oauth.AuthorizePath+"?"); ok && plain(query) {
		return next
	}
	if len(next) > 100 || !path.MatchString(next) {
		return "/"
	}
	return next
}

// here is the page that is asked for.
func here(r *http.Request) string {
	if asks(r.URL.Path) {
		return question(r)
	}
	return r.URL.Path
}

func (p *Page) language(w http.ResponseWriter, r *http.Request) {
	if !p.form(w, r) {
		return
	}
	if v, ok := p.visitor(r); ok && !same(r.PostForm.Get("csrf"), v.csrf) {
		p.fail(w, r, http.StatusForbidden, "error_title", "stale")
		return
	}
	if l, err := lang.Parse(r.PostForm.Get("language")); err == nil {
		p.setCookie(w, languageCookie, string(l), 365*24*time.Hour)
	}
	next := safe(r.PostForm.Get("next"))
	inPopup(w, next)
	http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // as above
}
