package room

import (
	"sync"
	"time"
)

const (
	pausing  = 500 * time.Millisecond       // for longer nothing comes of a way that is well, but of a caller whose telephone sends nothing in silences: then reports come each second
	spaced   = 1100 * time.Millisecond      // they are so far apart at most
	broken   = 2 * time.Second              // a longer pause is a break
	again    = time.Second                  // after so long, at least, LiveKit's data is sent again, and if that is lost as well after twice the time, and so on
	resent   = again + again/5              // for so long after a pause keys may come that were pressed in it
	twice    = 2*again + pausing            // and after one in which what was sent again may have been lost, too
	lasting  = again - 100*time.Millisecond // as in one that is longer than this
	replayed = 10 * time.Second             // and for so long after a break
)

// lost knows whether the connection to the server stands. The zero value stands.
type lost struct {
	mu    sync.Mutex
	away  bool      // the SDK says so
	doubt bool      // it is not known whether anything arrives, or the caller is still there
	last  time.Time // when something came last
	told  bool      // that was a report
	noted time.Time // when the break was noticed
	times int       // that the connection broke
	kept  span      // of the last break or pause
	quiet span      // of the last silence of a telephone that sends nothing in one, if that is what it was
}

// span is a break or a pause: what comes before until may be of any time since it began. The zero value is none.
type span struct{ began, until time.Time }

// date is when something that comes now may have been sent, if it was not earlier than at.
func (s span) date(now, at time.Time) time.Time {
	if now.Before(s.until) {
		return earlier(at, s.began)
	}
	return at
}

// came notes a sign of life: something came from the server. One behind a pause ends a break that nobody has noticed, as of a server that stalls.
func (l *lost) came(now time.Time) { l.sign(now, false) }

// report notes that the sign of life is a report of the server's, as comes each second whatever else does.
func (l *lost) report(now time.Time) { l.sign(now, true) }

func (l *lost) sign(now time.Time, report bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch d := l.paused(now); {
	case d == 0 || l.doubt:
	case d <= spaced && (report || l.told): // else a silence would be one break, in which no key counts
		l.quiet = span{l.last, now.Add(resent)}
	default:
		l.over(now, l.last)
	}
	l.last, l.told = now, report
}

// over notes that a break or a pause is over, that began then. If keys of one before could come when it began, both are one: they may have been lost again. Called with mu.
func (l *lost) over(now, began time.Time) {
	first := l.kept.date(began, began)
	l.kept = span{first, now.Add(max(keeps(now.Sub(began)), min(keeps(now.Sub(first)), replayed)))}
}

// keeps is for how long after a pause keys may come that were pressed in it.
func keeps(d time.Duration) time.Duration {
	switch {
	case d > broken:
		return max(replayed, d+resent)
	case d > lasting:
		return twice
	}
	return resent
}

// missed notes that what was sent since then was lost.
func (l *lost) missed(now, since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over(now, since)
}

// now notes that the SDK has lost the connection, and says whether that is new.
func (l *lost) now(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away {
		return false
	}
	l.away = true
	l.begin(now, l.last)
	l.noted = now
	return true
}

// doubts notes that the connection may be broken, though the SDK does not say so, and may have been since; and says whether that is new.
func (l *lost) doubts(now, since time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.doubt {
		l.kept.began = earlier(l.kept.began, since)
		return false
	}
	if since.IsZero() {
		since = l.last
	}
	l.begin(now, since)
	return true
}

// begin begins a break, if none goes on. Called with mu.
func (l *lost) begin(now, since time.Time) {
	if l.doubt {
		return
	}
	l.kept.began = l.quiet.date(since, l.kept.date(since, since)) // what was on its way then waits as well
	l.doubt, l.noted = true, now
	l.times++
}

// found notes that the connection stands again: with whom is not known yet.
func (l *lost) found() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away = false
}

// sure ends the doubt, unless the connection has broken again, and says whether.
func (l *lost) sure(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away {
		return false
	}
	if l.doubt {
		l.doubt, l.kept.until = false, now.Add(max(replayed, now.Sub(l.kept.began)+resent))
	}
	return true
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

// connected says whether the SDK holds that the connection stands.
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

// pause is for how long nothing has come, if that is longer than usual, and else 0.
func (l *lost) pause(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused(now)
}

func (l *lost) paused(now time.Time) time.Duration {
	if d := now.Sub(l.last); !l.last.IsZero() && d > pausing {
		return d
	}
	return 0
}

// dated says when a key that comes now is held to have gone down: when it came, or, where the server may have kept it over a break or a pause, when that began.
func (l *lost) dated(now time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.quiet.date(now, l.kept.date(now, now))
	if l.doubt {
		at = earlier(at, l.kept.began)
	}
	if l.paused(now) > 0 {
		at = earlier(at, l.last)
	}
	return at
}
