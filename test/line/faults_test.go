package line

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/test/testbed"
)

// TestInvariant08NothingIsLostToFaults has texts come in at 20 a second while Asterisk, ntfy and Readback are killed in turn, the event connection is cut,
// ARI's password changes and changes back, and ntfy answers 429 and 500. voip.ms lists every text, so none is lost; and none is there twice.
func TestInvariant08NothingIsLostToFaults(t *testing.T) {
	t.Parallel()
	bed := newBed(t)
	wire := testbed.NewWire(t, host(t, bed.ARI))
	front := newFront(t, bed.NtfyURL)
	s := newScene(t, bed, setting{viaARI: wire.Address, viaNtfy: front.URL, every: "15s"})

	var sent, refused atomic.Int64
	var all []written
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second / 20)
		defer tick.Stop()
		var sending sync.WaitGroup
		defer sending.Wait()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			w := written{senders[i%len(senders)], fmt.Sprintf("Text %d of the run: 'quoted' \"twice\", 👋\n$(id)", i)}
			all = append(all, w)
			sent.Add(1)
			sending.Go(func() {
				if !s.hand(w, true, i%2 == 0) {
					refused.Add(1)
				}
			})
		}
	}()
	// A fault comes once more texts have come in, and so does what follows it. That the list can mend all does not excuse a line that stays down.
	var alone []written
	alive := func() {
		t.Helper()
		w := written{senders[2], fmt.Sprintf("The line lives after %d texts", sent.Load())}
		alone = append(alone, w)
		if !s.hand(w, false, false) {
			t.Fatal("Asterisk does not take a text")
		}
		s.notified(time.Minute, "a text that came by SIP alone", func(n testbed.Notification) bool { return words(n) == w.body })
	}
	more := func(n int64) {
		t.Helper()
		from := sent.Load()
		testbed.Until(t, time.Minute, "texts come in", func() bool { return sent.Load() >= from+n })
	}
	more(20)
	s.again("after Asterisk was killed", func() {
		bed.Asterisk.Kill()
		more(1)
		bed.Asterisk.Restart()
	})
	alive()
	bed.Ntfy.Kill()
	more(20)
	bed.Ntfy.Restart()
	more(10)
	s.again("after Readback was killed", func() {
		s.program.Kill()
		more(10)
		s.program.Start()
	})
	alive()
	s.again("after it was cut", func() {
		if n := wire.Cut(); n == 0 {
			t.Error("there was nothing to cut")
		}
	})
	alive()

	// The password changes in Asterisk: what stands goes on, and once that is cut nothing does, until the password is as it was.
	right := bed.Password
	bed.SetPassword("changed-" + right)
	more(5)
	s.again("with the old password", func() {
		wire.Cut()
		testbed.Until(t, 30*time.Second, "the program is refused", func() bool { return strings.Contains(s.program.Log(), "code=ari_unauthorized") })
		more(20)
		bed.SetPassword(right)
	})
	alive()
	// And once more, where the owner changes the program's file too: it needs no restart.
	bed.SetPassword("changed-" + right)
	if err := os.WriteFile(filepath.Join(filepath.Dir(s.program.Config), "ari"), []byte(bed.Password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.again("with the new password", func() { wire.Cut() })
	alive()

	for _, status := range []int64{429, 500} {
		before := front.failed.Load()
		front.status.Store(status)
		testbed.Until(t, 30*time.Second, "ntfy fails", func() bool { return front.failed.Load() >= before+2 })
		front.status.Store(0)
		more(10)
	}
	alive()
	close(stop)
	<-done
	t.Logf("%d texts; Asterisk was away for %d of them; ntfy failed at %d requests", len(all), refused.Load(), front.failed.Load())

	all = append(all, alone...)
	s.settled(90*time.Second, all)
	s.program.Stop()
	want, got := map[key]int{}, map[key]int{}
	for _, w := range all {
		want[key{w.from.in(), unquote.Replace(w.body)}]++
	}
	for _, r := range stored(t, s.program.Data) {
		body := r.Text.Body.RawForStore()
		got[key{peer(r.Text.Peer), unquote.Replace(body)}]++
		if r.Text.Unverified && !slices.ContainsFunc(alone, func(w written) bool { return w.body == body }) {
			t.Errorf("unverified, though the list has it: %s", short(body))
		}
	}
	missing(t, "stored", want, got)
	s.toldOnce(all)
}

// front stands before ntfy and answers for it with a status, while there is one. It never says for how long.
type front struct {
	*httptest.Server
	status, failed atomic.Int64
}

func newFront(t *testing.T, to string) *front {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(target)
	pass.ErrorLog = log.New(io.Discard, "", 0)
	f := &front{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := f.status.Load(); code != 0 {
			f.failed.Add(1)
			w.WriteHeader(int(code))
			return
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}
