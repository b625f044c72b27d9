package store

import (
	"errors"
	"os"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

func TestInvariant09ShownBeforeTheWordsLeave(t *testing.T) {
	s := newStore(t)
	c := addContact(t, s, "Marie", "+15145550101")
	x := storeTexts(t, s, noon, received("1", smsmcp.NumberPeer("+15145550177"), "hello", noon), received("2", smsmcp.NumberPeer(c.To), "hi", noon))
	shown := func(at time.Time) smsmcp.Shown {
		return smsmcp.Shown{At: at, Texts: []smsmcp.TextID{x[0].ID, x[1].ID}, Holds: []smsmcp.Hold{
			{Scope: smsmcp.MCP, Kind: smsmcp.HoldStranger, From: at, Until: at.Add(time.Hour)},
			{Scope: "call", Kind: smsmcp.HoldAlarm, From: at, Until: at.Add(time.Hour)},
		}}
	}
	// held is checked by another store, which sees only what is committed.
	other := openStore(t, s.file)
	held := func(at time.Time, want int) {
		t.Helper()
		if st := look(t, other, smsmcp.Recipient{ID: c.ID}, needFor("x", at), at); len(st.Holds) != want {
			t.Errorf("at %s: %d holds, want %d", at.Sub(noon), len(st.Holds), want)
		}
	}
	held(noon, 0)
	ok(t, s.Show(t.Context(), shown(noon)))
	held(noon, 2)
	size := walSize(t, s)
	for at := noon; at.Before(noon.Add(time.Minute)); at = at.Add(7 * time.Second) {
		ok(t, s.Show(t.Context(), shown(at)))
	}
	if got := walSize(t, s); got != size {
		t.Errorf("a minute of reading wrote %d bytes", got-size)
	}
	// Though nothing was written, the hold is as long as the last reader asked.
	held(noon.Add(56*time.Second+time.Hour-time.Millisecond), 2)
	held(noon.Add(61*time.Minute), 0)
	ok(t, s.Show(t.Context(), shown(noon.Add(61*time.Second))))
	if walSize(t, s) == size {
		t.Error("an older mark was not written again")
	}
	held(noon.Add(61*time.Minute), 2)
	// Neither an earlier nor a shorter one takes anything back.
	ok(t, other.Show(t.Context(), shown(noon.Add(-time.Hour))))
	held(noon.Add(61*time.Minute), 2)
	st := look(t, other, smsmcp.Recipient{ID: c.ID}, needFor("x", noon.Add(24*time.Hour)), noon.Add(24*time.Hour))
	if len(st.Heard) != 2 || st.Heard[0].Contact != 0 || st.Heard[1].Contact != c.ID || !st.Heard[0].Shown.Equal(noon.Add(61*time.Second+shownSlack)) {
		t.Errorf("heard: %+v", st.Heard)
	}
	// A showing that found a mark young enough is as good as one that wrote it.
	at := noon.Add(111 * time.Second)
	ok(t, s.Show(t.Context(), shown(at)))
	need := guard.Need{Body: "x", LogSince: at, HeardSince: at.Add(-time.Second)}
	if st := look(t, other, smsmcp.Recipient{ID: c.ID}, need, at); len(st.Heard) != 2 {
		t.Errorf("shown a second ago: %d heard", len(st.Heard))
	}
}

func TestInvariant09AShowThatCannotBeCommittedFails(t *testing.T) {
	s := newStore(t)
	holds := []smsmcp.Hold{{Scope: smsmcp.MCP, Kind: smsmcp.HoldStranger, From: noon, Until: noon.Add(time.Hour)}}
	for range 2 {
		err := s.Show(t.Context(), smsmcp.Shown{At: noon, Texts: []smsmcp.TextID{99}, Holds: holds})
		if !errors.Is(err, ErrInvalid) {
			t.Fatalf("a text that is not there: %v", err)
		}
	}
	if st := look(t, s, smsmcp.Recipient{}, needFor("x", noon), noon); len(st.Holds) != 0 {
		t.Error("half of it was committed")
	}
	ok(t, s.Close())
	if err := s.Show(t.Context(), smsmcp.Shown{At: noon, Holds: holds}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func walSize(t *testing.T, s *Store) int64 {
	t.Helper()
	info, err := os.Stat(s.file + "-wal")
	ok(t, err)
	return info.Size()
}
