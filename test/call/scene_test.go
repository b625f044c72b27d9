package call

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/test/testbed"
	"readback/voice"
	"readback/voice/line"
	"readback/voice/voicetest"
	"readback/voip/ari"
)

// scene is an Asterisk, the line to it, and a telephone.
type scene struct {
	t      *testing.T
	bed    *testbed.Bed
	client *ari.Client
	line   *line.Line
	phone  *testbed.Caller
	legs   chan voice.Leg
	log    *log
	stop   func() // ends the line and its connection, and waits
}

// log keeps what is logged.
type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

var here = netip.MustParseAddr("127.0.0.1")

func newBed(t *testing.T) *testbed.Bed {
	t.Helper()
	return testbed.Start(t, testbed.Config{NoNtfy: true})
}

func newClient(t *testing.T, b *testbed.Bed) *ari.Client {
	t.Helper()
	c, err := ari.New(ari.Config{
		URL: b.ARI, App: b.App, User: b.User, Password: func() (string, error) { return b.Password, nil }, Roots: b.Roots,
		Sources: []string{"endpoint:PJSIP"}, Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)),
		Timeout: 10 * time.Second, Ping: 300 * time.Millisecond, MinWait: 20 * time.Millisecond, MaxWait: 200 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// start begins a line on a bed. Its handler, unless another is given, passes the leg on and stays until the call is over.
func start(t *testing.T, b *testbed.Bed, change ...func(*line.Options)) *scene {
	t.Helper()
	s := &scene{t: t, bed: b, client: newClient(t, b), legs: make(chan voice.Leg, 100), log: &log{}, phone: b.NewCaller(t)}
	s.listen(func(context.Context, ari.Event) {}, change...)
	return s
}

// listen begins a line whose texts go to event.
func (s *scene) listen(event func(context.Context, ari.Event), change ...func(*line.Options)) {
	s.t.Helper()
	o := line.Options{
		Asterisk: s.client, Local: here, Name: "voipms", Now: time.Now,
		Peer: func(raw string) smsmcp.Peer { return contacts.Peer(raw, "CA") },
		Log:  slog.New(slog.NewTextHandler(s.log, nil)),
		Handle: func(_ context.Context, leg voice.Leg) {
			s.legs <- leg
			<-leg.Done()
		},
	}
	for _, f := range change {
		f(&o)
	}
	var err error
	if s.line, err = line.New(o); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	connected := make(chan struct{})
	first := sync.OnceFunc(func() { close(connected) })
	var wg sync.WaitGroup
	wg.Go(func() { _ = s.line.Run(ctx) })
	wg.Go(func() {
		_ = s.client.Run(ctx, ari.Listener{
			Connected: func(ctx context.Context) error {
				defer first()
				return s.line.Connected(ctx)
			},
			Event: event,
			Call:  s.line.Event,
		})
	})
	s.stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	s.t.Cleanup(s.stop)
	s.t.Cleanup(func() {
		if s.t.Failed() {
			s.t.Logf("the line's log:\n%s", s.log)
		}
	})
	select {
	case <-connected:
	case <-time.After(20 * time.Second):
		s.t.Fatal("no connection")
	}
}

// dial makes a call that goes on.
func (s *scene) dial(r testbed.Ring) (voice.Leg, *testbed.Dialed) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	far, err := s.phone.Dial(ctx, r)
	if err != nil {
		s.t.Fatalf("the call was not answered: %v", err)
	}
	return s.leg(), far
}

// leg waits for the next leg.
func (s *scene) leg() voice.Leg {
	s.t.Helper()
	select {
	case leg := <-s.legs:
		return leg
	case <-time.After(20 * time.Second):
		s.t.Fatalf("no leg came; the log:\n%s", s.log)
		return nil
	}
}

// nothingLeft waits until no channel and no bridge is in Asterisk.
func (s *scene) nothingLeft() {
	s.t.Helper()
	var what string
	testbed.Until(s.t, 20*time.Second, "nothing is left in Asterisk", func() bool {
		channels, err := s.client.Channels(s.t.Context())
		if err != nil {
			what = err.Error()
			return false
		}
		bridges, err := s.client.Bridges(s.t.Context())
		if err != nil {
			what = err.Error()
			return false
		}
		var left strings.Builder
		for _, c := range channels {
			left.WriteString(c.Name + " ")
		}
		for _, b := range bridges {
			left.WriteString(b.ID + " ")
		}
		if what = left.String(); what != "" {
			return false
		}
		return s.line.Counts().Calls == 0
	})
	if what != "" {
		s.t.Fatal(what)
	}
}

// ended waits for the end of a call.
func ended(t *testing.T, what string, done <-chan struct{}, within time.Duration) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(within):
		t.Fatalf("%s: not over within %v", what, within)
	}
}

// TestTheLegKeepsTheContract with telephones that call a real Asterisk.
func TestTheLegKeepsTheContract(t *testing.T) {
	s := start(t, newBed(t))
	voicetest.Contract(t, func(t *testing.T) (voice.Leg, voicetest.Far) {
		leg, far := s.dial(testbed.Ring{})
		t.Cleanup(func() {
			far.HangUp()
			s.nothingLeft()
		})
		return leg, far
	})
}
