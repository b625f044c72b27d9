package mcptools

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
)

const sendArguments = `"name":"send_text","arguments":{"to":"Élodie Tremblay","body":"ok"}`

// waits makes a door whose send waits, until later says otherwise.
func waits(f *fixture, o *Options) {
	f.door.send.State, f.door.send.Expires = smsmcp.Waiting, noon.Add(10*time.Minute)
	f.door.later = make(chan smsmcp.Send, 1)
	o.Wait = 25 * time.Second
}

func (f *fixture) ended(state smsmcp.SendState) {
	s := f.door.send
	s.State = state
	f.door.later <- s
}

func TestSendTextWaitsForTheOwnersYes(t *testing.T) {
	for state, want := range map[smsmcp.SendState]string{
		smsmcp.Done: "was sent", smsmcp.Declined: "said no", smsmcp.Waiting: "Not sent yet", smsmcp.Unknown: "may or may not have gone",
	} {
		synctest.Test(t, func(t *testing.T) {
			f := setUp(t, waits)
			begin := time.Now()
			if state != smsmcp.Waiting {
				time.AfterFunc(7*time.Second, func() { f.ended(state) })
			}
			out := f.post(t, true, "tools/call", sendArguments, nil)
			took, most := time.Since(begin), 7*time.Second
			if state == smsmcp.Waiting {
				most = 25 * time.Second
			}
			if took != most || len(out.Result.Content) != 1 {
				t.Fatalf("%s: after %s: %s", state, took, out.raw)
			}
			if said := out.Result.Content[0].Text; !strings.Contains(said, want) || len(f.door.asked) != 1 {
				t.Errorf("%s: %d sends, %q", state, len(f.door.asked), said)
			}
		})
	}
}

func TestWhatWasHandedOverIsNotCalledSent(t *testing.T) {
	f := setUp(t, func(f *fixture, _ *Options) { f.door.send.Delivery = smsmcp.HandedOver })
	out := f.post(t, true, "tools/call", sendArguments, nil)
	if len(out.Result.Content) != 1 || !strings.HasPrefix(out.Result.Content[0].Text, "Handed over for Élodie Tremblay: ") {
		t.Errorf("%s", out.raw)
	}
}

// events reads a stream.
func events(t *testing.T, raw string) (all []map[string]json.RawMessage) {
	t.Helper()
	for _, e := range strings.Split(strings.TrimSpace(raw), "\n\n") {
		data, ok := strings.CutPrefix(e, "event: message\ndata: ")
		var m map[string]json.RawMessage
		if !ok || json.Unmarshal([]byte(data), &m) != nil {
			t.Fatalf("no event: %q", e)
		}
		all = append(all, m)
	}
	return all
}

func TestAWaitTellsOfItsProgressToWhoAsksForIt(t *testing.T) {
	for name, c := range map[string]struct {
		token, accept string
		stream        bool
	}{
		"a text":      {`"a\nb"`, "application/json, text/event-stream", true},
		"a number":    {`7`, "application/json, text/event-stream", true},
		"null":        {`null`, "application/json, text/event-stream", false},
		"an object":   {`{"a":1}`, "application/json, text/event-stream", false},
		"a long one":  {`"` + strings.Repeat("x", 300) + `"`, "application/json, text/event-stream", false},
		"a fraction":  {`1.5`, "application/json, text/event-stream", false},
		"none at all": {"", "application/json, text/event-stream", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := setUp(t, waits)
			time.AfterFunc(12*time.Second, func() { f.ended(smsmcp.Done) })
			params := sendArguments
			if c.token != "" {
				params += `,"_meta":{"progressToken":` + c.token + `}`
			}
			out := f.post(t, false, "tools/call", params, func(r *http.Request) { r.Header.Set("Accept", c.accept) })
			if !c.stream {
				if len(out.Result.Content) != 1 {
					t.Errorf("%s: %s", name, out.raw)
				}
				return
			}
			all := events(t, out.raw)
			if len(all) != 4 {
				t.Fatalf("%s: %d events: %s", name, len(all), out.raw)
			}
			last := -1.0
			for _, m := range all[:3] {
				var p struct {
					ProgressToken   json.RawMessage
					Progress, Total float64
					Message         string
				}
				if err := json.Unmarshal(m["params"], &p); err != nil || string(m["method"]) != `"notifications/progress"` || string(p.ProgressToken) != c.token ||
					p.Progress <= last || p.Total != 25 || p.Message == "" || strings.Contains(p.Message, "Élodie") {
					t.Errorf("%s: %s", name, m["params"])
				}
				last = p.Progress
			}
			if !strings.Contains(string(all[3]["result"]), "Élodie Tremblay") || string(all[3]["id"]) != "1" {
				t.Errorf("%s: %s", name, all[3]["result"])
			}
		})
	}
}

// TestProgressLeavesAtOnce: the first event is there while the tool still waits, over a real connection.
func TestProgressLeavesAtOnce(t *testing.T) {
	f := setUp(t, waits)
	srv := httptest.NewServer(f.h)
	defer srv.Close()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + sendArguments + `,"_meta":{"progressToken":1}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2025-11-25")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	first := make([]byte, len("event: message\ndata: "))
	if _, err := resp.Body.Read(first); err != nil || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(err, resp.Header)
	}
	f.ended(smsmcp.Done) // only now
	rest := make([]byte, 4096)
	n := 0
	for !strings.Contains(string(rest[:n]), `"result"`) {
		m, err := resp.Body.Read(rest[n:])
		if n += m; err != nil {
			break
		}
	}
	if !strings.Contains(string(rest[:n]), `"result"`) {
		t.Errorf("%s", rest[:n])
	}
}

// TestAWaitThatPanicsEndsNothing: the send waits, as far as anybody knows, and the model hears that.
func TestAWaitThatPanicsEndsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setUp(t, waits)
		f.door.broke = true
		out := f.post(t, true, "tools/call", sendArguments, nil)
		if len(out.Result.Content) != 1 || !strings.Contains(out.Result.Content[0].Text, "Not sent yet") || strings.Contains(out.raw, strangerWords) {
			t.Errorf("%s", out.raw)
		}
	})
}
