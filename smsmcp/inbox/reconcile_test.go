package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
		body  string        // of the send; empty: "hi"
		by    string        // whom it was handed to
		age   time.Duration // of the send when the sync begins
		list  []listed
		taken string // a text that another send has
		other string // the carrier of what is listed; empty: this one
		want  smsmcp.SendState
		key   string
	}{
		{name: "young and not there", age: grace, want: smsmcp.Unknown},
		{name: "old and not there", age: grace + time.Second, want: smsmcp.Failed},
		{name: "old and not there, by this carrier", by: "test", age: grace + time.Second, want: smsmcp.Failed},
		{name: "there", age: 10 * time.Second, list: []listed{{"1", "hi", time.Second}}, want: smsmcp.Done, key: "1"},
		{name: "there, by this carrier", by: "test", age: 10 * time.Second, list: []listed{{"1", "hi", time.Second}}, want: smsmcp.Done, key: "1"},
		{name: "there, and the carrier's clock is behind", age: time.Minute, list: []listed{{"1", "hi", -2 * time.Minute}}, want: smsmcp.Done, key: "1"},
		{name: "there, and the carrier's clock is ahead", age: time.Minute, list: []listed{{"1", "hi", 3 * time.Minute}}, want: smsmcp.Done, key: "1"},
		{name: "there, with the carrier's spaces and quotes", body: "it's  ok, \"yes\"!", age: time.Minute,
			list: []listed{{"1", "It's ok: 'yes'.", time.Second}}, want: smsmcp.Done, key: "1"},
		{name: "there, escaped: doubtful", body: "it's ok", age: 3 * day, list: []listed{{"1", "it\\'s ok", time.Second}}, want: smsmcp.Unknown},
		{name: "the carrier's clock is far behind: doubtful for good", age: 3 * day, list: []listed{{"1", "hi", -3 * time.Minute}}, want: smsmcp.Unknown},
		{name: "other words, which may be these as the carrier changed them", age: 3 * day, list: []listed{{"1", "hi &lt; there", time.Second}}, want: smsmcp.Unknown},
		{name: "other words of hours before", age: time.Hour, list: []listed{{"1", "yo", -5 * time.Hour}}, want: smsmcp.Unknown},
		{name: "other words, and the send as well", age: time.Hour, list: []listed{{"1", "yo", time.Second}, {"2", "hi", 2 * time.Second}}, want: smsmcp.Done, key: "2"},
		{name: "another send's", age: time.Hour, list: []listed{{"1", "hi", time.Second}}, taken: "1", want: smsmcp.Failed},
		{name: "the second of two", age: time.Hour, list: []listed{{"1", "hi", time.Second}, {"2", "hi", 2 * time.Second}}, taken: "1", want: smsmcp.Done, key: "2"},
		{name: "sent hours before by hand: doubtful", age: time.Hour, list: []listed{{"1", "hi", -5 * time.Hour}}, want: smsmcp.Unknown},
		{name: "sent days before", age: time.Hour, list: []listed{{"1", "hi", -2 * day}}, want: smsmcp.Failed},
		{name: "reserved in the future: the clock was set back", age: -time.Hour, want: smsmcp.Unknown},
		{name: "older than the window is widened for", age: 8 * day, want: smsmcp.Unknown},
		{name: "older than the carrier lists", age: 91 * day, want: smsmcp.Unknown},
		{name: "handed to another carrier", by: "other", age: time.Hour, want: smsmcp.Unknown},
		{name: "handed to another carrier, and there", by: "other", age: time.Hour, list: []listed{{"1", "hi", time.Second}}, want: smsmcp.Unknown},
		{name: "in another carrier's list", by: "test", age: time.Hour, list: []listed{{"1", "hi", time.Second}}, other: "other", want: smsmcp.Failed},
		{name: "in another carrier's list, and an old one may be its", age: time.Hour, list: []listed{{"1", "hi", time.Second}}, other: "other", want: smsmcp.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reserved := time.Now().UTC().Add(-c.age)
				s, l := newShelf(), &lister{list: func(context.Context, int) (out []smsmcp.Text, err error) {
					for _, x := range c.list {
						text := sent(x.id, anna, x.body, reserved.Add(x.at).Truncate(time.Second))
						text.Key.Carrier = cmp.Or(c.other, "test")
						out = append(out, text)
					}
					return out, nil
				}}
				x := unknown("a", cmp.Or(c.body, "hi"), reserved)
				x.Key.Carrier = c.by
				s.sends["a"] = x
				if c.taken != "" {
					s.claimed[sent(c.taken, anna, "", start).Key] = true
				}
				told := 0
				b := newBox(s, l)
				b.o.Settled = func(smsmcp.Send) { told++ }
				must(t, b.Sync(t.Context()))
				got := s.sends["a"]
				if got.State != c.want || got.Key.ID != c.key || (got.State == smsmcp.Failed) != (got.Failure == smsmcp.NotListed) || (told == 1) != (c.want != smsmcp.Unknown) {
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

// One text may be either of two sends with the same words to the same number: neither takes it.
func TestInvariant07OneTextSettlesOneSend(t *testing.T) {
	for _, c := range [][2]smsmcp.SendState{{smsmcp.Unknown, smsmcp.Unknown}, {smsmcp.Unknown, smsmcp.Reserved}, {smsmcp.Failed, smsmcp.Reserved}} {
		synctest.Test(t, func(t *testing.T) {
			now := time.Now().UTC()
			s, l := newShelf(), &lister{list: func(context.Context, int) ([]smsmcp.Text, error) {
				return []smsmcp.Text{sent("1", anna, "hi", now.Add(-time.Hour))}, nil
			}}
			a, b := unknown("a", "hi", now.Add(-time.Hour)), unknown("b", "Hi.", now.Add(-time.Hour))
			a.State, b.State = c[0], c[1]
			if a.State == smsmcp.Failed {
				a.Failure, a.Ended = smsmcp.NotListed, now
			}
			s.sends["a"], s.sends["b"] = a, b
			must(t, newBox(s, l).Sync(t.Context()))
			if s.sends["a"].State != c[0] || s.sends["b"].State != c[1] {
				t.Errorf("%s: %s and %s", c, s.sends["a"].State, s.sends["b"].State)
			}
			b.State = smsmcp.Done
			s.sends["b"] = b
			must(t, newBox(s, l).Sync(t.Context()))
			if s.sends["a"].State != smsmcp.Done {
				t.Errorf("%s, and alone: %s", c, s.sends["a"].State)
			}
		})
	}
}

// The carrier's list is late: what failed for not being there is found out.
func TestInvariant07AListThatIsLate(t *testing.T) {
	for name, c := range map[string]struct {
		at   time.Duration // of the text, after the send
		when time.Duration // it is listed, after the send
		want smsmcp.SendState
	}{
		"a minute later":             {0, 17 * time.Minute, smsmcp.Done},
		"days later":                 {0, 6 * 24 * time.Hour, smsmcp.Done},
		"a week later":               {0, 8 * 24 * time.Hour, smsmcp.Failed},
		"a text that was sent since": {30 * time.Minute, time.Hour, smsmcp.Failed},
		"a text from before":         {-5 * time.Minute, time.Hour, smsmcp.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reserved, list := time.Now().UTC(), []smsmcp.Text(nil)
				s, l := newShelf(), &lister{list: func(context.Context, int) ([]smsmcp.Text, error) { return list, nil }}
				s.sends["a"] = unknown("a", "hi", reserved)
				time.Sleep(16 * time.Minute)
				b := newBox(s, l)
				must(t, b.Sync(t.Context()))
				if s.sends["a"].State != smsmcp.Failed {
					t.Fatal(s.sends["a"].State)
				}
				time.Sleep(c.when - 16*time.Minute)
				list = []smsmcp.Text{sent("1", anna, "hi", reserved.Add(c.at))}
				must(t, b.Sync(t.Context()))
				if got := s.sends["a"]; got.State != c.want || (got.Key.ID == "1") != (c.want == smsmcp.Done) {
					t.Errorf("%s %q", got.State, got.Key.ID)
				}
			})
		})
	}
}

// A list that is not whole shows what went, and not what did not.
func TestInvariant07AListThatIsNotWholeFailsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		err := fmt.Errorf("%w: a row", smsmcp.ErrPartial)
		s, l := newShelf(), &lister{list: func(context.Context, int) ([]smsmcp.Text, error) {
			return []smsmcp.Text{sent("1", anna, "hi", now.Add(-time.Hour)), received("2", smsmcp.NumberPeer(anna), "yo", now)}, err
		}}
		good := now.Add(-10 * 24 * time.Hour)
		s.state.Good = good
		s.sends["a"], s.sends["b"] = unknown("a", "hi", now.Add(-time.Hour)), unknown("b", "ho", now.Add(-time.Hour))
		b := newBox(s, l)
		if err := b.Sync(t.Context()); !errors.Is(err, ErrCarrier) || !errors.Is(err, smsmcp.ErrPartial) {
			t.Error(err)
		}
		if len(s.texts) != 2 || s.sends["a"].State != smsmcp.Done || s.sends["b"].State != smsmcp.Unknown {
			t.Errorf("%d texts, %s and %s", len(s.texts), s.sends["a"].State, s.sends["b"].State)
		}
		if !s.state.Good.Equal(good) || s.state.Failure != "partial" || !s.state.Tried.Equal(now) {
			t.Errorf("%+v", s.state)
		}
		// It goes on at the pace of one failure, and looks as far back.
		stop := run(t, b)
		time.Sleep(10 * time.Minute)
		stop()
		if n := l.count(); n < 10 {
			t.Errorf("%d lists in ten minutes", n)
		}
		if from := l.calls[len(l.calls)-1].from; !from.Before(good) {
			t.Errorf("looks back to %s only", from)
		}
		err = nil
		must(t, b.Sync(t.Context()))
		if s.sends["b"].State != smsmcp.Failed || s.state.Failure != "" {
			t.Errorf("%s, %+v", s.sends["b"].State, s.state)
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

// The owner's word that a text did not go yields to a list that shows it, for as long as a late list does.
func TestInvariant07TheListOverrulesTheOwnersNo(t *testing.T) {
	day := 24 * time.Hour
	for age, want := range map[time.Duration]smsmcp.SendState{6 * day: smsmcp.Done, 8 * day: smsmcp.Failed} {
		synctest.Test(t, func(t *testing.T) {
			reserved := time.Now().UTC().Add(-age)
			s, l := newShelf(), &lister{list: func(context.Context, int) ([]smsmcp.Text, error) {
				return []smsmcp.Text{sent("1", anna, "hi", reserved.Add(5*time.Second))}, nil
			}}
			a := unknown("a", "hi", reserved)
			a.State, a.Failure, a.Ended = smsmcp.Failed, smsmcp.OwnerSaid, reserved.Add(time.Minute)
			s.sends["a"] = a
			must(t, newBox(s, l).Sync(t.Context()))
			if got := s.sends["a"]; got.State != want || (got.Key.ID == "1") != (want == smsmcp.Done) || got.Failure == smsmcp.OwnerSaid && want == smsmcp.Done {
				t.Errorf("after %s: %+v", age, got)
			}
		})
	}
}
