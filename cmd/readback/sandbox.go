package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/draw"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

func (p *program) sandbox() *cobra.Command {
	c := p.command("sandbox", lang.CLISandbox, lang.CLISandboxLong, groupRun)
	c.AddCommand(p.sandboxReceive())
	return c
}

func (p *program) sandboxReceive() *cobra.Command {
	var from, at string
	c := p.command("receive --from NUMBER [--at TIME] TEXT", lang.CLIReceive, lang.CLIReceiveLong, "")
	c.Example = "  readback sandbox receive --from +14185550123 \"Can you call me tonight?\""
	c.Flags().StringVar(&from, "from", "", lang.CLIFlagFrom.In(p.lang))
	c.Flags().StringVar(&at, "at", "", lang.CLIFlagAt.In(p.lang))
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		if from == "" {
			return lang.Say(lang.CLIFromMissing)
		}
		in := owner.Incoming{From: from, Body: args[0]}
		if at != "" {
			var err error
			if in.At, err = when(at, time.Now(), p.cfg.Zone); err != nil {
				return err
			}
		}
		return p.owned(ctx, func(cl *owner.Client, _ owner.State) error {
			_, err := owner.Receive.Do(ctx, cl, in, "")
			return p.done(err, lang.CLIReceived)
		})
	})
}

// when reads a time that a person typed, in the owner's zone: a whole one, or a time of today.
func when(s string, now time.Time, zone *time.Location) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC(), nil
	}
	if t, err := time.ParseInLocation("2006-01-02 15:04", s, zone); err == nil {
		return t.UTC(), nil
	}
	if t, err := time.Parse("15:04", s); err == nil {
		y, m, d := now.In(zone).Date()
		return time.Date(y, m, d, t.Hour(), t.Minute(), 0, 0, zone).UTC(), nil
	}
	return time.Time{}, lang.Say(lang.CLIAtForm, draw.Quoted(s))
}
