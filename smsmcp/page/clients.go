package page

import (
	"context"
	"net/netip"

	"readback/smsmcp/oauth"
)

// Clients judges what programs ask to be let in, and keeps which are. *oauth.Server is one.
type Clients interface {
	Authorize(ctx context.Context, query string, from netip.Addr) oauth.Asked
	Grant(ctx context.Context, c oauth.Consent, principal string) (location string, err error)
	Deny(c oauth.Consent) string
	Grants(ctx context.Context) ([]oauth.Grant, error)
	Revoke(ctx context.Context, id string) error
	SetMayConfirm(ctx context.Context, id string, may bool) error
}

var _ Clients = (*oauth.Server)(nil)
