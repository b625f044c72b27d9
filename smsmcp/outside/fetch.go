package outside

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// What holds where an option is zero.
const (
	defaultBytes   = 64 << 10
	defaultTimeout = 5 * time.Second
	headerBytes    = 16 << 10
	mostDials      = 4
	longestFresh   = 24 * time.Hour
)

// Resolver finds the addresses of a name. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options of New. Only Now must be set.
type Options struct {
	Bytes     int64                                                             // of a body; 64 KiB
	Timeout   time.Duration                                                     // for all of it, redirects too; 5 s
	Redirects int                                                               // that are followed; none
	Port      uint16                                                            // the one that addresses may have; 443
	Resolver  Resolver                                                          // the system's
	Dial      func(ctx context.Context, network, addr string) (net.Conn, error) // of one judged address and port; for tests
	Roots     *x509.CertPool                                                    // the system's
	Now       func() time.Time                                                  // by which certificates are judged
}

// Client fetches. It is safe for concurrent use, and keeps no connection.
type Client struct{ o Options }

// Doc is what an address held.
type Doc struct {
	Body  []byte
	Type  string        // media type in lower case, without parameters; empty if there was none
	Fresh time.Duration // how long it may be kept, by its Cache-Control: 0 to 24 h
}

// New makes a client.
func New(o Options) *Client {
	if o.Bytes <= 0 {
		o.Bytes = defaultBytes
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Port == 0 {
		o.Port = 443
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.Dial == nil {
		o.Dial = direct
	}
	return &Client{o}
}

// Get fetches what an address holds, if it answers 200. Any error is an *Error of this package.
func (c *Client) Get(ctx context.Context, address string) (Doc, error) {
	in, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	t, err := parse(address, c.o.Port)
	for hops := 0; err == nil; hops++ {
		var doc Doc
		var next *target
		if doc, next, err = c.once(in, t); err != nil {
			break
		}
		if next == nil {
			return doc, nil
		}
		if hops >= c.o.Redirects {
			return Doc{}, ErrRedirect
		}
		t = *next
	}
	var own *Error
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return Doc{}, ErrCancelled
	case in.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded): // the connection's may be over a moment before
		return Doc{}, ErrTime
	case errors.As(err, &own):
		return Doc{}, own
	}
	return Doc{}, ErrBroken
}

// once asks one address. next is where it leads on, judged by its form.
func (c *Client) once(ctx context.Context, t target) (doc Doc, next *target, err error) {
	conn, err := c.connect(ctx, t)
	if err != nil {
		return doc, nil, err
	}
	defer func() { _ = conn.Close() }()
	transport := &http.Transport{
		DialTLSContext:    only(conn), // which was made for this target: there is no other way out of here
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: headerBytes,
	}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url.String(), nil)
	if err != nil {
		return doc, nil, ErrForm
	}
	req.Header = http.Header{"User-Agent": {"Readback"}, "Accept": {"*/*"}, "Accept-Encoding": {"identity"}}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return doc, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	switch resp.StatusCode {
	case http.StatusOK:
		doc, err = c.read(resp)
		return doc, nil, err
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		next, err = c.next(req, resp)
		return doc, next, err
	case http.StatusNotFound, http.StatusGone:
		return doc, nil, ErrGone
	case http.StatusTooManyRequests:
		return doc, nil, ErrServer
	}
	if resp.StatusCode >= 500 {
		return doc, nil, ErrServer
	}
	return doc, nil, ErrRefused
}

// only gives one connection, once: what was sent over it is not sent again.
func only(conn net.Conn) func(context.Context, string, string) (net.Conn, error) {
	var given atomic.Bool
	return func(context.Context, string, string) (net.Conn, error) {
		if given.Swap(true) {
			return nil, ErrBroken
		}
		return conn, nil
	}
}

// next judges where an answer leads on.
func (c *Client) next(req *http.Request, resp *http.Response) (*target, error) {
	where := resp.Header.Values("Location")
	if len(where) != 1 {
		return nil, ErrRedirect
	}
	if strings.ContainsAny(where[0], "\\ \t") { // which would be escaped, and so be gone
		return nil, ErrForm
	}
	u, err := req.URL.Parse(where[0])
	if err != nil {
		return nil, ErrForm
	}
	t, err := parse(u.String(), c.o.Port)
	return &t, err
}

func (c *Client) read(resp *http.Response) (doc Doc, err error) {
	for _, e := range resp.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(e), "identity") {
			return doc, ErrEncoding
		}
	}
	if resp.ContentLength > c.o.Bytes {
		return doc, ErrTooBig
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, c.o.Bytes+1))
	if err != nil {
		return doc, err
	}
	if int64(len(b)) > c.o.Bytes {
		return doc, ErrTooBig
	}
	if doc.Type, _, err = mime.ParseMediaType(resp.Header.Get("Content-Type")); err != nil {
		doc.Type = ""
	}
	doc.Body, doc.Fresh = b, fresh(resp.Header.Values("Cache-Control"))
	return doc, nil
}

// fresh reads how long an answer may be kept (RFC 9111 5.2.2), strictly: what it does not know means not at all.
func fresh(values []string) (age time.Duration) {
	for _, d := range strings.Split(strings.Join(values, ","), ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(d)), "=")
		switch name {
		case "no-store", "no-cache":
			return 0
		case "max-age":
			n, err := strconv.ParseUint(value, 10, 31)
			if err != nil {
				return 0
			}
			age = min(time.Duration(n)*time.Second, longestFresh)
		}
	}
	return age
}

// connect gives a connection over TLS to an address of the target that was judged here.
func (c *Client) connect(ctx context.Context, t target) (net.Conn, error) {
	addrs, err := c.addresses(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(addrs) > mostDials {
		addrs = addrs[:mostDials]
	}
	why := error(ErrUnreachable)
	for i, a := range addrs {
		conn, err := c.dial(ctx, t, a, len(addrs)-i)
		if err == nil {
			return conn, nil
		}
		if why = err; ctx.Err() != nil {
			break
		}
	}
	return nil, why
}

// addresses gives those of the target, if all of them are public. One that is not, beside others that are, is a sign of somebody who wants it tried.
func (c *Client) addresses(ctx context.Context, t target) ([]netip.Addr, error) {
	if t.addr.IsValid() {
		return []netip.Addr{t.addr}, nil
	}
	// With its last dot a name is whole: no search list of the system's adds to it.
	list, err := c.o.Resolver.LookupNetIP(ctx, "ip", t.host+".")
	if err != nil || len(list) == 0 {
		return nil, ErrName
	}
	out := make([]netip.Addr, len(list))
	for i, a := range list {
		out[i] = a.Unmap() // resolvers give those of IPv4 in either form
		if !Public(out[i]) {
			return nil, ErrAddress
		}
	}
	return out, nil
}

// dial connects to one address in its share of the time, of which others are left.
func (c *Client) dial(ctx context.Context, t target, a netip.Addr, left int) (net.Conn, error) {
	in, cancel := context.WithTimeout(ctx, c.o.Timeout/time.Duration(left))
	defer cancel()
	raw, err := c.o.Dial(in, "tcp", netip.AddrPortFrom(a, t.port).String())
	if err != nil {
		var own *Error
		if errors.As(err, &own) {
			return nil, own
		}
		return nil, ErrUnreachable
	}
	conn := tls.Client(raw, &tls.Config{ServerName: t.host, RootCAs: c.o.Roots, Time: c.o.Now, MinVersion: tls.VersionTLS12})
	if err := conn.HandshakeContext(in); err != nil {
		_ = raw.Close()
		var cert *tls.CertificateVerificationError
		if errors.As(err, &cert) {
			return nil, ErrCertificate
		}
		return nil, ErrUnreachable
	}
	if until, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(until)
	}
	return conn, nil
}

// direct connects, and hangs up where it reached this very machine by one of its own public addresses: what listens there may be behind a firewall that
// holds only others.
func direct(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	here, ok := conn.LocalAddr().(*net.TCPAddr)
	there, also := conn.RemoteAddr().(*net.TCPAddr)
	if !ok || !also || here.IP.Equal(there.IP) {
		_ = conn.Close()
		return nil, ErrAddress
	}
	return conn, nil
}
