package hostile

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	webrtcmedia "github.com/pion/webrtc/v4/pkg/media"
	"github.com/thesyncim/gopus"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/test/testbed"
	"readback/voice/media"
	"readback/voice/room"
)

// rooms are those of a real LiveKit server.
type rooms struct{ kit *testbed.LiveKit }

func (x rooms) options(name string) room.Options {
	return room.Options{
		URL: x.kit.URL, Key: x.kit.Key, Secret: x.kit.Secret, Room: name, Line: "livekit", Now: time.Now, Peer: func(raw string) smsmcp.Peer { return contacts.Peer(raw, "CA") },
	}
}

// calls has somebody call by SIP, or by a page, and maybe somebody else come into the room.
func (x rooms) calls(ctx context.Context, seed uint64, w wish) (*connection, error) {
	name, number := fmt.Sprintf("call-%d", seed), fmt.Sprintf("+1514557%04d", seed%10_000)
	p := &guest{sends: !w.page, done: make(chan struct{}), began: time.Now()}
	if err := p.enters(x.kit, name, "caller", map[bool]string{false: number}[w.page]); err != nil {
		return nil, err
	}
	if w.others {
		p.other = &guest{sends: true, done: make(chan struct{}), began: time.Now()}
		if err := p.other.enters(x.kit, name, "other", ""); err != nil {
			return nil, err
		}
	}
	o := x.options(name)
	if w.page {
		o.Caller = "caller"
	}
	leg, err := room.Join(ctx, o)
	if err != nil {
		p.HangUp()
		return nil, err
	}
	return &connection{leg: leg, far: p, number: smsmcp.Number(number), page: w.page, over: func() {
		late, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = leg.HangUp(late)
		p.HangUp()
	}}, nil
}

// guest is somebody in a room, the caller or another.
type guest struct {
	sends bool // keys
	room  *lksdk.Room
	out   *lksdk.LocalTrack
	other *guest // nil: nobody
	began time.Time
	done  chan struct{}
	once  sync.Once

	mu       sync.Mutex
	queue    []int16
	sent     int // samples, silence too
	received []int16
	known    bool // of the track that is heard: its first packet has come
	ts       uint32
	at       int
}

// enters comes into a room, by SIP if there is a number.
func (p *guest) enters(kit *testbed.LiveKit, name, identity, number string) error {
	token := auth.NewAccessToken(kit.Key, kit.Secret).SetIdentity(identity).SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: name}).SetValidFor(time.Hour)
	if number != "" {
		token.SetKind(livekit.ParticipantInfo_SIP).SetAttributes(map[string]string{livekit.AttrSIPCallID: "SCL_one", livekit.AttrSIPPhoneNumber: number, livekit.AttrSIPCallStatus: "active"})
	}
	jwt, err := token.ToJWT()
	if err != nil {
		return err
	}
	if p.out, err = lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}); err != nil {
		return err
	}
	p.room = lksdk.NewRoom(&lksdk.RoomCallback{
		OnDisconnected: p.over,
		ParticipantCallback: lksdk.ParticipantCallback{
			OnTrackSubscribed: func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, of *lksdk.RemoteParticipant) {
				if strings.HasPrefix(of.Identity(), "readback-") {
					go p.hear(track)
				}
			},
		},
	})
	if err := p.room.JoinWithToken(kit.URL, jwt); err != nil {
		return err
	}
	if _, err := p.room.LocalParticipant.PublishTrack(p.out, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE}); err != nil {
		return err
	}
	go p.send()
	return nil
}

func (p *guest) over() { p.once.Do(func() { close(p.done) }) }

// send sends a frame each 20 ms.
func (p *guest) send() {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: media.Rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		return
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	packet := make([]byte, 1276)
	for {
		select {
		case <-p.done:
			return
		case <-timer.C:
		}
		var pcm media.Frame
		p.mu.Lock()
		p.queue = p.queue[copy(pcm[:], p.queue):]
		p.sent += len(pcm)
		next := p.Time(p.sent)
		p.mu.Unlock()
		timer.Reset(time.Until(next))
		if k, err := enc.EncodeInt16(pcm[:], packet); err == nil {
			_ = p.out.WriteSample(webrtcmedia.Sample{Data: append([]byte(nil), packet[:k]...), Duration: media.FrameTime}, nil)
		}
	}
}

// hear keeps what comes, at its place: by its timestamp, or by when it came, where the stream is new.
func (p *guest) hear(track *webrtc.TrackRemote) {
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(media.Rate, 1))
	if err != nil {
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
		now := int(time.Since(p.began) * media.Rate / time.Second)
		at := p.at + int(int32(packet.Timestamp-p.ts))/6
		if !p.known || at < now-media.Rate || at > now+media.Rate {
			p.known, p.ts, p.at = true, packet.Timestamp, max(now, len(p.received))
			at = p.at
		}
		for at+n > len(p.received) {
			p.received = append(p.received, 0)
		}
		copy(p.received[max(at, 0):], pcm[max(-at, 0):n])
		p.mu.Unlock()
	}
}

func (p *guest) Send(pcm []int16) (at int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at = p.sent + len(p.queue)
	p.queue = append(p.queue, pcm...)
	return at
}

func (p *guest) Received(from int) []int16 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]int16(nil), p.received[min(from, len(p.received)):]...)
}

func (p *guest) Time(at int) time.Time { return p.began.Add(media.Duration(at)) }

// Press sends a key, as LiveKit's SIP bridge does. That of a page is none.
func (p *guest) Press(key rune) bool {
	return p.room.LocalParticipant.PublishDTMF(uint32(strings.IndexRune("0123456789*#ABCD", key)), string(key)) == nil && p.sends
}

func (p *guest) Meddle(pcm []int16, key rune) {
	if p.other != nil {
		p.other.Send(pcm)
		p.other.Press(key)
	}
}

func (p *guest) HangUp() {
	if p.other != nil {
		p.other.HangUp()
	}
	p.room.Disconnect()
	p.over()
}

func (p *guest) Done() <-chan struct{} { return p.done }

// TestInvariant10AHostileModelInRooms plays calls in rooms of a real LiveKit server: by SIP and by pages, alone and with others who say yes.
func TestInvariant10AHostileModelInRooms(t *testing.T) {
	t.Parallel()
	x := rooms{testbed.StartLiveKit(t)}
	// The first Join keeps the SDK from logging, for all of the program: nobody may be in a room yet.
	over, cancel := context.WithCancel(t.Context())
	cancel()
	o := x.options("none")
	if _, err := room.Join(over, o); err == nil {
		t.Fatal("a room was joined when there was no time")
	}
	playOnLeg(t, 300_000, x)
}
