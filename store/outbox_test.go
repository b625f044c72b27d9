package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"readback/smsmcp"
)

// What the outbox goes by.
const (
	renameWithin = time.Hour
	laterBy      = 5 * time.Minute
	toldFor      = 24 * time.Hour
)

func owed(t *testing.T, s *Store) smsmcp.Owed {
	t.Helper()
	o, err := s.Owed(t.Context())
	ok(t, err)
	return o
}

// TestInvariant08AReceivedTextIsOwedByTheSameCommit: whoever sees the text sees that it is owed, and a text that is not stored is not owed.
func TestInvariant08AReceivedTextIsOwedByTheSameCommit(t *testing.T) {
	s := newStore(t)
	peer := smsmcp.NumberPeer("+15145550101")
	storeTexts(t, s, noon, received("before", peer, "before", noon))
	if o := owed(t, s); o.Waiting != 0 || o.First != nil {
		t.Errorf("%+v, with the outbox off", o)
	}
	woken := 0
	s.Outbox(func() { woken++ })
	mms := received("leg 1", peer, "hello all", noon)
	mms.Key.Kind = smsmcp.MMS
	leg := mms
	leg.Key.ID = "leg 2"
	sent := received("sent", peer, "hi", noon)
	sent.Direction = smsmcp.Sent
	storeTexts(t, s, noon.Add(time.Second), received("before", peer, "before", noon), received("1", peer, "one", noon), mms, leg, sent, received("1", peer, "one", noon))
	o := owed(t, s)
	if o.Waiting != 2 || woken != 1 || o.First == nil || o.First.Text.Body.RawForStore() != "one" || !o.Stored.Equal(noon.Add(time.Second)) {
		t.Errorf("%+v, woken %d times", o, woken)
	}
	storeTexts(t, s, noon, received("1", peer, "one", noon))
	if woken != 1 || owed(t, s).Waiting != 2 {
		t.Error("a known text woke somebody")
	}
	err := do(t, s, `CREATE TRIGGER no BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'no'); END`)
	ok(t, err)
	if _, err := s.StoreTexts(t.Context(), noon, []smsmcp.Text{received("2", peer, "two", noon)}); !errors.Is(err, ErrInvalid) {
		t.Fatal(err)
	}
	if p, err := s.Texts(t.Context(), smsmcp.Query{Strangers: true, Limit: 10}); err != nil || len(p.Rows) != 4 || woken != 1 {
		t.Errorf("the text was stored without being owed: %d rows, %v", len(p.Rows), err)
	}
}

func TestOutboxInOrderAcrossAnOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readback.db")
	s, err := Open(t.Context(), file)
	ok(t, err)
	s.Outbox(func() {})
	marie := addContact(t, s, "Marie", "+15145550101")
	for i := range 4 {
		storeTexts(t, s, noon, received(fmt.Sprint(i), smsmcp.NumberPeer(marie.To), fmt.Sprint("text ", i), noon.Add(-time.Duration(i)*time.Hour)))
	}
	ok(t, s.Told(t.Context(), noon, owed(t, s).First.Text.ID))
	ok(t, s.Close())
	s = openStore(t, file)
	for i := 1; i < 4; i++ {
		o := owed(t, s)
		if want := fmt.Sprint("text ", i); o.Waiting != 4-i || o.First.Text.Body.RawForStore() != want || o.First.Contact == nil || o.First.Contact.Name != "Marie" {
			t.Fatalf("%+v, want %q", o, want)
		}
		ok(t, s.Told(t.Context(), noon, o.First.Text.ID))
	}
	if o := owed(t, s); o.First != nil || o.Waiting != 0 {
		t.Errorf("%+v", o)
	}
}

func TestPaceCountsASenderAndItsKind(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	marie := addContact(t, s, "Marie", "+15145550101")
	peers := []smsmcp.Peer{
		smsmcp.NumberPeer(marie.To), smsmcp.NumberPeer("+15145550102"), smsmcp.CodePeer("32665"), smsmcp.LabelPeer("32665 "), smsmcp.LabelPeer("Banque"), {},
	}
	for i, p := range peers {
		for j := range i + 1 {
			storeTexts(t, s, noon, received(fmt.Sprint(i, "-", j), p, "hi", noon))
			ok(t, s.Told(t.Context(), noon.Add(time.Duration(j)*time.Minute), owed(t, s).First.Text.ID))
		}
	}
	for i, p := range peers {
		got, err := s.Pace(t.Context(), smsmcp.Text{Peer: p}, noon.Add(-time.Minute), noon.Add(time.Hour))
		ok(t, err)
		kind := 2 + 3 + 4 + 5 + 6
		if i == 0 {
			kind = 1
		}
		if got != (smsmcp.Pace{Sender: i + 1, Kind: kind}) {
			t.Errorf("%d: %+v", i, got)
		}
		got, err = s.Pace(t.Context(), smsmcp.Text{Peer: p}, noon, noon.Add(time.Minute))
		ok(t, err)
		if want := min(i, 1); got.Sender != want {
			t.Errorf("%d: %d in a minute, want %d", i, got.Sender, want)
		}
	}
}

func TestSummaryOfWhatIsHeld(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	marie := addContact(t, s, "Marie", "+15145550101")
	for i := range 30 {
		peer := smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1514555%04d", 1000+i%10)))
		if i%3 == 0 {
			peer = smsmcp.NumberPeer(marie.To)
		}
		storeTexts(t, s, noon, received(fmt.Sprint(i), peer, "hi", noon))
	}
	due := noon.Add(time.Hour)
	first := owed(t, s).First.Text
	ok(t, s.Hold(t.Context(), first, due))
	ok(t, s.Hold(t.Context(), first, due.Add(time.Hour)))
	ok(t, s.HoldAllBut(t.Context(), 5, due.Add(time.Minute)))
	o := owed(t, s)
	if o.Waiting != 5 || o.Held != 25 || !o.Due.Equal(due) || o.First.Text.ID != 24 {
		t.Errorf("%+v", o)
	}
	if p, err := s.Pace(t.Context(), o.First.Text, noon, due); err != nil || !p.Held {
		t.Errorf("%+v, %v: an earlier one is held", p, err)
	}
	sum, err := s.Summary(t.Context())
	ok(t, err)
	if sum.Texts != 25 || sum.Senders != 11 || len(sum.Most) != 8 || sum.First != 1 || sum.Last != 28 {
		t.Errorf("%+v", sum)
	}
	if m := sum.Most[0]; m.Texts != 10 || m.From.Contact == nil || m.From.Contact.Name != "Marie" || m.From.Text.Body.Len() != 0 {
		t.Errorf("%+v", m)
	}
	ok(t, s.Summed(t.Context(), noon, 27))
	if o := owed(t, s); o.Held != 1 || o.Waiting != 5 {
		t.Errorf("%+v", o)
	}
	ok(t, s.Summed(t.Context(), noon, 28))
	ok(t, s.Told(t.Context(), noon.Add(toldFor+time.Hour), 26))
	var n int
	ok(t, scan(t, s, `SELECT count(*) FROM outbox WHERE state > 1`, &n))
	if n != 1 {
		t.Errorf("%d rows are kept of what was told more than a day ago", n)
	}
	if sum, err := s.Summary(t.Context()); err != nil || sum.Texts != 0 || len(sum.Most) != 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}
