package main

import (
	"context"

	"github.com/spf13/cobra"

	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

// pin sets the PIN of calls, or takes it away. It is typed on the terminal alone, as the passphrase is.
func (p *program) pin() *cobra.Command {
	c := p.command("pin", lang.GateCommand, lang.GateLong, groupOwn)
	remove := c.Flags().Bool("remove", false, lang.GateFlagRemove.In(p.lang))
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) (err error) {
			if *remove {
				_, err := ask(ctx, p, cl, st, owner.RemovePIN, owner.None{})
				return p.done(err, lang.GateRemoved)
			}
			pass := ""
			if st.Passphrase {
				if pass, err = p.secret(ctx, lang.CLIPassphrase); err != nil {
					return err
				}
			}
			pin, err := machine.Twice(ctx, p.lang, lang.GateNew, owner.CheckPIN)
			if err == nil {
				_, err = owner.SetPIN.Do(ctx, cl, owner.Secret{Value: pin}, pass)
			}
			return p.done(err, lang.GateSet)
		})
	})
}
