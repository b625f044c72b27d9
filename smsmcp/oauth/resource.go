package oauth

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// Access is what a good access token gives.
type Access struct {
	Grant      string // its id
	Client     string
	Name       string // what the client calls itself, in a known form
	Principal  string // who agreed
	Scopes     Scopes
	MayConfirm bool
}

// Caller names the client where clients are named in a log or beside a send: it has the form of a static token's name, and is none that is likely given to one.
func (a Access) Caller() string { return "app-" + a.Grant }

// What Check and Need say of a token. Any other error is the store's: the token may be good.
var (
	ErrNoToken = errors.New("oauth: no token was shown")
	ErrToken   = errors.New("oauth: no such token works here")
	ErrScope   = errors.New("oauth: the token is not for this")
)

// Check judges an access token.
func (s *Server) Check(ctx context.Context, token string) (Access, error) {
	if token == "" {
		return Access{}, ErrNoToken
	}
	hash, ok := hashOf(token, accessPrefix)
	if !ok {
		return Access{}, ErrToken
	}
	now := s.o.Now()
	var t Token
	var g Grant
	var good bool
	err := s.o.Store.View(ctx, func(tx Tx) (err error) {
		t, g, good, err = s.look(tx, hash)
		return err
	})
	if err != nil {
		return Access{}, wrap("check", err)
	}
	if good && now.Sub(t.Created) >= AccessLife { // it is told so once that stays so: no clock that is set back makes it work again
		err := s.o.Store.Update(ctx, func(tx Tx) error { return errors.Join(tx.DropToken(hash), lapse(tx, now)) })
		if err != nil {
			return Access{}, wrap("check", err)
		}
	}
	if !good || !within(t.Created, now, AccessLife) {
		return Access{}, ErrToken
	}
	if _, news := g.heard(t.Parent, now); news {
		err := s.o.Store.Update(ctx, func(tx Tx) error {
			t, g, good, err = s.look(tx, hash)
			if err != nil || !good {
				return err
			}
			var news bool
			if g.Rotation, news = g.heard(t.Parent, now); !news {
				return nil
			}
			return tx.PutGrant(g)
		})
		if err != nil {
			return Access{}, wrap("check", err)
		}
		if !good { // it ended meanwhile
			return Access{}, ErrToken
		}
	}
	return Access{Grant: g.ID, Client: g.Client, Name: g.Name, Principal: g.Principal, Scopes: t.Scopes & g.Scopes, MayConfirm: g.MayConfirm}, nil
}

// look finds a token that is an access token of a grant that works and is for this resource.
func (s *Server) look(tx Tx, h Hash) (t Token, g Grant, good bool, err error) {
	t, found, err := tx.Token(h)
	if err != nil || !found {
		return t, g, false, err
	}
	g, found, err = tx.Grant(t.Grant)
	return t, g, err == nil && found && g.Ended.IsZero() && g.Resource == s.resource, err
}

// Need gives ErrScope if an access is not for all of these.
func (a Access) Need(scopes Scopes) error {
	if !a.Scopes.Has(scopes) {
		return ErrScope
	}
	return nil
}

// Challenge gives the status, and the WWW-Authenticate header, of an answer to a request without a good token, or without one for these scopes (RFC 6750 3, RFC 9728 5.1).
func (s *Server) Challenge(err error, scopes Scopes) (status int, header string) {
	parts := []string{`realm="readback"`}
	status = http.StatusUnauthorized
	switch {
	case errors.Is(err, ErrScope):
		status = http.StatusForbidden
		parts = append(parts, `error="`+insufficientScope+`"`)
	case errors.Is(err, ErrToken):
		parts = append(parts, `error="`+invalidToken+`"`)
	}
	parts = append(parts, `resource_metadata="`+s.issuer+resourceMetadataPath+s.o.Path+`"`)
	if scopes != 0 {
		parts = append(parts, `scope="`+scopes.String()+`"`)
	}
	return status, "Bearer " + strings.Join(parts, ", ")
}
