// Package carriertest is the contract that every carrier keeps, as a suite that each carrier's own tests run.
//
// It imports smsmcp and floor 0. Tests only.
package carriertest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
)

// Harness is one carrier that is fresh, empty and bound to something that takes its texts.
type Harness struct {
	Carrier smsmcp.Carrier
	To      smsmcp.Number // somebody whom it can reach
	Now     func() time.Time
	Taken   func() int // how many texts the other side was handed

	// Receive makes a text come in. Nil where the carrier cannot list: NoList must say so then.
	Receive func(t *testing.T, from smsmcp.Peer, body string, at time.Time)
	NoList  bool // a carrier that tells nobody what it holds

	// Break makes the next list fail part of the way. Nil where it cannot be made to.
	Break func(t *testing.T)

	// Spoil makes one text that the carrier holds one that cannot be read. Nil where that cannot be.
	Spoil func(t *testing.T)
}

// bodies are what people write, and what breaks quoting.
var bodies = map[string]string{
	"ascii":    "See you at 5 pm, bring 2+2 chairs & a 50% cake.",
	"french":   "Ça va être l’été à Nîmes : « où ? » — là-bas, à 12 € l'entrée.",
	"emoji":    "👩‍👩‍👧‍👦 ok 👍🏽 🇫🇷",
	"quotes":   `It's "so", he said: ''twice'' ‘x’ “y” <b>`,
	"newlines": "one\ntwo\n\nfour",
	"json":     `{"status":"success","sms":[]} \n \u0041 </html>`,
	"scripts":  "مرحبا שלום नमस्ते สวัสดี tiếng Việt",
	"blanks":   "  two before, two after  ",
}

// Run runs the contract; fresh makes a new Harness for every part of it.
func Run(t *testing.T, fresh func(t *testing.T) Harness) {
	t.Run("Name", func(t *testing.T) { testName(t, fresh(t)) })
	t.Run("Plan", func(t *testing.T) { testPlan(t, fresh(t)) })
	t.Run("Check", func(t *testing.T) {
		h := fresh(t)
		if err := h.Carrier.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := h.Taken(); n != 0 {
			t.Fatalf("Check sent %d texts", n)
		}
	})
	t.Run("CancelledBeforeTheSend", func(t *testing.T) { testCancelled(t, fresh(t)) })
	t.Run("TooLong", func(t *testing.T) { testTooLong(t, fresh(t)) })
	t.Run("BadBody", func(t *testing.T) { testBadBody(t, fresh(t)) })
	t.Run("ConcurrentSends", func(t *testing.T) { testConcurrent(t, fresh(t)) })
	if h := fresh(t); h.NoList {
		if _, ok := h.Carrier.(smsmcp.Lister); ok {
			t.Error("NoList is said of a carrier that lists")
		}
		return
	}
	t.Run("SentIsListed", func(t *testing.T) { testSent(t, fresh) })
	t.Run("TwoIdenticalSendsAreTwo", func(t *testing.T) { testTwins(t, fresh(t)) })
	t.Run("ReceivedIsListed", func(t *testing.T) { testReceived(t, fresh(t)) })
	t.Run("ListIsSorted", func(t *testing.T) { testSorted(t, fresh(t)) })
	t.Run("ErrorGivesNoList", func(t *testing.T) { testNoPart(t, fresh(t)) })
	t.Run("PartIsSaid", func(t *testing.T) { testPart(t, fresh(t)) })
}

func testName(t *testing.T, h Harness) {
	if !regexp.MustCompile(`^[a-z]+$`).MatchString(h.Carrier.Name()) {
		t.Fatalf("the name %q is not [a-z]+", h.Carrier.Name())
	}
}

func testPlan(t *testing.T, h Harness) {
	for name, body := range bodies {
		p, err := h.Carrier.Plan(body)
		if err != nil || p.Segments < 1 || p.Kind != smsmcp.SMS && p.Kind != smsmcp.MMS {
			t.Errorf("%s: the plan is %+v, %v", name, p, err)
		}
	}
	longest := longestBody(t, h)
	for n := 1; n <= longest; n++ {
		if p, err := h.Carrier.Plan(strings.Repeat("a", n)); err != nil || p.Segments < 1 || p.Kind == smsmcp.MMS && p.Segments != 1 {
			t.Fatalf("%d bytes: the plan is %+v, %v", n, p, err)
		}
	}
	if _, err := h.Carrier.Plan(strings.Repeat("a", longest+1)); !errors.Is(err, smsmcp.ErrTooLong) {
		t.Fatalf("%d bytes: %v", longest+1, err)
	}
}

// longestBody finds the longest body of one-byte letters that the carrier plans.
func longestBody(t *testing.T, h Harness) int {
	t.Helper()
	lo, hi := 1, 1<<20
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if _, err := h.Carrier.Plan(strings.Repeat("a", mid)); err == nil {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 1<<20 {
		t.Fatal("Plan has no bound")
	}
	return lo
}

func testCancelled(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Carrier.Send(ctx, h.To, "too late"); !errors.Is(err, smsmcp.ErrNotSent) {
		t.Errorf("the error is %v", err)
	}
	if n := h.Taken(); n != 0 {
		t.Errorf("%d texts went", n)
	}
}

func testTooLong(t *testing.T, h Harness) {
	longest := longestBody(t, h)
	_, err := h.Carrier.Send(t.Context(), h.To, strings.Repeat("a", longest+1))
	if !errors.Is(err, smsmcp.ErrTooLong) || !errors.Is(err, smsmcp.ErrNotSent) {
		t.Errorf("one byte too long: %v", err)
	}
	coded(t, err)
	if n := h.Taken(); n != 0 {
		t.Errorf("%d texts went", n)
	}
	if _, err := h.Carrier.Send(t.Context(), h.To, strings.Repeat("a", longest)); err != nil || h.Taken() != 1 {
		t.Errorf("the longest body: %v, %d went", err, h.Taken())
	}
}

func testBadBody(t *testing.T, h Harness) {
	for _, body := range []string{"", "not \xff UTF-8"} {
		_, err := h.Carrier.Send(t.Context(), h.To, body)
		if !errors.Is(err, smsmcp.ErrNotSent) {
			t.Errorf("%q: %v", body, err)
		}
		coded(t, err)
	}
	if _, err := h.Carrier.Send(t.Context(), "12", "hello"); !errors.Is(err, smsmcp.ErrNotSent) {
		t.Errorf("no number at all: %v", err)
	}
	if n := h.Taken(); n != 0 {
		t.Errorf("%d texts went", n)
	}
}

// coded asserts that an error of Send carries a code in the known form (invariant 13).
func coded(t *testing.T, err error) {
	t.Helper()
	var c smsmcp.Coded
	if !errors.As(err, &c) || !regexp.MustCompile(`^[a-z_]{1,40}$`).MatchString(c.Code()) {
		t.Errorf("the error %v carries no code", err)
	}
}

func testConcurrent(t *testing.T, h Harness) {
	const n = 16
	keys := make([]smsmcp.Key, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r, err := h.Carrier.Send(t.Context(), h.To, fmt.Sprintf("number %d", i))
			if err != nil {
				t.Error(err)
			}
			keys[i] = r.Key
		})
	}
	wg.Wait()
	if h.Taken() != n {
		t.Errorf("%d of %d went", h.Taken(), n)
	}
	if h.NoList {
		return
	}
	seen := map[smsmcp.Key]bool{}
	for _, k := range keys {
		if seen[k] {
			t.Errorf("two sends have the key %v", k)
		}
		seen[k] = true
	}
	if got := list(t, h); len(got) != n {
		t.Errorf("%d of %d are listed", len(got), n)
	}
}
