package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/store/engine"
)

// The test binary is its own second process: it does what READBACK_STORE_CHILD says to the database READBACK_STORE_FILE.
func TestMain(m *testing.M) {
	var err error
	switch file := os.Getenv("READBACK_STORE_FILE"); os.Getenv("READBACK_STORE_CHILD") {
	case "":
		os.Exit(m.Run())
	case "rush":
		err = rush(file)
	case "press":
		err = press(file)
	case "write":
		err = writeUntilKilled(file, os.Getenv("READBACK_STORE_ROUND"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(t *testing.T, what, file string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "READBACK_STORE_CHILD="+what, "READBACK_STORE_FILE="+file)...)
	cmd.Stderr = os.Stderr
	return cmd
}

const limit = 30

// rush has 64 goroutines send as long as the log says that the limit is not reached, and prints how many did.
func rush(file string) error {
	ctx := context.Background()
	s, err := Open(ctx, file)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	var sent atomic.Int64
	errs := make(chan error, 64)
	for g := range 64 {
		wg.Go(func() {
			for i := range 2 {
				body := fmt.Sprint("hello ", os.Getpid(), g, i)
				id := smsmcp.SendID(fmt.Sprintf("%d-%d-%d", os.Getpid(), g, i))
				reserved := false
				err := s.Begin(ctx, noon, smsmcp.Recipient{Name: "Marie"}, needFor(body, noon), func(st guard.State) smsmcp.Ruling {
					if reserved = len(st.Log) < limit; !reserved {
						return smsmcp.Ruling{}
					}
					x := draft(string(id), st.Contact, body, smsmcp.Reserved, noon)
					return smsmcp.Ruling{Insert: &x}
				})
				if err == nil && reserved {
					sent.Add(1)
					_, err = s.Record(ctx, id, done(noon, string(id)))
				}
				if err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(sent.Load())
	close(errs)
	return errors.Join(<-errs, s.Close())
}

func TestInvariant09TheLimitHoldsAcrossProcesses(t *testing.T) {
	s := newStore(t)
	addContact(t, s, "Marie", "+15145550101")
	var wg sync.WaitGroup
	var total atomic.Int64
	for range 2 {
		cmd := child(t, "rush", s.file)
		wg.Go(func() {
			out, err := cmd.Output()
			var n int64
			if _, scan := fmt.Sscan(string(out), &n); err != nil || scan != nil {
				t.Error(err, scan)
			}
			total.Add(n)
		})
	}
	wg.Wait()
	list, err := s.Sends(t.Context(), 1000)
	ok(t, err)
	if total.Load() != limit || len(list) != limit {
		t.Errorf("%d went out and %d are in the log, want %d", total.Load(), len(list), limit)
	}
}

// writeUntilKilled writes one thing after another, and says what it was told is written.
func writeUntilKilled(file, round string) error {
	ctx := context.Background()
	s, err := Open(ctx, file)
	if err != nil {
		return err
	}
	if _, err := s.Recover(ctx, noon); err != nil {
		return err
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", round, i)
		x, err := s.StoreTexts(ctx, noon, []smsmcp.Text{received("t"+id, smsmcp.NumberPeer("+15145550177"), "body "+id, noon)})
		if err != nil {
			return err
		}
		fmt.Println("text", id)
		until := noon.Add(time.Duration(i) * time.Hour)
		if err := s.Show(ctx, smsmcp.Shown{At: noon, Texts: []smsmcp.TextID{x[0].ID}, Holds: []smsmcp.Hold{
			{Scope: smsmcp.Scope("s" + id), Kind: smsmcp.HoldStranger, From: noon, Until: until},
		}}); err != nil {
			return err
		}
		fmt.Println("hold", id)
		err = s.Begin(ctx, noon, smsmcp.Recipient{Name: "marie"}, needFor(id, noon), func(st guard.State) smsmcp.Ruling {
			x := draft(id, st.Contact, id, smsmcp.Reserved, noon)
			return smsmcp.Ruling{Insert: &x}
		})
		if err != nil {
			return err
		}
		fmt.Println("begun", id)
		if _, err := s.Record(ctx, smsmcp.SendID(id), done(noon, id)); err != nil {
			return err
		}
		fmt.Println("done", id)
	}
}

func TestInvariant09NothingAcknowledgedIsLostToAKill(t *testing.T) {
	file := filepath.Join(t.TempDir(), "readback.db")
	s := openStore(t, file)
	c := addContact(t, s, "Marie", "+15145550101")
	ok(t, s.Close())
	rng := rand.New(rand.NewPCG(3, 4))
	total := 0
	for round := range 20 {
		cmd := child(t, "write", file, fmt.Sprint("READBACK_STORE_ROUND=", round))
		out, err := cmd.StdoutPipe()
		ok(t, err)
		ok(t, cmd.Start())
		var said []string
		stop := 1 + rng.IntN(60)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if said = append(said, lines.Text()); len(said) == stop {
				ok(t, cmd.Process.Kill())
			}
		}
		_ = cmd.Wait()
		if len(said) < stop {
			t.Fatalf("round %d: ended by itself after %d", round, len(said))
		}
		total += len(said)
		s := openStore(t, file)
		ok(t, s.Check(t.Context()))
		st := look(t, s, smsmcp.Recipient{ID: c.ID}, needFor("x", noon), noon.Add(-time.Hour))
		holds := map[string]bool{}
		for _, h := range st.Holds {
			holds[string(h.Scope)] = true
		}
		have := func(query, id string) bool {
			found, err := engine.One(s.read(t.Context()), query, []any{id}, new(int))
			ok(t, err)
			return found
		}
		for _, line := range said {
			what, id, _ := strings.Cut(line, " ")
			var kept bool
			switch what {
			case "text":
				kept = have(`SELECT 1 FROM texts WHERE ref = 't' || ? AND direction = 1`, id)
			case "hold":
				kept = holds["s"+id]
			case "begun":
				kept = have(`SELECT 1 FROM sends WHERE id = ? AND tally > 0`, id)
			case "done":
				kept = have(`SELECT 1 FROM sends s JOIN texts x ON x.send = s.id WHERE s.id = ? AND s.state = 'sent' AND x.direction = 2`, id)
			}
			if !kept {
				t.Errorf("round %d: %q was acknowledged and is lost", round, line)
			}
		}
		ok(t, s.Close())
	}
	t.Logf("%d acknowledgements", total)
}
