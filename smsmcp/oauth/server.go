package oauth

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"readback/smsmcp/outside"
)

// How long things are good.
const (
	CodeLife   = time.Minute
	AccessLife = time.Hour
	Idle       = 180 * 24 * time.Hour // after so long without an exchange a grant ends

	codeKept    = 24 * time.Hour      // a code that comes again within it ends what it gave
	endedTokens = 64                  // refresh tokens of a grant that ended that are still known
	refreshKept = 4096                // refresh tokens of a grant that are still known when they come again
	endedKept   = 90 * 24 * time.Hour // a grant that ended is still shown
)

// MostGrants bounds those that work.
const MostGrants = 64

// Documents fetches a client's document. *outside.Client is one: with 10 KB, 5 s and no redirect.
type Documents interface {
	Get(ctx context.Context, address string) (outside.Doc, error)
}

// Options of New. All but Documents, Hosts, Rand, Address and Notify must be set.
type Options struct {
	// Issuer is where browsers and clients find this server: "https://readback.example", without a path. http is for loopback alone.
	Issuer string
	// Path is that of the MCP endpoint under it, "/mcp": the two are the one resource that tokens are for.
	Path  string
	Store Store
	// Documents makes clients known by their documents; nil knows none.
	Documents Documents
	// Hosts are those that clients may be sent back to, and those whose documents are fetched: in lower case, as DNS has them. DefaultHosts where nil. Beside them
	// answers go to the machine that the browser runs on.
	Hosts []string
	Now   func() time.Time
	Rand  io.Reader // crypto/rand's where nil
	Log   *slog.Logger
	// Address gives the address that a request came from; nil takes the connection's.
	Address func(*http.Request) netip.Addr
	// Notify is told of a grant that began or ended, once that is kept; nil tells nobody. It must not block.
	Notify func(Grant)
}

// DefaultHosts are those of Claude.
var DefaultHosts = []string{"claude.ai", "claude.com"}

// Server is the authorization server and the resource's guard. It is safe for concurrent use.
type Server struct {
	o        Options
	issuer   string
	resource string
	hosts    hosts
	log      *slog.Logger

	registering, registeringNear, failing, fetching *buckets[netip.Prefix]
	registeringAll, failingAll, fetchingAll         *buckets[struct{}]
	refreshing                                      *buckets[string] // of a grant; or what was given is shown that works no more, of its hash
	fetches                                         chan struct{}
	bad                                             sync.Map // of documents that were not to be had: when that was, by address
}

// What can be wrong with options.
var (
	ErrIssuer = errors.New("oauth: the issuer must be https (http on loopback alone), a host name, and nothing after it")
	ErrPath   = errors.New("oauth: the path must begin with a slash and need no escape")
	ErrHosts  = errors.New("oauth: a host must be a name in lower case, without a port")
)

var hostName = regexp.MustCompile(`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`)

// New makes a server.
func New(o Options) (*Server, error) {
	u, err := url.Parse(o.Issuer)
	if err != nil || u.Hostname() == "" || u.String() != u.Scheme+"://"+u.Host || strings.ToLower(u.Host) != u.Host ||
		u.Scheme != "https" && (u.Scheme != "http" || !loopback.MatchString(u.Host)) {
		return nil, ErrIssuer
	}
	if !strings.HasPrefix(o.Path, "/") || !plain(o.Path) || strings.HasSuffix(o.Path, "/") {
		return nil, ErrPath
	}
	if o.Hosts == nil {
		o.Hosts = DefaultHosts
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	s := &Server{
		o: o, issuer: o.Issuer, resource: o.Issuer + o.Path, hosts: hosts{}, log: o.Log,
		registering: newBuckets[netip.Prefix](2, 10, 4096), registeringNear: newBuckets[netip.Prefix](4, 10, 4096), registeringAll: newBuckets[struct{}](10, 20, 1),
		failing: newBuckets[netip.Prefix](10, 20, 4096), failingAll: newBuckets[struct{}](120, 120, 1),
		fetching: newBuckets[netip.Prefix](6, 10, 4096), fetchingAll: newBuckets[struct{}](20, 20, 1),
		refreshing: newBuckets[string](12, 60, 2*MostGrants), fetches: make(chan struct{}, 4),
	}
	for _, h := range o.Hosts {
		if !hostName.MatchString(h) {
			return nil, ErrHosts
		}
		s.hosts[h] = true
	}
	return s, nil
}

// Handler answers at the paths of Routes.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+registerPath, s.register)
	mux.HandleFunc("POST "+tokenPath, s.token)
	mux.HandleFunc("POST "+revokePath, s.revoke)
	for _, path := range []string{resourceMetadataPath, resourceMetadataPath + s.o.Path} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, s.resourceMetadata()) })
	}
	mux.HandleFunc("GET "+serverMetadataPath, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, s.serverMetadata()) })
	return mux
}

// Routes are the paths that Handler answers at. None of them takes a cookie or a browser's word: pages of other sites may ask there.
func (s *Server) Routes() []string {
	return []string{registerPath, tokenPath, revokePath, resourceMetadataPath, resourceMetadataPath + s.o.Path, serverMetadataPath}
}

// answer writes JSON that nobody keeps.
func answer(w http.ResponseWriter, status int, v any) {
	h := w.Header()
	h.Set("Content-Type", jsonType)
	h.Set("Cache-Control", "no-store")
	h.Set("Pragma", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // of a kind that is always encoded
}

func refuse(w http.ResponseWriter, status int, code string) {
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	answer(w, status, map[string]string{"error": code})
}

// broken says that it is us, and not what the client holds, that is wrong: it must not give it up.
func (s *Server) broken(w http.ResponseWriter, at string, err error) {
	s.log.Error("oauth: a request failed", "at", at, "err", err)
	refuse(w, http.StatusServiceUnavailable, temporarilyDown)
}

// form reads the parameters of a POST: of its body alone, and sent once each.
func (s *Server) form(w http.ResponseWriter, r *http.Request) (params, bool) {
	body, ok := s.body(w, r, formType, longWhole)
	if !ok {
		return nil, false
	}
	p, twice, ok := parseParams(string(body))
	if !ok || len(twice) > 0 || !p.fit() || r.URL.RawQuery != "" {
		refuse(w, http.StatusBadRequest, invalidRequest)
		return nil, false
	}
	// Clients have no secret here. One that shows some in its form takes us for another; what it shows in a header is gone before it comes here.
	if p["client_secret"] != "" || p["client_assertion"] != "" || p["client_assertion_type"] != "" {
		w.Header().Set("WWW-Authenticate", `Basic realm="readback"`) // RFC 6749 5.2
		refuse(w, http.StatusUnauthorized, invalidClient)
		return nil, false
	}
	if p["client_id"] == "" {
		refuse(w, http.StatusBadRequest, invalidRequest)
		return nil, false
	}
	return p, true
}

func (s *Server) body(w http.ResponseWriter, r *http.Request, kind string, most int64) ([]byte, bool) {
	if got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || got != kind {
		refuse(w, http.StatusBadRequest, invalidRequest)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		refuse(w, http.StatusBadRequest, invalidRequest)
		return nil, false
	}
	return body, true
}

func (s *Server) from(r *http.Request) netip.Prefix {
	if s.o.Address != nil {
		return network(s.o.Address(r))
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Prefix{}
	}
	return network(at.Addr())
}

// failed answers a request that was refused. It counts against where that came from, together with all others; but one that shows what was given to it counts by that alone, so that no
// stranger's failures keep from a client that it has to ask the owner again. Good requests never pass here: nobody can hold up a client by failing from its address.
func (s *Server) failed(w http.ResponseWriter, r *http.Request, at string, out outcome) {
	if now := s.o.Now(); out.of != "" && !s.refreshing.take(out.of, now) || out.of == "" && !s.mayFail(r, now) {
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	}
	s.log.Warn("oauth: refused", "at", at, "code", out.code, "why", string(out.why))
	refuse(w, http.StatusBadRequest, out.code)
}

func (s *Server) mayFail(r *http.Request, now time.Time) bool {
	return s.failing.take(s.from(r), now) && s.failingAll.take(struct{}{}, now)
}

func (s *Server) notify(g Grant) {
	if s.o.Notify != nil {
		s.o.Notify(g)
	}
}

// end ends a grant: nothing that it gave works any more. Of its tokens the last refresh tokens are known as long as it is: to who shows one it can be said that it is over.
func end(tx Tx, g Grant, why Why, now time.Time) (Grant, error) {
	g.Ended, g.Why = now, why
	if err := errors.Join(tx.DropAccess(g.ID, never), tx.DropRefresh(g.ID, g.Last-endedTokens, g.Rotation)); err != nil {
		return g, err
	}
	return g, tx.PutGrant(g)
}

// never is later than any time that a clock tells.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// lapse drops what is over of codes, so that no clock that is set back makes one work again; those that were used are known for a day.
func lapse(tx Tx, now time.Time) error {
	return tx.DropCodes(now.Add(-codeKept), now.Add(tick-CodeLife))
}

// tick is how near times may be that a store does not tell apart: what is made before the end of a tick is made at its beginning, or before.
const tick = time.Millisecond

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("oauth: %s: %w", what, err)
}
