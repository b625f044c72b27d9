package inbox

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
)

// partial is a list that lacks one row, or fails with err.
func partial(err *error) func(context.Context, int) ([]smsmcp.Text, error) {
	return func(context.Context, int) ([]smsmcp.Text, error) {
		if *err != nil {
			return nil, *err
		}
		return nil, smsmcp.ErrPartial
	}
}

// back is how far back the last list was asked for.
func (l *lister) back() time.Duration {
	w := l.calls[len(l.calls)-1]
	return w.at.Sub(w.from)
}

// TestARowThatIsNeverReadIsNotAskedForEachDayMore: the window is as long after a hundred days as it is on the second one.
func TestARowThatIsNeverReadIsNotAskedForEachDayMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down error
		s, l := newShelf(), &lister{list: partial(&down)}
		day, good := 24*time.Hour, time.Now().UTC()
		s.state = smsmcp.SyncState{Good: good, Asked: good}
		b := newBox(s, l)
		for range 100 * 4 {
			time.Sleep(6 * time.Hour)
			_ = b.Sync(t.Context())
			if l.back() > 72*time.Hour+6*time.Hour {
				t.Fatalf("after %s it asks for %s", time.Since(good), l.back())
			}
		}
		if st := s.state; !st.Good.Equal(good) || !st.Asked.Equal(time.Now().UTC()) || !st.Partial.Equal(good.Add(6*time.Hour)) || st.Failure != "partial" {
			t.Errorf("%+v", st)
		}
		// Nothing that can be read is lost to an outage either, whatever a restart forgets.
		down = smsmcp.ErrDown
		asked := time.Now().UTC()
		for range 10 {
			time.Sleep(day)
			_ = b.Sync(t.Context())
		}
		if st := s.state; !st.Asked.Equal(asked) || st.Partial.IsZero() || st.Failure != "down" {
			t.Errorf("%+v", st)
		}
		down = nil
		_ = newBox(s, l).Sync(t.Context())
		if l.back() != 13*day {
			t.Errorf("after ten days of an outage it asks for %s", l.back())
		}
		l.list = nil
		must(t, b.Sync(t.Context()))
		if st, now := s.state, time.Now().UTC(); !st.Good.Equal(now) || !st.Asked.Equal(now) || !st.Partial.IsZero() || st.Failure != "" {
			t.Errorf("%+v", st)
		}
	})
}

// TestWhatWasMissingOnceIsAskedForAgain: for a day, what a list lacks may still come, from as far back as the last whole list.
func TestWhatWasMissingOnceIsAskedForAgain(t *testing.T) {
	for _, c := range []struct {
		good, asked, partial time.Duration // before now; 0 is never
		want                 time.Duration
	}{
		{good: 10, asked: 1, partial: 2, want: 11},   // a day of partial lists: not more than a day
		{good: 10, asked: 1, partial: 3, want: 4},    // two days of them
		{good: 10, asked: 8, partial: 9, want: 11},   // and then an outage: it lasted, the partial lists did not
		{good: 30, asked: 10, partial: 12, want: 13}, // an outage after them
		{good: 30, asked: 30, want: 31},              // an outage alone
		{asked: 10, partial: 10, want: 13},           // never whole
		{good: -5, asked: 1, partial: 2, want: 90},   // the clock was set back
		{good: -5, asked: 1, partial: 9, want: 4},    // and that was long ago
	} {
		day := 24 * time.Hour
		b := newBox(newShelf(), &lister{})
		at := func(days time.Duration) time.Time {
			if days == 0 {
				return time.Time{}
			}
			return start.Add(-days * day)
		}
		from := b.from(start, smsmcp.SyncState{Good: at(c.good), Asked: at(c.asked), Partial: at(c.partial)}, nil)
		if got := start.Sub(from); got != c.want*day {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestAPartialListOfTheFutureIsNone: a clock that was set back does not keep the row that cannot be read in the window until it is right again.
func TestAPartialListOfTheFutureIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down error
		s, l := newShelf(), &lister{list: partial(&down)}
		now := time.Now().UTC()
		s.state = smsmcp.SyncState{Good: now.Add(-time.Hour), Asked: now.Add(90 * 24 * time.Hour), Partial: now.Add(80 * 24 * time.Hour)}
		_ = newBox(s, l).Sync(t.Context())
		if !s.state.Asked.Equal(now) || !s.state.Partial.Equal(now) {
			t.Errorf("%+v", s.state)
		}
	})
}
