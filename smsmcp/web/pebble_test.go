package web

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

const pebbleVersion = "v2.10.3"

// pebbleProgram builds Pebble, the authority that Let's Encrypt gives to those who test against it, once into the module's .cache. Where it
// cannot be had, what needs it fails in CI (CI=true) and is left out elsewhere.
var pebbleProgram = sync.OnceValues(func() (string, error) {
	bin, err := filepath.Abs(filepath.Join("..", "..", ".cache", "bin"))
	if err != nil {
		return "", err
	}
	name := filepath.Join(bin, "pebble-"+pebbleVersion)
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(bin, "building-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "install", "github.com/letsencrypt/pebble/v2/cmd/pebble@"+pebbleVersion)
	cmd.Dir, cmd.Env = work, append(os.Environ(), "GOBIN="+work, "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(err.Error() + ": " + string(out))
	}
	return name, os.Rename(filepath.Join(work, "pebble"), name)
})

// pebble is an authority that runs.
type pebble struct {
	directory string
	roots     *x509.CertPool // of its own server
	issued    *x509.CertPool // of what it gives
	port      int            // where it looks whether a name is ours
	stop      func()
}

func startPebble(t *testing.T) *pebble {
	t.Helper()
	program, err := pebbleProgram()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("LEFT OUT: %s needs Pebble. %v", t.Name(), err)
	}
	s, own := newShelf(t), certify(t, "localhost", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	s.put("cert", own.cert)
	s.put("key", own.key)
	api, manage, port := freePort(t), freePort(t), freePort(t)
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": "127.0.0.1:" + strconv.Itoa(api), "managementListenAddress": "127.0.0.1:" + strconv.Itoa(manage),
		"certificate": s.path("cert"), "privateKey": s.path("key"), "tlsPort": port, "httpPort": freePort(t),
		"domainBlocklist": []string{"blocked.example.org"}, "retryAfter": map[string]int{"authz": 1, "order": 1}, "keyAlgorithm": "ecdsa",
		"profiles": map[string]any{"default": map[string]any{"description": "as usual", "validityPeriod": 7776000}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.put("config.json", config)
	var said lockedBuffer
	cmd := exec.Command(program, "-config", s.path("config.json"), "-dnsserver", nameServer(t))
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1")
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &pebble{directory: "https://127.0.0.1:" + strconv.Itoa(api) + "/dir", roots: x509.NewCertPool(), issued: x509.NewCertPool(), port: port}
	p.stop = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	t.Cleanup(p.stop)
	p.roots.AddCert(own.leaf)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: p.roots}}, Timeout: 5 * time.Second}
	var root []byte
	until(t, func() bool {
		for _, url := range []string{p.directory, "https://127.0.0.1:" + strconv.Itoa(manage) + "/roots/0"} {
			resp, err := client.Get(url)
			if err != nil {
				return false
			}
			root, _ = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		return p.issued.AppendCertsFromPEM(root)
	}, &said)
	return p
}

// until waits until something holds.
func until(t *testing.T, holds func() bool, said interface{ String() string }) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not come about:\n%s", said)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	ln := listen(t)
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}

// nameServer says that every name is on this machine; lost.example.org is at an address of it where nobody listens.
func nameServer(t *testing.T) string {
	ln := listen(t)
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go answerNames(c)
		}
	}()
	return ln.Addr().String()
}

func answerNames(c net.Conn) {
	defer c.Close()
	for {
		var size uint16
		if binary.Read(c, binary.BigEndian, &size) != nil {
			return
		}
		ask := make([]byte, size)
		var m dnsmessage.Message
		if _, err := io.ReadFull(c, ask); err != nil || m.Unpack(ask) != nil || len(m.Questions) != 1 {
			return
		}
		q := m.Questions[0]
		m.Response, m.Additionals = true, nil
		if q.Type == dnsmessage.TypeA {
			at := dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}
			if strings.EqualFold(q.Name.String(), "lost.example.org.") {
				at.A[3] = 2
			}
			m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1}, Body: &at}}
		}
		b, err := m.Pack()
		if err != nil {
			return
		}
		var out bytes.Buffer
		_ = binary.Write(&out, binary.BigEndian, uint16(len(b)))
		out.Write(b)
		if _, err := c.Write(out.Bytes()); err != nil {
			return
		}
	}
}
