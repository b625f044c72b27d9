package inbox

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
)

func TestInvariant07UnknownSendsAreSettledByTheCarriersList(t *testing.T) {
	const grace = 15 * time.Minute
	day := 24 * time.Hour
	type listed struct {
		id   string
		body string
		at   time.Duration // after the send was reserved
	}
	for _, c := range []struct {
		name  string
		age   time.Duration // of the send when the sync begins
		list  []listed
		taken string // a text that another send has
		want  smsmcp.SendState
		key   string
	}{
		{name: "young and not there", age: grace, want: smsmcp.Unknown},
		{name: "old and not there", age: grace + time.Second, want: smsmcp.Failed},
		{name: "there", age: 10 * time.Second, list: []listed{{"1", "hi", time.Second}}, want: smsmcp.Done, key: "1"},
		{name: "there, and the carrier's clock is behind", age: time.Minute, list: []listed{{"1", "hi", -2 * time.Minute}}, want: smsmcp.Done, key: "1"},
		{name: "there, and the carrier's clock is ahead", age: time.Minute, list: []listed{{"1", "hi", 3 * time.Minute}}, want: smsmcp.Done, key: "1"},
		{name: "another body", age: time.Hour, list: []listed{{"1", "hi!", time.Second}}, want: smsmcp.Failed},
		{name: "another send's", age: time.Hour, list: []listed{{"1", "hi", time.Second}}, taken: "1", want: smsmcp.Failed},
		{name: "the second of two", age: time.Hour, list: []listed{{"1", "hi", time.Second}, {"2", "hi", 2 * time.Second}}, taken: "1", want: smsmcp.Done, key: "2"},
		{name: "sent hours before by hand: doubtful", age: time.Hour, list: []listed{{"1", "hi", -5 * time.Hour}}, want: smsmcp.Unknown},
		{name: "doubtful for a day", age: day + time.Second, list: []listed{{"1", "hi", -5 * time.Hour}}, want: smsmcp.Failed},
		{name: "sent days before", age: time.Hour, list: []listed{{"1", "hi", -2 * day}}, want: smsmcp.Failed},
		{name: "reserved in the future: the clock was set back", age: -time.Hour, want: smsmcp.Unknown},
		{name: "older than the carrier lists", age: 91 * day, want: smsmcp.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reserved := time.Now().UTC().Add(-c.age)
				s, l := newShelf(), &lister{list: func(context.Context, int) (out []smsmcp.Text, err error) {
					for _, x := range c.list {
						out = append(out, sent(x.id, anna, x.body, reserved.Add(x.at).Truncate(time.Second)))
					}
					return out, nil
				}}
				s.sends["a"] = unknown("a", "hi", reserved)
				if c.taken != "" {
					s.claimed[sent(c.taken, anna, "", start).Key] = true
				}
				told := 0
				b := newBox(s, l)
				b.o.Settled = func(smsmcp.Send) { told++ }
				must(t, b.Sync(t.Context()))
				got := s.sends["a"]
				if got.State != c.want || got.Key.ID != c.key || (got.State == smsmcp.Failed) != (got.Failure == NotListed) || (told == 1) != (c.want != smsmcp.Unknown) {
					t.Errorf("%s %q %q, told %d", got.State, got.Key.ID, got.Failure, told)
				}
				must(t, b.Sync(t.Context())) // nothing moves twice
				if s.sends["a"].State != c.want {
					t.Errorf("then %s", s.sends["a"].State)
				}
			})
		})
	}
}

// Two unknown sends never claim one text, and a send fails only after a sync that worked and began late enough.
func TestInvariant07OneTextSettlesOneSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		s, l := newShelf(), &lister{list: func(context.Context, int) ([]smsmcp.Text, error) {
			return []smsmcp.Text{sent("1", anna, "hi", now)}, nil
		}}
		s.sends["a"], s.sends["b"] = unknown("a", "hi", now), unknown("b", "hi", now)
		must(t, newBox(s, l).Sync(t.Context()))
		if s.sends["a"].State == s.sends["b"].State {
			t.Errorf("both are %s", s.sends["a"].State)
		}
	})
}

func TestInvariant07AFailedSyncSettlesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := newShelf(), &lister{}
		s.sends["a"] = unknown("a", "hi", time.Now().Add(-time.Hour))
		b := newBox(s, l)
		l.list = func(context.Context, int) ([]smsmcp.Text, error) { return nil, smsmcp.ErrDown }
		if err := b.Sync(t.Context()); !errors.Is(err, ErrCarrier) {
			t.Fatal(err)
		}
		l.list = nil
		s.fail["store"] = errors.New("full")
		if err := b.Sync(t.Context()); !errors.Is(err, ErrStore) {
			t.Fatal(err)
		}
		delete(s.fail, "store")
		s.fail["unclaimed"] = errors.New("broken")
		if err := b.Sync(t.Context()); !errors.Is(err, ErrStore) {
			t.Fatal(err)
		}
		if s.sends["a"].State != smsmcp.Unknown {
			t.Fatalf("%s", s.sends["a"].State)
		}
		delete(s.fail, "unclaimed")
		must(t, b.Sync(t.Context()))
		if s.sends["a"].State != smsmcp.Failed {
			t.Fatalf("%s", s.sends["a"].State)
		}
	})
}

// A send that becomes unknown while the carrier lists is not judged by that list.
func TestInvariant07ASendThatBecomesUnknownDuringASyncWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := newShelf(), &lister{}
		l.list = func(context.Context, int) ([]smsmcp.Text, error) {
			s.sends["a"] = unknown("a", "hi", time.Now().Add(-time.Hour))
			return nil, nil
		}
		must(t, newBox(s, l).Sync(t.Context()))
		if s.sends["a"].State != smsmcp.Unknown {
			t.Fatalf("%s", s.sends["a"].State)
		}
	})
}
