package grants_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/oauth"
	"readback/smsmcp/oauth/oauthtest"
	"readback/store"
	"readback/store/engine"
	"readback/store/grants"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// The test binary is its own second process: it gives pairs of tokens in the file that READBACK_GRANTS_FILE names, READBACK_GRANTS_COUNT of them, and says so of each.
func TestMain(m *testing.M) {
	file := os.Getenv("READBACK_GRANTS_FILE")
	if file == "" {
		os.Exit(m.Run())
	}
	var n int
	_, _ = fmt.Sscan(os.Getenv("READBACK_GRANTS_COUNT"), &n)
	if err := give(file, n); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, file string) *grants.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	ok(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return grants.New(s.DB())
}

func TestContract(t *testing.T) {
	oauthtest.Contract(t, func(t *testing.T) oauth.Store { return open(t, filepath.Join(t.TempDir(), "a.db")) })
}

// give does what an exchange does, in several goroutines: it reads where a grant stands, and writes where it then stands, with a token.
func give(file string, n int) error {
	ctx := context.Background()
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	book := grants.New(s.DB())
	var wg sync.WaitGroup
	errs := make(chan error, 4)
	for range 4 {
		wg.Go(func() {
			for range n / 4 {
				var last int64
				err := book.Update(ctx, func(tx oauth.Tx) error {
					g, found, err := tx.Grant("g")
					if err != nil || !found {
						return errors.Join(err, errors.New("no grant"))
					}
					g.Last++
					last = g.Last
					return errors.Join(tx.PutToken(oauth.Token{Hash: hash(last), Grant: "g", Refresh: true, Seq: last, Created: noon}), tx.PutGrant(g))
				})
				if err != nil {
					errs <- err
					return
				}
				fmt.Println(last)
			}
		})
	}
	wg.Wait()
	close(errs)
	return errors.Join(<-errs, s.Close())
}

func hash(n int64) (h oauth.Hash) {
	binary.BigEndian.PutUint64(h[:], uint64(n))
	return h
}

func child(t *testing.T, file string, n int) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "READBACK_GRANTS_FILE="+file, fmt.Sprint("READBACK_GRANTS_COUNT=", n))
	cmd.Stderr = os.Stderr
	return cmd
}

// begun is a file with one grant.
func begun(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.db")
	ok(t, open(t, file).Update(t.Context(), func(tx oauth.Tx) error { return tx.PutGrant(oauth.Grant{ID: "g", Created: noon}) }))
	return file
}

// stands checks that a grant stands where its tokens say, and gives how many there are.
func stands(t *testing.T, file string) (last int64) {
	t.Helper()
	ok(t, open(t, file).View(t.Context(), func(tx oauth.Tx) error {
		g, found, err := tx.Grant("g")
		for n := range g.Last + 1 {
			if k, has, _ := tx.Token(hash(n + 1)); has != (n < g.Last) || has && k.Seq != n+1 {
				t.Errorf("token %d of %d: %v", n+1, g.Last, has)
			}
		}
		last = g.Last
		if !found {
			t.Error("no grant")
		}
		return err
	}))
	return last
}

// TestTwoProcessesChangeOneAfterTheOther: a pair that one gave is not given by the other again.
func TestTwoProcessesChangeOneAfterTheOther(t *testing.T) {
	file := begun(t)
	const n = 100
	var wg sync.WaitGroup
	for range 2 {
		cmd := child(t, file, n)
		wg.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if last := stands(t, file); last != 2*n {
		t.Errorf("%d pairs, of %d", last, 2*n)
	}
}

// TestAKillLosesNothingThatWasAnswered: a token that a client has is known, and a grant stands where its tokens say.
func TestAKillLosesNothingThatWasAnswered(t *testing.T) {
	file := begun(t)
	for round := range 10 {
		cmd := child(t, file, 1<<20)
		out, err := cmd.StdoutPipe()
		ok(t, err)
		ok(t, cmd.Start())
		said := int64(0)
		lines := bufio.NewScanner(out)
		for i := 0; lines.Scan(); i++ { // also what it said while it was being killed
			var n int64
			_, err := fmt.Sscan(lines.Text(), &n)
			ok(t, err)
			if said = max(said, n); i == 5+3*round {
				ok(t, cmd.Process.Kill())
			}
		}
		_ = cmd.Wait()
		if last := stands(t, file); said == 0 || last < said {
			t.Errorf("round %d: it said %d, and %d are there", round, said, last)
		}
	}
}

// TestAStoreThatIsClosedSaysSo: as what it is, and not as a token that does not work.
func TestAStoreThatIsClosedSaysSo(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	ok(t, err)
	book := grants.New(s.DB())
	ok(t, s.Close())
	none := func(oauth.Tx) error { t.Error("it runs"); return nil }
	if err := errors.Join(book.View(t.Context(), none)); !errors.Is(err, engine.ErrClosed) {
		t.Error(err)
	}
	if err := errors.Join(book.Update(t.Context(), none)); !errors.Is(err, engine.ErrClosed) {
		t.Error(err)
	}
}
