package ntfy

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// Config is what a [Client] is made of. URL, Topic and Token are needed.
type Config struct {
	URL     string                 // of the server, such as https://ntfy.example.org; http for a loopback address alone
	Topic   string                 // [A-Za-z0-9_-]{1,64}
	Token   func() (string, error) // read for every request, so that a new one needs no restart
	Roots   *x509.CertPool         // whom to trust with TLS; nil is the system's
	Timeout time.Duration          // of one request, to the end of its answer: 10 s

	// AnyoneMayRead is the owner's word that the topic may be one that can be read without a token.
	AnyoneMayRead bool
}

// Client speaks with one topic of one ntfy server. It is safe for concurrent use.
type Client struct {
	c    Config
	base string
	rest *http.Transport
}

var (
	topicName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	tokenForm = regexp.MustCompile(`^[\x21-\x7e]{1,512}$`)
)

// maxAnswer is the most that is read of an answer, in bytes. ntfy gives the whole message back.
const maxAnswer = 32 << 10

// NewClient checks the configuration and makes the client. It does no I/O. Its errors hold nothing of the configuration.
func NewClient(c Config) (*Client, error) {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
		return nil, errors.New("ntfy: the URL is no plain address of a server (no user, path or query)")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return nil, errors.New("ntfy: the URL must be https, or http on a loopback address")
	case !topicName.MatchString(c.Topic):
		return nil, errors.New("ntfy: the topic must be letters, digits, _ and -, at most 64")
	case c.Token == nil:
		return nil, errors.New("ntfy: a token is needed")
	}
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	// No proxy: the token goes to the address that was configured and to no other.
	return &Client{c: c, base: u.Scheme + "://" + u.Host, rest: &http.Transport{
		DialContext:            (&net.Dialer{Timeout: 2 * c.Timeout}).DialContext, // each request's own limit comes first
		TLSClientConfig:        &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    2 * c.Timeout,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}}, nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// Close lets go of idle connections.
func (c *Client) Close() { c.rest.CloseIdleConnections() }

// Check asks whether the token is known, and whether the topic is closed to those without one: ErrAnonymous if it can be read and the owner did not say that it may be. It
// publishes nothing, so it cannot say whether the token may write.
func (c *Client) Check(ctx context.Context) error {
	if !c.c.AnyoneMayRead {
		// A poll is a subscription that ends: ntfy asks the same right for both.
		switch open, err := c.lets(ctx, http.MethodGet, "/"+c.c.Topic+"/json?poll=1&since=none", ""); {
		case err != nil:
			return err
		case open:
			return ErrAnonymous
		}
	}
	if _, err := c.exchange(ctx, "check", http.MethodGet, "/v1/account", nil, true); err != nil {
		return err
	}
	return nil
}

// AnyoneMayWrite asks whether those without a token may publish to the topic, which lets them pass for Readback on the owner's telephone. It publishes nothing: what it asks
// ntfy to publish has a time that is none, which ntfy refuses once it has found that the right is there (2.27).
func (c *Client) AnyoneMayWrite(ctx context.Context) (bool, error) {
	return c.lets(ctx, http.MethodPost, "/"+c.c.Topic+"?delay=none", CodeRefused)
}

// inARow is how often an open topic has to let a request without a token through before it is called open.
const inARow = 4

// lets says whether ntfy lets a request without a token through, which it may also say by a code. ntfy (2.27) keeps who asks by the address from which they ask: a request
// without a token now and then passes for another of the same moment that has one, ours or the telephone's. A topic that is open lets every request through, so one that
// refuses a single one is closed.
func (c *Client) lets(ctx context.Context, method, path, through string) (bool, error) {
	for range inARow {
		_, err := c.exchange(ctx, "check", method, path, nil, false)
		switch {
		case err == nil || err.code == through:
		case err.code == CodeForbidden || err.code == CodeUnauthorized:
			return false, nil
		default:
			return false, err
		}
	}
	return true, nil
}

// publish hands one message over, and returns nil once ntfy says that it has it.
func (c *Client) publish(ctx context.Context, m message) error {
	body, err := m.encode()
	if err != nil {
		return &Error{op: "publish", code: CodeRefused}
	}
	answer, e := c.exchange(ctx, "publish", http.MethodPost, "/", body, true)
	if e != nil {
		return e
	}
	var got struct{ ID, Event, Topic string }
	if json.Unmarshal(answer, &got) != nil || got.ID == "" || got.Event != "message" || got.Topic != m.Topic {
		return &Error{op: "publish", code: CodeBadAnswer} // a portal's page, say: ntfy does not have it
	}
	return nil
}

// exchange makes one request and reads its whole answer.
func (c *Client) exchange(parent context.Context, op, method, path string, body []byte, withToken bool) ([]byte, *Error) {
	ctx, cancel := context.WithTimeout(parent, c.c.Timeout)
	defer cancel()
	var connected, distrust atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			var cert *tls.CertificateVerificationError
			distrust.Store(errors.As(err, &cert))
		},
	})
	req, err := http.NewRequestWithContext(traced, method, c.base+path, bytes.NewReader(body)) //nolint:gosec // the configured address
	if err != nil {
		return nil, &Error{op: op, code: CodeRefused}
	}
	if withToken {
		token, err := c.c.Token()
		if err != nil || !tokenForm.MatchString(token) {
			return nil, &Error{op: op, code: CodeNoToken}
		}
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Header.Set("User-Agent", "readback")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.rest.RoundTrip(req) // and not http.Client: no redirect is followed, and no *url.Error made
	switch {
	case err != nil && distrust.Load():
		return nil, &Error{op: op, code: CodeUntrusted}
	case err != nil && !connected.Load():
		return nil, broken(ctx, parent, op, CodeUnreachable)
	case err != nil:
		return nil, broken(ctx, parent, op, CodeLost)
	}
	defer func() { _ = resp.Body.Close() }()
	if e := answered(op, resp); e != nil {
		_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection can be used again
		return nil, e
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, broken(ctx, parent, op, CodeLost)
	case len(answer) > maxAnswer:
		return nil, &Error{op: op, code: CodeBadAnswer}
	}
	return answer, nil
}
