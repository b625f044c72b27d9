package consent

import (
	"time"

	"readback/voice"
)

// The oracle says of a send, from what happened before and nothing else, whether invariant 10 held. It knows nothing of the machine, of Judge or of Echo: what each turn
// says was written down by hand when the turn was made.

// said is what a turn of a test means.
type said struct {
	yes, no, change bool
	echoes          bool // it resembles the read-back, and not the second question
}

// happened is one event of a history, and what the machine did.
type happened struct {
	at      time.Time
	event   Event
	means   said // of a Final
	effects []Effect
}

const (
	oracleMargin = 300 * time.Millisecond
	oracleWindow = 15 * time.Second
)

// did finds an effect of a kind.
func did[E Effect](h happened) (E, bool) {
	for _, e := range h.effects {
		if e, ok := e.(E); ok {
			return e, true
		}
	}
	var none E
	return none, false
}

// callers gives the caller's turn that an event is.
func callers(h happened) (voice.Turn, bool) {
	f, ok := h.event.(Final)
	return f.Turn, ok && f.Turn.Role() == voice.Caller
}

// objection says what is wrong with the send that the last event of a history made, or nothing.
func objection(hs []happened) string {
	k := len(hs) - 1
	sent, _ := did[Send](hs[k])
	answer, ok := callers(hs[k])
	switch {
	case !ok:
		return "what sent it is no turn of the caller"
	case answer.Number() != sent.Turn.Number() || answer.Began() != sent.Turn.Began() || answer.Key() != sent.Turn.Key():
		return "the audit names another turn"
	case hs[k].event.(Final).More:
		return "the caller was saying more"
	case !hs[k].means.yes:
		return "it is no clear yes"
	}
	// This very draft, prepared last, by the owner, and nothing ended it.
	p, owner := -1, false
	for i, h := range hs[:k] {
		switch e := h.event.(type) {
		case Prepared:
			p = i
		case Owner:
			owner = e.Known
		case HungUp:
			return "the call is over"
		}
	}
	switch {
	case p < 0 || hs[p].event.(Prepared).Draft != sent.Draft:
		return "it is not the draft that was prepared last"
	case !owner:
		return "the caller is not the owner"
	}
	wasOwner := false
	for _, h := range hs[:p] {
		if o, ok := h.event.(Owner); ok {
			wasOwner = o.Known
		}
	}
	if !wasOwner {
		return "the caller was not the owner when it was prepared"
	}
	readings, r := 0, -1 // the last read-back
	for i := p; i < k; i++ {
		if _, ok := did[ReadBack](hs[i]); ok {
			readings, r = readings+1, i
		}
	}
	if readings < 1 || readings > 3 {
		return "it was not read back, or too often"
	}
	for i := p + 1; i <= k; i++ {
		if hs[i].at.Before(hs[i-1].at) {
			return "the clock jumped back"
		}
		if i == k {
			break
		}
		if _, ok := did[Send](hs[i]); ok {
			return "it was sent before"
		}
		if _, ok := did[Void](hs[i]); ok {
			return "it was void"
		}
		switch e := hs[i].event.(type) {
		case Owner:
			if !e.Known {
				return "the caller was not the owner for a while"
			}
		case Withdrawn:
			return "it was withdrawn"
		}
	}
	// It was spoken to its end, and nobody else spoke since it began.
	reading, _ := did[ReadBack](hs[r])
	s, q := -1, -1
	for i := r + 1; i < k; i++ {
		switch e := hs[i].event.(type) {
		case Started:
			if s < 0 && e.Reading == reading.Reading && e.Draft == sent.Draft {
				s = i
			}
		case Played:
			if s >= 0 && q < 0 && e.Reading == reading.Reading {
				q = i
			}
		}
	}
	if s < 0 || q < 0 {
		return "it was not spoken to its end"
	}
	end := hs[q].at.Add(max(0, hs[q].event.(Played).RoundTrip) + oracleMargin)
	early, begun := false, -1
	asks, asked, free, ask := 0, time.Time{}, time.Time{}, -1
	for i := r + 1; i < k; i++ {
		turn, isTurn := callers(hs[i])
		switch e := hs[i].event.(type) {
		case Started:
			if e.Reading == reading.Reading && e.Draft != sent.Draft {
				return "another draft was spoken"
			}
		case Interrupted:
			if e.Reading == reading.Reading {
				return "it was cut"
			}
		case ModelSpoke:
			if i > s {
				return "the model spoke since"
			}
		case Begun:
			if begun = -1; i > q && !hs[i].at.Before(end) {
				begun = i
			}
		case Dropped:
			begun = -1
		case Asked:
			if e.Question == ask && free.IsZero() {
				free = hs[i].at
			}
		}
		if isTurn {
			if hs[i].means.no && (!hs[i].means.echoes || i > q && asks > 1) {
				return "the caller said no"
			}
			speech := turn.Key() == 0
			isEarly := i < q || turn.Began().Before(end) || speech && begun < 0
			if i > s && isEarly {
				early = true
			}
			if i > q && !isEarly && hs[i].means.change {
				return "the caller asked for something else"
			}
			if speech {
				begun = -1
			}
		}
		if a, ok := did[Ask](hs[i]); ok {
			asks, asked, free, ask = asks+1, hs[i].at, time.Time{}, a.Question
		}
	}
	speech := answer.Key() == 0
	limit := asked.Add(oracleWindow)
	if asks == 1 {
		limit = end.Add(oracleWindow)
	}
	if !free.IsZero() {
		limit = free.Add(oracleWindow)
	}
	switch {
	case answer.Began().Before(end):
		return "the yes began before the end of the read-back"
	case speech && (free.IsZero() || answer.Began().Before(free)):
		return "the yes began before the end of the question"
	case speech && begun < 0:
		return "nobody saw the yes begin"
	case early && (readings < 3 || speech):
		return "somebody spoke into the read-back, and it was not read again"
	case asks < 1 || asks > 2:
		return "it was not asked once or twice"
	case hs[k].at.After(limit):
		return "the yes came too late"
	case hs[k].means.echoes && asks == 1:
		return "the yes may be an echo"
	}
	return ""
}
