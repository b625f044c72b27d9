package clients

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestClaudeCode: Claude Code says Connected of both ways in which the README adds the server to it. (Its exit code is 0 either way.)
func TestClaudeCode(t *testing.T) {
	k, s := clients(t), start(t)
	home := t.TempDir()
	claude := func(args ...string) string {
		t.Helper()
		script := filepath.Join(k.modules, "@anthropic-ai", "claude-code", "cli-wrapper.cjs")
		out, _ := k.run(t, []string{"HOME=" + home, "CLAUDE_CONFIG_DIR=" + filepath.Join(home, ".claude"), "DISABLE_AUTOUPDATER=1"}, append([]string{script}, args...)...)
		return out
	}
	claude("mcp", "add", "--scope", "user", "--transport", "http", "readback", s.url, "--header", "Authorization: Bearer "+s.token)
	claude("mcp", "add", "--scope", "user", "relayed", "--", s.bin, "mcp", "--data", s.data)
	claude("mcp", "add", "--scope", "user", "--transport", "http", "stranger", s.url)
	for _, name := range []string{"readback", "relayed"} {
		if out := claude("mcp", "get", name); !strings.Contains(out, "Connected") {
			t.Errorf("%s: %s", name, strings.ReplaceAll(out, s.token, "TOKEN"))
		}
	}
	if out := claude("mcp", "get", "stranger"); strings.Contains(out, "Connected") || out == "" {
		t.Errorf("without a token: %s", out)
	}
}
