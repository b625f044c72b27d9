package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

func ids(p smsmcp.Page) (list []string) {
	for _, r := range p.Rows {
		list = append(list, r.Text.Key.ID)
	}
	return list
}

func page(t *testing.T, s *Store, q smsmcp.Query) smsmcp.Page {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 50
	}
	p, err := s.Texts(t.Context(), q)
	ok(t, err)
	return p
}

func TestInvariant08EveryByteSurvives(t *testing.T) {
	s := newStore(t)
	bodies := []string{
		"", "\x00", "a\x00b", "\xff\xfe\x00\x80", "« it's »\r\n", "\u202ehidden\u2066", strings.Repeat("e\u0301", 5000), "👨‍👩‍👧 مرحبا", "\xed\xa0\x80",
	}
	var texts []smsmcp.Text
	for i, b := range bodies {
		texts = append(texts, received(fmt.Sprint("id\x00", i), smsmcp.LabelPeer("L\x00\xff"+b), b, noon))
	}
	storeTexts(t, s, noon, texts...)
	file := s.file
	ok(t, s.Close())
	s = openStore(t, file)
	p := page(t, s, smsmcp.Query{Strangers: true})
	if len(p.Rows) != len(bodies) {
		t.Fatalf("%d texts", len(p.Rows))
	}
	for i, r := range p.Rows {
		want := texts[i]
		if r.Text.Body.RawForStore() != bodies[i] || !r.Text.Peer.Same(want.Peer) || r.Text.Key != want.Key || !r.Text.At.Equal(noon) || r.Contact != nil {
			t.Errorf("%q came back as %q, key %q", bodies[i], r.Text.Body.RawForStore(), r.Text.Key.ID)
		}
	}
}

func TestInvariant08OneTextByTwoPathsAndTwoThatAreAlike(t *testing.T) {
	s := newStore(t)
	peer := smsmcp.NumberPeer("+15145550101")
	one := received("1", peer, "ok", noon)
	if n := len(storeTexts(t, s, noon, one, one)); n != 1 {
		t.Errorf("the same text in one list is %d", n)
	}
	if n := len(storeTexts(t, s, noon, one, received("2", peer, "ok", noon))); n != 1 {
		t.Errorf("%d new, want the second of two that are alike", n)
	}
	mms := one
	mms.Key.Kind = smsmcp.MMS
	storeTexts(t, s, noon, mms)
	if got := ids(page(t, s, smsmcp.Query{Strangers: true})); len(got) != 3 {
		t.Errorf("%v: an SMS and an MMS of one number are two texts", got)
	}
	for name, bad := range map[string]smsmcp.Text{
		"no id":        {Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS}, Direction: smsmcp.Received},
		"no carrier":   {Key: smsmcp.Key{Kind: smsmcp.SMS, ID: "1"}, Direction: smsmcp.Received},
		"no direction": {Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: "9"}},
	} {
		if _, err := s.StoreTexts(t.Context(), noon, []smsmcp.Text{received("99", peer, "x", noon), bad}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := ids(page(t, s, smsmcp.Query{Strangers: true})); len(got) != 3 {
		t.Errorf("%v: part of a bad list was stored", got)
	}
}

func TestTheLegsOfAGroupAreShownOnce(t *testing.T) {
	s := newStore(t)
	addContact(t, s, "Marie", "+15145550101")
	mms := func(id string, n smsmcp.Number, body string, at time.Time) smsmcp.Text {
		x := received(id, smsmcp.NumberPeer(n), body, at)
		x.Key.Kind = smsmcp.MMS
		return x
	}
	storeTexts(t, s, noon, mms("1", "+15145550101", "party", noon), mms("2", "+15145550101", "party", noon))
	storeTexts(t, s, noon.Add(time.Minute), mms("3", "+15145550101", "party", noon))
	storeTexts(t, s, noon, mms("4", "+15145550101", "party", noon.Add(time.Second)), mms("5", "+15145550101", "party!", noon), mms("6", "+15145550102", "party", noon))
	other := mms("7", "+15145550101", "party", noon)
	other.Images = 1
	storeTexts(t, s, noon, other)
	p := page(t, s, smsmcp.Query{Strangers: true})
	if got := ids(p); !slices.Equal(got, []string{"1", "5", "6", "7", "4"}) {
		t.Errorf("%v", got)
	}
	if n := len(storeTexts(t, s, noon, mms("2", "+15145550101", "party", noon))); n != 0 {
		t.Error("a leg is stored twice")
	}
	if st := look(t, s, smsmcp.Recipient{ID: 1}, needFor("x", noon), noon); len(st.Heard) != 5 {
		t.Errorf("%d heard", len(st.Heard))
	}
}

func TestDeliveryOfAKnownText(t *testing.T) {
	s := newStore(t)
	x := received("1", smsmcp.NumberPeer("+15145550101"), "hi", noon)
	x.Direction, x.Delivery = smsmcp.Sent, "queued"
	storeTexts(t, s, noon, x)
	for _, step := range [][2]string{{"delivered", "delivered"}, {"", "delivered"}} {
		x.Delivery = step[0]
		x.Body = untrusted.New("the first body stays")
		storeTexts(t, s, noon, x)
		p := page(t, s, smsmcp.Query{Strangers: true})
		if got := p.Rows[0].Text; got.Delivery != step[1] || got.Body.RawForStore() != "hi" {
			t.Errorf("%q: %q", step[0], got.Delivery)
		}
	}
}

func TestASenderIsOneWholeNumberOrNobody(t *testing.T) {
	s := newStore(t)
	addContact(t, s, "Marie", "+15145550101", "+15145550102")
	for i, p := range []smsmcp.Peer{
		smsmcp.NumberPeer("+15145550101"), smsmcp.NumberPeer("+15145550102"), smsmcp.LabelPeer("+15145550101"), smsmcp.CodePeer("50101"),
		smsmcp.NumberPeer("+5145550101"), smsmcp.LabelPeer("Marie"), {}, smsmcp.NumberPeer("+15145550103"),
	} {
		storeTexts(t, s, noon, received(fmt.Sprint(i), p, "hi", noon.Add(time.Duration(i)*time.Second)))
	}
	for _, q := range []smsmcp.Query{{}, {Contact: 1}} {
		if got := ids(page(t, s, q)); !slices.Equal(got, []string{"0", "1"}) {
			t.Errorf("%+v: %v", q, got)
		}
	}
	p := page(t, s, smsmcp.Query{})
	if p.FoldedTexts != 6 || p.FoldedStrangers != 6 {
		t.Errorf("%d texts from %d strangers", p.FoldedTexts, p.FoldedStrangers)
	}
	if p.Rows[0].Contact == nil || p.Rows[0].Contact.Name != "Marie" {
		t.Error("no name")
	}
	if p = page(t, s, smsmcp.Query{Strangers: true}); len(p.Rows) != 8 || p.FoldedTexts != 0 {
		t.Errorf("%d rows, %d folded", len(p.Rows), p.FoldedTexts)
	}
	for _, r := range p.Rows[2:] {
		if r.Contact != nil {
			t.Errorf("%s is Marie", r.Text.Key.ID)
		}
	}
	ok(t, s.RemoveContact(t.Context(), 1))
	if p = page(t, s, smsmcp.Query{}); len(p.Rows) != 0 || p.FoldedTexts != 8 {
		t.Errorf("after the contact went: %d rows, %d folded", len(p.Rows), p.FoldedTexts)
	}
}

func TestPagesCoverEverythingOnce(t *testing.T) {
	s := newStore(t)
	addContact(t, s, "Marie", "+15145550101", "+15145550102")
	var texts []smsmcp.Text
	for i := range 100 {
		peer := smsmcp.NumberPeer([]smsmcp.Number{"+15145550101", "+15145550102", "+15145550103"}[i%3])
		texts = append(texts, received(fmt.Sprint(i), peer, fmt.Sprintf("Été number %d.", i), noon.Add(time.Duration(i/7)*time.Minute)))
	}
	storeTexts(t, s, noon, texts...)
	for _, q := range []smsmcp.Query{
		{}, {Strangers: true}, {Contact: 1}, {Since: noon.Add(3 * time.Minute), Strangers: true}, {Contains: "ETE  number", Strangers: true}, {Contains: "numb", Contact: 1},
	} {
		want := 0
		for i := range 100 {
			if (q.Strangers || i%3 != 2) && !noon.Add(time.Duration(i/7)*time.Minute).Before(q.Since) {
				want++
			}
		}
		seen := map[string]bool{}
		q.Limit = 9
		for more := true; more; {
			p := page(t, s, q)
			if !slices.IsSortedFunc(p.Rows, func(a, b smsmcp.Row) int { return a.Text.At.Compare(b.Text.At) }) {
				t.Error("not oldest first")
			}
			for _, id := range ids(p) {
				if seen[id] {
					t.Errorf("%+v: %s twice", q, id)
				}
				seen[id] = true
			}
			if more = p.Older; more {
				q.Before = smsmcp.Cursor{At: p.Rows[0].Text.At, ID: p.Rows[0].Text.ID}
			}
		}
		if len(seen) != want {
			t.Errorf("%+v: %d texts, want %d", q, len(seen), want)
		}
	}
	if p := page(t, s, smsmcp.Query{Since: noon.Add(14 * time.Minute)}); p.FoldedTexts != 1 || p.FoldedStrangers != 1 {
		t.Errorf("the count goes beyond the window: %d, %d", p.FoldedTexts, p.FoldedStrangers)
	}
	for _, bad := range []int{0, -1, 501} {
		if _, err := s.Texts(t.Context(), smsmcp.Query{Limit: bad}); !errors.Is(err, ErrInvalid) {
			t.Errorf("limit %d: %v", bad, err)
		}
	}
}

// TestInvariant08AReadSeesWhatWasCommitted: by this store or another on the file, and a page that was given is the reader's own.
func TestInvariant08AReadSeesWhatWasCommitted(t *testing.T) {
	a := newStore(t)
	b := openStore(t, a.file)
	for i := range 20 {
		w := []*Store{a, b}[i%2]
		storeTexts(t, w, noon, received(fmt.Sprint(i), smsmcp.NumberPeer("+15145550101"), "hi", noon.Add(time.Duration(i)*time.Second)))
		for _, r := range []*Store{a, b, a, a} {
			p := page(t, r, smsmcp.Query{Strangers: true})
			if len(p.Rows) != i+1 || p.Rows[0].Text.ID == 0 {
				t.Fatalf("%d rows after %d texts", len(p.Rows), i+1)
			}
			p.Rows[0] = smsmcp.Row{}
		}
	}
}

func TestStop(t *testing.T) {
	s := newStore(t)
	storeTexts(t, s, noon, received("0", smsmcp.NumberPeer("+15145550102"), "STOP", noon))
	c := addContact(t, s, "Marie", "+15145550101", "+15145550102")
	stopped := func() bool { return look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon).Stopped }
	if !stopped() {
		t.Error("a STOP from before the number was a contact's is forgotten")
	}
	ok(t, s.ClearStop(t.Context(), c.ID))
	if stopped() {
		t.Error("cleared, and stopped")
	}
	sent := received("1", smsmcp.NumberPeer("+15145550101"), "STOP", noon)
	sent.Direction = smsmcp.Sent
	storeTexts(t, s, noon, sent, received("2", smsmcp.NumberPeer("+15145550103"), "STOP", noon), received("3", smsmcp.NumberPeer("+15145550101"), "please stop calling", noon))
	if stopped() {
		t.Error("stopped by what is no STOP of theirs")
	}
	storeTexts(t, s, noon, received("4", smsmcp.NumberPeer("+15145550101"), "Stop", noon), received("5", smsmcp.NumberPeer("+15145550101"), "hello", noon))
	if !stopped() {
		t.Error("not stopped")
	}
	if err := s.ClearStop(t.Context(), 99); !errors.Is(err, ErrNoContact) {
		t.Error(err)
	}
}

func TestSyncState(t *testing.T) {
	s := newStore(t)
	if st, err := s.SyncState(t.Context(), "test"); err != nil || st != (smsmcp.SyncState{Carrier: "test"}) {
		t.Error(st, err)
	}
	later := noon.Add(time.Minute)
	ok(t, s.Synced(t.Context(), smsmcp.SyncState{Carrier: "test", Good: noon, Asked: later, Partial: later, Tried: noon}))
	ok(t, s.Synced(t.Context(), smsmcp.SyncState{Carrier: "test", Partial: later, Tried: later, Failure: "down"}))
	want := smsmcp.SyncState{Carrier: "test", Good: noon, Asked: later, Partial: later, Tried: later, Failure: "down"}
	if st, err := s.SyncState(t.Context(), "test"); err != nil || st != want {
		t.Error(st, err)
	}
	want = smsmcp.SyncState{Carrier: "test", Good: later, Asked: later, Tried: later}
	ok(t, s.Synced(t.Context(), want))
	if st, err := s.SyncState(t.Context(), "test"); err != nil || st != want {
		t.Error(st, err)
	}
}
