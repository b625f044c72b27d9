package testbed

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// module is the root of the module's source.
func module() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// folder is where both programs are unpacked.
func folder() string { return filepath.Join(module(), ".cache", "testbed") }

// notDebian is the exit code of install.sh on a machine where it tries nothing.
const notDebian = 3

type installation struct {
	versions string
	missing  string // why there is none, on a machine that is no Debian
	err      error
}

var install = sync.OnceValue(func() installation {
	cmd := exec.Command(filepath.Join(module(), "testbed", "install.sh"), folder())
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == notDebian:
		return installation{missing: strings.TrimSpace(said.String())}
	case err != nil:
		return installation{err: errors.New(err.Error() + ": " + said.String())}
	}
	return installation{versions: strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", ", ")}
})

// Versions installs both programs where they are not yet there and names their versions. It skips or fails the test as Start does.
func Versions(t testing.TB) string {
	t.Helper()
	i := install()
	switch {
	case i.err != nil:
		t.Fatalf("Asterisk and ntfy cannot be installed: %v", i.err)
	case i.missing != "" && os.Getenv("CI") == "true" && debian():
		t.Fatal(i.missing)
	case i.missing != "":
		t.Skipf("LEFT OUT: %s needs a real Asterisk and ntfy. %s", t.Name(), i.missing)
	}
	return i.versions
}

func debian() bool {
	_, err := os.Stat("/etc/debian_version")
	return err == nil
}

// Root is where the programs are unpacked, once Versions or Start has been called: its usr/share/asterisk/rest-api describes what ARI sends.
func Root() string { return filepath.Join(folder(), "root") }
