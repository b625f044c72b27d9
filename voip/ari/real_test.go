package ari_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp/untrusted"
	"readback/test/testbed"
	"readback/voip/ari"
)

func code(err error) string {
	var e *ari.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return fmt.Sprint(err)
}

func TestTextsArriveIntact(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	e := listen(t, client(t, b))
	e.until(t, "connected", func() bool { return e.connected == 1 })
	p := phone(t, "127.0.0.1:0")
	bodies := []string{
		"hello", "Grüße 日本語 😀 👩‍👩‍👧‍👦 مرحبا שלום", `"quoted" 'single' \back ${SHELL(id)} {{.}} <script>`, "$(rm -rf /) `id` ; DROP TABLE",
		"one\ntwo\r\nthree\n\n\ttabbed", "bell\x07 escape\x1b[31m \u202edesrever\u202c", strings.Repeat("x", 1022) + "E", strings.Repeat("é", 511), "same", "same",
	}
	for _, body := range bodies {
		if status := text(t, p, b, testbed.SIPText{From: "+15145550101", Name: "Anna", Body: body}); status != 202 {
			t.Errorf("%q: %d", body, status)
		}
	}
	e.until(t, "all texts", func() bool { return len(e.texts()) >= len(bodies) })
	h := e.copy()
	for i, m := range h.texts() {
		if !m.Body.Equal(untrusted.New(bodies[i])) {
			t.Errorf("%q came as %q", bodies[i], m.Body.RawForStore())
		}
		if m.Endpoint != "voipms" || m.Length != len(bodies[i]) || m.Lost() || m.At.IsZero() {
			t.Errorf("%d: %+v", i, m)
		}
		if got := m.From.RawForStore(); got != `"Anna" <sip:+15145550101@127.0.0.1>` {
			t.Errorf("from %q", got)
		}
	}
}

// TestATextThatAsteriskLosesIsSeen: from 1024 bytes on, a body arrives empty behind a 202.
func TestATextThatAsteriskLosesIsSeen(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	e := listen(t, client(t, b))
	e.until(t, "connected", func() bool { return e.connected == 1 })
	p := phone(t, "127.0.0.1:0")
	text(t, p, b, testbed.SIPText{From: "+15145550101", Body: strings.Repeat("x", 1024)})
	text(t, p, b, testbed.SIPText{From: "+15145550101"})
	e.until(t, "both", func() bool { return len(e.texts()) == 2 })
	h := e.copy()
	if got := h.texts(); !got[0].Lost() || got[0].Length != 1024 || got[1].Lost() {
		t.Errorf("%+v", got)
	}
}

// TestSpoofedTexts: who is not at the trunk's address is refused, whatever they call themselves; and no header passes for what Asterisk knows.
func TestSpoofedTexts(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	e := listen(t, client(t, b))
	e.until(t, "connected", func() bool { return e.connected == 1 })
	stranger := phone(t, "127.0.0.2:0")
	for _, from := range []string{"voipms", "+15145550101", "peer", "readback", "123456_readback"} {
		if status := text(t, stranger, b, testbed.SIPText{From: from, Name: "Maman", Body: "spoofed"}); status != 401 {
			t.Errorf("as %s: %d", from, status)
		}
	}
	text(t, phone(t, "127.0.0.1:0"), b, testbed.SIPText{From: "+15145550101", Body: "true", Head: map[string]string{
		"PJSIP_TRANSPORT": "tls", "PJSIP_RECVADDR": "192.0.2.1:5061", "P-Asserted-Identity": "<sip:+15145550199@x>",
	}})
	e.until(t, "the true one", func() bool { return len(e.texts()) > 0 })
	h := e.copy()
	if got := h.texts(); len(got) != 1 || !got[0].Body.Equal(untrusted.New("true")) {
		t.Errorf("%d texts", len(got))
	}
	for name := range h.texts()[0].Vars {
		if strings.HasPrefix(name, "PJSIP_") {
			t.Errorf("%s is kept, which the message itself wrote", name)
		}
	}
}

func TestAsteriskKilledAndBack(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	c := client(t, b)
	e := listen(t, c)
	e.until(t, "connected", func() bool { return e.connected == 1 })
	p := phone(t, "127.0.0.1:0")
	for round := 1; round <= 2; round++ {
		before := len(e.copy().down)
		b.Asterisk.Kill()
		e.until(t, "down", func() bool { return len(e.down) > before && e.lastDown() == ari.CodeUnreachable })
		if s := c.State(); s.Up || s.Failure == "" || s.Since.IsZero() {
			t.Errorf("killed: %+v", s)
		}
		b.Asterisk.Restart()
		e.until(t, "connected again", func() bool { return e.connected == round+1 })
		if status := text(t, p, b, testbed.SIPText{From: "+15145550101", Body: fmt.Sprint("round ", round)}); status != 202 {
			t.Errorf("round %d: %d: not subscribed", round, status)
		}
		e.until(t, "a text", func() bool { return len(e.texts()) == round })
	}
	if got, err := c.Subscribed(t.Context()); err != nil || len(got) == 0 {
		t.Errorf("subscribed to %v, %v", got, err)
	}
}

// TestAsteriskThatHangs: one that keeps its connections and answers nothing is noticed by ping alone.
func TestAsteriskThatHangs(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	c := client(t, b, func(c *ari.Config) { c.Timeout = 500 * time.Millisecond })
	e := listen(t, c)
	e.until(t, "connected", func() bool { return e.connected == 1 })
	b.Asterisk.Pause()
	e.until(t, "silent", func() bool { return len(e.down) > 0 })
	h := e.copy()
	if h.down[0] != ari.CodeSilent {
		t.Error(h.down)
	}
	began := time.Now()
	if _, err := c.Info(t.Context()); code(err) != ari.CodeTimedOut || time.Since(began) > 5*time.Second {
		t.Errorf("a call: %v after %v", err, time.Since(began))
	}
	b.Asterisk.Resume()
	e.until(t, "connected again", func() bool { return e.connected > 1 })
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	right := b.Password
	var mu sync.Mutex
	password := "wrong-" + right
	c := client(t, b, func(c *ari.Config) {
		c.Password = func() (string, error) { mu.Lock(); defer mu.Unlock(); return password, nil }
	})
	set := func(p string) { mu.Lock(); password = p; mu.Unlock() }
	e := listen(t, c)
	e.until(t, "refused", func() bool { return e.lastDown() == ari.CodeUnauthorized })
	if _, err := c.Info(t.Context()); code(err) != ari.CodeUnauthorized {
		t.Error(err)
	}
	if _, err := c.Modules(t.Context()); code(err) != ari.CodeUnauthorized {
		t.Error(err)
	}
	set(right)
	e.until(t, "connected with the right one", func() bool { return e.connected == 1 })

	// The password changes in Asterisk: the connection stands, and the next one needs the new one.
	b.SetPassword(right + "2")
	if _, err := c.Info(t.Context()); code(err) != ari.CodeUnauthorized {
		t.Error("after the change:", err)
	}
	set(right + "2")
	if _, err := c.Info(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	c := client(t, b, func(c *ari.Config) { c.Roots = nil })
	e := listen(t, c)
	e.until(t, "untrusted", func() bool { return e.lastDown() == ari.CodeUntrusted })
	if _, err := c.Info(t.Context()); code(err) != ari.CodeUntrusted {
		t.Error(err)
	}
}

func TestWhatAsteriskSaysOfItself(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	c := client(t, b)
	info, err := c.Info(t.Context())
	if err != nil || !strings.HasPrefix(info.Version, "22.") {
		t.Errorf("%+v %v", info, err)
	}
	modules, err := c.Modules(t.Context())
	if err != nil || !modules["res_pjsip_messaging.so"] || modules["app_system.so"] {
		t.Errorf("%v %v", modules, err)
	}
	if _, err := c.Subscribed(t.Context()); code(err) != ari.CodeNotFound {
		t.Errorf("an application that nobody has: %v", err)
	}
	if got, err := c.Channels(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("%v %v", got, err)
	}
}

// post makes a call of ARI's that this package does not have.
func post(t *testing.T, b *testbed.Bed, method, path string, query url.Values) {
	t.Helper()
	req, err := http.NewRequest(method, b.PlainARI+path+"?"+query.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(b.User, b.Password)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, path, resp.Status)
	}
}

func find[E ari.Event](e *ear, ok func(E) bool) func() bool {
	return func() bool {
		for _, ev := range e.events {
			if x, is := ev.(E); is && ok(x) {
				return true
			}
		}
		return false
	}
}

// TestACall: a channel enters the application, is found after a gap, hears a tone, presses a key, and leaves.
func TestACall(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	c := client(t, b)
	e := listen(t, c)
	e.until(t, "connected", func() bool { return e.connected == 1 })
	post(t, b, http.MethodPost, "/channels/caller", url.Values{
		"endpoint": {"Local/app@from-trunk"}, "app": {b.App}, "appArgs": {"one,two words"}, "otherChannelId": {"callee"}, "callerId": {`"Eve; $(id)" <+15145550101>`},
	})
	e.until(t, "the callee in the application", find(e, func(s ari.StasisStart) bool { return s.Channel.ID == "callee" && s.Channel.App == "Stasis" }))
	post(t, b, http.MethodPost, "/channels/callee/answer", nil)
	e.until(t, "the caller", find(e, func(s ari.StasisStart) bool {
		return s.Channel.ID == "caller" && len(s.Args) == 2 && s.Args[1] == "two words"
	}))
	channels, err := c.Channels(t.Context())
	if err != nil || len(channels) != 2 {
		t.Errorf("%v %v", channels, err)
	}
	post(t, b, http.MethodPost, "/channels/callee/play/sound", url.Values{"media": {"tone:ring"}})
	e.until(t, "the tone", find(e, func(p ari.PlaybackStarted) bool {
		return p.Playback.ID == "sound" && p.Playback.Target == "channel:callee"
	}))
	post(t, b, http.MethodDelete, "/playbacks/sound", nil)
	e.until(t, "its end", find(e, func(p ari.PlaybackFinished) bool { return p.Playback.ID == "sound" }))
	post(t, b, http.MethodPost, "/channels/caller/dtmf", url.Values{"dtmf": {"7#"}})
	e.until(t, "the keys", func() bool {
		return find(e, func(d ari.ChannelDtmfReceived) bool {
			return d.Digit == '7' && d.Channel.ID == "callee" && d.Duration > 0
		})() &&
			find(e, func(d ari.ChannelDtmfReceived) bool { return d.Digit == '#' })()
	})
	post(t, b, http.MethodDelete, "/channels/caller", nil)
	e.until(t, "the end", func() bool {
		return find(e, func(s ari.StasisEnd) bool { return s.Channel.ID == "caller" })() && find(e, func(s ari.StasisEnd) bool { return s.Channel.ID == "callee" })()
	})
	e.until(t, "the hang-up", find(e, func(h ari.ChannelHangupRequest) bool { return h.Channel.ID != "" }))
}

func TestSendMessage(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	c := client(t, b)
	got := make(chan testbed.SIPText, 10)
	var status atomic.Int64
	status.Store(200)
	testbed.NewPhone(t, b.Peer, func(m testbed.SIPText) int { got <- m; return int(status.Load()) })
	message := func(body string) ari.Message {
		return ari.Message{To: "pjsip:peer/sip:+15145550101@" + b.Peer.String(), From: "sip:+15145550100@127.0.0.1", Body: body,
			Vars: map[string]string{"X-Id": "1"}}
	}
	for _, body := range []string{"Grüße \"q\" $(id)\nzwei 😀 {{x}} <b> ${SHELL(id)}", strings.Repeat("é", 10_000)} {
		if err := c.SendMessage(t.Context(), message(body)); err != nil {
			t.Fatal(err)
		}
		select {
		case m := <-got:
			if m.Body != body || m.To != "+15145550101" || m.From != "+15145550100" || m.Head["X-Id"] != "1" {
				t.Errorf("%d bytes came as %+v", len(body), m.Head)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%d bytes did not come", len(body))
		}
	}
	for name, change := range map[string]func(*ari.Message){
		"CR LF in a variable": func(m *ari.Message) { m.Vars["X-A"] = "b\r\nX-Evil: 1" },
		"LF in a variable":    func(m *ari.Message) { m.Vars["X-A"] = "b\nX-Evil: 1" },
		"CR LF in a name":     func(m *ari.Message) { m.Vars["X-A\r\nX-Evil"] = "1" },
		"CR LF in To":         func(m *ari.Message) { m.To += "\r\nX-Evil: 1" },
		"CR LF in From":       func(m *ari.Message) { m.From += "\r\nX-Evil: 1" },
		"brackets in From":    func(m *ari.Message) { m.From = "<" + m.From + ">" },
		"a NUL":               func(m *ari.Message) { m.Body += "\x00" },
		"an escape":           func(m *ari.Message) { m.Body += "\x1b" },
		"a CR":                func(m *ari.Message) { m.Body += "\r" },
		"not UTF-8":           func(m *ari.Message) { m.Body += "\xff" },
		"nothing":             func(m *ari.Message) { m.Body = "" },
		"too long":            func(m *ari.Message) { m.Body = strings.Repeat("a", 40_000) },
	} {
		m := message("hello")
		change(&m)
		err := c.SendMessage(t.Context(), m)
		var e *ari.Error
		if !errors.As(err, &e) || e.Left() || e.Code() != ari.CodeBadValue && e.Code() != ari.CodeTooBig {
			t.Errorf("%s: %v", name, err)
		}
	}
	status.Store(403)
	if err := c.SendMessage(t.Context(), message("refused")); err != nil {
		t.Errorf("the other side's 403 is not for us to see: %v", err)
	}
	if m := <-got; m.Body != "refused" {
		t.Errorf("%+v", m)
	}
	m := message("nobody")
	m.To = "pjsip:nobody"
	t.Log("no such endpoint:", c.SendMessage(t.Context(), m))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.SendMessage(ctx, message("late")); code(err) != ari.CodeCancelled {
		t.Error(err)
	}
	select {
	case m := <-got:
		t.Errorf("it was sent: %+v", m)
	default:
	}
}

// TestNothingIsLostAtAPace: every text that Asterisk took is told once. (Asterisk answers 202 before it queues, and so may swap two that come within a
// millisecond.)
func TestNothingIsLostAtAPace(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	e := listen(t, client(t, b))
	e.until(t, "connected", func() bool { return e.connected == 1 })
	const senders, each = 4, 100
	began := time.Now()
	var wg sync.WaitGroup
	for s := range senders {
		p := phone(t, "127.0.0.1:0")
		wg.Go(func() {
			for i := range each {
				if status := text(t, p, b, testbed.SIPText{From: fmt.Sprint("+1514555020", s), Body: fmt.Sprint(s, " ", i)}); status != 202 {
					t.Errorf("%d of %d: %d", i, s, status)
				}
			}
		})
	}
	wg.Wait()
	rate := senders * each / time.Since(began).Seconds()
	e.until(t, "all", func() bool { return len(e.texts()) >= senders*each })
	seen := map[string]bool{}
	h := e.copy()
	for _, m := range h.texts() {
		seen[m.Body.RawForStore()] = true
	}
	if len(seen) != senders*each || len(h.texts()) != senders*each || h.connected != 1 {
		t.Errorf("%d texts, %d apart, %d connections", len(h.texts()), len(seen), h.connected)
	}
	t.Logf("%.0f texts a second", rate)
}
