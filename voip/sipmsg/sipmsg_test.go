package sipmsg_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/test/testbed"
	"readback/voip/ari"
	"readback/voip/carriertest"
	"readback/voip/sipmsg"
)

const (
	owner  = smsmcp.Number("+15145550100")
	friend = smsmcp.Number("+15145550101")
)

func peer(raw string) smsmcp.Peer { return contacts.Peer(raw, "CA") }

func client(t *testing.T, b *testbed.Bed, address string) *ari.Client {
	t.Helper()
	c, err := ari.New(ari.Config{
		URL: address, App: b.App, User: b.User, Password: func() (string, error) { return b.Password, nil }, Roots: b.Roots,
		Sources: []string{"endpoint:PJSIP"}, Now: time.Now, Rand: mathrand.New(mathrand.NewPCG(1, 2)), Timeout: 15 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func carrier(t *testing.T, a sipmsg.Asterisk, endpoint, server string, longest int) *sipmsg.Carrier {
	t.Helper()
	c, err := sipmsg.New(sipmsg.Options{Asterisk: a, Endpoint: endpoint, Server: server, Number: owner, Peer: peer, Rand: rand.Reader, MaxBody: longest})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestContract runs the contract of carriers against a real Asterisk; what it took is counted on the way to it.
func TestContract(t *testing.T) {
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	testbed.NewPhone(t, b.Peer, nil)
	target, _ := url.Parse(strings.TrimSuffix(b.PlainARI, "/ari"))
	for _, longest := range []int{0, 1023} {
		carriertest.Run(t, func(t *testing.T) carriertest.Harness {
			var taken atomic.Int64
			proxy := httputil.NewSingleHostReverseProxy(target)
			proxy.ModifyResponse = func(r *http.Response) error {
				if r.Request.Method == http.MethodPut && r.StatusCode == http.StatusAccepted {
					taken.Add(1)
				}
				return nil
			}
			front := httptest.NewServer(proxy)
			t.Cleanup(front.Close)
			return carriertest.Harness{
				Carrier: carrier(t, client(t, b, front.URL+"/ari"), "peer", b.Peer.String(), longest), To: friend, Now: time.Now,
				Taken: func() int { return int(taken.Load()) }, NoList: true,
			}
		})
	}
}

// TestTextsGoOut: to a phone behind a real Asterisk, byte for byte; a refusal of the phone shows as handed over, and never as delivered.
func TestTextsGoOut(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	got := make(chan testbed.SIPText, 10)
	var status atomic.Int64
	status.Store(200)
	testbed.NewPhone(t, b.Peer, func(m testbed.SIPText) int { got <- m; return int(status.Load()) })
	c := carrier(t, client(t, b, b.ARI), "peer", b.Peer.String(), 1023)
	keys := map[smsmcp.Key]bool{}
	for _, body := range []string{"hello", "L’été « où ? »\n👩‍👩‍👧‍👦 $(id) `id` ${SHELL(id)} {{x}} <script>", strings.Repeat("é", 511), "twin", "twin"} {
		r, err := c.Send(t.Context(), friend, body)
		if err != nil || r.Delivery != "handed_over" || r.Key.Carrier != "sipmsg" || keys[r.Key] {
			t.Fatalf("%+v %v", r, err)
		}
		keys[r.Key] = true
		select {
		case m := <-got:
			if m.Body != body || m.To != string(friend) || m.From != string(owner) {
				t.Errorf("%q came as %+v", body, m)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%q did not come", body)
		}
	}
	status.Store(403)
	if r, err := c.Send(t.Context(), friend, "unwanted"); err != nil || r.Delivery != "handed_over" {
		t.Errorf("%+v %v", r, err)
	}
	<-got

	// Injection: nothing of it leaves.
	for _, to := range []smsmcp.Number{"+15145550101\r\nX-Evil: 1", "+15145550101@evil.example", "+15145550101;x=y", "+1514555０101", "", "5145550101", "+1514555 101"} {
		if _, err := c.Send(t.Context(), to, "hello"); !errors.Is(err, smsmcp.ErrNotSent) {
			t.Errorf("to %q: %v", to, err)
		}
	}
	for _, body := range []string{"a\r\nb", "a\x00b", "a\x1bb", "a\tb", " \n ", "a\u2028b", "a\u0085b"} {
		if _, err := c.Send(t.Context(), friend, body); !errors.Is(err, smsmcp.ErrNotSent) {
			t.Errorf("%q: %v", body, err)
		}
	}
	if _, err := carrier(t, client(t, b, b.ARI), "nobody", b.Peer.String(), 0).Send(t.Context(), friend, "hello"); !errors.Is(err, smsmcp.ErrRefused) {
		t.Errorf("no such endpoint: %v", err)
	}
	b.Asterisk.Kill()
	if _, err := c.Send(t.Context(), friend, "hello"); !errors.Is(err, smsmcp.ErrNotSent) {
		t.Errorf("Asterisk is down: %v", err)
	}
	if err := c.Check(t.Context()); !errors.Is(err, smsmcp.ErrDown) {
		t.Errorf("Asterisk is down: %v", err)
	}
	select {
	case m := <-got:
		t.Errorf("%+v went out", m)
	default:
	}
}

// TestTextsComeIn: from a phone at the trunk through a real Asterisk.
func TestTextsComeIn(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	a := client(t, b, b.ARI)
	c := carrier(t, a, "voipms", b.Trunk.String(), 0)
	type result struct {
		text smsmcp.Text
		err  error
	}
	got, up := make(chan result, 20), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = a.Run(ctx, ari.Listener{
			Connected: func(context.Context) error { close(up); return nil },
			Event: func(_ context.Context, e ari.Event) {
				if m, ok := e.(ari.TextMessageReceived); ok {
					x, err := c.Received(m, time.Now())
					got <- result{x, err}
				}
			},
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	<-up
	phone := testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.1:0"), nil)
	send := func(m testbed.SIPText) result {
		t.Helper()
		if status, err := phone.Text(t.Context(), b.SIP, m); err != nil || status != 202 {
			t.Fatal(status, err)
		}
		select {
		case r := <-got:
			return r
		case <-time.After(10 * time.Second):
			t.Fatal("it did not come")
			return result{}
		}
	}
	keys := map[smsmcp.Key]bool{}
	for _, from := range []struct {
		user string
		want smsmcp.Peer
	}{
		{string(friend), smsmcp.NumberPeer(friend)}, {"5145550101", smsmcp.NumberPeer(friend)}, {"72975", smsmcp.CodePeer("72975")},
		{"MaBanque", smsmcp.LabelPeer("MaBanque")}, {"x5145550101", smsmcp.LabelPeer("x5145550101")},
	} {
		for _, body := range []string{"hello «you»\n👍", "twin", "twin"} {
			r := send(testbed.SIPText{From: from.user, Name: "Maman <sip:+15145550199@h>", Body: body, Head: map[string]string{
				"P-Asserted-Identity": "<sip:+15145550199@h>", "Remote-Party-ID": "<sip:+15145550199@h>",
			}})
			x := r.text
			if r.err != nil || !x.Peer.Same(from.want) || !x.Body.Equal(untrusted.New(body)) || keys[x.Key] ||
				x.Key.Carrier != "sipmsg" || x.Direction != smsmcp.Received || x.At.Nanosecond() != 0 || time.Since(x.At) > time.Minute {
				t.Errorf("%s: %+v %v", from.user, x, r.err)
			}
			keys[x.Key] = true
		}
	}
	if r := send(testbed.SIPText{From: string(friend), Body: strings.Repeat("x", 1100)}); !errors.Is(r.err, sipmsg.ErrLost) {
		t.Errorf("1100 bytes: %v", r.err)
	}
	if r := send(testbed.SIPText{From: string(friend)}); !errors.Is(r.err, sipmsg.ErrNoText) {
		t.Errorf("empty: %v", r.err)
	}
}

func message(change ...func(*ari.TextMessageReceived)) ari.TextMessageReceived {
	m := ari.TextMessageReceived{
		Head: ari.Head{At: time.Date(2026, 11, 30, 12, 0, 0, 5e8, time.UTC)}, From: untrusted.New(`"Eve" <sip:+15145550101@h>`), Body: untrusted.New("hello"),
		Endpoint: "voipms", Length: 5, Vars: map[string]untrusted.Text{"Call-ID": untrusted.New("a"), "CSeq": untrusted.New("1 MESSAGE"), "Content-Type": untrusted.New("text/plain;charset=UTF-8")},
	}
	for _, f := range change {
		f(&m)
	}
	return m
}

func TestReceived(t *testing.T) {
	c := carrier(t, &ari.Client{}, "voipms", "h", 0)
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	first, err := c.Received(message(), now)
	if err != nil || !first.At.Equal(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)) || !first.Unverified { // by itself a text is a claim
		t.Fatalf("%+v %v", first, err)
	}
	again, _ := c.Received(message(func(m *ari.TextMessageReceived) { m.At = m.At.Add(time.Second) }), now)
	if again.Key != first.Key {
		t.Error("the same message, told twice, is two texts")
	}
	for name, change := range map[string]func(*ari.TextMessageReceived){
		"Call-ID": func(m *ari.TextMessageReceived) { m.Vars["Call-ID"] = untrusted.New("b") },
		"CSeq":    func(m *ari.TextMessageReceived) { m.Vars["CSeq"] = untrusted.New("2 MESSAGE") },
		"shifted": func(m *ari.TextMessageReceived) {
			m.Vars["Call-ID"], m.Vars["CSeq"] = untrusted.New("a1"), untrusted.New(" MESSAGE")
		},
	} {
		if x, _ := c.Received(message(change), now); x.Key == first.Key {
			t.Errorf("%s: two texts have one key", name)
		}
	}
	for from, want := range map[string]smsmcp.Peer{
		`sip:+15145550101@h`:                               smsmcp.NumberPeer(friend),
		`<sips:+15145550101@h:5061;transport=tls>`:         smsmcp.NumberPeer(friend),
		`"a <sip:+15145550199@h>" <sip:+15145550101@h>`:    smsmcp.NumberPeer(friend),
		`"<sip:+15145550199@h>`:                            smsmcp.NumberPeer("+15145550199"), // the address itself, after an open quote
		`<sip:+15145550101@h> <x`:                          smsmcp.LabelPeer(`<sip:+15145550101@h> <x`),
		`<sip:+15145550101@h> "x"`:                         smsmcp.LabelPeer(`<sip:+15145550101@h> "x"`),
		`<sip:+15145550101:secret@h>`:                      smsmcp.LabelPeer(`+15145550101:secret`),
		`<sip:+15145550101;phone-context=x@h>`:             smsmcp.LabelPeer(`+15145550101;phone-context=x`),
		`<sip:%2B15145550101@h>`:                           smsmcp.LabelPeer(`%2B15145550101`),
		`<tel:+15145550101>`:                               smsmcp.LabelPeer(`tel:+15145550101`),
		`<sip:h>`:                                          {},
		`<sip:@h>`:                                         {},
		``:                                                 {},
		`+15145550101`:                                     smsmcp.LabelPeer(`+15145550101`),
		`<sip:anonymous@anonymous.invalid>`:                smsmcp.LabelPeer("anonymous"),
		"<sip:+15145550101\n@h>":                           smsmcp.LabelPeer("+15145550101\n"),
		`<sip:+1514555010１@h>`:                             smsmcp.LabelPeer(`+1514555010１`),
		`"x" <sip:evil@h>, "Maman" <sip:+15145550101@h>`:   smsmcp.NumberPeer(friend),
		`<sip:15145550101@h>`:                              smsmcp.NumberPeer(friend),
		strings.Repeat("<", 1000) + `<sip:+15145550101@h>`: smsmcp.NumberPeer(friend),
		`<sip:` + strings.Repeat("1", 5000) + `@h>`:        smsmcp.LabelPeer(strings.Repeat("1", 5000)),
	} {
		x, err := c.Received(message(func(m *ari.TextMessageReceived) { m.From = untrusted.New(from) }), now)
		if err != nil || !x.Peer.Same(want) {
			t.Errorf("%.80q is %d %s %s %.80q, %v", from, x.Peer.Kind, x.Peer.Number, x.Peer.Code, x.Peer.Label.RawForStore(), err)
		}
	}
	for name, test := range map[string]struct {
		change func(*ari.TextMessageReceived)
		want   error
	}{
		"another endpoint": {func(m *ari.TextMessageReceived) { m.Endpoint = "peer" }, sipmsg.ErrNotTrunk},
		"no endpoint":      {func(m *ari.TextMessageReceived) { m.Endpoint = "" }, sipmsg.ErrNotTrunk},
		"lost":             {func(m *ari.TextMessageReceived) { m.Body, m.Length = untrusted.Text{}, 1100 }, sipmsg.ErrLost},
		"empty":            {func(m *ari.TextMessageReceived) { m.Body, m.Length = untrusted.Text{}, 0 }, sipmsg.ErrNoText},
		"typing": {func(m *ari.TextMessageReceived) {
			m.Vars["Content-Type"] = untrusted.New("application/im-iscomposing+xml")
		}, sipmsg.ErrNoText},
	} {
		if _, err := c.Received(message(test.change), now); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// broken is an Asterisk that fails as it is told.
type broken struct{ err error }

func (b broken) SendMessage(context.Context, ari.Message) error   { return b.err }
func (b broken) Modules(context.Context) (map[string]bool, error) { return nil, b.err }

// TestInvariant07WhatMayHaveGoneIsUnknown: only what certainly did not go is called so.
func TestInvariant07WhatMayHaveGoneIsUnknown(t *testing.T) {
	status := func(code int) error {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if code == 0 {
				c, _, _ := w.(http.Hijacker).Hijack()
				c.Close()
				return
			}
			w.WriteHeader(code)
		}))
		defer s.Close()
		c, err := ari.New(ari.Config{URL: s.URL + "/ari", App: "a", User: "u", Password: func() (string, error) { return "p", nil }, Now: time.Now, Rand: mathrand.New(mathrand.NewPCG(1, 2))})
		if err != nil {
			t.Fatal(err)
		}
		_, err = carrier(t, c, "voipms", "h", 0).Send(t.Context(), friend, "hello")
		return err
	}
	for code, want := range map[int]error{202: nil, 400: smsmcp.ErrRefused, 401: smsmcp.ErrRefused, 404: smsmcp.ErrRefused, 413: smsmcp.ErrRefused, 500: nil, 503: nil, 302: nil, 0: nil} {
		err := status(code)
		if code == 202 != (err == nil) || errors.Is(err, smsmcp.ErrNotSent) || errors.Is(err, smsmcp.ErrRefused) != (want != nil) {
			t.Errorf("%d: %v", code, err)
		}
		var coded smsmcp.Coded
		if err != nil && (!errors.As(err, &coded) || !lang.CarrierKnows(coded.Code())) {
			t.Errorf("%v has no sentence", err)
		}
	}
	if _, err := carrier(t, broken{errors.New("x")}, "voipms", "h", 0).Send(t.Context(), friend, "hello"); errors.Is(err, smsmcp.ErrNotSent) || errors.Is(err, smsmcp.ErrRefused) {
		t.Error(err)
	}
}

func TestNewRefuses(t *testing.T) {
	good := sipmsg.Options{Asterisk: broken{}, Endpoint: "voipms", Server: "montreal1.voip.ms:5061", Number: owner, Peer: peer, Rand: bytes.NewReader(nil)}
	c, err := sipmsg.New(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send(t.Context(), friend, "no randomness"); !errors.Is(err, smsmcp.ErrNotSent) {
		t.Error(err)
	}
	for name, change := range map[string]func(*sipmsg.Options){
		"no Asterisk":            func(o *sipmsg.Options) { o.Asterisk = nil },
		"an endpoint with more":  func(o *sipmsg.Options) { o.Endpoint = "voipms/sip:x@y" },
		"a server with more":     func(o *sipmsg.Options) { o.Server = "h;transport=udp" },
		"a line in the server":   func(o *sipmsg.Options) { o.Server = "h\nx" },
		"no number":              func(o *sipmsg.Options) { o.Number = "5145550100" },
		"longer than it arrives": func(o *sipmsg.Options) { o.MaxBody = 1024 },
	} {
		o := good
		change(&o)
		if _, err := sipmsg.New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
