package outside

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	good  = "93.184.216.34"
	good6 = "2606:4700::1111"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// world is the network as a test has it: names, what they lead to, and one server behind every public address.
type world struct {
	t      *testing.T
	server *httptest.Server
	roots  *x509.CertPool

	mu    sync.Mutex
	names map[string][][]netip.Addr // the answers, one after the other; the last stays
	asked []string
	dials []string
	seen  []*http.Request
}

func newWorld(t *testing.T, h http.HandlerFunc, certified ...string) *world {
	w := &world{t: t, names: map[string][][]netip.Addr{}, roots: x509.NewCertPool()}
	w.server = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.seen = append(w.seen, r)
		w.mu.Unlock()
		h(rw, r)
	}))
	w.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if certified == nil {
		certified = []string{"one.example", "two.example", "xn--bcher-kva.example"}
	}
	w.server.TLS = &tls.Config{Certificates: []tls.Certificate{w.certificate(certified, noon.Add(-time.Hour), noon.Add(time.Hour))}}
	w.server.StartTLS()
	t.Cleanup(w.server.Close)
	w.name("one.example", good)
	w.name("two.example", good6, good)
	w.name("xn--bcher-kva.example", good)
	return w
}

func (w *world) certificate(names []string, from, to time.Time) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		w.t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: from, NotAfter: to, IsCA: true, BasicConstraintsValid: true}
	for _, n := range names {
		if ip := net.ParseIP(n); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, n)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		w.t.Fatal(err)
	}
	parsed, _ := x509.ParseCertificate(der)
	w.roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// name adds an answer that a name gives.
func (w *world) name(name string, addrs ...string) {
	var list []netip.Addr
	for _, a := range addrs {
		list = append(list, netip.MustParseAddr(a))
	}
	w.names[name+"."] = append(w.names[name+"."], list)
}

func (w *world) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, host)
	all := w.names[host]
	if network != "ip" || len(all) == 0 {
		return nil, errors.New("no such host as " + host)
	}
	if len(all) > 1 {
		w.names[host] = all[1:]
	}
	return all[0], nil
}

func (w *world) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	w.mu.Lock()
	w.dials = append(w.dials, addr)
	w.mu.Unlock()
	at := netip.MustParseAddrPort(addr)
	if !Public(at.Addr()) {
		w.t.Errorf("%s was dialled", addr)
	}
	return (&net.Dialer{}).DialContext(ctx, network, w.server.Listener.Addr().String())
}

func (w *world) client(change ...func(*Options)) *Client {
	o := Options{Resolver: w, Dial: w.dial, Roots: w.roots, Now: func() time.Time { return noon }, Timeout: 20 * time.Second}
	for _, c := range change {
		c(&o)
	}
	return New(o)
}

func (w *world) fails(c *Client, address string, want *Error) {
	w.t.Helper()
	doc, err := c.Get(w.t.Context(), address)
	if !errors.Is(err, want) || doc.Body != nil {
		w.t.Errorf("%q: %v, want %v (%d bytes came)", address, err, want, len(doc.Body))
	}
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "Application/JSON; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=600")
		_, _ = io.WriteString(w, body)
	}
}

func TestAFetch(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	w := newWorld(t, says("hello"))
	doc, err := w.client().Get(t.Context(), "https://one.example/a?b=c")
	if err != nil || string(doc.Body) != "hello" || doc.Type != "application/json" || doc.Fresh != 10*time.Minute {
		t.Fatalf("%+v, %v", doc, err)
	}
	r := w.seen[0]
	if r.RequestURI != "/a?b=c" || r.Host != "one.example" || r.Method != "GET" {
		t.Errorf("asked for %s %s at %s", r.Method, r.RequestURI, r.Host)
	}
	want := http.Header{"User-Agent": {"Readback"}, "Accept": {"*/*"}, "Accept-Encoding": {"identity"}, "Connection": {"close"}}
	if fmt.Sprint(r.Header) != fmt.Sprint(want) {
		t.Errorf("the header is %v", r.Header)
	}
	if fmt.Sprint(w.dials, w.asked) != "["+good+":443] [one.example.]" {
		t.Errorf("dialled %v, asked for %v", w.dials, w.asked)
	}
}

func TestAnIDNHost(t *testing.T) {
	w := newWorld(t, says("hello"))
	if _, err := w.client().Get(t.Context(), "https://BÜCHER。example/"); err != nil || w.seen[0].Host != "xn--bcher-kva.example" || w.seen[0].TLS.ServerName != "xn--bcher-kva.example" {
		t.Errorf("%v, %v", err, w.asked)
	}
}

func TestAnAddressAsHost(t *testing.T) {
	w := newWorld(t, says("hello"), good, good6)
	for _, a := range []string{"https://" + good + "/", "https://[" + good6 + "]/"} {
		if _, err := w.client().Get(t.Context(), a); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
	w.fails(w.client(), "https://8.8.8.8/", ErrCertificate)
	if len(w.asked) != 0 {
		t.Errorf("asked for %v", w.asked)
	}
}

// A name that leads to one closed address is not used, whatever else it leads to; and nothing is dialled.
func TestNamesThatLeadInside(t *testing.T) {
	w := newWorld(t, says("secret"))
	for i, a := range shut {
		if a == "::ffff:8.8.8.8" {
			continue // the form in which some resolvers give an address of IPv4
		}
		for j, list := range [][]string{{a}, {good, a}, {a, good}, {good, good6, a}} {
			name := fmt.Sprintf("n%d-%d.example", i, j)
			w.name(name, list...)
			w.fails(w.client(), "https://"+name+"/", ErrAddress)
		}
	}
	if len(w.dials) != 0 {
		t.Errorf("dialled %v", w.dials)
	}
	w.fails(w.client(), "https://nowhere.example/", ErrName)
	w.name("empty.example")
	w.fails(w.client(), "https://empty.example/", ErrName)
}

func TestAnAddressThatTheResolverMapped(t *testing.T) {
	w := newWorld(t, says("hello"))
	w.names["one.example."] = nil
	w.name("one.example", "::ffff:"+good)
	if _, err := w.client().Get(t.Context(), "https://one.example/"); err != nil || w.dials[0] != good+":443" {
		t.Errorf("%v, %v", err, w.dials)
	}
}

// A name that is public when it is judged and loopback when it is asked again (DNS rebinding) is asked once for each fetch, and dialled as it was judged.
func TestANameThatChangesItsMind(t *testing.T) {
	w := newWorld(t, says("hello"))
	w.names["one.example."] = nil
	w.name("one.example", good)
	w.name("one.example", "127.0.0.1")
	c := w.client()
	if _, err := c.Get(t.Context(), "https://one.example/"); err != nil {
		t.Fatal(err)
	}
	if len(w.asked) != 1 || fmt.Sprint(w.dials) != "["+good+":443]" {
		t.Errorf("asked for %v, dialled %v", w.asked, w.dials)
	}
	w.fails(c, "https://one.example/", ErrAddress)
	if len(w.dials) != 1 {
		t.Errorf("dialled %v", w.dials)
	}
}

func TestANameThatChangesItsMindBetweenRedirects(t *testing.T) {
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/next", http.StatusFound) })
	w.names["one.example."] = nil
	w.name("one.example", good)
	w.name("one.example", "169.254.169.254")
	w.fails(w.client(func(o *Options) { o.Redirects = 3 }), "https://one.example/", ErrAddress)
	if len(w.dials) != 1 {
		t.Errorf("dialled %v", w.dials)
	}
}

func TestRedirects(t *testing.T) {
	to := ""
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			says("the end of "+r.Host)(rw, r)
			return
		}
		switch r.URL.Path {
		case "/loop":
			rw.Header().Set("Location", "/loop")
		case "/two":
			rw.Header()["Location"] = []string{"/end", "/end"}
		case "/none":
		default:
			rw.Header().Set("Location", to)
		}
		rw.Header().Set("Set-Cookie", "a=b")
		rw.WriteHeader(http.StatusPermanentRedirect)
	})
	w.name("inside.example", "10.0.0.1")
	follows := w.client(func(o *Options) { o.Redirects = 2 })
	for bad, want := range map[string]*Error{
		"http://one.example/end":        ErrForm,
		"file:///etc/passwd":            ErrForm,
		"https://u:p@one.example/end":   ErrForm,
		"https://one.example\\@x/end":   ErrForm,
		"https://one.example/end#f":     ErrForm,
		"https://one.example:8443/end":  ErrPort,
		"/e nd":                         ErrForm,
		"/e\\nd":                        ErrForm,
		"https://127.0.0.1/end":         ErrAddress,
		"https://[::1]/end":             ErrAddress,
		"https://[::ffff:7f00:1]/end":   ErrAddress,
		"https://169.254.169.254/end":   ErrAddress,
		"https://inside.example/end":    ErrAddress,
		"//inside.example/end":          ErrAddress,
		"https://2130706433/end":        ErrHost,
		"https://0x7f.1/end":            ErrHost,
		"https://0177.0.0.1/end":        ErrHost,
		"https://localhost/end":         ErrHost,
		"https://other.example/end":     ErrName,
		"":                              ErrRedirect, // the same again, until it was enough
		"/loop":                         ErrRedirect,
		strings.Repeat("a", longest+10): ErrForm,
	} {
		to = bad
		w.fails(follows, "https://one.example/", want)
	}
	for _, fine := range []string{"/end", "end", "//two.example/end", "https://TWO.example/end"} {
		to = fine
		doc, err := follows.Get(t.Context(), "https://one.example/")
		if err != nil || !strings.HasPrefix(string(doc.Body), "the end") {
			t.Errorf("%s: %v, %q", fine, err, doc.Body)
		}
		if last := w.seen[len(w.seen)-1]; last.Header.Get("Referer")+last.Header.Get("Cookie") != "" {
			t.Errorf("%s: the header is %v", fine, last.Header)
		}
	}
	for _, where := range []string{"/end", "https://127.0.0.1/"} {
		to = where
		if _, err := w.client().Get(t.Context(), "https://one.example/"); err == nil {
			t.Errorf("%s is followed where nothing is", where)
		}
	}
	w.fails(follows, "https://one.example/two", ErrRedirect)
	w.fails(follows, "https://one.example/none", ErrRedirect)
}

func TestStatuses(t *testing.T) {
	status := 0
	w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(status) })
	for s, want := range map[int]*Error{201: ErrRefused, 204: ErrRefused, 206: ErrRefused, 304: ErrRefused, 401: ErrRefused, 404: ErrGone, 410: ErrGone, 429: ErrServer, 500: ErrServer, 503: ErrServer, 302: ErrRedirect} {
		status = s
		w.fails(w.client(), "https://one.example/", want)
	}
}

func TestCertificates(t *testing.T) {
	w := newWorld(t, says("hello"), "another.example")
	w.fails(w.client(), "https://one.example/", ErrCertificate)
	w = newWorld(t, says("hello"))
	w.fails(w.client(func(o *Options) { o.Roots = x509.NewCertPool() }), "https://one.example/", ErrCertificate)
	for _, at := range []time.Time{noon.Add(2 * time.Hour), noon.Add(-2 * time.Hour)} {
		w.fails(w.client(func(o *Options) { o.Now = func() time.Time { return at } }), "https://one.example/", ErrCertificate)
	}
	if len(w.seen) != 0 {
		t.Error("something was asked of who had not shown that it is the host")
	}
}

func TestBodies(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write(make([]byte, 8<<20))
	_ = z.Close()
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bomb":
			rw.Header().Set("Content-Encoding", "gzip")
			_, _ = rw.Write(bomb.Bytes())
		case "/hidden":
			_, _ = rw.Write(bomb.Bytes())
		case "/double":
			rw.Header()["Content-Encoding"] = []string{"identity", "br"}
		case "/identity":
			rw.Header().Set("Content-Encoding", "Identity")
		case "/exact":
			_, _ = rw.Write(make([]byte, 1000))
		case "/more":
			_, _ = rw.Write(make([]byte, 1001))
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := rw.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		case "/claims":
			rw.Header().Set("Content-Length", "1000000000")
			rw.WriteHeader(http.StatusOK)
		case "/headers":
			rw.Header().Set("X", strings.Repeat("a", 1<<20))
		case "/short":
			rw.Header().Set("Content-Length", "500")
			_, _ = rw.Write(make([]byte, 10))
		case "/type":
			rw.Header().Set("Content-Type", "text/plain; ; =x")
		}
	})
	c := w.client(func(o *Options) { o.Bytes = 1000 })
	for path, want := range map[string]*Error{
		"/bomb": ErrEncoding, "/double": ErrEncoding, "/hidden": ErrTooBig, "/more": ErrTooBig, "/endless": ErrTooBig, "/claims": ErrTooBig, "/headers": ErrBroken, "/short": ErrBroken,
	} {
		w.fails(c, "https://one.example"+path, want)
	}
	for path, n := range map[string]int{"/exact": 1000, "/identity": 0, "/type": 0} {
		if doc, err := c.Get(t.Context(), "https://one.example"+path); err != nil || len(doc.Body) != n || path == "/type" && doc.Type != "" {
			t.Errorf("%s: %d bytes of %q, %v", path, len(doc.Body), doc.Type, err)
		}
	}
}

// Whatever is slow, all of it has the one time.
func TestSlow(t *testing.T) {
	w := newWorld(t, func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/drips":
			rw.Header().Set("Content-Length", "1000")
			tick := time.NewTicker(5 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					if _, err := rw.Write([]byte{'a'}); err != nil {
						return
					}
					_ = http.NewResponseController(rw).Flush()
				case <-r.Context().Done():
					return
				}
			}
		case "/leads":
			tick := time.NewTimer(20 * time.Millisecond)
			defer tick.Stop()
			<-tick.C
			http.Redirect(rw, r, "/leads", http.StatusFound)
		default:
			<-r.Context().Done()
		}
	})
	quick := func(o *Options) { o.Timeout, o.Redirects = 150*time.Millisecond, 1000 }
	for _, path := range []string{"/drips", "/leads", "/silent"} {
		w.fails(w.client(quick), "https://one.example"+path, ErrTime)
	}
	stalls := func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
	w.fails(w.client(quick, func(o *Options) { o.Dial = stalls }), "https://one.example/", ErrTime)
	mute := func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		t.Cleanup(func() { _ = there.Close() })
		return here, nil
	}
	w.fails(w.client(quick, func(o *Options) { o.Dial = mute }), "https://one.example/", ErrTime)
	w.fails(w.client(quick, func(o *Options) { o.Resolver = stuck{} }), "https://one.example/", ErrTime)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.client().Get(gone, "https://one.example/silent"); !errors.Is(err, ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

type stuck struct{}

func (stuck) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// An address that does not answer leaves time for the next.
func TestTheNextAddressIsTried(t *testing.T) {
	w := newWorld(t, says("hello"))
	for _, silent := range []bool{true, false} {
		dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
			if !strings.HasPrefix(addr, "[") {
				return w.dial(ctx, network, addr)
			}
			if silent {
				<-ctx.Done()
			}
			return nil, errors.New("no route to " + addr)
		}
		c := w.client(func(o *Options) { o.Dial, o.Timeout = dial, 2*time.Second })
		if _, err := c.Get(t.Context(), "https://two.example/"); err != nil {
			t.Errorf("silent %v: %v", silent, err)
		}
	}
}

func TestThisMachineIsNotOutside(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if _, err := direct(t.Context(), "tcp", l.Addr().String()); !errors.Is(err, ErrAddress) {
		t.Errorf("this very machine: %v", err)
	}
}

func TestFresh(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"": 0, "max-age=60": time.Minute, "Public, Max-Age=60": time.Minute, "max-age=60, no-store": 0, "no-cache": 0, "max-age=-1": 0, "max-age=x": 0,
		"max-age=99999999": 24 * time.Hour, "max-age=99999999999999999999": 0, "private": 0,
	} {
		if got := fresh([]string{s}); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// TestInvariant13WhatWentWrongOutsideIsACode: nothing of an address or an answer is in an error.
func TestInvariant13WhatWentWrongOutsideIsACode(t *testing.T) {
	w := newWorld(t, func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(500)
		_, _ = io.WriteString(rw, "hunter2")
	})
	form := regexp.MustCompile(`^outside: [a-z_]{1,40}$`)
	for _, a := range []string{"https://one.example/hunter2", "http://hunter2/", "https://hunter2.example/", "https://127.0.0.1/hunter2", "https://one.example:hunter2/"} {
		_, err := w.client().Get(t.Context(), a)
		if err == nil || !form.MatchString(err.Error()) || errors.Unwrap(err) != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
}

// TestAConnectionIsGivenOnce: whatever the transport asks for again, nothing goes over a second one, or twice.
func TestAConnectionIsGivenOnce(t *testing.T) {
	conn, other := net.Pipe()
	t.Cleanup(func() { _ = errors.Join(conn.Close(), other.Close()) })
	dial := only(conn)
	for i, want := range []error{nil, ErrBroken, ErrBroken} {
		if got, err := dial(t.Context(), "tcp", "one.example:443"); !errors.Is(err, want) || (got == conn) != (want == nil) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
