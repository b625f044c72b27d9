package checkup_test

import (
	"strings"
	"testing"

	"readback/cmd/readback/checkup"
	"readback/smsmcp/lang/finding"
	"readback/smsmcp/ntfy"
	"readback/test/testbed"
)

// TestNtfy: one that is well, a token that is not known, a topic that was opened, and one that does not answer.
func TestNtfy(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: []string{"auth-access:", "  - \"everyone:open:read-only\"", "  - \"everyone:drop:write-only\""}})
	token := b.NtfyToken
	o := checkup.Options{Ntfy: &ntfy.Config{URL: b.NtfyURL, Topic: "texts", Token: func() (string, error) { return token, nil }}}
	look := func(s checkup.Status, words string) {
		t.Helper()
		found := checkup.Ntfy(t.Context(), o)
		want(t, found, finding.Ntfy, s, words)
		if len(found) != 1 || strings.Contains(rows(found), token) {
			t.Error(rows(found))
		}
	}
	look(checkup.OK, "the topic texts to nobody")
	o.AnyoneCanRead = true
	look(checkup.OK, "the topic texts to nobody")

	o.Ntfy.Topic = "open"
	look(checkup.Warn, "anyone_can_read")
	o.AnyoneCanRead = false
	look(checkup.Fail, "can read it")
	o.Ntfy.Topic = "drop"
	look(checkup.Warn, "topic drop can write there")

	o.Ntfy.Topic = "texts"
	for topic, c := range map[string]struct {
		status checkup.Status
		words  string
	}{"asks": {checkup.OK, "the topic asks is read and written by nobody"}, "open": {checkup.Fail, "can read it"}, "drop": {checkup.Fail, "can write to it"}} {
		o.Approvals = &ntfy.Config{URL: b.NtfyURL, Topic: topic, Token: func() (string, error) { return b.NtfyWriter, nil }, AnyoneMayRead: true}
		found := checkup.Ntfy(t.Context(), o)
		want(t, found, finding.Approvals, c.status, c.words)
		if len(found) != 2 || strings.Contains(rows(found), token) {
			t.Error(rows(found))
		}
	}
	o.Approvals = &ntfy.Config{URL: b.NtfyURL, Topic: "asks", Token: o.Ntfy.Token}
	want(t, checkup.Ntfy(t.Context(), o), finding.Approvals, checkup.Warn, "can read the topic asks")
	o.Approvals = nil

	token = "tk_" + strings.Repeat("x", 29)
	o.Ntfy.Topic = "texts"
	look(checkup.Fail, "does not accept the token")
	o.Ntfy.Topic, o.AnyoneCanRead = "open", true
	look(checkup.Fail, "does not accept the token")

	b.Ntfy.Kill()
	look(checkup.Fail, "does not answer")
}
