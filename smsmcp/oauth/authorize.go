package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/netip"
	"net/url"
)

// Problem is why a request for consent is neither shown nor sent back: what it names is not to be trusted with a redirect. It is a code, [a-z_]{1,40}; the
// page says it in words.
type Problem string

// The problems.
const (
	BadRequest  Problem = "bad_request"  // it cannot be read, or its state cannot be given back
	BadClient   Problem = "bad_client"   // nobody that is known here
	BadRedirect Problem = "bad_redirect" // not where this client may be sent back to
	TryLater    Problem = "try_later"    // the client's document cannot be had now
	Broken      Problem = "broken"       // the store failed
)

// Asked is what became of a request for consent: exactly one of its three is set.
type Asked struct {
	Problem Problem
	Back    string // the client is at fault, and is told so by this redirect
	Consent *Consent
}

// Consent is what the owner is asked to agree to. Only Authorize makes one.
type Consent struct {
	Client   string // the client's id: no word for people
	Name     string // what it calls itself, in a known form; empty: nothing that can be shown. Anybody can call itself anything
	From     string // the host whose document says who it is; empty: it registered itself
	To       string // the host that gets the answer: who this is for, whatever it calls itself
	Here     bool   // To is the machine that the browser runs on: some program there
	Scopes   Scopes
	Resource string

	redirect  string
	challenge string
	state     string
}

// Digest covers all that a yes to it brings about. A yes names the digest of what was shown: what a request's client says of itself may change between.
func (c Consent) Digest() [32]byte {
	h := sha256.New()
	for _, s := range []string{"readback-consent-1", c.Client, c.Name, c.From, c.To, c.Scopes.String(), c.Resource, c.redirect, c.challenge, c.state} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	return [32]byte(h.Sum(nil))
}

// Authorize judges a request for consent: the query of a GET at AuthorizePath. It changes nothing but the copy of a client's document.
func (s *Server) Authorize(ctx context.Context, query string, from netip.Addr) Asked {
	p, twice, ok := parseParams(query)
	if !ok {
		return Asked{Problem: BadRequest}
	}
	id := p["client_id"]
	if id == "" || !fits(id, longClient) {
		return Asked{Problem: BadClient}
	}
	c, err := s.client(ctx, id, network(from))
	switch {
	case errors.Is(err, errNoClient):
		return Asked{Problem: BadClient}
	case errors.Is(err, errLater):
		return Asked{Problem: TryLater}
	case err != nil:
		s.log.Error("oauth: a request failed", "at", "authorize", "err", err)
		return Asked{Problem: Broken}
	}
	return s.ask(p, twice, c)
}

// ask judges the request of a client that is known. It is pure.
func (s *Server) ask(p params, twice map[string]bool, c Client) Asked {
	to, ok := s.hosts.sendsTo(p["redirect_uri"], c.Redirects)
	if !ok {
		return Asked{Problem: BadRedirect}
	}
	if twice["state"] || !p.fit() {
		return Asked{Problem: BadRequest}
	}
	out := Consent{
		Client: c.ID, Name: c.Name, To: to.host, Here: to.here, Resource: s.resource,
		redirect: p["redirect_uri"], challenge: p["code_challenge"], state: p["state"],
	}
	if u, err := url.Parse(c.ID); err == nil {
		out.From = u.Host
	}
	if code := s.fault(p, twice); code != "" {
		return Asked{Back: s.back(out, "error", code)}
	}
	out.Scopes, _ = parseScopes(p["scope"])
	return Asked{Consent: &out}
}

// fault says what is wrong with a request whose client and redirect are right, as a code of OAuth; "" if nothing.
func (s *Server) fault(p params, twice map[string]bool) string {
	switch {
	case len(twice) > 0:
		return invalidRequest
	case p["request"] != "":
		return requestNotSupported
	case p["request_uri"] != "":
		return requestURINot
	case p["response_type"] == "":
		return invalidRequest
	case p["response_type"] != "code":
		return unsupportedResponse
	case p["response_mode"] != "" && p["response_mode"] != "query":
		return invalidRequest
	// Without a method RFC 7636 means "plain", which hides nothing.
	case p["code_challenge_method"] != challengeMethod || !isChallenge(p["code_challenge"]):
		return invalidRequest
	case !s.about(p):
		return invalidTarget
	case p["prompt"] == "none":
		return consentRequired
	}
	if _, ok := parseScopes(p["scope"]); !ok {
		return invalidScope
	}
	return ""
}

// about says whether a request is about our resource, the one that there is; to name none means it (RFC 8707 2).
func (s *Server) about(p params) bool {
	r := p["resource"]
	return r == "" || r == s.resource || r == s.resource+"/"
}

// back is the address that takes an answer to the client, with its state and who answers (RFC 9207).
func (s *Server) back(c Consent, name, value string) string {
	q := url.Values{name: {value}, "iss": {s.issuer}}
	if c.state != "" {
		q.Set("state", c.state)
	}
	return c.redirect + "?" + q.Encode()
}

// Deny gives the redirect that tells the client of the owner's no.
func (s *Server) Deny(c Consent) string { return s.back(c, "error", accessDenied) }

// ErrPrincipal says that nobody, or somebody with too long a name, is said to agree.
var ErrPrincipal = errors.New("oauth: who agrees has a name of 1 to 64 bytes")

// Grant makes a code for what the owner, as whom principal names, agreed to just now, and gives the redirect that carries it to the client. It is a secret: it goes into the Location
// or the Refresh header of an answer and nowhere else.
func (s *Server) Grant(ctx context.Context, c Consent, principal string) (location string, err error) {
	if principal == "" || len(principal) > 64 {
		return "", ErrPrincipal
	}
	code, err := draw(s.o.Rand, codePrefix, secretBytes)
	if err != nil {
		return "", err
	}
	now := s.o.Now()
	hash, _ := hashOf(code, codePrefix)
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		client, found, err := tx.Client(c.Client)
		if err != nil {
			return err
		}
		if !found { // it went while the owner read
			return errNoClient
		}
		client.Granted = now
		if err := tx.PutClient(client); err != nil {
			return err
		}
		if err := lapse(tx, now); err != nil {
			return err
		}
		return tx.PutCode(Code{
			Hash: hash, Client: c.Client, Name: c.Name, Redirect: c.redirect, Challenge: c.challenge, Resource: c.Resource, Scopes: c.Scopes,
			Principal: principal, Created: now,
		})
	})
	if err != nil {
		return "", wrap("grant", err)
	}
	s.log.Info("oauth: the owner agreed to a client", "scopes", c.Scopes.String())
	return s.back(c, "code", code), nil
}
