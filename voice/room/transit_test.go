package room

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pion/webrtc/v4"

	"readback/voice/media"
)

// way takes the packets of a caller: packet n was spoken at n × 20 ms, and comes when came says.
type way struct {
	t    *testing.T
	trip transit
	sip  bool
	seq  int           // what its number is more than n
	set  time.Duration // its clock is set forward by that
}

// take takes packets, each so late, and gives how late those that are heard are at most, how many are, and how often the way has become slower.
func (w *way) take(from, to int, late func(n int) time.Duration) (most time.Duration, heard, slower int) {
	w.t.Helper()
	for n := from; n < to; n++ {
		at := time.Duration(n)*media.FrameTime + late(n)
		dropped, slow := w.trip.came(noon.Add(at), uint16(n+w.seq), 0xffff0000+uint32(n*perFrame)+uint32(w.set*opusRate/time.Second), w.sip)
		if slow {
			slower++
		}
		if !dropped {
			heard++
			most = max(most, late(n))
		}
	}
	return most, heard, slower
}

func by(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }

// TestInvariant10EarlySpeechNeverBecomesLateSpeech: the caller's way gets three seconds slower and stays so, at once or little by little. What was spoken before it is not heard, what is
// spoken later is, and the round trip says how late it is.
func TestInvariant10EarlySpeechNeverBecomesLateSpeech(t *testing.T) {
	const slower = 3 * time.Second
	for what, k := range map[string]struct {
		sip  bool
		late func(n int) time.Duration
	}{
		"at once": {false, by(slower)},
		"little by little": {false, func(n int) time.Duration {
			return min(slower, time.Duration(n-500)*5*time.Millisecond)
		}},
		"little by little, a telephone's": {true, func(n int) time.Duration {
			return min(slower, time.Duration(n-500)*5*time.Millisecond)
		}},
	} {
		w := way{t: t, sip: k.sip}
		if _, heard, _ := w.take(0, 500, by(30*time.Millisecond)); heard != 500 || w.trip.more() > 0 {
			t.Fatalf("%s: of 500 packets %d are heard; %v more", what, heard, w.trip.more())
		}
		told := w.trip.more()
		for n := 500; n < 2000; n++ {
			// Whatever is heard is no later than was said before, and a bit.
			late, heard, broke := w.take(n, n+1, k.late)
			if heard == 1 && late > told+grace+tooLate+50*time.Millisecond { // the clocks may differ
				t.Fatalf("%s: what was spoken %v ago is heard, and the round trip knew of %v", what, late, told)
			}
			if broke > 0 {
				told = w.trip.more()
			}
		}
		if _, heard, _ := w.take(2000, 2100, by(slower)); heard != 100 {
			t.Errorf("%s: of 100 packets at last %d are heard", what, heard)
		}
		if more := w.trip.more(); more < slower-grace-100*time.Millisecond || more > slower {
			t.Errorf("%s: at last %v more is told", what, more)
		}
		// Quicker again.
		if w.take(2400, 2410, by(30*time.Millisecond)); w.trip.more() > 0 {
			t.Errorf("%s: quicker again, and %v more is told", what, w.trip.more())
		}
	}
}

// TestInvariant10NothingThatWasSpokenBeforeAWayGotSlowerIsHeard: for as long as what was spoken before it may come, nothing is heard.
func TestInvariant10NothingThatWasSpokenBeforeAWayGotSlowerIsHeard(t *testing.T) {
	w := way{t: t}
	w.take(0, 500, by(0))
	var at time.Duration // when it was known
	for n := 500; at == 0; n++ {
		if _, _, slower := w.take(n, n+1, by(2*time.Second)); slower > 0 {
			at = time.Duration(n)*media.FrameTime + 2*time.Second
		}
	}
	for n := 520; n < 1000; n++ {
		spoken := time.Duration(n) * media.FrameTime
		if _, heard, _ := w.take(n, n+1, by(2*time.Second)); heard == 1 {
			if spoken < at {
				t.Errorf("what was spoken %v before it was known is heard", at-spoken)
			}
			return
		}
	}
	t.Error("nothing is heard any more")
}

// TestABurstIsNoSlowerWay: a reader that starved finds all that came meanwhile. What is not late by much is heard, and what comes behind is.
func TestABurstIsNoSlowerWay(t *testing.T) {
	w := way{t: t}
	w.take(0, 500, by(0))
	_, heard, slower := w.take(500, 550, func(n int) time.Duration { return time.Duration(550-n) * media.FrameTime }) // all of a second, at once
	if slower > 0 || heard < 29 {
		t.Errorf("of 50 packets in a burst %d are heard; slower %d times", heard, slower)
	}
	if _, heard, _ = w.take(550, 600, by(0)); heard != 50 || w.trip.more() > 0 {
		t.Errorf("of 50 behind it %d are heard; %v more", heard, w.trip.more())
	}
}

// TestClocksThatDifferAreNoSlowerWay: for an hour, a caller's clock that is slow by 300 in a million.
func TestClocksThatDifferAreNoSlowerWay(t *testing.T) {
	w := way{t: t}
	_, heard, slower := w.take(0, 180000, func(n int) time.Duration { return time.Duration(n) * media.FrameTime * 300 / 1000000 })
	if heard != 180000 || slower > 0 || w.trip.more() > 0 {
		t.Errorf("%d are heard; slower %d times; %v more", heard, slower, w.trip.more())
	}
}

// TestATelephonesSilenceIsNoSlowerWay: its clock stands still in what LiveKit's bridge has no sound for.
func TestATelephonesSilenceIsNoSlowerWay(t *testing.T) {
	w := way{t: t, sip: true}
	_, heard, slower := w.take(0, 3000, func(n int) time.Duration { return time.Duration(n/100) * 3 * time.Second })
	if heard != 3000 || slower > 0 || w.trip.more() > 0 {
		t.Errorf("%d are heard; slower %d times; %v more", heard, slower, w.trip.more())
	}
}

// TestInvariant10AMuteHidesNoSlowWay: behind a mute LiveKit sets the timestamps of a way that is slow to now, with the numbers of the packets in one row. The way is as slow as before; and
// what it slows by from then on, the next mute hides no more than the first.
func TestInvariant10AMuteHidesNoSlowWay(t *testing.T) {
	for _, slower := range []time.Duration{150 * time.Millisecond, 333 * time.Millisecond, 700 * time.Millisecond, 3*time.Second + 7*time.Millisecond, 20 * time.Second} {
		for _, muted := range []int{0, 1, 100} {
			w := way{t: t}
			w.take(0, 500, by(0))
			slow, n := time.Duration(0), 500
			for range 3 {
				slow += slower
				w.take(n, n+1500, by(slow))
				if n += 1500 + muted; w.trip.more() < slow-2*grace {
					t.Fatalf("%v slower, and %v more is told", slow, w.trip.more())
				}
				w.seq, w.set = w.seq-muted, slow
				if w.take(n, n+100, by(slow)); w.trip.more() < slow-2*grace {
					t.Errorf("%v slower, and muted for %d packets: %v more is told", slow, muted, w.trip.more())
				}
				n += 100
			}
		}
	}
}

// TestInvariant10AnotherBeginningHidesNoSlowWay: another track, or a clock that is another.
func TestInvariant10AnotherBeginningHidesNoSlowWay(t *testing.T) {
	for what, begin := range map[string]func(*way){"a track": func(w *way) { w.trip.begin() }, "a clock": func(w *way) { w.set = 10 * time.Minute }} {
		w := way{t: t}
		w.take(0, 500, by(0))
		w.take(500, 1000, by(3*time.Second))
		begin(&w)
		if w.take(1000, 1100, by(3*time.Second)); w.trip.more() < 3*time.Second-2*grace {
			t.Errorf("another %s, and %v more is told", what, w.trip.more())
		}
	}
}

// TestAWayThatIsQuickAgainIsKnownToBe: what waited comes at once, or a little sooner each, or is lost; in speech, and in a silence in which a browser sends a packet each 400 ms.
func TestAWayThatIsQuickAgainIsKnownToBe(t *testing.T) {
	const slow = 3 * time.Second
	for what, k := range map[string]struct {
		every int
		late  func(n int) time.Duration // of packet 1000+n
		lost  int
	}{
		"at once":               {1, func(n int) time.Duration { return max(0, slow-time.Duration(n)*media.FrameTime) }, 0},
		"little by little":      {1, func(n int) time.Duration { return max(0, slow-time.Duration(n)*media.FrameTime/4) }, 0},
		"in a silence":          {20, func(n int) time.Duration { return max(0, slow-time.Duration(n)*media.FrameTime) }, 0},
		"what waited is lost":   {1, by(0), 150},
		"half of it is lost":    {1, func(n int) time.Duration { return max(0, slow/2-time.Duration(n-75)*media.FrameTime) }, 75},
		"in a silence, is lost": {20, by(0), 160},
	} {
		w := way{t: t}
		w.take(0, 500, by(0))
		if w.take(500, 1000, by(slow)); w.trip.more() == 0 {
			t.Fatal("a slow way is not known to be")
		}
		for n := k.lost; n < 1000; n += k.every {
			w.seq = k.lost + (n-k.lost)/k.every - n
			if k.every > 1 {
				w.seq = n/k.every - n
			}
			w.take(1000+n, 1000+n+1, func(int) time.Duration { return k.late(n) })
		}
		if w.trip.more() > 0 {
			t.Errorf("%s: %v more is told of a way that is quick again", what, w.trip.more())
		}
	}
}

// TestABacklogIsNoSlowerWay: a reader starves, and works off what came meanwhile; in a silence as well. The way is no slower by it, and what comes in time is heard.
func TestABacklogIsNoSlowerWay(t *testing.T) {
	for _, stall := range []int{60, 75, 125} {
		for _, drain := range []time.Duration{0, 300 * time.Millisecond, 500 * time.Millisecond} {
			for _, every := range []int{1, 20} {
				w := way{t: t}
				w.take(0, 500, by(0))
				back := time.Duration(stall) * media.FrameTime
				slower, n := 0, 0
				for late := time.Second; late > 0; n += every {
					w.seq = n/every - n
					late = max(0, back+drain*time.Duration(n)/time.Duration(stall)-time.Duration(n)*media.FrameTime)
					_, _, s := w.take(500+n, 500+n+1, by(late))
					slower += s
				}
				_, heard, _ := w.take(500+n, 600+n, by(0))
				if slower > 0 || heard != 100 || w.trip.more() > 0 {
					t.Errorf("%d packets, worked off in %v, one of %d: slower %d times; of 100 behind it %d are heard; %v more", stall, drain, every, slower, heard, w.trip.more())
				}
			}
		}
	}
}

// TestInvariant10WhatIsSpokenOnceAWayWasSlowerIsHeard: a way was slower for a moment, and it was told. What was spoken before is not heard, and what is spoken from then on is at once.
func TestInvariant10WhatIsSpokenOnceAWayWasSlowerIsHeard(t *testing.T) {
	w := way{t: t}
	w.take(0, 500, by(0))
	n, slower := 500, 0
	for ; slower == 0; n++ {
		_, _, slower = w.take(n, n+1, by(3*time.Second))
	}
	told := time.Duration(n-1)*media.FrameTime + 3*time.Second
	for ; n < 1000; n++ { // what waited comes at once
		spoken := time.Duration(n) * media.FrameTime
		_, heard, _ := w.take(n, n+1, by(max(0, told-spoken)))
		if heard == 1 && spoken < told {
			t.Fatalf("what was spoken %v before it was told is heard", told-spoken)
		}
		if heard == 0 && spoken > told+grace {
			t.Fatalf("what was spoken %v after it was told is not heard", spoken-told)
		}
	}
}

// trembling is up to so much, of each packet.
func trembling(d time.Duration) func(int) time.Duration {
	r := rand.New(rand.NewPCG(1, 1))
	return func(int) time.Duration { return time.Duration(r.Int64N(int64(d) + 1)) }
}

// TestInvariant10ATelephonesWayThatTremblesIsSeenToGetSlower: little by little, by three seconds.
func TestInvariant10ATelephonesWayThatTremblesIsSeenToGetSlower(t *testing.T) {
	for _, most := range []time.Duration{10 * time.Millisecond, 25 * time.Millisecond, 40 * time.Millisecond} {
		for what, tremble := range map[string]func(int) time.Duration{
			"each second packet": func(n int) time.Duration { return time.Duration(n%2) * most }, "any": trembling(most),
		} {
			for _, each := range []time.Duration{time.Millisecond, 5 * time.Millisecond} {
				w := way{t: t, sip: true}
				w.take(0, 500, tremble)
				told := w.trip.more()
				for n := 500; n < 4000; n++ {
					late := min(3*time.Second, time.Duration(n-500)*each)
					_, heard, slower := w.take(n, n+1, func(n int) time.Duration { return late + tremble(n) })
					if heard == 1 && late > told+grace+tooLate+most+200*time.Millisecond {
						t.Fatalf("%s late by %v, %v more each: what was spoken %v ago is heard, and the round trip knew of %v", what, most, each, late, told)
					}
					if slower > 0 {
						told = w.trip.more()
					}
				}
			}
		}
	}
}

// TestATelephonesSilenceIsNoSlowerWayThoughItTrembles, nor is a packet that is lost now and then, as long as it trembles little.
func TestATelephonesSilenceIsNoSlowerWayThoughItTrembles(t *testing.T) {
	for most, k := range map[time.Duration]struct {
		every int
		still time.Duration
	}{3 * time.Millisecond: {100, media.FrameTime}, 25 * time.Millisecond: {100, 3 * time.Second}} {
		w := way{t: t, sip: true}
		tremble := trembling(most)
		_, heard, slower := w.take(0, 15000, func(n int) time.Duration { return time.Duration(n/k.every)*k.still + tremble(n) })
		if heard != 15000 || slower > 0 || w.trip.more() > 0 {
			t.Errorf("still for %v: %d are heard; slower %d times; %v more", k.still, heard, slower, w.trip.more())
		}
	}
}

// TestInvariant10WhatComesTooLateIsNotHandedOut, and of another track nothing is.
func TestInvariant10WhatComesTooLateIsNotHandedOut(t *testing.T) {
	for what, k := range map[string]struct {
		late  time.Duration
		other bool
		heard bool
	}{"in time": {0, false, true}, "too late": {3 * time.Second, false, false}, "of another track": {0, true, false}} {
		c := called(t, time.Now, false)
		dec := &plain{}
		s := stream{dec: dec}
		c.take(nil, noon, &s, numbered(0, 1, 0))
		if k.other {
			c.track = new(webrtc.TrackRemote)
		}
		c.take(nil, noon.Add(media.FrameTime+k.late), &s, numbered(1, 1, 0))
		if heard := len(dec.order) == 2; heard != k.heard {
			t.Errorf("%s: heard: %v", what, heard)
		}
	}
}
