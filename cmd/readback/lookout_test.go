package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"readback/cmd/readback/lookout"
	"readback/cmd/readback/machine"
	"readback/store"
)

// ends waits until a program has ended by itself, and gives its exit status.
func (s *server) ends(t *testing.T) int {
	t.Helper()
	select {
	case <-s.ended:
	case <-time.After(time.Minute):
		t.Fatalf("it does not end: %s", s.log.String())
	}
	return s.cmd.ProcessState.ExitCode()
}

// TestTwoServersNeverWorkOnOneStore for longer than it takes to see it: where the lock's file is removed, or replaced, the one that held it ends and says so; so does a worker.
func TestTwoServersNeverWorkOnOneStore(t *testing.T) {
	for what, away := range map[string]func(t *testing.T, lock string){
		"removed": func(t *testing.T, lock string) {
			t.Helper()
			if err := os.Remove(lock); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(t *testing.T, lock string) {
			t.Helper()
			write(t, lock+"2", "")
			if err := os.Rename(lock+"2", lock); err != nil {
				t.Fatal(err)
			}
		},
	} {
		h := newHome(t).withRooms("")
		s := h.serve()
		w := h.begin("worker")
		for lock, p := range map[string]*server{machine.WorkersFile: w, machine.LockFile: s} {
			away(t, filepath.Join(h.data, lock))
			if code := p.ends(t); code != 1 || !strings.Contains(p.log.String(), "a lock file of the data folder "+h.data+" was removed or replaced") {
				t.Errorf("%s, %s: it ended with %d: %s", lock, what, code, p.log.String())
			}
		}
		s = h.serve() // and it can be begun again
		s.stop(syscall.SIGTERM)
	}
}

// TestInvariant09AWorkerHasTheServersBounds, or does not work: it is refused, and one that works ends once the server has others, and has them when it is begun again.
func TestInvariant09AWorkerHasTheServersBounds(t *testing.T) {
	h := newHome(t).withRooms("")
	h.ok("contacts", "add", "Marie", "418-555-0123") // a store, and no server yet
	h.refused("start readback serve of this version first", "worker")
	s := h.serve()
	w := h.begin("worker")
	write(t, h.config("readback.toml"), rooms+"[guard]\nper_hour = 3\n")
	h.refused("does not have the configuration of readback serve on the data folder", "worker")
	s.stop(syscall.SIGTERM)
	s = h.serve()
	if code := w.ends(t); code != 1 || !strings.Contains(w.log.String(), "does not have the configuration of readback serve on the data folder") {
		t.Errorf("it ended with %d: %s", code, w.log.String())
	}
	w = h.begin("worker")
	s.stop(syscall.SIGTERM)
	s = h.serve() // with the same as before
	s.stop(syscall.SIGTERM)
	w.stop(syscall.SIGTERM)
	if code := w.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %d: %s", code, w.log.String())
	}
	st, err := store.Open(t.Context(), filepath.Join(h.data, machine.StoreFile))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	if said, err := st.Secret(t.Context(), lookout.Name); err != nil || len(said) != 32 {
		t.Errorf("%d bytes, %v", len(said), err)
	}
}

// TestAServerWaitsForAWorkerThatCannotWork with the store as it is: it ends in a moment, and nobody is told to stop it.
func TestAServerWaitsForAWorkerThatCannotWork(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(h.data, 0o700); err != nil {
		t.Fatal(err)
	}
	held, err := machine.Folder(h.data).Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.refused("stop each readback worker", "serve", "--listen", "127.0.0.1:0")
	p := &program{environ: h.environ, err: os.Stderr}
	if err := p.load(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, held.Release) // if it is earlier than the look, there was nothing to wait for
	a, err := p.open(t.Context(), p.log(slog.LevelError))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestDoctorLooksAtTheRightsOfEveryLock.
func TestDoctorLooksAtTheRightsOfEveryLock(t *testing.T) {
	h := newHome(t)
	h.ok("contacts", "add", "Marie", "418-555-0123")
	for _, name := range []string{machine.StoreFile, machine.LockFile, machine.WorkersFile} {
		file := filepath.Join(h.data, name)
		if err := os.Chmod(file, 0o644); err != nil { //nolint:gosec // that is what is looked for
			t.Fatal(err)
		}
		if out, _, _ := h.run("doctor"); !strings.Contains(out, file) {
			t.Errorf("%s:\n%s", name, out)
		}
		if err := os.Chmod(file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
