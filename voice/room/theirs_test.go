package room

import (
	"testing"
	"time"

	"github.com/pion/webrtc/v4"

	"readback/voice"
	"readback/voice/media"
)

// packets is a caller who sends one each 20 ms, from noon on.
type packets struct {
	c   *Call
	now time.Time
	seq uint16
}

// come has packets come for so long.
func (p *packets) come(d time.Duration) {
	for end := p.now.Add(d); p.now.Before(end); p.now = p.now.Add(media.FrameTime) {
		p.c.lost.came(p.now)
		p.c.came(nil, p.now, p.seq)
		p.seq++
	}
}

// loses has the next ones be lost; of the server something comes meanwhile.
func (p *packets) loses(d time.Duration) {
	p.silent(d)
	p.seq += uint16(d / media.FrameTime)
}

// silent has none be sent for so long.
func (p *packets) silent(d time.Duration) {
	for end := p.now.Add(d); p.now.Before(end); p.now = p.now.Add(media.FrameTime) {
		p.c.lost.came(p.now)
	}
}

// TestInvariant10AKeyOfAWayThatWasGoneIsAsOldAsIt: what the caller sends to the server is lost for a while, and nothing of the server's to us.
func TestInvariant10AKeyOfAWayThatWasGoneIsAsOldAsIt(t *testing.T) {
	const ms = time.Millisecond
	for what, k := range map[string]struct {
		comes func(p *packets)
		old   time.Duration
	}{
		"all is well":                  {func(p *packets) { p.come(time.Second) }, 0},
		"a hearer makes up for it":     {func(p *packets) { p.loses(180 * ms); p.come(20 * ms) }, 0},
		"right behind it":              {func(p *packets) { p.loses(240 * ms); p.come(20 * ms) }, 280 * ms},
		"it was sent again":            {func(p *packets) { p.loses(240 * ms); p.come(time.Second) }, 1260 * ms},
		"later than that":              {func(p *packets) { p.loses(240 * ms); p.come(1240 * ms) }, 0},
		"that was lost as well":        {func(p *packets) { p.loses(1200 * ms); p.come(2 * time.Second) }, 3220 * ms},
		"behind a break":               {func(p *packets) { p.loses(4 * time.Second); p.come(8 * time.Second) }, 12020 * ms},
		"before the sound behind it":   {func(p *packets) { p.loses(1200 * ms) }, 1220 * ms},
		"it is late, and nothing else": {func(p *packets) { p.come(20 * ms); p.c.came(nil, p.now, p.seq-5); p.come(20 * ms) }, 0},
		"another track begins at once": {func(p *packets) { p.c.came(&webrtc.TrackRemote{}, p.now, 7); p.come(20 * ms) }, 0},
		"it counts from elsewhere":     {func(p *packets) { p.silent(100 * ms); p.seq -= 1000; p.come(20 * ms) }, 140 * ms},
		// A telephone that sends nothing in silences is known by the first one, if nothing was lost in it.
		"a first silence":        {func(p *packets) { p.silent(700 * ms) }, 720 * ms},
		"it is over":             {func(p *packets) { p.silent(700 * ms); p.come(20 * ms) }, 0},
		"a second one":           {func(p *packets) { p.silent(700 * ms); p.come(20 * ms); p.silent(3 * time.Second) }, 0},
		"a second that is none":  {func(p *packets) { p.silent(700 * ms); p.come(20 * ms); p.loses(3 * time.Second); p.come(20 * ms) }, 3040 * ms},
		"another track comes":    {func(p *packets) { p.loses(700 * ms); p.c.track = &webrtc.TrackRemote{}; p.c.came(p.c.track, p.now, 7) }, 720 * ms},
		"another, and nobody is": {func(p *packets) { p.loses(200 * ms); p.c.track = &webrtc.TrackRemote{}; p.c.came(p.c.track, p.now, 7) }, 0},
	} {
		p := &packets{now: noon, seq: 0xffe0}
		p.c = called(t, func() time.Time { return p.now }, true)
		p.come(time.Second)
		p.c.lost.came(p.now)
		comes := p.now
		k.comes(p)
		p.c.lost.came(p.now)
		p.c.pressed("1", "sip_caller")
		go p.c.queue.Hand(p.c.done, p.c.keys)
		if got := <-p.c.keys; got.Held != k.old {
			t.Errorf("%s: %v later a key is %v old, and not %v", what, p.now.Sub(comes), got.Held, k.old)
		}
		p.c.end(CodeHungUp)
	}
}

// paged is a call with a page whose packets come, that has sent a frame with a mark behind it.
func paged(t *testing.T, sip bool) (*packets, *pacer, <-chan voice.Mark) {
	t.Helper()
	p := &packets{now: noon}
	c, pace, mark := heard(t, func() time.Time { return p.now })
	p.c = c
	c.sip = sip
	p.come(media.FrameTime)
	return p, pace, mark
}

// says checks what a mark says, if anything.
func says(t *testing.T, what string, mark <-chan voice.Mark, answered, played bool) {
	t.Helper()
	select {
	case m := <-mark:
		if !answered || m.Played != played || m.Played == (m.Left > 0) {
			t.Errorf("%s: it says %+v", what, m)
		}
	default:
		if answered {
			t.Errorf("%s: it waits", what)
		}
	}
}

// TestInvariant10ABrowserOfWhichNothingComesHasHeardNothing: its packets come all the time while the network is there, and the server's reports do whether it is or not.
func TestInvariant10ABrowserOfWhichNothingComesHasHeardNothing(t *testing.T) {
	const ms = time.Millisecond
	for what, k := range map[string]struct {
		sip              bool
		comes            func(p *packets)
		answered, played bool
	}{
		"all is well":               {false, func(p *packets) { p.come(20 * ms) }, true, true},
		"a moment":                  {false, func(p *packets) { p.silent(480 * ms) }, true, true},
		"nothing for a while":       {false, func(p *packets) { p.silent(time.Second) }, false, false},
		"it was late":               {false, func(p *packets) { p.silent(time.Second); p.come(20 * ms) }, true, true},
		"it was lost":               {false, func(p *packets) { p.loses(600 * ms); p.come(20 * ms) }, true, false},
		"it counts from elsewhere":  {false, func(p *packets) { p.silent(600 * ms); p.seq -= 1000; p.come(20 * ms) }, true, false},
		"nothing for long":          {false, func(p *packets) { p.silent(broken + 20*ms) }, true, false},
		"and so with a telephone":   {true, func(p *packets) { p.silent(broken + 20*ms) }, true, true},
		"that loses what it sends":  {true, func(p *packets) { p.loses(600 * ms); p.come(20 * ms) }, true, true},
		"a few are lost on the way": {false, func(p *packets) { p.loses(400 * ms); p.come(20 * ms) }, true, true},
	} {
		p, _, mark := paged(t, k.sip)
		k.comes(p)
		p.c.slot(p.now)
		says(t, what, mark, k.answered, k.played)
		p.c.end(CodeHungUp)
	}
}

// TestInvariant10WhatIsPlayedToABrowserThatIsAwayIsNotPlayed, also if it is back when the mark is set; nothing is thrown away, and what is played then is.
func TestInvariant10WhatIsPlayedToABrowserThatIsAwayIsNotPlayed(t *testing.T) {
	p, pace, first := paged(t, false)
	p.silent(3 * time.Second)
	say := func(d time.Duration) {
		if err := p.c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.Rate*d/time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	step := func() {
		p.c.slot(p.now)
		pace.send()
	}
	say(60 * time.Millisecond)
	step()
	says(t, "before", first, true, false)
	p.silent(20 * time.Millisecond)
	step()
	if left := p.c.playback.Waiting(); left != 20*time.Millisecond {
		t.Errorf("%v wait", left)
	}
	for range 3 {
		p.come(20 * time.Millisecond)
		step()
	}
	mark := p.c.Mark()
	step()
	says(t, "while it was away", mark, true, false)
	say(20 * time.Millisecond)
	mark = p.c.Mark()
	for range 3 {
		p.come(20 * time.Millisecond)
		step()
	}
	says(t, "now that it is back", mark, true, true)
}

// TestAPageOfWhichNothingComesForLongIsLeft, whether anything ever came or not: it is not spoken to for ever. A telephone is.
func TestAPageOfWhichNothingComesForLongIsLeft(t *testing.T) {
	for _, k := range []struct{ sip, ever bool }{{false, true}, {false, false}, {true, true}} {
		p, pace, _ := paged(t, k.sip)
		if !k.ever {
			p.c.theirs = theirs{}
		}
		p.c.slot(p.now)
		for at := p.now; p.now.Sub(at) < deserted; {
			p.c.slot(p.now)
			p.silent(media.FrameTime)
		}
		if p.c.why() != "" {
			t.Fatalf("%+v: it is over too early", k)
		}
		if err := p.c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.FrameSamples)}); err != nil {
			t.Fatal(err)
		}
		mark := p.c.Mark()
		pace.send()
		p.c.slot(p.now)
		says(t, "nobody is there", mark, true, k.sip)
		p.silent(2 * media.FrameTime)
		p.c.slot(p.now)
		if over := p.c.why() == CodeMediaLost; over == k.sip {
			t.Errorf("%+v: it is over for %q", k, p.c.why())
		}
	}
}
