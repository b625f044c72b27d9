package ntfy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/store"
	"readback/test/testbed"
)

// The test binary is its own second process: a bridge on a store, that is killed when ntfy has the third text and the store has no mark of it.
// Or a process that stores a text beside a bridge: see beside.
func TestMain(m *testing.M) {
	if file := os.Getenv(besideFile); file != "" {
		if err := beside(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv("READBACK_NTFY_CHILD") == "" {
		os.Exit(m.Run())
	}
	if err := dieAtTheMark(os.Getenv("READBACK_NTFY_FILE"), os.Getenv("READBACK_NTFY_URL"), os.Getenv("READBACK_NTFY_TOKEN")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func dieAtTheMark(file, url, token string) error {
	s, err := store.Open(context.Background(), file)
	if err != nil {
		return err
	}
	c, err := NewClient(Config{URL: url, Topic: "texts", Token: func() (string, error) { return token, nil }})
	if err != nil {
		return err
	}
	New(Options{Store: &deadly{Store: s}, Client: c, Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2))}).Run(context.Background())
	return errors.New("it lives")
}

type deadly struct {
	Store
	marks int
}

func (d *deadly) Told(ctx context.Context, now time.Time, id smsmcp.TextID) error {
	if d.marks++; d.marks == 3 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	return d.Store.Told(ctx, now, id)
}

// TestInvariant08ACrashBeforeTheMarkTellsOneTextTwiceAtMost, both times with one sequence id.
func TestInvariant08ACrashBeforeTheMarkTellsOneTextTwiceAtMost(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	file := filepath.Join(t.TempDir(), "readback.db")
	s := newStore(t, file)
	for n := 1; n <= 10; n++ {
		add(t, s, time.Now(), text(fmt.Sprint(n), number(n%2), fmt.Sprint("text ", n), time.Now()))
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "READBACK_NTFY_CHILD=1", "READBACK_NTFY_FILE="+file, "READBACK_NTFY_URL="+bed.NtfyURL, "READBACK_NTFY_TOKEN="+bed.NtfyToken)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("%v %s", err, out)
	}
	run(t, realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, s, Options{}))
	if again := told(t, afterAll(t, s, bed.NtfyURL, "texts", bed.NtfyToken), 10); again != 1 {
		t.Errorf("%d told again", again)
	}
}
