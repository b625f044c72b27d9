package ari_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"readback/test/testbed"
	"readback/voip/ari"
)

// TestLivesDangerously asks a real Asterisk that evaluates every function for ARI, and one that does not.
func TestLivesDangerously(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"yes", "no"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			b := testbed.Start(t, testbed.Config{NoNtfy: true, Asterisk: map[string]string{
				"asterisk.conf": "[options](+)\nlive_dangerously = " + set + "\n", "modules.conf": "load = func_env.so\n",
			}})
			c := client(t, b)
			e := listen(t, c)
			e.until(t, "connected", func() bool { return e.connected == 1 })
			post(t, b, http.MethodPost, "/channels/caller", url.Values{"endpoint": {"Local/app@from-trunk"}, "app": {b.App}, "otherChannelId": {"callee"}})
			e.until(t, "the call", find(e, func(s ari.StasisStart) bool { return s.Channel.ID == "callee" }))
			if got, err := c.LivesDangerously(t.Context(), "callee"); err != nil || got != (set == "yes") {
				t.Errorf("%v %v", got, err)
			}
			if _, err := c.LivesDangerously(t.Context(), "nobody"); code(err) != ari.CodeNotFound {
				t.Errorf("no channel: %v", err)
			}
			for _, bad := range []string{"", ".", "..", "a/b", "a?b", "a b", "é", strings.Repeat("a", 151)} {
				if _, err := c.LivesDangerously(t.Context(), bad); code(err) != ari.CodeBadValue {
					t.Errorf("%q: %v", bad, err)
				}
			}
		})
	}
}

// TestAnAnswerThatIsNotAsterisks is neither yes nor no.
func TestAnAnswerThatIsNotAsterisks(t *testing.T) {
	f := newFake(t)
	f.rest = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"value":"` + strings.Repeat("x", 10) + `"}`))
	}
	if _, err := f.client(t).LivesDangerously(t.Context(), "a"); code(err) != ari.CodeBadAnswer {
		t.Error(err)
	}
}
