package checkup

import (
	"context"
	"errors"
	"net/url"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
	"readback/smsmcp/page/talk"
)

// Rooms are the owner's LiveKit server, and how calls in its rooms come.
type Rooms struct {
	URL        string                                                 // of the server
	Key        string                                                 // the name of the API key
	Agent      string                                                 // as which Readback takes calls; "" where the server's webhook tells of them
	Talk       bool                                                   // the owner may talk from the browser
	Browser    string                                                 // by which the browser reaches the server
	PublicURL  string                                                 // of the owner's page; "" is this machine
	Hook       string                                                 // where a webhook would come in
	Passphrase bool                                                   // there is one: nobody begins a call from the browser without
	Deaf       bool                                                   // nothing is set that hears
	Mute       bool                                                   // what hears, speaks or thinks does not answer, or the server that runs takes no calls: that is said elsewhere
	Running    bool                                                   // a server runs on the owner's data now: how it is connected it says itself
	Ask        func(context.Context) (ahead time.Duration, err error) // worker.Check
}

// skewed is how far a clock may be off. LiveKit gives a token a minute (go-jose's leeway), ours for a browser is good for two.
const skewed = 30 * time.Second

// Examine says how it stands with them.
func (r Rooms) Examine(ctx context.Context) []Finding {
	e := &examination{}
	ahead, err := r.Ask(ctx)
	if err != nil {
		e.found = append(e.found, Finding{Fail, finding.Rooms, func(l lang.Lang) string { return lang.LiveKitSays(l, roomsCode(err)) }})
	} else {
		e.add(OK, finding.Rooms, finding.RoomsOK, r.URL)
	}
	if ahead.Abs() >= skewed {
		e.add(Warn, finding.Rooms, finding.RoomsClock, r.URL, ahead.Abs())
	}
	switch {
	case r.Agent == "":
		e.add(OK, finding.RoomsCalls, finding.RoomsHook, r.Key, r.Hook)
	case !r.Running:
		e.add(OK, finding.RoomsCalls, finding.RoomsIdle)
	}
	switch {
	case !r.Talk:
		e.add(OK, finding.Talk, finding.TalkOff)
	case err != nil || r.Mute: // one thing that is wrong is said once
	case r.Deaf:
		e.add(Warn, finding.Talk, finding.TalkDeaf)
	case !r.Passphrase:
		e.add(Warn, finding.Talk, finding.TalkNobody)
	case here(r.Browser) && r.PublicURL != "" && !here(r.PublicURL):
		e.add(Warn, finding.Talk, finding.TalkHere, r.PublicURL, r.Browser)
	default:
		e.add(OK, finding.Talk, finding.TalkOK, r.Browser)
	}
	return e.found
}

// here says whether an address is one of this machine alone.
func here(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	_, err = talk.Sources("ws://" + u.Host)
	return err == nil
}

// roomsCode gives the code of an error, one that there is a sentence for.
func roomsCode(err error) string {
	var coded smsmcp.Coded
	if errors.As(err, &coded) && lang.LiveKitSays(lang.EN, coded.Code()) != "" {
		return coded.Code()
	}
	return "livekit_bad_answer"
}
