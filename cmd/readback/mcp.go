package main

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/smsmcp/relay"
)

func (p *program) mcp() *cobra.Command {
	var tokenFile, at string
	c := p.command("mcp [--url URL] [--token-file FILE]", lang.CLIMCP, lang.CLIMCPLong, groupRun)
	c.Flags().StringVar(&at, "url", "", lang.CLIFlagURL.In(p.lang))
	c.Flags().StringVar(&tokenFile, "token-file", "", lang.CLIFlagTokenFile.In(p.lang))
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		where := func() (string, error) { return serverURL(ctx, p.data()) }
		if at != "" {
			if !mayShowToken(at) {
				return lang.Say(lang.CLIMCPURL)
			}
			where = func() (string, error) { return at, nil }
		}
		if tokenFile == "" {
			tokenFile = p.data().Path(machine.TokenFile)
		}
		return relay.Run(ctx, relay.Options{
			In: p.in, Out: p.out, Err: p.err, Lang: p.lang, Where: where,
			Token: func() (string, error) {
				b, err := machine.ReadFile(tokenFile, 1<<10)
				return strings.TrimSpace(string(b)), err
			},
		})
	})
}

// mayShowToken says whether a token may go to an address: encrypted, or on this machine.
func mayShowToken(at string) bool {
	u, err := url.Parse(at)
	return err == nil && u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http" && config.Loopback(u.Hostname()))
}

var errNotRunning = errors.New("no server runs on the data folder")

// serverURL is where the server on the data folder is reached. The token goes there and to nobody else: what is left in the folder of a server that
// is gone says nothing of who holds its port now. A server that runs listens on the owner's socket, where nobody else can, and has written
// its address there since it took the folder.
func serverURL(ctx context.Context, d machine.Folder) (string, error) {
	if !owner.Running(ctx, string(d)) {
		return "", errNotRunning
	}
	reach, _, err := d.Address("")
	if err == nil && reach == "" {
		err = errNotRunning
	}
	return "http://" + reach + "/mcp", err
}
