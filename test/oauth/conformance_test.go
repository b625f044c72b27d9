package oauth

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestConformance runs what the conformance suite requires of an authorization server, with an owner who agrees in a real browser. No failure is expected of it.
func TestConformance(t *testing.T) {
	t.Parallel()
	k, s, b := clients(t), run(t), browse(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, port, err := net.SplitHostPort(ln.Addr().String())
	must(t, err)
	must(t, ln.Close()) // the suite listens there
	client := s.registers(t, "Suite", "http://127.0.0.1:"+port+"/callback")
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := k.Command(ctx, t, filepath.Join(k.Modules, "@modelcontextprotocol", "conformance", "dist", "index.js"), "authorization", "--url", s.public, "--client-id", client,
		"--resource", s.public+"/mcp", "-p", port, "-o", dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	said, opened := "", false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if said += line + "\n"; strings.HasPrefix(line, s.public+"/oauth/authorize?") {
			opened = true
			b.agrees(line, false, "It calls itself “Suite”.")
		}
	}
	if err := cmd.Wait(); err != nil || !opened {
		t.Errorf("%v, opened: %v\n%s", err, opened, said)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	must(t, err)
	passed := map[string]bool{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		must(t, err)
		var checks []struct{ ID, Status, ErrorMessage string }
		must(t, json.Unmarshal(raw, &checks))
		for _, c := range checks {
			if c.Status == "SUCCESS" {
				passed[c.ID] = true
			} else {
				t.Errorf("%s: %s: %s", c.ID, c.Status, c.ErrorMessage)
			}
		}
	}
	for _, want := range []string{"authorization-server-metadata", "authorization-server-metadata-cimd", "authorization-code-grant"} {
		if !passed[want] {
			t.Errorf("%s did not pass: %v", want, passed)
		}
	}
	if len(files) != 2 {
		t.Errorf("%d scenarios\n%s", len(files), said)
	}
	t.Log(passed)
}
