package workers

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"readback/test/testbed"
)

// TestInvariant09ACallEndsWithTheLimitsThatItBeganBy: a worker that was told to end lets its call go on, and in it a text is sent. Then the server starts with a tighter limit: the call is over.
func TestInvariant09ACallEndsWithTheLimitsThatItBeganBy(t *testing.T) {
	h := newHome(t)
	w := h.worker()
	h.program.Stop() // so that the worker has the call
	c := h.dial(0)
	if err := c.known(); err != nil {
		t.Fatal(err)
	}
	if _, now := jobs(w.Log()); len(now) != 1 {
		t.Fatal("the worker has no call")
	}
	w.Signal(syscall.SIGTERM)
	testbed.Until(t, patience, "the worker has heard that it is to end", func() bool { return strings.Contains(w.Log(), "stopping") })
	if err := c.texts("table one is free"); err != nil {
		t.Error("a call of a worker that is to end: ", err)
	}
	b, err := os.ReadFile(h.program.Config)
	if err != nil {
		t.Fatal(err)
	}
	h.program.Rewrite(string(bytes.Replace(b, []byte("per_hour = 1000"), []byte("per_hour = 3"), 1)), nil)
	h.program.Start()
	select {
	case <-w.Ended():
		if w.ExitCode() != 1 {
			t.Errorf("the worker ended with %d", w.ExitCode())
		}
	case <-time.After(patience):
		t.Error("the worker goes on by the limits of before")
	}
	if strings.Contains(w.Log(), "why=silence") {
		t.Error("the call went on until the caller had been silent for long")
	}
	testbed.Until(t, patience, "the caller is out of the room", func() bool { return over(c.person) })
}
