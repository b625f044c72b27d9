package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/store/schema"
)

func join(t *testing.T, file string) *Store {
	t.Helper()
	s, err := Join(t.Context(), file)
	ok(t, err)
	t.Cleanup(func() { ok(t, s.Close()) })
	return s
}

// TestWhoJoinsAStoreMakesAndChangesNone: nor a file, nor a schema, nor what is open in a restored one.
func TestWhoJoinsAStoreMakesAndChangesNone(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none.db")
	refused := func(name, file string, want error) {
		t.Helper()
		before, _ := os.ReadFile(file)
		if s, err := Join(t.Context(), file); !errors.Is(err, want) || s != nil {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if after, _ := os.ReadFile(file); string(after) != string(before) {
			t.Errorf("%s: the file was changed", name)
		}
		if old, err := Outdated(t.Context(), file); old != errors.Is(want, ErrUnready) || (err == nil) != old {
			t.Errorf("%s: outdated: %v, %v", name, old, err)
		}
	}
	refused("none", none, ErrUnready)
	if _, err := os.Lstat(none); err == nil {
		t.Error("a file was made")
	}
	empty := filepath.Join(dir, "empty.db")
	ok(t, os.WriteFile(empty, nil, 0o600))
	if _, err := Join(t.Context(), empty); !errors.Is(err, ErrUnready) {
		t.Errorf("an empty file: %v", err)
	}
	old := filepath.Join(dir, "old.db")
	script, err := schema.Frozen.ReadFile(fmt.Sprintf("testdata/v%d.sql", schema.Version-1))
	ok(t, err)
	db := raw(t, old)
	_, err = db.Exec(`PRAGMA journal_mode = WAL;` + string(script) + fmt.Sprintf(";PRAGMA application_id = %d; PRAGMA user_version = %d", schema.Application, schema.Version-1))
	ok(t, err)
	ok(t, db.Close())
	refused("an older one", old, ErrUnready)

	s := newStore(t)
	file := s.file
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("waits", c, "one", smsmcp.Waiting, noon), noon)
	fresh := filepath.Join(dir, "copy.db")
	ok(t, s.Backup(t.Context(), fresh))
	ok(t, raw(t, fresh).Close())
	refused("a restored one", fresh, ErrUnready)
	ok(t, openStore(t, fresh).Close())
	ok(t, join(t, fresh).Check(t.Context()))
	if old, err := Outdated(t.Context(), file); old || err != nil {
		t.Error(old, err)
	}
	ok(t, do(t, s, fmt.Sprintf("PRAGMA user_version = %d", schema.Version+1)))
	if _, err := Join(t.Context(), file); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer one: %v", err)
	}
}

// TestInvariant07WhoJoinsSettlesNothingOfOthers: what it finds reserved may be on its way.
func TestInvariant07WhoJoinsSettlesNothingOfOthers(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("a", c, "one", smsmcp.Reserved, noon), noon)
	w := join(t, s.file)
	if n, err := w.Recover(t.Context(), noon); n != 0 || !errors.Is(err, ErrJoined) {
		t.Error(n, err)
	}
	for i := range 3 {
		if gone, err := w.RecoverStale(t.Context(), noon.Add(time.Duration(i)*time.Hour), time.Minute); len(gone) != 0 || !errors.Is(err, ErrJoined) {
			t.Error(gone, err)
		}
	}
	if got, err := s.Send(t.Context(), "a"); err != nil || got.State != smsmcp.Reserved {
		t.Error(got.State, err)
	}
	begin(t, w, draft("b", c, "two", smsmcp.Reserved, noon), noon) // and it sends as the server does
	if st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("two", noon), noon); len(st.Log) != 2 || len(st.Unsettled) != 1 {
		t.Errorf("%+v", st)
	}
	if got, err := w.Record(t.Context(), "b", done(noon, "1")); err != nil || got.State != smsmcp.Done {
		t.Error(got.State, err)
	}
}

// TestInvariant09WhoHasOtherBoundsThanTheServerSendsNothing, from the very commit by which the server says others: nothing is reserved, by a yes neither, and nothing waits for one. What is out is
// recorded, and a no is a no.
func TestInvariant09WhoHasOtherBoundsThanTheServerSendsNothing(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	w := join(t, s.file)
	w.HoldTo("config", []byte("mine"))
	try := func(s *Store, x smsmcp.Send) error {
		return s.Begin(t.Context(), noon, smsmcp.Recipient{ID: c.ID}, needFor(x.Draft.Body(), noon), func(guard.State) smsmcp.Ruling { return smsmcp.Ruling{Insert: &x} })
	}
	answer := func(id smsmcp.SendID, state smsmcp.SendState) (smsmcp.Send, error) {
		return w.Answer(t.Context(), noon, id, func(x smsmcp.Send) guard.Need { return needFor(x.Draft.Body(), noon) }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
			x.State = state
			return x
		})
	}
	if err := try(w, draft("none", c, "none", smsmcp.Reserved, noon)); !errors.Is(err, ErrBounds) {
		t.Errorf("where the server has said nothing: %v", err)
	}
	ok(t, s.SetSecret(t.Context(), "config", []byte("mine")))
	for _, x := range []smsmcp.Send{draft("out", c, "out", smsmcp.Reserved, noon), draft("yes", c, "yes", smsmcp.Waiting, noon), draft("no", c, "no", smsmcp.Waiting, noon)} {
		ok(t, try(w, x))
	}
	ok(t, s.SetSecret(t.Context(), "config", []byte("others")))
	for _, state := range []smsmcp.SendState{smsmcp.Reserved, smsmcp.Waiting} {
		x := draft("x"+string(state), c, "x", state, noon)
		if err := try(w, x); !errors.Is(err, ErrBounds) {
			t.Errorf("%s: %v", state, err)
		}
		if _, err := s.Send(t.Context(), x.ID); !errors.Is(err, smsmcp.ErrNoSend) {
			t.Errorf("%s: it is written down: %v", state, err)
		}
	}
	var coded smsmcp.Coded
	if _, err := answer("yes", smsmcp.Reserved); !errors.Is(err, ErrBounds) || !errors.As(err, &coded) || coded.Code() != smsmcp.Reduce(coded.Code()) {
		t.Errorf("a yes: %v", err)
	}
	if got, err := s.Send(t.Context(), "yes"); err != nil || got.State != smsmcp.Waiting {
		t.Error(got.State, err)
	}
	if got, err := answer("no", smsmcp.Declined); err != nil || got.State != smsmcp.Declined {
		t.Error(got.State, err)
	}
	if got, err := w.Record(t.Context(), "out", done(noon, "1")); err != nil || got.State != smsmcp.Done {
		t.Error(got.State, err)
	}
	ok(t, try(s, draft("server", c, "server", smsmcp.Reserved, noon)))
	ok(t, s.SetSecret(t.Context(), "config", []byte("mine")))
	if got, err := answer("yes", smsmcp.Reserved); err != nil || got.State != smsmcp.Reserved {
		t.Error(got.State, err)
	}
}

// TestInvariant07WhatAnotherProcessLeftIsFoundByHowLongItIsSeen, and not by the times that were written: those are by clocks that may be set.
func TestInvariant07WhatAnotherProcessLeftIsFoundByHowLongItIsSeen(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	const older = time.Minute
	sweep := func(now time.Time, want ...smsmcp.SendID) {
		t.Helper()
		gone, err := s.RecoverStale(t.Context(), now, older)
		ok(t, err)
		if len(gone) != len(want) {
			t.Fatalf("%d are given up, want %v", len(gone), want)
		}
		for i, x := range gone {
			got, err := s.Send(t.Context(), x.ID)
			if x.ID != want[i] || x.State != smsmcp.Unknown || x.Failure != smsmcp.Interrupted || err != nil || got.State != smsmcp.Unknown || got.Failure != smsmcp.Interrupted {
				t.Errorf("%+v, %+v, %v", x, got, err)
			}
		}
	}
	sweep(noon)
	begin(t, s, draft("past", c, "one", smsmcp.Reserved, noon.Add(-24*time.Hour)), noon)
	begin(t, s, draft("future", c, "two", smsmcp.Reserved, noon.Add(24*time.Hour)), noon)
	begin(t, s, draft("quick", c, "three", smsmcp.Reserved, noon), noon)
	sweep(noon)
	sweep(noon.Add(older - time.Millisecond))
	_, err := s.Record(t.Context(), "quick", done(noon, "1"))
	ok(t, err)
	begin(t, s, draft("later", c, "four", smsmcp.Reserved, noon), noon)
	sweep(noon.Add(older), "past", "future")
	sweep(noon.Add(2*older - time.Millisecond))
	sweep(noon.Add(-time.Hour)) // set back by hand: nobody knows how long
	sweep(noon.Add(-time.Hour + older - time.Millisecond))
	sweep(noon.Add(-time.Hour+older), "later")
	sweep(noon.Add(24 * time.Hour))
}

// TestInvariant07WhatALiveProcessRecordsIsTakenAlsoWhereItWasGivenUp, whatever the carrier answered, and nothing that was settled meanwhile gives way.
func TestInvariant07WhatALiveProcessRecordsIsTakenAlsoWhereItWasGivenUp(t *testing.T) {
	answer := func(o smsmcp.Outcome) smsmcp.Outcome { o.Handed = true; return o }
	failed := smsmcp.Outcome{State: smsmcp.Failed, At: noon, Failure: "refused"}
	unknown := smsmcp.Outcome{State: smsmcp.Unknown, At: noon, Failure: "time_out", Reached: true}
	ownerSays := smsmcp.Outcome{State: smsmcp.Failed, At: noon, Failure: smsmcp.OwnerSaid, Reached: true}
	listed := done(noon, "1")
	notListed := smsmcp.Outcome{State: smsmcp.Failed, At: noon, Failure: smsmcp.NotListed, Reached: true}
	for name, c := range map[string]struct {
		meanwhile *smsmcp.Outcome // what the list, or the owner, said of it
		answer    smsmcp.Outcome
		want      smsmcp.SendState
		err       error
		failure   string
	}{
		"it went":                               {nil, done(noon, "1"), smsmcp.Done, nil, ""},
		"it did not go":                         {nil, failed, smsmcp.Failed, nil, "refused"},
		"nobody knows":                          {nil, unknown, smsmcp.Unknown, nil, smsmcp.Interrupted},
		"it went, by another text's key":        {nil, done(noon, "taken"), smsmcp.Done, nil, smsmcp.KeyTaken},
		"it went, and the list has it":          {&listed, done(noon, "1"), smsmcp.Done, nil, ""},
		"it went, and the list did not show it": {&notListed, done(noon, "1"), smsmcp.Done, nil, ""},
		"it went, and the owner said no":        {&ownerSays, done(noon, "1"), smsmcp.Failed, ErrState, smsmcp.OwnerSaid},
		"nobody knows, and the owner does":      {&ownerSays, unknown, smsmcp.Failed, ErrState, smsmcp.OwnerSaid},
	} {
		for _, giveUp := range []func(s *Store) error{
			func(s *Store) error { _, err := s.Recover(t.Context(), noon); return err },
			func(s *Store) error {
				_, err := s.RecoverStale(t.Context(), noon, time.Minute)
				if err == nil {
					_, err = s.RecoverStale(t.Context(), noon.Add(time.Minute), time.Minute)
				}
				return err
			},
		} {
			s := newStore(t)
			marie := addContact(t, s, "Marie", "+15145550101")
			w := join(t, s.file)
			begin(t, w, draft("other", marie, "other words", smsmcp.Reserved, noon), noon)
			_, err := w.Record(t.Context(), "other", done(noon, "taken"))
			ok(t, err)
			begin(t, w, draft("a", marie, "hello", smsmcp.Reserved, noon), noon)
			ok(t, giveUp(s))
			if c.meanwhile != nil {
				_, err := s.Record(t.Context(), "a", *c.meanwhile)
				ok(t, err)
			}
			_, err = w.Record(t.Context(), "a", answer(c.answer))
			if got, e := s.Send(t.Context(), "a"); !errors.Is(err, c.err) || e != nil || got.State != c.want || got.Failure != c.failure {
				t.Errorf("%s: %v; it is %s, %q", name, err, got.State, got.Failure)
			}
		}
	}
	// The list has no say over whose a text is.
	s := newStore(t)
	marie := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("other", marie, "other words", smsmcp.Reserved, noon), noon)
	_, err := s.Record(t.Context(), "other", done(noon, "taken"))
	ok(t, err)
	begin(t, s, draft("a", marie, "hello", smsmcp.Reserved, noon), noon)
	_, err = s.Recover(t.Context(), noon)
	ok(t, err)
	if _, err := s.Record(t.Context(), "a", done(noon, "taken")); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
}

// TestInvariant07HowASendStandsIsSeenByAll, as soon as another process has said it: what a hand-over goes by.
func TestInvariant07HowASendStandsIsSeenByAll(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("one", c, "hi", smsmcp.Reserved, noon), noon)
	beside := join(t, s.file)
	stands := func(want smsmcp.SendState, failure string) {
		t.Helper()
		if state, f, err := beside.Stands(t.Context(), "one"); err != nil || state != want || f != failure {
			t.Errorf("%s, %q, %v; want %s, %q", state, f, err, want, failure)
		}
	}
	stands(smsmcp.Reserved, "")
	_, err := s.Recover(t.Context(), noon)
	ok(t, err)
	stands(smsmcp.Unknown, smsmcp.Interrupted)
	_, err = s.Record(t.Context(), "one", smsmcp.Outcome{State: smsmcp.Failed, At: noon, Failure: smsmcp.OwnerSaid, Reached: true})
	ok(t, err)
	stands(smsmcp.Failed, smsmcp.OwnerSaid)
	if _, _, err := beside.Stands(t.Context(), "two"); !errors.Is(err, smsmcp.ErrNoSend) {
		t.Error(err)
	}
}
