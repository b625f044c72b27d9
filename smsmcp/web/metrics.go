package web

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"

	"readback/smsmcp/lang"
)

// measured lets a scrape through that comes from this machine itself, or that shows a token. All others get the answer of a path that is not there, also
// where they showed a token that is not good: who looks around from outside is not told that something is measured here, and the log tells the owner.
func (s *server) measured(metrics, nothing http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown := r.Header.Values("Authorization")
		r.Header.Del("Authorization")
		if metrics == nil {
			nothing.ServeHTTP(w, r)
			return
		}
		if !direct(r) {
			id, ok := s.shows(r, shown)
			if !ok {
				nothing.ServeHTTP(w, r)
				return
			}
			if wait, ok := s.calls.take(id, s.now()); !ok {
				retryAfter(w.Header(), wait)
				refuse(w, http.StatusTooManyRequests, codeServer, lang.WebTooMany.In(s.lang))
				return
			}
		}
		guardHeaders(w.Header())
		metrics.ServeHTTP(w, r)
	})
}

// shows gives the id of the good token that a request came with.
func (s *server) shows(r *http.Request, tokens []string) (id string, ok bool) {
	if len(tokens) == 0 || !s.hosts.allow(r.Host) {
		return "", false
	}
	token, ok := bearer(tokens)
	if !ok {
		token = "" // which is none
	}
	who, err := s.static(r.Context(), token) // what is measured is the owner's alone: no scope of a client's is for it
	if err == nil {
		return who.ID, true
	}
	if !errors.Is(err, errUnknown) {
		s.log.Error("tokens cannot be read", "err", err)
	} else if _, ok := s.failures.take(source(r), s.now()); ok {
		s.log.Warn("a request for the metrics came without a good token", "from", source(r).Addr().String())
	}
	return "", false
}

// relays are headers that a proxy adds, and that nobody who asks for himself has.
var relays = []string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip"}

// direct says whether a program on this machine asks for itself. A proxy on this machine connects from loopback as well, and must not publish what it gets:
// it is known by the name that it was called by, by a header that it adds, or by an old version of HTTP, which nginx speaks by default and
// no scraper does. A proxy that shows none of these cannot be told from a scraper.
func direct(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().IsLoopback() || !newHosts(nil).allow(r.Host) || !r.ProtoAtLeast(1, 1) {
		return false
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded-") {
			return false
		}
	}
	for _, name := range relays {
		if len(r.Header.Values(name)) > 0 {
			return false
		}
	}
	return true
}
