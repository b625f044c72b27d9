package room

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"

	"readback/smsmcp"
	"readback/voice"
)

// Options are what a call is made of. All are needed but Token, Caller, Line and Log.
type Options struct {
	URL    string // of the LiveKit server, ws:// or wss://
	Key    string // the API key, by which the caller is taken out of the room when we hang up
	Secret string
	Room   string
	Token  string // ours, for the room; empty for one that is made with the key

	Caller string                       // the identity of the participant who calls; empty for the one who came by SIP
	Line   string                       // the line's name, for voice.CallerID
	Peer   func(raw string) smsmcp.Peer // types a caller's number; never called with ""

	Now func() time.Time
	Log *slog.Logger // codes, and our own names of calls
}

// Why a call could not be had, or ended; [a-z_]+.
const (
	CodeNotJoined  = "room_not_joined" // the server cannot be reached, or does not let us in
	CodeNoCaller   = "no_caller"       // nobody came in time, or the SIP call did not become active
	CodeTwoCallers = "two_callers"     // more than one participant came by SIP: whom to hear cannot be known
	CodeNotHeard   = "not_published"   // our sound could not be brought into the room

	CodeCallerHungUp = "caller_hung_up"
	CodeHungUp       = "hung_up"    // by us
	CodeMediaLost    = "media_lost" // the connection to the server is gone
	CodeKeysFull     = "keys_not_taken"
	CodeCrashed      = "call_crashed"
	CodeNotShown     = "not_shown"
	CodeNotRemoved   = "caller_not_removed" // they may still be in the room, with nobody there
)

// errCode is an error of the room's own; smsmcp.Coded.
type errCode string

func (e errCode) Error() string { return "room: " + string(e) }
func (e errCode) Code() string  { return string(e) }

var _ smsmcp.Coded = errCode("")

// opus is the one kind of sound that is sent and taken: browsers speak it, and LiveKit's SIP bridge takes no other.
var opus = webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: opusRate, Channels: 2, SDPFmtpLine: "minptime=10;useinbandfec=1"}

// hush keeps the SDK from logging: it logs identities and numbers.
var hush = sync.OnceFunc(func() { lksdk.SetLogger(logger.GetDiscardLogger()) })

// Join joins a room, waits until the caller is there and hears us, and gives the leg. It has until ctx is over. The call outlives ctx: it ends with the caller, or with HangUp.
func Join(ctx context.Context, o Options) (*Call, error) {
	switch {
	case o.URL == "" || o.Key == "" || o.Secret == "" || o.Room == "":
		return nil, errors.New("room: URL, Key, Secret and Room are needed")
	case o.Peer == nil || o.Now == nil:
		return nil, errors.New("room: Peer and Now are needed")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	hush()
	c := newCall(o)
	if err := c.begin(ctx); err != nil {
		c.end(err.Code())
		c.room.Disconnect()
		c.parts.Wait()
		return nil, err
	}
	go c.serve()
	return c, nil
}

// coded is an error that has a code: nothing that the server says gets further than that.
type coded interface {
	error
	Code() string
}

// begin joins, finds the caller, and brings our sound to them.
func (c *Call) begin(ctx context.Context) coded {
	token := c.o.Token
	if token == "" {
		var err error
		if token, err = c.token(); err != nil {
			return errCode(CodeNotJoined)
		}
	}
	// The SDK connects again in the context in which it joined.
	stop := context.AfterFunc(ctx, c.cut)
	err := c.room.JoinWithContextAndToken(c.life, c.o.URL, token, lksdk.WithAutoSubscribe(false), lksdk.WithCodecs([]livekit.Codec{{Mime: opus.MimeType, FmtpLine: opus.SDPFmtpLine}}))
	if !stop() || err != nil {
		return errCode(CodeNotJoined)
	}
	c.lost.came(c.o.Now())
	if err := c.await(ctx, c.find); err != nil {
		return err
	}
	// Before our sound is there: nobody else is to hear it.
	c.room.LocalParticipant.SetSubscriptionPermission(&livekit.SubscriptionPermission{
		TrackPermissions: []*livekit.TrackPermission{{ParticipantIdentity: c.identity, AllTracks: true}},
	})
	c.part(c.attend)
	c.part(c.watch) // and so the caller's sound is asked for while ours is published
	// LiveKit's SIP bridge answers the telephone when there is sound to be heard, so this comes before the call is active.
	pub, err := c.room.LocalParticipant.PublishTrack(c.out, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE, DisableDTX: true})
	if err != nil {
		return errCode(CodeNotHeard)
	}
	c.published.Store(pub)
	c.part(c.pace)
	if err := c.await(ctx, func() (bool, coded) { return c.listening(), nil }); err != nil {
		return err
	}
	c.from = c.number()
	// One who sends nothing is not waited for long.
	first, enough := context.WithTimeout(ctx, soundWithin)
	defer enough()
	_ = c.await(first, func() (bool, coded) { return c.heard.Load(), nil })
	if !c.part(func() { c.queue.Hand(c.done, c.keys) }) {
		return errCode(c.why())
	}
	return nil
}

// token is one for this room, of an agent that speaks, hears and shows, and does nothing else.
func (c *Call) token() (string, error) {
	yes, no := true, false
	grant := &auth.VideoGrant{RoomJoin: true, Room: c.o.Room, CanPublish: &yes, CanSubscribe: &yes, CanPublishData: &yes, CanUpdateOwnMetadata: &no}
	return auth.NewAccessToken(c.o.Key, c.o.Secret).SetIdentity(c.name).SetKind(livekit.ParticipantInfo_AGENT).SetVideoGrant(grant).SetValidFor(time.Hour).ToJWT()
}

// await looks, whenever something has happened in the room, until what it waits for is so.
func (c *Call) await(ctx context.Context, look func() (bool, coded)) coded {
	for {
		if ok, err := look(); ok || err != nil {
			return err
		}
		select {
		case <-c.fresh:
		case <-time.After(lookAgain):
		case <-c.done:
			return errCode(c.why())
		case <-ctx.Done():
			return errCode(CodeNoCaller)
		}
	}
}

// find looks for the caller.
func (c *Call) find() (bool, coded) {
	var found *lksdk.RemoteParticipant
	for _, p := range c.room.GetRemoteParticipants() {
		switch {
		case c.o.Caller == "" && p.Kind() == lksdk.ParticipantSIP && found != nil:
			return false, errCode(CodeTwoCallers)
		case c.o.Caller == "" && p.Kind() == lksdk.ParticipantSIP, c.o.Caller != "" && p.Identity() == c.o.Caller:
			found = p
		}
	}
	if found == nil || found.Identity() == "" {
		return false, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.identity, c.sid, c.sip = found.Identity(), found.SID(), found.Kind() == lksdk.ParticipantSIP
	return true, nil
}

// number types who the network says is calling. Only LiveKit's SIP bridge says it.
func (c *Call) number() voice.CallerID {
	p := c.room.GetParticipantByIdentity(c.identity)
	if p == nil {
		return voice.CallerID{Line: c.o.Line}
	}
	return c.numberOf(p.SID(), p.Attributes())
}

// numberOf is the number that stands in a participant's attributes, if it is the caller: who came by the same identity since then is somebody else.
func (c *Call) numberOf(sid string, attributes map[string]string) voice.CallerID {
	id := voice.CallerID{Line: c.o.Line}
	raw := attributes[livekit.AttrSIPPhoneNumber]
	if !c.sip || sid != c.sid || raw == "" {
		return id
	}
	if peer := c.o.Peer(raw); peer.Kind == smsmcp.PeerNumber {
		id.Number = string(peer.Number)
	}
	return id
}

// prefix begins the identity of every agent of ours.
const prefix = "readback-"

func newName() string { return prefix + strings.ToLower(rand.Text()) }
