package page

import "time"

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
