package ari

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Config is what a [Client] is made of. URL, App, User, Password, Now and Rand are needed; a duration left at zero has its default.
type Config struct {
	URL      string // such as https://127.0.0.1:8089/ari; http for a loopback address alone
	App      string // the Stasis application: [A-Za-z0-9_-]{1,64}
	User     string
	Password func() (string, error) // read for every request, so that a new one needs no restart

	Roots   *x509.CertPool // whom to trust with TLS; nil is the system's
	Sources []string       // what Run subscribes to, such as "endpoint:PJSIP"

	Now  func() time.Time
	Rand *rand.Rand // for jitter; used by Run alone

	Timeout time.Duration // of one request, to the end of its answer: 5 s
	Ping    time.Duration // between two pings of the event connection; each must be answered within Timeout: 10 s
	MinWait time.Duration // before the first try to connect again; doubled for each that follows: 250 ms
	MaxWait time.Duration // the longest wait: 30 s
	Linger  time.Duration // how long what was read is still told of after Run's context has ended: 5 s
}

// Client speaks with one Asterisk for one application. It is safe for concurrent use; Run is called once at a time.
type Client struct {
	c       Config
	base    *url.URL
	rest    *http.Transport
	events  *http.Client
	decode  func([]byte) (Event, error)
	mu      sync.Mutex
	current State
}

// State is how the event connection stands.
type State struct {
	Up      bool      // connected, subscribed, caught up
	Since   time.Time // when that last changed; zero before the first connection
	Failure string    // the code of what last ended it or kept it from standing; empty if nothing has
	Skipped int       // events that could not be read
}

var appName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// New checks the configuration and makes the client. It does no I/O.
func New(c Config) (*Client, error) {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("ari: the URL is no plain address (no user, no query)")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return nil, errors.New("ari: the URL must be https, or http on a loopback address")
	case !appName.MatchString(c.App):
		return nil, errors.New("ari: the application's name must be letters, digits, _ and -, at most 64")
	case c.User == "" || strings.ContainsAny(c.User, ":\r\n") || c.Password == nil:
		return nil, errors.New("ari: a user without colon and a password are needed")
	case c.Now == nil || c.Rand == nil:
		return nil, errors.New("ari: Now and Rand are needed")
	}
	for _, d := range []struct {
		d  *time.Duration
		by time.Duration
	}{
		{&c.Timeout, 5 * time.Second}, {&c.Ping, 10 * time.Second}, {&c.MinWait, 250 * time.Millisecond}, {&c.MaxWait, 30 * time.Second},
		{&c.Linger, 5 * time.Second},
	} {
		if *d.d <= 0 {
			*d.d = d.by
		}
	}
	if err := route(); err != nil {
		return nil, err
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	// No proxy: credentials that can place calls go to the address that was configured and to no other.
	rest := &http.Transport{
		DialContext:            (&net.Dialer{Timeout: 2 * c.Timeout}).DialContext, // each request's own limit comes first
		TLSClientConfig:        &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    2 * c.Timeout,
		MaxIdleConnsPerHost:    4,
		MaxConnsPerHost:        16,               // many calls at once wait for each other here: Asterisk cuts what is past its sessionlimit (deploy/asterisk has 50)
		IdleConnTimeout:        10 * time.Second, // Asterisk closes an idle one after 15 s
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
	}
	return &Client{c: c, base: u, rest: rest, decode: Decode, events: &http.Client{
		Transport:     rest.Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// State says how the event connection stands.
func (c *Client) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current
}

func (c *Client) update(f func(*State)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.current)
}

// Close lets go of idle connections. Run ends by its context.
func (c *Client) Close() {
	c.rest.CloseIdleConnections()
	c.events.CloseIdleConnections()
}
