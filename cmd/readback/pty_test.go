package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// onTerminal runs a command whose controlling terminal is a real pseudo-terminal, and types an answer at each prompt. What the command
// prints, on any of its outputs, comes back with the exit status.
func (h *home) onTerminal(answers []string, args ...string) (screen string, code int) {
	h.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = master.Close() }()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		h.t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		h.t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	c := h.command(args...)
	// Standard input is what a model could write: it must never be read.
	c.Stdin = strings.NewReader(strings.Repeat("typed by a model\n", 10))
	c.Stdout, c.Stderr = slave, slave
	c.ExtraFiles = []*os.File{slave}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := c.Start(); err != nil {
		h.t.Fatal(err)
	}
	_ = slave.Close()
	seen := &syncBuffer{}
	read := make(chan struct{})
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			_, _ = seen.Write(buf[:n])
			if err != nil { // EIO: the last holder of the other end is gone
				close(read)
				return
			}
		}
	}()
	for i, a := range answers {
		until(h.t, fmt.Sprintf("prompt %d of %v on %q", i+1, args, seen.String()), func() bool {
			return len(prompts.FindAllString(seen.String(), -1)) > i
		})
		_, _ = master.WriteString(a + "\r")
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		_ = c.Process.Kill()
		h.t.Fatalf("%v does not end: %q", args, seen.String())
	}
	<-read
	h.hear(seen.String())
	return seen.String(), c.ProcessState.ExitCode()
}

// prompts are those that ask for a passphrase or a PIN.
var prompts = regexp.MustCompile(`(hrase|far|more|digits): `)

const passphrase = "four words nobody knows"

func (h *home) setPassphrase(args ...string) {
	h.t.Helper()
	if screen, code := h.onTerminal([]string{passphrase, passphrase}, append([]string{"passphrase"}, args...)...); code != 0 {
		h.t.Fatalf("%q", screen)
	}
}

func TestPassphraseIsAskedOnTheTerminalAlone(t *testing.T) {
	h := newHome(t)
	h.setPassphrase()
	s := h.serve()
	h.refused("terminal", "contacts", "add", "Marie", "418-555-0123") // no terminal, whatever standard input holds
	if screen, code := h.onTerminal([]string{"not the passphrase"}, "contacts", "add", "Marie", "418-555-0123"); code != 1 || !strings.Contains(screen, "not the passphrase, and nothing was done") {
		t.Errorf("%d %q", code, screen)
	}
	if screen, code := h.onTerminal([]string{passphrase}, "contacts", "add", "Alex", "514-555-0145"); code != 0 || !strings.Contains(screen, "Added Alex") {
		t.Errorf("the right one after a wrong one: %d %q", code, screen)
	}
	h.refused("terminal", "thaw")
	h.ok("freeze") // a stop never asks
	if screen, code := h.onTerminal([]string{passphrase}, "thaw"); code != 0 || !strings.Contains(screen, "may go again") {
		t.Errorf("%d %q", code, screen)
	}
	if screen, code := h.onTerminal([]string{passphrase}, "token", "new", "laptop"); code != 0 || !strings.Contains(screen, "rb_") {
		t.Errorf("%d %q", code, screen)
	}
	if screen, code := h.onTerminal([]string{"\x03"}, "thaw"); code != 1 || !strings.Contains(screen, "stopped") {
		t.Errorf("Ctrl+C: %d %q", code, screen)
	}
	fresh := "quite another passphrase"
	if screen, code := h.onTerminal([]string{passphrase, fresh, "something else"}, "passphrase"); code != 1 || !strings.Contains(screen, "not the same") {
		t.Errorf("%d %q", code, screen)
	}
	if screen, code := h.onTerminal([]string{passphrase, fresh, fresh}, "passphrase"); code != 0 {
		t.Errorf("%d %q", code, screen)
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.cmd.Process.Pid))
	if err != nil || strings.Contains(string(line), passphrase) || strings.Contains(string(line), s.token()) {
		t.Errorf("process list: %q %v", line, err)
	}
	s.stop(syscall.SIGTERM)
	for _, secret := range []string{passphrase, fresh, "something else", s.token()} {
		if strings.Contains(h.heard(), secret) {
			t.Errorf("%q was printed", secret)
		}
	}
	if strings.Contains(s.log.String(), "514555") {
		t.Errorf("a number in the log: %s", s.log.String())
	}
}

// TestThePINIsAskedOnTheTerminalAlone, twice, with the passphrase; and it is printed nowhere.
func TestThePINIsAskedOnTheTerminalAlone(t *testing.T) {
	h := newHome(t)
	h.setPassphrase()
	h.refused("terminal", "pin")
	h.refused("terminal", "pin", "--remove")
	const pin = "481516"
	for _, c := range []struct {
		typed []string
		code  int
		want  string
	}{
		{[]string{passphrase, "123456"}, 1, "would guess"},
		{[]string{passphrase, "12345"}, 1, "six digits, and nothing"},
		{[]string{passphrase, pin, "481517"}, 1, "not the same"},
		{[]string{"not the passphrase", pin, pin}, 1, "not the passphrase, and nothing was done"},
		{[]string{passphrase, pin, pin}, 0, "The PIN is set"},
	} {
		if screen, code := h.onTerminal(c.typed, "pin"); code != c.code || !strings.Contains(screen, c.want) {
			t.Errorf("%d, want %q: %q", code, c.want, screen)
		}
	}
	if screen, code := h.onTerminal([]string{passphrase}, "pin", "--remove"); code != 0 || !strings.Contains(screen, "no PIN any more") {
		t.Errorf("%d %q", code, screen)
	}
	for _, secret := range []string{passphrase, pin, "481517", "123456"} {
		if strings.Contains(h.heard(), secret) {
			t.Errorf("%q was printed", secret)
		}
	}
}
