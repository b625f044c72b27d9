package parts

import (
	"crypto/tls"
	"net"

	"readback/cmd/readback/machine"
	"readback/smsmcp/web"
)

// makeTLS finds the certificate of the address at which the server speaks TLS, where there is one.
func (a *App) makeTLS() error {
	c := a.o.Config
	if c.TLS.Listen == "" {
		return nil
	}
	certs, err := web.TLS(web.TLSOptions{
		CertFile: c.TLS.CertFile, KeyFile: c.TLS.KeyFile, Hosts: c.PublicHosts, Email: c.TLS.Email, Directory: c.TLS.Directory,
		Folder: machine.Folder(c.Data).Path(machine.ACMEFolder), Now: a.o.Now, Log: a.o.Log,
	})
	a.certs = certs
	return err
}

// Warning is what the owner must know of the certificate that is served all the same; nil for nothing.
func (a *App) Warning() error {
	if a.certs == nil {
		return nil
	}
	return a.certs.Warning()
}

// Secure puts TLS before a listener.
func (a *App) Secure(ln net.Listener) net.Listener { return tls.NewListener(ln, a.certs.Config()) }
