package room

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4/pkg/media"

	"readback/test/testbed"
	"readback/voice"
	"readback/voice/voicetest"
)

// TestInvariant10APageOfWhichNothingComesHasHeardNothing, though the server is there and reports that our sound is. Once it is back, what is played is.
func TestInvariant10APageOfWhichNothingComesHasHeardNothing(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	page := h.enter(t, name, who{identity: "page", browser: true, mute: true})
	if _, err := page.room.LocalParticipant.PublishTrack(page.out, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE}); err != nil {
		t.Fatal(err)
	}
	var away atomic.Bool
	go func() {
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-tick.C:
			case <-page.Done():
				tick.Stop()
				return
			}
			if !away.Load() {
				_ = page.out.WriteSample(media.Sample{Data: []byte{0xf8, 0xff, 0xfe}, Duration: 20 * time.Millisecond}, nil) // silence
			}
		}
	}()
	o := h.options(name)
	o.Caller = "page"
	leg := h.join(t, o)
	say := func() voice.Mark {
		play(t, leg, voicetest.Tone(rate, 700, time.Second))
		return answer(t, leg.Mark())
	}
	testbed.Until(t, soon, "all is well", func() bool { return say().Played })
	away.Store(true)
	if m := say(); m.Played || m.Left == 0 {
		t.Errorf("nothing comes of it: %+v", m)
	}
	away.Store(false)
	testbed.Until(t, soon, "what is played to it is played", func() bool { return say().Played })
}
