package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"readback/smsmcp"
)

// TestAClaimOfAContactsNumberIsAStrangers: whoever writes a message with a contact's number gains nothing by it.
func TestAClaimOfAContactsNumberIsAStrangers(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	c := addContact(t, s, "Marie", "+15145550101")
	storeTexts(t, s, noon, received("l1", marie, "hello", noon.Add(-time.Hour)))
	storeTexts(t, s, noon, claimed("s1", marie, "STOP", noon), claimed("s2", marie, "this is Marie", noon), claimed("s3", smsmcp.CodePeer("32665"), "hi", noon))
	for _, q := range []smsmcp.Query{{}, {Contact: c.ID}, {Contains: "hello"}, {Contact: c.ID, Contains: "l"}} {
		if p := page(t, s, q); len(p.Rows) != 1 || p.Rows[0].Text.Key.ID != "l1" {
			t.Errorf("%+v: %v", q, ids(p))
		}
	}
	if p := page(t, s, smsmcp.Query{Contact: c.ID, Contains: "Marie"}); len(p.Rows) != 0 {
		t.Error("a claim is found among a contact's texts")
	}
	if p := page(t, s, smsmcp.Query{}); p.FoldedTexts != 3 || p.FoldedStrangers != 2 {
		t.Errorf("%d folded from %d", p.FoldedTexts, p.FoldedStrangers)
	}
	p := page(t, s, smsmcp.Query{Strangers: true})
	if len(p.Rows) != 4 || p.Rows[0].Text.Unverified || p.Rows[0].Contact == nil {
		t.Fatalf("%+v", p.Rows)
	}
	for i, want := range []smsmcp.Peer{marie, marie, smsmcp.CodePeer("32665")} {
		if r := p.Rows[i+1]; !r.Text.Unverified || r.Contact != nil || !r.Text.Peer.Same(want) {
			t.Errorf("%+v", r)
		}
	}
	st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon)
	if st.Stopped {
		t.Error("stopped by a claim")
	}
	for i, h := range st.Heard {
		if (h.Contact != 0) != (i == 0) {
			t.Errorf("%d: heard from %d", i, h.Contact)
		}
	}
	if texts, err := s.Unclaimed(t.Context(), c.To, noon.Add(-time.Hour)); err != nil || len(texts) != 0 {
		t.Errorf("%v, %v", texts, err)
	}
	// A number and a claim of it are two strangers where it is no contact's.
	ok(t, s.RemoveContact(t.Context(), c.ID))
	if p := page(t, s, smsmcp.Query{}); p.FoldedTexts != 4 || p.FoldedStrangers != 3 {
		t.Errorf("%d folded from %d", p.FoldedTexts, p.FoldedStrangers)
	}
	// Nor does one that is a contact's from now on become hers by itself.
	c = addContact(t, s, "Marie", "+15145550101")
	if p := page(t, s, smsmcp.Query{Contact: c.ID}); len(p.Rows) != 1 {
		t.Errorf("%v", ids(p))
	}
}

// TestASpoofWithTheWordsOfTheRealText: what is confirmed is one text, the list's; the spoof beside it stays a stranger's.
func TestASpoofWithTheWordsOfTheRealText(t *testing.T) {
	spoof, real, listed := claimed("spoof", marie, "STOP", noon), claimed("s", marie, "STOP", noon.Add(time.Second)), received("l", marie, "STOP", noon)
	trunk := real
	trunk.Unverified = false
	for name, order := range map[string][]smsmcp.Text{
		"before": {spoof, real, listed}, "between": {real, spoof, listed}, "after": {real, listed, spoof}, "the trunk is believed": {spoof, trunk, listed},
	} {
		s := newStore(t)
		s.Outbox(func() {})
		c := addContact(t, s, "Marie", "+15145550101")
		for _, x := range order {
			storeTexts(t, s, noon, x)
		}
		storeTexts(t, s, noon, order...)
		p, his := page(t, s, smsmcp.Query{Strangers: true}), page(t, s, smsmcp.Query{Contact: c.ID})
		if len(p.Rows) != 2 || len(his.Rows) != 1 || his.Rows[0].Text.Key != listed.Key || outboxRows(t, s) != 2 {
			t.Errorf("%s: %v, %v", name, ids(p), ids(his))
		}
		if !look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon).Stopped {
			t.Errorf("%s: the STOP that is in the list does not count", name)
		}
		if n, err := s.Unconfirmed(t.Context(), noon); err != nil || n != 1 {
			t.Errorf("%s: %d unconfirmed, %v", name, n, err)
		}
	}
	// One that comes before its text alone is that text: it said nothing that the text does not say.
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	storeTexts(t, s, noon, spoof, listed)
	if p := page(t, s, smsmcp.Query{Contact: c.ID}); len(p.Rows) != 1 || p.Rows[0].Text.Key != listed.Key {
		t.Errorf("%v", ids(p))
	}
}

// TestAFloodOfClaimsSilencesNoContact: they are another sender, of another kind.
func TestAFloodOfClaimsSilencesNoContact(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	addContact(t, s, "Marie", "+15145550101")
	told := func(x smsmcp.Text) {
		storeTexts(t, s, noon, x)
		ok(t, s.Told(t.Context(), noon, owed(t, s).First.Text.ID))
	}
	for i := range 3 {
		told(claimed(fmt.Sprint("s", i), marie, fmt.Sprint("spoof ", i), noon))
	}
	told(received("l", marie, "real", noon))
	told(received("x", smsmcp.NumberPeer("+15145550102"), "stranger", noon))
	told(claimed("y", smsmcp.NumberPeer("+15145550103"), "another's", noon))
	told(received("c", smsmcp.CodePeer("32665"), "code", noon))
	storeTexts(t, s, noon, claimed("held", marie, "held", noon))
	ok(t, s.Hold(t.Context(), owed(t, s).First.Text, noon.Add(time.Hour)))
	for _, c := range []struct {
		text smsmcp.Text
		want smsmcp.Pace
	}{
		{smsmcp.Text{Peer: marie}, smsmcp.Pace{Sender: 1, Kind: 1}},
		{smsmcp.Text{Peer: marie, Unverified: true}, smsmcp.Pace{Sender: 3, Kind: 6, Held: true}},
		{smsmcp.Text{Peer: smsmcp.NumberPeer("+15145550102")}, smsmcp.Pace{Sender: 1, Kind: 6}},
		{smsmcp.Text{Peer: smsmcp.CodePeer("32665"), Unverified: true}, smsmcp.Pace{Kind: 6}},
	} {
		if got, err := s.Pace(t.Context(), c.text, noon.Add(-time.Minute), noon); err != nil || got != c.want {
			t.Errorf("%+v: %+v, %v", c.text, got, err)
		}
	}
	storeTexts(t, s, noon, received("l2", marie, "held too", noon), received("l3", marie, "held as well", noon))
	ok(t, s.HoldAllBut(t.Context(), 0, noon.Add(time.Hour)))
	sum, err := s.Summary(t.Context())
	ok(t, err)
	if sum.Texts != 3 || sum.Senders != 2 || len(sum.Most) != 2 {
		t.Fatalf("%+v", sum)
	}
	if m := sum.Most[0]; m.Texts != 2 || m.From.Contact == nil || m.From.Text.Unverified {
		t.Errorf("%+v", m)
	}
	if m := sum.Most[1]; m.Texts != 1 || m.From.Contact != nil || !m.From.Text.Unverified || !m.From.Text.Peer.Same(marie) {
		t.Errorf("%+v", m)
	}
}

// TestTheOwnerIsToldOfTheName: of a claim that was told of a moment ago and is a contact's now, once, and no limit counts it twice. One that was held back
// is told of by itself.
func TestTheOwnerIsToldOfTheName(t *testing.T) {
	s := newStore(t)
	woken := 0
	s.Outbox(func() { woken++ })
	addContact(t, s, "Marie", "+15145550101")
	stranger := smsmcp.NumberPeer("+15145550102")
	sent := noon.Add(-40 * time.Minute)
	come := func(i int, peer smsmcp.Peer, at time.Time) smsmcp.TextID {
		return storeTexts(t, s, at, claimed(fmt.Sprint("s", i), peer, fmt.Sprint("text ", i), sent))[0].ID
	}
	confirm := func(i int, peer smsmcp.Peer, at time.Time) {
		storeTexts(t, s, at, received(fmt.Sprint("l", i), peer, fmt.Sprint("text ", i), sent))
	}
	now := noon.Add(30 * time.Minute)
	first, second := come(1, marie, noon), come(2, marie, noon.Add(time.Second))
	unknown, old, held := come(3, stranger, noon), come(4, marie, noon), come(5, marie, noon)
	ok(t, s.Told(t.Context(), now, second))
	ok(t, s.Told(t.Context(), now.Add(-time.Minute), first))
	ok(t, s.Told(t.Context(), now, unknown))
	ok(t, s.Told(t.Context(), now.Add(-renameWithin), old))
	ok(t, s.Hold(t.Context(), owed(t, s).First.Text, now))
	waits := come(6, marie, noon)
	if o := owed(t, s); o.Known != nil || !o.KnownStored.IsZero() || o.First.Text.ID != waits || o.First.Contact != nil {
		t.Errorf("%+v", o)
	}
	woken = 0
	for i := 4; i <= 6; i++ {
		confirm(i, marie, now)
	}
	confirm(3, stranger, now)
	if o := owed(t, s); o.Known != nil || o.First.Text.ID != held || o.First.Contact == nil || o.Held != 0 || o.Waiting != 2 || woken != 1 {
		t.Errorf("%+v, woken %d times", o, woken)
	}
	confirm(2, marie, now)
	confirm(1, marie, now)
	o := owed(t, s)
	if o.Known == nil || o.Known.Text.ID != first || o.Known.Contact == nil || o.Known.Text.Unverified || !o.KnownStored.Equal(noon) || woken != 3 {
		t.Fatalf("%+v, woken %d times", o, woken)
	}
	pace := func() int {
		p, err := s.Pace(t.Context(), smsmcp.Text{Peer: marie}, now.Add(-2*time.Hour), now)
		ok(t, err)
		return p.Sender
	}
	if n := pace(); n != 3 {
		t.Errorf("%d told", n)
	}
	ok(t, s.Told(t.Context(), now.Add(time.Minute), first))
	if o := owed(t, s); o.Known == nil || o.Known.Text.ID != second || !o.KnownStored.Equal(noon.Add(time.Second)) || pace() != 3 {
		t.Errorf("%+v, %d told: it was told when it was told", o, pace())
	}
	confirm(1, marie, now)
	ok(t, s.Told(t.Context(), now.Add(renameWithin), waits))
	if o := owed(t, s); o.Known == nil {
		t.Error("forgotten early")
	}
	ok(t, s.Told(t.Context(), now.Add(renameWithin+time.Second), unknown))
	if o := owed(t, s); o.Known != nil {
		t.Errorf("%+v: the name comes too late", o)
	}
}

// TestTheNameIsOwedThatBecameKnownWhileItWasTold: the list has a text between the notification of the claim and its mark.
func TestTheNameIsOwedThatBecameKnownWhileItWasTold(t *testing.T) {
	s := newStore(t)
	addContact(t, s, "Marie", "+15145550101")
	s.Outbox(func() {})
	stranger := smsmcp.NumberPeer("+15145550102")
	known := storeTexts(t, s, noon, claimed("s1", marie, "hi", noon))[0].ID
	other := storeTexts(t, s, noon, claimed("s2", stranger, "ho", noon))[0].ID
	still := storeTexts(t, s, noon, claimed("s3", marie, "hu", noon))[0].ID
	storeTexts(t, s, noon, received("l1", marie, "hi", noon), received("l2", stranger, "ho", noon))
	for _, id := range []smsmcp.TextID{known, other, still} {
		ok(t, s.ToldClaim(t.Context(), noon, id))
	}
	if o := owed(t, s); o.Waiting != 0 || o.Known == nil || o.Known.Text.ID != known {
		t.Errorf("%+v", o)
	}
	ok(t, s.ToldClaim(t.Context(), noon, known)) // a mark that is made again changes nothing
	if o := owed(t, s); o.Known == nil {
		t.Error("the name is forgotten")
	}
	ok(t, s.Told(t.Context(), noon, known))
	if o := owed(t, s); o.Known != nil {
		t.Errorf("%+v: of those, one alone is a contact's", o)
	}
}

// TestTheNameWakesTheBridgeOfNoOne: without an outbox there is nobody to wake.
func TestTheNameWakesTheBridgeOfNoOne(t *testing.T) {
	s := newStore(t)
	addContact(t, s, "Marie", "+15145550101")
	s.Outbox(func() {})
	x := storeTexts(t, s, noon, claimed("s", marie, "hi", noon))
	ok(t, s.Told(t.Context(), noon, x[0].ID))
	s = openStore(t, s.file)
	storeTexts(t, s, noon, received("l", marie, "hi", noon))
	if o := owed(t, s); o.Known == nil {
		t.Error("no name")
	}
}

// TestWhatHadItsNameIsNotToldOfAgain: what a trunk vouched for was told of by its name.
func TestWhatHadItsNameIsNotToldOfAgain(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	addContact(t, s, "Marie", "+15145550101")
	trunk := claimed("s", marie, "hi", noon)
	trunk.Unverified = false
	x := storeTexts(t, s, noon, trunk)
	ok(t, s.Told(t.Context(), noon, x[0].ID))
	storeTexts(t, s, noon, received("l", marie, "hi", noon))
	if o := owed(t, s); o.Known != nil || o.First != nil {
		t.Errorf("%+v", o)
	}
}

func TestUnconfirmedAndLengths(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	c := addContact(t, s, "Marie", "+15145550101")
	if l, err := s.Lengths(t.Context(), noon); err != nil || l != (smsmcp.Lengths{}) {
		t.Errorf("%+v, %v", l, err)
	}
	for i := range 6 {
		storeTexts(t, s, noon.Add(-time.Duration(i)*6*time.Hour), claimed(fmt.Sprint(i), marie, fmt.Sprint(i), noon), received(fmt.Sprint(i), marie, fmt.Sprint("x", i), noon))
	}
	for i, want := range []int{0: 1, 1: 2, 4: 5, 6: 6} {
		if n, err := s.Unconfirmed(t.Context(), noon.Add(-time.Duration(i)*6*time.Hour)); want > 0 && (err != nil || n != want) {
			t.Errorf("%d since %d hours, want %d, %v", n, 6*i, want, err)
		}
	}
	ok(t, s.HoldAllBut(t.Context(), 8, noon))
	begin(t, s, draft("w1", c, "one", smsmcp.Waiting, noon), noon)
	begin(t, s, draft("w2", c, "two", smsmcp.Waiting, noon), noon)
	begin(t, s, draft("r", c, "three", smsmcp.Reserved, noon), noon)
	begin(t, s, draft("u", c, "four", smsmcp.Reserved, noon), noon)
	_, err := s.Record(t.Context(), "u", smsmcp.Outcome{State: smsmcp.Unknown, At: noon})
	ok(t, err)
	ok(t, s.Show(t.Context(), smsmcp.Shown{At: noon, Holds: []smsmcp.Hold{
		{Scope: smsmcp.MCP, Kind: smsmcp.HoldStranger, From: noon, Until: noon.Add(time.Hour)},
		{Scope: smsmcp.MCP, Kind: smsmcp.HoldAlarm, From: noon.Add(-2 * time.Hour), Until: noon.Add(-time.Hour)},
	}}))
	want := smsmcp.Lengths{Notices: 8, Held: 4, Asked: 2, Unknown: 1, Unverified: 5, Holds: 1}
	if l, err := s.Lengths(t.Context(), noon); err != nil || l != want {
		t.Errorf("%+v, %v", l, err)
	}
}

// voicemail is what somebody left who called from that number, or says so.
func voicemail(id string, p smsmcp.Peer, words string, at time.Time) smsmcp.Text {
	x := claimed(id, p, words, at)
	x.Key.Carrier, x.Key.Kind, x.Delivery = "phone", smsmcp.Voicemail, smsmcp.VoicemailDelivery(12*time.Second, true)
	return x
}

// TestInvariant08AVoicemailIsNoTextOfAnybodysList: it takes no place of a text that is like it, and no text takes its place, in whatever order they come.
func TestInvariant08AVoicemailIsNoTextOfAnybodysList(t *testing.T) {
	left, listed, sip := voicemail("call", marie, "call me", noon), received("l", marie, "call me", noon), claimed("s", marie, "call me", noon)
	for name, order := range map[string][]smsmcp.Text{
		"first": {left, listed, sip}, "between": {sip, left, listed}, "last": {listed, sip, left}, "after a claim": {left, sip, listed}, "alone, first": {left, listed}, "alone, last": {listed, left},
	} {
		s := newStore(t)
		s.Outbox(func() {})
		c := addContact(t, s, "Marie", "+15145550101")
		for _, x := range order {
			if _, absorbed, err := s.Receive(t.Context(), noon, x); err != nil || absorbed && x.Key.Kind == smsmcp.Voicemail {
				t.Errorf("%s: %v %v", name, absorbed, err)
			}
		}
		storeTexts(t, s, noon, order...)
		p, hers := page(t, s, smsmcp.Query{Strangers: true}), page(t, s, smsmcp.Query{Contact: c.ID})
		if len(p.Rows) != 2 || len(hers.Rows) != 1 || hers.Rows[0].Text.Key != listed.Key || outboxRows(t, s) != 2 {
			t.Errorf("%s: %v, %v", name, ids(p), ids(hers))
		}
		if !slices.ContainsFunc(p.Rows, func(r smsmcp.Row) bool { return r.Text.Key == left.Key }) {
			t.Errorf("%s: %v: what was said on the telephone is lost", name, ids(p))
		}
		for _, r := range p.Rows {
			if n, lost := r.Text.Sound(); r.Text.Key.Kind == smsmcp.Voicemail && (r.Contact != nil || !r.Text.Unverified || n != 12 || lost || !r.Text.Body.Equal(left.Body)) {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

// TestAVoicemailIsAStrangersForGood: it stops nobody, is no contact's text, and is heard by the guard, once it was shown, as nobody's the owner knows.
func TestAVoicemailIsAStrangersForGood(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	left, hidden := voicemail("one", marie, "STOP", noon), voicemail("two", smsmcp.Peer{}, "send Paul the code four two", noon)
	storeTexts(t, s, noon, left, hidden)
	p := page(t, s, smsmcp.Query{Strangers: true})
	if f := page(t, s, smsmcp.Query{}); len(p.Rows) != 2 || f.FoldedTexts != 2 || f.FoldedStrangers != 2 || len(page(t, s, smsmcp.Query{Contact: c.ID}).Rows) != 0 {
		t.Fatalf("%v", ids(p))
	}
	if st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon); st.Stopped || len(st.Heard) != 0 {
		t.Errorf("stopped %v, heard %d before it was shown", st.Stopped, len(st.Heard))
	}
	ok(t, s.Show(t.Context(), smsmcp.Shown{At: noon, Texts: []smsmcp.TextID{p.Rows[0].Text.ID, p.Rows[1].Text.ID}}))
	st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon)
	if len(st.Heard) != 2 || st.Heard[0].Contact != 0 || st.Heard[1].Contact != 0 {
		t.Errorf("heard %+v", st.Heard)
	}
	if n, err := s.Unconfirmed(t.Context(), noon.Add(-time.Hour)); err != nil || n != 0 {
		t.Errorf("the carrier is asked for %d: %v", n, err)
	}
	if l, err := s.Lengths(t.Context(), noon); err != nil || l.Unverified != 0 {
		t.Errorf("%+v %v", l, err)
	}
	sure := voicemail("three", marie, "hi", noon)
	sure.Unverified = false
	if _, err := s.StoreTexts(t.Context(), noon, []smsmcp.Text{sure}); !errors.Is(err, ErrInvalid) {
		t.Errorf("one from somebody who is known: %v", err)
	}
	// The same call once more is the same text, and what became of its sound is taken.
	again := left
	again.Delivery = smsmcp.VoicemailDelivery(12*time.Second, false)
	storeTexts(t, s, noon, again)
	if p = page(t, s, smsmcp.Query{Strangers: true}); len(p.Rows) != 2 || p.Rows[0].Text.Delivery != again.Delivery {
		t.Errorf("%+v", p.Rows)
	}
}
