package parts

import (
	"context"
	crand "crypto/rand"
	"errors"
	"sync"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/supervise"
	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/lang"
	"readback/smsmcp/ntfy"
	"readback/voip/ari"
	"readback/voip/sandbox"
	"readback/voip/sipmsg"
	"readback/voip/voipms"
)

// carrier makes the carrier, and gives the sandbox if that is it.
func (a *App) carrier() (*sandbox.Carrier, error) {
	c := a.o.Config
	switch c.Carrier.Kind {
	case config.VoipMS:
		v, err := a.voipms()
		if err == nil {
			a.Carrier = v
		}
		return nil, err
	case config.SIPMsg:
		s, err := a.sip(c.Asterisk.Number, c.Asterisk.Server)
		if err == nil {
			a.Carrier = s
		}
		return nil, err
	}
	box, err := sandbox.Open(machine.Folder(c.Data).Path(machine.SandboxFile), a.o.Now)
	if err == nil {
		a.Carrier, a.closing = box, append(a.closing, box)
	}
	return box, err
}

func (a *App) voipms() (*voipms.Carrier, error) {
	v := &a.o.Config.VoipMS
	zone, err := time.LoadLocation(v.TimeZone)
	if err != nil {
		return nil, err
	}
	password := voipms.NewSecret(string(v.Password))
	if v.PasswordFile != "" {
		read, err := secret("voipms.password_file", v.PasswordFile)
		if err != nil {
			return nil, err
		}
		password = voipms.SecretFrom(read)
	}
	carrier, err := voipms.New(voipms.Options{
		Username: voipms.NewSecret(v.Username), Password: password, DID: smsmcp.Number(v.DID),
		Peer: a.peer, Now: a.o.Now, Zone: zone, Endpoint: v.URL,
	})
	if err != nil {
		return nil, lang.Say(lang.CLIDIDForm) // the rest was checked with the configuration
	}
	return carrier, nil
}

// peer types what a carrier writes of the other side.
func (a *App) peer(raw string) smsmcp.Peer { return contacts.Peer(raw, a.o.Config.HomeRegion) }

// client makes the client of the owner's Asterisk, once.
func (a *App) client() (*ari.Client, error) {
	if a.asterisk != nil {
		return a.asterisk, nil
	}
	c, err := Asterisk(a.o.Config, a.o.Now)
	if err != nil {
		return nil, err
	}
	if a.asterisk, err = ari.New(c); err != nil {
		return nil, err
	}
	a.closing = append(a.closing, closer(a.asterisk.Close))
	return a.asterisk, nil
}

// closer is something that closes without an error.
type closer func()

func (c closer) Close() error { c(); return nil }

// sip makes the carrier that speaks through Asterisk, as the owner's number at the trunk's server.
func (a *App) sip(number, server string) (*sipmsg.Carrier, error) {
	client, err := a.client()
	if err != nil {
		return nil, err
	}
	c := &a.o.Config.Asterisk
	return sipmsg.New(sipmsg.Options{
		Asterisk: client, Endpoint: c.Endpoint, Server: server, Number: smsmcp.Number(number), Peer: a.peer, Rand: crand.Reader, MaxBody: c.MaxBody,
	})
}

// Where texts only come in by Asterisk, what reads them is a carrier too, and nobody ever sends by it: these are nobody's (RFC 2606).
const noServer, noNumber = "nobody.invalid", "+10000000000"

// makeLine makes the line. voip.ms has a list of every text, so what comes by SIP is a claim until that has it too. The sandbox's list has none of the trunk's texts: it
// counts as no list, and a text bears a contact's name there as it does with Asterisk alone.
func (a *App) makeLine() error {
	carrier, ok := a.Carrier.(*sipmsg.Carrier)
	if !ok {
		var err error
		if carrier, err = a.sip(noNumber, noServer); err != nil {
			return err
		}
	}
	c := a.o.Config
	line, err := sipmsg.NewLine(sipmsg.LineOptions{
		Asterisk: a.asterisk, Carrier: carrier, Inbox: a.box, Calls: a.calls, List: c.Carrier.Kind == config.VoipMS, TLSOnly: c.Asterisk.TLSOnly,
		Now: a.o.Now, Rand: jitter(), Log: a.o.Log, Observe: a.metrics.Observe,
	})
	a.line = line
	return err
}

// atStart is how long Asterisk and ntfy have to answer before the server starts without them.
const atStart = 3 * time.Second

// Connect makes what a server alone has: the owner's page, and, where it is configured, the line, the bridge, and the question on the phone. It asks after each, and says how they stand: one that
// cannot be had now is tried again for as long as the server runs. It refuses what must not be: secrets that cannot be read, a topic that anyone can read, and one for
// approvals that anyone can write to. It comes before Web, which has routes to what it makes.
func (a *App) Connect(ctx context.Context) ([]smsmcp.Part, error) {
	type question struct {
		part string
		ask  func(context.Context) error
	}
	if a.o.Config.LiveKitOn() { // the page has a place for it
		if err := a.makeRooms(0); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(a.makePage(), a.makeTLS()); err != nil {
		return nil, err
	}
	var all []question
	if a.o.Config.Asterisk.URL != "" {
		if err := errors.Join(a.makeCalls(), a.makeLine()); err != nil {
			return nil, err
		}
		all = append(all, question{"line", func(ctx context.Context) error { _, err := a.asterisk.Info(ctx); return err }})
	}
	if a.o.Config.Ntfy.URL != "" {
		client, err := a.makeBridge()
		if err != nil {
			return nil, err
		}
		all = append(all, question{"bridge", client.Check})
	}
	if a.o.Config.Ntfy.Approvals != "" {
		topic, err := a.makeAsker()
		if err != nil {
			return nil, err
		}
		all = append(all, question{"push", topic.Check})
	}
	ctx, cancel := context.WithTimeout(ctx, atStart)
	defer cancel()
	answers := make([]error, len(all))
	var asked sync.WaitGroup
	for i, q := range all {
		asked.Go(func() { answers[i] = guarded(func() error { return q.ask(ctx) }) })
	}
	asked.Wait()
	var stand []smsmcp.Part
	for i, q := range all {
		switch open := errors.Is(answers[i], ntfy.ErrAnonymous); {
		case open && q.part == "bridge":
			return nil, lang.Say(lang.CLIServeAnonymous)
		case open || errors.Is(answers[i], ntfy.ErrWritable):
			return nil, lang.Say(lang.CLIServeApprovals, a.o.Config.Ntfy.Approvals)
		}
		stand = append(stand, smsmcp.Part{Name: q.part, Failure: codeOf(answers[i])})
	}
	return stand, nil
}

func (a *App) makeBridge() (*ntfy.Client, error) {
	c := &a.o.Config.Ntfy
	to, err := Ntfy(a.o.Config)
	if err != nil {
		return nil, err
	}
	client, err := ntfy.NewClient(to)
	if err != nil {
		return nil, err
	}
	a.closing = append(a.closing, closer(client.Close))
	a.bridge = ntfy.New(ntfy.Options{
		Store: a.Store, Client: client, Now: a.o.Now, Rand: jitter(), Log: a.o.Log, Observe: a.metrics.Observe, Lang: a.o.Config.Lang, Hide: c.HideBodies,
		PerSender: c.PerSender, InAll: c.InAll, Window: c.Window.Duration,
	})
	return client, nil
}

// crash is the error of a part that panicked.
type crash struct{}

func (crash) Error() string { return "it panicked" }
func (crash) Code() string  { return supervise.Crashed }

// guarded makes a panic an error: in a goroutine of its own it would end the program.
func guarded(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = crash{}
		}
	}()
	return f()
}

// codeOf gives the code of an error, empty for none.
func codeOf(err error) string {
	var coded smsmcp.Coded
	switch {
	case err == nil:
		return ""
	case errors.As(err, &coded):
		return smsmcp.Reduce(coded.Code())
	}
	return "no_clear_answer"
}
