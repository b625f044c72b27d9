package testbed

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// Notification is what a subscriber of ntfy's gets.
type Notification struct {
	ID         string
	Event      string
	SequenceID string `json:"sequence_id"`
	Title      string
	Message    string
	Priority   int
	Tags       []string
	Click      string
	Actions    []Action
	Got        time.Time `json:"-"` // when it came here; zero in a poll's answer
}

// Action is a button of a notification.
type Action struct {
	Action, Label, URL, Method, Body string
	Headers                          map[string]string
}

// Subscriber takes a topic's notifications as a phone does: by a stream, begun again with since= whenever it ends.
type Subscriber struct {
	mu  sync.Mutex
	got []Notification
	ids map[string]bool
}

// NewSubscriber subscribes until the test ends. each is called with every notification as it comes; it may be nil.
func NewSubscriber(t testing.TB, b *Bed, topic string, each func(Notification)) *Subscriber {
	t.Helper()
	s := &Subscriber{ids: map[string]bool{}}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan struct{})
	open := sync.OnceFunc(func() { close(ready) })
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			// All, and not since the last one: what comes while ntfy gives what it kept can come first.
			_ = b.ntfy(ctx, "/"+topic+"/json?since=all", func(n Notification) {
				switch n.Event {
				case "open":
					open()
				case "message":
					n.Got = time.Now()
					s.mu.Lock()
					fresh := !s.ids[n.ID]
					if fresh {
						s.ids[n.ID] = true
						s.got = append(s.got, n)
					}
					s.mu.Unlock()
					if fresh && each != nil {
						each(n)
					}
				}
			})
			pause := time.NewTimer(50 * time.Millisecond)
			select {
			case <-ctx.Done():
			case <-pause.C:
			}
			pause.Stop()
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	select {
	case <-ready:
	case <-time.After(10 * time.Second):
		t.Fatal("ntfy gives no stream")
	}
	return s
}

// Got is what came so far, in that order.
func (s *Subscriber) Got() []Notification {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// Published asks ntfy itself for all that it has of a topic.
func (b *Bed) Published(topic string) (out []Notification) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	err := b.ntfy(ctx, "/"+topic+"/json?poll=1&since=all", func(n Notification) {
		if n.Event == "message" {
			out = append(out, n)
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// ntfy reads the lines of one answer.
func (b *Bed) ntfy(ctx context.Context, path string, each func(Notification)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.NtfyURL+path, http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+b.NtfyToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var n Notification
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			return err
		}
		each(n)
	}
	return lines.Err()
}
