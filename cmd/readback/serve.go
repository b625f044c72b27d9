package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/lookout"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/smsmcp/web"
)

// firstToken is the name of the token that serve makes by itself.
const firstToken = "first"

func (p *program) serve() *cobra.Command {
	c := p.command("serve [--listen ADDRESS]", lang.CLIServe, lang.CLIServeLong, groupRun)
	c.Flags().StringVar(&p.flags.Listen, "listen", "", lang.CLIFlagListen.In(p.lang))
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error { return p.serveUntil(ctx) })
}

// serveUntil runs the server until ctx ends, or the folder's lock is lost.
func (p *program) serveUntil(ctx context.Context) (err error) {
	if err := p.data().Prepare(); err != nil {
		return err
	}
	held, err := p.data().Hold()
	if errors.Is(err, machine.ErrLocked) {
		return lang.Say(lang.CLIServeTwice, p.cfg.Data)
	}
	if err != nil {
		return err
	}
	defer held.Release()
	// What a server left that did not end well names an address that may be anybody's now. It is gone before the owner's socket is there.
	if err := os.Remove(p.data().Path(machine.AddressFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return lang.Say(lang.CLIDataUnwritable, p.cfg.Data, machine.Reason(err))
	}
	log := p.log(p.cfg.Level())
	a, err := p.open(ctx, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	st, err := p.mayServe(ctx, a)
	if err != nil {
		return err
	}
	if err := p.firstToken(ctx, a); err != nil {
		return err
	}
	faces, err := parts.OpenFaces(ctx, p.cfg, log)
	if err != nil {
		return err
	}
	defer faces.Close()
	stand, err := a.Connect(ctx)
	if err != nil {
		return err
	}
	handler, err := a.Web()
	if err != nil {
		return err
	}
	if err := lookout.Tell(ctx, a.Store, p.cfg.Bounds()); err != nil {
		return err
	}
	l := lookout.Watch(ctx, lookout.Options{Data: p.cfg.Data, Held: held, Now: time.Now, Log: log})
	defer l.Stop()
	a.Start(l.On, faces.All(a, handler)...)
	p.greet(a, faces, st, stand)
	if faces.Alike() != nil { // in the log too, which is what is looked at where nobody watches the terminal
		log.Warn("all browsers seem to come from one address, so that anybody's wrong passphrases hold up the owner: trusted_proxies does not name the proxy before public_url")
	}
	log.Info("serving", "address", faces.Listening(), "carrier", a.Carrier.Name())
	a.Wait(l.On)
	return l.Why()
}

// mayServe refuses a real carrier without a passphrase: nobody's yes could be told from a model's.
func (p *program) mayServe(ctx context.Context, a *parts.App) (owner.State, error) {
	st, err := owner.GetState.Do(ctx, owner.Local(a.Owner, p.lang), owner.None{}, "")
	if err == nil && st.Real && !st.Passphrase {
		err = lang.Say(lang.CLIServePassphrase)
	}
	return st, err
}

// firstToken makes the token that a newcomer's client shows, once: when there was never any.
func (p *program) firstToken(ctx context.Context, a *parts.App) error {
	all, err := a.Store.Tokens(ctx)
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
	return a.Store.AddToken(ctx, time.Now(), firstToken, id, hash)
}
