package testbed

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// startNtfy starts ntfy with nothing open to the anonymous, one user who may do all, and one who may only write.
func (b *Bed) startNtfy(c Config) error {
	program, conf := filepath.Join(folder(), "root", "usr", "bin", "ntfy"), filepath.Join(b.dir, "ntfy.yml")
	b.NtfyURL = fmt.Sprintf("http://127.0.0.1:%d", b.ports.ntfy)
	if err := os.MkdirAll(filepath.Join(b.dir, "ntfy"), 0o700); err != nil {
		return err
	}
	lines := append([]string{
		"base-url: " + b.NtfyURL,
		fmt.Sprintf("listen-http: 127.0.0.1:%d", b.ports.ntfy),
		"cache-file: " + filepath.Join(b.dir, "ntfy", "cache.db"),
		"auth-file: " + filepath.Join(b.dir, "ntfy", "user.db"),
		"attachment-cache-dir: " + filepath.Join(b.dir, "ntfy", "attachments"),
		"auth-default-access: deny-all",
		"web-root: disable",
	}, c.Ntfy...)
	if err := os.WriteFile(conf, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return err
	}
	b.Ntfy = &Process{
		t: b.t, name: "ntfy", log: filepath.Join(b.dir, "ntfy.out"), args: []string{program, "serve", "--config=" + conf},
		ready: func(ctx context.Context) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.NtfyURL+"/v1/health", nil)
			if err != nil {
				return err
			}
			return answers(&http.Client{Timeout: 2 * time.Second}, req)
		},
	}
	if err := b.Ntfy.start(); err != nil {
		return err
	}
	run := func(args ...string) (string, error) {
		cmd := exec.Command(program, args...) //nolint:gosec // the bed's own program
		cmd.Env = append(os.Environ(), "NTFY_PASSWORD="+b.NtfyPassword)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("ntfy %s: %w: %s", strings.Join(args, " "), err, out)
		}
		return string(out), nil
	}
	for _, args := range [][]string{{"user", "add", "--role=admin", "admin"}, {"user", "add", "writer"}, {"access", "writer", "*", "write-only"}} {
		if _, err := run(append([]string{args[0], "--config=" + conf}, args[1:]...)...); err != nil {
			return err
		}
	}
	for user, token := range map[string]*string{"admin": &b.NtfyToken, "writer": &b.NtfyWriter} {
		out, err := run("token", "--config="+conf, "add", user)
		if err != nil {
			return err
		}
		if *token = regexp.MustCompile(`tk_[a-z0-9]+`).FindString(out); *token == "" {
			return fmt.Errorf("ntfy gave no token: %s", out)
		}
	}
	return nil
}
