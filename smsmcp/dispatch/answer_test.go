package dispatch_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
)

func TestYesSendsOnce(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	b.want(s, smsmcp.Waiting, 0, guard.RuleAlways)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := b.yes(s); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	done, err := b.yes(s)
	if err != nil {
		t.Fatal(err)
	}
	b.want(done, smsmcp.Done, 1)
	if done.ConfirmedBy != smsmcp.CommandLine || done.Answered.IsZero() {
		t.Errorf("the audit does not say who confirmed: %+v", done)
	}
}

func TestAnyNoWins(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	if _, err := b.door.Decline(t.Context(), s.ID, smsmcp.CommandLine); err != nil {
		t.Fatal(err)
	}
	after, err := b.yes(s)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Declined, 0)
	if after.ConfirmedBy != smsmcp.NoChannel {
		t.Error("a no counts as confirmed")
	}
}

// TestANoIsANoHoweverLate: two of them pause the asking, even where the wait was over.
func TestANoIsANoHoweverLate(t *testing.T) {
	b := newBench(t, always)
	for _, to := range []string{"Marie", "Paul"} {
		s := b.send(to, "hi")
		b.pass(10 * time.Minute)
		after, err := b.door.Decline(t.Context(), s.ID, smsmcp.CommandLine)
		if err != nil {
			t.Fatal(err)
		}
		b.want(after, smsmcp.Declined, 0)
	}
	b.want(b.send("Luc", "hi"), smsmcp.Refused, 0, guard.RuleAlways, guard.RulePause)
}

func TestANoAfterTheSendChangesNothing(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	if _, err := b.yes(s); err != nil {
		t.Fatal(err)
	}
	after, err := b.door.Decline(t.Context(), s.ID, smsmcp.CommandLine)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Done, 1)
}

func TestInvariant14AYesToAnotherDraftChangesNothing(t *testing.T) {
	b := newBench(t, always)
	s, other := b.send("Marie", "hi"), b.send("Paul", "hi")
	after, err := b.door.Confirm(t.Context(), s.ID, other.Draft.Digest(), smsmcp.CommandLine, true)
	if !errors.Is(err, dispatch.ErrAltered) {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Waiting, 0)
}

func TestAYesThatComesTooLate(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	b.pass(10 * time.Minute)
	after, err := b.yes(s)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Expired, 0)
}

func TestInvariant12AClockSetBackDoesNotStretchAWait(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	b.pass(-time.Hour)
	after, err := b.yes(s)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Expired, 0)
}

func TestInvariant12AClockSetBackOpensNoLimit(t *testing.T) {
	b := newBench(t, func(b *bench) { b.guard.Confirm = guard.ConfirmNever })
	for i := range 30 {
		b.send("Marie", string(rune('A'+i)))
	}
	b.pass(-2 * time.Hour)
	b.want(b.send("Marie", "one more"), smsmcp.Refused, 30, guard.RuleHour)
}

func TestInvariant02AContactEditedSinceTheDraftVoidsIt(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	if err := b.store.RemoveContact(t.Context(), s.Draft.Contact()); err != nil {
		t.Fatal(err)
	}
	b.contact("Marie", "+15145550199")
	after, err := b.yes(s)
	if err != nil {
		t.Fatal(err)
	}
	if after.State != smsmcp.Refused && after.State != smsmcp.Void || b.carrier.count() != 0 {
		t.Fatalf("%s, carrier called %d times", after.State, b.carrier.count())
	}
}

func TestFreezeWinsOverAYes(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	if err := b.store.Freeze(t.Context(), b.clock(), smsmcp.CommandLine); err != nil {
		t.Fatal(err)
	}
	after, err := b.yes(s)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Refused, 0, guard.RuleFrozen)
}

func TestAnAlarmTakesAStrongChannelOnly(t *testing.T) {
	for name, late := range map[string]bool{"before the ask": false, "after the ask": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, always)
			alarm := func() {
				until := b.clock().Add(time.Hour)
				err := b.store.Show(t.Context(), smsmcp.Shown{At: b.clock(), Holds: []smsmcp.Hold{{Scope: smsmcp.MCP, Kind: smsmcp.HoldAlarm, From: b.clock(), Until: until}}})
				if err != nil {
					t.Fatal(err)
				}
			}
			if !late {
				alarm()
			}
			s := b.send("Marie", "hi")
			if late {
				alarm()
			}
			after, err := b.door.Confirm(t.Context(), s.ID, s.Draft.Digest(), "card", false)
			if !errors.Is(err, dispatch.ErrTooWeak) {
				t.Fatal(err)
			}
			b.want(after, smsmcp.Waiting, 0)
			if after, err = b.yes(s); err != nil {
				t.Fatal(err)
			}
			b.want(after, smsmcp.Done, 1)
			if again := b.send("Marie", "and this"); again.State != smsmcp.Waiting || !again.Strong {
				t.Fatalf("the confirmation cleared the alarm: %s", again.State)
			}
		})
	}
}

// TestADraftOfAnAlarmStaysStrong: what was asked for under an alarm takes no weak yes when the alarm is over either: the text may be the stranger's work.
func TestADraftOfAnAlarmStaysStrong(t *testing.T) {
	b := newBench(t, always)
	err := b.store.Show(t.Context(), smsmcp.Shown{At: b.clock(), Holds: []smsmcp.Hold{{Scope: smsmcp.MCP, Kind: smsmcp.HoldAlarm, From: b.clock(), Until: b.clock().Add(2 * time.Minute)}}})
	if err != nil {
		t.Fatal(err)
	}
	s := b.send("Marie", "hi")
	b.pass(5 * time.Minute)
	after, err := b.door.Confirm(t.Context(), s.ID, s.Draft.Digest(), smsmcp.Card, false)
	if !s.Strong || !errors.Is(err, dispatch.ErrTooWeak) {
		t.Fatalf("strong %v: %v", s.Strong, err)
	}
	b.want(after, smsmcp.Waiting, 0)
	if later := b.send("Paul", "hi"); later.Strong {
		t.Fatal("the alarm is not over")
	}
	if after, err = b.yes(s); err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Done, 1)
}

func TestTheSameDraftWaitsOnceAndANewOneReplacesIt(t *testing.T) {
	b := newBench(t, always)
	first := b.send("Marie", "hi")
	if again := b.send("marie", "hi"); again.ID != first.ID {
		t.Fatal("the same draft was asked twice")
	}
	second := b.send("Marie", "hello")
	b.want(second, smsmcp.Waiting, 0)
	after, err := b.yes(first)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Void, 0)
	if b.mu.Lock(); len(b.told) != 2 {
		t.Errorf("the owner was asked %d times, want 2", len(b.told))
	}
	b.mu.Unlock()
}

func TestApprovalFatigue(t *testing.T) {
	b := newBench(t, always)
	for _, to := range []string{"Marie", "Paul", "Luc"} {
		b.want(b.send(to, "hi"), smsmcp.Waiting, 0)
	}
	fourth := b.send("Anne", "hi")
	b.want(fourth, smsmcp.Refused, 0, guard.RuleAlways, guard.RuleWaiting)
	waiting, err := b.store.Waiting(t.Context())
	if err != nil || len(waiting) != 3 {
		t.Fatal(waiting, err)
	}
	for _, w := range waiting[:2] {
		if _, err := b.door.Decline(t.Context(), w.ID, smsmcp.CommandLine); err != nil {
			t.Fatal(err)
		}
	}
	b.want(b.send("Zoé", "hi"), smsmcp.Refused, 0, guard.RuleAlways, guard.RulePause)
	b.pass(30 * time.Minute)
	b.want(b.send("Zoé", "hi"), smsmcp.Waiting, 0)
}

func TestAYesDoesNotPassTheDenials(t *testing.T) {
	b := newBench(t, func(b *bench) { always(b); b.guard.PerHour = 1 })
	first, second := b.send("Marie", "hi"), b.send("Paul", "hi")
	if _, err := b.yes(first); err != nil {
		t.Fatal(err)
	}
	after, err := b.yes(second)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Refused, 1, guard.RuleHour)
}

func TestCancel(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	after, err := b.door.Cancel(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Cancelled, 0)
	if after, err = b.yes(s); err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Cancelled, 0)
	if _, err := b.door.Cancel(t.Context(), "zzzzzzzzzz"); !errors.Is(err, smsmcp.ErrNoSend) {
		t.Fatal(err)
	}
}

func TestCheckEndsAWaitThatIsOver(t *testing.T) {
	b := newBench(t, always)
	s := b.send("Marie", "hi")
	b.pass(11 * time.Minute)
	after, err := b.door.Check(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Expired, 0)
}
