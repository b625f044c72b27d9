package room

import (
	"context"
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
	patience    = 30 * time.Second       // how long the connection may be broken
	replayed    = 10 * time.Second       // for so long after a break keys may come that were pressed in it

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
		OnParticipantConnected:    func(*lksdk.RemoteParticipant) { c.stir() },
		OnParticipantDisconnected: func(*lksdk.RemoteParticipant) { c.stir() },
		OnRoomMoved:               func(string, string) { c.stir() },
		OnReconnecting: func() { // what was on its way may not have arrived, however short the break: it was not played (invariant 10)
			c.lost.now(c.o.Now())
			c.playback.Clear()
			c.stir()
		},
		OnReconnected:          func() { c.lost.found(c.o.Now()); c.stir() },
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
	if c.lost.is() && !c.recover() {
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
	for _, pub := range p.TrackPublications() {
		if remote, ok := pub.(*lksdk.RemoteTrackPublication); ok && isVoice(pub) && !c.reads(remote.TrackRemote()) {
			_ = remote.SetSubscribed(true) // and again, as long as it does not come
		}
	}
	c.way.measure(c.room)
}

// recover says whether a broken connection stands again, and the caller is there. The server is asked: the SDK goes on with those whom it knew, also where they left in the break.
func (c *Call) recover() bool {
	if !c.lost.connected() {
		return false
	}
	known := c.room.GetRemoteParticipants() // before the server is asked: who comes after that is there
	ctx, cancel := context.WithTimeout(c.life, partWithin)
	defer cancel()
	list, err := lksdk.NewRoomServiceClient(c.o.URL, c.o.Key, c.o.Secret).ListParticipants(ctx, &livekit.ListParticipantsRequest{Room: c.o.Room})
	if err != nil && !notFound(err) {
		return false
	}
	there := map[string]bool{}
	for _, p := range list.GetParticipants() {
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
	return c.lost.sure()
}

// lost knows whether the connection to the server stands. The zero value stands.
type lost struct {
	mu    sync.Mutex
	away  bool      // the SDK says so
	doubt bool      // it is not known whether the caller is still there
	last  time.Time // when something came last
	began time.Time // of the last break: when something had come last
	noted time.Time // when the SDK noticed it
	back  time.Time // when it ended
	ever  bool
	times int // that it broke
}

func (l *lost) joined(now time.Time) { l.came(now) }

// came notes that something came from the server.
func (l *lost) came(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = now
}

func (l *lost) now(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.away {
		l.away, l.noted = true, now
		l.times++
		if !l.doubt {
			l.began = l.last
		}
		l.doubt, l.ever = true, true
	}
}

func (l *lost) found(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away, l.back = false, now
}

// sure ends the doubt, unless the connection has broken again, and says whether.
func (l *lost) sure() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.doubt = l.away
	return !l.doubt
}

// is says whether the connection is broken, or it is not known yet with whom it stands.
func (l *lost) is() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.doubt
}

// breaks is how often the connection has broken.
func (l *lost) breaks() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.times
}

// connected says whether the connection stands.
func (l *lost) connected() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.away
}

// since is for how long the connection has been known to be broken.
func (l *lost) since(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Sub(l.noted)
}

// dated says when a key that comes now is held to have gone down: when it came, or, where the server may have kept it over a break, when that began.
func (l *lost) dated(now time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.doubt || l.ever && now.Sub(l.back) < replayed {
		return earlier(now, l.began)
	}
	return now
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
