package page

import (
	"sync"
	"time"
)

// Notice is something that the owner is to hear of elsewhere than on the page: whoever did it may be somebody else at the page.
type Notice struct {
	What  What
	Count int // of WrongPassphrases: how many since it was last told, or since there was quiet for an hour
}

// What is what a Notice is of.
type What string

// What there is to hear of.
const (
	PasskeyAdded     What = "passkey_added"
	PasskeyRemoved   What = "passkey_removed"
	WrongPassphrases What = "wrong_passphrases"
)

func (p *Page) notify(n Notice) {
	if p.o.Notify != nil {
		p.o.Notify(n)
	}
}

// manyWrong is how many wrong passphrases are told of, and tellEvery how often at most.
const (
	manyWrong = 10
	tellEvery = time.Hour
)

// wrongs counts wrong passphrases, from wherever.
type wrongs struct {
	mu         sync.Mutex
	n          int
	last, told time.Time
}

// add counts one, and says how many there were where that is to be told now.
func (w *wrongs) add(now time.Time) (n int, tell bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Before(w.last) {
		now = w.last // a clock that is set back stands still here
	}
	if now.Sub(w.last) >= tellEvery {
		w.n = 0
	}
	w.n, w.last = w.n+1, now
	if w.n < manyWrong || within(w.told, now, tellEvery) {
		return 0, false
	}
	n, w.n, w.told = w.n, 0, now
	return n, true
}
