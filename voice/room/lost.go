package room

import (
	"sync"
	"time"
)

const (
	pausing  = 500 * time.Millisecond // for longer nothing comes of a way that is well, but of a caller whose telephone sends nothing in silences: then reports come each second
	broken   = 2 * time.Second        // a longer pause is a break
	resent   = time.Second            // for so long after a pause keys may come that were pressed in it: the shortest time after which LiveKit's data is sent again
	replayed = 10 * time.Second       // and after a break
)

// lost knows whether the connection to the server stands. The zero value stands.
type lost struct {
	mu     sync.Mutex
	away   bool          // the SDK says so
	doubt  bool          // it is not known whether anything arrives, or the caller is still there
	last   time.Time     // when something came last
	noted  time.Time     // when the break was noticed
	began  time.Time     // of the last break or pause: when something had come last
	back   time.Time     // when it ended
	behind time.Duration // for so long after that keys of it may come; 0 if there was none
	times  int           // that the connection broke
}

// came notes a sign of life: something came from the server. One behind a pause ends a break that nobody has noticed, as of a server that stalls.
func (l *lost) came(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.paused(now); d > 0 && !l.doubt {
		behind := resent
		if d > broken {
			behind = replayed
		}
		l.over(now, l.last, behind)
	}
	l.last = now
}

// over notes that a break or a pause is over, that began then. As long as keys of a longer one before may come, both are one. Called with mu.
func (l *lost) over(now, began time.Time, behind time.Duration) {
	left := l.behind - now.Sub(l.back)
	if l.behind > 0 && left > 0 && (left > behind || behind == replayed) {
		began, behind = earlier(l.began, began), max(behind, left)
	}
	l.began, l.back, l.behind = began, now, behind
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
		l.began = earlier(l.began, since)
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
	l.over(now, since, replayed)
	l.doubt, l.noted = true, now
	l.times++
}

// found notes that the connection stands again: with whom is not known yet.
func (l *lost) found(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away, l.back = false, now
}

// sure ends the doubt, unless the connection has broken again, and says whether.
func (l *lost) sure(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away {
		return false
	}
	if l.doubt {
		l.doubt, l.back, l.behind = false, now, replayed
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
	if l.doubt || l.behind > 0 && now.Sub(l.back) < l.behind {
		return earlier(now, l.began)
	}
	if l.paused(now) > 0 {
		return l.last
	}
	return now
}
