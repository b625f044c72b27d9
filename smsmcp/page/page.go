package page

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/oauth"
	"readback/smsmcp/page/gallery"
	"readback/smsmcp/page/seal"
	"readback/smsmcp/page/tries"
	"readback/store"
)

// Desk takes the owner's answers. *confirm.Desk is one.
type Desk interface {
	Waiting(ctx context.Context) ([]smsmcp.Send, error)
	Yes(ctx context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error)
	No(ctx context.Context, id smsmcp.SendID, on smsmcp.Channel) (smsmcp.Send, error)
	Freeze(ctx context.Context, on smsmcp.Channel) error
	Thaw(ctx context.Context, on smsmcp.Channel) error
	Frozen(ctx context.Context) (bool, error)
}

// Store is what the page shows and keeps. *store.Store is one.
type Store interface {
	Send(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
	Sends(ctx context.Context, limit int) ([]smsmcp.Send, error)
	Contacts(ctx context.Context) ([]smsmcp.Contact, error)
	Tokens(ctx context.Context) ([]store.TokenInfo, error)
	RevokeToken(ctx context.Context, now time.Time, name string) error
	Secret(ctx context.Context, name string) ([]byte, error)
	SetSecret(ctx context.Context, name string, v []byte) error
}

// Prover checks the passphrase. Caller is who tries, for a prover that has each wait its turn. nil is the right one; ErrWrong, ErrWait and
// ErrNoPassphrase say what else there is to say; any other error is the prover's own trouble.
type Prover interface {
	Prove(ctx context.Context, caller, passphrase string) error
}

// What a Prover answers.
var (
	ErrWrong        = errors.New("that is not the passphrase")
	ErrWait         = errors.New("too many tries: wait")
	ErrNoPassphrase = errors.New("no passphrase is set")
)

// Options are what New needs. All but PublicURL, Secure, Address, Notify, Clients and Rand must be set.
type Options struct {
	Desk   Desk
	Store  Store
	Prover Prover
	Lang   lang.Lang      // where the browser asks for neither language
	Zone   *time.Location // the owner's
	Now    func() time.Time
	Rand   io.Reader // crypto/rand's where nil
	Log    *slog.Logger

	// PublicURL is where browsers find the page: "https://readback.example". Passkeys are bound to its name. It may be empty: then the page
	// answers on loopback alone, and passkeys work for http://localhost.
	PublicURL string
	// Secure says that browsers reach the page over TLS, be it ended here or by a proxy. It is implied by a PublicURL with https.
	Secure bool
	// Address gives the address that a request came from; nil takes the connection's. A proxy's list of trusted hops belongs here.
	Address func(*http.Request) netip.Addr
	// Notify tells the owner, where they are, of what happened here; nil tells nobody. It must not block.
	Notify  func(Notice)
	Gallery *gallery.Gallery // of images that came with texts; nil: there is no such page
	Talk    Talk             // the owner's own voice, from the browser; nil: there is no such page
	// Clients lets programs in by OAuth: the page answers at oauth.AuthorizePath, and shows who is in. Without it there is none of this.
	Clients Clients
}

// Page is the owner's page, an http.Handler for the whole of a host: it answers every path that it is given.
type Page struct {
	o        Options
	mux      *http.ServeMux
	cross    *http.CrossOriginProtection
	public   *url.URL // nil without a PublicURL
	sessions *sessions
	tries    *tries.Tries  // of one address, or of one session
	networks *tries.Tries  // of one network of IPv6
	together *tries.Tries  // of all who are not signed in
	places   *tries.Places // whence the owner came lately
	wrongs   *tries.Wrongs // of all
	proving  chan struct{} // strangers whose passphrase is being judged
	seal     *seal.Sealer
	keys     sync.Mutex // held while the passkeys are read and written
	render   renderer
}

// ErrPublicURL says that Options.PublicURL is not what it has to be.
var ErrPublicURL = errors.New("page: the public address must be http or https, a host name, and nothing after it")

// strangersAtOnce bounds the passphrases that wait to be judged from browsers that are not signed in.
const strangersAtOnce = 32

// New makes the page.
func New(o Options) (*Page, error) {
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	p := &Page{
		o: o, mux: http.NewServeMux(), cross: http.NewCrossOriginProtection(), proving: make(chan struct{}, strangersAtOnce),
		tries: tries.New(triesPerMinute, triesPerMinute), networks: tries.New(networkTriesPerMinute, networkTriesPerMinute),
		together: tries.New(allTriesPerMinute, allTriesAtOnce), places: tries.NewPlaces(mostSessions, whole), wrongs: tries.NewWrongs(manyWrong, tellEvery),
	}
	if o.PublicURL != "" {
		u, err := url.Parse(strings.TrimSuffix(o.PublicURL, "/"))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
			return nil, ErrPublicURL
		}
		u.Host = strings.ToLower(u.Host)
		if port := u.Port(); u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" { // browsers leave it out
			u.Host = strings.TrimSuffix(u.Host, ":"+port)
		}
		p.public = u
		p.o.Secure = o.Secure || u.Scheme == "https"
	}
	p.sessions = &sessions{rand: o.Rand, all: map[[32]byte]*session{}}
	var err error
	if p.seal, err = seal.New(o.Rand); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	if p.render, err = newRenderer(); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	p.routes()
	return p, nil
}

// EndSessions signs everybody out, as after a change of the passphrase, and ends the calls from browsers.
func (p *Page) EndSessions() {
	p.sessions.endAll([32]byte{})
	_ = p.endCalls(context.Background()) // it is logged
}

func (p *Page) routes() {
	h := p.mux.HandleFunc
	h("GET /page/{file}", p.asset)
	h("GET /sign-in", p.signInForm)
	h("POST /sign-in", p.signIn)
	h("POST /sign-in/options", p.signInOptions)
	h("POST /sign-in/passkey", p.signInPasskey)
	h("POST /language", p.language)

	h("GET /{$}", p.signedIn(p.waiting))
	h("GET /sends/{id}", p.signedIn(p.send))
	h("GET /history", p.signedIn(p.history))
	h("GET /contacts", p.signedIn(p.contacts))
	h("GET /tokens", p.signedIn(p.tokens))
	h("GET /passkeys", p.signedIn(p.passkeys))
	h("GET /freeze", p.signedIn(p.freezeState))
	if p.o.Gallery != nil {
		h("GET /images", p.signedIn(p.images(http.StatusOK, "")))
		h("GET /images/before/{before}", p.signedIn(p.images(http.StatusOK, "")))
		h("GET /images/{text}/{n}", p.signedIn(func(w http.ResponseWriter, r *http.Request, _ visit) {
			if p.o.Gallery.Image(w, r) != nil {
				p.failWith(w, r, gallery.ErrNone)
			}
		}))
		p.deed("POST /images/{text}/fetch", deed{do: p.fetchImages})
	}

	p.deed("POST /sends/{id}/yes", deed{need: anyProof, since: p.asked, about: p.aboutYes, do: p.yes})
	p.deed("POST /sends/{id}/no", deed{do: p.no})
	p.deed("POST /freeze", deed{do: p.freeze})
	p.deed("POST /thaw", deed{need: anyProof, about: about("thaw", "thaw_what", ""), do: p.thaw})
	p.deed("POST /tokens/revoke", deed{need: anyProof, about: about("revoke", "revoke_ask", "name"), do: p.revoke})
	p.deed("POST /passkeys/remove", deed{need: anyProof, about: p.aboutRemove, do: p.removePasskey})
	p.deed("POST /passkeys/unlock", deed{need: words, about: about("add_title", "", ""), do: p.unlock})
	p.deed("POST /sign-out", deed{do: p.signOut})
	if p.o.Talk != nil {
		h("GET /talk", p.signedIn(p.talkTo))
		p.deed("POST /talk", deed{need: itsOwn, shown: p.shown("talk"), about: about("talk.begin", "talk.what", ""), do: p.call})
	}
	if p.o.Clients != nil {
		h("GET "+oauth.AuthorizePath, p.signedIn(p.authorize))
		h("POST "+allowPath, p.allow)
		h("POST "+denyPath, p.deny)
		h("GET /clients", p.signedIn(p.clients))
		p.deed("POST /clients/trust", deed{need: itsOwn, shown: p.shown("trust"), about: p.aboutClient("may_confirm_on", "may_confirm_what"), do: p.trust})
		p.deed("POST /clients/distrust", deed{do: p.distrust})
		p.deed("POST /clients/revoke", deed{need: anyProof, since: p.sinceShown("revoke"), about: p.aboutClient("revoke", "revoke_ask"), do: p.revokeClient})
	}

	h("POST /prove/options", p.script(p.proveOptions))
	h("POST /prove/passkey", p.script(p.provePasskey))
	h("POST /passkeys/options", p.script(p.addOptions))
	h("POST /passkeys/add", p.script(p.addPasskey))

	h("/", func(w http.ResponseWriter, r *http.Request) {
		p.fail(w, r, http.StatusNotFound, "empty_title", "not_found")
	})
}

const (
	formBytes   = 16 << 10
	scriptBytes = 64 << 10
	bodyTimeout = 5 * time.Second // for a browser to send a whole form
)

// policy lets the page load its own style, script and icon, send its own forms, and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'"

const permissions = "publickey-credentials-get=(self), publickey-credentials-create=(self), accelerometer=(), autoplay=(), camera=(), " +
	"clipboard-read=(), display-capture=(), fullscreen=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()"

func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Permissions-Policy", permissions)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	inPopup(w, r.URL.Path)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Cookie, Accept-Language")
	if !p.knows(r.Host) {
		p.o.Log.Warn("page: a request named a host that is not the public address")
		p.fail(w, r, http.StatusForbidden, "error_title", "bad_host")
		return
	}
	if !p.own(r) {
		p.o.Log.Warn("page: a request came from another site")
		p.fail(w, r, http.StatusForbidden, "error_title", "cross_site")
		return
	}
	if r.Method == http.MethodPost {
		_ = http.NewResponseController(w).SetReadDeadline(p.o.Now().Add(bodyTimeout)) // test recorders have none
	}
	p.mux.ServeHTTP(w, r)
}

// knows judges the Host header: the public address, or loopback. A stranger's site can point a name of its own at 127.0.0.1 (DNS
// rebinding); its requests carry that name.
func (p *Page) knows(host string) bool {
	host = strings.ToLower(host)
	if p.public != nil && host == p.public.Host {
		return true
	}
	name := hostname(host)
	if name == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.IsLoopback() && addr.Zone() == ""
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// own says that a request that may change something comes from this very page. Every browser says so of a POST, in one header or the other; one
// that says nothing is not believed.
func (p *Page) own(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return true
	}
	if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" {
		return false
	}
	return p.cross.Check(r) == nil
}

// address is the one that a request came from.
func (p *Page) address(r *http.Request) netip.Addr {
	if p.o.Address != nil {
		return p.o.Address(r)
	}
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return at.Addr()
}

// from is what counts as one address: an IPv4 address, or the /64 that an IPv6 host can choose from freely.
func (p *Page) from(r *http.Request) netip.Prefix {
	addr := p.address(r).Unmap().WithZone("")
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	prefix, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}
