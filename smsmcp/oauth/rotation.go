package oauth

import "time"

// Grace is how long a refresh token may still come that two requests of one client carried, after its successor was used: answers and requests overtake each other.
const Grace = 10 * time.Second

// Rotation is where the refresh tokens of a grant stand. Pairs are numbered from 1 as they are given; each knows the number of the one that it was given for.
type Rotation struct {
	Last   int64     // the pair that was given last
	Turn   int64     // the one whose refresh token moved things on last; 0: the code did
	From   int64     // the one that Turn was given for
	Turned time.Time // when it did
	Past   time.Time // when From was past: when something that was given for it was first used
	Heard  time.Time // when an access token that was given for Turn was first used: the client has that answer. Zero: not yet
}

// begin is where things stand once a code was exchanged for the first pair.
func begin(now time.Time) Rotation { return Rotation{Last: 1, From: -1, Turned: now} }

// next says where things stand after the refresh token of a pair came, and whether it is to be answered: with a new pair, Last, given for Turn. If not,
// two have that token, or had it.
func (r Rotation) next(seq, parent int64, now time.Time) (Rotation, bool) {
	switch {
	case parent == r.Turn && seq > r.Turn:
		// The first to come of those that were given for Turn: from here on Turn, and the others beside this one, are past.
		if r.Past = r.Heard; r.Past.IsZero() {
			r.Past = now
		}
		r.Turn, r.From, r.Turned, r.Heard = seq, parent, now, time.Time{}
	case seq == r.Turn:
		// Again. If nothing that it was exchanged for was ever used, the answer may have been lost, be it long ago.
		if !r.Heard.IsZero() && !near(r.Heard, now) {
			return r, false
		}
	case seq == r.From && near(r.Past, now), parent == r.From && near(r.Turned, now):
		// Its predecessor, or one that was given beside it, at nearly the same time.
	default:
		return r, false
	}
	r.Last++
	return r, true
}

// heard notes that an access token was used that was given for a pair.
func (r Rotation) heard(parent int64, now time.Time) (Rotation, bool) {
	if parent != r.Turn || !r.Heard.IsZero() {
		return r, false
	}
	r.Heard = now
	return r, true
}

// near says that two times are less than Grace apart. A clock that is set back by more than that has the grace over.
func near(at, now time.Time) bool {
	d := now.Sub(at)
	return d < Grace && d > -Grace
}

// within says that at is less than a while ago. What lies in the future, as after a clock set back, is not, but for a minute: a clock is set right in small steps.
func within(at, now time.Time, while time.Duration) bool {
	d := now.Sub(at)
	return d < while && d >= -step
}

const step = time.Minute
