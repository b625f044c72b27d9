package agent

import (
	"context"
	"io"
	"log/slog"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/gate"
	"readback/voice/voicemail"
)

// Door is the one way out (dispatch.Door).
type Door interface {
	Send(ctx context.Context, r dispatch.Request) (dispatch.Answer, error)
	Check(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
	Cancel(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
}

// Desk takes the owner's spoken answer (confirm.Desk).
type Desk interface {
	Spoken(ctx context.Context, id smsmcp.SendID, digest [32]byte, answer untrusted.Text) (smsmcp.Send, error)
	No(ctx context.Context, id smsmcp.SendID, on smsmcp.Channel) (smsmcp.Send, error)
	Freeze(ctx context.Context, on smsmcp.Channel) error
}

// Box is the one way in (inbox.Box): it has committed what it shows, and the holds that follow, before it returns.
type Box interface {
	Read(ctx context.Context, r inbox.Request) (inbox.Answer, error)
}

// Book is the owner's contacts (store.Store).
type Book interface {
	Contacts(ctx context.Context) ([]smsmcp.Contact, error)
}

// Gate knows the owner (gate.Gate).
type Gate interface {
	Known(c voice.CallerID) bool
	Try(ctx context.Context, call, pin string) (gate.Answer, error)
}

// Voicemail keeps what strangers leave (voicemail.Box).
type Voicemail interface {
	Keep(ctx context.Context, m voicemail.Message) error
}

// Options are what an Agent is made of. All are needed but OwnerName, MaskCodes, MaxMessage, Rand, Log and Observe.
type Options struct {
	Door      Door
	Desk      Desk
	Box       Box
	Book      Book
	Gate      Gate
	Voicemail Voicemail
	LLM       voice.LLM

	Lang      lang.Lang      // that a call begins in
	Zone      *time.Location // of the owner
	OwnerName string         // as a stranger is told it, and the model; empty: neither is
	MaskCodes bool           // one-time codes are neither shown to the model nor read aloud

	MaxMessage time.Duration // of a stranger's message; 0 is 2 min

	Now     func() time.Time // the clock that the transcripts have, too
	Rand    io.Reader        // of the frame's tags; nil is crypto/rand
	Log     *slog.Logger     // ids, states and codes, never a word
	Observe smsmcp.Observe   // counts calls and what became of drafts
}

// Call is one call.
type Call struct {
	ID         string // ours, for the log and the scope of holds
	Caller     voice.CallerID
	Transcript *voice.Transcript // the ears hold its Ear
	Ears       voice.Ears
	Mouth      voice.Mouth
	HangUp     voice.HangUp
	Owner      bool // the caller is known to be the owner by other means than a telephone: no code is asked for

	NoKeys bool         // the caller has no keys to press: none is named, and none is heard
	Screen voice.Screen // shows the call to the owner; nil where there is none
	Others func() int   // how many are connected besides the caller and us, for the owner to be told, and since no code is asked for then; must not block, and may be called from several goroutines. nil where there is nobody ever
}

// Agent answers calls. It may answer several at once.
type Agent struct{ o Options }

// New makes an agent.
func New(o Options) *Agent {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = usualMessage
	}
	return &Agent{o}
}

// Answer answers a call, and returns when it is over and all that it began has ended: a dispatch after a yes is recorded by then, and a message is kept. Ending ctx ends the call.
func (a *Agent) Answer(ctx context.Context, c Call) {
	k := newConversation(ctx, a.o, c)
	k.loop()
	k.end()
}
