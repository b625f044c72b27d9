package web

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// Tokens finds a token by its id. An id that names none gives an error that is Options.NoToken.
type Tokens interface {
	Token(ctx context.Context, id string) (name string, hash [32]byte, err error)
}

type whoKey struct{}

// Who is whose token the request came with; nobody, who may do nothing, outside such a request.
func Who(ctx context.Context) smsmcp.Principal {
	p, _ := ctx.Value(whoKey{}).(smsmcp.Principal)
	return p
}

// authenticate lets in who shows a token. A failed try costs its address one from a small bucket; a good token is never held up by
// the failures of others at its address, so that nobody can lock the owner's client out.
func (s *server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown := r.Header.Values("Authorization")
		who, err := s.check(r.Context(), shown)
		r.Header.Del("Authorization") // nothing behind here needs it, and nothing behind here can print it
		if err == nil {
			if wait, ok := s.calls.take(who.ID, s.now()); !ok {
				retryAfter(w.Header(), wait)
				refuse(w, http.StatusTooManyRequests, codeServer, lang.WebTooMany.In(s.lang))
				return
			}
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, who)))
			return
		}
		if !errors.Is(err, errUnknown) {
			s.log.Error("tokens cannot be read", "err", err)
			retryAfter(w.Header(), 5*time.Second)
			refuse(w, http.StatusServiceUnavailable, codeServer, lang.WebBroken.In(s.lang))
			return
		}
		if wait, ok := s.failures.take(source(r), s.now()); !ok {
			retryAfter(w.Header(), wait)
			refuse(w, http.StatusTooManyRequests, codeServer, lang.WebTooMany.In(s.lang))
			return
		}
		s.log.Warn("a request came without a good token", "from", source(r).Addr().String())
		challenge := `Bearer realm="readback"`
		if len(shown) > 0 {
			challenge += `, error="invalid_token"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
		refuse(w, http.StatusUnauthorized, codeServer, lang.WebNoToken.In(s.lang))
	})
}

var errUnknown = errors.New("no such token")

func (s *server) check(ctx context.Context, shown []string) (nobody smsmcp.Principal, err error) {
	if len(shown) != 1 {
		return nobody, errUnknown
	}
	scheme, token, _ := strings.Cut(shown[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nobody, errUnknown
	}
	id, hash, err := ParseToken(strings.TrimSpace(token))
	if err != nil {
		return nobody, errUnknown
	}
	name, want, err := s.tokens.Token(ctx, id)
	if errors.Is(err, s.noToken) {
		return nobody, errUnknown
	}
	if err != nil {
		return nobody, err
	}
	if subtle.ConstantTimeCompare(hash[:], want[:]) != 1 {
		return nobody, errUnknown
	}
	return smsmcp.Principal{ID: id, Name: name, Read: true, Send: true}, nil
}
