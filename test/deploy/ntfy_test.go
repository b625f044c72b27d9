package deploy

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runNtfy runs the real ntfy with the configuration that containers get, and the certificate that its commands made: Readback knows it by that, and a topic is closed.
func runNtfy(t *testing.T, compose string) {
	t.Helper()
	script(t, "testbed/install.sh", filepath.Join(source, ".cache", "testbed"))
	plainPort, tlsPort := port(t), port(t)
	conf, err := os.ReadFile(filepath.Join(compose, "ntfy", "server.yml"))
	if err != nil {
		t.Fatal(err)
	}
	moved := string(conf)
	for from, to := range map[string]string{
		`":2586"`: fmt.Sprintf("127.0.0.1:%d", plainPort), `":8443"`: fmt.Sprintf("127.0.0.1:%d", tlsPort),
		"/run/secrets/ntfy_key": filepath.Join(compose, "secrets", "ntfy.key"), "/run/secrets/ntfy_crt": filepath.Join(compose, "secrets", "ntfy.crt"),
		"/var/lib/ntfy/": filepath.Join(compose, "state", "ntfy") + "/",
	} {
		if !strings.Contains(moved, from) {
			t.Fatalf("server.yml has no %s", from)
		}
		moved = strings.ReplaceAll(moved, from, to)
	}
	file := write(t, filepath.Join(compose, "server.yml"), []byte(moved), 0o600)
	r := start(t, compose, plain(), filepath.Join(source, ".cache/testbed/root/usr/bin/ntfy"), "serve", "--config", file)
	r.until(t, "ntfy", func() bool {
		status, _ := get(fmt.Sprintf("http://127.0.0.1:%d/v1/health", plainPort))
		return status == http.StatusOK
	})
	pem, err := os.ReadFile(filepath.Join(compose, "readback", "ntfy.crt"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "ntfy"}}}
	resp, err := client.Get(fmt.Sprintf("https://127.0.0.1:%d/texts/json?poll=1", tlsPort))
	if err != nil {
		t.Fatalf("by its certificate: %v\n%s", err, r.said())
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("a topic without a token: %d", resp.StatusCode)
	}
}
