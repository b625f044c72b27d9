package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"readback/cmd/readback/machine"
)

func TestServeAsANewcomerDoes(t *testing.T) {
	h := newHome(t).hurried() // but for the wait
	s := h.serve()
	greeting := h.heard()
	for _, want := range []string{
		"http://" + s.address + "/mcp", filepath.Join(h.data, "token"), "\n  claude mcp add readback -- " + built + " mcp\n", "Authorization: Bearer", `"mcpServers"`, `"args":["mcp"]`,
		"contacts add", "sandbox receive", "no text leaves this machine",
	} {
		if !strings.Contains(greeting, want) {
			t.Errorf("the greeting lacks %q:\n%s", want, greeting)
		}
	}
	if strings.Contains(greeting, s.token()) || strings.Contains(greeting, "$(cat") {
		t.Error("the greeting shows the token, or has a shell put it into a process list")
	}
	for name, mode := range map[string]os.FileMode{"": 0o700, machine.TokenFile: 0o600, machine.StoreFile: 0o600, machine.LockFile: 0o600, machine.AddressFile: 0o600, "owner.sock": 0o600, machine.SandboxFile: 0o600} {
		info, err := os.Stat(filepath.Join(h.data, name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if got := s.status("GET", "/healthz", "", nil); got != 200 {
		t.Errorf("healthz: %d", got)
	}
	if got := s.status("POST", "/mcp", "wrong", strings.NewReader("{}")); got != 401 {
		t.Errorf("a wrong token: %d", got)
	}

	h.ok("contacts", "add", "Marie Tremblay", "418", "555", "0123", "--alias", "Marie")
	h.ok("sandbox", "receive", "--from", "+14185550123", "Are we still on for tonight?")
	if got := s.call("read_texts", nil); !strings.Contains(got, "Are we still on for tonight?") || !strings.Contains(got, "Marie Tremblay") {
		t.Errorf("read_texts: %s", got)
	}
	if got := s.call("send_text", map[string]any{"to": "marie", "body": "Yes, at 6."}); !strings.Contains(got, "Sent to Marie Tremblay") {
		t.Errorf("send_text: %s", got)
	}
	h.ok("sandbox", "receive", "--from", "BANK", "--at", "00:01", "Your code is 123456.")
	s.call("read_texts", map[string]any{"strangers": true})
	got := s.call("send_text", map[string]any{"to": "Marie", "body": "See\nyou."})
	id := regexp.MustCompile(`[a-z2-7]{10}`).FindString(got[strings.Index(got, "(send "):])
	pending := h.ok("pending")
	for _, want := range []string{"1 text waits", id, "to Marie Tremblay, +14185550123", "  │ See\n  │ you.\n", "1 segment (SMS)", "asked by first", "it waits until", "A stranger's words were shown"} {
		if !strings.Contains(pending, want) {
			t.Errorf("pending lacks %q:\n%s", want, pending)
		}
	}
	if out := h.ok("approve", strings.ToUpper(id)); !strings.Contains(out, "Sent to Marie Tremblay, +14185550123.") || !strings.Contains(out, "│ See") {
		t.Errorf("approve: %s", out)
	}
	if out, _, code := h.run("approve", id); code != 1 || !strings.Contains(out, "had gone to Marie Tremblay, +14185550123 already: nothing happened now") {
		t.Errorf("approve twice: %d %s", code, out)
	}
	if out, _, code := h.run("deny", id); code != 1 || !strings.Contains(out, "had gone") {
		t.Errorf("deny what has gone: %d %s", code, out)
	}
	got = s.call("send_text", map[string]any{"to": "Marie", "body": "Another one."})
	id = regexp.MustCompile(`[a-z2-7]{10}`).FindString(got[strings.Index(got, "(send "):])
	if out := h.ok("deny", id); !strings.Contains(out, "not sent") {
		t.Errorf("deny: %s", out)
	}
	if out := h.ok("deny", id); !strings.Contains(out, "over already (you said no): nothing was sent and nothing changed now") {
		t.Errorf("deny twice: %s", out)
	}
	if out, _, code := h.run("approve", id); code != 1 || !strings.Contains(out, "over already (you said no)") {
		t.Errorf("approve what was denied: %d %s", code, out)
	}
	h.refused("no send has that number", "approve", "aaaaaaaaaa")
	s.sends(t, "declined command_line? hold", "sent command_line hold", "sent  ")

	h.ok("freeze")
	if got := s.call("send_text", map[string]any{"to": "Marie", "body": "Frozen?"}); !strings.Contains(got, "frozen") {
		t.Errorf("frozen: %s", got)
	}
	if !strings.Contains(h.ok("pending"), "frozen") {
		t.Error("pending does not say that sends are frozen")
	}
	h.ok("thaw")

	fresh := strings.TrimSpace(h.ok("token", "new", "laptop"))
	if got := s.status("POST", "/mcp", fresh, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)); got != 200 {
		t.Errorf("the new token: %d", got)
	}
	h.refused("already", "token", "new", "laptop")
	h.ok("token", "revoke", "laptop")
	if got := s.status("POST", "/mcp", fresh, strings.NewReader("{}")); got != 401 {
		t.Errorf("the revoked token: %d", got)
	}
	if took := s.stop(syscall.SIGTERM); took > 2*time.Second {
		t.Errorf("SIGTERM took %v", took)
	}
	if s.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("exit %d: %s", s.cmd.ProcessState.ExitCode(), s.log.String())
	}
	if _, err := os.Stat(filepath.Join(h.data, machine.AddressFile)); err == nil {
		t.Error("the address file is still there")
	}
	for _, private := range []string{"tonight", "Yes, at 6", "123456", "4185550123", "Marie", s.token(), fresh} {
		if strings.Contains(s.log.String(), private) {
			t.Errorf("the log shows %q:\n%s", private, s.log.String())
		}
	}
	// The same commands without a server, on the same folder.
	if !strings.Contains(h.ok("contacts", "list"), "Marie Tremblay") {
		t.Error("contacts list without a server")
	}
	again := h.serve()
	if again.token() != s.token() {
		t.Error("a second start made another token")
	}
}

// sends compares sends --json, newest first, with lines of outcome, confirmed_by and reasons ("?": whatever it is).
func (s *server) sends(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(s.h.ok("sends", "--json")), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, key := range []string{"id", "time", "contact", "outcome", "reasons", "confirmed_by", "answer"} {
			if _, ok := m[key]; !ok {
				t.Errorf("%s lacks %s", line, key)
			}
		}
		if len(m) != 7 {
			t.Errorf("%s has %d keys", line, len(m))
		}
		if _, err := time.Parse(time.RFC3339, fmt.Sprint(m["time"])); err != nil {
			t.Errorf("time: %v", err)
		}
		var reasons []string
		for _, r := range m["reasons"].([]any) {
			reasons = append(reasons, r.(string))
		}
		got = append(got, fmt.Sprintf("%s %s %s", m["outcome"], m["confirmed_by"], strings.Join(reasons, ",")))
	}
	for i, w := range want {
		pattern := "^" + strings.ReplaceAll(w, "command_line?", "(command_line)?") + "($|,)"
		if i >= len(got) || !regexp.MustCompile(pattern).MatchString(got[i]) {
			t.Errorf("send %d: %q, want %q", i, got, w)
		}
	}
}

func TestServeSaysWhatIsWrong(t *testing.T) {
	h := newHome(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	h.refused("another program listens on "+taken.Addr().String(), "serve", "--listen", taken.Addr().String())
	h.refused("cannot listen on", "serve", "--listen", "127.0.0.1:99999")
	file := filepath.Join(h.dir, "file")
	write(t, file, "")
	h.refused("a part of its path is no folder", "serve", "--data", filepath.Join(file, "data"))
	open := filepath.Join(h.dir, "open")
	if err := os.MkdirAll(filepath.Join(open, "something"), 0o755); err != nil {
		t.Fatal(err)
	}
	h.refused("other users can look into", "serve", "--data", open)
	long := filepath.Join(h.dir, strings.Repeat("x", 100))
	h.refused("path is too long", "serve", "--listen", "127.0.0.1:0", "--data", long)
	config := filepath.Join(h.dir, "c.toml")
	write(t, config, "[guard]\nper_hour = 0\n")
	h.refused("c.toml, line 2: guard.per_hour is 0", "serve", "--config", config)
	h.refused("c.toml, line 2: guard.per_hour is 0", "pending", "--config", config)
	h.refused("nowhere.toml cannot be read", "serve", "--config", "/nowhere.toml")
	if out := h.ok("serve", "--help", "--config", config); !strings.Contains(out, "Usage:") {
		t.Errorf("help with a bad configuration: %s", out)
	}
	s := h.serve()
	h.refused("another Readback holds the data folder", "serve", "--listen", "127.0.0.1:0")
	s.stop(syscall.SIGTERM)

	// The store of a newer version: PRAGMA user_version stands at byte 60 of the file (sqlite.org/fileformat.html, 1.3).
	store := filepath.Join(h.data, machine.StoreFile)
	b, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	whole := string(b)
	b[60] = 0x7f
	write(t, store, string(b))
	h.refused("newer version", "serve", "--listen", "127.0.0.1:0")
	write(t, store, "this is no database, but it is long enough to look at "+strings.Repeat("x", 8192))
	h.refused("damaged", "serve", "--listen", "127.0.0.1:0")
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, "FAIL  store") {
		t.Errorf("doctor on a damaged store: %d\n%s", code, out)
	}
	write(t, store, whole)
	h.ok("sends")
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEnvironmentErrors(t *testing.T) {
	newHome(t, "READBACK_GUARD_CONFIRM=never").refused("READBACK_GUARD_CONFIRM cannot be set by the environment", "serve")
	newHome(t, "READBACK_VOIPMS_PASSWORD=hunter22").refused("READBACK_VOIPMS_PASSWORD_FILE", "serve")
	newHome(t, "READBACK_LANGAGE=fr").refused("no variable READBACK_LANGAGE", "serve")
	newHome(t, "READBACK_LANGUAGE=fr", "READBACK_GUARD_HOLD=0s").refused("vient du seul fichier", "serve")
}

func TestServeEndsOnEitherSignal(t *testing.T) {
	for _, sig := range interrupts {
		s := newHome(t).serve()
		if took := s.stop(sig); took > 2*time.Second || s.cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("%v: %v, exit %d", sig, took, s.cmd.ProcessState.ExitCode())
		}
	}
}

func TestBackupAndRestore(t *testing.T) {
	h := newHome(t).hurried()
	s := h.serve()
	h.ok("contacts", "add", "Marie", "418-555-0123")
	h.ok("sandbox", "receive", "--from", "+15145550145", "Hello from a stranger")
	s.call("read_texts", map[string]any{"strangers": true})
	s.call("send_text", map[string]any{"to": "Marie", "body": "Waiting."})
	copied := filepath.Join(h.dir, "copy.db")
	h.ok("backup", "copy.db") // relative to where the owner stands, not to the server
	h.refused("there already", "backup", copied)
	h.refused("no folder", "backup", filepath.Join(h.dir, "nowhere", "copy.db"))
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	s.stop(syscall.SIGTERM)
	for _, old := range []string{machine.StoreFile, machine.StoreFile + "-wal", machine.StoreFile + "-shm"} {
		_ = os.Remove(filepath.Join(h.data, old))
	}
	b, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(h.data, machine.StoreFile), string(b))
	s = h.serve()
	if pending := h.ok("pending"); !strings.Contains(pending, "Nothing waits") || !strings.Contains(pending, "a backup was restored") {
		t.Errorf("a restored store: %s", pending)
	}
	s.sends(t, "void  hold")
	// What went after the copy was made is counted nowhere: nothing goes until the owner says so.
	if got := s.call("send_text", map[string]any{"to": "Marie", "body": "After."}); !strings.Contains(got, "frozen") {
		t.Errorf("a send after a restore: %s", got)
	}
	_, greeting, _ := strings.Cut(h.heard(), "Copied to")
	if n := strings.Count(greeting, "readback thaw lifts that"); n != 2 { // in pending and in the greeting
		t.Errorf("said %d times:\n%s", n, greeting)
	}
	if out := h.ok("doctor"); !strings.Contains(out, "restored from a backup") || !strings.Contains(out, "readback thaw") {
		t.Errorf("doctor: %s", out)
	}
	h.ok("thaw")
	if pending := h.ok("pending"); strings.Contains(pending, "frozen") {
		t.Errorf("after the thaw: %s", pending)
	}
	if out := h.ok("doctor"); strings.Contains(out, "frozen") {
		t.Errorf("doctor after the thaw: %s", out)
	}
	if !strings.Contains(h.ok("contacts", "list"), "Marie") {
		t.Error("the contact is gone")
	}
}

func TestDemoIsAPleasureInBothLanguages(t *testing.T) {
	for environ, want := range map[string][]string{
		"READBACK_LANGUAGE=en": {"Three texts have arrived", "1 text from 1 sender not in your contacts", "+14385550166", "Sent to Marie Tremblay", "Refused", "waits for the owner's yes", "$ readback approve", "you said no", "Now for real"},
		"READBACK_LANGUAGE=fr": {"Trois textos sont arrivés", "+14385550166", "Envoyé à Marie Tremblay", "Refusé", "attend le oui du propriétaire", "$ readback approve", "vous avez dit non", "Maintenant pour de vrai"},
	} {
		h := newHome(t, environ, "TMPDIR="+t.TempDir())
		out := h.ok("demo")
		words := strings.Join(strings.Fields(out), " ") // paragraphs are wrapped
		for _, w := range want {
			if !strings.Contains(words, w) {
				t.Errorf("%s: no %q in\n%s", environ, w, out)
			}
		}
		if left, err := os.ReadDir(strings.TrimPrefix(h.environ[len(h.environ)-1], "TMPDIR=")); err != nil || len(left) != 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
		if _, err := os.Stat(h.data); err == nil {
			t.Error("the demonstration made a data folder")
		}
	}
}

func TestDemoCleansUpWhenNobodyReads(t *testing.T) {
	h := newHome(t, "TMPDIR="+t.TempDir())
	c := h.command("demo")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	_ = c.Run()
	if left, err := os.ReadDir(strings.TrimPrefix(h.environ[len(h.environ)-1], "TMPDIR=")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestDoctor(t *testing.T) {
	h := newHome(t)
	if out := h.ok("doctor"); !strings.Contains(out, "is not there yet") || !strings.Contains(out, "All is well") {
		t.Errorf("before anything: %s", out)
	}
	s := h.serve()
	if out := h.ok("doctor"); !strings.Contains(out, "answers at "+s.address) || !strings.Contains(out, "this machine alone") {
		t.Errorf("with a server: %s", out)
	}
	if err := os.Chmod(filepath.Join(h.data, machine.TokenFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, "chmod 600") {
		t.Errorf("an open token: %d %s", code, out)
	}
	if out, _, code := newHome(t, "READBACK_LANGAGE=x").run("doctor"); code != 1 || !strings.Contains(out, "FAIL  configuration") {
		t.Errorf("a bad configuration: %d %s", code, out)
	}
}
