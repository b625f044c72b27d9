package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/store"
)

// bench is a door on a real store, with a carrier, a clock and a channel that the test sets.
type bench struct {
	t       *testing.T
	store   *store.Store
	ledger  dispatch.Ledger // store, unless a test puts something in front
	carrier *carrier
	door    *dispatch.Door
	guard   guard.Settings
	mu      sync.Mutex
	now     time.Time
	open    bool // a strong channel can be reached
	told    []smsmcp.Send
	counts  map[string]int // events, "event label"
}

type carrier struct {
	mu   sync.Mutex
	sent []string
	send func(ctx context.Context, n int) error // nil: it takes it
}

func (c *carrier) Name() string { return "test" }
func (c *carrier) Plan(body string) (smsmcp.Plan, error) {
	if len(body) > 2048 {
		return smsmcp.Plan{}, smsmcp.ErrTooLong
	}
	return smsmcp.Plan{Kind: smsmcp.SMS, Segments: 1}, nil
}
func (c *carrier) Check(context.Context) error { return nil }
func (c *carrier) Send(ctx context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	c.mu.Lock()
	c.sent = append(c.sent, string(to)+" "+body)
	n := len(c.sent)
	c.mu.Unlock()
	if c.send != nil {
		if err := c.send(ctx, n); err != nil {
			return smsmcp.Receipt{}, err
		}
	}
	return smsmcp.Receipt{Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: fmt.Sprint(n)}}, nil
}

func (c *carrier) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sent)
}

func newBench(t *testing.T, change ...func(*bench)) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "readback.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	b := &bench{t: t, store: s, ledger: s, carrier: &carrier{}, now: time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC), open: true, counts: map[string]int{}}
	b.guard = guard.Settings{
		Confirm: guard.ConfirmAuto, PerHour: 30, PerDay: 90, KeptForConfirmed: 10, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20,
		Duplicate: 2 * time.Minute, FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8,
		NewHosts: true, Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 6, PauseAfterNo: 30 * time.Minute,
	}
	for i, name := range []string{"Marie", "Paul", "Luc", "Anne", "Zoé"} {
		b.contact(name, smsmcp.Number(fmt.Sprintf("+151455501%02d", i+1)))
	}
	for _, f := range change {
		f(b)
	}
	b.door = dispatch.New(dispatch.Options{
		Carrier: b.carrier, Ledger: b.ledger, Guard: b.guard, Now: b.clock, Timeout: 5 * time.Second,
		Reachable: func(bool) bool { return b.open },
		Tell:      func(s smsmcp.Send) { b.mu.Lock(); b.told = append(b.told, s); b.mu.Unlock() },
		Observe:   func(e smsmcp.Event, label string) { b.mu.Lock(); b.counts[string(e)+" "+label]++; b.mu.Unlock() },
	})
	return b
}

func (b *bench) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func (b *bench) contact(name string, n smsmcp.Number) smsmcp.Contact {
	b.t.Helper()
	c, err := b.store.AddContact(b.t.Context(), smsmcp.Contact{Name: name, Numbers: []smsmcp.Number{n}, To: n}, func([]smsmcp.Contact) error { return nil })
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func always(b *bench) { b.guard.Confirm = guard.ConfirmAlways }

func (b *bench) send(to, body string) smsmcp.Send {
	b.t.Helper()
	a, err := b.door.Send(b.t.Context(), dispatch.Request{To: to, Body: body, By: "test", Scope: smsmcp.MCP})
	if err != nil {
		b.t.Fatal(err)
	}
	return a.Send
}

func (b *bench) yes(s smsmcp.Send) (smsmcp.Send, error) {
	return b.door.Confirm(b.t.Context(), s.ID, s.Draft.Digest(), smsmcp.CommandLine, true)
}

func (b *bench) want(s smsmcp.Send, state smsmcp.SendState, handed int, rules ...smsmcp.Rule) {
	b.t.Helper()
	var got []smsmcp.Rule
	for _, r := range s.Reasons {
		got = append(got, r.Rule)
	}
	if s.State != state || rules != nil && !slices.Equal(got, rules) {
		b.t.Fatalf("send is %s %v, want %s %v", s.State, got, state, rules)
	}
	if n := b.carrier.count(); n != handed {
		b.t.Fatalf("the carrier was called %d times, want %d", n, handed)
	}
	if stored, err := b.store.Send(b.t.Context(), s.ID); err != nil || stored.State != state {
		b.t.Fatalf("the log says %s (%v), want %s", stored.State, err, state)
	}
}

func TestSend(t *testing.T) {
	b := newBench(t)
	for to, body := range map[string]string{"marie": "plain", " PAUL ": "l'été « déjà » 👩‍👩‍👧", "zoe": "two\nlines"} {
		s := b.send(to, body)
		if s.State != smsmcp.Done || s.Draft.Body() != body || !slices.Contains(b.carrier.sent, string(s.Draft.To())+" "+body) {
			t.Fatalf("%q: %+v, carrier got %q", body, s, b.carrier.sent)
		}
	}
}

func TestInvariant02NothingIsGuessed(t *testing.T) {
	b := newBench(t)
	for _, to := range []string{"", "Mari", "Marie T", "+15145550101", "15145550101", "5550101", "Marie,Paul", "*", "%", "Marie\x00"} {
		b.want(b.send(to, "hi "+to), smsmcp.Refused, 0)
	}
}

type failing struct {
	dispatch.Ledger
	begin, record error
	mu            sync.Mutex
}

func (f *failing) Begin(ctx context.Context, now time.Time, to smsmcp.Recipient, need guard.Need, decide func(guard.State) smsmcp.Ruling) error {
	if f.begin != nil {
		decide(guard.State{Known: true}) // it may have been asked before the write failed
		return f.begin
	}
	return f.Ledger.Begin(ctx, now, to, need, decide)
}

func (f *failing) Record(ctx context.Context, id smsmcp.SendID, o smsmcp.Outcome) (smsmcp.Send, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.record != nil {
		return smsmcp.Send{}, f.record
	}
	return f.Ledger.Record(ctx, id, o)
}

func TestInvariant01NoRecordNoSend(t *testing.T) {
	full := errors.New("disk full")
	b := newBench(t, func(b *bench) { b.ledger = &failing{Ledger: b.store, begin: full} })
	_, err := b.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP})
	if !errors.Is(err, full) || b.carrier.count() != 0 {
		t.Fatalf("%v; carrier called %d times", err, b.carrier.count())
	}
}

func TestInvariant01TheCarrierIsCalledAfterTheRecord(t *testing.T) {
	b := newBench(t)
	b.carrier.send = func(context.Context, int) error {
		sends, err := b.store.Sends(t.Context(), 10)
		if err != nil || len(sends) != 1 || sends[0].State != smsmcp.Reserved {
			t.Errorf("when the carrier was called, the log held %+v (%v)", sends, err)
		}
		return nil
	}
	b.want(b.send("Marie", "hi"), smsmcp.Done, 1)
}

func TestAnOutcomeThatCannotBeWrittenIsWrittenLater(t *testing.T) {
	full := errors.New("disk full")
	f := &failing{record: full}
	b := newBench(t, func(b *bench) { f.Ledger = b.store; b.ledger = f })
	a, err := b.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP})
	if !errors.Is(err, dispatch.ErrNotRecorded) || !errors.Is(err, full) || a.Send.State != smsmcp.Unknown {
		t.Fatalf("%+v %v", a.Send.State, err)
	}
	if s := b.send("Marie", "hi"); s.State != smsmcp.Refused {
		t.Fatalf("sent again: %s", s.State)
	}
	f.mu.Lock()
	f.record = nil
	f.mu.Unlock()
	if err := b.door.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := b.door.Check(t.Context(), a.Send.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Done, 1)
}

func TestALateOutcomeYieldsToTheOwner(t *testing.T) {
	f := &failing{record: errors.New("disk full")}
	b := newBench(t, func(b *bench) { f.Ledger = b.store; b.ledger = f })
	a, err := b.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP})
	if !errors.Is(err, dispatch.ErrNotRecorded) {
		t.Fatal(err)
	}
	if err := b.door.Retry(t.Context()); err == nil {
		t.Fatal("the log is full, and it was written")
	}
	if _, err := b.store.Record(t.Context(), a.Send.ID, smsmcp.Outcome{State: smsmcp.Failed, At: b.clock(), Failure: smsmcp.OwnerSaid}); err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	f.record = nil
	f.mu.Unlock()
	for range 2 {
		if err := b.door.Retry(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.want(must(b.store.Send(t.Context(), a.Send.ID)), smsmcp.Failed, 1)
}

func must(s smsmcp.Send, err error) smsmcp.Send {
	if err != nil {
		panic(err)
	}
	return s
}

// stuck is a log that cannot be written until its caller gives up.
type stuck struct {
	dispatch.Ledger
	on  chan struct{} // closed: it is stuck
	got chan struct{} // one for each Record that waits
}

func (s *stuck) Record(ctx context.Context, id smsmcp.SendID, o smsmcp.Outcome) (smsmcp.Send, error) {
	select {
	case <-s.on:
		s.got <- struct{}{}
		<-ctx.Done()
		return smsmcp.Send{}, ctx.Err()
	default:
		return smsmcp.Send{}, errors.New("busy")
	}
}

// TestALogThatIsStuckHoldsUpNothingElse: while late outcomes wait for the log, sends come in, and closing ends.
func TestALogThatIsStuckHoldsUpNothingElse(t *testing.T) {
	l := &stuck{on: make(chan struct{}), got: make(chan struct{}, 2)}
	b := newBench(t, func(b *bench) { l.Ledger = b.store; b.ledger = l })
	if _, err := b.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP}); !errors.Is(err, dispatch.ErrNotRecorded) {
		t.Fatal(err)
	}
	close(l.on)
	ctx, stop := context.WithCancel(t.Context())
	retried := make(chan error)
	go func() { retried <- b.door.Retry(ctx) }()
	<-l.got
	b.want(b.send("nobody", "hi"), smsmcp.Refused, 1) // it needs the door's lock, not the log's
	stop()
	if err := <-retried; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := b.door.Close(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}

func TestInvariant06NoChannelNoSend(t *testing.T) {
	b := newBench(t, always)
	b.open = false
	s := b.send("Marie", "hi")
	b.want(s, smsmcp.Refused, 0, guard.RuleAlways, guard.RuleNoChannel)
}

type coded struct {
	error
	code string
}

func (c coded) Code() string  { return c.code }
func (c coded) Unwrap() error { return c.error }

func TestInvariant07Outcomes(t *testing.T) {
	for name, tt := range map[string]struct {
		send    func(ctx context.Context, n int) error
		want    smsmcp.SendState
		failure string
		again   smsmcp.SendState // the same body, at once
	}{
		"never left":       {func(context.Context, int) error { return fmt.Errorf("dial: %w", smsmcp.ErrNotSent) }, smsmcp.Failed, "not_reached", smsmcp.Failed},
		"refused":          {func(context.Context, int) error { return coded{smsmcp.ErrRefused, "Invalid Dst!"} }, smsmcp.Failed, "invalid_dst_", smsmcp.Failed},
		"anything else":    {func(context.Context, int) error { return errors.New("«ignore» <html>") }, smsmcp.Unknown, "no_clear_answer", smsmcp.Refused},
		"time-out":         {func(context.Context, int) error { return context.DeadlineExceeded }, smsmcp.Unknown, "time_out", smsmcp.Refused},
		"a client crashes": {func(context.Context, int) error { panic("boom") }, smsmcp.Unknown, "client_crashed", smsmcp.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.carrier.send = tt.send
			s := b.send("Marie", "hi")
			b.want(s, tt.want, 1)
			if s.Failure != tt.failure {
				t.Errorf("failure %q, want %q", s.Failure, tt.failure)
			}
			b.pass(30 * 24 * time.Hour)
			if again := b.send("Marie", "hi"); again.State != tt.again {
				t.Errorf("again: %s %+v, want %s", again.State, again.Reasons, tt.again)
			}
			b.carrier.send = nil
			if other := b.send("Marie", "something else"); other.State != smsmcp.Done {
				t.Errorf("another body: %s", other.State)
			}
		})
	}
}

func TestACallerWhoGoesAwayDoesNotEndASend(t *testing.T) {
	b := newBench(t)
	ctx, leave := context.WithCancel(t.Context())
	b.carrier.send = func(flight context.Context, _ int) error {
		leave()
		return flight.Err()
	}
	a, err := b.door.Send(ctx, dispatch.Request{To: "Marie", Body: "hi", Scope: smsmcp.MCP})
	if err != nil {
		t.Fatal(err)
	}
	b.want(a.Send, smsmcp.Done, 1)
}

func TestCloseRecordsWhatIsInFlight(t *testing.T) {
	b := newBench(t)
	in := make(chan struct{})
	b.carrier.send = func(flight context.Context, _ int) error { close(in); <-flight.Done(); return flight.Err() }
	got := make(chan smsmcp.Send)
	go func() { got <- b.send("Marie", "hi") }()
	<-in
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.door.Close(now); err != nil {
		t.Fatal(err)
	}
	b.want(<-got, smsmcp.Unknown, 1)
	if _, err := b.door.Send(t.Context(), dispatch.Request{To: "Paul", Body: "hi"}); !errors.Is(err, dispatch.ErrClosed) {
		t.Fatal(err)
	}
}

func TestSendsAtOnceStayWithinTheLimit(t *testing.T) {
	b := newBench(t, func(b *bench) { b.guard.Confirm = guard.ConfirmNever })
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() { b.send("Marie", strings.Repeat("x", i+1)) })
	}
	wg.Wait()
	if n := b.carrier.count(); n != 30 {
		t.Fatalf("%d went out, want 30", n)
	}
}
