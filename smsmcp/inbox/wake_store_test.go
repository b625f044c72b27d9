package inbox

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/store"
)

// TestTheWakeEndsByTheRealStore: once the list has what came by SIP, and the store has found that the two are one, nothing more is asked for; and it was
// received once.
func TestTheWakeEndsByTheRealStore(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "readback.db"))
	must(t, err)
	defer func() { must(t, s.Close()) }()
	l := &lister{}
	b := newBox(s, l)
	var c tally
	b.o.Observe = c.observe
	came := claim("a")
	listed := received("1", came.Peer, came.Body.RawForRules(), came.At)
	must(t, b.Receive(t.Context(), came))
	for _, step := range []struct {
		list  []smsmcp.Text
		marks int
	}{{nil, 4}, {[]smsmcp.Text{received("0", came.Peer, "another", came.At.Add(-time.Hour))}, 4}, {[]smsmcp.Text{listed}, 0}} {
		l.list = func(context.Context, int) ([]smsmcp.Text, error) { return step.list, nil }
		must(t, b.poll(t.Context(), true))
		if n := len(b.plan.marks); n != step.marks {
			t.Errorf("%d marks, not %d", n, step.marks)
		}
	}
	if got := c.take(); got != "text_received sipmsg, text_unverified sipmsg, text_received test" {
		t.Error(got)
	}
	// The list came first this time: what comes by SIP is known then. It may be another with the same words, so that the list is asked for; once.
	listed = received("2", came.Peer, "later", came.At.Add(time.Minute))
	l.list = func(context.Context, int) ([]smsmcp.Text, error) { return []smsmcp.Text{listed}, nil }
	must(t, b.poll(t.Context(), false))
	late := claim("b")
	late.Body, late.At = listed.Body, listed.At
	for _, marks := range []int{5, 0} {
		must(t, b.Receive(t.Context(), late))
		if n := len(b.plan.marks); n != marks {
			t.Errorf("%d marks, not %d", n, marks)
		}
		b.plan = schedule{}
	}
	if got := c.take(); got != "text_received test" {
		t.Error(got)
	}
}
