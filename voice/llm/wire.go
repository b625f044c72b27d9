package llm

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Bounds of what is read from a service.
const (
	maxBody  = 16 << 20  // of one answer, with all that is around its pieces
	maxLine  = 512 << 10 // of one event
	maxFault = 16 << 10  // of what comes with an error
)

// Wire makes an engine's requests. It follows no redirect, keeps no cookie, bounds what is read, and gives nothing but an *Error when it fails.
type Wire struct {
	transport *http.Transport
}

// NewWire makes a wire. transport is cloned; nil is a plain one.
func NewWire(transport *http.Transport) *Wire {
	if transport == nil {
		transport = &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2:   true,
			MaxIdleConns:        4,
			IdleConnTimeout:     90 * time.Second,
		}
	}
	t := transport.Clone()
	t.DisableCompression = true
	t.MaxResponseHeaderBytes = 64 << 10
	return &Wire{transport: t}
}

// Close ends the connections that nobody uses.
func (w *Wire) Close() { w.transport.CloseIdleConnections() }

// Do makes one request. A POST is answered by a stream of events, anything else by JSON.
func (w *Wire) Do(req *http.Request) (*http.Response, error) {
	resp, err := w.transport.RoundTrip(req) // and not http.Client: no redirect is followed, and no *url.Error made
	if err != nil {
		return nil, ErrUnreachable
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		fault, _ := io.ReadAll(io.LimitReader(resp.Body, maxFault))
		_ = resp.Body.Close()
		return nil, held(Answered(resp.StatusCode, fault), resp.Header.Get("Retry-After"))
	}
	want := "application/json"
	if req.Method == http.MethodPost {
		want = "text/event-stream"
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != want {
		_ = resp.Body.Close()
		return nil, ErrBadAnswer
	}
	resp.Body = &body{ReadCloser: resp.Body, ctx: req.Context(), lines: req.Method == http.MethodPost}
	return resp, nil
}

// held adds the service's wish. A date, which would need a clock, is a wish for long.
func held(e *Error, after string) error {
	if after == "" {
		return e
	}
	if s, err := strconv.ParseFloat(after, 64); err == nil && s >= 0 && s < 3600 {
		return later{e, time.Duration(s * float64(time.Second))}
	}
	return later{e, time.Hour}
}

// body is an answer's, bounded.
type body struct {
	io.ReadCloser
	ctx   context.Context
	lines bool
	whole int
	line  int
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.whole += n
	if i := strings.LastIndexByte(string(p[:n]), '\n'); i >= 0 {
		b.line = n - 1 - i
	} else {
		b.line += n
	}
	switch {
	case b.whole > maxBody, b.lines && b.line > maxLine:
		return n, ErrTooBig
	case err != nil && !errors.Is(err, io.EOF):
		return n, ErrCut
	}
	return n, err //nolint:wrapcheck // io.EOF as it is
}

// Base reads a base URL: https, or http to this machine, or, for a service that takes no key, http to a private address.
func Base(s string, key bool) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", ErrAddress
	}
	ip, _ := netip.ParseAddr(u.Hostname())
	here := u.Hostname() == "localhost" || ip.IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !here && (key || !ip.IsPrivate())) {
		return "", ErrAddress
	}
	return strings.TrimRight(s, "/") + "/", nil
}

// Key reads a key that can stand in a header.
func Key(read func() (string, error)) (string, error) {
	if read == nil {
		return "", ErrNoKey
	}
	key, err := read()
	key = strings.TrimSpace(key)
	if err != nil || key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", ErrNoKey
	}
	return key, nil
}
