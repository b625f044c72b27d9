package gate

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// keptTries is under what name the store keeps how many tries were wrong since the last right one, and when the last was.
const keptTries = "pin_tries"

// record is what the store keeps of tries.
type record struct {
	wrong int
	at    time.Time // of the last; UTC, whole milliseconds
}

func (r record) String() string {
	return strconv.Itoa(r.wrong) + " " + strconv.FormatInt(r.at.UnixMilli(), 10)
}

// parse reads what String wrote. What cannot be read counts as many tries, just now: it opens nothing.
func parse(s string, now time.Time) record {
	n, at, _ := strings.Cut(s, " ")
	wrong, err1 := strconv.Atoi(n)
	ms, err2 := strconv.ParseInt(at, 10, 64)
	if err1 != nil || err2 != nil || wrong < 0 {
		return record{wrong: mostWrong, at: now}
	}
	return record{min(wrong, mostWrong), time.UnixMilli(ms).UTC()}
}

// mostWrong is as far as wrong tries are counted.
const mostWrong = 1_000_000_000

func (g *Gate) tries(ctx context.Context) (record, error) {
	s, ok, err := g.kept(ctx, keptTries)
	if err != nil || !ok {
		return record{}, err
	}
	return parse(s, g.o.Now()), nil
}

// write writes how many tries were wrong, the last of them now. It is read again by nobody but this gate, and by the next start.
func (g *Gate) write(ctx context.Context, wrong int) error {
	now := g.o.Now()
	r := record{min(wrong, mostWrong), now.UTC()}
	if err := g.keep(ctx, keptTries, []byte(r.String())); err != nil {
		return err
	}
	g.last.kept, g.last.at = r.String(), now
	return nil
}

// wait is how long the next try still waits. What this process wrote itself is as old as the process' own clock says, which nobody sets; what another wrote, by the
// clock on the wall: one that was set back since makes it no older than it was when it was written.
func (g *Gate) wait(r record) time.Duration {
	if r.wrong < freeTries {
		return 0
	}
	d := longest
	if n := r.wrong - freeTries; n < 8 {
		d = min(d, firstWait<<n)
	}
	last := r.at
	if r.String() == g.last.kept {
		last = g.last.at
	}
	return d - min(max(g.o.Now().Sub(last), 0), d)
}
