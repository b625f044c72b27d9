package web

import (
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// Options are what New needs. MCP, Tokens, NoToken, Now and Log must be set; a zero limit takes its default.
type Options struct {
	MCP     http.Handler // answers POST /mcp, with who asks in Who(ctx) and a whole body of valid UTF-8
	Metrics http.Handler // answers GET /metrics, to this machine and to who shows a token; nil: there are none
	Tokens  Tokens
	NoToken error                               // what Tokens.Token gives for an id that names none
	OAuth   OAuth                               // lets clients in beside those with a token of the owner's; nil: there are none
	Needs   func(body []byte) (read, send bool) // which scopes a body asks for what needs them; set with OAuth
	Now     func() time.Time                    // the wall clock: it drives the limits and the connection's deadlines
	Log     *slog.Logger
	Lang    lang.Lang
	Parts   func() []smsmcp.Part // how what runs by itself stands, for GET /healthz; must not block; nil where nothing does

	Routes []Route // what else is answered, beside /mcp

	TrustedProxies []netip.Prefix // whose X-Forwarded-For and X-Forwarded-Proto count
	PublicHosts    []string       // names besides loopback's by which this server may be called
	AllowedOrigins []string       // pages of other hosts that may call: "https://example.com"

	RequestsPerMinute int           // of one token; 120
	Burst             int           // of one token; 30
	BodyBytes         int           // of one request; 1 MiB
	RequestTimeout    time.Duration // from the whole request to its answer; 60 s
	AtOnce            int           // requests answered at the same time, over all tokens, half of them for one; 16. It bounds the memory that bodies take
}

const (
	bodyTimeout       = 5 * time.Second // for a client to send a whole body
	failuresPerMinute = 10              // of one address without a good token
	failuresBurst     = 20
	mostSources       = 4096
	mostTokens        = 1024
)

type server struct {
	tokens   Tokens
	noToken  error
	oauth    OAuth
	needs    func(body []byte) (read, send bool)
	now      func() time.Time
	log      *slog.Logger
	lang     lang.Lang
	hosts    hosts
	origins  origins
	proxies  proxies
	calls    *limits[string]
	failures *limits[netip.Prefix]
	body     int64
	timeout  time.Duration
	shares   *shares
	parts    func() []smsmcp.Part
}

// New gives the handler of the whole server: POST /mcp behind every check, GET /healthz, GET /metrics, the routes, and nothing else.
func New(o Options) http.Handler {
	return newServer(o).handler(o.MCP, o.Metrics, o.Routes)
}

func newServer(o Options) *server {
	s := &server{
		tokens: o.Tokens, noToken: o.NoToken, oauth: o.OAuth, needs: o.Needs, now: o.Now, log: o.Log, lang: o.Lang,
		hosts: newHosts(o.PublicHosts), origins: newOrigins(o.AllowedOrigins), proxies: newProxies(o.TrustedProxies),
		calls:    newLimits[string](or(o.RequestsPerMinute, 120), or(o.Burst, 30), mostTokens),
		failures: newLimits[netip.Prefix](failuresPerMinute, failuresBurst, mostSources),
		body:     int64(or(o.BodyBytes, 1<<20)),
		timeout:  or(o.RequestTimeout, time.Minute),
		parts:    o.Parts,
	}
	s.shares = newShares(or(o.AtOnce, 16), s.body)
	return s
}

func (s *server) handler(answers, metrics http.Handler, routes []Route) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.health)
	mcp := s.sameHouse(s.shared(s.authenticate(s.whole(s.scoped(answers)))))
	mux.Handle("POST /mcp", mcp)
	mux.Handle("/mcp", s.sameHouse(s.shared(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", http.MethodPost) // no stream to listen on and no session to end: both eras allow this answer
		refuse(w, http.StatusMethodNotAllowed, codeRequest, lang.WebPostOnly.In(s.lang))
	}))))
	var nothing http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, codeRequest, lang.WebNotFound.In(s.lang))
	})
	for _, rt := range routes {
		if rt.Pattern == "/" {
			nothing = s.routed(rt) // also in place of the metrics, so that they look like any path that is not there
			continue
		}
		mux.Handle(rt.Pattern, s.routed(rt))
	}
	mux.Handle("GET /metrics", s.measured(metrics, nothing))
	mux.Handle("/", nothing)
	return s.recovered(s.located(s.timed(mux)))
}

func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

// timed bounds how long the body may take, also of a request that is refused without it: net/http reads a rest of it before it answers.
// Once a body has been read to its end, net/http lifts the deadline by itself.
func (s *server) timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(s.now().Add(bodyTimeout)) // test recorders have none
		next.ServeHTTP(w, r)
	})
}

// sameHouse refuses what a page of a stranger's site makes a browser send.
func (s *server) sameHouse(next http.Handler) http.Handler { return s.sameHost(s.sameOrigin(next)) }

func (s *server) sameHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.hosts.allow(r.Host) {
			s.log.Warn("a request named a host that is not in public_hosts")
			refuse(w, http.StatusForbidden, codeServer, lang.WebHost.In(s.lang))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) sameOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.origins.allow(r.Header.Values("Origin"), r.Host, Secure(r)) && !ownPage(r) {
			s.log.Warn("a request came from a page that is not in allowed_origins")
			refuse(w, http.StatusForbidden, codeServer, lang.WebOrigin.In(s.lang))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// recovered turns a panic into an answer. What the panic carries may be a stranger's words: only where it happened is logged.
func (s *server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if recover() != nil {
				s.log.Error("a request broke the server's code", "stack", string(debug.Stack()))
				refuse(w, http.StatusInternalServerError, codeServer, lang.WebBroken.In(s.lang))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
