package machine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The test binary is its own second process: it does what READBACK_TEST_LOCK says in the folder READBACK_TEST_FOLDER, and ends when its standard input does.
func TestMain(m *testing.M) {
	what := os.Getenv("READBACK_TEST_LOCK")
	if what == "" {
		os.Exit(m.Run())
	}
	if err := hold(what, Folder(os.Getenv("READBACK_TEST_FOLDER"))); err != nil {
		fmt.Println("refused", err)
		os.Exit(1)
	}
}

// releasing gives a lock as Lock does.
func releasing(h *Held, err error) (func(), error) {
	if err != nil {
		return nil, err
	}
	return h.Release, nil
}

func hold(what string, d Folder) error {
	switch what {
	case "join", "lock", "alone":
		release, err := map[string]func() (func(), error){
			"join": func() (func(), error) { return releasing(d.Join(context.Background())) }, "lock": d.Lock, "alone": d.LockAlone,
		}[what]()
		if err != nil {
			return err
		}
		fmt.Println("holds")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		release()
		return nil
	}
	return turns(d, what)
}

const eachTurns = 25

// turns takes a turn again and again, and writes in a file whose each was, in two halves.
func turns(d Folder, name string) error {
	one := d.OneAtATime("pin")
	fmt.Println("holds")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	for range eachTurns {
		release, err := one(context.Background())
		if err != nil {
			return err
		}
		f, err := os.OpenFile(d.Path("said"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		for range 2 {
			if _, err := f.WriteString(name + " "); err != nil {
				return err
			}
		}
		if err := f.Close(); err != nil {
			return err
		}
		release()
	}
	return nil
}

type process struct {
	cmd *exec.Cmd
	in  interface{ Close() error }
	out *bufio.Scanner
}

func begin(t *testing.T, d Folder, what string) *process {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), "READBACK_TEST_LOCK="+what, "READBACK_TEST_FOLDER="+string(d))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{c, in, bufio.NewScanner(out)}
	if !p.out.Scan() {
		t.Fatal("it said nothing")
	}
	return p
}

func (p *process) holds() bool { return p.out.Text() == "holds" }

func (p *process) end(t *testing.T, kill bool) {
	t.Helper()
	if kill {
		_ = p.cmd.Process.Kill()
	}
	_ = p.in.Close()
	for p.out.Scan() {
	}
	_ = p.cmd.Wait()
}

// TestWhoMayHoldTheFolderBesideWhom, by processes of their own; a kill lets go.
func TestWhoMayHoldTheFolderBesideWhom(t *testing.T) {
	d := Folder(t.TempDir())
	join := func() (func(), error) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*again)
		defer cancel()
		return releasing(d.Join(ctx))
	}
	none := func() (func(), error) { return d.LockWorkers(t.Context(), 0) }
	some := func() (func(), error) { return d.LockWorkers(t.Context(), 10*again) }
	for i, c := range []struct {
		there string
		want  func() (func(), error)
		err   error
	}{
		{"join", join, nil},
		{"join", d.Lock, nil}, // a server beside workers
		{"lock", join, nil},
		{"lock", d.Lock, ErrLocked},
		{"join", d.LockAlone, ErrWorkers},
		{"join", none, ErrWorkers},
		{"join", some, ErrWorkers},
		{"lock", d.LockAlone, ErrLocked},
		{"lock", none, nil}, // the server itself
		{"alone", join, ErrLocked},
		{"alone", d.Lock, ErrLocked},
		{"alone", d.LockAlone, ErrLocked},
	} {
		for _, kill := range []bool{false, true} {
			p := begin(t, d, c.there)
			if !p.holds() {
				t.Fatal(p.out.Text())
			}
			release, err := c.want()
			if !errors.Is(err, c.err) {
				t.Errorf("%d, beside %s: %v, want %v", i, c.there, err, c.err)
			}
			if err == nil {
				release()
			}
			p.end(t, kill)
			if release, err = d.LockAlone(); err != nil {
				t.Fatalf("%d: %s has ended: %v", i, c.there, err)
			}
			release()
		}
	}
}

// TestWhatIsRefusedHoldsNothing: who may not have both has neither.
func TestWhatIsRefusedHoldsNothing(t *testing.T) {
	d := Folder(t.TempDir())
	p := begin(t, d, "join")
	defer p.end(t, false)
	if _, err := d.LockAlone(); !errors.Is(err, ErrWorkers) {
		t.Fatal(err)
	}
	q := begin(t, d, "lock")
	defer q.end(t, false)
	if !q.holds() {
		t.Errorf("the folder is still held: %s", q.out.Text())
	}
}

// TestWhoJoinsWaitsForWhoWorksAlone, for a little, and not longer than it is told to.
func TestWhoJoinsWaitsForWhoWorksAlone(t *testing.T) {
	d := Folder(t.TempDir())
	p := begin(t, d, "alone")
	joined := make(chan error, 1)
	go func() {
		held, err := d.Join(context.Background())
		if err == nil {
			held.Release()
		}
		joined <- err
	}()
	p.end(t, true)
	if err := <-joined; err != nil {
		t.Error(err)
	}
	p = begin(t, d, "alone")
	defer p.end(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Join(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestAWorkingFolderIsNobodysButItsMakers: who joins, or looks whether it may have the folder, removes none that is in use.
func TestAWorkingFolderIsNobodysButItsMakers(t *testing.T) {
	d := Folder(t.TempDir())
	release, err := d.LockAlone()
	if err != nil {
		t.Fatal(err)
	}
	work, err := d.Work()
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"lock", "alone"} {
		p := begin(t, d, what)
		if p.holds() {
			t.Error(what)
		}
		p.end(t, false)
	}
	release()
	p := begin(t, d, "join")
	if _, err := os.Stat(string(work)); err != nil || !p.holds() {
		t.Error("a worker removed it")
	}
	p.end(t, false)
	if release, err = d.Lock(); err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := os.Stat(string(work)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("left behind")
	}
}

// TestProcessesTakeTurns: one at a time.
func TestProcessesTakeTurns(t *testing.T) {
	d := Folder(t.TempDir())
	var all []*process
	for _, name := range []string{"one", "two", "three"} {
		all = append(all, begin(t, d, name))
	}
	var wg sync.WaitGroup
	for _, p := range all {
		wg.Go(func() { p.end(t, false) })
	}
	wg.Wait()
	b, err := os.ReadFile(filepath.Join(string(d), "said"))
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Fields(string(b))
	if len(said) != 3*2*eachTurns {
		t.Fatalf("%d were written", len(said))
	}
	for i := 0; i < len(said); i += 2 {
		if said[i] != said[i+1] {
			t.Fatalf("two at once: %v", said)
		}
	}
}

// TestWhoHasHadATurnLetsOthersGoFirst, however quick it comes back: a guesser who calls one process again and again does not keep the owner out of another.
func TestWhoHasHadATurnLetsOthersGoFirst(t *testing.T) {
	d := Folder(t.TempDir())
	one := d.OneAtATime("pin")
	release, err := one(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan string, 2)
	turn := func(who string) {
		release, err := one(context.Background())
		if err != nil {
			t.Error(err)
			return
		}
		order <- who
		release()
	}
	var wg sync.WaitGroup
	wg.Go(func() { turn("the owner") })
	for begun := time.Now(); ; { // until it waits
		if time.Since(begun) > 30*time.Second {
			t.Fatal("who waits holds no place")
		}
		free, err := d.flock("pin.next", syscall.LOCK_EX)
		if errors.Is(err, ErrLocked) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		free.Release()
	}
	release()
	turn("the guesser")
	wg.Wait()
	if first := <-order; first != "the owner" {
		t.Error(first)
	}
}

// TestATurnIsWaitedForNoLongerThanTold, and who gives up leaves it to others.
func TestATurnIsWaitedForNoLongerThanTold(t *testing.T) {
	d := Folder(t.TempDir())
	one := d.OneAtATime("pin")
	release, err := one(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 3*again)
		if _, err := one(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
	}
	got := make(chan error, 1)
	go func() {
		release, err := one(context.Background())
		if err == nil {
			release()
		}
		got <- err
	}()
	if other, err := d.OneAtATime("voicemail")(t.Context()); err != nil { // other things wait for other turns
		t.Error(err)
	} else {
		other()
	}
	release()
	select {
	case err := <-got:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it never came")
	}
}

// TestATurnNeedsItsFile: where that cannot be had there is none.
func TestATurnNeedsItsFile(t *testing.T) {
	d := Folder(t.TempDir())
	if err := os.Mkdir(d.Path("pin.lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := d.OneAtATime("pin")(t.Context()); err == nil {
		t.Error("a folder is no lock")
	}
	if _, err := Folder(d.Path("none")).Join(t.Context()); err == nil {
		t.Error("a folder that is not there was joined")
	}
}

// TestWhoLocksWaitsForAWorkerThatEnds, such as one that finds the store unready, and no longer than it is told to.
func TestWhoLocksWaitsForAWorkerThatEnds(t *testing.T) {
	d := Folder(t.TempDir())
	p := begin(t, d, "join")
	locked := make(chan error, 1)
	go func() {
		release, err := d.LockWorkers(context.Background(), time.Minute)
		if err == nil {
			release()
		}
		locked <- err
	}()
	p.end(t, true)
	if err := <-locked; err != nil {
		t.Error(err)
	}
	p = begin(t, d, "join")
	defer p.end(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.LockWorkers(ctx, time.Minute); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestALockThatLostItsNameIsNone: two processes would hold two files of one name.
func TestALockThatLostItsNameIsNone(t *testing.T) {
	d := Folder(t.TempDir())
	for name, take := range map[string]func() (*Held, error){
		LockFile: d.Hold, WorkersFile: func() (*Held, error) { return d.Join(t.Context()) },
	} {
		for what, away := range map[string]func() error{
			"gone": func() error { return os.Remove(d.Path(name)) },
			"another's": func() error {
				return errors.Join(os.WriteFile(d.Path("new"), nil, 0o600), os.Rename(d.Path("new"), d.Path(name)))
			},
		} {
			held, err := take()
			if err != nil {
				t.Fatal(err)
			}
			if err := held.Stands(); err != nil {
				t.Error(name, what, err)
			}
			if err := away(); err != nil {
				t.Fatal(err)
			}
			if err := held.Stands(); !errors.Is(err, ErrLost) {
				t.Error(name, what, err)
			}
			held.Release()
		}
	}
}

// TestWhatIsLockedHasTheName, also where that changed hands between the open and the lock; and where it never lasts, nobody is let in.
func TestWhatIsLockedHasTheName(t *testing.T) {
	d := Folder(t.TempDir())
	defer func() { opened = nil }()
	times := 1
	opened = func() {
		if times > 0 {
			times--
			if err := os.Remove(d.Path(LockFile)); err != nil {
				t.Error(err)
			}
		}
	}
	held, err := d.Hold()
	if err != nil {
		t.Fatal(err)
	}
	if err := held.Stands(); err != nil {
		t.Error(err)
	}
	p := begin(t, d, "lock")
	if p.holds() {
		t.Error("two hold the folder")
	}
	p.end(t, false)
	held.Release()
	times = 1000
	if _, err := d.Hold(); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
}
