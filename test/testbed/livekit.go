package testbed

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// LiveKit is a running LiveKit server. All of it is on 127.0.0.1.
type LiveKit struct {
	URL    string // ws://127.0.0.1:PORT
	Key    string // the API key
	Secret string

	Server *Process
}

// built builds the server where that is not done yet, which takes minutes.
var built = sync.OnceValues(func() (string, error) {
	into := filepath.Join(module(), ".cache", "livekit")
	if out, err := exec.Command(filepath.Join(module(), "testbed", "livekit.sh"), into).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(into, "livekit-server"), nil
})

// StartLiveKit starts a LiveKit server of the test's own, that ends with it. Its webhooks go to the addresses in hooks. Without READBACK_LIVEKIT in the environment the test is skipped: make
// livekit.
func StartLiveKit(t testing.TB, hooks ...string) *LiveKit {
	t.Helper()
	if os.Getenv("READBACK_LIVEKIT") == "" {
		t.Skip("a real LiveKit server, whose build takes minutes: make livekit")
	}
	program, err := built()
	if err != nil {
		t.Fatalf("the LiveKit server cannot be built: %v", err)
	}
	for range 3 { // another program can take a port between the choice and the start
		var l *LiveKit
		if l, err = tryLiveKit(t, program, hooks); err == nil {
			return l
		}
	}
	t.Fatal(err)
	return nil
}

func tryLiveKit(t testing.TB, program string, hooks []string) (*LiveKit, error) {
	var ports [2]uint16 // signalling, and media
	for i, tries := 0, 0; i < len(ports); tries++ {
		if tries > 1000 {
			return nil, errors.New("no free port")
		}
		if n := uint16(10_000 + mathrand.IntN(10_000)); free(n) && n != ports[0] {
			ports[i] = n
			i++
		}
	}
	dir := t.TempDir()
	l := &LiveKit{URL: fmt.Sprintf("ws://127.0.0.1:%d", ports[0]), Key: "readback", Secret: rand.Text() + rand.Text()}
	conf, told := filepath.Join(dir, "livekit.yaml"), ""
	if len(hooks) > 0 {
		told = fmt.Sprintf("webhook:\n  api_key: %s\n  urls: [%s]\n", l.Key, strings.Join(hooks, ", "))
	}
	if err := os.WriteFile(conf, fmt.Appendf(nil, `port: %d
bind_addresses: ["127.0.0.1"]
rtc:
  udp_port: %d
  tcp_port: 0
  node_ip: 127.0.0.1
  use_external_ip: false
  enable_loopback_candidate: true
  stun_servers: ["127.0.0.1:3478"]
  interfaces:
    includes: [lo]
keys:
  %s: %s
logging:
  level: warn
%s`, ports[0], ports[1], l.Key, l.Secret, told), 0o600); err != nil {
		return nil, err
	}
	l.Server = &Process{
		t: t, name: "LiveKit", log: filepath.Join(dir, "livekit.out"), args: []string{program, "--config", conf},
		ready: func(ctx context.Context) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/", ports[0]), nil)
			if err != nil {
				return err
			}
			return answers(&http.Client{Timeout: 2 * time.Second}, req)
		},
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the end of what LiveKit printed:\n%s", l.Server.tail())
		}
		l.Server.Kill()
	})
	return l, l.Server.start()
}
