package web

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

const (
	challengeProto = acme.ALPNProto
	acmeTimeout    = 30 * time.Second // of one request to the authority
	handshakeWait  = 4 * time.Second  // for a certificate that is on its way: a browser that waits longer asks again
	firstRetry     = 2 * time.Minute  // doubled for each failure that follows; the library remembers a failure for one
	lastRetry      = time.Hour        // an authority bears five failures an hour, and then none for long
)

// authority gets certificates by ACME (RFC 8555), and proves by TLS-ALPN-01 (RFC 8737), on the very listener that uses them, that their names are ours. It
// asks for the names that the owner configured and for no other, whatever name a stranger calls us by; and after a failure it waits, however many come.
type authority struct {
	manager autocert.Manager
	now     func() time.Time
	log     *slog.Logger

	mu    sync.Mutex
	names map[string]*order // never another key than at the start
}

// order is how a name's certificate stands.
type order struct {
	good     bool          // the manager has one, and renews it
	busy     chan struct{} // closed when it was given or refused; nil while nobody asks
	failed   time.Time
	failures int // in a row
	trouble  trouble
}

// What a handshake without a certificate fails with. The name that the client asked for may be anybody's words: it is in neither.
var (
	errNoName    = errors.New("there is no certificate for the name that was asked for")
	errNoneSoFar = errors.New("there is no certificate yet")
)

func newAuthority(o TLSOptions) (*authority, error) {
	a := &authority{now: o.Now, log: o.Log, names: map[string]*order{}}
	for _, h := range o.Hosts {
		name := hostOnly(h)
		if _, err := netip.ParseAddr(name); err != nil && strings.Contains(name, ".") {
			a.names[name] = &order{}
		}
	}
	if len(a.names) == 0 {
		return nil, lang.Say(lang.WebTLSNoHost)
	}
	directory := or(o.Directory, autocert.DefaultACMEDirectory)
	if u, err := url.Parse(directory); err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, lang.Say(lang.WebTLSDirectory)
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, lang.Say(lang.WebTLSFolder, o.Folder, why(err))
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:errcheck // the library's own
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots}
	a.manager = autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(o.Folder), Email: o.Email,
		HostPolicy: func(context.Context, string) error { return nil }, // certificate has judged it
		Client: &acme.Client{
			DirectoryURL: directory, UserAgent: "readback",
			HTTPClient: &http.Client{Transport: transport, Timeout: acmeTimeout},
		},
	}
	return a, nil
}

func (a *authority) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := hostOnly(hello.ServerName)
	order := a.names[name]
	if order == nil {
		return nil, errNoName
	}
	if len(hello.SupportedProtos) == 1 && hello.SupportedProtos[0] == challengeProto {
		cert, err := a.manager.GetCertificate(hello)
		if err != nil {
			return nil, errNoName
		}
		return cert, nil
	}
	busy, good := a.want(name, order)
	if !good && busy != nil {
		wait := time.NewTimer(handshakeWait)
		defer wait.Stop()
		select {
		case <-busy:
		case <-wait.C:
		case <-hello.Context().Done():
		}
		a.mu.Lock()
		good = order.good
		a.mu.Unlock()
	}
	if !good {
		return nil, errNoneSoFar
	}
	return a.get(name)
}

// get has the manager give what it has, or go and get it. It gives every client the same kind of certificate, ECDSA, so that nobody can make it order another.
func (a *authority) get(name string) (*tls.Certificate, error) {
	return a.manager.GetCertificate(&tls.ClientHelloInfo{
		ServerName: name, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
	})
}

// want has a name's certificate asked for where there is none, nobody asks and no wait stands against it.
func (a *authority) want(name string, o *order) (busy chan struct{}, good bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o.good || o.busy != nil {
		return o.busy, o.good
	}
	if o.failures > 0 && !passed(o.failed, a.now(), min(firstRetry<<min(o.failures-1, 10), lastRetry)) {
		return nil, false
	}
	o.busy = make(chan struct{})
	go a.obtain(name, o)
	return o.busy, false
}

// obtain asks once. The library bounds it to five minutes.
func (a *authority) obtain(name string, o *order) {
	cert, err := a.tryGet(name)
	now := a.now()
	a.mu.Lock()
	defer a.mu.Unlock()
	close(o.busy)
	o.busy = nil
	if err == nil {
		o.good, o.failures = true, 0
		o.trouble.is("", now)
		a.log.Info("a certificate is in use", "host", name, "until", cert.Leaf.NotAfter)
		return
	}
	o.failures++
	o.failed = now
	o.trouble.is(acmeCode(err), now)
	a.log.Warn("the authority gave no certificate", "host", name, "code", o.trouble.code)
}

var errBroke = errors.New("what asks the authority broke")

// tryGet is get, where a panic would end the program. What it carries may be the authority's words: only the place is logged.
func (a *authority) tryGet(name string) (cert *tls.Certificate, err error) {
	defer func() {
		if recover() != nil {
			a.log.Error("asking the authority broke", "stack", string(debug.Stack()))
			cert, err = nil, errBroke
		}
	}()
	return a.get(name)
}

// acmeCode reduces what an authority says, or that it says nothing.
func acmeCode(err error) string {
	var said *acme.Error
	var refused *acme.AuthorizationError
	var lost *url.Error
	switch {
	case errors.As(err, &refused) && len(refused.Errors) > 0 && errors.As(refused.Errors[0], &said), errors.As(err, &said):
		return smsmcp.Reduce(said.ProblemType[strings.LastIndexByte(said.ProblemType, ':')+1:])
	case errors.As(err, &lost), errors.Is(err, context.DeadlineExceeded):
		return codeNoAnswer
	case strings.Contains(err.Error(), "no viable challenge"): // the library keeps back what the authority saw
		return codeNotProven
	}
	return codeNotGiven
}

// look asks for every certificate that is missing, and notices those that should have been renewed.
func (a *authority) look() {
	for name, o := range a.names {
		if _, good := a.want(name, o); !good {
			continue
		}
		cert, err := a.get(name)
		if err != nil {
			continue
		}
		now := a.now()
		code := timeCode(cert.Leaf, now)
		if left := cert.Leaf.NotAfter.Sub(now); code == "" && left < min(cert.Leaf.NotAfter.Sub(cert.Leaf.NotBefore)/4, 20*24*time.Hour) {
			code = codeNotRenewed // the library begins at a third, or at 30 days
		}
		a.mu.Lock()
		if o.trouble.is(code, now) && code != "" {
			a.log.Warn("a certificate is not renewed", "host", name, "code", code)
		}
		a.mu.Unlock()
	}
}

// standing is that of the name that is worst off for the longest.
func (a *authority) standing() (p smsmcp.Part) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.names {
		if o.trouble.code != "" && (p.Failure == "" || o.trouble.since.Before(p.Since)) {
			p.Failure, p.Since = o.trouble.code, o.trouble.since
		}
	}
	return p
}
