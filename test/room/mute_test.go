package room

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtp"
	"github.com/thesyncim/gopus"

	"readback/test/testbed"
	"readback/voice/voicetest"
)

// TestInvariant10AMuteHidesNoSlowWayOfAPage: a page's way gets three seconds slower, and its microphone is muted for a moment. LiveKit says of what comes behind it that it was spoken now.
func TestInvariant10AMuteHidesNoSlowWayOfAPage(t *testing.T) {
	t.Parallel()
	const slower = 3 * time.Second
	h := newHall(t)
	name := h.room()
	p := h.enter(t, name, who{identity: "page", browser: true, mute: true})
	pub, err := p.room.LocalParticipant.PublishTrack(p.out, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
	if err != nil {
		t.Fatal(err)
	}
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		t.Fatal(err)
	}
	slow, say := make(chan time.Duration), make(chan []int16)
	go func() {
		var tone []int16
		var late time.Duration
		packet := make([]byte, 1276)
		began := time.Now()
		for n := 0; ; n++ {
			select {
			case late = <-slow:
			case tone = <-say:
			case <-p.done:
				return
			case <-time.After(time.Until(began.Add(time.Duration(n)*20*time.Millisecond + late))):
			}
			var pcm [rate / 50]int16
			tone = tone[copy(pcm[:], tone):]
			k, err := enc.EncodeInt16(pcm[:], packet)
			if err != nil {
				t.Error(err)
				return
			}
			_ = p.out.WriteRTP(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: uint16(n), Timestamp: uint32(n * 960)}, Payload: append([]byte(nil), packet[:k]...)}, nil)
		}
	}()
	o := h.options(name)
	o.Caller = "page"
	leg := h.join(t, o)
	var sounds atomic.Int64
	go func() {
		for {
			f, err := leg.Hear(t.Context())
			if err != nil {
				return
			}
			if sounding(f.Samples) > 5*time.Millisecond {
				sounds.Add(1)
			}
		}
	}()
	says := func(d time.Duration) {
		t.Helper()
		before := sounds.Load()
		select {
		case say <- voicetest.Tone(rate, 700, d):
		case <-time.After(soon):
			t.Fatal("nothing is sent")
		}
		testbed.Until(t, soon, "the caller is heard", func() bool { return sounds.Load() > before })
	}
	says(300 * time.Millisecond)
	slow <- slower
	testbed.Until(t, soon, "the way is known to be slow", func() bool { return leg.RoundTrip() > slower })
	pub.SetMuted(true)
	<-time.After(1500 * time.Millisecond) // the mute's length
	pub.SetMuted(false)
	says(slower + time.Second) // what was spoken before the way was known to be slow is not heard
	if trip := leg.RoundTrip(); trip < slower {
		t.Errorf("behind a mute the round trip is %v", trip)
	}
}
