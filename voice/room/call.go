package room

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/twitchtv/twirp"

	"readback/voice"
	"readback/voice/media"
)

const (
	ourJitter  = 60 * time.Millisecond // a packet that was lost is asked for again: it needs the time
	unheard    = 50                    // frames that wait for who hears: a second
	partWithin = 5 * time.Second       // how long the server may take to take the caller out of the room
)

// Call is one call: a voice.Leg.
type Call struct {
	o    Options
	name string // ours; our identity in the room, unless a token says another
	room *lksdk.Room
	out  *lksdk.LocalTrack
	from voice.CallerID

	playback *media.Playback
	inlet    *media.Inlet
	keys     chan voice.Key
	queue    *media.Keys
	way      roundTrip
	lost     lost
	theirs   theirs
	trip     transit
	reports  reports

	bound      func() bool // there is a connection for our sound
	speaks     func() bool // the server can be spoken to
	again      func()      // connects anew
	mute       time.Time   // since when it cannot, as watch has seen
	published  atomic.Pointer[lksdk.LocalTrackPublication]
	subscribed atomic.Bool   // the caller takes our sound
	active     atomic.Bool   // the SIP call is
	breaks     atomic.Int64  // of the connection, as who shows something was told
	heard      atomic.Bool   // something came of the caller's microphone
	news       chan struct{} // for watch
	fresh      chan struct{} // the same, for who joins
	asks       chan struct{} // for who asks the server who is there

	life  context.Context //nolint:containedctx // of the connection
	cut   context.CancelFunc
	done  chan struct{} // closed when the call is over
	gone  chan struct{} // closed when we have left the room, and the caller was made to
	parts sync.WaitGroup

	mu       sync.Mutex
	over     string // why; empty while it goes on
	failed   error  // to be read once gone is closed
	identity string // the caller's
	sid      string // of the participant: who comes again by the same identity has another
	sip      bool
	track    *webrtc.TrackRemote // what is heard
	jitter   *media.Jitter
	hidden   map[string]bool // participants that the server tells of when it is asked, and nobody else, by their sid
	ghosts   map[string]bool // participants that left in a break of the connection, by their sid: the SDK still shows them
}

var _ voice.Leg = (*Call)(nil)

func newCall(o Options) *Call {
	c := &Call{
		o: o, name: newName(), playback: media.NewPlayback(o.Now), inlet: media.NewInlet(unheard), jitter: media.NewJitter(ourJitter),
		keys: make(chan voice.Key), queue: media.NewKeys(o.Now), news: make(chan struct{}, 1), fresh: make(chan struct{}, 1), asks: make(chan struct{}, 1), done: make(chan struct{}), gone: make(chan struct{}),
	}
	c.life, c.cut = context.WithCancel(context.Background())
	c.out, _ = lksdk.NewLocalTrack(opus, lksdk.WithRTCPHandler(c.reported)) // it fails for simulcast alone
	c.reports.sent = -firstWord
	c.bound, c.speaks, c.again = c.out.IsBound, c.subscribe, c.reconnect
	c.room = lksdk.NewRoom(c.callbacks())
	return c
}

// part begins a goroutine of the call, unless that is over, and says whether. One that panics ends the call, and nothing else: what it said may be a stranger's words, and is not logged.
func (c *Call) part(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over != "" {
		return false
	}
	c.parts.Go(func() {
		defer func() {
			if recover() != nil {
				c.o.Log.Error("a call broke", "call", c.name, "code", CodeCrashed, "stack", string(debug.Stack()))
				c.end(CodeCrashed)
			}
		}()
		f()
	})
	return true
}

// end says that the call is over. It does not wait; the first reason stays.
func (c *Call) end(why string) {
	c.mu.Lock()
	first := c.over == ""
	if first {
		c.over = why
	}
	c.mu.Unlock()
	if first {
		close(c.done)
		c.inlet.Close()
		c.playback.Close()
	}
}

// why the call is over; empty while it goes on.
func (c *Call) why() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// serve leaves the room when the call is over.
func (c *Call) serve() {
	c.o.Log.Info("a call begins", "call", c.name)
	<-c.done
	if why := c.why(); why != CodeCallerHungUp {
		c.failed = c.remove()
	}
	c.room.Disconnect()
	c.cut()
	c.parts.Wait()
	c.o.Log.Info("a call is over", "call", c.name, "code", c.why())
	close(c.gone)
}

// remove takes the caller out of the room, by which LiveKit's SIP bridge hangs up. One who has left was to.
func (c *Call) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), partWithin)
	defer cancel()
	_, err := lksdk.NewRoomServiceClient(c.o.URL, c.o.Key, c.o.Secret).RemoveParticipant(ctx, &livekit.RoomParticipantIdentity{Room: c.o.Room, Identity: c.identity})
	if err == nil || notFound(err) || c.left() {
		return nil
	}
	c.o.Log.Error("a caller may be left in a room", "call", c.name, "code", CodeNotRemoved)
	return errCode(CodeNotRemoved)
}

// left says whether the server knows that the caller is not there. One who leaves while they are removed makes the server wait, and then say that nobody answers.
func (c *Call) left() bool {
	list, ok := c.listed()
	return ok && !slices.ContainsFunc(list, func(p *livekit.ParticipantInfo) bool { return p.GetIdentity() == c.identity })
}

// notFound says whether the server answers that there is no such participant, or room.
func notFound(err error) bool {
	var said twirp.Error
	return errors.As(err, &said) && said.Code() == twirp.NotFound
}

// topic is that of what a call shows.
const topic = "readback"

// Show sends something to be shown to the caller, and to nobody else: 12 KiB at most, in the order of the calls. It may wait for the connection to take it. That something arrived nobody
// tells. So it sends nothing as long as the connection is broken, nor the first time after that: who gets this error knows that what they sent before may be lost.
func (c *Call) Show(b []byte) error {
	if c.why() != "" {
		return voice.ErrHungUp
	}
	if n := int64(c.lost.breaks()); c.lost.is() || c.breaks.Swap(n) != n {
		return errCode(CodeMediaLost)
	}
	if err := c.room.LocalParticipant.PublishDataPacket(lksdk.UserData(b), lksdk.WithDataPublishTopic(topic), lksdk.WithDataPublishReliable(true), lksdk.WithDataPublishDestination([]string{c.identity})); err != nil {
		return errCode(CodeNotShown)
	}
	return nil
}

// ID is the call's name.
func (c *Call) ID() string { return c.name }

// Caller is who the network says is calling: without a number where it is hidden, or the caller did not come by SIP.
func (c *Call) Caller() voice.CallerID { return c.from }

// Rate is a telephone line's.
func (c *Call) Rate() int { return media.Rate }

// Hear waits for the next 20 ms.
func (c *Call) Hear(ctx context.Context) (voice.Frame, error) {
	f, err := c.inlet.Hear(ctx)
	if c.why() != "" { // what was heard before the end does not matter any more
		return voice.Frame{}, voice.ErrHungUp
	}
	return f, err
}

// Keys gives the keys that LiveKit's signalling tells of. Held is the time since the key came, which is later than it went down, when it is handed over; for what came
// around a break of the connection, a time in which nothing came, or one in which the caller's sound was lost, it is the time since that began. If more than 64 wait for somebody to come, the call ends.
func (c *Call) Keys() <-chan voice.Key { return c.keys }

// Play adds sound.
func (c *Call) Play(ctx context.Context, f voice.Frame) error {
	err := c.playback.Play(ctx, f)
	if c.why() != "" { // a frame that waited is cleared with all others at the end, which the queue does not call an error
		return voice.ErrHungUp
	}
	return err
}

// Mark sets a mark.
func (c *Call) Mark() <-chan voice.Mark { return c.playback.Mark() }

// Clear throws away what waits.
func (c *Call) Clear() { c.playback.Clear() }

// RoundTrip is the one to the server, as measured or as long as nothing has come now, a bound for all beyond, and what the caller's way to us has grown by.
func (c *Call) RoundTrip() time.Duration {
	return max(c.way.longest(), c.lost.pause(c.o.Now())) + beyond + c.trip.more()
}

// Done is closed when the call is over.
func (c *Call) Done() <-chan struct{} { return c.done }

// HangUp ends the call: the caller is taken out of the room, and we leave it. It waits until that is done. The call is over at once, also where an error says that the caller
// may still be there.
func (c *Call) HangUp(ctx context.Context) error {
	c.end(CodeHungUp)
	select {
	case <-c.gone:
		return c.failed
	case <-ctx.Done():
		return ctx.Err()
	}
}
