package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/cmd/readback/model"
)

// built is the program, made once as it is shipped.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "rb")
	if err != nil {
		panic(err)
	}
	built = filepath.Join(dir, "readback")
	if out, err := exec.Command("go", "build", "-o", built, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// home is one owner's machine: a home folder, its environment, and everything that was ever printed there.
type home struct {
	t       *testing.T
	dir     string
	data    string
	environ []string
	mu      sync.Mutex
	said    strings.Builder
}

func newHome(t *testing.T, environ ...string) *home {
	t.Helper()
	dir, err := os.MkdirTemp("", "rb") // short: the owner's socket has a long enough path already
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &home{t: t, dir: dir, data: filepath.Join(dir, ".local/share/readback"), environ: append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}, environ...)}
}

// hurried writes a configuration in which send_text waits for no yes.
func (h *home) hurried() *home {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Join(h.dir, ".config/readback"), 0o700); err != nil {
		h.t.Fatal(err)
	}
	write(h.t, h.config("readback.toml"), noWait)
	return h
}

// noWait is a part of a configuration.
const noWait = "[confirm]\nwait = \"0s\"\n"

func (h *home) command(args ...string) *exec.Cmd {
	c := exec.Command(built, args...)
	c.Env, c.Dir = h.environ, h.dir
	return c
}

func (h *home) hear(s string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said.WriteString(s)
}

func (h *home) heard() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.said.String()
}

// run runs a command to its end.
func (h *home) run(args ...string) (out, errs string, code int) {
	h.t.Helper()
	c := h.command(args...)
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		h.t.Fatal(err)
	}
	h.hear(o.String() + e.String())
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

// ok runs a command that must work.
func (h *home) ok(args ...string) string {
	h.t.Helper()
	out, errs, code := h.run(args...)
	if code != 0 || errs != "" {
		h.t.Fatalf("readback %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// refused runs a command that must fail, with one sentence that holds want.
func (h *home) refused(want string, args ...string) {
	h.t.Helper()
	out, errs, code := h.run(args...)
	if code != 1 || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "readback: ") || !strings.Contains(errs, want) {
		h.t.Errorf("readback %s: exit %d\n%s%s want one sentence with %q", strings.Join(args, " "), code, out, errs, want)
	}
}

// server is a running readback serve, or worker.
type server struct {
	h       *home
	cmd     *exec.Cmd
	address string
	ended   chan struct{}
	log     syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// serve starts a server on a free port and waits until it has greeted.
func (h *home) serve(args ...string) *server {
	h.t.Helper()
	s := h.begin(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	b, err := os.ReadFile(filepath.Join(h.data, machine.AddressFile))
	if err != nil {
		h.t.Fatal(err)
	}
	s.address, _, _ = strings.Cut(string(b), "\n")
	return s
}

// begin starts a command that runs until it is told to end, and waits until it has greeted.
func (h *home) begin(args ...string) *server {
	h.t.Helper()
	s := &server{h: h, ended: make(chan struct{})}
	s.cmd = h.command(args...)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	s.cmd.Stderr = &s.log
	if err := s.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	greeted := make(chan struct{})
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			h.hear(lines.Text() + "\n")
			if strings.Contains(lines.Text(), "Ctrl+C") {
				close(greeted)
			}
		}
		_ = s.cmd.Wait()
		h.hear(s.log.String())
		close(s.ended)
	}()
	h.t.Cleanup(func() { _ = s.cmd.Process.Kill(); <-s.ended })
	select {
	case <-greeted:
	case <-s.ended:
		h.t.Fatalf("%s ended: %s", args[0], s.log.String())
	case <-time.After(20 * time.Second):
		h.t.Fatalf("%s does not greet: %s", args[0], s.log.String())
	}
	return s
}

// stop ends the server with a signal and says how long that took.
func (s *server) stop(sig os.Signal) time.Duration {
	s.h.t.Helper()
	began := time.Now()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.h.t.Fatal(err)
	}
	select {
	case <-s.ended:
	case <-time.After(20 * time.Second):
		s.h.t.Fatalf("the server does not end: %s", s.log.String())
	}
	return time.Since(began)
}

func (s *server) token() string {
	s.h.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.h.data, machine.TokenFile))
	if err != nil {
		s.h.t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

func (s *server) model() *model.Client {
	return &model.Client{HTTP: &http.Client{}, URL: "http://" + s.address + "/mcp", Token: s.token()}
}

// call has a model call a tool of the server.
func (s *server) call(tool string, args map[string]any) string {
	s.h.t.Helper()
	answer, err := s.model().Call(s.h.t.Context(), tool, args)
	if err != nil {
		s.h.t.Fatal(err)
	}
	return answer
}

// until waits for a condition.
func until(t *testing.T, what string, cond func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		case <-tick.C:
		}
	}
}

// status asks the server for a status over plain HTTP.
func (s *server) status(method, path, bearer string, body io.Reader) int {
	s.h.t.Helper()
	req, err := http.NewRequestWithContext(s.h.t.Context(), method, "http://"+s.address+path, body)
	if err != nil {
		s.h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+bearer)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.h.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

var interrupts = []os.Signal{syscall.SIGTERM, os.Interrupt}
