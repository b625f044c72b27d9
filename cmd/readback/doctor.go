package main

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/checkup"
	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/cmd/readback/say"
	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/smsmcp/web"
)

func (p *program) doctor() *cobra.Command {
	c := p.command("doctor", lang.CLIDoctor, lang.CLIDoctorLong, groupRun)
	p.run(c, 0, 0, nil)
	c.RunE = func(c *cobra.Command, _ []string) error {
		d := &doctor{p: p}
		d.examine(c.Context(), p.load()) // a configuration that cannot be used is a finding like any other
		return d.report()
	}
	return c
}

// asteriskConf is where Asterisk's own configuration is, where it runs on this machine.
const asteriskConf = "/etc/asterisk/asterisk.conf"

// doctor gathers what it finds, in the order in which it looks.
type doctor struct {
	p      *program
	rows   [][]string
	failed int

	running bool // another process holds the data folder
}

func (d *doctor) add(status lang.Message, check lang.Message, detail string) {
	l := d.p.lang
	d.rows = append(d.rows, []string{status.In(l), check.In(l), detail})
	if status == lang.DoctorFail {
		d.failed++
	}
}

func (d *doctor) ok(check, m lang.Message, args ...any) {
	d.add(lang.DoctorOK, check, m.In(d.p.lang, args...))
}
func (d *doctor) warn(check, m lang.Message, args ...any) {
	d.add(lang.DoctorWarn, check, m.In(d.p.lang, args...))
}
func (d *doctor) fail(check, m lang.Message, args ...any) {
	d.add(lang.DoctorFail, check, m.In(d.p.lang, args...))
}

func (d *doctor) report() error {
	d.p.table(d.rows)
	d.p.print("\n")
	if d.failed > 0 {
		d.p.print("%s\n", lang.DoctorNotWell.In(d.p.lang, d.failed))
		return errSaid
	}
	d.p.line(lang.DoctorAllWell)
	return nil
}

func (d *doctor) examine(ctx context.Context, bad error) {
	if bad != nil {
		d.add(lang.DoctorFail, lang.DoctorConfig, say.Error(d.p.lang, bad))
		d.clients()
		return
	}
	d.configuration()
	if d.dataFolder() {
		release, err := d.p.data().Lock()
		if err == nil {
			release()
		}
		d.running = errors.Is(err, machine.ErrLocked)
		d.inside(ctx)
	} else {
		d.clock(time.Time{})
	}
	d.others(ctx)
	d.address(ctx)
	d.clients()
}

func (d *doctor) configuration() {
	c := d.p.cfg
	for _, file := range c.Secrets() {
		if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 {
			d.fail(lang.DoctorConfig, lang.DoctorConfigSecret, file, file)
			return
		}
	}
	if c.File == "" {
		d.ok(lang.DoctorConfig, lang.DoctorConfigNone)
		return
	}
	d.add(lang.DoctorOK, lang.DoctorConfig, c.File)
}

// dataFolder says whether there is a data folder that can be looked into.
func (d *doctor) dataFolder() bool {
	c := d.p.cfg
	if _, err := os.Stat(c.Data); errors.Is(err, fs.ErrNotExist) {
		d.warn(lang.DoctorData, lang.DoctorDataNone, c.Data)
		return false
	}
	if err := d.p.data().Prepare(); err != nil {
		d.add(lang.DoctorFail, lang.DoctorData, say.Error(d.p.lang, err))
		return false
	}
	for _, name := range []string{machine.StoreFile, machine.TokenFile, machine.LockFile} {
		if info, err := os.Stat(d.p.data().Path(name)); err == nil && info.Mode().Perm()&0o077 != 0 {
			d.fail(lang.DoctorData, lang.DoctorDataFile, d.p.data().Path(name), d.p.data().Path(name))
			return true
		}
	}
	d.add(lang.DoctorOK, lang.DoctorData, c.Data)
	return true
}

// inside asks the server, or the store itself where none runs, what only they can see.
func (d *doctor) inside(ctx context.Context) {
	var found owner.Findings
	var newest time.Time
	err := d.p.owned(ctx, func(cl *owner.Client, _ owner.State) (err error) {
		if found, err = owner.Examine.Do(ctx, cl, owner.None{}, ""); err != nil {
			return err
		}
		last, err := owner.ListSends.Do(ctx, cl, owner.Limit{Limit: 1}, "")
		if err == nil && len(last) > 0 {
			newest = last[0].Created
		}
		return err
	})
	d.clock(newest)
	if err != nil {
		d.add(lang.DoctorFail, lang.DoctorStore, say.Error(d.p.lang, err))
		for _, check := range []lang.Message{lang.DoctorCarrier, lang.DoctorPassphrase, lang.DoctorContacts} {
			d.warn(check, lang.DoctorUnchecked)
		}
		return
	}
	switch {
	case found.Store != "":
		d.add(lang.DoctorFail, lang.DoctorStore, found.Store)
	case found.Restored:
		d.warn(lang.DoctorStore, lang.DoctorRestored)
	case found.Frozen:
		d.warn(lang.DoctorStore, lang.DoctorFrozen)
	default:
		d.ok(lang.DoctorStore, lang.DoctorStoreOK)
	}
	switch {
	case found.Account != "":
		d.add(lang.DoctorFail, lang.DoctorCarrier, found.Account)
	case found.Real:
		d.ok(lang.DoctorCarrier, lang.DoctorCarrierOK, found.Carrier)
	default:
		d.ok(lang.DoctorCarrier, lang.DoctorSandbox)
	}
	d.parts(found.Parts)
	switch {
	case found.Passphrase:
		d.ok(lang.DoctorPassphrase, lang.DoctorPassphraseSet)
	case found.Real:
		d.fail(lang.DoctorPassphrase, lang.DoctorPassphraseNo)
	default:
		d.ok(lang.DoctorPassphrase, lang.DoctorPassphraseNone)
	}
	if found.Contacts == 0 {
		d.warn(lang.DoctorContacts, lang.DoctorContactsNone)
	} else {
		d.add(lang.DoctorOK, lang.DoctorContacts, lang.DoctorContactsSome.In(d.p.lang, found.Contacts))
	}
}

// checks names the parts of a server that have a name of their own.
var checks = map[string]lang.Message{"carrier": lang.DoctorList, "line": lang.DoctorLine, "bridge": lang.DoctorBridge, "push": lang.DoctorPush}

// parts says how each part of the server that runs stands: the line, the bridge and the phone always, where they are configured, and any other that is not well.
func (d *doctor) parts(all []smsmcp.Part) {
	for _, part := range all {
		check, ok := checks[part.Name]
		if !ok {
			check = lang.DoctorPart
		}
		said := lang.PartSays(d.p.lang, part.Failure)
		switch {
		case part.Failure == "" && part.Name == "line":
			d.ok(check, lang.DoctorLineOK)
		case part.Failure == "" && part.Name == "bridge":
			d.ok(check, lang.DoctorBridgeOK)
		case part.Failure == "" && part.Name == "push":
			d.ok(check, lang.DoctorPushOK)
		case part.Failure == "":
		case part.Since.IsZero():
			d.add(lang.DoctorFail, check, said)
		default:
			d.fail(check, lang.DoctorPartSince, lang.Stamp(d.p.lang, part.Since.In(d.p.cfg.Zone)), said)
		}
	}
}

// others looks at the owner's Asterisk and ntfy themselves, whether a server runs or not.
func (d *doctor) others(ctx context.Context) {
	c := d.p.cfg
	o := checkup.Options{
		Endpoint: c.Asterisk.Endpoint, List: c.Carrier.Kind == config.VoipMS, TLSOnly: c.Asterisk.TLSOnly, Running: d.running,
		Addresses: net.InterfaceAddrs, Conf: asteriskConf, AnyoneCanRead: c.Ntfy.AnyoneCanRead,
	}
	if c.Asterisk.URL != "" {
		if at, err := parts.Asterisk(c, time.Now); err != nil {
			d.add(lang.DoctorFail, lang.DoctorAsterisk, say.Error(d.p.lang, err))
		} else {
			o.Line = &at
		}
	}
	if c.Ntfy.URL != "" {
		if at, err := parts.Ntfy(c); err != nil {
			d.add(lang.DoctorFail, lang.DoctorNtfy, say.Error(d.p.lang, err))
		} else {
			o.Ntfy = &at
		}
	}
	if c.Ntfy.Approvals != "" {
		if at, err := parts.Approvals(c); err == nil { // else it was said already: it is the same token
			o.Approvals = &at
		}
	}
	status := map[checkup.Status]lang.Message{checkup.OK: lang.DoctorOK, checkup.Warn: lang.DoctorWarn, checkup.Fail: lang.DoctorFail}
	for _, f := range append(checkup.Line(ctx, o), checkup.Ntfy(ctx, o)...) {
		d.add(status[f.Status], f.Check, f.In(d.p.lang))
	}
}

// oldest is a time before which this program cannot run: it was not written yet.
var oldest = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// clock looks at the wall clock: against the calendar, and against the newest send.
func (d *doctor) clock(newest time.Time) {
	now := time.Now()
	zone := d.p.cfg.Zone
	stamp := lang.Stamp(d.p.lang, now.In(zone))
	switch {
	case now.Before(oldest) || now.After(oldest.AddDate(50, 0, 0)):
		d.fail(lang.DoctorClock, lang.DoctorClockWrong, stamp)
	case newest.After(now.Add(time.Minute)):
		d.fail(lang.DoctorClock, lang.DoctorClockBack, stamp, lang.Stamp(d.p.lang, newest.In(zone)))
	default:
		d.ok(lang.DoctorClock, lang.DoctorClockOK, stamp, zoneName(zone, now))
	}
}

// address looks at where the server listens, and whether it answers there.
func (d *doctor) address(ctx context.Context) {
	c := d.p.cfg
	address, listen, err := d.p.data().Address(c.Listen)
	if err != nil {
		d.add(lang.DoctorFail, lang.DoctorAddress, say.Error(d.p.lang, err))
		return
	}
	host, _, _ := net.SplitHostPort(listen)
	if config.Loopback(host) {
		d.ok(lang.DoctorAddress, lang.DoctorAddressOK, listen)
	} else {
		d.warn(lang.DoctorAddress, lang.DoctorAddressOpen, listen)
	}
	proxies, err := web.Proxies(c.TrustedProxies)
	if err != nil {
		d.add(lang.DoctorFail, lang.DoctorProxy, say.Error(d.p.lang, err))
	} else if err := web.Alike(c.PublicURL, c.TLS.Listen != "", proxies); err != nil {
		d.add(lang.DoctorWarn, lang.DoctorProxy, say.Error(d.p.lang, err))
	}
	if !d.running {
		d.warn(lang.DoctorServer, lang.DoctorServerNone)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err == nil {
		var resp *http.Response
		if resp, err = (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				err = errors.New(resp.Status)
			}
		}
	}
	if err != nil {
		d.fail(lang.DoctorServer, lang.DoctorServerSilent, address)
		return
	}
	d.ok(lang.DoctorServer, lang.DoctorServerOK, address)
}

// clients looks for an MCP client that runs as the owner's user. Only Linux tells: elsewhere the row says so.
func (d *doctor) clients() {
	names, ok := machine.Clients(os.DirFS("/proc"), os.Geteuid(), os.Getpid())
	switch {
	case !ok:
		d.warn(lang.DoctorClient, lang.DoctorClientUnknown)
	case len(names) == 0:
		d.ok(lang.DoctorClient, lang.DoctorClientNone)
	default:
		d.warn(lang.DoctorClient, lang.DoctorClientSame, names[0])
	}
}
