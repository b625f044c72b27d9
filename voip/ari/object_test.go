package ari_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"readback/test/testbed"
	"readback/voip/ari"
)

func TestObject(t *testing.T) {
	f := newFake(t)
	f.rest = func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/trunk-tls") {
			http.Error(w, "nothing", http.StatusNotFound)
			return
		}
		fmt.Fprint(w, `[{"attribute":"protocol","value":"tls"},{"attribute":"verify_server","value":"Yes"},{"attribute":7,"value":"x"},{"brand":"new"}]`)
	}
	c := f.client(t)
	got, err := c.Object(t.Context(), "transport", "trunk-tls")
	if err != nil || got["protocol"] != "tls" || got["verify_server"] != "Yes" {
		t.Errorf("%v %v", got, err)
	}
	if f.asked[0] != "GET /ari/asterisk/config/dynamic/res_pjsip/transport/trunk-tls" {
		t.Error(f.asked)
	}
	if got, err := c.Object(t.Context(), "transport", "0.0.0.0-udp"); got != nil || code(err) != ari.CodeNotFound {
		t.Errorf("%v %v", got, err)
	}
	f.asked = nil
	for _, name := range [][2]string{
		{"auth", "voipms"}, {"Auth/../auth", "x"}, {"", "x"}, {"transport", ""}, {"transport", "."}, {"transport", ".."}, {"transport", "..."}, {"transport", "a/b"}, {"transport", "a%2fb"},
		{"transport", "a?b"}, {"transport", "a b"}, {"transport", "é"}, {"transport", "a\r\nb"}, {"transport", strings.Repeat("a", 65)}, {"../applications", "x"},
	} {
		var e *ari.Error
		if _, err := c.Object(t.Context(), name[0], name[1]); !errors.As(err, &e) || e.Code() != ari.CodeBadValue || e.Left() {
			t.Errorf("%q: %v", name, err)
		}
	}
	if len(f.asked) != 0 {
		t.Errorf("it was asked for %q", f.asked)
	}
	for _, answer := range []string{`{"attribute":"protocol"}`, `"x"`, `7`} { // of another form: nothing is known of it
		f.rest = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }
		if got, err := c.Object(t.Context(), "transport", "trunk-tls"); err != nil || len(got) != 0 {
			t.Errorf("%s: %v %v", answer, got, err)
		}
	}
}

// TestWhatAsteriskHoldsOfTheTrunk: the owner's configuration, as the real Asterisk has read it.
func TestWhatAsteriskHoldsOfTheTrunk(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true, Asterisk: map[string]string{
		"pjsip.conf": "[wide]\ntype = identify\nendpoint = voipms\nmatch = 10.0.0.0/8\nmatch = !10.1.0.0/16\nmatch = ::/0\n",
	}})
	c := client(t, b)
	for _, want := range []struct{ kind, id, name, value string }{
		{"endpoint", "voipms", "transport", "trunk-tls"}, {"endpoint", "voipms", "identify_by", "ip"}, {"transport", "trunk-tls", "protocol", "tls"},
		{"transport", "trunk-tls", "verify_server", "Yes"}, {"transport", "trunk-tls", "method", "tlsv1_2"}, {"transport", "test-udp", "protocol", "udp"},
	} {
		if got, err := c.Object(t.Context(), want.kind, want.id); err != nil || got[want.name] != want.value {
			t.Errorf("%+v: %q %v", want, got[want.name], err)
		}
	}
	wide, err := c.Object(t.Context(), "identify", "wide")
	if err != nil || wide["match"] != "10.0.0.0/255.0.0.0,!10.1.0.0/255.255.0.0,::/::" || wide["endpoint"] != "voipms" {
		t.Errorf("an attribute that it has more than once: %q %v", wide, err)
	}
	for _, id := range []string{"nobody", "0.0.0.0-udp"} {
		if got, err := c.Object(t.Context(), "transport", id); got != nil || code(err) != ari.CodeNotFound {
			t.Errorf("%s: %v %v", id, got, err)
		}
	}
}
