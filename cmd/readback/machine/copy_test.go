package machine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOnlyRegularFilesAreCopied(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "to")
	for from, want := range map[string]error{
		pipe: ErrIrregular, "/dev/zero": ErrIrregular, dir: syscall.EISDIR, filepath.Join(dir, "none"): fs.ErrNotExist,
	} {
		if err := CopyFile(from, to); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", from, err, want)
		}
	}
	if IsStore(pipe) || IsStore("/dev/zero") {
		t.Error("no store")
	}
	if _, err := os.Lstat(to); err == nil {
		t.Error("something was made")
	}
}

func TestACopyThatCannotFitIsNotBegun(t *testing.T) {
	dir := t.TempDir()
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		t.Fatal(err)
	}
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, int64(disk.Bavail)*disk.Bsize+1<<30); err != nil {
		t.Skip("this disk has no sparse file of that size: ", err)
	}
	err := CopyFile(big, filepath.Join(dir, "to"))
	if full := (NoRoom{}); !errors.As(err, &full) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "to")); err == nil {
		t.Error("it was begun")
	}
}

func TestWhatIsKeptIsAFileOfItsOwn(t *testing.T) {
	d := Folder(t.TempDir())
	for _, end := range []string{"", "-wal"} {
		if err := os.WriteFile(d.Path(StoreFile)+end, []byte("store"+end), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	release, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	work, err := d.Work()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := d.Keep(work, "kept", ".db")
	if err != nil || kept != d.Path("kept.db") {
		t.Fatal(kept, err)
	}
	if again, err := d.Keep(work, "kept", ".db"); err != nil || again != d.Path("kept+.db") {
		t.Error(again, err)
	}
	if err := os.WriteFile(d.Path(StoreFile), []byte("written since"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal"} {
		if b, err := os.ReadFile(kept + end); err != nil || string(b) != "store"+end {
			t.Errorf("%q %v", b, err)
		}
	}
	// Who holds the lock next removes what this one leaves, and nobody else does.
	if _, err := d.Lock(); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	if _, err := os.Stat(string(work)); err != nil {
		t.Error("taken away under its user")
	}
	release()
	if release, err = d.Lock(); err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := os.Stat(string(work)); err == nil {
		t.Error("left behind")
	}
}
