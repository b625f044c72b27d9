package oauth

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"readback/test/testbed/program"
)

// claudes is the document that Claude Code is known by.
const claudes = "https://claude.ai/oauth/claude-code-client-metadata"

// TestClaudeCodeByItsDocument: Claude Code finds its way from the server's address alone, asks with its own document, is let in by the owner in a real browser, and is connected; once
// the owner ends that, it is not. The name claude.ai leads to a site of the test's on another Internet.
func TestClaudeCodeByItsDocument(t *testing.T) {
	t.Parallel()
	k, b, e := clients(t), browse(t), newElsewhere(t, "claude.ai")
	e.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"client_id":%q,"client_name":"Claude Code","redirect_uris":["http://localhost/callback","http://127.0.0.1/callback"],"token_endpoint_auth_method":"none"}`, claudes)
	})
	s := assemble(t, e.options(), "").listens()
	home := t.TempDir()
	env := []string{"HOME=" + home, "CLAUDE_CONFIG_DIR=" + filepath.Join(home, ".claude"), "DISABLE_AUTOUPDATER=1"}
	script := filepath.Join(k.Modules, "@anthropic-ai", "claude-code", "cli-wrapper.cjs")
	claude := func(args ...string) string {
		out, _ := k.Run(t, env, script, args...)
		return out
	}
	claude("mcp", "add", "--scope", "user", "--transport", "http", "readback", s.public+"/mcp")
	if out := claude("mcp", "get", "readback"); !strings.Contains(out, "Needs authentication") {
		t.Errorf("before: %s", out)
	}

	screen, typed := terminal(t)
	cmd := k.Command(t.Context(), t, script, "mcp", "login", "--no-browser", "readback")
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = typed, typed, typed
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, cmd.Start())
	must(t, typed.Close())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	address := ""
	for until := time.Now().Add(patience); address == ""; {
		address = regexp.MustCompile(regexp.QuoteMeta(s.public) + `/oauth/authorize\?[!-~]+`).FindString(screen())
		if address == "" && time.Now().After(until) {
			t.Fatalf("it gives no address: %q", screen())
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v: %q", err, screen())
		case <-time.After(20 * time.Millisecond):
		}
	}
	u, err := url.Parse(address)
	if err != nil || u.Query().Get("client_id") != claudes || u.Query().Get("resource") != s.public+"/mcp" || u.Query().Get("code_challenge_method") != "S256" {
		t.Errorf("%v: %s", err, address)
	}
	came := s.came()
	for _, want := range []string{"POST /mcp", "GET /.well-known/oauth-protected-resource/mcp", "GET /.well-known/oauth-authorization-server"} {
		if !slices.Contains(came, want) {
			t.Errorf("no %s: %q", want, came)
		}
	}
	b.agrees(address, false, "It is let in by way of", "localhost", "It calls itself “Claude Code", "claude.ai")
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%v: %q", err, screen())
		}
	case <-time.After(patience):
		t.Fatalf("it waits: %q\nthe browser: %s", screen(), b.text())
	}
	if out := claude("mcp", "get", "readback"); !strings.Contains(out, "Connected") {
		t.Errorf("let in: %s", out)
	}
	b.visit(s.public + "/clients")
	b.says("Claude Code")
	b.press("form[action='/clients/revoke'] button")
	b.write("#passphrase", program.Passphrase)
	b.press("main form.card > button")
	b.says("by you")
	if out := claude("mcp", "get", "readback"); strings.Contains(out, "Connected") {
		t.Errorf("after the end: %s", out)
	}
}

// terminal gives what stands on a new terminal, which is wide, and the end of it that a program has.
func terminal(t *testing.T) (screen func() string, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { _ = ours.Close() })
	must(t, unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0))
	must(t, unix.IoctlSetWinsize(int(ours.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 2000}))
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	must(t, err)
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(t, err)
	seen := &lines{}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := ours.Read(buf)
			_, _ = seen.Write(buf[:n])
			if err != nil { // the last holder of the other end is gone
				return
			}
		}
	}()
	return seen.String, theirs
}
