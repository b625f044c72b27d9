package carriertest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

// list gives what the carrier holds of the last two days, with what holds of every list asserted.
func list(t *testing.T, h Harness) []smsmcp.Text {
	t.Helper()
	got, err := h.Carrier.(smsmcp.Lister).List(t.Context(), h.Now().Add(-48*time.Hour), h.Now())
	if err != nil {
		t.Fatal(err)
	}
	keys := map[smsmcp.Key]bool{}
	for _, x := range got {
		if x.Key.Carrier != h.Carrier.Name() || x.Key.ID == "" || x.Key.Kind != smsmcp.SMS && x.Key.Kind != smsmcp.MMS {
			t.Errorf("the key %+v", x.Key)
		}
		if keys[x.Key] {
			t.Errorf("two texts have the key %+v", x.Key)
		}
		keys[x.Key] = true
		if x.At.Location() != time.UTC || x.At.Nanosecond() != 0 {
			t.Errorf("the time %v is not UTC in whole seconds", x.At)
		}
		if x.Delivery != "" && x.Delivery != smsmcp.Reduce(x.Delivery) {
			t.Errorf("the delivery state %q is not reduced", x.Delivery)
		}
	}
	return got
}

func testSent(t *testing.T, fresh func(t *testing.T) Harness) {
	for name, body := range bodies {
		for _, b := range []struct{ kind, body string }{{"short", body}, {"long", strings.Repeat(body+" ", 400/len(body)+1)}} {
			t.Run(name+"/"+b.kind, func(t *testing.T) {
				h := fresh(t)
				plan, err := h.Carrier.Plan(b.body)
				if err != nil {
					t.Fatal(err)
				}
				before := h.Now().Truncate(time.Second)
				r, err := h.Carrier.Send(t.Context(), h.To, b.body)
				if err != nil || h.Taken() != 1 {
					t.Fatalf("%v, %d went", err, h.Taken())
				}
				got := list(t, h)
				if len(got) != 1 {
					t.Fatalf("%d texts are listed", len(got))
				}
				x := got[0]
				if x.Key != r.Key || x.Key.Kind != plan.Kind || x.Direction != smsmcp.Sent {
					t.Errorf("listed as %+v, planned %+v, receipt %+v", x, plan, r)
				}
				if !x.Body.Equal(untrusted.New(b.body)) {
					t.Errorf("the body came back as another one of %d bytes, was %q", x.Body.Len(), b.body)
				}
				if !x.Peer.Same(smsmcp.NumberPeer(h.To)) {
					t.Errorf("the peer is %+v", x.Peer)
				}
				if x.At.Before(before) || x.At.After(h.Now()) {
					t.Errorf("it is dated %v, sent at %v", x.At, before)
				}
			})
		}
	}
}

func testTwins(t *testing.T, h Harness) {
	a, err1 := h.Carrier.Send(t.Context(), h.To, "ok")
	b, err2 := h.Carrier.Send(t.Context(), h.To, "ok")
	if err1 != nil || err2 != nil || a.Key == b.Key {
		t.Fatalf("%v %v, %v %v", a, err1, b, err2)
	}
	if got := list(t, h); len(got) != 2 || h.Taken() != 2 {
		t.Fatalf("%d are listed, %d went", len(got), h.Taken())
	}
}

func testReceived(t *testing.T, h Harness) {
	peers := []smsmcp.Peer{smsmcp.NumberPeer(h.To), smsmcp.CodePeer("72975"), smsmcp.LabelPeer("MaBanque"), {}}
	type want struct {
		peer smsmcp.Peer
		body string
		at   time.Time
	}
	var wants []want
	at := h.Now().Truncate(time.Second).UTC().Add(-time.Hour)
	for _, p := range peers {
		for _, b := range bodies {
			at = at.Add(time.Second)
			h.Receive(t, p, b, at)
			wants = append(wants, want{p, b, at})
		}
	}
	h.Receive(t, peers[0], "twin", at)
	h.Receive(t, peers[0], "twin", at)
	wants = append(wants, want{peers[0], "twin", at}, want{peers[0], "twin", at})

	got := list(t, h)
	if len(got) != len(wants) {
		t.Fatalf("%d of %d are listed", len(got), len(wants))
	}
	for _, w := range wants {
		found := false
		for i, x := range got {
			if x.Direction == smsmcp.Received && x.Peer.Same(w.peer) && x.Body.Equal(untrusted.New(w.body)) && x.At.Equal(w.at) {
				got, found = append(got[:i:i], got[i+1:]...), true
				break
			}
		}
		if !found {
			t.Errorf("from %v at %v: %q is not listed as it came", w.peer, w.at, w.body)
		}
	}
	if h.Taken() != 0 {
		t.Errorf("a received text was sent")
	}
}

func testSorted(t *testing.T, h Harness) {
	now := h.Now().Truncate(time.Second)
	for _, ago := range []int{5, 90, 1, 40, 40, 1300} {
		h.Receive(t, smsmcp.NumberPeer(h.To), "x", now.Add(-time.Duration(ago)*time.Minute))
	}
	got := list(t, h)
	if len(got) != 6 {
		t.Fatalf("%d of 6 are listed", len(got))
	}
	for i := 1; i < len(got); i++ {
		if got[i].At.Before(got[i-1].At) {
			t.Errorf("not oldest first: %v before %v", got[i-1].At, got[i].At)
		}
	}
}

func testNoPart(t *testing.T, h Harness) {
	h.Receive(t, smsmcp.NumberPeer(h.To), "x", h.Now())
	lister := h.Carrier.(smsmcp.Lister)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := lister.List(ctx, h.Now().Add(-time.Hour), h.Now()); err == nil || got != nil {
		t.Errorf("cancelled: %v, %v", got, err)
	}
	if h.Break == nil {
		return
	}
	h.Break(t)
	got, err := lister.List(t.Context(), h.Now().Add(-time.Hour), h.Now())
	if err == nil || got != nil || errors.Is(err, smsmcp.ErrNotSent) && !errors.Is(err, smsmcp.ErrDown) {
		t.Errorf("broken: %v, %v", got, err)
	}
	if got := list(t, h); len(got) != 1 {
		t.Errorf("after it: %d texts are listed", len(got))
	}
}

// testPart: a text that cannot be read costs no other, and is told of.
func testPart(t *testing.T, h Harness) {
	if h.Spoil == nil {
		return
	}
	h.Receive(t, smsmcp.NumberPeer(h.To), "one", h.Now().Add(-2*time.Minute))
	h.Spoil(t)
	h.Receive(t, smsmcp.NumberPeer(h.To), "two", h.Now().Add(-time.Minute))
	got, err := h.Carrier.(smsmcp.Lister).List(t.Context(), h.Now().Add(-time.Hour), h.Now())
	if !errors.Is(err, smsmcp.ErrPartial) || errors.Is(err, smsmcp.ErrDown) {
		t.Errorf("the error is %v", err)
	}
	coded(t, err)
	if len(got) != 2 || !got[0].Body.Equal(untrusted.New("one")) || !got[1].Body.Equal(untrusted.New("two")) {
		t.Errorf("%d texts are listed of the 2 that can be read", len(got))
	}
}
