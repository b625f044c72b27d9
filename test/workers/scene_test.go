package workers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"

	"readback/smsmcp"
	"readback/smsmcp/owner"
	"readback/test/testbed"
	"readback/test/testbed/program"
)

const (
	callers = 20 // at once
	later   = 4  // who call when one process was killed and one is drained

	goneWithin = 3 * time.Minute // until who is in a call whose process was killed hears that it is over
)

var count = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"}

// TestInvariant07TwentyCallsAndAKilledWorker: a server and three workers share a data folder and the calls of twenty telephones. One worker is killed and one is drained while texts are asked
// for, read back and answered. The calls of the others, and of the drained one, go on unharmed, new ones are taken by who is left, and every text is sent once.
func TestInvariant07TwentyCallsAndAKilledWorker(t *testing.T) {
	h := newHome(t)
	workers := []*program.Beside{h.worker(), h.worker(), h.worker()}
	var stop atomic.Bool // whoever has done a round since then hangs up
	var all []*caller
	var done sync.WaitGroup
	call := func(n int, rounds func(c *caller) bool) *caller {
		c := h.dial(n)
		done.Go(func() {
			err := c.known()
			for i := 0; err == nil && rounds(c); i++ {
				if i == len(count) {
					err = errors.New("there is no end")
					break
				}
				err = c.texts(fmt.Sprintf("table %s is free at %s", count[n%len(count)], count[i]))
			}
			if errors.Is(err, errLost) { // they stay on the telephone, in silence, until the server has heard nothing of their call for a minute
				select {
				case <-c.done:
				case <-time.After(goneWithin):
					t.Errorf("%s is still in a room whose worker was killed", names[c.n])
				}
			}
			c.HangUp()
			if err != nil && !errors.Is(err, errLost) {
				t.Errorf("led by %s, after %d texts: %v\n%s", c.agent, c.rounds, err, h.about(c.agent))
			}
		})
		return c
	}
	for n := range callers {
		since := -1
		all = append(all, call(n, func(c *caller) bool {
			if stop.Load() && since < 0 {
				since = c.rounds
			}
			return since < 0 || c.rounds == since
		}))
	}
	most := func(a, b *program.Beside) int {
		_, x := jobs(a.Log())
		_, y := jobs(b.Log())
		return len(y) - len(x)
	}
	testbed.Until(t, 2*patience, "all are in a call, and texts have left", func() bool {
		n := 0
		for _, c := range all {
			c.mu.Lock()
			if len(c.asked) > 0 {
				n++
			}
			c.mu.Unlock()
		}
		slices.SortStableFunc(workers, most)
		_, second := jobs(workers[1].Log())
		return n == callers && len(h.sent()) >= callers/2 && len(second) > 0
	})
	killed, drained, left := workers[0], workers[1], workers[2]
	killed.Signal(syscall.SIGKILL)
	<-killed.Ended()
	drained.Signal(syscall.SIGTERM)
	before, going := jobs(drained.Log())
	gone, lost := jobs(killed.Log())
	stop.Store(true)
	harmed := map[*caller]bool{}
	for _, c := range all {
		c.mu.Lock()
		if slices.Contains(gone, c.agent) {
			harmed[c] = true
			c.lost()
		}
		c.mu.Unlock()
	}
	t.Logf("killed in %d calls, drained in %d; %d texts had left", len(lost), len(going), len(h.sent()))
	if len(harmed) != len(lost) || len(lost) == 0 {
		t.Errorf("%d callers are harmed, of %d calls", len(harmed), len(lost))
	}
	for i := range later {
		all = append(all, call(callers+i, func(c *caller) bool { return c.rounds == 0 }))
	}
	done.Wait()

	select {
	case <-drained.Ended():
		if drained.ExitCode() != 0 {
			t.Errorf("the drained one ended with %d", drained.ExitCode())
		}
	case <-time.After(patience):
		t.Error("the drained one does not end, though its calls have")
	}
	if after, _ := jobs(drained.Log()); len(after) != len(before) {
		t.Errorf("the drained one has taken %d calls more", len(after)-len(before))
	}
	mine, _ := jobs(left.Log())
	servers, _ := jobs(h.program.Log())
	for _, c := range all[callers:] {
		if !slices.Contains(mine, c.agent) && !slices.Contains(servers, c.agent) {
			t.Errorf("a new call is led by %q, who is none of those that are left", c.agent)
		}
	}
	h.once(all, harmed)
	for _, log := range []string{h.program.Log(), killed.Log(), drained.Log(), left.Log()} {
		for _, bad := range []string{"panic", "broke", "crashed", h.kit.Secret, pin, "SQLITE", "locked"} {
			if strings.Contains(log, bad) {
				t.Errorf("a log holds %q", bad)
			}
		}
	}
}

// TestInvariant10ARoomIsLedOnceWhateverIsDispatched: jobs of a room that has its agent are given to another process too, which does not come into it; the caller has one agent, and whoever comes into the room beside them is out of it when the call is.
func TestInvariant10ARoomIsLedOnceWhateverIsDispatched(t *testing.T) {
	h := newHome(t)
	w := h.worker()
	c := h.dial(0)
	if err := c.known(); err != nil {
		t.Fatal(err)
	}
	// Each process says no to some: the one that leads, by itself, and the other by the store.
	other := func() string { return h.program.Log() }
	if ever, _ := jobs(h.program.Log()); slices.Contains(ever, c.agent) {
		other = w.Log
	}
	testbed.Until(t, patience, "the job was given to who does not lead, and came to nothing", func() bool {
		if _, err := h.told.CreateDispatch(t.Context(), &livekit.CreateAgentDispatchRequest{Room: c.room, AgentName: "readback"}); err != nil {
			t.Fatal(err)
		}
		return strings.Count(other(), "code=room_is_led") >= 3
	})
	second := h.enter(t, c.room, who{identity: "sip_second", mute: true})
	agents := 0
	for _, p := range c.person.room.GetRemoteParticipants() {
		if strings.HasPrefix(p.Identity(), "readback-") {
			agents++
		}
	}
	if agents != 1 {
		t.Errorf("%d agents are in the room", agents)
	}
	c.HangUp()
	testbed.Until(t, patience, "the second telephone is out of the room", func() bool { return over(second) })
	testbed.Until(t, patience, "the call is over", func() bool {
		_, one := jobs(h.program.Log())
		_, two := jobs(w.Log())
		return len(one)+len(two) == 0
	})
	if next := h.dial(1); next.known() != nil {
		t.Error("nobody can call any more")
	}
}

// once checks that every text was sent once: all that a caller heard of, and that somebody said yes to whose call was not killed; and nothing else, and nothing twice.
func (h *home) once(all []*caller, harmed map[*caller]bool) {
	h.t.Helper()
	sent := h.sent()
	allowed := map[string]bool{}
	texts := 0
	for _, c := range all {
		for _, of := range c.pressed {
			allowed[of] = true
			if n := sent[of]; n != 1 && (!harmed[c] || slices.Contains(c.heard, of)) {
				h.t.Errorf("%q was sent %d times", of, n)
			}
		}
		if !harmed[c] && !slices.Equal(c.asked, c.heard) {
			h.t.Errorf("%s asked for %q and heard of %q", names[c.n], c.asked, c.heard)
		}
		texts += len(c.heard)
	}
	for of, n := range sent {
		if n != 1 || !allowed[of] {
			h.t.Errorf("%q was sent %d times; a yes: %t", of, n, allowed[of])
		}
	}
	sends, err := owner.ListSends.Do(context.Background(), h.program.Owner(), owner.Limit{Limit: 500}, "")
	if err != nil {
		h.t.Fatal(err)
	}
	states := map[smsmcp.SendState]int{}
	for _, s := range sends {
		states[s.State]++
	}
	if states[smsmcp.Done] < texts || states[smsmcp.Done] > len(sent) {
		h.t.Errorf("the log has %v; %d texts were heard of, %d sent", states, texts, len(sent))
	}
	h.t.Logf("%d texts were heard of, %d sent; the log has %v", texts, len(sent), states)
}
