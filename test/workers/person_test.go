package workers

import (
	"maps"
	"strings"
	"sync"
	"time"

	"testing"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"github.com/thesyncim/gopus"
)

const (
	rate  = 8000
	frame = rate / 50
)

// who somebody in a room is. The zero value is a telephone whose call is active, with a number.
type who struct {
	identity string // "sip_caller"
	number   string // theOwner
	browser  bool   // no SIP participant, but one of a page
	mute     bool   // publishes nothing
	kind     livekit.ParticipantInfo_Kind
	agent    string // that gets a job of the room, if they are the first in it
}

// person is somebody in a room: the far end of a call.
type person struct {
	t    testing.TB
	room *lksdk.Room
	out  *lksdk.LocalTrack
	done chan struct{}
	once sync.Once

	mu    sync.Mutex
	queue []int16
	came  []int // of each 20 ms that was heard: how often the sound changes its sign; -1 of silence
	at    int   // up to where it was listened to
}

// enter brings somebody into a room.
func (h *house) enter(t testing.TB, name string, w who) *person {
	t.Helper()
	if w.identity == "" {
		w.identity = "sip_caller"
	}
	if w.number == "" {
		w.number = theOwner
	}
	kind, attributes := livekit.ParticipantInfo_SIP, map[string]string{
		livekit.AttrSIPCallID: "SCL_one", livekit.AttrSIPTrunkNumber: "+15145550100", livekit.AttrSIPPhoneNumber: w.number, livekit.AttrSIPCallStatus: "active",
	}
	if w.browser {
		kind = livekit.ParticipantInfo_STANDARD
		maps.DeleteFunc(attributes, func(string, string) bool { return true })
	}
	if w.kind != 0 {
		kind = w.kind
	}
	made := auth.NewAccessToken(h.kit.Key, h.kit.Secret).SetIdentity(w.identity).SetKind(kind).SetAttributes(attributes).SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: name}).SetValidFor(time.Hour)
	if w.agent != "" {
		made.SetRoomConfig(&livekit.RoomConfiguration{Agents: []*livekit.RoomAgentDispatch{{AgentName: w.agent}}})
	}
	token, err := made.ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, done: make(chan struct{})}
	if p.out, err = lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}); err != nil {
		t.Fatal(err)
	}
	p.room = lksdk.NewRoom(&lksdk.RoomCallback{
		OnDisconnected: func() { p.over() },
		ParticipantCallback: lksdk.ParticipantCallback{
			OnTrackSubscribed: func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, of *lksdk.RemoteParticipant) {
				if strings.HasPrefix(of.Identity(), "readback-") {
					go p.hear(track)
				}
			},
		},
	})
	if err := p.room.JoinWithToken(h.kit.URL, token); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.HangUp)
	if !w.mute {
		if _, err = p.room.LocalParticipant.PublishTrack(p.out, &lksdk.TrackPublicationOptions{}); err != nil {
			t.Fatal(err)
		}
		go p.send()
	}
	return p
}

func (p *person) over() { p.once.Do(func() { close(p.done) }) }

// send sends a frame each 20 ms.
func (p *person) send() {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		p.t.Error(err)
		return
	}
	began := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	packet := make([]byte, 1276)
	for n := time.Duration(0); ; n++ {
		select {
		case <-p.done:
			return
		case <-timer.C:
		}
		timer.Reset(time.Until(began.Add((n + 1) * 20 * time.Millisecond)))
		var pcm [frame]int16
		p.mu.Lock()
		p.queue = p.queue[copy(pcm[:], p.queue):]
		p.mu.Unlock()
		k, err := enc.EncodeInt16(pcm[:], packet)
		if err != nil {
			p.t.Error(err)
			return
		}
		_ = p.out.WriteSample(media.Sample{Data: append([]byte(nil), packet[:k]...), Duration: 20 * time.Millisecond}, nil)
	}
}

// hear notes what comes.
func (p *person) hear(track *webrtc.TrackRemote) {
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(rate, 1))
	if err != nil {
		p.t.Error(err)
		return
	}
	var pcm [960]int16
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		n, err := dec.DecodeInt16(packet.Payload, pcm[:])
		if err != nil {
			continue
		}
		for at := 0; at+frame <= n; at += frame {
			turns, peak := 0, int16(0)
			f := pcm[at : at+frame]
			for i := 1; i < len(f); i++ {
				if (f[i] < 0) != (f[i-1] < 0) {
					turns++
				}
				peak = max(peak, f[i])
			}
			if peak <= 1000 {
				turns = -1
			}
			p.mu.Lock()
			p.came = append(p.came, turns)
			p.mu.Unlock()
		}
	}
}

// tone looks for a tone of so many frames in what was not listened to yet. Where it is over, and a moment has passed, what came until its end has been.
func (p *person) tone(hz float64, frames int) (begun, over bool) {
	const moment = 50 // frames
	p.mu.Lock()
	defer p.mu.Unlock()
	n, end := 0, 0
	for i, turns := range p.came[p.at:] {
		if want := int(hz / 25); turns >= want-2 && turns <= want+2 {
			n, end = n+1, p.at+i+1
		}
	}
	if n < frames || len(p.came)-end < moment {
		return n > 4, false
	}
	p.at = end
	return true, true
}

// Send has them make a sound.
func (p *person) Send(pcm []int16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, pcm...)
}

// Press sends a key, as LiveKit's SIP bridge does.
func (p *person) Press(key rune) error {
	return p.room.LocalParticipant.PublishDTMF(uint32(strings.IndexRune("0123456789*#ABCD", key)), string(key))
}

// HangUp leaves the room.
func (p *person) HangUp() {
	p.room.Disconnect()
	p.over()
}
