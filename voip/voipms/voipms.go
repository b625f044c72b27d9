package voipms

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
	_ "time/tzdata" // voip.ms keeps Eastern time, also where the machine has no zone files
	"unicode/utf8"

	"readback/smsmcp"
	"readback/voip/segments"
)

// Endpoint is the API's address. The bare host: www. redirects, and the body is lost on the way.
const Endpoint = "https://voip.ms/api/v1/rest.php"

// The limits of voip.ms.
const (
	maxSMS = 160  // bytes of UTF-8; 161 are sms_toolong
	maxMMS = 2048 // counted in bytes here too, the smaller reading of its "2048 characters"
)

// Options are what a [Carrier] is made of. Username, Password, DID, Peer and Now must be given.
type Options struct {
	Username, Password Secret        // of the API, not of the portal
	DID                smsmcp.Number // the owner's number, in the United States or Canada

	Peer func(raw string) smsmcp.Peer // types what the carrier's one field for the other side holds; never called with ""
	Now  func() time.Time
	Zone *time.Location // of the carrier's dates; nil is America/New_York

	Endpoint    string          // empty is the constant Endpoint; http only for a loopback address
	Transport   *http.Transport // nil is a plain one; it is cloned. Its concrete type is what makes "no byte left" certain.
	SendTimeout time.Duration   // of one send, to the end of its answer; 0 is 20 s
	ListTimeout time.Duration   // of one call of a list; 0 is 30 s
}

// Carrier is voip.ms for one DID. It is safe for concurrent use.
type Carrier struct {
	opt      Options
	endpoint *url.URL
	did      string            // 10 digits, as the API wants it
	send     http.RoundTripper // a connection of its own for every send: nothing that was idle can be lost, nothing is replayed
	list     http.RoundTripper

	mu    sync.Mutex
	media map[string]int // how many media an MMS has, by id
}

// New checks the options and makes the carrier. It does no I/O.
func New(o Options) (*Carrier, error) {
	did, ok := national(o.DID)
	switch {
	case !ok:
		return nil, errors.New("voip.ms: the DID is no number of the United States or Canada in E.164")
	case o.Username.read == nil || o.Password.read == nil:
		return nil, errors.New("voip.ms: the API's user name and password are needed")
	case o.Peer == nil || o.Now == nil:
		return nil, errors.New("voip.ms: Peer and Now are needed")
	}
	if o.Endpoint == "" {
		o.Endpoint = Endpoint
	}
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("voip.ms: the endpoint is no plain address (no user, no query)")
	}
	if u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
		return nil, errors.New("voip.ms: the endpoint must be https")
	}
	if o.Zone == nil {
		if o.Zone, err = time.LoadLocation("America/New_York"); err != nil {
			return nil, errors.New("voip.ms: the zone America/New_York cannot be loaded")
		}
	}
	if o.SendTimeout <= 0 {
		o.SendTimeout = 20 * time.Second
	}
	if o.ListTimeout <= 0 {
		o.ListTimeout = 30 * time.Second
	}
	return &Carrier{
		opt: o, endpoint: u, did: did, media: map[string]int{},
		send: transport(o.Transport, true), list: transport(o.Transport, false),
	}, nil
}

// transport clones t for sends or for lists. HTTP/2 is off for sends, and no connection is kept: net/http replays a request by itself
// only on a connection that was kept or shared.
func transport(t *http.Transport, sends bool) *http.Transport {
	if t == nil {
		t = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout:   10 * time.Second,
			TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
			MaxIdleConnsPerHost:   2,
			IdleConnTimeout:       60 * time.Second,
			ExpectContinueTimeout: time.Second,
		}
	}
	t = t.Clone()
	t.DisableCompression = true
	t.MaxResponseHeaderBytes = 64 << 10
	if sends {
		t.DisableKeepAlives = true
		t.ForceAttemptHTTP2 = false
		t.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
		t.Protocols = nil
	}
	return t
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// national gives the 10 digits by which voip.ms knows a number of the United States or Canada.
func national(n smsmcp.Number) (string, bool) {
	if _, err := smsmcp.ParseNumber(string(n)); err != nil || len(n) != 12 || n[:2] != "+1" || n[2] < '2' {
		return "", false
	}
	return string(n[2:]), true
}

// Name is the first part of every key.
func (c *Carrier) Name() string { return "voipms" }

// Plan carries up to 160 bytes as an SMS and up to 2048 as an MMS; more is smsmcp.ErrTooLong.
func (c *Carrier) Plan(body string) (smsmcp.Plan, error) {
	return segments.Plan(body, maxSMS, maxMMS)
}

// Send hands over one text, once.
func (c *Carrier) Send(ctx context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	plan, err := c.Plan(body)
	if err != nil {
		return smsmcp.Receipt{}, newFault("sms_toolong", err, smsmcp.ErrNotSent)
	}
	if body == "" || !utf8.ValidString(body) {
		return smsmcp.Receipt{}, newFault(codeBadBody, smsmcp.ErrNotSent)
	}
	dst, ok := national(to)
	if !ok {
		return smsmcp.Receipt{}, newFault(codeNotHere, smsmcp.ErrNotSent)
	}
	method := "sendSMS"
	if plan.Kind == smsmcp.MMS {
		method = "sendMMS"
	}
	a, err := c.call(ctx, c.send, c.opt.SendTimeout, method, field{"did", c.did}, field{"dst", dst}, field{"message", body})
	if err != nil {
		return smsmcp.Receipt{}, err
	}
	id, err := a.sentID(plan.Kind)
	if err != nil {
		// It says success and names no text: taken, very likely, but only the list can tell which text it is.
		return smsmcp.Receipt{}, err
	}
	return smsmcp.Receipt{Key: smsmcp.Key{Carrier: c.Name(), Kind: plan.Kind, ID: id}}, nil
}

// Check asks for at most one text of today: it costs nothing, and needs the credentials, the allowed address and the DID to be right.
func (c *Carrier) Check(ctx context.Context) error {
	today := dayOf(c.opt.Now(), c.opt.Zone)
	_, err := c.page(ctx, query{kind: smsmcp.SMS, first: today, last: today, limit: 1, bound: maxAnswer, timeout: c.opt.ListTimeout})
	return err
}
