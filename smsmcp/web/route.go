package web

import (
	"context"
	"net/http"

	"readback/smsmcp/lang"
)

// Route is a handler beside /mcp. No bearer token is asked for it: it asks by itself for what it needs.
type Route struct {
	Pattern   string // of http.ServeMux; "/" takes every path that is nobody else's
	Handler   http.Handler
	CrossSite bool // pages of other sites may send here: the handler judges by itself where a request comes from
	BodyBytes int  // of one request; 64 KiB
	Signed    bool // the handler reads the header Authorization; behind all others it is not there
}

const routeBytes = 64 << 10

// routed puts a route behind what every request passes: by which name it called us, from which page it comes, how much it may bring and how long it may take.
func (s *server) routed(rt Route) http.Handler {
	h := rt.Handler
	if !rt.Signed {
		h = unsigned(h)
	}
	h = s.bounded(h, int64(or(rt.BodyBytes, routeBytes)))
	if !rt.CrossSite {
		h = s.sameOrigin(h)
	}
	return s.sameHost(h)
}

// unsigned takes away what nothing behind it needs, and nothing behind it can print then.
func unsigned(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Authorization")
		next.ServeHTTP(w, r)
	})
}

func (s *server) bounded(next http.Handler, most int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > most {
			w.Header().Set("Connection", "close")
			refuse(w, http.StatusRequestEntityTooLarge, codeServer, lang.WebTooLarge.In(s.lang, most))
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
		defer cancel()
		_ = http.NewResponseController(w).SetWriteDeadline(s.now().Add(s.timeout + bodyTimeout))
		r = r.WithContext(ctx)
		r.Body = http.MaxBytesReader(w, r.Body, most)
		guardHeaders(w.Header())
		next.ServeHTTP(w, r)
	})
}
