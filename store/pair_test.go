package store

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

var marie = smsmcp.NumberPeer("+15145550101")

// claimed is a text that came by a message of its own: nothing says who it is from.
func claimed(id string, peer smsmcp.Peer, body string, at time.Time) smsmcp.Text {
	x := received(id, peer, body, at)
	x.Key.Carrier, x.Unverified = "sip", true
	return x
}

func outboxRows(t *testing.T, s *Store) (n int) {
	t.Helper()
	ok(t, scan(t, s, `SELECT count(*) FROM outbox`, &n))
	return n
}

func TestInvariant08OneTextByTwoWaysIsOne(t *testing.T) {
	for _, peer := range []smsmcp.Peer{marie, smsmcp.CodePeer("32665"), smsmcp.LabelPeer("Banque\xff\x00"), {}} {
		s := newStore(t)
		s.Outbox(func() {})
		heard := claimed("s1", peer, "see you  at noon. Stop", noon.Add(40*time.Second))
		listed := received("l1", peer, "See you at noon, stop", noon.Add(time.Hour))
		listed.Images, listed.Delivery = 1, "read"
		added := storeTexts(t, s, noon, heard)
		if len(added) != 1 || !added[0].Unverified || added[0].ID == 0 {
			t.Fatalf("%+v", added)
		}
		if added := storeTexts(t, s, noon.Add(time.Minute), heard, listed, heard); len(added) != 0 {
			t.Errorf("%+v: it is known", added)
		}
		p := page(t, s, smsmcp.Query{Strangers: true})
		if len(p.Rows) != 1 {
			t.Fatalf("%d rows", len(p.Rows))
		}
		want := listed
		want.ID = added[0].ID
		if got := p.Rows[0].Text; got.ID != want.ID || got.Key != want.Key || got.Unverified || !got.Peer.Same(peer) || !got.At.Equal(listed.At) ||
			got.Images != 1 || got.Delivery != "read" || got.Body.RawForStore() != "See you at noon, stop" {
			t.Errorf("%+v", got)
		}
		if p := page(t, s, smsmcp.Query{Strangers: true, Contains: "noon, stop"}); len(p.Rows) != 1 {
			t.Error("its words are not found")
		}
		if o := owed(t, s); o.Waiting != 1 || !o.Stored.Equal(noon) || o.First.Text.Unverified || outboxRows(t, s) != 1 {
			t.Errorf("%+v", o)
		}
		if fresh, err := s.changed(t.Context(), []smsmcp.Text{heard, listed}); err != nil || len(fresh) != 0 {
			t.Errorf("%+v, %v: both are known", fresh, err)
		}
		ok(t, s.Check(t.Context()))
	}
}

func TestInvariant08TheListComesFirst(t *testing.T) {
	s := newStore(t)
	s.Outbox(func() {})
	heard, listed := claimed("s1", marie, "See you at NOON", noon), received("l1", marie, "see you at noon", noon.Add(5*time.Second))
	storeTexts(t, s, noon, listed)
	for range 2 {
		if added := storeTexts(t, s, noon, heard); len(added) != 0 {
			t.Errorf("%+v: it is in the list", added)
		}
	}
	p := page(t, s, smsmcp.Query{Strangers: true})
	if len(p.Rows) != 1 || p.Rows[0].Text.Unverified || p.Rows[0].Text.Key != listed.Key || p.Rows[0].Text.Body.RawForStore() != "see you at noon" || outboxRows(t, s) != 1 {
		t.Errorf("%+v", p.Rows)
	}
}

// TestInvariant08AKnownKeyIsNeverPaired: not though a text that is alike still waits for its own, and though the writer alone can know it.
func TestInvariant08AKnownKeyIsNeverPaired(t *testing.T) {
	s1, s2 := claimed("s1", marie, "ok", noon), claimed("s2", marie, "ok", noon.Add(time.Minute))
	l1, l2 := received("l1", marie, "ok", noon), received("l2", marie, "ok", noon.Add(50*time.Second))
	again := l1
	again.Delivery = "read"
	for name, c := range map[string]struct {
		batch []smsmcp.Text
		want  []string
	}{
		"a message again":                     {[]smsmcp.Text{s1, l1, s1}, []string{"l1"}},
		"a message again, and another's list": {[]smsmcp.Text{l1, s1, l2, s1}, []string{"l1", "l2"}},
		"a list again":                        {[]smsmcp.Text{s1, l1, s2, again}, []string{"l1", "s2"}},
		"one listed, two messages":            {[]smsmcp.Text{l1, s1, s2}, []string{"l1", "s2"}},
		"the nearest":                         {[]smsmcp.Text{s1, s2, l2}, []string{"s1", "l2"}},
	} {
		atOnce, apart := newStore(t), newStore(t)
		storeTexts(t, atOnce, noon, c.batch...)
		for _, x := range c.batch {
			storeTexts(t, apart, noon, x)
		}
		for _, s := range []*Store{atOnce, apart} {
			p := page(t, s, smsmcp.Query{Strangers: true})
			if got := ids(p); !slices.Equal(got, c.want) || name == "a list again" && p.Rows[0].Text.Delivery != "read" {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
			if name == "the nearest" && p.Rows[1].Text.ID != 2 {
				t.Errorf("%s: %+v", name, p.Rows[1].Text)
			}
		}
	}
}

func TestWhatIsNotTheSameTextStaysTwo(t *testing.T) {
	label := smsmcp.LabelPeer("Marie")
	for name, two := range map[string][2]smsmcp.Text{
		"other words":        {claimed("s", marie, "yes", noon), received("l", marie, "yes?", noon)},
		"another number":     {claimed("s", marie, "yes", noon), received("l", smsmcp.NumberPeer("+15145550102"), "yes", noon)},
		"a code like it":     {claimed("s", smsmcp.CodePeer("15145"), "yes", noon), received("l", smsmcp.NumberPeer("+15145"), "yes", noon)},
		"another label":      {claimed("s", label, "yes", noon), received("l", smsmcp.LabelPeer("marie"), "yes", noon)},
		"no label":           {claimed("s", label, "yes", noon), received("l", smsmcp.Peer{}, "yes", noon)},
		"a picture":          {claimed("s", marie, "yes", noon), picture(received("l", marie, "yes", noon))},
		"half an hour":       {claimed("s", marie, "yes", noon), received("l", marie, "yes", noon.Add(30*time.Minute))},
		"an hour, too early": {claimed("s", marie, "yes", noon), received("l", marie, "yes", noon.Add(time.Hour-pairWithin-time.Second))},
		"an hour, too late":  {claimed("s", marie, "yes", noon), received("l", marie, "yes", noon.Add(time.Hour+pairWithin+time.Second))},
		"two hours":          {claimed("s", marie, "yes", noon), received("l", marie, "yes", noon.Add(2*time.Hour))},
		"too late":           {claimed("s", marie, "yes", noon), received("l", marie, "yes", noon.Add(pairWithin+time.Second))},
		"too early":          {claimed("s", marie, "yes", noon), received("l", marie, "yes", noon.Add(-pairWithin-time.Second))},
		"two claims":         {claimed("s", marie, "yes", noon), claimed("s2", marie, "yes", noon)},
		"two of one list":    {received("l", marie, "yes", noon), received("l2", marie, "yes", noon)},
		"one that we sent":   {claimed("s", marie, "yes", noon), sentTo(received("l", marie, "yes", noon))},
		"a claim of another": {claimed("s", marie, "yes", noon), func() smsmcp.Text { x := claimed("s", marie, "yes", noon); x.Key.Carrier = "tel"; return x }()},
	} {
		for range 2 {
			s := newStore(t)
			storeTexts(t, s, noon, two[0])
			storeTexts(t, s, noon, two[1])
			if p := page(t, s, smsmcp.Query{Strangers: true}); len(p.Rows) != 2 {
				t.Errorf("%s: %d rows", name, len(p.Rows))
			}
			two[0], two[1] = two[1], two[0]
		}
	}
	s := newStore(t)
	apart := []time.Duration{-time.Hour - pairWithin, -time.Hour, -time.Hour + pairWithin, -pairWithin, 0, pairWithin, time.Hour - pairWithin, time.Hour, time.Hour + pairWithin}
	for i, d := range apart {
		peer, at := smsmcp.NumberPeer(smsmcp.Number(fmt.Sprint("+1514555010", i))), noon.Add(d)
		storeTexts(t, s, noon, claimed(fmt.Sprint("s", i), peer, "yes", noon), received(fmt.Sprint("l", i), peer, "yes", at))
	}
	if p := page(t, s, smsmcp.Query{Strangers: true}); len(p.Rows) != len(apart) {
		t.Errorf("%d rows: as far apart as may be", len(p.Rows))
	}
}

func picture(x smsmcp.Text) smsmcp.Text {
	x.Key.Kind, x.Images = smsmcp.MMS, 1
	return x
}

func sentTo(x smsmcp.Text) smsmcp.Text {
	x.Direction = smsmcp.Sent
	return x
}

// TestInvariant08TwinsStayTwoInEveryOrder: two texts alike, a minute apart, by both ways, in each of the orders in which the four can come, and with
// each of the messages lost.
func TestInvariant08TwinsStayTwoInEveryOrder(t *testing.T) {
	four := []smsmcp.Text{
		claimed("s1", marie, "ok", noon), claimed("s2", marie, "ok", noon.Add(time.Minute)),
		received("l1", marie, "ok", noon.Add(2*time.Second)), received("l2", marie, "ok", noon.Add(62*time.Second)),
	}
	var orders func(left, order []smsmcp.Text)
	orders = func(left, order []smsmcp.Text) {
		for i, x := range left {
			orders(slices.Delete(slices.Clone(left), i, i+1), append(slices.Clone(order), x))
		}
		if len(left) > 0 {
			return
		}
		s := newStore(t)
		s.Outbox(func() {})
		name := ""
		for _, x := range order {
			storeTexts(t, s, noon, x)
			name += x.Key.ID + " "
		}
		storeTexts(t, s, noon, order...)
		p := page(t, s, smsmcp.Query{Strangers: true})
		if got := ids(p); !slices.Equal(got, []string{"l1", "l2"}) || p.Rows[0].Text.Unverified || p.Rows[1].Text.Unverified || outboxRows(t, s) != 2 {
			t.Errorf("%s: %v, %d owed", name, got, outboxRows(t, s))
		}
	}
	orders(four, nil)
	orders([]smsmcp.Text{four[0], four[2], four[3]}, nil)
	orders([]smsmcp.Text{four[1], four[2], four[3]}, nil)
}

// TestInvariant08EveryTextOnceHoweverItComes: texts, many of them alike, come by messages of which some are lost and some come again, and by a
// list that is polled again and again and has some of them late. At the end there is one row for each that was really sent.
func TestInvariant08EveryTextOnceHoweverItComes(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 8))
		s := newStore(t)
		s.Outbox(func() {})
		addContact(t, s, "Marie", "+15145550101")
		peers := []smsmcp.Peer{marie, smsmcp.NumberPeer("+15145550102"), smsmcp.CodePeer("32665"), smsmcp.LabelPeer("Banque")}
		vouched := seed%4 == 3 // by a trunk, say
		off := time.Duration(seed%3-1) * time.Hour
		var list []smsmcp.Text
		var events []func()
		late := map[int]int{} // at which poll the list has it
		n := 1 + rng.IntN(12)
		poll := 0
		for i := range n {
			at := noon.Add(time.Duration(rng.IntN(3))*10*time.Minute + time.Duration(rng.IntN(240))*time.Second) // those alike are near each other, or are not taken for one another
			peer, body := peers[rng.IntN(4)], []string{"ok", "yes", "STOP"}[rng.IntN(3)]
			list = append(list, received(fmt.Sprint("l", i), peer, body, at.Add(off)))
			late[i] = rng.IntN(6)
			if rng.IntN(5) == 0 {
				continue // the message is lost
			}
			x := claimed(fmt.Sprint("s", i), peer, strings.ToUpper(body)+strings.Repeat(".", rng.IntN(2)), at.Add(time.Duration(rng.IntN(5))*time.Second))
			x.Unverified = !vouched
			for range 1 + rng.IntN(3) {
				events = append(events, func() { storeTexts(t, s, noon, x) })
			}
		}
		look := func() {
			poll++
			var has []smsmcp.Text
			for i, x := range list {
				if late[i] < poll {
					has = append(has, x)
				}
			}
			storeTexts(t, s, noon, has...)
		}
		for range 5 {
			events = append(events, look, func() {
				if o := owed(t, s); o.First != nil {
					ok(t, s.Told(t.Context(), noon, o.First.Text.ID))
				}
			})
		}
		rng.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		for _, e := range events {
			e()
		}
		poll = 6
		look()
		look()
		p := page(t, s, smsmcp.Query{Strangers: true})
		if len(p.Rows) != n || outboxRows(t, s) != n {
			t.Errorf("seed %d: %d rows, %d owed, of %d texts", seed, len(p.Rows), outboxRows(t, s), n)
		}
		for _, r := range p.Rows {
			i := slices.IndexFunc(list, func(x smsmcp.Text) bool { return x.Key == r.Text.Key })
			if r.Text.Unverified || !vouched && (i < 0 || r.Text.Body.RawForStore() != list[i].Body.RawForStore() || !r.Text.At.Equal(list[i].At)) {
				t.Errorf("seed %d: %+v is not as the list has it", seed, r.Text)
			}
			if (r.Contact != nil) != r.Text.Peer.Same(marie) {
				t.Errorf("seed %d: %+v is from the wrong one", seed, r.Text)
			}
		}
		if known, err := s.changed(t.Context(), list); err != nil || len(known) != 0 {
			t.Errorf("seed %d: an idle poll writes: %v", seed, err)
		}
		ok(t, s.Check(t.Context()))
	}
}

// TestAPictureIsNotReplacedByItsWords: what a trunk vouches for comes after the list's MMS, and its legs. A claim is no MMS, whatever its words.
func TestAPictureIsNotReplacedByItsWords(t *testing.T) {
	mms := func(id string) smsmcp.Text {
		x := received(id, marie, "party", noon)
		x.Key.Kind, x.Images = smsmcp.MMS, 2
		return x
	}
	trunk := claimed("s1", marie, "party", noon.Add(time.Second))
	trunk.Unverified = false
	for name, order := range map[string][]smsmcp.Text{
		"the list first":  {mms("1"), mms("2"), trunk, mms("3")},
		"the trunk first": {trunk, mms("1"), mms("2"), mms("3")},
	} {
		s := newStore(t)
		for _, x := range slices.Concat(order, order) {
			storeTexts(t, s, noon, x)
		}
		p := page(t, s, smsmcp.Query{Strangers: true})
		if len(p.Rows) != 1 || p.Rows[0].Text.Images != 2 || p.Rows[0].Text.Key.ID != "1" || p.Rows[0].Text.Unverified {
			t.Errorf("%s: %+v", name, p.Rows)
		}
	}
	s := newStore(t)
	storeTexts(t, s, noon, claimed("s1", marie, "party", noon), mms("1"), mms("2"), claimed("s2", marie, "party", noon.Add(time.Second)))
	if p := page(t, s, smsmcp.Query{Strangers: true}); len(p.Rows) != 3 || !p.Rows[0].Text.Unverified || p.Rows[1].Text.Unverified || !p.Rows[2].Text.Unverified {
		t.Errorf("%+v: a claim is a picture, or a further leg a text of its own", p.Rows)
	}
}

// TestWhatWasHeardIsReadAgainOnceItIsKnown: what is remembered of a text's words is of the words that it has.
func TestWhatWasHeardIsReadAgainOnceItIsKnown(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	other := openStore(t, s.file)
	heard := func(s *Store) string {
		st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon)
		if len(st.Heard) != 1 {
			t.Fatalf("%d heard", len(st.Heard))
		}
		return fmt.Sprint(st.Heard[0].Contact, " ", st.Heard[0].Body.RawForRules(), " ", st.Heard[0].At.Equal(noon))
	}
	shown := storeTexts(t, s, noon, claimed("s", marie, "YES", noon))[0].ID
	ok(t, s.Show(t.Context(), smsmcp.Shown{At: noon, Texts: []smsmcp.TextID{shown}}))
	for _, s := range []*Store{s, other} {
		if got := heard(s); got != "0 YES true" {
			t.Errorf("%s: a claim is nobody's", got)
		}
	}
	storeTexts(t, s, noon.Add(time.Minute), received("l", marie, "yes", noon))
	for _, s := range []*Store{s, other} {
		if got := heard(s); got != fmt.Sprint(c.ID, " yes true") {
			t.Error(got)
		}
	}
}

// TestNobodyIsFoundByAClaim: the table itself keeps a claim out of the column by which contacts are found.
func TestNobodyIsFoundByAClaim(t *testing.T) {
	s := newStore(t)
	storeTexts(t, s, noon, claimed("s", marie, "STOP", noon), received("l", smsmcp.NumberPeer("+15145550102"), "hi", noon))
	for _, bad := range []string{
		`UPDATE texts SET number = claim WHERE unverified = 1`, `UPDATE texts SET stop = 1 WHERE unverified = 1`, `UPDATE texts SET direction = 2 WHERE unverified = 1`,
		`UPDATE texts SET unverified = 1 WHERE unverified = 0`, `UPDATE texts SET unverified = 0 WHERE unverified = 1`, `UPDATE texts SET claim = number`,
		`UPDATE texts SET code = '123' WHERE unverified = 1`, `UPDATE texts SET claim = 'Marie' WHERE unverified = 1`, `UPDATE texts SET unverified = 2`,
	} {
		if err := do(t, s, bad); err == nil {
			t.Errorf("%s was done", bad)
		}
	}
	x := claimed("s", marie, "hi", noon)
	x.Direction = smsmcp.Sent
	if _, err := s.StoreTexts(t.Context(), noon, []smsmcp.Text{x}); err == nil {
		t.Error("a sent text is unverified")
	}
}

// TestTheSearchForATwinWalksItsIndex: so a flood of the same words does not make it slow.
func TestTheSearchForATwinWalksItsIndex(t *testing.T) {
	s := newStore(t)
	for query, want := range map[string]int{nearAny: 4, nearVerified: 2, nearListed: 2} {
		n := 0
		ok(t, engine.Each(s.read(t.Context()), `EXPLAIN QUERY PLAN `+query, []any{[]byte("x"), 1, 2, 3}, func(rows *sql.Rows) error {
			var id, parent, unused int
			var detail string
			err := rows.Scan(&id, &parent, &unused, &detail)
			if strings.Contains(detail, "texts") && !strings.Contains(detail, "USING INDEX texts_pair (pair=? AND unverified=? AND at>? AND at<?)") {
				t.Errorf("%s", detail)
			}
			if strings.Contains(detail, "texts_pair") {
				n++
			}
			return err
		}))
		if n != want {
			t.Errorf("%d walks", n)
		}
	}
}
