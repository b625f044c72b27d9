// Package clients runs real MCP clients against the real program: the Inspector's command line, the official TypeScript SDK (modern and
// legacy, over HTTP and over stdio), Claude Code, and the conformance suite.
//
// It installs them from npm into the module's .cache, each at the version that testdata/package-lock.json names, without running any
// script of theirs, and Node 22 with them where the system's is older than they need. Without npm these tests fail in CI (CI=true) and are
// skipped elsewhere, with the reason.
package clients

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
)

// moduleRoot is where go.mod is: tests run in their package's folder.
var moduleRoot = filepath.Join("..", "..")

// kit is the installed clients.
type kit struct {
	node    string // the node to run them with
	modules string // node_modules
}

var install = sync.OnceValues(func() (kit, error) {
	if _, err := exec.LookPath("npm"); err != nil {
		return kit{}, fmt.Errorf("%w: npm is not installed", errNoNPM)
	}
	lock, err := os.ReadFile(filepath.Join("testdata", "package-lock.json"))
	if err != nil {
		return kit{}, err
	}
	manifest, err := os.ReadFile(filepath.Join("testdata", "package.json"))
	if err != nil {
		return kit{}, err
	}
	sum := sha256.Sum256(append(manifest, lock...))
	cache, err := filepath.Abs(filepath.Join(moduleRoot, ".cache", "clients"))
	if err != nil {
		return kit{}, err
	}
	dir := filepath.Join(cache, hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(dir); err != nil {
		if err := npmInstall(cache, dir, manifest, lock); err != nil {
			return kit{}, err
		}
	}
	k := kit{modules: filepath.Join(dir, "node_modules")}
	k.node, err = findNode(k.modules)
	return k, err
})

var (
	errNoNPM    = errors.New("the clients cannot be installed")
	unreachable = regexp.MustCompile(`ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH`)
)

// agree says whether what was installed is what the lock names, by content.
func agree(lock, installed []byte) error {
	type file struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	var want, got file
	if err := errors.Join(json.Unmarshal(lock, &want), json.Unmarshal(installed, &got)); err != nil {
		return err
	}
	for path, p := range got.Packages {
		if w, ok := want.Packages[path]; !ok || w.Integrity != p.Integrity || p.Integrity == "" {
			return fmt.Errorf("npm installed %s %s, which is not what the lock names", path, p.Version)
		}
	}
	return nil
}

// npmInstall fills a folder of its own and then gives it its name, so that a half-done install is never taken for one.
func npmInstall(cache, dir string, manifest, lock []byte) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(cache, "installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for name, b := range map[string][]byte{"package.json": manifest, "package-lock.json": lock} {
		if err := os.WriteFile(filepath.Join(work, name), b, 0o644); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	// Not npm ci: it fails where an optional dependency of a dependency (one for Windows) cannot be had. install keeps to the lock too.
	cmd := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		err = fmt.Errorf("npm install: %w\n%s", err, out)
		if unreachable.Match(out) {
			err = fmt.Errorf("%w: %w", errNoNPM, err)
		}
		return err
	}
	kept, err := os.ReadFile(filepath.Join(work, "node_modules", ".package-lock.json"))
	if err != nil {
		return err
	}
	if err := agree(lock, kept); err != nil {
		return err
	}
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(dir); there == nil {
			return nil // another run was faster
		}
		return err
	}
	return nil
}

// findNode takes the system's node where it is new enough for the Inspector (22.19), and the one from npm elsewhere.
func findNode(modules string) (string, error) {
	if out, err := exec.Command("node", "--version").Output(); err == nil {
		var major, minor int
		if _, err := fmt.Sscanf(string(out), "v%d.%d.", &major, &minor); err == nil && (major > 22 || major == 22 && minor >= 19) {
			return exec.LookPath("node")
		}
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	node := filepath.Join(modules, "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if _, err := os.Stat(node); err != nil {
		return "", fmt.Errorf("node 22.19 or later is needed, and npm has none for %s/%s: %w", runtime.GOOS, runtime.GOARCH, err)
	}
	return node, nil
}

func clients(t *testing.T) kit {
	t.Helper()
	k, err := install()
	if errors.Is(err, errNoNPM) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// run runs a script of the kit with node, and gives what it printed and its exit code.
func (k kit) run(t *testing.T, env []string, args ...string) (stdout string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, k.node, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(k.node)+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+cmd.Dir, "NO_COLOR=1")
	cmd.Env = append(cmd.Env, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s", args, err, errs.Bytes())
	}
	if errs.Len() > 0 {
		t.Logf("standard error of %s: %s", filepath.Base(args[0]), bytes.TrimSpace(errs.Bytes()))
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// built is where the programs are.
var built = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "readback-clients-") })

// program is the built binary.
var program = sync.OnceValues(func() (string, error) { return build("readback") })

// withFixture is the program that has, beside its own tools, those by which the conformance suite looks at a server that asks its client for input.
var withFixture = sync.OnceValues(func() (string, error) { return build("readback-conformance", "-tags", "conformance") })

func build(name string, flags ...string) (string, error) {
	dir, err := built()
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, name)
	cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", bin, "./cmd/readback")...)
	cmd.Dir = moduleRoot
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// server is a running `readback serve` on the sandbox carrier, with one contact who wrote one text.
type server struct {
	t     *testing.T
	bin   string
	data  string
	url   string
	token string
	pid   int
}

const (
	contactName  = "Élodie Tremblay"
	contactAlias = "ma sœur"
	received     = "On soupe à quelle heure ? « Signé : le chat »"
)

// start starts the program, which stops when the test ends.
func start(t *testing.T) *server { return startBuilt(t, program, "") }

// startBuilt starts one of the programs, with more in its configuration.
func startBuilt(t *testing.T, build func() (string, error), more string) *server {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, bin: bin, data: t.TempDir()}
	config := filepath.Join(t.TempDir(), "readback.toml")
	// The suites ask faster than a person's client does.
	if err := os.WriteFile(config, []byte("[limits]\nrequests_per_minute = 60000\nburst = 10000\n[confirm]\nwait = \"0s\"\n"+more), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "serve", "--config", config, "--data", s.data, "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.pid = cmd.Process.Pid
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		begin := time.Now()
		if err := cmd.Wait(); err != nil || time.Since(begin) > 3*time.Second {
			t.Errorf("serve ended with %v after %v\n%s", err, time.Since(begin), log.Bytes())
		}
		if strings.Contains(log.String(), s.token[len(s.token)-52:]) {
			t.Error("the token is in the log")
		}
	})
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`)
	lines := bufio.NewScanner(out)
	for s.url == "" && lines.Scan() {
		s.url = address.FindString(lines.Text())
	}
	if s.url == "" {
		t.Fatal("serve did not say where it listens")
	}
	go func() {
		for lines.Scan() { // so that it never waits for a reader
		}
	}()
	token, err := os.ReadFile(filepath.Join(s.data, "token"))
	if err != nil {
		t.Fatal(err)
	}
	s.token = strings.TrimSpace(string(token))
	s.command("contacts", "add", contactName, "+15145550101", "--alias", contactAlias)
	s.command("sandbox", "receive", "--from", "+15145550101", received)
	return s
}

func (s *server) command(args ...string) string {
	s.t.Helper()
	out, err := exec.Command(s.bin, append(args, "--data", s.data)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("readback %v: %v\n%s", args, err, out)
	}
	return string(out)
}
