package ntfy

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/test/testbed"
)

// TestInvariant08AClaimAndItsNameAreOneEntry for whoever subscribed to a real ntfy before, and for who comes after.
func TestInvariant08AClaimAndItsNameAreOneEntry(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	s := newStore(t, "")
	b := realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, s, Options{})
	s.Outbox(b.Nudge)
	in := subscribe(t, bed.NtfyURL, "texts", bed.NtfyToken)
	run(t, b)
	at := time.Now()
	for _, body := range []string{"Change of plan", "New number"} {
		add(t, s, at, datagram(body, at))
	}
	claims := []notification{next(t, in), next(t, in)}
	if claims[0].Message != "«Change of plan»" { // ntfy hands two of one moment on in either order
		claims[0], claims[1] = claims[1], claims[0]
	}
	for _, n := range claims {
		if n.Title != "+15145550101 (unverified, may be anybody)" || n.Priority != usual || strings.Contains(n.Title+n.Message, "Marie") {
			t.Fatalf("%+v", n)
		}
	}
	add(t, s, time.Now(), text("7", smsmcp.NumberPeer(marie), "Change of plan", at))
	named := next(t, in)
	if named.SequenceID != claims[0].SequenceID || named.Title != "Marie Tremblay" || named.Message != claims[0].Message || named.Priority != quiet || named.Time <= claims[0].Time {
		t.Fatalf("%+v, after %+v", named, claims)
	}
	// An app has one entry for each sequence: the newest by ntfy's time (ntfy-android, Poller.kt).
	entries := map[string]notification{}
	until(t, "ntfy's answer", func() bool { // it keeps a message after it handed it on
		o, err := s.Owed(t.Context())
		ok(t, err)
		return o.Known == nil
	})
	late := subscribe(t, bed.NtfyURL, "texts", bed.NtfyToken)
	for range 3 {
		if n := next(t, late); n.Time > entries[n.SequenceID].Time {
			entries[n.SequenceID] = n
		}
	}
	if len(entries) != 2 || entries[claims[0].SequenceID].Title != "Marie Tremblay" || entries[claims[1].SequenceID].Title != claims[1].Title {
		t.Errorf("%+v", entries)
	}
}

// TestATopicThatBecomesReadableStopsTheBridge within the hour, and nothing is lost when it is closed again.
func TestATopicThatBecomesReadableStopsTheBridge(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	q := &queue{waiting: []notice{claim(1, "one")}}
	var ahead atomic.Int64
	b := realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, q, Options{})
	b.o.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	in := subscribe(t, bed.NtfyURL, "texts", bed.NtfyToken)
	run(t, b)
	next(t, in)
	everyone(t, bed, "read-only")
	ahead.Store(int64(checkEvery))
	until(t, "the end of it", func() bool { return b.Part().Failure == CodeAnonymous })
	q.set(func(q *queue) { q.waiting = append(q.waiting, claim(2, "two")) })
	b.Nudge()
	until(t, "it is the owner's to say", func() bool {
		return errors.Is(client(t, bed.NtfyURL, "texts", bed.NtfyToken).Check(t.Context()), ErrAnonymous)
	})
	if !q.get(func(q *queue) bool { return len(q.waiting) == 1 }) || b.Part() == (smsmcp.Part{Name: "bridge"}) {
		t.Error("told while anyone can read it")
	}
	everyone(t, bed, "deny-all")
	if n := next(t, in); n.Message != "«two»" {
		t.Errorf("%+v", n)
	}
	until(t, "that it is well", func() bool { return b.Part().Failure == "" })
}

// everyone gives those without a token a right to the topic "texts".
func everyone(t *testing.T, bed *testbed.Bed, right string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, bed.NtfyURL+"/v1/users/access", strings.NewReader(`{"username":"*","topic":"texts","permission":"`+right+`"}`))
	ok(t, err)
	req.Header.Set("Authorization", "Bearer "+bed.NtfyToken)
	resp, err := http.DefaultClient.Do(req)
	ok(t, err)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
}
