package clients

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

type result struct {
	Content []struct {
		Type, Text string
	}
	IsError           bool
	StructuredContent json.RawMessage
}

func (k kit) inspect(t *testing.T, s *server, token string, args ...string) (string, int) {
	t.Helper()
	script := filepath.Join(k.modules, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	return k.run(t, nil, append([]string{script, "--cli", s.url, "--header", "Authorization: Bearer " + token}, args...)...)
}

func TestInspector(t *testing.T) {
	k, s := clients(t), start(t)
	out, code := k.inspect(t, s, s.token, "--method", "tools/list")
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	var names []string
	for _, tl := range list.Tools {
		names = append(names, tl.Name)
	}
	if got := strings.Join(names, " "); got != "cancel_send check_send find_contact read_texts send_text" {
		t.Fatal(got)
	}
	call := func(want string, bad bool, args ...string) string {
		t.Helper()
		out, _ := k.inspect(t, s, s.token, append([]string{"--method", "tools/call", "--tool-name"}, args...)...)
		var r result
		if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Content) != 1 || r.Content[0].Type != "text" || r.StructuredContent != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		if !strings.Contains(r.Content[0].Text, want) || r.IsError != bad {
			t.Fatalf("%v: %s", args, out)
		}
		return r.Content[0].Text
	}
	// The sender closes no quote: the marks in the body became plain ones, and the only « and » are the frame's.
	call(`received from `+contactName, false, "read_texts", "--tool-arg", "days=2", "--tool-arg", "limit=10")
	call(contactName, false, "find_contact", "--tool-arg", "word=tremblay")
	sent := call(`Sent to `+contactName+`: "À 18 h !"`, false, "send_text", "--tool-arg", "to="+contactAlias, "--tool-arg", "body=À 18 h !")
	id := sent[strings.Index(sent, "(send ")+6:][:10]
	call("was sent", false, "check_send", "--tool-arg", "id="+id)
	call("can no longer be cancelled", false, "cancel_send", "--tool-arg", "id="+id)
	call("Refused", true, "send_text", "--tool-arg", "to=+15145550101", "--tool-arg", "body=x")
	call("Refused", true, "send_text", "--tool-arg", "to=Elodie", "--tool-arg", "body=x")
	call("from 1 to 500", true, "read_texts", "--tool-arg", "limit=501")

	if out, code := k.inspect(t, s, "rb_aaaaaaaa_"+strings.Repeat("a", 52), "--method", "tools/list"); code == 0 {
		t.Fatalf("a token of nobody lists tools: %s", out)
	}
	if log := s.command("sends"); !strings.Contains(log, contactName) {
		t.Fatalf("the audit does not show the send:\n%s", log)
	}
}
