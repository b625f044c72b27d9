package owner

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"

	"readback/smsmcp/lang"
)

// Client asks the owner's calls.
type Client struct {
	http *http.Client
	lang lang.Lang
}

// Dial gives a client of the server that listens in a data folder. It connects at the first call.
func Dial(dir string, l lang.Lang) *Client {
	t := &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket(dir))
		},
	}
	return &Client{&http.Client{Transport: t}, l}
}

// Local gives a client of a handler in this process.
func Local(h http.Handler, l lang.Lang) *Client {
	return &Client{&http.Client{Transport: InProcess(h)}, l}
}

// InProcess carries requests to a handler without a wire.
func InProcess(h http.Handler) http.RoundTripper { return local{h} }

type local struct{ http.Handler }

func (t local) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &recorded{header: http.Header{}, status: http.StatusOK}
	t.ServeHTTP(w, r)
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorded) Header() http.Header         { return w.header }
func (w *recorded) WriteHeader(status int)      { w.status = status }
func (w *recorded) Write(b []byte) (int, error) { return w.body.Write(b) }
