package room

import (
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/smsmcp"
	"readback/voice"
	"readback/voice/media"
)

// TestInvariant10AKeyBehindAPauseIsAsOldAsIt: nothing came for a while, and nobody noticed, as where the server stalls. What comes then, and shortly after, may have been kept.
func TestInvariant10AKeyBehindAPauseIsAsOldAsIt(t *testing.T) {
	for what, k := range map[string]struct {
		silence, then, old time.Duration // the signs of life are so far apart; the key comes so long after the second, with further signs between; and is so old
	}{
		"a way that is well":          {100 * time.Millisecond, 0, 0},
		"the key is the first sign":   {pausing + time.Millisecond, -1, pausing + time.Millisecond},
		"a long one, and it is":       {7 * time.Second, -1, 7 * time.Second},
		"right behind a pause":        {1100 * time.Millisecond, 20 * time.Millisecond, 1120 * time.Millisecond},
		"it was sent again":           {800 * time.Millisecond, time.Second, 1800 * time.Millisecond},
		"later than that":             {800 * time.Millisecond, resent, 0},
		"that was lost as well":       {1100 * time.Millisecond, 2 * time.Second, 3100 * time.Millisecond},
		"nor was it that":             {1100 * time.Millisecond, twice, 0},
		"behind almost a long one":    {broken, 2 * time.Second, 4 * time.Second},
		"behind a long one":           {7 * time.Second, 9 * time.Second, 16 * time.Second},
		"later than whatever is kept": {7 * time.Second, replayed, 0},
		"behind a very long one":      {30 * time.Second, 31 * time.Second, 61 * time.Second},
	} {
		now := noon
		c := called(t, func() time.Time { return now }, true)
		c.lost.came(now)
		now = now.Add(k.silence)
		for left := k.then; left >= 0; {
			c.lost.came(now)
			step := min(left, 100*time.Millisecond)
			if now, left = now.Add(step), left-step; step == 0 {
				break
			}
		}
		c.pressed("1", "sip_caller")
		go c.queue.Hand(c.done, c.keys)
		if got := <-c.keys; got.Held != k.old {
			t.Errorf("%s: a key is %v old, and not %v", what, got.Held, k.old)
		}
		c.end(CodeHungUp)
	}
}

// TestInvariant10KeysInABreakThatGoesOnAreAsOldAsIt, from the first break on.
func TestInvariant10KeysInABreakThatGoesOnAreAsOldAsIt(t *testing.T) {
	var l lost
	l.came(noon)
	l.now(noon.Add(2 * time.Second))
	for at := 2 * time.Second; at < 30*time.Second; at += 200 * time.Millisecond {
		l.came(noon.Add(at))
		if got := l.dated(noon.Add(at)); got != noon {
			t.Fatalf("%v after noon a key is of %v", at, got)
		}
	}
	// A short pause behind it does not make keys of it newer.
	l.found()
	l.sure(noon.Add(30 * time.Second))
	l.came(noon.Add(31 * time.Second))
	l.came(noon.Add(32 * time.Second))
	if got := l.dated(noon.Add(32 * time.Second)); got != noon {
		t.Errorf("behind a pause behind a break a key is of %v", got)
	}
	// And what was sent again in it, each time later, may come long behind.
	l = lost{}
	l.came(noon)
	l.now(noon.Add(2 * time.Second))
	l.found()
	l.sure(noon.Add(30 * time.Second))
	for at, want := range map[time.Duration]time.Time{60 * time.Second: noon, 62 * time.Second: noon.Add(62 * time.Second)} {
		l.last = noon.Add(at)
		if got := l.dated(noon.Add(at)); got != want {
			t.Errorf("%v after noon a key is of %v", at, got)
		}
	}
}

// TestInvariant10AKeyBehindASilenceMayBeOfIt: the reports stand as far apart as they always do, and what was sent between them may have been lost.
func TestInvariant10AKeyBehindASilenceMayBeOfIt(t *testing.T) {
	now := noon
	c := called(t, func() time.Time { return now }, true)
	for range 5 {
		c.reported(report(1, 0))
		now = now.Add(time.Second)
	}
	c.reported(report(1, 0))
	now = now.Add(400 * time.Millisecond)
	if old := now.Sub(c.lost.dated(now)); old != 1400*time.Millisecond {
		t.Errorf("a key is %v old", old)
	}
	c.doubt(now)
	now = now.Add(20 * time.Second)
	if old := now.Sub(c.lost.dated(now)); old != 21400*time.Millisecond {
		t.Errorf("a key of a break behind it is %v old", old)
	}
}

// TestInvariant10AKeyThatIsLostTwiceIsAsOldAsTheFirst: the way is gone for a moment again when it is sent again.
func TestInvariant10AKeyThatIsLostTwiceIsAsOldAsTheFirst(t *testing.T) {
	var l lost
	at := noon
	come := func(until time.Duration) { // something, all the time
		for ; at.Before(noon.Add(until)); at = at.Add(media.FrameTime) {
			l.came(at)
		}
	}
	come(media.FrameTime)
	at = noon.Add(1100 * time.Millisecond) // a key that goes down in this is sent again after one second and three, and then after seven
	come(2900 * time.Millisecond)
	at = noon.Add(3500 * time.Millisecond)
	for come(7200 * time.Millisecond); at.Before(noon.Add(8 * time.Second)); at = at.Add(media.FrameTime) {
		if got := l.dated(at); got != noon {
			t.Fatalf("%v after it began a key is dated %v", at.Sub(noon), got.Sub(noon))
		}
		l.came(at)
	}
}

// TestASilentTelephoneAgesAKeyByItsLastSilenceAlone: a report comes each second, and nothing else.
func TestASilentTelephoneAgesAKeyByItsLastSilenceAlone(t *testing.T) {
	for _, apart := range []time.Duration{700 * time.Millisecond, 1040 * time.Millisecond} {
		var l lost
		at := noon
		for range 60 {
			l.report(at)
			at = at.Add(apart)
		}
		if old := at.Sub(l.dated(at)); old > 2*apart {
			t.Errorf("a key is %v old", old)
		}
		l.came(at) // they speak
		if old := at.Sub(l.dated(at)); old > apart {
			t.Errorf("behind that one is %v old", old)
		}
	}
}

// heard is a call whose caller listens, that sends a frame, and has a mark behind it.
func heard(t *testing.T, now func() time.Time) (*Call, *pacer, <-chan voice.Mark) {
	t.Helper()
	c := called(t, now, true)
	c.bound = func() bool { return true }
	c.published.Store(lksdk.NewLocalTrackPublication(lksdk.TrackKindAudio, c.out, lksdk.TrackPublicationOptions{}, nil, nil))
	c.subscribed.Store(true)
	c.active.Store(true)
	c.lost.came(now())
	p, err := newPacer(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.FrameSamples)}); err != nil {
		t.Fatal(err)
	}
	mark := c.Mark()
	c.slot(now())
	p.send()
	return c, p, mark
}

// TestInvariant10AMarkInAPauseWaits: nothing comes any more when the last frame has left. If something comes soon it was played, and if it is known that nothing arrives it was not.
func TestInvariant10AMarkInAPauseWaits(t *testing.T) {
	for _, stalls := range []bool{false, true} {
		now := noon
		c, p, mark := heard(t, func() time.Time { return now })
		for now.Sub(noon) <= pausing {
			now = now.Add(media.FrameTime)
		}
		c.slot(now)
		select {
		case m := <-mark:
			t.Fatalf("it says %+v, and nothing has come for %v", m, now.Sub(noon))
		default:
		}
		if trip := c.RoundTrip(); trip < now.Sub(noon)+beyond {
			t.Errorf("the round trip is %v", trip)
		}
		if stalls {
			for range unsaid + firstWord + 1 {
				p.send()
			}
		} else {
			c.lost.came(now)
		}
		c.slot(now)
		select {
		case m := <-mark:
			if m.Played == stalls || stalls && m.Left == 0 {
				t.Errorf("it stalls: %v, and the mark says %+v", stalls, m)
			}
		default:
			t.Errorf("it stalls: %v, and the mark waits", stalls)
		}
		if c.listening() == stalls {
			t.Errorf("it stalls: %v; somebody listens: %v", stalls, !stalls)
		}
	}
}

// TestInvariant10WhatIsOnItsWayInABreakWasNotPlayed, though it has left.
func TestInvariant10WhatIsOnItsWayInABreakWasNotPlayed(t *testing.T) {
	now := noon
	c, _, mark := heard(t, func() time.Time { return now })
	c.callbacks().OnReconnecting()
	c.slot(now)
	if m := <-mark; m.Played || m.Left == 0 {
		t.Errorf("it says %+v", m)
	}
}

// TestInvariant10AMarkIsNotAnsweredInABreak, however the two meet; and one that is set behind what was on its way in it is not either, when it is over.
func TestInvariant10AMarkIsNotAnsweredInABreak(t *testing.T) {
	now := noon
	c, _, mark := heard(t, func() time.Time { return now })
	c.lost.now(now) // and nothing else has been done about it yet
	c.slot(now)
	if m := <-mark; m.Played || m.Left == 0 {
		t.Errorf("in a break: %+v", m)
	}
	c, p, _ := heard(t, func() time.Time { return now })
	if err := c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.FrameSamples)}); err != nil {
		t.Fatal(err)
	}
	c.slot(now)
	p.send()
	told := c.callbacks()
	told.OnReconnecting()
	c.lost.found()
	c.lost.sure(now)
	mark = c.Mark()
	c.slot(now)
	if m := <-mark; m.Played || m.Left == 0 {
		t.Errorf("behind one: %+v", m)
	}
}

// TestTheRoundTripKnowsWhatTheCallersWayHasGrownBy beyond what is held for all ways.
func TestTheRoundTripKnowsWhatTheCallersWayHasGrownBy(t *testing.T) {
	c := called(t, time.Now, true)
	before := c.RoundTrip()
	c.trip.held = time.Second
	if got := c.RoundTrip(); got != before+time.Second-grace {
		t.Errorf("it is %v, and was %v", got, before)
	}
}

// TestInvariant10ATrackThatIsTakenAwayIsTakenByNobody until somebody subscribes again.
func TestInvariant10ATrackThatIsTakenAwayIsTakenByNobody(t *testing.T) {
	c, _, _ := heard(t, time.Now)
	told := c.callbacks()
	told.OnLocalTrackUnpublished(nil, nil)
	if c.listening() {
		t.Error("somebody listens to a track that is no more")
	}
	if told.OnLocalTrackSubscribed(nil, nil); !c.listening() {
		t.Error("nobody listens to one that is again")
	}
}

// TestTheNumberIsTheCallersAlone: not of who came by the same identity since.
func TestTheNumberIsTheCallersAlone(t *testing.T) {
	c := called(t, time.Now, true)
	c.o.Peer = func(raw string) smsmcp.Peer { return smsmcp.NumberPeer(smsmcp.Number(raw)) }
	says := map[string]string{livekit.AttrSIPPhoneNumber: "+15145550101"}
	if got := c.numberOf("PA_one", says).Number; got != "+15145550101" {
		t.Errorf("the caller's is %q", got)
	}
	if got := c.numberOf("PA_two", says).Number; got != "" {
		t.Errorf("another's is %q", got)
	}
	if c.sip = false; c.numberOf("PA_one", says).Number != "" {
		t.Error("a page has one")
	}
}

// TestWhoIsHiddenIsSomebody: whom the server alone tells of. The caller, we, and an agent of ours that is about to leave are not.
func TestWhoIsHiddenIsSomebody(t *testing.T) {
	c := called(t, time.Now, true)
	agent := livekit.ParticipantInfo_AGENT
	c.noteHidden([]*livekit.ParticipantInfo{
		{Identity: c.identity, Sid: "PA_one"}, {Identity: c.name, Sid: "PA_us", Kind: agent}, {Identity: newName(), Sid: "PA_old", Kind: agent},
		{Identity: "egress", Sid: "PA_rec", Kind: livekit.ParticipantInfo_EGRESS}, {Identity: newName(), Sid: "PA_like"}, {Identity: "agent", Sid: "PA_agent", Kind: agent},
	})
	if n := c.Others(); n != 3 {
		t.Errorf("%d others are there", n)
	}
	if c.noteHidden(nil); c.Others() != 0 {
		t.Error("they do not leave")
	}
}
