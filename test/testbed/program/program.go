// Package program starts the real readback as its owner does: built from the module, on a data folder and a configuration file of its own. It
// can be killed at any moment and started again.
//
// Tests and benchmarks only.
package program

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

// Passphrase is the owner's.
const Passphrase = "four words nobody knows"

// built is the program, made once as it is shipped.
var built = sync.OnceValues(func() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	module := filepath.Join(filepath.Dir(file), "..", "..", "..")
	dir, err := os.MkdirTemp("", "readback-built-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "readback")
	cleanUp = func() { _ = os.RemoveAll(dir) }
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/readback")
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

var cleanUp = func() {}

// Clean removes the built program, if there is one: a TestMain calls it last.
func Clean() { cleanUp() }

// Contact is one of the owner's.
type Contact struct {
	Name    string
	Numbers []string
}

// Program is one owner's readback. Its methods are for one goroutine, but for Call and Get.
type Program struct {
	Data   string // the data folder
	Config string // the configuration file
	Path   string // further folders of programs, before PATH's own; for the next start
	t      testing.TB
	bin    string

	mu    sync.Mutex
	cmd   *exec.Cmd
	ended chan struct{}
	base  string // http://127.0.0.1:PORT
	token string
	log   bytes.Buffer // of all that were started here
}

// New makes a home with contacts and a passphrase: the program itself takes them, while it has no carrier yet. toml is its configuration after that. In
// it $DIR is a folder of the test's own, in which files holds what else is needed.
func New(t testing.TB, contacts []Contact, toml string, files map[string]string) *Program {
	t.Helper()
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "rb") // short: it holds a unix socket
	if err != nil {
		t.Fatal(err)
	}
	p := &Program{t: t, bin: bin, Data: filepath.Join(dir, "data"), Config: filepath.Join(dir, "readback.toml")}
	t.Cleanup(func() {
		p.Kill()
		if t.Failed() {
			t.Logf("what readback logged:\n%s", p.tail())
		}
		_ = os.RemoveAll(dir)
	})
	for name, content := range files {
		p.write(filepath.Join(dir, name), content)
	}
	p.write(p.Config, "")
	p.Start()
	client := owner.Dial(p.Data, lang.EN)
	for _, c := range contacts {
		if _, err := owner.AddContact.Do(t.Context(), client, owner.Contact{Name: c.Name, Numbers: c.Numbers}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := owner.SetPassphrase.Do(t.Context(), client, owner.Secret{Value: Passphrase}, ""); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	p.Rewrite(toml, nil)
	return p
}

// Rewrite puts another configuration in place, and files beside it, for the next start.
func (p *Program) Rewrite(toml string, files map[string]string) {
	p.t.Helper()
	dir := filepath.Dir(p.Config)
	for name, content := range files {
		p.write(filepath.Join(dir, name), content)
	}
	p.write(p.Config, strings.ReplaceAll(toml, "$DIR", dir))
}

func (p *Program) write(file, content string) {
	p.t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// environ is an owner's, with nothing of the tests' own.
func (p *Program) environ() []string {
	path := os.Getenv("PATH")
	if p.Path != "" {
		path = p.Path + string(os.PathListSeparator) + path
	}
	return []string{"HOME=" + filepath.Dir(p.Config), "PATH=" + path}
}

// Owner calls the running program as the owner's own commands do.
func (p *Program) Owner() *owner.Client { return owner.Dial(p.Data, lang.EN) }

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// Start starts the server and waits until it has greeted.
func (p *Program) Start() {
	p.t.Helper()
	cmd := exec.Command(p.bin, "serve", "--config", p.Config, "--data", p.Data, "--listen", "127.0.0.1:0")
	cmd.Env = p.environ()
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stderr = writer{p}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended, greeted := make(chan struct{}), make(chan string, 1)
	go func() {
		defer close(ended)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if a := address.FindString(lines.Text()); a != "" {
				select {
				case greeted <- a:
				default:
				}
			}
		}
		_ = cmd.Wait()
	}()
	p.mu.Lock()
	p.cmd, p.ended = cmd, ended
	p.mu.Unlock()
	select {
	case base := <-greeted:
		token, err := os.ReadFile(filepath.Join(p.Data, "token"))
		if err != nil {
			p.t.Fatal(err)
		}
		p.mu.Lock()
		p.base, p.token = base, strings.TrimSpace(string(token))
		p.mu.Unlock()
	case <-ended:
		p.t.Fatalf("serve ended while it started:\n%s", p.tail())
	case <-time.After(30 * time.Second):
		p.t.Fatalf("serve does not greet:\n%s", p.tail())
	}
}

// Kill ends the server at once (SIGKILL), as a crash does.
func (p *Program) Kill() { _ = p.end(syscall.SIGKILL) }

// Stop asks the server to end, and waits; it fails the test if it takes long or does not end well.
func (p *Program) Stop() {
	p.t.Helper()
	if err := p.end(syscall.SIGTERM); err != nil {
		p.t.Errorf("serve: %v\n%s", err, p.tail())
	}
}

func (p *Program) end(s syscall.Signal) error {
	p.mu.Lock()
	cmd, ended := p.cmd, p.ended
	p.cmd = nil
	p.mu.Unlock()
	if cmd == nil {
		return nil
	}
	_ = cmd.Process.Signal(s)
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		<-ended
		return errors.New("it did not end within 10 s")
	}
	if code := cmd.ProcessState.ExitCode(); s == syscall.SIGTERM && code != 0 {
		return fmt.Errorf("exit code %d", code)
	}
	return nil
}

// writer keeps what the program logs.
type writer struct{ p *Program }

func (w writer) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	return w.p.log.Write(b)
}

// Log is all that the program logged so far.
func (p *Program) Log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// tail is the end of that.
func (p *Program) tail() string {
	lines := strings.SplitAfter(p.Log(), "\n")
	if len(lines) > 40 {
		lines = lines[len(lines)-40:]
	}
	return strings.Join(lines, "")
}

// Command runs one of the owner's commands and gives what it printed and its exit code.
func (p *Program) Command(ctx context.Context, args ...string) (out string, code int) {
	p.t.Helper()
	cmd := exec.CommandContext(ctx, p.bin, append(args, "--config", p.Config, "--data", p.Data)...) //nolint:gosec // the program that was built here
	cmd.Env = p.environ()
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}
