package deploy

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/rpc"
	"github.com/livekit/psrpc"
	"github.com/redis/go-redis/v9"
	"github.com/twitchtv/twirp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"gopkg.in/yaml.v3"
)

// message reads a JSON file as lk does, but for what lk would leave out because it does not know it.
func message(t testing.TB, name string, into interface {
	proto.Message
	Validate() error
}) {
	t.Helper()
	if err := protojson.Unmarshal(read(t, name), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := into.Validate(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// ours reads the trunk and the rule.
func ours(t testing.TB) (*livekit.CreateSIPInboundTrunkRequest, *livekit.CreateSIPDispatchRuleRequest) {
	t.Helper()
	trunk, rule := &livekit.CreateSIPInboundTrunkRequest{}, &livekit.CreateSIPDispatchRuleRequest{}
	message(t, "livekit/inbound-trunk.json", trunk)
	message(t, "livekit/dispatch-rule.json", rule)
	return trunk, rule
}

// TestTheTrunkIsNobodysUntilItIsChanged: its numbers and addresses are of those that are for examples, and addresses are ranges, which no caller can name as theirs.
func TestTheTrunkIsNobodysUntilItIsChanged(t *testing.T) {
	trunk, rule := ours(t)
	if len(trunk.Trunk.AllowedAddresses) == 0 || len(trunk.Trunk.Numbers) == 0 {
		t.Fatal("it lets everybody call")
	}
	for _, a := range trunk.Trunk.AllowedAddresses {
		if !strings.HasPrefix(a, "192.0.2.") || !strings.HasSuffix(a, "/32") {
			t.Errorf("it lets %s call", a)
		}
	}
	r := rule.DispatchRule
	if trunk.Trunk.KrispEnabled || r.KrispEnabled || r.HidePhoneNumber || trunk.Trunk.AuthPassword != "" || len(r.RoomConfig.GetAgents()) != 1 || r.RoomConfig.Agents[0].AgentName != "readback" || r.RoomConfig.Agents[0].Metadata != "" {
		t.Errorf("%v %v", trunk, rule)
	}
	if !strings.Contains(string(read(t, "readback.toml")), `agent = "`+r.RoomConfig.Agents[0].AgentName+`"`) {
		t.Error("the rule dispatches another agent than the program is by default")
	}
}

// bridgeConfig has the keys of livekit-sip's configuration that are used here, by its source (pkg/config/config.go): the program itself cannot be had for a test.
type bridgeConfig struct {
	APIKey    string `yaml:"api_key"`
	APISecret string `yaml:"api_secret"`
	WsURL     string `yaml:"ws_url"`
	Redis     struct {
		Address string `yaml:"address"`
	} `yaml:"redis"`
	SIPPort         int    `yaml:"sip_port"`
	RTPPort         string `yaml:"rtp_port"`
	UseExternalIP   bool   `yaml:"use_external_ip"`
	HideInboundPort bool   `yaml:"hide_inbound_port"`
	Logging         struct {
		Level string `yaml:"level"`
	} `yaml:"logging"`
}

// bridge reads a configuration of livekit-sip, every key of which exists.
func bridge(t testing.TB, file string) bridgeConfig {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var c bridgeConfig
	d := yaml.NewDecoder(f)
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

// installLiveKit runs the commands of livekit/README.md in a folder instead of /etc/livekit.
func installLiveKit(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	ok(t, filepath.Join(source, "deploy", "livekit"), plain(), "sh", "-ec", strings.ReplaceAll(shell(t, "livekit/README.md"), "/etc/livekit", dir))
	return dir
}

// TestTheCommandsOfLiveKit make one secret, in three files that are for their users alone; the bridge is told of the server's port and of redis.
func TestTheCommandsOfLiveKit(t *testing.T) {
	dir := installLiveKit(t)
	for name, mode := range map[string]os.FileMode{"livekit.secret": 0o600, "keys.yaml": 0o600, "sip.yaml": 0o600, "livekit.yaml": 0o644} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	var keys map[string]string
	b, _ := os.ReadFile(filepath.Join(dir, "keys.yaml"))
	if err := yaml.Unmarshal(b, &keys); err != nil {
		t.Fatal(err)
	}
	c := bridge(t, filepath.Join(dir, "sip.yaml"))
	var server struct {
		Port  int
		Redis struct{ Address string }
	}
	if err := yaml.Unmarshal(read(t, "livekit/livekit.yaml"), &server); err != nil {
		t.Fatal(err)
	}
	if secret := keys[c.APIKey]; len(secret) != 64 || c.APISecret != secret || c.Redis.Address != server.Redis.Address || c.WsURL != fmt.Sprintf("ws://127.0.0.1:%d", server.Port) {
		t.Errorf("%d characters of a secret; %q %q", len(secret), c.WsURL, c.Redis.Address)
	}
	if strings.Contains(string(read(t, "livekit/sip.yaml")), "\napi_secret") || regexp.MustCompile(`(?m)^keys:`).Match(read(t, "livekit/livekit.yaml")) {
		t.Error("a secret stands in what everybody can read")
	}
	compose := composed(t)
	for _, want := range []string{c.RTPPort, fmt.Sprint(c.SIPPort)} {
		if !strings.Contains(string(read(t, "compose.yaml")), ":"+want+"/udp") {
			t.Errorf("compose.yaml publishes no %s", want)
		}
	}
	if len(compose.Services["livekit-sip"].Ports) != 103 {
		t.Errorf("%d ports of the bridge", len(compose.Services["livekit-sip"].Ports))
	}
}

// liveKit runs the real server with the configuration that is deployed, on other ports, and with a redis of this process.
func liveKit(t *testing.T) (url string, r *running, bus *miniredis.Miniredis, secret string) {
	t.Helper()
	if os.Getenv("READBACK_LIVEKIT") == "" {
		t.Skip("a real LiveKit server, whose build takes minutes: make livekit")
	}
	script(t, "testbed/livekit.sh")
	dir := installLiveKit(t)
	bus = miniredis.RunT(t)
	conf, err := os.ReadFile(filepath.Join(dir, "livekit.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	moved, n := string(conf), port(t)
	for from, to := range map[string]string{
		"\nport: 7880\n": fmt.Sprintf("\nport: %d\n", n), "udp_port: 7882": fmt.Sprintf("udp_port: %d", port(t)), "tcp_port: 7881": "tcp_port: 0", "127.0.0.1:6379": bus.Addr(),
		"/etc/livekit/keys.yaml": filepath.Join(dir, "keys.yaml"),
		// This machine has no address on the Internet, and need ask nobody for it.
		"use_external_ip: true": "use_external_ip: false\n  node_ip: 127.0.0.1\n  enable_loopback_candidate: true\n  stun_servers: [\"127.0.0.1:3478\"]\n  interfaces: {includes: [lo]}",
	} {
		if !strings.Contains(moved, from) {
			t.Fatalf("livekit.yaml has no %q", from)
		}
		moved = strings.ReplaceAll(moved, from, to)
	}
	file := write(t, filepath.Join(dir, "moved.yaml"), []byte(moved), 0o600)
	r = start(t, dir, plain(), filepath.Join(source, ".cache", "livekit", "livekit-server"), "--config", file)
	r.until(t, "LiveKit", func() bool {
		status, _ := get(fmt.Sprintf("http://127.0.0.1:%d/", n))
		return status == http.StatusOK
	})
	b, err := os.ReadFile(filepath.Join(dir, "livekit.secret"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", n), r, bus, strings.TrimSpace(string(b))
}

// answered asks the server by the bus, and again where nobody offered to answer in time: a question is lost that comes before who answers, or the one who asks, listens to the bus.
func answered[T any](ask func() (T, error)) (T, error) {
	end := time.Now().Add(patience)
	for {
		got, err := ask()
		if !errors.Is(err, psrpc.ErrNoResponse) || time.Now().After(end) {
			return got, err
		}
	}
}

// TestTheRealServerTakesTrunkAndRule and says what becomes of a call, as it says it to livekit-sip.
func TestTheRealServerTakesTrunkAndRule(t *testing.T) {
	at, r, bus, secret := liveKit(t)
	token, err := auth.NewAccessToken("readback", secret).SetSIPGrant(&auth.SIPGrant{Admin: true}).ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := twirp.WithHTTPRequestHeaders(t.Context(), http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatal(err)
	}
	trunk, rule := ours(t)
	client := livekit.NewSIPProtobufClient("http://"+at, http.DefaultClient)
	made, err := client.CreateSIPInboundTrunk(ctx, trunk)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.said())
	}
	if _, err := client.CreateSIPDispatchRule(ctx, rule); err != nil {
		t.Fatalf("%v\n%s", err, r.said())
	}
	asks, err := rpc.NewIOInfoClient(psrpc.NewRedisMessageBus(redis.NewClient(&redis.Options{Addr: bus.Addr()})), psrpc.WithClientTimeout(patience), psrpc.WithClientSelectTimeout(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	provider := strings.TrimSuffix(trunk.Trunk.AllowedAddresses[0], "/32")
	for _, c := range []struct {
		what, from, host, to, source string
		trunk                        bool
	}{
		{"yours", "+15145550101", "sip.example.com", "+14185550123", provider, true},
		{"a number without its country", "5145550101", "sip.example.com", "4185550123", provider, true},
		{"one that hides its number", "", "anonymous.invalid", "+14185550123", provider, true},
		{"one that calls itself a browser's room", "talk-aaaaaaaaaaaaaaaaaaaaaaaaaa", "sip.example.com", "+14185550123", provider, true},
		{"another address", "+15145550101", "sip.example.com", "+14185550123", "198.51.100.7", false},
		{"another address that names the provider's", "+15145550101", provider, "+14185550123", "198.51.100.7", false},
		{"another address that names the trunk's range", "+15145550101", provider + "/32", "+14185550123", "198.51.100.7", true}, // no host of a SIP address has a slash: livekit-sip's parser takes none
		{"another number", "+15145550101", "sip.example.com", "+14185550199", provider, false},
	} {
		call := &rpc.SIPCall{LkCallId: "SCL_x", SourceIp: c.source, From: &livekit.SIPUri{User: c.from, Host: c.host}, To: &livekit.SIPUri{User: c.to, Host: "sip.example.com"}}
		known, err := answered(func() (*rpc.GetSIPTrunkAuthenticationResponse, error) {
			return asks.GetSIPTrunkAuthentication(t.Context(), &rpc.GetSIPTrunkAuthenticationRequest{Call: call})
		})
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.what, err, r.said())
		}
		if (known.SipTrunkId == made.SipTrunkId) != c.trunk {
			t.Errorf("%s: of the trunk %q", c.what, known.SipTrunkId)
		}
		if !c.trunk {
			continue
		}
		got, err := answered(func() (*rpc.EvaluateSIPDispatchRulesResponse, error) {
			return asks.EvaluateSIPDispatchRules(t.Context(), &rpc.EvaluateSIPDispatchRulesRequest{SipTrunkId: known.SipTrunkId, Call: call})
		})
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if got.Result != rpc.SIPDispatchResult_ACCEPT || !strings.HasPrefix(got.RoomName, "call_"+c.from+"_") || len(got.RoomConfig.GetAgents()) != 1 || got.RoomConfig.Agents[0].AgentName != "readback" ||
			got.ParticipantAttributes[livekit.AttrSIPPhoneNumber] != c.from || got.ParticipantAttributes[livekit.AttrSIPTrunkNumber] != c.to || len(got.EnabledFeatures) > 0 || got.ParticipantMetadata != "" {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}
