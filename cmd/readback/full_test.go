package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"readback/cmd/readback/machine"
)

// TestAFullDisk runs the program on a disk of 4 MiB of its own and fills it: a send is refused with a sentence, or is known to be unknown, but what the
// carrier got is in the log, and with room again all goes on. Where no disk can be mounted, package store's test of the same stands alone.
func TestAFullDisk(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(h.data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", h.data, "tmpfs", 0, "size=4m,mode=0700"); err != nil {
		t.Logf("no disk of its own: %v", err)
		return
	}
	t.Cleanup(func() { _ = syscall.Unmount(h.data, syscall.MNT_DETACH) })
	config := filepath.Join(h.dir, "c.toml")
	write(t, config, "[guard]\nconfirm = \"never\"\n")
	s := h.serve("--config", config)
	h.ok("contacts", "add", "Marie Tremblay", "418-555-0123")
	send := func(i int) string {
		return s.call("send_text", map[string]any{"to": "Marie Tremblay", "body": fmt.Sprintf("text %d", i)})
	}
	if got := send(0); !strings.HasPrefix(got, "Sent to") {
		t.Fatal(got)
	}
	fill(t, filepath.Join(h.data, "filler"))
	full := ""
	for i := 1; i < 20 && full == ""; i++ {
		if got := send(i); !strings.HasPrefix(got, "Sent to") {
			full = got
		}
	}
	if !strings.Contains(full, "readback doctor") && !strings.HasPrefix(full, "Unknown") {
		t.Errorf("on a full disk the model hears %q", full)
	}
	if got := s.call("find_contact", map[string]any{"word": "Marie"}); !strings.Contains(got, "Marie Tremblay") {
		t.Errorf("on a full disk a look-up says %q", got)
	}
	if err := os.Remove(filepath.Join(h.data, "filler")); err != nil {
		t.Fatal(err)
	}
	if got := send(100); !strings.HasPrefix(got, "Sent to") {
		t.Errorf("with room again: %q", got)
	}
	s.stop(syscall.SIGTERM)
	kept, err := os.ReadFile(filepath.Join(h.data, machine.SandboxFile))
	if err != nil {
		t.Fatal(err)
	}
	carried := strings.Count(string(kept), `"text `)
	logged := strings.Count(h.ok("sends"), " sent ") + strings.Count(h.ok("sends"), "unknown")
	if carried == 0 || carried > logged {
		t.Errorf("the carrier got %d texts, the log knows %d", carried, logged)
	}
}

// fill takes all the room that is left.
func fill(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
