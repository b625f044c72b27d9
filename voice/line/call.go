package line

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/ear"
	"readback/voip/ari"
)

// roundTrip is the leg's. Nothing measures it: RTCP reaches from one party to the next, so Asterisk's numbers end at the trunk, and a telephone lies beyond that. So it is
// a bound of what calls have that people can talk on: 200 ms for the networks there and back, and the two buffers that hold sound back, ours and the telephone's.
const roundTrip = 200*time.Millisecond + ourJitter + theirJitter

const (
	ourJitter   = 40 * time.Millisecond
	theirJitter = 60 * time.Millisecond
	unheard     = 50 // frames that wait for who hears: a second
)

// call is one call: a voice.Leg once it was set up.
type call struct {
	l       *Line
	name    string // ours: of the call, its bridge and its media channel
	channel string // the caller's
	from    voice.CallerID
	known   bool        // as Options.Known says
	held    atomic.Bool // the caller has put us on hold

	inlet *media.Inlet
	keys  chan voice.Key
	queue *keys

	entered chan struct{} // closed when the media channel is in the application
	once    sync.Once
	done    chan struct{} // closed when the call is over
	gone    chan struct{} // closed when nothing of it is left in Asterisk, as far as could be done
	failed  error         // why something may be left; to be read once gone is closed

	mu   sync.Mutex
	over string      // why; empty while it goes on
	port *media.Port // nil before it was opened
}

func (l *Line) newCall(e ari.StasisStart) *call {
	return &call{
		l: l, name: prefix(l.o.Asterisk.App()) + strings.ToLower(rand.Text()), channel: e.Channel.ID, from: l.caller(e.Channel),
		inlet: media.NewInlet(unheard), keys: make(chan voice.Key), queue: newKeys(l.o.Now, e.At),
		entered: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{}),
	}
}

// end says that the call is over. It does not wait; the first reason stays.
func (c *call) end(why string) {
	c.mu.Lock()
	first := c.over == ""
	if first {
		c.over = why
	}
	port := c.port
	c.mu.Unlock()
	if !first {
		return
	}
	close(c.done)
	c.inlet.Close()
	if port != nil {
		port.Close()
	}
}

// why the call is over; empty while it goes on.
func (c *call) why() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// open opens the port, unless the call is over.
func (c *call) open() (*media.Port, error) {
	var guard ear.Guard
	port, err := media.Open(media.Options{
		Local: addrPort(c.l.o.Local), Now: c.l.o.Now, Jitter: ourJitter,
		OnTick: func() {
			if c.held.Load() { // nobody hears what is played: it was not played, and its marks say so (invariant 10)
				c.Clear()
			}
		},
		OnSlot: func(s media.Slot) {
			guard.Frame(s.Near[:], s.Far[:])
			c.inlet.Put(s.Near)
		},
	})
	if err != nil {
		return nil, errCode("no_port")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over != "" {
		port.Close()
		return nil, voice.ErrHungUp
	}
	c.port = port
	return port, nil
}

// hasMedia says whether the media channel was ever in the application.
func (c *call) hasMedia() bool {
	select {
	case <-c.entered:
		return true
	default:
		return false
	}
}

// mediaEntered is told that the media channel is in the application.
func (c *call) mediaEntered() { c.once.Do(func() { close(c.entered) }) }

// pressed takes a key.
func (c *call) pressed(e ari.ChannelDtmfReceived) {
	if !c.queue.add(e) {
		c.end(CodeKeysFull)
	}
}

// ID is the call's name.
func (c *call) ID() string { return c.name }

// Caller is who the network says is calling.
func (c *call) Caller() voice.CallerID { return c.from }

// Rate is a telephone line's.
func (c *call) Rate() int { return media.Rate }

// Hear waits for the next 20 ms.
func (c *call) Hear(ctx context.Context) (voice.Frame, error) {
	f, err := c.inlet.Hear(ctx)
	if c.why() != "" { // what was heard before the end does not matter any more
		return voice.Frame{}, voice.ErrHungUp
	}
	return f, err
}

// Keys gives the keys that Asterisk tells of. Held is the time since the key went down, as far as Asterisk's clock and ours tell, when it is handed over. No
// key is lost while the call goes on: if more than 64 wait for somebody to come, the call ends.
func (c *call) Keys() <-chan voice.Key { return c.keys }

// Play adds sound.
func (c *call) Play(ctx context.Context, f voice.Frame) error {
	err := c.port.Playback().Play(ctx, f)
	if c.why() != "" { // a frame that waited is cleared with all others at the end, which the queue does not call an error
		return voice.ErrHungUp
	}
	return err
}

// Mark sets a mark.
func (c *call) Mark() <-chan voice.Mark { return c.port.Playback().Mark() }

// Clear throws away what waits.
func (c *call) Clear() { c.port.Playback().Clear() }

// RoundTrip is a bound.
func (c *call) RoundTrip() time.Duration { return roundTrip }

// Done is closed when the call is over.
func (c *call) Done() <-chan struct{} { return c.done }

// HangUp ends the call, and waits until Asterisk has let go of it. The call is over at once, also where an error says that Asterisk may not have.
func (c *call) HangUp(ctx context.Context) error {
	c.end(CodeHungUp)
	select {
	case <-c.gone:
		return c.failed
	case <-ctx.Done():
		return ctx.Err()
	}
}
