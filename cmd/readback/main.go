// Command readback is the whole program: the server that MCP clients talk to, and the commands with which its owner rules it.
//
// It reads flags and configuration and wires the parts below; it decides nothing about texts. It is the one place that reads the wall
// clock, the environment and the terminal.
//
// Floor 5: imports every lower floor.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"readback/cmd/readback/config"
	"readback/cmd/readback/say"
	"readback/smsmcp/lang"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	signal.Ignore(syscall.SIGPIPE) // a reader that goes away (head) must not keep a command from cleaning up
	context.AfterFunc(ctx, stop)   // a second signal ends the program at once
	p := &program{in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ()}
	os.Exit(p.main(ctx, os.Args[1:]))
}

// program is one run of the command.
type program struct {
	in       io.Reader
	out, err io.Writer
	environ  []string
	flags    config.Flags
	lang     lang.Lang
	cfg      *config.Config
}

// main runs one command and gives the exit status. What goes wrong is one sentence on standard error.
func (p *program) main(ctx context.Context, args []string) int {
	// The help speaks the configured language, so the language is found before there are any commands. What is wrong with the
	// configuration is said later, by a command that needs it.
	early, _ := config.Load(config.Flags{Config: peek(args, "--config")}, p.environ)
	p.lang = early.Lang
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errSaid):
		return 1
	}
	_, _ = fmt.Fprintln(p.err, "readback: "+say.Error(p.lang, err))
	return 1
}

// load reads the configuration for a command that needs it.
func (p *program) load() error {
	cfg, err := config.Load(p.flags, p.environ)
	p.cfg, p.lang = cfg, cfg.Lang
	return err
}

// errSaid ends a command that has already said what is wrong.
var errSaid = errors.New("said already")

// peek finds a flag's value before the flags are parsed; empty if it is not there.
func peek(args []string, flag string) string {
	for i, a := range args {
		switch v, ok := strings.CutPrefix(a, flag+"="); {
		case a == "--":
			return ""
		case ok:
			return v
		case a == flag && i+1 < len(args):
			return args[i+1]
		}
	}
	return ""
}
