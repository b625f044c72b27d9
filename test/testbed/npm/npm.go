// Package npm installs programs from npm into the module's .cache, each at the version that a lock names, without running any script of theirs, and Node 22 with them where
// the system's is older than they need.
//
// Tests only.
package npm

import (
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
	"testing"
	"time"
)

// Kit is what was installed.
type Kit struct {
	Node    string // the node to run it with
	Modules string // node_modules
}

var errNone = errors.New("npm's programs cannot be installed")

// Install installs what folder/package.json and folder/package-lock.json name, as kind's, once for each content of them. Without npm the test fails in CI (CI=true), and is skipped
// elsewhere, with the reason.
func Install(t testing.TB, folder, kind string) Kit {
	t.Helper()
	k, err := install(folder, kind)
	if errors.Is(err, errNone) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func install(folder, kind string) (Kit, error) {
	if _, err := exec.LookPath("npm"); err != nil {
		return Kit{}, fmt.Errorf("%w: npm is not there", errNone)
	}
	files, all := map[string][]byte{}, []byte(nil)
	for _, name := range []string{"package.json", "package-lock.json"} {
		b, err := os.ReadFile(filepath.Join(folder, name)) //nolint:gosec // a test's own
		if err != nil {
			return Kit{}, err
		}
		files[name], all = b, append(all, b...)
	}
	sum := sha256.Sum256(all)
	_, here, _, _ := runtime.Caller(0)
	cache := filepath.Join(filepath.Dir(here), "..", "..", "..", ".cache", kind)
	dir := filepath.Join(cache, hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(dir); err != nil {
		if err := fill(cache, dir, files); err != nil {
			return Kit{}, err
		}
	}
	k := Kit{Modules: filepath.Join(dir, "node_modules")}
	var err error
	k.Node, err = node(k.Modules)
	return k, err
}

var unreachable = regexp.MustCompile(`ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH`)

// fill fills a folder of its own and then gives it its name, so that a half-done install is never taken for one.
func fill(cache, dir string, files map[string][]byte) error {
	if err := os.MkdirAll(cache, 0o750); err != nil {
		return err
	}
	work, err := os.MkdirTemp(cache, "installing-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(work, name), b, 0o600); err != nil {
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
			err = fmt.Errorf("%w: %w", errNone, err)
		}
		return err
	}
	kept, err := os.ReadFile(filepath.Join(work, "node_modules", ".package-lock.json")) //nolint:gosec // of the folder that was made here
	if err != nil {
		return err
	}
	if err := agree(files["package-lock.json"], kept); err != nil {
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

// node takes the system's where it is new enough (22.19), and the one from npm elsewhere.
func node(modules string) (string, error) {
	if out, err := exec.CommandContext(context.Background(), "node", "--version").Output(); err == nil {
		var major, minor int
		if _, err := fmt.Sscanf(string(out), "v%d.%d.", &major, &minor); err == nil && (major > 22 || major == 22 && minor >= 19) {
			return exec.LookPath("node")
		}
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	name := filepath.Join(modules, "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if _, err := os.Stat(name); err != nil {
		return "", fmt.Errorf("node 22.19 or later is needed, and npm has none for %s/%s: %w", runtime.GOOS, runtime.GOARCH, err)
	}
	return name, nil
}

// Command makes the command that runs a script of the kit, in a folder of the test's own, which is its home too.
func (k Kit) Command(ctx context.Context, t testing.TB, script string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, k.Node, append([]string{script}, args...)...) //nolint:gosec // what the lock names
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(k.Node)+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+cmd.Dir, "NO_COLOR=1")
	return cmd
}

// Run runs a script of the kit to its end, and gives what it printed and its exit code.
func (k Kit) Run(t testing.TB, env []string, script string, args ...string) (stdout string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := k.Command(ctx, t, script, args...)
	cmd.Env = append(cmd.Env, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v\n%s", script, err, errs.Bytes())
	}
	if errs.Len() > 0 {
		t.Logf("standard error of %s: %s", filepath.Base(script), bytes.TrimSpace(errs.Bytes()))
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
