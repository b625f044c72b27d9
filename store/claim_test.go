package store

import (
	"slices"
	"testing"
	"time"

	"readback/smsmcp"
)

// sentText is a text that the carrier lists as sent.
func sentText(id string, to smsmcp.Number, body string, at time.Time) smsmcp.Text {
	x := received(id, smsmcp.NumberPeer(to), body, at)
	x.Direction, x.Delivery = smsmcp.Sent, "delivered"
	return x
}

// keyless is a send that went, and that the carrier gave no id.
func keyless(t *testing.T, s *Store, id string, c smsmcp.Contact, body string, at time.Time) {
	t.Helper()
	begin(t, s, draft(id, c, body, smsmcp.Reserved, at), at)
	record(t, s, smsmcp.SendID(id), smsmcp.Outcome{State: smsmcp.Unknown, At: at})
	record(t, s, smsmcp.SendID(id), smsmcp.Outcome{State: smsmcp.Done, At: at.Add(time.Minute), Failure: smsmcp.OwnerSaid, Reached: true})
}

// carriersID gives the id that the carrier calls a send by, as far as it is known.
func carriersID(t *testing.T, s *Store, id smsmcp.SendID) string {
	t.Helper()
	got, err := s.Send(t.Context(), id)
	ok(t, err)
	return got.Key.ID
}

// TestInvariant07AListedTextIsTheSendThatHadNoID: what the owner settled as sent is one text, and no other send's, once the list shows it.
func TestInvariant07AListedTextIsTheSendThatHadNoID(t *testing.T) {
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		carrier string // whom the send was handed to
		body    string
		to      smsmcp.Number
		at      time.Duration // of the listed text, after the send
		want    bool
	}{
		"as it was sent":             {"test", "See you at 6.", "+15145550101", 5 * time.Second, true},
		"by nobody in particular":    {"", "See you at 6.", "+15145550101", 5 * time.Second, true},
		"with the carrier's signs":   {"test", "see you  at 6", "+15145550101", 5 * time.Second, true},
		"a day later":                {"test", "See you at 6.", "+15145550101", day, true},
		"and the clock is behind":    {"test", "See you at 6.", "+15145550101", -2 * time.Minute, true},
		"by another carrier":         {"other", "See you at 6.", "+15145550101", 5 * time.Second, false},
		"other words":                {"test", "See you at 7.", "+15145550101", 5 * time.Second, false},
		"to another number":          {"test", "See you at 6.", "+15145550102", 5 * time.Second, false},
		"more than a day later":      {"test", "See you at 6.", "+15145550101", day + time.Second, false},
		"from well before the send":  {"test", "See you at 6.", "+15145550101", -3 * time.Minute, false},
		"from long before that also": {"test", "See you at 6.", "+15145550101", -day, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			marie := addContact(t, s, "Marie", "+15145550101")
			x := draft("a", marie, "See you at 6.", smsmcp.Reserved, noon)
			x.Key.Carrier = c.carrier
			begin(t, s, x, noon)
			record(t, s, "a", smsmcp.Outcome{State: smsmcp.Unknown, At: noon})
			record(t, s, "a", smsmcp.Outcome{State: smsmcp.Done, At: noon.Add(time.Hour), Failure: smsmcp.OwnerSaid, Reached: true})
			echo := received("899", smsmcp.NumberPeer(c.to), c.body, noon.Add(c.at)) // Marie wrote the same
			if n := len(storeTexts(t, s, noon.Add(time.Hour), echo)); n != 1 {
				t.Errorf("a received text is taken for a sent one")
			}
			listed := sentText("900", c.to, c.body, noon.Add(c.at))
			added := storeTexts(t, s, noon.Add(time.Hour), listed)
			got, err := s.Send(t.Context(), "a")
			ok(t, err)
			p := page(t, s, smsmcp.Query{Strangers: true})
			if again := storeTexts(t, s, noon.Add(2*time.Hour), listed); len(again) != 0 {
				t.Errorf("listed again it is new: %+v", again)
			}
			un, err := s.Unclaimed(t.Context(), c.to, noon.Add(-2*day))
			ok(t, err)
			if c.want {
				if len(added) != 0 || len(p.Rows) != 2 || len(un) != 0 || got.Key != listed.Key || got.Delivery != "delivered" || got.State != smsmcp.Done {
					t.Errorf("%d added, %d texts, %d unclaimed, %+v", len(added), len(p.Rows), len(un), got)
				} else if x := p.Rows[slices.IndexFunc(p.Rows, func(r smsmcp.Row) bool { return r.Text.Direction == smsmcp.Sent })].Text; x.Key != listed.Key || !x.At.Equal(listed.At) || x.Delivery != "delivered" {
					t.Errorf("shown as %+v", x)
				}
			} else if len(added) != 1 || len(p.Rows) != 3 || len(un) != 1 || got.Key.ID != "" {
				t.Errorf("%d added, %d texts, %d unclaimed, %+v", len(added), len(p.Rows), len(un), got)
			}
		})
	}
}

// TestInvariant07OneListedTextIsOneSends: each text serves one send, the oldest first, and each send takes one text.
func TestInvariant07OneListedTextIsOneSends(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	keyless(t, s, "late", c, "ok", noon.Add(time.Hour)) // the younger one was written first
	keyless(t, s, "soon", c, "Ok!", noon)
	for i, want := range [][2]string{{"1", ""}, {"1", "2"}, {"1", "2"}} {
		storeTexts(t, s, noon, sentText([]string{"1", "2", "3"}[i], c.To, "OK", noon.Add(2*time.Hour)))
		if got := [2]string{carriersID(t, s, "soon"), carriersID(t, s, "late")}; got != want {
			t.Errorf("after %d texts: %q", i+1, got)
		}
	}
	if p := page(t, s, smsmcp.Query{}); len(p.Rows) != 3 {
		t.Errorf("%d texts", len(p.Rows))
	}
}

// TestInvariant07AnUnknownSendComesBeforeOneThatIsSettled: a text that a later send of the same words may have become is not taken from it.
func TestInvariant07AnUnknownSendComesBeforeOneThatIsSettled(t *testing.T) {
	for at, want := range map[time.Duration]string{time.Minute: "1", 10 * time.Minute: ""} {
		s := newStore(t)
		c := addContact(t, s, "Marie", "+15145550101")
		keyless(t, s, "a", c, "ok", noon)
		begin(t, s, draft("b", c, "Ok", smsmcp.Reserved, noon.Add(10*time.Minute+time.Millisecond)), noon)
		storeTexts(t, s, noon, sentText("1", c.To, "ok", noon.Add(at)))
		if got := carriersID(t, s, "a"); got != want {
			t.Errorf("sent %s after: %q", at, got)
		}
	}
}

// TestInvariant07ATakenKeyIsMendedByTheList: a send that was given another text's key gets its own.
func TestInvariant07ATakenKeyIsMendedByTheList(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	storeTexts(t, s, noon, received("55", smsmcp.NumberPeer(c.To), "hello", noon))
	begin(t, s, draft("a", c, "one", smsmcp.Reserved, noon), noon)
	record(t, s, "a", done(noon, "55"))
	begin(t, s, draft("b", c, "one", smsmcp.Reserved, noon), noon)
	record(t, s, "b", done(noon, "77"))
	own := sentText("77", c.To, "one", noon) // b's own text is b's, though it looks like a's
	storeTexts(t, s, noon, own)
	if got := carriersID(t, s, "a"); got != "" {
		t.Errorf("took %q", got)
	}
	storeTexts(t, s, noon, sentText("78", c.To, "one", noon))
	if a, b := carriersID(t, s, "a"), carriersID(t, s, "b"); a != "78" || b != "77" {
		t.Errorf("%q and %q", a, b)
	}
	if p := page(t, s, smsmcp.Query{}); len(p.Rows) != 3 {
		t.Errorf("%d texts", len(p.Rows))
	}
}
