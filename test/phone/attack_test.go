package phone

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"readback/test/testbed"
	"readback/test/testbed/program"
)

const always = "[guard]\nconfirm = \"always\"\nasks_per_hour = 1000\nmax_waiting = 100\nper_hour = 1000\nper_day = 1000\npause_after_no = \"0s\"\n[confirm]\nwait = \"0s\"\n"

// TestInvariant05AttacksOnAButton tries to have a text sent by what is no press of its button.
func TestInvariant05AttacksOnAButton(t *testing.T) {
	bed := newBed(t)
	s := newScene(t, bed, always)
	s.wait(s.send("Marie Tremblay", "See you at 6."))
	q := s.question(0, "See you at 6.")
	send := button(t, q, "Send")
	for what, c := range map[string]struct {
		method, path string
		headers      map[string]string
		body         string
	}{
		"by GET":                          {http.MethodGet, "/tap", nil, send.Body},
		"by PUT":                          {http.MethodPut, "/tap", nil, send.Body},
		"in the address":                  {http.MethodPost, "/tap?token=" + send.Body, nil, ""},
		"in the address too":              {http.MethodPost, "/tap?x", nil, send.Body},
		"in the path":                     {http.MethodPost, "/tap/" + send.Body, nil, send.Body},
		"as a bearer":                     {http.MethodPost, "/tap", map[string]string{"Authorization": "Bearer " + send.Body}, ""},
		"from another site":               {http.MethodPost, "/tap", map[string]string{"Origin": "https://evil.example"}, send.Body},
		"from a site with our name":       {http.MethodPost, "/tap", map[string]string{"Origin": "https://texts.example.com.evil.example"}, send.Body},
		"from a site that hides":          {http.MethodPost, "/tap", map[string]string{"Origin": "null"}, send.Body},
		"from a site like ntfy's":         {http.MethodPost, "/tap", map[string]string{"Origin": bed.NtfyURL + "0"}, send.Body},
		"by a form":                       {http.MethodPost, "/tap", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, send.Body},
		"by a form with files":            {http.MethodPost, "/tap", map[string]string{"Content-Type": "multipart/form-data; boundary=x"}, send.Body},
		"by another name (rebinding)":     {http.MethodPost, "/tap", map[string]string{"Host": "evil.example"}, send.Body},
		"with more":                       {http.MethodPost, "/tap", nil, send.Body + "\n"},
		"with less":                       {http.MethodPost, "/tap", nil, send.Body[1:]},
		"with a flood":                    {http.MethodPost, "/tap", nil, strings.Repeat(send.Body, 1000)},
		"a token of nobody":               {http.MethodPost, "/tap", nil, strings.Repeat("a", len(send.Body))},
		"the number of the send":          {http.MethodPost, "/tap", nil, strings.TrimPrefix(q.SequenceID, "send-")},
		"at the hook, without its secret": {http.MethodGet, "/hooks/voipms/", nil, ""},
		"at the hook, by a wrong one":     {http.MethodGet, "/hooks/voipms/" + hookSecret[1:], nil, ""},
		"at the hook, by POST":            {http.MethodPost, "/hooks/voipms/" + hookSecret, nil, send.Body},
		"at the page's address, by POST":  {http.MethodPost, strings.TrimPrefix(q.Click, public), nil, send.Body},
	} {
		if status, said := s.request(c.method, c.path, c.headers, c.body); status < 400 || strings.Contains(said, send.Body) {
			t.Errorf("%s: %d %q", what, status, said)
		}
	}
	if _, said := s.request(http.MethodGet, strings.TrimPrefix(q.Click, public), nil, ""); strings.Contains(said, "See you at 6.") || strings.Contains(said, send.Body) {
		t.Errorf("who follows the link and is not signed in is shown %q", said)
	}
	s.want("See you at 6.", 0)

	// One draft's button sends no other: the older of two drafts to one contact is gone.
	seen := s.seen()
	s.wait(s.send("Marie Tremblay", "See you at 7."))
	newer := s.question(seen, "See you at 7.")
	if status, said := s.press(send); status != http.StatusOK || said != "Not sent: it was withdrawn or replaced." {
		t.Errorf("the button of a draft that was replaced: %d %q", status, said)
	}
	s.receipt(q, "withdrawn or replaced")
	s.want("See you at 6.", 0)
	s.want("See you at 7.", 0)

	// ntfy's own page may post one, and hears what came of it; it comes with its origin.
	if status, said := s.request(http.MethodPost, "/tap", map[string]string{"Origin": bed.NtfyURL, "Content-Type": "text/plain;charset=UTF-8"}, button(t, newer, "Send").Body); status != http.StatusOK || said != "Sent." {
		t.Errorf("from ntfy's page: %d %q", status, said)
	}
	s.want("See you at 7.", 1)

	// Who has no token of ntfy's sees no question.
	resp, err := http.Get(bed.NtfyURL + "/" + topic + "/json?poll=1&since=all")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("an anonymous subscriber: %s", resp.Status)
	}

	// Two drafts that look alike are two questions, and each button sends its own.
	seen = s.seen()
	s.wait(s.send("Marie Tremblay", "Pay Anna."))
	s.wait(s.send("Bruno Roy", "Pay Аnna.")) // a Cyrillic А
	one, other := s.question(seen, "Pay Anna."), s.question(seen, "Pay Аnna.")
	if one.SequenceID == other.SequenceID || one.Title == other.Title {
		t.Errorf("%+v and %+v", one, other)
	}
	s.press(button(t, one, "Send"))
	s.want("Pay Anna.", 1)
	s.want("Pay Аnna.", 0)
	s.noToken()
}

// TestInvariant14ABodyThatRepaintsIsSentByNoButton: what is not shown as it is on one line goes by the page, and no markup becomes a button.
func TestInvariant14ABodyThatRepaintsIsSentByNoButton(t *testing.T) {
	s := newScene(t, newBed(t), always)
	for _, body := range []string{
		"fine\n- It is safe: send it", "fine» - It is safe. «", "http, Send, https://evil.example, body=x\nview, Open, https://evil.example", strings.Repeat("long ", 40) + "end",
		"**Send** [here](https://evil.example)", "<button>Send</button>", `{"actions":[{"action":"http","label":"Send","url":"https://evil.example"}]}`,
	} {
		seen := s.seen()
		if got := s.wait(s.send("Marie Tremblay", body)); !strings.Contains(got, "waits for the owner's yes") {
			t.Errorf("%q: %s", body, got)
			continue
		}
		q := s.note("a question", seen, func(n testbed.Notification) bool { return strings.HasPrefix(n.Title, "Send to Marie Tremblay (") })
		oneLine := !strings.ContainsAny(body, "\n»") && len(body) <= 160
		labels := ""
		for _, a := range q.Actions {
			labels += a.Label + "; "
			if !strings.HasPrefix(a.URL, public+"/") || strings.Contains(a.Body, " ") {
				t.Errorf("%q: a button of others: %+v", body, a)
			}
		}
		want := "Send; Don't send; Freeze; "
		if !oneLine {
			want = "Open the page; Don't send; Freeze; "
		}
		if labels != want || strings.Count(q.Message, "»") != 1 || strings.Count(q.Message, "«") != 1 {
			t.Errorf("%q: %s\n%s", body, labels, q.Message)
		}
		if oneLine && !strings.HasPrefix(q.Message, "«"+body+"»\n") {
			t.Errorf("%q is shown as %q", body, q.Message)
		}
	}
}

// TestInvariant06AnOpenTopicForApprovalsIsRefused: serve says what to do and does not start; while ntfy is down it does.
func TestInvariant06AnOpenTopicForApprovalsIsRefused(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: append([]string{"auth-access: ['everyone:drop:write-only', 'everyone:open:read-only']"}, generous...)})
	p := program.New(t, people, "", nil)
	ctx, cancel := context.WithTimeout(t.Context(), patience) // a server that starts does not end
	defer cancel()
	for name, topic := range map[string]string{"read": "open", "written to": "drop"} {
		toml := strings.ReplaceAll(configuration(bed, "https://127.0.0.1:1/", ""), `approvals_topic = "approvals"`, `approvals_topic = "`+topic+`"`)
		p.Rewrite(toml, map[string]string{"api": apiPassword, "ntfy": bed.NtfyWriter, "hook": hookSecret})
		out, code := p.Command(ctx, "serve", "--listen", "127.0.0.1:0")
		if code != 1 || !strings.Contains(out, "anyone who knows the name of the ntfy topic "+topic) || !strings.Contains(out, "auth-default-access: deny-all") || strings.Count(out, "\n") != 1 {
			t.Errorf("a topic that can be %s by anybody: exit %d %s", name, code, out)
		}
		if out, _ := p.Command(t.Context(), "doctor"); !strings.Contains(out, "FAIL  ntfy, approvals") {
			t.Errorf("doctor: %s", out)
		}
	}
	p.Rewrite(configuration(bed, "https://127.0.0.1:1/", ""), map[string]string{"api": apiPassword, "ntfy": bed.NtfyWriter, "hook": "short"})
	if out, code := p.Command(ctx, "serve", "--listen", "127.0.0.1:0"); code != 1 || !strings.Contains(out, "hook_secret_file names must hold 20 to 128") {
		t.Errorf("a short secret: exit %d %s", code, out)
	}
	p.Rewrite(configuration(bed, "https://127.0.0.1:1/", ""), map[string]string{"api": apiPassword, "ntfy": bed.NtfyWriter, "hook": hookSecret})
	bed.Ntfy.Kill()
	p.Start()
	if _, health := p.Get(t.Context(), "/healthz"); !strings.Contains(health, `"push":`) {
		t.Error(health)
	}
	bed.Ntfy.Restart()
	testbed.Until(t, patience, "the phone can be asked", func() bool {
		_, health := p.Get(t.Context(), "/healthz")
		return strings.Contains(health, `"push":"ok"`)
	})
}
