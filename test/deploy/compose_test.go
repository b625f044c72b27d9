package deploy

import (
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// owner is the user and group that everything runs as in containers.
const owner = "10001:10001"

// composed loads compose.yaml as Docker Compose does, with all profiles.
func composed(t testing.TB, env ...string) *types.Project {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{filepath.Join(source, "deploy", "compose.yaml")}, cli.WithProfiles([]string{"*"}), cli.WithEnv(env), cli.WithoutEnvironmentResolution)
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// secretive is what a secret's variable or argument would be called.
var secretive = regexp.MustCompile(`(?i)secret=|password|passphrase|token|api.?key|keys=|_key=`)

// TestComposeClosesEveryContainer: no right, nothing to write but what is its own, nobody's user, nothing secret in variables or arguments.
func TestComposeClosesEveryContainer(t *testing.T) {
	p := composed(t)
	if len(p.Services) != 6 {
		t.Fatalf("%d services", len(p.Services))
	}
	for name, s := range p.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0 || s.Privileged || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.User != owner {
			t.Errorf("%s is open: read_only %v, cap_drop %v, cap_add %v, security_opt %v, user %q", name, s.ReadOnly, s.CapDrop, s.CapAdd, s.SecurityOpt, s.User)
		}
		if s.NetworkMode != "" || s.Pid != "" || s.Ipc != "" || len(s.Devices) > 0 {
			t.Errorf("%s shares something of the machine's", name)
		}
		if len(s.Environment) > 0 || len(s.EnvFiles) > 0 {
			t.Errorf("%s has variables", name)
		}
		for _, arg := range slices.Concat(s.Command, s.Entrypoint) {
			if secretive.MatchString(arg) {
				t.Errorf("%s has the argument %q", name, arg)
			}
		}
		if s.HealthCheck == nil || !s.HealthCheck.Disable && len(s.HealthCheck.Test) == 0 {
			t.Errorf("%s says nothing of its health", name)
		}
		for _, v := range s.Volumes {
			if strings.Contains(v.Source, "docker.sock") || v.Type == types.VolumeTypeBind && (v.Bind == nil || v.Bind.CreateHostPath) {
				t.Errorf("%s mounts %s: a folder that is missing would be made by root", name, v.Source)
			}
		}
	}
}

// TestComposeListensOnLoopback until the owner says otherwise, and then only for browsers' sound, or for telephones: who opens the one does not open the other.
func TestComposeListensOnLoopback(t *testing.T) {
	for name, s := range composed(t).Services {
		for _, at := range s.Ports {
			if at.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes %s on %q", name, at.Published, at.HostIP)
			}
		}
	}
	for variable, c := range map[string]struct {
		want  []string
		count int
	}{
		"MEDIA_ADDRESS": {[]string{"7881/tcp", "7882/udp"}, 2},
		"SIP_ADDRESS":   {[]string{"5060/udp", "5060/tcp", "10000/udp", "10100/udp"}, 103},
	} {
		open := map[string]bool{}
		for _, s := range composed(t, variable+"=0.0.0.0").Services {
			for _, at := range s.Ports {
				if at.HostIP == "0.0.0.0" {
					open[at.Published+"/"+at.Protocol] = true
				}
			}
		}
		if len(open) != c.count {
			t.Errorf("%s opens %d ports: %v", variable, len(open), open)
		}
		for _, want := range c.want {
			if !open[want] {
				t.Errorf("%s does not open %s", variable, want)
			}
		}
	}
}

// TestComposesImagesDoNotMove: each image of others has the version that was meant.
func TestComposesImagesDoNotMove(t *testing.T) {
	for name, s := range composed(t).Services {
		_, tag, _ := strings.Cut(s.Image, ":")
		if s.Image != "readback" && !regexp.MustCompile(`^v?[0-9]+(\.|-|$)`).MatchString(tag) {
			t.Errorf("%s is of the image %q", name, s.Image)
		}
	}
}

// TestComposesWorkersShareOneStore with serve: one image, one user, one volume, one configuration; a worker begins when the store is there, and has its time to end.
func TestComposesWorkersShareOneStore(t *testing.T) {
	p := composed(t)
	serve, worker := p.Services["readback"], p.Services["worker"]
	if len(serve.Profiles) > 0 || !slices.Equal(worker.Profiles, []string{"workers"}) {
		t.Errorf("profiles: %v, %v", serve.Profiles, worker.Profiles)
	}
	if serve.User != worker.User || serve.Image != worker.Image || len(serve.Volumes) != 2 || !slices.EqualFunc(serve.Volumes, worker.Volumes, func(a, b types.ServiceVolumeConfig) bool {
		return a.Source == b.Source && a.Target == b.Target && a.ReadOnly == b.ReadOnly
	}) {
		t.Errorf("not of one kind: %v, %v", serve.Volumes, worker.Volumes)
	}
	s := settingsOf(t, awake(read(t, "compose/readback/readback.toml")))
	if !strings.HasPrefix(s.Data, serve.Volumes[0].Target+"/") || serve.Volumes[0].Type != types.VolumeTypeVolume || serve.Volumes[0].ReadOnly || !serve.Volumes[1].ReadOnly {
		t.Errorf("the data folder %q is not in the volume %+v", s.Data, serve.Volumes[0])
	}
	if serve.Command[0] != "serve" || worker.Command[0] != "worker" || !slices.Equal(serve.Command[1:], worker.Command[1:]) {
		t.Errorf("commands: %v, %v", serve.Command, worker.Command)
	}
	if grace := time.Duration(*worker.StopGracePeriod); grace < s.drain(t)+30*time.Second {
		t.Errorf("a worker has %v to end, and its calls %v", grace, s.drain(t))
	}
	if d := worker.DependsOn["readback"]; d.Condition != types.ServiceConditionHealthy {
		t.Errorf("a worker begins when serve is %q", d.Condition)
	}
	if worker.Build != nil || serve.Build == nil || serve.Build.Context != source || serve.Build.Dockerfile != "deploy/Dockerfile" {
		t.Errorf("built by %+v", serve.Build)
	}
}

// TestComposesProxyIsTheGateway: what comes to a published port comes from there, and Readback believes it alone.
func TestComposesProxyIsTheGateway(t *testing.T) {
	p := composed(t)
	ipam := p.Networks["front"].Ipam.Config
	s := settingsOf(t, read(t, "compose/readback/readback.toml"))
	if len(ipam) != 1 || len(s.TrustedProxies) != 1 || s.TrustedProxies[0] != ipam[0].Gateway || !netip.MustParsePrefix(ipam[0].Subnet).Contains(netip.MustParseAddr(ipam[0].Gateway)) {
		t.Errorf("trusted_proxies %v, network %+v", s.TrustedProxies, ipam)
	}
	_, heard := p.Services["readback"].Networks["bus"]
	_, apart := p.Services["redis"].Networks["bus"]
	if !p.Networks["bus"].Internal || heard || !apart || len(p.Services["redis"].Networks) != 1 || len(p.Services["redis"].Ports) > 0 {
		t.Error("redis, which asks for no password, can be reached by others than LiveKit")
	}
}

// TestComposesFilesAreMadeByItsCommands: what containers mount is in the source, or made by the commands of compose/README.md, which are run here.
func TestComposesFilesAreMadeByItsCommands(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"compose/readback/readback.toml", "compose/ntfy/server.yml", "livekit/sip.yaml", "livekit/livekit.yaml"} {
		write(t, filepath.Join(dir, name), read(t, name), 0o644)
	}
	commands := shell(t, "compose/README.md")
	if os.Geteuid() != 0 {
		commands = regexp.MustCompile(`(?m)^chown .*$`).ReplaceAllString(commands, "")
	}
	ok(t, filepath.Join(dir, "compose"), plain(), "sh", "-ec", commands)
	p := composed(t)
	for name, s := range p.Services {
		for _, v := range s.Volumes {
			if v.Type == types.VolumeTypeBind {
				if _, err := os.Stat(filepath.Join(dir, strings.TrimPrefix(v.Source, filepath.Join(source, "deploy")))); err != nil {
					t.Errorf("%s mounts what is not there: %v", name, err)
				}
			}
		}
		for _, used := range s.Secrets {
			file := filepath.Join(dir, strings.TrimPrefix(p.Secrets[used.Source].File, filepath.Join(source, "deploy")))
			if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 || info.Size() == 0 {
				t.Errorf("%s: %s: %v %v", name, file, info, err)
			}
		}
	}
	s := settingsOf(t, awake(read(t, "compose/readback/readback.toml")))
	for _, name := range []string{s.LiveKit.File, s.Ntfy.Roots} {
		if info, err := os.Stat(filepath.Join(dir, "compose", "readback", name)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	sip := bridge(t, filepath.Join(dir, "compose", "secrets", "sip.yaml"))
	secret, _ := os.ReadFile(filepath.Join(dir, "compose", "secrets", "livekit.secret"))
	if sip.WsURL != s.LiveKit.URL || sip.Redis.Address != "redis:6379" || sip.APIKey != s.LiveKit.Key || sip.APISecret != strings.TrimSpace(string(secret)) || len(sip.APISecret) < 32 {
		t.Errorf("the bridge is told of %q and %q", sip.WsURL, sip.Redis.Address)
	}
	runNtfy(t, filepath.Join(dir, "compose"))
}
