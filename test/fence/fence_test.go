// Package fence shows that the limits hold where it is hard to hold them: many goroutines in two processes on one store, and a process that
// is killed at any point, two hundred times (invariants 1, 7 and 9). The programs under fire are this test's own binary, started
// again as a child with the real store, door, inbox and sandbox.
package fence

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/inbox"
	"readback/store"
	"readback/voip/sandbox"
)

const perHour, unconfirmed = 30, 6

// order is what a child is told to do, in its environment.
type order struct {
	Do      string // "fire", "serve" or "work"
	Dir     string
	Confirm string
	Name    string        // begins every body, so that no two children send the same
	Ahead   time.Duration // of the child's clock
	Beside  bool          // another process has the store open: it is joined
	Stop    string        // of "work": where it waits to be told to go on, "before" or "after" the carrier has the text
}

const orderVariable = "READBACK_TEST_FENCE"

func TestMain(m *testing.M) {
	told := os.Getenv(orderVariable)
	if told == "" {
		os.Exit(m.Run())
	}
	var o order
	err := json.Unmarshal([]byte(told), &o)
	if err == nil {
		err = map[string]func(context.Context, order) error{"fire": fire, "serve": serve, "work": work}[o.Do](context.Background(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// program is what runs on one data folder.
type program struct {
	store   *store.Store
	carrier *sandbox.Carrier
	door    *dispatch.Door
	box     *inbox.Box
	now     func() time.Time
}

func start(ctx context.Context, o order) (*program, error) {
	p := &program{now: func() time.Time { return time.Now().Add(o.Ahead) }}
	var err error
	open := store.Open
	if o.Beside {
		open = store.Join
	}
	if p.store, err = open(ctx, filepath.Join(o.Dir, "readback.db")); err != nil {
		return nil, err
	}
	if p.carrier, err = sandbox.Open(filepath.Join(o.Dir, "sandbox"), p.now); err != nil {
		return nil, err
	}
	p.door = dispatch.New(dispatch.Options{
		Carrier: p.carrier, Ledger: p.store, Now: p.now, Timeout: 10 * time.Second, Tell: func(smsmcp.Send) {},
		Reachable: func(bool) bool { return true },
		Guard: guard.Settings{
			Confirm: o.Confirm, PerHour: perHour, PerDay: 1_000_000, UnconfirmedPerHour: unconfirmed, UnconfirmedPerDay: 1_000_000,
			Duplicate: 2 * time.Minute, FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8,
			NewHosts: true, Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 6, PauseAfterNo: 30 * time.Minute,
		},
	})
	p.box = inbox.New(inbox.Options{
		Store: p.store, Name: p.carrier.Name(), Carrier: p.carrier, Now: p.now, Rand: rand.New(rand.NewPCG(1, 1)), Hold: time.Hour, Alarm: time.Hour,
	})
	return p, nil
}

func (p *program) close() error {
	err := p.door.Close(context.Background())
	if e := p.store.Close(); err == nil {
		err = e
	}
	if e := p.carrier.Close(); err == nil {
		err = e
	}
	return err
}

var people = []string{"Anna", "Bruno", "Chloé", "David", "Emma", "Félix", "Gaston", "Hélène", "Inès", "Jules"}

// newFolder makes a data folder with contacts.
func newFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	p, err := start(t.Context(), order{Dir: dir})
	must(t, err)
	for i, name := range people {
		c, err := contacts.New(name, nil, []string{fmt.Sprintf("514555%04d", 100+i)}, "CA")
		must(t, err)
		_, err = p.store.AddContact(t.Context(), c, func(all []smsmcp.Contact) error { return contacts.Fits(all, c) })
		must(t, err)
	}
	must(t, p.close())
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// child is a program in its own process.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	errors bytes.Buffer
}

func spawn(t *testing.T, o order) *child {
	t.Helper()
	told, err := json.Marshal(o)
	must(t, err)
	c := &child{cmd: exec.CommandContext(t.Context(), os.Args[0])}
	c.cmd.Env = append(os.Environ(), orderVariable+"="+string(told))
	c.cmd.Stderr = &c.errors
	c.in, err = c.cmd.StdinPipe()
	must(t, err)
	out, err := c.cmd.StdoutPipe()
	must(t, err)
	c.out = bufio.NewScanner(out)
	must(t, c.cmd.Start())
	return c
}

// hear waits for a line that begins with a word, and gives the rest of it.
func (c *child) hear(t *testing.T, word string) string {
	t.Helper()
	for c.out.Scan() {
		if rest, ok := strings.CutPrefix(c.out.Text(), word); ok {
			return strings.TrimSpace(rest)
		}
	}
	err := c.cmd.Wait()
	t.Fatalf("the child ended before it said %q: %v %s", word, err, c.errors.String())
	return ""
}

// finish lets a child end by itself.
func (c *child) finish(t *testing.T) {
	t.Helper()
	_ = c.in.Close()
	for c.out.Scan() { // until it has closed its end
	}
	if err := c.cmd.Wait(); err != nil {
		t.Fatalf("%v %s", err, c.errors.String())
	}
}

// sentText is a text that went out, as it stands in the sandbox's own file. It is read here by code of its own.
type sentText struct {
	ID     string `json:"id"`
	Sent   bool   `json:"sent"`
	Number string `json:"number"`
	Body   string `json:"body"`
	At     int64  `json:"at"`
}

func wentOut(t *testing.T, dir string) (out []sentText) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "sandbox"))
	must(t, err)
	for _, l := range bytes.Split(b, []byte("\n")) {
		var s sentText
		if len(l) > 0 && json.Unmarshal(l, &s) == nil && s.Sent {
			out = append(out, s)
		}
	}
	return out
}
