package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

func (p *program) token() *cobra.Command {
	c := p.command("token", lang.CLIToken, lang.CLITokenLong, groupOwn)
	c.AddCommand(p.tokenNew(), p.tokenList(), p.tokenRevoke(), p.tokenMark())
	return c
}

// tokenNew prints the token alone on standard output, so that it can go into a file or another program without being seen.
func (p *program) tokenNew() *cobra.Command {
	c := p.command("new NAME", lang.CLITokenNew, lang.CLITokenNewLong, "")
	c.Example = "  readback token new laptop > laptop.token"
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			t, err := ask(ctx, p, cl, st, owner.NewToken, owner.Name{Name: args[0]})
			if err == nil {
				p.print("%s\n", t.Value)
			}
			return err
		})
	})
}

func (p *program) tokenList() *cobra.Command {
	c := p.command("list", lang.CLITokenList, lang.CLITokenListLong, "")
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, _ owner.State) error {
			all, err := owner.ListTokens.Do(ctx, cl, owner.None{}, "")
			if err != nil {
				return err
			}
			rows := [][]string{heads(p.lang, lang.CLIColName, lang.CLIColMade, lang.CLIColRevoked, lang.CLIColMayConfirm)}
			for _, t := range all {
				revoked := dash("")
				if !t.Revoked.IsZero() {
					revoked = lang.Stamp(p.lang, t.Revoked.In(p.cfg.Zone))
				}
				may := dash("")
				if t.MayConfirm {
					may = lang.CLIYes.In(p.lang)
				}
				rows = append(rows, []string{t.Name, lang.Stamp(p.lang, t.Created.In(p.cfg.Zone)), revoked, may})
			}
			p.table(rows)
			return nil
		})
	})
}

func (p *program) tokenRevoke() *cobra.Command {
	c := p.command("revoke NAME", lang.CLITokenRevoke, lang.CLITokenRevokeLong, "")
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			_, err := ask(ctx, p, cl, st, owner.RevokeToken, owner.Name{Name: args[0]})
			return p.done(err, lang.CLITokenRevoked, args[0])
		})
	})
}

// tokenMark says whether a yes that a client gives by itself counts.
func (p *program) tokenMark() *cobra.Command {
	c := p.command("may-confirm NAME yes|no", lang.CLITokenMark, lang.CLITokenMarkLong, "")
	c.Example = "  readback token may-confirm laptop yes"
	return p.run(c, 2, 2, func(ctx context.Context, args []string) error {
		done, ok := map[string]lang.Message{"yes": lang.CLITokenMarked, "no": lang.CLITokenUnmarked}[args[1]]
		if !ok {
			return lang.Say(lang.CLITokenMarkWord)
		}
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			_, err := ask(ctx, p, cl, st, owner.MarkToken, owner.Mark{Name: args[0], May: args[1] == "yes"})
			return p.done(err, done, args[0])
		})
	})
}

func (p *program) passphrase() *cobra.Command {
	c := p.command("passphrase", lang.CLIPassphraseCommand, lang.CLIPassphraseLong, groupOwn)
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) (err error) {
			old := ""
			if st.Passphrase {
				if old, err = p.secret(ctx, lang.CLIPassphraseOld); err != nil {
					return err
				}
			}
			fresh, err := machine.Twice(ctx, p.lang, lang.CLIPassphraseNew, func(fresh string) error {
				if owner.Weak(fresh) {
					return lang.Say(lang.OwnerWeakPassphrase, owner.MinPassphrase)
				}
				return nil
			})
			if err != nil {
				return err
			}
			_, err = owner.SetPassphrase.Do(ctx, cl, owner.Secret{Value: fresh}, old)
			return p.done(err, lang.CLIPassphraseSet)
		})
	})
}

func (p *program) backup() *cobra.Command {
	c := p.command("backup FILE", lang.CLIBackup, lang.CLIBackupLong, groupOwn)
	c.Example = "  readback backup readback-monday.db"
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		file, err := filepath.Abs(args[0])
		if err != nil {
			return lang.Say(lang.CLIFileUnreadable, args[0], machine.Reason(err))
		}
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			_, err := ask(ctx, p, cl, st, owner.Backup, owner.File{Path: file})
			return p.done(err, lang.CLIBackupDone, file)
		})
	})
}
