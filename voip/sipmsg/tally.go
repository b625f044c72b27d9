package sipmsg

import (
	"context"
	"log/slog"
	"time"
)

// apart is the least time between two lines of the log on messages of one kind: who sends them must not choose how fast it grows.
const apart = time.Minute

// tally counts messages by kind, and when each kind was told of last.
type tally map[string]*told

type told struct {
	at  time.Time
	now int // since then
}

// count counts one more. It gives how many there are to tell of now, or 0 where that waits.
func (t tally) count(kind string, now time.Time) int {
	k := t[kind]
	if k == nil {
		k = &told{at: now.Add(-apart)}
		t[kind] = k
	}
	k.now++
	if now.Sub(k.at).Abs() < apart {
		return 0
	}
	n := k.now
	k.at, k.now = now, 0
	return n
}

// all tells of what still waits.
func (t tally) all(tell func(kind string, n int)) {
	for kind, k := range t {
		if k.now > 0 {
			tell(kind, k.now)
			k.now = 0
		}
	}
}

// kinds is what the log says of messages of each kind.
var kinds = map[string]struct {
	level slog.Level
	says  string
}{
	CodeCrashed:  {slog.LevelError, "messages could not be handled"},
	codeLost:     {slog.LevelWarn, "texts came without their bodies"},
	CodeNotTrunk: {slog.LevelInfo, "messages are no texts of the trunk's"},
	CodeNoText:   {slog.LevelInfo, "messages are no texts"},
}

// note counts a message that is not a text as it should be, and says so in the log where it is time to.
func (l *Line) note(kind string) {
	if n := l.said.count(kind, l.o.Now()); n > 0 {
		l.say(kind, n)
	}
}

func (l *Line) say(kind string, n int) {
	l.o.Log.Log(context.Background(), kinds[kind].level, kinds[kind].says, "code", kind, "messages", n)
}
