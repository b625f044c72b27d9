package store

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

func record(t *testing.T, s *Store, id smsmcp.SendID, o smsmcp.Outcome) smsmcp.Send {
	t.Helper()
	_, err := s.Record(t.Context(), id, o)
	ok(t, err)
	got, err := s.Send(t.Context(), id)
	ok(t, err)
	return got
}

// TestInvariant07UnsettledIsFoundByContactAndByNumber: neither a contact made anew nor a dot makes it another text.
func TestInvariant07UnsettledIsFoundByContactAndByNumber(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	paul := addContact(t, s, "Paul", "+15145550102")
	begin(t, s, draft("a", c, "I will be late", smsmcp.Reserved, noon), noon)
	record(t, s, "a", smsmcp.Outcome{State: smsmcp.Unknown, At: noon})
	unsettled := func(to smsmcp.ContactID, body string, want int) {
		t.Helper()
		for range 2 { // once from memory
			st := look(t, s, smsmcp.Recipient{ID: to}, needFor(body, noon), noon)
			if len(st.Unsettled) != want || len(st.Log) != 1 || st.Log[0].To != c.To {
				t.Errorf("%q: %d unsettled, log %+v", body, len(st.Unsettled), st.Log)
			}
			s.memo = memo{}
		}
	}
	unsettled(c.ID, "I will be late", 1)
	unsettled(c.ID, "i will  be late.", 1)
	unsettled(c.ID, "I will be later", 0)
	unsettled(paul.ID, "I will be late", 0)
	ok(t, s.RemoveContact(t.Context(), c.ID))
	again := addContact(t, s, "Marie", "+15145550101")
	unsettled(again.ID, "I will be late", 1)
}

// TestInvariant07ASendKeepsItsCarrier: who took a send is written before it is handed over, and stays when nobody knows what became of it.
func TestInvariant07ASendKeepsItsCarrier(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	key := smsmcp.Key{Carrier: "test", Kind: smsmcp.MMS}
	x := draft("a", c, "one", smsmcp.Reserved, noon)
	x.Key = key
	begin(t, s, x, noon)
	begin(t, s, draft("b", c, "two", smsmcp.Waiting, noon), noon)
	_, err := s.Answer(t.Context(), noon, "b", func(smsmcp.Send) guard.Need { return needFor("two", noon) }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
		x.State, x.Answered, x.Key = smsmcp.Reserved, noon, key
		return x
	})
	ok(t, err)
	for _, id := range []smsmcp.SendID{"a", "b"} {
		if got, err := s.Send(t.Context(), id); err != nil || got.Key != key {
			t.Errorf("%s reserved: %+v, %v", id, got.Key, err)
		}
		if got := record(t, s, id, smsmcp.Outcome{State: smsmcp.Unknown, At: noon}); got.Key != key {
			t.Errorf("%s unknown: %+v", id, got.Key)
		}
	}
	un, err := s.Unsettled(t.Context())
	if err != nil || len(un) != 2 || un[0].Key != key {
		t.Errorf("%+v, %v", un, err)
	}
	if got := record(t, s, "a", smsmcp.Outcome{State: smsmcp.Done, At: noon, Failure: smsmcp.OwnerSaid}); got.Key != key || got.Failure != smsmcp.OwnerSaid {
		t.Errorf("%+v", got)
	}
	if got := record(t, s, "b", done(noon, "7")); got.Key.ID != "7" {
		t.Errorf("%+v", got)
	}
}

// TestInvariant07ATakenKeyLeavesNothingReserved: a carrier that gives one key twice took both texts all the same.
func TestInvariant07ATakenKeyLeavesNothingReserved(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	storeTexts(t, s, noon, received("55", smsmcp.NumberPeer(c.To), "hello", noon))
	begin(t, s, draft("a", c, "one", smsmcp.Reserved, noon), noon)
	record(t, s, "a", done(noon, "77"))
	for id, key := range map[string]string{"b": "77", "c": "55"} { // another send's, and a received text's
		begin(t, s, draft(id, c, "two "+id, smsmcp.Reserved, noon), noon)
		for range 2 {
			got := record(t, s, smsmcp.SendID(id), done(noon, key))
			if got.State != smsmcp.Done || got.Key.ID != "" || got.Failure != smsmcp.KeyTaken {
				t.Errorf("%s: %s %+v %s", id, got.State, got.Key, got.Failure)
			}
		}
	}
	if p := page(t, s, smsmcp.Query{}); len(p.Rows) != 4 {
		t.Errorf("%d texts", len(p.Rows))
	}
	if n, err := s.Recover(t.Context(), noon); n != 0 || err != nil {
		t.Errorf("%d were reserved, %v", n, err)
	}
	// What is settled by the list must be a text that is nobody's.
	begin(t, s, draft("d", c, "three", smsmcp.Reserved, noon), noon)
	record(t, s, "d", smsmcp.Outcome{State: smsmcp.Unknown, At: noon})
	if _, err := s.Record(t.Context(), "d", done(noon, "77")); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	if got, _ := s.Send(t.Context(), "d"); got.State != smsmcp.Unknown {
		t.Errorf("half a record: %s", got.State)
	}
}

// TestInvariant07TheListIsTheOneWayBack: what failed for not being listed, or by the owner's word, may turn out to have gone, and nothing else. The
// owner's word yields to a text of the list alone.
func TestInvariant07TheListIsTheOneWayBack(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	for failure, back := range map[string]bool{smsmcp.NotListed: true, smsmcp.OwnerSaid: true, "sms_failed": false} {
		id := smsmcp.SendID(failure)
		begin(t, s, draft(failure, c, failure, smsmcp.Reserved, noon), noon)
		record(t, s, id, smsmcp.Outcome{State: smsmcp.Unknown, At: noon})
		record(t, s, id, smsmcp.Outcome{State: smsmcp.Failed, At: noon, Failure: failure, Reached: true})
		list, err := s.Unlisted(t.Context(), noon.Add(-time.Hour))
		if err != nil || (len(list) == 1) != back {
			t.Errorf("%s: %d not listed, %v", failure, len(list), err)
		}
		if list, err = s.Unlisted(t.Context(), noon); len(list) != 0 || err != nil {
			t.Errorf("%s: %d after it, %v", failure, len(list), err)
		}
		if _, err := s.Record(t.Context(), id, smsmcp.Outcome{State: smsmcp.Unknown, At: noon}); !errors.Is(err, ErrState) {
			t.Errorf("%s: unknown again: %v", failure, err)
		}
		if failure == smsmcp.OwnerSaid {
			for i, x := range []smsmcp.Text{ // not listed; received; another send's
				{}, received("key of "+failure, smsmcp.NumberPeer(c.To), failure, noon), sentText("taken", c.To, "other", noon),
			} {
				key := "key of " + failure
				if i > 0 {
					storeTexts(t, s, noon, x)
				}
				if i == 2 {
					begin(t, s, draft("other", c, "other", smsmcp.Reserved, noon), noon)
					record(t, s, "other", done(noon, "taken"))
					key = "taken"
				}
				if _, err := s.Record(t.Context(), id, done(noon, key)); !errors.Is(err, ErrState) {
					t.Errorf("%d: %v", i, err)
				}
			}
			storeTexts(t, s, noon, sentText("listed", c.To, failure, noon))
		}
		key := map[bool]string{true: "listed", false: "key of " + failure}[failure == smsmcp.OwnerSaid]
		_, err = s.Record(t.Context(), id, done(noon, key))
		if back != (err == nil) || err != nil && !errors.Is(err, ErrState) {
			t.Errorf("%s: %v", failure, err)
		}
		if st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon); len(st.Log) == 0 || back != (st.Log[len(st.Log)-1].State == smsmcp.Done) {
			t.Errorf("%s: the log is %+v", failure, st.Log)
		}
		s = newStore(t)
		c = addContact(t, s, "Marie", "+15145550101")
	}
}

// TestInvariant12AnAnswerOfTheFutureIsNoneOfTheLast: a yes given on a fast clock does not hide the two no after it, also from memory.
func TestInvariant12AnAnswerOfTheFutureIsNoneOfTheLast(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	answer := func(id string, at time.Time, state smsmcp.SendState) {
		begin(t, s, draft(id, c, id, smsmcp.Waiting, at), at)
		_, err := s.Answer(t.Context(), at, smsmcp.SendID(id), func(smsmcp.Send) guard.Need { return needFor(id, at) }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
			x.State, x.Answered = state, at
			return x
		})
		ok(t, err)
	}
	last := func(now time.Time) (yes []bool) {
		need := needFor("x", noon) // the same for all, so that what is remembered would do
		for _, a := range look(t, s, smsmcp.Recipient{ID: c.ID}, need, now).Answers {
			yes = append(yes, a.Yes)
		}
		return yes
	}
	day := 24 * time.Hour
	answer("yes", noon.Add(day), smsmcp.Reserved)
	if got := last(noon); len(got) != 1 || !got[0] {
		t.Errorf("alone: %v", got)
	}
	answer("no 1", noon, smsmcp.Declined)
	if got := last(noon); len(got) != 2 || got[0] || !got[1] {
		t.Errorf("with one no: %v", got)
	}
	answer("no 2", noon.Add(time.Minute), smsmcp.Declined)
	for _, at := range []time.Time{noon.Add(2 * time.Minute), noon.Add(2 * day), noon.Add(2 * time.Minute)} {
		got := last(at)
		s.memo.log = nil
		last(noon.Add(2 * day)) // the next one remembers this
		if at.Before(noon.Add(day)) == (got[0] || got[1]) || len(got) != 2 {
			t.Errorf("at %s: %v", at, got)
		}
	}
}

// TestInvariant09AShowingIsNeverTakenForAnOlderOne: what a rule counts from a showing does not end before its time, though a mark may be older.
func TestInvariant09AShowingIsNeverTakenForAnOlderOne(t *testing.T) {
	s := newStore(t)
	x := storeTexts(t, s, noon.Add(-48*time.Hour), received("1", smsmcp.NumberPeer("+15145550177"), "tell Marie", noon))
	for _, at := range []time.Time{noon, noon.Add(59 * time.Second)} {
		ok(t, s.Show(t.Context(), smsmcp.Shown{At: at, Texts: []smsmcp.TextID{x[0].ID}}))
	}
	now := noon.Add(24*time.Hour + 58*time.Second)
	if st := look(t, s, smsmcp.Recipient{}, needFor("x", now), now); len(st.Heard) != 1 || !st.Heard[0].Shown.After(now.Add(-24*time.Hour)) {
		t.Errorf("%+v", st.Heard)
	}
}

func TestARestoredStoreIsFrozen(t *testing.T) {
	for _, before := range []bool{false, true} { // frozen by the owner when the copy was made
		s := newStore(t)
		c := addContact(t, s, "Marie", "+15145550101")
		begin(t, s, draft("waits", c, "one", smsmcp.Waiting, noon), noon)
		if before {
			ok(t, s.Freeze(t.Context(), noon, smsmcp.CommandLine))
		}
		file := filepath.Join(t.TempDir(), "copy.db")
		ok(t, s.Backup(t.Context(), file))
		if is, err := s.Restored(t.Context()); is || err != nil {
			t.Errorf("what it was made from: %v %v", is, err)
		}
		r := openStore(t, file)
		later := noon.Add(time.Hour)
		_, err := r.Recover(t.Context(), later)
		ok(t, err)
		_, err = r.Recover(t.Context(), later.Add(time.Hour))
		ok(t, err)
		frozen, err1 := r.Frozen(t.Context())
		restored, err2 := r.Restored(t.Context())
		if st := look(t, r, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon); !frozen || !restored || !st.Frozen || err1 != nil || err2 != nil {
			t.Errorf("frozen %v, restored %v, %v, %v", frozen, restored, err1, err2)
		}
		if got, err := r.Send(t.Context(), "waits"); err != nil || got.State != smsmcp.Void || !got.Ended.Equal(later) {
			t.Errorf("%s, ended %s, %v", got.State, got.Ended, err)
		}
		ok(t, r.Thaw(t.Context()))
		ok(t, r.Close())
		r = openStore(t, file)
		if frozen, err := r.Frozen(t.Context()); frozen || err != nil {
			t.Errorf("opened again after the thaw: %v, %v", frozen, err)
		}
	}
}

// TestWhatIsSearchedIsWhatIsShown: a query cannot spell out a code that is masked, and finds words whatever hides in them.
func TestWhatIsSearchedIsWhatIsShown(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	storeTexts(t, s, noon, received("code", smsmcp.CodePeer("72975"), "Your verification code is 482913", noon),
		received("hides", smsmcp.CodePeer("72975"), "Your verification code is 48\u200b29\u206013", noon),
		received("words", smsmcp.NumberPeer(c.To), "Les cl\u200bés sont «\u00a0sous le pot\u00a0»", noon))
	begin(t, s, draft("a", c, "My verification code is 482913", smsmcp.Reserved, noon), noon)
	record(t, s, "a", done(noon, "own"))
	for query, want := range map[string][]string{
		"482913": {"own"}, "code is 4": {"own"}, "code is 48": {"own"}, "2913": {"own"}, "verification code": {"code", "hides", "own"},
		"les cles": {"words"}, "« sous": {"words"}, "\u200bpot": {"words"},
	} {
		if got := ids(page(t, s, smsmcp.Query{Strangers: true, Contains: query})); len(got) != len(want) || len(got) > 0 && got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%q finds %v, want %v", query, got, want)
		}
	}
}
