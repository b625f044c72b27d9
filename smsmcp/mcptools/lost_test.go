package mcptools

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/card"
	"readback/smsmcp/lang"
)

// flaky is a desk at which the client is gone when its answer arrives, or which fails for a while.
type flaky struct {
	Desk
	leave func()
	fails int
}

func (f *flaky) came() error {
	f.leave()
	f.fails--
	if f.fails >= 0 {
		return errors.New("busy")
	}
	return nil
}

func (f *flaky) Yes(ctx context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error) {
	if err := f.came(); err != nil {
		return smsmcp.Send{}, err
	}
	return f.Desk.Yes(ctx, id, digest, on)
}

func (f *flaky) No(ctx context.Context, id smsmcp.SendID, on smsmcp.Channel) (smsmcp.Send, error) {
	if err := f.came(); err != nil {
		return smsmcp.Send{}, err
	}
	return f.Desk.No(ctx, id, on)
}

func (f *flaky) Freeze(ctx context.Context, on smsmcp.Channel) error {
	if err := f.came(); err != nil {
		return err
	}
	return f.Desk.Freeze(ctx, on)
}

func flakyWorld(t *testing.T) (*world, *flaky) {
	t.Helper()
	f := &flaky{leave: func() {}}
	return newWorld(t, func(o *Options) { f.Desk, o.Desk = o.Desk, f }), f
}

// TestWhatIsPressedCountsWhereItsClientIsGone: each answer does what it says, once it is here.
func TestWhatIsPressedCountsWhereItsClientIsGone(t *testing.T) {
	for answer, state := range map[string]smsmcp.SendState{"send": smsmcp.Done, "dont": smsmcp.Declined, "freeze": smsmcp.Waiting} {
		w, f := flakyWorld(t)
		d, _ := w.shows(t, bonjour)
		ctx, cancel := context.WithCancel(t.Context())
		f.leave = cancel
		w.raw(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"answer_send","arguments":{"id":%q,"secret":%q,"answer":%q},%s}}`, d.ID, d.Secret, answer, modernMeta),
			func(r *http.Request) {
				r.Header.Set("MCP-Protocol-Version", "2026-07-28")
				r.Header.Set("Mcp-Method", "tools/call")
				r.Header.Set("Mcp-Name", "answer_send")
				*r = *r.WithContext(ctx)
			})
		frozen, err := w.desk.Frozen(t.Context())
		if s := w.only(t); err != nil || s.State != state || frozen != (answer == "freeze") || ctx.Err() == nil {
			t.Errorf("%s: %s, frozen %v %v", answer, s.State, frozen, err)
		}
	}
}

// TestAnAnswerThatCouldNotBeWrittenDown: a no and a freeze may be given again; a yes may not, and the card is told that it is over.
func TestAnAnswerThatCouldNotBeWrittenDown(t *testing.T) {
	for answer, state := range map[string]smsmcp.SendState{"send": smsmcp.Waiting, "dont": smsmcp.Declined, "freeze": smsmcp.Waiting} {
		w, f := flakyWorld(t)
		d, _ := w.shows(t, bonjour)
		f.fails = 1
		if said, bad, over := w.presses(t, d.ID, d.Secret, answer); !bad || said != lang.ToolStore.EN || over != (answer == "send") {
			t.Errorf("%s: over %v: %s", answer, over, said)
		}
		if said, bad, _ := w.presses(t, d.ID, d.Secret, answer); bad != (answer == "send") {
			t.Errorf("%s once more: %s", answer, said)
		}
		frozen, err := w.desk.Frozen(t.Context())
		if s := w.only(t); err != nil || s.State != state || frozen != (answer == "freeze") {
			t.Errorf("%s: %s, frozen %v %v", answer, s.State, frozen, err)
		}
		w.carrier.want(t)
	}
}

// TestACardOnTheScreenOutlivesWhatIsKnownOfItsClient: after a restart, and where the client says that it draws none any more.
func TestACardOnTheScreenOutlivesWhatIsKnownOfItsClient(t *testing.T) {
	for name, between := range map[string]func(w *world, fresh http.Handler){
		"a restart":    func(w *world, fresh http.Handler) { w.h = fresh },
		"another word": func(w *world, _ http.Handler) { w.initialize(t, asksNone) },
	} {
		var o Options
		w := newWorld(t, func(x *Options) { o = *x })
		w.alone()
		w.initialize(t, drawsCards)
		d, _ := handed(t, w.post(t, false, "tools/call", `"name":"send_text","arguments":`+bonjour, nil))
		fresh, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		between(w, fresh)
		if m := w.post(t, false, "resources/read", `"uri":"ui://readback/send.html"`, nil); m.Error != nil || !strings.Contains(m.raw, card.MIMEType) {
			t.Errorf("%s: %s", name, m.raw)
		}
		out := w.post(t, false, "tools/call", fmt.Sprintf(`"name":"answer_send","arguments":{"id":%q,"secret":%q,"answer":"dont"}`, d.ID, d.Secret), nil)
		if s := w.only(t); s.State != smsmcp.Declined || out.Result.IsError {
			t.Errorf("%s: %s: %s", name, s.State, out.raw)
		}
	}
}

// TestTheEraIsReadAsItIsServed: by the parsed message, whatever its letters are written as and whatever stands in a text.
func TestTheEraIsReadAsItIsServed(t *testing.T) {
	escaped := func(t *testing.T, w *world, capabilities string) rpc {
		return w.raw(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","arguments":`+bonjour+`,"_meta":{"io.modelcontextprotocol\/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol\/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol\u002fclientCapabilities":`+strings.ReplaceAll(capabilities, "/", `\/`)+`}}}`,
			func(r *http.Request) {
				r.Header.Set("MCP-Protocol-Version", "2026-07-28")
				r.Header.Set("Mcp-Method", "tools/call")
				r.Header.Set("Mcp-Name", "send_text")
			})
	}
	for name, c := range map[string]struct {
		draws bool
		send  func(*testing.T, *world) rpc
	}{
		"modern, with escaped slashes":             {true, func(t *testing.T, w *world) rpc { return escaped(t, w, drawsCards) }},
		"modern, with escaped slashes and without": {false, func(t *testing.T, w *world) rpc { return escaped(t, w, asksNone) }},
		"older, with the key in a text": {true, func(t *testing.T, w *world) rpc {
			return w.post(t, false, "tools/call", `"name":"send_text","arguments":{"to":"Papa","body":"io.modelcontextprotocol/protocolVersion"}`, nil)
		}},
		"older, with the key beside": {true, func(t *testing.T, w *world) rpc {
			return w.post(t, false, "tools/call", `"name":"send_text","arguments":`+bonjour+`,"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, nil)
		}},
		"older, with an older version in its meta": {true, func(t *testing.T, w *world) rpc {
			return w.post(t, false, "tools/call", `"name":"send_text","arguments":`+bonjour+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}`, nil)
		}},
		"modern, with another extension's own settings": {true, func(t *testing.T, w *world) rpc {
			return w.as(t, `{"extensions":{"a/b":{"mimeTypes":"one"},"c/d":7,"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`, "tools/call", `"name":"send_text","arguments":`+bonjour)
		}},
	} {
		w := newWorld(t)
		w.alone()
		w.initialize(t, drawsCards)
		m := c.send(t, w)
		if d, _ := handed(t, m); (d.Secret != "") != c.draws || m.Error != nil || w.only(t).State != smsmcp.Waiting {
			t.Errorf("%s: %.300s", name, m.raw)
		}
	}
}
