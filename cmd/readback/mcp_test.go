package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"readback/cmd/readback/machine"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"

func (h *home) mcp(in string, args ...string) string {
	h.t.Helper()
	c := h.command(append([]string{"mcp"}, args...)...)
	c.Stdin = strings.NewReader(in)
	out, err := c.CombinedOutput()
	if err != nil {
		h.t.Errorf("mcp: %v", err)
	}
	h.hear(string(out))
	return string(out)
}

func TestMCPRelays(t *testing.T) {
	h := newHome(t)
	s := h.serve()
	const find = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_contact","arguments":{"word":"Marie"}}}` + "\n"
	if out := h.mcp(find); !strings.Contains(out, `"id":1`) || !strings.Contains(out, `"content"`) {
		t.Error(out)
	}
	// Another user's client has the address and a token of its own, and cannot look into the data folder.
	other := newHome(t)
	write(t, filepath.Join(other.dir, "its.token"), s.token())
	if out := other.mcp(find, "--url", "http://"+s.address+"/mcp", "--token-file", "its.token"); !strings.Contains(out, `"content"`) {
		t.Error(out)
	}
	if out := other.mcp(find, "--token-file", "its.token"); !strings.Contains(out, "not running") {
		t.Error(out)
	}
	for _, bad := range []string{"http://192.0.2.1/mcp", "ftp://127.0.0.1/mcp", "127.0.0.1:8787", "http://me:secret@127.0.0.1/mcp"} {
		other.refused("--url", "mcp", "--url", bad)
	}
	if strings.Contains(other.heard(), "secret") {
		t.Error("a password in a URL was printed")
	}
}

// TestInvariant11TheTokenGoesToTheServerAlone: a server was killed, and somebody else listens on its port now. What it left in its folder says
// where; the token must not go there, nor while a command holds the folder.
func TestInvariant11TheTokenGoesToTheServerAlone(t *testing.T) {
	h := newHome(t)
	s := h.serve()
	s.stop(syscall.SIGKILL)
	if _, err := os.Stat(filepath.Join(h.data, machine.AddressFile)); err != nil {
		t.Fatalf("the kill left no address to be wrong: %v", err)
	}
	l, err := net.Listen("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 10)
	impostor := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("Authorization")
	})}}
	impostor.Start()
	defer impostor.Close()
	if out := h.mcp(ping); !strings.Contains(out, "not running") {
		t.Error(out)
	}
	release, err := machine.Folder(h.data).Lock()
	if err != nil {
		t.Fatal(err)
	}
	if out := h.mcp(ping); !strings.Contains(out, "not running") {
		t.Error(out)
	}
	release()
	select {
	case got := <-asked:
		t.Errorf("the impostor was shown %q", got)
	default:
	}
	// A server that runs elsewhere meanwhile is found.
	h.serve()
	if out := h.mcp(ping); !strings.Contains(out, `"result"`) {
		t.Error(out)
	}
}
