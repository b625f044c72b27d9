package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/store/engine"
)

// refuse writes n refused sends in one transaction.
func refuse(t testing.TB, s *Store, from, n int) {
	t.Helper()
	ok(t, s.write(t.Context(), "refuse", func(tx *tx) error {
		for i := range n {
			x := draft(fmt.Sprint("r", from+i), smsmcp.Contact{}, "no", smsmcp.Refused, noon)
			if err := tx.insert(x, guard.State{}); err != nil {
				return err
			}
		}
		return nil
	}))
}

func refused(t testing.TB, s *Store) (n int) {
	t.Helper()
	_, err := engine.One(s.read(t.Context()), `SELECT count(*) FROM sends WHERE state = 'refused'`, nil, &n)
	ok(t, err)
	return n
}

func TestTheRefusedAreBounded(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("asked", c, "hi", smsmcp.Waiting, noon), noon)
	_, err := s.Answer(t.Context(), noon, "asked", func(smsmcp.Send) guard.Need { return guard.Need{} }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
		x.State = smsmcp.Refused
		return x
	})
	ok(t, err)
	begin(t, s, draft("sent", c, "hi", smsmcp.Reserved, noon), noon)
	refuse(t, s, 0, maxRefused)
	expire := func() {
		t.Helper()
		_, err := s.Expire(t.Context(), noon)
		ok(t, err)
	}
	size := walSize(t, s)
	expire()
	if n := refused(t, s); n != maxRefused+1 || walSize(t, s) != size {
		t.Errorf("%d are kept, and an idle call wrote %d bytes", n, walSize(t, s)-size)
	}
	refuse(t, s, maxRefused, pruneAtOnce+1)
	expire()
	if n := refused(t, s); n != maxRefused+2 {
		t.Errorf("one call left %d", n)
	}
	expire()
	for id, there := range map[smsmcp.SendID]bool{
		"asked": true, "sent": true, "r0": false, smsmcp.SendID(fmt.Sprint("r", pruneAtOnce)): false, smsmcp.SendID(fmt.Sprint("r", pruneAtOnce+1)): true,
		smsmcp.SendID(fmt.Sprint("r", maxRefused)): true,
	} {
		if _, err := s.Send(t.Context(), id); (err == nil) != there {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestARefusedBodyIsCutAtACharacter(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	for i, body := range []string{strings.Repeat("é", 5000), "x" + strings.Repeat("é", 5000), strings.Repeat("x", maxRefusedBody), strings.Repeat("\xff", 5000)} {
		id := fmt.Sprint("refused", i)
		x := draft(id, c, body, smsmcp.Refused, noon)
		begin(t, s, x, noon)
		got, err := s.Send(t.Context(), x.ID)
		ok(t, err)
		kept := got.Draft.Body()
		if len(kept) > maxRefusedBody || len(kept) < maxRefusedBody-1 || !strings.HasPrefix(body, kept) || utf8.ValidString(body) && !utf8.ValidString(kept) {
			t.Errorf("%d of %d bytes", len(kept), len(body))
		}
		want := x.Draft.Digest()
		if found, err := engine.One(s.read(t.Context()), `SELECT 1 FROM sends WHERE id = ? AND digest = ?`, []any{id, want[:]}, new(int)); !found || err != nil {
			t.Errorf("the digest is not that of the draft: %v", err)
		}
		x = draft(fmt.Sprint("sent", i), c, body, smsmcp.Reserved, noon)
		begin(t, s, x, noon)
		if got, err := s.Send(t.Context(), x.ID); err != nil || got.Draft.Body() != body {
			t.Errorf("what is sent was cut: %v", err)
		}
	}
}

// alike stores n more texts like the one with this id, but for their ids, which are it and a number from 1 on, at the cost of one.
func alike(t testing.TB, s *Store, id string, n int) {
	t.Helper()
	ok(t, s.write(t.Context(), "alike", func(tx *tx) error {
		s.memo = memo{}
		const rest = `direction, number, code, label, claim, body, folded, at, stored, images, delivery, stop, unverified, pair, group_of, send`
		added, err := tx.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
			INSERT INTO texts (carrier, kind, ref, `+rest+`) SELECT carrier, kind, ref || i, `+rest+` FROM texts, n WHERE ref = ?1 ORDER BY i`, id, n)
		if added != int64(n) && err == nil {
			err = fmt.Errorf("%d like %s, want %d", added, id, n)
		}
		return err
	}))
}

// TestHeardIsBounded: the newest by when they came or were shown, whatever their order in the store.
func TestHeardIsBounded(t *testing.T) {
	s := newStore(t)
	const old, fresh = guard.MaxHeard + 20, 30
	var texts []smsmcp.Text
	for i := range old {
		texts = append(texts, received(fmt.Sprint("old", i), smsmcp.NumberPeer("+15145550101"), fmt.Sprint("old ", i), noon))
	}
	added := storeTexts(t, s, noon.Add(-2*time.Hour), texts...)
	heard := func(now time.Time) (bodies []string, more bool) {
		t.Helper()
		var states [2]guard.State
		for i := range states { // the second one from memory
			states[i] = look(t, s, smsmcp.Recipient{}, needFor("x", now), now)
		}
		if !same(states[0], states[1]) {
			t.Error("what is remembered is another")
		}
		for _, h := range states[0].Heard {
			bodies = append(bodies, h.Body.RawForRules())
		}
		return bodies, states[0].HeardMore
	}
	if all, more := heard(noon); len(all) != guard.MaxHeard || !more || all[0] != "old 20" || all[len(all)-1] != fmt.Sprint("old ", old-1) {
		t.Errorf("%d, more %v: %s to %s", len(all), more, all[0], all[len(all)-1])
	}
	for i := range fresh {
		storeTexts(t, s, noon.Add(-time.Hour), received(fmt.Sprint("new", i), smsmcp.NumberPeer("+15145550101"), fmt.Sprint("new ", i), noon))
	}
	ok(t, s.Show(t.Context(), smsmcp.Shown{At: noon.Add(-time.Minute), Texts: []smsmcp.TextID{added[0].ID, added[1].ID}}))
	all, more := heard(noon)
	if len(all) != guard.MaxHeard || !more || !slices.Equal(all[len(all)-3:], []string{"new 29", "old 0", "old 1"}) || all[0] != fmt.Sprint("old ", 20+fresh+2) {
		t.Errorf("%d, more %v: %s, …, %q", len(all), more, all[0], all[len(all)-3:])
	}
	// Later the old ones are out of the window: nothing more is left out.
	at := noon.Add(22*time.Hour + 30*time.Minute)
	if all, more := heard(at); len(all) != fresh+2 || more {
		t.Errorf("%d, more %v", len(all), more)
	}
}

func TestAnUnchangedListIsCheap(t *testing.T) {
	s := newStore(t)
	var texts []smsmcp.Text
	for i := range 3000 { // a list of three months
		x := received(fmt.Sprint(i), smsmcp.NumberPeer("+15145550101"), "hi", noon)
		if i%3 == 0 {
			x.Key.Kind = smsmcp.MMS
		}
		texts = append(texts, x)
	}
	odd := []smsmcp.Text{ // ids that JSON does not carry as they are
		received("a\ufffd", smsmcp.CodePeer("12345"), "one", noon), received("a\xff", smsmcp.CodePeer("12345"), "two", noon),
		received("a", smsmcp.CodePeer("12345"), "three", noon), received("a\x00b", smsmcp.CodePeer("12345"), "four", noon),
	}
	storeTexts(t, s, noon, texts...)
	for _, x := range slices.Concat(odd, odd) {
		storeTexts(t, s, noon, x)
	}
	if p := page(t, s, smsmcp.Query{Strangers: true, Contains: "o"}); len(p.Rows) != 3 {
		t.Errorf("%d texts: one with an odd id was lost", len(p.Rows))
	}
	size := walSize(t, s)
	if got, err := s.changed(t.Context(), texts); err != nil || len(got) != 0 {
		t.Errorf("%d changed, %v", len(got), err)
	}
	storeTexts(t, s, noon, texts...)
	if walSize(t, s) != size {
		t.Error("an unchanged list was written")
	}
	texts[7].Delivery = "delivered"
	if got, err := s.changed(t.Context(), texts); err != nil || len(got) != 1 || got[0].Key != texts[7].Key {
		t.Errorf("%d changed, %v", len(got), err)
	}
}

// BenchmarkSendAfterReadingAll: a model was shown 100,000 texts, and texts arrive between its sends, so that nothing is remembered.
func BenchmarkSendAfterReadingAll(b *testing.B) {
	s := newStore(b)
	c := addContact(b, s, "Marie", "+15145550101")
	var texts []smsmcp.Text
	for i := range 100_000 {
		texts = append(texts, received(fmt.Sprint(i), smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1438%07d", i%10_000))),
			fmt.Sprintf("Salut, on se voit demain à %d h devant le café de l'Étoile, j'apporte les papiers que tu as demandés et le reste du dossier", i), noon))
	}
	added := storeTexts(b, s, noon.Add(-48*time.Hour), texts...)
	for part := range slices.Chunk(added, 500) {
		sh := smsmcp.Shown{At: noon}
		for _, x := range part {
			sh.Texts = append(sh.Texts, x.ID)
		}
		ok(b, s.Show(b.Context(), sh))
	}
	g := guard.Settings{
		Confirm: guard.ConfirmAuto, PerHour: 1 << 30, PerDay: 1 << 30, UnconfirmedPerHour: 1 << 30, UnconfirmedPerDay: 1 << 30, FanOut: 3,
		Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8, Zone: time.UTC,
	}
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		storeTexts(b, s, noon, received(fmt.Sprint("new", i), smsmcp.NumberPeer(c.To), "hi", noon))
		b.StartTimer()
		body := fmt.Sprint("one two three four five six seven eight nine 482913 ", i)
		var v guard.Verdict
		ok(b, s.Begin(b.Context(), noon, smsmcp.Recipient{Name: "marie"}, g.Need(body, noon), func(st guard.State) smsmcp.Ruling {
			v = g.Check(guard.Attempt{Draft: smsmcp.NewDraft(st.Contact, body), Scope: smsmcp.MCP}, st, noon)
			return smsmcp.Ruling{}
		}))
		if v.Decision != guard.Confirm {
			b.Fatal(v)
		}
	}
}
