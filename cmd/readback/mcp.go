package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
	"readback/smsmcp/relay"
)

func (p *program) mcp() *cobra.Command {
	var tokenFile string
	c := p.command("mcp [--token-file FILE]", lang.CLIMCP, lang.CLIMCPLong, groupRun)
	c.Flags().StringVar(&tokenFile, "token-file", "", lang.CLIFlagTokenFile.In(p.lang))
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		address, _, err := p.data().address(p.cfg.Listen)
		if err != nil {
			return err
		}
		if tokenFile == "" {
			tokenFile = p.data().path(fileToken)
		}
		return relay.Run(ctx, relay.Options{
			In: p.in, Out: p.out, Err: p.err, Lang: p.lang,
			URL: "http://" + address + "/mcp",
			Token: func() (string, error) {
				b, err := config.ReadFile(tokenFile, 1<<10)
				return strings.TrimSpace(string(b)), err
			},
		})
	})
}

// address is where a client on this machine reaches the server on the data folder, and where that listens. Where none runs, it is where one
// would: a client may be started before it.
func (d folder) address(otherwise string) (reach, listen string, err error) {
	b, err := config.ReadFile(d.path(fileAddress), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return otherwise, otherwise, nil
	}
	if err != nil {
		return "", "", lang.Say(lang.CLIFileUnreadable, d.path(fileAddress), config.Reason(err))
	}
	reach, listen, _ = strings.Cut(strings.TrimSpace(string(b)), "\n")
	return reach, listen, nil
}
