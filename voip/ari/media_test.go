package ari_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"readback/test/testbed"
	"readback/voip/ari"
)

// TestMediaOfARealAsterisk: a bridge, a media channel in it, where its RTP is, and their ends.
func TestMediaOfARealAsterisk(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	c := client(t, b)
	e := listen(t, c)
	e.until(t, "connected", func() bool { return e.connected == 1 })
	ctx := t.Context()
	if c.App() != b.App {
		t.Error(c.App())
	}
	const id = "readback-test-1"
	to := netip.MustParseAddrPort("127.0.0.1:39998")
	at, err := c.ExternalMedia(ctx, id, to)
	if err != nil || at.Addr() != to.Addr() || at.Port() == 0 {
		t.Fatal(at, err)
	}
	e.until(t, "it enters", func() bool { return entered(e.events, id) })
	if err := c.CreateBridge(ctx, id); err != nil {
		t.Fatal(err)
	}
	if err := c.AddToBridge(ctx, id, id); err != nil {
		t.Fatal(err)
	}
	bridges, err := c.Bridges(ctx)
	if err != nil || len(bridges) != 1 || bridges[0].ID != id || strings.Join(bridges[0].Channels, "") != id {
		t.Fatal(bridges, err)
	}
	port, err := c.Variable(ctx, id, "UNICASTRTP_LOCAL_PORT")
	if err != nil || port.RawForStore() != fmt.Sprint(at.Port()) {
		t.Error(port.RawForStore(), err)
	}
	for what, err := range map[string]error{
		"no such variable": second(c.Variable(ctx, id, "NOT_SET")), "no such channel": c.Answer(ctx, "1.1"), "no channel to hang up": c.HangUp(ctx, "1.1", ari.Normal),
		"no such bridge": c.AddToBridge(ctx, "none", id), "no bridge to delete": c.DeleteBridge(ctx, "none"),
	} {
		if code(err) != ari.CodeNotFound {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := c.ExternalMedia(ctx, id, to); code(err) != ari.CodeServer {
		t.Errorf("a second one of that name: %v", err)
	}
	if err := c.DeleteBridge(ctx, id); err != nil {
		t.Error(err)
	}
	if err := c.HangUp(ctx, id, ari.Normal); err != nil {
		t.Error(err)
	}
	testbed.Until(t, 5*time.Second, "nothing is left", func() bool {
		bridges, err := c.Bridges(ctx)
		channels, err2 := c.Channels(ctx)
		return err == nil && err2 == nil && len(bridges)+len(channels) == 0
	})
}

func second[T any](_ T, err error) error { return err }

func entered(events []ari.Event, id string) bool {
	for _, e := range events {
		if s, ok := e.(ari.StasisStart); ok && s.Channel.ID == id {
			return true
		}
	}
	return false
}

// TestWhatIsNoIDGoesNowhere: it would be read as another address.
func TestWhatIsNoIDGoesNowhere(t *testing.T) {
	f := newFake(t)
	c := f.client(t)
	ctx := t.Context()
	good := netip.MustParseAddrPort("127.0.0.1:4000")
	for _, bad := range []string{"", ".", "..", "a/b", "a?b=c", "a b", "a%2fb", "é", "a&app=other", "a\n", strings.Repeat("x", 151)} {
		for what, err := range map[string]error{
			"answer": c.Answer(ctx, bad), "hang up": c.HangUp(ctx, bad, ari.Normal), "create": c.CreateBridge(ctx, bad), "add": c.AddToBridge(ctx, bad, "a"),
			"add to": c.AddToBridge(ctx, "a", bad), "delete": c.DeleteBridge(ctx, bad), "media": second(c.ExternalMedia(ctx, bad, good)),
			"variable of": second(c.Variable(ctx, bad, "A")), "reason": c.HangUp(ctx, "a", ari.Reason("normal&"+bad)),
		} {
			if code(err) != ari.CodeBadValue {
				t.Errorf("%s of %q: %v", what, bad, err)
			}
		}
	}
	for _, name := range []string{"", "STAT(e,/)", "SHELL(id)", "A&b", "A b"} {
		if _, err := c.Variable(ctx, "a", name); code(err) != ari.CodeBadValue {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, at := range []netip.AddrPort{{}, netip.MustParseAddrPort("127.0.0.1:0"), netip.MustParseAddrPort("0.0.0.0:4000"), netip.MustParseAddrPort("[::]:4000"), netip.MustParseAddrPort("[fe80::1%eth0]:4000")} {
		if _, err := c.ExternalMedia(ctx, "a", at); code(err) != ari.CodeBadValue {
			t.Errorf("%v: %v", at, err)
		}
	}
	if len(f.asked) != 0 {
		t.Errorf("asked: %v", f.asked)
	}
}

// TestInvariant10WhereAsterisksSoundIs is what Asterisk says of the very channel, and an address that packets can come from, or an error.
func TestInvariant10WhereAsterisksSoundIs(t *testing.T) {
	f := newFake(t)
	var answer string
	f.rest = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }
	c := f.client(t)
	to := netip.MustParseAddrPort("127.0.0.1:4000")
	vars := func(address, port string) string {
		return fmt.Sprintf(`{"id":"m","channelvars":{"UNICASTRTP_LOCAL_ADDRESS":%s,"UNICASTRTP_LOCAL_PORT":%s}}`, address, port)
	}
	for a, want := range map[string]string{
		vars(`"127.0.0.1"`, `"4002"`): "127.0.0.1:4002", vars(`"::ffff:127.0.0.1"`, `"4002"`): "127.0.0.1:4002", vars(`"::1"`, `"65535"`): "[::1]:65535",
	} {
		answer = a
		if got, err := c.ExternalMedia(t.Context(), "m", to); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v", a, got, err)
		}
	}
	for _, a := range []string{
		`{}`, `[]`, `{"id":"m"}`, `{"id":"m","channelvars":null}`, `{"id":"m","channelvars":[]}`, vars(`"0.0.0.0"`, `"4002"`), vars(`"::"`, `"4002"`), vars(`"224.0.0.1"`, `"4002"`),
		vars(`"127.0.0.1"`, `"0"`), vars(`"127.0.0.1"`, `"65536"`), vars(`"127.0.0.1"`, `"-1"`), vars(`"127.0.0.1"`, `4002`), vars(`"host.example"`, `"4002"`), vars(`""`, `""`),
		strings.Replace(vars(`"127.0.0.1"`, `"4002"`), `"m"`, `"other"`, 1),
	} {
		answer = a
		if got, err := c.ExternalMedia(t.Context(), "m", to); code(err) != ari.CodeBadAnswer || got.IsValid() {
			t.Errorf("%s: %v, %v", a, got, err)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if want := "POST /ari/channels/externalMedia?app=readback&channelId=m&connection_type=client&direction=both&encapsulation=rtp&external_host=127.0.0.1%3A4000&format=ulaw&transport=udp"; f.asked[0] != want {
		t.Errorf("%s", f.asked[0])
	}
}

const keyEvent = `{"type":"ChannelDtmfReceived","channel":{"id":"c"},"digit":"1","duration_ms":100,"timestamp":"2026-11-30T12:00:00.000+0000"}`

// TestInvariant10CallEventsAreToldAtOnce: before the texts that came earlier and wait, before Connected has returned, and not a second time behind them.
func TestInvariant10CallEventsAreToldAtOnce(t *testing.T) {
	f := newFake(t)
	f.events = func(conn *websocket.Conn) {
		say(conn, textEvent("first"), textEvent("second"), keyEvent, `{"type":"StasisStart","channel":{"id":"c"}}`, `{"type":"StasisEnd","channel":{"id":"c"}}`,
			`{"type":"ChannelHangupRequest","channel":{"id":"c"}}`, `{"type":"ChannelDestroyed","channel":{"id":"c"}}`, `{"type":"ChannelStateChange","channel":{"id":"c"}}`,
			`{"type":"ChannelVarset","channel":{"id":"c"}}`, textEvent("third"))
		stay(conn)
	}
	c := f.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	calls := make(chan ari.Event, 100)
	var mu sync.Mutex
	var order []string
	texts := make(chan struct{}, 100)
	var told []ari.Event
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.Run(ctx, ari.Listener{
			Connected: func(context.Context) error {
				for range 6 {
					told = append(told, <-calls)
				}
				return nil
			},
			Call: func(e ari.Event) { calls <- e },
			Event: func(_ context.Context, e ari.Event) {
				mu.Lock()
				order = append(order, fmt.Sprintf("%T", e))
				mu.Unlock()
				texts <- struct{}{}
			},
		})
	}()
	for range 4 {
		select {
		case <-texts:
		case <-time.After(10 * time.Second):
			t.Fatal("not all was told")
		}
	}
	cancel()
	<-done
	if k, ok := told[0].(ari.ChannelDtmfReceived); !ok || k.Digit != '1' || k.Duration != 100*time.Millisecond || k.Channel.ID != "c" || k.At.IsZero() {
		t.Errorf("the key is %+v", told[0])
	}
	if got := strings.Join(order, " "); got != "ari.TextMessageReceived ari.TextMessageReceived ari.Other ari.TextMessageReceived" {
		t.Errorf("the others: %s", got)
	}
	if len(calls) != 0 {
		t.Errorf("and %T", <-calls)
	}
}
