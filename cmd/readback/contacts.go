package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"readback/cmd/readback/draw"
	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

// maxImport bounds a file of contacts, in bytes; the reader of contacts has a bound of its own.
const maxImport = 16 << 20

func (p *program) contacts() *cobra.Command {
	c := p.command("contacts", lang.CLIContacts, lang.CLIContactsLong, groupOwn)
	c.AddCommand(p.contactsAdd(), p.contactsList(), p.contactsRemove(), p.contactsImport(), p.contactsClearStop())
	return c
}

func (p *program) contactsAdd() *cobra.Command {
	var aliases, more []string
	c := p.command("add NAME NUMBER [--alias NAME]… [--number NUMBER]…", lang.CLIContactsAdd, lang.CLIContactsAddLong, "")
	c.Example = "  readback contacts add \"Marie Tremblay\" 418-555-0123 --alias Marie"
	c.Flags().StringArrayVar(&aliases, "alias", nil, lang.CLIFlagAlias.In(p.lang))
	c.Flags().StringArrayVar(&more, "number", nil, lang.CLIFlagNumber.In(p.lang))
	// A number that was typed with spaces comes in pieces.
	return p.run(c, 2, 12, func(ctx context.Context, args []string) error {
		in := owner.Contact{Name: args[0], Aliases: aliases, Numbers: append([]string{strings.Join(args[1:], " ")}, more...)}
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			added, err := ask(ctx, p, cl, st, owner.AddContact, in)
			return p.done(err, lang.CLIContactAdded, added.Name, added.To)
		})
	})
}

func (p *program) contactsList() *cobra.Command {
	c := p.command("list", lang.CLIContactsList, lang.CLIContactsListLong, "")
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, _ owner.State) error {
			all, err := owner.ListContacts.Do(ctx, cl, owner.None{}, "")
			if err != nil {
				return err
			}
			if len(all) == 0 {
				p.line(lang.CLINoContacts)
				return nil
			}
			rows := [][]string{heads(p.lang, lang.CLIColName, lang.CLIColNumber, lang.CLIColAlso, lang.CLIColAliases)}
			for _, one := range all {
				var also []string
				for _, n := range one.Numbers {
					if n != one.To {
						also = append(also, n)
					}
				}
				rows = append(rows, []string{one.Name, one.To, dash(strings.Join(also, ", ")), dash(strings.Join(one.Aliases, ", "))})
			}
			p.table(rows)
			return nil
		})
	})
}

func (p *program) contactsRemove() *cobra.Command {
	c := p.command("remove NAME", lang.CLIContactsRemove, lang.CLIContactsRemoveLong, "")
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			gone, err := ask(ctx, p, cl, st, owner.RemoveContact, owner.Name{Name: args[0]})
			return p.done(err, lang.CLIContactRemoved, gone.Name)
		})
	})
}

func (p *program) contactsClearStop() *cobra.Command {
	c := p.command("clear-stop NAME", lang.CLIContactsClearStop, lang.CLIContactsClearStopLong, "")
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			who, err := ask(ctx, p, cl, st, owner.ClearStop, owner.Name{Name: args[0]})
			return p.done(err, lang.CLIStopCleared, who.Name)
		})
	})
}

func (p *program) contactsImport() *cobra.Command {
	c := p.command("import FILE", lang.CLIContactsImport, lang.CLIContactsImportLong, "")
	c.Example = "  readback contacts import contacts.vcf\n  readback contacts import contacts.csv"
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		in := owner.ImportFile{Format: "vcard"}
		switch strings.ToLower(filepath.Ext(args[0])) {
		case ".vcf", ".vcard":
		case ".csv":
			in.Format = "csv"
		default:
			return lang.Say(lang.CLIImportKind, args[0])
		}
		var err error
		if in.Data, err = machine.ReadFile(args[0], maxImport); err != nil {
			return lang.Say(lang.CLIFileUnreadable, args[0], machine.Reason(err))
		}
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			got, err := ask(ctx, p, cl, st, owner.Import, in)
			if err != nil {
				return err
			}
			p.imported(in.Format, got)
			return nil
		})
	})
}

// imported says how an import went: who came in, and of every other row why not.
func (p *program) imported(format string, got owner.Imported) {
	p.print("%s\n", lang.CLIImported.In(p.lang, len(got.Added)))
	for _, c := range got.Added {
		p.print("  + %s  %s\n", draw.Line(c.Name), c.To)
	}
	if len(got.Refused) == 0 {
		return
	}
	p.print("%s\n", lang.CLIImportRefused.In(p.lang, len(got.Refused)))
	place := lang.CLIImportLine
	if format == "vcard" {
		place = lang.CLIImportCard
	}
	for _, r := range got.Refused {
		where := ""
		if r.At > 0 {
			where = place.In(p.lang, r.At) + "  "
		}
		p.print("%s", draw.Hung("  - ", where+draw.Line(r.Why), p.width()))
	}
}
