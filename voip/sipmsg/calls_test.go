package sipmsg_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"readback/voip/ari"
	"readback/voip/sipmsg"
)

// calls takes calls as it is told to.
type calls struct {
	mu        sync.Mutex
	connected int
	events    []ari.Event
	err       error
	breaks    bool
}

func (c *calls) Connected(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.connected++
	if c.breaks {
		panic("the words of a stranger")
	}
	return c.err
}

func (c *calls) Event(e ari.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, e)
	if c.breaks {
		panic("the words of a stranger")
	}
}

// TestCallEventsArePassedOn to who takes calls; and nothing that goes wrong there changes anything for the texts.
func TestCallEventsArePassedOn(t *testing.T) {
	for _, c := range []*calls{{}, {err: coded("code_of_theirs")}, {err: errors.New("the words of a stranger")}, {breaks: true}} {
		r := startLine(t, func(o *sipmsg.LineOptions) { o.Calls = c })
		r.connect(t)
		r.tell(func(_ context.Context, l ari.Listener) {
			l.Call(ari.StasisStart{Channel: ari.Channel{ID: "a"}})
			l.Call(ari.ChannelDtmfReceived{Channel: ari.Channel{ID: "a"}, Digit: '1'})
		})
		r.text(numbered(1))
		r.end()
		if len(c.events) != 2 || c.connected != 1 {
			t.Errorf("%+v", c)
		}
		if texts, expected := r.box.got(); len(texts) != 1 || expected != 1 {
			t.Errorf("%d texts, %d expected", len(texts), expected)
		}
		log := r.log.String()
		if strings.Contains(log, "stranger") || strings.Contains(log, "code_of_theirs") != errors.Is(c.err, coded("code_of_theirs")) || strings.Contains(log, sipmsg.CodeCrashed) != c.breaks {
			t.Errorf("%+v: the log:\n%s", c, log)
		}
	}
}

// TestWithoutCallsNobodyIsTold: events of channels wait their turn like all others, and are nobody's.
func TestWithoutCallsNobodyIsTold(t *testing.T) {
	r := startLine(t, nil)
	r.connect(t)
	r.tell(func(ctx context.Context, l ari.Listener) {
		if l.Call != nil {
			t.Error("there is somebody")
		}
		l.Event(ctx, ari.StasisStart{Channel: ari.Channel{ID: "a"}})
	})
	r.text(numbered(1))
	r.end()
	if texts, _ := r.box.got(); len(texts) != 1 {
		t.Errorf("%d texts", len(texts))
	}
}
