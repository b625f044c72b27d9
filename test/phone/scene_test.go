package phone

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/test/testbed"
	"readback/test/testbed/program"
	"readback/voip/voipms/voipmstest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.Clean()
	os.Exit(code)
}

const (
	apiUser, apiPassword = "owner@example.com", "correct-horse-battery"
	ownNumber            = "+15145550100"
	public               = "https://texts.example.com" // what the program believes that it is called
	hookSecret           = "a-secret-of-the-hook-1234"
	topic                = "approvals"

	marie, bruno, claire, alex = "+15145550101", "+15145550102", "+15145550103", "+15145550104"
	stranger                   = "+15145550199"
)

var people = []program.Contact{
	{Name: "Marie Tremblay", Numbers: []string{marie}}, {Name: "Bruno Roy", Numbers: []string{bruno}}, {Name: "Claire Dubois", Numbers: []string{claire}},
	{Name: "Alex Martin", Numbers: []string{alex}},
}

var generous = []string{"visitor-request-limit-burst: 1000000", "visitor-message-daily-limit: 1000000", "visitor-subscription-limit: 100"}

// scene is a voip.ms, an ntfy, the program between them, and the owner's phone.
type scene struct {
	t       *testing.T
	bed     *testbed.Bed
	api     *voipmstest.Server
	program *program.Program
	phone   *testbed.Subscriber

	mu   sync.Mutex
	said []string // whatever the model, or anybody who asks the server, was ever told
}

// configuration is what an owner would write; more is further lines of it.
func configuration(bed *testbed.Bed, api, more string) string {
	return `
public_url = "` + public + `"
[carrier]
kind = "voipms"
[voipms]
username = "` + apiUser + `"
password_file = "$DIR/api"
did = "` + ownNumber + `"
url = "` + api + `"
hook_secret_file = "$DIR/hook"
[ntfy]
url = "` + bed.NtfyURL + `"
topic = "texts"
approvals_topic = "` + topic + `"
token_file = "$DIR/ntfy"
[limits]
requests_per_minute = 100000
burst = 10000
` + more
}

func newScene(t *testing.T, bed *testbed.Bed, more string) *scene {
	t.Helper()
	s := &scene{t: t, bed: bed}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	s.api = voipmstest.New(voipmstest.Account{Username: apiUser, Password: apiPassword, DID: strings.TrimPrefix(ownNumber, "+1"), Zone: zone, Now: time.Now, PerDay: 1000})
	web := httptest.NewServer(s.api)
	t.Cleanup(func() { s.api.Close(); web.Close() })
	s.program = program.New(t, people, configuration(bed, web.URL+voipmstest.Path, more), map[string]string{
		"api": apiPassword + "\n", "ntfy": bed.NtfyWriter + "\n", "hook": hookSecret + "\n",
	})
	s.phone = testbed.NewSubscriber(t, bed, topic, nil)
	s.program.Start()
	return s
}

func newBed(t *testing.T) *testbed.Bed {
	t.Helper()
	return testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
}

const patience = 40 * time.Second

func (s *scene) until(what string, so func() bool) {
	s.t.Helper()
	testbed.Until(s.t, patience, what, so)
}

func (s *scene) hear(said string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, said)
	return said
}

func (s *scene) heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.said, "\n")
}

// call has the model call a tool.
func (s *scene) call(tool string, args map[string]any) string {
	s.t.Helper()
	return s.hear(s.program.Call(s.t.Context(), tool, args))
}

// send has the model send a text, and gives what it is told once it is.
func (s *scene) send(to, body string) <-chan string {
	answer := make(chan string, 1)
	go func() {
		got, err := s.program.Try(s.t.Context(), "send_text", map[string]any{"to": to, "body": body})
		if err != nil {
			got = "no answer: " + err.Error()
		}
		answer <- s.hear(got)
	}()
	return answer
}

func (s *scene) wait(answer <-chan string) string {
	s.t.Helper()
	select {
	case got := <-answer:
		return got
	case <-time.After(patience):
		s.t.Fatal("send_text does not answer")
		return ""
	}
}

// texted has a text come in at voip.ms, which says so, and waits until the model is shown these words, of it or about it.
func (s *scene) texted(from, body, words string, strangers bool) string {
	s.t.Helper()
	s.api.Receive("sms", strings.TrimPrefix(from, "+1"), body, time.Now(), 0)
	return s.reads(strangers, words)
}

// reads has voip.ms say that texts came, and waits until the model is shown all these words.
func (s *scene) reads(strangers bool, words ...string) (shown string) {
	s.t.Helper()
	if status, said := s.request(http.MethodGet, "/hooks/voipms/"+hookSecret, nil, ""); status != http.StatusOK || said != "ok" {
		s.t.Fatalf("the hook: %d %q", status, said)
	}
	s.until("the text is in the store", func() bool {
		shown = s.call("read_texts", map[string]any{"strangers": strangers})
		for _, w := range words {
			if !strings.Contains(shown, w) {
				return false
			}
		}
		return true
	})
	return shown
}

// note waits for the first notification after seen of which so is true.
func (s *scene) note(what string, seen int, so func(testbed.Notification) bool) testbed.Notification {
	s.t.Helper()
	var found testbed.Notification
	s.until(what, func() bool {
		all := s.phone.Got()
		for _, n := range all[min(seen, len(all)):] {
			if so(n) {
				found = n
				return true
			}
		}
		return false
	})
	return found
}

func (s *scene) seen() int { return len(s.phone.Got()) }

// question waits for the question of a body.
func (s *scene) question(seen int, body string) testbed.Notification {
	s.t.Helper()
	return s.note("the question about "+body, seen, func(n testbed.Notification) bool { return strings.Contains(n.Message, "«"+body+"»") })
}

// receipt waits for the notification that takes a question's place.
func (s *scene) receipt(q testbed.Notification, words string) testbed.Notification {
	s.t.Helper()
	return s.note("the receipt: "+words, 0, func(n testbed.Notification) bool {
		return (n.SequenceID == q.SequenceID || n.SequenceID == q.SequenceID+"-tap") && n.ID != q.ID && strings.Contains(n.Message, words)
	})
}

// button is one of a notification's.
func button(t *testing.T, n testbed.Notification, label string) testbed.Action {
	t.Helper()
	for _, a := range n.Actions {
		if a.Label == label {
			return a
		}
	}
	t.Fatalf("no button %q: %+v", label, n)
	return testbed.Action{}
}

// press posts a button's body as ntfy's app on an iPhone does: that calls every body a form, unless the button names its type. The one for Android names none.
func (s *scene) press(a testbed.Action) (int, string) {
	s.t.Helper()
	u, err := url.Parse(a.URL)
	if err != nil || a.Action != "http" {
		s.t.Fatalf("%+v", a)
	}
	headers := map[string]string{"Host": u.Host, "Content-Type": "application/x-www-form-urlencoded"}
	maps.Copy(headers, a.Headers)
	return s.request(a.Method, u.RequestURI(), headers, a.Body)
}

// try is request for a server that may end meanwhile.
func (s *scene) try(method, path string, headers map[string]string, body string) (int, string, error) {
	req, err := http.NewRequestWithContext(context.WithoutCancel(s.t.Context()), method, s.program.Base()+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Host = strings.TrimPrefix(public, "https://")
	for name, v := range headers {
		if name == "Host" {
			req.Host = v
			continue
		}
		req.Header.Set(name, v)
	}
	resp, err := (&http.Client{Timeout: patience}).Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, s.hear(strings.TrimSpace(string(b))), err
}

func (s *scene) request(method, path string, headers map[string]string, body string) (int, string) {
	s.t.Helper()
	status, said, err := s.try(method, path, headers, body)
	if err != nil {
		s.t.Fatal(err)
	}
	return status, said
}

// sent is how often voip.ms was handed a text with this body.
func (s *scene) sent(body string) (n int) {
	for _, r := range s.api.Sent() {
		if r.Body == body {
			n++
		}
	}
	return n
}

// want fails unless voip.ms was handed a text so often.
func (s *scene) want(body string, times int) {
	s.t.Helper()
	if n := s.sent(body); n != times {
		s.t.Errorf("%q was sent %d times, want %d", body, n, times)
	}
}

// noToken fails if a button's token is anywhere but in the button.
func (s *scene) noToken() {
	s.t.Helper()
	_, health := s.program.Get(s.t.Context(), "/healthz")
	_, metrics := s.program.Get(s.t.Context(), "/metrics")
	log, _ := s.program.Command(s.t.Context(), "sends", "--json")
	places := map[string]string{"the log": s.program.Log(), "what anybody was told": s.heard(), "healthz": health, "the metrics": metrics, "readback sends": log}
	for _, f := range []string{"readback.db", "readback.db-wal"} {
		b, _ := os.ReadFile(s.program.Data + "/" + f)
		places[f] = string(b)
	}
	for where, what := range places {
		if strings.Contains(what, hookSecret) || strings.Contains(what, s.bed.NtfyWriter) {
			s.t.Errorf("a secret is in %s", where)
		}
	}
	tokens := 0
	for _, n := range s.phone.Got() {
		for _, a := range n.Actions {
			if a.Body == "" {
				continue
			}
			tokens++
			n.Actions = nil
			places["the notification"] = fmt.Sprintf("%+v", n)
			for where, what := range places {
				if strings.Contains(what, a.Body) {
					s.t.Errorf("a button's token is in %s", where)
				}
			}
		}
	}
	if tokens == 0 {
		s.t.Error("no token was ever there")
	}
}
