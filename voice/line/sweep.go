package line

import (
	"context"
	"strings"
	"time"

	"readback/voip/ari"
)

const (
	settleTime = 2 * time.Second // how long the event by which a channel entered may take to be read
	minRetry   = 500 * time.Millisecond
	maxRetry   = 30 * time.Second
)

// sweepSoon says that something may have been left, or missed.
func (l *Line) sweepSoon() {
	select {
	case l.due <- struct{}{}:
	default:
	}
}

// keepSweeping sweeps when it is due, again while Asterisk gives no answer, and once more while there are channels of which it is not yet known whether they
// are new.
func (l *Line) keepSweeping(ctx context.Context) {
	var suspects map[string]bool
	wait := minRetry
	next := time.NewTimer(0)
	next.Stop()
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.due:
			suspects = nil // seen at another time, perhaps in another Asterisk
		case <-next.C:
		}
		again, err := l.sweep(ctx, suspects)
		suspects = again
		switch {
		case err != nil:
			suspects = nil
			next.Reset(wait)
			wait = min(2*wait, maxRetry)
		case len(again) > 0:
			wait = minRetry
			next.Reset(settleTime)
		default:
			wait = minRetry
			next.Stop()
		}
	}
}

// sweep compares what is in Asterisk with the calls that there are. Calls whose channels are no more are over. Bridges and media channels of ours that
// belong to no call are deleted. So are callers' channels in the application that are no call's, if they were so at the last sweep too: the event of
// one that has just entered may not have been read. It gives those that were not.
func (l *Line) sweep(ctx context.Context, suspects map[string]bool) (map[string]bool, error) {
	l.mu.Lock()
	before := make(map[*call]bool, len(l.callers)) // and whether it had its media channel by then
	for _, c := range l.callers {
		before[c] = c.hasMedia()
	}
	l.mu.Unlock()
	channels, err := l.o.Asterisk.Channels(ctx)
	if err != nil {
		return nil, err
	}
	there := make(map[string]bool, len(channels))
	for _, ch := range channels {
		there[ch.ID] = true
	}
	for c, media := range before {
		if !there[c.channel] || media && !there[c.name] {
			c.end(CodeGone)
		}
	}
	fresh := map[string]bool{}
	var failed error
	for _, ch := range channels {
		switch {
		case l.knows(ch.ID):
			continue
		case l.ours.MatchString(ch.ID):
		case !l.inApp(ch):
			continue
		case !suspects[ch.ID]:
			fresh[ch.ID] = true
			continue
		}
		if err := l.hangUp(ctx, ch.ID, ari.Normal); err != nil {
			failed = err
		}
	}
	bridges, err := l.o.Asterisk.Bridges(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range bridges {
		if l.ours.MatchString(b.ID) && !l.knows(b.ID) {
			if err := settled(l.o.Asterisk.DeleteBridge(ctx, b.ID)); err != nil {
				failed = err
			}
		}
	}
	return fresh, failed
}

// knows says whether a channel or bridge is of a call that there is.
func (l *Line) knows(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.callers[id] != nil || l.names[id] != nil
}

// inApp says whether a channel is in our application.
func (l *Line) inApp(ch ari.Channel) bool {
	app, _, _ := strings.Cut(ch.Args, ",")
	return ch.App == "Stasis" && app == l.o.Asterisk.App()
}
