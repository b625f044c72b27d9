package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// waiting starts a server on which every send waits, and which takes a yes by its client.
func waiting(t *testing.T) *server {
	s := startBuilt(t, program, "[guard]\nconfirm = \"always\"\nmax_waiting = 100\nasks_per_hour = 100\npause_after_no = \"0s\"\n")
	s.mayConfirm(t, true)
	return s
}

// mayConfirm says whether a yes by the server's token counts.
func (s *server) mayConfirm(t *testing.T, may bool) {
	t.Helper()
	word := map[bool]string{true: "yes", false: "no"}[may]
	s.command("token", "may-confirm", "first", word) // as serve calls the token that it makes
}

// outcomes gives "outcome channel" of all sends, newest first.
func (s *server) outcomes(t *testing.T) (all []string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(s.command("sends", "--json")), "\n") {
		var e struct {
			Outcome string `json:"outcome"`
			By      string `json:"confirmed_by"`
		}
		if line == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, strings.TrimSpace(e.Outcome+" "+e.By))
	}
	return all
}

// TestElicitation: the official SDK's clients, of the modern era and of the older ones, have their user asked, where they declared that they can and a channel for it is there.
func TestElicitation(t *testing.T) {
	k, s := clients(t), waiting(t)
	script, err := filepath.Abs(filepath.Join("testdata", "elicit.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	can, cannot := map[string]any{"elicitation": map[string]any{}}, map[string]any{}
	accept := map[string]any{"action": "accept", "content": map[string]any{"answer": "send"}}
	dont := map[string]any{"action": "accept", "content": map[string]any{"answer": "do_not_send"}}
	decline := map[string]any{"action": "decline"}
	cancel := map[string]any{"action": "cancel"}
	n := 0
	for _, way := range []struct {
		era, transport string
		asks           bool
	}{{"modern", "http", true}, {"modern", "stdio", true}, {"legacy", "stdio", true}, {"v1", "stdio", true}, {"legacy", "http", false}} {
		for _, c := range []struct {
			name         string
			capabilities any
			answer       any
			asked        bool
			outcome      string
			says         string
		}{
			{"yes", can, accept, true, "sent elicitation", "was sent"},
			{"no", can, dont, true, "declined", "said no"},
			{"decline", can, decline, true, "declined", "said no"},
			{"cancel", can, cancel, true, "waiting", "Not sent yet"},
			{"cannot be asked", cannot, nil, false, "waiting", "Not sent yet"},
		} {
			if !way.asks && c.name != "yes" || c.name == "cannot be asked" && way.transport == "stdio" && way.era != "v1" {
				continue // the same as another
			}
			if !way.asks {
				c.asked, c.outcome, c.says = false, "waiting", "Not sent yet"
			}
			t.Run(way.era+"/"+way.transport+"/"+c.name, func(t *testing.T) {
				n++
				body := fmt.Sprintf("Message « %d » : \"ok\"\nà demain", n)
				arg, err := json.Marshal(map[string]any{
					"modules": k.modules, "era": way.era, "transport": way.transport, "url": s.url, "token": s.token, "command": s.bin, "args": []string{"mcp", "--data", s.data},
					"capabilities": c.capabilities, "answer": c.answer, "to": contactName, "body": body,
				})
				if err != nil {
					t.Fatal(err)
				}
				out, code := k.run(t, nil, script, string(arg))
				var got struct {
					Asked []struct {
						Message         string
						RequestedSchema json.RawMessage
					}
					Result result
				}
				if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
					t.Fatalf("exit %d, %v: %s", code, err, out)
				}
				if (len(got.Asked) == 1) != c.asked || len(got.Asked) > 1 {
					t.Errorf("asked %d times", len(got.Asked))
				}
				for _, a := range got.Asked {
					if line := strings.Split(a.Message, "\n"); len(line) != 7 || !strings.Contains(line[0], contactName) || line[2] != string(mustJSON(t, body)) || !strings.Contains(line[0], "+15145550101") || !strings.Contains(line[6], "1 segment (SMS)") {
						t.Errorf("what is shown: %q", a.Message)
					}
				}
				if text := only(t, got.Result, false); !strings.Contains(text, c.says) {
					t.Errorf("%s", text)
				}
				if last := s.outcomes(t)[0]; last != c.outcome {
					t.Errorf("%s, not %s", last, c.outcome)
				}
			})
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// modern calls send_text on the wire, as a client of the modern era that can be asked.
func (s *server) modern(t *testing.T, token, body, more string) string {
	t.Helper()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_text","arguments":{"to":%s,"body":%s},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}%s}}`, mustJSON(t, contactName), mustJSON(t, body), more)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token,
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "send_text",
	} {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var stateForm = regexp.MustCompile(`"requestState":"([A-Za-z0-9_-]{43})"`)

// TestInvariant05AttacksOnAnElicitation, over the wire against the running program: each is refused, and nothing leaves by it.
func TestInvariant05AttacksOnAnElicitation(t *testing.T) {
	s := waiting(t)
	other := strings.TrimSpace(s.command("token", "new", "other"))
	ask := func(body string) string {
		t.Helper()
		m := stateForm.FindStringSubmatch(s.modern(t, s.token, body, ""))
		if m == nil {
			t.Fatal("the client is not asked")
		}
		return m[1]
	}
	answer := func(state, content string) string {
		return `,"requestState":` + string(mustJSON(t, state)) + `,"inputResponses":{"owner":` + content + `}`
	}
	const accept = `{"action":"accept","content":{"answer":"send"}}`
	refused := func(name, got string) {
		t.Helper()
		if !strings.Contains(got, "belongs to no question") || !strings.Contains(got, `"isError":true`) || strings.Contains(got, "input_required") {
			t.Errorf("%s: %s", name, got)
		}
	}
	sent := func(name string, want int) {
		t.Helper()
		if n := strings.Count(strings.Join(s.outcomes(t), "\n"), "sent elicitation"); n != want {
			t.Errorf("%s: %d sent, want %d", name, n, want)
		}
	}

	refused("forged on a first call", s.modern(t, s.token, "a", `,"inputResponses":{"owner":`+accept+`}`))
	refused("forged with a state", s.modern(t, s.token, "a", answer(strings.Repeat("A", 43), accept)))
	if all := s.outcomes(t); len(all) != 0 {
		t.Errorf("a forged answer made a draft: %v", all)
	}

	state := ask("b")
	refused("altered", s.modern(t, s.token, "b", answer(state[:42]+string(state[42]^1), accept)))
	refused("another's", s.modern(t, other, "b", answer(state, accept)))
	refused("other arguments", s.modern(t, s.token, "c", answer(state, accept)))
	sent("before the answer", 0)
	if got := s.modern(t, s.token, "b", answer(state, accept)); !strings.Contains(got, "was sent") {
		t.Error(got)
	}
	refused("replayed", s.modern(t, s.token, "b", answer(state, accept)))
	sent("after the answer and its replay", 1)

	state = ask("d")
	if got := s.modern(t, s.token, "d", answer(state, `{"action":"decline","content":{"answer":"send"}}`)); !strings.Contains(got, "said no") {
		t.Error(got)
	}
	if got := s.modern(t, s.token, "d", answer(state, accept)); !strings.Contains(got, "said no") { // a no spends no question: the first answer stands
		t.Error(got)
	}
	refused("accepted once more", s.modern(t, s.token, "d", answer(state, accept)))
	sent("declined", 1)

	state = ask("e")
	s.mayConfirm(t, false)
	if got := s.modern(t, s.token, "e", answer(state, accept)); !strings.Contains(got, "did not count") || !strings.Contains(got, "Not sent yet") {
		t.Error(got)
	}
	sent("the owner took its word away", 1)
	if got := s.modern(t, s.token, "f", ""); strings.Contains(got, "input_required") {
		t.Error(got)
	}
	s.mayConfirm(t, true)

	state = ask("g")
	answers := make([]string, 10)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = s.modern(t, s.token, "g", answer(state, accept)) })
	}
	wg.Wait()
	if n := strings.Count(strings.Join(answers, "\n"), "was sent"); n != 1 {
		t.Errorf("%d of 10 answers at once counted", n)
	}
	sent("many at once", 2)
}
