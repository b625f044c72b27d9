package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"syscall"

	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/smsmcp/web"
)

// faces are where the server listens: in plain HTTP, for clients on this machine or a proxy; over TLS, where that is configured; and the owner's socket. All
// are opened before anything runs, so that what is wrong with them is said and ends it; one that fails later is opened anew where it was.
type faces struct {
	p      *program
	listen string // as configured, and then as it is
	tls    string // the same; "" for none
	log    *slog.Logger

	proxies []netip.Prefix // who else is let in without TLS

	firstWeb, firstTLS, firstMe net.Listener
}

// open opens all, and says in the data folder where the server is.
func (f *faces) open(ctx context.Context) (err error) {
	if f.proxies, err = web.Proxies(f.p.cfg.TrustedProxies); err == nil {
		err = web.Exposed(f.listen, false, f.proxies)
	}
	if err != nil {
		return err
	}
	if f.firstWeb, err = listen(ctx, f.listen); err != nil {
		return err
	}
	if f.tls != "" {
		if f.firstTLS, err = listen(ctx, f.tls); err != nil {
			return err
		}
		f.tls = f.firstTLS.Addr().String()
	}
	if f.firstMe, err = owner.Listen(ctx, f.p.cfg.Data); err != nil {
		return err
	}
	f.listen = f.firstWeb.Addr().String()
	return f.announce()
}

// close closes what nobody serves, and takes back what is said in the data folder.
func (f *faces) close() {
	f.webClosed()
	for _, l := range []net.Listener{f.firstWeb, f.firstTLS, f.firstMe} {
		if l != nil {
			_ = l.Close()
		}
	}
}

// address is where a client on this machine reaches the server.
func (f *faces) address() string { return reachable(f.listen) }

// announce says where the server is. A client gives its token to whoever is there.
func (f *faces) announce() error {
	return f.p.data().Create(machine.AddressFile, f.address()+"\n"+f.listen+"\n")
}

func (f *faces) webClosed() { _ = os.Remove(f.p.data().Path(machine.AddressFile)) }

// web gives the listener of the MCP server.
func (f *faces) web(ctx context.Context) (net.Listener, error) {
	if l := f.firstWeb; l != nil {
		f.firstWeb = nil
		return web.Near(l, f.proxies, f.log), nil
	}
	l, err := listen(ctx, f.listen)
	if err != nil {
		return nil, err
	}
	if err := f.announce(); err != nil {
		_ = l.Close()
		return nil, err
	}
	return web.Near(l, f.proxies, f.log), nil
}

// alike warns where all browsers seem to come from one address.
func (f *faces) alike() error { return web.Alike(f.p.cfg.PublicURL, f.tls != "", f.proxies) }

// secure gives the listener of the server over TLS.
func (f *faces) secure(a *parts.App) func(context.Context) (net.Listener, error) {
	return func(ctx context.Context) (_ net.Listener, err error) {
		l := f.firstTLS
		if f.firstTLS = nil; l == nil {
			if l, err = listen(ctx, f.tls); err != nil {
				return nil, err
			}
		}
		return a.Secure(l), nil
	}
}

// owner gives the listener of the owner's socket.
func (f *faces) owner(ctx context.Context) (net.Listener, error) {
	if l := f.firstMe; l != nil {
		f.firstMe = nil
		return l, nil
	}
	return owner.Listen(ctx, f.p.cfg.Data)
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, lang.Say(lang.CLIPortTaken, address)
	case errors.Is(err, fs.ErrPermission):
		return nil, lang.Say(lang.CLIPortForbidden, address)
	}
	return nil, lang.Say(lang.CLIPortBad, address)
}

// reachable is how a client on this machine reaches a listening address: one that listens everywhere is reached on loopback.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
