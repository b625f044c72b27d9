package ntfy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

func TestConfig(t *testing.T) {
	secret := func() (string, error) { return "tk_test", nil }
	for _, c := range []Config{
		{}, {URL: "http://ntfy.example.org", Topic: "t", Token: secret}, {URL: "https://u:p@ntfy.example.org", Topic: "t", Token: secret}, {URL: "https://ntfy.example.org/sub", Topic: "t", Token: secret},
		{URL: "https://ntfy.example.org?auth=x", Topic: "t", Token: secret}, {URL: "https://ntfy.example.org", Topic: "a/b", Token: secret}, {URL: "https://ntfy.example.org", Token: secret},
		{URL: "https://ntfy.example.org", Topic: "t"}, {URL: "ftp://127.0.0.1", Topic: "t", Token: secret}, {URL: "https://ntfy.example.org\n", Topic: "t", Token: secret},
	} {
		if _, err := NewClient(c); err == nil {
			t.Errorf("%+v", c)
		} else if strings.Contains(err.Error(), "example") {
			t.Errorf("%v says what was configured", err)
		}
	}
	for _, url := range []string{"https://ntfy.example.org", "https://ntfy.example.org/", "http://127.0.0.1:80", "http://localhost", "http://[::1]:2586"} {
		if _, err := NewClient(Config{URL: url, Topic: "t", Token: secret}); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestInvariant11NoTokenInErrorOrLog has a server give back, and the client's own faults hold, what must not be told; and the words of a text must not be (13).
func TestInvariant11NoTokenInErrorOrLog(t *testing.T) {
	const secret, words = "tk_verysecret", "meet me at the old mill"
	handlers := map[string]http.HandlerFunc{
		"echo": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://evil.example/"+r.Header.Get("Authorization"))
			w.WriteHeader(http.StatusFound)
			_, _ = fmt.Fprint(w, r.Header, words)
		},
		"break": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"mangle": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", r.Header.Get("Authorization"))
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"portal": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, `{"id":"`+secret+`","event":"open"}`)
		},
		"huge": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxAnswer+1)) },
	}
	for name, h := range maps.Clone(handlers) {
		handlers[name+", once it is found closed"] = func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method != http.MethodGet:
				h(w, r)
			case r.Header.Get("Authorization") == "":
				w.WriteHeader(http.StatusForbidden)
			}
		}
	}
	for name, h := range handlers {
		srv := httptest.NewServer(h)
		var logged bytes.Buffer
		s := newStore(t, "")
		add(t, s, noon, text("1", stranger, words, noon))
		b := New(Options{Store: s, Client: client(t, srv.URL, "private-topic", secret), Now: func() time.Time { return noon }, Log: slog.New(slog.NewTextHandler(&logged, nil))})
		_, err := settle(t, b)
		var coded smsmcp.Coded
		if !errors.As(err, &coded) || smsmcp.Reduce(coded.Code()) != coded.Code() {
			t.Errorf("%s: %v is not coded", name, err)
		}
		all := fmt.Sprintf("%v %+v %#v %v %s", err, err, coded, b.State(), logged.String())
		for _, no := range []string{"secret", "mill", "5145550199", "private-topic", "127.0.0.1", "evil"} {
			if strings.Contains(all, no) {
				t.Errorf("%s: %q is in %s", name, no, all)
			}
		}
		srv.Close()
	}
	for _, bad := range []string{"", "tk\r\nX-Evil: 1", "tk a"} {
		if err := client(t, "http://127.0.0.1:1", "t", bad).publish(t.Context(), message{Topic: "t"}); codeOf(err) != CodeNoToken {
			t.Errorf("%q: %v", bad, err)
		}
	}
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	defer tls.Close()
	if err := client(t, tls.URL, "t", secret).publish(t.Context(), message{Topic: "t"}); codeOf(err) != CodeUntrusted {
		t.Errorf("a certificate of nobody: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := client(t, "http://127.0.0.1:1", "t", secret).publish(ctx, message{Topic: "t"}); codeOf(err) != CodeCancelled {
		t.Error(err)
	}
}

func TestRetryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second, "-1": 0, "x": 0, "999999999": time.Hour, "Wed, 21 Oct 2026 07:28:00 GMT": 0} {
		e := answered("x", &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {value}}})
		if e.after != want {
			t.Errorf("%q: %v", value, e.after)
		}
	}
}

func TestEveryCodeHasItsSentence(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	ok(t, err)
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		if v, is := node.(*ast.ValueSpec); is && strings.HasPrefix(v.Names[0].Name, "Code") {
			code, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			ok(t, err)
			if n++; !lang.NtfyKnows(code) || smsmcp.Reduce(code) != code || lang.Ntfy(lang.FR, code) == "" {
				t.Errorf("%s has no sentence", code)
			}
		}
		return true
	})
	if n < 15 || lang.Ntfy(lang.EN, "other") == "" {
		t.Errorf("%d codes", n)
	}
}

// FuzzNotification: whatever a text and its label are, what is published is within ntfy's limits, valid, and neither decoded nor trimmed by ntfy.
func FuzzNotification(f *testing.F) {
	for _, b := range bodies() {
		f.Add(b, "Banque", true, false)
	}
	f.Add("hi", "=?utf-8?q?x?=", false, true)
	f.Fuzz(func(t *testing.T, body, label string, contact, french bool) {
		l := lang.EN
		if french {
			l = lang.FR
		}
		for _, n := range []int{1, 60, 3000} {
			r := &smsmcp.Row{Text: text("1", smsmcp.LabelPeer(label), strings.Repeat(body, min(n, 1+50_000/(1+len(body)))), noon)}
			if contact {
				r.Text.Peer, r.Contact, r.Text.Unverified = smsmcp.NumberPeer(marie), &smsmcp.Contact{ID: 7, Name: label}, n == 1
			}
			m := ofText(strings.Repeat("t", 64), notice{row: r, stored: noon, again: french != contact}, l, false)
			whole, err := m.encode()
			if err != nil || len(whole) > maxJSON || len(m.Message) > maxMessage || !utf8.Valid(whole) || !utf8.ValidString(m.Title) || !utf8.ValidString(m.Message) {
				t.Fatalf("%v, %d bytes, of which %d words: %q", err, len(whole), len(m.Message), m.Message)
			}
			if m.Message == "" || m.Title == "" || strings.TrimSpace(m.Message) != m.Message || strings.ContainsAny(m.Title, "\r\n") || strings.Contains(m.Title, "=?") {
				t.Fatalf("%q, %q", m.Title, m.Message)
			}
		}
	})
}
