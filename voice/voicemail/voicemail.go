// Package voicemail makes a text of what a caller left: its sound is kept in a file, and the text is stored before the caller is forgotten (invariant 8).
//
// It is a stranger's text, whatever number the line told: that number is a claim. So it has no contact's name, is paired with no text of a carrier's list, and stops
// nothing; see smsmcp.Voicemail.
//
// Floor 3: imports smsmcp, voice, voice/media and floor 0. It knows the inbox as [Inbox].
package voicemail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

// Carrier is what the key of a voicemail names as its carrier.
const Carrier = "phone"

// ErrStore says that a voicemail's text could not be stored. Its sound is kept, if it could be.
var ErrStore = errors.New("voicemail: the text could not be stored")

// Inbox stores a text before it returns (inbox.Box).
type Inbox interface {
	Receive(ctx context.Context, text smsmcp.Text) error
}

// Options are what a Box is made of. Inbox and Folder are needed.
type Options struct {
	Inbox  Inbox
	Folder string // where sounds are kept, such as voicemail in the data folder; made when the first one comes
	Most   int64  // bytes of all sounds together; past it a text is kept without its sound. 0 is 500 MB
	Log    *slog.Logger
}

const (
	usualMost = 500_000_000
	storeFor  = 30 * time.Second // how long a text may take to be stored, whatever becomes of the call
)

// Message is what a caller left.
type Message struct {
	Call   string         // the call's id, [voice.Leg.ID]: no other call's, ever
	Caller voice.CallerID // as the line tells it
	At     time.Time      // when it was left
	Sound  voice.Frame    // may be empty, where the leg brings none
	Words  untrusted.Text // as a program heard them; empty: not transcribed
}

// Box keeps what callers leave. Its methods are safe for concurrent use.
type Box struct {
	o  Options
	mu sync.Mutex // held while a sound is written: their sizes are counted
}

// New makes a box.
func New(o Options) *Box {
	if o.Most <= 0 {
		o.Most = usualMost
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Box{o: o}
}

// Keep keeps a message: its text is stored when Keep returns nil, and ErrStore says that it is not. It goes on when ctx ends, since callers hang up; it may be tried
// again with the same message, which is stored once. A call in which nothing was said is no message, and leaves nothing: see [Silent].
func (b *Box) Keep(ctx context.Context, m Message) error {
	if Silent(m) {
		b.o.Log.InfoContext(ctx, "a call left nothing", "call", m.Call)
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeFor)
	defer cancel()
	x := smsmcp.Text{
		Key: smsmcp.Key{Carrier: Carrier, Kind: smsmcp.Voicemail, ID: m.Call}, Direction: smsmcp.Received,
		Body: m.Words, At: m.At.UTC().Truncate(time.Second), Unverified: true,
	}
	if n, err := smsmcp.ParseNumber(m.Caller.Number); err == nil {
		x.Peer = smsmcp.NumberPeer(n)
	}
	kept := true
	if len(m.Sound.Samples) > 0 {
		if err := b.sound(m); err != nil {
			kept = false
			b.o.Log.WarnContext(ctx, "a voicemail is kept without its sound", "call", m.Call, "code", codeOf(err))
		}
	}
	x.Delivery = smsmcp.VoicemailDelivery(m.Sound.Duration(), kept)
	if err := b.o.Inbox.Receive(ctx, x); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	return nil
}
