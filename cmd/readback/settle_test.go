package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/store/engine"
)

// TestInvariant07TheOwnerSettlesWhatNobodyKnows: a text of which the carrier's list tells nothing is refused until the owner has said what
// became of it, by the passphrase alone.
func TestInvariant07TheOwnerSettlesWhatNobodyKnows(t *testing.T) {
	h, api := realCarrier(t)
	h.setPassphrase()
	h.add("Marie", "418-555-0123")
	s := h.serve()
	inFlight(t, s, api)
	s.stop(syscall.SIGKILL)
	s = h.serve()
	pending := h.ok("pending")
	id := regexp.MustCompile(`(?m)^([a-z2-7]{10})  to Marie`).FindStringSubmatch(pending)
	if id == nil {
		t.Fatalf("pending does not show it:\n%s", pending)
	}
	for _, want := range []string{"Nothing waits", "may or may not have gone", "│ In flight.", "readback settle " + id[1] + " sent", "readback settle " + id[1] + " failed"} {
		if !strings.Contains(pending, want) {
			t.Errorf("pending lacks %q:\n%s", want, pending)
		}
	}
	if strings.Contains(pending, "waits until") {
		t.Errorf("it does not wait:\n%s", pending)
	}
	if out := h.ok("sends"); !strings.Contains(out, "readback settle ID sent") {
		t.Errorf("sends does not say how:\n%s", out)
	}
	h.refused("sent or failed", "settle", id[1], "gone")
	h.refused("something is missing: readback settle ID sent|failed", "settle", id[1])
	h.refused("no send has that number", "settle", "aaaaaaaaaa", "sent")
	h.refused("terminal", "settle", id[1], "failed")
	s.sends(t, "unknown  interrupted")
	screen, code := h.onTerminal([]string{passphrase}, "settle", id[1], "failed")
	if code != 1 || !strings.Contains(screen, "that text is on its way right now") { // for all that the log says, in a process that lives
		t.Errorf("%d %q", code, screen)
	}
	s.stop(syscall.SIGTERM)
	h.earlier(3 * time.Minute)
	s = h.serve()
	screen, code = h.onTerminal([]string{passphrase}, "settle", strings.ToUpper(id[1]), "failed")
	if code != 0 || !strings.Contains(screen, "the text to Marie did not go") || !strings.Contains(screen, "│ In flight.") {
		t.Errorf("%d %q", code, screen)
	}
	s.sends(t, "failed  owner_said")
	h.refused("what became of that text is known", "settle", id[1], "sent")
	if out := h.ok("sends"); strings.Contains(out, "settle") {
		t.Errorf("sends still asks:\n%s", out)
	}
	if out := h.ok("pending"); strings.Contains(out, "may or may not") {
		t.Errorf("pending still asks:\n%s", out)
	}
	if got := s.call("send_text", map[string]any{"to": "Marie", "body": "In flight."}); strings.Contains(got, "may already have gone") {
		t.Errorf("it is refused for good: %s", got)
	}
}

// earlier has every send in the store, which nobody holds, so much older.
func (h *home) earlier(d time.Duration) {
	h.t.Helper()
	db, err := engine.Open(h.t.Context(), filepath.Join(h.data, machine.StoreFile), func() {})
	if err != nil {
		h.t.Fatal(err)
	}
	err = db.Write(h.t.Context(), "earlier", func(t *engine.Tx) error {
		_, err := t.Exec(`UPDATE sends SET created = created - ?1, reserved = reserved - ?1 WHERE reserved > 0`, d.Milliseconds())
		return err
	})
	if err = errors.Join(err, db.Close()); err != nil {
		h.t.Fatal(err)
	}
}
