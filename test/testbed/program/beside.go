package program

import (
	"bufio"
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Beside is a further process of a program, on its data folder: a readback worker. Its methods are safe for concurrent use.
type Beside struct {
	p     *Program
	cmd   *exec.Cmd
	ended chan struct{}

	mu  sync.Mutex
	log bytes.Buffer
}

// Worker starts a readback worker beside the server and waits until it has greeted. It ends with the test, if not before.
func (p *Program) Worker() *Beside {
	p.t.Helper()
	cmd := exec.Command(p.bin, "worker", "--config", p.Config, "--data", p.Data) //nolint:gosec // the program that was built here
	cmd.Env, cmd.Dir = p.environ(), filepath.Dir(p.Config)
	b := &Beside{p: p, cmd: cmd, ended: make(chan struct{})}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stderr = b
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	greeted := make(chan struct{})
	go func() {
		defer close(b.ended)
		once := sync.OnceFunc(func() { close(greeted) })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), "Ctrl+C") {
				once()
			}
		}
		_ = cmd.Wait()
	}()
	p.t.Cleanup(func() {
		b.Signal(syscall.SIGKILL)
		<-b.ended
		if p.t.Failed() {
			p.t.Logf("what a worker logged:\n%s", b.Log())
		}
	})
	select {
	case <-greeted:
	case <-b.ended:
		p.t.Fatalf("worker ended while it started:\n%s", b.Log())
	case <-time.After(30 * time.Second):
		p.t.Fatalf("worker does not greet:\n%s", b.Log())
	}
	return b
}

// Write keeps what the process logs.
func (b *Beside) Write(said []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.Write(said)
}

// Log is all that the process logged so far.
func (b *Beside) Log() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.String()
}

// Signal sends the process a signal.
func (b *Beside) Signal(s syscall.Signal) { _ = b.cmd.Process.Signal(s) }

// Ended is closed when the process has ended.
func (b *Beside) Ended() <-chan struct{} { return b.ended }

// ExitCode is that of a process that has ended; -1 of one that a signal ended.
func (b *Beside) ExitCode() int { return b.cmd.ProcessState.ExitCode() }
