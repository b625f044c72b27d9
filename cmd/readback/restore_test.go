package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"readback/cmd/readback/machine"
	"readback/store"
)

// kept gives the stores that were there before a restore.
func (h *home) kept() []string {
	h.t.Helper()
	all, err := filepath.Glob(filepath.Join(h.data, "readback-*.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

// TestRestoreAfterAKill: the log of a server that was killed belongs to the store that was there, and must not get into the backup.
func TestRestoreAfterAKill(t *testing.T) {
	h := newHome(t).hurried()
	s := h.serve()
	h.ok("contacts", "add", "Marie", "418-555-0123")
	h.ok("sandbox", "receive", "--from", "+15145550145", "Before the backup")
	s.call("read_texts", map[string]any{"strangers": true})
	s.call("send_text", map[string]any{"to": "Marie", "body": "Waiting."})
	copied := filepath.Join(h.dir, "copy.db")
	if out := h.ok("backup", "copy.db"); !strings.Contains(out, "readback restore FILE") {
		t.Errorf("backup: %s", out)
	}
	h.refused("stop it first", "restore", copied)
	h.ok("contacts", "add", "Alex", "514-555-0146")
	for range 20 {
		h.ok("sandbox", "receive", "--from", "+15145550145", "After the backup "+strings.Repeat("x", 2000))
	}
	s.stop(syscall.SIGKILL)
	wal, err := os.Stat(filepath.Join(h.data, machine.StoreFile+"-wal"))
	if err != nil || wal.Size() < 20_000 {
		t.Fatalf("the kill left no log to get wrong: %v %v", wal, err)
	}
	// The file is checked before anything is touched.
	empty, foreign, cut := filepath.Join(h.dir, "empty.db"), filepath.Join(h.dir, "foreign.db"), filepath.Join(h.dir, "cut.db")
	b, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	write(t, empty, "")
	write(t, foreign, strings.Replace(string(b), "Read", "Rind", 1))
	write(t, cut, string(b[:len(b)/2]))
	newer := bytes.Clone(b)
	newer[60] = 0x7f
	write(t, filepath.Join(h.dir, "newer.db"), string(newer))
	h.refused("no store of Readback", "restore", empty)
	h.refused("no store of Readback", "restore", foreign)
	h.refused("is damaged", "restore", cut)
	h.refused("newer version", "restore", filepath.Join(h.dir, "newer.db"))
	h.refused("no such file", "restore", filepath.Join(h.dir, "nowhere.db"))
	h.refused("the store itself", "restore", filepath.Join(h.data, machine.StoreFile))
	h.refused("a folder", "restore", h.dir)
	h.refused("no regular file", "restore", "/dev/zero")
	if err := syscall.Mkfifo(filepath.Join(h.dir, "pipe.db"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.refused("no regular file", "restore", filepath.Join(h.dir, "pipe.db"))
	var disk unix.Statfs_t
	if err := unix.Statfs(h.dir, &disk); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(h.dir, "big.db"), string(b))
	if os.Truncate(filepath.Join(h.dir, "big.db"), int64(disk.Bavail)*disk.Bsize+1<<30) == nil { // where the disk has such sparse files
		h.refused("too little room", "restore", filepath.Join(h.dir, "big.db"))
	}
	if len(h.kept()) != 0 {
		t.Errorf("a refused restore moved the store: %v", h.kept())
	}

	out := h.ok("restore", "copy.db")
	for _, want := range []string{"is now the one of copy.db", "frozen until readback thaw", "is kept as", "There is no passphrase", "1 contact is not as before"} {
		if !strings.Contains(out, want) {
			t.Errorf("restore does not say %q: %s", want, out)
		}
	}
	for _, end := range machine.Beside {
		if _, err := os.Stat(filepath.Join(h.data, machine.StoreFile+end)); err == nil {
			t.Errorf("the old %s is still there", end)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(h.data, ".restore-*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if after, err := os.ReadFile(copied); err != nil || !bytes.Equal(after, b) {
		t.Error("the backup itself was changed")
	}
	s = h.serve()
	if out := h.ok("doctor"); !strings.Contains(out, "restored") {
		t.Errorf("doctor: %s", out)
	}
	if out := h.ok("contacts", "list"); !strings.Contains(out, "Marie") || strings.Contains(out, "Alex") {
		t.Errorf("contacts: %s", out)
	}
	if got := s.call("send_text", map[string]any{"to": "Marie", "body": "Now?"}); !strings.Contains(got, "frozen") {
		t.Errorf("sends are not frozen: %s", got)
	}
	if !strings.Contains(h.ok("pending"), "Nothing waits") {
		t.Error("what waited in the backup still waits")
	}
	s.stop(syscall.SIGTERM)

	// And back: the store that was there was kept whole, with what its log held.
	kept := h.kept()
	if len(kept) != 1 {
		t.Fatalf("kept: %v", kept)
	}
	h.ok("restore", kept[0])
	if out := h.ok("pending"); !strings.Contains(out, "a backup was restored") { // though it was never marked as a backup
		t.Errorf("what was kept is not frozen: %s", out)
	}
	if out := h.ok("contacts", "list"); !strings.Contains(out, "Alex") {
		t.Errorf("what was kept is not whole: %s", out)
	}
}

func TestRestoreOverADamagedStoreAndIntoNothing(t *testing.T) {
	h := newHome(t)
	h.setPassphrase()
	h.refused("terminal", "backup", "copy.db")
	if screen, code := h.onTerminal([]string{passphrase}, "backup", "copy.db"); code != 0 {
		t.Fatal(screen)
	}
	// The store that is there asks for its passphrase.
	h.refused("terminal", "restore", "copy.db")
	if screen, code := h.onTerminal([]string{"not the passphrase"}, "restore", "copy.db"); code != 1 || !strings.Contains(screen, "nothing was done") || len(h.kept()) != 0 {
		t.Errorf("%d %s %v", code, screen, h.kept())
	}
	if screen, code := h.onTerminal([]string{passphrase}, "restore", "copy.db"); code != 0 || len(h.kept()) != 1 {
		t.Errorf("%d %s %v", code, screen, h.kept())
	}
	// One that cannot be read asks for nothing, and is kept with its log all the same.
	file := filepath.Join(h.data, machine.StoreFile)
	for _, old := range h.kept() {
		_ = os.Remove(old)
	}
	write(t, file, "no database "+strings.Repeat("x", 8192))
	h.refused("readback restore FILE", "contacts", "list")
	write(t, file+"-wal", "its log")
	h.ok("restore", "copy.db")
	if _, err := os.Stat(file + "-wal"); err == nil {
		t.Error("the log of the store that was there lies beside the backup")
	}
	if kept := h.kept(); len(kept) != 1 {
		t.Errorf("kept: %v", kept)
	} else if b, err := os.ReadFile(kept[0] + "-wal"); err != nil || string(b) != "its log" {
		t.Errorf("its log: %q %v", b, err)
	}
	h.refused("terminal", "thaw") // the backup has its passphrase
	fresh := newHome(t)
	s, err := store.Open(t.Context(), filepath.Join(h.dir, "copy.db"))
	if err == nil {
		err = errors.Join(s.SetSecret(t.Context(), "passkeys", []byte("of then")), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(fresh.dir, "copy.db"), read(t, filepath.Join(h.dir, "copy.db")))
	if out := fresh.ok("restore", "copy.db"); strings.Contains(out, "kept as") || !strings.Contains(out, "had when the backup was made") || !strings.Contains(out, "those of the backup are gone") {
		t.Errorf("into nothing: %s", out)
	}
	fresh.refused("terminal", "thaw")
}

// TestRestoreGivesBackNoAccess: a token that was revoked after the backup stays so, and the passphrase that was set since holds.
func TestRestoreGivesBackNoAccess(t *testing.T) {
	h := newHome(t)
	s := h.serve()
	old := s.token()
	both := strings.TrimSpace(h.ok("token", "new", "both"))
	h.ok("contacts", "add", "Bob Ex", "438-555-0102")
	h.ok("backup", "copy.db")
	h.ok("token", "revoke", "first")
	h.ok("contacts", "remove", "Bob Ex")
	h.ok("contacts", "add", "Marie", "418-555-0123")
	since := strings.TrimSpace(h.ok("token", "new", "since"))
	h.setPassphrase()
	s.stop(syscall.SIGTERM)
	store := filepath.Join(h.data, machine.StoreFile)
	unread := read(t, store)
	screen, code := h.onTerminal([]string{passphrase}, "restore", "copy.db")
	for _, want := range []string{
		"passphrase is the one that you had before", "1 token of the backup is revoked", "1 token that worked is not in the backup",
		"2 contacts are not as before", "frozen until readback thaw",
	} {
		if code != 0 || !strings.Contains(screen, want) {
			t.Errorf("%d: not %q: %s", code, want, screen)
		}
	}
	h.refused("terminal", "thaw")
	ask := func(want map[string]int) {
		t.Helper()
		s := h.serve()
		for token, status := range want {
			if got := s.status("POST", "/mcp", token, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)); (got == 401) != (status == 401) {
				t.Errorf("status %d, want %d", got, status)
			}
		}
		s.stop(syscall.SIGTERM)
	}
	ask(map[string]int{old: 401, since: 401, both: 200})

	// One that cannot be read tells of no token that it works.
	write(t, store, "no database "+unread)
	h.environ = append(h.environ, "READBACK_LANGUAGE=fr")
	if out := h.ok("restore", "copy.db"); !strings.Contains(out, "tous ceux de la sauvegarde (2) sont donc révoqués") || strings.Contains(out, "contacts list") {
		t.Errorf("%s", out)
	}
	h.environ = h.environ[:len(h.environ)-1]
	ask(map[string]int{old: 401, since: 401, both: 401})
}

// TestRestoreTakesNoOtherSchema: what a backup holds but a store's own tables and indexes would run inside the server's transactions.
func TestRestoreTakesNoOtherSchema(t *testing.T) {
	h := newHome(t)
	h.ok("contacts", "add", "Marie", "418-555-0123")
	h.ok("backup", "copy.db")
	file := filepath.Join(h.dir, "copy.db")
	b := read(t, file)
	const index = "CREATE INDEX shown_at ON shown"
	if !strings.Contains(b, index+" (at)") {
		t.Fatal("no such index to replace")
	}
	write(t, file, strings.ReplaceAll(b, index+" (at)", index+"(-at)"))
	h.refused("no backup of Readback has", "restore", file)
	if len(h.kept()) != 0 {
		t.Error("the store was moved")
	}
}

// TestRestoreLeavesNothingBehind: what a restore left that was killed is gone with the next command, and no second name of the store stays.
func TestRestoreLeavesNothingBehind(t *testing.T) {
	h := newHome(t)
	h.ok("contacts", "add", "Marie", "418-555-0123")
	h.ok("backup", "copy.db")
	left := filepath.Join(h.data, ".restore-1")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(left, "first.db"), "x")
	before, err := os.Stat(filepath.Join(h.data, machine.StoreFile))
	if err != nil {
		t.Fatal(err)
	}
	h.ok("restore", "copy.db")
	if _, err := os.Stat(left); err == nil {
		t.Error("it is still there")
	}
	for _, name := range h.kept() {
		if info, err := os.Stat(name); err != nil || os.SameFile(info, before) {
			t.Errorf("%s is the store itself: %v", name, err)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestARestoreUnderWorkersIsRefused: they have the store open that it would replace, and go on in a file that nobody has any more.
func TestARestoreUnderWorkersIsRefused(t *testing.T) {
	h := newHome(t)
	h.ok("contacts", "add", "Marie", "418-555-0123")
	h.ok("backup", "copy.db")
	d := machine.Folder(h.data)
	leave, err := d.Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.ok("contacts", "add", "Alex", "514-555-0146") // all else goes on beside them
	h.refused("stop each readback worker first", "restore", "copy.db")
	if len(h.kept()) != 0 {
		t.Errorf("a refused restore moved the store: %v", h.kept())
	}
	leave.Release()
	h.ok("restore", "copy.db")
	if old, err := store.Outdated(t.Context(), d.Path(machine.StoreFile)); !old || err != nil { // nobody joins it before a server has ended what was open in it
		t.Error(old, err)
	}
}
