package testbed

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

// Over the loopback address a datagram of any size arrives, and sipgo would refuse what the Internet might not carry. What it logs is of no test's interest.
var once = sync.OnceFunc(func() {
	sip.UDPMTUSize = 60_000
	sip.SetDefaultLogger(quiet)
})

var quiet = slog.New(slog.DiscardHandler)

// SIPText is one SIP MESSAGE.
type SIPText struct {
	From string // the user part of the From header
	Name string // the display name
	To   string // the user part of the address; "+15145550100" if empty
	Body string
	Type string            // the content type; "text/plain" if empty
	Head map[string]string // further headers
}

// Phone sends and takes SIP MESSAGEs over UDP.
type Phone struct {
	Address netip.AddrPort
	client  *sipgo.Client
}

// NewPhone is a phone at an address, on any port if that is 0. It answers a text that it is sent with the status that answer gives; nil is 200 for all.
func NewPhone(t testing.TB, at netip.AddrPort, answer func(SIPText) int) *Phone {
	t.Helper()
	once()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		t.Fatal(err)
	}
	at = conn.LocalAddr().(*net.UDPAddr).AddrPort()
	ua, err := sipgo.NewUA(sipgo.WithUserAgent("phone"))
	if err != nil {
		t.Fatal(err)
	}
	server, err := sipgo.NewServer(ua, sipgo.WithServerLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	server.OnMessage(func(req *sip.Request, tx sip.ServerTransaction) {
		status := sip.StatusOK
		if answer != nil {
			status = answer(received(req))
		}
		_ = tx.Respond(sip.NewResponseFromRequest(req, status, "", nil))
	})
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.ServeUDP(conn)
	}()
	// The client sends from the socket that the server listens on, once the server has made it known.
	for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
		if c, err := ua.TransportLayer().GetConnection("udp", at.String()); err == nil && c != nil {
			tick.Stop()
			break
		}
	}
	client, err := sipgo.NewClient(ua, sipgo.WithClientHostname(at.Addr().String()), sipgo.WithClientPort(int(at.Port())),
		sipgo.WithClientConnectionAddr(at.String()), sipgo.WithClientLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = ua.Close()
		_ = conn.Close()
		<-served
	})
	return &Phone{at, client}
}

func received(req *sip.Request) SIPText {
	m := SIPText{Body: string(req.Body()), To: req.Recipient.User, Head: map[string]string{}}
	if f := req.From(); f != nil {
		m.From, m.Name = f.Address.User, f.DisplayName
	}
	for _, h := range req.Headers() {
		m.Head[h.Name()] = h.Value()
	}
	m.Type = m.Head["Content-Type"]
	return m
}

// Text sends one text and gives the status of the answer.
func (p *Phone) Text(ctx context.Context, to netip.AddrPort, m SIPText) (int, error) {
	if m.To == "" {
		m.To = "+15145550100"
	}
	if m.Type == "" {
		m.Type = "text/plain"
	}
	req := sip.NewRequest(sip.MESSAGE, sip.Uri{Scheme: "sip", User: m.To, Host: to.Addr().String(), Port: int(to.Port())})
	from := &sip.FromHeader{DisplayName: m.Name, Address: sip.Uri{Scheme: "sip", User: m.From, Host: p.Address.Addr().String()}, Params: sip.NewParams()}
	from.Params.Add("tag", strings.ToLower(sip.GenerateTagN(12)))
	req.AppendHeader(from)
	req.AppendHeader(sip.NewHeader("Content-Type", m.Type))
	for name, value := range m.Head {
		req.AppendHeader(sip.NewHeader(name, value))
	}
	req.SetBody([]byte(m.Body))
	resp, err := p.client.Do(ctx, req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, nil
}
