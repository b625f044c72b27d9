package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp/lang"
)

// rig is a relay whose client is the test.
type rig struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	err  *lockedBuilder
	done chan error
	stop context.CancelFunc
}

type lockedBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuilder) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func start(t *testing.T, url string, change func(*Options)) *rig {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	r := &rig{t: t, in: inW, out: bufio.NewReaderSize(outR, 1<<20), err: &lockedBuilder{}, done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	o := Options{
		In: inR, Out: outW, Err: r.err, URL: url, Lang: lang.EN, Patience: time.Nanosecond,
		Token: func() (string, error) { return "rb_secret\n", nil },
	}
	if change != nil {
		change(&o)
	}
	go func() { r.done <- Run(ctx, o); outW.Close() }()
	t.Cleanup(func() { cancel(); inW.Close(); go func() { _, _ = io.Copy(io.Discard, outR) }() })
	return r
}

func (r *rig) say(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

type reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Method string          `json:"method"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (r *rig) hear() reply {
	r.t.Helper()
	line, err := r.out.ReadString('\n')
	if err != nil {
		r.t.Fatalf("reading an answer: %v", err)
	}
	var m reply
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		r.t.Fatalf("%q: %v", line, err)
	}
	return m
}

// end closes the client's side and gives how Run ended.
func (r *rig) end() error {
	r.in.Close()
	return <-r.done
}

func server(t *testing.T, f func(w http.ResponseWriter, r *http.Request, body string)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		f(w, r, string(b))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/mcp"
}

func answerJSON(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func TestModernHeaders(t *testing.T) {
	const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	got := make(chan http.Header, 1)
	url := server(t, func(w http.ResponseWriter, r *http.Request, body string) {
		h := r.Header.Clone()
		h.Set("Body", body)
		got <- h
		answerJSON(w, 200, "{\n \"jsonrpc\":\"2.0\",\n \"id\":1,\"result\":{}}\n")
	})
	rig := start(t, url, nil)
	for _, c := range []struct{ line, method, name string }{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_texts",` + modern + `}}`, "tools/call", "read_texts"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"été",` + modern + `}}`, "tools/call", "=?base64?w6l0w6k=?="},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":" a",` + modern + `}}`, "prompts/get", "=?base64?IGE=?="},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"=?base64?a",` + modern + `}}`, "prompts/get", "=?base64?PT9iYXNlNjQ/YQ==?="},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"sms://1",` + modern + `}}`, "resources/read", "sms://1"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"x",` + modern + `}}`, "tools/list", ""},
	} {
		rig.say(c.line)
		h := <-got
		if h.Get("MCP-Protocol-Version") != "2026-07-28" || h.Get("Mcp-Method") != c.method || h.Get("Mcp-Name") != c.name ||
			h.Get("Authorization") != "Bearer rb_secret" || h.Get("Content-Type") != "application/json" || h.Get("Body") != c.line {
			t.Fatalf("%s: %v", c.line, h)
		}
		if m := rig.hear(); string(m.ID) != "1" || string(m.Result) != "{}" {
			t.Fatalf("%+v", m)
		}
	}
	if err := rig.end(); err != nil || rig.err.String() != "" {
		t.Fatal(err, rig.err)
	}
}

func TestLegacyVersionIsRemembered(t *testing.T) {
	var mu sync.Mutex
	var versions []string
	url := server(t, func(w http.ResponseWriter, r *http.Request, body string) {
		mu.Lock()
		defer mu.Unlock()
		versions = append(versions, r.Header.Get("MCP-Protocol-Version")+"/"+r.Header.Get("Mcp-Method"))
		if strings.Contains(body, "notifications/") {
			w.WriteHeader(202)
			return
		}
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":"2025-11-25"}}`)
	})
	rig := start(t, url, nil)
	rig.say(`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	rig.hear()
	rig.say(`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`)
	rig.hear()
	rig.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if err := rig.end(); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(versions) != "[/ 2025-11-25/ 2025-11-25/]" {
		t.Fatal(versions)
	}
}

func TestEventStream(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request, body string) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, ": hello\r\n\r\nevent: message\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/message\"}\n\n")
		if !strings.Contains(body, "cut") {
			_, _ = io.WriteString(w, "data:{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"ok\":true}}\n\n")
		}
	})
	rig := start(t, url, nil)
	rig.say(`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`)
	if m := rig.hear(); m.Method != "notifications/message" {
		t.Fatalf("%+v", m)
	}
	if m := rig.hear(); string(m.ID) != "7" || string(m.Result) != `{"ok":true}` {
		t.Fatalf("%+v", m)
	}
	rig.say(`{"jsonrpc":"2.0","id":8,"method":"cut"}`)
	rig.hear()
	if m := rig.hear(); string(m.ID) != "8" || m.Error == nil || m.Error.Message != lang.RelayLost.EN {
		t.Fatalf("%+v", m)
	}
}

func TestServerNotRunning(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	ln.Close()
	rig := start(t, "http://"+addr+"/mcp", nil)
	for i := range 3 {
		rig.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize"}`, i))
		if m := rig.hear(); string(m.ID) != fmt.Sprint(i) || m.Error == nil || m.Error.Message != lang.RelayDown.EN {
			t.Fatalf("%+v", m)
		}
	}
	if s := rig.err.String(); s != "readback mcp: "+lang.RelayDown.EN+"\n" {
		t.Fatalf("standard error: %q", s)
	}
	// It comes up: the same relay goes on.
	ln, err = net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":9,"result":{}}`)
	})}
	go s.Serve(ln)
	defer s.Close()
	rig.say(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`)
	if m := rig.hear(); m.Error != nil {
		t.Fatalf("%+v", m)
	}
}

// TestRestart: a refused connection is tried again within the patience, and a request that may have arrived is not.
func TestRestart(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	ln.Close()
	rig := start(t, "http://"+addr+"/mcp", func(o *Options) { o.Patience = time.Minute })
	rig.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	ln, err = net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	var arrived atomic.Int32
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !r.Close {
			t.Error("the connection is kept: after a restart nobody could tell whether a message on it arrived")
		}
		switch arrived.Add(1) {
		case 2:
			panic(http.ErrAbortHandler) // the server dies with the request in hand
		case 3: // and so that the client sees a reset
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_ = c.(*net.TCPConn).SetLinger(0)
			c.Close()
			return
		}
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})}
	go s.Serve(ln)
	defer s.Close()
	if m := rig.hear(); m.Error != nil {
		t.Fatalf("%+v", m)
	}
	for _, id := range []string{"2", "3"} {
		rig.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"send_text"}}`)
		if m := rig.hear(); string(m.ID) != id || m.Error == nil || m.Error.Message != lang.RelayLost.EN {
			t.Fatalf("%+v", m)
		}
	}
	if n := arrived.Load(); n != 3 {
		t.Fatalf("two requests were posted %d times", n-1)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		kind   string
		body   string
		want   string
	}{
		"401":            {401, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}`, lang.RelayToken.EN},
		"429 in JSON":    {429, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"slow down"}}`, "slow down"},
		"404 in HTML":    {404, "text/html", `<html>not found</html>`, lang.RelayAnswer.In(lang.EN, 404)},
		"200 in HTML":    {200, "text/html", `<html>hello</html>`, lang.RelayAnswer.In(lang.EN, 200)},
		"200 not JSON":   {200, "application/json", `hello`, lang.RelayAnswer.In(lang.EN, 200)},
		"200 an array":   {200, "application/json", `[]`, lang.RelayAnswer.In(lang.EN, 200)},
		"200 no result":  {200, "application/json", `{"jsonrpc":"2.0","id":1}`, lang.RelayAnswer.In(lang.EN, 200)},
		"200 empty":      {200, "application/json", ``, lang.RelayAnswer.In(lang.EN, 200)},
		"no type":        {200, "", ``, lang.RelayAnswer.In(lang.EN, 200)},
		"redirect":       {302, "text/html", ``, lang.RelayAnswer.In(lang.EN, 302)},
		"too large":      {200, "application/json", `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("a", answerBytes) + `"}`, lang.RelayLost.EN},
		"202 to request": {202, "", ``, lang.RelayAnswer.In(lang.EN, 202)},
	} {
		t.Run(name, func(t *testing.T) {
			url := server(t, func(w http.ResponseWriter, r *http.Request, _ string) {
				if c.status == 302 {
					if r.URL.Path != "/mcp" {
						t.Error("the token went along a redirect")
					}
					w.Header().Set("Location", "/elsewhere")
				}
				if c.kind != "" {
					w.Header().Set("Content-Type", c.kind)
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			rig := start(t, url, nil)
			rig.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
			m := rig.hear()
			if string(m.ID) != "1" || m.Error == nil || m.Error.Message != c.want {
				t.Fatalf("%+v", m)
			}
		})
	}
}

func TestNoTokenFile(t *testing.T) {
	url := server(t, func(http.ResponseWriter, *http.Request, string) { t.Error("posted without a token") })
	rig := start(t, url, func(o *Options) {
		o.Token = func() (string, error) { return "", errors.New("open /home/x/token: permission denied") }
	})
	rig.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if m := rig.hear(); m.Error == nil || m.Error.Message != lang.RelayTokenFile.EN {
		t.Fatalf("%+v", m)
	}
}

func TestLinesThatAreNone(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	rig := start(t, url, nil)
	for _, line := range []string{"hello", "[]", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "{", "42", "{\"a\":\"\xff\"}", `"x"`} {
		rig.say(line)
		if m := rig.hear(); string(m.ID) != "null" || m.Error == nil {
			t.Fatalf("%s: %+v", line, m)
		}
	}
	rig.say("")
	rig.say("   ")
	rig.say(strings.Repeat("x", lineBytes+10))
	if m := rig.hear(); m.Error == nil || m.Error.Message != lang.RelayLarge.EN {
		t.Fatalf("%+v", m)
	}
	rig.say(`{"jsonrpc":"2.0","id":1,"method":"x","params":[1,2]}` + "\r")
	if m := rig.hear(); m.Error != nil {
		t.Fatalf("%+v", m)
	}
}

// TestConcurrent: a slow request holds up no other.
func TestConcurrent(t *testing.T) {
	slow := make(chan struct{})
	url := server(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		var m struct{ ID int }
		_ = json.Unmarshal([]byte(body), &m)
		if m.ID == 0 {
			<-slow
		}
		answerJSON(w, 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, m.ID))
	})
	rig := start(t, url, nil)
	seen := map[string]bool{}
	for i := range 100 {
		rig.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, i))
		if i > 0 {
			seen[string(rig.hear().ID)] = true
		}
	}
	if len(seen) != 99 || seen["0"] {
		t.Fatal(len(seen))
	}
	close(slow)
	if m := rig.hear(); string(m.ID) != "0" {
		t.Fatalf("%+v", m)
	}
}

// TestManyAtOnce: all of a burst is answered, each once, whole lines.
func TestManyAtOnce(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		var m struct{ ID int }
		_ = json.Unmarshal([]byte(body), &m)
		answerJSON(w, 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"s":%q}}`, m.ID, strings.Repeat("y", 5000)))
	})
	rig := start(t, url, nil)
	const n = 200
	go func() {
		for i := range n {
			_, _ = fmt.Fprintf(rig.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", i)
		}
		rig.in.Close()
	}()
	seen := map[string]int{}
	for range n {
		seen[string(rig.hear().ID)]++
	}
	if err := <-rig.done; err != nil || len(seen) != n {
		t.Fatal(err, len(seen))
	}
}

// TestCancelled: cancelling ends the request's connection, and a cancelled request gets no answer.
func TestCancelled(t *testing.T) {
	inside, over := make(chan struct{}), make(chan struct{})
	url := server(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if strings.Contains(body, "cancelled") {
			t.Error("the notification was posted")
		}
		if strings.Contains(body, "slow") {
			close(inside)
			<-r.Context().Done()
			close(over)
			return
		}
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	})
	rig := start(t, url, nil)
	rig.say(`{"jsonrpc":"2.0","id": "s1","method":"slow"}`)
	<-inside
	rig.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"other"}}`)
	rig.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s1","reason":"x"}}`)
	<-over
	rig.say(`{"jsonrpc":"2.0","id":2,"method":"quick"}`)
	if m := rig.hear(); string(m.ID) != "2" {
		t.Fatalf("%+v", m)
	}
	if err := rig.end(); err != nil {
		t.Fatal(err)
	}
}

func TestContextEnds(t *testing.T) {
	inside := make(chan struct{})
	url := server(t, func(_ http.ResponseWriter, r *http.Request, _ string) { close(inside); <-r.Context().Done() })
	rig := start(t, url, nil)
	rig.say(`{"jsonrpc":"2.0","id":1,"method":"slow"}`)
	<-inside
	rig.stop()
	if err := <-rig.done; err != nil {
		t.Fatal(err)
	}
}

func TestClientGone(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	rig := start(t, url, func(o *Options) { o.Out = failing{} })
	rig.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if err := <-rig.done; err == nil || !strings.Contains(err.Error(), "writing to the client") {
		t.Fatal(err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestInvariant11NoProxy: the token goes to the server alone, whatever proxy the environment names. (Go itself spares loopback
// addresses, so a request would not show it.)
func TestInvariant11NoProxy(t *testing.T) {
	if newClient().Transport.(*http.Transport).Proxy != nil {
		t.Fatal("the client goes through a proxy")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"id":1,"method":"tools/call","params":{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, `{}`, `[1]`, `{"params":[]}`, `{"id":{"a":1}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := parse(line)
		if err != nil {
			return
		}
		h := http.Header{}
		m.headers(h, "2025-11-25")
		for k, vs := range h {
			for _, v := range vs {
				for i := range len(v) {
					if v[i] < ' ' || v[i] > '~' {
						t.Fatalf("%s: %q", k, v)
					}
				}
			}
		}
		if m.id != nil && !json.Valid(m.id) {
			t.Fatalf("id %q", m.id)
		}
	})
}
