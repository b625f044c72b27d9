package gate_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/secret"
	"readback/voice"
	"readback/voice/gate"
)

const (
	pin   = "481516"
	wrong = "234299"
	mine  = smsmcp.Number("+15145550100")
)

var (
	cheap   = secret.Cost{Memory: 8, Passes: 1, Lanes: 1}
	errNone = errors.New("never set")
	errDisk = errors.New("disk")
	mobile  = voice.CallerID{Number: string(mine), Line: "home"}
)

// shelf keeps secrets in memory, as a store does that can be made to fail.
type shelf struct {
	mu     sync.Mutex
	kept   map[string]string
	writes int
	fail   func(write int) bool // the first write is 1
	wrote  func()
}

func (s *shelf) Secret(ctx context.Context, name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.kept[name]; ok {
		return []byte(v), ctx.Err()
	}
	return nil, fmt.Errorf("secret: %w", errNone)
}

func (s *shelf) SetSecret(ctx context.Context, name string, v []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.writes++; s.fail != nil && s.fail(s.writes) {
		return errDisk
	}
	s.kept[name] = string(v)
	if s.wrote != nil {
		s.wrote()
	}
	return nil
}

// world is a gate on a shelf. Its clock is the wall's: it may be set.
type world struct {
	t     testing.TB
	shelf *shelf
	gate  *gate.Gate
	off   time.Duration // by which the clock on the wall is off
	told  []int
	calls int
	log   bytes.Buffer
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, shelf: &shelf{kept: map[string]string{}}}
	w.restart()
	if err := w.gate.Set(t.Context(), pin); err != nil {
		t.Fatal(err)
	}
	w.shelf.writes = 0
	return w
}

// restart makes a new gate of what the old one kept.
func (w *world) restart() {
	w.gate = gate.New(gate.Options{
		Secrets: w.shelf, None: errNone, Owners: []smsmcp.Number{"+15145550109", mine}, Warn: func(n int) { w.told = append(w.told, n) },
		Now: func() time.Time { return time.Now().Add(w.off).Round(0) }, Rand: rand.Reader, Cost: cheap, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	})
}

// try tries in a call, and says how long it took.
func (w *world) try(call, pin string, want gate.Answer) time.Duration {
	w.t.Helper()
	begin := time.Now()
	got, err := w.gate.Try(w.t.Context(), call, pin)
	if err != nil || got != want {
		w.t.Fatalf("call %s: %v %v, want %v", call, got, err, want)
	}
	return time.Since(begin)
}

// wrongs gives each wrong try a call of its own.
func (w *world) wrongs(n int) (took []time.Duration) {
	for range n {
		w.calls++
		took = append(took, w.try(fmt.Sprint("call ", w.calls), wrong, gate.Wrong))
	}
	return took
}

var slower = []time.Duration{0, 0, 0, 5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute, time.Minute, time.Minute}

// TestInvariant09WrongPINsSlowDown the next, over all calls together and through restarts; nobody is locked out, and the right one ends it.
func TestInvariant09WrongPINsSlowDown(t *testing.T) {
	for name, after := range map[string]func(w *world){"one run": func(*world) {}, "a restart each time": (*world).restart} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			for i, want := range slower {
				if took := w.wrongs(1)[0]; took != want {
					t.Errorf("%s: try %d waited %v, want %v", name, i+1, took, want)
				}
				after(w)
			}
			w.wrongs(90)
			after(w)
			if took := w.try("mine", pin, gate.Right); took != time.Minute {
				t.Errorf("%s: the owner waited %v after a hundred wrong ones", name, took)
			}
			after(w)
			if took := w.wrongs(4); !slices.Equal(took, slower[:4]) {
				t.Errorf("%s: after the right one: %v", name, took)
			}
			// Who comes later waits for what is left.
			time.Sleep(4 * time.Second)
			if took := w.wrongs(1)[0]; took != 6*time.Second {
				t.Errorf("%s: later: %v", name, took)
			}
			time.Sleep(time.Hour)
			if took := w.wrongs(1)[0]; took != 0 {
				t.Errorf("%s: much later: %v", name, took)
			}
		})
	}
}

// TestTheWaitIsWhole: this process knows when the last try was by more than what is kept of it, a time on the wall in milliseconds.
func TestTheWaitIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		time.Sleep(999 * time.Microsecond)
		if took := w.wrongs(4); !slices.Equal(took, slower[:4]) {
			t.Errorf("%v", took)
		}
	})
}

// TestInvariant12AClockSetBackGivesNoPIN: nor does it lock anybody out.
func TestInvariant12AClockSetBackGivesNoPIN(t *testing.T) {
	for _, off := range []time.Duration{-time.Millisecond, -time.Hour, -50 * 365 * 24 * time.Hour} {
		for _, restart := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				w.wrongs(5)
				time.Sleep(15 * time.Second)
				if w.off = off; restart {
					w.restart()
				}
				if took := w.wrongs(1)[0]; took < 5*time.Second || took > 20*time.Second {
					t.Errorf("set by %v, restarted %v: %v", off, restart, took)
				}
				if took := w.try("mine", pin, gate.Right); took != 40*time.Second {
					t.Errorf("set by %v, restarted %v: the owner waited %v", off, restart, took)
				}
			})
		}
	}
}

// TestInvariant09OnePINAtATime: many calls at once gain nothing by it.
func TestInvariant09OnePINAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var ends []time.Duration
		var mu sync.Mutex
		begin := time.Now()
		w.shelf.wrote = func() { ends = append(ends, time.Since(begin)) }
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				got, err := w.gate.Try(t.Context(), fmt.Sprint(i), wrong)
				mu.Lock()
				defer mu.Unlock()
				if got != gate.Wrong || err != nil {
					t.Error(got, err)
				}
			})
		}
		wg.Wait()
		if len(ends) != 20 {
			t.Fatalf("%d tries were written", len(ends))
		}
		for i := 1; i < len(ends); i++ {
			if want := slower[min(i, len(slower)-1)]; ends[i]-ends[i-1] != want {
				t.Errorf("try %d came %v after the one before, not %v", i+1, ends[i]-ends[i-1], want)
			}
		}
	})
}

// TestTheOwnerIsNotLockedOut by who calls again and again, on two lines at once: the wait is a minute for each who is before, and one more.
func TestTheOwnerIsNotLockedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.wrongs(20)
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 2 {
			go func() {
				for n := 0; ctx.Err() == nil; n++ {
					_, _ = w.gate.Try(ctx, fmt.Sprint("guesser ", i, n/gate.TriesPerCall), wrong)
				}
			}()
		}
		for range 5 {
			time.Sleep(3*time.Minute + 7*time.Second)
			if took := w.try("mine", pin, gate.Right); took > 3*time.Minute {
				t.Errorf("the owner waited %v", took)
			}
		}
		cancel()
	})
}

func TestThreeTriesACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.try("one", wrong, gate.Wrong)
		w.try("two", wrong, gate.Wrong)
		w.try("one", wrong, gate.Wrong)
		w.try("one", wrong, gate.OutOfTries)
		writes := w.shelf.writes
		if took := w.try("one", pin, gate.OutOfTries); took != 0 || w.shelf.writes != writes {
			t.Errorf("a fourth try was looked at: %v", took)
		}
		w.try("two", pin, gate.Right)
		for _, want := range []gate.Answer{gate.Wrong, gate.Wrong, gate.OutOfTries} { // what was held against it is forgotten
			w.try("two", wrong, want)
		}
	})
}

// TestManyTriesOfOneCallAtOnce: the fourth is not looked at, whatever waits for its turn.
func TestManyTriesOfOneCallAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { _, _ = w.gate.Try(t.Context(), "one", wrong) })
		}
		wg.Wait()
		if w.shelf.writes != 3 {
			t.Errorf("%d tries", w.shelf.writes)
		}
	})
}

func TestTheOwnerIsWarned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for range 32 {
			w.wrongs(1)
			w.restart()
		}
		if want := []int{3, 10, 20, 30}; !slices.Equal(w.told, want) {
			t.Errorf("told of %v, want %v", w.told, want)
		}
		w.try("mine", pin, gate.Right)
		w.wrongs(2)
		w.try("mine", pin, gate.Right)
		w.wrongs(2)
		if len(w.told) != 4 {
			t.Errorf("told of %v: two of mine, twice", w.told)
		}
		w.wrongs(1)
		if w.told[len(w.told)-1] != 3 {
			t.Errorf("told of %v", w.told)
		}
	})
	for l, want := range map[lang.Lang]string{lang.EN: "forged", lang.FR: "falsifie"} {
		if title, body := gate.Notice(l, 10); title == "" || !strings.HasPrefix(body, "10 ") || !strings.Contains(body, want) {
			t.Errorf("%s: %q %q", l, title, body)
		}
	}
}

// TestInvariant09HangingUpTakesNoTryBack: before its turn nothing was tried; from then on it counts, and is written before anybody knows the answer.
func TestInvariant09HangingUpTakesNoTryBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.wrongs(3)
		ctx, cancel := context.WithTimeout(t.Context(), 4999*time.Millisecond)
		defer cancel()
		if got, err := w.gate.Try(ctx, "gone", pin); got != gate.Wrong || !errors.Is(err, context.DeadlineExceeded) || w.shelf.writes != 3 {
			t.Errorf("one that was waiting: %v %v, %d writes", got, err, w.shelf.writes)
		}
		ctx, cancel = context.WithCancel(t.Context())
		w.shelf.wrote = cancel
		begin := time.Now()
		if got, err := w.gate.Try(ctx, "gone", wrong); got != gate.Wrong || err != nil || time.Since(begin) != time.Millisecond {
			t.Errorf("one that was written down: %v %v after %v", got, err, time.Since(begin))
		}
		w.shelf.wrote = nil
		w.restart()
		if took := w.wrongs(1)[0]; took != 10*time.Second {
			t.Errorf("it did not count: the next waited %v", took)
		}
		ctx, cancel = context.WithCancel(t.Context())
		w.shelf.wrote = cancel
		if got, err := w.gate.Try(ctx, "mine", pin); got != gate.Right || err != nil {
			t.Errorf("the right one: %v %v", got, err)
		}
		if ctx.Err() == nil || strings.HasPrefix(w.shelf.kept["pin_tries"], "6") {
			t.Error("the right one does not end it")
		}
	})
}

// TestInvariant09NobodyGetsInUnrecorded: where a try cannot be written down, or that it was right, nobody gets in.
func TestInvariant09NobodyGetsInUnrecorded(t *testing.T) {
	for failing := 1; failing <= 2; failing++ {
		w := newWorld(t)
		w.shelf.fail = func(write int) bool { return write == failing }
		if got, err := w.gate.Try(t.Context(), "mine", pin); got != gate.Wrong || !errors.Is(err, gate.ErrStore) || !errors.Is(err, errDisk) {
			t.Errorf("write %d fails: %v %v", failing, got, err)
		}
		w.try("mine", pin, gate.Right)
	}
	w := newWorld(t)
	w.shelf.kept["pin"] = "no hash"
	if got, err := w.gate.Try(t.Context(), "mine", pin); got != gate.Wrong || !errors.Is(err, secret.ErrHash) {
		t.Errorf("a broken hash: %v %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := w.gate.Try(ctx, "mine", pin); got != gate.Wrong || err == nil {
		t.Errorf("a call that is over: %v %v", got, err)
	}
}

// TestWhatIsKeptOfTriesOpensNothing, whatever it is.
func TestWhatIsKeptOfTriesOpensNothing(t *testing.T) {
	for _, kept := range []string{"", "x", "3", "3 ", " 5", "-1 5", "3 x", "99999999999999999999 1", "1000000000 99999999999999", "3 5 7"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.shelf.kept["pin_tries"] = kept
			if took := w.wrongs(1)[0]; took != time.Minute {
				t.Errorf("%q: the next waited %v", kept, took)
			}
			w.try("mine", pin, gate.Right)
		})
	}
}

func TestKnown(t *testing.T) {
	w := newWorld(t)
	known := func(c voice.CallerID) bool { return w.gate.Known(c) }
	if !known(mobile) || !known(voice.CallerID{Number: "+15145550109"}) {
		t.Error("the owner's numbers")
	}
	for _, c := range []voice.CallerID{{}, {Line: "home"}, {Number: "+15145550101"}, {Number: "15145550100"}, {Number: "5145550100"}, {Number: string(mine) + " "}, {Number: string(mine) + "0"}} {
		if known(c) {
			t.Errorf("%+v", c)
		}
	}
	if err := w.gate.Remove(t.Context()); err != nil || known(mobile) {
		t.Errorf("without a PIN: %v", err)
	}
	if got, err := w.gate.Try(t.Context(), "mine", pin); got != gate.Wrong || !errors.Is(err, gate.ErrNoPIN) {
		t.Errorf("a removed PIN: %v %v", got, err)
	}
	if set, err := w.gate.IsSet(t.Context()); set || err != nil {
		t.Errorf("%v %v", set, err)
	}
	delete(w.shelf.kept, "pin")
	if known(mobile) {
		t.Error("where none was ever set")
	}
	if got, err := w.gate.Try(t.Context(), "mine", "-"); got != gate.Wrong || !errors.Is(err, gate.ErrNoPIN) {
		t.Errorf("no PIN: %v %v", got, err)
	}
	if err := w.gate.Set(t.Context(), pin); err != nil {
		t.Fatal(err)
	}
	nobody := gate.New(gate.Options{Secrets: w.shelf, None: errNone, Owners: []smsmcp.Number{""}, Now: time.Now, Rand: rand.Reader})
	if nobody.Known(voice.CallerID{}) {
		t.Error("a hidden number is an owner's that is empty")
	}
	delete(w.shelf.kept, "pin")
	bare := gate.New(gate.Options{Secrets: w.shelf, Owners: []smsmcp.Number{mine, ""}, Now: time.Now, Rand: rand.Reader})
	if bare.Known(mobile) || bare.Known(voice.CallerID{}) {
		t.Error("a gate that cannot tell a store that fails")
	}
}

// TestAPINThatIsChangedMeanwhile is the one that counts.
func TestAPINThatIsChangedMeanwhile(t *testing.T) {
	const fresh = "902774"
	for name, at := range map[string]func(w *world, change func()){
		"while a try waits": func(_ *world, change func()) { go func() { time.Sleep(time.Second); change() }() },
		"while it is hashed": func(w *world, change func()) {
			w.shelf.wrote = func() {
				w.shelf.wrote = nil
				w.shelf.mu.Unlock()
				change()
				w.shelf.mu.Lock()
			}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			w.wrongs(3)
			at(w, func() {
				if err := w.gate.Set(t.Context(), fresh); err != nil {
					t.Error(err)
				}
			})
			if got, err := w.gate.Try(t.Context(), "mine", pin); got != gate.Wrong || err != nil {
				t.Errorf("%s: the old one: %v %v", name, got, err)
			}
			w.try("mine", fresh, gate.Right)
		})
	}
}

func TestPINsThatAreGuessedFirst(t *testing.T) {
	for _, bad := range []string{"", "1", "12345", "1234567", "12345a", "123 56", "１２３４５６", "-12345", "+12345", "123456\n", "*12345"} {
		if err := gate.Check(bad); !errors.Is(err, gate.ErrForm) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, bad := range []string{"000000", "111111", "123456", "654321", "345678", "987654", "890123", "109876", "135791", "246802", "121212", "909090", "112211", "010101", "111222",
		"123123", "907907", "123321", "480084", "112233", "449900", "474747", "198484", "841984", "202424", "242024", "200000"} {
		if err := gate.Check(bad); !errors.Is(err, gate.ErrTrivial) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, good := range []string{pin, wrong, "123654", "902774", "198512", "314159", "271828", "777123"} {
		if err := gate.Check(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	refused := 0
	for n := range 1_000_000 {
		if gate.Check(fmt.Sprintf("%06d", n)) != nil {
			refused++
		}
	}
	if refused > 8000 {
		t.Errorf("%d of a million are refused: too few are left", refused)
	}
	w := newWorld(t)
	if err := w.gate.Set(t.Context(), "123456"); !errors.Is(err, gate.ErrTrivial) || w.shelf.writes != 0 {
		t.Errorf("set: %v", err)
	}
}

// TestInvariant11ThePINIsKeptHashedAndNamedNowhere: not in the log, not in an error.
func TestInvariant11ThePINIsKeptHashedAndNamedNowhere(t *testing.T) {
	w := newWorld(t)
	w.wrongs(3)
	w.try("one", pin, gate.Right)
	w.shelf.fail = func(int) bool { return true }
	_, err1 := w.gate.Try(t.Context(), "one", pin)
	err2, err3 := w.gate.Set(t.Context(), pin), w.gate.Set(t.Context(), "111111")
	w.shelf.kept["pin"] += "x"
	_, err4 := w.gate.Try(t.Context(), "one", pin)
	w.gate.Known(mobile)
	all := fmt.Sprint(w.log.String(), err1, err2, err3, err4, w.shelf.kept)
	for _, s := range []string{pin, wrong, "111111", string(mine)} {
		if strings.Contains(all, s) {
			t.Errorf("%s is in %s", s, all)
		}
	}
	if !strings.HasPrefix(w.shelf.kept["pin"], "$argon2id$v=19$") {
		t.Errorf("kept as %q", w.shelf.kept["pin"])
	}
	real := gate.New(gate.Options{Secrets: &shelf{kept: w.shelf.kept}, None: errNone, Now: time.Now, Rand: rand.Reader})
	if err := real.Set(t.Context(), pin); err != nil || !strings.HasPrefix(w.shelf.kept["pin"], "$argon2id$v=19$m=65536,t=3,p=4$") {
		t.Errorf("%v, kept as %q", err, w.shelf.kept["pin"])
	}
}
