package machine

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/term"

	"readback/smsmcp/lang"
)

// terminal is the device that a passphrase is asked on. It is opened by name: standard input, a flag and the environment can all be
// written by a model that has a shell, and none of them is ever read for a passphrase.
const terminal = "/dev/tty"

// Terminal opens that device to read what the owner types.
func Terminal() (*os.File, error) {
	tty, err := os.Open(terminal)
	if err != nil {
		return nil, lang.Say(lang.CLINoTerminal)
	}
	return tty, nil
}

// Secret asks for a passphrase on the terminal device. The terminal is raw before the prompt stands there: nothing that is typed is ever
// echoed, however early.
func Secret(ctx context.Context, prompt string) (string, error) {
	tty, err := os.OpenFile(terminal, os.O_RDWR, 0)
	if err != nil {
		return "", lang.Say(lang.CLINoTerminal)
	}
	defer func() { _ = tty.Close() }()
	fd := int(tty.Fd()) //nolint:gosec // a descriptor is small
	was, err := term.MakeRaw(fd)
	if err != nil {
		return "", lang.Say(lang.CLINoTerminal)
	}
	defer func() { _ = term.Restore(fd, was) }()
	type typed struct {
		line string
		err  error
	}
	read := make(chan typed, 1)
	go func() { // a read of a terminal cannot be interrupted: when ctx ends, this ends with the process
		line, err := term.NewTerminal(tty, "").ReadPassword(prompt)
		read <- typed{line, err}
	}()
	select {
	case got := <-read:
		if errors.Is(got.err, io.EOF) { // Ctrl+C and Ctrl+D
			return "", context.Canceled
		}
		if got.err != nil {
			return "", lang.Say(lang.CLINoTerminal)
		}
		return got.line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Twice asks for a new secret and asks for it again: nobody sees what is typed. check says why it may not be the new one.
func Twice(ctx context.Context, l lang.Lang, prompt lang.Message, check func(fresh string) error) (string, error) {
	fresh, err := Secret(ctx, prompt.In(l))
	if err != nil {
		return "", err
	}
	if err := check(fresh); err != nil {
		return "", err
	}
	again, err := Secret(ctx, lang.CLIPassphraseAgain.In(l))
	if err == nil && again != fresh {
		err = lang.Say(lang.CLIPassphraseDiffers)
	}
	return fresh, err
}
