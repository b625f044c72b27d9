package page

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"readback/smsmcp"
)

// TestManyAddressesAreNotManyMoreGuesses: all who are not signed in share what is judged a minute, and so does each network of IPv6. Who is signed in is not held up.
func TestManyAddressesAreNotManyMoreGuesses(t *testing.T) {
	var addr netip.Addr
	h := build(t, func(o *Options) { o.Address = func(*http.Request) netip.Addr { return addr } })
	addr = netip.MustParseAddr("203.0.113.9")
	owner := h.browser().signIn()
	guesses := 0
	guess := func(at string) int {
		addr = netip.MustParseAddr(at)
		return h.browser().post("/sign-in", url.Values{"passphrase": {"guess"}}).Code
	}
	before := h.prover.count()
	for i := range 120 {
		guess(fmt.Sprintf("198.51.100.%d", i))
		guess(fmt.Sprintf("2001:db8:%x::1", i))
		guesses += 2
		h.now = h.now.Add(time.Second)
	}
	if n := h.prover.count() - before; n > 2*allTriesPerMinute+allTriesAtOnce || n < 2*allTriesPerMinute {
		t.Errorf("of %d guesses in two minutes %d were judged", guesses, n)
	}
	addr = netip.MustParseAddr("203.0.113.9")
	s := h.draft("Marie Tremblay", "Oui.")
	w := owner.press(owner.get("/"), yesPath(s))
	if w = owner.press(w, yesPath(s), "passphrase", theWords); w.Code != http.StatusSeeOther || h.state(s.ID) != smsmcp.Done {
		t.Error("strangers keep waiting who is signed in:", w.Code)
	}

	// Nor do they keep the owner out where the owner was before, with tries of its own; elsewhere they do.
	for range 2 * allTriesAtOnce {
		h.now = h.now.Add(time.Second / 10)
		guess(fmt.Sprintf("198.51.99.%d", h.now.Nanosecond()/1e8))
	}
	guess("198.51.98.1")
	addr = netip.MustParseAddr("203.0.113.9")
	h.browser().signIn()
	for i := range triesPerMinute + 1 {
		if c := guess("203.0.113.9"); (c == http.StatusForbidden) != (i < triesPerMinute) {
			t.Error("where the owner was before:", i, c)
		}
	}
	if c := guess("203.0.113.11"); c != http.StatusTooManyRequests {
		t.Error("elsewhere:", c)
	}
	h.now = h.now.Add(whole)
	for i := range 2 * allTriesAtOnce {
		guess(fmt.Sprintf("198.51.97.%d", i))
	}
	if c := guess("203.0.113.9"); c != http.StatusTooManyRequests {
		t.Error("where the owner was long ago:", c)
	}

	// One network of IPv6, whatever its hosts: ten at once, and then ten a minute.
	h.now = h.now.Add(time.Hour)
	before = h.prover.count()
	for i := range 60 {
		guess(fmt.Sprintf("2001:db8:1:%x::1", i))
		h.now = h.now.Add(time.Second)
	}
	if n := h.prover.count() - before; n > 2*networkTriesPerMinute || n < 2*networkTriesPerMinute-1 {
		t.Errorf("%d guesses of one network were judged in a minute", n)
	}
	if c := guess("2001:db8:2::1"); c != http.StatusForbidden {
		t.Error("another network waits too:", c)
	}
	// One address that goes on and on leaves the others theirs.
	h.now = h.now.Add(time.Hour)
	for range 100 {
		guess("203.0.113.66")
	}
	addr = netip.MustParseAddr("203.0.113.10")
	h.browser().signIn()
}

// TestTheOwnerIsToldOfManyWrongPassphrases, wherever they come from, once an hour.
func TestTheOwnerIsToldOfManyWrongPassphrases(t *testing.T) {
	i := 0
	var told []Notice
	h := build(t, func(o *Options) {
		o.Address = func(*http.Request) netip.Addr { return netip.AddrFrom4([4]byte{198, 51, byte(i >> 8), byte(i)}) }
		o.Notify = func(n Notice) { told = append(told, n) }
	})
	wrong := func(n int, every time.Duration) {
		for range n {
			i++
			h.browser().post("/sign-in", url.Values{"passphrase": {"guess"}})
			h.now = h.now.Add(every)
		}
	}
	expect := func(counts ...int) {
		t.Helper()
		if len(told) != len(counts) {
			t.Fatal(told)
		}
		for i, n := range counts {
			if told[i] != (Notice{What: WrongPassphrases, Count: n}) {
				t.Fatal(told)
			}
		}
	}
	h.browser().signIn()
	wrong(manyWrong-1, 10*time.Second)
	h.browser().signIn()
	expect()
	h.now = h.now.Add(time.Hour) // a few, and then quiet
	wrong(manyWrong-1, 10*time.Second)
	expect()
	wrong(1, 10*time.Second)
	expect(manyWrong)
	wrong(100, 30*time.Second)
	expect(manyWrong)
	wrong(40, 30*time.Second)
	expect(manyWrong, 121)
	if h.now = h.now.Add(-30 * time.Minute); len(told) != 2 {
		t.Fatal(told)
	}
	wrong(50, 10*time.Second) // a clock that is set back has nothing told early
	expect(manyWrong, 121)
}

// TestASessionsWrongPassphrasesCount: somebody may drive the owner's own browser.
func TestASessionsWrongPassphrasesCount(t *testing.T) {
	var told []Notice
	h := build(t, func(o *Options) { o.Notify = func(n Notice) { told = append(told, n) } })
	b := h.browser().signIn()
	h.now = h.now.Add(fresh)
	s := h.draft("Marie Tremblay", "Oui.")
	for range manyWrong {
		b.press(b.press(b.get("/"), yesPath(s)), yesPath(s), "passphrase", "guess")
		h.now = h.now.Add(20 * time.Second)
	}
	if len(told) != 1 || told[0].Count != manyWrong || h.state(s.ID) != smsmcp.Waiting {
		t.Error(told, h.state(s.ID))
	}
}
