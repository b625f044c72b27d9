package parts

import (
	"context"
	crand "crypto/rand"
	"slices"
	"sync"
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/store"
	"readback/voice"
	"readback/voice/agent"
	"readback/voice/gate"
	"readback/voice/line"
	"readback/voice/listen"
	"readback/voice/media/ear"
	"readback/voice/speak"
	"readback/voice/voicemail"
)

// calls is what answers calls.
type calls struct {
	a       *App
	engines *Engines
	gate    *gate.Gate
	agent   *agent.Agent
}

// conversation makes the conversation, with the engines of the configuration, once: whatever line or room a call comes by, there is one gate that counts its tries, and one agent.
func (a *App) conversation() (*calls, error) {
	if a.answers != nil {
		return a.answers, nil
	}
	c := a.o.Config
	engines, err := MakeEngines(c, a.o)
	if err != nil {
		return nil, err
	}
	a.closing = append(a.closing, engines.closing...)
	owners := make([]smsmcp.Number, len(c.Phone.Owners))
	for i, n := range c.Phone.Owners {
		owners[i] = smsmcp.Number(n)
	}
	// A draft that was made on a call takes its yes there alone.
	a.desk.Open(confirm.Channel{Name: smsmcp.Voice, Strong: true, Reachable: func() bool { return true }})
	knows := gate.New(gate.Options{
		Secrets: a.Store, None: store.ErrNoSecret, Owners: owners, Warn: a.warnPIN, Now: a.o.Now, Rand: crand.Reader, Log: a.o.Log,
		Alone: machine.Folder(c.Data).OneAtATime("pin"),
	})
	a.answers = &calls{a: a, engines: engines, gate: knows, agent: agent.New(agent.Options{
		Door: a.door, Desk: a.desk, Box: a.box, Book: a.Store, LLM: engines.LLM, Gate: knows,
		Voicemail: a.mailbox(), MaxMessage: c.Phone.MaxMessage.Duration,
		Lang: c.Phone.Lang, Zone: c.Zone, OwnerName: c.Phone.OwnerName, MaskCodes: c.Read.MaskCodes,
		Now: a.o.Now, Log: a.o.Log, Observe: a.metrics.Observe,
	})}
	return a.answers, nil
}

// mailbox gives what keeps what callers leave, and makes it once.
func (a *App) mailbox() *voicemail.Box {
	if a.mail == nil {
		folder := machine.Folder(a.o.Config.Data)
		a.mail = voicemail.New(voicemail.Options{Inbox: a.box, Folder: folder.Path(machine.VoicemailFolder), Alone: folder.OneAtATime("voicemail"), Log: a.o.Log})
	}
	return a.mail
}

// warnPIN has the owner's phone told that somebody tries PINs.
func (a *App) warnPIN(tries int) {
	if a.asker != nil {
		title, body := gate.Notice(a.o.Config.Lang, tries)
		a.asker.Warn("pin", title, body)
	}
}

// makeCalls makes what takes the calls of the owner's Asterisk. Where none are to be answered, callers hear at once that the number takes none.
func (a *App) makeCalls() error {
	c := a.o.Config
	if _, err := a.client(); err != nil {
		return err
	}
	a.mailbox() // also where no calls are answered any more: what was left before is still to become texts
	o := line.Options{
		Asterisk: a.asterisk, Local: c.Phone.Media, Name: c.Asterisk.Endpoint, Peer: a.peer, MaxCalls: c.Phone.MaxCalls, Now: a.o.Now, Log: a.o.Log,
	}
	if c.Phone.Answer {
		p, err := a.conversation()
		if err != nil {
			return err
		}
		o.Handle = func(ctx context.Context, leg voice.Leg) { p.lead(ctx, leg, agent.Call{}) }
		o.Known = func(id voice.CallerID) bool { return slices.Contains(c.Phone.Owners, id.Number) }
	}
	calls, err := line.New(o)
	a.calls = calls
	return err
}

// recoverMail stores the messages that callers left and the store did not take, in the run before, or in a worker that is gone. It comes back where it has to be done again sooner.
func (a *App) recoverMail(ctx context.Context) error {
	tick := time.NewTicker(a.every)
	defer tick.Stop()
	for {
		if err := a.mail.Recover(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// lead leads a call, to its end. call says what is special about it.
func (p *calls) lead(ctx context.Context, leg voice.Leg, call agent.Call) {
	c := &p.a.o.Config.Phone
	transcript, hears := voice.NewTranscript(p.a.o.Now)
	detector, done := p.engines.detectors.get()
	defer done()
	ears := listen.New(listen.Options{
		Leg: leg, VAD: detector, Ear: hears, STT: p.engines.STT, Lang: c.Lang, Now: p.a.o.Now,
		Limits: ear.Limits{Silence: c.Silence.Duration, Barge: c.BargeIn.Duration},
	})
	mouth := speak.New(speak.Options{Leg: leg, TTS: p.engines.TTS, Second: p.engines.Second, Now: p.a.o.Now})
	ctx, end := context.WithCancel(ctx)
	var both sync.WaitGroup
	defer both.Wait()
	defer end()
	both.Go(func() { p.ended(leg, guarded(func() error { return ears.Run(ctx) })) })
	both.Go(func() { p.ended(leg, guarded(func() error { return mouth.Run(ctx) })) })
	call.ID, call.Caller, call.Transcript, call.Ears, call.Mouth, call.HangUp = leg.ID(), leg.Caller(), transcript, ears, mouth, leg.HangUp
	p.agent.Answer(ctx, call)
}

// ended notes why a part of a call ended, where it was not the call.
func (p *calls) ended(leg voice.Leg, err error) {
	select {
	case <-leg.Done():
	default:
		if err != nil {
			p.a.o.Log.Warn("a part of a call ended", "call", leg.ID(), "code", codeOf(err))
		}
	}
}

// Talk leads a conversation that is typed, to its end. Who types has proved to be the owner.
func (a *App) Talk(ctx context.Context, c agent.Call) error {
	p, err := a.conversation()
	if err != nil {
		return err
	}
	c.Owner = true
	p.agent.Answer(ctx, c)
	return nil
}
