package room

import (
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
}

// take takes packets, each so late, and gives how late those that are heard are at most, how many are, and how often the way has become slower.
func (w *way) take(from, to int, late func(n int) time.Duration) (most time.Duration, heard, slower int) {
	w.t.Helper()
	for n := from; n < to; n++ {
		at := time.Duration(n)*media.FrameTime + late(n)
		dropped, slow := w.trip.came(noon.Add(at), 0xffff0000+uint32(n*perFrame), w.sip)
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
