package inbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"readback/smsmcp"
)

// Errors of a sync.
var (
	ErrCarrier = errors.New("the carrier could not be asked for its texts")
	ErrStore   = errors.New("the texts could not be stored")

	errHanging = errors.New("an earlier list of the carrier has not come back")
	errPanic   = errors.New("the carrier's client crashed")
)

// Run syncs at once, then every so often, and sooner when nudged or woken by what came, until ctx ends. A carrier that fails is asked less and less
// often, never less than every 10 minutes; how it went is kept in the store for the reader.
func (b *Box) Run(ctx context.Context) {
	if b.o.Carrier == nil {
		<-ctx.Done()
		return
	}
	failures, woken := 0, false
	for goOn := true; goOn; {
		down := false
		switch err := b.poll(ctx, woken); {
		case err == nil:
			failures = 0
		case errors.Is(err, smsmcp.ErrPartial):
			failures = 1 // one text that cannot be read must not make all others late
		default:
			failures++
			down = true
		}
		woken, goOn = b.rest(ctx, b.pause(failures), down)
	}
}

// pause is how long after a sync the next one comes by itself.
func (b *Box) pause(failures int) time.Duration {
	if failures == 0 {
		return b.o.Every
	}
	most := max(b.o.Every, maxBackOff)
	d := most
	if failures < 16 {
		d = min(most, b.o.Every<<failures)
	}
	return d/2 + time.Duration(b.o.Rand.Float64()*float64(d/2))
}

// Nudge asks the poller for a sync soon. It never blocks; many nudges are one.
func (b *Box) Nudge() {
	select {
	case b.nudge <- struct{}{}:
	default:
	}
}

// Sync stores what the carrier holds now, whenever the last sync was. Calls that come while one runs share the next. The error is ErrCarrier
// or ErrStore, and nothing is lost by it: the next sync looks as far back as the last good one.
func (b *Box) Sync(ctx context.Context) error {
	if b.o.Carrier == nil {
		return nil
	}
	mine := b.began.Load() + 1
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if b.ended >= mine {
		return b.last
	}
	n := b.began.Add(1)
	err := b.sync(ctx)
	if ctx.Err() == nil { // one that its caller broke off is nobody else's
		b.ended, b.last = n, err
	}
	return err
}

func (b *Box) sync(ctx context.Context) error {
	begin := b.o.Now().UTC()
	state, err := b.synced(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	unsettled, err := b.o.Store.Unsettled(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	from := b.from(begin, state, unsettled)
	texts, missing := b.ask(ctx, from, begin.Add(overlap))
	partial := errors.Is(missing, smsmcp.ErrPartial)
	if missing != nil && ctx.Err() == nil {
		b.o.Observe.Count(smsmcp.CarrierFailed, code(missing))
	}
	if missing != nil && !partial {
		return b.failed(ctx, begin, state, code(missing), fmt.Errorf("%w: %w", ErrCarrier, missing))
	}
	added, err := b.o.Store.StoreTexts(ctx, begin, texts)
	if err != nil {
		return b.failed(ctx, begin, state, "store_failed", fmt.Errorf("%w: %w", ErrStore, err))
	}
	b.stored(begin, added)
	if partial { // what came is stored, and the next sync looks as far back again
		if state.Asked = begin; state.Partial.IsZero() || state.Partial.After(begin) {
			state.Partial = begin
		}
		err := b.failed(ctx, begin, state, code(missing), fmt.Errorf("%w: %w", ErrCarrier, missing))
		return errors.Join(err, b.reconcile(ctx, begin, from, unsettled, true))
	}
	if err := b.keep(ctx, smsmcp.SyncState{Carrier: b.o.Name, Good: begin, Asked: begin, Tried: begin}); err != nil {
		return err
	}
	if len(added) > 0 || state.Failure != "" {
		b.o.Log.Info("sync", "listed", len(texts), "new", len(added))
	}
	return b.reconcile(ctx, begin, from, unsettled, false)
}

// keep writes down how a sync went. The reader is told even where that fails.
func (b *Box) keep(ctx context.Context, s smsmcp.SyncState) error {
	if old := b.state.Swap(&s); old != nil && old.Failure != s.Failure {
		b.mu.Lock()
		b.since = s.Tried
		b.mu.Unlock()
	}
	if err := b.o.Store.Synced(ctx, s); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	return nil
}

// from is where a sync's window begins: its usual length ago, but no later than the last good sync or the oldest unknown send of the last days,
// with room for the carrier's clock, and no further back than carriers answer. A good sync in the future was by a clock that has been set right
// since: nobody knows when it was.
//
// Where the lists have lacked something for more than a day, it is the last that came that counts, and the usual length before it: what could be read
// is stored, and one row that never can be must not have the carrier asked for more each day.
func (b *Box) from(begin time.Time, state smsmcp.SyncState, unsettled []smsmcp.Send) time.Time {
	from := begin.Add(-b.o.Window)
	earlier := func(t time.Time) {
		if t.Before(from) {
			from = t
		}
	}
	first := begin.Add(-max(maxWindow, b.o.Window))
	last, before := state.Good, overlap
	if last.IsZero() || !state.Partial.IsZero() && state.Asked.Sub(state.Partial) > recurring {
		last, before = state.Asked, max(b.o.Window, overlap)
	}
	if last.After(begin.Add(skew)) {
		return first
	}
	if !last.IsZero() {
		earlier(last.Add(-before))
	}
	for _, s := range unsettled {
		if s.State == smsmcp.Unknown && begin.Sub(s.Reserved) <= doubtful {
			earlier(s.Reserved.Add(-overlap))
		}
	}
	if from.Before(first) {
		return first
	}
	return from
}

// ask lists the carrier's texts, for Timeout at most. The carrier is told to end a little earlier, so that it can still give what it has. A List
// that does not heed its context is left behind, and no other is begun until it has come back.
func (b *Box) ask(ctx context.Context, from, to time.Time) ([]smsmcp.Text, error) {
	ctx, cancel := context.WithTimeout(ctx, b.o.Timeout)
	defer cancel()
	select {
	case b.inner <- struct{}{}:
	case <-ctx.Done():
		return nil, errHanging
	}
	type answer struct {
		texts []smsmcp.Text
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		a := answer{err: errPanic}
		told, done := context.WithTimeout(ctx, b.o.Timeout-b.o.Timeout/15)
		defer func() {
			_ = recover() // a crash on a text that a stranger wrote must not end the server again and again
			done()
			<-b.inner
			got <- a
		}()
		texts, err := b.o.Carrier.List(told, from, to)
		a = answer{texts, err}
	}()
	select {
	case a := <-got:
		return a.texts, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// failed keeps how a sync failed beside what is known of those before, unless the caller broke it off.
func (b *Box) failed(ctx context.Context, begin time.Time, state smsmcp.SyncState, code string, err error) error {
	if ctx.Err() != nil {
		return err
	}
	b.o.Log.Warn("sync failed", "code", code)
	state.Carrier, state.Tried, state.Failure = b.o.Name, begin, code
	if e := b.keep(ctx, state); e != nil {
		return errors.Join(err, e)
	}
	return err
}

// code keeps of a foreign error a known form only (invariant 13).
func code(err error) string {
	var c smsmcp.Coded
	switch {
	case errors.As(err, &c):
		return smsmcp.Reduce(c.Code())
	case errors.Is(err, context.DeadlineExceeded):
		return "time_out"
	case errors.Is(err, errHanging):
		return "hanging"
	case errors.Is(err, errPanic):
		return "client_crashed"
	case errors.Is(err, smsmcp.ErrDown):
		return "down"
	case errors.Is(err, smsmcp.ErrPartial):
		return "partial"
	}
	return "no_clear_answer"
}

// Receive stores a text that a carrier pushed, before it returns: only then may it be acknowledged (invariant 8). Of one that is new, and unverified, the
// carrier's list is asked for at once, and again after 2, 5, 15 and 60 s, until it has it; or for that minute where it was taken for a listed one that is like it.
func (b *Box) Receive(ctx context.Context, text smsmcp.Text) error {
	now := b.o.Now().UTC()
	added, absorbed, err := b.o.Store.Receive(ctx, now, text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	b.stored(now, added)
	if absorbed { // the list may come to have two
		b.Expect()
	}
	return nil
}
