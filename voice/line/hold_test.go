package line_test

import (
	"context"
	"testing"
	"time"

	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/line"
	"readback/voip/ari"
)

// TestInvariant10WhatAHeldTelephoneWasPlayedNobodyHeard: while the caller has the call on hold, no sound counts as played, and afterwards it does again.
func TestInvariant10WhatAHeldTelephoneWasPlayedNobodyHeard(t *testing.T) {
	w := begin(t)
	w.call("c", time.Now())
	leg := w.leg()
	played := func() voice.Mark {
		<-leg.Mark()
		if err := leg.Play(context.Background(), voice.Frame{Rate: leg.Rate(), Samples: make([]int16, leg.Rate()/5)}); err != nil {
			t.Fatal(err)
		}
		select {
		case m := <-leg.Mark():
			return m
		case <-time.After(10 * time.Second):
			t.Fatal("no answer of the mark")
			return voice.Mark{}
		}
	}
	if !played().Played {
		t.Error("nothing is played")
	}
	w.line.Event(ari.ChannelHold{Channel: ari.Channel{ID: "c"}})
	if played().Played {
		t.Error("the music on hold was taken for the caller")
	}
	w.line.Event(ari.ChannelHold{Channel: ari.Channel{ID: "c"}, Off: true})
	if !played().Played {
		t.Error("nothing is played after the hold")
	}
}

// TestStrangersDoNotKeepTheOwnerOut: of the calls at once two are kept for callers who may be the owner.
func TestStrangersDoNotKeepTheOwnerOut(t *testing.T) {
	w := begin(t, func(o *line.Options) {
		o.MaxCalls = 5
		o.Known = func(id voice.CallerID) bool { return id.Number == "+14185550123" }
	})
	for _, id := range []string{"a", "b", "c", "d"} {
		w.call(id, time.Now())
	}
	until(t, "the fourth stranger hears that the line is busy", func() bool { return w.asked("hang up d busy") == 1 })
	first := w.leg()
	w.line.Event(ari.StasisStart{Head: ari.Head{At: time.Now()}, Channel: ari.Channel{ID: "o", Number: untrusted.New("4185550123")}})
	w.leg()
	w.leg()
	if leg := w.leg(); leg.Caller().Number == "" {
		t.Error("nobody")
	}
	until(t, "four calls", func() bool { return w.line.Counts().Calls == 4 })
	_ = first.HangUp(context.Background())
	until(t, "a place is free", func() bool { return w.line.Counts().Calls == 3 })
	w.call("e", time.Now())
	w.leg()
}
