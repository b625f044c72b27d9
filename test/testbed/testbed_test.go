package testbed_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"readback/test/testbed"
)

// expected are the lines that Asterisk logs on a bed and would not at an owner's: nobody plays the trunk's server here.
var expected = regexp.MustCompile(`Registration to|No response received from|temporal response|Unable to (create|send) .*REGISTER|Endpoint voipms is|Contact voipms/`)

// TestTheOwnersConfiguration loads deploy/asterisk in a real Asterisk.
func TestTheOwnersConfiguration(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	for _, line := range strings.Split(b.AsteriskLog(), "\n") {
		if (strings.Contains(line, "WARNING") || strings.Contains(line, "ERROR")) && !expected.MatchString(line) {
			t.Error(line)
		}
	}
	// The console does not tell this one.
	if src, err := os.ReadFile("../../deploy/asterisk/asterisk.conf"); err != nil || !strings.Contains(string(src), "\nlive_dangerously = no\n") {
		t.Errorf("live_dangerously: %v", err)
	}
	for _, m := range []string{
		"app_system", "app_exec", "app_externalivr", "app_record", "func_shell", "func_curl", "func_env", "func_db", "res_agi", "res_clioriginate", "res_pjsip_exten_state",
		"res_pjsip_endpoint_identifier_user", "res_pjsip_endpoint_identifier_anonymous", "res_pjsip_registrar", "res_pjsip_refer", "chan_iax2", "pbx_spool",
	} {
		if got := b.CLI("module show like " + m + ".so"); !strings.Contains(got, "0 modules loaded") {
			t.Errorf("%s is loaded:\n%s", m, got)
		}
	}
	for command, want := range map[string][]string{
		"core show settings":             {"Shell on remote consoles: +Disabled", "Maximum calls: +20", `Manager \(AMI\): +Disabled`},
		"dialplan show texts":            {"0 extensions"},
		"http show status":               {`HTTPS Server Enabled and Bound to 127\.0\.0\.1:`, `\n *Server Enabled and Bound to 127\.0\.0\.1:`},
		"pjsip show endpoint voipms":     {"identify_by +: ip\n", "trust_id_inbound +: false", "allow_transfer +: false", "media_encryption +: sdes", "Transport: +trunk-tls +tls"},
		"pjsip show transport trunk-tls": {"verify_server +: Yes", "method +: tlsv1_2"},
		"pjsip show settings":            {"endpoint_identifier_order +: ip\n"},
	} {
		got := b.CLI(command)
		for _, w := range want {
			if !regexp.MustCompile(w).MatchString(got) {
				t.Errorf("%s shows no %q:\n%s", command, w, got)
			}
		}
	}
	// Strict patterns: what is no DID reaches nothing, and what is one reaches Readback and nothing else.
	for extension, ok := range map[string]bool{
		"5145550100": true, "15145550100": true, "+15145550100": true,
		"s": false, "i": false, "h": false, "5145550100x": false, "0005550100": false, "+4915145550100": false, "$(id)": false, "51455501000": false,
	} {
		got := b.CLI("dialplan show " + extension + "@from-trunk")
		if strings.Contains(got, "Hangup(21)") != ok || strings.Contains(got, "Stasis(readback)") != ok {
			t.Errorf("%q: %s", extension, got)
		}
	}
}

// TestACallWithoutReadback is refused: nobody rings for ever, and nothing is left.
func TestACallWithoutReadback(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	phone := b.NewCaller(t)
	for _, to := range []string{"5145550100", "15145550100", "+15145550100", "0005550100"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := phone.Dial(ctx, testbed.Ring{To: to})
		cancel()
		var no testbed.Refused
		if !errors.As(err, &no) {
			t.Errorf("%s: %v", to, err)
		}
		t.Logf("%s: %v", to, err)
	}
	testbed.Until(t, time.Minute, "nothing is left", func() bool { return strings.TrimSpace(b.CLI("core show channels concise")) == "" })
}

func TestTwoBedsAtOnce(t *testing.T) {
	t.Parallel()
	one, two := testbed.Start(t, testbed.Config{}), testbed.Start(t, testbed.Config{})
	if one.ARI == two.ARI || one.NtfyURL == two.NtfyURL {
		t.Fatal("they share a port")
	}
	one.Asterisk.Kill()
	one.Ntfy.Kill()
	if resp, err := http.Get(one.NtfyURL + "/v1/health"); err == nil {
		resp.Body.Close()
		t.Error("a killed ntfy answers")
	}
	if got := two.CLI("core show uptime"); !strings.Contains(got, "System uptime") {
		t.Error(got)
	}
	one.Asterisk.Restart()
	one.Ntfy.Restart()
	req, _ := http.NewRequest(http.MethodGet, one.NtfyURL+"/v1/account", nil)
	req.Header.Set("Authorization", "Bearer "+one.NtfyToken)
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("after the restart: %v %v", resp, err)
	}
}
