package line_test

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/line"
	"readback/voip/ari"
)

// fake is an Asterisk that does what no real one can be made to do.
type fake struct {
	mu       sync.Mutex
	line     *line.Line
	channels []ari.Channel
	bridges  []ari.Bridge
	done     []string // what was asked
	err      map[string]error
	up       bool
	mute     bool // media channels never enter
	media    *net.UDPConn
}

type coded string

func (c coded) Error() string { return "words of a stranger" }
func (c coded) Code() string  { return string(c) }

func (f *fake) ask(what, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = append(f.done, what+" "+id)
	return f.err[what]
}

func (f *fake) set(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// asked counts what was asked, by the beginning of it.
func (f *fake) asked(what string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range f.done {
		if strings.HasPrefix(d, what) {
			n++
		}
	}
	return n
}

func (f *fake) App() string { return "app" }

func (f *fake) State() ari.State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return ari.State{Up: f.up}
}

func (f *fake) Channels(context.Context) ([]ari.Channel, error) {
	err := f.ask("channels", "")
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.channels), err
}

func (f *fake) Bridges(context.Context) ([]ari.Bridge, error) {
	err := f.ask("bridges", "")
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.bridges), err
}

func (f *fake) Answer(_ context.Context, id string) error { return f.ask("answer", id) }

func (f *fake) HangUp(_ context.Context, id string, why ari.Reason) error {
	if err := f.ask("hang up", id+" "+string(why)); err != nil {
		return err
	}
	f.set(func() { f.channels = slices.DeleteFunc(f.channels, func(c ari.Channel) bool { return c.ID == id }) })
	return nil
}

func (f *fake) CreateBridge(_ context.Context, id string) error {
	f.set(func() { f.bridges = append(f.bridges, ari.Bridge{ID: id}) })
	return f.ask("bridge", id)
}

func (f *fake) AddToBridge(_ context.Context, bridge, channel string) error {
	return f.ask("add", bridge+" "+channel)
}

func (f *fake) DeleteBridge(_ context.Context, id string) error {
	if err := f.ask("delete", id); err != nil {
		return err
	}
	f.set(func() { f.bridges = slices.DeleteFunc(f.bridges, func(b ari.Bridge) bool { return b.ID == id }) })
	return nil
}

func (f *fake) ExternalMedia(_ context.Context, id string, _ netip.AddrPort) (netip.AddrPort, error) {
	err := f.ask("media", id)
	f.mu.Lock()
	mute := f.mute
	f.channels = append(f.channels, inApp(id))
	f.mu.Unlock()
	if err == nil && !mute {
		go f.line.Event(ari.StasisStart{Channel: ari.Channel{ID: id}})
	}
	return f.media.LocalAddr().(*net.UDPAddr).AddrPort(), err
}

func inApp(id string) ari.Channel {
	return ari.Channel{ID: id, App: "Stasis", Args: "app", State: "Up"}
}

type world struct {
	*fake
	t    *testing.T
	legs chan voice.Leg
	stop func() // has Run end, and waits
}

// begin makes a line on a fake, which runs until the test ends.
func begin(t *testing.T, change ...func(*line.Options)) *world {
	t.Helper()
	media, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, fake: &fake{up: true, media: media, err: map[string]error{}}, legs: make(chan voice.Leg, 100)}
	o := line.Options{
		Asterisk: w.fake, Local: netip.MustParseAddr("127.0.0.1"), Now: time.Now,
		Peer:   func(raw string) smsmcp.Peer { return contacts.Peer(raw, "CA") },
		Handle: func(_ context.Context, leg voice.Leg) { w.legs <- leg; <-leg.Done() },
	}
	for _, f := range change {
		f(&o)
	}
	l, err := line.New(o)
	if err != nil {
		t.Fatal(err)
	}
	w.line = l
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = l.Run(ctx) }()
	w.stop = func() { cancel(); <-done }
	t.Cleanup(func() { w.stop(); _ = media.Close() })
	until(t, "the first sweep", func() bool { return w.asked("bridges") > 0 })
	return w
}

func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(10 * time.Second)
	for !so() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("not in time: %s", what)
		}
	}
}

// call has a caller enter, at a time by Asterisk's clock.
func (w *world) call(id string, at time.Time) {
	w.set(func() { w.channels = append(w.channels, inApp(id)) })
	w.line.Event(ari.StasisStart{Head: ari.Head{At: at}, Channel: ari.Channel{ID: id, Number: untrusted.New("5145550101")}})
}

func (w *world) leg() voice.Leg {
	w.t.Helper()
	select {
	case leg := <-w.legs:
		return leg
	case <-time.After(10 * time.Second):
		w.t.Fatalf("no leg: %v", w.done)
		return nil
	}
}

func (w *world) key(id string, digit byte, at time.Time, held time.Duration) {
	w.line.Event(ari.ChannelDtmfReceived{Head: ari.Head{At: at}, Channel: ari.Channel{ID: id}, Digit: digit, Duration: held})
}

func (w *world) over(leg voice.Leg) {
	w.t.Helper()
	select {
	case <-leg.Done():
	case <-time.After(10 * time.Second):
		w.t.Fatal("the call is not over")
	}
}
