package push

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
)

// TestReceiptsOnlyAsksNothing: a process beside the one that asks tells how its own sends came out, and what it warns of, and neither asks, nor takes a button, nor tells of what others left.
func TestReceiptsOnlyAsksNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(time.Now, func(o *Options) { o.ReceiptsOnly, o.Desk, o.Random = true, nil, nil })
		r.desk.set(waiting("waits", "ok", time.Now()))
		left := waiting("left", "ok", time.Now())
		left.State, left.Failure = smsmcp.Unknown, smsmcp.Interrupted
		r.desk.set(left)
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); r.asker.Run(ctx) }()
		r.asker.Tell(waiting("waits", "ok", time.Now()))
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := r.phone.got(); len(got) != 0 || len(r.desk.taps) != 0 {
			t.Errorf("it asked: %+v", got)
		}
		if r.asker.Reachable() {
			t.Error("no question would come from here")
		}
		sent := waiting("mine", "ok", time.Now())
		sent.State, sent.Only = smsmcp.Done, smsmcp.Voice
		r.asker.Tell(sent)
		synctest.Wait()
		r.asker.Warn("pin", "Wrong PINs", "Three.")
		synctest.Wait()
		got := r.phone.got()
		if len(got) != 2 || got[0].Sequence != sequence("mine") || got[0].Body != "Sent." || got[1].Title != "Wrong PINs" {
			t.Errorf("%+v", got)
		}
		r.phone.set(nil, down{})
		r.asker.Warn("pin", "Wrong PINs", "Ten.")
		time.Sleep(time.Minute)
		r.phone.set(nil, nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := r.phone.got(); len(got) != 3 || got[2].Body != "Ten." {
			t.Errorf("after an outage: %+v", got)
		}
		end()
		<-ended
	})
}

// TestReceiptsOnlyTakesNoButton, not even one that the store knows.
func TestReceiptsOnlyTakesNoButton(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	b := r.phone.got()[0].Buttons
	r.asker.o.ReceiptsOnly = true
	for _, x := range b {
		if status, _ := r.press(x, nil); status != http.StatusNotFound {
			t.Errorf("%s: %d", x.Label, status)
		}
	}
	if r.desk.yes != 0 || r.desk.frozen != 0 || r.desk.sends["abcdefghij"].State != smsmcp.Waiting {
		t.Error("it counted")
	}
}

// settling is a messenger beside which another process says how a send came out before a receipt arrives that says that nobody knows.
type settling struct {
	*phone
	before func()
}

func (s *settling) Publish(ctx context.Context, n smsmcp.Note) error {
	if s.before != nil {
		s.before()
		s.before = nil
	}
	return s.phone.Publish(ctx, n)
}

// TestTheLastReceiptIsRight where two processes tell of one send: one that it may have gone, as it found it, and then the other that it went, whose receipt arrives first.
func TestTheLastReceiptIsRight(t *testing.T) {
	for _, known := range []smsmcp.SendState{smsmcp.Done, smsmcp.Failed, smsmcp.Unknown} {
		m := &settling{}
		r := newRig(fixed, func(o *Options) { m.phone = o.Messenger.(*phone); o.Messenger = m })
		s := waiting("abcdefghij", "ok", noon)
		s.State, s.Failure = smsmcp.Unknown, smsmcp.Interrupted
		r.desk.set(s)
		worker := newRig(fixed, func(o *Options) { o.ReceiptsOnly, o.Messenger = true, m.phone })
		m.before = func() {
			if known != smsmcp.Unknown {
				s.State, s.Failure = known, ""
				r.desk.set(s)
				worker.asker.Tell(s)
				worker.step(t)
			}
		}
		r.asker.left(t.Context())
		r.step(t)
		got := r.phone.got()
		last := got[len(got)-1]
		for _, n := range got {
			if n.Sequence != sequence("abcdefghij") {
				t.Errorf("%+v", n)
			}
		}
		if want := r.asker.receipt(s, "", quiet); last.Body != want.Body || len(got) != map[bool]int{true: 1, false: 3}[known == smsmcp.Unknown] {
			t.Errorf("%s: %+v", known, got)
		}
	}
}

// TestWhatWasCutShortIsLoud, whoever finds it so, and whenever.
func TestWhatWasCutShortIsLoud(t *testing.T) {
	for failure, want := range map[string]int{smsmcp.Interrupted: loud, "time_out": quiet} {
		r := newRig(fixed, nil)
		s := waiting("abcdefghij", "ok", noon)
		s.State, s.Failure = smsmcp.Unknown, failure
		r.desk.set(s)
		r.asker.Tell(s)
		r.step(t)
		if got := r.phone.got(); len(got) != 1 || got[0].Priority != want {
			t.Errorf("%s: %+v", failure, got)
		}
	}
}
