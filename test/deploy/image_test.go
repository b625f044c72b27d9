package deploy

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

// dockerfile gives the stages of the image.
func dockerfile() ([]instructions.Stage, error) {
	b, err := os.ReadFile(filepath.Join(source, "deploy", "Dockerfile"))
	if err != nil {
		return nil, err
	}
	parsed, err := parser.Parse(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if len(parsed.Warnings) > 0 {
		return nil, fmt.Errorf("the Dockerfile: %v", parsed.Warnings)
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	return stages, err
}

// toEngine says which files of the source go to the engine.
func toEngine() (func(name string) (bool, error), error) {
	b, err := os.ReadFile(filepath.Join(source, "deploy", "Dockerfile.dockerignore"))
	if err != nil {
		return nil, err
	}
	patterns, err := ignorefile.ReadAll(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	m, err := patternmatcher.New(patterns)
	if err != nil {
		return nil, err
	}
	return func(name string) (bool, error) {
		out, err := m.MatchesOrParentMatches(name)
		return !out, err
	}, nil
}

// tracked are the files of the source that Git knows, and those that are new and not ignored.
func tracked() ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = source
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00"), nil
}

// buildOfImage does what the first stage does: it copies what the Dockerfile copies, of what goes to the engine, and runs its last command there.
func buildOfImage() (string, error) {
	stages, err := dockerfile()
	if err != nil {
		return "", err
	}
	goes, err := toEngine()
	if err != nil {
		return "", err
	}
	files, err := tracked()
	if err != nil {
		return "", err
	}
	work, out := filepath.Join(scratch, "src"), filepath.Join(scratch, "readback")
	var line string
	for _, c := range stages[0].Commands {
		switch c := c.(type) {
		case *instructions.CopyCommand:
			for _, from := range c.SourcePaths {
				n, err := copyInto(work, from, c.DestPath, files, goes)
				if err != nil {
					return "", err
				}
				if n == 0 {
					return "", fmt.Errorf("the Dockerfile copies %s, of which nothing goes to the engine", from)
				}
			}
		case *instructions.RunCommand:
			line = strings.Join(c.CmdLine, " ")
		}
	}
	if !strings.Contains(line, "-o /readback ") {
		return "", fmt.Errorf("the last command of the first stage makes no /readback: %s", line)
	}
	// Without -trimpath all that other tests have compiled is compiled here already; with it the program is the same but for the names of files that a panic prints.
	cmd := exec.Command("sh", "-c", strings.NewReplacer("-o /readback ", "-o "+out+" ", " -trimpath ", " ").Replace(line))
	cmd.Dir = work
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("what the image is built by: %w\n%s", err, said)
	}
	return out, os.Chmod(out, 0o755)
}

// copyInto copies a file, or what is in a folder, as COPY does, and gives how many files that were.
func copyInto(work, from, to string, files []string, goes func(string) (bool, error)) (n int, err error) {
	for _, name := range files {
		rest, inside := strings.CutPrefix(name, from+"/")
		if !inside && name != from {
			continue
		}
		if in, err := goes(name); err != nil || !in {
			if err != nil {
				return n, err
			}
			continue
		}
		target := filepath.Join(work, to, rest)
		if name == from {
			target = filepath.Join(work, to, path.Base(name))
		}
		b, err := os.ReadFile(filepath.Join(source, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not committed yet
		}
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, b, 0o644)); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// TestTheImagesProgramIsBuiltOfWhatTheEngineGets builds it, and asks it its version.
func TestTheImagesProgramIsBuiltOfWhatTheEngineGets(t *testing.T) {
	if out := ok(t, "/", plain(), program(t), "--version"); !strings.HasPrefix(out, "readback ") {
		t.Errorf("it says %q", out)
	}
}

// TestNothingSecretGoesToTheEngine: what an owner keeps in deploy/, the caches, and the history.
func TestNothingSecretGoesToTheEngine(t *testing.T) {
	goes, err := toEngine()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		".git/config", ".cache/testbed/stamp", "deploy/.env", "deploy/compose/secrets/livekit.secret", "deploy/compose/readback/voipms.password", "deploy/k8s/secret.yaml",
		"deploy/compose/state/ntfy/user.db", "test/deploy/doc.go", "readback.toml", "smsmcp/web/web_test.go",
	} {
		if in, err := goes(name); err != nil || in {
			t.Errorf("%s goes to the engine (%v)", name, err)
		}
	}
}

// TestTheImage is one of a user that is nobody, in which all that is copied exists, and no secret can be.
func TestTheImage(t *testing.T) {
	stages, err := dockerfile()
	if err != nil {
		t.Fatal(err)
	}
	if len(stages) != 2 || stages[0].Name != "build" {
		t.Fatalf("%d stages", len(stages))
	}
	goes, err := toEngine()
	if err != nil {
		t.Fatal(err)
	}
	var user, health, entry, volume, apt string
	for _, c := range stages[1].Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.HealthCheckCommand:
			health = strings.Join(c.Health.Test, " ")
		case *instructions.EntrypointCommand:
			entry = strings.Join(c.CmdLine, " ")
		case *instructions.VolumeCommand:
			volume = strings.Join(c.Volumes, " ")
		case *instructions.RunCommand:
			apt += strings.Join(c.CmdLine, " ")
		case *instructions.CopyCommand:
			for _, from := range c.SourcePaths {
				if c.From != "" {
					continue
				}
				if _, err := os.Stat(filepath.Join(source, from)); err != nil {
					t.Error(err)
				}
				if in, err := goes(from); err != nil || !in {
					t.Errorf("%s is copied, and does not go to the engine (%v)", from, err)
				}
			}
		case *instructions.EnvCommand:
			for _, kv := range c.Env {
				if !slices.Contains([]string{"XDG_CONFIG_HOME", "XDG_DATA_HOME"}, kv.Key) {
					t.Errorf("the image sets %s", kv.Key)
				}
			}
		case *instructions.ArgCommand:
			t.Error("the image takes arguments of a build, which are kept in its history")
		}
	}
	if user != owner || entry != "readback" || health != "CMD healthy" || volume != "/var/lib/readback" {
		t.Errorf("user %q, entry point %q, health %q, volume %q", user, entry, health, volume)
	}
	for _, want := range []string{"ca-certificates", "espeak-ng", "tzdata", "--no-install-recommends", "-o 10001 -g 10001 /var/lib/readback"} {
		if !strings.Contains(apt, want) {
			t.Errorf("the image's commands have no %s: %s", want, apt)
		}
	}
}

// TestTheImagesDefaultsAreFound: a command in the container finds the configuration and the data folder by the two variables that the image sets.
func TestTheImagesDefaultsAreFound(t *testing.T) {
	etc, lib := filepath.Join(t.TempDir(), "etc"), filepath.Join(t.TempDir(), "lib")
	config := write(t, filepath.Join(etc, "readback", "readback.toml"), []byte("language = \"fr\"\n"), 0o644)
	out, _ := run(t, "/", plain("XDG_CONFIG_HOME="+etc, "XDG_DATA_HOME="+lib), program(t), "doctor")
	if !strings.Contains(out, config) || !strings.Contains(out, filepath.Join(lib, "readback")) {
		t.Errorf("doctor found others:\n%s", out)
	}
}

// TestTheImagesHealth: the check says yes of a server that serves, and no of one that is not there, or answers something else.
func TestTheImagesHealth(t *testing.T) {
	healthy := filepath.Join(source, "deploy", "healthy")
	if info, err := os.Stat(healthy); err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Fatalf("it cannot be run: %v %v", info.Mode(), err)
	}
	config := write(t, filepath.Join(t.TempDir(), "readback.toml"), nil, 0o644)
	_, n := serve(t, config, filepath.Join(t.TempDir(), "data"), "127.0.0.1")
	ok(t, "/", plain(), healthy, "127.0.0.1", strconv.Itoa(n))
	if _, code := run(t, "/", plain(), healthy, "127.0.0.1", strconv.Itoa(port(t))); code == 0 {
		t.Error("it says yes where nobody listens")
	}
	for _, answer := range []string{"HTTP/1.1 500 Internal Server Error\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "SSH-2.0-200\r\n", ""} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			c, err := l.Accept()
			if err == nil {
				_, _ = c.Write([]byte(answer))
				_ = c.Close()
			}
		}()
		if _, code := run(t, "/", plain(), healthy, "127.0.0.1", strconv.Itoa(l.Addr().(*net.TCPAddr).Port)); code == 0 {
			t.Errorf("it says yes of %q", answer)
		}
		l.Close()
	}
}
