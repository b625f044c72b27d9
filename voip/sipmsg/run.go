package sipmsg

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"readback/smsmcp"
	"readback/voip/ari"
)

const (
	lookAgain = 10 * time.Minute       // between two looks at the trunk's configuration, beside those at each connect
	lookSoon  = time.Minute            // the same, where the last one did not say that the trunk can be believed
	minRetry  = 250 * time.Millisecond // before the first try to store again; doubled for each that follows
	maxRetry  = 30 * time.Second
)

// Run keeps the line until ctx ends, and gives ctx's error. What was read by then is still stored, within a few seconds: the inbox must outlive Run.
func (l *Line) Run(ctx context.Context) error {
	looks, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for looks.Err() == nil {
			l.keepLooking(looks)
		}
	}()
	defer func() { end(); <-done }()
	defer l.said.all(l.say)
	down := ""
	return l.o.Asterisk.Run(ctx, ari.Listener{
		Connected: func(ctx context.Context) error {
			l.o.Log.Info("the line to Asterisk stands")
			down = ""
			l.look(ctx)
			l.o.Inbox.Expect()
			l.callsConnected(ctx)
			return nil
		},
		Event: l.event,
		Call:  l.callEvents(),
		Down: func(code string) {
			l.doubt()
			l.o.Observe.Count(smsmcp.LineFailed, code)
			if code != down {
				l.o.Log.Warn("the line to Asterisk is down", "code", code)
			}
			down = code
		},
		Dropped: func(texts int) {
			if !l.o.List { // which has them
				l.o.Log.Error("texts that came were not stored before the end", "texts", texts)
			}
		},
		Broke: l.broke,
	})
}

// callsConnected tells who takes calls that the connection stands.
func (l *Line) callsConnected(ctx context.Context) {
	if l.o.Calls == nil {
		return
	}
	defer l.callsBroke()
	if err := l.o.Calls.Connected(ctx); err != nil {
		l.o.Log.Warn("what takes calls does not know how they stand", "code", code(err))
	}
}

// callEvents passes the events of channels on, past the texts that wait. A panic costs that event alone, and no text.
func (l *Line) callEvents() func(ari.Event) {
	if l.o.Calls == nil {
		return nil
	}
	return func(e ari.Event) {
		defer l.callsBroke()
		l.o.Calls.Event(e)
	}
}

func (l *Line) callsBroke() {
	if recover() != nil {
		l.broke(string(debug.Stack()))
	}
}

// broke says where something panicked, and not with what: that may be a stranger's words (invariant 13).
func (l *Line) broke(stack string) {
	l.o.Log.Error("a part of the line broke; it is begun again", "code", CodeCrashed, "stack", stack)
}

// keepLooking looks again while a connection stands: Asterisk may read its configuration anew meanwhile. After a panic nothing is believed until the next look.
func (l *Line) keepLooking(ctx context.Context) {
	defer func() {
		if recover() != nil {
			l.doubt()
			l.broke(string(debug.Stack()))
		}
	}()
	for {
		pause := lookSoon
		if l.trusts() {
			pause = lookAgain
		}
		next := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			next.Stop()
			return
		case <-l.looked:
			next.Stop()
		case <-next.C:
			if l.o.Asterisk.State().Up {
				l.look(ctx)
			}
		}
	}
}

// look asks Asterisk whether the trunk's texts can be believed. What was found last holds until it has answered. With a list nobody asks: the list says so.
// Nor where the owner does not say that Asterisk has no other transport, which it cannot say itself.
func (l *Line) look(ctx context.Context) {
	if l.o.List || !l.o.TLSOnly {
		return
	}
	l.looking.Lock() // the last answer counts
	defer l.looking.Unlock()
	why := code(Trunk(ctx, l.o.Asterisk, l.o.Carrier.o.Endpoint))
	l.mu.Lock()
	changed := l.why != why
	l.verified, l.why = why == "", why
	l.mu.Unlock()
	select {
	case l.looked <- struct{}{}:
	default:
	}
	if changed && why != "" {
		l.o.Log.Warn("nothing says whom the trunk's texts are from: all are a stranger's", "code", why)
	}
}

// doubt takes the last answer back: the configuration may be another when the line stands again.
func (l *Line) doubt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.verified = false
}

func (l *Line) trusts() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.verified
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

// event takes one event. A panic costs that event alone.
func (l *Line) event(ctx context.Context, e ari.Event) {
	m, ok := e.(ari.TextMessageReceived)
	if !ok {
		return
	}
	defer func() {
		if recover() == nil {
			return
		}
		l.note(CodeCrashed)
		l.o.Observe.Count(smsmcp.TextRefused, CodeCrashed)
		l.o.Inbox.Expect()
	}()
	text, err := l.o.Carrier.Received(m, l.o.Now())
	switch {
	case errors.Is(err, ErrNotTrunk):
		l.refused(CodeNotTrunk)
		return
	case errors.Is(err, ErrLost):
		l.note(codeLost)
		l.o.Observe.Count(smsmcp.TextLost, l.o.Carrier.Name())
		if l.o.List {
			l.o.Inbox.Expect()
			return
		}
		text = l.o.Carrier.text(m, l.o.Now())
		text.Delivery = smsmcp.BodyLost
	case err != nil:
		l.refused(CodeNoText)
		return
	}
	text.Unverified = !l.trusts()
	l.store(ctx, text)
}

func (l *Line) refused(why string) {
	l.note(why)
	l.o.Observe.Count(smsmcp.TextRefused, why)
}

// store keeps a text, however long that takes: what comes meanwhile waits its turn.
func (l *Line) store(ctx context.Context, text smsmcp.Text) {
	for wait := minRetry; ; wait = min(2*wait, maxRetry) {
		if l.o.Inbox.Receive(ctx, text) == nil {
			break
		}
		l.mu.Lock()
		first := l.stuck.IsZero()
		if first {
			l.stuck = l.o.Now()
		}
		l.mu.Unlock()
		if first {
			l.o.Log.Error("a text that came cannot be stored; it is tried again, and those behind it wait", "code", CodeStore)
		}
		pause := time.NewTimer(wait/2 + time.Duration(l.o.Rand.Int64N(int64(wait/2)+1)))
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		if ctx.Err() != nil {
			l.o.Log.Error("a text that came was not stored before the end", "code", CodeStore)
			return
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stuck.IsZero() {
		l.stuck = time.Time{}
		l.o.Log.Info("texts are stored again")
	}
}
