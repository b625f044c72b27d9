// Package invite makes what lets the owner's browser into a LiveKit room of its own, once the owner has proved to be there: two names that nobody can guess, and a token.
//
// The token lets into that one room, under that one identity, for two minutes. It may publish a microphone, and subscribe. It may not publish data, which is how the program shows what it reads
// back; nor a camera or a screen; nor change what is said of it to others. It carries how the room is to be made, signed: small, soon gone, and with a job for the program's own agent, so that no
// page has to ask for one.
//
// That who comes by it is the owner is not in the token: whoever has the server's key can make one like it. It is in the store, by the room's name (store/talks).
//
// Floor 3: imports github.com/livekit/protocol. The token's times are read by that module, from the wall clock.
package invite

import (
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
)

// How each room and each owner in one is named: what follows is 26 of a-z and 2-7.
const (
	RoomPrefix     = "talk-"
	IdentityPrefix = "owner-"
)

// GoodFor is how long a browser has to come.
const GoodFor = 2 * time.Minute

const (
	most     = 4  // in the room, besides agents: the owner, and who looks after the server
	unused   = 60 // seconds that the room stays where nobody comes
	departed = 10 // seconds that it stays after the last has left
)

// Invite is what a browser is let in by. The token is a secret.
type Invite struct {
	Room, Identity, Token string
}

// Inviter makes invites.
type Inviter struct {
	key, secret, agent string
}

// New makes an Inviter with an API key of the LiveKit server and its secret. agent is the name under which the program takes jobs; with "" none is dispatched.
func New(key, secret, agent string) (*Inviter, error) {
	if key == "" || secret == "" {
		return nil, errors.New("invite: key and secret are needed")
	}
	return &Inviter{key: key, secret: secret, agent: agent}, nil
}

// Invite makes names that were never used, and the token for them. Its error says nothing of the secret.
func (i *Inviter) Invite() (Invite, error) {
	in := Invite{Room: RoomPrefix + name(), Identity: IdentityPrefix + name()}
	yes, no := true, false
	grant := &auth.VideoGrant{
		RoomJoin: true, Room: in.Room, CanPublish: &yes, CanSubscribe: &yes, CanPublishData: &no, CanUpdateOwnMetadata: &no, CanSubscribeMetrics: &no, CanManageAgentSession: &no,
	}
	grant.SetCanPublishSources([]livekit.TrackSource{livekit.TrackSource_MICROPHONE})
	made := &livekit.RoomConfiguration{EmptyTimeout: unused, DepartureTimeout: departed, MaxParticipants: most}
	if i.agent != "" {
		made.Agents = []*livekit.RoomAgentDispatch{{AgentName: i.agent}}
	}
	token, err := auth.NewAccessToken(i.key, i.secret).SetIdentity(in.Identity).SetKind(livekit.ParticipantInfo_STANDARD).SetVideoGrant(grant).
		SetRoomConfig(made).SetValidFor(GoodFor).ToJWT()
	if err != nil {
		return Invite{}, errors.New("invite: the token cannot be signed")
	}
	in.Token = token
	return in, nil
}

func name() string { return strings.ToLower(rand.Text()) }
