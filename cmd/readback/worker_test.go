package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"readback/cmd/readback/machine"
)

// rooms is a part of a configuration: a LiveKit server that is not there.
const rooms = noWait + "[livekit]\nurl = \"ws://127.0.0.1:1\"\nkey = \"key\"\nsecret_file = \"secret\"\n"

// withRooms writes it.
func (h *home) withRooms(more string) *home {
	h.t.Helper()
	h.hurried()
	write(h.t, h.config("readback.toml"), rooms+more)
	write(h.t, h.config("secret"), "hunter22-hunter22-hunter22-hunter22\n")
	return h
}

// TestAWorkerIsRefused where it would take nothing, or there is no store yet that it could join.
func TestAWorkerIsRefused(t *testing.T) {
	h := newHome(t)
	h.refused("there are no rooms to take calls in: set livekit.url", "worker")
	h.withRooms("dispatch = \"webhook\"\n").refused("calls come to readback serve alone", "worker")
	h.withRooms("").refused("start readback serve of this version first", "worker")
	if err := os.Remove(h.config("secret")); err != nil {
		t.Fatal(err)
	}
	h.refused("the file that livekit.secret_file names cannot be read", "serve")
	write(t, h.config("secret"), "\n")
	h.refused("the file that livekit.secret_file names is empty", "serve")
}

// TestAWorkerBesideTheServer: they share a data folder, also when the server is started again; both go on while LiveKit cannot be reached; and the worker opens no face.
func TestAWorkerBesideTheServer(t *testing.T) {
	h := newHome(t).withRooms("")
	s := h.serve()
	for _, want := range []string{"takes calls in the rooms of ws://127.0.0.1:1\n", "http://" + s.address + "/talk\n"} {
		if said := h.heard(); !strings.Contains(said, want) {
			t.Errorf("the greeting lacks %q:\n%s", want, said)
		}
	}
	s.stop(syscall.SIGTERM)
	w := h.begin("worker")
	for _, name := range []string{machine.AddressFile, "owner.sock"} {
		if _, err := os.Stat(filepath.Join(h.data, name)); err == nil {
			t.Errorf("a worker has made %s", name)
		}
	}
	if said := h.heard(); !strings.Contains(said, "takes calls in the rooms of ws://127.0.0.1:1 as the agent readback, up to 20 at once, beside the server of "+h.data) {
		t.Errorf("it says of itself: %s", said)
	}
	h.ok("contacts", "add", "Marie Tremblay", "418", "555", "0123") // with a worker alone
	s = h.serve()
	if got := s.call("send_text", map[string]any{"to": "Marie Tremblay", "body": "Are we on?"}); !strings.Contains(got, "Sent to Marie Tremblay") {
		t.Errorf("send_text: %s", got)
	}
	until(t, "the server says how LiveKit stands", func() bool {
		out, _, _ := h.run("doctor")
		return strings.Contains(out, "The LiveKit server cannot be reached")
	})
	h.refused("another Readback holds the data folder", "serve")
	s.stop(syscall.SIGTERM)
	h.refused("stop each readback worker first", "restore", filepath.Join(h.dir, "no-such-backup"))
	w.stop(syscall.SIGTERM)
	if code := w.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the worker ended with %d: %s", code, w.log.String())
	}
	for _, log := range []string{w.log.String(), s.log.String()} {
		if strings.Contains(log, "hunter22") || strings.Contains(log, "panic") || strings.Contains(log, "broke") {
			t.Errorf("%s", log)
		}
	}
}
