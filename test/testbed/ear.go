package testbed

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// Heard is one text that Asterisk delivered to an Ear.
type Heard struct{ Body, CallID, Endpoint string }

// Ear is a bare websocket that hears ARI's events on an application of its own, beside whatever is tested, and with no code of the project's. It
// ends with the test, or with Asterisk.
type Ear struct {
	mu    sync.Mutex
	texts []Heard
	ended error
}

// NewEar listens for the texts of one event source, such as endpoint:PJSIP. each is called with every text as it comes; it may be nil.
func NewEar(t testing.TB, b *Bed, app, source string, each func(Heard)) *Ear {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	auth := &http.Request{Header: http.Header{}}
	auth.SetBasicAuth(b.User, b.Password)
	conn, _, err := websocket.Dial(ctx, b.PlainARI+"/events?app="+url.QueryEscape(app), &websocket.DialOptions{HTTPHeader: auth.Header})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	e := &Ear{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			_, raw, err := conn.Read(ctx)
			if err != nil {
				e.mu.Lock()
				e.ended = err
				e.mu.Unlock()
				return
			}
			if h, ok := heard(raw); ok {
				e.mu.Lock()
				e.texts = append(e.texts, h)
				e.mu.Unlock()
				if each != nil {
					each(h)
				}
			}
		}
	}()
	t.Cleanup(func() { cancel(); _ = conn.CloseNow(); <-done })
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.PlainARI+"/applications/"+url.PathEscape(app)+"/subscription?eventSource="+url.QueryEscape(source), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = auth.Header
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
	return e
}

func heard(raw []byte) (Heard, bool) {
	var e struct {
		Type     string
		Endpoint struct{ Resource string }
		Message  struct {
			Body      string
			Variables map[string]any
		}
	}
	if json.Unmarshal(raw, &e) != nil || e.Type != "TextMessageReceived" {
		return Heard{}, false
	}
	h := Heard{Body: e.Message.Body, Endpoint: e.Endpoint.Resource}
	for name, v := range e.Message.Variables {
		if id, ok := v.(string); ok && strings.EqualFold(name, "Call-ID") {
			h.CallID = id
		}
	}
	return h, true
}

// Texts are those heard so far, and why it hears no more, if it does not.
func (e *Ear) Texts() ([]Heard, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.texts), e.ended
}
