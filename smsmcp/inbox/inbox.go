// Package inbox is the one door in: what a carrier holds is stored before anything is done with it (invariant 8), and a stranger's words leave for
// a model only after the hold that they start is committed (invariant 9).
//
// One poller stores what the carrier lists, so that reads are local and go on while the carrier is down. Each sync also settles the sends of
// which nobody knew whether they went, where the carrier's own list leaves no doubt (invariant 7).
//
// Floor 3: imports smsmcp, smsmcp/signs and floor 0. It knows the store as [Store] and the carrier as smsmcp.Lister.
package inbox

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

// Store keeps texts, and says what is known of sends.
type Store interface {
	StoreTexts(ctx context.Context, now time.Time, texts []smsmcp.Text) (added []smsmcp.Text, err error)
	Receive(ctx context.Context, now time.Time, x smsmcp.Text) (added []smsmcp.Text, absorbed bool, err error) // absorbed: an unverified one was taken for one that is listed
	Texts(ctx context.Context, q smsmcp.Query) (smsmcp.Page, error)
	Show(ctx context.Context, s smsmcp.Shown) error
	Synced(ctx context.Context, s smsmcp.SyncState) error
	SyncState(ctx context.Context, carrier string) (smsmcp.SyncState, error)
	Unsettled(ctx context.Context) ([]smsmcp.Send, error)                                    // in Reserved or Unknown
	Unlisted(ctx context.Context, since time.Time) ([]smsmcp.Send, error)                    // failed as NotListed or OwnerSaid
	Unclaimed(ctx context.Context, to smsmcp.Number, since time.Time) ([]smsmcp.Text, error) // sent, and no send's own; oldest first
	Record(ctx context.Context, id smsmcp.SendID, o smsmcp.Outcome) (smsmcp.Send, error)
	Unconfirmed(ctx context.Context, since time.Time) (int, error) // received texts, stored since, of which nothing says yet who they are from; no voicemail
}

// Options are what a Box is made of. Store, Name, Now, Rand, Hold and Alarm are needed; a duration left at zero has its default.
type Options struct {
	Store   Store
	Name    string        // the carrier's
	Carrier smsmcp.Lister // nil where the carrier cannot list: then nothing is polled for, and unknown sends stay unknown
	Now     func() time.Time
	Rand    *rand.Rand   // for jitter; used by Run alone
	Log     *slog.Logger // counts and codes, never a body, a name or a number

	Settled func(smsmcp.Send) // told of each unknown send that was settled; must not block; may be nil
	Observe smsmcp.Observe    // may be nil

	Hold  time.Duration // after a stranger's words were shown
	Alarm time.Duration // after a shown text tripped an alarm

	Window      time.Duration // how far back each sync looks: 72 h
	Every       time.Duration // between two syncs, unless nudged: 30 s
	MinInterval time.Duration // between two syncs of the poller, however often it is nudged: 15 s
	Timeout     time.Duration // of one list: 30 s
	Grace       time.Duration // after which an unknown send has failed that the carrier does not list, nor anything that may be it: 15 min
}

// The limits that are not settings.
const (
	maxWindow  = 90 * 24 * time.Hour // voip.ms lists 92 days at most
	maxBackOff = 10 * time.Minute    // between two syncs of a carrier that is down
	skew       = 2 * time.Minute     // how far the carrier's clock may be from ours
	doubtful   = 7 * 24 * time.Hour  // how long an unsettled send widens the window, and one that was not listed is looked for
	recurring  = 24 * time.Hour      // how long lists lack something until it is taken for something that nobody will ever read
	overlap    = 24 * time.Hour      // a window widened after an outage begins so much before the last good sync: carriers list by whole days of their own zone
)

// Box is the one door in. Its methods are safe for concurrent use.
type Box struct {
	o     Options
	alarm func(p smsmcp.Peer, body untrusted.Text) bool
	nudge chan struct{} // holds a nudge that the poller has not answered yet
	turn  chan struct{} // full while somebody syncs
	inner chan struct{} // full while somebody is inside the carrier's List
	began atomic.Int64  // syncs that have begun
	ended int64         // the last sync that ended by itself; owned by whoever has the turn
	last  error         // how it went; owned so too

	state atomic.Pointer[smsmcp.SyncState] // as the store has it; nil until it was read. Only this box writes it

	woken chan struct{} // holds that plan has changed

	mu    sync.Mutex
	rung  map[words]bool // what alarm said of each text's words
	plan  schedule       // when the poller is to ask out of turn
	since time.Time      // when how syncs go last changed, as far as this box saw it; zero if it has not
}

// words names the words of a text. The list's may take the place of those that came first, and bring their own key.
type words struct {
	id  smsmcp.TextID
	key smsmcp.Key
}

// maxRung bounds what is remembered of alarms; past it all of it is forgotten, and asked again.
const maxRung = 8192

// New makes the door.
func New(o Options) *Box {
	for d, usual := range map[*time.Duration]time.Duration{
		&o.Window: 72 * time.Hour, &o.Every: 30 * time.Second, &o.MinInterval: 15 * time.Second, &o.Timeout: 30 * time.Second, &o.Grace: 15 * time.Minute,
	} {
		if *d <= 0 {
			*d = usual
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Settled == nil {
		o.Settled = func(smsmcp.Send) {}
	}
	return &Box{o: o, alarm: alarmed, nudge: make(chan struct{}, 1), woken: make(chan struct{}, 1), turn: make(chan struct{}, 1), inner: make(chan struct{}, 1)}
}
