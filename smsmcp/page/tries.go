package page

// How often a passphrase may be tried from one address, or within one session; from one network of those that a provider gives out whole; and by all who are not
// signed in together, so that many addresses are not many more guesses. The last lets few through at once: the terminal waits behind these.
const (
	triesPerMinute        = 5
	networkTriesPerMinute = 10
	allTriesPerMinute     = 30
	allTriesAtOnce        = 10
)
