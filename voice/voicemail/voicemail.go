// Package voicemail makes a text of what a caller left: its sound is kept in a file, and the text is stored before the caller is forgotten (invariant 8);
// where it cannot be, a note beside the sound has all that the text needs, and the next start stores it.
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

// Errors.
var (
	ErrStore  = errors.New("voicemail: the text could not be stored") // yet: all of it is on the disk, and [Box.Recover] stores it, unless it is ErrLost too
	ErrLost   = errors.New("voicemail: nothing could be kept")        // with ErrStore
	ErrFolder = errors.New("voicemail: the folder cannot be read")
)

// Inbox stores a text before it returns (inbox.Box).
type Inbox interface {
	Receive(ctx context.Context, text smsmcp.Text) error
}

// Options are what a Box is made of. Inbox and Folder are needed.
type Options struct {
	Inbox  Inbox
	Folder string // where sounds are kept, such as voicemail in the data folder; made when the first one comes
	Most   int64  // bytes of all files together. For a new sound beyond it, the oldest sounds of whoever left most go, and their texts say so. 0 is 500 MB
	Log    *slog.Logger
	// Alone has the processes that share Folder change it one at a time: it waits for this one's turn, or for the end of ctx, and the turn lasts until it is released. nil: no other
	// process shares it.
	Alone func(ctx context.Context) (release func(), err error)
}

const (
	usualMost = 500_000_000
	storeFor  = 30 * time.Second // how long a text may take to be stored, whatever becomes of the call
	tellFor   = 5 * time.Second  // how long a message that comes may be kept back by the text of one whose sound gave way
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
	o    Options
	mu   sync.Mutex // held while the folder's files change: their sizes are counted
	told sync.Map   // by the name of its file, what is known of a note: soundKept, soundGone or unreadable
}

// alone takes the folder for this one, among the goroutines of this process and then among the processes that share it.
func (b *Box) alone(ctx context.Context) (release func(), err error) {
	b.mu.Lock()
	if b.o.Alone == nil {
		return b.mu.Unlock, nil
	}
	others, err := b.o.Alone(ctx)
	if err != nil {
		b.mu.Unlock()
		return nil, err
	}
	return func() { others(); b.mu.Unlock() }, nil
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

// Keep keeps a message: its text is stored when Keep returns nil. Where the error is ErrStore, and not ErrLost, it is on the disk and will be a text; with ErrLost it is nowhere.
// It goes on when ctx ends, since callers hang up; it may be tried again with the same message, which is stored once. A call in which nothing was said is no message,
// and leaves nothing: see [Silent].
func (b *Box) Keep(ctx context.Context, m Message) error {
	if Silent(m) {
		b.o.Log.InfoContext(ctx, "a call left nothing", "call", m.Call)
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeFor)
	defer cancel()
	n := noteOf(m)
	noSound, nothing := b.hold(ctx, n, m)
	if noSound != nil {
		b.o.Log.WarnContext(ctx, "a voicemail is kept without its sound", "call", m.Call, "code", codeOf(noSound))
	}
	err := b.tell(ctx, n)
	switch {
	case err != nil && nothing != nil:
		return fmt.Errorf("%w: %w", ErrLost, err)
	case err != nil && noSound != nil && n.Words == "": // a text that says no more than that somebody called
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}
