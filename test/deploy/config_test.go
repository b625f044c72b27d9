package deploy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// configs are the configurations that are deployed.
var configs = []string{"readback.toml", "compose/readback/readback.toml", "k8s/readback.toml", "systemd/readback.toml"}

// settings are what is looked at of one, beside what the program itself says of it.
type settings struct {
	Data           string
	Listen         string
	TrustedProxies []string `toml:"trusted_proxies"`
	PublicURL      string   `toml:"public_url"`
	Carrier        struct{ Kind string }
	VoipMS         struct {
		Password string
		File     string `toml:"password_file"`
	}
	Ntfy struct {
		URL   string
		File  string `toml:"token_file"`
		Roots string `toml:"ca_file"`
	}
	LiveKit struct {
		URL, Key, Agent, Drain string
		File                   string `toml:"secret_file"`
	}
}

func settingsOf(t testing.TB, content []byte) settings {
	t.Helper()
	var s settings
	if err := toml.Unmarshal(content, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// drain is how long a worker that is told to end lets its calls go on.
func (s settings) drain(t testing.TB) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s.LiveKit.Drain)
	if err != nil {
		t.Fatalf("livekit.drain: %v", err)
	}
	return d
}

// taken says whether the program takes a configuration: what doctor says first.
func taken(t testing.TB, content []byte) (bool, string) {
	t.Helper()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "readback.toml"), content, 0o644)
	out, _ := run(t, "/", plain(), program(t), "doctor", "--config", config, "--data", filepath.Join(dir, "data"))
	first, _, _ := strings.Cut(out, "\n")
	return regexp.MustCompile(`^ok +configuration +` + regexp.QuoteMeta(config) + `$`).MatchString(strings.TrimSpace(first)), out
}

// TestConfigurationsAreTaken by the program, which knows no key that is not there: as they are, and with everything that is commented out.
func TestConfigurationsAreTaken(t *testing.T) {
	for _, name := range configs {
		content := read(t, name)
		for what, c := range map[string][]byte{"as it is": content, "with all settings": awake(content)} {
			if good, out := taken(t, c); !good {
				t.Errorf("%s, %s, is not taken:\n%s", name, what, out)
			}
		}
	}
	if good, _ := taken(t, []byte("nothing_such = 1\n")); good {
		t.Fatal("a key that does not exist is taken: this test would find nothing")
	}
}

// TestNoConfigurationHoldsASecret: a file that holds one is named.
func TestNoConfigurationHoldsASecret(t *testing.T) {
	for _, name := range configs {
		if s := settingsOf(t, awake(read(t, name))); s.VoipMS.Password != "" || regexp.MustCompile(`(?m)^#?(password|secret|token|key_) *= *"[^"]`).Match(read(t, name)) {
			t.Errorf("%s holds a secret", name)
		}
	}
}

// lent is a configuration to be run here: its folders, addresses and secrets are this test's.
func lent(t testing.TB, content []byte, secrets string) string {
	t.Helper()
	s := settingsOf(t, content)
	for _, file := range []string{s.LiveKit.File, s.Ntfy.File, s.VoipMS.File} {
		if file != "" {
			write(t, filepath.Join(secrets, filepath.Base(file)), []byte(strings.Repeat("s", 48)+"\n"), 0o600)
		}
	}
	moved := strings.ReplaceAll(string(content), "/run/readback/", secrets+"/")
	return write(t, filepath.Join(secrets, "readback.toml"), []byte(moved), 0o644)
}

// TestTheContainersConfigurationServes: on all addresses of the container, with what is in the file before anybody changed it.
func TestTheContainersConfigurationServes(t *testing.T) {
	for _, name := range []string{"compose/readback/readback.toml", "k8s/readback.toml"} {
		t.Run(name, func(t *testing.T) {
			content := read(t, name)
			if l := settingsOf(t, content).Listen; l != "0.0.0.0:8787" {
				t.Fatalf("it listens on %q", l)
			}
			data := filepath.Join(t.TempDir(), "volume", "data")
			r, n := serve(t, lent(t, content, t.TempDir()), data, "0.0.0.0")
			if status, body := get(fmt.Sprintf("http://127.0.0.1:%d/healthz", n)); status != 200 {
				t.Errorf("%d %s", status, body)
			}
			if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the data folder: %v %v", info, err)
			}
			if code := r.stop(t); code != 0 {
				t.Errorf("it ends with %d:\n%s", code, r.said())
			}
		})
	}
}
