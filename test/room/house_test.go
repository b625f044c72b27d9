package room

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"github.com/thesyncim/gopus"

	"readback/smsmcp"
	"readback/test/testbed"
	"readback/voice/room"
)

const rate = 8000

var silent = sync.OnceFunc(func() { lksdk.SetLogger(logger.GetDiscardLogger()) })

// hall is a LiveKit server with rooms in it.
type hall struct {
	t    *testing.T
	kit  *testbed.LiveKit
	runs atomic.Int64
}

func newHall(t *testing.T) *hall {
	silent()
	return &hall{t: t, kit: testbed.StartLiveKit(t)}
}

// room names a room that nobody was in.
func (h *hall) room() string { return fmt.Sprintf("call-%d", h.runs.Add(1)) }

// options are those of a call in a room. Numbers of +1 are numbers.
func (h *hall) options(name string) room.Options {
	return room.Options{
		URL: h.kit.URL, Key: h.kit.Key, Secret: h.kit.Secret, Room: name, Line: "livekit", Now: time.Now,
		Peer: func(raw string) smsmcp.Peer {
			if strings.HasPrefix(raw, "+1") {
				return smsmcp.NumberPeer(smsmcp.Number(raw))
			}
			return smsmcp.Peer{}
		},
	}
}

// join has the program take the call in a room.
func (h *hall) join(t *testing.T, o room.Options) *room.Call {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := room.Join(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = c.HangUp(ctx)
	})
	return c
}

// who somebody in a room is. The zero value is a telephone whose call is active, with a number.
type who struct {
	identity string // "sip_caller"
	browser  bool   // no SIP participant, but one of a page
	hidden   bool   // without a number
	status   string // of the SIP call: "active"
	source   livekit.TrackSource
	extra    map[string]string // further attributes
	mute     bool              // publishes nothing
	kind     livekit.ParticipantInfo_Kind
	agent    string // that gets a job of the room, if they are the first in it
}

// person is somebody in a room: the far end of a call.
type person struct {
	t    testing.TB
	room *lksdk.Room
	out  *lksdk.LocalTrack
	pub  *lksdk.LocalTrackPublication
	done chan struct{}
	once sync.Once

	mu       sync.Mutex
	queue    []int16
	received []int16
	began    time.Time
	known    bool
	ts       uint32
	at       int
	data     []data
	pressed  []string // by others
}

// data is something that came to somebody in a room as data.
type data struct {
	from, topic string
	payload     []byte
}

// enter brings somebody into a room.
func (h *hall) enter(t *testing.T, name string, w who) *person {
	t.Helper()
	if w.identity == "" {
		w.identity = "sip_caller"
	}
	kind, attributes := livekit.ParticipantInfo_SIP, map[string]string{
		livekit.AttrSIPCallID: "SCL_one", livekit.AttrSIPTrunkNumber: "+15145550100", livekit.AttrSIPPhoneNumber: "+15145550101", livekit.AttrSIPCallStatus: "active",
	}
	if w.status != "" {
		attributes[livekit.AttrSIPCallStatus] = w.status
	}
	if w.hidden {
		delete(attributes, livekit.AttrSIPPhoneNumber)
	}
	if w.browser {
		kind, attributes = livekit.ParticipantInfo_STANDARD, map[string]string{}
	}
	if w.kind != 0 {
		kind = w.kind
	}
	maps.Copy(attributes, w.extra)
	yes := true
	made := auth.NewAccessToken(h.kit.Key, h.kit.Secret).SetIdentity(w.identity).SetKind(kind).SetAttributes(attributes).
		SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: name, CanUpdateOwnMetadata: &yes}).SetValidFor(time.Hour)
	if w.agent != "" {
		made.SetRoomConfig(&livekit.RoomConfiguration{Agents: []*livekit.RoomAgentDispatch{{AgentName: w.agent}}})
	}
	token, err := made.ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, done: make(chan struct{}), began: time.Now()}
	if p.out, err = lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}); err != nil {
		t.Fatal(err)
	}
	p.room = lksdk.NewRoom(&lksdk.RoomCallback{
		OnDisconnected: func() { p.over() },
		ParticipantCallback: lksdk.ParticipantCallback{
			OnDataPacket: func(d lksdk.DataPacket, from lksdk.DataReceiveParams) {
				p.mu.Lock()
				defer p.mu.Unlock()
				switch d := d.(type) {
				case *lksdk.UserDataPacket:
					p.data = append(p.data, data{from.SenderIdentity, d.Topic, d.Payload})
				case *livekit.SipDTMF:
					p.pressed = append(p.pressed, d.GetDigit())
				}
			},
			OnTrackSubscribed: func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, of *lksdk.RemoteParticipant) {
				if strings.HasPrefix(of.Identity(), "readback-") { // what others say is not looked at
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
		p.speak(w.source)
	}
	return p
}

// speak publishes a track, and sends on it from then on.
func (p *person) speak(source livekit.TrackSource) {
	p.t.Helper()
	var err error
	if p.pub, err = p.room.LocalParticipant.PublishTrack(p.out, &lksdk.TrackPublicationOptions{Source: source}); err != nil {
		p.t.Fatal(err)
	}
	go p.send()
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
		var pcm [rate / 50]int16
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

// hear keeps what comes, at its place: by its timestamp, or by when it came, where the stream is new.
func (p *person) hear(track *webrtc.TrackRemote) {
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(rate, 1))
	if err != nil {
		p.t.Error(err)
		return
	}
	var pcm [960]int16
	p.mu.Lock()
	p.known = false
	p.mu.Unlock()
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		n, err := dec.DecodeInt16(packet.Payload, pcm[:])
		if err != nil {
			continue
		}
		p.mu.Lock()
		now := int(time.Since(p.began) * rate / time.Second)
		at := p.at + int(int32(packet.Timestamp-p.ts))/6
		if !p.known || at < now-rate || at > now+rate {
			p.known, p.ts, p.at = true, packet.Timestamp, max(now, len(p.received))
			at = p.at
		}
		for i, v := range pcm[:n] {
			for at+i >= len(p.received) {
				p.received = append(p.received, 0)
			}
			if at+i >= 0 {
				p.received[at+i] = v
			}
		}
		p.mu.Unlock()
	}
}

// Send has them speak.
func (p *person) Send(pcm []int16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, pcm...)
}

// Received is what they heard.
func (p *person) Received() []int16 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]int16(nil), p.received...)
}

// Data is what came to them as data.
func (p *person) Data() []data {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]data(nil), p.data...)
}

// Pressed are the keys of others that came to them.
func (p *person) Pressed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.pressed...)
}

// Press sends a key, as LiveKit's SIP bridge does.
func (p *person) Press(key rune) {
	if err := p.room.LocalParticipant.PublishDTMF(uint32(strings.IndexRune("0123456789*#ABCD", key)), string(key)); err != nil {
		p.t.Errorf("pressing %q: %v", key, err)
	}
}

// HangUp leaves the room.
func (p *person) HangUp() {
	p.room.Disconnect()
	p.over()
}

// Done is closed when they are out of the room.
func (p *person) Done() <-chan struct{} { return p.done }

// empty says whether nobody is left in a room, or there is none.
func (h *hall) empty(name string) bool {
	got, err := lksdk.NewRoomServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret).ListParticipants(context.Background(), &livekit.ListParticipantsRequest{Room: name})
	return err != nil || len(got.GetParticipants()) == 0
}
