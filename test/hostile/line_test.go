package hostile

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/test/testbed"
	"readback/voice"
	asterisk "readback/voice/line"
	"readback/voip/ari"
)

// telephones call a real Asterisk.
type telephones struct {
	phone *testbed.Caller

	mu      sync.Mutex
	waiting map[string]chan taken // by the number that calls
}

// taken is a call that the program has taken; over is closed when that may go on.
type taken struct {
	leg  voice.Leg
	over chan struct{}
}

func newTelephones(t *testing.T) *telephones {
	t.Helper()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	client, err := ari.New(ari.Config{
		URL: b.ARI, App: b.App, User: b.User, Password: func() (string, error) { return b.Password, nil }, Roots: b.Roots,
		Sources: []string{"endpoint:PJSIP"}, Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)), Timeout: patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	p := &telephones{phone: b.NewCaller(t), waiting: map[string]chan taken{}}
	l, err := asterisk.New(asterisk.Options{
		Asterisk: client, Local: netip.MustParseAddr("127.0.0.1"), Name: "voipms", Now: time.Now, MaxCalls: 100,
		Peer: func(raw string) smsmcp.Peer { return contacts.Peer(raw, "CA") }, Handle: p.handle,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	connected := make(chan struct{})
	first := sync.OnceFunc(func() { close(connected) })
	var wg sync.WaitGroup
	wg.Go(func() { _ = l.Run(ctx) })
	wg.Go(func() {
		_ = client.Run(ctx, ari.Listener{
			Connected: func(ctx context.Context) error {
				defer first()
				return l.Connected(ctx)
			},
			Event: func(context.Context, ari.Event) {}, Call: l.Event,
		})
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	select {
	case <-connected:
	case <-time.After(patience):
		t.Fatal("no connection to Asterisk")
	}
	return p
}

func (p *telephones) handle(_ context.Context, leg voice.Leg) {
	p.mu.Lock()
	to := p.waiting[leg.Caller().Number]
	p.mu.Unlock()
	if to == nil {
		return
	}
	c := taken{leg, make(chan struct{})}
	to <- c
	<-c.over
}

// calls has somebody call, and gives both ends of the call.
func (p *telephones) calls(ctx context.Context, seed uint64, w wish) (*connection, error) {
	number := fmt.Sprintf("+1514556%04d", seed%10_000)
	to := make(chan taken, 1)
	p.mu.Lock()
	p.waiting[number] = to
	p.mu.Unlock()
	d, err := p.phone.Dial(ctx, testbed.Ring{From: number})
	if err != nil {
		return nil, err
	}
	select {
	case c := <-to:
		return &connection{leg: c.leg, far: &telephone{d}, number: smsmcp.Number(number), over: func() { close(c.over) }}, nil
	case <-ctx.Done():
		d.HangUp()
		return nil, errors.New("the program did not take the call")
	}
}

// telephone is the far end of a call through Asterisk.
type telephone struct{ *testbed.Dialed }

func (p *telephone) Send(pcm []int16) int      { return p.SendAt(pcm) }
func (p *telephone) Received(from int) []int16 { return p.ReceivedFrom(from) }
func (p *telephone) Time(at int) time.Time {
	return p.Began().Add(time.Duration(at) * time.Second / 8000)
}
func (p *telephone) Press(key rune) bool        { p.Dialed.Press(key); return true }
func (p *telephone) Meddle(pcm []int16, _ rune) {}

// TestInvariant10AHostileModelOnTheLine plays calls through a real Asterisk.
func TestInvariant10AHostileModelOnTheLine(t *testing.T) {
	t.Parallel()
	playOnLeg(t, 200_000, newTelephones(t))
}
