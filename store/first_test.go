package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

func states(t *testing.T, s *Store) (all string) {
	t.Helper()
	ok(t, scan(t, s, `SELECT coalesce(group_concat(text || ':' || state, ' '), '') FROM (SELECT text, state FROM outbox ORDER BY text)`, &all))
	return all
}

// TestInvariant08AContactsTextWaitsBehindNoClaim: whatever came under her number before, what the list has as hers is told of by itself.
func TestInvariant08AContactsTextWaitsBehindNoClaim(t *testing.T) {
	for name, summed := range map[string]bool{"held back": false, "in a summary": true} {
		s, woken := newStore(t), 0
		s.Outbox(func() { woken++ })
		addContact(t, s, "Marie", "+15145550101")
		stranger := smsmcp.NumberPeer("+15145550102")
		storeTexts(t, s, noon, claimed("spoof", marie, "spoof", noon), claimed("s1", marie, "one", noon), claimed("s2", marie, "two", noon), claimed("x", stranger, "hi", noon))
		ok(t, s.HoldAllBut(t.Context(), 0, noon.Add(time.Hour)))
		if summed {
			ok(t, s.Summed(t.Context(), noon, 4))
		}
		woken = 0
		storeTexts(t, s, noon.Add(time.Second), received("l2", marie, "two", noon))
		storeTexts(t, s, noon.Add(time.Second), received("l1", marie, "one", noon), received("lx", stranger, "hi", noon), received("l3", marie, "three", noon))
		held := 1
		if summed {
			held = 3
		}
		if got, want := states(t, s), fmt.Sprintf("1:%d 2:0 3:0 4:%d 5:0", held, held); got != want || woken != 2 {
			t.Errorf("%s: %s, want %s; woken %d times", name, got, want, woken)
		}
		for _, want := range []string{"one", "two", "three"} {
			o := owed(t, s)
			if o.First == nil || o.First.Text.Body.RawForStore() != want || o.First.Contact == nil || o.First.Text.Unverified {
				t.Fatalf("%s: %+v, want %s", name, o.First, want)
			}
			if p, err := s.Pace(t.Context(), o.First.Text, noon.Add(-time.Hour), noon.Add(time.Hour)); err != nil || p.Held {
				t.Errorf("%s: %+v, %v: it waits behind a claim", name, p, err)
			}
			ok(t, s.Told(t.Context(), noon.Add(time.Second), o.First.Text.ID))
		}
		// What is held back of her own goes first.
		storeTexts(t, s, noon, received("l4", marie, "four", noon))
		four := owed(t, s).First.Text
		ok(t, s.Hold(t.Context(), four, noon.Add(time.Hour)))
		if p, err := s.Pace(t.Context(), four, noon, noon); err != nil || !p.Held {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if p, err := s.Pace(t.Context(), smsmcp.Text{Peer: stranger, Unverified: true}, noon, noon); err != nil || p.Held {
			t.Errorf("%s: %+v, %v: a claim waits behind a text of whose number it claims", name, p, err)
		}
	}
}

// TestInvariant08WhatWasJudgedAsAClaimIsNotHeldAsAContacts: the list has the text between the judgement and the hold.
func TestInvariant08WhatWasJudgedAsAClaimIsNotHeldAsAContacts(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	addContact(t, s, "Marie", "+15145550101")
	storeTexts(t, s, noon, claimed("s1", marie, "one", noon), claimed("s2", marie, "two", noon))
	judged := owed(t, s).First.Text
	storeTexts(t, s, noon, received("l1", marie, "one", noon))
	ok(t, s.Hold(t.Context(), judged, noon.Add(time.Hour)))
	if got := states(t, s); got != "1:0 2:1" {
		t.Error(got)
	}
}

// TestInvariant03ContactsComeFirst: in what is told of next, in what is kept after an outage, and in what a summary names; each sender's in the order in which they came.
func TestInvariant03ContactsComeFirst(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	addContact(t, s, "Marie", "+15145550101")
	anna := smsmcp.NumberPeer("+15145550102")
	var flood []smsmcp.Text
	for i := range 40 {
		peer := smsmcp.NumberPeer(smsmcp.Number(fmt.Sprint("+1514555020", i%10)))
		if i%4 == 0 {
			peer = marie
		}
		flood = append(flood, claimed(fmt.Sprint(i), peer, fmt.Sprint("spoof ", i), noon))
	}
	storeTexts(t, s, noon, flood[:20]...)
	storeTexts(t, s, noon, received("a1", anna, "a1", noon), received("m1", marie, "m1", noon), received("m2", marie, "m2", noon))
	storeTexts(t, s, noon, flood[20:]...)
	addContact(t, s, "Anna", "+15145550102")
	if o := owed(t, s); o.First.Text.Key.ID != "a1" || o.First.Contact.Name != "Anna" {
		t.Errorf("%+v comes first", o.First)
	}
	bodies := func() (all []string) {
		for o := owed(t, s); o.First != nil; o = owed(t, s) {
			all = append(all, o.First.Text.Body.RawForStore())
			ok(t, s.Told(t.Context(), noon, o.First.Text.ID))
		}
		return all
	}
	ok(t, s.HoldAllBut(t.Context(), 5, noon))
	if got := strings.Join(bodies(), " "); got != "a1 m1 m2 spoof 38 spoof 39" {
		t.Error(got)
	}
	storeTexts(t, s, noon, received("a2", anna, "a2", noon), received("m3", marie, "m3", noon), received("m4", marie, "m4", noon), claimed("last", marie, "last", noon))
	ok(t, s.HoldStrangers(t.Context(), noon))
	ok(t, s.HoldAllBut(t.Context(), 1, noon))
	if got := strings.Join(bodies(), " "); got != "m4" {
		t.Error(got)
	}
	sum, err := s.Summary(t.Context())
	ok(t, err)
	if sum.Texts != 41 || sum.Senders != 13 || len(sum.Most) != 8 {
		t.Errorf("%+v", sum)
	}
	for i, name := range []string{"Anna", "Marie"} {
		if m := sum.Most[i]; m.Texts != 1 || m.From.Contact == nil || m.From.Contact.Name != name {
			t.Errorf("%+v is not %s's", m, name)
		}
	}
	if m := sum.Most[2]; m.Texts != 11 || m.From.Contact != nil || !m.From.Text.Unverified || !m.From.Text.Peer.Same(marie) {
		t.Errorf("%+v", m)
	}
}

// TestInvariant08APreclaimIsNotTheText: a claim that was told of well before the text was sent is told of anew, aloud, whoever's it is. One that the list
// has late, or an hour off, is not.
func TestInvariant08APreclaimIsNotTheText(t *testing.T) {
	stranger := smsmcp.NumberPeer("+15145550102")
	for name, c := range map[string]struct {
		listed, now time.Duration // after the claim, which is told of at once
		want        [3]int        // Marie's, a stranger's, and a stranger's that a summary told of
	}{
		"a moment later":                   {time.Second, 3 * time.Second, [3]int{4, 2, 3}},
		"as late as clocks may be off":     {laterBy, laterBy, [3]int{4, 2, 3}},
		"an hour later":                    {time.Hour + 2*time.Minute, time.Hour + 3*time.Minute, [3]int{0, 0, 0}},
		"less than that":                   {time.Hour - pairWithin, time.Hour - pairWithin, [3]int{0, 0, 0}},
		"a list that is an hour off":       {time.Hour, 3 * time.Second, [3]int{4, 2, 3}},
		"a list that is late":              {time.Second, 50 * time.Minute, [3]int{4, 2, 3}},
		"a list that is too late for that": {time.Second, 2 * time.Hour, [3]int{2, 2, 3}},
	} {
		s, woken := newStore(t), 0
		s.Outbox(func() { woken++ })
		addContact(t, s, "Marie", "+15145550101")
		storeTexts(t, s, noon, claimed("s1", marie, "ok", noon), claimed("s2", stranger, "ok", noon), claimed("s3", stranger, "yes", noon))
		ok(t, s.ToldClaim(t.Context(), noon, 1))
		ok(t, s.ToldClaim(t.Context(), noon, 2))
		ok(t, s.HoldAllBut(t.Context(), 0, noon))
		ok(t, s.Summed(t.Context(), noon, 3))
		at, now := noon.Add(c.listed), noon.Add(c.now)
		woken = 0
		storeTexts(t, s, now, received("l1", marie, "OK!", at), received("l2", stranger, "ok", at), received("l3", stranger, "yes", at))
		if got, want := states(t, s), fmt.Sprintf("1:%d 2:%d 3:%d", c.want[0], c.want[1], c.want[2]); got != want || (woken == 1) != (c.want[0] != 2) {
			t.Errorf("%s: %s, want %s; woken %d times", name, got, want, woken)
		}
		if o := owed(t, s); c.want[0] == 0 && (o.First.Text.Key.ID != "l1" || o.First.Contact == nil) {
			t.Errorf("%s: %+v", name, o.First)
		}
	}
}

// TestTheTextOfTheSameHourComesFirst: not the one of an hour before, however exactly.
func TestTheTextOfTheSameHourComesFirst(t *testing.T) {
	for name, zone := range map[string]time.Duration{"before": -time.Hour, "after": time.Hour} {
		s := newStore(t)
		storeTexts(t, s, noon, claimed("far", marie, "ok", noon.Add(zone)), claimed("near", marie, "ok", noon.Add(3*time.Minute)), received("l", marie, "ok", noon))
		if p := page(t, s, smsmcp.Query{Strangers: true}); len(p.Rows) != 2 || p.Rows[0].Text.Unverified == p.Rows[1].Text.Unverified || strings.Join(ids(p), " ") == "l near" {
			t.Errorf("%s: %v", name, ids(p))
		}
	}
}

// TestInvariant08WhatALikeTextTookIn says so, once, so that the list is asked whether it has two.
func TestInvariant08WhatALikeTextTookIn(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	receive := func(x smsmcp.Text, added int, absorbed bool) {
		t.Helper()
		a, b, err := s.Receive(t.Context(), noon, x)
		ok(t, err)
		if len(a) != added || b != absorbed {
			t.Errorf("%d added, absorbed %v", len(a), b)
		}
	}
	storeTexts(t, s, noon, received("l1", marie, "ok", noon))
	second := claimed("s2", marie, "OK.", noon.Add(2*time.Minute))
	receive(second, 0, true)
	receive(second, 0, false)
	storeTexts(t, s, noon, received("l2", marie, "OK.", noon.Add(2*time.Minute)))
	if outboxRows(t, s) != 2 {
		t.Errorf("%d owed", outboxRows(t, s))
	}
	receive(claimed("s3", marie, "new", noon), 1, false)
	receive(received("l3", marie, "new", noon), 0, false)
	trunk := claimed("s4", marie, "trunk", noon)
	trunk.Unverified = false
	receive(received("l4", marie, "trunk", noon), 1, false)
	receive(trunk, 0, false)
	storeTexts(t, s, noon, picture(received("l5", marie, "party", noon)))
	trunk = claimed("s5", marie, "party", noon)
	trunk.Unverified = false
	receive(trunk, 0, false)
}

// TestAStopCountsFromWhenItBecameOne, and until it is cleared, whichever way and in whatever order they come.
func TestAStopCountsFromWhenItBecameOne(t *testing.T) {
	s := newStore(t)
	c, other := addContact(t, s, "Marie", "+15145550101"), addContact(t, s, "Anna", "+15145550102")
	anna := smsmcp.NumberPeer("+15145550102")
	n := 0
	expect := func(of smsmcp.Contact, want bool) {
		t.Helper()
		n++
		if got := look(t, s, smsmcp.Recipient{ID: of.ID}, needFor("x", noon), noon).Stopped; got != want {
			t.Errorf("%d: stopped %v", n, got)
		}
	}
	storeTexts(t, s, noon, claimed("s1", marie, "STOP", noon), claimed("s2", marie, "stop", noon.Add(10*time.Minute)))
	ok(t, s.ClearStop(t.Context(), c.ID))
	expect(c, false)
	storeTexts(t, s, noon, received("l1", marie, "Stop", noon)) // an older text, and a STOP since now
	expect(c, true)
	ok(t, s.ClearStop(t.Context(), c.ID)) // nothing came meanwhile
	expect(c, false)
	storeTexts(t, s, noon, received("l2", marie, "Stop", noon.Add(10*time.Minute)))
	expect(c, true)
	storeTexts(t, s, noon, received("a1", anna, "STOP", noon))
	ok(t, s.ClearStop(t.Context(), c.ID))
	expect(c, false)
	expect(other, true)
	trunk := claimed("s3", marie, "STOP", noon.Add(20*time.Minute))
	trunk.Unverified = false
	storeTexts(t, s, noon, trunk)
	expect(c, true)
	ok(t, s.ClearStop(t.Context(), c.ID))
	ok(t, s.ClearStop(t.Context(), other.ID))
	storeTexts(t, s, noon, received("l3", marie, "STOP", noon.Add(20*time.Minute))) // the trunk's, which was one already
	expect(c, false)
	expect(other, false)
	ok(t, s.RemoveContact(t.Context(), c.ID))
	c = addContact(t, s, "Marie", "+15145550101")
	expect(c, true)
}

// TestABurstOfClaimsIsNotHeard until it is shown: it must not make every send ask.
func TestABurstOfClaimsIsNotHeard(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	storeTexts(t, s, noon, received("l", marie, "hello", noon))
	spoof := smsmcp.NumberPeer("+15145550199")
	added := storeTexts(t, s, noon, claimed("s", spoof, "spoof", noon), claimed("t", spoof, "spoof", noon), claimed("u", spoof, "spoof", noon))
	alike(t, s, "s", guard.MaxHeard)
	heard := func() int {
		st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon.Add(time.Hour))
		if st.HeardMore {
			t.Error("more was heard")
		}
		return len(st.Heard)
	}
	if n := heard(); n != 1 {
		t.Errorf("%d heard", n)
	}
	ok(t, s.Show(t.Context(), smsmcp.Shown{At: noon, Texts: []smsmcp.TextID{added[1].ID, added[2].ID}}))
	if n := heard(); n != 3 {
		t.Errorf("%d heard, two of them as they were shown", n)
	}
	storeTexts(t, s, noon, received("r", spoof, "spoof", noon))
	if n := heard(); n != 4 {
		t.Errorf("%d heard, one of them as it is known", n)
	}
}
