package testbed

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"net"
	"strings"
	"testing"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
)

// The sub-account in deploy/asterisk/readback-trunk.conf.example.
const (
	account  = "123456_readback"
	password = "the-password-of-the-sub-account"
)

// Provider plays the trunk's server: SIP over TLS at Bed.Trunk. It takes the sub-account's registration, with its password, and sends texts over
// the connection that Asterisk made.
type Provider struct {
	t          testing.TB
	client     *sipgo.Client
	registered chan string // the other end of the connection of each good registration
	at         string
	Wrong      chan string // what each refused registration did wrong, or "no password yet"
	Texts      chan SIPText
}

// NewProvider starts the trunk's server with a certificate, and makes Asterisk register. The bed's own certificate is the one that Asterisk trusts.
func NewProvider(t testing.TB, b *Bed, certFile, keyFile string) *Provider {
	t.Helper()
	once()
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := net.Listen("tcp", b.Trunk.String())
	if err != nil {
		t.Fatal(err)
	}
	l := tls.NewListener(plain, &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12})
	ua, err := sipgo.NewUA(sipgo.WithUserAgent("provider"))
	if err != nil {
		t.Fatal(err)
	}
	server, err := sipgo.NewServer(ua, sipgo.WithServerLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	client, err := sipgo.NewClient(ua, sipgo.WithClientHostname("127.0.0.1"), sipgo.WithClientLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{t: t, client: client, registered: make(chan string, 16), Wrong: make(chan string, 16), Texts: make(chan SIPText, 16)}
	nonce := rand.Text()
	server.OnRegister(func(req *sip.Request, tx sip.ServerTransaction) {
		challenge := digest.Challenge{Realm: "voip.ms", Nonce: nonce, Algorithm: "MD5"}
		if why := refuse(req, &challenge); why != "" {
			p.Wrong <- why
			resp := sip.NewResponseFromRequest(req, sip.StatusUnauthorized, "Unauthorized", nil)
			resp.AppendHeader(sip.NewHeader("WWW-Authenticate", challenge.String()))
			_ = tx.Respond(resp)
			return
		}
		resp := sip.NewResponseFromRequest(req, sip.StatusOK, "OK", nil)
		resp.AppendHeader(req.Contact())
		resp.AppendHeader(sip.NewHeader("Expires", "300"))
		_ = tx.Respond(resp)
		p.registered <- req.Source()
	})
	server.OnOptions(func(req *sip.Request, tx sip.ServerTransaction) {
		_ = tx.Respond(sip.NewResponseFromRequest(req, sip.StatusOK, "OK", nil))
	})
	server.OnMessage(func(req *sip.Request, tx sip.ServerTransaction) {
		_ = tx.Respond(sip.NewResponseFromRequest(req, sip.StatusOK, "OK", nil))
		p.Texts <- received(req)
	})
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.ServeTLS(l)
	}()
	t.Cleanup(func() {
		_ = ua.Close()
		_ = l.Close()
		<-served
	})
	b.CLI("pjsip send register voipms")
	return p
}

// refuse says what is wrong with a registration; empty for a good one.
func refuse(req *sip.Request, challenge *digest.Challenge) string {
	h := req.GetHeader("Authorization")
	if h == nil {
		return "no password yet"
	}
	got, err := digest.ParseCredentials(h.Value())
	if err != nil {
		return "no digest"
	}
	want, err := digest.Digest(challenge, digest.Options{Method: "REGISTER", URI: got.URI, Username: account, Password: password, Cnonce: got.Cnonce, Count: got.Nc})
	if err != nil || got.Username != account || got.Response != want.Response {
		return "a wrong password"
	}
	return ""
}

// Registered waits until Asterisk has registered.
func (p *Provider) Registered(ctx context.Context) {
	p.t.Helper()
	select {
	case p.at = <-p.registered:
	case <-ctx.Done():
		p.t.Fatal("Asterisk did not register")
	}
}

// Text sends one text to Asterisk over the connection that it registered by, and gives the status of the answer.
func (p *Provider) Text(ctx context.Context, m SIPText) (int, error) {
	host, port, err := sip.ParseAddr(p.at)
	if err != nil {
		return 0, err
	}
	params := sip.NewParams()
	params.Add("transport", "tls")
	req := sip.NewRequest(sip.MESSAGE, sip.Uri{Scheme: "sip", User: "readback", Host: host, Port: port, UriParams: params})
	req.SetTransport("TLS")
	req.SetDestination(p.at)
	from := &sip.FromHeader{DisplayName: m.Name, Address: sip.Uri{Scheme: "sip", User: m.From, Host: "montreal1.voip.ms"}, Params: sip.NewParams()}
	from.Params.Add("tag", strings.ToLower(sip.GenerateTagN(12)))
	req.AppendHeader(from)
	req.AppendHeader(sip.NewHeader("Content-Type", "text/plain"))
	req.SetBody([]byte(m.Body))
	resp, err := p.client.Do(ctx, req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, nil
}
