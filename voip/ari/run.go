package ari

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// Listener is told what happens on the event connection, one call after the other. Connected and Event are needed.
type Listener struct {
	// Connected is called after each connect and its subscriptions, before any event: what happened in between is found out here. An error ends the
	// connection, and another is tried later.
	Connected func(ctx context.Context) error
	// Event is told each event that was read, those that wait when Run is to end too: its ctx ends a little later than Run's. While it runs, events
	// wait, up to maxWaiting of them; then Asterisk waits, and before long cuts the connection.
	Event func(ctx context.Context, e Event)
	// Call, where there is one, is told the events of channels instead of Event, as soon as they are read: before Connected has returned too, and before
	// what waits for Event. A key that was told late would look as if it had been pressed late (invariant 10). It must not wait for anything.
	Call func(e Event)
	// Down is told the code of what ended a connection or kept one from standing.
	Down func(code string)
	// Dropped is told how many texts that were read Event was not told of: Run had ended, and so had the time after it.
	Dropped func(texts int)
	// Broke is told where something of the client's panicked. Down follows, with CodeCrashed.
	Broke func(stack string)
}

const (
	maxWaiting = 4096
	steady     = 10 * time.Second // a connection that stood so long was a good one: the next try comes soon
)

// pulse is what the reader lets ping know.
type pulse struct {
	full  atomic.Bool  // it waits for the listener
	moved atomic.Int64 // grows with everything that it does
	lost  atomic.Int64 // texts that it could not pass on
}

// Run keeps an event connection until ctx ends. It gives ctx's error.
func (c *Client) Run(ctx context.Context, l Listener) error {
	wait := c.c.MinWait
	for {
		err := c.session(ctx, l)
		if ctx.Err() != nil {
			c.update(func(s *State) { s.Up, s.Since = false, c.c.Now() })
			return ctx.Err()
		}
		now, why := c.c.Now(), code(err)
		c.update(func(s *State) {
			if s.Up && now.Sub(s.Since) >= steady {
				wait = c.c.MinWait
			}
			if s.Up {
				s.Up, s.Since = false, now
			}
			s.Failure = why
		})
		if l.Down != nil {
			l.Down(why)
		}
		if why == CodeReplaced { // two programs that take the application from each other in turn would get half the events each
			wait = c.c.MaxWait
		}
		pause := time.NewTimer(wait/2 + time.Duration(c.c.Rand.Int64N(int64(wait/2)+1)))
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		wait = min(2*wait, c.c.MaxWait)
	}
}

// session is one connection, from its start to its end.
func (c *Client) session(parent context.Context, l Listener) error {
	ctx, end := context.WithCancelCause(parent)
	defer end(nil)
	tell, hush := linger(parent, c.c.Linger)
	defer hush()
	conn, err := c.dial(ctx)
	if err != nil {
		return err
	}
	events := make(chan Event, maxWaiting)
	var life pulse
	var wg sync.WaitGroup
	var broke atomic.Pointer[string]
	wg.Go(func() {
		defer close(events)
		end(guarded(&broke, func() error { return c.read(ctx, tell, conn, events, l.Call, &life) }))
	})
	wg.Go(func() {
		if err := guarded(&broke, func() error { return c.ping(ctx, conn, &life) }); err != nil {
			end(err)
		}
	})
	// Where the listener panics nothing reads what was read: all must end without.
	defer func() { end(nil); hush(); _ = conn.CloseNow(); wg.Wait() }()

	err = c.settle(ctx, l)
	if err == nil {
		c.update(func(s *State) { s.Up, s.Since, s.Failure = true, c.c.Now(), "" })
	} else {
		// The end of the connection is why, if it has ended.
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		end(err)
		_ = conn.CloseNow()
	}
	// What was read before the end is still told.
	for e := range events {
		if tell.Err() != nil {
			life.drop(e)
			continue
		}
		l.Event(tell, e)
		if _, ok := e.(ApplicationReplaced); ok {
			end(&Error{"events", CodeReplaced, true})
			_ = conn.CloseNow()
		}
	}
	end(parent.Err())
	if n := life.lost.Load(); n > 0 && l.Dropped != nil {
		l.Dropped(int(n))
	}
	if where := broke.Load(); where != nil && l.Broke != nil {
		l.Broke(*where)
	}
	if err != nil {
		return err
	}
	return context.Cause(ctx)
}

// guarded makes a panic an error: in a goroutine of its own it would end the program. Where it was is kept, and what it said is not (invariant 13).
func guarded(where *atomic.Pointer[string], f func() error) (err error) {
	defer func() {
		if recover() != nil {
			stack := string(debug.Stack())
			where.Store(&stack)
			err = &Error{"events", CodeCrashed, true}
		}
	}()
	return f()
}

// drop counts a text that nobody will be told of.
func (p *pulse) drop(e Event) {
	if _, ok := e.(TextMessageReceived); ok {
		p.lost.Add(1)
	}
}

// linger gives a context that ends some time after another.
func linger(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		limit := time.NewTimer(d)
		defer limit.Stop()
		select {
		case <-ctx.Done():
		case <-limit.C:
			end()
		}
	})
	return ctx, func() { stop(); end() }
}

// settle subscribes and lets the caller catch up. Events wait meanwhile.
func (c *Client) settle(ctx context.Context, l Listener) error {
	for _, source := range c.c.Sources {
		if err := c.subscribe(ctx, source); err != nil {
			return err
		}
	}
	return l.Connected(ctx)
}

func (c *Client) dial(parent context.Context) (*websocket.Conn, error) {
	const op = "connect"
	ctx, cancel := context.WithTimeout(parent, c.c.Timeout)
	defer cancel()
	secret, err := c.c.Password()
	if err != nil {
		return nil, &Error{op, CodeNoSecret, false}
	}
	u := *c.base
	u.Path += "/events"
	u.RawQuery = url.Values{"app": {c.c.App}}.Encode() // and never api_key: addresses end in logs
	auth := &http.Request{Header: http.Header{"User-Agent": {"readback"}}}
	auth.SetBasicAuth(c.c.User, secret)
	conn, resp, err := websocket.Dial(ctx, u.String(), &websocket.DialOptions{HTTPClient: c.events, HTTPHeader: auth.Header}) //nolint:bodyclose // the library does
	if err == nil {
		conn.SetReadLimit(maxEvent)
		return conn, nil
	}
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		return nil, &Error{op, CodeUntrusted, false}
	case resp == nil:
		return nil, broken(ctx, parent, op, CodeUnreachable, false)
	}
	if e := answered(op, resp.StatusCode); e != nil {
		return nil, e
	}
	return nil, &Error{op, CodeBadAnswer, true}
}

// read reads events until the connection ends, and gives why. What it has read it passes on for as long as anybody is told.
func (c *Client) read(ctx, tell context.Context, conn *websocket.Conn, events chan<- Event, call func(Event), life *pulse) error {
	const op = "events"
	for {
		_, b, err := conn.Read(ctx)
		life.moved.Add(1)
		if err != nil {
			if errors.Is(err, websocket.ErrMessageTooBig) {
				return &Error{op, CodeTooBig, true}
			}
			return &Error{op, CodeLost, true}
		}
		e, err := c.decode(b)
		if err != nil {
			c.update(func(s *State) { s.Skipped++ })
			continue
		}
		if call != nil && ofChannel(e) {
			call(e)
			continue
		}
		select {
		case events <- e:
			continue
		default:
		}
		life.full.Store(true)
		select {
		case events <- e:
		case <-tell.Done():
			life.drop(e)
			return &Error{op, CodeLost, true}
		}
		life.moved.Add(1)
		life.full.Store(false)
	}
}

// ping gives an error when Asterisk has gone without a word: no answer, and no event either. An answer that stands behind events that wait for the
// listener cannot be seen, and is not missed.
func (c *Client) ping(ctx context.Context, conn *websocket.Conn, life *pulse) error {
	tick := time.NewTicker(c.c.Ping)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		before := life.moved.Load()
		limit, cancel := context.WithTimeout(ctx, c.c.Timeout)
		err := conn.Ping(limit)
		cancel()
		if err != nil && !life.full.Load() && life.moved.Load() == before {
			return &Error{"events", CodeSilent, true}
		}
	}
}
