package room

import (
	"context"
	"strings"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
)

// askEvery is how often the server is asked who is in the room.
const askEvery = 10 * time.Second

// Others is how many are in the room besides the caller and us, those who are hidden among them, as the server said when it was asked last. They are not heard, and do not hear us; what the
// caller says may be heard by them. An agent of ours that died or is about to leave is nobody.
func (c *Call) Others() int {
	there := map[string]bool{}
	c.mu.Lock()
	gone := c.ghosts
	for sid := range c.hidden {
		there[sid] = true
	}
	c.mu.Unlock()
	for _, p := range c.room.GetRemoteParticipants() {
		if p.Identity() != c.identity && !gone[p.SID()] && !ours(p.Identity(), p.Kind()) {
			there[p.SID()] = true
		}
	}
	return len(there)
}

// ours says whether a participant is an agent of ours, we among them. Of what kind one is the server says, from a token that the owner's key made.
func ours(identity string, kind lksdk.ParticipantKind) bool {
	return kind == lksdk.ParticipantAgent && strings.HasPrefix(identity, prefix)
}

// ask has the server asked who is there.
func (c *Call) ask() {
	select {
	case c.asks <- struct{}{}:
	default:
	}
}

// attend asks the server who is in the room, again and again until the call is over: whoever is hidden, as one who records may be, it tells of to nobody in the room.
func (c *Call) attend() {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		if list, ok := c.listed(); ok {
			c.noteHidden(list)
		}
		select {
		case <-c.asks:
		case <-tick.C:
		case <-c.done:
			return
		}
	}
}

// noteHidden keeps who is there and is not seen.
func (c *Call) noteHidden(list []*livekit.ParticipantInfo) {
	seen := map[string]bool{}
	for _, p := range c.room.GetRemoteParticipants() {
		seen[p.SID()] = true
	}
	hidden := map[string]bool{}
	for _, p := range list {
		if p.GetIdentity() != c.identity && !seen[p.GetSid()] && !ours(p.GetIdentity(), lksdk.ParticipantKind(p.GetKind())) {
			hidden[p.GetSid()] = true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hidden = hidden
}

// listed asks the server who is in the room, and says whether it answered.
func (c *Call) listed() ([]*livekit.ParticipantInfo, bool) {
	ctx, cancel := context.WithTimeout(c.life, partWithin)
	defer cancel()
	list, err := lksdk.NewRoomServiceClient(c.o.URL, c.o.Key, c.o.Secret).ListParticipants(ctx, &livekit.ListParticipantsRequest{Room: c.o.Room})
	if err != nil && !notFound(err) {
		return nil, false
	}
	return list.GetParticipants(), true
}
