package ari

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/CyCoreSystems/ari/v5/client/native"
)

// maxAnswer bounds an answer, in bytes: a list of some hundred channels.
const maxAnswer = 4 << 20

// scheme is of the addresses that the library is given. Its HTTP client cannot be reached, has no time-out and knows no certificate but the system's; but it
// runs on http.DefaultTransport, which takes schemes of others. So each call has an address of its own, by which its transport is found.
const scheme = "readback-ari"

var (
	calls     sync.Map // host (a number) → *call
	callCount atomic.Uint64
	route     = sync.OnceValue(func() error {
		t, ok := http.DefaultTransport.(*http.Transport)
		if !ok {
			return errors.New("ari: http.DefaultTransport was replaced by something that takes no scheme")
		}
		t.RegisterProtocol(scheme, router{})
		return nil
	})
)

type router struct{}

func (router) RoundTrip(req *http.Request) (*http.Response, error) {
	k, ok := calls.Load(req.URL.Host)
	if !ok {
		return nil, errors.New("ari: the call has ended")
	}
	return k.(*call).RoundTrip(req)
}

// call is one use of the library: the caller's context, and what went wrong.
type call struct {
	client *Client
	ctx    context.Context //nolint:containedctx // the library takes none, so it travels here
	op     string
	err    *Error
}

func (k *call) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		_ = req.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	path := req.URL.EscapedPath()
	if req.URL.RawQuery != "" {
		path += "?" + req.URL.RawQuery
	}
	answer, err := k.client.exchange(k.ctx, k.op, req.Method, path, body)
	if err != nil {
		k.err = err
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(answer)), ContentLength: int64(len(answer)),
	}, nil
}

// native makes one call through the library. Of its errors nothing is kept.
func (c *Client) native(ctx context.Context, op string, f func(*native.Client) error) error {
	k := &call{client: c, ctx: ctx, op: op}
	id := strconv.FormatUint(callCount.Add(1), 10)
	calls.Store(id, k)
	defer calls.Delete(id)
	// User and password are given because it would look in the environment for them; exchange sets the right ones.
	err := f(native.New(&native.Options{Application: c.c.App, URL: scheme + "://" + id, WebsocketURL: scheme + ":", Username: "-", Password: "-"}))
	switch {
	case k.err != nil:
		return k.err
	case err != nil:
		return &Error{op, codeUnknown, true}
	}
	return nil
}

// do makes one call without the library, where it gets it wrong.
func (c *Client) do(ctx context.Context, op, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(in); err != nil {
			return &Error{op, CodeBadValue, false}
		}
		body = b.Bytes()
	}
	answer, e := c.exchange(ctx, op, method, path, body)
	if e != nil {
		return e
	}
	if out != nil && unmarshal(answer, out) != nil {
		return &Error{op, CodeBadAnswer, true}
	}
	return nil
}

// exchange makes one request and reads its whole answer. A request with a body has a connection of its own, so that nothing is sent on one that
// Asterisk has just closed, and net/http has no reason to send it twice.
func (c *Client) exchange(parent context.Context, op, method, path string, body []byte) ([]byte, *Error) {
	ctx, cancel := context.WithTimeout(parent, c.c.Timeout)
	defer cancel()
	if ctx.Err() != nil {
		return nil, broken(ctx, parent, op, CodeCancelled, false)
	}
	secret, err := c.c.Password()
	if err != nil {
		return nil, &Error{op, CodeNoSecret, false}
	}
	// Until the transport has a connection no byte of the request can have left.
	var left atomic.Bool
	var distrust atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { left.Store(true) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			var cert *tls.CertificateVerificationError
			distrust.Store(errors.As(err, &cert))
		},
	})
	req, err := http.NewRequestWithContext(traced, method, c.base.String()+path, bytes.NewReader(body)) //nolint:gosec // the configured address
	if err != nil {
		return nil, &Error{op, CodeBadValue, false}
	}
	req.GetBody = nil
	req.Close = len(body) > 0
	req.SetBasicAuth(c.c.User, secret)
	req.Header.Set("User-Agent", "readback")
	req.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.rest.RoundTrip(req) // and not http.Client: no redirect is followed, and no *url.Error made
	switch {
	case err != nil && distrust.Load():
		return nil, &Error{op, CodeUntrusted, false}
	case err != nil && !left.Load():
		return nil, broken(ctx, parent, op, CodeUnreachable, false)
	case err != nil:
		return nil, broken(ctx, parent, op, CodeLost, true)
	}
	defer func() { _ = resp.Body.Close() }()
	if e := answered(op, resp.StatusCode); e != nil {
		return nil, e
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, broken(ctx, parent, op, CodeLost, true)
	case len(answer) > maxAnswer:
		return nil, &Error{op, CodeTooBig, true}
	}
	return answer, nil
}
