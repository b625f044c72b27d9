package tries

import (
	"sync"
	"time"
)

// Places are the addresses from which somebody came in lately: guesses from elsewhere do not keep them out there. What is tried from one of these still
// draws on its own bucket.
type Places struct {
	most int
	long time.Duration
	mu   sync.Mutex
	all  map[string]time.Time
}

// NewPlaces remembers so many, each for so long.
func NewPlaces(most int, long time.Duration) *Places {
	return &Places{most: most, long: long, all: map[string]time.Time{}}
}

// Add remembers one. Where there are too many, the one that is longest ago goes.
func (k *Places) Add(from string, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all[from] = now
	for len(k.all) > k.most {
		oldest := from
		for one, at := range k.all {
			if at.Before(k.all[oldest]) {
				oldest = one
			}
		}
		delete(k.all, oldest)
	}
}

// Has says whether one is remembered.
func (k *Places) Has(from string, now time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return within(k.all[from], now, k.long)
}

// within says that at is less than a while ago. What lies in the future, as after a clock set back, is not.
func within(at, now time.Time, while time.Duration) bool {
	return !at.IsZero() && !now.Before(at) && now.Sub(at) < while
}

// Wrongs counts what was wrong, from wherever, to tell somebody where it is much.
type Wrongs struct {
	many       int
	every      time.Duration
	mu         sync.Mutex
	n          int
	last, told time.Time
}

// NewWrongs has it told where there are so many, and no more often. After as long without one they are counted anew.
func NewWrongs(many int, every time.Duration) *Wrongs { return &Wrongs{many: many, every: every} }

// Add counts one, and says how many there were where that is to be told now.
func (w *Wrongs) Add(now time.Time) (n int, tell bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Before(w.last) {
		now = w.last // a clock that is set back stands still here
	}
	if now.Sub(w.last) >= w.every {
		w.n = 0
	}
	w.n, w.last = w.n+1, now
	if w.n < w.many || within(w.told, now, w.every) {
		return 0, false
	}
	n, w.n, w.told = w.n, 0, now
	return n, true
}
