// Package llmtest is a model on the real wire, for tests: a server that speaks OpenAI's chat completions, or Anthropic's messages, and does what a script says, be it answering,
// answering in pieces, being slow, hanging, breaking off or telling nonsense. It reads requests as strictly as the services do, independently of the engines.
//
// For tests only.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"readback/voice"
)

// Key is the key that a server takes, and Model the one model that it knows. Listed is one that OpenAI's wire has in its list alone.
const (
	Listed = "test-model-of-the-list"
	Key    = "sk-test-0123456789-NEVER-IN-AN-ERROR"
	Model  = "test-model"
)

// Wire is how a server speaks.
type Wire int

// The wires.
const (
	OpenAI Wire = iota
	Anthropic
)

func (w Wire) String() string { return [...]string{"openai", "anthropic"}[w] }

// Request is what a server was asked. Its messages are as they stood on the wire, but that each answer of a tool is a message of its own.
type Request struct {
	Number    int // 1 for the server's first, those that are tried again counted
	Model     string
	MaxTokens int
	System    string
	Tools     []string
	Messages  []voice.Message
	Header    http.Header
	Body      []byte
}

// Server is a model. It may be asked by many at once.
type Server struct {
	URL       string          // the base URL to configure
	Transport *http.Transport // to configure as well

	wire    Wire
	answer  func(Request) []Step
	end     chan struct{}
	mu      sync.Mutex
	asked   []Request
	refused []string
	open    map[net.Conn]bool
	opened  int
}

// Start begins a server on a port of this machine, until the test ends. answer is called for each request, by many goroutines.
func Start(t testing.TB, w Wire, answer func(Request) []Step) *Server {
	t.Helper()
	s := newServer(w, answer)
	h := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	h.Config.ConnState = s.state
	h.Start()
	s.Transport = &http.Transport{}
	s.URL = h.URL + s.path()
	t.Cleanup(func() {
		close(s.end)
		s.Transport.CloseIdleConnections()
		h.CloseClientConnections()
		h.Close()
	})
	return s
}

// InMemory begins a server that is reached through its Transport alone, with no socket, so that it may stand in a synctest bubble. stop ends it.
func InMemory(w Wire, answer func(Request) []Step) (s *Server, stop func()) {
	s = newServer(w, answer)
	l := &pipes{conns: make(chan net.Conn), end: make(chan struct{})}
	h := &http.Server{Handler: http.HandlerFunc(s.serve), ConnState: s.state, ReadHeaderTimeout: time.Hour}
	var served sync.WaitGroup
	served.Go(func() { _ = h.Serve(l) })
	s.Transport = &http.Transport{DialContext: l.dial}
	s.URL = "http://127.0.0.1" + s.path()
	return s, func() {
		close(s.end)
		s.Transport.CloseIdleConnections()
		_ = h.Close()
		served.Wait()
	}
}

func newServer(w Wire, answer func(Request) []Step) *Server {
	return &Server{wire: w, answer: answer, end: make(chan struct{}), open: map[net.Conn]bool{}}
}

func (s *Server) path() string {
	if s.wire == OpenAI {
		return "/v1"
	}
	return ""
}

// Asked gives the requests for an answer so far.
func (s *Server) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.asked...)
}

// Refused says what requests the services would not take, and why; a test that asks no wrong thing finds none.
func (s *Server) Refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.refused...)
}

// Open is how many connections are open now, and how many ever were.
func (s *Server) Open() (now, ever int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open), s.opened
}

func (s *Server) state(c net.Conn, st http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch st {
	case http.StateNew:
		s.open[c] = true
		s.opened++
	case http.StateClosed, http.StateHijacked:
		delete(s.open, c)
	case http.StateActive, http.StateIdle:
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("X-Api-Key")
	if s.wire == OpenAI {
		key = r.Header.Get("Authorization")
		if key != "" && len(key) > 7 {
			key = key[7:]
		}
	}
	if key != Key {
		fault(w, http.StatusUnauthorized, "authentication_error", "wrong key "+key)
		return
	}
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/v1/models/"+Model:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"`+Model+`","type":"model","object":"model","created":1,"created_at":"2026-01-01T00:00:00Z","display_name":"x","owned_by":"x"}`)
		return
	case r.Method == http.MethodGet && r.URL.Path == "/v1/models" && s.wire == OpenAI:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"`+Model+`","object":"model","created":1,"owned_by":"x"},{"id":"`+Listed+`","object":"model","created":1,"owned_by":"x"}]}`)
		return
	case r.Method == http.MethodPost && (r.URL.Path == "/v1/chat/completions" && s.wire == OpenAI || r.URL.Path == "/v1/messages" && s.wire == Anthropic):
	default:
		fault(w, http.StatusNotFound, "not_found_error", "no such thing: "+r.URL.Path)
		return
	}
	body, _ := io.ReadAll(r.Body)
	read := readOpenAI
	if s.wire == Anthropic {
		read = readAnthropic
	}
	q, why := read(body)
	q.Header, q.Body = r.Header, body
	s.mu.Lock()
	q.Number = len(s.asked) + 1
	s.asked = append(s.asked, q)
	if why != "" {
		s.refused = append(s.refused, why)
	}
	s.mu.Unlock()
	if why != "" {
		fault(w, http.StatusBadRequest, "invalid_request_error", why)
		return
	}
	out := &stream{w: w, r: r, wire: s.wire, end: s.end, model: q.Model}
	out.run(s.answer(q))
}

func fault(w http.ResponseWriter, status int, kind, words string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	b, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": words, "code": kind}})
	_, _ = w.Write(b)
}

// pipes is a listener without sockets.
type pipes struct {
	conns chan net.Conn
	end   chan struct{}
	once  sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.end:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.end:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.end) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }

var errWant = errors.New("llmtest: the client has gone")
