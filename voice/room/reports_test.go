package room

import (
	"testing"
	"testing/synctest"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtcp"

	"readback/voice"
	"readback/voice/media"
)

// report is one of the server's, of a stream.
func report(ssrc, total uint32) rtcp.Packet {
	return &rtcp.ReceiverReport{Reports: []rtcp.ReceptionReport{{SSRC: ssrc, TotalLost: total & 0xffffff}}}
}

// TestInvariant10WhatTheServerDidNotGetWasNotPlayed: a report says so, also where the total of what was lost wraps; and nobody listens until one says that sound arrives again.
func TestInvariant10WhatTheServerDidNotGetWasNotPlayed(t *testing.T) {
	for what, total := range map[string][2]uint32{
		"some": {40, 40 + gap + 1}, "all that is counted": {0xffffff, gap}, "none before": {0, 100},
	} {
		c := called(t, time.Now, true)
		if err := c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.FrameSamples)}); err != nil {
			t.Fatal(err)
		}
		mark := c.Mark()
		c.reported(report(1, total[0]))
		if c.lost.is() {
			t.Fatalf("%s: in doubt by the first report", what)
		}
		c.reported(report(1, total[1]))
		select {
		case m := <-mark:
			if m.Played {
				t.Errorf("%s lost: it says %+v", what, m)
			}
		default:
			t.Errorf("%s lost, and the mark waits", what)
		}
		if !c.lost.is() || c.reports.arrives() || c.lost.breaks() != 1 {
			t.Errorf("%s lost, and nobody doubts", what)
		}
		c.reported(report(1, total[1]+gap+1))
		if c.reports.arrives() {
			t.Errorf("%s: more lost, and it arrives", what)
		}
		c.reported(report(1, total[1]+2*gap))
		if !c.reports.arrives() {
			t.Errorf("%s: nothing lost any more, and it does not arrive", what)
		}
	}
}

// TestWhatAHearerMakesUpForIsNoBreak: few packets, one that came twice, and the beginning of another stream.
func TestWhatAHearerMakesUpForIsNoBreak(t *testing.T) {
	c := called(t, time.Now, true)
	for _, r := range []rtcp.Packet{report(1, 90), report(1, 90+gap), report(1, 80), report(2, 500), report(1, 0), report(1, 0xffffff), &rtcp.ExtendedReport{}} {
		if c.reported(r); c.lost.is() {
			t.Fatalf("in doubt after %v", r)
		}
	}
}

// TestAReportThatIsLostIsNoBreak: the next one comes 52 packets later at most. Two are.
func TestAReportThatIsLostIsNoBreak(t *testing.T) {
	var r reports
	for _, lost := range []int{1, 2} {
		r.take(noon, rtcp.ReceptionReport{})
		for range (1 + lost) * 52 {
			r.left()
		}
		if _, is := r.missing(); is != (lost > 1) {
			t.Errorf("%d lost: a break: %v", lost, is)
		}
	}
}

// TestInvariant10SoundOfWhichNothingIsReportedIsNotPlayedForLong: and a key that comes behind is as old as the last report.
func TestInvariant10SoundOfWhichNothingIsReportedIsNotPlayedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := called(t, time.Now, true)
		defer c.end(CodeHungUp)
		c.lost.came(time.Now())
		c.reported(report(1, 0))
		at := time.Now()
		c.bound = func() bool { return true }
		c.published.Store(lksdk.NewLocalTrackPublication(lksdk.TrackKindAudio, c.out, lksdk.TrackPublicationOptions{}, nil, nil))
		c.subscribed.Store(true)
		c.active.Store(true)
		p, err := newPacer(c)
		if err != nil {
			t.Fatal(err)
		}
		for range unsaid {
			p.send()
		}
		c.lost.came(time.Now())
		if c.well(); c.lost.is() {
			t.Fatal("in doubt too early")
		}
		time.Sleep(4 * time.Second)
		p.send()
		c.lost.came(time.Now())
		if c.well(); !c.lost.is() || c.listening() {
			t.Error("nobody doubts")
		}
		if got := c.lost.dated(time.Now()); got != at {
			t.Errorf("a key went down at %v, and the last report came at %v", got, at)
		}
		// While in doubt silence is sent, and a report on that ends it.
		c.reported(report(1, 0))
		if !c.reports.arrives() {
			t.Error("a report does not say that sound arrives")
		}
		if _, is := c.reports.missing(); is {
			t.Error("reports are missing behind one")
		}
	})
}

// TestInvariant10SignallingThatTheSDKDoesNotMissIsMissed: nothing that is played counts from then on, and the SDK is made to connect anew, once it has had its time.
func TestInvariant10SignallingThatTheSDKDoesNotMissIsMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := called(t, time.Now, true)
		speaks, again := true, 0
		c.speaks, c.again = func() bool { return speaks }, func() { again++ }
		if c.well(); c.lost.is() {
			t.Fatal("in doubt where all is well")
		}
		speaks = false
		if c.well() || !c.lost.is() || again > 0 {
			t.Errorf("in doubt: %v; connected anew %d times", c.lost.is(), again)
		}
		time.Sleep(untold + 1)
		if c.well() || again != 1 {
			t.Errorf("connected anew %d times", again)
		}
		c.broke() // and now it says so
		if time.Sleep(untold + 1); c.well() || again != 1 {
			t.Errorf("connected anew %d times while the SDK does", again)
		}
		c.lost.found()
		if c.well() || again != 1 {
			t.Errorf("connected anew %d times right behind", again)
		}
	})
}

// TestInvariant10ABreakThatIsOverBeforeItIsToldOfIsOne: the SDK says only that the connection stands again.
func TestInvariant10ABreakThatIsOverBeforeItIsToldOfIsOne(t *testing.T) {
	c := called(t, time.Now, true)
	told := c.callbacks()
	told.OnReconnecting()
	told.OnReconnected()
	if !c.lost.is() || c.reports.arrives() || c.lost.breaks() != 1 {
		t.Fatal("a break is none")
	}
	c.reported(report(1, 0))
	if !c.lost.sure(time.Now()) {
		t.Fatal("it does not end")
	}
	if err := c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.FrameSamples)}); err != nil {
		t.Fatal(err)
	}
	mark := c.Mark()
	told.OnReconnected()
	if !c.lost.is() || c.reports.arrives() || c.lost.breaks() != 2 || c.playback.Waiting() > 0 {
		t.Error("one that was not told of is none")
	}
	if m := <-mark; m.Played {
		t.Errorf("a mark over it says %+v", m)
	}
}
