package parts

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
	"readback/smsmcp/page/talk"
	"readback/smsmcp/web"
	"readback/store/talks"
	"readback/voice"
	"readback/voice/agent"
	"readback/voice/invite"
	"readback/voice/room"
	"readback/voice/show"
	"readback/voice/worker"
)

const (
	comeWithin = 30 * time.Second // how long a caller may take to be there and to hear us, once a job was taken
	leaveTime  = 10 * time.Second // for taking a caller out of a room
	keptCalls  = 2                // of a process's calls, those that are kept for callers who may be the owner
)

// livekitHook is where the LiveKit server's webhooks come in.
const livekitHook = "/hooks/livekit"

// hookBytes bounds a webhook: it tells of a room and a participant, with the metadata and attributes of both, as voice/worker takes them.
const hookBytes = 2 << 20

// Why a job came to nothing, beside the codes of voice/room; [a-z_]+.
const (
	codePasses  = "passes_not_read"
	codeTooMany = "too_many_calls"
)

// refused is the error of such a job; smsmcp.Coded.
type refused string

func (r refused) Error() string { return "a call in a room: " + string(r) }
func (r refused) Code() string  { return string(r) }

// passes say which room is the owner's browser's (talks.Talks).
type passes interface {
	Add(ctx context.Context, now time.Time, room, identity string) error
	Take(ctx context.Context, now time.Time, room string) (identity string, err error)
}

// roomLeg is a call in a room (room.Call).
type roomLeg interface {
	voice.Leg
	Others() int
	Show(b []byte) error
}

// rooms is what takes the calls in the rooms of the owner's LiveKit server: those of the owner's browser, and those of telephones that its SIP bridge brings.
type rooms struct {
	a      *App
	worker *worker.Worker
	invite *invite.Inviter
	passes passes
	in     room.Options // what every room has in common
	join   func(ctx context.Context, o room.Options) (roomLeg, error)
	lead   func(ctx context.Context, leg roomLeg, owner bool)

	strangers atomic.Int64 // callers that cannot be the owner
}

// LiveKit gives the key of the owner's LiveKit server, and its secret, which is read once. It fails where the file that the configuration names cannot be used.
func LiveKit(c *config.Config) (key, word string, err error) {
	read, err := secret("livekit.secret_file", c.LiveKit.SecretFile)
	if err != nil {
		return "", "", err
	}
	if word, err = read(); err != nil || word == "" {
		return "", "", lang.Say(lang.CLISecretEmpty, "livekit.secret_file")
	}
	return c.LiveKit.Key, word, nil
}

// makeRooms makes what takes calls in rooms. When it is told to end, calls that go on have drain to end by themselves.
func (a *App) makeRooms(drain time.Duration) error {
	c := &a.o.Config.LiveKit
	key, word, err := LiveKit(a.o.Config)
	if err != nil {
		return err
	}
	p, err := a.conversation()
	if err != nil {
		return err
	}
	agentName := c.Agent
	if c.Dispatch == config.ByWebhook {
		agentName = "" // then nobody is dispatched, and a worker without a name does not register
	}
	r := &rooms{
		a: a, passes: talks.New(a.Store.DB()), lead: p.room,
		in:   room.Options{URL: c.URL, Key: key, Secret: word, Line: "livekit", Peer: a.peer, Now: a.o.Now, Log: a.o.Log},
		join: func(ctx context.Context, o room.Options) (roomLeg, error) { return room.Join(ctx, o) },
	}
	if r.invite, err = invite.New(key, word, agentName); err != nil {
		return err
	}
	r.worker, err = worker.New(worker.Options{
		URL: c.URL, Key: key, Secret: word, Agent: agentName, MaxCalls: c.MaxCalls, Drain: drain, Handle: r.take, Now: a.o.Now, Rand: jitter(), Log: a.o.Log,
	})
	a.rooms = r
	return err
}

// take leads the call of a job, to its end. Who calls is what the store says of the room, and nothing that the room says of itself: the owner's browser, where it has a pass, and else the one
// participant that came by SIP, of whom the gate wants the owner's number and code. A pass that cannot be looked for lets nobody in.
func (r *rooms) take(ctx context.Context, j worker.Job) error {
	identity, err := r.passes.Take(ctx, r.a.o.Now(), j.Room)
	switch {
	case errors.Is(err, talks.ErrNone):
		identity = ""
	case err != nil || identity == "":
		return refused(codePasses)
	}
	o := r.in
	o.Room, o.Token, o.Caller = j.Room, j.Token, identity
	soon, enough := context.WithTimeout(ctx, comeWithin)
	leg, err := r.join(soon, o)
	enough()
	if err != nil {
		return err // with a code of its own
	}
	r.a.o.Log.Info("a job is a call", "job", j.ID, "call", leg.ID())
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		_ = leg.HangUp(ctx) // it says itself what went wrong
	}()
	if identity == "" && !slices.Contains(r.a.o.Config.Phone.Owners, leg.Caller().Number) {
		defer r.strangers.Add(-1)
		if r.strangers.Add(1) > int64(max(1, r.a.o.Config.LiveKit.MaxCalls-keptCalls)) {
			return refused(codeTooMany)
		}
	}
	r.lead(ctx, leg, identity != "")
	return nil
}

// room leads a call in a room. A browser has no keys; a telephone has no screen.
func (p *calls) room(ctx context.Context, leg roomLeg, owner bool) {
	c := agent.Call{Others: leg.Others}
	if owner {
		c.Owner, c.NoKeys, c.Screen = true, true, show.New(leg.Show, p.a.o.Config.Phone.Lang)
	}
	p.lead(ctx, leg, c)
}

// Begin lets the owner's browser into a room of its own (page.Talk). The pass is in the store before the browser has heard of the room.
func (r *rooms) Begin(ctx context.Context) (talk.Visit, error) {
	if r.worker.Part().Failure != "" {
		return talk.Visit{}, talk.ErrAway
	}
	in, err := r.invite.Invite()
	if err == nil {
		err = r.passes.Add(ctx, r.a.o.Now(), in.Room, in.Identity)
	}
	if err != nil {
		return talk.Visit{}, err
	}
	return talk.Visit{URL: r.a.o.Config.LiveKit.BrowserURL(), Token: in.Token}, nil
}

// routes is where the server's webhooks begin calls; nothing where it dispatches.
func (r *rooms) routes() []web.Route {
	if r == nil || r.a.o.Config.LiveKit.Dispatch != config.ByWebhook {
		return nil
	}
	return []web.Route{{Pattern: livekitHook, Handler: r.worker.Webhook(), CrossSite: true, Signed: true, BodyBytes: hookBytes}}
}
