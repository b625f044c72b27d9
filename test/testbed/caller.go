package testbed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emiago/sipgo"
	"github.com/emiago/sipgo/sip"
)

// callersHost is where callers call from: the bed's Asterisk knows it as the endpoint "caller", which is like the trunk but takes sound without encryption.
const callersHost = "127.0.0.4"

// Caller is a telephone that calls the bed's Asterisk, any number of times at once.
type Caller struct {
	b      *Bed
	from   netip.AddrPort
	dialog *sipgo.DialogClientCache

	mu    sync.Mutex
	calls map[string]*Dialed // by Call-ID
}

// Ring says whom a telephone calls, and what it says of itself.
type Ring struct {
	To   string            // the extension; "app", which is in the application, if empty
	From string            // the user part of the From header; "+15145550101" if empty
	Name string            // the display name
	Host string            // of the From header; the caller's own if empty
	Head map[string]string // further headers

	// Carry carries the sound of the call, in packets of its own making, instead of the telephone, which then neither sends nor keeps any. It must return once
	// conn is closed, which is the end of the call.
	Carry func(conn *net.UDPConn, to *net.UDPAddr)
}

// Refused is a call that was not answered, with its SIP status.
type Refused int

func (r Refused) Error() string { return "refused with " + strconv.Itoa(int(r)) }

// NewCaller gives the bed a telephone, until the test ends.
func (b *Bed) NewCaller(t testing.TB) *Caller {
	t.Helper()
	once()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(callersHost)})
	if err != nil {
		t.Fatal(err)
	}
	c := &Caller{b: b, from: conn.LocalAddr().(*net.UDPAddr).AddrPort(), calls: map[string]*Dialed{}}
	ua, err := sipgo.NewUA(sipgo.WithUserAgent("caller"))
	if err != nil {
		t.Fatal(err)
	}
	server, err := sipgo.NewServer(ua, sipgo.WithServerLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	server.OnBye(func(req *sip.Request, tx sip.ServerTransaction) {
		_ = c.dialog.ReadBye(req, tx)
		c.mu.Lock()
		d := c.calls[req.CallID().Value()]
		c.mu.Unlock()
		if d != nil {
			d.over()
		}
	})
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.ServeUDP(conn)
	}()
	for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
		if got, err := ua.TransportLayer().GetConnection("udp", c.from.String()); err == nil && got != nil {
			tick.Stop()
			break
		}
	}
	client, err := sipgo.NewClient(ua, sipgo.WithClientHostname(callersHost), sipgo.WithClientPort(int(c.from.Port())),
		sipgo.WithClientConnectionAddr(c.from.String()), sipgo.WithClientLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	c.dialog = sipgo.NewDialogClientCache(client, sip.ContactHeader{Address: sip.Uri{Scheme: "sip", User: "caller", Host: callersHost, Port: int(c.from.Port())}})
	t.Cleanup(func() {
		c.mu.Lock()
		calls := make([]*Dialed, 0, len(c.calls))
		for _, d := range c.calls {
			calls = append(calls, d)
		}
		c.mu.Unlock()
		for _, d := range calls {
			d.over()
		}
		_ = ua.Close()
		_ = conn.Close()
		<-served
	})
	return c
}

// Dial calls, and gives the call once it was answered. The end of ctx cancels a call that was not; then the error is ctx's, and of one that was refused a Refused.
func (c *Caller) Dial(ctx context.Context, r Ring) (*Dialed, error) {
	if r.To == "" {
		r.To = "app"
	}
	if r.From == "" {
		r.From = "+15145550101"
	}
	if r.Host == "" {
		r.Host = callersHost
	}
	sound, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(callersHost)})
	if err != nil {
		return nil, err
	}
	offer := fmt.Sprintf("v=0\r\no=- 1 1 IN IP4 %[1]s\r\ns=-\r\nc=IN IP4 %[1]s\r\nt=0 0\r\nm=audio %[2]d RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\n"+
		"a=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-16\r\na=ptime:20\r\na=sendrecv\r\n", callersHost, sound.LocalAddr().(*net.UDPAddr).Port)
	from := &sip.FromHeader{DisplayName: r.Name, Address: sip.Uri{Scheme: "sip", User: r.From, Host: r.Host}, Params: sip.NewParams()}
	from.Params.Add("tag", strings.ToLower(sip.GenerateTagN(12)))
	head := []sip.Header{from, sip.NewHeader("Content-Type", "application/sdp")}
	for name, value := range r.Head {
		head = append(head, sip.NewHeader(name, value))
	}
	s, err := c.dialog.Invite(ctx, sip.Uri{Scheme: "sip", User: r.To, Host: c.b.SIP.Addr().String(), Port: int(c.b.SIP.Port())}, []byte(offer), head...)
	if err != nil {
		_ = sound.Close()
		return nil, err
	}
	d := newDialed(c, s, sound)
	d.carry = r.Carry
	id := s.InviteRequest.CallID().Value()
	c.mu.Lock()
	c.calls[id] = d // before the answer: who answers may hang up at once
	c.mu.Unlock()
	err = answer(ctx, s)
	if err == nil {
		d.to, err = soundAt(string(s.InviteResponse.Body()))
	}
	if err != nil {
		_ = s.Close()
		d.over()
		var no *sipgo.ErrDialogResponse
		switch {
		case errors.As(err, &no):
			return nil, Refused(no.Res.StatusCode)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		return nil, err
	}
	d.begin()
	return d, nil
}

// answer waits for the answer, and acknowledges it. Where ctx ends first it takes the call back (RFC 3261 section 9.1), and hangs up what was answered meanwhile: of a
// telephone that forgets such a call Asterisk keeps it for half a minute.
func answer(ctx context.Context, s *sipgo.DialogClientSession) error {
	rings := make(chan struct{})
	heard := sync.OnceFunc(func() { close(rings) })
	outcome := make(chan error, 1)
	go func() {
		defer heard()
		outcome <- s.WaitAnswer(context.WithoutCancel(ctx), sipgo.AnswerOptions{OnResponse: func(*sip.Response) error { heard(); return nil }})
	}()
	select {
	case err := <-outcome:
		if err != nil {
			return err
		}
		return s.Ack(ctx)
	case <-ctx.Done():
	}
	<-rings // before that a call cannot be taken back
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, _ = s.UA.Client.Do(late, takenBack(s.InviteRequest), func(*sipgo.Client, *sip.Request) error { return nil })
	if err := <-outcome; err == nil {
		_ = s.Ack(late)
		_ = s.Bye(late)
	}
	return ctx.Err()
}

func takenBack(invite *sip.Request) *sip.Request {
	req := sip.NewRequest(sip.CANCEL, invite.Recipient)
	hops := sip.MaxForwardsHeader(70)
	req.AppendHeader(sip.HeaderClone(invite.Via()))
	req.AppendHeader(sip.HeaderClone(invite.From()))
	req.AppendHeader(sip.HeaderClone(invite.To()))
	req.AppendHeader(sip.HeaderClone(invite.CallID()))
	req.AppendHeader(&sip.CSeqHeader{SeqNo: invite.CSeq().SeqNo, MethodName: sip.CANCEL})
	req.AppendHeader(&hops)
	req.SetBody(nil)
	req.SetSource(invite.Source())
	req.Laddr = invite.Laddr
	return req
}

// soundAt is where an answer wants the sound.
func soundAt(sdp string) (*net.UDPAddr, error) {
	var at net.UDPAddr
	for line := range strings.SplitSeq(sdp, "\r\n") {
		if host, ok := strings.CutPrefix(line, "c=IN IP4 "); ok {
			at.IP = net.ParseIP(host)
		}
		if media, ok := strings.CutPrefix(line, "m=audio "); ok {
			port, _, _ := strings.Cut(media, " ")
			at.Port, _ = strconv.Atoi(port)
		}
	}
	if at.IP == nil || at.Port == 0 {
		return nil, errors.New("the answer does not say where the sound goes")
	}
	return &at, nil
}
