package parts

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"syscall"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/smsmcp/web"
)

// Faces are where the server listens: in plain HTTP, for clients on this machine or a proxy; over TLS, where that is configured; and the owner's socket. All
// are opened before anything runs, so that what is wrong with them is said and ends it; one that fails later is opened anew where it was.
type Faces struct {
	c      *config.Config
	listen string // as configured, and then as it is
	tls    string // the same; "" for none
	log    *slog.Logger

	proxies []netip.Prefix // who else is let in without TLS

	firstWeb, firstTLS, firstMe net.Listener
}

// OpenFaces opens all, and says in the data folder where the server is. The caller closes them.
func OpenFaces(ctx context.Context, c *config.Config, log *slog.Logger) (*Faces, error) {
	f := &Faces{c: c, listen: c.Listen, tls: c.TLS.Listen, log: log}
	if err := f.open(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *Faces) open(ctx context.Context) (err error) {
	if f.proxies, err = web.Proxies(f.c.TrustedProxies); err == nil {
		err = web.Exposed(f.listen, false, f.proxies)
	}
	if err != nil {
		return err
	}
	if f.firstWeb, err = bind(ctx, f.listen); err != nil {
		return err
	}
	if f.tls != "" {
		if f.firstTLS, err = bind(ctx, f.tls); err != nil {
			return err
		}
		f.tls = f.firstTLS.Addr().String()
	}
	if f.firstMe, err = owner.Listen(ctx, f.c.Data); err != nil {
		return err
	}
	f.listen = f.firstWeb.Addr().String()
	return f.announce()
}

// Close closes what nobody serves, and takes back what is said in the data folder.
func (f *Faces) Close() {
	f.webClosed()
	for _, l := range []net.Listener{f.firstWeb, f.firstTLS, f.firstMe} {
		if l != nil {
			_ = l.Close()
		}
	}
}

// Address is where a client on this machine reaches the server.
func (f *Faces) Address() string { return reachable(f.listen) }

// announce says where the server is. A client gives its token to whoever is there.
func (f *Faces) announce() error {
	return machine.Folder(f.c.Data).Create(machine.AddressFile, f.Address()+"\n"+f.listen+"\n")
}

func (f *Faces) webClosed() { _ = os.Remove(machine.Folder(f.c.Data).Path(machine.AddressFile)) }

// web gives the listener of the MCP server.
func (f *Faces) web(ctx context.Context) (net.Listener, error) {
	if l := f.firstWeb; l != nil {
		f.firstWeb = nil
		return web.Near(l, f.proxies, f.log), nil
	}
	l, err := bind(ctx, f.listen)
	if err != nil {
		return nil, err
	}
	if err := f.announce(); err != nil {
		_ = l.Close()
		return nil, err
	}
	return web.Near(l, f.proxies, f.log), nil
}

// Alike warns where all browsers seem to come from one address.
func (f *Faces) Alike() error { return web.Alike(f.c.PublicURL, f.tls != "", f.proxies) }

// secure gives the listener of the server over TLS.
func (f *Faces) secure(a *App) func(context.Context) (net.Listener, error) {
	return func(ctx context.Context) (_ net.Listener, err error) {
		l := f.firstTLS
		if f.firstTLS = nil; l == nil {
			if l, err = bind(ctx, f.tls); err != nil {
				return nil, err
			}
		}
		return a.Secure(l), nil
	}
}

// owner gives the listener of the owner's socket.
func (f *Faces) owner(ctx context.Context) (net.Listener, error) {
	if l := f.firstMe; l != nil {
		f.firstMe = nil
		return l, nil
	}
	return owner.Listen(ctx, f.c.Data)
}

func bind(ctx context.Context, address string) (net.Listener, error) {
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

// Listening is the address at which it listens, as the system gave it.
func (f *Faces) Listening() string { return f.listen }

// TLS is the address at which it speaks TLS; "" for none.
func (f *Faces) TLS() string { return f.tls }

// All gives the faces to start, with what answers at each.
func (f *Faces) All(a *App, handler http.Handler) []Face {
	all := []Face{
		{Name: "web", Handler: handler, Open: f.web, Closed: f.webClosed},
		{Name: "owner", Handler: a.Owner, Open: f.owner},
	}
	if f.tls != "" {
		all = append(all, Face{Name: "https", Handler: handler, Open: f.secure(a)})
	}
	return all
}
