package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"readback/voip/voipms/voipmstest"
)

const apiPassword = "correct-horse-battery"

// realCarrier gives a home that is configured for voip.ms, and the voip.ms that answers it.
func realCarrier(t *testing.T) (*home, *voipmstest.Server) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	api := voipmstest.New(voipmstest.Account{Username: "owner@example.com", Password: apiPassword, DID: "4185550199", Zone: zone, Now: time.Now})
	web := httptest.NewServer(api)
	t.Cleanup(func() { api.Close(); web.Close() })
	h := newHome(t)
	write(t, filepath.Join(h.dir, "password"), apiPassword+"\n")
	if err := os.MkdirAll(filepath.Join(h.dir, ".config/readback"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(h.dir, ".config/readback/readback.toml"), noWait+`[carrier]
kind = "voipms"
[voipms]
username = "owner@example.com"
password_file = "../../password"
did = "+14185550199"
url = "`+web.URL+voipmstest.Path+`"
`)
	return h, api
}

// add adds a contact of a home that has a passphrase.
func (h *home) add(name, number string) {
	h.t.Helper()
	if screen, code := h.onTerminal([]string{passphrase}, "contacts", "add", name, number); code != 0 {
		h.t.Fatalf("%q", screen)
	}
}

func TestARealCarrierNeedsAPassphrase(t *testing.T) {
	h, _ := realCarrier(t)
	h.refused("set one with readback passphrase", "serve", "--listen", "127.0.0.1:0")
	h.refused("needs a passphrase", "contacts", "add", "Marie", "418-555-0123")
	h.refused("needs a passphrase", "thaw")
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, "FAIL  passphrase") || !strings.Contains(out, "ok    carrier") {
		t.Errorf("doctor: %d\n%s", code, out)
	}
	h.setPassphrase()
	s := h.serve()
	if !strings.Contains(h.heard(), "Texts go to real people") {
		t.Errorf("the greeting: %s", h.heard())
	}
	h.refused("real carrier", "sandbox", "receive", "--from", "+14185550123", "hello")
	s.stop(syscall.SIGTERM)
	write(t, filepath.Join(h.dir, "password"), "wrong")
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, "FAIL  carrier") {
		t.Errorf("doctor with a wrong password: %d\n%s", code, out)
	}
	if err := os.Remove(filepath.Join(h.dir, "password")); err != nil {
		t.Fatal(err)
	}
	h.refused("password_file names cannot be read", "serve", "--listen", "127.0.0.1:0")
	if strings.Contains(h.heard()+s.log.String(), apiPassword) {
		t.Error("the API password was printed")
	}
}

func TestInvariant14ApproveSendsWhatTheScreenShowed(t *testing.T) {
	h, api := realCarrier(t)
	h.setPassphrase()
	h.add("Marie", "418-555-0123")
	config := filepath.Join(h.dir, ".config/readback/readback.toml")
	b, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	write(t, config, string(b)+"[guard]\nconfirm = \"always\"\n")
	s := h.serve()
	s.call("send_text", map[string]any{"to": "Marie", "body": "See you at 6."})
	var id string
	for _, word := range strings.Fields(h.ok("pending")) {
		if len(word) == 10 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz234567") == "" {
			id = word
		}
	}
	h.refused("terminal", "approve", id)
	if n := api.Calls("sendSMS"); n != 0 {
		t.Fatalf("%d sends without a yes", n)
	}
	screen, code := h.onTerminal([]string{passphrase}, "approve", id)
	if code != 0 || !strings.Contains(screen, "│ See you at 6.") || !strings.Contains(screen, "+14185550123") || !strings.Contains(screen, "Sent to Marie") {
		t.Errorf("%d %q", code, screen)
	}
	if strings.Index(screen, "See you at 6.") > strings.Index(screen, "Passphrase") {
		t.Errorf("the passphrase is asked before the text is shown: %q", screen)
	}
	if n := api.Calls("sendSMS"); n != 1 {
		t.Errorf("%d sends after one yes", n)
	}
	s.sends(t, "sent command_line always_ask")
}

// inFlight starts a send that voip.ms never answers, and waits until it is on its way.
func inFlight(t *testing.T, s *server, api *voipmstest.Server) (answer chan string) {
	t.Helper()
	api.Fail("sendSMS", voipmstest.Fault{Hang: true})
	answer = make(chan string, 1)
	model, before := s.model(), api.Calls("sendSMS")
	go func() {
		got, err := model.Call(t.Context(), "send_text", map[string]any{"to": "Marie", "body": "In flight."})
		if err != nil {
			got = "error: " + err.Error()
		}
		answer <- got
	}()
	until(t, "the send is in flight", func() bool { return api.Calls("sendSMS") > before })
	return answer
}

func TestInvariant07SIGTERMUnderASendLosesNothing(t *testing.T) {
	h, api := realCarrier(t)
	h.setPassphrase()
	h.add("Marie", "418-555-0123")
	s := h.serve()
	answer := inFlight(t, s, api)
	if took := s.stop(syscall.SIGTERM); took > 2*time.Second || s.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("%v, exit %d: %s", took, s.cmd.ProcessState.ExitCode(), s.log.String())
	}
	if got := <-answer; !strings.Contains(got, "may or may not have gone") {
		t.Errorf("the model hears %q", got)
	}
	s.sends(t, "unknown  cancelled")
	if n := api.Calls("sendSMS"); n != 1 {
		t.Errorf("%d sends", n)
	}
}

func TestInvariant07KillUnderASendLosesNothing(t *testing.T) {
	h, api := realCarrier(t)
	h.setPassphrase()
	h.add("Marie", "418-555-0123")
	s := h.serve()
	inFlight(t, s, api)
	s.stop(syscall.SIGKILL)
	s = h.serve() // the socket and the address file of the dead server are in its way
	if !strings.Contains(s.log.String(), "cut short") {
		t.Errorf("the log does not tell: %s", s.log.String())
	}
	s.sends(t, "unknown  interrupted")
	if got := s.call("send_text", map[string]any{"to": "Marie", "body": "In flight."}); !strings.Contains(got, "may already have gone") {
		t.Errorf("the same again: %s", got)
	}
	if n := api.Calls("sendSMS"); n != 1 {
		t.Errorf("%d sends", n)
	}
}
