package store

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

func TestInvariant07StatesGoOneWay(t *testing.T) {
	all := []smsmcp.SendState{
		smsmcp.Refused, smsmcp.Waiting, smsmcp.Declined, smsmcp.Expired, smsmcp.Cancelled, smsmcp.Void, smsmcp.Reserved, smsmcp.Done, smsmcp.Failed, smsmcp.Unknown,
	}
	legal := map[[2]smsmcp.SendState]bool{
		{"", smsmcp.Refused}: true, {"", smsmcp.Waiting}: true, {"", smsmcp.Reserved}: true,
		{smsmcp.Waiting, smsmcp.Declined}: true, {smsmcp.Waiting, smsmcp.Expired}: true, {smsmcp.Waiting, smsmcp.Cancelled}: true,
		{smsmcp.Waiting, smsmcp.Void}: true, {smsmcp.Waiting, smsmcp.Refused}: true, {smsmcp.Waiting, smsmcp.Reserved}: true,
		{smsmcp.Reserved, smsmcp.Done}: true, {smsmcp.Reserved, smsmcp.Failed}: true, {smsmcp.Reserved, smsmcp.Unknown}: true,
		{smsmcp.Unknown, smsmcp.Done}: true, {smsmcp.Unknown, smsmcp.Failed}: true,
	}
	for _, from := range append([]smsmcp.SendState{""}, all...) {
		for _, to := range all {
			if got := step(from, to) == nil; got != legal[[2]smsmcp.SendState{from, to}] {
				t.Errorf("%q → %q: allowed is %v", from, to, got)
			}
		}
	}
}

// TestInvariant07RecordMovesOnlyWhatIsOut puts a send in each state and records each outcome.
func TestInvariant07RecordMovesOnlyWhatIsOut(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	n := 0
	in := func(state smsmcp.SendState) smsmcp.SendID {
		n++
		id := smsmcp.SendID(fmt.Sprintf("send%d", n))
		switch state {
		case smsmcp.Refused, smsmcp.Waiting, smsmcp.Reserved:
			begin(t, s, draft(string(id), c, "hi", state, noon), noon)
		case smsmcp.Done, smsmcp.Failed, smsmcp.Unknown:
			begin(t, s, draft(string(id), c, "hi", smsmcp.Reserved, noon), noon)
			_, err := s.Record(t.Context(), id, smsmcp.Outcome{State: state, At: noon, Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: string(id)}})
			ok(t, err)
		default:
			begin(t, s, draft(string(id), c, "hi", smsmcp.Waiting, noon), noon)
			_, err := s.Answer(t.Context(), noon, id, func(smsmcp.Send) guard.Need { return guard.Need{} }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
				x.State = state
				return x
			})
			ok(t, err)
		}
		return id
	}
	for _, from := range []smsmcp.SendState{
		smsmcp.Refused, smsmcp.Waiting, smsmcp.Declined, smsmcp.Expired, smsmcp.Cancelled, smsmcp.Void, smsmcp.Reserved, smsmcp.Done, smsmcp.Failed, smsmcp.Unknown,
	} {
		for _, to := range []smsmcp.SendState{smsmcp.Done, smsmcp.Failed, smsmcp.Unknown, smsmcp.Reserved, smsmcp.Waiting} {
			id := in(from)
			_, err := s.Record(t.Context(), id, smsmcp.Outcome{State: to, At: noon, Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: string(id)}})
			want := from == to || step(from, to) == nil && to != smsmcp.Waiting && (from == smsmcp.Reserved || from == smsmcp.Unknown)
			if want != (err == nil) || err != nil && !errors.Is(err, ErrState) {
				t.Errorf("%s → %s: %v", from, to, err)
			}
			got, err := s.Send(t.Context(), id)
			ok(t, err)
			if !want && got.State != from {
				t.Errorf("%s → %s was refused, and the send is %s", from, to, got.State)
			}
		}
	}
	if _, err := s.Record(t.Context(), "nobody", done(noon, "x")); !errors.Is(err, smsmcp.ErrNoSend) {
		t.Error(err)
	}
}

func TestASendComesBackWhole(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Élodie", "+15145550101")
	want := draft("abc", c, "naïve \x00 \xff body", smsmcp.Waiting, noon)
	want.Strong, want.Scope, want.Segments = true, "call", 3
	want.Reasons = []smsmcp.Reason{
		{Rule: "hold", Until: noon.Add(time.Hour)}, {Rule: "duplicate", Count: 2, Limit: 3, Send: "xyz", State: smsmcp.Done, Code: "sms_failed"},
	}
	begin(t, s, want, noon)
	got, err := s.Send(t.Context(), "abc")
	ok(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestInvariant02TheContactIsFoundWholeAndAsItIsNow(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Élodie Martin", "+15145550101")
	for name, known := range map[string]bool{"elodie martin": true, " ÉLODIE   MARTIN ": true, "Elodie": false, "lodie Martin": false, "": false, "Elodie Martin2": false} {
		if st := look(t, s, smsmcp.Recipient{Name: name}, needFor("hi", noon), noon); st.Known != known || known && !reflect.DeepEqual(st.Contact, c) {
			t.Errorf("%q: known %v, %+v", name, st.Known, st.Contact)
		}
	}
	other := c
	other.To = "+15145550199"
	for name, x := range map[string]smsmcp.Send{
		"another number": draft("a", other, "hi", smsmcp.Reserved, noon),
		"a stranger":     draft("b", smsmcp.Contact{ID: 99, Revision: 1, To: "+15145550101"}, "hi", smsmcp.Reserved, noon),
		"an old one":     draft("c", smsmcp.Contact{ID: c.ID, Revision: 0, To: c.To}, "hi", smsmcp.Waiting, noon),
	} {
		err := s.Begin(t.Context(), noon, smsmcp.Recipient{ID: c.ID}, needFor("hi", noon), func(guard.State) smsmcp.Ruling { return smsmcp.Ruling{Insert: &x} })
		if !errors.Is(err, ErrDraft) {
			t.Errorf("%s: %v", name, err)
		}
	}
	begin(t, s, draft("d", c, "hi", smsmcp.Waiting, noon), noon)
	ok(t, s.RemoveContact(t.Context(), c.ID))
	addContact(t, s, "Élodie Martin", "+15145550101")
	yes := func(x smsmcp.Send, _ guard.State) smsmcp.Send { x.State = smsmcp.Reserved; return x }
	if _, err := s.Answer(t.Context(), noon, "d", func(smsmcp.Send) guard.Need { return needFor("hi", noon) }, yes); !errors.Is(err, ErrDraft) {
		t.Errorf("a yes to a draft for a contact that is gone: %v", err)
	}
}

func TestInvariant01NothingOfAFailedDecisionIsWritten(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("old", c, "hi", smsmcp.Waiting, noon), noon)
	x := draft("new", c, "hello", smsmcp.Reserved, noon)
	y := draft("old", c, "hello", smsmcp.Reserved, noon)
	for name, r := range map[string]smsmcp.Ruling{
		"closes what is not there": {Insert: &x, Close: []smsmcp.Closing{{ID: "old", State: smsmcp.Void}, {ID: "gone", State: smsmcp.Void}}},
		"closes as sent":           {Insert: &x, Close: []smsmcp.Closing{{ID: "old", State: smsmcp.Done}}},
		"closes as declined":       {Insert: &x, Close: []smsmcp.Closing{{ID: "old", State: smsmcp.Declined}}},
		"closes as reserved":       {Insert: &x, Close: []smsmcp.Closing{{ID: "old", State: smsmcp.Reserved}}},
		"takes an id twice":        {Insert: &y, Close: []smsmcp.Closing{{ID: "old", State: smsmcp.Void}}},
	} {
		if err := s.Begin(t.Context(), noon, smsmcp.Recipient{ID: c.ID}, needFor("hello", noon), func(guard.State) smsmcp.Ruling { return r }); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got, err := s.Send(t.Context(), "old"); err != nil || got.State != smsmcp.Waiting {
			t.Errorf("%s: the old one is %s, %v", name, got.State, err)
		}
		if st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("hello", noon), noon); len(st.Log) != 0 || len(st.Unsettled) != 0 || len(st.Waiting) != 1 {
			t.Errorf("%s: it is in the log: %+v", name, st)
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = s.Begin(t.Context(), noon, smsmcp.Recipient{ID: c.ID}, needFor("hello", noon), func(guard.State) smsmcp.Ruling { panic("in decide") })
	}()
	begin(t, s, x, noon) // and the store works on
}

func TestInvariant07RecordedTwiceIsRecordedOnce(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("a", c, "see https://example.org", smsmcp.Reserved, noon), noon)
	for range 2 {
		got, err := s.Record(t.Context(), "a", done(noon, "77"))
		ok(t, err)
		if got.State != smsmcp.Done || got.Key.ID != "77" || !got.Ended.Equal(noon) {
			t.Errorf("%+v", got)
		}
	}
	if _, err := s.Record(t.Context(), "a", done(noon, "78")); !errors.Is(err, ErrState) {
		t.Errorf("another key: %v", err)
	}
	p, err := s.Texts(t.Context(), smsmcp.Query{Limit: 10})
	ok(t, err)
	if len(p.Rows) != 1 || p.Rows[0].Text.Direction != smsmcp.Sent || p.Rows[0].Text.Body.RawForStore() != "see https://example.org" || p.Rows[0].Contact == nil {
		t.Errorf("the sent text is not in the list once: %+v", p.Rows)
	}
	begin(t, s, draft("b", c, "other", smsmcp.Reserved, noon), noon)
	_, err = s.Record(t.Context(), "b", smsmcp.Outcome{State: smsmcp.Done, At: noon})
	ok(t, err) // a carrier that tells no key
	if p, _ = s.Texts(t.Context(), smsmcp.Query{Limit: 10}); len(p.Rows) != 2 {
		t.Errorf("%d texts", len(p.Rows))
	}
	st := look(t, s, smsmcp.Recipient{ID: c.ID}, guard.Need{Body: "x", LogSince: noon, HeardSince: noon, Hosts: []string{"example.org", "evil.example"}}, noon)
	if !slices.Equal(st.NewHosts, []string{"evil.example"}) {
		t.Errorf("new hosts: %v", st.NewHosts)
	}
}

// TestTheListAndTheSendAreOneText: whichever of the carrier's list and its answer comes first.
func TestTheListAndTheSendAreOneText(t *testing.T) {
	for _, listFirst := range []bool{true, false} {
		s := newStore(t)
		c := addContact(t, s, "Marie", "+15145550101")
		begin(t, s, draft("a", c, "hi", smsmcp.Reserved, noon), noon)
		listed := received("77", smsmcp.NumberPeer(c.To), "hi", noon)
		listed.Direction, listed.Delivery = smsmcp.Sent, "delivered"
		list := func() { storeTexts(t, s, noon, listed) }
		if listFirst {
			list()
			if un, err := s.Unclaimed(t.Context(), c.To, noon.Add(-time.Minute)); err != nil || len(un) != 1 || un[0].Key.ID != "77" {
				t.Errorf("unclaimed: %v, %v", un, err)
			}
		}
		_, err := s.Record(t.Context(), "a", done(noon, "77"))
		ok(t, err)
		list()
		p, err := s.Texts(t.Context(), smsmcp.Query{Limit: 10})
		ok(t, err)
		if len(p.Rows) != 1 || p.Rows[0].Text.Delivery != "delivered" {
			t.Errorf("list first %v: %d texts", listFirst, len(p.Rows))
		}
		if got, _ := s.Send(t.Context(), "a"); !listFirst && got.Delivery != "delivered" {
			t.Errorf("the send's delivery is %q", got.Delivery)
		}
		if un, err := s.Unclaimed(t.Context(), c.To, noon.Add(-time.Minute)); err != nil || len(un) != 0 {
			t.Errorf("unclaimed: %v, %v", un, err)
		}
	}
}

func TestAnswer(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	need := func(x smsmcp.Send) guard.Need { return needFor(x.Draft.Body(), noon) }
	yes := func(x smsmcp.Send, _ guard.State) smsmcp.Send {
		x.State, x.Answered, x.Reserved, x.ConfirmedBy = smsmcp.Reserved, noon, noon, smsmcp.CommandLine
		return x
	}
	begin(t, s, draft("a", c, "hi", smsmcp.Waiting, noon), noon)
	alter := func(x smsmcp.Send, st guard.State) smsmcp.Send {
		x = yes(x, st)
		x.Draft = smsmcp.NewDraft(c, "hi!")
		return x
	}
	if _, err := s.Answer(t.Context(), noon, "a", need, alter); !errors.Is(err, ErrDraft) {
		t.Errorf("an altered draft: %v", err)
	}
	got, err := s.Answer(t.Context(), noon, "a", need, func(x smsmcp.Send, _ guard.State) smsmcp.Send { return x })
	if err != nil || got.State != smsmcp.Waiting {
		t.Errorf("too weak an answer: %s, %v", got.State, err)
	}
	got, err = s.Answer(t.Context(), noon, "a", need, yes)
	if err != nil || got.State != smsmcp.Reserved || got.ConfirmedBy != smsmcp.CommandLine {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = s.Answer(t.Context(), noon, "a", need, func(smsmcp.Send, guard.State) smsmcp.Send { t.Error("asked again"); return smsmcp.Send{} })
	if err != nil || got.State != smsmcp.Reserved {
		t.Errorf("a second answer: %s, %v", got.State, err)
	}
	if _, err := s.Answer(t.Context(), noon, "zzz", need, yes); !errors.Is(err, smsmcp.ErrNoSend) {
		t.Error(err)
	}
	st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("hi", noon), noon.Add(time.Second))
	if len(st.Log) != 1 || !st.Log[0].Confirmed || len(st.Asked) != 1 || len(st.Answers) != 1 || !st.Answers[0].Yes || len(st.Unsettled) != 1 {
		t.Errorf("%+v", st)
	}
}

// TestInvariant12NothingIsLeftOutForBeingInTheFuture: the clock is set back by a day after everything happened.
func TestInvariant12NothingIsLeftOutForBeingInTheFuture(t *testing.T) {
	for _, reopen := range []bool{false, true} {
		s := newStore(t)
		c := addContact(t, s, "Marie", "+15145550101")
		begin(t, s, draft("a", c, "one", smsmcp.Reserved, noon), noon)
		_, err := s.Record(t.Context(), "a", done(noon, "1"))
		ok(t, err)
		begin(t, s, draft("b", c, "two", smsmcp.Waiting, noon), noon)
		x := storeTexts(t, s, noon, received("9", smsmcp.NumberPeer("+15145550177"), "hello", noon))
		ok(t, s.Show(t.Context(), smsmcp.Shown{At: noon, Texts: []smsmcp.TextID{x[0].ID}, Holds: []smsmcp.Hold{
			{Scope: smsmcp.MCP, Kind: smsmcp.HoldStranger, From: noon, Until: noon.Add(time.Hour)},
		}}))
		if reopen {
			file := s.file
			ok(t, s.Close())
			s = openStore(t, file)
		}
		back := noon.Add(-24 * time.Hour)
		st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("one", back), back)
		if len(st.Log) != 1 || len(st.Asked) != 1 || len(st.Holds) != 1 || len(st.Heard) != 1 || len(st.Waiting) != 1 {
			t.Errorf("reopened %v: log %d, asked %d, holds %d, heard %d, waiting %d", reopen, len(st.Log), len(st.Asked), len(st.Holds), len(st.Heard), len(st.Waiting))
		}
		if gone, err := s.Expire(t.Context(), back); err != nil || len(gone) != 1 || gone[0].State != smsmcp.Expired {
			t.Errorf("what was asked in the future: %v, %v", gone, err)
		}
	}
}

func TestExpireRecoverAndFreeze(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("a", c, "one", smsmcp.Waiting, noon), noon)
	begin(t, s, draft("b", c, "two", smsmcp.Reserved, noon), noon)
	begin(t, s, draft("c", c, "three", smsmcp.Reserved, noon), noon)
	_, err := s.Record(t.Context(), "c", smsmcp.Outcome{State: smsmcp.Failed, At: noon})
	ok(t, err)
	if gone, err := s.Expire(t.Context(), noon.Add(9*time.Minute)); err != nil || len(gone) != 0 {
		t.Error(gone, err)
	}
	if gone, err := s.Expire(t.Context(), noon.Add(10*time.Minute)); err != nil || len(gone) != 1 {
		t.Error(gone, err)
	}
	if n, err := s.Recover(t.Context(), noon); err != nil || n != 1 {
		t.Error(n, err)
	}
	un, err := s.Unsettled(t.Context())
	if err != nil || len(un) != 1 || un[0].ID != "b" || un[0].Failure != "interrupted" {
		t.Error(un, err)
	}
	st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("two", noon), noon)
	if len(st.Unsettled) != 1 || len(st.Log) != 1 || st.Log[0].State != smsmcp.Unknown || len(st.Waiting) != 0 || st.Frozen {
		t.Errorf("%+v", st)
	}
	ok(t, s.Freeze(t.Context(), noon, smsmcp.CommandLine))
	ok(t, s.Freeze(t.Context(), noon, smsmcp.CommandLine))
	for _, need := range []guard.Need{{}, needFor("x", noon)} {
		if st := look(t, s, smsmcp.Recipient{ID: c.ID}, need, noon); !st.Frozen || !st.Known {
			t.Errorf("frozen: %+v", st)
		}
	}
	ok(t, s.Thaw(t.Context()))
	if f, err := s.Frozen(t.Context()); f || err != nil {
		t.Error(f, err)
	}
	list, err := s.Sends(t.Context(), 2)
	if err != nil || len(list) != 2 || list[0].ID != "c" || list[1].ID != "b" {
		t.Error(list, err)
	}
}

// TestInvariant09WhatIsRememberedIsWhatIsWritten does things at random, by two stores on one file, and compares the state that each decides
// on with the one read from the file afresh.
func TestInvariant09WhatIsRememberedIsWhatIsWritten(t *testing.T) {
	a := newStore(t)
	b := openStore(t, a.file)
	c := addContact(t, a, "Marie", "+15145550101")
	rng := rand.New(rand.NewPCG(1, 2))
	now := noon
	var ids []smsmcp.SendID
	for i := range 400 {
		s := []*Store{a, b}[rng.IntN(2)]
		now = now.Add(time.Duration(rng.IntN(60)-15) * time.Minute)
		id := fmt.Sprint("send", i)
		var some smsmcp.SendID
		if len(ids) > 0 {
			some = ids[len(ids)-1-rng.IntN(min(5, len(ids)))]
		}
		switch rng.IntN(10) {
		case 0, 1, 2:
			begin(t, s, draft(id, c, fmt.Sprint("body ", rng.IntN(3)), smsmcp.Reserved, now), now)
			ids = append(ids, smsmcp.SendID(id))
		case 3:
			x := draft(id, c, "body 1", smsmcp.Waiting, now)
			x.Only = []smsmcp.Channel{smsmcp.NoChannel, smsmcp.Voice}[rng.IntN(2)]
			begin(t, s, x, now)
			ids = append(ids, smsmcp.SendID(id))
		case 4, 5, 6:
			o := smsmcp.Outcome{State: []smsmcp.SendState{smsmcp.Done, smsmcp.Failed, smsmcp.Unknown}[rng.IntN(3)], At: now, Reached: rng.IntN(2) == 0}
			o.Key = smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: fmt.Sprint("key", rng.IntN(100))} // sometimes taken
			_, _ = s.Record(t.Context(), some, o)
		case 7:
			_, _ = s.Answer(t.Context(), now, some, func(x smsmcp.Send) guard.Need { return needFor(x.Draft.Body(), now) }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
				x.State, x.Answered, x.Reserved, x.ConfirmedBy = smsmcp.Reserved, now, now, cmp.Or(x.Only, smsmcp.CommandLine)
				return x
			})
		case 8:
			x := storeTexts(t, s, now, received(id, smsmcp.NumberPeer(c.To), "stop", now))
			if rng.IntN(2) == 0 {
				ok(t, s.Show(t.Context(), smsmcp.Shown{At: now, Texts: []smsmcp.TextID{x[0].ID}, Holds: []smsmcp.Hold{
					{Scope: smsmcp.MCP, Kind: smsmcp.HoldStranger, From: now, Until: now.Add(time.Hour)},
				}}))
			}
		case 9:
			_, err := s.Expire(t.Context(), now)
			ok(t, err)
		}
		need := needFor("body 1", now)
		got := look(t, s, smsmcp.Recipient{ID: c.ID}, need, now)
		s.memo = memo{}
		want := look(t, s, smsmcp.Recipient{ID: c.ID}, need, now)
		if !same(got, want) {
			t.Fatalf("step %d:\nremembered %+v\nwritten    %+v", i, got, want)
		}
	}
}

// TestInvariant12ALongLogIsWholeAfterTheClockIsSetBack: what was too old to be kept in memory is read again.
func TestInvariant12ALongLogIsWholeAfterTheClockIsSetBack(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	const sends = 3 * maxOld
	now := noon
	for i := range sends {
		now = now.Add(16 * time.Minute)
		st := begin(t, s, draft(fmt.Sprint("s", i), c, "hi", smsmcp.Reserved, now), now)
		if want := min(i, 89); len(st.Log) != want {
			t.Fatalf("send %d was decided on %d, want %d", i, len(st.Log), want)
		}
		_, err := s.Record(t.Context(), smsmcp.SendID(fmt.Sprint("s", i)), done(now, fmt.Sprint(i)))
		ok(t, err)
	}
	if n := len(s.memo.log.past); n > 89+maxOld+1 {
		t.Errorf("%d are kept", n)
	}
	back := noon.Add(17 * time.Hour) // its day begins after that of the first send did
	if st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("hi", back), back); len(st.Log) != sends {
		t.Errorf("%d in the log, want %d", len(st.Log), sends)
	}
}

func TestHeardIsAContactsAsSoonAsTheNumberIs(t *testing.T) {
	s := newStore(t)
	storeTexts(t, s, noon, received("1", smsmcp.NumberPeer("+15145550101"), "hi", noon))
	heard := func() smsmcp.ContactID {
		st := look(t, s, smsmcp.Recipient{}, needFor("x", noon), noon)
		if len(st.Heard) != 1 {
			t.Fatalf("%d heard", len(st.Heard))
		}
		return st.Heard[0].Contact
	}
	if heard() != 0 {
		t.Error("a stranger is a contact")
	}
	c := addContact(t, s, "Marie", "+15145550101")
	if heard() != c.ID {
		t.Error("a contact is a stranger")
	}
	ok(t, s.RemoveContact(t.Context(), c.ID))
	if heard() != 0 {
		t.Error("a contact that is gone is one")
	}
	storeTexts(t, s, noon, received("2", smsmcp.NumberPeer("+15145550101"), "hi", noon))
	if st := look(t, s, smsmcp.Recipient{}, needFor("x", noon), noon); len(st.Heard) != 2 {
		t.Errorf("%d heard", len(st.Heard))
	}
}

// same compares states, an empty list being no list.
func same(a, b guard.State) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		f, g := x.Field(i), y.Field(i)
		if f.Kind() == reflect.Slice && f.Len() == 0 && g.Len() == 0 {
			continue
		}
		if !reflect.DeepEqual(f.Interface(), g.Interface()) {
			return false
		}
	}
	return true
}
