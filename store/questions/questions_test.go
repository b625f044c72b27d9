package questions_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/store"
	"readback/store/engine"
	"readback/store/questions"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const rounds = 50

// The test binary is its own second process: it answers every question of the file that READBACK_QUESTIONS_FILE names.
func TestMain(m *testing.M) {
	file := os.Getenv("READBACK_QUESTIONS_FILE")
	if file == "" {
		os.Exit(m.Run())
	}
	if err := answer(file); err != nil {
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

func open(t *testing.T, file string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	ok(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func hash(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

func question() questions.Question {
	return questions.Question{
		Channel: smsmcp.Card, Send: "abcdefghij", Digest: [32]byte{1, 2}, Principal: "laptop", Call: [32]byte{3, 4}, Expires: noon.Add(10 * time.Minute),
	}
}

func TestInvariant05AQuestionIsAnsweredOnceInItsTimeByWhomItWasAskedOf(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	b, q := questions.New(s.DB()), question()
	for _, secret := range []string{"a", "b"} {
		ok(t, b.Put(t.Context(), noon, hash(secret), q))
	}
	if err := b.Put(t.Context(), noon, hash("a"), q); !errors.Is(err, engine.ErrTaken) {
		t.Errorf("the same question twice: %v", err)
	}
	for i, empty := range []func(*questions.Question){
		func(q *questions.Question) { q.Channel = "" }, func(q *questions.Question) { q.Send = "" }, func(q *questions.Question) { q.Principal = "" },
	} {
		other := q
		empty(&other)
		if err := b.Put(t.Context(), noon, hash("c"), other); !errors.Is(err, engine.ErrInvalid) {
			t.Errorf("%d: %v", i, err)
		}
	}
	with := func(change func(*questions.Question)) questions.Question {
		other := q
		change(&other)
		return other
	}
	for i, c := range []struct {
		now    time.Time
		secret string
		want   questions.Question
		err    error
	}{
		{noon, "none", q, questions.ErrNone},
		{noon, "a", with(func(q *questions.Question) { q.Channel = smsmcp.Elicitation }), questions.ErrOther},
		{noon, "a", with(func(q *questions.Question) { q.Principal = "phone" }), questions.ErrOther},
		{noon, "a", with(func(q *questions.Question) { q.Call[31]++ }), questions.ErrOther},
		{q.Expires, "a", q, questions.ErrLate},
		{q.Expires.Add(-time.Millisecond), "a", questions.Question{Channel: q.Channel, Principal: q.Principal, Call: q.Call}, nil},
		{noon, "a", q, questions.ErrUsed},
		{noon, "a", with(func(q *questions.Question) { q.Principal = "phone" }), questions.ErrOther}, // to whom nothing is told
		{noon.Add(-time.Hour), "b", q, nil},                                                          // a clock that is set back
		{q.Expires, "b", q, questions.ErrUsed},
	} {
		for range 2 { // a look finds what an answer would, and spends nothing
			if got, err := b.Look(t.Context(), c.now, hash(c.secret), c.want); !errors.Is(err, c.err) || err == nil && got != q || err != nil && got != (questions.Question{}) {
				t.Errorf("%d: a look gives %+v, %v", i, got, err)
			}
		}
		got, err := b.Take(t.Context(), c.now, hash(c.secret), c.want)
		if !errors.Is(err, c.err) || err == nil && got != q || err != nil && got != (questions.Question{}) {
			t.Errorf("%d: %+v, %v", i, got, err)
		}
	}
}

func TestWhatIsLongPastIsForgottenAndTheTableIsBounded(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	b, q := questions.New(s.DB()), question()
	ok(t, b.Put(t.Context(), noon, hash("old"), q))
	later := q
	later.Expires = q.Expires.Add(24*time.Hour + time.Minute)
	ok(t, b.Put(t.Context(), later.Expires.Add(-time.Second), hash("new"), later))
	if _, err := b.Take(t.Context(), noon, hash("old"), q); !errors.Is(err, questions.ErrNone) {
		t.Error(err)
	}
	ok(t, s.DB().Write(t.Context(), "fill", func(t *engine.Tx) error {
		_, err := t.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
			INSERT INTO questions SELECT randomblob(32), 'card', 'x', zeroblob(32), 'x', zeroblob(32), ?, 0 FROM n`, later.Expires.UnixMilli()+1)
		return err
	}))
	soon := later
	soon.Expires = noon.Add(48 * time.Hour).Add(-25 * time.Hour) // the first of all to end: it is kept all the same
	ok(t, b.Put(t.Context(), noon, hash("last"), soon))
	var left int
	_, err := engine.One(s.DB().Read(t.Context()), `SELECT count(*) FROM questions`, nil, &left)
	if err != nil || left != 4096 {
		t.Errorf("%d are kept, %v", left, err)
	}
	if _, err := b.Take(t.Context(), noon, hash("last"), soon); err != nil {
		t.Error(err)
	}
}

// TestInvariant05AQuestionAnsweredManyTimesAtOnceIsAnsweredOnce: by goroutines, and by processes.
func TestInvariant05AQuestionAnsweredManyTimesAtOnceIsAnsweredOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.db")
	b := questions.New(open(t, file).DB())
	for i := range rounds {
		ok(t, b.Put(t.Context(), noon, hash(fmt.Sprint(i)), question()))
	}
	var wg sync.WaitGroup
	var total atomic.Int64
	for range 2 {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env, cmd.Stderr = append(os.Environ(), "READBACK_QUESTIONS_FILE="+file), os.Stderr
			out, err := cmd.Output()
			var n int64
			if _, scan := fmt.Sscan(strings.TrimSpace(string(out)), &n); err != nil || scan != nil {
				t.Error(err, scan)
			}
			total.Add(n)
		})
	}
	wg.Wait()
	if total.Load() != rounds {
		t.Errorf("%d answers counted, of %d questions", total.Load(), rounds)
	}
}

// answer has eight goroutines answer every question, and prints how many answers counted.
func answer(file string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	b := questions.New(s.DB())
	var wg sync.WaitGroup
	var counted atomic.Int64
	errs := make(chan error, 8)
	for range 8 {
		wg.Go(func() {
			for i := range rounds {
				switch _, err := b.Take(ctx, noon, hash(fmt.Sprint(i)), question()); {
				case err == nil:
					counted.Add(1)
				case !errors.Is(err, questions.ErrUsed):
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(counted.Load())
	close(errs)
	return errors.Join(<-errs, s.Close())
}

// TestARestoredBackupKnowsNoQuestion: they may have been answered since it was made.
func TestARestoredBackupKnowsNoQuestion(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "a.db"))
	ok(t, questions.New(s.DB()).Put(t.Context(), noon, hash("a"), question()))
	ok(t, s.Backup(t.Context(), filepath.Join(dir, "copy.db")))
	c := open(t, filepath.Join(dir, "copy.db"))
	if _, err := questions.New(c.DB()).Take(t.Context(), noon, hash("a"), question()); !errors.Is(err, questions.ErrNone) {
		t.Error(err)
	}
	if _, err := questions.New(s.DB()).Take(t.Context(), noon, hash("a"), question()); err != nil {
		t.Error(err)
	}
}
