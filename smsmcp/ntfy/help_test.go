package ntfy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
	"readback/store"
)

var (
	noon     = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	stranger = smsmcp.NumberPeer("+15145550199")
)

const marie = smsmcp.Number("+15145550101")

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newStore has the contact Marie, and its outbox on.
func newStore(t testing.TB, file string) *store.Store {
	t.Helper()
	if file == "" {
		file = filepath.Join(t.TempDir(), "readback.db")
	}
	s, err := store.Open(context.Background(), file)
	ok(t, err)
	t.Cleanup(func() { _ = s.Close() })
	_, err = s.AddContact(t.Context(), smsmcp.Contact{Name: "Marie Tremblay", Numbers: []smsmcp.Number{marie}, To: marie}, func([]smsmcp.Contact) error { return nil })
	ok(t, err)
	s.Outbox(func() {})
	return s
}

func text(id string, peer smsmcp.Peer, body string, at time.Time) smsmcp.Text {
	return smsmcp.Text{Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: id}, Direction: smsmcp.Received, Peer: peer, Body: untrusted.New(body), At: at}
}

// adder stores texts.
type adder interface {
	StoreTexts(ctx context.Context, now time.Time, texts []smsmcp.Text) (added []smsmcp.Text, err error)
}

func add(t testing.TB, s adder, now time.Time, texts ...smsmcp.Text) {
	t.Helper()
	_, err := s.StoreTexts(t.Context(), now, texts)
	ok(t, err)
}

func client(t testing.TB, url, topic, token string) *Client {
	t.Helper()
	c, err := NewClient(Config{URL: url, Topic: topic, Token: func() (string, error) { return token, nil }, Timeout: 5 * time.Second})
	ok(t, err)
	t.Cleanup(c.Close)
	return c
}

// server takes notifications as ntfy does, or answers as fail says.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	fail func(m message, w http.ResponseWriter) bool // whether it answered
	open func(w http.ResponseWriter) bool            // whether it answered what the topic is: else it is closed
	got  []message
	seen int
	asks int // what the topic is
}

func newServer(t testing.TB) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if r.Method == http.MethodGet {
			s.asked(t, w, r)
			return
		}
		s.seen++
		body, _ := io.ReadAll(r.Body)
		var m message
		if err := json.Unmarshal(body, &m); err != nil || r.URL.Path != "/" || r.Header.Get("Authorization") != "Bearer tk_test" {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		if s.fail != nil && s.fail(m, w) {
			return
		}
		s.got = append(s.got, m)
		_ = json.NewEncoder(w).Encode(map[string]string{"id": "x", "event": "message", "topic": m.Topic})
	}))
	t.Cleanup(s.Close)
	return s
}

// asked answers what a client asks of the topic "texts" and of its token, as ntfy does.
func (s *server) asked(t testing.TB, w http.ResponseWriter, r *http.Request) {
	token := r.Header.Get("Authorization")
	switch {
	case r.URL.RequestURI() == "/texts/json?poll=1&since=none" && token == "":
		s.asks++
		if s.open == nil || !s.open(w) {
			w.WriteHeader(http.StatusForbidden)
		}
	case r.URL.RequestURI() == "/v1/account" && token == "Bearer tk_test":
		_, _ = io.WriteString(w, "{}")
	default:
		t.Errorf("%s %s", r.Method, r.URL)
	}
}

// opening has f answer what the topic is.
func (s *server) opening(f func(w http.ResponseWriter) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = f
}

// asksAgain is how often it was asked what the topic is since.
func (s *server) asksAgain() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.asks
	s.asks = 0
	return n
}

func (s *server) failing(f func(m message, w http.ResponseWriter) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = f
}

// status makes a server answer everything so.
func status(code int) func(message, http.ResponseWriter) bool {
	return func(_ message, w http.ResponseWriter) bool { w.WriteHeader(code); return true }
}

// messages are those taken since it was last asked.
func (s *server) messages() []message {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// newBridge is a bridge to a server, with a clock that stands.
func newBridge(t testing.TB, srv *server, s Store, o Options) (*Bridge, *clock) {
	c := &clock{noon}
	o.Store, o.Client, o.Now, o.Rand = s, client(t, srv.URL, "texts", "tk_test"), c.Now, rand.New(rand.NewPCG(1, 2))
	return New(o), c
}

// settle steps until nothing is to be done now; the first error ends it.
func settle(t testing.TB, b *Bridge) (idle time.Duration, err error) {
	t.Helper()
	for range 10_000 {
		did, err := b.step(t.Context())
		b.note(did.well, err)
		if err != nil || did.idle > 0 {
			return did.idle, err
		}
	}
	t.Fatal("there is no end to it")
	return 0, nil
}

// notification is what a subscriber gets.
type notification struct {
	ID         string
	Event      string
	Time       int64
	SequenceID string `json:"sequence_id"`
	Title      string
	Message    string
	Priority   int
	Tags       []string
	Actions    []any
	Attachment any
	Click      string
	Icon       string
}

// subscribe gives all that ntfy has for a topic, as it comes, until the test ends or ntfy does.
// What is published while ntfy takes up a subscription, it delivers as it comes and again out of what it has kept: the same ID, which is given once here.
// What is published twice has two.
func subscribe(t testing.TB, url, topic, token string) <-chan notification {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/"+topic+"/json?since=all", nil)
	ok(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	ok(t, err)
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
	out := make(chan notification, 5000)
	go func() {
		defer close(out)
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		seen := map[string]bool{}
		for lines.Scan() {
			var n notification
			if json.Unmarshal(lines.Bytes(), &n) == nil && n.Event == "message" && !seen[n.ID] {
				seen[n.ID] = true
				out <- n
			}
		}
	}()
	return out
}

// next waits for a notification.
func next(t testing.TB, in <-chan notification) notification {
	t.Helper()
	select {
	case n, open := <-in:
		if !open {
			t.Fatal("the subscription ended")
		}
		return n
	case <-time.After(30 * time.Second):
		t.Fatal("no notification came")
	}
	return notification{}
}

// afterAll subscribes once nothing is owed any more: what ntfy has kept comes in the order in which it came, but what comes meanwhile may come before it.
func afterAll(t testing.TB, s Store, url, topic, token string) <-chan notification {
	t.Helper()
	until(t, "the end", func() bool {
		o, err := s.Owed(t.Context())
		ok(t, err)
		return o.Waiting+o.Held == 0
	})
	return subscribe(t, url, topic, token)
}

// until waits for something to be so.
func until(t testing.TB, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	end := time.After(20 * time.Second)
	for !so() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s did not come", what)
		}
	}
}

// run runs a bridge until the test ends.
func run(t testing.TB, b *Bridge) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); b.Run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func number(i int) smsmcp.Peer {
	return smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1514556%04d", i)))
}
