package sipmsg

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/voip/ari"
)

// Codes of the line's own.
const (
	CodeConnecting = "line_connecting" // it never stood yet, and nothing has failed
	CodeStore      = "line_store"      // what comes cannot be stored
	CodeCrashed    = "line_crashed"    // the handling of one event panicked
	CodeNotTrunk   = "not_trunk"       // of a message: ErrNotTrunk
	CodeNoText     = "no_text"         // of a message: ErrNoText
	codeLost       = "body_lost"       // of a message: ErrLost
)

// Events is what the line uses of an ari.Client.
type Events interface {
	Asker
	Run(ctx context.Context, l ari.Listener) error
	State() ari.State
}

// Inbox is where the line's texts go: an inbox.Box.
type Inbox interface {
	Receive(ctx context.Context, text smsmcp.Text) error // stored before it returns
	Expect()                                             // there may be something to list
}

// Calls is who takes the calls of the same connection. Neither method may wait for anything: Event is called by what reads the connection.
type Calls interface {
	Connected(ctx context.Context) error // after each connect; an error is logged by its code, and changes nothing for the texts
	Event(e ari.Event)                   // the events of channels, each as soon as it was read, before Connected has returned too
}

// LineOptions are what a [Line] is made of. All but Calls, Log and Observe are needed.
type LineOptions struct {
	Asterisk Events
	Carrier  *Carrier
	Inbox    Inbox
	Calls    Calls // nil: the events of channels are nobody's

	List    bool // a carrier's list has every text too: what comes by SIP is a claim until it does
	TLSOnly bool // without a list: the configuration says that Asterisk has no SIP transport but TLS

	Now     func() time.Time
	Rand    *rand.Rand // for jitter; used by Run alone
	Log     *slog.Logger
	Observe smsmcp.Observe
}

// Line keeps the event connection to Asterisk, and stores the texts that come by it. Run is called once at a time; Part at any time.
type Line struct {
	o LineOptions

	said tally // of the messages that are no texts; owned by Run

	looking sync.Mutex    // held by whoever asks Asterisk
	looked  chan struct{} // holds that somebody has

	mu       sync.Mutex
	verified bool      // Asterisk has said that what comes by the trunk is from its server
	why      string    // the code of why it had not, when it was last asked; empty if it had
	stuck    time.Time // since when what comes cannot be stored; zero if it can
}

// NewLine checks the options and makes the line. It does no I/O.
func NewLine(o LineOptions) (*Line, error) {
	if o.Asterisk == nil || o.Carrier == nil || o.Inbox == nil || o.Now == nil || o.Rand == nil {
		return nil, errors.New("sipmsg: Asterisk, Carrier, Inbox, Now and Rand are needed")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Line{o: o, said: tally{}, looked: make(chan struct{}, 1)}, nil
}

// Part says how the line stands.
func (l *Line) Part() smsmcp.Part {
	s := l.o.Asterisk.State()
	p := smsmcp.Part{Name: "line", Since: s.Since}
	if !s.Up {
		if p.Failure = s.Failure; p.Failure == "" {
			p.Failure = CodeConnecting
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stuck.IsZero() {
		p.Failure, p.Since = CodeStore, l.stuck
	}
	return p
}
