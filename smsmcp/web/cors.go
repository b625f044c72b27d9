package web

import "net/http"

// shared lets the scripts of pages in Options.AllowedOrigins read what /mcp answers them, refusals too, and answers what their browsers ask before (CORS). They show a token and
// no cookie counts, so a browser lends them nothing. Behind sameHouse, which refuses other pages.
func (s *server) shared(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Origin")
		if from := r.Header.Get("Origin"); from != "" {
			readable(w.Header(), from)
		}
		if preflight(w, r, http.MethodPost) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Open lets the scripts of any page read what a handler answers: one that takes no cookie, and says the same to everybody or what its request holds a secret for.
func Open(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		readable(w.Header(), "*")
		if preflight(w, r, "GET, POST") {
			return
		}
		next.ServeHTTP(w, r)
	})
}

func readable(h http.Header, with string) {
	h.Set("Access-Control-Allow-Origin", with)
	h.Set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
}

// preflight answers a browser that asks what a script may send.
func preflight(w http.ResponseWriter, r *http.Request, methods string) bool {
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", "Authorization, *") // the star stands for all others
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
