package talk

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"github.com/thesyncim/gopus"

	voicemedia "readback/voice/media"
	"readback/voice/media/rate"
	"readback/voice/speech/wyoming/wyomingtest"
)

var silent = sync.OnceFunc(func() { lksdk.SetLogger(logger.GetDiscardLogger()) })

// inRoom gives who is in the room of the call; none where there is none.
func (h *house) inRoom() []*livekit.ParticipantInfo {
	h.t.Helper()
	name := h.room()
	if name == "" {
		return nil
	}
	got, err := lksdk.NewRoomServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret).ListParticipants(h.t.Context(), &livekit.ListParticipantsRequest{Room: name})
	if err != nil {
		return nil // it has ended meanwhile
	}
	return got.Participants
}

// room gives the name of the room of the call; "" where there is none.
func (h *house) room() string {
	h.t.Helper()
	got, err := lksdk.NewRoomServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret).ListRooms(h.t.Context(), &livekit.ListRoomsRequest{})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range got.Rooms {
		if strings.HasPrefix(r.Name, "talk-") {
			return r.Name
		}
	}
	return ""
}

// guest is somebody else in the room of the call, let in by the server's own key, who speaks.
type guest struct {
	t     testing.TB
	track *lksdk.LocalTrack
	ctx   context.Context

	mu    sync.Mutex
	queue []int16
}

func (h *house) join(identity string, callback *lksdk.RoomCallback) *lksdk.Room {
	h.t.Helper()
	silent()
	token, err := auth.NewAccessToken(h.kit.Key, h.kit.Secret).SetIdentity(identity).SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: h.room()}).SetValidFor(time.Hour).ToJWT()
	if err != nil {
		h.t.Fatal(err)
	}
	room := lksdk.NewRoom(callback)
	if err := room.JoinWithToken(h.kit.URL, token); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(room.Disconnect)
	return room
}

// enters brings a guest into the call.
func (h *house) enters(identity string) *guest {
	h.t.Helper()
	g := &guest{t: h.t}
	room := h.join(identity, lksdk.NewRoomCallback())
	var err error
	if g.track, err = lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}); err != nil {
		h.t.Fatal(err)
	}
	if _, err := room.LocalParticipant.PublishTrack(g.track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE}); err != nil {
		h.t.Fatal(err)
	}
	var stop context.CancelFunc
	g.ctx, stop = context.WithCancel(context.Background())
	h.t.Cleanup(stop)
	go g.sends()
	return g
}

// sends sends a frame each 20 ms, silence where nothing is said.
func (g *guest) sends() {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: voicemedia.Rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		g.t.Error(err)
		return
	}
	packet := make([]byte, 1276)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-g.ctx.Done():
			return
		case <-tick.C:
		}
		var pcm [voicemedia.Rate / 50]int16
		g.mu.Lock()
		g.queue = g.queue[copy(pcm[:], g.queue):]
		g.mu.Unlock()
		if n, err := enc.EncodeInt16(pcm[:], packet); err == nil {
			_ = g.track.WriteSample(media.Sample{Data: append([]byte(nil), packet[:n]...), Duration: 20 * time.Millisecond}, nil)
		}
	}
}

// speaks says something, by flite, and waits until all of it was sent.
func (g *guest) speaks(h *house, words string) {
	g.t.Helper()
	hz, pcm := wyomingtest.Say(g.t, "kal16", words)
	c, err := rate.New(hz, voicemedia.Rate)
	if err != nil {
		g.t.Fatal(err)
	}
	g.mu.Lock()
	g.queue = c.Flush(c.Convert(nil, pcm))
	g.mu.Unlock()
	h.until("somebody else has said it", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		return len(g.queue) == 0
	})
}

// witness is somebody third in the room, who hears what a guest says.
type witness struct {
	mu  sync.Mutex
	pcm []int16
}

// listens brings a witness, who hears somebody alone.
func (h *house) listens(to string) *witness {
	h.t.Helper()
	w := &witness{}
	h.join("witness", &lksdk.RoomCallback{ParticipantCallback: lksdk.ParticipantCallback{OnTrackSubscribed: func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, of *lksdk.RemoteParticipant) {
		if of.Identity() == to {
			go w.hear(track)
		}
	}}})
	return w
}

func (w *witness) hear(track *webrtc.TrackRemote) {
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(voicemedia.Rate, 1))
	if err != nil {
		return
	}
	var pcm [960]int16
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		if n, err := dec.DecodeInt16(packet.Payload, pcm[:]); err == nil {
			w.mu.Lock()
			w.pcm = append(w.pcm, pcm[:n]...)
			w.mu.Unlock()
		}
	}
}

// heard says whether the witness has heard speech so far: a second of what is not silent.
func (w *witness) heard() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	loud := 0
	for _, v := range w.pcm {
		if v > 300 || v < -300 {
			loud++
		}
	}
	return loud > voicemedia.Rate/5
}
