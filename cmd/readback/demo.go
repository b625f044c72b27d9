package main

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/config"
	"readback/cmd/readback/draw"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/model"
	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/command"
	"readback/smsmcp/owner"
	"readback/smsmcp/web"
)

func (p *program) demo() *cobra.Command {
	c := p.command("demo", lang.CLIDemo, lang.CLIDemoLong, groupRun)
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error { return p.play(ctx) })
}

// The cast. 555-01xx numbers belong to nobody.
const (
	marieNumber    = "+14185550123"
	alexNumber     = "+15145550145"
	strangerNumber = "+14385550166"
)

// stage is what the demonstration plays on: the whole program, in a folder that goes away.
type stage struct {
	p     *program
	owner *owner.Client
	model *model.Client
	step  int
}

// play plays the story. It talks to the very handlers that serve gives to the network; only the wire is missing.
func (p *program) play(ctx context.Context) (err error) {
	folder, err := os.MkdirTemp("", "readback-demo-")
	if err != nil {
		return lang.Say(lang.CLIDataUnwritable, os.TempDir(), machine.Reason(err))
	}
	defer func() { _ = os.RemoveAll(folder) }()
	cfg := config.Defaults() // the story is told of the defaults, whatever is configured
	cfg.Data, cfg.Lang, cfg.Zone = folder, p.lang, p.cfg.Zone
	cfg.Confirm = config.Confirm{} // but nobody is waited for: the owner answers in the next scene
	p.cfg = cfg
	a, err := p.open(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close(context.WithoutCancel(ctx))) }()
	h, err := a.Web()
	if err != nil {
		return err
	}
	id, token, hash, err := web.NewToken(crand.Reader)
	if err != nil {
		return err
	}
	if err := a.Store.AddToken(ctx, time.Now(), "demo", id, hash); err != nil {
		return err
	}
	st := &stage{
		p: p, owner: owner.Local(a.Owner, p.lang),
		model: &model.Client{HTTP: &http.Client{Transport: owner.InProcess(h)}, URL: "http://localhost/mcp", Token: token},
	}
	if err := st.tell(ctx); err != nil {
		return lang.Say(command.DemoOdd, err.Error())
	}
	return nil
}

// tell is the story.
func (s *stage) tell(ctx context.Context) error {
	l := s.p.lang
	s.p.line(command.DemoTitle)
	s.p.print("\n%s", draw.Hung("", command.DemoCast.In(l), s.p.width()))
	if err := s.cast(ctx); err != nil {
		return err
	}
	read := func(strangers bool) func() error {
		args := map[string]any{}
		if strangers {
			args["strangers"] = true
		}
		return func() error {
			if strangers {
				s.p.print("%s\n", margin(" ", draw.Body(l, command.DemoDisguised.In(l), s.p.width()-1)))
			}
			return s.call(ctx, "read_texts", args)
		}
	}
	send := func(to string, body lang.Message, want smsmcp.SendState) func() error {
		return func() error { return s.send(ctx, to, body.In(l), want) }
	}
	answer := func(c owner.Call[owner.Answer, owner.Send], want smsmcp.SendState) func() error {
		return func() error { return s.answer(ctx, c, want) }
	}
	for _, scene := range []struct {
		what, why lang.Message
		do        func() error
	}{
		{command.DemoReads, command.DemoReadsWhy, read(false)},
		{command.DemoAnswer, command.DemoAnswerWhy, send("Marie", command.DemoYes, smsmcp.Done)},
		{command.DemoTwice, command.DemoTwiceWhy, send("Marie", command.DemoYes, smsmcp.Refused)},
		{command.DemoNobody, command.DemoNobodyWhy, send(command.DemoWrongName.In(l), command.DemoHello, smsmcp.Refused)},
		{command.DemoStranger, command.DemoStrangerWhy, read(true)},
		{command.DemoFooled, command.DemoFooledWhy, send("Marie", command.DemoCode, smsmcp.Waiting)},
		{command.DemoNo, command.DemoNoWhy, answer(owner.Deny, smsmcp.Declined)},
		{command.DemoGood, command.DemoGoodWhy, send("Alex Roy", command.DemoThursday, smsmcp.Waiting)},
		{command.DemoApprove, command.DemoAfterYes, answer(owner.Approve, smsmcp.Done)},
	} {
		s.step++
		s.p.print("\n%s\n", draw.Hung(fmt.Sprintf("%d. ", s.step), scene.what.In(l), s.p.width()))
		if err := scene.do(); err != nil {
			return err
		}
		s.p.print("\n%s", draw.Hung("   ", scene.why.In(l), s.p.width()))
	}
	return s.log(ctx)
}

// cast adds the contacts and lets the texts arrive.
func (s *stage) cast(ctx context.Context) error {
	for _, c := range []owner.Contact{
		{Name: "Marie Tremblay", Aliases: []string{"Marie"}, Numbers: []string{marieNumber}},
		{Name: "Alex Roy", Numbers: []string{alexNumber}},
	} {
		if _, err := owner.AddContact.Do(ctx, s.owner, c, ""); err != nil {
			return err
		}
	}
	now := time.Now()
	for i, in := range []struct {
		from string
		body lang.Message
	}{{alexNumber, command.DemoAlexWrites}, {marieNumber, command.DemoMarieWrites}, {strangerNumber, command.DemoDisguised}} {
		at := now.Add(time.Duration(i-3) * 4 * time.Minute)
		if _, err := owner.Receive.Do(ctx, s.owner, owner.Incoming{From: in.from, Body: in.body.In(s.p.lang), At: at}, ""); err != nil {
			return err
		}
	}
	return nil
}

// call has the model call a tool, and shows the call and the answer as the model gets it.
func (s *stage) call(ctx context.Context, tool string, args map[string]any) error {
	s.p.print("   → %s %s\n", tool, model.Written(args))
	answer, err := s.model.Call(ctx, tool, args)
	if err != nil {
		return err
	}
	s.p.print("%s", draw.Hung("   ← ", answer, s.p.width()))
	return nil
}

func (s *stage) send(ctx context.Context, to, body string, want smsmcp.SendState) error {
	if err := s.call(ctx, "send_text", map[string]any{"to": to, "body": body}); err != nil {
		return err
	}
	last, err := owner.ListSends.Do(ctx, s.owner, owner.Limit{Limit: 1}, "")
	if err != nil {
		return err
	}
	if len(last) != 1 || last[0].State != want {
		return fmt.Errorf("%s", want)
	}
	return nil
}

// answer gives the owner's answer to what waits, as the owner's commands do.
func (s *stage) answer(ctx context.Context, c owner.Call[owner.Answer, owner.Send], want smsmcp.SendState) error {
	waiting, err := owner.ListWaiting.Do(ctx, s.owner, owner.None{}, "")
	if err != nil {
		return err
	}
	if len(waiting) != 1 {
		return fmt.Errorf("%d %s", len(waiting), smsmcp.Waiting)
	}
	s.p.print("   $ readback pending\n%s", margin("   ", s.p.shown(waiting[0], s.p.width()-3)))
	s.p.print("\n   $ readback %s %s\n", c.Path, waiting[0].ID)
	after, err := c.Do(ctx, s.owner, owner.Answer{ID: waiting[0].ID, Digest: waiting[0].Digest}, "")
	if err != nil {
		return err
	}
	if after.State != want {
		return fmt.Errorf("%s: %s", want, guard.Standing(lang.EN, after.State))
	}
	s.p.print("   %s\n", s.p.became(after))
	return nil
}

func (s *stage) log(ctx context.Context) error {
	s.p.print("\n%s\n\n", command.DemoLog.In(s.p.lang))
	all, err := owner.ListSends.Do(ctx, s.owner, owner.Limit{Limit: 50}, "")
	if err != nil {
		return err
	}
	s.p.sendsTable(all)
	s.p.print("\n%s\n", command.DemoEnd.In(s.p.lang, s.p.self()))
	return nil
}

// margin sets a block of lines in by so much.
func margin(by, block string) string {
	return by + strings.ReplaceAll(strings.TrimRight(block, "\n"), "\n", "\n"+by) + "\n"
}
