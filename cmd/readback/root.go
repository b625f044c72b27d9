package main

import (
	"context"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"readback/cmd/readback/draw"
	"readback/smsmcp/lang"
)

// The groups of commands, in the order of the help.
const (
	groupRun   = "run"
	groupTexts = "texts"
	groupOwn   = "own"
)

func (p *program) root() *cobra.Command {
	root := p.command("readback", lang.CLIRoot, lang.CLIRootLong, "")
	root.SilenceErrors, root.SilenceUsage = true, true
	cobra.EnableCommandSorting = false
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Version = version()
	root.SetVersionTemplate("readback {{.Version}}\n")
	for _, g := range []struct {
		id    string
		title lang.Message
	}{{groupRun, lang.CLIGroupRun}, {groupTexts, lang.CLIGroupTexts}, {groupOwn, lang.CLIGroupOwn}} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title.In(p.lang)})
	}
	all := root.PersistentFlags()
	all.StringVar(&p.flags.Config, "config", "", lang.CLIFlagConfig.In(p.lang))
	all.StringVar(&p.flags.Data, "data", "", lang.CLIFlagData.In(p.lang))
	all.BoolP("help", "h", false, lang.CLIFlagHelp.In(p.lang))
	root.Flags().Bool("version", false, lang.CLIFlagVersion.In(p.lang))
	help := p.command("help [COMMAND]", lang.CLIHelp, lang.CLIHelp, "")
	help.Hidden = true
	help.Args = nil
	help.RunE = func(_ *cobra.Command, args []string) error {
		c, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return lang.Say(lang.CLIUnknownCommand, draw.Quoted(strings.Join(args, " ")), "readback")
		}
		return c.Help()
	}
	root.SetHelpCommand(help)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { p.help(c) })
	root.SetUsageFunc(func(c *cobra.Command) error { p.help(c); return nil })
	root.AddCommand(p.serve(), p.worker(), p.demo(), p.talk(), p.sandbox(), p.doctor(), p.mcp())
	root.AddCommand(p.pending(), p.approve(), p.deny(), p.sends(), p.settle(), p.freeze(), p.thaw())
	root.AddCommand(p.contacts(), p.token(), p.passphrase(), p.pin(), p.backup(), p.restore())
	return root
}

// command makes a command that shows its help; run gives it something to do.
func (p *program) command(use string, short, long lang.Message, group string) *cobra.Command {
	for _, word := range lang.CLIUsageWords {
		use = strings.ReplaceAll(use, word.EN, word.In(p.lang))
	}
	return &cobra.Command{
		Use: use, Short: short.In(p.lang), Long: long.In(p.lang), GroupID: group,
		DisableFlagsInUseLine: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return lang.Say(lang.CLIUnknownCommand, draw.Quoted(args[0]), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
}

// run gives a command its work: at least so many arguments and at most so many, with the configuration loaded.
func (p *program) run(c *cobra.Command, least, most int, do func(ctx context.Context, args []string) error) *cobra.Command {
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return lang.Say(lang.CLIArgsMissing, c.UseLine(), c.CommandPath())
		case len(args) > most:
			return lang.Say(lang.CLIArgsMany, draw.Quoted(args[most]), c.UseLine(), c.CommandPath())
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := p.load(); err != nil {
			return err
		}
		return do(c.Context(), args)
	}
	return c
}

// help writes a command's help: what it is for, how it is called, what is below it, its flags.
func (p *program) help(c *cobra.Command) {
	head := func(m lang.Message) { c.Printf("\n%s\n", m.In(p.lang)) }
	c.SetOut(p.out)
	c.SetErr(p.out)
	c.Println(c.Long)
	head(lang.CLIHelpUsage)
	if c.HasAvailableSubCommands() {
		c.Printf("  %s %s\n", c.CommandPath(), lang.CLIHelpCommand.In(p.lang))
	} else {
		c.Printf("  %s\n", c.UseLine())
	}
	list := func(group string) {
		for _, sub := range c.Commands() {
			if sub.GroupID == group && sub.IsAvailableCommand() {
				c.Printf("  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	for _, g := range c.Groups() {
		c.Printf("\n%s\n", g.Title)
		list(g.ID)
	}
	if len(c.Groups()) == 0 && c.HasAvailableSubCommands() {
		head(lang.CLIHelpCommands)
		list("")
	}
	if c.Example != "" {
		head(lang.CLIHelpExamples)
		c.Println(c.Example)
	}
	if c.HasAvailableLocalFlags() {
		head(lang.CLIHelpFlags)
		c.Println(strings.TrimRight(c.LocalFlags().FlagUsages(), "\n"))
	}
	if c.HasAvailableInheritedFlags() {
		head(lang.CLIHelpAllFlags)
		c.Println(strings.TrimRight(c.InheritedFlags().FlagUsages(), "\n"))
	}
	if c.HasAvailableSubCommands() {
		c.Printf("\n%s\n", lang.CLIHelpMore.In(p.lang, c.CommandPath()))
	}
}

// version is the module's version, or the commit that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	v := strings.Trim(info.Main.Version, "()")
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && v == "devel" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}
