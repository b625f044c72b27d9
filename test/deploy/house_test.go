package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything may take on a machine that does much else.
const patience = 2 * time.Minute

// source is the root of the program's source.
var source = func() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// scratch is this run's folder, which every user may enter: some of what is tried runs as another one.
var scratch string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == caged {
		fmt.Fprintln(os.Stderr, cage(os.Args[2:]))
		os.Exit(125)
	}
	code := func() int {
		dir, err := os.MkdirTemp("", "readback-deploy-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		if err := os.Chmod(dir, 0o755); err != nil {
			panic(err)
		}
		scratch = dir
		return m.Run()
	}()
	os.Exit(code)
}

// read gives a file of deploy/.
func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(source, "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// write makes a file, and the folders above it.
func write(t testing.TB, name string, content []byte, mode os.FileMode) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, content, mode)); err != nil {
		t.Fatal(err)
	}
	return name
}

// awake gives a file with the settings in it that are commented out: "#key" is one, "# Words" are words.
func awake(content []byte) []byte {
	return regexp.MustCompile(`(?m)^#([a-z\[ ])`).ReplaceAllFunc(content, func(b []byte) []byte {
		if b[1] == ' ' {
			return b
		}
		return b[1:]
	})
}

// built builds the program once, as the Dockerfile does.
var built = sync.OnceValues(buildOfImage)

// program is the path of the real program.
func program(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// plain is an environment without anything of the one who runs the test.
func plain(more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "LC_ALL=C.UTF-8"}, more...)
}

// run runs a program to its end, and gives what it printed and its exit code.
func run(t testing.TB, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v\n%s", args[0], err, out)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// ok runs a program that must end well.
func ok(t testing.TB, dir string, env []string, args ...string) string {
	t.Helper()
	out, code := run(t, dir, env, args...)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// running is a program that goes on.
type running struct {
	cmd  *exec.Cmd
	done chan struct{}

	mu  sync.Mutex
	out bytes.Buffer
}

func (r *running) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(b)
}

func (r *running) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

// start starts a program that ends with the test.
func start(t testing.TB, dir string, env []string, args ...string) *running {
	t.Helper()
	r := &running{cmd: exec.Command(args[0], args[1:]...), done: make(chan struct{})}
	r.cmd.Dir, r.cmd.Env, r.cmd.Stdout, r.cmd.Stderr = dir, env, r, r
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = r.cmd.Wait(); close(r.done) }()
	t.Cleanup(func() { _ = r.cmd.Process.Kill(); <-r.done })
	return r
}

// stop tells it to end, as an engine or systemd does, and gives its exit code.
func (r *running) stop(t testing.TB) int {
	t.Helper()
	_ = r.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-r.done:
	case <-time.After(patience):
		t.Fatalf("it does not end:\n%s", r.said())
	}
	return r.cmd.ProcessState.ExitCode()
}

// until waits until something is so, or what it is about has ended.
func (r *running) until(t testing.TB, what string, so func() bool) {
	t.Helper()
	end := time.After(patience)
	for !so() {
		select {
		case <-r.done:
			t.Fatalf("%s: it has ended:\n%s", what, r.said())
		case <-end:
			t.Fatalf("%s: never so:\n%s", what, r.said())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// get asks an address; 0 where nobody answers.
func get(url string) (int, string) {
	client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	return resp.StatusCode, string(b)
}

// port is one on which nothing listens.
func port(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serve runs the real server with a configuration until the test ends, and gives its port.
func serve(t testing.TB, config, data, host string) (*running, int) {
	t.Helper()
	for range 3 { // another program can take the port between the choice and the start
		n := port(t)
		r := start(t, "/", plain(), program(t), "serve", "--config", config, "--data", data, "--listen", fmt.Sprintf("%s:%d", host, n))
		taken := false
		r.until(t, "serving", func() bool {
			select {
			case <-r.done:
				taken = strings.Contains(r.said(), "in use")
			default:
			}
			status, _ := get(fmt.Sprintf("http://127.0.0.1:%d/healthz", n))
			return taken || status == http.StatusOK
		})
		if !taken {
			return r, n
		}
	}
	t.Fatal("no port was free")
	return nil, 0
}

// shell gives the commands of a README's first block that is marked sh.
func shell(t testing.TB, name string) string {
	t.Helper()
	_, after, found := strings.Cut(string(read(t, name)), "```sh\n")
	block, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatalf("%s has no block of commands", name)
	}
	return block
}

// script has a machine's tools be there: what is fetched is fetched by a script of the source's own, once.
func script(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(source, args[0]), args[1:]...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 && os.Getenv("CI") != "true" {
		t.Skipf("LEFT OUT: %s: %s", t.Name(), said.String())
	}
	if err != nil {
		t.Fatalf("%s: %v: %s", args[0], err, said.String())
	}
	return strings.TrimSpace(string(out))
}
