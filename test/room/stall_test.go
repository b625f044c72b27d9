package room

import (
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/test/testbed"
	"readback/voice/voicetest"
)

// sounding is how much of what came sounds.
func sounding(pcm []int16) (d time.Duration) {
	for _, v := range pcm {
		if v > 500 || v < -500 {
			d += time.Second / rate
		}
	}
	return d
}

// TestInvariant10AServerThatStallsHasPlayedNothing: for less long than the SDK notices, in the midst of what is played. A key that is pressed into it is older than the mark.
func TestInvariant10AServerThatStallsHasPlayedNothing(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for _, stall := range []time.Duration{4 * time.Second, 7 * time.Second} {
		name := h.room()
		caller := h.enter(t, name, who{})
		leg := h.join(t, h.options(name))
		before := sounding(caller.Received())
		play(t, leg, voicetest.Tone(rate, 700, 3*time.Second))
		mark := leg.Mark()
		testbed.Until(t, soon, "the caller hears", func() bool { return sounding(caller.Received()) > before+300*time.Millisecond })
		h.kit.Server.Pause()
		stalled := time.Now()
		go caller.Press('1')
		m := answer(t, mark) // it is not answered before it is known
		if m.Played || m.Left == 0 {
			t.Errorf("a mark in a stall of the server says %+v", m)
		}
		<-time.After(time.Until(stalled.Add(stall))) // the stall's length is what is tested
		h.kit.Server.Resume()
		select {
		case k := <-leg.Keys():
			if down := time.Now().Add(-k.Held); down.After(m.At) || down.After(stalled.Add(time.Second)) {
				t.Errorf("a key of a stall of %v went down %v after it began, and the mark is of %v", stall, down.Sub(stalled), m.At.Sub(stalled))
			}
		case <-time.After(2 * soon):
			t.Error("the key did not come")
		}
		testbed.Until(t, 2*soon, "what is played is played again", func() bool {
			play(t, leg, voicetest.Tone(rate, 500, 100*time.Millisecond))
			return answer(t, leg.Mark()).Played
		})
		caller.HangUp()
		over(t, leg, soon)
	}
}

// TestWhoIsHiddenInARoomIsToldOf: nobody in the room sees one who records.
func TestWhoIsHiddenInARoomIsToldOf(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	token, err := auth.NewAccessToken(h.kit.Key, h.kit.Secret).SetIdentity("recorder").SetKind(livekit.ParticipantInfo_EGRESS).
		SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: name, Hidden: true, Recorder: true}).SetValidFor(time.Hour).ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	hidden := lksdk.NewRoom(lksdk.NewRoomCallback())
	if err := hidden.JoinWithToken(h.kit.URL, token); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hidden.Disconnect)
	testbed.Until(t, 2*soon, "one who is hidden is counted", func() bool { return leg.Others() == 1 })
	hidden.Disconnect()
	testbed.Until(t, 2*soon, "and is gone", func() bool { return leg.Others() == 0 })
}
