package testbed

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Config is what a test may want otherwise. The zero value is both programs as they are.
type Config struct {
	App        string            // the ARI application; "readback"
	NoAsterisk bool              // start ntfy alone
	NoNtfy     bool              // start Asterisk alone
	TLSOnly    bool              // no SIP without TLS, as at an owner's: there is no Bed.SIP then, and no Bed.Peer
	Asterisk   map[string]string // lines to add to files of Asterisk's configuration, by file name; a later value wins
	Ntfy       []string          // lines to add to ntfy's server.yml
}

// Bed is a running Asterisk, a running ntfy, or both. All addresses are on 127.0.0.1.
type Bed struct {
	ARI      string // https://127.0.0.1:PORT/ari
	PlainARI string // the same without TLS
	App      string
	User     string
	Password string
	Roots    *x509.CertPool // trusts ARI's server
	CAFile   string         // the same, as a file; it is the certificate too
	KeyFile  string         // its key

	SIP   netip.AddrPort // where Asterisk takes SIP over UDP, unless the bed is TLSOnly. What comes from 127.0.0.1 is the trunk "voipms", anything else a stranger
	SIPS  netip.AddrPort // the same over TLS
	Peer  netip.AddrPort // where the endpoint "peer" is reached, over UDP; nobody is there unless the test is
	Trunk netip.AddrPort // where the trunk's server is looked for, over TLS; nobody is there unless the test is

	NtfyURL      string
	NtfyToken    string // of a user who may do all
	NtfyWriter   string // of a user who may write to every topic and read none
	NtfyPassword string // of the same user, "admin"

	Asterisk *Process // nil where it was not asked for
	Ntfy     *Process

	t     testing.TB
	dir   string
	ports ports
	ca    *x509.Certificate
	caKey *ecdsa.PrivateKey
}

// Start gives a bed that ends with the test. It skips the test where no bed can be had (see the package).
func Start(t testing.TB, c Config) *Bed {
	t.Helper()
	Versions(t)
	var err error
	for range 3 { // another program can take a port between the choice and the start
		var b *Bed
		if b, err = try(t, c); err == nil {
			return b
		}
	}
	t.Fatal(err)
	return nil
}

func try(t testing.TB, c Config) (*Bed, error) {
	dir, err := os.MkdirTemp("", "readback-bed") // short: it holds a unix socket
	if err != nil {
		return nil, err
	}
	b := &Bed{App: c.App, User: "readback", Password: rand.Text(), NtfyPassword: rand.Text(), t: t, dir: dir}
	if b.App == "" {
		b.App = "readback"
	}
	t.Cleanup(func() {
		b.report()
		for _, p := range []*Process{b.Asterisk, b.Ntfy} {
			if p != nil {
				p.Kill()
			}
		}
		_ = os.RemoveAll(dir)
	})
	if b.ports, err = choose(); err != nil {
		return nil, err
	}
	b.ARI, b.PlainARI = fmt.Sprintf("https://127.0.0.1:%d/ari", b.ports.https), fmt.Sprintf("http://127.0.0.1:%d/ari", b.ports.http)
	b.SIP, b.SIPS = local(b.ports.sip), local(b.ports.sips)
	b.Peer, b.Trunk = local(b.ports.peer), local(b.ports.trunk)
	if err := b.certify(); err != nil {
		return nil, err
	}
	if !c.NoNtfy {
		if err := b.startNtfy(c); err != nil {
			return nil, err
		}
	}
	if !c.NoAsterisk {
		if err := b.configure(c); err != nil {
			return nil, err
		}
		b.Asterisk = &Process{
			t: t, name: "Asterisk", log: filepath.Join(dir, "asterisk.out"), ready: b.asteriskReady,
			args: []string{filepath.Join(module(), "testbed", "asterisk.sh"), filepath.Join(folder(), "root"), "-f", "-C", filepath.Join(dir, "etc", "asterisk.conf")},
		}
		if err := b.Asterisk.start(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// asteriskReady asks ARI over TLS, so that all of it is there, and then waits for the last module.
func (b *Bed) asteriskReady(ctx context.Context) error {
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: b.Roots, MinVersion: tls.VersionTLS12},
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.ARI+"/asterisk/ping", nil)
	if err != nil {
		return err
	}
	req.SetBasicAuth(b.User, b.Password)
	if err := answers(client, req); err != nil {
		return err
	}
	_, err = b.cli(ctx, "core waitfullybooted")
	return err
}

func answers(client *http.Client, req *http.Request) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}

func (b *Bed) cli(ctx context.Context, command string) (string, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(module(), "testbed", "asterisk.sh"), filepath.Join(folder(), "root"), //nolint:gosec // a test's own words
		"-C", filepath.Join(b.dir, "etc", "asterisk.conf"), "-rx", command).CombinedOutput()
	return string(out), err
}

// CLI runs one command on Asterisk's console.
func (b *Bed) CLI(command string) string {
	b.t.Helper()
	out, err := b.cli(b.t.Context(), command)
	if err != nil {
		b.t.Fatalf("%s: %v %s", command, err, out)
	}
	return out
}

// SetPassword changes the password of ARI's user in the running Asterisk.
func (b *Bed) SetPassword(password string) {
	b.t.Helper()
	b.Password = password
	if err := b.writePassword(); err != nil {
		b.t.Fatal(err)
	}
	b.CLI("module reload res_ari.so")
}

// AsteriskLog is what Asterisk logged so far: notices, warnings and errors.
func (b *Bed) AsteriskLog() string {
	b.t.Helper()
	out, err := os.ReadFile(filepath.Join(b.dir, "log", "messages"))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(out)
}

// report shows what the programs printed, where the test failed.
func (b *Bed) report() {
	if !b.t.Failed() {
		return
	}
	for _, p := range []*Process{b.Asterisk, b.Ntfy} {
		if p != nil {
			b.t.Logf("the end of what %s printed:\n%s", p.name, p.tail())
		}
	}
}
