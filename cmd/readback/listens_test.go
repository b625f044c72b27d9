package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestAWorkerListensNowhere: nobody reaches it but by a room.
func TestAWorkerListensNowhere(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says on what a process listens")
	}
	h := newHome(t).withRooms("")
	s := h.serve()
	if got := listens(t, s.cmd.Process.Pid); len(got) != 2 {
		t.Errorf("a server listens for clients and for its owner: %v", got)
	}
	w := h.begin("worker")
	until(t, "it looks for the LiveKit server", func() bool { return strings.Contains(w.log.String(), "no connection to the LiveKit server") })
	if got := listens(t, w.cmd.Process.Pid); len(got) != 0 {
		t.Errorf("a worker listens: %v", got)
	}
	w.stop(syscall.SIGTERM)
	s.stop(syscall.SIGTERM)
}

// listens gives the sockets on which a process takes connections, as Linux has them.
func listens(t *testing.T, pid int) (out []string) {
	t.Helper()
	proc := fmt.Sprintf("/proc/%d", pid)
	fds, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		t.Fatal(err)
	}
	mine := map[string]bool{}
	for _, fd := range fds {
		to, _ := os.Readlink(filepath.Join(proc, "fd", fd.Name())) // one may be closed meanwhile
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			mine[strings.TrimSuffix(inode, "]")] = true
		}
	}
	for table, at := range map[string]struct {
		state, inode int
		listening    string
	}{"tcp": {3, 9, "0A"}, "tcp6": {3, 9, "0A"}, "unix": {3, 6, "00010000"}} {
		b, err := os.ReadFile(filepath.Join(proc, "net", table)) //nolint:gosec // of a process that the test started
		if os.IsNotExist(err) {
			continue // a machine without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(b), "\n") {
			if f := strings.Fields(line); len(f) > at.inode && f[at.state] == at.listening && mine[f[at.inode]] {
				out = append(out, table+" "+f[1])
			}
		}
	}
	return out
}
