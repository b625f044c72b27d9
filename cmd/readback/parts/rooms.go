package parts

import (
	"context"
	"errors"
	"slices"
	"strings"
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

	// Of a process's calls, those that are kept: for callers who may be the owner, and among them for the owner's browser, whose pass nobody can forge, as a number can be.
	keptCalls    = 2
	keptBrowsers = 1
)

// livekitHook is where the LiveKit server's webhooks come in.
const livekitHook = "/hooks/livekit"

// hookBytes bounds a webhook: it tells of a room and a participant, with the metadata and attributes of both, as voice/worker takes them.
const hookBytes = 2 << 20

// Why a job came to nothing, beside the codes of voice/room; [a-z_]+.
const (
	codePasses  = "passes_not_read"
	codeNoPass  = "no_pass"
	codeTooMany = "too_many_calls"
	codeLed     = "room_is_led"      // by another process, or by this one
	codeLeases  = "leases_not_taken" // the store does not say whether somebody leads it
	codeLost    = "lease_lost"       // we were held to be gone
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

// leasing says who leads the call of a room (talks.Leases).
type leasing interface {
	Take(ctx context.Context, of talks.Lease) error
	Renew(ctx context.Context, of talks.Lease) error
	GiveBack(ctx context.Context, of talks.Lease) error
	Left(ctx context.Context, now time.Time, older time.Duration) ([]talks.Lease, error)
	Drop(ctx context.Context, of talks.Lease) error
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
	leases leasing
	in     room.Options // what every room has in common
	join   func(ctx context.Context, o room.Options) (roomLeg, error)
	lead   func(ctx context.Context, leg roomLeg, owner bool)
	end    func(ctx context.Context, o room.Options, sid string) error
	renew  time.Duration // between two times that a lease is renewed
	every  time.Duration // between two looks for rooms that were left

	telephones atomic.Int64 // callers that are no browsers
	strangers  atomic.Int64 // those of them that cannot be the owner
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
		a: a, passes: talks.New(a.Store.DB()), leases: talks.NewLeases(a.Store.DB()), lead: p.room, end: room.End, renew: renewEvery, every: sweep,
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

// take leads the call of a job, to its end, and the room's with it. It touches no room that somebody else leads, or of which the store does not say whether somebody does.
func (r *rooms) take(ctx context.Context, j worker.Job) (err error) {
	of := talks.Lease{SID: j.SID, Room: j.Room, By: j.ID}
	switch err := r.leases.Take(ctx, of); {
	case errors.Is(err, talks.ErrLed):
		return refused(codeLed)
	case err != nil:
		return refused(codeLeases)
	}
	ctx, lost := context.WithCancelCause(ctx)
	renewed := r.keep(of, lost)
	defer func() { // also where it panics
		r.leave(context.WithoutCancel(ctx), of)
		renewed()
		lost(nil)
	}()
	if err = r.call(ctx, j); err == nil && errors.Is(context.Cause(ctx), talks.ErrLost) {
		err = refused(codeLost)
	}
	return err
}

// call leads the call in a room that is ours to lead. Who calls is what the store says of the room, and nothing that the room says of itself: the owner's browser, where it has a pass, and else
// the one participant that came by SIP, of whom the gate wants the owner's number and code. A pass that cannot be looked for lets nobody in, and a browser's room without one has nobody to let in.
func (r *rooms) call(ctx context.Context, j worker.Job) error {
	ended, err := talks.New(r.a.Store.DB()).Ends(ctx) // before the pass is taken
	if err != nil {
		return refused(codePasses)
	}
	identity, err := r.passes.Take(ctx, r.a.o.Now(), j.Room)
	switch {
	case errors.Is(err, talks.ErrNone) && strings.HasPrefix(j.Room, invite.RoomPrefix):
		return refused(codeNoPass)
	case errors.Is(err, talks.ErrNone):
		identity = ""
	case err != nil || identity == "":
		return refused(codePasses)
	default:
		var stop context.CancelFunc
		ctx, stop = r.a.ends(ctx, ended)
		defer stop()
	}
	if identity == "" {
		defer r.telephones.Add(-1)
		if r.telephones.Add(1) > r.places(keptBrowsers) {
			return refused(codeTooMany)
		}
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
		if r.strangers.Add(1) > r.places(keptCalls) {
			return refused(codeTooMany)
		}
	}
	r.lead(ctx, leg, identity != "")
	return nil
}

// places is how many calls a process has where some are kept for others.
func (r *rooms) places(kept int) int64 { return int64(max(1, r.a.o.Config.LiveKit.MaxCalls-kept)) }

// room leads a call in a room.
func (p *calls) room(ctx context.Context, leg roomLeg, owner bool) {
	p.lead(ctx, leg, callIn(leg, owner, p.a.o.Config.Phone.Lang))
}

// callIn says what is special about a call in a room. A browser has no keys; a telephone has no screen.
func callIn(leg roomLeg, owner bool, l lang.Lang) agent.Call {
	c := agent.Call{Others: leg.Others}
	if owner {
		c.Owner, c.NoKeys, c.Screen = true, true, show.New(leg.Show, l)
	}
	return c
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
