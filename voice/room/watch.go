package room

import (
	"sync"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"readback/voice/media"
)

const (
	lookAgain   = 500 * time.Millisecond // what no event tells is seen so late
	soundWithin = time.Second            // how long the first packet may take
	untold      = 2 * time.Second        // so long the SDK has to say that the signalling is closed
	patience    = 30 * time.Second       // how long the connection may be broken

	// beyond is what of the round trip cannot be measured: the way from the server to the caller and back, both jitter buffers, the caller's in a browser being the larger one, and what
	// waits here for a packet that is out of order.
	beyond = 200*time.Millisecond + ourJitter + 2*media.FrameTime + theirJitter

	theirJitter = 100 * time.Millisecond
	unmeasured  = 200 * time.Millisecond // of the way to the server, before it was
)

// active is LiveKit's word for a SIP call in which both ends hear each other.
const active = "active"

// callbacks are what the SDK tells us by. It calls some of them with its own locks held: so they note, at most, and who looks at the room is one goroutine, that looks at what is so
// and not at what was told.
func (c *Call) callbacks() *lksdk.RoomCallback {
	return &lksdk.RoomCallback{
		OnDisconnected:            func() { c.end(CodeMediaLost) },
		OnParticipantConnected:    func(*lksdk.RemoteParticipant) { c.stir(); c.ask() },
		OnParticipantDisconnected: func(*lksdk.RemoteParticipant) { c.stir(); c.ask() },
		OnRoomMoved:               func(string, string) { c.stir() },
		OnReconnecting:            c.broke,
		OnReconnected: func() {
			c.broke() // the SDK does not tell of a break in which it was just ending another
			c.lost.found()
			c.reports.ask()
			c.stir()
		},
		OnLocalTrackSubscribed: func(*lksdk.LocalTrackPublication, *lksdk.LocalParticipant) { c.subscribed.Store(true); c.stir() },
		ParticipantCallback: lksdk.ParticipantCallback{
			OnLocalTrackPublished:   func(p *lksdk.LocalTrackPublication, _ *lksdk.LocalParticipant) { c.published.Store(p) },
			OnLocalTrackUnpublished: func(*lksdk.LocalTrackPublication, *lksdk.LocalParticipant) { c.subscribed.Store(false) },
			OnAttributesChanged:     func(map[string]string, lksdk.Participant) { c.stir() },
			OnTrackPublished:        func(*lksdk.RemoteTrackPublication, *lksdk.RemoteParticipant) { c.stir() },
			OnTrackSubscribed: func(t *webrtc.TrackRemote, pub *lksdk.RemoteTrackPublication, p *lksdk.RemoteParticipant) {
				if c.isCaller(p) && isVoice(pub) {
					c.part(func() { c.read(t) })
				}
			},
			OnDataPacket: func(d lksdk.DataPacket, from lksdk.DataReceiveParams) {
				if key, ok := d.(*livekit.SipDTMF); ok {
					c.pressed(key.GetDigit(), from.SenderIdentity)
				}
			},
		},
	}
}

// broke notes that the SDK has lost the connection. What was on its way may not have arrived, however short the break: it was not played (invariant 10).
func (c *Call) broke() {
	if c.lost.now(c.o.Now()) {
		c.unsure()
	}
}

// doubt notes that the connection may be broken, though the SDK does not say so, and may have been since.
func (c *Call) doubt(since time.Time) {
	if c.lost.doubts(c.o.Now(), since) {
		c.unsure()
	}
}

func (c *Call) unsure() {
	c.reports.ask()
	c.unplayed()
	c.stir()
}

// unplayed says that what is on its way may not arrive: none of what waits, and of what has just left, was played (invariant 10).
func (c *Call) unplayed() {
	c.playback.Doubt()
	c.playback.Clear()
}

// stir says that there is something to look at, to each of the two who look.
func (c *Call) stir() {
	for _, to := range []chan struct{}{c.news, c.fresh} {
		select {
		case to <- struct{}{}:
		default:
		}
	}
}

// isCaller says whether a participant is the one who calls, and not another by the same identity.
func (c *Call) isCaller(p *lksdk.RemoteParticipant) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sid != "" && p.SID() == c.sid && p.Identity() == c.identity
}

// isVoice says whether a track is a microphone: what the caller plays from a screen is not what they say.
func isVoice(pub lksdk.TrackPublication) bool {
	return pub.Kind() == lksdk.TrackKindAudio && pub.Source() == livekit.TrackSource_MICROPHONE
}

// listening says whether the caller hears what we send. What is played while they do not was not played (invariant 10).
func (c *Call) listening() bool {
	pub := c.published.Load()
	return c.active.Load() && c.subscribed.Load() && !c.lost.is() && c.bound() && pub != nil && !pub.IsMuted()
}

// watch looks at the room until the call is over.
func (c *Call) watch() {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		c.look()
		select {
		case <-c.news:
		case <-tick.C:
		case <-c.done:
			return
		}
	}
}

// look does what is to be done about what is so in the room.
func (c *Call) look() {
	if well := c.well(); c.lost.is() && !(well && c.recover()) {
		if c.lost.since(c.o.Now()) > patience {
			c.end(CodeMediaLost)
		}
		return
	}
	p := c.room.GetParticipantByIdentity(c.identity)
	if p == nil || !c.isCaller(p) {
		if !c.lost.is() {
			c.end(CodeCallerHungUp)
		}
		return
	}
	c.active.Store(!c.sip || p.Attributes()[livekit.AttrSIPCallStatus] == active)
	c.way.measure(c.room)
}

// well looks for what the SDK does not tell of, doubts the connection where there is something, and says whether all is as it should be.
func (c *Call) well() bool {
	if !c.lost.connected() {
		c.mute = time.Time{}
		return false
	}
	now, well := c.o.Now(), true
	switch {
	case c.speaks():
		c.mute = time.Time{}
	case c.mute.IsZero():
		c.mute, well = now, false
		c.doubt(now)
	default:
		well = false
		if now.Sub(c.mute) > untold {
			c.again()
		}
	}
	broken, whole := c.media()
	if broken {
		c.doubt(now)
	}
	if last, is := c.reports.missing(); is {
		c.doubt(last)
	}
	return well && whole && c.reports.arrives()
}

// subscribe asks the server for the caller's microphone, and again, since what came before a break does not come any more behind it. It says whether the server could be asked: the SDK
// misses that its signalling closes while it ends another break, and then sees nothing of what happens in the room. Of a caller without a microphone it is not known.
func (c *Call) subscribe() bool {
	p := c.room.GetParticipantByIdentity(c.identity)
	if p == nil || !c.isCaller(p) {
		return true
	}
	for _, pub := range p.TrackPublications() {
		if remote, ok := pub.(*lksdk.RemoteTrackPublication); ok && isVoice(pub) && remote.SetSubscribed(true) != nil {
			return false
		}
	}
	return true
}

// reconnect has the SDK connect anew, where it does not know that it should. It has no other word for that: nothing is sent, since it is called where nothing can be.
func (c *Call) reconnect() { c.room.Simulate(lksdk.SimulateForceTLS) }

// media says whether the ways of our sound and of the caller's are broken, and whether both stand: one that is only being made is neither.
func (c *Call) media() (broken, whole bool) {
	whole = true
	for _, pc := range []*webrtc.PeerConnection{c.room.LocalParticipant.GetPublisherPeerConnection(), c.room.LocalParticipant.GetSubscriberPeerConnection()} {
		if pc == nil {
			whole = false
			continue
		}
		switch pc.ICEConnectionState() {
		case webrtc.ICEConnectionStateConnected, webrtc.ICEConnectionStateCompleted:
		case webrtc.ICEConnectionStateDisconnected, webrtc.ICEConnectionStateFailed, webrtc.ICEConnectionStateClosed:
			broken, whole = true, false
		default:
			whole = false
		}
	}
	return broken, whole
}

// recover says whether a broken connection stands again, and the caller is there. The server is asked: the SDK goes on with those whom it knew, also where they left in the break.
func (c *Call) recover() bool {
	if !c.lost.connected() {
		return false
	}
	known := c.room.GetRemoteParticipants() // before the server is asked: who comes after that is there
	list, ok := c.listed()
	if !ok {
		return false
	}
	there := map[string]bool{}
	for _, p := range list {
		there[p.GetSid()] = true
	}
	if !there[c.sid] {
		c.end(CodeCallerHungUp)
		return false
	}
	c.mu.Lock()
	c.ghosts = map[string]bool{}
	for _, p := range known {
		if !there[p.SID()] {
			c.ghosts[p.SID()] = true
		}
	}
	c.mu.Unlock()
	c.reports.begin()
	return c.lost.sure(c.o.Now())
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// roundTrip is the way to the server and back. It remembers the last measurements.
type roundTrip struct {
	mu   sync.Mutex
	last [20]time.Duration // about ten seconds
	n    int
}

// measure takes what the connections measure by themselves.
func (r *roundTrip) measure(room *lksdk.Room) {
	var now time.Duration
	for _, pc := range []*webrtc.PeerConnection{room.LocalParticipant.GetPublisherPeerConnection(), room.LocalParticipant.GetSubscriberPeerConnection()} {
		if pc == nil || pc.ICEConnectionState() != webrtc.ICEConnectionStateConnected {
			continue // before that, the library itself is still writing what would be read here
		}
		if s, ok := pc.SCTP().Transport().ICETransport().GetSelectedCandidatePairStats(); ok {
			now = max(now, time.Duration(s.CurrentRoundTripTime*float64(time.Second)))
		}
	}
	if now > 0 {
		r.add(now)
	}
}

func (r *roundTrip) add(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[r.n%len(r.last)] = d
	r.n++
}

// longest is the longest that was measured lately.
func (r *roundTrip) longest() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == 0 {
		return unmeasured
	}
	var most time.Duration
	for _, d := range r.last {
		most = max(most, d)
	}
	return most
}
