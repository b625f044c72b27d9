package line

import (
	"context"
	"errors"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/voice"
	"readback/voice/media"
	"readback/voip/ari"
)

const (
	enterWithin = 5 * time.Second // how long a media channel may take into the application
	soundWithin = time.Second     // how long the first packet may take
	sayWithin   = time.Second     // how long the event of a caller's end may be on its way
)

// patience is how long a call may be without a packet.
type patience struct {
	look time.Duration // between two looks
	up   time.Duration // more than Asterisk waits for a caller's packets (rtp_timeout)
	down time.Duration // the same while Asterisk is not there either
}

var usual = patience{look: time.Second, up: 90 * time.Second, down: 10 * time.Second}

// errCode is an error of the line's own; smsmcp.Coded.
type errCode string

func (e errCode) Error() string { return "line: " + string(e) }
func (e errCode) Code() string  { return string(e) }

var _ smsmcp.Coded = errCode("")

func addrPort(a netip.Addr) netip.AddrPort { return netip.AddrPortFrom(a, 0) }

// serve leads a call from its beginning until nothing is left of it.
func (l *Line) serve(handlers context.Context, c *call) {
	// The call's own end is told by done: what is done in Asterisk is not cut off half-way, since nobody would know what became of it.
	ctx := context.WithoutCancel(handlers)
	var parts sync.WaitGroup
	running, stop := context.WithCancel(ctx)
	var tried made
	crashed := l.guarded(c, func() {
		if err := l.setUp(ctx, c, &tried); err != nil {
			c.end(CodeNotSetUp)
			if !errors.Is(err, voice.ErrHungUp) {
				l.count(func(n *Counts) { n.Failed++ })
				l.o.Log.Error("a call could not be set up", "call", c.name, "code", code(err))
			}
			return
		}
		l.o.Log.Info("a call begins", "call", c.name)
		parts.Go(func() {
			l.part(c, func() { _ = c.port.Run(running) })
			c.end(CodeMediaLost) // unless it is over
		})
		c.awaitSound()
		parts.Go(func() { l.part(c, func() { c.queue.Hand(c.done, c.keys) }) })
		parts.Go(func() {
			l.part(c, func() { l.o.Handle(handlers, c) })
			c.end(CodeHungUp)
		})
		c.watch()
	})
	if crashed {
		c.end(CodeCrashed)
	}
	stop()
	if l.guarded(c, func() { c.failed = l.tearDown(ctx, c, tried) }) {
		c.failed = errCode(CodeCrashed)
	}
	l.mu.Lock()
	delete(l.callers, c.channel)
	delete(l.names, c.name)
	l.mu.Unlock()
	if c.failed != nil {
		l.sweepSoon()
	}
	l.o.Log.Info("a call is over", "call", c.name, "code", c.why())
	close(c.gone)
	parts.Wait()
	l.count(func(n *Counts) {
		n.Calls--
		if !c.known {
			l.unknown--
		}
	})
}

// part runs a part of a call that has a goroutine of its own.
func (l *Line) part(c *call, f func()) {
	if l.guarded(c, f) {
		c.end(CodeCrashed)
	}
}

// guarded says whether f panicked. Where that was is logged, and what it said is not: that may be a stranger's words (invariant 13).
func (l *Line) guarded(c *call, f func()) (crashed bool) {
	defer func() {
		if recover() != nil {
			crashed = true
			l.count(func(n *Counts) { n.Crashed++ })
			l.o.Log.Error("a call broke", "call", c.name, "code", CodeCrashed, "stack", string(debug.Stack()))
		}
	}()
	f()
	return false
}

func (l *Line) count(f func(*Counts)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(&l.counts)
}

// made says what of a call may exist in Asterisk.
type made struct{ bridge, media bool }

// setUp makes the call whole. Where the caller hangs up meanwhile it gives voice.ErrHungUp after the step that it is in.
func (l *Line) setUp(ctx context.Context, c *call, tried *made) error {
	a := l.o.Asterisk
	var peer netip.AddrPort
	var port *media.Port
	for _, step := range []func() error{
		func() error { return a.Answer(ctx, c.channel) },
		func() error { tried.bridge = true; return a.CreateBridge(ctx, c.name) },
		func() error { return a.AddToBridge(ctx, c.name, c.channel) },
		func() (err error) { port, err = c.open(); return err },
		func() (err error) {
			tried.media = true
			peer, err = a.ExternalMedia(ctx, c.name, port.Addr())
			return err
		},
		func() error { return c.awaitMedia() },
		func() error { return a.AddToBridge(ctx, c.name, c.name) },
	} {
		err := step()
		if err != nil { // as of a channel that has just ended: Asterisk says so in several ways
			c.awaitEnd(sayWithin)
		}
		if c.why() != "" {
			return voice.ErrHungUp // and what the step says follows from that
		}
		if err != nil {
			return err
		}
	}
	port.Lock(peer)
	return nil
}

// awaitEnd waits for the end of the call, which may be on its way.
func (c *call) awaitEnd(longest time.Duration) {
	limit := time.NewTimer(longest)
	defer limit.Stop()
	select {
	case <-c.done:
	case <-limit.C:
	}
}

// awaitMedia waits until the media channel is in the application: before that no bridge takes it.
func (c *call) awaitMedia() error {
	limit := time.NewTimer(enterWithin)
	defer limit.Stop()
	select {
	case <-c.entered:
		return nil
	case <-c.done:
		return voice.ErrHungUp
	case <-limit.C:
		return errCode("media_not_entered")
	}
}

// awaitSound waits for the first packet: Asterisk says that a channel is in a bridge a little before it is, and what is played until then nobody hears. A caller who
// sends nothing is not waited for long.
func (c *call) awaitSound() {
	limit := time.NewTimer(soundWithin)
	defer limit.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for c.port.Stats().Received == 0 {
		select {
		case <-tick.C:
		case <-limit.C:
			return
		case <-c.done:
			return
		}
	}
}

// watch waits until the call is over. One of which nothing comes any more it ends.
func (c *call) watch() {
	began := c.l.o.Now()
	tick := time.NewTicker(c.l.patience.look)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-tick.C:
		}
		last := c.port.Stats().LastHeard
		if last.IsZero() {
			last = began
		}
		quiet := c.l.o.Now().Sub(last)
		if quiet >= c.l.patience.up || quiet >= c.l.patience.down && !c.l.o.Asterisk.State().Up {
			c.end(CodeMediaLost)
		}
	}
}

// tearDown ends all of a call in Asterisk. It gives why something may be left.
func (l *Line) tearDown(ctx context.Context, c *call, tried made) error {
	why := ari.Normal
	if !tried.bridge { // nor was it answered, perhaps
		why = ari.Congestion
	}
	failed := l.hangUp(ctx, c.channel, why)
	if tried.media {
		if err := l.hangUp(ctx, c.name, ari.Normal); err != nil {
			failed = err
		}
	}
	if tried.bridge {
		if err := settled(l.o.Asterisk.DeleteBridge(ctx, c.name)); err != nil {
			failed = err
		}
	}
	return failed
}
