package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"github.com/thesyncim/gopus"

	"readback/smsmcp/page"
	"readback/smsmcp/page/talk"
	"readback/test/testbed"
)

var silent = sync.OnceFunc(func() { lksdk.SetLogger(logger.GetDiscardLogger()) })

// stand is a house whose page lets browsers into the rooms of a real LiveKit server.
type stand struct {
	*house
	kit *testbed.LiveKit

	mu     sync.Mutex
	rooms  int
	server string // where browsers are told that it is
	secret string // with which tokens are made: the server's
}

func newStand(t *testing.T) *stand {
	t.Helper()
	chromium(t)
	silent()
	s := &stand{kit: testbed.StartLiveKit(t)}
	s.server, s.secret = s.kit.URL, s.kit.Secret
	s.house = build(t, func(o *page.Options) { o.Talk = s })
	return s
}

func (s *stand) room() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint("talk-", s.rooms)
}

const callerIdentity = "owner-one"

// Begin lets the browser into a room that nobody was in.
func (s *stand) Begin(context.Context) (talk.Visit, error) {
	s.mu.Lock()
	s.rooms++
	s.mu.Unlock()
	yes := true
	token, err := auth.NewAccessToken(s.kit.Key, s.secret).SetIdentity(callerIdentity).
		SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: s.room(), CanPublish: &yes, CanSubscribe: &yes}).SetValidFor(time.Hour).ToJWT()
	return talk.Visit{URL: s.server, Token: token}, err
}

// End ends no call: nobody signs out in one.
func (*stand) End(context.Context) error { return nil }

// guest is somebody in the room that a browser was let into last: Readback as the page sees it, or another.
type guest struct {
	t     *testing.T
	room  *lksdk.Room
	n     int           // of the last message
	draft int           // the last one
	left  chan struct{} // closed when the browser is no longer there

	mu    sync.Mutex
	sound bool // something of the browser's was heard that is not silent
}

func (s *stand) enter(identity string, kind livekit.ParticipantInfo_Kind) *guest {
	s.t.Helper()
	token, err := auth.NewAccessToken(s.kit.Key, s.kit.Secret).SetIdentity(identity).SetKind(kind).
		SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: s.room()}).SetValidFor(time.Hour).ToJWT()
	must(s.t, err)
	g := &guest{t: s.t, left: make(chan struct{})}
	gone := sync.OnceFunc(func() { close(g.left) })
	g.room = lksdk.NewRoom(&lksdk.RoomCallback{
		OnParticipantDisconnected: func(p *lksdk.RemoteParticipant) {
			if p.Identity() == callerIdentity {
				gone()
			}
		},
		ParticipantCallback: lksdk.ParticipantCallback{OnTrackSubscribed: func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) {
			go g.hear(track)
		}},
	})
	must(s.t, g.room.JoinWithToken(s.kit.URL, token))
	s.t.Cleanup(g.room.Disconnect)
	return g
}

// readback enters as Readback does, and speaks: a note that does not end.
func (s *stand) readback() *guest {
	s.t.Helper()
	g := s.enter("readback-one", livekit.ParticipantInfo_AGENT)
	g.sings()
	return g
}

func (g *guest) sings() {
	g.t.Helper()
	track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	must(g.t, err)
	_, err = g.room.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE})
	must(g.t, err)
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: 8000, Channels: 1, Application: gopus.ApplicationVoIP})
	must(g.t, err)
	var pcm [160]int16
	for i := range pcm {
		pcm[i] = int16(8000 * (i / 10 % 2)) // 400 Hz
	}
	ctx, stop := context.WithCancel(context.Background())
	g.t.Cleanup(stop)
	go func() {
		packet := make([]byte, 1276)
		for tick := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			if n, err := enc.EncodeInt16(pcm[:], packet); err == nil {
				_ = track.WriteSample(media.Sample{Data: append([]byte(nil), packet[:n]...), Duration: 20 * time.Millisecond}, nil)
			}
		}
	}()
}

func (g *guest) hear(track *webrtc.TrackRemote) {
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(8000, 1))
	if err != nil {
		return
	}
	var pcm [960]int16
	for {
		packet, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		n, err := dec.DecodeInt16(packet.Payload, pcm[:])
		for _, v := range pcm[:max(0, n)] {
			if err == nil && (v > 500 || v < -500) {
				g.mu.Lock()
				g.sound = true
				g.mu.Unlock()
			}
		}
	}
}

func (g *guest) heard() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.sound
}

type fields map[string]any

// tells sends a message of the wire, under the next number.
func (g *guest) tells(kind string, f fields) {
	g.t.Helper()
	g.n++
	all := fields{"n": g.n, "kind": kind}
	for k, v := range f {
		all[k] = v
	}
	b, err := json.Marshal(all)
	must(g.t, err)
	g.sends(b, "readback")
}

func (g *guest) sends(b []byte, topic string) {
	g.t.Helper()
	must(g.t, g.room.LocalParticipant.PublishDataPacket(lksdk.UserData(b), lksdk.WithDataPublishTopic(topic), lksdk.WithDataPublishReliable(true)))
}

func plain(words string) []fields { return []fields{{"pieces": []fields{{"t": words}}}} }

func (g *guest) said(role, words string) {
	g.t.Helper()
	g.tells("turn", fields{"role": role, "lines": plain(words)})
}

// drafts tells of another draft.
func (g *guest) drafts(to, number string, segments int, lines []fields) {
	g.t.Helper()
	g.draft++
	g.tells("draft", fields{"draft": g.draft, "to": to, "number": number, "segments": segments, "lines": lines})
}

// stage tells how far the last draft is.
func (g *guest) stage(s string) {
	g.t.Helper()
	g.tells("stage", fields{"draft": g.draft, "stage": s})
}

// opens opens a browser with a microphone of its own, which beeps.
func (s *stand) opens() *tab {
	s.t.Helper()
	b := open(s.t, s.url, chromedp.Flag("use-fake-device-for-media-stream", true), chromedp.Flag("allow-loopback-in-peer-connection", true))
	b.microphone("granted")
	return b
}

// microphone says what the browser's user answers where a page asks for it.
func (b *tab) microphone(answer cdpbrowser.PermissionSetting) {
	b.t.Helper()
	call(b, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: "microphone"}, Setting: answer})
}

// begins brings a signed-in browser to the page of a call.
func (s *stand) begins(b *tab) {
	s.t.Helper()
	b.visit("/talk")
	s.again(b, "main form[action='/talk'] button")
	b.stands("ready")
}

// again sends the form that begins a call, and gives the proof that each call takes.
func (s *stand) again(b *tab, selector string) {
	s.t.Helper()
	if status := b.press(selector); status != 403 {
		s.t.Fatal(status)
	}
	b.write("#passphrase", b.words)
	if status := b.press("main form[action='/talk'] button:not([data-use-passkey])"); status != 200 {
		s.t.Fatal(status)
	}
}

// stands waits until the call stands so.
func (b *tab) stands(state string) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`document.querySelector("#call")?.dataset.state == %q`, state))
}

// hangsUp presses the button once it is that for hanging up.
func (b *tab) hangsUp() {
	b.t.Helper()
	b.wait(`document.querySelector("#call [data-press]").ariaDisabled === null`)
	b.within(clicks("[data-press]"))
}

// dials presses Talk.
func (b *tab) dials() { b.t.Helper(); b.within(clicks("[data-press]")) }
