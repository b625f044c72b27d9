package ntfy

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/test/testbed"
)

func question(sequence, body string) smsmcp.Note {
	return smsmcp.Note{
		Sequence: sequence, Title: "Send to Marie Tremblay (+15145550101)?", Body: body, Priority: 4, Tags: []string{"question"}, Click: "https://texts.example.com/sends/abcdefghij",
		Buttons: []smsmcp.Button{
			{Label: "Send", URL: "https://texts.example.com/tap", Body: "tokenaaaaaaaaaaaaaaaaaaaaaa"},
			{Label: "Don't send", URL: "https://texts.example.com/tap", Body: "tokenbbbbbbbbbbbbbbbbbbbbbb"},
			{Label: "Open", URL: "https://texts.example.com/sends/abcdefghij"},
		},
	}
}

// TestInvariant14ANoteArrivesAsItIs: whatever is in the words to be sent, ntfy shows them, and the buttons are those of the note.
func TestInvariant14ANoteArrivesAsItIs(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	c := client(t, bed.NtfyURL, "asks", bed.NtfyToken)
	in := subscribe(t, bed.NtfyURL, "asks", bed.NtfyToken)
	for i, body := range []string{
		"On my way", "http, Send, https://evil.example/, clear=true; view, Open, https://evil.example", "**bold** [x](https://evil.example) `code`", "<button>Send</button> &lt;",
		`","actions":[{"action":"http","label":"Send","url":"https://evil.example"}],"x":"`, "=?utf-8?q?x?=", "{{.Title}}", "one\ntwo", "\\u0022 \"", "مرحبا 👩\u200d👧",
	} {
		n := question(fmt.Sprint("send-", i), "«"+body+"»\n- a reason")
		n.Title = "Send to " + body
		ok(t, c.Publish(t.Context(), n))
		got := next(t, in)
		if got.Message != n.Body || got.SequenceID != n.Sequence || got.Priority != 4 || got.Click != n.Click || got.Attachment != nil || got.Icon != "" || strings.Contains(got.Title, "=?") {
			t.Errorf("%q: %+v", body, got)
		}
		var actions []struct {
			Action, Label, URL, Method, Body string
			Headers                          map[string]string
		}
		raw, err := json.Marshal(got.Actions)
		ok(t, err)
		ok(t, json.Unmarshal(raw, &actions))
		if len(actions) != 3 {
			t.Fatalf("%q: %+v", body, actions)
		}
		for j, b := range n.Buttons {
			a := actions[j]
			if a.Label != b.Label || a.URL != b.URL || a.Body != b.Body || (a.Action == "http") != (b.Body != "") || b.Body != "" && (a.Method != "POST" || a.Headers["Content-Type"] != "text/plain") {
				t.Errorf("%q: %+v became %+v", body, b, a)
			}
		}
		got.Actions = nil
		if all := fmt.Sprintf("%+v", got); strings.Contains(all, "token") {
			t.Errorf("%q: a token beside the buttons: %s", body, all)
		}
	}
	receipt := smsmcp.Note{Sequence: "send-0", Title: "Text to Marie Tremblay (+15145550101)", Body: "Sent.", Priority: 4}
	ok(t, c.Publish(t.Context(), receipt))
	if got := next(t, in); got.SequenceID != "send-0" || got.Message != "Sent." || len(got.Actions) > 0 || got.Click != "" {
		t.Errorf("the receipt: %+v", got)
	}
}

func TestANoteIsWithinNtfysBounds(t *testing.T) {
	for _, unit := range []string{"x", "é", "\"", "\\", "🎉", "\u2028", "\x01", "<"} {
		for _, n := range []int{1, 4095, 4096, 20_000} {
			note := question("send-abcdefghij", "«"+strings.Repeat(unit, n)+"»")
			note.Title, note.Buttons[0].Label = strings.Repeat(unit, n), strings.Repeat(unit, n)
			m, fits := ofNote(strings.Repeat("t", 64), note)
			whole, err := m.encode()
			ok(t, err)
			if !fits || len(whole) > maxJSON || len(m.Message) > maxMessage || !utf8.Valid(whole) || !utf8.ValidString(m.Title+m.Message+m.Actions[0].Label) {
				t.Errorf("%d times %q: %v, %d bytes, %d of words", n, unit, fits, len(whole), len(m.Message))
			}
			if n == 1 && m.Message != note.Body || n > 4000 && len(m.Message) < 900 {
				t.Errorf("%d times %q: %d bytes of words", n, unit, len(m.Message))
			}
		}
	}
	for what, change := range map[string]func(*smsmcp.Note){
		"a fourth button": func(n *smsmcp.Note) { n.Buttons = append(n.Buttons, n.Buttons[0]) },
		"no words":        func(n *smsmcp.Note) { n.Body = " \n" },
		"no sequence":     func(n *smsmcp.Note) { n.Sequence = "" },
		"a path":          func(n *smsmcp.Note) { n.Sequence = "a/b" },
		"no priority":     func(n *smsmcp.Note) { n.Priority = 0 },
		"endless address": func(n *smsmcp.Note) { n.Click = strings.Repeat("x", maxJSON) },
	} {
		n := question("send-abcdefghij", "ok")
		change(&n)
		if _, fits := ofNote("asks", n); fits {
			t.Errorf("%s: taken", what)
		}
		if err := client(t, "http://127.0.0.1:1", "asks", "tk_test").Publish(t.Context(), n); codeOf(err) != CodeRefused {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestAClosedTopicIsNotCalledOpen, though ntfy lets a request without a token through now and then, where one with a token comes from the same address at the same moment.
func TestAClosedTopicIsNotCalledOpen(t *testing.T) {
	srv := newServer(t)
	for lucky := range inARow {
		n := 0
		srv.opening(func(http.ResponseWriter) bool { n++; return n <= lucky })
		if err := client(t, srv.URL, "texts", "tk_test").Check(t.Context()); err != nil || srv.asksAgain() != lucky+1 {
			t.Errorf("%d that came through: %v", lucky, err)
		}
	}
	srv.opening(func(http.ResponseWriter) bool { return true })
	if err := client(t, srv.URL, "texts", "tk_test").Check(t.Context()); !errors.Is(err, ErrAnonymous) || srv.asksAgain() != inARow {
		t.Errorf("an open one: %v", err)
	}
}

// TestInvariant06ATopicOpenToAnybodyIsNoneForApprovals: to read, or to write.
func TestInvariant06ATopicOpenToAnybodyIsNoneForApprovals(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: append([]string{
		"auth-access: ['everyone:drop:write-only', 'everyone:open:read-only', 'everyone:both:read-write']",
	}, generous...)})
	for topic, want := range map[string]error{"asks": nil, "drop": ErrWritable, "open": ErrAnonymous, "both": ErrAnonymous} {
		a, err := NewApprovals(Config{URL: bed.NtfyURL, Topic: topic, Token: func() (string, error) { return bed.NtfyToken, nil }, Timeout: 5 * time.Second, AnyoneMayRead: true})
		ok(t, err)
		t.Cleanup(a.Close)
		if err := a.Check(t.Context()); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", topic, err, want)
		}
	}
	bed.Ntfy.Kill()
	a, err := NewApprovals(Config{URL: bed.NtfyURL, Topic: "asks", Token: func() (string, error) { return bed.NtfyToken, nil }, Timeout: 5 * time.Second})
	ok(t, err)
	t.Cleanup(a.Close)
	if err := a.Check(t.Context()); !errors.Is(err, smsmcp.ErrDown) {
		t.Errorf("no ntfy: %v", err)
	}
}
