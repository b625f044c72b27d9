package inbox

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
)

func row(id smsmcp.TextID, d smsmcp.Direction, contact bool, body string) smsmcp.Row {
	t := received("x", smsmcp.NumberPeer(anna), body, start)
	t.ID, t.Direction = id, d
	r := smsmcp.Row{Text: t}
	if contact {
		r.Contact = &smsmcp.Contact{ID: 1, Name: "Anna"}
	}
	return r
}

func TestInvariant09HoldIsCommittedBeforeTheWordsLeave(t *testing.T) {
	for _, c := range []struct {
		name   string
		rows   []smsmcp.Row
		texts  []smsmcp.TextID
		kinds  []smsmcp.HoldKind
		images bool // are shown, too
	}{
		{name: "nothing"},
		{name: "our own words alone", rows: []smsmcp.Row{row(1, smsmcp.Sent, true, "ring"), row(2, smsmcp.Sent, false, "x")}},
		{name: "a contact's", rows: []smsmcp.Row{row(1, smsmcp.Received, true, "x"), row(2, smsmcp.Sent, true, "x")}, texts: []smsmcp.TextID{1}},
		{name: "a stranger's", rows: []smsmcp.Row{row(1, smsmcp.Received, true, "x"), row(2, smsmcp.Received, false, "x")}, texts: []smsmcp.TextID{1, 2},
			kinds: []smsmcp.HoldKind{smsmcp.HoldStranger}},
		{name: "a contact's that rings", rows: []smsmcp.Row{row(1, smsmcp.Received, true, "ring")}, texts: []smsmcp.TextID{1}, kinds: []smsmcp.HoldKind{smsmcp.HoldAlarm}},
		{name: "a stranger's that rings", rows: []smsmcp.Row{row(1, smsmcp.Received, false, "ring"), row(3, smsmcp.Received, true, "x")}, texts: []smsmcp.TextID{1, 3},
			kinds: []smsmcp.HoldKind{smsmcp.HoldStranger, smsmcp.HoldAlarm}},
		{name: "a contact's, with its images", images: true, rows: []smsmcp.Row{row(1, smsmcp.Received, true, "x")}, texts: []smsmcp.TextID{1}, kinds: []smsmcp.HoldKind{smsmcp.HoldStranger}},
		{name: "no text with images", images: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf()
				s.page = smsmcp.Page{Rows: c.rows}
				b := newBox(s, &lister{})
				b.alarm = func(_ smsmcp.Peer, body untrusted.Text) bool { return body.RawForRules() == "ring" }
				now := time.Now().UTC()
				a, err := b.Read(t.Context(), Request{Scope: "call7", Query: smsmcp.Query{Images: c.images}})
				must(t, err)
				if len(a.Page.Rows) != len(c.rows) || !a.Now.Equal(now) {
					t.Fatalf("%+v", a)
				}
				if len(c.texts) == 0 {
					if len(s.shown) != 0 {
						t.Fatalf("%+v", s.shown)
					}
					return
				}
				if len(s.shown) != 1 || !slices.Equal(s.shown[0].Texts, c.texts) || !s.shown[0].At.Equal(now) {
					t.Fatalf("%+v", s.shown)
				}
				var kinds []smsmcp.HoldKind
				for _, h := range s.shown[0].Holds {
					kinds = append(kinds, h.Kind)
					want := now.Add(time.Hour)
					if h.Kind == smsmcp.HoldAlarm {
						want = now.Add(2 * time.Hour)
					}
					if h.Scope != "call7" || !h.From.Equal(now) || !h.Until.Equal(want) {
						t.Errorf("%+v", h)
					}
				}
				if !slices.Equal(kinds, c.kinds) {
					t.Errorf("%q", kinds)
				}
				s.fail["show"] = errors.New("disk full")
				if a, err := b.Read(t.Context(), Request{Scope: "call7"}); !errors.Is(err, ErrNotHeld) || len(a.Page.Rows) != 0 {
					t.Errorf("words left without their hold: %+v, %v", a, err)
				}
			})
		})
	}
}

func TestReadFailsClosed(t *testing.T) {
	for _, what := range []string{"state", "texts"} {
		s := newShelf()
		s.page = smsmcp.Page{Rows: []smsmcp.Row{row(1, smsmcp.Received, false, "x")}}
		s.fail[what] = errors.New("broken")
		a, err := newBox(s, &lister{}).Read(t.Context(), Request{Scope: smsmcp.MCP})
		if !errors.Is(err, ErrUnread) || len(a.Page.Rows) != 0 || len(s.shown) != 0 {
			t.Errorf("%s: %+v, %v", what, a, err)
		}
	}
	s := newShelf()
	if _, err := newBox(s, &lister{}).Read(t.Context(), Request{}); !errors.Is(err, ErrNoScope) || len(s.did) != 0 {
		t.Errorf("without a scope: %v, %q", err, s.did)
	}
}

func TestATextIsJudgedOnceAndWhatIsRememberedIsBounded(t *testing.T) {
	s, judged := newShelf(), 0
	b := newBox(s, &lister{})
	b.alarm = func(_ smsmcp.Peer, body untrusted.Text) bool { judged++; return body.RawForRules() == "ring" }
	read := func(id smsmcp.TextID, body string) int {
		s.page = smsmcp.Page{Rows: []smsmcp.Row{row(id, smsmcp.Received, true, body)}}
		_, err := b.Read(t.Context(), Request{Scope: smsmcp.MCP})
		must(t, err)
		return len(s.shown[len(s.shown)-1].Holds)
	}
	for range 3 {
		if read(1, "ring") != 1 || read(2, "x") != 0 {
			t.Fatal("a second read is judged otherwise")
		}
	}
	if judged != 2 {
		t.Errorf("judged %d times", judged)
	}
	for id := range smsmcp.TextID(3 * maxRung) {
		read(10+id, "x")
		if len(b.rung) > maxRung {
			t.Fatalf("%d are remembered", len(b.rung))
		}
	}
}

// TestInvariant09WordsThatChangedAreJudgedAnew: the list's words take the place of those that came first, under the same id.
func TestInvariant09WordsThatChangedAreJudgedAnew(t *testing.T) {
	s := newShelf()
	b := newBox(s, &lister{})
	b.alarm = func(_ smsmcp.Peer, body untrusted.Text) bool { return body.RawForRules() == "ring" }
	read := func(carrier, body string) int {
		x := row(1, smsmcp.Received, true, body)
		x.Text.Key = smsmcp.Key{Carrier: carrier, Kind: smsmcp.SMS, ID: "1"}
		s.page = smsmcp.Page{Rows: []smsmcp.Row{x}}
		_, err := b.Read(t.Context(), Request{Scope: smsmcp.MCP})
		must(t, err)
		return len(s.shown[len(s.shown)-1].Holds)
	}
	if a, z := read("sip", "x"), read("list", "ring"); a != 0 || z != 1 {
		t.Errorf("%d holds, and %d once the words are others", a, z)
	}
}

func TestSentences(t *testing.T) {
	for _, err := range []error{ErrCarrier, ErrStore, ErrNotHeld, ErrUnread, ErrNoScope, errors.New("x")} {
		en, fr := Sentence(lang.EN, err), Sentence(lang.FR, err)
		if en == "" || fr == "" || en == fr || strings.Contains(en, "%") {
			t.Errorf("%v: %q %q", err, en, fr)
		}
	}
}

// TestWhoAsksNobodyReadsHowOldTheListIs each time: another process syncs, and writes it down.
func TestWhoAsksNobodyReadsHowOldTheListIs(t *testing.T) {
	s := newShelf()
	b := New(Options{Store: s, Name: "test", Now: func() time.Time { return start }, Hold: time.Hour, Alarm: time.Hour})
	for i := range 3 {
		s.state = smsmcp.SyncState{Carrier: "test", Good: start.Add(time.Duration(i) * time.Minute)}
		if a, err := b.Read(t.Context(), Request{Scope: smsmcp.MCP}); err != nil || !a.Sync.Good.Equal(s.state.Good) {
			t.Errorf("%d: %v, %v", i, a.Sync.Good, err)
		}
	}
}
