package oauth

import (
	"context"
	"time"
)

// Store keeps what must outlast the program. Times have at least milliseconds.
type Store interface {
	// View runs do on one state of the store. What do writes is an error.
	View(ctx context.Context, do func(Tx) error) error
	// Update runs do alone: no other Update's do sees or changes anything meanwhile, in this process or another. All of it is durable when Update gives nil, and none of it is
	// there if do gives an error, which Update gives back as it is. do may be run more than once.
	Update(ctx context.Context, do func(Tx) error) error
}

// Tx is what a do reads and writes. What is not there is found false.
type Tx interface {
	Client(id string) (c Client, found bool, err error)
	Clients() ([]Client, error)
	PutClient(c Client) error // in place of the one with its id
	DropClient(id string) error

	Code(h Hash) (c Code, found bool, err error)
	PutCode(c Code) error                     // in place of the one with its hash
	DropCodes(before, unused time.Time) error // those made before, and those made before unused that were not used

	Grant(id string) (g Grant, found bool, err error)
	Grants() ([]Grant, error) // oldest first
	PutGrant(g Grant) error   // in place of the one with its id
	DropGrant(id string) error

	Token(h Hash) (t Token, found bool, err error)
	PutToken(t Token) error // of a hash that is not there
	DropToken(h Hash) error
	DropTokens(grant string) error                           // all of the grant
	DropAccess(grant string, before time.Time) error         // its access tokens made before
	DropRefresh(grant string, seq int64, but Rotation) error // its refresh tokens with a lower Seq, other than Turn's and From's
}

// Client is who may ask for consent.
type Client struct {
	ID        string   // of ours (rbclient_…), or the address of its document (https://…)
	Name      string   // in a known form; empty if it gave none that has it
	Redirects []string // each of a form that was allowed when it was kept
	Created   time.Time
	Granted   time.Time // when the owner last agreed to it; zero: never
	Fetched   time.Time // of a document: when it was last good
	Fresh     time.Duration
}

// Code is an authorization code: good once, for a minute.
type Code struct {
	Hash      Hash
	Client    string
	Name      string
	Redirect  string
	Challenge string
	Resource  string
	Scopes    Scopes
	Principal string
	Created   time.Time
	Used      time.Time // zero: not yet. A try that failed uses it too
	Grant     string    // what it gave; empty: nothing
}

// Grant is what the owner agreed to, from the exchange of its code on.
type Grant struct {
	ID         string // 8 characters of [a-z2-7]: it may be shown and logged
	Client     string
	Name       string
	To         string // the host that its codes went to
	Resource   string
	Scopes     Scopes
	Principal  string
	MayConfirm bool // the owner's word that a yes which comes by this client counts, as a weak one
	Created    time.Time
	Used       time.Time // when a code or refresh token was last exchanged
	Ended      time.Time // zero: it works
	Why        Why
	Rotation
}

// Why says why a grant ended. It is a code, [a-z_]{1,40}.
type Why string

// The reasons.
const (
	ByOwner      Why = "owner"
	ByClient     Why = "client"
	CodeTwice    Why = "code_twice"    // its code was presented again
	RefreshTwice Why = "refresh_twice" // two have its refresh token
	Unused       Why = "unused"        // for Idle
	TooMany      Why = "too_many"      // it was the least lately used, and another was needed
)

// Token is an access token, or a refresh token.
type Token struct {
	Hash    Hash
	Refresh bool
	Grant   string
	Seq     int64 // of the pair, within the grant
	Parent  int64 // the Seq of the refresh token that it was given for; 0: a code
	Scopes  Scopes
	Created time.Time
}
