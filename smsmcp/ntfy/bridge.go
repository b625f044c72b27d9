package ntfy

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
)

// Store keeps what is owed; package store says what each method does.
type Store interface {
	Owed(ctx context.Context) (smsmcp.Owed, error)
	Pace(ctx context.Context, x smsmcp.Text, from, to time.Time) (smsmcp.Pace, error)
	Told(ctx context.Context, now time.Time, id smsmcp.TextID) error
	ToldClaim(ctx context.Context, now time.Time, id smsmcp.TextID) error
	Hold(ctx context.Context, x smsmcp.Text, due time.Time) error
	HoldStrangers(ctx context.Context, due time.Time) error
	HoldAllBut(ctx context.Context, keep int, due time.Time) error
	Summary(ctx context.Context) (smsmcp.Summary, error)
	Summed(ctx context.Context, now time.Time, last smsmcp.TextID) error
}

// Options are what a Bridge is made of. Store, Client, Now and Rand are needed; what is left at zero has its default.
type Options struct {
	Store   Store
	Client  *Client
	Now     func() time.Time
	Rand    *rand.Rand     // for jitter; used by Run alone
	Log     *slog.Logger   // codes and counts, never a body, a name or a number
	Observe smsmcp.Observe // counts what ntfy took and where it failed; may be nil
	Lang    lang.Lang
	Hide    bool // tell who wrote, and never what

	// The limits on a flood. What comes past them is stored, and told of in one summary, Window after it began.
	PerSender int           // texts of one sender told of one by one within Window: 20
	InAll     int           // those of all strangers, and those of all contacts, each: 60. So strangers cannot keep the owner from hearing of contacts
	Window    time.Duration // 10 min; 12 h at most

	// After an outage, where more than Backlog texts wait and the oldest is older than Late, one summary tells of all but the Newest.
	Backlog int           // 20
	Newest  int           // 5
	Late    time.Duration // 1 min

	MinWait time.Duration // after the first failure; doubled for each that follows: 1 s
	MaxWait time.Duration // 5 min
	Every   time.Duration // between two looks into the outbox, unless nudged: 30 s
}

// authWait is the least wait after the token was refused: ntfy locks an address out after 30 of these.
const authWait = time.Minute

// checkEvery is how long it is believed of a topic that nobody can read it without a token.
const checkEvery = time.Hour

// apart is the least time between a claim and its name: ntfy's times are whole seconds, and a telephone that was away takes the first of two of one second for the newest.
const apart = 2 * time.Second

// maxWindow is well within the time for which the store remembers what was told.
const maxWindow = 12 * time.Hour

// patience is how often ntfy may fail at a text before it is tried without its words too: they may be what it fails at.
const patience = 2

// State is how the bridge stands.
type State struct {
	Failure string    // the code of what keeps notifications from going; empty if nothing does
	Since   time.Time // when that last changed; zero if it never has
}

// Bridge tells of what is owed. Run is called once at a time; the other methods are safe for concurrent use.
type Bridge struct {
	o        Options
	nudge    chan struct{}
	failures int                         // in a row; owned by Run
	unmarked func(context.Context) error // the mark of what ntfy has, where it could not be written; owned by Run
	checked  time.Time                   // when the topic was last found closed; zero if that is to be asked before the next notification; owned by Run
	claimed  time.Time                   // when an unverified text was told of last; owned by Run
	later    bool                        // a name could not be given, and waits for its time; owned by Run

	mu    sync.Mutex
	state State
}

// New makes a bridge.
func New(o Options) *Bridge {
	for d, usual := range map[*time.Duration]time.Duration{
		&o.Window: 10 * time.Minute, &o.Late: time.Minute, &o.MinWait: time.Second, &o.MaxWait: 5 * time.Minute, &o.Every: 30 * time.Second,
	} {
		if *d <= 0 {
			*d = usual
		}
	}
	o.Window = min(o.Window, maxWindow)
	for n, usual := range map[*int]int{&o.PerSender: 20, &o.InAll: 60, &o.Backlog: 20, &o.Newest: 5} {
		if *n <= 0 {
			*n = usual
		}
	}
	o.Newest = min(o.Newest, o.Backlog)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Bridge{o: o, nudge: make(chan struct{}, 1)}
}

// Nudge says that something may be owed. It never blocks; many nudges are one.
func (b *Bridge) Nudge() {
	select {
	case b.nudge <- struct{}{}:
	default:
	}
}

// State says how the bridge stands.
func (b *Bridge) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// Part is State as a part of the running program.
func (b *Bridge) Part() smsmcp.Part {
	s := b.State()
	return smsmcp.Part{Name: "bridge", Failure: s.Failure, Since: s.Since}
}

// Run tells of what is owed until ctx ends. A nudge does not shorten the wait after a failure, but for one to give a name: what it may nudge for does not wait for a name.
func (b *Bridge) Run(ctx context.Context) {
	b.checked = time.Time{}
	for ctx.Err() == nil {
		did, err := b.step(ctx)
		if ctx.Err() != nil {
			return
		}
		b.note(did.well, err)
		if err != nil {
			b.failures++
		}
		switch {
		case err != nil && did.name:
			b.later = !wait(ctx, b.backOff(err), b.nudge)
		case err != nil:
			wait(ctx, b.backOff(err), nil)
		case did.idle > 0:
			b.later = !wait(ctx, did.idle, b.nudge) && b.later
		case did.well:
			b.later = false
		}
	}
}

// step is what was done.
type step struct {
	idle time.Duration // nothing: it is how long to wait
	well bool          // ntfy took a notification, or nothing is to be done and it was found well
	name bool          // it was to give a name
}

// step does the one thing that is next.
func (b *Bridge) step(ctx context.Context) (step, error) {
	if b.unmarked != nil {
		if err := b.unmarked(ctx); err != nil {
			return step{}, err
		}
		b.unmarked = nil
	}
	now := b.o.Now()
	owed, err := b.o.Store.Owed(ctx)
	switch {
	case err != nil:
		return step{}, err
	case owed.Waiting > b.o.Backlog && b.late(now, owed): // before the summary, so that one tells of all
		return step{}, b.o.Store.HoldAllBut(ctx, b.o.Newest, now)
	}
	asked, err := b.check(ctx, now)
	switch {
	case err != nil:
		return step{}, err
	case owed.Held > 0 && b.left(now, owed.Due) <= 0:
		return step{well: true}, b.summarise(ctx, owed.Due)
	case owed.First == nil && owed.Known != nil && !b.later && now.Sub(b.claimed).Abs() < apart:
		return step{idle: apart - now.Sub(b.claimed).Abs()}, nil
	case owed.First == nil && owed.Known != nil && !b.later:
		return step{well: true, name: true}, b.name(ctx, notice{row: owed.Known, stored: owed.KnownStored, again: true})
	case owed.First == nil && owed.Held > 0:
		return step{idle: min(b.left(now, owed.Due), b.o.Every), well: asked && owed.Known == nil}, nil
	case owed.First == nil:
		return step{idle: b.o.Every, well: asked && owed.Known == nil}, nil
	}
	over, err := b.over(ctx, now, owed.First)
	if over || err != nil {
		return step{}, err
	}
	return step{well: true}, b.tell(ctx, notice{row: owed.First, stored: owed.Stored})
}

// check asks, where it is time to, whether the topic can be read by nobody who may not. While that cannot be said, nothing is published.
func (b *Bridge) check(ctx context.Context, now time.Time) (asked bool, err error) {
	if !b.checked.IsZero() && now.Sub(b.checked).Abs() < checkEvery {
		return false, nil
	}
	if err := b.o.Client.Check(ctx); err != nil {
		b.failed(ctx, err)
		return true, err
	}
	b.checked = now
	return true, nil
}

// publish hands a message over. After a failure the topic is to be asked of anew: who knows what was done to ntfy.
func (b *Bridge) publish(ctx context.Context, m message) error {
	err := b.o.Client.publish(ctx, m)
	if err != nil {
		b.failed(ctx, err)
	}
	return err
}

func (b *Bridge) failed(ctx context.Context, err error) {
	b.checked = time.Time{}
	if ctx.Err() == nil {
		b.o.Observe.Count(smsmcp.NtfyFailed, codeOf(err))
	}
}

// left is the time until a summary is due. One that seems further off than it can be is due: the clock was set back.
func (b *Bridge) left(now, due time.Time) time.Duration {
	if d := due.Sub(now); d <= b.o.Window {
		return d
	}
	return 0
}

// late says whether the oldest text that waits has waited long, here or at its carrier.
func (b *Bridge) late(now time.Time, o smsmcp.Owed) bool {
	return now.Sub(o.Stored).Abs() > b.o.Late || now.Sub(o.First.Text.At) > b.o.Late
}

// over says whether a text is past the limits on a flood, or behind one of its sender that is: then it is held back, with all that are so for the same
// reason. What was told in a future further off than Window counts no more: a clock that was set back by a day must not keep the owner from hearing for a day.
func (b *Bridge) over(ctx context.Context, now time.Time, r *smsmcp.Row) (bool, error) {
	pace, err := b.o.Store.Pace(ctx, r.Text, now.Add(-b.o.Window), now.Add(b.o.Window))
	due := now.Add(b.o.Window)
	switch {
	case err != nil:
		return false, err
	case pace.Kind >= b.o.InAll && !frame.Known(r):
		return true, b.o.Store.HoldStrangers(ctx, due)
	case pace.Held || pace.Sender >= b.o.PerSender || pace.Kind >= b.o.InAll:
		return true, b.o.Store.Hold(ctx, r.Text, due)
	}
	return false, nil
}

// tell gives the notification of a text that waits.
func (b *Bridge) tell(ctx context.Context, n notice) error {
	if err := b.give(ctx, n); err != nil {
		return err
	}
	b.o.Observe.Count(smsmcp.Notified, "text")
	if n.row.Text.Unverified {
		// What became known while ntfy was told is owed its name: the mark itself looks, since nothing can come between the two.
		b.claimed = b.o.Now()
		return b.mark(ctx, func(ctx context.Context) error { return b.o.Store.ToldClaim(ctx, b.o.Now(), n.row.Text.ID) })
	}
	return b.told(ctx, n.row.Text.ID)
}

// name gives the notification of a text that was told of as unverified anew, with the name of the contact whose it is.
func (b *Bridge) name(ctx context.Context, n notice) error {
	if frame.Known(n.row) { // else there is none to give any more
		if err := b.give(ctx, n); err != nil {
			return err
		}
		b.o.Observe.Count(smsmcp.Notified, "name")
	}
	return b.told(ctx, n.row.Text.ID)
}

// give publishes the notification of a text, without its words where ntfy takes it no other way.
func (b *Bridge) give(ctx context.Context, n notice) error {
	topic := b.o.Client.c.Topic
	err := b.publish(ctx, ofText(topic, n, b.o.Lang, b.o.Hide))
	if err != nil && !b.o.Hide && b.wordsMayBeWhy(err) {
		if b.publish(ctx, ofText(topic, n, b.o.Lang, true)) == nil {
			b.o.Log.Warn("ntfy took a text without its words alone", "code", codeOf(err))
			err = nil
		}
	}
	return err
}

func (b *Bridge) told(ctx context.Context, id smsmcp.TextID) error {
	return b.mark(ctx, func(ctx context.Context) error { return b.o.Store.Told(ctx, b.o.Now(), id) })
}

// wordsMayBeWhy says that ntfy may take the notification of a text without its words: it has other limits than its usual ones, say.
func (b *Bridge) wordsMayBeWhy(err error) bool {
	switch codeOf(err) {
	case CodeTooLarge, CodeRefused:
		return true
	case CodeServer:
		return b.failures >= patience
	}
	return false
}

func (b *Bridge) summarise(ctx context.Context, due time.Time) error {
	s, err := b.o.Store.Summary(ctx)
	if err != nil {
		return err
	}
	if err := b.publish(ctx, ofSummary(b.o.Client.c.Topic, s, due, b.o.Lang)); err != nil {
		return err
	}
	b.o.Observe.Count(smsmcp.Notified, "summary")
	return b.mark(ctx, func(ctx context.Context) error { return b.o.Store.Summed(ctx, b.o.Now(), s.Last) })
}

// mark writes down that ntfy has a notification, even while the program ends. Where that fails it is what is tried next, and the notification is not given again.
func (b *Bridge) mark(ctx context.Context, write func(context.Context) error) error {
	err := write(context.WithoutCancel(ctx))
	if err != nil {
		b.unmarked = write
	}
	return err
}

// note keeps how the last step went. A failure of ntfy's is over once ntfy took something, or nothing is to be told and ntfy is well.
func (b *Bridge) note(well bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	failure := ""
	switch {
	case err != nil:
		failure = codeOf(err)
	case well || b.state.Failure == CodeStore:
		b.failures = 0
	default:
		return
	}
	if failure == b.state.Failure {
		return
	}
	b.state = State{Failure: failure, Since: b.o.Now()}
	if failure != "" {
		b.o.Log.Warn("notifications wait", "code", failure)
	} else {
		b.o.Log.Info("notifications go again")
	}
}

// backOff is the wait after a failure: longer each time, never as long for two bridges, and no shorter than ntfy asked for.
func (b *Bridge) backOff(err error) time.Duration {
	most := b.o.MaxWait
	d := most
	if b.failures < 20 {
		d = min(most, b.o.MinWait<<(b.failures-1))
	}
	var e *Error
	if errors.As(err, &e) && (e.code == CodeUnauthorized || e.code == CodeForbidden) {
		d = max(d, min(authWait, most))
	}
	d = d/2 + time.Duration(b.o.Rand.Float64()*float64(d/2))
	if e != nil {
		d = max(d, e.after)
	}
	return d
}

// wait waits for d or until woken, and says whether d is over.
func wait(ctx context.Context, d time.Duration, wake <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
	case <-wake:
	}
	return false
}
