package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/mcptools"
	"readback/smsmcp/owner"
	"readback/smsmcp/web"
	"readback/store"
)

// landing is how long sends in flight may take to end once the program is told to stop; then they are recorded as unknown. It is shorter than
// what requests are given, so that the model still hears what became of its send.
const landing = 800 * time.Millisecond

// firstToken is the name of the token that serve makes by itself.
const firstToken = "first"

func (p *program) serve() *cobra.Command {
	c := p.command("serve [--listen ADDRESS]", lang.CLIServe, lang.CLIServeLong, groupRun)
	c.Flags().StringVar(&p.flags.Listen, "listen", "", lang.CLIFlagListen.In(p.lang))
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error { return p.serveUntil(ctx) })
}

// serveUntil runs the server until ctx ends.
func (p *program) serveUntil(ctx context.Context) (err error) {
	if err := p.data().Prepare(); err != nil {
		return err
	}
	release, err := p.data().Lock()
	if errors.Is(err, machine.ErrLocked) {
		return lang.Say(lang.CLIServeTwice, p.cfg.Data)
	}
	if err != nil {
		return err
	}
	defer release()
	// What a server left that did not end well names an address that may be anybody's now. It is gone before the owner's socket is there.
	if err := os.Remove(p.data().Path(machine.AddressFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return lang.Say(lang.CLIDataUnwritable, p.cfg.Data, machine.Reason(err))
	}
	log := p.log(p.cfg.Level())
	a, err := open(ctx, p.cfg, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close(context.WithoutCancel(ctx))) }()
	st, err := p.mayServe(ctx, a)
	if err != nil {
		return err
	}
	if err := p.firstToken(ctx, a); err != nil {
		return err
	}
	handler, err := p.handler(a, log)
	if err != nil {
		return err
	}
	mcp, err := p.listen(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = mcp.Close() }()
	socket, err := owner.Listen(ctx, p.cfg.Data)
	if err != nil {
		return err
	}
	defer func() { _ = socket.Close() }()
	address := reachable(mcp.Addr())
	if err := p.data().Create(machine.AddressFile, address+"\n"+mcp.Addr().String()+"\n"); err != nil {
		return err
	}
	defer func() { _ = os.Remove(p.data().Path(machine.AddressFile)) }()

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	serve := func(ln net.Listener, h http.Handler) {
		running.Go(func() {
			if err := web.Serve(ctx, ln, h, log); err != nil {
				log.Warn("a listener ended", "error", err)
				stop(err)
			}
		})
	}
	serve(mcp, handler)
	serve(socket, a.owner)
	running.Go(func() { a.run(ctx) })
	p.greet(a, address, st)
	log.Info("serving", "address", mcp.Addr().String(), "carrier", a.carrier.Name())
	<-ctx.Done()
	// The door closes while the requests drain: what is in flight has its record before the store closes.
	log.Info("stopping")
	a.land(context.WithoutCancel(ctx))
	running.Wait()
	log.Info("stopped")
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// mayServe refuses a real carrier without a passphrase: nobody's yes could be told from a model's.
func (p *program) mayServe(ctx context.Context, a *app) (owner.State, error) {
	st, err := owner.GetState.Do(ctx, owner.Local(a.owner, p.lang), owner.None{}, "")
	if err == nil && st.Real && !st.Passphrase {
		err = lang.Say(lang.CLIServePassphrase)
	}
	return st, err
}

// firstToken makes the token that a newcomer's client shows, once: when there was never any.
func (p *program) firstToken(ctx context.Context, a *app) error {
	all, err := a.store.Tokens(ctx)
	if err != nil || len(all) > 0 {
		return err
	}
	id, token, hash, err := web.NewToken(rand.Reader)
	if err != nil {
		return err
	}
	// The file comes first: a token in a file that the store does not know harms nobody, and one that nobody has helps nobody.
	if err := p.data().Create(machine.TokenFile, token+"\n"); err != nil {
		return err
	}
	return a.store.AddToken(ctx, time.Now(), firstToken, id, hash)
}

// handler gives the whole of what the network reaches.
func (p *program) handler(a *app, log *slog.Logger) (http.Handler, error) {
	c := p.cfg
	tools, err := mcptools.New(mcptools.Options{
		Reader: a.box, Book: a.store, Door: a.door, By: web.Caller,
		Now: time.Now, Random: rand.Reader, Lang: p.lang, Zone: c.Zone, Version: version(), Log: log,
		MaskCodes: c.Read.MaskCodes, MaxChars: c.Read.MaxChars, BodyChars: c.Read.BodyChars,
		Timeout: c.Limits.RequestTimeout.Duration * 5 / 6,
	})
	if err != nil {
		return nil, err
	}
	return web.New(web.Options{
		MCP: tools, Tokens: a.store, NoToken: store.ErrNoToken, Now: time.Now, Log: log, Lang: p.lang,
		PublicHosts: c.PublicHosts, AllowedOrigins: c.AllowedOrigins,
		RequestsPerMinute: c.Limits.RequestsPerMinute, Burst: c.Limits.Burst, BodyBytes: c.Limits.BodyBytes,
		RequestTimeout: c.Limits.RequestTimeout.Duration, AtOnce: c.Limits.AtOnce,
	}), nil
}

func (p *program) listen(ctx context.Context) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", p.cfg.Listen)
	switch {
	case err == nil:
		return ln, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, lang.Say(lang.CLIPortTaken, p.cfg.Listen)
	case errors.Is(err, fs.ErrPermission):
		return nil, lang.Say(lang.CLIPortForbidden, p.cfg.Listen)
	}
	return nil, lang.Say(lang.CLIPortBad, p.cfg.Listen)
}

// reachable is how a client on this machine reaches a listening address: one that listens everywhere is reached on loopback.
func reachable(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
