package oauth

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestNinetyDays: a client refreshes every 50 minutes, 2 % of the answers are lost on their way, all of the program's parts are closed and opened again on their store every day, and the
// client is now and then silent for hours. It is never signed out, and the owner never asked again.
func TestNinetyDays(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	s := assemble(t, newElsewhere(t, "claude.ai").options(), "")
	client := s.registers(t, "Claude", callback)
	have := s.signsIn(t).lets(client)
	day, refreshed, lost, silent, restarts := time.Duration(0), 0, 0, 0, 0
	gone := func() time.Duration { return time.Duration(s.ahead.Load()) }
	refresh := func() bool {
		got := s.refreshes(t, client, have.refresh)
		if got.fault != "" {
			t.Fatalf("signed out after %v, %d refreshes, %d lost: %q", gone(), refreshed, lost, got.fault)
		}
		if rng.IntN(100) < 2 {
			lost++
			return false
		}
		have = got
		refreshed++
		return true
	}
	restart := func() {
		must(t, s.app.Close(context.Background()))
		s.open()
		day = gone()
		restarts++
	}
	for gone() < 90*24*time.Hour {
		s.later(50 * time.Minute)
		if gone()-day > 24*time.Hour {
			restart()
		}
		for !refresh() {
			switch rng.IntN(4) {
			case 0: // it tries again at once
			case 1:
				s.later(time.Duration(rng.IntN(30)) * time.Second)
			case 2: // it goes on with what it has
				s.tool(t, have.access, "find_contact", map[string]string{"word": "tremblay"})
				s.later(50 * time.Minute)
			case 3:
				silent++
				s.later(time.Duration(rng.IntN(48)) * time.Hour)
				restart()
			}
		}
		for range rng.IntN(3) {
			s.later(time.Duration(rng.IntN(600)) * time.Second)
			if r := s.tool(t, have.access, "find_contact", map[string]string{"word": "tremblay"}); r.status != 200 || !strings.Contains(r.body, contact) {
				t.Fatalf("a call was refused after %v: %s", gone(), r)
			}
		}
	}
	if refreshed < 2000 || lost < 20 || silent == 0 || restarts < 60 {
		t.Errorf("%d refreshes, %d lost, %d silences, %d restarts: this test sees too little", refreshed, lost, silent, restarts)
	}
	page := s.signsIn(t).get("/clients")
	if n := strings.Count(page.body, `action="/clients/revoke"`); n != 1 {
		t.Errorf("%d clients are in", n)
	}
	t.Logf("%d refreshes, %d lost answers, %d silences, %d restarts", refreshed, lost, silent, restarts)
}
