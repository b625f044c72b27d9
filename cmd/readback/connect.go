package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"time"

	"readback/cmd/readback/lookout"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

// connectFor is how long a command waits for a server that is just starting, or for another command that holds the data folder.
const connectFor = 5 * time.Second

// owned runs do with a client of the owner's calls: of the server that runs on the data folder, or else of a handler in this process, which
// then holds the folder itself.
func (p *program) owned(ctx context.Context, do func(cl *owner.Client, st owner.State) error) error {
	if err := p.data().Prepare(); err != nil {
		return err
	}
	until := time.Now().Add(connectFor)
	for {
		cl := owner.Dial(p.cfg.Data, p.lang)
		st, err := owner.GetState.Do(ctx, cl, owner.None{}, "")
		if err == nil {
			return do(cl, st)
		}
		var dial *net.OpError
		if !errors.As(err, &dial) {
			return err
		}
		release, err := p.data().Lock()
		if err == nil {
			defer release()
			return p.inProcess(ctx, do)
		}
		if !errors.Is(err, machine.ErrLocked) {
			return err
		}
		if time.Now().After(until) {
			return lang.Say(lang.CLIDataInUse, p.cfg.Data)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// inProcess answers the owner's calls here. The caller holds the data folder.
func (p *program) inProcess(ctx context.Context, do func(*owner.Client, owner.State) error) (err error) {
	a, err := p.open(ctx, p.log(slog.LevelError))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	cl := owner.Local(a.Owner, p.lang)
	st, err := owner.GetState.Do(ctx, cl, owner.None{}, "")
	if err != nil {
		return err
	}
	return do(cl, st)
}

// open opens the store and what is around it. The caller holds the data folder.
func (p *program) open(ctx context.Context, log *slog.Logger) (*parts.App, error) {
	release, err := lookout.Alone(ctx, p.data())
	if err != nil {
		return nil, err
	}
	defer release()
	return parts.Open(ctx, p.options(log))
}

func (p *program) options(log *slog.Logger) parts.Options {
	return parts.Options{Config: p.cfg, Now: time.Now, Log: log, Version: version()}
}

// data is the data folder.
func (p *program) data() machine.Folder { return machine.Folder(p.cfg.Data) }

// secret asks for a passphrase on the terminal.
func (p *program) secret(ctx context.Context, prompt lang.Message) (string, error) {
	return machine.Secret(ctx, prompt.In(p.lang))
}

// ask does one call and asks for the passphrase on the terminal where the call needs one.
func ask[In, Out any](ctx context.Context, p *program, cl *owner.Client, st owner.State, c owner.Call[In, Out], in In) (out Out, err error) {
	pass := ""
	if c.Guarded && st.Passphrase {
		if pass, err = p.secret(ctx, lang.CLIPassphrase); err != nil {
			return out, err
		}
	}
	return c.Do(ctx, cl, in, pass)
}

// log gives the program's log: text on standard error. It holds states and codes; bodies, names and numbers are not logged.
func (p *program) log(least slog.Level) *slog.Logger {
	return newLog(p.err, least)
}

func newLog(w io.Writer, least slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: least}))
}
