package ntfy

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"readback/smsmcp"
)

// unsummed is a store that cannot write down that a summary was told.
type unsummed struct{ Store }

var errDisk = errors.New("no space left on the disk")

func (unsummed) Summed(context.Context, time.Time, smsmcp.TextID) error { return errDisk }

// TestASummaryIsNamedOnce: told again after a crash it has the same sequence id, and one of other texts, whose ids a restored store gave again, has another.
func TestASummaryIsNamedOnce(t *testing.T) {
	srv := newServer(t)
	summary := func(s Store, now time.Time) string {
		t.Helper()
		b, c := newBridge(t, srv, s, Options{PerSender: 1})
		c.now = now
		_, err := settle(t, b)
		if err != nil && !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		for _, m := range srv.messages() {
			if m.Tags[0] == tagSummary {
				return m.SequenceID
			}
		}
		t.Fatal("no summary")
		return ""
	}
	var all []string
	for _, day := range []time.Time{noon, noon.Add(24 * time.Hour)} {
		s := newStore(t, "") // whose first text is number 1
		for i := range 3 {
			add(t, s, day, text(fmt.Sprint(i), stranger, fmt.Sprint("text ", i), day))
		}
		b, c := newBridge(t, srv, s, Options{PerSender: 1})
		c.now = day
		_, err := settle(t, b)
		ok(t, err)
		due := day.Add(11 * time.Minute)
		all = append(all, summary(unsummed{s}, due), summary(s, due))
	}
	if all[0] != all[1] || all[2] != all[3] || all[0] == all[2] {
		t.Errorf("%q", all)
	}
}
