package oauth

import (
	"errors"
	"net/http"
	"time"
)

// pair is what an exchange gives, and where it is kept.
type pair struct {
	access, refresh string
	scopes          Scopes
}

// outcome is what a transaction came to: a pair, or a code of OAuth that says why not. A refusal is kept too: what it ended has ended.
type outcome struct {
	pair  pair
	code  string
	why   Why
	of    string // what the client showed was given to it: by this name it is counted. Empty: it guesses, for all that is known
	ended *Grant // by this request
	began *Grant
}

func refused(code string) outcome { return outcome{code: code} }

func (o outcome) refused(code string) outcome { o.code = code; return o }

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	p, ok := s.form(w, r)
	if !ok {
		return
	}
	now := s.o.Now()
	var do func(Tx, pair) (outcome, error)
	var look func(Tx) (outcome, error)
	switch p["grant_type"] {
	case authorizationCode:
		if p["code"] == "" || p["redirect_uri"] == "" || p["code_verifier"] == "" {
			refuse(w, http.StatusBadRequest, invalidRequest)
			return
		}
		look = func(tx Tx) (outcome, error) { _, out, err := s.shownCode(tx, p); return out, err }
		do = func(tx Tx, given pair) (outcome, error) { return s.exchange(tx, p, given, now) }
	case refreshToken:
		if p["refresh_token"] == "" {
			refuse(w, http.StatusBadRequest, invalidRequest)
			return
		}
		var counted, free bool // once for each request, however often the store runs do
		take := func(grant string) bool {
			if !counted {
				counted, free = true, s.refreshing.take(grant, now)
			}
			return free
		}
		look = func(tx Tx) (outcome, error) { _, _, out, err := s.shownRefresh(tx, p); return out, err }
		do = func(tx Tx, given pair) (outcome, error) { return s.refresh(tx, p, given, now, take) }
	case "":
		refuse(w, http.StatusBadRequest, invalidRequest)
		return
	default:
		refuse(w, http.StatusBadRequest, unsupportedGrant)
		return
	}
	given, err := s.drawPair()
	if err != nil {
		s.broken(w, "token", err)
		return
	}
	// What is refused at a look takes no turn of the one writer: guesses hold up nobody.
	var out outcome
	err = s.o.Store.View(r.Context(), func(tx Tx) (err error) {
		out, err = look(tx)
		return err
	})
	if err == nil && out.code == "" {
		err = s.o.Store.Update(r.Context(), func(tx Tx) (err error) {
			out, err = do(tx, given)
			return err
		})
	}
	if err != nil {
		s.broken(w, "token", err)
		return
	}
	if g := out.ended; g != nil {
		s.log.Warn("oauth: a grant ended", "grant", g.ID, "why", string(g.Why))
		s.notify(*g)
	}
	if g := out.began; g != nil {
		s.log.Info("oauth: a grant began", "grant", g.ID, "scopes", g.Scopes.String())
		s.notify(*g)
	}
	switch out.code {
	case "":
	case tooMany:
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	default:
		s.failed(w, r, "token", out)
		return
	}
	answer(w, http.StatusOK, map[string]any{
		"access_token": out.pair.access, "token_type": "Bearer", "expires_in": int(AccessLife / time.Second),
		"refresh_token": out.pair.refresh, "scope": out.pair.scopes.String(),
	})
}

func (s *Server) drawPair() (p pair, err error) {
	if p.access, err = draw(s.o.Rand, accessPrefix, secretBytes); err == nil {
		p.refresh, err = draw(s.o.Rand, refreshPrefix, secretBytes)
	}
	return p, err
}

// exchange gives a grant for a code. Whatever comes of it, the code is used up: a try that fails shows that somebody has it who should not. One that comes again ends what it
// gave (RFC 6749 4.1.2).
func (s *Server) exchange(tx Tx, p params, given pair, now time.Time) (outcome, error) {
	c, out, err := s.shownCode(tx, p)
	if err != nil || out.code != "" {
		return out, err
	}
	if !c.Used.IsZero() {
		g, found, err := tx.Grant(c.Grant)
		if err != nil || !found || !g.Ended.IsZero() {
			return out.refused(invalidGrant), err
		}
		g, err = end(tx, g, CodeTwice, now)
		return outcome{code: invalidGrant, why: CodeTwice, of: out.of, ended: &g}, err
	}
	c.Used = now
	switch {
	case now.Before(c.Created), now.Sub(c.Created) >= CodeLife, !same(c.Client, p["client_id"]), !same(c.Redirect, p["redirect_uri"]), !verifies(p["code_verifier"], c.Challenge):
		return out.refused(invalidGrant), tx.PutCode(c)
	case c.Resource != s.resource, !s.about(p):
		return out.refused(invalidTarget), tx.PutCode(c)
	}
	id, err := draw(s.o.Rand, "", idBytes)
	if err != nil {
		return outcome{}, err
	}
	to, _ := s.hosts.redirect(c.Redirect)
	g := Grant{
		ID: id, Client: c.Client, Name: c.Name, To: to.host, Resource: c.Resource, Scopes: c.Scopes, Principal: c.Principal,
		Created: now, Used: now, Rotation: begin(now),
	}
	c.Grant = id
	if err := tx.PutCode(c); err != nil {
		return outcome{}, err
	}
	ended, err := makeRoom(tx, now)
	if err != nil {
		return outcome{}, err
	}
	given.scopes = c.Scopes
	return outcome{pair: given, began: &g, ended: ended}, give(tx, g, 0, given, now)
}

// shownCode finds the code that is shown; a refusal if it never was one. It writes nothing.
func (s *Server) shownCode(tx Tx, p params) (c Code, out outcome, err error) {
	hash, ok := hashOf(p["code"], codePrefix)
	if !ok {
		return c, refused(invalidGrant), nil
	}
	c, found, err := tx.Code(hash)
	if err != nil || !found {
		return c, refused(invalidGrant), err
	}
	if same(c.Client, p["client_id"]) {
		out.of = string(hash[:])
	}
	return c, out, nil
}

// shownRefresh finds the refresh token that is shown and its grant; a refusal if it never was one, or the grant is none that this client may go on with. It writes nothing.
func (s *Server) shownRefresh(tx Tx, p params) (t Token, g Grant, out outcome, err error) {
	hash, ok := hashOf(p["refresh_token"], refreshPrefix)
	if !ok {
		return t, g, refused(invalidGrant), nil
	}
	t, found, err := tx.Token(hash)
	if err != nil || !found {
		return t, g, refused(invalidGrant), err
	}
	g, found, err = tx.Grant(t.Grant)
	if err != nil || !found || !same(g.Client, p["client_id"]) {
		return t, g, refused(invalidGrant), err
	}
	out.of = string(hash[:])
	if !g.Ended.IsZero() || g.Resource != s.resource {
		return t, g, out.refused(invalidGrant), nil
	}
	return t, g, out, nil
}

// refresh gives the next pair of a grant, if its rotation has it.
func (s *Server) refresh(tx Tx, p params, given pair, now time.Time, take func(grant string) bool) (outcome, error) {
	t, g, out, err := s.shownRefresh(tx, p)
	if err != nil || out.code != "" {
		return out, err
	}
	if !s.about(p) {
		return out.refused(invalidTarget), nil
	}
	scopes := g.Scopes
	if p["scope"] != "" {
		var ok bool
		if scopes, ok = parseScopes(p["scope"]); !ok || !g.Scopes.Has(scopes) {
			return out.refused(invalidScope), nil
		}
	}
	if now.Sub(g.Used) >= Idle {
		g, err = end(tx, g, Unused, now)
		return outcome{code: invalidGrant, why: Unused, of: out.of, ended: &g}, err
	}
	next, ok := g.next(t.Seq, t.Parent, now)
	if !ok {
		g, err = end(tx, g, RefreshTwice, now)
		return outcome{code: invalidGrant, why: RefreshTwice, of: out.of, ended: &g}, err
	}
	if !take(g.ID) {
		return refused(tooMany), nil
	}
	g.Rotation, g.Used = next, now
	// What is over, and what came so long ago that nobody has it; but the tokens where things stand are known however often their answers were lost.
	if err := errors.Join(lapse(tx, now), tx.DropAccess(g.ID, now.Add(tick-AccessLife)), tx.DropRefresh(g.ID, g.Last-refreshKept, g.Rotation)); err != nil {
		return outcome{}, err
	}
	given.scopes = scopes
	return outcome{pair: given}, give(tx, g, g.Turn, given, now)
}

// give keeps a grant as it is now, and the pair Last, given for the one before it.
func give(tx Tx, g Grant, parent int64, p pair, now time.Time) error {
	if err := tx.PutGrant(g); err != nil {
		return err
	}
	access, _ := hashOf(p.access, accessPrefix)
	if err := tx.PutToken(Token{Hash: access, Grant: g.ID, Seq: g.Last, Parent: parent, Scopes: p.scopes, Created: now}); err != nil {
		return err
	}
	refresh, _ := hashOf(p.refresh, refreshPrefix)
	return tx.PutToken(Token{Hash: refresh, Refresh: true, Grant: g.ID, Seq: g.Last, Parent: parent, Scopes: g.Scopes, Created: now})
}

// makeRoom lets one more grant begin: where there are as many as there can be, the least lately used ends. Those that ended long ago go.
func makeRoom(tx Tx, now time.Time) (ended *Grant, err error) {
	all, err := tx.Grants()
	if err != nil {
		return nil, err
	}
	works, oldest := 0, Grant{}
	for _, g := range all {
		if !g.Ended.IsZero() {
			if now.Sub(g.Ended) >= endedKept {
				if err := errors.Join(tx.DropTokens(g.ID), tx.DropGrant(g.ID)); err != nil {
					return nil, err
				}
			}
			continue
		}
		if works++; works == 1 || g.Used.Before(oldest.Used) {
			oldest = g
		}
	}
	if works < MostGrants {
		return nil, nil
	}
	oldest, err = end(tx, oldest, TooMany, now)
	return &oldest, err
}

// revoke answers RFC 7009: a refresh token takes its grant along, an access token goes alone. What is not the client's, or is no token, is answered in the same way.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	p, ok := s.form(w, r)
	if !ok {
		return
	}
	if p["token"] == "" {
		refuse(w, http.StatusBadRequest, invalidRequest)
		return
	}
	now := s.o.Now()
	hash, ok := hashOf(p["token"], refreshPrefix)
	if !ok {
		hash, ok = hashOf(p["token"], accessPrefix)
	}
	var ended *Grant
	var t Token
	var g Grant
	found := false
	look := func(tx Tx) (err error) {
		if t, found, err = tx.Token(hash); err != nil || !found {
			return err
		}
		g, found, err = tx.Grant(t.Grant)
		found = found && same(g.Client, p["client_id"])
		return err
	}
	var err error
	if ok {
		err = s.o.Store.View(r.Context(), look)
	}
	if err == nil && found && g.Ended.IsZero() {
		err = s.o.Store.Update(r.Context(), func(tx Tx) error {
			ended = nil
			if err := look(tx); err != nil || !found || !g.Ended.IsZero() {
				return err
			}
			if !t.Refresh {
				return tx.DropToken(hash)
			}
			g, err := end(tx, g, ByClient, now)
			ended = &g
			return err
		})
	}
	if err != nil {
		s.broken(w, "revoke", err)
		return
	}
	if ended != nil {
		s.log.Info("oauth: a client ended its grant", "grant", ended.ID)
		s.notify(*ended)
	}
	if !found && !s.mayFail(r, now) {
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	}
	answer(w, http.StatusOK, map[string]any{})
}
