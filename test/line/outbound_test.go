package line

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"readback/test/testbed"
)

var sendID = regexp.MustCompile(`\b[a-z2-7]{10}\b`)

// TestTextsLeaveByAsterisk sends by the model's own tool, through Asterisk, to a phone: the text arrives as it was written, what could write a header never
// leaves, and what the other side refuses is handed over and never called delivered.
func TestTextsLeaveByAsterisk(t *testing.T) {
	t.Parallel()
	bed := newBed(t)
	got := make(chan testbed.SIPText, 16)
	answers := make(chan int, 1)
	testbed.NewPhone(t, bed.Peer, func(m testbed.SIPText) int {
		got <- m
		select {
		case code := <-answers:
			return code
		default:
			return 200
		}
	})
	s := newScene(t, bed, setting{kind: "sipmsg", endpoint: "peer", server: bed.Peer.String()})
	arrives := func(body string) testbed.SIPText {
		t.Helper()
		select {
		case m := <-got:
			if m.Body != body {
				t.Errorf("%q arrived as %q", body, m.Body)
			}
			return m
		case <-time.After(10 * time.Second):
			t.Fatalf("%q did not arrive", body)
		}
		return testbed.SIPText{}
	}
	send := func(body string) (answer string) {
		t.Helper()
		answer = s.program.Call(t.Context(), "send_text", map[string]any{"to": "Marie Tremblay", "body": body})
		t.Logf("send_text %s: %s", short(body), answer)
		return answer
	}

	for _, body := range []string{"On soupe à 6 h ? 👋", "two\nlines", `"quotes" 'and' $(id) {{x}} <b>`} {
		answer := send(body)
		m := arrives(body)
		if m.To != marie || m.From != ownNumber || m.Name != "" || !strings.HasPrefix(m.Type, "text/plain") {
			t.Errorf("%q arrived as from %q %q to %q, %s", body, m.Name, m.From, m.To, m.Type)
		}
		if !strings.Contains(answer, "Handed over for Marie") {
			t.Errorf("send_text: %s", answer)
		}
		id := sendID.FindString(answer)
		if check := s.program.Call(t.Context(), "check_send", map[string]any{"id": id}); !strings.Contains(check, "handed_over") {
			t.Errorf("check_send: %s", check)
		}
	}

	// Nothing that could end a line of a SIP message goes to Asterisk, nor anything else that cannot be drawn as it is.
	for _, body := range []string{"hello\r\nX-Evil: 1", "hello\rX-Evil: 1", "a\r\n\r\nMESSAGE sip:x@y SIP/2.0", "nul\x00", "\u2028Via: x", "\u0085X: y", "\x1b[2J", "\r\n", "hidden \u202e", strings.Repeat("x", 161)} {
		if answer := send(body); !strings.HasPrefix(answer, "Refused") {
			t.Errorf("%q was not refused: %s", body, answer)
		}
	}
	for _, to := range []string{marie, "Marie Tremblay\r\nX-Evil: 1", "sip:marie@evil.example", "Marie Tremblay <sip:x@y>"} {
		answer := s.program.Call(t.Context(), "send_text", map[string]any{"to": to, "body": "to nobody"})
		t.Logf("send_text to %q: %s", to, answer)
		if !strings.HasPrefix(answer, "Refused") {
			t.Errorf("%q is somebody: %s", to, answer)
		}
	}

	answers <- 403
	answer := send("nobody wants this")
	m := arrives("nobody wants this") // the first after those that were refused: none of them reached the phone
	for name := range m.Head {
		if strings.HasPrefix(strings.ToLower(name), "x-") {
			t.Errorf("a header came with it: %s", name)
		}
	}
	id := sendID.FindString(answer)
	check := s.program.Call(t.Context(), "check_send", map[string]any{"id": id})
	t.Logf("check_send after a 403: %s", check)
	if !strings.Contains(check, "handed_over") || regexp.MustCompile(`(?i)\bdelivered\b`).MatchString(check) {
		t.Errorf("check_send: %s", check)
	}
	for len(got) > 0 {
		m := <-got
		t.Errorf("one more text arrived: %q", m.Body)
	}
	s.program.Stop()
}
