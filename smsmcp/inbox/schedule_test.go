package inbox

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// play runs a schedule against wakes at some seconds after start, each of a text or, blind, of something else. A poll takes as long as take says, and
// gives a list unless it fails. Beside the woken polls there are none. It gives when the woken polls began.
func play(t *testing.T, wakes []time.Duration, take time.Duration, listed func(n int) bool) (polls []time.Time) {
	t.Helper()
	var s schedule
	now := start
	come := func(until time.Time) {
		for len(wakes) > 0 && !start.Add(wakes[0]).After(until) {
			at := start.Add(wakes[0])
			s.wake(at, at)
			wakes = wakes[1:]
		}
	}
	for {
		come(now)
		next, ok := s.next(now)
		if len(wakes) > 0 && (!ok || !start.Add(wakes[0]).After(next)) {
			now = start.Add(wakes[0])
			continue
		}
		if !ok {
			return polls
		}
		if next.After(now) {
			now = next
		}
		s.begin(now, true)
		polls = append(polls, now)
		if now = now.Add(take); len(polls) > 10_000 {
			t.Fatal("it never ends")
		}
		come(now)
		s.end(now, listed == nil || listed(len(polls)))
		if len(s.marks) > 63 {
			t.Fatalf("%d marks", len(s.marks))
		}
	}
}

func offsets(polls []time.Time) (out []string) {
	for _, p := range polls {
		out = append(out, p.Sub(start).String())
	}
	return out
}

func TestScheduleOfATextOrTwo(t *testing.T) {
	const s = time.Second
	for name, test := range map[string]struct {
		wakes []time.Duration
		want  string
	}{
		"one":                         {[]time.Duration{0}, "[0s 2s 5s 15s 1m0s]"},
		"two at once":                 {[]time.Duration{0, 0}, "[0s 2s 5s 15s 1m0s]"},
		"a second later":              {[]time.Duration{0, s}, "[0s 2s 4s 6s 15s 20s 1m0s 1m2s]"},
		"between two marks":           {[]time.Duration{0, 30 * s}, "[0s 2s 5s 15s 30s 32s 35s 45s 1m0s 1m30s]"},
		"just off the grid":           {[]time.Duration{0, 30*s + 1}, "[0s 2s 5s 15s 30.000000001s 33s 36s 46s 1m0s 1m31s]"},
		"at the last mark of another": {[]time.Duration{0, 60 * s}, "[0s 2s 5s 15s 1m0s 1m2s 1m5s 1m15s 2m0s]"},
		"long after":                  {[]time.Duration{0, 600 * s}, "[0s 2s 5s 15s 1m0s 10m0s 10m2s 10m5s 10m15s 11m0s]"},
	} {
		if got := fmt.Sprint(offsets(play(t, test.wakes, 0, nil))); got != test.want {
			t.Errorf("%s: %s, not %s", name, got, test.want)
		}
	}
}

// TestScheduleServesAndIsBounded: whatever comes when, each text has its polls, at its marks or soon after, and the carrier has its peace.
func TestScheduleServesAndIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		var wakes []time.Duration
		for range 1 + r.IntN(40) {
			wakes = append(wakes, time.Duration(r.Int64N(int64(1+r.IntN(180))*int64(time.Second))))
		}
		slices.Sort(wakes)
		take := time.Duration(r.Int64N(int64(3 * time.Second)))
		polls := play(t, wakes, take, nil)
		for i := range polls {
			if i > 0 && polls[i].Sub(polls[i-1]) < take+2*time.Second {
				t.Fatalf("%v: polls %v apart", wakes, polls[i].Sub(polls[i-1]))
			}
			if i >= 10 && polls[i].Sub(polls[i-10]) < time.Minute {
				t.Fatalf("%v: eleven polls in %v", wakes, polls[i].Sub(polls[i-10]))
			}
		}
		for _, w := range wakes {
			for _, d := range wakeAfter {
				at := start.Add(w + d)
				i := slices.IndexFunc(polls, func(p time.Time) bool { return !p.Before(at) })
				if most := wakeEvery + wakeGap + wakeGrid + take; i < 0 || polls[i].Sub(at) > most {
					t.Fatalf("%v: the text at %v has no poll within %v of its %v", wakes, w, most, d)
				}
			}
		}
	}
}

// TestScheduleUnderAFlood: twenty texts a second for ten minutes cost a poll each 10 s, and the last of them has its own polls still.
func TestScheduleUnderAFlood(t *testing.T) {
	var wakes []time.Duration
	for i := range 20 * 600 {
		wakes = append(wakes, time.Duration(i)*50*time.Millisecond)
	}
	polls := play(t, wakes, 300*time.Millisecond, nil)
	if n := len(polls); n > 75 || n < 60 {
		t.Errorf("%d polls", n)
	}
	if last := polls[len(polls)-1]; last.Before(start.Add(wakes[len(wakes)-1]).Add(time.Minute)) {
		t.Errorf("the last poll is at %v", last.Sub(start))
	}
}

// TestScheduleWhatFailsIsDueStill: polls that bring no list serve nothing.
func TestScheduleWhatFailsIsDueStill(t *testing.T) {
	got := offsets(play(t, []time.Duration{0}, 0, func(n int) bool { return n > 2 }))
	if fmt.Sprint(got) != "[0s 2s 4s 6s 15s 1m0s]" {
		t.Error(got)
	}
}

// TestScheduleAWakeDuringAPollIsNotServedByIt: the list may have been made before the text was.
func TestScheduleAWakeDuringAPollIsNotServedByIt(t *testing.T) {
	for _, listed := range []bool{true, false} {
		var s schedule
		s.wake(start, start)
		s.begin(start, true)
		s.wake(start.Add(500*time.Millisecond), start)
		s.end(start.Add(time.Second), listed)
		if at, ok := s.next(start.Add(time.Second)); !ok || !at.Equal(start.Add(3*time.Second)) {
			t.Errorf("listed %t: next at %v, %t", listed, at.Sub(start), ok)
		}
	}
}

func TestScheduleEndsOnceAllIsConfirmed(t *testing.T) {
	poll := func(s *schedule, after time.Duration) { s.begin(start.Add(after), true); s.end(start.Add(after), true) }
	ended := func(s *schedule) bool { _, ok := s.next(start.Add(time.Second)); return !ok }
	var s schedule
	s.wake(start, start.Add(-3*time.Second))
	s.wake(start, start)
	poll(&s, 0)
	if since, ok := s.oldest(); !ok || !since.Equal(start.Add(-3*time.Second)) {
		t.Error(since, ok)
	}
	wakes := s.wakes
	s.wake(start.Add(time.Second), start.Add(time.Second)) // came after they were counted
	if s.confirmed(wakes); ended(&s) {
		t.Error("what came later was ended with it")
	}
	if s.confirmed(s.wakes); !ended(&s) {
		t.Error("it goes on")
	}
	if _, ok := s.oldest(); ok {
		t.Error("a text waits")
	}
	// What the store cannot be asked about has all its polls, and keeps no text waiting.
	s = schedule{}
	s.wake(start, time.Time{})
	s.wake(start, start)
	poll(&s, 0)
	s.confirmed(s.wakes)
	if _, ok := s.oldest(); ok || ended(&s) || len(s.marks) != 4 {
		t.Errorf("%+v", s.marks)
	}
	// A text that nobody ever confirms is not waited for longer than its minute, though others come.
	s = schedule{}
	s.wake(start, start)
	later := start.Add(50 * time.Second)
	s.wake(later, later)
	poll(&s, 61*time.Second)
	if since, ok := s.oldest(); !ok || !since.Equal(later) {
		t.Error(since, ok)
	}
}

// TestScheduleKeepsTheOldestThatWaits, in whatever order they came, and beside what the store cannot be asked about.
func TestScheduleKeepsTheOldestThatWaits(t *testing.T) {
	first, second := start.Add(-3*time.Second), start
	for _, order := range [][]time.Time{{first, second}, {second, first}, {first, {}, second}, {{}, second, first}, {second, {}, first}, {second, first, {}}} {
		var s schedule
		for _, since := range order {
			s.wake(start, since)
		}
		if since, ok := s.oldest(); !ok || !since.Equal(first) || len(s.marks) != 5 {
			t.Errorf("%v: %v %t, %d marks", order, since, ok, len(s.marks))
		}
		s.confirmed(s.wakes)
		if n := len(s.marks); n != 0 != (len(order) == 3) {
			t.Errorf("%v: %d marks are left", order, n)
		}
	}
}

// TestScheduleTheUsualPollsCostNothing of what woken ones may.
func TestScheduleTheUsualPollsCostNothing(t *testing.T) {
	var s schedule
	for i := range 20 {
		at := start.Add(time.Duration(i) * time.Second)
		s.begin(at, false)
		s.end(at, true)
	}
	at := start.Add(22 * time.Second)
	s.wake(at, at)
	if next, ok := s.next(at); !ok || !next.Equal(at) {
		t.Error(next.Sub(at))
	}
}

// TestScheduleInvariant12AClockSetBack: nothing waits for longer than the bounds say by the new clock.
func TestScheduleInvariant12AClockSetBack(t *testing.T) {
	var s schedule
	for i := range 10 {
		s.wake(start.Add(time.Duration(i)*time.Second), start)
	}
	for i := range 4 {
		at := start.Add(time.Duration(i) * time.Second)
		s.begin(at, true)
		s.end(at, i%2 == 0)
	}
	back := start.Add(-24 * time.Hour)
	at, ok := s.next(back)
	if !ok || at.After(back.Add(wakeEvery+wakeGap)) {
		t.Errorf("the next poll is %v away", at.Sub(back))
	}
	s.wake(back, back)
	if len(s.marks) > 63 {
		t.Error(len(s.marks))
	}
	for n := 0; ; n++ {
		at, ok := s.next(back)
		if !ok {
			break
		}
		if n > 20 || at.After(back.Add(70*time.Second)) {
			t.Fatalf("poll %d is %v away", n, at.Sub(back))
		}
		back = at
		s.begin(back, true)
		s.end(back, true)
	}
}
