package mcptools

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
)

var (
	montreal = must(time.LoadLocation("America/Montreal"))
	noon     = time.Date(2026, 11, 30, 12, 0, 0, 0, montreal)
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

type fakeReader struct {
	asked []inbox.Request
	page  smsmcp.Page
	err   error
	do    func(context.Context)
}

func (f *fakeReader) Read(ctx context.Context, r inbox.Request) (inbox.Answer, error) {
	f.asked = append(f.asked, r)
	if f.do != nil {
		f.do(ctx)
	}
	return inbox.Answer{Page: f.page, Now: noon, Sync: smsmcp.SyncState{Carrier: "sandbox", Good: noon, Tried: noon}}, f.err
}

type fakeDoor struct {
	mu    sync.Mutex
	asked []dispatch.Request
	send  smsmcp.Send
	again bool
	err   error
	do    func(context.Context)
	later chan smsmcp.Send // what Await gives
	broke bool             // Await panics
}

func (f *fakeDoor) Send(ctx context.Context, r dispatch.Request) (dispatch.Answer, error) {
	f.mu.Lock()
	f.asked = append(f.asked, r)
	f.mu.Unlock()
	if f.do != nil {
		f.do(ctx)
	}
	return dispatch.Answer{Send: f.send, Again: f.again}, f.err
}
func (f *fakeDoor) Check(context.Context, smsmcp.SendID) (smsmcp.Send, error) { return f.send, f.err }
func (f *fakeDoor) Await(ctx context.Context, _ smsmcp.SendID) (smsmcp.Send, error) {
	if f.broke {
		panic(strangerWords)
	}
	if f.later == nil {
		<-ctx.Done()
		return f.send, f.err
	}
	select {
	case <-ctx.Done():
		return f.send, f.err
	case s := <-f.later:
		return s, f.err
	}
}
func (f *fakeDoor) Cancel(context.Context, smsmcp.SendID) (smsmcp.Send, error) { return f.send, f.err }

type fakeBook struct {
	all []smsmcp.Contact
	err error
}

func (f fakeBook) Contacts(context.Context) ([]smsmcp.Contact, error) { return f.all, f.err }

var people = []smsmcp.Contact{
	{ID: 1, Name: "Élodie Tremblay", Aliases: []string{"ma sœur"}, Numbers: []smsmcp.Number{"+15145550101"}, To: "+15145550101", Revision: 1},
	{ID: 2, Name: "Marc Tremblay", Aliases: []string{"Papa"}, Numbers: []smsmcp.Number{"+15145550102", "+33612345678"}, To: "+15145550102", Revision: 3},
}

type fixture struct {
	reader fakeReader
	door   fakeDoor
	log    bytes.Buffer
	h      http.Handler
}

func setUp(t *testing.T, change func(*fixture, *Options)) *fixture {
	t.Helper()
	f := &fixture{}
	f.door.send = smsmcp.Send{
		ID: "abcdefghij", State: smsmcp.Done, Name: "Élodie Tremblay", Ended: noon,
		Draft: smsmcp.NewDraft(people[0], "On dîne à 18 h ? « oui »\nM."),
	}
	contact := people[0]
	f.reader.page = smsmcp.Page{Rows: []smsmcp.Row{{Contact: &contact, Text: smsmcp.Text{
		ID: 7, Key: smsmcp.Key{Carrier: "sandbox", Kind: smsmcp.SMS, ID: "7"}, Direction: smsmcp.Received, Peer: smsmcp.NumberPeer("+15145550101"),
		Body: untrusted.New("Salut ! " + strangerWords), At: noon.UTC(),
	}}}}
	o := Options{
		Reader: &f.reader, Book: fakeBook{all: people}, Door: &f.door, Who: func(context.Context) smsmcp.Principal {
			return smsmcp.Principal{ID: "l1", Name: "laptop", Read: true, Send: true}
		},
		Now: func() time.Time { return noon }, Random: rand.Reader, Lang: lang.EN, Zone: montreal, Version: "1.2.3",
		Log: slog.New(slog.NewTextHandler(&f.log, nil)), MaxChars: 100_000, BodyChars: 4000,
	}
	if change != nil {
		change(f, &o)
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	f.h = h
	return f
}

const strangerWords = "the words of somebody else"

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

type rpc struct {
	status int
	raw    string
	ID     json.RawMessage `json:"id"`
	Result struct {
		Content []struct {
			Type, Text string
		} `json:"content"`
		IsError           bool              `json:"isError"`
		StructuredContent json.RawMessage   `json:"structuredContent"`
		Tools             []json.RawMessage `json:"tools"`
		Instructions      string            `json:"instructions"`
	} `json:"result"`
	Error *struct {
		Code    int
		Message string
		Data    json.RawMessage
	} `json:"error"`
}

// post sends one message in an era; params are the inside of an object, or empty.
func (f *fixture) post(t *testing.T, modern bool, method, params string, change func(*http.Request)) rpc {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%s,"params":{%s}}`, quoted(method), params)
	if modern {
		if params != "" {
			params += ","
		}
		body = fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%s,"params":{%s}}`, quoted(method), params+modernMeta)
	}
	return f.raw(t, body, func(r *http.Request) {
		if modern {
			r.Header.Set("MCP-Protocol-Version", "2026-07-28")
			r.Header.Set("Mcp-Method", method)
			var m struct{ Params struct{ Name string } }
			if json.Unmarshal([]byte(body), &m) == nil && m.Params.Name != "" {
				r.Header.Set("Mcp-Name", m.Params.Name)
			}
		} else {
			r.Header.Set("MCP-Protocol-Version", "2025-11-25")
		}
		if change != nil {
			change(r)
		}
	})
}

func (f *fixture) raw(t *testing.T, body string, change func(*http.Request)) rpc {
	t.Helper()
	r := httptest.NewRequest("POST", "http://localhost/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	f.h.ServeHTTP(w, r)
	out := rpc{status: w.Code, raw: w.Body.String()}
	if w.Body.Len() > 0 && w.Result().Header.Get("Content-Type") == "application/json" { // as it left: mcp-go sets it again later
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatalf("%q: %v", out.raw, err)
		}
	}
	return out
}

// call calls a tool and gives its one text.
func (f *fixture) call(t *testing.T, name, arguments string) (string, bool) {
	t.Helper()
	m := f.post(t, true, "tools/call", `"name":`+quoted(name)+`,"arguments":`+arguments, nil)
	if m.Error != nil || len(m.Result.Content) != 1 || m.Result.Content[0].Type != "text" {
		t.Fatalf("%s(%s): %s", name, arguments, m.raw)
	}
	if m.Result.StructuredContent != nil {
		t.Fatal("structured content hides the text from some clients")
	}
	return m.Result.Content[0].Text, m.Result.IsError
}
