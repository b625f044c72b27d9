package page

import (
	"bytes"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"readback/cmd/readback/draw"
	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/frame"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/page/body"
	"readback/smsmcp/page/gallery"
	"readback/smsmcp/page/talk"
)

//go:embed assets views
var files embed.FS

// assets are what the page loads beside itself.
var assets = map[string]string{
	"style.css": "text/css; charset=utf-8", "passkey.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
}

func (p *Page) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if p.o.Talk != nil && talk.Serve(w, r, name) {
		return
	}
	kind, ok := assets[name]
	b, err := files.ReadFile("assets/" + name)
	if !ok || err != nil {
		p.fail(w, r, http.StatusNotFound, "empty_title", "not_found")
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(b) //nolint:gosec // one of three files of ours
}

// renderer holds every page in each language.
type renderer map[lang.Lang]map[string]*template.Template

var pages = []string{"sign-in", "waiting", "send", "ask", "history", "contacts", "tokens", "passkeys", "freeze", "error", "bounce", "consent", "lead", "clients", "images", "talk"}

func newRenderer() (renderer, error) {
	out := renderer{}
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		out[l] = map[string]*template.Template{}
		say := func(key string) (string, error) {
			s := wording(l, key)
			if s == "" {
				return "", fmt.Errorf("there are no words for %q", key)
			}
			return s, nil
		}
		for _, name := range pages {
			t, err := template.New(name).Funcs(template.FuncMap{"say": say}).ParseFS(files, "views/base.html", "views/"+name+".html")
			if err != nil {
				return nil, err
			}
			out[l][name] = t
		}
	}
	return out, nil
}

// wording gives words by their key: with "clients." before it, of those about programs that are let in; with "images.", about images; with "talk.", about calls.
func wording(l lang.Lang, key string) string {
	if of, rest, ok := strings.Cut(key, "."); ok {
		return map[string]func(lang.Lang, string) string{"clients": screen.Consent, "images": screen.Images, "talk": screen.Talk}[of](l, rest)
	}
	return screen.Page(l, key)
}

// view is what a page is made of.
type view struct {
	Title string // its key
	Error string
	Next  string

	Send     *sendView
	Sends    []sendView
	Ask      *asking
	Contacts []contactView
	Tokens   []tokenView
	Keys     []keyView
	Consent  *consentView
	Clients  []clientView
	Images   *gallery.List
	Call     *talk.Visit // the call that this very page can be in
	Shown    string      // when its question was shown, sealed
	Lead     phrase
	Off      bool // passkeys do not work at this address
	Unlocked bool // the passphrase was given for a passkey that can be added now

	visit *visit // nil where nobody is signed in

	// What show fills in.
	Lang   lang.Lang
	Path   string
	CSRF   string
	In     bool
	Frozen bool
	Fresh  bool // a proof was given lately enough
	HasKey bool // there is a passkey, and this address can use it
	OAuth  bool // programs can be let in
	Photos bool // there is a list of images
	Talks  bool // there are calls from here
	Count  string
}

// place is the path of a page to come back to; none for one that a form answered with.
func (v view) place(r *http.Request, name string) string {
	switch {
	case v.Send != nil:
		return "/sends/" + string(v.Send.ID)
	case v.Ask != nil:
		return v.Ask.Back
	case v.Consent != nil:
		return question(r)
	case name == "sign-in", name == "talk":
		return "/" + name
	case r.Method == http.MethodGet && name != "error":
		return safe(r.URL.Path)
	}
	return ""
}

// Each gives the page once for each send of a list, for the parts that are about one.
func (v view) Each() []view {
	out := make([]view, 0, len(v.Sends))
	for i := range v.Sends {
		one := v
		one.Send = &v.Sends[i]
		out = append(out, one)
	}
	return out
}

// Proved says that the last proof counts for a yes to this send: that it is fresh, and not from before there was anything to say yes to.
func (v view) Proved() bool { return v.Fresh && v.Send != nil && !v.visit.proved.Before(v.Send.asked) }

// show writes a page. What stands on it is read before a byte is written.
func (p *Page) show(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	l := p.speaks(r)
	v.Lang, v.Path, v.OAuth, v.Photos, v.Talks = l, v.place(r, name), p.o.Clients != nil, p.o.Gallery != nil, p.o.Talk != nil
	if _, err := p.party(r); err == nil {
		ring, err := p.ring(r.Context())
		if err != nil {
			p.o.Log.Error("page: read the passkeys", "error", err)
		}
		v.HasKey = err == nil && len(ring.Keys) > 0
	}
	if v.visit != nil {
		v.In, v.CSRF, v.Fresh = true, v.visit.csrf, anyProof.has(*v.visit, p.o.Now())
		frozen, err := p.o.Desk.Frozen(r.Context())
		if err != nil {
			p.o.Log.Error("page: read whether sends are frozen", "error", err)
			name, status, v.Error = "error", http.StatusInternalServerError, screen.Page(l, "broken")
		}
		v.Frozen = frozen
		if name == "waiting" && len(v.Sends) > 0 {
			v.Count = screen.PageAreWaiting.In(l, len(v.Sends))
		}
	}
	var b bytes.Buffer
	if err := p.render[l][name].ExecuteTemplate(&b, "base", v); err != nil {
		p.o.Log.Error("page: render", "page", name, "error", err)
		http.Error(w, screen.Page(l, "broken"), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// fail says that something is not so, by the keys of its words.
func (p *Page) fail(w http.ResponseWriter, r *http.Request, status int, title, why string) {
	v := view{Title: title, Error: wording(p.speaks(r), why)}
	if p.knows(r.Host) {
		if in, ok := p.visitor(r); ok {
			v.visit = &in
		}
	}
	p.show(w, r, status, "error", v)
}

// failWith says what went wrong below.
func (p *Page) failWith(w http.ResponseWriter, r *http.Request, err error) {
	status, why := said(err)
	if status == http.StatusInternalServerError {
		p.o.Log.Error("page: a request failed", "error", err)
	}
	title := "error_title"
	if status == http.StatusNotFound {
		title = "empty_title"
	}
	p.fail(w, r, status, title, why)
}

// speaks gives the language of an answer: the owner's choice here, the browser's, or the configured one.
func (p *Page) speaks(r *http.Request) lang.Lang {
	if l, err := lang.Parse(p.cookie(r, languageCookie)); err == nil {
		return l
	}
	return screen.Accepted(r.Header.Get("Accept-Language"), p.o.Lang)
}

// sendView is a send as the owner sees it.
type sendView struct {
	ID       smsmcp.SendID
	Name     string
	Number   smsmcp.Number
	Lines    []body.Line
	Digest   string
	Size     string
	By       string
	Reasons  []string
	Strong   bool
	Hidden   bool // its body cannot be shown as it is
	Waiting  bool // it can still be answered here
	State    string
	Class    string // for its colour
	Channel  string
	Answer   string // the words of a spoken yes, safe to draw between « and »
	Failure  string
	Unknown  bool
	Asked    string
	asked    time.Time
	Until    string
	Ended    string
	Readable string // the size in lines and characters: the body cannot have pushed it away
}

func (p *Page) sendViews(r *http.Request, all []smsmcp.Send) []sendView {
	l := p.speaks(r)
	out := make([]sendView, 0, len(all))
	for _, s := range all {
		out = append(out, p.sendView(l, s))
	}
	return out
}

func (p *Page) sendView(l lang.Lang, s smsmcp.Send) sendView {
	if s.State == smsmcp.Waiting && !p.o.Now().Before(s.Expires) {
		s.State = smsmcp.Expired // the desk's sweep has not come by yet
	}
	sum := s.Draft.Digest()
	n, chars := draw.Size(s.Draft.Body())
	out := sendView{
		ID: s.ID, Name: s.Name, Number: s.Draft.To(), Lines: body.Lines(l, s.Draft.Body()), Digest: hex.EncodeToString(sum[:]), By: s.By,
		Size:     lang.CLISegments.In(l, s.Segments, strings.ToUpper(string(s.Kind))),
		Readable: lang.CLIBodyLines.In(l, n) + ", " + lang.CLIBodyChars.In(l, chars),
		Strong:   s.Strong, Hidden: clean.Drawable(s.Draft.Body()) != nil, Waiting: s.State == smsmcp.Waiting && s.Only == smsmcp.NoChannel,
		State: guard.StandingToOwner(l, s.State), Class: string(s.State), Channel: channel(l, s.ConfirmedBy), Answer: frame.Said(s.Answer), Unknown: s.State == smsmcp.Unknown,
		Asked: p.stamp(l, s.Created), asked: s.Created, Ended: p.stamp(l, s.Ended),
	}
	if out.Waiting {
		out.Until = p.stamp(l, s.Expires)
	}
	if s.Failure != "" {
		out.Failure = lang.CarrierSays(l, s.Failure)
	}
	for _, why := range s.Reasons {
		out.Reasons = append(out.Reasons, guard.ExplainToOwner(l, p.o.Zone, why))
	}
	return out
}
