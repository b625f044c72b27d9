package oauth

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// What comes, and what becomes of it. A pair is named by the answer that gave it: "1" is the code's.
func TestRotation(t *testing.T) {
	type step struct {
		after time.Duration
		use   string // "r1": the refresh token of pair 1; "a1": its access token
		gives int    // the pair; 0: it ends; -1: nothing
	}
	for name, steps := range map[string][]step{
		"a day":                                      {{0, "a1", -1}, {3000, "r1", 2}, {0, "a2", -1}, {3000, "r2", 3}, {3000, "r3", 4}},
		"an answer is lost":                          {{0, "r1", 2}, {1, "r1", 3}, {0, "a3", -1}, {3000, "r3", 4}},
		"then hours of silence":                      {{0, "r1", 2}, {80000, "r1", 3}, {80000, "r1", 4}, {80000, "r1", 5}, {0, "a5", -1}, {3000, "r5", 6}},
		"a later answer is lost":                     {{0, "r1", 2}, {0, "a2", -1}, {3000, "r2", 3}, {3000, "r2", 4}, {80000, "r2", 5}, {0, "a5", -1}, {3000, "r5", 6}},
		"the lost answer comes after all":            {{0, "r1", 2}, {30, "r1", 3}, {0, "a2", -1}, {3000, "r2", 4}},
		"the old access token is still used":         {{0, "r1", 2}, {0, "a1", -1}, {3000, "r1", 3}, {0, "a1", -1}, {3000, "r1", 4}},
		"two at once":                                {{0, "r1", 2}, {0, "r1", 3}, {0, "a2", -1}, {9, "r1", 4}},
		"two at once, and each goes on at once":      {{0, "r1", 2}, {0, "r1", 3}, {1, "r2", 4}, {1, "r3", 5}, {3000, "r5", 6}},
		"the first request comes last":               {{0, "r1", 2}, {5, "r2", 3}, {4, "r1", 4}, {3000, "r3", 5}},
		"reuse":                                      {{0, "r1", 2}, {0, "a2", -1}, {10, "r1", 0}},
		"reuse, where the access token is not used":  {{0, "r1", 2}, {3000, "r2", 3}, {10, "r1", 0}},
		"reuse of what is long past":                 {{0, "r1", 2}, {3000, "r2", 3}, {3000, "r3", 4}, {0, "r1", 0}},
		"two that go on for long":                    {{0, "r1", 2}, {0, "r1", 3}, {3000, "r2", 4}, {3000, "r3", 0}},
		"two that go on for long, the other way":     {{0, "r1", 2}, {0, "r1", 3}, {3000, "r3", 4}, {10, "r2", 0}},
		"one turn later":                             {{0, "r1", 2}, {0, "r1", 3}, {3000, "r2", 4}, {3000, "r4", 5}, {0, "r3", 0}},
		"the grace is not for what is two turns old": {{0, "r1", 2}, {1, "r2", 3}, {1, "r3", 4}, {0, "r1", 0}},
		"again and again does not make it longer":    {{0, "r1", 2}, {0, "a2", -1}, {6, "r1", 3}, {0, "a3", -1}, {6, "r1", 0}},
	} {
		now := noon
		r := begin(now)
		parents := map[int64]int64{1: 0}
		for i, s := range steps {
			now = now.Add(s.after * time.Second)
			var seq int64
			_, _ = fmt.Sscan(s.use[1:], &seq)
			if s.use[0] == 'a' {
				r, _ = r.heard(parents[seq], now)
				continue
			}
			next, ok := r.next(seq, parents[seq], now)
			if got := next.Last; ok != (s.gives != 0) || ok && got != int64(s.gives) {
				t.Errorf("%s: step %d, %s: %v, %+v", name, i+1, s.use, ok, next)
			}
			if ok {
				r = next
				parents[r.Last] = r.Turn
			}
		}
	}
}

// Whatever comes in whatever order: once a token's successor was used, and some time passed, it never gives anything again; and of two that go on, one ends all.
func TestRotationsAtRandom(t *testing.T) {
	ended, went := 0, 0
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		now := noon
		r := begin(now)
		parents := map[int64]int64{1: 0}
		used := map[int64]time.Time{} // when a token given for it was first used, in either way
		for range 40 {
			now = now.Add([]time.Duration{0, time.Second, 9 * time.Second, Grace, time.Hour}[rng.IntN(5)])
			seq := max(1, r.Last-rng.Int64N(4))
			mark := func() {
				if _, was := used[parents[seq]]; !was {
					used[parents[seq]] = now
				}
			}
			if rng.IntN(3) == 0 {
				r, _ = r.heard(parents[seq], now)
				mark()
				continue
			}
			next, ok := r.next(seq, parents[seq], now)
			first, over := used[seq]
			if ok && over && now.Sub(first) >= Grace && seq != next.Turn {
				t.Fatalf("seed %d: %d gives %d, %v after its successor was used", seed, seq, next.Last, now.Sub(first))
			}
			if !ok && !over && (parents[seq] == r.Turn || seq == r.Turn) {
				t.Fatalf("seed %d: %d ends the grant, and nothing that it gave was ever used", seed, seq)
			}
			if !ok {
				ended++
				break
			}
			if next.Last != r.Last+1 {
				t.Fatalf("seed %d: %+v, then %+v", seed, r, next)
			}
			mark()
			went++
			r = next
			parents[r.Last] = r.Turn
		}
	}
	if ended < 100 || went < 1000 {
		t.Errorf("%d ended, %d went on: this test sees too little", ended, went)
	}
}

// TestNinetyDays: a client refreshes every 50 minutes, 2 % of the answers are lost, the program is restarted every day, and the client is now and then silent for hours. It is never
// signed out.
func TestNinetyDays(t *testing.T) {
	for seed := range uint64(3) {
		synctest.Test(t, func(t *testing.T) { ninetyDays(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func ninetyDays(t *testing.T, rng *rand.Rand) {
	w := newWorld(t)
	tick := func() { w.now = time.Now() }
	tick()
	id, have := w.in()
	start, restarted := time.Now(), time.Now()
	refreshed, lost, silent := 0, 0, 0
	try := func() bool {
		tick()
		got, fault := w.refreshes(id, have.refresh)
		if fault != "" {
			t.Fatalf("signed out after %v, %d refreshes, %d lost: %q, %+v", time.Since(start), refreshed, lost, fault, w.only())
		}
		if rng.IntN(100) < 2 {
			lost++
			return false
		}
		have = got
		refreshed++
		return true
	}
	for time.Since(start) < 90*24*time.Hour {
		time.Sleep(50 * time.Minute)
		if time.Since(restarted) > 24*time.Hour {
			w.restart()
			restarted = time.Now()
		}
		for !try() {
			switch rng.IntN(4) {
			case 0: // at once
			case 1:
				time.Sleep(time.Duration(rng.IntN(30)) * time.Second)
			case 2: // it goes on with what it has
				if tick(); rng.IntN(2) == 0 {
					w.works(have.access)
				}
				time.Sleep(50 * time.Minute)
			case 3:
				silent++
				time.Sleep(time.Duration(rng.IntN(48)) * time.Hour)
				if rng.IntN(2) == 0 {
					w.restart()
				}
			}
		}
		for range rng.IntN(3) {
			time.Sleep(time.Duration(rng.IntN(600)) * time.Second)
			if tick(); !w.works(have.access) {
				t.Fatalf("a call was refused after %v", time.Since(start))
			}
		}
	}
	if g := w.only(); !g.Ended.IsZero() || refreshed < 2000 || lost < 20 || silent == 0 {
		t.Errorf("%d refreshes, %d lost, %d silences, %+v", refreshed, lost, silent, g)
	}
	if n := len(w.store.state.tokens); n > refreshKept+10 {
		t.Errorf("%d tokens are kept", n)
	}
	t.Logf("%d refreshes, %d lost answers, %d silences, %d tokens kept", refreshed, lost, silent, len(w.store.state.tokens))
}

// However many answers are lost, the token that they were given for is known, and so is the one before it while requests overtake each other.
func TestTheTokenWhereThingsStandIsKept(t *testing.T) {
	w := newWorld(t)
	id, first := w.in()
	have, _ := w.refreshes(id, first.refresh)
	for range 3 {
		if _, fault := w.refreshes(id, have.refresh); fault != "" {
			t.Fatal(fault)
		}
		g := w.only()
		g.Last += refreshKept // as if as many answers had been lost
		w.store.state.grants[g.ID] = g
		if _, fault := w.refreshes(id, first.refresh); fault != "" {
			t.Fatalf("the one before: %q", fault)
		}
	}
	w.pass(time.Hour)
	next, fault := w.refreshes(id, have.refresh)
	if fault != "" || !w.works(next.access) {
		t.Errorf("%q", fault)
	}
	if n := len(w.store.state.tokens); n > 6 {
		t.Errorf("%d tokens are kept", n)
	}
}

// What is kept of a grant does not grow for ever; and a token that is no longer known ends nothing.
func TestTokensThatAreForgotten(t *testing.T) {
	w := newWorld(t)
	id, first := w.in()
	have, _ := w.refreshes(id, first.refresh)
	for range 100 {
		w.pass(time.Minute)
		have, _ = w.refreshes(id, have.refresh)
	}
	if n := len(w.store.state.tokens); n > 102+62 { // every refresh token, and an hour's access tokens
		t.Errorf("%d tokens are kept", n)
	}
	g := w.only()
	g.Last += refreshKept // as if it had gone on so long
	w.store.state.grants[g.ID] = g
	w.pass(time.Minute)
	if have, _ = w.refreshes(id, have.refresh); len(w.store.state.tokens) > 70 {
		t.Errorf("%d tokens are kept", len(w.store.state.tokens))
	}
	if _, fault := w.refreshes(id, first.refresh); fault != invalidGrant || !w.works(have.access) {
		t.Errorf("%q", fault)
	}
}
