package parts

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/store/engine"
	"readback/store/talks"
	"readback/test/testbed"
	"readback/voice"
	"readback/voice/voicemail"
)

// often has what a server looks for every so often be looked for all the time.
const often = 5 * time.Millisecond

// ahead is a clock that a test puts on.
type ahead struct {
	from time.Time
	by   atomic.Int64 // ns
}

func (c *ahead) now() time.Time      { return c.from.Add(time.Duration(c.by.Load())) }
func (c *ahead) set(d time.Duration) { c.by.Store(int64(d)) }

// TestInvariant07WhatAWorkerLeftIsUnknownAndToldOf by the server, while it runs: what a worker hands over and does not come back to. It may take a hand-over's time, and more. Passes whose time is
// past are forgotten meanwhile.
func TestInvariant07WhatAWorkerLeftIsUnknownAndToldOf(t *testing.T) {
	phone := newNtfy(t)
	server := inRooms(t, func(c *config.Config) { tells(t, c, phone.URL, ntfyToken) })
	clock := &ahead{from: time.Now()}
	server.every, server.o.Now = often, clock.now
	names := people(t, server)
	worker := attends(t, server)
	stuck := hold(worker)
	var sending sync.WaitGroup
	defer sending.Wait()
	defer close(stuck.letGo)
	sending.Go(func() {
		if _, err := worker.texts(context.WithoutCancel(t.Context()), names[0]); err != nil {
			t.Error(err)
		}
	})
	next(t, stuck.handed)
	server.starts(t)

	// A pass whose time is past can be made again once it is forgotten: then the server has looked.
	passes := talks.New(server.Store.DB())
	looks := func() {
		t.Helper()
		for n := 0; n < 3; { // the first may have been under way, the second found it
			until(t, "a look", func() bool {
				err := passes.Add(t.Context(), clock.from.Add(-time.Hour), "talk-a", "owner-a")
				if err != nil && !errors.Is(err, engine.ErrTaken) {
					t.Fatal(err)
				}
				return err == nil
			})
			n++
		}
	}
	looks()
	all, err := server.Store.Unsettled(t.Context())
	if err != nil || len(all) != 1 || all[0].State != smsmcp.Reserved {
		t.Fatalf("%+v %v", all, err)
	}
	id := all[0].ID
	clock.set(2 * handOver)
	looks()
	if got := server.stands(t, id); got != smsmcp.Reserved {
		t.Errorf("while the worker may still come back to it, it is %s", got)
	}
	clock.set(2*handOver + staleAfter)
	until(t, "it is unknown", func() bool { return server.stands(t, id) == smsmcp.Unknown })
	until(t, "the owner is told", func() bool { return len(phone.got("send-"+string(id))) > 0 })
	looks()
	if got := phone.got(""); len(got) != 1 || got[0].Topic != "approvals" || got[0].Priority < 4 {
		t.Errorf("%+v", got)
	}
}

// TestInvariant08WhatAWorkerCouldNotStoreIsATextWhileTheServerRuns, and not at its next start alone; a worker looks for nothing that others left.
func TestInvariant08WhatAWorkerCouldNotStoreIsATextWhileTheServerRuns(t *testing.T) {
	server := inRooms(t, nil)
	server.every = often
	worker := attends(t, server)
	folder := machine.Folder(server.o.Config.Data)
	gone := voicemail.New(voicemail.Options{Inbox: full{}, Folder: folder.Path(machine.VoicemailFolder), Alone: folder.OneAtATime("voicemail")}) // as every process has it
	leave := func(call string) {
		t.Helper()
		m := voicemail.Message{Call: call, At: time.Now(), Sound: voice.Frame{Rate: 8000, Samples: make([]int16, 8000)}, Words: untrusted.New("call me back")}
		if err := gone.Keep(t.Context(), m); !errors.Is(err, voicemail.ErrStore) || errors.Is(err, voicemail.ErrLost) {
			t.Fatal(err)
		}
	}
	stored := func(call string) func() bool {
		return func() bool {
			p, err := server.Store.Texts(t.Context(), smsmcp.Query{Strangers: true, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			return slices.ContainsFunc(p.Rows, func(r smsmcp.Row) bool { return r.Text.Key.ID == call })
		}
	}
	leave("call-1")
	server.starts(t)
	until(t, "what was there before is a text", stored("call-1"))
	leave("call-2")
	until(t, "what came later is a text", stored("call-2"))
	worker.starts(t)
	if slices.Contains(worker.names(), "voicemail") {
		t.Error("a worker looks for it too")
	}
}

// TestInvariant07AWorkersDoorIsOpenWhileItsCallsEnd: a text that is read back when the worker is told to end takes its yes, goes out, and the owner is told; one whose time is past is over. Once the
// calls have ended it is closed, and of what is still with the carrier then it is written down that nobody knows.
func TestInvariant07AWorkersDoorIsOpenWhileItsCallsEnd(t *testing.T) {
	phone := newNtfy(t)
	server := inRooms(t, func(c *config.Config) { tells(t, c, phone.URL, ntfyToken) }) // it is not started: all that happens here the worker does
	names := people(t, server)
	clock, said := &ahead{from: time.Now()}, &lockedLog{}
	worker := beside(t, server, clock.now, said)
	worker.every = often
	if err := worker.Attend(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	calling := context.WithoutCancel(t.Context())
	var draft, late [2]smsmcp.Send
	for i := range draft {
		var err error
		if draft[i], err = worker.drafts(calling, names[i]); err != nil {
			t.Fatal(err)
		}
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	goesOn, hangUp, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	worker.front.Go(ctx, "call", func(context.Context) error { // as voice/worker does, which ends when its calls have
		close(goesOn)
		<-hangUp
		return nil
	}, nil)
	worker.Start(ctx)
	next(t, goesOn)
	end()
	go func() { defer close(over); worker.Wait(ctx) }()
	until(t, "it has begun to end", func() bool { return strings.Contains(said.String(), "stopping") })
	for i := range draft {
		s, err := worker.says(calling, draft[i])
		if err != nil || s.State != smsmcp.Done {
			t.Fatalf("a yes while the calls end: %s %v", s.State, err)
		}
		until(t, "the owner is told", func() bool { return len(phone.got("send-"+string(s.ID))) == 1 })
		if late[i], err = worker.drafts(calling, names[2+i]); err != nil {
			t.Fatal(err)
		}
	}
	stuck := hold(worker)
	answered := make(chan smsmcp.Send, 1)
	go func() {
		s, _ := worker.says(calling, late[0])
		answered <- s
	}()
	next(t, stuck.handed)
	clock.set(time.Hour)
	until(t, "what waits is over", func() bool { return server.stands(t, late[1].ID) == smsmcp.Expired })
	close(hangUp)
	next(t, over)
	if err := worker.Close(calling); err != nil {
		t.Error(err)
	}
	if s := next(t, answered); s.State != smsmcp.Unknown || server.stands(t, late[0].ID) != smsmcp.Unknown {
		t.Errorf("what was with the carrier is %s, and %s in the store", s.State, server.stands(t, late[0].ID))
	}
	if _, err := worker.texts(calling, names[3]); !errors.Is(err, dispatch.ErrClosed) {
		t.Errorf("the door is open: %v", err)
	}
}

// TestInvariant09AWorkersCallsEndWithTheServersBounds, at once, whatever time they would have, and say so to nobody as a failure.
func TestInvariant09AWorkersCallsEndWithTheServersBounds(t *testing.T) {
	worker := attends(t, inRooms(t, nil))
	over, cut := context.WithCancel(t.Context())
	defer cut()
	going, ended := make(chan struct{}), make(chan error, 1)
	joining(t, worker.rooms, voice.CallerID{Number: owns})
	worker.rooms.lead = func(ctx context.Context, _ roomLeg, _ bool) {
		close(going)
		<-ctx.Done()
	}
	worker.EndCalls(over)
	go func() { ended <- worker.rooms.take(context.WithoutCancel(t.Context()), job("call-1")) }()
	next(t, going)
	select {
	case err := <-ended:
		t.Fatalf("it ends by itself: %v", err)
	default:
	}
	cut()
	if err := next(t, ended); err != nil {
		t.Error(err)
	}
}

// lockedLog may be read while it is written.
type lockedLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestInvariant06AWorkerRefusesATopicThatIsOpenForApprovals, as a server does; while ntfy is down it works.
func TestInvariant06AWorkerRefusesATopicThatIsOpenForApprovals(t *testing.T) {
	phone := newNtfy(t)
	server := inRooms(t, func(c *config.Config) { tells(t, c, phone.URL, ntfyToken) })
	for _, anyone := range []string{"read", "write", ""} {
		phone.lets(anyone)
		err := beside(t, server, time.Now, t.Output()).Attend(t.Context(), 0)
		var said *lang.Said
		if refused := errors.As(err, &said); refused != (anyone != "") || refused && said.Error() != lang.Say(lang.CLIServeApprovals, "approvals").Error() {
			t.Errorf("anyone may %q: %v", anyone, err)
		}
	}
	phone.Close()
	if err := beside(t, server, time.Now, t.Output()).Attend(t.Context(), 0); err != nil {
		t.Errorf("ntfy is down: %v", err)
	}
}

// TestAWorkerTakesCallsAndNothingElse, whatever is configured: it has no connection of its own to Asterisk, polls no carrier, opens no face and no bridge, and asks nothing on the phone.
func TestAWorkerTakesCallsAndNothingElse(t *testing.T) {
	phone := newNtfy(t)
	var asked atomic.Int64
	asterisk := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusNotFound)
	}))
	defer asterisk.Close()
	server := inRooms(t, func(c *config.Config) {
		tells(t, c, phone.URL, ntfyToken)
		c.Asterisk.URL, c.Asterisk.User, c.Asterisk.App, c.Asterisk.Endpoint, c.Asterisk.Password = asterisk.URL+"/ari", "readback", "readback", "trunk", "a-password-of-asterisks"
		c.Phone.Answer, c.Phone.Media = true, netip.MustParseAddr("127.0.0.1")
	})
	names := people(t, server)
	before := asked.Load() // a server asks how it stands
	if before == 0 {
		t.Error("the server does not look for Asterisk: so this shows nothing")
	}
	d, err := server.door.Send(t.Context(), dispatch.Request{To: names[0], Body: "https://example.com/a", By: "a program"})
	if err != nil || d.Send.State != smsmcp.Waiting {
		t.Fatalf("nothing waits for the owner's yes: %s %v %v", d.Send.State, d.Send.Reasons, err)
	}
	worker := attends(t, server)
	end := worker.starts(t)
	if got, want := worker.names(), []string{"desk", "livekit", "push"}; !slices.Equal(got, want) {
		t.Errorf("it runs %v, and should %v", got, want)
	}
	for _, to := range names[1:] { // when the second receipt is there, all was done that comes with the first
		s, err := worker.texts(t.Context(), to)
		if err != nil {
			t.Fatal(err)
		}
		until(t, "the receipt", func() bool { return len(phone.got("send-"+string(s.ID))) == 1 })
	}
	if got := phone.got("send-" + string(d.Send.ID)); len(got) != 0 {
		t.Errorf("it asks on the phone: %+v", got)
	}
	if worker.asker.Reachable() {
		t.Error("it says that a question from here would reach the owner")
	}
	_, yes := worker.desk.Yes(t.Context(), d.Send.ID, d.Send.Draft.Digest(), smsmcp.Phone)
	_, no := worker.desk.No(t.Context(), d.Send.ID, smsmcp.Phone)
	if yes == nil || no == nil || worker.stands(t, d.Send.ID) != smsmcp.Waiting {
		t.Errorf("an answer from the phone comes in here: %v, %v", yes, no)
	}
	end()
	if n := asked.Load(); n != before {
		t.Errorf("Asterisk was asked %d times", n-before)
	}
	server.starts(t)
	until(t, "the server asks", func() bool { return len(phone.got("send-"+string(d.Send.ID))) == 1 })
	until(t, "the server looks for Asterisk's events", func() bool { return asked.Load() > before })
	for _, part := range []string{"bridge", "calls", "carrier", "desk", "line", "livekit", "push", "rooms", "sweep", "voicemail"} {
		if !slices.Contains(server.names(), part) {
			t.Errorf("a server runs no %s", part)
		}
	}
}

// TestARealTelephoneIsToldOnceOfWhatAWorkerDid: by the worker itself of its sends, and by the server's bridge of what callers left there.
func TestARealTelephoneIsToldOnceOfWhatAWorkerDid(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: []string{"visitor-request-limit-burst: 1000000", "visitor-message-daily-limit: 1000000", "visitor-subscription-limit: 100"}})
	server := inRooms(t, func(c *config.Config) { tells(t, c, bed.NtfyURL, bed.NtfyWriter) })
	names := people(t, server)
	worker := attends(t, server)
	approvals, texts := testbed.NewSubscriber(t, bed, "approvals", nil), testbed.NewSubscriber(t, bed, "texts", nil)
	server.starts(t)
	worker.starts(t)
	var want []string
	for _, to := range names {
		s, err := worker.texts(t.Context(), to)
		if err != nil || s.State != smsmcp.Done {
			t.Fatalf("%s %v", s.State, err)
		}
		want = append(want, "send-"+string(s.ID))
	}
	m := voicemail.Message{Call: "readback-a", Caller: voice.CallerID{Number: "+15145550199"}, At: time.Now(), Sound: voice.Frame{Rate: 8000, Samples: make([]int16, 8000)}, Words: untrusted.New("call me back")}
	if err := worker.mail.Keep(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	until(t, "the voicemail is told of", func() bool {
		server.bridge.Nudge() // it looks by itself every half minute
		return len(texts.Got()) > 0
	})
	// What each tells last comes after all that it had to tell.
	server.asker.Warn("server", "Server", "that was all")
	worker.asker.Warn("worker", "Worker", "that was all")
	count := map[string]int{}
	until(t, "the last of both", func() bool {
		clear(count)
		for _, n := range approvals.Got() {
			count[n.SequenceID]++
		}
		return count["warn-server"] > 0 && count["warn-worker"] > 0
	})
	for _, id := range want {
		if count[id] != 1 {
			t.Errorf("the owner is told %d times of %s", count[id], id)
		}
	}
	if len(count) != len(want)+2 {
		t.Errorf("%v", count)
	}
	until(t, "the bridge has told of all", func() bool {
		o, err := server.Store.Owed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return o.Waiting == 0
	})
	if got := bed.Published("texts"); len(got) != 1 || !strings.Contains(got[0].Message, "call me back") {
		t.Errorf("%+v", got)
	}
}

// TestInvariant12ProcessesOnOneFolderTakeTurns with a PIN and with the folder of voicemail, whichever they are: while another has its turn, nobody's try is judged and nothing is recovered.
func TestInvariant12ProcessesOnOneFolderTakeTurns(t *testing.T) {
	server := inRooms(t, nil)
	for which, a := range map[string]*App{"server": server, "worker": attends(t, server), "typed": open(t)} {
		p, err := a.conversation()
		if err != nil {
			t.Fatal(err)
		}
		folder := machine.Folder(a.o.Config.Data)
		mail := folder.Path(machine.VoicemailFolder)
		half := filepath.Join(mail, "20261130T120000Z-a.wav.part") // of a process that is gone, or of one that writes just now
		if err := errors.Join(os.MkdirAll(mail, 0o700), os.WriteFile(half, []byte("half"), 0o600)); err != nil {
			t.Fatal(err)
		}
		for name, do := range map[string]func(context.Context) error{
			"pin":       func(ctx context.Context) error { _, err := p.gate.Try(ctx, "call", "481516"); return err },
			"voicemail": a.mail.Recover,
		} {
			release, err := folder.OneAtATime(name)(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- do(ctx) }()
			until(t, which+" waits for its turn with "+name, func() bool {
				select {
				case err := <-done:
					t.Fatalf("%s, %s: it waits for nobody: %v", which, name, err)
				default:
				}
				return taken(t, folder.Path(name+".next"))
			})
			stop()
			if err := next(t, done); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %s: %v", which, name, err)
			}
			release()
		}
		if _, err := os.Stat(half); err != nil {
			t.Errorf("%s: %v", which, err)
		}
	}
}

// taken says whether somebody holds the lock of a file.
func taken(t *testing.T, file string) bool {
	t.Helper()
	f, err := os.Open(filepath.Clean(file))
	if errors.Is(err, os.ErrNotExist) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK) //nolint:gosec // a descriptor is small
}
