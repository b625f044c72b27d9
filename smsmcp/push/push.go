package push

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// Desk is where the owner's answers arrive (confirm.Desk).
type Desk interface {
	Waiting(ctx context.Context) ([]smsmcp.Send, error)
	Yes(ctx context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error)
	No(ctx context.Context, id smsmcp.SendID, on smsmcp.Channel) (smsmcp.Send, error)
	Freeze(ctx context.Context, on smsmcp.Channel) error
	Frozen(ctx context.Context) (bool, error)
}

// Store keeps what buttons stand for (store.Store).
type Store interface {
	// AddTaps keeps taps, before the buttons leave.
	AddTaps(ctx context.Context, now time.Time, taps []smsmcp.Tap) error
	// UseTap marks a tap as used, once. Of one that was used before it gives the tap, and an error that is Options.Used; of one whose time is past the tap, and
	// Options.Late; of one that is not known, Options.NoTap.
	UseTap(ctx context.Context, now time.Time, hash [32]byte) (smsmcp.Tap, error)
	Send(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
	Unsettled(ctx context.Context) ([]smsmcp.Send, error) // in Reserved or Unknown
}

// Messenger brings notes to the owner's phone (ntfy.Client, of a topic that nobody reads without a token).
type Messenger interface {
	Publish(ctx context.Context, n smsmcp.Note) error
	// Check says whether it may be trusted with tokens: nil where nobody reads without leave what it brings, smsmcp.ErrNoLeave where it may not be. Any other error tells
	// nothing.
	Check(ctx context.Context) error
}

// Options are what an Asker is made of. All are needed but Address and Log; a duration left at zero has its default.
type Options struct {
	Desk      Desk
	Store     Store
	Messenger Messenger

	Used, Late, NoTap error // of Store

	Address string // of the page as the phone reaches it, such as https://texts.example.com; "" for none: then there are no buttons
	Now     func() time.Time
	Random  io.Reader  // for tokens: crypto/rand
	Rand    *rand.Rand // for jitter; used by Run alone
	Lang    lang.Lang
	Zone    *time.Location
	Log     *slog.Logger // ids, states and codes
	Observe smsmcp.Observe

	// ReceiptsOnly is of a process beside the one that asks: it gives receipts and warnings, and neither asks nor takes taps, nor tells of what others left. It needs no Desk, no
	// Random, and no errors of taps.
	ReceiptsOnly bool

	Every   time.Duration // between two looks at what waits, unless told of it: 5 s
	MinWait time.Duration // after the first failure; doubled for each that follows: 1 s
	MaxWait time.Duration // 30 s: a question is good for minutes
	Recheck time.Duration // between two checks of the messenger: 1 h
}

// Asker asks. Run is called once at a time; the other methods are safe for concurrent use.
type Asker struct {
	o    Options
	wake chan struct{}

	mu       sync.Mutex
	receipts []note // that wait to go, oldest first
	asked    map[smsmcp.SendID]bool
	pressed  map[smsmcp.SendID]bool // the yes of which is being given; true once the door has told how it came out
	state    state
	checked  time.Time // when the messenger was last found to be good; zero: not since it failed
	failures int       // in a row; owned by Run
}

// note is one that waits to go.
type note struct {
	smsmcp.Note
	unknown smsmcp.SendID // of a receipt that says of this send that nobody knows; else empty
}

type state struct {
	failure string
	since   time.Time
}

// maxReceipts bounds what waits while the messenger is down: the newest are kept.
const maxReceipts = 50

// New makes an asker.
func New(o Options) *Asker {
	for d, usual := range map[*time.Duration]time.Duration{&o.Every: 5 * time.Second, &o.MinWait: time.Second, &o.MaxWait: 30 * time.Second, &o.Recheck: time.Hour} {
		if *d <= 0 {
			*d = usual
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Asker{o: o, wake: make(chan struct{}, 1), asked: map[smsmcp.SendID]bool{}, pressed: map[smsmcp.SendID]bool{}}
}

// Tell is told of each send that waits or ended. It never blocks.
func (a *Asker) Tell(s smsmcp.Send) {
	defer a.nudge()
	if s.State == smsmcp.Waiting {
		return
	}
	priority := quiet
	a.mu.Lock()
	if _, pressed := a.pressed[s.ID]; pressed {
		a.pressed[s.ID], priority = true, loud
	}
	delete(a.asked, s.ID)
	a.mu.Unlock()
	if cutShort(s) {
		priority = loud
	}
	if worthTelling(s) {
		a.give(a.receipt(s, "", priority))
	}
}

// worthTelling says whether a send that ended has a receipt. Of what was refused at once the model is told, and nobody was asked; of a draft that was made on a call the
// owner hears there, but for what became of it once it was handed over.
func worthTelling(s smsmcp.Send) bool {
	if s.Only != smsmcp.NoChannel {
		return s.State == smsmcp.Done || s.State == smsmcp.Failed || s.State == smsmcp.Unknown
	}
	return s.State != smsmcp.Refused || !s.Expires.IsZero()
}

// Warn tells the owner of something that is no send: that somebody got in, or tries to. about names it for the next one of its kind to take its place: [a-z]{1,20}.
func (a *Asker) Warn(about, title, body string) {
	a.give(note{Note: smsmcp.Note{Sequence: "warn-" + about, Title: title, Body: body, Priority: loud, Tags: []string{tagAlarm}, Click: a.o.Address}})
}

func (a *Asker) nudge() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// give has a receipt go out soon. It takes the place of an older one of the same send that still waits.
func (a *Asker) give(n note) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.receipts {
		if a.receipts[i].Sequence == n.Sequence {
			a.receipts = append(a.receipts[:i], a.receipts[i+1:]...)
			break
		}
	}
	a.receipts = append(a.receipts, n)
	if over := len(a.receipts) - maxReceipts; over > 0 {
		a.receipts = a.receipts[over:]
	}
	a.nudge()
}

// Reachable says whether a question would reach the owner: the messenger was found to be good, and has not refused since for a reason that lasts. While
// it is only down, questions wait for it, as long as they are good. One of ReceiptsOnly asks nothing.
func (a *Asker) Reachable() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.o.ReceiptsOnly && a.o.Address != "" && !a.checked.IsZero()
}

// Part says how the asker stands.
func (a *Asker) Part() smsmcp.Part {
	a.mu.Lock()
	defer a.mu.Unlock()
	return smsmcp.Part{Name: "push", Failure: a.state.failure, Since: a.state.since}
}

// Run asks for what waits, and gives receipts, until ctx ends.
func (a *Asker) Run(ctx context.Context) {
	if !a.o.ReceiptsOnly {
		a.left(ctx)
	}
	for ctx.Err() == nil {
		err := a.step(ctx)
		if ctx.Err() != nil {
			return
		}
		a.stood(err)
		if err != nil {
			a.failures++
			pause(ctx, a.backOff(), nil)
			continue
		}
		a.failures = 0
		pause(ctx, a.o.Every, a.wake)
	}
}

// cutShort says that a crash took the outcome of a send.
func cutShort(s smsmcp.Send) bool {
	return s.State == smsmcp.Unknown && s.Failure == smsmcp.Interrupted
}

// left tells of the sends that were cut short before this start: nobody else does.
func (a *Asker) left(ctx context.Context) {
	all, err := a.o.Store.Unsettled(ctx)
	if err != nil {
		return // the step that follows finds the same, and says so
	}
	for _, s := range all {
		if cutShort(s) {
			a.give(a.receipt(s, "", loud))
		}
	}
}

// step does all that is to do.
func (a *Asker) step(ctx context.Context) error {
	if err := a.check(ctx); err != nil {
		return err
	}
	for {
		n, ok := a.next()
		if !ok {
			break
		}
		err := a.publish(ctx, n.Note)
		if err == nil {
			err = a.settled(ctx, n.unknown)
		}
		if err != nil {
			a.back(n)
			return err
		}
	}
	if a.o.ReceiptsOnly {
		return nil
	}
	waiting, err := a.o.Desk.Waiting(ctx)
	if err != nil {
		return err
	}
	still := map[smsmcp.SendID]bool{}
	var failed error
	for _, s := range waiting {
		if s.Only != smsmcp.NoChannel { // a button could not answer it
			continue
		}
		if still[s.ID] = true; a.has(s.ID) || errors.Is(failed, smsmcp.ErrDown) {
			continue
		}
		n, err := a.ask(ctx, s)
		if err == nil {
			err = a.publish(ctx, n)
		}
		if err != nil { // one question that is refused keeps no other
			failed = errors.Join(failed, err)
			continue
		}
		a.mu.Lock()
		a.asked[s.ID] = true
		a.mu.Unlock()
		a.o.Log.Info("the owner was asked", "id", s.ID)
	}
	return errors.Join(failed, a.over(ctx, still))
}

// settled gives another receipt of a send of which one has just said that nobody knows, where somebody does. Processes that share a store publish under the same names, and the one
// that came last stands: who learnt how it came out wrote it down first, and may have said so before that one came.
func (a *Asker) settled(ctx context.Context, id smsmcp.SendID) error {
	if id == "" {
		return nil
	}
	s, err := a.o.Store.Send(ctx, id)
	if err == nil && (s.State == smsmcp.Done || s.State == smsmcp.Failed) {
		a.give(a.receipt(s, "", quiet))
	}
	return err
}

// over gives a receipt for each question that is over without a word: it was withdrawn, or answered elsewhere. What expires is told of by the desk.
func (a *Asker) over(ctx context.Context, still map[smsmcp.SendID]bool) error {
	a.mu.Lock()
	var gone []smsmcp.SendID
	for id := range a.asked {
		if !still[id] {
			gone = append(gone, id)
		}
	}
	a.mu.Unlock()
	for _, id := range gone {
		s, err := a.o.Store.Send(ctx, id)
		if err != nil {
			return err
		}
		if s.State == smsmcp.Reserved {
			continue // it is with the carrier, and the door tells how it comes out
		}
		a.mu.Lock()
		asked := a.asked[id] // or Tell or a tap has said it meanwhile
		delete(a.asked, id)
		a.mu.Unlock()
		if asked && s.State != smsmcp.Waiting {
			a.give(a.receipt(s, "", quiet))
		}
	}
	return nil
}

func (a *Asker) has(id smsmcp.SendID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked[id]
}

// next takes the oldest receipt that waits.
func (a *Asker) next() (n note, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.receipts) == 0 {
		return n, false
	}
	n = a.receipts[0]
	a.receipts = a.receipts[1:]
	return n, true
}

// back puts a receipt that could not go to the front again, unless a newer one of the same send waits.
func (a *Asker) back(n note) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.receipts {
		if r.Sequence == n.Sequence {
			return
		}
	}
	a.receipts = append([]note{n}, a.receipts...)
}

// check asks the messenger whether it may be trusted, where that is not known. No token leaves before.
func (a *Asker) check(ctx context.Context) error {
	a.mu.Lock()
	good := a.checked
	a.mu.Unlock()
	now := a.o.Now()
	if d := now.Sub(good); !good.IsZero() && d >= 0 && d < a.o.Recheck {
		return nil
	}
	err := a.o.Messenger.Check(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case err == nil:
		a.checked = now
	case errors.Is(err, smsmcp.ErrNoLeave): // what is only down was good an hour ago
		a.checked = time.Time{}
	}
	return err
}

func (a *Asker) publish(ctx context.Context, n smsmcp.Note) error {
	err := a.o.Messenger.Publish(ctx, n)
	if errors.Is(err, smsmcp.ErrNoLeave) {
		a.mu.Lock()
		a.checked = time.Time{} // nothing is known to reach the owner, or who else it reaches
		a.mu.Unlock()
	}
	return err
}

// stood keeps how the last step went.
func (a *Asker) stood(err error) {
	failure := ""
	if err != nil {
		failure = "no_clear_answer"
		var c smsmcp.Coded
		if errors.As(err, &c) {
			failure = smsmcp.Reduce(c.Code())
		}
		a.o.Observe.Count(smsmcp.NtfyFailed, failure)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if failure == a.state.failure {
		return
	}
	a.state = state{failure, a.o.Now()}
	if failure != "" {
		a.o.Log.Warn("the owner's phone cannot be asked", "code", failure)
	} else {
		a.o.Log.Info("the owner's phone can be asked again")
	}
}

func (a *Asker) backOff() time.Duration {
	d := a.o.MaxWait
	if a.failures < 16 {
		d = min(d, a.o.MinWait<<(a.failures-1))
	}
	return d/2 + time.Duration(a.o.Rand.Float64()*float64(d/2))
}

// pause waits for d or until woken.
func pause(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-wake:
	}
}
