package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
	"readback/store/schema"
)

func spoken(id string, c smsmcp.Contact, body string, state smsmcp.SendState, now time.Time) smsmcp.Send {
	s := draft(id, c, body, state, now)
	s.Only, s.Scope, s.Strong = smsmcp.Voice, smsmcp.CallScope+"1", true
	return s
}

// says answers a send that waits, by voice.
func says(t *testing.T, s *Store, id smsmcp.SendID, state smsmcp.SendState, words string, now time.Time) smsmcp.Send {
	t.Helper()
	got, err := s.Answer(t.Context(), now, id, func(x smsmcp.Send) guard.Need { return needFor(x.Draft.Body(), now) }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
		x.State, x.Answered = state, now
		if state == smsmcp.Reserved {
			x.Reserved, x.ConfirmedBy, x.Answer = now, smsmcp.Voice, untrusted.New(words)
		} else {
			x.Ended = now
		}
		return x
	})
	ok(t, err)
	return got
}

// TestTheWordsOfAYesAreKept: byte for byte up to a bound, through every further step, and in a copy.
func TestTheWordsOfAYesAreKept(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	for i, words := range []string{"oui, envoie-le", "key 1", "\x00\xff'; DROP TABLE sends; --", strings.Repeat("é", 5000)} {
		id := fmt.Sprint("s", i)
		begin(t, s, spoken(id, c, "body "+id, smsmcp.Waiting, noon), noon)
		if got := says(t, s, smsmcp.SendID(id), smsmcp.Reserved, words, noon); got.Only != smsmcp.Voice || got.Answer.RawForRules() != clip(words, maxAnswer) {
			t.Errorf("%q: %+v", id, got)
		}
		if i == 0 {
			_, err := s.Record(t.Context(), smsmcp.SendID(id), done(noon, id))
			ok(t, err)
		}
	}
	n, err := s.Recover(t.Context(), noon)
	if err != nil || n != 3 {
		t.Fatal(n, err)
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	ok(t, s.Backup(t.Context(), file))
	for _, s := range []*Store{s, openStore(t, file)} {
		for i, want := range []string{"oui, envoie-le", "key 1", "\x00\xff'; DROP TABLE sends; --"} {
			got, err := s.Send(t.Context(), smsmcp.SendID(fmt.Sprint("s", i)))
			if err != nil || got.Answer.RawForRules() != want || got.ConfirmedBy != smsmcp.Voice || got.Only != smsmcp.Voice {
				t.Errorf("%d: %+v, %v", i, got, err)
			}
		}
	}
}

// TestInvariant10TheTableItselfKeepsTheChannelsApart: a row made for the voice is confirmed by it alone, and it confirms no other, whatever writes there.
func TestInvariant10TheTableItselfKeepsTheChannelsApart(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, spoken("call", c, "one", smsmcp.Waiting, noon), noon)
	begin(t, s, draft("other", c, "two", smsmcp.Waiting, noon), noon)
	for statement, may := range map[string]bool{
		`UPDATE sends SET confirmed_by = 'command_line' WHERE id = 'call'`: false,
		`UPDATE sends SET confirmed_by = 'voice' WHERE id = 'other'`:       false,
		`UPDATE sends SET only_by = 'phone' WHERE id = 'other'`:            false,
		`UPDATE sends SET confirmed_by = 'page' WHERE id = 'other'`:        true,
		`UPDATE sends SET confirmed_by = 'voice' WHERE id = 'call'`:        true,
	} {
		if err := do(t, s, statement); (err == nil) != may {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestWhatIsAskedOnACallIsCountedNowhere: it waits, it is seen by what decides, and no limit on asking knows it. Once it went it counts as all others.
func TestWhatIsAskedOnACallIsCountedNowhere(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	state := func() guard.State {
		return look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon.Add(time.Second))
	}
	for i, end := range []smsmcp.SendState{smsmcp.Declined, smsmcp.Declined, smsmcp.Reserved} {
		id := fmt.Sprint("call", i)
		begin(t, s, spoken(id, c, "body "+id, smsmcp.Waiting, noon), noon)
		if st := state(); len(st.Waiting) != 1 || st.Waiting[0].Only != smsmcp.Voice || len(st.Asked) != 0 {
			t.Errorf("%+v", st)
		}
		list, err := s.Waiting(t.Context())
		ok(t, err)
		l, err := s.Lengths(t.Context(), noon)
		ok(t, err)
		if len(list) != 0 || l.Asked != 0 {
			t.Errorf("%d are listed, %d counted", len(list), l.Asked)
		}
		says(t, s, smsmcp.SendID(id), end, "yes", noon)
	}
	begin(t, s, draft("other", c, "two", smsmcp.Waiting, noon), noon)
	st := state()
	if len(st.Asked) != 1 || len(st.Answers) != 0 || len(st.Log) != 1 || !st.Log[0].Confirmed {
		t.Errorf("%+v", st)
	}
	list, err := s.Waiting(t.Context())
	ok(t, err)
	l, err := s.Lengths(t.Context(), noon)
	ok(t, err)
	if len(list) != 1 || list[0].ID != "other" || l.Asked != 1 {
		t.Errorf("%+v %+v", list, l)
	}
}

// TestWhatAVersionThreeHeldIsStillThere opens a database of version 3: what waited waits for any channel, and what was asked and answered counts.
func TestWhatAVersionThreeHeldIsStillThere(t *testing.T) {
	old := newStore(t)
	c := addContact(t, old, "Marie", "+15145550101")
	file := filepath.Join(t.TempDir(), "old.db")
	script, err := schema.Frozen.ReadFile("testdata/v3.sql")
	ok(t, err)
	db := raw(t, file)
	_, err = db.Exec(string(script) + fmt.Sprintf(`;PRAGMA application_id = %d; PRAGMA user_version = 3;
		INSERT INTO contacts (id, name, aliases, numbers, send_to, revision) VALUES (1, 'Marie', '[]', '["+15145550101"]', '+15145550101', 1);
		INSERT INTO contact_numbers VALUES ('+15145550101', 1); INSERT INTO contact_names VALUES ('marie', 1)`, schema.Application))
	ok(t, err)
	for i, x := range []struct {
		state    smsmcp.SendState
		answered int64
		by       smsmcp.Channel
		tally    int
	}{{smsmcp.Waiting, 0, "", 2}, {smsmcp.Declined, noon.UnixMilli(), "", 0}, {smsmcp.Done, noon.UnixMilli(), smsmcp.Phone, 1}} {
		d := smsmcp.NewDraft(c, fmt.Sprint("body ", i))
		digest, words := d.Digest(), smsmcp.BodyDigest(d.Body())
		_, err = db.Exec(`INSERT INTO sends (id, contact, revision, number, body, digest, body_digest, name, state, reasons, strong, by, scope, kind, segments, created,
			expires, answered, reserved, ended, confirmed_by, key_carrier, key_kind, key_ref, delivery, failure, tally)
			VALUES (?, 1, 1, '+15145550101', ?, ?, ?, 'Marie', ?, '[]', 0, 'test', 'mcp', 'sms', 1, ?, ?, ?, ?, 0, ?, '', '', '', '', '', ?)`,
			fmt.Sprint("s", i), []byte(d.Body()), digest[:], words[:], string(x.state), noon.UnixMilli(), noon.Add(10*time.Minute).UnixMilli(), x.answered, x.answered, string(x.by), x.tally)
		ok(t, err)
	}
	ok(t, db.Close())
	s := openStore(t, file)
	list, err := s.Waiting(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != "s0" || list[0].Only != smsmcp.NoChannel || list[0].Answer.Len() != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	st := look(t, s, smsmcp.Recipient{ID: 1}, needFor("x", noon), noon.Add(time.Second))
	if len(st.Asked) != 3 || len(st.Answers) != 2 || len(st.Log) != 1 || !st.Log[0].Confirmed || len(st.Waiting) != 1 {
		t.Errorf("%+v", st)
	}
	got, err := s.Answer(t.Context(), noon, "s0", func(x smsmcp.Send) guard.Need { return needFor(x.Draft.Body(), noon) }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
		x.State, x.Answered, x.Reserved, x.ConfirmedBy = smsmcp.Reserved, noon, noon, smsmcp.CommandLine
		return x
	})
	if err != nil || got.ConfirmedBy != smsmcp.CommandLine {
		t.Error(got, err)
	}
	ok(t, s.Check(t.Context()))
}
