package oauth

import (
	"net/url"
	"strings"
)

// Bounds in bytes. Whole is of all parameters together, in a query or a body.
const (
	longWhole  = 8 << 10
	longClient = 256
	longState  = 2 << 10
	longOther  = 512
	mostParams = 32
)

// params are the parameters of a request by their names: of each at most one, and none that is empty, since to leave a value out is to leave the parameter out (RFC 6749 3.1).
type params map[string]string

// parseParams reads parameters. What cannot be read, or is more than there can be, gives ok false. twice names those that came more than once; their value is none of both.
func parseParams(raw string) (p params, twice map[string]bool, ok bool) {
	if len(raw) > longWhole || strings.Count(raw, "&") >= mostParams {
		return nil, nil, false
	}
	all, err := url.ParseQuery(raw)
	if err != nil {
		return nil, nil, false
	}
	p, twice = params{}, map[string]bool{}
	for name, values := range all {
		switch {
		case len(values) > 1:
			twice[name] = true
		case values[0] != "":
			p[name] = values[0]
		}
	}
	return p, twice, true
}

// fits says whether a value is at most so long, and only of characters that OAuth has in one (RFC 6749 appendix A).
func fits(s string, most int) bool {
	return len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// fit says whether every value fits.
func (p params) fit() bool {
	for name, v := range p {
		most := longOther
		switch name {
		case "client_id":
			most = longClient
		case "state":
			most = longState
		}
		if !fits(v, most) {
			return false
		}
	}
	return true
}

// What clients are told, by RFC 6749 4.1.2.1 and 5.2, RFC 7591 3.2.2, RFC 8707 2 and RFC 6750 3.1. Nothing else is said to them.
const (
	invalidRequest       = "invalid_request"
	invalidClient        = "invalid_client"
	invalidGrant         = "invalid_grant"
	invalidScope         = "invalid_scope"
	invalidTarget        = "invalid_target"
	invalidToken         = "invalid_token"
	insufficientScope    = "insufficient_scope"
	accessDenied         = "access_denied"
	unsupportedGrant     = "unsupported_grant_type"
	unsupportedResponse  = "unsupported_response_type"
	requestNotSupported  = "request_not_supported"
	requestURINot        = "request_uri_not_supported"
	consentRequired      = "consent_required"
	invalidRedirect      = "invalid_redirect_uri"
	invalidMetadata      = "invalid_client_metadata"
	temporarilyDown      = "temporarily_unavailable"
	tooMany              = "too_many_requests"
	challengeMethod      = "S256"
	authorizationCode    = "authorization_code"
	refreshToken         = "refresh_token"
	noClientSecret       = "none"
	formType             = "application/x-www-form-urlencoded"
	jsonType             = "application/json"
	registerPath         = "/oauth/register"
	tokenPath            = "/oauth/token" //nolint:gosec // a path
	revokePath           = "/oauth/revoke"
	resourceMetadataPath = "/.well-known/oauth-protected-resource"
	serverMetadataPath   = "/.well-known/oauth-authorization-server"
)

// AuthorizePath is where browsers ask for consent. The page that shows it is not this package's.
const AuthorizePath = "/oauth/authorize"
