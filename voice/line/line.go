package line

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"regexp"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/voice"
	"readback/voip/ari"
)

// Asterisk is what the line uses of an ari.Client.
type Asterisk interface {
	App() string
	State() ari.State
	Channels(ctx context.Context) ([]ari.Channel, error)
	Bridges(ctx context.Context) ([]ari.Bridge, error)
	Answer(ctx context.Context, channel string) error
	HangUp(ctx context.Context, channel string, why ari.Reason) error
	CreateBridge(ctx context.Context, id string) error
	AddToBridge(ctx context.Context, bridge, channel string) error
	DeleteBridge(ctx context.Context, id string) error
	ExternalMedia(ctx context.Context, id string, to netip.AddrPort) (netip.AddrPort, error)
}

// Options are what a [Line] is made of. All are needed but Name, Log, Known, MaxCalls and Linger; and without Handle Local and Peer are not.
type Options struct {
	Asterisk Asterisk
	Local    netip.Addr                   // where RTP is taken: an address of this machine that Asterisk reaches; not the unspecified one
	Name     string                       // the line's, for voice.CallerID
	Peer     func(raw string) smsmcp.Peer // types a caller's number; never called with ""
	MaxCalls int                          // at once; a caller beyond them hears that the line is busy: 20
	Known    func(voice.CallerID) bool    // whether a caller may be the owner: the others are never so many that none of these gets through; it may not wait. nil: nobody is
	Linger   time.Duration                // how long handlers have when Run is to end: 5 s

	// Handle leads one call, to its end: when it returns the call is hung up. It has a goroutine of its own, and a panic in it ends that call alone. Its ctx outlives
	// the call, so that what is left of it can be kept: that the call is over is told by the leg. It ends some time after Run's, and then Handle must return.
	// Without one nobody takes calls: a caller hears so at once, by a call that is rejected.
	Handle func(ctx context.Context, leg voice.Leg)

	Now func() time.Time
	Log *slog.Logger // codes, and our own names of calls
}

// Counts says what became of calls.
type Counts struct {
	Calls   int    // that are going on, handlers that have not returned among them
	Taken   uint64 // that were ever begun
	Refused uint64 // that were too many, or that nobody handles
	Failed  uint64 // that could not be set up
	Crashed uint64 // whose handler panicked, or what carries them
}

// Why a call ended; [a-z_]+.
const (
	CodeCallerHungUp = "caller_hung_up"
	CodeHungUp       = "hung_up"    // by us
	CodeMediaLost    = "media_lost" // nothing comes any more, or the port failed
	CodeGone         = "call_gone"  // it ended while nobody told us: Asterisk may have been restarted
	CodeNotSetUp     = "call_not_set_up"
	CodeKeysFull     = "keys_not_taken" // more keys were pressed than anybody came for
	CodeCrashed      = "call_crashed"
	CodeShutdown     = "shutdown"
)

// Line answers the calls of one application of one Asterisk. Run is called once at a time; Connected, Event and Counts at any time.
type Line struct {
	o        Options
	patience patience
	ours     *regexp.Regexp // the names of our bridges and media channels

	refused chan refusal  // callers' channels to be hung up, and media channels without a call
	due     chan struct{} // holds that a sweep is due

	mu       sync.Mutex
	open     bool
	handlers context.Context //nolint:containedctx // of the handlers, made by Run for calls that begin in Event
	all      sync.WaitGroup
	callers  map[string]*call // by the caller's channel; until it was torn down
	names    map[string]*call // the same calls by our name
	counts   Counts
	unknown  int // of the calls, those of callers who are not known
}

// kept is how many of the calls are kept for callers who are known.
const kept = 2

// New checks the options and makes the line. It does no I/O.
func New(o Options) (*Line, error) {
	switch {
	case o.Asterisk == nil || o.Now == nil:
		return nil, errors.New("line: Asterisk and Now are needed")
	case o.Handle != nil && o.Peer == nil:
		return nil, errors.New("line: Peer is needed to handle calls")
	case o.Handle != nil && !usable(o.Local):
		return nil, errors.New("line: the address for RTP must be one of this machine's")
	case o.MaxCalls < 0:
		return nil, errors.New("line: the number of calls is less than none")
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = 20
	}
	if o.Linger <= 0 {
		o.Linger = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Line{
		o: o, patience: usual, ours: regexp.MustCompile("^" + regexp.QuoteMeta(prefix(o.Asterisk.App())) + "[a-z2-7]{26}$"),
		refused: make(chan refusal, 256), due: make(chan struct{}, 1),
		callers: map[string]*call{}, names: map[string]*call{},
	}, nil
}

// usable says whether an address can be where RTP is taken, and told to Asterisk.
func usable(a netip.Addr) bool {
	return a.IsValid() && !a.IsUnspecified() && !a.IsMulticast() && a.Zone() == ""
}

func prefix(app string) string { return "readback-" + app + "-" }

// Counts says how many calls there are, and were.
func (l *Line) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

// Run takes calls until ctx ends, then ends those that go on and waits for them and their handlers. It gives ctx's error.
func (l *Line) Run(ctx context.Context) error {
	handlers, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	l.mu.Lock()
	if l.open {
		l.mu.Unlock()
		return errors.New("line: it runs already")
	}
	l.open, l.handlers = true, handlers
	l.mu.Unlock()
	l.sweepSoon() // what an earlier Run has left

	work, stop := context.WithCancel(ctx)
	defer stop()
	var own sync.WaitGroup
	own.Go(func() { l.keepRefusing(work) })
	own.Go(func() { l.keepSweeping(work) })
	<-ctx.Done()

	l.mu.Lock()
	l.open = false
	for _, c := range l.callers {
		c.end(CodeShutdown)
	}
	l.mu.Unlock()
	limit := time.AfterFunc(l.o.Linger, end)
	defer limit.Stop()
	l.all.Wait()
	own.Wait()
	return ctx.Err()
}

// Connected is to be called after each connect of the event connection. It does not wait: what happened meanwhile is found out by Run.
func (l *Line) Connected(context.Context) error {
	l.sweepSoon()
	return nil
}

// Event takes one event, as soon as it was read. It does not wait.
func (l *Line) Event(e ari.Event) {
	switch e := e.(type) {
	case ari.StasisStart:
		l.entered(e)
	case ari.ChannelDtmfReceived:
		if c := l.of(e.Channel.ID); c != nil {
			c.pressed(e)
		}
	case ari.ChannelHold:
		if c := l.of(e.Channel.ID); c != nil {
			c.held.Store(!e.Off)
		}
	case ari.ChannelHangupRequest:
		l.left(e.Channel.ID)
	case ari.StasisEnd:
		l.left(e.Channel.ID)
	case ari.ChannelDestroyed:
		l.left(e.Channel.ID)
	}
}

// of gives the call of a caller's channel. A key of any other channel is nobody's.
func (l *Line) of(channel string) *call {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.callers[channel]
}

// left ends the call of a channel that has ended.
func (l *Line) left(channel string) {
	l.mu.Lock()
	caller, media := l.callers[channel], l.names[channel]
	l.mu.Unlock()
	switch {
	case caller != nil:
		caller.end(CodeCallerHungUp)
	case media != nil:
		media.end(CodeMediaLost)
	}
}

// entered takes a channel that entered the application: one of ours that its call waits for, or a caller.
func (l *Line) entered(e ari.StasisStart) {
	id := e.Channel.ID
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.open {
		return // the next Run's sweep finds it
	}
	if l.ours.MatchString(id) {
		if c := l.names[id]; c != nil {
			c.mediaEntered()
			return
		}
		l.refuse(id, ari.Normal) // its call ended before it came to be
		return
	}
	if l.callers[id] != nil {
		return
	}
	if l.o.Handle == nil {
		l.counts.Refused++
		l.o.Log.Info("a call is refused: none are taken")
		l.refuse(id, ari.Rejected)
		return
	}
	known := l.o.Known != nil && l.o.Known(l.caller(e.Channel))
	if l.counts.Calls >= l.o.MaxCalls || !known && l.o.Known != nil && l.unknown >= max(1, l.o.MaxCalls-kept) {
		l.counts.Refused++
		l.o.Log.Warn("a call is refused: too many at once", "calls", l.counts.Calls)
		l.refuse(id, ari.Busy)
		return
	}
	l.counts.Calls++
	l.counts.Taken++
	c := l.newCall(e)
	if c.known = known; !known {
		l.unknown++
	}
	l.callers[id], l.names[c.name] = c, c
	ctx := l.handlers
	l.all.Go(func() { l.serve(ctx, c) })
}

// refusal is a channel to be hung up, and what it is told.
type refusal struct {
	channel string
	why     ari.Reason
}

// refuse has a channel hung up, soon. Where too many wait for that the sweep finds it.
func (l *Line) refuse(channel string, why ari.Reason) {
	select {
	case l.refused <- refusal{channel, why}:
	default:
		l.sweepSoon()
	}
}

func (l *Line) keepRefusing(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-l.refused:
			if err := l.hangUp(ctx, r.channel, r.why); err != nil {
				l.sweepSoon()
			}
		}
	}
}

// hangUp ends a channel. One that is no more has ended.
func (l *Line) hangUp(ctx context.Context, channel string, why ari.Reason) error {
	return settled(l.o.Asterisk.HangUp(ctx, channel, why))
}

// settled makes no error of "there is no such thing", which is what was wanted.
func settled(err error) error {
	if code(err) == ari.CodeNotFound {
		return nil
	}
	return err
}

// code keeps of an error a known form only (invariant 13).
func code(err error) string {
	var c smsmcp.Coded
	switch {
	case err == nil:
		return ""
	case errors.As(err, &c):
		return smsmcp.Reduce(c.Code())
	}
	return "no_clear_answer"
}

// caller types who the network says is calling.
func (l *Line) caller(ch ari.Channel) voice.CallerID {
	id := voice.CallerID{Line: l.o.Name}
	raw := ch.Number.RawForStore()
	if raw == "" {
		return id
	}
	if p := l.o.Peer(raw); p.Kind == smsmcp.PeerNumber {
		id.Number = string(p.Number)
	}
	return id
}
