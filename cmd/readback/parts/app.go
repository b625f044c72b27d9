// Package parts makes the program of its parts and runs them side by side: the carrier and its poller, the desk, the line, the bridge to ntfy, the question on
// the owner's phone, and the faces. It decides nothing about texts.
//
// What a command needs without a server is made by [Open]: it speaks to nobody. [App.Connect] adds what a server alone has. [App.Start] runs it all, each
// part supervised, so that none takes another down; [App.Wait] ends it in the order in which nothing is lost (invariant 8).
//
// Floor 5: imports every lower floor. Clocks are passed in.
package parts

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/supervise"
	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/images"
	"readback/smsmcp/inbox"
	"readback/smsmcp/metrics"
	"readback/smsmcp/ntfy"
	"readback/smsmcp/oauth"
	"readback/smsmcp/outside"
	"readback/smsmcp/owner"
	"readback/smsmcp/page"
	"readback/smsmcp/push"
	"readback/smsmcp/untrusted"
	"readback/smsmcp/web"
	"readback/store"
	"readback/voice/line"
	"readback/voice/voicemail"
	"readback/voip/ari"
	"readback/voip/sandbox"
	"readback/voip/sipmsg"
)

// handOver bounds one hand-over to the carrier. It is above the carrier's own time for a send, whose answer says more.
const handOver = 25 * time.Second

// sweep is how often waits are ended whose time is past, and what other processes left is looked for.
const sweep = 15 * time.Second

// landing is how long sends in flight may take to end once the program is told to stop; then they are recorded as unknown. It is shorter than
// what requests are given, so that the model still hears what became of its send.
const landing = 800 * time.Millisecond

// Options are what an App is made of. All but Outside are needed.
type Options struct {
	Config  *config.Config
	Now     func() time.Time
	Log     *slog.Logger
	Version string          // of the program
	Outside outside.Options // whence addresses of somebody else's choice are fetched: zero is the Internet. How much and how long are not its to say
	Joins   bool            // the process is a worker beside the server: it takes calls in rooms, sends what the owner says yes to there, and settles and tells of nothing that others left
}

// App is the parts, wired.
type App struct {
	Store   *store.Store
	Carrier smsmcp.Carrier
	Real    bool         // texts go to people
	Owner   http.Handler // the owner's calls

	o       Options
	box     *inbox.Box
	door    *dispatch.Door
	desk    *confirm.Desk
	metrics *metrics.Metrics

	asterisk *ari.Client // nil where there is none; so are the next seven
	line     *sipmsg.Line
	calls    *line.Line
	answers  *calls
	rooms    *rooms
	mail     *voicemail.Box
	bridge   *ntfy.Bridge
	asker    *push.Asker
	page     *page.Page
	oauth    *oauth.Server // nil where no client comes in by a browser
	gate     *owner.Gate
	images   *images.Box
	certs    *web.Certificates // nil where the server speaks no TLS
	closing  []io.Closer       // what closes after the store

	every       time.Duration    // sweep
	front, back *supervise.Group // what brings and asks, and what tells the owner of it
	end         context.CancelFunc
}

// Open opens the store and wires the parts around it. The caller holds the data folder's lock, so a send that is still reserved was
// left by a process that is gone, or by a worker, which records what became of it all the same: it may have been sent. With Joins the caller has joined the folder.
func Open(ctx context.Context, o Options) (_ *App, err error) {
	open := store.Open
	if o.Joins {
		open = store.Join
	}
	s, err := open(ctx, machine.Folder(o.Config.Data).Path(machine.StoreFile))
	if err != nil {
		return nil, err
	}
	a := &App{Store: s, Real: o.Config.Carrier.Kind != config.Sandbox, o: o, every: sweep}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	if !o.Joins {
		n, err := s.Recover(ctx, o.Now())
		if err != nil {
			return nil, err
		}
		if n > 0 {
			o.Log.Warn("sends were cut short; each is unknown until the carrier says what became of it", "sends", n)
		}
	}
	return a, a.wire()
}

func (a *App) wire() error {
	c, s, now, log := a.o.Config, a.Store, a.o.Now, a.o.Log
	group := supervise.Options{Now: now, Log: log}
	a.front, a.back = supervise.New(group), supervise.New(group)
	a.metrics = metrics.New(metrics.Options{Lengths: a.lengths, Parts: a.Parts, Version: a.o.Version})
	box, err := a.carrier()
	if err != nil {
		return err
	}
	g := c.Settings()
	// The command line is there whenever the program runs. It is strong by the passphrase, which the owner's calls ask for; the sandbox,
	// whose texts reach nobody, may do without one.
	a.desk = confirm.New(s, now, log, confirm.Channel{Name: smsmcp.CommandLine, Strong: true, Reachable: func() bool { return true }})
	a.desk.Observe(a.metrics.Observe)
	a.door = dispatch.New(dispatch.Options{
		Carrier: a.Carrier, Ledger: s, Guard: g, Now: now, Timeout: handOver,
		Reachable: a.desk.Reachable, Tell: a.tell, Log: log, Observe: a.metrics.Observe,
	})
	a.desk.Bind(a.door)
	a.desk.Tell(a.tell)
	lister, _ := a.Carrier.(smsmcp.Lister)
	if a.o.Joins { // the server asks for it
		lister = nil
	}
	a.box = inbox.New(inbox.Options{
		Store: s, Name: a.Carrier.Name(), Carrier: lister, Now: now, Rand: jitter(), Log: log, Observe: a.metrics.Observe, Settled: a.settled,
		Hold: g.Hold, Alarm: g.Alarm, Window: c.Sync.Window.Duration, Every: c.Sync.Every.Duration,
	})
	a.makeImages()
	a.gate = owner.NewGate(s, a.Real, crand.Reader)
	o := owner.Options{
		Gate: a.gate, Changed: a.signOut, Store: s, Desk: a.desk, Carrier: a.Carrier, Real: a.Real, Mint: web.NewToken, Parts: a.Parts,
		Region: c.HomeRegion, Now: now, Rand: crand.Reader, Log: log,
	}
	if box != nil {
		o.Receive = a.receive(box)
	}
	a.Owner = owner.New(o)
	return nil
}

// settled tells of a send of which the carrier's list has said what became of it.
func (a *App) settled(s smsmcp.Send) {
	a.metrics.Observe(smsmcp.SendEnded, string(s.State))
	a.tell(s)
}

// signOut ends the page's sessions, and the calls from browsers: there is another passphrase. Where the page is not served, workers may still lead such calls.
func (a *App) signOut() {
	switch {
	case a.page != nil:
		a.page.EndSessions()
	case a.o.Config.TalkOn():
		if err := a.endTalks(context.Background()); err != nil {
			a.o.Log.Error("the calls from browsers were not ended", "error", err)
		}
	}
}

// tell has the owner's phone told of a send that waits or ended, where there is one.
func (a *App) tell(s smsmcp.Send) {
	if a.asker != nil {
		a.asker.Tell(s)
	}
}

// receive has a text arrive in the sandbox.
func (a *App) receive(box *sandbox.Carrier) func(context.Context, owner.Incoming) error {
	return func(ctx context.Context, in owner.Incoming) error {
		at := in.At
		if at.IsZero() {
			at = a.o.Now()
		}
		from := contacts.Peer(in.From, a.o.Config.HomeRegion)
		key, err := box.Receive(ctx, from, in.Body, at, 0)
		if err != nil {
			return err
		}
		// Stored before it is acknowledged (invariant 8), and not left to the next sync, whose window it may lie before.
		return a.box.Receive(ctx, smsmcp.Text{
			Key: key, Direction: smsmcp.Received, Peer: from, Body: untrusted.New(in.Body), At: at.UTC().Truncate(time.Second),
		})
	}
}

// Parts says how what runs by itself stands.
func (a *App) Parts() []smsmcp.Part { return append(a.front.Parts(), a.back.Parts()...) }

func (a *App) lengths(ctx context.Context) (smsmcp.Lengths, error) {
	return a.Store.Lengths(ctx, a.o.Now())
}

// land lets no more sends in and waits for those in flight; what outlasts the landing is recorded as unknown.
func (a *App) land(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, landing)
	defer cancel()
	if err := a.door.Close(ctx); err != nil {
		a.o.Log.Error("a send's outcome could not be written", "error", err)
	}
}

// Close lands what flies and closes the store.
func (a *App) Close(ctx context.Context) error {
	a.land(ctx)
	return a.close()
}

func (a *App) close() error {
	err := a.Store.Close()
	for _, f := range a.closing {
		err = errors.Join(err, f.Close())
	}
	return err
}

func jitter() *rand.Rand {
	var seed [16]byte
	_, _ = crand.Read(seed[:]) // it never fails
	//nolint:gosec // it spreads polls in time, and guards nothing
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(seed[:8]), binary.LittleEndian.Uint64(seed[8:])))
}
