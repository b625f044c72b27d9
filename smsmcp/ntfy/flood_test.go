package ntfy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
)

// spoof is a message that anyone can have written, with a number of its own choice.
func spoof(i int, from smsmcp.Peer, at time.Time) smsmcp.Text {
	x := text(fmt.Sprint("x", i), from, fmt.Sprint("spoof ", i), at)
	x.Key.Carrier, x.Unverified = "sip", true
	return x
}

// ofMarie counts what was told as Marie's, by itself.
func ofMarie(got []message) (n int) {
	for _, m := range got {
		if m.Title == "Marie Tremblay" {
			n++
		}
	}
	return n
}

// TestInvariant03NoFloodKeepsAContactFromTheOwner: under her number or under others, faster than it can be told of, or while ntfy is away. Her texts come by SIP, and
// the list has them a moment later; one comes by the list alone.
func TestInvariant03NoFloodKeepsAContactFromTheOwner(t *testing.T) {
	number := func(i int) smsmcp.Peer { return smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1514556%04d", i))) }
	for name, c := range map[string]struct {
		spoofs int
		from   func(i int) smsmcp.Peer
		away   time.Duration // of ntfy, from just after the flood
	}{
		"her number":                {20, func(int) smsmcp.Peer { return smsmcp.NumberPeer(marie) }, 0},
		"any numbers":               {60, number, 0},
		"more than can be told":     {3000, func(i int) smsmcp.Peer { return number(i % 400) }, 0},
		"a few, and an outage":      {21, func(i int) smsmcp.Peer { return number(i % 8) }, 61 * time.Second},
		"many, and an outage":       {3000, number, 61 * time.Second},
		"her number, and an outage": {100, func(int) smsmcp.Peer { return smsmcp.NumberPeer(marie) }, 61 * time.Second},
	} {
		srv, s := newServer(t), newStore(t, "")
		b, clock := newBridge(t, srv, s, Options{})
		var flood []smsmcp.Text
		for i := range c.spoofs {
			flood = append(flood, spoof(i, c.from(i), noon))
		}
		steps := func() {
			if c.away > 0 {
				return
			}
			for range 40 { // the bridge does what it can
				_, err := b.step(t.Context())
				ok(t, err)
			}
		}
		add(t, s, noon, flood[:c.spoofs/2]...)
		steps()
		add(t, s, noon, spoof(-1, smsmcp.NumberPeer(marie), noon))
		add(t, s, noon, flood[c.spoofs/2:]...)
		steps()
		clock.now = noon.Add(2 * time.Second)
		real := text("l1", smsmcp.NumberPeer(marie), "spoof -1", noon)
		add(t, s, clock.now, real, text("l2", smsmcp.NumberPeer(marie), "by the list alone", noon))
		clock.now = noon.Add(4*time.Second + c.away)
		_, err := settle(t, b)
		ok(t, err)
		got := srv.messages()
		if n := ofMarie(got); n != 2 {
			t.Errorf("%s: %d of Marie's told, of %d", name, n, len(got))
		}
		if len(got) > 62+2 {
			t.Errorf("%s: %d told", name, len(got))
		}
	}
}

// TestAFloodIsHeldBackAtOnce, in a step and not in one for each of it, and its limit is for strangers: contacts' own is for each.
func TestAFloodIsHeldBackAtOnce(t *testing.T) {
	srv, s := newServer(t), newStore(t, "")
	b, _ := newBridge(t, srv, s, Options{InAll: 5, PerSender: 3, Backlog: 1 << 20})
	var flood []smsmcp.Text
	for i := range 1000 {
		flood = append(flood, spoof(i, smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1514556%04d", i))), noon))
	}
	add(t, s, noon, flood...)
	for i := range 6 { // Marie's own, past her limit, are held at once too
		add(t, s, noon, text(fmt.Sprint(i), smsmcp.NumberPeer(marie), fmt.Sprint("text ", i), noon))
	}
	n := 0
	for ; ; n++ {
		did, err := b.step(t.Context())
		ok(t, err)
		if did.idle > 0 {
			break
		}
	}
	o, err := s.Owed(t.Context())
	ok(t, err)
	if got := srv.messages(); n != 3+1+5+1 || len(got) != 8 || ofMarie(got) != 3 || o.Waiting != 0 || o.Held != 998 {
		t.Errorf("%d steps, %d told, %d waiting, %d held", n, len(got), o.Waiting, o.Held)
	}
	srv, s = newServer(t), newStore(t, "")
	b, _ = newBridge(t, srv, s, Options{InAll: 2})
	for i := range 6 {
		add(t, s, noon, text(fmt.Sprint(i), smsmcp.NumberPeer(marie), fmt.Sprint("text ", i), noon))
	}
	_, err = settle(t, b)
	ok(t, err)
	if got := srv.messages(); len(got) != 2 {
		t.Errorf("%d of contacts told", len(got))
	}
}

// TestASummaryBeginsWithContacts, however few theirs are.
func TestASummaryBeginsWithContacts(t *testing.T) {
	srv, s := newServer(t), newStore(t, "")
	b, c := newBridge(t, srv, s, Options{Backlog: 1, Newest: 1})
	var flood []smsmcp.Text
	for i := range 90 {
		flood = append(flood, spoof(i, smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1514556%04d", i%9))), noon))
	}
	add(t, s, noon, text("1", smsmcp.NumberPeer(marie), "one", noon), text("2", smsmcp.NumberPeer(marie), "two", noon))
	add(t, s, noon, flood...)
	c.now = noon.Add(2 * time.Minute)
	_, err := settle(t, b)
	ok(t, err)
	got := srv.messages()
	i := slices.IndexFunc(got, func(m message) bool { return m.Tags[0] == tagSummary })
	if i < 0 || len(got) != 2 || ofMarie(got) != 1 || !strings.HasPrefix(strings.Split(got[i].Message, "\n")[1], "1 from Marie Tremblay") {
		t.Errorf("%+v", got)
	}
}
