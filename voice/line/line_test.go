package line_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/voice"
	"readback/voice/line"
	"readback/voip/ari"
)

func TestOptionsAreChecked(t *testing.T) {
	good := line.Options{
		Asterisk: &fake{}, Local: netip.MustParseAddr("127.0.0.1"), Now: time.Now, Peer: smsmcp.LabelPeer, Handle: func(context.Context, voice.Leg) {},
	}
	if _, err := line.New(good); err != nil {
		t.Error(err)
	}
	for what, change := range map[string]func(*line.Options){
		"Asterisk": func(o *line.Options) { o.Asterisk = nil }, "Now": func(o *line.Options) { o.Now = nil }, "Peer": func(o *line.Options) { o.Peer = nil },
		"no address":  func(o *line.Options) { o.Local = netip.Addr{} },
		"any address": func(o *line.Options) { o.Local = netip.IPv4Unspecified() }, "less than none": func(o *line.Options) { o.MaxCalls = -1 },
	} {
		o := good
		change(&o)
		if _, err := line.New(o); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}

// TestNobodyTakesCalls without a handler: a caller is rejected at once.
func TestNobodyTakesCalls(t *testing.T) {
	w := begin(t, func(o *line.Options) { o.Handle, o.Peer, o.Local = nil, nil, netip.Addr{} })
	w.call("c", time.Now())
	until(t, "it is rejected", func() bool { return w.asked("hang up c rejected") == 1 })
	if w.asked("answer") != 0 || w.line.Counts().Refused != 1 || w.line.Counts().Calls != 0 {
		t.Errorf("%v %+v", w.done, w.line.Counts())
	}
}

// TestACallOfWhichNothingComesIsLost: sooner when Asterisk is not there either.
func TestACallOfWhichNothingComesIsLost(t *testing.T) {
	w := begin(t)
	w.line.Hurry(time.Hour, 200*time.Millisecond)
	w.call("c", time.Now())
	leg := w.leg()
	select {
	case <-leg.Done():
		t.Error("a silent call is over while Asterisk is there")
	case <-time.After(500 * time.Millisecond):
	}
	w.set(func() { w.up = false })
	w.over(leg)
	w = begin(t)
	w.line.Hurry(200*time.Millisecond, time.Hour)
	w.call("c", time.Now())
	w.over(w.leg())
	until(t, "all is deleted", func() bool { return w.asked("hang up") == 2 && w.asked("delete") == 1 })
}

// TestAMediaChannelThatNeverEnters costs its call alone, after a while; one that enters when its call is over is hung up.
func TestAMediaChannelThatNeverEnters(t *testing.T) {
	w := begin(t)
	w.set(func() { w.mute = true })
	w.call("c", time.Now())
	until(t, "the call is given up", func() bool { return w.line.Counts().Failed == 1 && w.line.Counts().Calls == 0 })
	var name string
	w.set(func() {
		for _, d := range w.done {
			if n, ok := strings.CutPrefix(d, "media "); ok {
				name = n
			}
		}
	})
	w.line.Event(ari.StasisStart{Channel: ari.Channel{ID: name}})
	until(t, "it is hung up", func() bool { return w.asked("hang up "+name) == 2 })
	if w.line.Counts().Taken != 1 {
		t.Error("a media channel was taken for a caller")
	}
}

// TestWhatCannotBeDeletedIsSweptLater: the end of a call does not wait for it.
func TestWhatCannotBeDeletedIsSweptLater(t *testing.T) {
	w := begin(t)
	w.call("c", time.Now())
	leg := w.leg()
	w.set(func() {
		for _, what := range []string{"hang up", "delete", "channels"} {
			w.err[what] = coded(ari.CodeTimedOut)
		}
	})
	if err := leg.HangUp(t.Context()); err == nil {
		t.Error("hung up, although nothing could be")
	}
	until(t, "the sweep is tried", func() bool { return w.asked("channels") > 1 })
	w.set(func() { clear(w.err) })
	until(t, "all is gone", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.channels) == 0 && len(w.bridges) == 0
	})
}

// TestTheSweepKnowsWhatIsNew: a caller whose entering is told late is not swept away, one whose entering is never told is.
func TestTheSweepKnowsWhatIsNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := "readback-app-" + strings.Repeat("b", 26)
		f := &fake{up: true, err: map[string]error{}, channels: []ari.Channel{
			inApp("old"), inApp("new"), inApp(name), {ID: "elsewhere", App: "Dial", Args: "app"}, {ID: "another", App: "Stasis", Args: "app2"},
			{ID: "readback-1700000000.1", App: "Playback", Args: "app"}, inApp("readback-apple-" + strings.Repeat("b", 26)),
		}, bridges: []ari.Bridge{{ID: name}, {ID: "readback-app-short"}, {ID: "readback-other-" + strings.Repeat("b", 26)}}}
		f.err["answer"] = coded(ari.CodeServer) // no call goes further than that: it would need a network
		l, err := line.New(line.Options{
			Asterisk: f, Local: netip.MustParseAddr("127.0.0.1"), Now: time.Now, Peer: smsmcp.LabelPeer, Handle: func(context.Context, voice.Leg) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		f.line = l
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = l.Run(ctx) })
		synctest.Wait()
		if n := f.asked("hang up"); n != 1 || f.asked("hang up "+name) != 1 {
			t.Errorf("at once: %v", f.done)
		}
		if f.asked("delete ") != 1 || f.asked("delete "+name) != 1 {
			t.Errorf("the bridges: %v", f.done)
		}
		time.Sleep(time.Second)
		if f.asked("hang up old") != 0 {
			t.Error("swept before it can be known to be old")
		}
		l.Event(ari.StasisStart{Channel: ari.Channel{ID: "new"}}) // is told late; it ends in "answer", and by our own hanging up
		time.Sleep(time.Minute)
		if f.asked("hang up old normal") != 1 || f.asked("hang up new congestion") != 1 || f.asked("hang up new normal") != 0 {
			t.Errorf("%v", f.done)
		}
		if f.asked("hang up elsewhere")+f.asked("hang up another")+f.asked("hang up readback-1")+f.asked("hang up readback-apple") > 1 {
			t.Errorf("what is another's was swept: %v", f.done)
		}
		before := f.asked("channels")
		time.Sleep(time.Hour)
		if f.asked("channels") != before {
			t.Error("it sweeps on and on")
		}
		cancel()
		wg.Wait()
	})
}

// TestNothingForeignIsLogged: errors are reduced to codes. And nothing is left of a call that could not be set up.
func TestNothingForeignIsLogged(t *testing.T) {
	var mu sync.Mutex
	var buf bytes.Buffer
	w := begin(t, func(o *line.Options) {
		o.Log = slog.New(slog.NewTextHandler(writer(func(b []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return buf.Write(b)
		}), nil))
	})
	for i, what := range []string{"answer", "bridge", "add", "media"} {
		w.set(func() { clear(w.err); w.err[what] = coded("A <script> of a stranger") })
		w.call(fmt.Sprint("c", i), time.Now())
		until(t, what+" fails", func() bool { return w.line.Counts().Failed == uint64(i+1) && w.line.Counts().Calls == 0 })
	}
	// What failed may have been done all the same. It is deleted with its call, and left to no sweep.
	w.set(func() {
		if len(w.bridges)+len(w.channels) != 0 {
			t.Errorf("left: %v %v", w.bridges, w.channels)
		}
	})
	if n := w.asked("channels"); n != 1 {
		t.Errorf("%d sweeps", n)
	}
	mu.Lock()
	defer mu.Unlock()
	if s := buf.String(); strings.Contains(s, "<script>") || strings.Contains(s, "words") || strings.Contains(s, "514555") || !strings.Contains(s, "code=a_script_of_a_stranger") {
		t.Error(s)
	}
}

// TestACallerWhoLeavesIsNoFailure, in whatever way Asterisk says that a step could not be done: the event of the end may come after that.
func TestACallerWhoLeavesIsNoFailure(t *testing.T) {
	w := begin(t)
	for i, code := range []coded{ari.CodeServer, ari.CodeRefused, ari.CodeNotFound, "another"} {
		w.set(func() { w.err["answer"] = code })
		id := fmt.Sprint("c", i)
		w.call(id, time.Now())
		until(t, "the step was tried", func() bool { return w.asked("answer") == i+1 })
		w.line.Event(ari.ChannelHangupRequest{Channel: ari.Channel{ID: id}})
		until(t, "the call is over", func() bool { return w.line.Counts().Calls == 0 })
		if n := w.line.Counts(); n.Failed != 0 {
			t.Errorf("%s: %+v", string(code), n)
		}
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// TestCallsWhileNothingRuns: before Run and after it nobody is taken; and Run is not called twice at a time.
func TestCallsWhileNothingRuns(t *testing.T) {
	f := &fake{up: true, err: map[string]error{}}
	l, err := line.New(line.Options{
		Asterisk: f, Local: netip.MustParseAddr("127.0.0.1"), Now: time.Now, Peer: smsmcp.LabelPeer, Handle: func(context.Context, voice.Leg) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.line = l
	l.Event(ari.StasisStart{Channel: ari.Channel{ID: "early"}})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = l.Run(ctx) }()
	until(t, "it runs", func() bool { return f.asked("bridges") > 0 })
	if err := l.Run(t.Context()); err == nil || ctx.Err() != nil {
		t.Error("run twice")
	}
	cancel()
	<-done
	l.Event(ari.StasisStart{Channel: ari.Channel{ID: "late"}})
	if n := l.Counts(); n.Taken != 0 || f.asked("answer") != 0 {
		t.Errorf("%+v %v", n, f.done)
	}
}

// TestAHandlerOutlivesItsCall: its ctx does not end with the call, so that what is left of it can be kept.
func TestAHandlerOutlivesItsCall(t *testing.T) {
	kept := make(chan error, 1)
	finish := make(chan struct{})
	w := begin(t, func(o *line.Options) {
		o.Handle = func(ctx context.Context, leg voice.Leg) {
			<-leg.Done()
			<-finish
			kept <- ctx.Err()
		}
	})
	w.call("c", time.Now())
	until(t, "it goes on", func() bool { return w.asked("add") == 2 })
	w.line.Event(ari.ChannelHangupRequest{Channel: ari.Channel{ID: "c"}})
	until(t, "all is deleted", func() bool { return w.asked("delete") == 1 })
	if w.line.Counts().Calls != 1 {
		t.Error("a handler that has not returned is not counted")
	}
	close(finish)
	if err := <-kept; err != nil {
		t.Errorf("the handler's ctx ended with the call: %v", err)
	}
	until(t, "it is over", func() bool { return w.line.Counts().Calls == 0 })
}

// TestAHandlerHasAWhileToEnd when Run ends, and is waited for.
func TestAHandlerHasAWhileToEnd(t *testing.T) {
	const linger = 400 * time.Millisecond
	took := make(chan time.Duration, 1)
	w := begin(t, func(o *line.Options) {
		o.Linger = linger
		o.Handle = func(ctx context.Context, leg voice.Leg) {
			<-leg.Done()
			began := time.Now()
			<-ctx.Done()
			took <- time.Since(began)
		}
	})
	w.call("c", time.Now())
	until(t, "it goes on", func() bool { return w.asked("add") == 2 })
	w.stop()
	select {
	case d := <-took:
		if d < linger-50*time.Millisecond {
			t.Errorf("it had %v", d)
		}
	default:
		t.Error("it was not waited for")
	}
}
