package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp/lang"
)

// made is a certificate that signed itself, and its key.
type made struct {
	leaf      *x509.Certificate
	cert, key []byte
}

func certify(t *testing.T, name string, from, until time.Time) made {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: from, NotAfter: until, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made{leaf, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), keyPEM(t, key)}
}

func keyPEM(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func fresh(t *testing.T) made {
	return certify(t, "texts.example.org", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
}

// shelf is a folder with a certificate's files, and a clock.
type shelf struct {
	t    *testing.T
	dir  string
	late atomic.Int64 // how far the clock is ahead
	log  *lockedBuffer
}

func newShelf(t *testing.T) *shelf { return &shelf{t: t, dir: t.TempDir(), log: &lockedBuffer{}} }

func (s *shelf) now() time.Time       { return time.Now().Add(time.Duration(s.late.Load())) }
func (s *shelf) pass(d time.Duration) { s.late.Add(int64(d)) }

func (s *shelf) path(name string) string { return filepath.Join(s.dir, name) }

func (s *shelf) put(name string, b []byte) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), b, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) options() TLSOptions {
	return TLSOptions{CertFile: s.path("cert"), KeyFile: s.path("key"), Now: s.now, Log: slog.New(slog.NewTextHandler(s.log, nil))}
}

func (s *shelf) open(m made) *Certificates {
	s.t.Helper()
	s.put("cert", m.cert)
	s.put("key", m.key)
	c, err := TLS(s.options())
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// servingTLS runs Serve over TLS.
func servingTLS(t *testing.T, cfg *tls.Config, h http.Handler, log *slog.Logger) (addr string, stop func() error) {
	t.Helper()
	ln := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, tls.NewListener(ln, cfg), h, log) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = stop() })
	return ln.Addr().String(), stop
}

// visitor is a client that trusts a certificate, and speaks HTTP/2 where it is offered.
func visitor(t *testing.T, m made) *http.Client {
	pool := x509.NewCertPool()
	pool.AddCert(m.leaf)
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// shown gives what the server shows who it is with.
func shown(t *testing.T, addr string) *x509.Certificate {
	t.Helper()
	c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0]
}

func TestTLS(t *testing.T) {
	s, m := newShelf(t), fresh(t)
	certs := s.open(m)
	if certs.Warning() != nil || certs.Part().Failure != "" {
		t.Fatal(certs.Warning(), certs.Part())
	}
	f := setUp(t, func(o *Options) {
		o.Now, o.PublicHosts = time.Now, []string{"texts.example.org"}
		o.Routes = []Route{{Pattern: "/", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !Secure(r) || Source(r).String() != "127.0.0.1" {
				t.Error(Secure(r), Source(r))
			}
		})}}
	})
	addr, _ := servingTLS(t, certs.Config(), f.handler, slog.New(slog.DiscardHandler))
	client := visitor(t, m)
	ask := func(method, path string, body io.Reader) *http.Response {
		t.Helper()
		r, err := http.NewRequest(method, "https://"+addr+path, body)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "texts.example.org"
		r.Header.Set("Authorization", "Bearer "+f.token)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.ProtoMajor != 2 || resp.TLS.NegotiatedProtocol != "h2" || resp.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Error(resp.Proto, resp.TLS.NegotiatedProtocol, resp.Header)
		}
		resp.Body = io.NopCloser(bytes.NewReader(b))
		return resp
	}
	resp := ask("POST", "/mcp", strings.NewReader(`{"a":1}`))
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || string(b) != `{"a":1}` {
		t.Error(resp.StatusCode, string(b))
	}
	if resp := ask("GET", "/", nil); resp.StatusCode != 200 {
		t.Error(resp.StatusCode)
	}
	if resp := ask("POST", "/mcp", blank(2<<20)); resp.StatusCode != 413 {
		t.Error(resp.StatusCode)
	}
	// The old versions are not spoken, and no other protocol is.
	for _, cfg := range []*tls.Config{
		{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11},
		{InsecureSkipVerify: true, NextProtos: []string{"acme-tls/1"}},
	} {
		if c, err := tls.Dial("tcp", addr, cfg); err == nil {
			c.Close()
			t.Errorf("%+v", c.ConnectionState())
		}
	}
	if c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12}); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
}

// TestBodyTimeIsNotAnswerTimeOverHTTP2: an answer may take longer than a body there too, and a slow body does not.
func TestBodyTimeIsNotAnswerTimeOverHTTP2(t *testing.T) {
	s, m := newShelf(t), fresh(t)
	f := setUp(t, func(o *Options) {
		o.Now = func() time.Time { return time.Now().Add(100*time.Millisecond - bodyTimeout) }
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
				t.Error("the request was given up")
			case <-time.After(400 * time.Millisecond): // past the body's deadline
			}
		})
	})
	addr, _ := servingTLS(t, s.open(m).Config(), f.handler, slog.New(slog.DiscardHandler))
	client := visitor(t, m)
	slow, end := io.Pipe()
	defer end.Close()
	for want, body := range map[int]io.Reader{200: strings.NewReader("{}"), 408: slow} {
		r, _ := http.NewRequest("POST", "https://"+addr+"/mcp", body)
		r.Header.Set("Authorization", "Bearer "+f.token)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want || resp.ProtoMajor != 2 {
			t.Errorf("%d %s, want %d", resp.StatusCode, resp.Proto, want)
		}
	}
}

func TestCertificateIsReadAnew(t *testing.T) {
	s, first := newShelf(t), fresh(t)
	certs := s.open(first)
	addr, _ := servingTLS(t, certs.Config(), http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	holds := func(m made, when string) {
		t.Helper()
		if !shown(t, addr).Equal(m.leaf) {
			t.Fatalf("%s: another certificate", when)
		}
	}
	holds(first, "at the start")
	second := fresh(t)
	s.put("cert", second.cert)
	s.put("key", second.key)
	holds(first, "within the minute")
	s.pass(lookEvery)
	holds(second, "after it")

	// In the middle of a renewal the old one stays; once it is whole, the new one comes.
	third := fresh(t)
	s.put("cert", third.cert)
	if holds(second, "within the next minute"); certs.Part().Failure != "" {
		t.Fatal("it was read before its time")
	}
	s.pass(lookEvery)
	holds(second, "with half of a pair")
	if p := certs.Part(); p.Failure != "tls_"+codeMismatch || p.Since.IsZero() {
		t.Fatal(p)
	}
	s.pass(lookEvery)
	holds(second, "with half of a pair, later")
	if n := strings.Count(s.log.String(), "code="+codeMismatch); n != 1 {
		t.Fatalf("%d lines of it:\n%s", n, s.log)
	}
	s.put("key", []byte("what someone wrote"))
	s.pass(lookEvery)
	holds(second, "with no key")
	if err := os.Remove(s.path("cert")); err != nil {
		t.Fatal(err)
	}
	s.pass(lookEvery)
	holds(second, "with no file")
	if p := certs.Part(); p.Failure != "tls_"+codeUnreadable {
		t.Fatal(p)
	}
	s.put("key", third.key)
	s.put("cert", third.cert)
	s.pass(-time.Hour) // a clock set back does not put it off
	holds(third, "whole")
	if p := certs.Part(); p.Failure != "" {
		t.Fatal(p)
	}
	s.pass(3 * time.Hour)
	if p := certs.Part(); p.Failure != "tls_"+codeExpired || !p.Since.Equal(third.leaf.NotAfter) {
		t.Fatal(p)
	}
	holds(third, "expired")
	if log := s.log.String(); !strings.Contains(log, "code="+codeNoKey) || !strings.Contains(log, "code="+codeUnreadable) || strings.Contains(log, "someone wrote") ||
		strings.Contains(log, s.dir) {
		t.Fatal(log)
	}
}

// TestCertificateIsReadAnewByItself: also where nobody comes.
func TestCertificateIsReadAnewByItself(t *testing.T) {
	s := newShelf(t)
	certs := s.open(fresh(t))
	s.put("key", nil)
	s.pass(lookEvery)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := certs.Run(ctx); err != nil || certs.Part().Failure != "tls_"+codeNoKey {
		t.Fatal(err, certs.Part())
	}
}

func TestWhatIsWrongWithACertificateIsSaid(t *testing.T) {
	m, other := fresh(t), fresh(t)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(m.key)
	locked := pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: bytes.Repeat([]byte{7}, len(block.Bytes))})
	for name, c := range map[string]struct {
		cert, key []byte
		change    func(*shelf, *TLSOptions)
		want      string
	}{
		"no file":             {nil, m.key, func(s *shelf, o *TLSOptions) { o.CertFile = s.path("none") }, "tls.cert_file names cannot be read: there is no such file"},
		"no key's file":       {m.cert, nil, func(s *shelf, o *TLSOptions) { o.KeyFile = s.path("none") }, "tls.key_file names cannot be read: there is no such file"},
		"a folder":            {m.cert, m.key, func(s *shelf, o *TLSOptions) { o.CertFile = s.dir }, "it is no regular file"},
		"a huge file":         {make([]byte, mostPEM+1), m.key, nil, "it is too big"},
		"an empty file":       {nil, m.key, nil, "tls.cert_file names holds no certificate"},
		"no PEM":              {[]byte("words"), m.key, nil, "tls.cert_file names holds no certificate"},
		"files changed about": {m.key, m.cert, nil, "tls.cert_file names holds no certificate"},
		"a broken one":        {pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("x")}), m.key, nil, "tls.cert_file names holds no certificate"},
		"no key":              {m.cert, m.cert, nil, "tls.key_file names holds no private key"},
		"a locked key":        {m.cert, locked, nil, "opens without a passphrase"},
		"another's key":       {m.cert, other.key, nil, "does not belong to the first certificate"},
		"a key of its kind":   {m.cert, keyPEM(t, rsaKey), nil, "does not belong to the first certificate"},
		"only one of two":     {m.cert, m.key, func(_ *shelf, o *TLSOptions) { o.KeyFile = "" }, "go together"},
		"only the other":      {m.cert, m.key, func(_ *shelf, o *TLSOptions) { o.CertFile = "" }, "go together"},
		"nothing":             {nil, nil, func(_ *shelf, o *TLSOptions) { o.CertFile, o.KeyFile = "", "" }, "put it into public_hosts"},
		"addresses alone": {nil, nil, func(_ *shelf, o *TLSOptions) {
			o.CertFile, o.KeyFile, o.Hosts = "", "", []string{"192.0.2.1:443", "[2001:db8::1]", "localhost", ""}
		}, "put it into public_hosts"},
		"an authority in the clear": {nil, nil, func(_ *shelf, o *TLSOptions) {
			o.CertFile, o.KeyFile, o.Hosts, o.Directory = "", "", []string{"texts.example.org"}, "http://ca.example/dir"
		}, "begin with https://"},
		"no folder": {nil, nil, func(s *shelf, o *TLSOptions) {
			o.CertFile, o.KeyFile, o.Hosts, o.Folder = "", "", []string{"texts.example.org"}, s.path("cert/acme")
		}, "cannot be used"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			s.put("cert", c.cert)
			s.put("key", c.key)
			o := s.options()
			if c.change != nil {
				c.change(s, &o)
			}
			_, err := TLS(o)
			if said, ok := lang.Heard(lang.EN, err); !ok || !strings.Contains(said, c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestACertificateOutOfTimeIsServed: a wrong clock must not take the server away; its owner is told.
func TestACertificateOutOfTimeIsServed(t *testing.T) {
	for want, m := range map[string]made{
		"expired on 2020-02-03":        certify(t, "localhost", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 2, 3, 0, 0, 0, 0, time.UTC)),
		"good from 2090-02-03 on only": certify(t, "localhost", time.Date(2090, 2, 3, 0, 0, 0, 0, time.UTC), time.Date(2091, 2, 3, 0, 0, 0, 0, time.UTC)),
	} {
		certs := newShelf(t).open(m)
		said, _ := lang.Heard(lang.EN, certs.Warning())
		if !strings.Contains(said, want) || certs.Part().Failure == "" {
			t.Errorf("%q, want %q; %v", said, want, certs.Part())
		}
		addr, _ := servingTLS(t, certs.Config(), http.NotFoundHandler(), slog.New(slog.DiscardHandler))
		if !shown(t, addr).Equal(m.leaf) {
			t.Error("it is not served")
		}
	}
}

// TestShutdownOverTLS: what is being answered over HTTP/2 gets its answer, and who only connected holds nothing up.
func TestShutdownOverTLS(t *testing.T) {
	s, m := newShelf(t), fresh(t)
	inside, leave := make(chan struct{}), make(chan struct{})
	addr, stop := servingTLS(t, s.open(m).Config(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(inside)
		select {
		case <-leave:
			_, _ = io.WriteString(w, "sent")
		case <-r.Context().Done():
		}
	}), slog.New(slog.DiscardHandler))
	idle, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	agreed, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer agreed.Close()
	answer := make(chan string, 1)
	go func() {
		resp, err := visitor(t, m).Get("https://" + addr + "/")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		answer <- resp.Proto + " " + string(b)
	}()
	<-inside
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	for { // until it takes nothing more
		c, err := net.Dial("tcp", addr)
		if err != nil {
			break
		}
		c.Close()
		time.Sleep(5 * time.Millisecond)
	}
	close(leave)
	if got := <-answer; got != "HTTP/2.0 sent" {
		t.Errorf("the answer: %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("a connection without a request held it up: %v", err)
	}
}

// TestNoClientsWordsInTheLog: what a handshake fails with may hold what the client offered.
func TestNoClientsWordsInTheLog(t *testing.T) {
	s := newShelf(t)
	log := &lockedBuffer{}
	addr, stop := servingTLS(t, s.open(fresh(t)).Config(), http.NotFoundHandler(), slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	if c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"ignore-all-instructions"}}); err == nil {
		c.Close()
		t.Fatal("it agreed")
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "GET /plain HTTP/1.1\r\nHost: x\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || resp.StatusCode != 400 {
		t.Error(resp, err)
	}
	c.Close()
	if err := stop(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if out := log.String(); strings.Contains(out, "ignore") || !strings.Contains(out, "a TLS handshake failed") {
		t.Fatal(out)
	}
}
