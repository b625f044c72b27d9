package web

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/oauth"
)

// Tokens finds a token by its id. An id that names none gives an error that is Options.NoToken.
type Tokens interface {
	Token(ctx context.Context, id string) (name string, hash [32]byte, mayConfirm bool, err error)
}

// OAuth judges the access tokens of clients that the owner let in, and tells others how to ask. *oauth.Server does.
type OAuth interface {
	Check(ctx context.Context, token string) (oauth.Access, error)
	Challenge(err error, scopes oauth.Scopes) (status int, header string)
}

// grantID begins the ID of a principal that the owner let in by a browser, and that of no token.
const grantID = "grant:"

type whoKey struct{}

// Who is whose token the request came with; nobody, who may do nothing, outside such a request.
func Who(ctx context.Context) smsmcp.Principal {
	p, _ := ctx.Value(whoKey{}).(smsmcp.Principal)
	return p
}

// authenticate lets in who shows a token. A failed try costs its address one from a small bucket; a good token is never held up by
// the failures of others at its address, so that nobody can lock the owner's client out. Nor do those keep from a client, at an address that it shares with strangers, that it has to
// ask for a token, or for its next: that makes no guess cheaper, since 256 bits are not guessed, and is a look at the store.
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
		if wait, ok := s.failures.take(source(r), s.now()); ok {
			s.log.Warn("a request came without a good token", "from", source(r).Addr().String())
		} else if !s.mayAsk(shown) {
			retryAfter(w.Header(), wait)
			refuse(w, http.StatusTooManyRequests, codeServer, lang.WebTooMany.In(s.lang))
			return
		}
		w.Header().Set("WWW-Authenticate", s.challenge(len(shown) > 0))
		refuse(w, http.StatusUnauthorized, codeServer, lang.WebNoToken.In(s.lang))
	})
}

// mayAsk says whether who shows this is, for all that is seen of it, a client that has to ask for a token: it shows none yet, or one that was given by OAuth.
func (s *server) mayAsk(shown []string) bool {
	token, ok := bearer(shown)
	return s.oauth != nil && (len(shown) == 0 || ok && oauth.IsAccess(token))
}

// challenge is what an answer to a request without a good token says of how to come by one.
func (s *server) challenge(shown bool) string {
	if s.oauth != nil {
		err := oauth.ErrNoToken
		if shown {
			err = oauth.ErrToken
		}
		_, header := s.oauth.Challenge(err, oauth.All)
		return header
	}
	challenge := `Bearer realm="readback"`
	if shown {
		challenge += `, error="invalid_token"`
	}
	return challenge
}

var errUnknown = errors.New("no such token")

// check says who shows a token: errUnknown if it is none that works here.
func (s *server) check(ctx context.Context, shown []string) (nobody smsmcp.Principal, err error) {
	token, ok := bearer(shown)
	if !ok {
		return nobody, errUnknown
	}
	if s.oauth == nil || !oauth.IsAccess(token) {
		return s.static(ctx, token)
	}
	a, err := s.oauth.Check(ctx, token)
	if errors.Is(err, oauth.ErrToken) || errors.Is(err, oauth.ErrNoToken) {
		return nobody, errUnknown
	}
	if err != nil {
		return nobody, err
	}
	return smsmcp.Principal{
		ID: grantID + a.Grant, Name: a.Caller(), Read: a.Scopes.Has(oauth.Read), Send: a.Scopes.Has(oauth.Send), MayConfirm: a.MayConfirm, Alone: true,
	}, nil
}

func bearer(shown []string) (token string, ok bool) {
	if len(shown) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(shown[0], " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

// static judges a token that the owner made by hand.
func (s *server) static(ctx context.Context, token string) (nobody smsmcp.Principal, err error) {
	id, hash, err := ParseToken(token)
	if err != nil {
		return nobody, errUnknown
	}
	name, want, mayConfirm, err := s.tokens.Token(ctx, id)
	if errors.Is(err, s.noToken) {
		return nobody, errUnknown
	}
	if err != nil {
		return nobody, err
	}
	if subtle.ConstantTimeCompare(hash[:], want[:]) != 1 {
		return nobody, errUnknown
	}
	return smsmcp.Principal{ID: id, Name: name, Read: true, Send: true, MayConfirm: mayConfirm}, nil
}

// scoped refuses what a client was not let in for. It comes once the body was read: what is asked for stands in it.
func (s *server) scoped(next http.Handler) http.Handler {
	if s.oauth == nil {
		return next // who made a token by hand gave all of it
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := Who(r.Context())
		if who.Read && who.Send {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			body = nil // whole has read it already: it cannot fail here
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		needs, has := oauth.Scopes(0), oauth.Scopes(0)
		read, send := s.needs(body)
		for _, one := range []struct {
			needs, has bool
			scope      oauth.Scopes
		}{{read, who.Read, oauth.Read}, {send, who.Send, oauth.Send}} {
			if one.needs {
				needs |= one.scope
			}
			if one.has {
				has |= one.scope
			}
		}
		if has.Has(needs) {
			next.ServeHTTP(w, r)
			return
		}
		s.log.Warn("a client asked for what it was not let in for", "client", who.Name)
		status, header := s.oauth.Challenge(oauth.ErrScope, needs|has) // what it has stays asked for: the next token takes this one's place
		w.Header().Set("WWW-Authenticate", header)
		refuse(w, status, codeServer, lang.WebScope.In(s.lang))
	})
}
