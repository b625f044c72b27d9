package deploy

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// units are what is installed, by the names that systemd knows them by.
var units = map[string]string{"readback.service": "readback.service", "readback-worker@.service": "readback-worker@1.service"}

// threshold is the most that systemd may find exposed, in tenths: 100 is a unit that is not closed at all.
const threshold = 14

// systemd gives a program of systemd's: the machine's, or Debian's of this release, unpacked.
func systemd(t testing.TB, name string) []string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil && os.Getenv("READBACK_SYSTEMD") != "fetched" {
		return []string{path}
	}
	return []string{script(t, "test/deploy/systemd.sh", filepath.Join(source, ".cache", "systemd")) + "/bin/" + name}
}

// directives gives what a unit says: each key with its values, in their order.
func directives(t testing.TB, name string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, line := range strings.Split(string(read(t, "systemd/"+name)), "\n") {
		if key, value, found := strings.Cut(line, "="); found && !strings.HasPrefix(line, "#") {
			out[key] = append(out[key], value)
		}
	}
	return out
}

// installed lays the units, with the credentials' drop-in where it is wanted, and with the real program for them to start.
func installed(t testing.TB, credentials bool) string {
	t.Helper()
	dir := t.TempDir()
	for name, as := range units {
		unit := strings.ReplaceAll(string(read(t, "systemd/"+name)), "/usr/local/bin/readback", program(t))
		write(t, filepath.Join(dir, as), []byte(unit), 0o644)
		if credentials {
			write(t, filepath.Join(dir, as+".d", "credentials.conf"), read(t, "systemd/credentials.conf"), 0o644)
		}
	}
	return dir
}

// TestSystemdTakesTheUnits without a word, also with the drop-in.
func TestSystemdTakesTheUnits(t *testing.T) {
	for _, credentials := range []bool{false, true} {
		dir := installed(t, credentials)
		for _, unit := range units {
			out := ok(t, dir, plain("SYSTEMD_LOG_LEVEL=warning"), append(systemd(t, "systemd-analyze"), "verify", "--man=no", filepath.Join(dir, unit))...)
			if strings.Contains(out, dir) {
				t.Errorf("%s", out)
			}
		}
	}
	dir := installed(t, false)
	unit := filepath.Join(dir, "readback.service")
	b, _ := os.ReadFile(unit)
	write(t, unit, append(b, "[Service]\nProtectSystems=strict\n"...), 0o644)
	if out, _ := run(t, dir, plain(), append(systemd(t, "systemd-analyze"), "verify", "--man=no", unit)...); !strings.Contains(out, "ProtectSystems") {
		t.Fatalf("a key that does not exist is taken: this test would find nothing\n%s", out)
	}
}

// TestSystemdFindsTheUnitsClosed by its own measure.
func TestSystemdFindsTheUnitsClosed(t *testing.T) {
	for _, unit := range units {
		dir := installed(t, false)
		out, code := run(t, dir, plain(), append(systemd(t, "systemd-analyze"), "security", "--no-pager", "--offline=true", "--threshold="+strconv.Itoa(threshold), filepath.Join(dir, unit))...)
		if code != 0 || !strings.Contains(out, "exposure level for") {
			t.Errorf("%s: exit code %d\n%s", unit, code, out)
		}
	}
}

// TestUnitsEndAsTheProgramDoes: a worker has the time of its calls, and neither tells espeak-ng to end while it speaks.
func TestUnitsEndAsTheProgramDoes(t *testing.T) {
	drain := settingsOf(t, awake(read(t, "systemd/readback.toml"))).drain(t)
	for name := range units {
		d := directives(t, name)
		stop, err := time.ParseDuration(strings.Replace(d["TimeoutStopSec"][0], "min", "m", 1))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(name, "worker") && stop < drain+30*time.Second || stop < 20*time.Second {
			t.Errorf("%s has %v to end", name, stop)
		}
		if d["KillMode"][0] != "mixed" || d["KillSignal"][0] != "SIGTERM" || d["Restart"][0] != "on-failure" {
			t.Errorf("%s: %v %v %v", name, d["KillMode"], d["KillSignal"], d["Restart"])
		}
	}
}

// TestUnitsShareOneStore: one user, one data folder, one configuration; all else alike, so that a worker may do what serve may.
func TestUnitsShareOneStore(t *testing.T) {
	serve, worker := directives(t, "readback.service"), directives(t, "readback-worker@.service")
	start := serve["ExecStart"][0]
	if worker["ExecStart"][0] != strings.Replace(start, "readback serve ", "readback worker ", 1) || !strings.Contains(start, " --config /etc/readback/readback.toml") {
		t.Errorf("%s; %s", start, worker["ExecStart"][0])
	}
	if data := settingsOf(t, read(t, "systemd/readback.toml")).Data; data != "/var/lib/"+serve["StateDirectory"][0] {
		t.Errorf("the data folder is %q", data)
	}
	for _, key := range slices.Sorted(maps.Keys(serve)) {
		switch key {
		case "Description", "Wants", "After", "ExecStart", "TimeoutStopSec":
		default:
			if !slices.Equal(serve[key], worker[key]) {
				t.Errorf("%s is %v for serve, and %v for a worker", key, serve[key], worker[key])
			}
		}
		delete(worker, key)
	}
	if len(worker) > 0 {
		t.Errorf("a worker alone has %v", worker)
	}
	if !strings.Contains(directives(t, "readback-worker@.service")["After"][0], "readback.service") {
		t.Error("a worker may begin before the store is there")
	}
	users := string(read(t, "systemd/readback.sysusers"))
	if !regexp.MustCompile(`(?m)^u readback - ".+" /var/lib/readback /usr/sbin/nologin$`).MatchString(users) || serve["User"][0] != "readback" {
		t.Errorf("the user: %s", users)
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	ok(t, root, plain(), append(systemd(t, "systemd-sysusers"), "--root="+root, filepath.Join(source, "deploy/systemd/readback.sysusers"))...)
	if b, err := os.ReadFile(filepath.Join(root, "etc", "passwd")); err != nil || !strings.Contains(string(b), "readback:x:") {
		t.Errorf("the user is not made: %s %v", b, err)
	}
}

// TestCredentialsAreFiles whose names alone the program is told, by variables that it knows.
func TestCredentialsAreFiles(t *testing.T) {
	d := directives(t, "credentials.conf")
	loaded, dir := map[string]bool{}, t.TempDir()
	for _, l := range d["LoadCredential"] {
		name, file, _ := strings.Cut(l, ":")
		loaded[name] = filepath.IsAbs(file)
	}
	var env []string
	for _, e := range d["Environment"] {
		name, value, _ := strings.Cut(e, "=")
		file, in := strings.CutPrefix(value, "%d/")
		if !in || !loaded[file] || !strings.HasSuffix(name, "_FILE") {
			t.Errorf("%s", e)
		}
		delete(loaded, file)
		env = append(env, name+"="+write(t, filepath.Join(dir, file), []byte("secret\n"), 0o600))
	}
	if len(loaded) > 0 || len(env) == 0 {
		t.Errorf("loaded, and not told of: %v", loaded)
	}
	config := write(t, filepath.Join(dir, "readback.toml"), []byte("[livekit]\nurl = \"ws://127.0.0.1:1\"\nkey = \"readback\"\n"), 0o644)
	out, _ := run(t, "/", plain(env...), program(t), "doctor", "--config", config, "--data", filepath.Join(dir, "data"))
	if first, _, _ := strings.Cut(out, "\n"); !strings.HasPrefix(first, "ok") {
		t.Errorf("the program does not take them:\n%s", out)
	}
}
