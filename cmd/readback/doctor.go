package main

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/checkup"
	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/cmd/readback/say"
	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
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

	running    bool // another process holds the data folder
	passphrase bool // there is one
	roomless   bool // the server that runs takes no calls in rooms
}

func (d *doctor) add(status lang.Message, check lang.Message, detail string) {
	l := d.p.lang
	d.rows = append(d.rows, []string{status.In(l), check.In(l), detail})
	if status == finding.Fail {
		d.failed++
	}
}

func (d *doctor) ok(check, m lang.Message, args ...any) {
	d.add(finding.OK, check, m.In(d.p.lang, args...))
}
func (d *doctor) warn(check, m lang.Message, args ...any) {
	d.add(finding.Warn, check, m.In(d.p.lang, args...))
}
func (d *doctor) fail(check, m lang.Message, args ...any) {
	d.add(finding.Fail, check, m.In(d.p.lang, args...))
}

func (d *doctor) report() error {
	d.p.table(d.rows)
	d.p.print("\n")
	if d.failed > 0 {
		d.p.print("%s\n", finding.NotWell.In(d.p.lang, d.failed))
		return errSaid
	}
	d.p.line(finding.AllWell)
	return nil
}

func (d *doctor) examine(ctx context.Context, bad error) {
	if bad != nil {
		d.add(finding.Fail, finding.Config, say.Error(d.p.lang, bad))
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
			d.fail(finding.Config, finding.ConfigSecret, file, file)
			return
		}
	}
	if c.File == "" {
		d.ok(finding.Config, finding.ConfigNone)
		return
	}
	d.add(finding.OK, finding.Config, c.File)
}

// dataFolder says whether there is a data folder that can be looked into.
func (d *doctor) dataFolder() bool {
	c := d.p.cfg
	if _, err := os.Stat(c.Data); errors.Is(err, fs.ErrNotExist) {
		d.warn(finding.Data, finding.DataNone, c.Data)
		return false
	}
	if err := d.p.data().Prepare(); err != nil {
		d.add(finding.Fail, finding.Data, say.Error(d.p.lang, err))
		return false
	}
	for _, name := range []string{machine.StoreFile, machine.TokenFile, machine.LockFile, machine.WorkersFile} {
		if info, err := os.Stat(d.p.data().Path(name)); err == nil && info.Mode().Perm()&0o077 != 0 {
			d.fail(finding.Data, finding.DataFile, d.p.data().Path(name), d.p.data().Path(name))
			return true
		}
	}
	d.add(finding.OK, finding.Data, c.Data)
	return true
}

// inside asks the server, or the store itself where none runs, what only they can see.
func (d *doctor) inside(ctx context.Context) {
	var found owner.Findings
	var newest time.Time
	var st owner.State
	err := d.p.owned(ctx, func(cl *owner.Client, now owner.State) (err error) {
		st = now
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
		d.add(finding.Fail, finding.Store, say.Error(d.p.lang, err))
		for _, check := range []lang.Message{finding.Carrier, finding.Passphrase, finding.Contacts} {
			d.warn(check, finding.Unchecked)
		}
		return
	}
	switch {
	case found.Store != "":
		d.add(finding.Fail, finding.Store, found.Store)
	case found.Restored:
		d.warn(finding.Store, finding.Restored)
	case found.Frozen:
		d.warn(finding.Store, finding.Frozen)
	default:
		d.ok(finding.Store, finding.StoreOK)
	}
	switch {
	case found.Account != "":
		d.add(finding.Fail, finding.Carrier, found.Account)
	case found.Real:
		d.ok(finding.Carrier, finding.CarrierOK, found.Carrier)
	default:
		d.ok(finding.Carrier, finding.Sandbox)
	}
	d.parts(found.Parts)
	switch {
	case !d.p.cfg.Calls():
	case st.PIN:
		d.ok(finding.PIN, finding.PINSet)
	default:
		d.warn(finding.PIN, finding.PINNone)
	}
	switch d.passphrase = found.Passphrase; {
	case found.Passphrase:
		d.ok(finding.Passphrase, finding.PassphraseSet)
	case found.Real:
		d.fail(finding.Passphrase, finding.PassphraseNo)
	default:
		d.ok(finding.Passphrase, finding.PassphraseNone)
	}
	if found.Contacts == 0 {
		d.warn(finding.Contacts, finding.ContactsNone)
	} else {
		d.add(finding.OK, finding.Contacts, finding.ContactsSome.In(d.p.lang, found.Contacts))
	}
}

// checks names the parts of a server that have a name of their own.
var checks = map[string]lang.Message{"carrier": finding.List, "line": finding.Line, "bridge": finding.Bridge, "push": finding.Push, "livekit": finding.RoomsCalls}

// parts says how each part of the server that runs stands: the line, the bridge, the phone and the rooms always, where they are configured, and any other that is not well.
func (d *doctor) parts(all []smsmcp.Part) {
	for _, part := range all {
		check, ok := checks[part.Name]
		if !ok {
			check = finding.Part
		}
		said := lang.PartSays(d.p.lang, part.Failure)
		d.roomless = d.roomless || part.Name == "livekit" && part.Failure != ""
		switch {
		case part.Failure == "" && part.Name == "line":
			d.ok(check, finding.LineOK)
		case part.Failure == "" && part.Name == "bridge":
			d.ok(check, finding.BridgeOK)
		case part.Failure == "" && part.Name == "push":
			d.ok(check, finding.PushOK)
		case part.Failure == "" && part.Name == "livekit" && d.p.cfg.LiveKit.Dispatch == config.ByAgent:
			d.ok(check, finding.RoomsAgent, d.p.cfg.LiveKit.Agent)
		case part.Failure == "":
		case part.Since.IsZero():
			d.add(finding.Fail, check, said)
		default:
			d.fail(check, finding.PartSince, lang.Stamp(d.p.lang, part.Since.In(d.p.cfg.Zone)), said)
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
			d.add(finding.Fail, finding.Asterisk, say.Error(d.p.lang, err))
		} else {
			o.Line = &at
		}
	}
	if c.Ntfy.URL != "" {
		if at, err := parts.Ntfy(c); err != nil {
			d.add(finding.Fail, finding.Ntfy, say.Error(d.p.lang, err))
		} else {
			o.Ntfy = &at
		}
	}
	if c.Ntfy.Approvals != "" {
		if at, err := parts.Approvals(c); err == nil { // else it was said already: it is the same token
			o.Approvals = &at
		}
	}
	status := map[checkup.Status]lang.Message{checkup.OK: finding.OK, checkup.Warn: finding.Warn, checkup.Fail: finding.Fail}
	apps := checkup.Apps{Enabled: c.OAuth.Enabled, PublicURL: c.PublicURL, Passphrase: d.passphrase, Running: d.running}
	engines, answer := d.engines(ctx)
	for _, f := range slices.Concat(checkup.Line(ctx, o), checkup.Ntfy(ctx, o), engines, d.rooms(ctx, answer), apps.Examine(ctx)) {
		d.add(status[f.Status], f.Check, f.In(d.p.lang))
	}
}

// rooms asks the owner's LiveKit server, where there is one; engines says whether all answer that a call needs.
func (d *doctor) rooms(ctx context.Context, engines bool) []checkup.Finding {
	c := d.p.cfg
	if !c.LiveKitOn() {
		return nil
	}
	examine, err := parts.Rooms(c, time.Now)
	if err != nil {
		d.add(finding.Fail, finding.Rooms, say.Error(d.p.lang, err))
		return nil
	}
	examine.Running, examine.Passphrase, examine.Deaf, examine.Mute = d.running, d.passphrase, c.Speech.Hears == "", d.roomless || !engines
	return examine.Examine(ctx)
}

// engines asks what hears, speaks and thinks on a call, where calls are answered, and says whether all of them answer.
func (d *doctor) engines(ctx context.Context) ([]checkup.Finding, bool) {
	c := d.p.cfg
	if !c.Calls() {
		return nil, true
	}
	if len(c.Phone.Owners) == 0 {
		d.warn(finding.PIN, finding.PINNobody)
	}
	e, err := parts.MakeEngines(c, parts.Options{Now: time.Now})
	if err != nil {
		d.add(finding.Fail, finding.Thinks, say.Error(d.p.lang, err))
		return nil, false
	}
	defer e.Close()
	if e.STT == nil {
		d.warn(finding.Hears, finding.HearsNone)
	}
	if c.Model.Kind == config.Scripted {
		d.ok(finding.Thinks, finding.Scripted)
	}
	found := checkup.Engines(ctx, e.Checks())
	return found, !slices.ContainsFunc(found, func(f checkup.Finding) bool { return f.Status == checkup.Fail })
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
		d.fail(finding.Clock, finding.ClockWrong, stamp)
	case newest.After(now.Add(time.Minute)):
		d.fail(finding.Clock, finding.ClockBack, stamp, lang.Stamp(d.p.lang, newest.In(zone)))
	default:
		d.ok(finding.Clock, finding.ClockOK, stamp, zoneName(zone, now))
	}
}

// address looks at where the server listens, and whether it answers there.
func (d *doctor) address(ctx context.Context) {
	c := d.p.cfg
	address, listen, err := d.p.data().Address(c.Listen)
	if err != nil {
		d.add(finding.Fail, finding.Address, say.Error(d.p.lang, err))
		return
	}
	host, _, _ := net.SplitHostPort(listen)
	if config.Loopback(host) {
		d.ok(finding.Address, finding.AddressOK, listen)
	} else {
		d.warn(finding.Address, finding.AddressOpen, listen)
	}
	proxies, err := web.Proxies(c.TrustedProxies)
	if err != nil {
		d.add(finding.Fail, finding.Proxy, say.Error(d.p.lang, err))
	} else if err := web.Alike(c.PublicURL, c.TLS.Listen != "", proxies); err != nil {
		d.add(finding.Warn, finding.Proxy, say.Error(d.p.lang, err))
	}
	if !d.running {
		d.warn(finding.Server, finding.ServerNone)
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
		d.fail(finding.Server, finding.ServerSilent, address)
		return
	}
	d.ok(finding.Server, finding.ServerOK, address)
}

// clients looks for an MCP client that runs as the owner's user. Only Linux tells: elsewhere the row says so.
func (d *doctor) clients() {
	names, ok := machine.Clients(os.DirFS("/proc"), os.Geteuid(), os.Getpid())
	switch {
	case !ok:
		d.warn(finding.Client, finding.ClientUnknown)
	case len(names) == 0:
		d.ok(finding.Client, finding.ClientNone)
	default:
		d.warn(finding.Client, finding.ClientSame, names[0])
	}
}
