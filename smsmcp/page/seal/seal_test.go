package seal

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"
	"unsafe"
)

const fresh = 2 * time.Minute

var now = time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)

func sealer(t *testing.T) *Sealer {
	t.Helper()
	s, err := New(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTickets: one is good for its end, its session and two minutes, and only from this process.
func TestTickets(t *testing.T) {
	ours, another := sealer(t), sealer(t)
	in := [32]byte{1}
	one := Ticket{For: "prove", Session: in, About: [32]byte{2}, Until: now.Add(fresh), Data: []byte(`"x"`)}
	sealed, err1 := ours.Seal(one)
	forged, err2 := another.Seal(one)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		sealed, end string
		session     [32]byte
		at          time.Time
		good        bool
	}{
		{sealed, "prove", in, now, true}, {sealed, "prove", in, now.Add(fresh - 1), true}, {sealed, "prove", in, now.Add(fresh), false},
		{sealed, "prove", in, now.Add(-1), false}, {sealed, "add", in, now, false}, {sealed, "prove", [32]byte{}, now, false},
		{forged, "prove", in, now, false}, {"", "prove", in, now, false}, {sealed[:40], "prove", in, now, false}, {sealed + "AA", "prove", in, now, false},
		{sealed + "\n", "prove", in, now, false},
	} {
		got, err := ours.Open(c.sealed, c.end, c.session, c.at, fresh)
		if (err == nil) != c.good || c.good && (got.About != one.About || string(got.Data) != `"x"`) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// TestAShowingIsWrittenInOneWay: no other writing of the same bytes is taken, nor is it the same showing.
func TestAShowingIsWrittenInOneWay(t *testing.T) {
	s := sealer(t)
	in, question := [32]byte{1}, [32]byte{2}
	for count := range uint64(4) {
		sealed := s.Show(in, question, now, count)
		q, err := s.When(sealed, in, question, now, time.Hour)
		key, err2 := Key(sealed)
		if err != nil || err2 != nil || q.Proofs != count || !q.At.Equal(now) || q.Key != key {
			t.Fatal(q, err, err2)
		}
		for _, other := range []string{sealed + "\n", sealed + "\r", "\r\n" + sealed, sealed[:9] + "\n" + sealed[9:], sealed + "=", sealed + "A", sealed[1:], ""} {
			if _, err := s.When(other, in, question, now, time.Hour); !errors.Is(err, ErrShown) {
				t.Errorf("%q: %v", other, err)
			}
			if _, err := Key(other); !errors.Is(err, ErrShown) {
				t.Errorf("%q: %v", other, err)
			}
		}
		for what, at := range map[string]time.Time{"future": now.Add(-1), "past": now.Add(time.Hour)} {
			if _, err := s.When(sealed, in, question, at, time.Hour); !errors.Is(err, ErrShown) {
				t.Error(what, err)
			}
		}
		if _, err := s.When(sealed, in, [32]byte{}, now, time.Hour); !errors.Is(err, ErrShown) {
			t.Error(err)
		}
		if _, err := s.When(sealed, [32]byte{}, question, now, time.Hour); !errors.Is(err, ErrShown) {
			t.Error(err)
		}
	}
}

// TestBitsThatAreLeftOverCount: 35 bytes take 47 letters, the last of which says two bits too many.
func TestBitsThatAreLeftOverCount(t *testing.T) {
	good := base64.RawURLEncoding.EncodeToString(make([]byte, 35))
	if _, ok := decode(good); !ok {
		t.Fatal(good)
	}
	for _, end := range "BCD" {
		if _, ok := decode(strings.TrimSuffix(good, "A") + string(end)); ok {
			t.Errorf("%c is taken for A", end)
		}
	}
}

func TestOnce(t *testing.T) {
	s := sealer(t)
	until := now.Add(time.Hour)
	if s.Was("a") || !s.Once("a", until, now) || !s.Was("a") || s.Once("a", until, now) || !s.Once("b", until, now) || s.Used() != 2 {
		t.Error("it is not once")
	}
	if !s.Once("c", until, until.Add(1)) || s.Used() != 1 {
		t.Error("what is past is remembered")
	}
}

// counts is a time at which the clock shows a while more than at a first one and has counted another on, as after it was set.
func counts(first time.Time, shown, counted time.Duration) time.Time {
	out := first.Add(shown)
	// A time of package time holds what the clock showed, then what it counted. Nothing makes one of two that differ but a clock that is set.
	(*[2]int64)(unsafe.Pointer(&out))[1] += int64(counted - shown) //nolint:gosec // as said
	return out
}

// TestAClockThatIsSet: by what a clock shows and by what it counts.
func TestAClockThatIsSet(t *testing.T) {
	real := time.Now() // which counts
	if got := counts(real, time.Second, time.Minute); got.Sub(real) != time.Minute || got.Round(0).Sub(real.Round(0)) != time.Second {
		t.Fatal("package time keeps its times otherwise now: make such a time in another way")
	}
	for i, c := range []struct {
		shown, counted time.Duration
		back, within   bool
	}{
		{0, 0, false, true}, {time.Minute, time.Minute, false, true}, {fresh, fresh, false, false},
		{-time.Second, time.Second, true, false},              // set back by two seconds
		{31 * time.Second, 61 * time.Second, true, true},      // set back by thirty, and caught up
		{time.Second, fresh, true, false},                     // so that it would count for longer
		{time.Hour, time.Second, false, false},                // set forward, or asleep for an hour
		{time.Minute, time.Minute + slewed/2, false, true},    // set right little by little
		{time.Minute, time.Minute - time.Second, false, true}, // as it is forward
	} {
		at := counts(real, c.shown, c.counted)
		if SetBack(real, at) != c.back || Within(real, at, fresh) != c.within {
			t.Errorf("%d: %v, %v", i, SetBack(real, at), Within(real, at, fresh))
		}
	}
	if SetBack(now, now.Add(time.Second)) || !SetBack(now, now.Add(-1)) || Within(now, now.Add(-1), fresh) || Within(time.Time{}, now, 1<<62) || SetBack(time.Time{}, now) {
		t.Error("a clock that only shows")
	}
}

func FuzzWhatABrowserBrings(f *testing.F) {
	s, err := New(rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", "AAAA", "e30", strings.Repeat("A", 64), "\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sealed string) {
		if _, err := s.Open(sealed, "", [32]byte{}, time.Time{}, 1<<62); err == nil {
			t.Errorf("%q is a ticket", sealed)
		}
		if _, err := s.When(sealed, [32]byte{}, [32]byte{}, time.Time{}, 1<<62); err == nil {
			t.Errorf("%q was shown", sealed)
		}
		if b, ok := decode(sealed); ok && encoded.EncodeToString(b) != sealed {
			t.Errorf("%q is another way to write %q", sealed, encoded.EncodeToString(b))
		}
	})
}
