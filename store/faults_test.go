package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

func TestACorruptFile(t *testing.T) {
	whole := newStore(t)
	for i := range 500 {
		storeTexts(t, whole, noon, received(fmt.Sprint(i), smsmcp.NumberPeer("+15145550101"), strings.Repeat("words ", 20), noon))
	}
	ok(t, whole.Close())
	good, err := os.ReadFile(whole.file)
	ok(t, err)
	for name, bad := range map[string][]byte{
		"not a database":    bytes.Repeat([]byte("this is no database at all. "), 1000),
		"a broken header":   append([]byte("SQLite format 4\x00"), good[16:]...),
		"cut in the middle": good[:len(good)/2],
		"a broken middle":   slicesReplace(good, len(good)/2, 40_000),
	} {
		file := filepath.Join(t.TempDir(), "bad.db")
		ok(t, os.WriteFile(file, bad, 0o600))
		s, err := Open(t.Context(), file)
		if err == nil {
			err = s.Check(t.Context())
			_ = s.Close()
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func slicesReplace(b []byte, at, n int) []byte {
	b = bytes.Clone(b)
	copy(b[at:at+n], bytes.Repeat([]byte{0xA5}, n))
	return b
}

func TestAReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, filepath.Join(dir, "there.db"))
	ok(t, s.Close())
	ok(t, os.Chmod(s.file, 0o400))
	ok(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	for _, name := range []string{"there.db", "new.db"} {
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with its changed identity
			if os.Geteuid() == 0 {
				if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
					done <- err
					return
				}
				if err := os.Chmod(dir, 0o555); err != nil {
					done <- err
					return
				}
				if _, err := unix.SetfsuidRetUid(65534); err != nil { // root may write anywhere
					done <- err
					return
				}
			}
			s, err := Open(context.Background(), filepath.Join(dir, name))
			if err == nil {
				_, err = s.AddContact(context.Background(), smsmcp.Contact{Name: "M", Numbers: []smsmcp.Number{"+15145550101"}, To: "+15145550101"},
					func([]smsmcp.Contact) error { return nil })
				_ = s.Close()
			}
			done <- err
		}()
		if err := <-done; !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestInvariant01AFullDiskSendsNothingAndLosesNothing(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	pragma := func(p string) {
		err := do(t, s, p)
		ok(t, err)
	}
	begin(t, s, draft("out", c, "hi", smsmcp.Reserved, noon), noon)
	var pages int
	ok(t, scan(t, s, "PRAGMA page_count", &pages))
	pragma(fmt.Sprintf("PRAGMA max_page_count = %d", pages+6))
	stored, err := 0, error(nil)
	for err == nil {
		batch := []smsmcp.Text{}
		for range 3 {
			batch = append(batch, received(fmt.Sprint(stored+len(batch)), smsmcp.NumberPeer("+15145550177"), strings.Repeat("w", 900), noon))
		}
		if _, err = s.StoreTexts(t.Context(), noon, batch); err == nil {
			stored += len(batch)
		}
	}
	if !errors.Is(err, ErrFull) || stored == 0 {
		t.Fatalf("%d stored, %v", stored, err)
	}
	body := strings.Repeat("b", 9000)
	x := draft("big", c, body, smsmcp.Reserved, noon)
	err = s.Begin(t.Context(), noon, smsmcp.Recipient{ID: c.ID}, needFor(body, noon), func(guard.State) smsmcp.Ruling { return smsmcp.Ruling{Insert: &x} })
	if !errors.Is(err, ErrFull) {
		t.Fatalf("begin: %v", err)
	}
	if _, err := s.Send(t.Context(), "big"); !errors.Is(err, smsmcp.ErrNoSend) {
		t.Errorf("half written: %v", err)
	}
	pragma("PRAGMA max_page_count = 100000")
	if p := page(t, s, smsmcp.Query{Strangers: true, Limit: 500}); len(p.Rows) != stored {
		t.Errorf("%d texts, %d acknowledged", len(p.Rows), stored)
	}
	if st := begin(t, s, x, noon); len(st.Log) != 1 {
		t.Errorf("the log is %+v", st.Log)
	}
	_, err = s.Record(t.Context(), "out", done(noon, "key1"))
	ok(t, err)
	ok(t, s.Check(t.Context()))
}

func TestABusyDatabase(t *testing.T) {
	s := newStore(t)
	other := openStore(t, s.file)
	err := do(t, s, "PRAGMA busy_timeout = 20")
	ok(t, err)
	err = other.write(t.Context(), "hold", func(*tx) error { return s.Thaw(t.Context()) })
	if !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	ok(t, s.Thaw(t.Context()))
}

func TestAWaitForTheWriterEndsWithItsContext(t *testing.T) {
	s := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	ok(t, s.write(t.Context(), "hold", func(*tx) error {
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := s.Thaw(ctx); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		cancel()
		wg.Wait()
		return nil
	}))
}

func TestClose(t *testing.T) {
	ok(t, (*Store)(nil).Close())
	s := newStore(t)
	addContact(t, s, "Marie", "+15145550101")
	ok(t, s.Close())
	ok(t, s.Close())
	if _, err := os.Stat(s.file + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the log was not moved into the file: %v", err)
	}
	_, err := s.Texts(t.Context(), smsmcp.Query{Limit: 1})
	_, err2 := s.Contacts(t.Context())
	for _, err := range []error{err, err2, s.Thaw(t.Context()), s.Check(t.Context())} {
		if !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
}
