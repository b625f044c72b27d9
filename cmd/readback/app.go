package main

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/smsmcp/untrusted"
	"readback/smsmcp/web"
	"readback/store"
	"readback/voip/sandbox"
	"readback/voip/voipms"
)

// handOver bounds one hand-over to the carrier. It is above the carrier's own time for a send, whose answer says more.
const handOver = 25 * time.Second

// sweep is how often waits are ended whose time is past.
const sweep = 15 * time.Second

// app is the parts, wired. serve runs them; an owner's command without a server uses them for one call.
type app struct {
	log     *slog.Logger
	store   *store.Store
	carrier smsmcp.Carrier
	real    bool // texts go to people
	box     *inbox.Box
	door    *dispatch.Door
	desk    *confirm.Desk
	owner   http.Handler
	files   []io.Closer // what closes after the store
}

// open opens the store and wires the parts around it. The caller holds the data folder's lock, so a send that is still reserved was
// left by a process that is gone: it may have been sent.
func open(ctx context.Context, c *config.Config, log *slog.Logger) (_ *app, err error) {
	s, err := store.Open(ctx, machine.Folder(c.Data).Path(machine.StoreFile))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	n, err := s.Recover(ctx, time.Now())
	if err != nil {
		return nil, err
	}
	if n > 0 {
		log.Warn("sends were cut short; each is unknown until the carrier says what became of it", "sends", n)
	}
	return wire(c, s, log)
}

func wire(c *config.Config, s *store.Store, log *slog.Logger) (*app, error) {
	a := &app{log: log, store: s, real: c.Carrier.Kind != config.Sandbox}
	var err error
	var box *sandbox.Carrier
	if a.real {
		a.carrier, err = voipmsOf(c)
	} else {
		box, err = sandbox.Open(machine.Folder(c.Data).Path(machine.SandboxFile), time.Now)
		a.carrier, a.files = box, append(a.files, box)
	}
	if err != nil {
		return nil, err
	}
	g := c.Settings()
	// The command line is there whenever the program runs. It is strong by the passphrase, which the owner's calls ask for; the sandbox,
	// whose texts reach nobody, may do without one.
	a.desk = confirm.New(s, time.Now, log, confirm.Channel{Name: smsmcp.CommandLine, Strong: true, Reachable: func() bool { return true }})
	a.door = dispatch.New(dispatch.Options{
		Carrier: a.carrier, Ledger: s, Guard: g, Now: time.Now, Timeout: handOver,
		Reachable: a.desk.Reachable, Tell: func(smsmcp.Send) {}, Log: log,
	})
	a.desk.Bind(a.door)
	lister, _ := a.carrier.(smsmcp.Lister)
	a.box = inbox.New(inbox.Options{
		Store: s, Name: a.carrier.Name(), Carrier: lister, Now: time.Now, Rand: jitter(), Log: log,
		Hold: g.Hold, Alarm: g.Alarm, Window: c.Sync.Window.Duration, Every: c.Sync.Every.Duration,
	})
	o := owner.Options{
		Store: s, Desk: a.desk, Carrier: a.carrier, Real: a.real, Mint: web.NewToken,
		Region: c.HomeRegion, Now: time.Now, Rand: crand.Reader, Log: log,
	}
	if box != nil {
		o.Receive = func(ctx context.Context, in owner.Incoming) error {
			at := in.At
			if at.IsZero() {
				at = time.Now()
			}
			from := contacts.Peer(in.From, c.HomeRegion)
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
	a.owner = owner.New(o)
	return a, nil
}

func voipmsOf(c *config.Config) (smsmcp.Carrier, error) {
	v := &c.VoipMS
	zone, err := time.LoadLocation(v.TimeZone)
	if err != nil {
		return nil, err
	}
	password := voipms.NewSecret(string(v.Password))
	if v.PasswordFile != "" {
		read := func() (string, error) {
			b, err := machine.ReadFile(v.PasswordFile, 4<<10)
			return strings.TrimRight(string(b), "\r\n"), err
		}
		if _, err := read(); err != nil {
			return nil, lang.Say(lang.CLIPasswordFile, machine.Reason(err))
		}
		password = voipms.SecretFrom(read)
	}
	carrier, err := voipms.New(voipms.Options{
		Username: voipms.NewSecret(v.Username), Password: password, DID: smsmcp.Number(v.DID),
		Peer: func(raw string) smsmcp.Peer { return contacts.Peer(raw, c.HomeRegion) },
		Now:  time.Now, Zone: zone, Endpoint: v.URL,
	})
	if err != nil {
		return nil, lang.Say(lang.CLIDIDForm) // the rest was checked with the configuration
	}
	return carrier, nil
}

// run runs what runs by itself, until ctx ends: the poller and the sweep of the desk.
func (a *app) run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { a.box.Run(ctx) })
	all.Go(func() { a.desk.Run(ctx, sweep) })
	all.Wait()
}

// land lets no more sends in and waits for those in flight; what outlasts the landing is recorded as unknown.
func (a *app) land(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, landing)
	defer cancel()
	if err := a.door.Close(ctx); err != nil {
		a.log.Error("a send's outcome could not be written", "error", err)
	}
}

// close lands what flies and closes the store.
func (a *app) close(ctx context.Context) error {
	a.land(ctx)
	err := a.store.Close()
	for _, f := range a.files {
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
