package parts

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/store/talks"
	"readback/voice"
	"readback/voice/room"
)

// ending notes which rooms are ended; failing is why one cannot be.
type ending struct {
	mu      sync.Mutex
	rooms   []string
	failing error
}

func (e *ending) end(ctx context.Context, o room.Options, sid string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := ctx.Deadline(); !ok || ctx.Err() != nil || o.Key != "key" || o.Secret == "" || o.URL == "" {
		return errors.New("it may take for ever, or is asked for nothing")
	}
	e.rooms = append(e.rooms, o.Room+" "+sid)
	return e.failing
}

func (e *ending) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failing, e.rooms = err, nil
}

func (e *ending) got() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.rooms)
}

// once leads one call until it is told to end; of a second one is seen what becomes of its job.
func once(going chan<- struct{}, end <-chan struct{}) func(context.Context, roomLeg, bool) {
	var leads atomic.Bool
	return func(context.Context, roomLeg, bool) {
		if !leads.Swap(true) {
			going <- struct{}{}
			<-end
		}
	}
}

// TestInvariant10ARoomIsLedOnceByTwoProcesses: LiveKit gives a room's job again, to another process, and both would hear the same PIN and the same yes. Who comes second touches nothing; whoever
// comes when the call is over may lead.
func TestInvariant10ARoomIsLedOnceByTwoProcesses(t *testing.T) {
	server := inRooms(t, nil)
	beside := attends(t, server)
	var ends ending
	for _, a := range []*App{server, beside} {
		joining(t, a.rooms, voice.CallerID{Number: owns})
		a.rooms.end = ends.end
	}
	going, end, over := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	server.rooms.lead = once(going, end)
	asked, led, _ := joining(t, beside.rooms, voice.CallerID{Number: owns})
	beside.rooms.end = ends.end
	second := job("call-1")
	second.ID = "readback-second"
	go func() { over <- server.rooms.take(t.Context(), job("call-1")) }()
	next(t, going)
	for _, a := range []*App{beside, server} {
		if err := a.rooms.take(t.Context(), second); codeOf(err) != codeLed {
			t.Errorf("%v", err)
		}
	}
	if len(*asked) != 0 || len(*led) != 0 || len(ends.got()) != 0 {
		t.Errorf("a room that somebody leads was joined %d times, and %q ended", len(*asked), ends.got())
	}
	close(end)
	if err := next(t, over); err != nil || !slices.Equal(ends.got(), []string{"call-1 RM_call-1"}) {
		t.Errorf("%v; ended were %q", err, ends.got())
	}
	if err := beside.rooms.take(t.Context(), second); err != nil || len(*led) != 1 {
		t.Errorf("after the call: %v", err)
	}
}

// lostLeases are a store that cannot be read or written.
type lostLeases struct{ leasing }

var errFull = errors.New("the disk is full")

func (lostLeases) Take(context.Context, talks.Lease) error { return errFull }

// TestInvariant10WhereNobodyKnowsWhoLeadsNobodyDoes: and the room is not ended, since somebody may be.
func TestInvariant10WhereNobodyKnowsWhoLeadsNobodyDoes(t *testing.T) {
	a := inRooms(t, nil)
	asked, led, _ := joining(t, a.rooms, voice.CallerID{Number: owns})
	var ends ending
	a.rooms.end, a.rooms.leases = ends.end, lostLeases{}
	if err := a.rooms.take(t.Context(), job("call-1")); codeOf(err) != codeLeases || len(*asked) != 0 || len(*led) != 0 || len(ends.got()) != 0 {
		t.Errorf("%v; joined %d times, led %d times, ended %q", err, len(*asked), len(*led), ends.got())
	}
}

// TestNobodyIsLeftInARoomWithNobodyThere: however a call ends, or comes to nothing, the room ends with it, also where the job's time is up and where it breaks; only then somebody else may lead.
func TestNobodyIsLeftInARoomWithNobodyThere(t *testing.T) {
	a := inRooms(t, nil)
	for name, how := range map[string]struct {
		do   func(r *rooms, ctx context.Context, end context.CancelFunc)
		code string
	}{
		"over": {func(r *rooms, _ context.Context, _ context.CancelFunc) {
			r.lead = func(context.Context, roomLeg, bool) {}
		}, ""},
		"drained": {func(r *rooms, _ context.Context, end context.CancelFunc) {
			r.lead = func(context.Context, roomLeg, bool) { end() }
		}, ""},
		"broke": {func(r *rooms, _ context.Context, _ context.CancelFunc) {
			r.lead = func(context.Context, roomLeg, bool) { panic("broke") }
		}, "panic"},
		"two callers": {func(r *rooms, _ context.Context, _ context.CancelFunc) { r.join = cannot(refused(room.CodeTwoCallers)) }, room.CodeTwoCallers},
		"nobody":      {func(r *rooms, _ context.Context, _ context.CancelFunc) { r.join = cannot(refused(room.CodeNoCaller)) }, room.CodeNoCaller},
		"no pass":     {func(r *rooms, _ context.Context, _ context.CancelFunc) { r.passes = lostPasses{} }, codePasses},
	} {
		passes := a.rooms.passes
		_, _, legs := joining(t, a.rooms, voice.CallerID{Number: owns})
		var ends ending
		ctx, end := context.WithCancel(t.Context())
		how.do(a.rooms, ctx, end)
		a.rooms.end = func(ctx context.Context, o room.Options, sid string) error {
			for _, leg := range *legs {
				if !leg.hungUp.Load() || leg.parted != nil {
					t.Errorf("%s: the room is ended before its caller was hung up on: %v", name, leg.parted)
				}
			}
			if err := a.rooms.leases.Take(ctx, talks.Lease{SID: "RM_" + name, Room: name, By: "readback-other"}); !errors.Is(err, talks.ErrLed) {
				t.Errorf("%s: somebody else leads the room while it is ended: %v", name, err)
			}
			return ends.end(ctx, o, sid)
		}
		var err error
		func() {
			defer func() {
				if recover() != nil {
					err = refused("panic")
				}
			}()
			err = a.rooms.take(ctx, job(name))
		}()
		end()
		if err != nil && codeOf(err) != how.code || err == nil && how.code != "" || !slices.Equal(ends.got(), []string{name + " RM_" + name}) {
			t.Errorf("%s: %v; ended were %q", name, err, ends.got())
		}
		if err := a.rooms.leases.Take(t.Context(), talks.Lease{SID: "RM_" + name, Room: name, By: "readback-other"}); err != nil {
			t.Errorf("%s: the lease was not given back: %v", name, err)
		}
		a.rooms.passes = passes
	}
}

func cannot(err error) func(context.Context, room.Options) (roomLeg, error) {
	return func(context.Context, room.Options) (roomLeg, error) { return nil, err }
}

// TestTheRoomsOfAProcessThatIsGoneAreEnded by the server, which has heard nothing of it for a minute, and again until that could be done; the calls of those who live go on, and nobody leads such a
// room before it was ended.
func TestTheRoomsOfAProcessThatIsGoneAreEnded(t *testing.T) {
	server := inRooms(t, nil)
	clock := &ahead{from: time.Now()}
	server.o.Now, server.rooms.every = clock.now, often
	beside := attends(t, server)
	var ends ending
	server.rooms.end = ends.end
	joining(t, beside.rooms, voice.CallerID{Number: owns})
	renewed, looked := make(chan struct{}), make(chan struct{})
	beside.rooms.renew, beside.rooms.leases = often, noting{beside.rooms.leases, renewed, nil}
	server.rooms.leases = noting{server.rooms.leases, nil, looked}
	going, end, over := make(chan struct{}, 1), make(chan struct{}), make(chan error, 1)
	beside.rooms.lead = once(going, end)
	go func() { over <- beside.rooms.take(t.Context(), job("call-lives")) }()
	next(t, going)
	// Of a process that was killed in a call this is left.
	if err := beside.rooms.leases.Take(t.Context(), talks.Lease{SID: "RM_call-left", Room: "call-left", By: "readback-killed"}); err != nil {
		t.Fatal(err)
	}
	looks := func() { // the first may have been under way
		t.Helper()
		next(t, looked)
		next(t, looked)
	}
	ends.fail(refused(room.CodeNotEnded))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- server.rooms.sweep(ctx) }()
	looks()
	clock.set(goneAfter - time.Second)
	next(t, renewed)
	looks()
	if got := ends.got(); len(got) != 0 {
		t.Errorf("%q were ended before their time", got)
	}
	clock.set(goneAfter + time.Second)
	looks()
	looks()
	looks()
	if got := ends.got(); len(got) < 2 {
		t.Errorf("a room that cannot be ended is not tried again: %q", got)
	}
	if err := beside.rooms.take(t.Context(), job("call-left")); codeOf(err) != codeLed {
		t.Errorf("a room that could not be ended is led: %v", err)
	}
	for _, name := range ends.got() {
		if name != "call-left RM_call-left" {
			t.Errorf("%q was ended", name)
		}
	}
	ends.fail(nil)
	looks()
	looks()
	if got := ends.got(); !slices.Equal(got, []string{"call-left RM_call-left"}) {
		t.Errorf("%q were ended", got)
	}
	if err := beside.rooms.leases.Take(t.Context(), talks.Lease{SID: "RM_call-left", Room: "call-left", By: "readback-next"}); err != nil {
		t.Errorf("its lease stays: %v", err)
	}
	stop()
	if err := next(t, done); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(end)
	if err := next(t, over); err != nil {
		t.Errorf("who lives: %v", err)
	}
}

// noting tells when a lease was renewed, and when it was looked for what was left.
type noting struct {
	leasing
	renewed, looked chan struct{}
}

func (n noting) Renew(ctx context.Context, of talks.Lease) error {
	err := n.leasing.Renew(ctx, of)
	tell(ctx, n.renewed)
	return err
}

func (n noting) Left(ctx context.Context, now time.Time, older time.Duration) ([]talks.Lease, error) {
	left, err := n.leasing.Left(ctx, now, older)
	tell(ctx, n.looked)
	return left, err
}

func tell(ctx context.Context, to chan struct{}) {
	select {
	case to <- struct{}{}:
	case <-ctx.Done():
	}
}

// TestWhoWasHeldToBeGoneEndsTheirCall: the room was ended, and somebody else may lead what is there now.
func TestWhoWasHeldToBeGoneEndsTheirCall(t *testing.T) {
	a := inRooms(t, nil)
	joining(t, a.rooms, voice.CallerID{Number: owns})
	a.rooms.renew = often
	a.rooms.lead = func(ctx context.Context, _ roomLeg, _ bool) {
		if err := a.rooms.leases.GiveBack(ctx, talks.Lease{SID: "RM_call-1", Room: "call-1", By: "readback-call-1"}); err != nil {
			t.Error(err)
		}
		next(t, ctx.Done())
	}
	if err := a.rooms.take(t.Context(), job("call-1")); codeOf(err) != codeLost {
		t.Errorf("%v", err)
	}
}

// TestARoomThatCannotBeEndedIsLeftToTheServer: its lease stays, by which it is found.
func TestARoomThatCannotBeEndedIsLeftToTheServer(t *testing.T) {
	a := inRooms(t, nil)
	joining(t, a.rooms, voice.CallerID{Number: owns})
	var ends ending
	ends.fail(refused(room.CodeNotEnded))
	a.rooms.end = ends.end
	if err := a.rooms.take(t.Context(), job("call-1")); err != nil {
		t.Fatal(err)
	}
	if err := a.rooms.take(t.Context(), job("call-1")); codeOf(err) != codeLed {
		t.Errorf("%v", err)
	}
}
