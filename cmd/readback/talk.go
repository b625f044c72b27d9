package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/machine"
	"readback/cmd/readback/talk"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/command"
	"readback/smsmcp/owner"
	"readback/voice"
	"readback/voice/agent"
)

func (p *program) talk() *cobra.Command {
	c := p.command("talk", command.Talk, command.TalkLong, groupRun)
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error { return p.talkUntil(ctx) })
}

// talkUntil leads a typed conversation, with the data folder held as a server holds it.
func (p *program) talkUntil(ctx context.Context) (err error) {
	if err := p.data().Prepare(); err != nil {
		return err
	}
	release, err := p.data().Lock()
	if errors.Is(err, machine.ErrLocked) {
		return lang.Say(command.TalkServed, p.cfg.Data)
	}
	if err != nil {
		return err
	}
	defer release()
	a, err := p.open(ctx, p.log(slog.LevelError))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	st, err := p.mayServe(ctx, a)
	if err != nil {
		return err
	}
	in := p.in
	if st.Passphrase { // who types must be the owner, and type on the terminal itself: whoever has a shell can write to a pipe
		pass, err := p.secret(ctx, lang.CLIPassphrase)
		if err != nil {
			return err
		}
		if err := owner.Prove(ctx, a.Store, p.lang, pass); err != nil {
			return err
		}
		tty, err := machine.Terminal()
		if err != nil {
			return err
		}
		defer func() { _ = tty.Close() }()
		in = tty
	}
	return p.converse(ctx, a.Talk, a.Run, in)
}

// converse runs the conversation beside what brings texts.
func (p *program) converse(ctx context.Context, lead func(context.Context, agent.Call) error, beside func(context.Context), in io.Reader) error {
	transcript, ear := voice.NewTranscript(time.Now)
	t := talk.New(talk.Options{In: in, Out: p.out, Ear: ear, Width: p.width, Now: time.Now})
	ctx, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); beside(ctx) }()
	go t.Run(ctx)
	p.print("%s\n\n", command.TalkHow.In(p.lang))
	err := lead(ctx, agent.Call{ID: "talk", Transcript: transcript, Ears: t, Mouth: t, HangUp: t.HangUp})
	end()
	<-ended
	return err
}
