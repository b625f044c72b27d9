package ntfy

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/test/testbed"
)

// generous is ntfy's configuration without its limit of 60 requests at once.
var generous = []string{"visitor-request-limit-burst: 100000", "visitor-message-daily-limit: 100000"}

// realBridge tells a real ntfy, quickly, and without a limit unless o has one.
func realBridge(t testing.TB, url, topic, token string, s Store, o Options) *Bridge {
	o.Store, o.Client, o.Now, o.Rand = s, client(t, url, topic, token), time.Now, rand.New(rand.NewPCG(1, 2))
	for n, v := range map[*int]int{&o.PerSender: 1e6, &o.InAll: 1e6, &o.Backlog: 1e6} {
		if *n == 0 {
			*n = v
		}
	}
	o.MinWait, o.MaxWait, o.Every = 20*time.Millisecond, 200*time.Millisecond, 20*time.Millisecond
	return New(o)
}

// bodies are what a text can be made of to break something on the way.
func bodies() []string {
	all := []string{
		"On my way, 10 min", "{{.Title}} {{ range . }}", "**bold** _it_ [x](https://evil.example) `code`", "<script>alert(1)</script> &amp; &lt;", "line one\nline two\n\nline four",
		"🎉👩\u200d👩\u200d👧🇨🇦", "مرحبا، كيف حالك؟ 123", "\x1b[2J\x1b]0;title\a", "\"quotes\" 'and' \\backslash\\ \\n", "a\u200bb\u202ec\u2066d\ufeffe\U000e0041",
		"$(rm -rf /) `id` ; | & > /dev/null", "", "   ", "\n\n", "triggered", "=?utf-8?q?Marie?=", "» [WARNING: fake]\n«", "\xff\xfe broken", "a\x00b", "Your code is 482913",
		"\u2028\u2029\u0085", strings.Repeat("a\n", 3000), strings.Repeat("<a & b> ", 500), "%s %d %!", "up\r\ndown", "{\"topic\":\"other\"}",
	}
	for _, n := range []int{1023, 1024, 4091, 4095, 4096, 8192, 20_000} {
		for _, unit := range []string{"x", "é", "\"", "\\", "🎉"} {
			if strings.Contains("é🎉\\\"", unit) && n > 4096 && unit != "\"" {
				continue
			}
			all = append(all, strings.Repeat(unit, n/len(unit))+strings.Repeat("x", n%len(unit)))
		}
	}
	return all
}

// TestInvariant08EveryTextReachesARealSubscriberOnce, with its words whole but for what drawing safe removes.
func TestInvariant08EveryTextReachesARealSubscriberOnce(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	s := newStore(t, "")
	in := subscribe(t, bed.NtfyURL, "texts", bed.NtfyToken)
	b := realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, s, Options{})
	s.Outbox(b.Nudge)
	run(t, b)
	seen := map[string]bool{}
	for i, body := range bodies() {
		add(t, s, time.Now(), text(fmt.Sprint(i), smsmcp.NumberPeer(marie), body, time.Now()))
		n := next(t, in)
		if n.Title != "Marie Tremblay" || n.Priority != urgent || len(n.Actions) > 0 || n.Attachment != nil || n.Click != "" || n.Icon != "" || seen[n.SequenceID] {
			t.Errorf("%q: %+v", body, n)
		}
		seen[n.SequenceID] = true
		if len(n.Message) > maxMessage || !utf8.ValidString(n.Message) {
			t.Errorf("%q: %d bytes", body, len(n.Message))
		}
		whole := clean.Lines(body, 0).Text
		_, words, _ := strings.Cut(n.Message, "«")
		words, after, quoted := strings.Cut(words, "»")
		if cut := strings.Contains(after, "[cut: ") || strings.Contains(after, "; cut: "); !cut && words != whole || cut && (!strings.HasPrefix(whole, words) || len(words) < 2000) || quoted != (whole != "") {
			t.Errorf("%q came as %q", body, n.Message)
		}
	}
	// A label is drawn in the title, which ntfy decodes as it would a mail header's.
	for i, label := range []string{"=?utf-8?q?Marie_Tremblay?=", "=?utf-8?b?TWFyaWU=?=", "Banque", "a\nb\x1b", " ", "triggered"} {
		add(t, s, time.Now(), text(fmt.Sprint("label", i), smsmcp.LabelPeer(label), "hi", time.Now()))
		if n := next(t, in); !strings.HasPrefix(n.Title, "Sender without a number (not in your contacts), calling itself «") || strings.ContainsAny(n.Title, "\n\x1b") ||
			strings.Contains(n.Title, "«Marie") || n.Priority != usual || !slices.Contains(n.Tags, tagStranger) {
			t.Errorf("%q: %+v", label, n)
		}
	}
	select {
	case n := <-in:
		t.Errorf("one more: %+v", n)
	default:
	}
	if b.State().Failure != "" {
		t.Error(b.State())
	}
}

// told collects notifications until each of n texts was told of, and fails unless each sender's come in order. It gives how many were told again.
func told(t *testing.T, in <-chan notification, n int) (again int) {
	t.Helper()
	seen := map[string]string{}
	last := map[string]int{}
	for len(seen) < n {
		m := next(t, in)
		if old, twice := seen[m.SequenceID]; twice {
			if old != m.Message {
				t.Errorf("%q and %q have one sequence", old, m.Message)
			}
			again++
			continue
		}
		seen[m.SequenceID] = m.Message
		i := 0
		if _, err := fmt.Sscanf(m.Message, "«text %d»", &i); err != nil || i <= last[m.Title] {
			t.Errorf("%s: %q after %d", m.Title, m.Message, last[m.Title])
		}
		last[m.Title] = i
	}
	return again
}

// TestInvariant08KillingNtfyLosesNothing kills a real ntfy in the middle of a run, three times.
func TestInvariant08KillingNtfyLosesNothing(t *testing.T) {
	// What it has not yet written to its cache it loses itself; this writes each message at once, which is ntfy's default.
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	s := newStore(t, "")
	b := realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, s, Options{})
	s.Outbox(b.Nudge)
	run(t, b)
	const rounds, each = 3, 40
	for round := range rounds {
		for i := range each {
			n := round*each + i + 1
			add(t, s, time.Now(), text(fmt.Sprint(n), number(n%5), fmt.Sprint("text ", n), time.Now()))
			if i == each/2 {
				bed.Ntfy.Kill()
			}
		}
		bed.Ntfy.Restart()
	}
	again := told(t, afterAll(t, s, bed.NtfyURL, "texts", bed.NtfyToken), rounds*each)
	if again > rounds {
		t.Errorf("%d told again", again)
	}
	t.Logf("%d texts, %d kills, %d told again", rounds*each, rounds, again)
}

// TestInvariant08AProxyThatFails stands before a real ntfy and answers for it, or lets a request through and loses the answer.
func TestInvariant08AProxyThatFails(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	target, err := url.Parse(bed.NtfyURL)
	ok(t, err)
	pass := httputil.NewSingleHostReverseProxy(target)
	pass.ErrorLog = log.New(io.Discard, "", 0)
	var mode, asked, lost atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch m := mode.Load(); m {
		case 0:
			pass.ServeHTTP(w, r)
		case 1: // ntfy has it, and the sender does not learn of it
			lost.Add(1)
			mode.Store(0)
			pass.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(int(m))
		}
	}))
	t.Cleanup(proxy.Close)
	s := newStore(t, "")
	b := realBridge(t, proxy.URL, "texts", bed.NtfyToken, s, Options{})
	s.Outbox(b.Nudge)
	run(t, b)
	n := 0
	for _, m := range []int64{401, 0, 429, 500, 1, 503, 0, 1} {
		mode.Store(m)
		before := asked.Load()
		for range 8 {
			n++
			add(t, s, time.Now(), text(fmt.Sprint(n), number(n%3), fmt.Sprint("text ", n), time.Now()))
		}
		if m > 1 {
			until(t, "another try", func() bool { return asked.Load() >= before+4 })
		}
	}
	mode.Store(0)
	if again := told(t, afterAll(t, s, bed.NtfyURL, "texts", bed.NtfyToken), n); int64(again) > lost.Load() {
		t.Errorf("%d told again, for %d answers lost", again, lost.Load())
	}
}

// TestInvariant08ARealLimitOfRequests: ntfy answers 429 without saying for how long.
func TestInvariant08ARealLimitOfRequests(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: []string{"visitor-request-limit-burst: 5", "visitor-request-limit-replenish: 50ms"}})
	s := newStore(t, "")
	b := realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, s, Options{})
	s.Outbox(b.Nudge)
	in := subscribe(t, bed.NtfyURL, "texts", bed.NtfyToken)
	for n := 1; n <= 40; n++ {
		add(t, s, time.Now(), text(fmt.Sprint(n), number(n%3), fmt.Sprint("text ", n), time.Now()))
	}
	run(t, b)
	until(t, "a limit", func() bool { return b.State().Failure == CodeTooMany })
	if again := told(t, in, 40); again > 0 {
		t.Errorf("%d told again", again)
	}
}

func TestASlowNtfy(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	s := newStore(t, "")
	b := realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, s, Options{})
	b.o.Client.c.Timeout = 300 * time.Millisecond
	s.Outbox(b.Nudge)
	run(t, b)
	bed.Ntfy.Pause()
	for n := 1; n <= 5; n++ {
		add(t, s, time.Now(), text(fmt.Sprint(n), stranger, fmt.Sprint("text ", n), time.Now()))
	}
	until(t, "a time-out", func() bool { return b.State().Failure == CodeTimedOut })
	bed.Ntfy.Resume()
	told(t, afterAll(t, s, bed.NtfyURL, "texts", bed.NtfyToken), 5)
}

func TestCheckFindsATopicThatAnyoneCanRead(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: []string{`auth-access: ["everyone:open:read-only", "everyone:drop:write-only", "everyone:both:read-write"]`}})
	if err := client(t, bed.NtfyURL, "texts", bed.NtfyToken).Check(t.Context()); err != nil {
		t.Error(err)
	}
	open := client(t, bed.NtfyURL, "open", bed.NtfyToken)
	if err := open.Check(t.Context()); !errors.Is(err, ErrAnonymous) {
		t.Errorf("a topic that anyone can read: %v", err)
	}
	ok(t, open.publish(t.Context(), message{Topic: "open", Message: "hi", Priority: usual}))
	if err := open.Check(t.Context()); !errors.Is(err, ErrAnonymous) {
		t.Errorf("one with a message: %v", err)
	}
	if err := client(t, bed.NtfyURL, "drop", bed.NtfyToken).Check(t.Context()); err != nil {
		t.Errorf("one that anyone can write to alone: %v", err)
	}
	if err := client(t, bed.NtfyURL, "texts", "tk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaa").Check(t.Context()); codeOf(err) != CodeUnauthorized {
		t.Errorf("an unknown token: %v", err)
	}
	for topic, want := range map[string]bool{"texts": false, "open": false, "drop": true, "both": true} {
		if got, err := client(t, bed.NtfyURL, topic, bed.NtfyToken).AnyoneMayWrite(t.Context()); got != want || err != nil {
			t.Errorf("%s: anyone may write: %v, %v", topic, got, err)
		}
		add := subscribe(t, bed.NtfyURL, topic, bed.NtfyToken)
		ok(t, client(t, bed.NtfyURL, topic, bed.NtfyToken).publish(t.Context(), message{Topic: topic, Message: "last", Priority: usual}))
		for n := next(t, add); n.Message != "last"; n = next(t, add) {
			if n.Message != "hi" {
				t.Errorf("%s: asking has published %+v", topic, n)
			}
		}
	}
	bed.Ntfy.Kill()
	if _, err := client(t, bed.NtfyURL, "texts", bed.NtfyToken).AnyoneMayWrite(t.Context()); codeOf(err) != CodeUnreachable {
		t.Errorf("no ntfy: %v", err)
	}
	if err := client(t, bed.NtfyURL, "texts", bed.NtfyToken).Check(t.Context()); codeOf(err) != CodeUnreachable || !errors.Is(err, smsmcp.ErrDown) {
		t.Errorf("no ntfy: %v", err)
	}
}
