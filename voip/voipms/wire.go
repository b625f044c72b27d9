package voipms

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"readback/smsmcp"
)

// maxAnswer bounds an answer, in bytes; a list of one day has a bound of its own.
const maxAnswer = 8 << 20

type field struct{ name, value string }

// call makes one call and gives its answer if that says success; any other status is a *StatusError.
func (c *Carrier) call(ctx context.Context, rt http.RoundTripper, limit time.Duration, method string, fields ...field) (a answer, err error) {
	err = c.post(ctx, rt, limit, method, func(r io.Reader) error {
		body, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
		if err != nil {
			return err
		}
		if len(body) > maxAnswer {
			return newFault(codeTooBig)
		}
		a, err = decode(body)
		return err
	}, fields...)
	return a, err
}

// post makes one call and hands what comes back to read, whose errors are coded, or else those of the connection.
func (c *Carrier) post(
	ctx context.Context, rt http.RoundTripper, limit time.Duration, method string, read func(io.Reader) error, fields ...field,
) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if ctx.Err() != nil {
		return broken(ctx, codeCancelled, false)
	}
	user, ok := c.opt.Username.reveal()
	pass, ok2 := c.opt.Password.reveal()
	if !ok || !ok2 {
		return newFault(codeNoSecret, smsmcp.ErrNotSent)
	}
	req, err := c.request(ctx, append([]field{
		{"api_username", user}, {"api_password", pass}, {"method", method}, {"content_type", "json"},
	}, fields...))
	if err != nil {
		return err
	}

	// The transport calls GotConn before it hands the request to the connection: until then no byte of it can have left, and from then
	// on it may have. WroteHeaders would be later, but comes from another goroutine that may still write after RoundTrip returned.
	var left atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { left.Store(true) },
	}))
	// RoundTrip and not http.Client: no redirect is followed, no cookie kept, and no *url.Error made.
	resp, err := rt.RoundTrip(req)
	if err != nil {
		if left.Load() {
			return broken(ctx, codeLost, true)
		}
		return broken(ctx, codeUnreachable, false)
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return newFault(codeRedirected)
	case resp.StatusCode != http.StatusOK:
		return newFault(codeHTTP, smsmcp.ErrDown)
	}
	var coded smsmcp.Coded
	if err := read(resp.Body); err == nil || errors.As(err, &coded) {
		return err
	}
	return broken(ctx, codeLost, true)
}

// request builds the one form that voip.ms takes: multipart (a urlencoded POST gets a SOAP fault, a GET has the password in its URL).
// The body cannot be read twice, so nothing below can replay it.
func (c *Carrier) request(ctx context.Context, fields []field) (*http.Request, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, f := range fields {
		if err := w.WriteField(f.name, f.value); err != nil {
			return nil, newFault(codeBadBody, smsmcp.ErrNotSent)
		}
	}
	if err := w.Close(); err != nil {
		return nil, newFault(codeBadBody, smsmcp.ErrNotSent)
	}
	req := &http.Request{
		Method: http.MethodPost, URL: c.endpoint, Host: c.endpoint.Host,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Content-Type": {w.FormDataContentType()}, "Accept": {"application/json"}, "User-Agent": {"readback"},
		},
		Body: io.NopCloser(&form), ContentLength: int64(form.Len()),
	}
	return req.WithContext(ctx), nil
}

// empty says whether an error is the status of a list that holds nothing.
func empty(err error) bool {
	var s *StatusError
	return errors.As(err, &s) && (s.status == "no_sms" || s.status == "no_mms")
}
