package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/outside"
)

// aPublic is an address that is everybody's, as those of Claude's documents are.
const aPublic = "93.184.216.34"

// elsewhere is another Internet: names, what they lead to, and one site behind the public addresses, over TLS. What is fetched goes through the real guard; only where packets go is
// the test's.
type elsewhere struct {
	t     *testing.T
	site  *httptest.Server
	roots *x509.CertPool

	mu      sync.Mutex
	names   map[string][][]string // the answers of a name, one after the other; the last stays
	dials   []string
	fetches []string // what the site was asked: host and path
	answer  http.HandlerFunc
}

func newElsewhere(t *testing.T, names ...string) *elsewhere {
	t.Helper()
	e := &elsewhere{t: t, roots: x509.NewCertPool(), names: map[string][][]string{}}
	for _, n := range names {
		e.names[n] = [][]string{{aPublic}}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, DNSNames: names,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	must(t, err)
	parsed, err := x509.ParseCertificate(der)
	must(t, err)
	e.roots.AddCert(parsed)
	e.site = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		e.fetches = append(e.fetches, r.Host+r.URL.Path)
		answer := e.answer
		e.mu.Unlock()
		answer(w, r)
	}))
	e.site.Config.ErrorLog = log.New(io.Discard, "", 0)
	e.site.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	e.site.StartTLS()
	t.Cleanup(e.site.Close)
	return e
}

func (e *elsewhere) options() outside.Options {
	return outside.Options{Resolver: e, Dial: e.dial, Roots: e.roots}
}

// LookupNetIP answers as a name server does.
func (e *elsewhere) LookupNetIP(_ context.Context, _, host string) (out []netip.Addr, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	host = strings.TrimSuffix(host, ".")
	all := e.names[host]
	if len(all) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(all) > 1 {
		e.names[host] = all[1:]
	}
	for _, a := range all[0] {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

// dial leads every address to the site, and notes it.
func (e *elsewhere) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	e.mu.Lock()
	e.dials = append(e.dials, addr)
	e.mu.Unlock()
	return (&net.Dialer{}).DialContext(ctx, network, e.site.Listener.Addr().String())
}

// resolves has a name lead to these addresses: each time it is asked the next, and then the last.
func (e *elsewhere) resolves(name string, answers ...[]string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.names[name] = answers
}

func (e *elsewhere) answers(h http.HandlerFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer = h
}

// seen gives where was connected to, and what was fetched, since it was last asked for.
func (e *elsewhere) seen() (dials, fetches []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	dials, fetches = e.dials, e.fetches
	e.dials, e.fetches = nil, nil
	return dials, fetches
}
