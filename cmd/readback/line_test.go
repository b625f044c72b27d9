package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"readback/test/testbed"
)

// lineHome is a home whose configuration names a real Asterisk and a real ntfy. toml comes before that.
func lineHome(t *testing.T, b *testbed.Bed, toml string, environ ...string) *home {
	t.Helper()
	h := newHome(t, environ...)
	if err := os.MkdirAll(filepath.Join(h.dir, ".config/readback"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, h.config("ari"), b.Password+"\n")
	write(t, h.config("token"), b.NtfyToken+"\n")
	toml += noWait
	if b.Asterisk != nil {
		toml += fmt.Sprintf("[asterisk]\nurl = %q\npassword_file = \"ari\"\nca_file = %q\nnumber = \"+15145550100\"\nserver = %q\n", b.ARI, b.CAFile, b.Trunk)
	}
	if b.Ntfy != nil {
		toml += fmt.Sprintf("[ntfy]\nurl = %q\ntopic = \"texts\"\ntoken_file = \"token\"\n", b.NtfyURL)
	}
	write(t, h.config("readback.toml"), toml)
	return h
}

// config is the path of a file beside the configuration.
func (h *home) config(name string) string { return filepath.Join(h.dir, ".config/readback", name) }

// get gives the status and the body of one of the server's pages.
func (s *server) get(path string) (int, string) {
	s.h.t.Helper()
	req, err := http.NewRequestWithContext(s.h.t.Context(), http.MethodGet, "http://"+s.address+path, http.NoBody)
	if err != nil {
		s.h.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.h.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.h.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// health gives what /healthz says: the status, and each part.
func (s *server) health() (status string, parts map[string]string) {
	s.h.t.Helper()
	code, body := s.get("/healthz")
	var got struct {
		Status string
		Parts  map[string]string
	}
	if err := json.Unmarshal([]byte(body), &got); code != http.StatusOK || err != nil {
		s.h.t.Fatalf("healthz: %d %s %v", code, body, err)
	}
	return got.Status, got.Parts
}

// stands waits until a part is said to stand so.
func (s *server) stands(part, how string) {
	s.h.t.Helper()
	last := ""
	defer func() {
		if s.h.t.Failed() {
			s.h.t.Logf("%s is %s", part, last)
		}
	}()
	until(s.h.t, part+" is "+how, func() bool {
		_, parts := s.health()
		last = parts[part]
		return last == how
	})
}

const marieWrites = "+15145550101"

func TestALineAndABridgeRunAndNeitherTakesTheOtherDown(t *testing.T) {
	b := testbed.Start(t, testbed.Config{})
	owner := testbed.NewSubscriber(t, b, "texts", nil)
	h := lineHome(t, b, "")
	h.ok("contacts", "add", "Marie Tremblay", "514-555-0101")
	s := h.serve()
	for _, want := range []string{"texts come in by Asterisk at " + b.ARI, "by ntfy at " + b.NtfyURL} {
		if !strings.Contains(h.heard(), want) {
			t.Errorf("the greeting lacks %q:\n%s", want, h.heard())
		}
	}
	if strings.Contains(h.heard(), "For now") {
		t.Errorf("trouble is said of what is well:\n%s", h.heard())
	}
	s.stands("line", "ok")
	phone := testbed.NewPhone(t, netip.AddrPortFrom(b.SIP.Addr(), 0), nil)
	text := func(body string) {
		t.Helper()
		if status, err := phone.Text(t.Context(), b.SIP, testbed.SIPText{From: marieWrites, Body: body}); status != http.StatusAccepted || err != nil {
			t.Fatal(status, err)
		}
	}
	told := func(body string) func() bool {
		return func() bool {
			for _, n := range owner.Got() {
				if strings.Contains(n.Message, body) {
					// SIP without TLS says nothing of who wrote.
					if strings.Contains(n.Title, "Marie") || !strings.Contains(n.Title, marieWrites) {
						t.Errorf("told of as %q", n.Title)
					}
					return true
				}
			}
			return false
		}
	}
	text("one by Asterisk")
	until(t, "the notification", told("one by Asterisk"))
	if got := s.call("read_texts", map[string]any{"strangers": true}); !strings.Contains(got, "one by Asterisk") {
		t.Errorf("read_texts: %s", got)
	}
	if status, parts := s.health(); status != "ok" || fmt.Sprint(parts) != "map[bridge:ok calls:ok carrier:ok desk:ok line:ok owner:ok sweep:ok voicemail:ok web:ok]" {
		t.Errorf("%s %v", status, parts)
	}
	if out := h.ok("doctor"); !strings.Contains(out, "Asterisk line") || !strings.Contains(out, "All is well") {
		t.Errorf("doctor: %s", out)
	}
	if code, metrics := s.get("/metrics"); code != http.StatusOK || !strings.Contains(metrics, "readback_texts_received_total{carrier=\"sipmsg\"} 1\n") ||
		!strings.Contains(metrics, "readback_notifications_total{kind=\"text\"} 1\n") || strings.Contains(metrics, "5145550101") {
		t.Errorf("metrics: %d\n%s", code, metrics)
	}

	b.Ntfy.Kill()
	text("two while ntfy is gone")
	s.stands("bridge", "ntfy_unreachable")
	s.stands("line", "ok")
	if got := s.call("read_texts", map[string]any{"strangers": true}); !strings.Contains(got, "two while ntfy is gone") {
		t.Errorf("read_texts without ntfy: %s", got)
	}
	b.Ntfy.Restart()
	until(t, "what waited is told", told("two while ntfy is gone"))
	s.stands("bridge", "ok")

	b.Asterisk.Kill()
	s.stands("line", "ari_unreachable")
	if got := s.call("send_text", map[string]any{"to": "Marie Tremblay", "body": "Still here."}); !strings.Contains(got, "owner's yes") {
		t.Errorf("send_text without Asterisk: %s", got)
	}
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, "FAIL  Asterisk line") || !strings.Contains(out, "since ") || !strings.Contains(out, "Asterisk does not answer") {
		t.Errorf("doctor: exit %d\n%s", code, out)
	}
	b.Asterisk.Restart()
	s.stands("line", "ok")
	text("three")
	until(t, "the third is told", told("three"))
	if n := len(owner.Got()); n != 3 {
		t.Errorf("%d notifications of three texts", n)
	}
	if took := s.stop(syscall.SIGTERM); took > 2*time.Second || s.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("SIGTERM: %v, exit %d: %s", took, s.cmd.ProcessState.ExitCode(), s.log.String())
	}
	for _, private := range []string{"5145550101", "Marie", "by Asterisk", b.Password, b.NtfyToken} {
		if strings.Contains(s.log.String(), private) {
			t.Errorf("the log shows %q:\n%s", private, s.log.String())
		}
	}
}

// TestServeStartsWithoutAsteriskAndNtfy: who cannot be reached at the start is told of, in the owner's language, and had as soon as it is there.
func TestServeStartsWithoutAsteriskAndNtfy(t *testing.T) {
	b := testbed.Start(t, testbed.Config{})
	b.Asterisk.Kill()
	b.Ntfy.Kill()
	for l, want := range map[string][]string{
		"en": {"For now: Asterisk does not answer", "For now: ntfy does not answer", "Readback goes on trying."},
		"fr": {"Pour l'instant\u00a0: Asterisk ne répond pas", "Pour l'instant\u00a0: ntfy ne répond pas", "Readback continue d'essayer."},
	} {
		h := lineHome(t, b, "language = \""+l+"\"\n")
		s := h.serve()
		words := strings.Join(strings.Fields(strings.ReplaceAll(h.heard(), "\u00a0", "·")), " ")
		for _, w := range want {
			if !strings.Contains(words, strings.ReplaceAll(w, "\u00a0", "·")) {
				t.Errorf("no %q in\n%s", w, h.heard())
			}
		}
		if status, parts := s.health(); status != "degraded" || parts["web"] != "ok" {
			t.Errorf("%s %v", status, parts)
		}
		s.stands("bridge", "ntfy_unreachable")
		out, _, code := h.run("doctor")
		for _, word := range []string{"Asterisk", "ntfy", "notifications"} {
			if row := regexp.MustCompile("(?m)^(FAIL|ÉCHEC) .*" + word).FindString(out); code != 1 || row == "" {
				t.Errorf("doctor: exit %d, no %s fails in\n%s", code, word, out)
			}
		}
		if took := s.stop(syscall.SIGTERM); took > 2*time.Second {
			t.Errorf("SIGTERM took %v", took)
		}
	}
	h := lineHome(t, b, "")
	s := h.serve()
	b.Asterisk.Restart()
	b.Ntfy.Restart()
	s.stands("line", "ok")
	s.stands("bridge", "ok")
}

// TestAWrongARIPasswordIsNoEnd: it is said, all else runs, and the right one is taken without a restart.
func TestAWrongARIPasswordIsNoEnd(t *testing.T) {
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	h := lineHome(t, b, "[phone]\nanswer = true\n")
	write(t, h.config("ari"), "wrong\n")
	s := h.serve()
	if !strings.Contains(strings.Join(strings.Fields(h.heard()), " "), "Phone takes messages; for your own calls set phone.owners") {
		t.Errorf("the greeting: %s", h.heard())
	}
	if !strings.Contains(strings.Join(strings.Fields(h.heard()), " "), "Asterisk does not accept the ARI user and password") {
		t.Errorf("the greeting: %s", h.heard())
	}
	s.stands("line", "ari_unauthorized")
	if status, parts := s.health(); status != "degraded" || parts["carrier"] != "ok" || parts["bridge"] != "" {
		t.Errorf("%s %v", status, parts)
	}
	if got := s.call("read_texts", nil); !strings.Contains(got, "0 texts") {
		t.Errorf("read_texts: %s", got)
	}
	write(t, h.config("ari"), b.Password+"\n")
	s.stands("line", "ok")
	if strings.Contains(h.heard()+s.log.String(), b.Password) {
		t.Error("the password was printed")
	}
}

// TestServeRefusesWhatMustNotBe: a topic that anyone can read, secrets that cannot be read, and a file of certificates without one.
func TestServeRefusesWhatMustNotBe(t *testing.T) {
	b := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: []string{`auth-access: ["everyone:texts:read-only"]`}})
	h := lineHome(t, b, "")
	serve := []string{"serve", "--listen", "127.0.0.1:0"}
	h.refused("ntfy.anyone_can_read = true", serve...)
	french := lineHome(t, b, "language = \"fr\"\n")
	french.refused("quiconque connaît le nom de votre sujet ntfy pourrait y lire vos textos", serve...)
	b2, err := os.ReadFile(h.config("readback.toml"))
	if err != nil {
		t.Fatal(err)
	}
	toml := string(b2)
	write(t, h.config("readback.toml"), toml+"anyone_can_read = true\n")
	s := h.serve()
	if _, parts := s.health(); parts["bridge"] != "ok" {
		t.Errorf("%v", parts)
	}
	s.stop(syscall.SIGTERM)

	if err := os.Remove(h.config("token")); err != nil {
		t.Fatal(err)
	}
	h.refused("the file that ntfy.token_file names cannot be read: there is no such file", serve...)
	write(t, h.config("token"), b.NtfyToken+"\n")
	write(t, h.config("readback.toml"), toml+"ca_file = \"token\"\n")
	h.refused("the file that ntfy.ca_file names holds no certificate", serve...)
	write(t, h.config("readback.toml"), "[asterisk]\nurl = \"https://127.0.0.1:1/ari\"\npassword_file = \"nothing\"\n")
	h.refused("the file that asterisk.password_file names cannot be read", serve...)
	if out := h.ok("contacts", "add", "Marie", "514-555-0101"); !strings.Contains(out, "Added Marie") { // the owner's commands need no Asterisk
		t.Error(out)
	}
	if strings.Contains(h.heard(), b.NtfyToken) {
		t.Error("the token was printed")
	}
}

// TestTextsLeaveByAsterisk: with Asterisk as the carrier a text goes out by the trunk, after the owner's passphrase is set, and is never called delivered.
func TestTextsLeaveByAsterisk(t *testing.T) {
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	provider := testbed.NewProvider(t, b, b.CAFile, b.KeyFile)
	provider.Registered(t.Context())
	h := lineHome(t, b, "[carrier]\nkind = \"sipmsg\"\n")
	h.refused("set one with readback passphrase", "serve", "--listen", "127.0.0.1:0")
	h.setPassphrase()
	h.add("Marie", "514-555-0101")
	s := h.serve()
	if !strings.Contains(h.heard(), "Texts go to real people") {
		t.Errorf("the greeting: %s", h.heard())
	}
	got := s.call("send_text", map[string]any{"to": "Marie", "body": "On my way."})
	select {
	case m := <-provider.Texts:
		if m.Body != "On my way." || m.To != marieWrites || m.From == "" {
			t.Errorf("%+v", m)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("nothing reached the provider; the model heard %s", got)
	}
	if strings.Contains(strings.ToLower(got), "delivered") {
		t.Errorf("the model hears %q", got)
	}
	if out := h.ok("doctor"); !strings.Contains(out, "sipmsg takes the credentials") || !strings.Contains(out, "Asterisk line") {
		t.Errorf("doctor: %s", out)
	}
	if took := s.stop(syscall.SIGTERM); took > 2*time.Second {
		t.Errorf("SIGTERM took %v", took)
	}
}
