package consent

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestPlacesHoldAllThatTheOracleAsks says that the walk may hold two histories for one: wherever random histories meet in a place, the oracle
// says the same of both, were the draft sent there on any yes.
func TestPlacesHoldAllThatTheOracleAsks(t *testing.T) {
	yeses := []symbol{byName["yes"], byName["yes-early"], byName["yes-and-more"], byName["echo"], byName["1"], byName["1-early"]}
	type probe struct {
		at  place
		yes string
	}
	seen, met, allowed := map[probe]bool{}, 0, 0
	for seed := range 1200 {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		n := &node{m: New(testPrompts), c: course{now: noon}}
		var hs []happened
		for range 2 * depth {
			s := pick(r, n.m, 2+seed%6)
			m, c, h := take(n.m, n.c, s)
			n = &node{m: m, c: c, past: n.past.then(h)}
			if h.event != nil {
				hs = append(hs, h)
			}
			for _, y := range yeses {
				_, _, probed := take(n.m, n.c, y)
				probed.effects = []Effect{Send{n.past.draft, probed.event.(Final).Turn}}
				ok := objection(append(hs[:len(hs):len(hs)], probed)) == ""
				at := probe{n.place(), y.name}
				if before, again := seen[at]; again {
					if met++; before != ok {
						t.Fatalf("seed %d: after %s the oracle says of %q once %v and once %v", seed, tail(hs), y.name, before, ok)
					}
				}
				if seen[at] = ok; ok {
					allowed++
				}
			}
		}
	}
	t.Logf("%d places, met again %d times, %d times a yes was allowed", len(seen), met, allowed)
	if met < 10000 || allowed < 500 {
		t.Error("too few: this test sees nothing")
	}
}

var byName = func() map[string]symbol {
	by := map[string]symbol{}
	for _, s := range alphabet {
		by[s.name] = s
	}
	return by
}()

// pick takes a symbol that leads on, but once in so many times any.
func pick(r *rand.Rand, m Machine, once int) symbol {
	on := [][]string{
		idle:    {"owner", "prepared-a", "prepared-b", "unclear"},
		reading: {"started", "0.5s", "played", "played", "begun"},
		asking:  {"0.5s", "asked", "asked", "begun", "yes", "1", "unclear", "echo", "16s", "silence"},
	}
	if r.IntN(once) > 0 {
		return byName[on[m.stage][r.IntN(len(on[m.stage]))]]
	}
	s := alphabet[r.IntN(len(alphabet))]
	if s.name == "hang-up" && r.IntN(20) > 0 {
		return byName["tool"]
	}
	return s
}

// TestInvariant10LongCalls plays long random calls, each of which takes mostly the step that leads on, and sometimes any.
func TestInvariant10LongCalls(t *testing.T) {
	calls, length, sends := 400, 1500, 0
	if testing.Short() {
		calls = 50
	}
	for seed := range calls {
		r := rand.New(rand.NewPCG(uint64(seed), 10))
		m, c, h := take(New(testPrompts), course{now: noon}, byName["owner"])
		hs := []happened{h}
		for len(hs) < length && !m.over {
			s := pick(r, m, 8)
			// Any other pause, of any length, now and then.
			if r.IntN(3) == 0 {
				c.now = c.now.Add(time.Duration(r.Int64N(int64(3 * time.Second))))
			}
			m, c, h = take(m, c, s)
			if h.event == nil {
				continue
			}
			hs = append(hs, h)
			if why := wrong(hs); why != "" {
				t.Fatalf("seed %d, step %d: %s\n%s", seed, len(hs), why, tail(hs))
			}
			if _, ok := did[Send](h); ok {
				sends++
			}
		}
	}
	t.Logf("%d calls, %d sends", calls, sends)
	if sends < calls {
		t.Errorf("%d sends in %d calls: this test sees too little", sends, calls)
	}
}

func tail(hs []happened) string {
	var b strings.Builder
	for _, h := range hs[max(0, len(hs)-25):] {
		fmt.Fprintf(&b, "%s %T%+v → %T\n", h.at.Format("15:04:05.000"), h.event, h.event, h.effects)
	}
	return b.String()
}
