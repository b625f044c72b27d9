package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// servingACME serves where the authority looks for us.
func servingACME(t *testing.T, p *pebble, c *Certificates, log *slog.Logger) (stop func()) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(p.port))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { _ = Serve(ctx, tls.NewListener(ln, c.Config()), http.NotFoundHandler(), log); close(done) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return stop
}

func (s *shelf) acme(p *pebble, hosts ...string) *Certificates {
	s.t.Helper()
	o := s.options()
	o.CertFile, o.KeyFile, o.Hosts, o.Folder = "", "", hosts, s.path("acme")
	o.Directory, o.Roots, o.Email = p.directory, p.roots, "owner@example.org"
	c, err := TLS(o)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// call shakes hands by a name.
func (p *pebble) call(name string, roots *x509.CertPool, protos ...string) (*x509.Certificate, error) {
	c, err := tls.Dial("tcp", "127.0.0.1:"+strconv.Itoa(p.port), &tls.Config{ServerName: name, RootCAs: roots, NextProtos: protos})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0], nil
}

// TestACME has a real authority give a certificate for a name that it finds to be ours.
func TestACME(t *testing.T) {
	p, s := startPebble(t), newShelf(t)
	log := &lockedBuffer{}
	debug := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	certs := s.acme(p, "Texts.example.org:443", "blocked.example.org", "lost.example.org", "192.0.2.1")
	stop := servingACME(t, p, certs, debug)

	// Names that are not ours: nothing is asked for them, and nothing of them is said.
	for _, name := range []string{"evil.example", "x.texts.example.org", "localhost", ""} {
		if _, err := p.call(name, p.issued); err == nil {
			t.Errorf("%q got a certificate", name)
		}
		if _, err := p.call(name, p.issued, challengeProto); err == nil {
			t.Errorf("%q got a proof", name)
		}
	}
	if entries, err := os.ReadDir(s.path("acme")); err != nil || len(entries) > 0 || certs.Part().Failure != "" || strings.Contains(log.String(), "evil") {
		t.Fatal(entries, err, certs.Part(), log)
	}

	// Ours: the first who comes may be told to wait, and then it is there.
	var leaf *x509.Certificate
	until(t, func() bool {
		var err error
		leaf, err = p.call("texts.example.org", p.issued, "h2")
		return err == nil
	}, s.log)
	if again, err := p.call("TEXTS.example.org", p.issued); err != nil || !again.Equal(leaf) {
		t.Fatal(again, err)
	}
	if _, err := p.call("texts.example.org", p.issued, challengeProto); err == nil {
		t.Error("a proof is shown to who asks for none")
	}
	// A client that knows none but RSA makes us order nothing more.
	old := &tls.Config{ServerName: "texts.example.org", RootCAs: p.issued, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}}
	if c, err := tls.Dial("tcp", "127.0.0.1:"+strconv.Itoa(p.port), old); err == nil {
		c.Close()
		t.Error("another certificate was ordered")
	}
	entries, err := os.ReadDir(s.path("acme"))
	if err != nil || len(entries) < 2 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(e.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(s.path("acme")); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}

	// What the authority refuses, and what it does not find to be ours, is known by code, and is not asked for again at once however many come.
	certs.of.look()
	tried := func(host, code string) int {
		return strings.Count(s.log.String(), "gave no certificate\" host="+host+" code="+code)
	}
	until(t, func() bool {
		return tried("blocked.example.org", "rejectedidentifier") == 1 && tried("lost.example.org", codeNotProven) == 1
	}, s.log)
	for range 3 {
		if _, err := p.call("blocked.example.org", p.issued); err == nil {
			t.Error("it got one")
		}
		certs.of.look()
	}
	if n := tried("blocked.example.org", ""); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if code := certs.Part().Failure; code != "tls_rejectedidentifier" && code != "tls_"+codeNotProven {
		t.Error(certs.Part())
	}
	s.pass(firstRetry)
	certs.of.look()
	until(t, func() bool { return tried("blocked.example.org", "") == 2 }, s.log)
	s.pass(firstRetry)
	certs.of.look()
	if _, err := p.call("blocked.example.org", p.issued); err == nil || tried("blocked.example.org", "") != 2 {
		t.Error("the second wait is no longer than the first")
	}

	// After a restart it is still there, also without the authority; and near its end the owner hears that nobody renews it.
	stop()
	p.stop()
	certs = s.acme(p, "texts.example.org")
	servingACME(t, p, certs, debug)
	if again, err := p.call("texts.example.org", p.issued); err != nil || !again.Equal(leaf) {
		t.Fatal(again, err)
	}
	certs.of.look()
	if part := certs.Part(); part.Failure != "" {
		t.Error(part)
	}
	for after, want := range map[string]string{"75": codeNotRenewed, "91": codeExpired} {
		days, _ := strconv.Atoi(after)
		s.late.Store(0)
		s.pass(leaf.NotBefore.AddDate(0, 0, days).Sub(s.now()))
		certs.of.look()
		if part := certs.Part(); part.Failure != "tls_"+want {
			t.Error(after, part)
		}
	}
}

// TestACMEWithoutItsAuthority: the server is there all the same, and says what it lacks.
func TestACMEWithoutItsAuthority(t *testing.T) {
	s := newShelf(t)
	p := &pebble{directory: "https://127.0.0.1:" + strconv.Itoa(freePort(t)) + "/dir", port: freePort(t)}
	certs := s.acme(p, "texts.example.org")
	servingACME(t, p, certs, slog.New(slog.DiscardHandler))
	if _, err := p.call("texts.example.org", nil); err == nil {
		t.Fatal("a certificate from nowhere")
	}
	until(t, func() bool { return certs.Part().Failure == "tls_"+codeNoAnswer }, s.log)
}

// TestAHandshakeWaitsALittle: for an authority that does not answer nobody is kept, and it is asked once.
func TestAHandshakeWaitsALittle(t *testing.T) {
	s, mute := newShelf(t), listen(t)
	defer mute.Close()
	asked := make(chan net.Conn, 10)
	go func() {
		for {
			c, err := mute.Accept()
			if err != nil {
				return
			}
			asked <- c
		}
	}()
	p := &pebble{directory: "https://" + mute.Addr().String() + "/dir", port: freePort(t)}
	certs := s.acme(p, "texts.example.org")
	servingACME(t, p, certs, slog.New(slog.DiscardHandler))
	var both sync.WaitGroup
	start := time.Now()
	for range 2 {
		both.Go(func() {
			if _, err := p.call("texts.example.org", nil); err == nil {
				t.Error("a certificate from nowhere")
			}
		})
	}
	both.Wait()
	if took := time.Since(start); took < handshakeWait || took > handshakeWait+5*time.Second {
		t.Error(took)
	}
	if n := len(asked); n != 1 {
		t.Errorf("asked %d times", n)
	}
	(<-asked).Close() // the library may ask again, by itself
	mute.Close()
}

// TestAskingTheAuthorityThatPanicsIsAFailure of that certificate, and not the end of the program.
func TestAskingTheAuthorityThatPanicsIsAFailure(t *testing.T) {
	var log lockedBuffer
	o := &order{}
	a := &authority{now: time.Now, log: slog.New(slog.NewTextHandler(&log, nil)), names: map[string]*order{"texts.example.org": o}}
	a.manager.Prompt = func(string) bool { return true }
	a.manager.HostPolicy = func(context.Context, string) error { panic("the words of a stranger") }
	busy, good := a.want("texts.example.org", o)
	if busy == nil || good {
		t.Fatal("it is not asked for")
	}
	<-busy
	until(t, func() bool { return a.standing().Failure == codeNotGiven }, &log)
	if got := log.String(); !strings.Contains(got, "authority).get") || strings.Contains(got, "stranger") {
		t.Errorf("the log:\n%s", got)
	}
}
