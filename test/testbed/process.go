package testbed

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// boot is how long a program may take to answer after it was started.
const boot = 30 * time.Second

// Process is one of the bed's programs. Its methods are for one goroutine.
type Process struct {
	t     testing.TB
	name  string
	args  []string
	log   string                          // the file that takes what it prints
	ready func(ctx context.Context) error // nil once it answers

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

func (p *Process) start() error {
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(p.args[0], p.args[1:]...) //nolint:gosec // the bed's own programs
	cmd.Stdout, cmd.Stderr, cmd.Dir = out, out, filepath.Dir(p.log)
	cmd.SysProcAttr = dieWithUs()
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	p.mu.Lock()
	p.cmd, p.done = cmd, done
	p.mu.Unlock()
	return p.await(done)
}

// await asks until the program answers, has ended, or has had its time.
func (p *Process) await(done chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), boot)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := p.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-done:
			return fmt.Errorf("%s ended while it started:\n%s", p.name, p.tail())
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w\n%s", p.name, err, p.tail())
		case <-tick.C:
		}
	}
}

// Kill ends the program at once (SIGKILL), as a crash does.
func (p *Process) Kill() { p.end(syscall.SIGKILL) }

// Stop asks the program to end (SIGTERM), and waits.
func (p *Process) Stop() { p.end(syscall.SIGTERM) }

// Pause holds the program still (SIGSTOP): it keeps its connections and answers nothing. Resume lets it go on.
func (p *Process) Pause()  { p.signal(syscall.SIGSTOP) }
func (p *Process) Resume() { p.signal(syscall.SIGCONT) } //nolint:revive // see Pause

// Restart starts the program again on the same ports and files, after Kill or Stop, and waits until it answers.
func (p *Process) Restart() {
	p.t.Helper()
	if err := p.start(); err != nil {
		p.t.Fatal(err)
	}
}

func (p *Process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd != nil {
		_ = p.cmd.Process.Signal(s)
	}
}

func (p *Process) end(s syscall.Signal) {
	p.mu.Lock()
	cmd, done := p.cmd, p.done
	p.cmd = nil
	p.mu.Unlock()
	if cmd == nil {
		return
	}
	_ = cmd.Process.Signal(s)
	_ = cmd.Process.Signal(syscall.SIGCONT) // one that is paused
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		<-done
	}
}

// tail is the end of what the program printed.
func (p *Process) tail() []byte {
	b, _ := os.ReadFile(p.log)
	if lines := bytes.SplitAfter(b, []byte("\n")); len(lines) > 20 {
		b = bytes.Join(lines[len(lines)-20:], nil)
	}
	return b
}
