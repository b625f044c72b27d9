package main

import (
	"context"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"
	"github.com/thesyncim/gopus"

	"readback/voice/media"
)

// perOpus is what a frame of 20 ms counts in the timestamps of Opus.
const perOpus = 960

var opusTrack = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}

// seat is somebody's place in a room: what they send, and what they hear.
type seat struct {
	room    *lksdk.Room
	out     *lksdk.LocalTrack
	h       rtp.Header
	over    chan struct{} // closed when they, or the only other, are out of it
	left    func()
	heard   chan struct{} // closed when our sound is subscribed to
	arrived func(p *rtp.Packet, pcm []int16)
}

// silent keeps the SDK from logging.
var silent = sync.OnceFunc(func() { lksdk.SetLogger(logger.GetDiscardLogger()) })

// sit enters a room and publishes a microphone. arrived is called with each packet that is heard, and its sound.
func sit(url, key, secret, name, identity string, kind livekit.ParticipantInfo_Kind, arrived func(*rtp.Packet, []int16)) (*seat, error) {
	silent()
	token := auth.NewAccessToken(key, secret).SetIdentity(identity).SetKind(kind).SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: name}).SetValidFor(time.Hour)
	if kind == livekit.ParticipantInfo_SIP {
		token.SetAttributes(map[string]string{livekit.AttrSIPCallID: "SCL_one", livekit.AttrSIPPhoneNumber: "+15145550101", livekit.AttrSIPCallStatus: "active"})
	}
	jwt, err := token.ToJWT()
	if err != nil {
		return nil, err
	}
	s := &seat{over: make(chan struct{}), heard: make(chan struct{}), arrived: arrived, h: rtp.Header{Version: 2}}
	s.left = sync.OnceFunc(func() { close(s.over) })
	heard := sync.OnceFunc(func() { close(s.heard) })
	if s.out, err = lksdk.NewLocalTrack(opusTrack); err != nil {
		return nil, err
	}
	s.room = lksdk.NewRoom(&lksdk.RoomCallback{
		OnDisconnected:            s.left,
		OnParticipantDisconnected: func(*lksdk.RemoteParticipant) { s.left() },
		OnLocalTrackSubscribed:    func(*lksdk.LocalTrackPublication, *lksdk.LocalParticipant) { heard() },
		ParticipantCallback: lksdk.ParticipantCallback{
			OnTrackSubscribed: func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, _ *lksdk.RemoteParticipant) {
				go s.hear(track)
			},
		},
	})
	if err := s.room.JoinWithToken(url, jwt); err != nil {
		return nil, err
	}
	if _, err := s.room.LocalParticipant.PublishTrack(s.out, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE, DisableDTX: true}); err != nil {
		s.room.Disconnect()
		return nil, err
	}
	return s, nil
}

func (s *seat) hear(track *webrtc.TrackRemote) {
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(media.Rate, 1))
	if err != nil || !strings.EqualFold(track.Codec().MimeType, webrtc.MimeTypeOpus) {
		return
	}
	var pcm [perOpus]int16
	for {
		p, _, err := track.ReadRTP()
		if err != nil {
			return
		}
		if n, err := dec.DecodeInt16(p.Payload, pcm[:]); err == nil && n > 0 {
			s.arrived(p, pcm[:n])
		}
	}
}

// write sends a packet. skip is how many frames are left out before it.
func (s *seat) write(opus []byte, skip int) {
	s.h.SequenceNumber++
	s.h.Timestamp += uint32(1+skip) * perOpus //nolint:gosec // few
	_ = s.out.WriteRTP(&rtp.Packet{Header: s.h, Payload: append([]byte(nil), opus...)}, nil)
}

// The sound of a frame is one of eight notes, softer than anybody hears, and softer than what the guard against echoes looks at. Three in a row stand for their place: all are different.
const (
	notes     = 8
	lowest    = 600 // Hz
	apart     = 200
	noteFrom  = 40 // of a frame that came back: what the codec has held back of the one before is over
	softest   = 50 // mean square of what is a note
	inaudible = 30
)

// places are the notes of all frames, and where each three in a row are.
var places, placeOf = func() ([]int, map[[3]int]int) {
	all := map[[3]int]int{}
	seq := []int{0, 0, 0}
	all[[3]int{0, 0, 0}] = 2
	for grows := true; grows; {
		grows = false
		for k := notes - 1; k >= 0; k-- { // the greedy way to have them all
			three := [3]int{seq[len(seq)-2], seq[len(seq)-1], k}
			if _, there := all[three]; !there {
				all[three] = len(seq)
				seq, grows = append(seq, k), true
				break
			}
		}
	}
	return seq, all
}()

// noteOf is the note of a frame that came back; -1 if it has none.
func noteOf(pcm []int16) int {
	if len(pcm) != media.FrameSamples {
		return -1
	}
	pcm = pcm[noteFrom:]
	power := 0.0
	for _, s := range pcm {
		power += float64(s) * float64(s)
	}
	best, top := -1, 0.0
	if power < softest*float64(len(pcm)) {
		return -1
	}
	for k := range notes {
		c := 2 * math.Cos(2*math.Pi*float64(lowest+k*apart)/media.Rate)
		a, b := 0.0, 0.0
		for _, s := range pcm {
			a, b = float64(s)+c*a-b, a
		}
		if e := a*a + b*b - c*a*b; e > top {
			best, top = k, e
		}
	}
	return best
}

// numbered is the Opus of so many frames, and of silence.
func numbered(t *bench, n int) (frames [][]byte, quiet []byte) {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: media.Rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		t.Fatal(err)
	}
	encode := func(f media.Frame) []byte {
		b := make([]byte, 1276)
		k, err := enc.EncodeInt16(f[:], b)
		if err != nil {
			t.Fatal(err)
		}
		return b[:k]
	}
	for range 5 {
		quiet = encode(media.Frame{})
	}
	for i := range n {
		var f media.Frame
		for k := range f {
			edge := min(1, float64(k)/16, float64(len(f)-1-k)/16)
			f[k] = int16(inaudible * edge * math.Sin(2*math.Pi*float64(lowest+places[i%len(places)]*apart)*float64(k)/media.Rate))
		}
		frames = append(frames, encode(f))
	}
	return frames, quiet
}

// roomGuest is a caller's end of one call in a room.
type roomGuest struct {
	o      ordered
	seat   *seat
	sound  [][]byte
	quiet  []byte
	opened chan struct{}

	mu     sync.Mutex
	begun  time.Time
	sent   []int64 // when each numbered frame was, ns since begun; 0 once it came back
	round  []int64
	twice  int
	last   [3]int // notes of the last frames that came
	lastAt [3]time.Time
}

func (g *roomGuest) ready() <-chan struct{} { return g.opened }

func (g *roomGuest) begin(at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun = at
}

// send sends the next packet.
func (g *roomGuest) send() {
	g.mu.Lock()
	now, opus := time.Now(), g.quiet
	if n := len(g.sent); !g.begun.IsZero() && n < len(g.sound) {
		opus = g.sound[n]
		g.sent = append(g.sent, int64(now.Sub(g.begun))+1)
	}
	g.mu.Unlock()
	g.seat.write(opus, 0)
}

// back takes a frame that came back.
func (g *roomGuest) back(_ *rtp.Packet, pcm []int16) {
	now, note := time.Now(), noteOf(pcm)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = [3]int{g.last[1], g.last[2], note}
	g.lastAt = [3]time.Time{g.lastAt[1], g.lastAt[2], now}
	n, ok := placeOf[g.last]
	if !ok || g.begun.IsZero() || n >= len(g.sent) {
		return
	}
	for k := range 3 { // the three of which it is known by now
		i := n - 2 + k
		switch {
		case g.sent[i] > 0:
			g.round = append(g.round, (int64(g.lastAt[k].Sub(g.begun))+1-g.sent[i])/1000)
			g.sent[i] = 0
		case k == 2:
			g.twice++
		}
	}
}

func (g *roomGuest) report(to *found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	to.Sent += len(g.sent)
	for _, at := range g.sent {
		if at > 0 {
			to.Missing++
		}
	}
	to.Twice += g.twice
	to.Round = append(to.Round, g.round...)
}

// visit brings callers into rooms, each into one of its own.
func visit(t *bench, o ordered) (far []*roomGuest) {
	sound, quiet := numbered(t, min(int(o.For/media.FrameTime), len(places)))
	for i := range o.Calls {
		g := &roomGuest{o: o, sound: sound, quiet: quiet, opened: make(chan struct{}), last: [3]int{-1, -1, -1}}
		var err error
		if g.seat, err = sit(o.Rooms, o.Key, o.Secret, roomOf(o.To, i), "sip_caller", livekit.ParticipantInfo_SIP, g.back); err != nil {
			t.Fatalf("room %d: %v", i, err)
		}
		t.Cleanup(g.seat.room.Disconnect)
		close(g.opened)
		far = append(far, g)
	}
	return far
}

// bareRoomEcho is the least that can send a caller's sound back in a room: a participant by the SDK, the jitter buffer, and a pacer that sends what it takes from the buffer in the same 20 ms.
func bareRoomEcho(ctx context.Context, o ordered, on func() bool) (wait func(), err error) {
	var mu sync.Mutex
	jitter := media.NewJitter(roomJitter)
	var first sync.Once
	var base uint32
	came := make(chan struct{})
	s, err := sit(o.Rooms, o.Key, o.Secret, o.To, "echo", livekit.ParticipantInfo_AGENT, func(p *rtp.Packet, pcm []int16) {
		mu.Lock()
		defer mu.Unlock()
		first.Do(func() { base = p.Timestamp; close(came) })
		jitter.PutPCM((p.Timestamp-base)/(perOpus/media.FrameSamples), pcm)
	})
	if err != nil {
		return nil, err
	}
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: media.Rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		return nil, err
	}
	var all sync.WaitGroup
	all.Go(func() {
		defer s.room.Disconnect()
		start, timer, packet := time.Now(), time.NewTimer(0), make([]byte, 1276)
		defer timer.Stop()
		for n := 0; ; n++ {
			select {
			case <-s.over:
				return
			case <-timer.C:
			}
			due := start.Add(time.Duration(n) * media.FrameTime)
			var f media.Frame
			mu.Lock()
			jitter.Next(&f)
			mu.Unlock()
			if !on() || time.Since(due) >= media.FrameTime { // later ones are caught up with: see catchUp
				f = media.Frame{}
			}
			if k, err := enc.EncodeInt16(f[:], packet); err == nil {
				s.write(packet[:k], 0)
			}
			timer.Reset(time.Until(due.Add(media.FrameTime)))
		}
	})
	for _, is := range []<-chan struct{}{s.heard, came} {
		select {
		case <-is:
		case <-ctx.Done():
			s.left()
			all.Wait()
			return nil, ctx.Err()
		}
	}
	return all.Wait, nil
}
