package sipmsg_test

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/test/testbed"
	"readback/voip/ari"
	"readback/voip/sipmsg"
)

// wired is a line to a bed's Asterisk, by a client that tries often. It keeps the order in which the line was told of texts.
type wired struct {
	*ari.Client
	line *sipmsg.Line
	box  *box

	mu       sync.Mutex
	password string
	told     []string // bodies
}

func (w *wired) Run(ctx context.Context, l ari.Listener) error {
	event := l.Event
	l.Event = func(ctx context.Context, e ari.Event) {
		if m, ok := e.(ari.TextMessageReceived); ok {
			w.mu.Lock()
			w.told = append(w.told, m.Body.RawForStore())
			w.mu.Unlock()
		}
		event(ctx, e)
	}
	return w.Client.Run(ctx, l)
}

func (w *wired) know(password string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.password = password
}

func wire(t *testing.T, b *testbed.Bed, receive func(n int, x smsmcp.Text) error) *wired {
	t.Helper()
	w := &wired{box: &box{receive: receive}, password: b.Password}
	var err error
	w.Client, err = ari.New(ari.Config{
		URL: b.ARI, App: b.App, User: b.User, Roots: b.Roots, Sources: []string{"endpoint:PJSIP"}, Now: time.Now, Rand: mathrand.New(mathrand.NewPCG(1, 2)),
		Password: func() (string, error) { w.mu.Lock(); defer w.mu.Unlock(); return w.password, nil },
		Timeout:  15 * time.Second, Ping: 200 * time.Millisecond, MinWait: 20 * time.Millisecond, MaxWait: 200 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.line, err = sipmsg.NewLine(sipmsg.LineOptions{
		Asterisk: w, Carrier: carrier(t, w.Client, "voipms", "h", 0), Inbox: w.box, TLSOnly: true, Now: time.Now, Rand: mathrand.New(mathrand.NewPCG(3, 4)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = w.line.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done; w.Close() })
	until(t, "connected", func() bool { _, n := w.box.got(); return n == 1 && w.line.Part().Failure == "" })
	return w
}

// until waits for something to hold.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	limit := time.After(30 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !f() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("%s: not in time", what)
		}
	}
}

// TestTheLineComesBack after Asterisk was killed, and after its password was changed; each time what may have come meanwhile is asked for.
func TestTheLineComesBack(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	w := wire(t, b, nil)
	phone := testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.1:0"), nil)
	texts := 0
	text := func() {
		t.Helper()
		texts++
		if status, err := phone.Text(t.Context(), b.SIP, testbed.SIPText{From: string(friend), Body: fmt.Sprint("text ", texts)}); err != nil || status != 202 {
			t.Fatal(status, err)
		}
		until(t, "a text", func() bool { got, _ := w.box.got(); return len(got) == texts })
	}
	text()
	before := w.line.Part().Since
	b.Asterisk.Kill()
	until(t, "down", func() bool { return w.line.Part().Failure == ari.CodeUnreachable })
	if p := w.line.Part(); p.Name != "line" || !p.Since.After(before) {
		t.Errorf("%+v", p)
	}
	b.Asterisk.Restart()
	until(t, "back", func() bool { _, n := w.box.got(); return n == 2 && w.line.Part().Failure == "" })
	text()

	right := b.Password + "2"
	b.SetPassword(right)
	b.Asterisk.Kill() // what stands goes on; the next connection needs the new one
	b.Asterisk.Restart()
	until(t, "refused", func() bool { return w.line.Part().Failure == ari.CodeUnauthorized })
	if _, n := w.box.got(); n != 2 {
		t.Errorf("expected %d times", n)
	}
	w.know(right)
	until(t, "let in", func() bool { _, n := w.box.got(); return n == 3 && w.line.Part().Failure == "" })
	text()
}

// TestInvariant08TextsAreStoredInTheOrderThatTheyCame, each once, though storing fails now and then.
func TestInvariant08TextsAreStoredInTheOrderThatTheyCame(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	w := wire(t, b, func(n int, _ smsmcp.Text) error {
		if n%25 == 0 {
			return errors.New("disk full")
		}
		return nil
	})
	phone := testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.1:0"), nil)
	const n = 200
	for i := range n {
		if status, err := phone.Text(t.Context(), b.SIP, testbed.SIPText{From: string(friend), Body: fmt.Sprint("text ", i)}); err != nil || status != 202 {
			t.Fatal(status, err)
		}
	}
	until(t, "all", func() bool { got, _ := w.box.got(); return len(got) >= n })
	got, _ := w.box.got()
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[string]bool{}
	for i, x := range got {
		body := x.Body.RawForStore()
		if body != w.told[i] {
			t.Fatalf("the text stored as number %d is %q, and the line was told of %q", i, body, w.told[i])
		}
		seen[body] = true
	}
	if len(got) != n || len(seen) != n || len(w.told) != n {
		t.Errorf("%d stored, %d told, %d apart", len(got), len(w.told), len(seen))
	}
}

// TestWhoAsteriskSaysATextIsFrom: on the configuration that the project gives, a text from the trunk is from whom it says; on one that takes SIP without
// TLS, it is a claim, though this very text came over TLS.
func TestWhoAsteriskSaysATextIsFrom(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pjsip string
		code  string
	}{
		"as the project has it": {"", ""},
		"UDP beside it":         {"[transport-udp]\ntype = transport\nprotocol = udp\nbind = 127.0.0.1:0\n", "trunk_other_transport"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := testbed.Start(t, testbed.Config{NoNtfy: true, TLSOnly: true, Asterisk: map[string]string{"pjsip.conf": test.pjsip}})
			w := wire(t, b, nil)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			err := sipmsg.Trunk(ctx, w, "voipms")
			var c smsmcp.Coded
			if test.code == "" && err != nil || test.code != "" && (!errors.As(err, &c) || c.Code() != test.code) {
				t.Errorf("%v, not %q", err, test.code)
			}
			if err := sipmsg.Trunk(ctx, w, "nobody"); !errors.As(err, &c) || c.Code() != "trunk_no_endpoint" {
				t.Error(err)
			}
			p := testbed.NewProvider(t, b, b.CAFile, b.KeyFile)
			p.Registered(ctx)
			for i, from := range []string{"5145550101", "72975", "MaBanque"} {
				if status, err := p.Text(ctx, testbed.SIPText{From: from, Name: "Maman <sip:+15145550199@h>", Body: strings.Repeat("x", 10+i)}); err != nil || status != 202 {
					t.Fatal(status, err)
				}
				until(t, "a text", func() bool { got, _ := w.box.got(); return len(got) == i+1 })
			}
			got, _ := w.box.got()
			for i, want := range []smsmcp.Peer{smsmcp.NumberPeer(friend), smsmcp.CodePeer("72975"), smsmcp.LabelPeer("MaBanque")} {
				if !got[i].Peer.Same(want) || got[i].Unverified != (test.code != "") {
					t.Errorf("%d: %+v", i, got[i])
				}
			}
		})
	}
}
