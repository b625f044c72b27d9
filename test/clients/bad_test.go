package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// post sends a body as it is, and gives the status and the answer.
func (s *server) post(t *testing.T, body io.Reader, length int64) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = length
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error() // the connection ended while the body was still being sent
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func (s *server) call(t *testing.T, name string, arguments any) (int, string) {
	t.Helper()
	a, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, a)
	return s.post(t, strings.NewReader(body), int64(len(body)))
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// peak is the most memory that the server's process ever held, in MiB; 0 where the system does not tell.
func (s *server) peak(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		return 0
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(b)
	if m == nil {
		t.Fatalf("no VmHWM: %s", b)
	}
	kb, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kb / 1024
}

// TestBadInput: whatever arrives, the answer is a clear error, soon, and the server's memory stays bounded.
func TestBadInput(t *testing.T) {
	s := start(t)
	before := s.peak(t)
	const large = 64 << 20
	for _, length := range []int64{large, -1} {
		if status, answer := s.post(t, io.LimitReader(spaces{}, large), length); status != 413 && status != 0 {
			t.Errorf("64 MiB: %d %s", status, answer)
		}
	}
	// A whole MiB of what costs a JSON decoder most.
	for name, body := range map[string]string{
		"brackets": strings.Repeat("[", 1<<20), "objects": strings.Repeat(`{"a":`, 200_000), "numbers": "[" + strings.Repeat("1,", 500_000) + "1]",
		"one number": strings.Repeat("9", 1<<20), "escapes": `"` + strings.Repeat(`\u0061`, 170_000) + `"`,
		"deep arguments": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_texts","arguments":` + strings.Repeat(`{"a":`, 150_000) + "1" + strings.Repeat("}", 150_000) + "}}",
		"wide arguments": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_texts","arguments":{` + strings.Repeat(`"a":{},`, 120_000) + `"b":1}}}`,
		"a long method":  `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 900_000) + `"}`,
		"a long tool":    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("m", 900_000) + `"}}`,
		"invalid UTF-8":  "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"send_text\",\"arguments\":{\"to\":\"" + contactAlias + "\",\"body\":\"caf\xe9\"}}}",
		"NUL":            "\x00", "nothing": "", "half": `{"jsonrpc":"2.0","id":1,"meth`, "two": `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`,
		"a batch": `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "version 1": `{"id":1,"method":"ping"}`,
	} {
		begin := time.Now()
		status, answer := s.post(t, strings.NewReader(body), int64(len(body)))
		if !strings.Contains(answer, `"error"`) && !strings.Contains(answer, `"isError":true`) || len(answer) > 2000 {
			t.Errorf("%s: %d %.300s", name, status, answer)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
	for name, body := range map[string]string{
		"100,000 combining marks": "a" + strings.Repeat("\u0301", 100_000), "2000 combining marks": "a" + strings.Repeat("\u0301", 2000), "NUL": "a\x00b",
		"an escape": "a\x1b[2Jb", "hidden": "a\u200bb", "reordering": "a\u202eb", "tags": "a\U000E0041b", "a carriage return": "a\rb", "blank": " \n ", "empty": "",
		"half a character": "a\ufffdb",
	} {
		status, answer := s.call(t, "send_text", map[string]string{"to": contactAlias, "body": body})
		if !strings.Contains(answer, "Refused") || len(answer) > 2000 {
			t.Errorf("%s: %d %.300s", name, status, answer)
		}
	}
	for name, to := range map[string]string{
		"the number": "+15145550101", "part of a name": "Élodie", "two names": contactName + ", Papa", "NUL": contactName + "\x00",
		"hidden": contactName + "\u200b", "a list": `["` + contactName + `"]`, "marks": strings.Repeat("\u0301", 100),
	} {
		if status, answer := s.call(t, "send_text", map[string]string{"to": to, "body": "hello " + name}); !strings.Contains(answer, "Refused") {
			t.Errorf("%s: %d %.300s", name, status, answer)
		}
	}
	if log := s.command("sends", "--json"); strings.Contains(log, `"outcome":"sent"`) {
		t.Errorf("something was sent:\n%s", log)
	}
	if status, answer := s.call(t, "find_contact", map[string]string{"word": "tremblay"}); status != 200 || !strings.Contains(answer, contactName) {
		t.Errorf("afterwards: %d %s", status, answer)
	}
	if after := s.peak(t); after-before > 128 {
		t.Errorf("memory went from %d to %d MiB", before, after)
	} else {
		t.Logf("memory at its most: %d MiB before, %d MiB after", before, after)
	}
}
