package gate_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/secret"
	"readback/store"
	"readback/store/restore"
	"readback/voice/gate"
)

func open(t testing.TB, file string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func realGate(s *store.Store, now func() time.Time, c secret.Cost) *gate.Gate {
	return gate.New(gate.Options{Secrets: s, None: store.ErrNoSecret, Now: now, Rand: rand.Reader, Cost: c})
}

// waits says whether the next try of a gate waits, without waiting for it.
func waits(t testing.TB, g *gate.Gate) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got, err := g.Try(ctx, "mine", pin)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(got, err)
	}
	return err != nil
}

// TestInvariant09TriesOutlastTheStore: what was tried is known when the store is opened again, whatever the clock says then.
func TestInvariant09TriesOutlastTheStore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readback.db")
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s := open(t, file)
	g := realGate(s, clock, cheap)
	if _, err := g.Try(t.Context(), "one", pin); !errors.Is(err, gate.ErrNoPIN) {
		t.Fatal(err)
	}
	if err := g.Set(t.Context(), pin); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"one", "two", "three"} {
		if got, err := g.Try(t.Context(), call, wrong); got != gate.Wrong || err != nil {
			t.Fatal(got, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	g = realGate(open(t, file), clock, cheap)
	now = now.Add(4900 * time.Millisecond)
	if !waits(t, g) {
		t.Error("a fourth try at once")
	}
	now = now.Add(-time.Hour)
	if !waits(t, g) {
		t.Error("a fourth try by a clock set back")
	}
	now = now.Add(time.Hour + 100*time.Millisecond)
	if waits(t, g) {
		t.Error("five seconds are over")
	}
}

// child is the file of the store that a process of its own tries a wrong PIN in, until it is killed.
const child = "READBACK_TEST_GATE"

// guesses has such a process make many wrong tries instead, by a clock that is fast since then.
const guesses = "READBACK_TEST_GATE_GUESSES"

func TestMain(m *testing.M) {
	if file := os.Getenv(child); file != "" && os.Getenv(guesses) != "" {
		if err := guess(file); err != nil {
			_, _ = os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	if file := os.Getenv(child); file != "" {
		s, err := store.Open(context.Background(), file)
		if err == nil {
			_, _ = os.Stdout.WriteString("trying\n")
			_, err = realGate(s, time.Now, cheap).Try(context.Background(), "one", wrong)
		}
		if err == nil {
			_, _ = os.Stdout.WriteString("answered\n")
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestInvariant09AKillTakesNoTryBack: a process is killed between a wrong try and its answer.
func TestInvariant09AKillTakesNoTryBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readback.db")
	s := open(t, file)
	if err := realGate(s, time.Now, secret.Cost{Memory: 64 << 10, Passes: 16, Lanes: 1}).Set(t.Context(), pin); err != nil { // a second or more of hashing
		t.Fatal(err)
	}
	for i, want := range []string{"1 ", "2 ", "3 "} {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), exe)
		c.Env = append(os.Environ(), child+"="+file)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "trying" {
			t.Fatalf("%q", lines.Text())
		}
		kept := ""
		for begin := time.Now(); kept == ""; {
			if time.Since(begin) > time.Minute {
				t.Fatal("no try was written down")
			}
			if b, err := s.Secret(t.Context(), "pin_tries"); err == nil && strings.HasPrefix(string(b), want) {
				kept = string(b)
			}
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if lines.Scan() {
			t.Fatalf("kill %d came too late: %q", i, lines.Text())
		}
		_ = c.Wait()
	}
	if g := realGate(s, time.Now, cheap); !waits(t, g) {
		t.Error("three tries were killed, and the fourth waits for nothing")
	}
}

// TestARestoredBackupBringsNoPINBack: one that was taken away stays away, one that was changed stays changed, and the tries are those of now.
func TestARestoredBackupBringsNoPINBack(t *testing.T) {
	for name, change := range map[string]func(g *gate.Gate) error{
		"removed": func(g *gate.Gate) error { return g.Remove(t.Context()) },
		"changed": func(g *gate.Gate) error { return g.Set(t.Context(), "902774") },
	} {
		dir := t.TempDir()
		file, backup := filepath.Join(dir, "readback.db"), filepath.Join(dir, "backup.db")
		s := open(t, file)
		g := realGate(s, time.Now, cheap)
		for _, err := range []error{g.Set(t.Context(), pin), s.Backup(t.Context(), backup), change(g), s.Close()} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := restore.Inherit(t.Context(), time.Now(), backup, file); err != nil {
			t.Fatal(err)
		}
		g = realGate(open(t, backup), time.Now, cheap)
		if got, err := g.Try(t.Context(), "mine", pin); got != gate.Wrong || (name == "removed") != errors.Is(err, gate.ErrNoPIN) {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}
