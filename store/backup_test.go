package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"readback/smsmcp"
)

func TestABackupVoidsWhatWasOpenOnce(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	begin(t, s, draft("waits", c, "one", smsmcp.Waiting, noon), noon)
	begin(t, s, draft("flies", c, "two", smsmcp.Reserved, noon), noon)
	begin(t, s, draft("sent", c, "three", smsmcp.Reserved, noon), noon)
	_, err := s.Record(t.Context(), "sent", done(noon, "1"))
	ok(t, err)
	file := filepath.Join(t.TempDir(), "copy.db")
	ok(t, s.Backup(t.Context(), file))
	info, err := os.Stat(file)
	ok(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := s.Backup(t.Context(), file); !errors.Is(err, ErrExists) {
		t.Errorf("over a file: %v", err)
	}
	if got, _ := s.Send(t.Context(), "waits"); got.State != smsmcp.Waiting {
		t.Error("the backup changed what it was made from")
	}
	r := openStore(t, file)
	for id, want := range map[smsmcp.SendID]smsmcp.SendState{"waits": smsmcp.Void, "flies": smsmcp.Unknown, "sent": smsmcp.Done} {
		if got, err := r.Send(t.Context(), id); err != nil || got.State != want {
			t.Errorf("%s is %s, want %s; %v", id, got.State, want, err)
		}
	}
	ok(t, r.Check(t.Context()))
	// From then on it is a database like any other.
	begin(t, r, draft("new", c, "four", smsmcp.Waiting, noon), noon)
	ok(t, r.Close())
	r = openStore(t, file)
	if got, err := r.Send(t.Context(), "new"); err != nil || got.State != smsmcp.Waiting {
		t.Errorf("opened again: %s, %v", got.State, err)
	}
	if b := addContact(t, r, "Paul", "+15145550102"); b.ID <= c.ID {
		t.Error("the copy gives ids again")
	}
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	s := newStore(t)
	dir := t.TempDir()
	if err := s.Backup(t.Context(), filepath.Join(dir, "none", "copy.db")); err == nil {
		t.Error("into a folder that is not there")
	}
	ok(t, s.Close())
	ok(t, os.Remove(s.file))
	ok(t, os.Mkdir(s.file, 0o700))
	if err := s.Backup(t.Context(), filepath.Join(dir, "copy.db")); err == nil {
		t.Error("of nothing")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
